#!/bin/sh
# tests/ptx/conformance/run.sh BUILD -- the conformance suite on the simulator: all forms without timing, every 16th with it.
set -u
build=${1:-build}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
export LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" LD_LIBRARY_PATH="$build/lib"
refused=tests/ptx/conformance/refused.txt
status=0
LOCKSTEP_FUNCTIONAL=1 "$build/tests/conformance" --refused $refused >"$out/all" 2>"$out/errors" || status=1
"$build/tests/conformance" --refused $refused --every 16 >"$out/timed" 2>>"$out/errors" || status=1
[ $status = 0 ] || grep '^FAILED (refused)\|^FAILED' "$out/all" "$out/timed" | sort -u | head -n 40
sed '$d' "$out/all" | grep -v '^note'
echo "with timing: $(tail -n 1 "$out/timed")"
grep '^note' "$out/all"
tail -n 1 "$out/all"
exit $status
