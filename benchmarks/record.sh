#!/bin/sh
# benchmarks/record.sh BUILD [SIZE [DIR [NAME...]]] -- a library of recordings: of each workload (all of
# `lockstep bench list`, or those named) at a size (tiny, small, repro or paper; default repro) a file
# DIR/SUITE-NAME.rec (default: BUILD/recordings/SIZE), so that studies begin at the kernels and not at the
# programs. What is there and was made by the same program with the same recipe (benchmarks/recordings.txt) is
# not made again.
#
# DIR/list.txt is the list: workload, launches, warp instructions, bytes of the file, seconds, command.
# DIR/workloads.yaml has the recordings as `workloads` of a sweep (docs/user/sweeps.md). JOBS=N: N at a time
# (default 1).
set -u
build=${1:?usage: benchmarks/record.sh BUILD [SIZE [DIR [NAME...]]]}
size=${2:-repro}
folder=${3:-$build/recordings/$size}
[ $# -lt 3 ] && shift $# || shift 3
lockstep=$build/bin/lockstep
here=$(dirname "$0")

case $size in
tiny | small | repro | paper) ;;
*)
	echo "record: unknown size $size; there are tiny, small, repro and paper" >&2
	exit 2
	;;
esac
all=$("$lockstep" bench list "$@" | awk '$1 ~ "/" && NF == 1 { print $1 }')
[ -n "$all" ] || exit 1
mkdir -p "$folder" || exit 1

# Options of the workload's recipe at this size
recipe() {
	awk -v name="$1" -v size="$size" '$1 == name && ("," $2 "," ~ "," size "," || $2 == "all") {
		for (i = 3; i <= NF; i++) printf "%s ", $i }' "$here/recordings.txt"
}
# What a recording was made of: another program, PTX or recipe makes another
made_of() {
	{ recipe "$1"; cat "$build/bench/$1" "$here/$1"/*.ptx; } 2>/dev/null | cksum | tr ' ' '-'
}
total() { awk -v n="$1" '$1 == n { v = $2 } END { print v + 0 }' "$2"; }

# Records one: its line of the list goes to DIR/.SUITE-NAME.line
record() {
	name=$1 file=$folder/$(echo "$1" | tr / -).rec
	line=$folder/.$(basename "$file" .rec).line
	now=$(made_of "$name")
	if [ -s "$file" ] && [ "$(cut -f1 "$line" 2>/dev/null)" = "$now" ]; then
		return 0
	fi
	rm -f "$file" "$line"
	begun=$(date +%s)
	"$lockstep" record -q $(recipe "$name") -o "$file" -- "$build/bench/$name" --size "$size" >"$line.log" 2>&1 || {
		echo "record: $name: $(tail -n 1 "$line.log")" >&2
		return 1
	}
	seconds=$(($(date +%s) - begun))
	"$lockstep" replay -q -f -o "$line.out" "$file" >"$line.log" 2>&1 || # of programs in the recipes it may differ
		[ -n "$(recipe "$name")" ] || echo "record: $name: its replay: $(tail -n 1 "$line.log")" >&2
	printf '%s\t%-28s %6d %14d %12d %6d  %s\n' "$now" "$name" "$(total gpu.kernels "$line.out/stats.txt")" \
		"$(total gpu.warp_instructions "$line.out/stats.txt")" "$(wc -c <"$file")" "$seconds" \
		"lockstep record $(recipe "$name")-o $(basename "$file") -- $build/bench/$name --size $size" >"$line"
	rm -rf "$line.log" "$line.out"
}

failed=0 running=0
for name in $all; do
	record "$name" &
	running=$((running + 1))
	[ $running -lt "${JOBS:-1}" ] || { wait; running=0; }
done
wait
{
	printf '%-28s %6s %14s %12s %6s  %s\n' workload launches warp-instr. bytes seconds command
	cut -f2- "$folder"/.*.line
} >"$folder/list.txt"
{
	echo "workloads:"
	for line in "$folder"/.*.line; do
		name=$(cut -f2 "$line" | awk '{ print $1 }')
		echo "  - {label: $(echo "$name" | tr / -), program: ./$(echo "$name" | tr / -).rec}"
	done
} >"$folder/workloads.yaml"
cat "$folder/list.txt"
for name in $all; do [ -s "$folder/$(echo "$name" | tr / -).rec" ] || failed=1; done
exit $failed
