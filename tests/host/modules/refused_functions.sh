#!/bin/sh
# tests/host/modules/refused_functions.sh BUILD -- docs/user/cuda-functions.md against the libraries: every
# function that is refused is in its table, every pattern of the table stands for one that is, and what is
# refused says its name.
. tests/lib.sh

sed -n 's/^MISSING(\(.*\))$/\1/p' host/driver/missing.def host/runtime/missing.def >"$out/refused"
grep '^| `' docs/user/cuda-functions.md | cut -d'|' -f2 | grep -oE '`[^`]+`' | tr -d '`' >"$out/patterns"
while read -r pattern; do
	echo "$pattern" | sed 's/\*/.*/g; s/^/^/; s/$/(_ptsz|_ptds)?$/'
done <"$out/patterns" >"$out/expressions"

expect "there are functions and patterns" [ -s "$out/refused" ]
grep -vE -f "$out/expressions" "$out/refused" >"$out/unsaid"
is_empty() { [ ! -s "$1" ] || { cat "$1"; false; }; }
expect "every refused function is in the table" is_empty "$out/unsaid"
while read -r expression; do
	grep -qE "$expression" "$out/refused" || echo "$expression"
done <"$out/expressions" >"$out/idle"
expect "every pattern stands for a refused function" is_empty "$out/idle"
exported() { nm -D --defined-only "$@" | awk '{ print $3 }' | sed 's/@.*//' | sort -u; }
exported "$build/lib/libcuda.so.1" "$build/lib/libcudart.so.13" | grep -vx lockstep_replay >"$out/exported"
sort -u "$out/refused" | comm -23 - "$out/exported" >"$out/absent"
expect "refused functions are exported" is_empty "$out/absent"
echo "note: functions: $(wc -l <"$out/exported") are exported, $(wc -l <"$out/refused") of them refused"
finish
