#!/bin/sh
# tests/ptx/modules.sh BUILD -- 2000 modules of modules.awk, with declarations in every order and linkage: ptxas and
# we agree on each but on those of modules-differ.txt (numbers). What ptxas said is recorded; RECORD=1 asks again and
# writes the list anew.
. tests/lib.sh
here=tests/ptx
count=2000
mkdir "$out/texts"
awk -v first=1 -v count=$count -v folder="$out/texts" -f $here/modules.awk
question='"$PTXAS" -arch=sm_75 "$1" -o /dev/null >/dev/null 2>&1 && echo accepted || echo refused'
for i in $(seq $count); do echo "$out/texts/$i.ptx"; done >"$out/names"
sh $here/ptxas/ask.sh $here/ptxas/modules.txt "$question" <"$out/names" >"$out/asked"
for name in $(cat "$out/names"); do
	"$build/bin/lockstep" ptx --check --parse "$name" >/dev/null 2>&1 && echo accepted || echo refused
done >"$out/ours"
awk '{ sub(/.*\//, "", $1); sub(/\.ptx/, "", $1); print $1, $2 }' "$out/asked" | paste -d ' ' - "$out/ours" >"$out/both"
awk '$2 != "unknown" && $2 != $3 { print $1, "ptxas", $2 }' "$out/both" >"$out/differ"
[ -z "${RECORD:-}" ] || cp "$out/differ" $here/modules-differ.txt
expect "ptxas was asked about each" [ "$(wc -l <"$out/both")" = $count ]
if [ "$(grep -c ' unknown ' "$out/both")" = 0 ]; then
	expect "the verdicts differ where the list says" diff $here/modules-differ.txt "$out/differ"
	expect "they differ on 20 at most" [ "$(wc -l <"$out/differ")" -le 20 ]
else
	echo "skipped: no ptxas here, and no record of it"
fi
passed=$((passed + $(awk '$2 == $3' "$out/both" | wc -l)))
finish
