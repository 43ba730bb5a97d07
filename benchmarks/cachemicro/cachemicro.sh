#!/bin/sh
# cachemicro.sh BUILD [rowcopy|setindex|mshrs]... -- measures on a simulated GTX 470 what Nugteren et al.
# (HPCA 2014, Figures 3, 7, 9) measured on the card, and prints a table for each figure: ours beside theirs.
# Ends with 1 if a program failed. The last line of each table sums it up. OUT: a folder for what the runs
# write.
set -u
build=${1:-build}
[ $# = 0 ] || shift
here=$(dirname "$0")
out=${OUT:-$build/cachemicro-out}
published=$here/published.csv
mkdir -p "$out"
status=0

# run TOPIC ARGUMENT...: statistics go to $out/TOPIC, what the program says to $out/log; $options are those of
# `lockstep run`
options=
run() {
	"$build/bin/lockstep" run -q -c configs/gtx470.yaml $options -o "$out/$1" -- \
		"$build/bench/cachemicro" "$@" >"$out/log" 2>&1 && return
	echo "cachemicro $*:" >&2
	tail -n 3 "$out/log" >&2
	status=1
}

# rates TOPIC: the L1 miss rates of its launches in per cent, on one line
rates() {
	awk -F , 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "l1_hit_rate") rate = i; next }
		{ printf " %.2f", 100 * (1 - $rate) } END { print "" }' "$out/$1/launches.csv"
}

rowcopy() {
	for threads in 32 64 128 256 512 1024; do
		run rowcopy $threads
		echo "$threads $(rates rowcopy)"
	done >"$out/rows"
	awk -F, '
		function absolute(x) { return x < 0 ? -x : x }
		FILENAME ~ /csv$/ { value[$1] = $2; next }
		FNR == 1 {
			print "Figure 3: one CTA copies 1024 columns, a row a thread; L1 misses in per cent"
			print "  threads       ours  GTX 470   points  round robin"
		}
		{
			split($0, f, " ")
			name = "row copy " f[1] " threads: "
			measured = value[name "L1 misses"]
			printf "  %7d %10.2f %8.2f %+8.2f %12.2f\n", f[1], f[2], measured, f[2] - measured,
				value[name "round robin"]
			ours += absolute(f[2] - measured)
			robin += absolute(value[name "round robin"] - measured)
		}
		END {
			printf "cachemicro rowcopy: mean absolute difference %.2f points, " \
				"of round robin %.2f\n", ours / FNR, robin / FNR
		}' "$published" "$here/../validate/published.csv" "$out/rows"
}

setindex() {
	for stride in $(seq 7 20); do
		run setindex $stride
		echo "$stride $(rates setindex)"
	done >"$out/strides"
	awk '
		function bit(n, k) { return int(n / 2 ^ k) % 2 }
		# the set of an address by the hash of Section 5.1: bits 7 to 11 XOR bits 13, 14, 15, 17, 19
		function set(address,  k, sum) {
			sum = 0
			for (k = 0; k < 5; k++)
				sum += 2 ^ k * ((bit(address, 7 + k) + bit(address, with[k])) % 2)
			return sum
		}
		# per cent of misses of two visits in order: a set of 4 lines keeps none of more
		function expected(stride, lines,  i, in_set, misses) {
			for (i = 0; i < lines; i++)
				in_set[set(i * stride)]++
			misses = lines
			for (i in in_set)
				if (in_set[i] > 4)
					misses += in_set[i]
			return 100 * misses / (2 * lines)
		}
		FILENAME ~ /csv$/ {
			if (split($0, f, ",") >= 6 && f[1] ~ /set index bits/)
				measured[f[1]] = f[2]
			next
		}
		FNR == 1 {
			split("14 15 17 19", with, " ")
			with[0] = 13
			print "Figure 7: one warp loads lines a stride apart, twice; L1 misses in per cent"
			print "  stride       4      8     16     32     64    128" \
				"   set bits  by hash  GTX 470"
		}
		{
			printf "  2^%-4d ", $1
			hits = should = -1
			for (i = 2; i <= NF; i++) {
				want = expected(2 ^ $1, 2 ^ i)
				agree += $i == want
				cells++
				hits += $i == 50
				should += want == 50
				printf "%6.2f%s", $i, $i == want ? " " : "!"
			}
			name = "stride 2^" $1 ": set index bits"
			printf "%10d %8d %8s\n", hits, should, name in measured ? measured[name] : "-"
			rows += hits == should
		}
		END {
			printf "cachemicro setindex: %d of %d cells and %d of %d rows agree " \
				"with the hash\n", agree, cells, rows, FNR
		}' "$published" "$out/strides"
}

# The same machine where nothing limits loads in flight: MSHRs, and lines of a set that wait for their data
no_limits="--set sm.l1d.mshrs=1024 --set sm.l1d.mshrs_per_warp=0 --set sm.l1d.ways=64"

# cycles WARPS LOADS APART: the cycles of 1 to LOADS loads, on one line
cycles() {
	run mshrs $1 $2 --apart $3
	sed -n 's/.*: \([0-9]*\) cycles$/\1/p' "$out/log" | xargs
}

# mshr_table APART: the table of Figure 9 for lines so many bytes apart. For one warp, a step is where one
# load more takes longer by more than half of what the first load takes. For more warps (README.md says why),
# loads are free up to the first that takes longer than without limits.
mshr_table() {
	for warps in 1 2 4 8 10 11 12 13 16 17 21 22; do
		loads=$([ $warps = 1 ] && echo 20 || echo 8)
		echo "$warps with $(cycles $warps $loads $1)"
		options=$no_limits
		echo "$warps without $(cycles $warps $loads $1)"
		options=
	done >"$out/loads"
	awk -v apart="$1" '
		FILENAME ~ /csv$/ {
			if (split($0, f, ",") >= 6)
				measured[f[1]] = f[2]
			next
		}
		FNR == 1 {
			print "Figure 9: the first thread of each warp does 1 to 8 loads of lines " apart \
				" bytes apart; cycles of the longest warp"
			print "  warps     1     2     3     4     5     6     7     8" \
				"  free loads  64 MSHRs, 6 a warp  GTX 470  the next costs"
		}
		$2 == "with" { split($0, limited, " ") }
		$1 == 1 && $2 == "with" {
			for (i = 4; i <= NF; i++)
				if ($i - $(i - 1) > $3 / 2)
					steps = steps (steps == "" ? "" : " ") i - 2
		}
		$2 == "without" {
			for (i = 3; i <= NF && $i == limited[i]; i++)
				;
			free = i - 3
			rule = int(64 / $1) < 6 ? int(64 / $1) : 6
			name = $1 " warps: loads before a step"
			printf "  %5d", $1
			for (k = 3; k <= 10; k++)
				printf "%6d", limited[k]
			printf "%12d %19d %8s  %+d cycles\n", free, rule,
				name in measured ? measured[name] : "-", limited[i] - $i
			agree += free == rule
			rows++
			if (name in measured) {
				known++
				right += free == measured[name]
			}
		}
		END {
			printf "cachemicro mshrs, %d bytes apart: steps of one warp at loads %s " \
				"(GTX 470: %s), " \
				"free loads of %d of %d rows as on the GTX 470, " \
				"of %d of %d as by 64 MSHRs and 6 a warp\n", apart, steps,
				measured["1 warps: steps"], right, known, agree, rows
		}' "$published" "$out/loads"
}

mshrs() {
	mshr_table 4096
	echo
	mshr_table 128
}

[ $# != 0 ] || set -- rowcopy setindex mshrs
for topic in "$@"; do
	case $topic in
	rowcopy | setindex | mshrs) $topic ;;
	*)
		echo "cachemicro.sh: $topic: expected rowcopy, setindex or mshrs" >&2
		exit 2
		;;
	esac
	echo
done
exit $status
