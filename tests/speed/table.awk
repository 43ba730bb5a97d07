# awk -v stamp=DATE,COMMIT,MACHINE -v csv=FILE -f median.awk -f table.awk PEER.csv PHASES RUNS: the tables of
# `make bench`, and FILE. PHASES: set, program, size, phase, share; RUNS: lines of figures.awk.
FILENAME == ARGV[1] {
	n = split($0, field, ",")
	for (i = 1; i <= n; i++)
		if (FNR == 1) column[i] = field[i]
		else peer["peer", field[1], field[2], column[i]] = field[i]
	next
}
FILENAME == ARGV[2] { share[$1, $2, $3, $4] = $5; next }
{
	key = $1 SUBSEP $2 SUBSEP $3 SUBSEP $4
	if (!(key in count)) order[++cases] = key
	seconds[key, ++count[key]] = $6
	if (count[key] > 1) next	# what follows repeats
	read_figures(figure)
	for (name in figure) value[key, name] = figure[name]
}

function times(key,   i, at) {
	for (i = 1; i <= count[key]; i++) at[i] = seconds[key, i]
	middle = median(at, count[key]); fastest = at[1]; slowest = at[count[key]]
}
function rate(amount, unit) {
	return amount == "" || amount == 0 ? "-" : \
		sprintf("%.*f", amount / middle / unit < 10 ? 2 : 1, amount / middle / unit)
}
function plain_rate(amount) { return amount == "" ? "" : sprintf("%.0f", amount / middle) }

# execute, core, L1, crossbar, L2, DRAM, events: percent; or 4 decimals for the file
function split_of(set, program, size, format,   i, line, s) {
	for (i = 1; i <= phases; i++) {
		s = share[set, program, size, phase[i]]
		line = line (format == "csv" ? "," s : \
			sprintf(" %5s", s == "" ? "-" : sprintf("%.1f", 100 * s)))
	}
	return line
}

# Figures that a run without timing does not have are left out.
function forget_timing(key,   i, n, name) {
	n = split("gpu.cycles gpu.ipc sm.l1d.accesses sm.l1d.misses sm.l1d.fails::total l2.accesses " \
		"l2.misses dram.read_bursts", name, " ")
	for (i = 1; i <= n; i++) value[key, name[i]] = ""
}

function row(key,   k, set, program, size, mode, theirs, ratio) {
	split(key, k, SUBSEP)
	set = k[1]; program = k[2]; size = k[3]; mode = k[4]
	times(key)
	if (mode != "timed") forget_timing(key)
	theirs = mode == "timed" ? peer[set, program, size, "thread_instr_per_s"] : ""
	if (theirs) {
		ratio = value[key, "gpu.thread_instructions"] / middle / theirs
		sum += log(ratio); compared++
		if (compared == 1 || ratio < least) least = ratio
	}
	printf "%-22s %-10s %8s %8s %9s %9.4f %5.1f %5s%s %7s\n", title(program, size), mode,
		rate(value[key, "gpu.thread_instructions"], 1e6),
		rate(value[key, "gpu.warp_instructions"], 1e6), rate(value[key, "gpu.cycles"], 1e3),
		middle, 100 * (slowest - fastest) / middle, value[key, "memory"],
		mode == "timed" ? split_of(set, program, size, "") : sprintf("%*s", 6 * phases, ""),
		ratio == "" ? "" : sprintf("%.1f", ratio)
	print stamp "," set "," program "," size "," mode "," count[key] "," \
		middle "," fastest "," slowest "," \
		plain_rate(value[key, "gpu.thread_instructions"]) "," \
		plain_rate(value[key, "gpu.warp_instructions"]) "," plain_rate(value[key, "gpu.cycles"]) "," \
		value[key, "gpu.thread_instructions"] "," value[key, "gpu.warp_instructions"] "," \
		value[key, "gpu.cycles"] "," value[key, "memory"] "," value[key, "gpu.ipc"] "," \
		value[key, "sm.l1d.accesses"] "," value[key, "sm.l1d.misses"] "," \
		value[key, "sm.l1d.fails::total"] "," \
		value[key, "l2.accesses"] "," value[key, "l2.misses"] "," \
		bursts(key) (mode == "timed" ? split_of(set, program, size, "csv") : ",,,,,,,") \
		"," theirs "," ratio >csv
}

function bursts(key) {
	return value[key, "dram.read_bursts"] == "" ? "" : \
		value[key, "dram.read_bursts"] + value[key, "dram.write_bursts"]
}

# What was simulated, ours beside theirs.
function beside(key,   k) {
	split(key, k, SUBSEP)
	if (k[4] != "timed" || !((k[1], k[2], k[3], "cycles") in peer)) return
	if (!besides++) {
		printf "\n%-22s %10s %10s %7s %7s %9s %9s %9s %9s %9s %9s\n", "what was simulated", "cycles",
			"peer", "IPC", "peer", "L1 acc.", "peer", "L1 miss", "peer", "DRAM 32 B", "peer"
	}
	printf "%-22s %10d %10d %7.1f %7.1f %9d %9d %9d %9d %9d %9d\n", title(k[2], k[3]),
		value[key, "gpu.cycles"], peer[k[1], k[2], k[3], "cycles"],
		value[key, "gpu.ipc"], peer[k[1], k[2], k[3], "ipc"],
		value[key, "sm.l1d.accesses"], peer[k[1], k[2], k[3], "l1d_accesses"],
		value[key, "sm.l1d.misses"], peer[k[1], k[2], k[3], "l1d_misses"],
		bursts(key), peer[k[1], k[2], k[3], "dram_requests"]
}

END {
	phases = split("execute core l1 crossbar l2 dram events", phase, " ")
	printf "%64s   %s\n", "", "where the time went, percent"
	printf "%-22s %-10s %8s %8s %9s %9s %5s %5s %5s %5s %5s %5s %5s %5s %5s %7s\n", "benchmark", "mode",
		"M thr/s", "M warp/s", "k cyc/s", "seconds", "+-%", "MiB",
		"exec.", "core", "L1", "xbar", "L2", "DRAM", "event", "x peer"
	print "date,commit,machine,set,benchmark,size,mode,runs,seconds,fastest,slowest," \
		"thread_instructions_per_s,warp_instructions_per_s,cycles_per_s," \
		"thread_instructions,warp_instructions,cycles,host_MiB,ipc," \
		"l1d_accesses,l1d_misses,l1d_fails,l2_accesses,l2_misses,dram_bursts," \
		"execute,core,l1,crossbar,l2,dram,events," \
		"peer_thread_instructions_per_s,x_peer" >csv
	for (c = 1; c <= cases; c++) row(order[c])
	for (c = 1; c <= cases; c++) beside(order[c])
	print ""
	if (compared)
		printf "bench: geometric mean %.1f x peer, least %.1f x peer\n", exp(sum / compared), least
	else
		print "bench: none of the peer's was run"
}
