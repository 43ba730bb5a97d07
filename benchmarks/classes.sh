#!/bin/sh
# benchmarks/classes.sh BUILD [SIZE [WORD...]] -- what class each workload shows on the papers' GTX 480 with
# 16 KB of L1, by the papers' own measures, beside the class that its paper gives (its tags). Writes the
# tables of docs/results/classes.md to standard output. docs/results/classes.md explains the measures and the
# rules, which were set before any figure was seen. Each workload runs once, with the observers on; figures
# are of all SMs together.
set -u
build=${1:?usage: benchmarks/classes.sh BUILD [SIZE [WORD...]]}
size=${2:-small}
[ $# -lt 2 ] && shift 1 || shift 2
out=$build/classes
stats="sm.l1d.misses,sm.l1d.hits,sm.l1d.merged,sm.l1d.fails::line_alloc,sm.l1d.fails::mshr_entry"
stats="$stats,sm.issue_slots::total,sm.issue_slots::no_warp"
stats="$stats,observe.l1.unlimited_misses,observe.l1.unlimited_hits::total,observe.l1.unlimited_merged::total"
stats="$stats,observe.l1.mpki_intra_warp,observe.l1.mpki_intra_block,observe.l1.mpki_cross_block"
stats="$stats,observe.requests.lines_per_load::mean"
stats="$stats,observe.requests.crowded"
"$build/bin/lockstep" bench run "${@:-all}" --size "$size" -c gtx480-papers --set observe.locality=true \
	--set observe.contention=true --set observe.requests=true --stats "$stats" -o "$out" >"$out.log" 2>&1
tail -n 1 "$out.log" >&2

# The measures of each workload, then its classes: two tables.
awk -F, '
	BEGIN {
		print "| workload | miss | unlimited | MPKC | LINE | MSHR | IW | XB | XW | lines | crowded |"
		print "|---|---|---|---|---|---|---|---|---|---|---|"
	}
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	function v(name) { return $at[name] + 0 }
	function add(list, word) { return list == "" ? word : list ", " word }
	# those of the words that are tags of the workload
	function tagged(words,  n, i, w, any) {
		n = split(words, w, " ")
		for (i = 1; i <= n; i++)
			if ((" " $4 " ") ~ (" " w[i] " "))
				any = add(any, w[i])
		return any == "" ? "-" : any
	}
	function dwtcs(loads, miss, unlimited, line, mpkc,  class) {
		if (!loads)
			return "-"
		if (unlimited >= 0.8)
			return "streaming"
		if (miss - unlimited <= 0.1)
			return "friendly"
		if (line >= 100)
			class = "conflict"
		if (mpkc > 10)
			class = add(class, "thrashing")
		return class == "" ? "mild contention" : class
	}
	$5 != "yes" {
		printf "| %s/%s | FAILED | | | | | | | | | |\n", $1, $2
		next
	}
	{
		loads = v("sm.l1d.misses") + v("sm.l1d.hits") + v("sm.l1d.merged")
		all = v("observe.l1.unlimited_misses") + v("observe.l1.unlimited_hits::total") + \
			v("observe.l1.unlimited_merged::total")
		miss = loads ? v("sm.l1d.misses") / loads : 0
		unlimited = all ? v("observe.l1.unlimited_misses") / all : 0
		kilo = (v("sm.issue_slots::total") - v("sm.issue_slots::no_warp")) / 2 / 1000
		mpkc = v("sm.l1d.misses") / kilo
		line = v("sm.l1d.fails::line_alloc") / kilo
		mshr = v("sm.l1d.fails::mshr_entry") / kilo
		iw = v("observe.l1.mpki_intra_warp")
		xb = v("observe.l1.mpki_intra_block")
		xw = v("observe.l1.mpki_cross_block")
		contention = iw + xb + xw
		mrpb = contention < 1 ? "CI" : iw > contention / 2 ? "IW" : "XW"
		printf "| %s/%s | %.1f %% | %.1f %% | %.1f | %.0f | %.0f |", $1, $2,
			100 * miss, 100 * unlimited, mpkc, line, mshr
		printf " %.2f | %.2f | %.2f | %.2f | %.0f %% |\n", iw, xb, xw,
			v("observe.requests.lines_per_load::mean"), 100 * v("observe.requests.crowded")
		dwtcs_paper = tagged("streaming conflict thrashing friendly")
		class[++count] = sprintf("| %s/%s | %s | %s | %s | %s |", $1, $2,
			dwtcs(loads, miss, unlimited, line, mpkc), dwtcs_paper, mrpb, tagged("CI IW XW"))
	}
	END {
		print "\n| workload | here (DWT-CS) | its paper | here (MRPB) | its paper |"
		print "|---|---|---|---|---|"
		for (i = 1; i <= count; i++)
			print class[i]
	}' "$out/bench.csv"

echo
echo "| kernel | line requests per load | per load or store | crowded | its paper (WarpPool) |"
echo "|---|---|---|---|---|"
awk -F, 'NR > 1 && $5 == "yes" && (" " $4 " ") ~ / warppool / { print $1 "/" $2, $4 }' "$out/bench.csv" |
while read -r workload tags; do
	awk -v workload="$workload" -v tags=" $tags " '
		/Begin Simulation/ {
			name = ""
			for (i = 1; i < NF; i++)
				if ($i " " $(i + 1) == "launches of")
					name = $(i + 2)
		}
		name == "" { next }
		$1 == "observe.requests.lines_per_load::samples" { n = $2 }
		$1 == "observe.requests.lines_per_load::mean" {
			if (!(name in samples))
				order[++kernels] = name
			samples[name] += n
			lines[name] += n * $2
		}
		$1 == "sm.lines_per_access::samples" { m = $2 }
		$1 == "sm.lines_per_access::mean" { accesses[name] += m; requests[name] += m * $2 }
		$1 == "gpu.cycles" { cycles = $2 }
		$1 == "observe.requests.crowded" { crowded[name] += cycles * $2; time[name] += cycles }
		END {
			class = ""
			words = split("divergent bandwidth-limited cache-limited", word, " ")
			for (i = 1; i <= words; i++)
				if (index(tags, " " word[i] " "))
					class = class (class == "" ? "" : ", ") word[i]
			for (i = 1; i <= kernels; i++)
				if (samples[k = order[i]])
					printf "| %s %s | %.2f | %.2f | %.0f %% | %s |\n", workload, k,
						lines[k] / samples[k],
						accesses[k] ? requests[k] / accesses[k] : 0,
						time[k] ? 100 * crowded[k] / time[k] : 0, class
		}' "$out/$workload/stats.txt"
done
