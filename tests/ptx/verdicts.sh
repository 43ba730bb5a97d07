#!/bin/sh
# tests/ptx/verdicts.sh BUILD -- what is valid PTX and what is not: every file of broken/ is refused with the
# message of expected.txt (the first error), every file of valid/ is accepted, as far as the lowering. Where
# the vendor's assembler is on the machine it must say the same. Runs in the repository root. RECORD=1 writes
# expected.txt anew: read the difference.
. tests/lib.sh
here=tests/ptx

"$build/bin/lockstep" ptx --check --parse $here/broken/*.ptx >"$out/broken" 2>&1
[ -z "${RECORD:-}" ] || sed "s|^$here/||" "$out/broken" >$here/broken/expected.txt
sed "s|^$here/||" "$out/broken" >"$out/got"
count=$(ls $here/broken/*.ptx | wc -l)
if diff -u $here/broken/expected.txt "$out/got" >"$out/diff"; then
	passed=$((passed + count))
else
	not_ok "messages about broken files"
	cat "$out/diff"
fi
[ "$(tail -n 1 "$out/got")" = "0 accepted, $count refused" ] || not_ok "a broken file is accepted"

count=$(ls $here/valid/*.ptx | wc -l)
if "$build/bin/lockstep" ptx --check --parse $here/valid/*.ptx >"$out/valid" 2>&1; then
	passed=$((passed + count))
else
	not_ok "a valid file is refused"
	cat "$out/valid"
fi

# The assembler's verdict, for the chip that the module names if that is a special one
question='arch=$(sed -n "s/.*\.target *\(sm_[0-9]*[af]\).*/\1/p" "$1" | head -n 1)
	"$PTXAS" -arch="${arch:-sm_90}" "$1" -o /dev/null >/dev/null 2>&1 && echo accepted || echo refused'
if sanitized; then
	echo "note: verdicts: ptxas is not asked again under the sanitizers"
else
	ls $here/broken/*.ptx $here/valid/*.ptx | sh $here/ptxas/ask.sh $here/ptxas/verdicts.txt "$question" \
		>"$out/verdicts"
	files=$(ls $here/broken/*.ptx $here/valid/*.ptx | wc -l)
	[ "$(wc -l <"$out/verdicts")" = "$files" ] || not_ok "files were not asked about"
	unknown=$(grep -c ' unknown$' "$out/verdicts")
	[ "$unknown" = 0 ] || \
		echo "skipped: no ptxas here to ask about $unknown files that are not in the record of its verdicts"
	grep -E "^$here/(broken/.* accepted|valid/.* refused)$" "$out/verdicts" >"$out/wrong"
	cat "$out/wrong" # not through /dev/stderr, whose opening empties a log
	wrong=$(wc -l <"$out/wrong")
	failed=$((failed + wrong))
	passed=$((passed + $(grep -cE ' (accepted|refused)$' "$out/verdicts") - wrong))
fi

finish
