#!/bin/sh
# benchmarks/classes.sh BUILD [SIZE [WORD...]] -- what class each workload shows on the papers' GTX 480 with 16 KB of L1, by the papers' own
# measures, beside the class that its paper gives (its tags). Writes the tables of benchmarks/CLASSES.md to standard output.
#
# One run of each with the observers on. The measures, of all SMs together:
#   miss, unlimited   misses per load request in the L1, and in one without limits of size for the same requests (DWT-CS, Figures 2 and 3)
#   MPKC              misses per thousand cycles of an SM with warps (DWT-CS, Figure 4b; its threshold for thrashing is 10)
#   LINE, MSHR        LINE_ALLOC_FAIL and MSHR_ENTRY_FAIL per thousand such cycles (DWT-CS, Figure 4a)
#   IW, XB, XW        misses per thousand thread instructions after the warp itself, its CTA, another CTA had driven the line out (MRPB, Figure 4)
#   lines             line requests per load of global or local memory (WarpPool, Figure 3), on average
#   crowded           share of the cycles in which more than one memory instruction was ready or in the load/store unit (WarpPool: over 90 %)
# The rules, set before any figure was seen; DWT-CS: streaming: even the unlimited cache misses 80 %; friendly: the limits cost at most 10
# points; else contention: conflict with LINE_ALLOC_FAIL in 10 % of the cycles, thrashing with an MPKC over 10, mild without either. MRPB: CI: fewer than
# 1 contention miss per thousand instructions; IW: more than half of them intra-warp; else XW.
set -u
build=${1:?usage: benchmarks/classes.sh BUILD [SIZE [WORD...]]}
size=${2:-small}
[ $# -lt 2 ] && shift 1 || shift 2
out=$build/classes
stats="sm.l1d.misses,sm.l1d.hits,sm.l1d.merged,sm.l1d.fails::line_alloc,sm.l1d.fails::mshr_entry,sm.issue_slots::total,sm.issue_slots::no_warp"
stats="$stats,observe.l1.unlimited_misses,observe.l1.unlimited_hits::total,observe.l1.unlimited_merged::total"
stats="$stats,observe.l1.mpki_intra_warp,observe.l1.mpki_intra_block,observe.l1.mpki_cross_block"
stats="$stats,observe.requests.lines_per_load::mean,observe.requests.lines_per_load::max,observe.requests.crowded"
"$build/bin/lockstep" bench run "${@:-all}" --size "$size" -c gtx480-papers --set observe.locality=true --set observe.contention=true \
	--set observe.requests=true --stats "$stats" -o "$out" >"$out.log" 2>&1
tail -n 1 "$out.log" >&2

echo "| workload | miss | unlimited | MPKC | LINE | MSHR | IW | XB | XW | lines | crowded | here (DWT-CS) | its paper | here (MRPB) | its paper |"
echo "|---|---|---|---|---|---|---|---|---|---|---|---|---|---|---|"
awk -F, '
	NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
	function v(name) { return $at[name] + 0 }
	function tagged(words, any, n, i, w) {
		n = split(words, w, " "); any = ""
		for (i = 1; i <= n; i++) if ((" " $4 " ") ~ (" " w[i] " ")) any = any (any == "" ? "" : ", ") w[i]
		return any == "" ? "-" : any
	}
	{
		if ($5 != "yes") { printf "| %s/%s | FAILED | | | | | | | | | | | | | |\n", $1, $2; next }
		loads = v("sm.l1d.misses") + v("sm.l1d.hits") + v("sm.l1d.merged")
		all = v("observe.l1.unlimited_misses") + v("observe.l1.unlimited_hits::total") + v("observe.l1.unlimited_merged::total")
		miss = loads ? v("sm.l1d.misses") / loads : 0
		unlimited = all ? v("observe.l1.unlimited_misses") / all : 0
		kilo = (v("sm.issue_slots::total") - v("sm.issue_slots::no_warp")) / 2 / 1000
		mpkc = v("sm.l1d.misses") / kilo; line = v("sm.l1d.fails::line_alloc") / kilo; mshr = v("sm.l1d.fails::mshr_entry") / kilo
		iw = v("observe.l1.mpki_intra_warp"); xb = v("observe.l1.mpki_intra_block"); xw = v("observe.l1.mpki_cross_block")
		if (!loads) class = "-"
		else if (unlimited >= 0.8) class = "streaming"
		else if (miss - unlimited <= 0.1) class = "friendly"
		else {
			class = line >= 100 ? "conflict" : ""
			if (mpkc > 10) class = class (class == "" ? "" : ", ") "thrashing"
			if (class == "") class = "mild contention"
		}
		contention = iw + xb + xw
		mrpb = contention < 1 ? "CI" : iw > contention / 2 ? "IW" : "XW"
		printf "| %s/%s | %.1f %% | %.1f %% | %.1f | %.0f | %.0f | %.2f | %.2f | %.2f | %.2f | %.0f %% | %s | %s | %s | %s |\n", $1, $2, 100 * miss, 100 * unlimited,
			mpkc, line, mshr, iw, xb, xw, v("observe.requests.lines_per_load::mean"), 100 * v("observe.requests.crowded"),
			class, tagged("streaming conflict thrashing friendly"), mrpb, tagged("CI IW XW")
	}' "$out/bench.csv"

echo
echo "| kernel | line requests per load | per load or store | most so far in the run | crowded | its paper (WarpPool) |"
echo "|---|---|---|---|---|---|"
awk -F, 'NR > 1 && $5 == "yes" && (" " $4 " ") ~ / warppool / { print $1 "/" $2, $4 }' "$out/bench.csv" | while read -r workload tags; do
	awk -v workload="$workload" -v tags=" $tags " '
		/Begin Simulation/ { name = ""; for (i = 1; i < NF; i++) if ($i == "kernel") name = $(i + 2) }
		name != "" && $1 == "observe.requests.lines_per_load::samples" { n = $2 }
		name != "" && $1 == "observe.requests.lines_per_load::mean" { if (!(name in samples)) order[++kernels] = name; samples[name] += n; lines[name] += n * $2 }
		name != "" && $1 == "observe.requests.lines_per_load::max" && $2 > most[name] { most[name] = $2 }
		name != "" && $1 == "sm.lines_per_access::samples" { m = $2 }
		name != "" && $1 == "sm.lines_per_access::mean" { accesses[name] += m; requests[name] += m * $2 }
		name != "" && $1 == "gpu.cycles" { cycles = $2 }
		name != "" && $1 == "observe.requests.crowded" { crowded[name] += cycles * $2; time[name] += cycles }
		END {
			class = ""
			words = split("divergent bandwidth-limited cache-limited", word, " ")
			for (i = 1; i <= words; i++) if (index(tags, " " word[i] " ")) class = class (class == "" ? "" : ", ") word[i]
			for (i = 1; i <= kernels; i++) if (samples[k = order[i]])
				printf "| %s %s | %.2f | %.2f | %d | %.0f %% | %s |\n", workload, k, lines[k] / samples[k], accesses[k] ? requests[k] / accesses[k] : 0, most[k], time[k] ? 100 * crowded[k] / time[k] : 0, class
		}' "$out/$workload/stats.txt"
done
