# awk -v key=KEY -f figures.awk LOG STATS: one run as a line: KEY; seconds of simulation; the same by the
# clock on the wall; whether the first are of processor time (a build that does not say it: 0); then figures
# NAME=VALUE.
function at_least(s) { return s > 0.0001 ? s : 0.0001 }	# as fine as they are printed
FNR == 1 { files++ }
files == 1 && match($0, / thread-instructions in [0-9.]+ s/) {
	split(substr($0, RSTART, RLENGTH), word, " ")
	by_kernel += word[3]
}
files == 1 && match($0, /processor time: [0-9.]+ s/) {
	split(substr($0, RSTART, RLENGTH), word, " ")
	seconds = word[3]
}
files == 1 && match($0, /host memory: [0-9]+ MiB/) {
	split(substr($0, RSTART, RLENGTH), word, " ")
	memory = word[3]
}
/Begin Simulation Statistics/ { total = /total of/ }
total && $1 ~ /^[a-z]/ { value[$1] = $2 }

END {
	line = key OFS at_least(seconds == "" ? by_kernel : seconds) OFS at_least(by_kernel) \
		OFS (seconds != "") OFS "memory=" memory
	n = split("gpu.thread_instructions gpu.warp_instructions gpu.cycles gpu.ipc sm.l1d.accesses " \
		"sm.l1d.misses sm.l1d.fails::total l2.accesses l2.misses dram.read_bursts " \
		"dram.write_bursts", name, " ")
	for (i = 1; i <= n; i++)
		line = line OFS name[i] "=" value[name[i]]
	print line
}
