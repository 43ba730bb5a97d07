#!/bin/sh
# tests/speed/peer_count.sh BUILD PEER [CASES] -- the host's instructions of whole runs, ours and GPGPU-Sim's.
# PEER: a program built on GPGPU-Sim that is called as `PEER KERNEL SIZE` and runs this kernel of
# benchmarks/peer, with the inputs and launches that its README.md describes. CASES: kernels, sizes and their
# names (default tests/speed/counted). valgrind counts both; start and copies are included.
set -eu
build=$1 peer=$2 cases=${3:-tests/speed/counted}
command -v valgrind >/dev/null || {
	echo "peer_count.sh: valgrind is missing; to install it, type: sudo apt-get install -y valgrind" >&2
	exit 1
}
[ -f "$peer" ] && [ -x "$peer" ] || { echo "peer_count.sh: PEER=$peer: no such program" >&2; exit 2; }
case $peer in */*) ;; *) peer=./$peer ;; esac
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

# instructions COMMAND...: of the command and the programs that it starts
instructions() {
	rm -f "$out"/*.counted
	valgrind -q --tool=cachegrind --cache-sim=no --trace-children=yes \
		--cachegrind-out-file="$out/%p.counted" "$@" >"$out/log" 2>&1 </dev/null ||
		{ cat "$out/log"; echo "peer_count.sh: $* failed"; exit 1; } >&2
	awk '/^summary:/ { sum += $2 } END { printf "%.0f\n", sum }' "$out"/*.counted
}

# a benchmark is no kernel of the peer
grep -v '^#\|^[^ ]*/' "$cases" | while read -r kernel size name; do
	theirs=$(instructions "$peer" "$kernel" "$size")
	ours=$(instructions "$build/bin/lockstep" run -q -c configs/gtx480.yaml -o "" -- "$build/bench/peer" \
		"$kernel" "$size")
	echo "$name $theirs $ours"
done >"$out/lines"
printf '%-26s %14s %14s %8s\n' "million host instructions" peer ours ratio
awk '{ printf "%-26s %14.1f %14.1f %8.1f\n", $1, $2 / 1e6, $3 / 1e6, $2 / $3; sum += log($2 / $3); n++ }
	END { if (n) printf "%-26s %14s %14s %8.1f\n", "geometric mean", "", "", exp(sum / n) }' "$out/lines"
