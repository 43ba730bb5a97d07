#!/bin/sh
# tests/ptx/conformance/run.sh BUILD -- the conformance suite on the simulator: all forms without timing, at every vector level
# with the same results; every 16th form with timing.
set -u
build=${1:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" LD_LIBRARY_PATH="$build/lib"
refused=tests/ptx/conformance/refused.txt
status=0

LOCKSTEP_FUNCTIONAL=1 "$build/tests/conformance" --refused $refused --record "$out/record" >"$out/all" 2>"$out/errors" || status=1
"$build/tests/conformance" --refused $refused --every 16 --compare "$out/record" >"$out/timed" 2>>"$out/errors" || status=1
for level in base v3 v4; do
	LOCKSTEP_VECTOR=$level LOCKSTEP_FUNCTIONAL=1 "$build/tests/conformance" --refused $refused --compare "$out/record" \
		>"$out/$level" 2>>"$out/errors" || status=1
done
[ $status = 0 ] || { grep -hE '^(FAILED|DIFFERS)' "$out/all" "$out/timed" "$out/base" "$out/v3" "$out/v4" | sort -u | head -n 40
	grep '^conformance:' "$out/errors"; }
sed '$d' "$out/all" | grep -v '^note'
echo "with timing: $(tail -n 1 "$out/timed")"
grep '^note' "$out/all"
tail -n 1 "$out/all"
exit $status
