#!/bin/sh
# tests/bench.sh BUILD [OPTION]... [WORD]... -- the speed of the simulator: the peer's kernels
# (benchmarks/peer) and larger ones of ours, timed and functional, one run at a time, of the PTX front
# end, and of 100 000 launches. Only those whose set or name contains a word, if any.
#   --compare BUILD  times of two builds, taken in turn, instead of a table of one; of that build only bin and
#                    lib are needed
#   --runs N         times each is run (default 3; no more once that has taken --most seconds, up to 5 N of the
#                    very short)
#   --most SECONDS   default 10
#   -o FILE          the figures as CSV (default BUILD/bench.csv, BUILD/compare.csv)
#   --cases FILE     what to run (default tests/speed/cases)
#   --peer FILE      the peer's figures (default benchmarks/peer/gpgpusim.csv)
# PEER=PROGRAM in the environment: a program on GPGPU-Sim, whose instructions are counted beside ours
# (speed/peer_count.sh)
# Seconds are processor time of simulation: neither the program's reference nor writing of results is in them.
set -eu
COLUMNS=1000 # of messages, which are then on one line each
export COLUMNS
usage() { sed -n '2,13s/^# //p' "$0" >&2; exit 2; }
here=$(dirname "$0")/speed
build=${1:-build} other="" runs=3 most=10 file="" cases=$here/cases words="" peer=benchmarks/peer/gpgpusim.csv
[ $# = 0 ] || shift
while [ $# -gt 0 ]; do
	case $1 in
	--compare) other=${2:-}; [ -x "$other/bin/lockstep" ] ||
		{ echo "bench.sh: $other/bin/lockstep: no such program" >&2; exit 2; }; shift ;;
	--runs) runs=${2:-}; shift ;;
	--most) most=${2:-}; shift ;;
	--cases) cases=${2:-}; shift ;;
	--peer) peer=${2:-}; shift ;;
	-o) file=${2:-}; shift ;;
	-*) usage ;;
	*) words="$words $1" ;;
	esac
	[ $# = 0 ] || shift
done
case $runs in '' | *[!0-9]* | 0) echo "bench.sh: --runs $runs: expected a number from 1" >&2; exit 2 ;; esac
for f in "$cases" "$peer"; do
	[ -r "$f" ] || { echo "bench.sh: $f: cannot be read" >&2; exit 2; }
done
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
trap 'exit 130' INT TERM

# once BUILD OPTION...: runs $set $program $size under it; adds a line to $out/runs. Which build, seconds,
# then figures by name.
once() {
	under=$1; shift
	path=$program
	[ "$set" = peer ] && path="peer $program"
	"$under/bin/lockstep" run -c configs/gtx480.yaml -o "$out/run" "$@" $options \
		-- $build/bench/$path $size \
		>"$out/log" 2>&1 ||
		{ cat "$out/log"; echo "bench.sh: $program $size failed under $under" >&2; exit 1; }
	awk -v OFS='\t' -v key="$set$tab$program$tab$size$tab$mode$tab$under" \
		-f "$here/figures.awk" "$out/log" "$out/run/stats.txt" >"$out/line"
	cat "$out/line" >>"$out/runs"
	seconds=$(cut -f 6 "$out/line")
}
tab=$(printf '\t')

# enough SECONDS: whether it has been run often and long enough: $n times, $spent seconds; those shorter than
# SECONDS oftener.
enough() {
	awk -v n="$n" -v runs="$runs" -v spent="$spent" -v most="$most" -v short="$1" 'BEGIN {
		exit !(n && (spent >= most || (n >= runs && spent >= short) || n >= 5 * runs)) }'
}
add() { spent=$(awk -v a="$spent" -v b="$seconds" 'BEGIN { print a + b }'); }

# The time by phase, from runs of their own, since looking takes time too: the one that was disturbed least.
# Of long kernels only of their first 256 M thread instructions.
phases() {
	[ $mode = timed ] || return 0
	cp "$out/runs" "$out/kept"
	n=0 spent=0 least=""
	while ! enough 0; do
		once "$build" --host-profile ${options:---max-instructions=256M}; add
		n=$((n + 1))
		ticks=$(awk '$1 == "host.total" { print $2 }' "$out/run/host.txt")
		[ "$least" ] && [ "$ticks" -ge "$least" ] && continue
		least=$ticks
		cp "$out/run/host.txt" "$out/host"
	done
	cp "$out/kept" "$out/runs"
	awk -v OFS='\t' -v key="$set$tab$program$tab$size" '/^host\./ && !/^host\.window/ { sub("host[.]", "", $1);
		print key, $1, $2 }' "$out/host" >>"$out/phases"
}

# One benchmark in one mode.
measure() {
	n=0 spent=0 flag=""
	[ $mode = functional ] && flag=--functional
	while ! enough 0.5; do
		once "$build" $flag; add
		if [ "$other" ]; then
			grep -v '^#' "$out/run/stats.txt" >"$out/stats" # the comments at the top name the run
			once "$other" $flag; add
			grep -v '^#' "$out/run/stats.txt" | cmp -s - "$out/stats" ||
				echo "$set$tab$program$tab$size$tab$mode" >>"$out/differ"
		fi
		n=$((n + 1))
	done
	[ "$other" ] || phases
}

chosen() {
	[ "$words" ] || return 0
	for word in $words; do
		case "$set $program" in *"$word"*) return 0 ;; esac
	done
	return 1
}

: >"$out/runs"; : >"$out/phases"; : >"$out/differ"
grep -v '^#' "$cases" >"$out/cases"
while read -r set program size; do
	chosen || continue
	options=""
	case $size in *--*) options=--${size#*--} size=${size%% --*} ;; esac
	for mode in timed functional; do
		[ -t 2 ] && printf '\r\033[K%s %s %s' "$program" "$size" "$mode" >&2
		measure </dev/null
	done
done <"$out/cases"
[ -t 2 ] && printf '\r\033[K' >&2
[ -s "$out/runs" ] || { echo "bench.sh: nothing of that name:$words" >&2; exit 2; }

commit=$(git rev-parse --short HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain -uno 2>/dev/null)" ] || commit=$commit+
model=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo 2>/dev/null | head -n 1 | tr -d ',"')
machine="$model ($(nproc) cores)"
stamp="$(date -u +%Y-%m-%dT%H:%MZ),$commit,$machine"
if [ "$other" ]; then
	file=${file:-$build/compare.csv}
	awk -v stamp="$stamp" -v build="$build" -v other="$other" -v csv="$file" -f "$here/median.awk" \
		-f "$here/compare.awk" "$out/differ" "$out/runs"
	exit
fi
file=${file:-$build/bench.csv}
awk -v stamp="$stamp" -v csv="$file" -f "$here/median.awk" -f "$here/table.awk" \
	"$peer" "$out/phases" "$out/runs" >"$out/table"
sed '$d' "$out/table"
[ "$words" ] || { sh "$here/front_end.sh" "$build"; sh "$here/launches.sh" "$build"; }
if [ "${PEER:-}" ]; then
	sh "$here/peer_count.sh" "$build" "$PEER"
	echo
else
	echo "the peer's figures are recorded ($peer), of another day; PEER=PROGRAM counts instructions of both"
fi
echo "figures in $file ($machine, commit $commit)"
tail -n 1 "$out/table"
