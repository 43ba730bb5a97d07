#!/bin/sh
# benchmarks/cachemodel.sh BUILD [SIZE [WORKLOAD...]] -- the cache model beside the simulator, over PolyBench
# and Parboil on a GTX 470 with 16 KB and 48 KB of L1: mean absolute difference over kernels, what each part
# of the model contributes, and the time of both. Writes the tables of docs/results/cachemodel.md to standard
# output; what it ran stays in BUILD/cachemodel/SIZE, with the numbers of the first table and of the times in
# summary.csv.
# Workloads: SUITE/NAME, by default all of both suites.
set -u
build=${1:?usage: benchmarks/cachemodel.sh BUILD [SIZE [WORKLOAD...]]}
size=${2:-small}
[ $# -lt 2 ] && shift 1 || shift 2
lockstep=$build/bin/lockstep
out=$build/cachemodel/$size
mkdir -p "$out"
if [ $# = 0 ]; then
	set -- $("$lockstep" bench list | sed -n 's#^\(polybench/[^ ]*\|parboil/[^ ]*\)$#\1#p')
fi
limit=
case $size in paper) limit="--set gpu.timing_limit.instructions=50M" ;; esac

# NAME CONFIG OPTIONS...: one way of simulating and modelling every workload
compare() {
	name=$1 config=$2
	shift 2
	for workload in $workloads; do
		folder=$out/$name/$workload
		mkdir -p "$folder"
		"$lockstep" cachemodel --compare -c "$config" "$@" $limit -o "$folder" -- \
			"$build/bench/$workload" --size "$size" >"$folder/table.txt" \
			2>"$folder/log.txt" ||
			echo "FAILED $workload $name: $(tail -n 1 "$folder/log.txt")" >&2
	done
}

# The same with other settings of the model: without timing, beside the simulated rates of NAME.
model() { # NAME OTHER CONFIG OPTIONS...
	name=$1 other=$2 config=$3
	shift 3
	for workload in $workloads; do
		folder=$out/$name.$other/$workload
		mkdir -p "$folder"
		"$lockstep" cachemodel -c "$config" "$@" -o "$folder" -- "$build/bench/$workload" --size "$size" \
			>"$folder/table.txt" 2>"$folder/log.txt"
	done
}

# Rows: workload, kernel, modelled %, simulated %, of what `model` or `compare` left.
rows() { # NAME [OTHER]
	for workload in $workloads; do
		[ -f "$out/$1/$workload/kernels.csv" ] || continue
		awk -F, -v w="$workload" '
			FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
			NR == FNR { simulated[$1] = $at["simulated_miss_rate"]; next }
			$at["accesses"] > 0 { printf "%s %s %.2f %.2f %d\n", w, $1, 100 * $at["miss_rate"], \
				100 * simulated[$1], $at["accesses"] }' \
			"$out/$1/$workload/kernels.csv" "$out/$1${2:+.$2}/$workload/kernels.csv"
	done
}

mean() { # SUITE: of the differences
	awk -v suite="$1" 'index($1, suite) == 1 { d = $3 - $4; n++; sum += d < 0 ? -d : d }
		END { if (n) printf "%.2f", sum / n; else printf "-" }'
}

within() {
	awk '{ d = $3 - $4; n++; near += d <= 10 && d >= -10 } END { printf "%d of %d", near, n }'
}

row() { # TITLE NAME [OTHER]
	rows "$2" "${3:-}" >"$out/rows"
	echo "| $1 | $(mean polybench <"$out/rows") | $(mean parboil <"$out/rows") | $(mean '' <"$out/rows") |" \
		"$(within <"$out/rows") |"
	echo "$2${3:+.$3},$(mean '' <"$out/rows"),$(within <"$out/rows" | sed 's/ of /,/'),$(wc -l <"$out/rows")" \
		>>"$out/summary.csv"
}

workloads=$*
compare 16K gtx470
compare 48K gtx470-l1-48k
compare 16K-lrr gtx470 --set sm.scheduler.policy=lrr
for part in associativity latencies mshrs divergence clipping; do
	model 16K "$part" gtx470 --without "$part"
done
model 16K all-cores gtx470 --set cachemodel.cores=0 --set cachemodel.threads=0

echo "Mean absolute difference of the miss rates of kernels, in points (model - simulator), size $size"
echo
echo "name,difference,near,of,kernels" >"$out/summary.csv"
echo "| configuration | PolyBench | Parboil | both | within 10 points |"
echo "|---|---:|---:|---:|---:|"
row "16 KB" 16K
row "48 KB" 48K
row "16 KB, simulator with loose round robin instead of GTO" 16K-lrr
row "16 KB, all cores and threads modelled" 16K all-cores
for part in associativity latencies mshrs divergence clipping; do
	row "16 KB, model without $part" 16K "$part"
done

for name in 16K 48K; do
	echo
	echo "Kernels beyond 10 points, $name: modelled, simulated, with loose round robin"
	echo
	echo "| workload | kernel | modelled | simulated | difference | simulated, lrr |"
	echo "|---|---|---:|---:|---:|---:|"
	rows 16K-lrr >"$out/lrr"
	rows $name | awk -v name=$name 'FILENAME == ARGV[1] { lrr[$1 " " $2] = $4; next }
		{ d = $3 - $4 } d > 10 || d < -10 {
		printf "| %s | %s | %.2f | %.2f | %+.2f | %s |\n", $1, $2, $3, $4, d, \
			name == "16K" ? lrr[$1 " " $2] : "-" }' "$out/lrr" -
done

echo
echo "Time of the model (reading the trace, and modelling) and of the timing run, 16 KB"
echo
for workload in $workloads; do
	tail -n 2 "$out/16K/$workload/table.txt" | awk -v w="$workload" '
		function after(word,  i) { for (i = 1; i < NF; i++) if ($i == word) return $(i + 1) }
		function before(word,  i) { for (i = 1; i < NF; i++) if ($(i + 1) == word) return $i }
		/tracing/ { t = after("tracing"); r = after("reading"); m = after("model") }
		/^cachemodel:/ { print w, before("accesses,"), t, r, m, after("against") }'
done | awk -v summary="$out/summary.csv" '{ a += $2; t += $3; r += $4; m += $5; s += $6; ratio = $4 + $5 > 0 ? $6 / ($4 + $5) : 0
		if (ratio) { n++; logs += log(ratio); sum += ratio } }
	END { printf "%d workloads: %.1f s against %.1f s, %.0f times as fast (mean of the ratios %.0f, geometric %.0f); ",
		NR, r + m, s, s / (r + m), sum / n, exp(logs / n)
	printf "%.1f million accesses in %.2f s of the model: %.1f million a second; tracing %.1f s\n",
		a / 1e6, m, a / m / 1e6, t
	printf "times as fast,%.2f,,,%d\n", sum / n, n >>summary }'
