#!/bin/sh
# tests/ptx/conformance/run.sh BUILD -- the conformance suite on the simulator: all forms without timing, then
# with timing and at every vector level (the first run has the host's highest), with the same bits. Under
# sanitizers only with timing.
. tests/lib.sh
status=0

# suite NAME VARIABLE=VALUE... -- option...
suite() {
	name=$1; shift
	variables=""
	while [ "$1" != -- ]; do variables="$variables $1"; shift; done
	shift
	# shellcheck disable=SC2086
	env LOCKSTEP_QUIET=1 LOCKSTEP_OUT= LD_LIBRARY_PATH="$build/lib" $variables \
		"$build/tests/conformance" \
		--refused tests/ptx/conformance/refused.txt --exact "$@" >"$out/$name" 2>>"$out/errors" ||
			status=1
}
case $build in
*address*) suite values -- ;;
*)
	suite values LOCKSTEP_FUNCTIONAL=1 -- --record "$out/record"
	suite timed -- --compare "$out/record"
	suite torture LOCKSTEP_CONFIG=tests/configs/torture.yaml -- --compare "$out/record"
	for level in base v3; do
		suite $level LOCKSTEP_VECTOR=$level LOCKSTEP_FUNCTIONAL=1 -- --compare "$out/record"
	done
	;;
esac
if [ $status != 0 ]; then
	for name in values timed torture base v3; do
		[ ! -f "$out/$name" ] || grep -E '^(FAILED|DIFFERS)' "$out/$name" | sed "s/^/$name: /"
	done | head -n 40
	grep -A 5 -E '^conformance:|Sanitizer|runtime error' "$out/errors" | head -n 40
fi
if [ -f "$out/record" ]; then
	# what a GPU computed for the same operands
	awk -F '\t' '/^#/ { next }
		NR == FNR { operands[$1] = $2; results[$1] = $3; next }
		$1 in results && $3 != operands[$1] { print "other operands: " $1 }
		$1 in results && $4 != results[$1] { print $1 }' \
		tests/ptx/conformance/h200.txt "$out/record" | LC_ALL=C sort >"$out/differing"
	sed '/^#/d; /^$/d' tests/ptx/conformance/h200-differs.txt | LC_ALL=C sort >"$out/accepted"
	expect "as a GPU computes, but for h200-differs.txt" diff "$out/accepted" "$out/differing"
	echo "note: $(grep -vc '^#' tests/ptx/conformance/h200.txt) forms were compared with an H200," \
		"$(wc -l <"$out/differing") differ"
fi
sed '$d' "$out/values" | grep 'refused$'
grep '^note' "$out/values"
last=$(tail -n 1 "$out/values")
forms=$(echo "$last" | sed -n 's/^\([0-9]*\) passed.*/\1/p')
passed=$((passed + forms))
claimed=$(sed -n 's/.*more than \([0-9]*\) instruction forms.*/\1/p' README.md)
expect "README.md: more than $claimed forms of $forms" [ "$forms" -gt "${claimed:-0}" ]
expect "all suites end well" [ $status = 0 ]
finish
