#!/bin/sh
# tests/speed/launches.sh BUILD -- what 100 000 launches of an empty kernel take, with and without an output
# folder, without and with timing: seconds of processor time, system included, and megabytes.
set -eu
build=$1
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
${CC:-gcc} -std=gnu11 -O1 -Ihost -o "$out/launches" tests/host/launches/many_launches.c -L"$build/lib" \
	-Wl,-rpath-link,"$build/lib" -lcuda
seconds() {
	sh -c '"$@" >/dev/null 2>&1; times' - "$build/bin/lockstep" run -q "$@" -- "$out/launches" 100000 |
		awk 'NR == 2 { gsub(/[ms]/, " "); print $1 * 60 + $2 + $3 * 60 + $4 }'
}
for mode in functional timed; do
	flag=""
	[ $mode = timed ] || flag=--functional
	without=$(seconds -o "" $flag)
	with=$(seconds -o "$out/results" $flag)
	awk -v m=$mode -v a="$without" -v b="$with" -v bytes="$(cat "$out"/results/* | wc -c)" 'BEGIN {
		printf "100000 empty launches, %s: %.2f s, with results %.2f s (x %.2f), %.1f MB\n", m, a, b, a ? b / a : 0,
			bytes / 1e6 }'
	rm -rf "$out/results"
done
echo
