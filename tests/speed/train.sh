#!/bin/sh
# tests/speed/train.sh BUILD -- runs what `make PGO=1` is to be fast at, with a build that counts what it does:
# the peer's kernels at small sizes with timing, under a few schedulers and L1 mechanisms, and functionally.
set -eu
build=${1:?usage: tests/speed/train.sh BUILD}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# run KERNEL SIZE [OPTION]...
run() {
	kernel=$1 size=$2
	shift 2
	"$build/bin/lockstep" run -q -o "$out/run" "$@" -- "$build/bench/peer" "$kernel" "$size" >"$out/log" 2>&1 || {
		cat "$out/log"
		echo "train.sh: $kernel $size failed"
		exit 1
	} >&2
	rm -rf "$out/run"
}
grep -v '^#' tests/speed/trained | while read -r kernel size options; do
	# shellcheck disable=SC2086 # several options
	run "$kernel" "$size" $options
done
