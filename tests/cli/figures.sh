#!/bin/sh
# tests/cli/figures.sh BUILD -- observers of MeDiC's and WarpPool's figures and of bandwidth on whole
# programs: they change no other statistic, agree with what the components count and with their own files,
# repeat, and refuse what does not fit.
. tests/lib.sh
on="--set observe.bandwidth=true --set observe.requests=true --set observe.queue_delay=true"
on="$on --set observe.instructions=true --set observe.accesses=true --set observe.occupancy=true"
on="$on --set observe.warps.enabled=true --set observe.warps.interval=3000"

agree() {
	awk -F, -v stats="$1/stats.txt" '
		function same(what, a, b) { if (a == "" || a + 0 != b + 0) { print "  " what ": " a " and " b;
			bad = 1 } }
		FNR == 1 { file++; next }
		file == 1 { requests += $8; hits += $9; if ($9 > $8 || !$8) bad = 1; warp[$5] += $8 }
		file == 2 { delays += $3; last = $5; if ($1 > $2) bad = 1 }
		file == 3 { if ($1 == 0) loads = $2; else if ($2 > left) bad = 1; left = $2; windows++ }
		file == 4 { if ($1 > $2) bad = 1; from_sm += $3; if (!least) least = $1 + 1 }
		file == 5 {
			instructions += $3; lines += $4; l2 += $12; l2_hits += $13; samples += $15
			for (i = 6; i <= 11; i++) sizes += $i
			if ($16 < $18 || $16 > $19 || $17 < 0 || $17 > 0.5) { print "  spread: " $0; bad = 1 }
		}
		END {
			while ((getline line < stats) > 0) {
				if (line ~ /Begin Simulation Statistics/) { total = line ~ /total of/;
					continue }
				split(line, f, " ")
				if (total) v[f[1]] = f[2]
			}
			for (w in warp) { warps++; if (warp[w] >= 30) most++ }
			o = "observe.warps."
			same("requests of warps.csv", v[o "requests"], requests)
			same("hits of warps.csv", v[o "hits"], hits)
			same("warps of warps.csv", v[o "warps"], warps)
			same("warps with 30 requests", v[o "warps_of_least"], most)
			same("warps by type", v[o "types::total"], most)
			same("warps by ratio", v[o "ratios::total"], most)
			same("delays", v["l2.accesses"], delays)
			same("the last delay", last, 1)
			o = "observe.instructions."
			same("loads of instructions.csv", v[o "loads"], instructions)
			same("loads by size", v[o "sizes::total"], sizes)
			same("loads", v["observe.requests.lines_per_load::samples"], instructions)
			same("lines of instructions.csv", v[o "load_requests"], lines)
			same("their requests at the L2", requests, l2)
			same("their hits at the L2", hits, l2_hits)
			same("samples", v[o "samples"], samples)
			o = "observe.queue_delay."
			same("times from the SM", v["l2.accesses"], from_sm)
			same("times at the L2", v[o "at_l2::samples"], delays)
			if (least < 2 || v[o "from_sm::mean"] < v[o "at_l2::mean"] + least - 1) bad = 1
			o = "observe.requests."
			same("lines", v[o "lines"], v["sm.line_requests"])
			same("to the L2", v[o "to_l2"], v["sm.l1d.misses"] + v["sm.l1d.sent"])
			same("windows", windows, 129)
			same("loads in windows", v[o "distances::total"], loads)
			same("lines of loads", v[o "lines_per_load::samples"] > 0, 1)
			same("waiting", v[o "waiting::samples"] > 0, 1)
			o = "observe.bandwidth."
			same("bytes of L1", v[o "bytes::l1"],
				128 * (v["sm.l1d.hits"] + v["sm.l1d.misses"] + v["sm.l1d.merged"]))
			same("bytes of requests", v[o "bytes::request"], v["xbar.request.bytes"])
			same("bytes of replies", v[o "bytes::reply"], v["xbar.reply.bytes"])
			same("requests of DRAM", v[o "requests"], v["dram.reads"] + v["dram.writes"])
			for (i = split("l1 request reply l2 dram_read dram_write", level, " "); i; i--) {
				r = 1000 * v[o "bytes::" level[i]] / v["gpu.picoseconds"] - v[o level[i]]
				if (r > 1e-5 || -r > 1e-5) { print "  GB/s of " level[i]; bad = 1 }
				if (v[o level[i] "_share"] > 1) { print "  " level[i] " above its peak";
					bad = 1 }
			}
			exit bad
		}' "$1/warps.csv" "$1/queue_delay.csv" "$1/windows.csv" "$1/sm_to_l2_delay.csv" \
			"$1/instructions.csv"
}

same_others() {
	grep -v ^observe "$out/on/stats.txt" >"$out/others"
	! grep -q ^observe "$out/off/stats.txt" && same_statistics "$out/others" "$out/off/stats.txt"
}

same_again() {
	for file in warps queue_delay windows sm_to_l2_delay instructions; do
		cmp "$out/on/$file.csv" "$out/again/$file.csv" || return 1
	done
	same_statistics "$out/on/stats.txt" "$out/again/stats.txt" && [ -s "$out/again/series.csv" ]
}

# over the rows, time-weighted waiting adds up to the SMs' cycles with warps
waiting_adds_up() {
	awk -F, -v want="$1" '
		NR == 1 { for (i = 1; i <= NF; i++) if ($i == "observe.requests.waiting::samples") column = i;
			next }
		{ sum += $column }
		END { exit sum != want || !sum }' "$out/again/series.csv"
}

# case_of LABEL OPTION... -- PROGRAM...
case_of() {
	label=$1
	shift
	series=500:gpu.ipc,observe.bandwidth.l2,observe.requests.waiting
	verify "$label" off "$@" && verify "$label, observed" on $on "$@" &&
		verify "$label, with a series" again $on --series $series "$@" || return
	expect "$label: the other statistics are the same" same_others
	expect "$label: sums" agree "$out/on"
	expect "$label: the same again, with a series" same_again
	expect "$label: waiting over the rows" waiting_adds_up \
		"$(total again observe.requests.waiting::samples)"
}

case_of "atax" -- "$build/bench/polybench/atax" 130 70
case_of "bfs" -- "$build/bench/rodinia/bfs" 3000
case_of "histogram, torture configuration" -c tests/configs/torture.yaml -- "$build/bench/sdk/histogram" 6001
case_of "atax, cut" --max-cycles 3000 -- "$build/bench/polybench/atax" 200 200
case_of "gemm without L1" --set sm.l1d.enabled=false -- "$build/bench/polybench/gemm" 40

gemm="$build/bench/polybench/gemm 40"
refuses "mostly_miss = 0.2 is not below mostly_hit = 0.1" \
	"$lockstep" run -q -o "$out/x" --set observe.warps.mostly_hit=0.1 -- $gemm
refuses "did you mean observe.warps.interval?" \
	"$lockstep" run -q -o "$out/x" --set observe.warps.intervall=5 -- $gemm

finish
