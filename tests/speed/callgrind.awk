# awk -v name=NAME -f callgrind.awk STATS CALLGRIND: lines NAME, row, figure for each warp instruction. Rows:
# parts of the simulator, by the source file of each instruction, whatever function it was inlined into; then
# the total, misses of the first caches and mispredicted branches.
function part(file) {
	if (file ~ /core\/exec\//) return "execution"
	if (file ~ /core\/pipeline\/fetch|core\/issue\/issue_table/) return "fetch"
	if (file ~ /core\/issue\/scoreboard/) return "scoreboard"
	if (file ~ /core\/issue\/issue_slots|core\/sm\/issue_counts/) return "issue slots"
	if (file ~ /core\/sm\/(collector|register_banks|unit_port)/) return "collectors"
	if (file ~ /core\/sm\/timing_wheel|core\/pipeline\/due/) return "results"
	if (file ~ /core\/(issue|sched|limiter)\/|core\/pipeline\/(issue|throttle)/) return "issue"
	if (file ~ /core\/simt\//) return "control flow"
	if (file ~ /core\/lsu\/load_time|core\/sm\/load_counts/) return "time of loads"
	if (file ~ /core\/lsu\/|memsys\/coalesce/) return "load/store"
	if (file ~ /core\/(sm|pipeline)\//) return "SM"
	if (file ~ /memsys\/l2\//) return "L2"
	if (file ~ /memsys\//) return "L1"
	if (file ~ /interconnect\/|sim\/event\/packet/) return "crossbars"
	if (file ~ /dram\//) return "DRAM"
	if (file ~ /sim\/event\//) return "events"
	return "other"
}
# "(12) text" names a number, "(12)" means it
function text_of(s,   id) {
	id = substr(s, 1, index(s, ")"))
	if (length(s) > length(id)) text[id] = substr(s, length(id) + 2)
	return text[id]
}

FILENAME == ARGV[1] { if ($1 == "gpu.warp_instructions") warps = $2; next }
/^events:/ { for (i = 2; i <= NF; i++) event[$i] = i; next }
/^f[lie]=/ { file = part(text_of(substr($0, 4))); next }
/^cf[il]=/ { text_of(substr($0, 5)); next }
/^calls=/ { is_call = 1; next }
/^[0-9+*-]/ {
	if (!is_call) {
		sum[file] += $2
		misses1 += $event["I1mr"]; misses += $event["D1mr"] + $event["D1mw"]
		wrong += $event["Bcm"] + $event["Bim"]; total += $2
	}
	is_call = 0
}

END {
	for (file in sum) print name "\t" file "\t" sum[file] / warps
	print name "\ttotal\t" total / warps
	print name "\tL1I misses\t" misses1 / warps
	print name "\tL1D misses\t" misses / warps
	print name "\tmispredicts\t" wrong / warps
}
