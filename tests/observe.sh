#!/bin/sh
# tests/observe.sh BUILD -- observers of caches on whole programs: they change no other statistic, their classes add up to what the
# caches count, a fully associative cache has no conflicts, kernels add up to the run. Runs in the repository root.
build=${1:?usage: tests/observe.sh BUILD}
lockstep=$build/bin/lockstep
tmp=$(mktemp -d) || exit 1
trap 'rm -rf "$tmp"' EXIT
. tests/statistics.sh
passed=0 failed=0

ok() { passed=$((passed + 1)); echo "ok $1"; }
not_ok() { failed=$((failed + 1)); echo "not ok $1"; }
expect() { name=$1; shift; if "$@" > "$tmp/said" 2>&1; then ok "$name"; else not_ok "$name"; head -n 20 "$tmp/said"; fi; }

on="--set observe.miss_classes=true --set observe.contention=true --set observe.locality=true"
full="--set sm.l1d.index=linear --set sm.l1d.sets=1 --set sm.l1d.ways=128 --set l2.sets=1 --set l2.ways=1024"

# both DIR OPTION... -- PROGRAM...: DIR-off and DIR-on
both() {
	dir=$1; shift
	"$lockstep" run -q -o "$tmp/$dir-off" "$@" > "$tmp/log" 2>&1 && "$lockstep" run -q -o "$tmp/$dir-on" $on "$@" > "$tmp/log" 2>&1
}

# Statistics that are not the observers': the same, and the observers' only where they are on.
same_others() {
	! grep -q '^observe' "$tmp/$1-off/stats.txt" && grep -q '^observe' "$tmp/$1-on/stats.txt" &&
		statistics "$tmp/$1-off/stats.txt" > "$tmp/off" && statistics "$tmp/$1-on/stats.txt" | grep -v '^observe' | diff "$tmp/off" - | head -n 5 > "$tmp/diff" && [ ! -s "$tmp/diff" ] ||
		{ cat "$tmp/diff"; return 1; }
}

adds_up() {
	awk '/Begin Simulation Statistics/ { total = /total of/; kernel = /# kernel/ }
		total { v[$1] = $2 }
		kernel && /^observe\./ { sum[$1] += $2 }
		function same(what, a, b) { if (a == "" || a + 0 != b + 0) { print "  " what ": " a " and " b; bad = 1 } }
		function at_least(what, a, b) { if (a == "" || a + 0 < b + 0) { print "  " what ": " a " less than " b; bad = 1 } }
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
			same("L2 misses by invalidation", v["observe.l2.misses::invalidated"] + v["observe.l2.contention::invalidated"], 0)
			same("L1 hits of another core", v["observe.l1.hits::inter_core"] + v["observe.l1.unlimited_hits::inter_core"], 0)
			same("instructions", v["observe.l1.instructions"], v["sm.thread_instructions"])
			exit bad
		}' "full=$2" "$tmp/$1-on/stats.txt"
}

value() { awk -v "name=$2" '/Begin Simulation Statistics/ { total = /total of/ } total && $1 == name { print $2 }' "$tmp/$1/stats.txt"; }

number=0
for program in "sdk/vectoradd 10007" "polybench/gemm 40" "polybench/atax 130 70" "sdk/reduction 5003" "rodinia/bfs 700" "sdk/histogram 6001"; do
	for variant in gtx480 48k full torture nol1 on_fill ccws; do
		number=$((number + 1))
		[ -z "${SANITIZE:-}" ] || [ $((number % 5)) = 0 ] || continue
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
		expect "$name: runs" both one $options -- "$build/bench/"$program
		expect "$name: other statistics are the same" same_others one
		expect "$name: classes add up" adds_up one "$([ $variant = full ] && echo 1)"
	done
done

if [ -n "${SANITIZE:-}" ]; then
	echo "note: observe: every fifth run under the sanitizers, none of the larger ones"
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ]
	exit
fi

# Larger than the caches: fully associative ones have no conflicts then either.
expect "atax, fully associative: runs" both large $full -- "$build/bench/polybench/atax" 512 600
expect "atax, fully associative: classes add up" adds_up large 1
expect "atax, fully associative: there are capacity misses" [ "$(value large-on observe.l1.misses::capacity)" -gt 10000 ]

# MRPB, Section 2.4: in the papers' L1, whose sets are chosen by the low bits, the warps of atax drive out their own lines, and
# what else there is comes from their CTA, which is alone on its SM.
expect "atax, 4 KB rows: runs" both rows --set sm.l1d.index=linear -- "$build/bench/polybench/atax" 1024 1024
expect "atax, 4 KB rows: classes add up" adds_up rows
expect "atax, 4 KB rows: nine of ten contended misses are of the warp itself" [ "$(value rows-on observe.l1.contention::intra_warp)" -gt \
	$((9 * $(value rows-on observe.l1.contention::intra_block))) ]
expect "atax, 4 KB rows: none across CTAs" [ "$(value rows-on observe.l1.contention::cross_block)" -eq 0 ]

# One alone declares no other.
"$lockstep" run -q -o "$tmp/alone" --set observe.locality=true -- "$build/bench/sdk/vectoradd" 1000 > /dev/null 2>&1
expect "locality alone" sh -c 'grep -q "^observe.l1.hits::total" "$1" && ! grep -q "^observe.l1.misses" "$1"' - "$tmp/alone/stats.txt"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
