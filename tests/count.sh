#!/bin/sh
# tests/count.sh BUILD [OPTION]... [KERNEL]... -- what the simulation of the peer's kernels (benchmarks/peer)
# costs the host: instructions by part of the simulator, misses of its first caches and mispredicted branches,
# each divided by the simulated warp instructions. valgrind counts, inside sim_run alone, so that two runs
# of a build give the same figures on any host with the same compiler. Minutes for all kernels.
#   --config FILE    of the simulated GPU (default configs/gtx480.yaml)
#   --keep FOLDER    callgrind's files, NAME.callgrind, for callgrind_annotate
#   --cases FILE     kernels and sizes (default tests/speed/counted)
# KERNEL: a kernel of that file (default: all).
set -eu
COLUMNS=1000 # of messages, which are then on one line each
export COLUMNS
usage() { sed -n '2,9s/^# //p' "$0" >&2; exit 2; }
here=tests/speed
build=${1:-build} config=configs/gtx480.yaml keep="" cases=$here/counted words=""
[ $# = 0 ] || shift
while [ $# -gt 0 ]; do
	case $1 in
	--config) config=${2:-}; shift ;;
	--keep) keep=${2:-}; shift ;;
	--cases) cases=${2:-}; shift ;;
	-*) usage ;;
	*) words="$words $1" ;;
	esac
	[ $# = 0 ] || shift
done
command -v valgrind >/dev/null || {
	echo "count.sh: valgrind is missing; to install it, type: sudo apt-get install -y valgrind" >&2
	exit 1
}
[ -r "$cases" ] || { echo "count.sh: $cases: cannot be read" >&2; exit 2; }
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM
[ -z "$keep" ] || mkdir -p "$keep"

# The caches are those of callgrind's model, whatever the host has. The command starts the program, which
# has the library; a file that counts nothing is of the command.
one='kernel=$2 size=$3 out=$0/$6
	mkdir -p "$out"
	case $kernel in
	*/*) set -- "$@" "$1/bench/$kernel" --size "$size" ;;
	*) set -- "$@" "$1/bench/peer" "$kernel" "$size" ;;
	esac
	build=$1 config=$4 keep=$5 name=$6 parameter=$7
	shift 7
	valgrind -q --tool=callgrind --trace-children=yes --toggle-collect=sim_run --cache-sim=yes \
		--branch-sim=yes --I1=32768,8,64 --D1=32768,8,64 --LL=8388608,16,64 \
		--callgrind-out-file="$out/%p.callgrind" \
		"$build/bin/lockstep" run -q -c "$config" ${parameter:+--set "$parameter"} -o "$out/run" -- "$@" \
		>"$out/log" 2>&1 || { cat "$out/log"; echo "count.sh: $kernel $size failed"; exit 1; } >&2
	grep -l "^totals: [1-9]" "$out"/*.callgrind >"$out/counted"
	cp "$(head -n 1 "$out/counted")" "$out/callgrind"
	[ -z "$keep" ] || cp "$out/callgrind" "$keep/$name.callgrind"'
grep -v '^#' "$cases" | while read -r kernel size name parameter; do
	case " ${words:-$kernel} " in *" $kernel "*) echo "$kernel $size $name $parameter" ;; esac
done >"$out/chosen"
[ -s "$out/chosen" ] || { echo "count.sh: nothing of that name:$words" >&2; exit 2; }
while read -r kernel size name parameter; do
	printf '%s\0' "$build" "$kernel" "$size" "$config" "$keep" "$name" "$parameter"
done <"$out/chosen" | xargs -0 -n 7 -P "$(nproc)" sh -c "$one" "$out"

while read -r kernel size name parameter; do
	awk -v name="$name" -f "$here/callgrind.awk" "$out/$name/run/stats.txt" "$out/$name/callgrind"
done <"$out/chosen" >"$out/lines"
awk -F '\t' -f "$here/count.awk" "$out/lines"
