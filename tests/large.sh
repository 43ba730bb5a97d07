#!/bin/sh
# tests/large.sh BUILD -- large chips: benchmarks verify themselves on configs/ga100.yaml (128 SMs, 32
# slices), all of which have their share; the sums hold; the simulator's state stays under 200 MB, and large
# caches take memory as they are filled; what stats.txt has of each SM is what observe.instances says; 256 SMs
# are simulated, and more are refused; device memory may have any size.
. tests/lib.sh

# run OPTION... -- PROGRAM ARGUMENT...: verified, and what goes in comes out
run() {
	if "$lockstep" run -c configs/ga100.yaml -o "$out/run" "$@" >"$out/log" 2>&1 &&
		grep -q PASS "$out/log"; then
		ok
		expect "$*: conservation" conserves run
	else
		not_ok "$*"
		log_tail
	fi
}

programs="polybench/gemm rodinia/nw parboil/histo sdk/reduction lonestar/sssp"
! sanitized || full || programs="rodinia/nw sdk/reduction"
for program in $programs; do
	run --set dram.check=true -- "$build/bench/$program" --size tiny
done

# 512 CTAs on 128 SMs: each SM has 4 of them, each slice and channel works, and the lines of each add up
run -- "$build/bench/peer" vecadd 131072
shares() {
	awk '/Begin Simulation Statistics/ { total = /total of/ }
	total && /^(sm|l2|dram)\[[0-9]+\]\.(ctas|reads|read_bursts) / {
		if (!$2) { print "  " $1 " is 0"; bad = 1 }
		if (/^sm/ && $2 != 4) { print "  " $1 " is " $2 ", not 4"; bad = 1 }
		name = $1; sub(/\[[0-9]+\]/, "", name)
		n[name]++; sum[name] += $2
	}
	total { v[$1] = $2 }
	END {
		if (n["sm.ctas"] != 128 || n["dram.read_bursts"] != 32) {
			print "  " n["sm.ctas"] " SMs, " n["dram.read_bursts"] " channels"; bad = 1 }
		for (name in n) if (sum[name] != v[name]) {
			print "  " name ": " sum[name] " in all, not " v[name];
			bad = 1 }
		exit bad
	}' "$out/run/stats.txt"
}
expect "the share of each" shares
# takes_less MIB
takes_less() {
	memory=$(sed -n 's/.*host memory: \([0-9]*\) MiB.*/\1/p' "$out/log")
	sanitized || expect "host memory: $memory MiB" [ "${memory:-999}" -lt "$1" ]
}
takes_less 200
# of a cache of 2 GB only what is used is in memory, beside 8 bytes a line
run --set gpu.partitions=1 --set l2.sets=1048576 --set l2.ways=16 -- "$build/bench/peer" vecadd 1000
takes_less 300

# lines of each SM: sections that have them (launch, total), by observe.instances
for want in "kernels 1 1" "total 0 1" "never 0 0"; do
	set -- $want
	run --set observe.instances=$1 --stats-launches all -- "$build/bench/peer" vecadd 1000
	sections=$(awk '/Begin Simulation/ { total = /total of/ }
		/^sm\[127\].cycles|^sm\[127\].ctas / { n[total]++ }
		END { print n[0] + 0, n[1] + 0 }' "$out/run/stats.txt")
	expect "stats.txt with observe.instances=$1" [ "$sections" = "$2 $3" ]
	objects=$(grep -c '"sm\[127\]": {' "$out/run/stats.json")
	expect "stats.json with observe.instances=$1" [ "$objects" = $(($2 + $3)) ]
done

run --set gpu.sms=256 --set gpu.partitions=256 -- "$build/bench/peer" vecadd 70000
run --set gpu.memory=10000001 -- "$build/bench/peer" vecadd 1000 # no whole number of lines or pages
run --set xbar.voq=true --set xbar.arbiter=islip -- "$build/bench/peer" vecadd 70000
for key in sms partitions; do
	answers 2 "gpu.$key = 257: expected 1 to 256" \
		"$lockstep" run -q -o "" --set gpu.$key=257 -- "$build/bench/peer" vecadd 1000
done

finish
