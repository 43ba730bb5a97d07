#!/bin/sh
# Time series: over the rows every counter adds up to its total in stats.txt, whatever the period; formulas
# are those of the period; nothing in stats.txt changes; the same run gives the same rows; wrong names and
# options end in clear messages.
. tests/lib.sh
sample 3 2

# sums FILE.csv STATS.txt: the columns of counters against the last section of stats.txt; prints how many were
# compared
sums() {
	awk -F, -v stats="$2" '
		NR == 1 { n = split($0, name, ","); next }
		{ for (i = 4; i <= n; i++) if ($i ~ /^[0-9]+$/) sum[i] += $i;
			else if ($i != "") whole[i] = "no" }
		END {
			while ((getline line < stats) > 0) {
				if (line ~ /Begin Simulation Statistics/) { total = line ~ /total of/;
					continue }
				split(line, f, " ")
				if (total) value[f[1]] = f[2]
			}
			for (i = 4; i <= n; i++) {
				if (whole[i] == "no" || name[i] ~ /::max$/ || !(name[i] in value) ||
					value[name[i]] !~ /^[0-9]+$/) continue
				compared++
				if (sum[i] != value[name[i]]) {
					print "  " name[i] ": rows add up to " sum[i] ", total " value[name[i]]
					bad = 1
				}
			}
			print compared + 0
			exit bad || compared < 150
		}' "$1"
}

# case LABEL PERIOD options -- program: the properties above, for all statistics
case_of() {
	label=$1; period=$2; shift 2
	turn || return 0
	verify "$label" off "$@" && verify "$label with a series" on --series "$period:*,*::*" "$@" || return
	expect "$label: a series changes no statistic" same_statistics "$out/off/stats.txt" \
		"$out/on/stats.txt"
	expect "$label: sums over the rows" sums "$out/on/series.csv" "$out/on/stats.txt"
	# in a full period within one kernel, slots are schedulers x cycles, and the IPC is that of the period
	if awk -F, -v period="$period" -v \
		per="$(awk '$1 == "sms:" || $1 == "schedulers:" { n = n ? n * $2 : $2 } END { print n }' \
			"$out/on/config.yaml")" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		{
			c = $at["gpu.cycles"]
			if ($at["kernels"] ~ /^[^+]+$/ && c == period) {
				full++
				if ($at["sm.issue_slots::total"] != c * per) { print "slots in cycle " $1;
					bad = 1 }
				d = $at["gpu.ipc"] - $at["gpu.thread_instructions"] / c
				if (d > 1e-6 * $at["gpu.ipc"] ||
					-d > 1e-6 * $at["gpu.ipc"]) { print "IPC in cycle " $1; bad = 1 }
			}
			if ($1 % period && ++partial > 1) { print "a row at cycle " $1; bad = 1 }
			if (NR > 2 && $1 <= last) { print "cycle " $1 " after " last; bad = 1 }
			last = $1
		}
		END { exit bad || !full }' "$out/on/series.csv" \
			>"$out/log"; then ok; else not_ok "$label: rows"; head -n 3 "$out/log"; fi
}

case_of "atax" 1000 -- "$build/bench/polybench/atax" 130 70
case_of "atax every 7 cycles" 7 -- "$build/bench/polybench/atax" 40 70
case_of "gemm in the torture configuration" 100 -c tests/configs/torture.yaml \
	-- "$build/bench/polybench/gemm" 40
case_of "bfs, kernel after kernel" 250 -- "$build/bench/rodinia/bfs" 700
case_of "bfs under a limiter" 250 --set sm.limiter.policy=ccws -- "$build/bench/rodinia/bfs" 700
case_of "histogram with atomics, closed rows" 500 --set dram.row_policy=closed \
	-- "$build/bench/sdk/histogram" 6001

# waits are counted while they last, not when they end: in a cycle of the core no component waits longer than
# its own clock's cycles
"$lockstep" run -q -o "$out/waits" --set gpu.sms=4 --set gpu.partitions=2 --set sm.l1d.mshrs=8 \
	--set sm.l1d.miss_queue=1 --set l2.mshrs=2 --set l2.request_queue=2 --set sm.response_queue=1 \
	--set dram.read_queue=1 --set dram.write_queue=1 --set sm.limiter.policy=swl --series \
	'1:sm.lsu_stall_cycles,sm.l1d.fails::total,sm.warp_cycles,sm.issue_slots::total,sm.limiter.warps,xbar.*.wait*,xbar.*.output_cycles,l2.stalls::total,dram.work_cycles,dram.waits::total' \
	-- "$build/bench/rodinia/bfs" 700 >"$out/log" 2>&1 ||
		not_ok "a series of waits: $(tail -n 1 "$out/log")"
if awk -F, 'BEGIN { most["sm.lsu_stall_cycles"] = most["sm.l1d.fails::total"] = 4;
	most["sm.warp_cycles"] = most["sm.limiter.warps"] = 4 * 48; most["sm.issue_slots::total"] = 8
		most["xbar.request.wait_output_full"] = most["xbar.request.wait_output_busy"] = 2 * 4;
			most["xbar.reply.wait_output_full"] = most["xbar.reply.wait_output_busy"] = 2 * 2
		most["xbar.request.output_cycles"] = 2 * 2; most["xbar.reply.output_cycles"] = 2 * 4
		most["l2.stalls::total"] = 2 * 2;
			most["dram.work_cycles"] = most["dram.waits::total"] = 2 * 2 }
	NR == 1 { n = split($0, name, ","); next }
	last && $1 == last + 1 { for (i = 4; i <= n; i++) { if ($i > most[name[i]]) {
		print name[i] ": " $i " in cycle " $1; bad = 1 } seen[i] += $i } }
	{ last = $1 }
	END { for (i = 4; i <= n; i++) if (!seen[i]) { print name[i] " was never counted";
		bad = 1 } exit bad || n != 17 }' "$out/waits/series.csv" >"$out/log"
then ok; else not_ok "waits in each cycle"; head -n 5 "$out/log"; fi

# the same rows again; one object of many; the configuration instead of the option
launch() { "$lockstep" launch benchmarks/peer/ptx/vecadd.ptx vecadd --grid 64 --block 256 \
	--arg 'f32[16384]=iota' --arg 'f32[16384]=iota' \
	--arg 'f32[16384]=zero' --arg s32=16384 -q "$@"; }
launch -o "$out/a" --series '100:sm[*].l1d.misses,sm.l1d.misses,l2.queue_delay' >"$out/log" 2>&1
launch -o "$out/b" --set observe.series.period=100 \
	--set 'observe.series.statistics=sm[*].l1d.misses, sm.l1d.misses l2.queue_delay' >"$out/log" 2>&1
if [ -s "$out/a/series.csv" ] && cmp -s "$out/a/series.csv" "$out/b/series.csv"; then ok; else not_ok \
	"two runs give different rows"; fi
if awk -F, 'NR == 1 { for (i = 4; i <= NF; i++) if ($i ~ /^sm\[/) { n++;
	one[i] } else if ($i == "sm.l1d.misses") all = i; next }
	{ s = 0; for (i in one) s += $i; total += s; if (s != $all) bad = 1 } END {
		exit bad || n != 15 || !total }' "$out/a/series.csv"; then ok
else not_ok "the SMs one by one are not their sum"; fi
launch -o "$out/c" -c "$out/a/config.yaml" >"$out/log" 2>&1
if cmp -s "$out/a/series.csv" "$out/c/series.csv"; then ok; else not_ok \
	"the written configuration gives other rows"; fi
launch -o "$out/d" >"$out/log" 2>&1
if [ ! -e "$out/d/series.csv" ] && same_statistics "$out/a/stats.txt" "$out/d/stats.txt"; then ok; else \
	not_ok "without a series"; fi

# mistakes
refuses "did you mean sm.l1d.misses?" launch -o "$out/e" --series 100:sm.l1d.mises
refuses "there is no statistic sm[99].l1d.misses" launch -o "$out/e" --series '100:sm[99].l1d.misses'
refuses "did you mean sm.issue_slots::barrier?" "$lockstep" run -o "$out/e" \
	--series 100:sm.issue_slots::barier -- "$build/bench/polybench/gemm" 40
refuses "--series gpu.ipc: expected N:NAMES" launch -o "$out/e" --series gpu.ipc
refuses "observe.series.statistics names none" launch -o "$out/e" --series 100:,
refuses "--series x:gpu.ipc: expected N:NAMES" launch -o "$out/e" --series x:gpu.ipc
refuses "none was asked for" launch -o "" --series 100:gpu.ipc

finish
