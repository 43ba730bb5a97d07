#!/bin/sh
# tests/observe.sh BUILD -- observers of caches on whole programs: they change no other statistic, their
# classes add up to what the caches count, a fully associative cache has no conflicts, kernels add up to the
# run. Runs in the repository root.
. tests/lib.sh


on="--set observe.miss_classes=true --set observe.contention=true --set observe.locality=true"
full="--set sm.l1d.index=linear --set sm.l1d.sets=1 --set sm.l1d.ways=128 --set l2.sets=1 --set l2.ways=1024"

# both DIR OPTION... -- PROGRAM...: DIR-off and DIR-on
both() {
	dir=$1; shift
	passes "$dir-off" "$@" && passes "$dir-on" $on "$@"
}

# Statistics that are not the observers': the same, and the observers' only where they are on.
same_others() {
	! grep -q '^observe' "$out/$1-off/stats.txt" && grep -q '^observe' "$out/$1-on/stats.txt" || return 1
	grep -v '^observe' "$out/$1-on/stats.txt" > "$out/others"
	same_statistics "$out/others" "$out/$1-off/stats.txt" ||
		{ diff "$out/others" "$out/$1-off/stats.txt"; false; }
}

adds_up() {
	awk '/Begin Simulation Statistics/ { total = /total of/; kernel = /# launches of/ }
		total { v[$1] = $2 }
		kernel && /^observe\./ { sum[$1] += $2 }
		function same(what, a, b) { if (a == "" || a + 0 != b + 0) { print "  " what ": " a " and " b;
			bad = 1 } }
		function at_least(what, a, b) { if (a == "" || a + 0 < b + 0) {
			print "  " what ": " a " less than " b; bad = 1 } }
		END {
			split("sm.l1d l2", cache, " ")
			split("l1 l2", level, " ")
			for (i = 1; i <= 2; i++) {
				o = "observe." level[i] "."; c = cache[i] "."
				same(o "misses", v[o "misses::total"], v[c "misses"])
				same(o "contention", v[o "contention::total"], v[c "misses"])
				same(o "compulsory", v[o "contention::compulsory"], v[o "misses::compulsory"])
				same(o "in_flight", v[o "contention::in_flight"], v[o "misses::in_flight"])
				same(o "evictions", v[o "evictions::total"], v[c "evictions"])
				same(o "hits", v[o "hits::total"], v[c "hits"])
				same(o "merged", v[o "merged::total"], v[c "merged"])
				at_least(o "unlimited_hits", v[o "unlimited_hits::total"], v[c "hits"])
				same(o "unlimited", v[o "unlimited_hits::total"] + v[o "unlimited_merged::total"] + v[o "unlimited_misses"],
					v[c "hits"] + v[c "misses"] + v[c "merged"])
				same(o "misses by kernel", sum[o "misses::total"], v[o "misses::total"])
				same(o "hits by kernel", sum[o "hits::total"], v[o "hits::total"])
				if (full) same(o "conflicts", v[o "misses::conflict"], 0)
			}
			same("L2 misses by invalidation",
				v["observe.l2.misses::invalidated"] + v["observe.l2.contention::invalidated"],
					0)
			same("L1 hits of another core",
				v["observe.l1.hits::inter_core"] + v["observe.l1.unlimited_hits::inter_core"],
					0)
			same("instructions", v["observe.l1.instructions"], v["sm.thread_instructions"])
			exit bad
		}' "full=${2:-}" "$out/$1-on/stats.txt"
}

sample 10 4 # of seven variants, so that each has one or two of the programs
for program in $six; do
	for variant in gtx480 48k full torture nol1 on_fill ccws; do
		turn || continue
		case $variant in
		48k) options="-c configs/gtx480-l1-48k.yaml" ;;
		full) options=$full ;;
		torture) options="-c tests/configs/torture.yaml" ;;
		nol1) options="--set sm.l1d.enabled=false" ;;
		on_fill) options="--set sm.l1d.allocate=on_fill" ;;
		ccws) options="--set sm.limiter.policy=ccws" ;;
		*) options="" ;;
		esac
		name="${program##*/} $variant"
		expect "$name: runs" both one $options -- "$build/bench/$program" $(size_of "$program")
		expect "$name: other statistics are the same" same_others one
		expect "$name: classes add up" adds_up one "$([ $variant = full ] && echo 1)"
	done
done

left_out && finish

# Larger than the caches: fully associative ones have no conflicts then either.
expect "atax, fully associative: runs" both large $full -- "$build/bench/polybench/atax" 512 600
expect "atax, fully associative: classes add up" adds_up large 1
expect "atax, fully associative: there are capacity misses" \
	[ "$(total large-on observe.l1.misses::capacity)" -gt 10000 ]

# MRPB, Section 2.4: in the papers' L1, whose sets are chosen by the low bits, the warps of atax drive out
# their own lines, and what else there is comes from their CTA, which is alone on its SM.
expect "atax, 4 KB rows: runs" both rows --set sm.l1d.index=linear -- "$build/bench/polybench/atax" 1024 1024
expect "atax, 4 KB rows: classes add up" adds_up rows
expect "atax, 4 KB rows: nine of ten contended misses are of the warp itself" \
	[ "$(total rows-on observe.l1.contention::intra_warp)" -gt \
	$((9 * $(total rows-on observe.l1.contention::intra_block))) ]
expect "atax, 4 KB rows: none across CTAs" [ "$(total rows-on observe.l1.contention::cross_block)" -eq 0 ]

# One alone declares no other.
verify "locality alone runs" alone --set observe.locality=true -- "$build/bench/sdk/vectoradd" 1000
expect "locality alone" grep -q "^observe.l1.hits::total" "$out/alone/stats.txt"
expect "locality alone declares nothing else" sh -c '! grep -q "^observe.l1.misses" "$1"' \
	- "$out/alone/stats.txt"

# Warps that are alive where the timing of a run ends, between its kernels and within one, are in the
# statistics with all that they had sent. Only types and ratios ask for a number of requests of each warp.
cut() {
	passes cut --set observe.warps.enabled=true --set observe.warps.least="$2" --max-run-instructions "$1" -- \
		"$build/bench/mars/pageviewcount" --size small
}
all_warps_count() {
	awk -F, -v warps="$(total cut observe.warps.warps)" -v requests="$(total cut observe.warps.requests)" \
		-v types="$(total cut observe.warps.types::total)" '
		NR > 1 { sum += $8; seen[$5] }
		END {
			for (w in seen) n++
			print "  " n " warps with " sum " requests; counted: " warps ", " requests "; types: " types
			exit !(n > 40 && n == warps && sum == requests && types == warps)
		}' "$out/cut/warps.csv"
}
for instructions in $(if full; then echo 300000 500000 700000 1000000; else echo 300000 700000; fi); do
	expect "timing ends after $instructions instructions" cut $instructions 1
	expect "warps alive after $instructions instructions" all_warps_count
done
expect "warps with few requests: runs" cut 1000000 30
expect "warps with few requests: have no type" [ "$(total cut observe.warps.types::total)" = 0 ]
expect "warps with few requests: are counted" [ "$(total cut observe.warps.warps)" -gt 100 ]

# The tables of docs/results/classes.md: a row of measures, one of classes, and one for each of two kernels.
expect "rows of benchmarks/classes.sh" \
	[ "$(sh benchmarks/classes.sh "$build" tiny polybench/atax 2>/dev/null | grep -c '^| polybench/atax')" = 4 ]

finish
