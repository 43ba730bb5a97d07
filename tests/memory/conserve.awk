# tests/memory/conserve.awk -- awk -f conserve.awk OUT/config.yaml OUT/stats.txt: the sums that must hold in
# every run, whatever the machine: what goes in comes out, each refusal is a cycle that somebody lost, bytes
# at each level agree with those at the next. Says what does not hold, and fails then. Only the statistics of
# the whole run are looked at.

FILENAME != last_file { last_file = FILENAME; files++ }

# ---- config.yaml: c["sm.l1d.line"] = 128 ----
files == 1 && /^ *[a-zA-Z_0-9]+:/ {
	match($0, /^ */)
	depth = RLENGTH / 2
	key[depth] = substr($1, 1, length($1) - 1)
	if ($2 != "" && $2 !~ /^#/) {
		path = key[0]
		for (i = 1; i <= depth; i++)
			path = path "." key[i]
		c[path] = $2
	}
}
files == 1 { next }

# ---- stats.txt: v["sm.l1d.hits"] ----
/Begin Simulation Statistics/ { total = /total of/; next }
total { v[$1] = $2 }

function bad(text) { print "  " text; wrong = 1 }

# The statistic. A sum of what is not there would always hold.
function s(name)
{
	if (!(name in v))
		bad("no such statistic: " name)
	return v[name] + 0
}
function set(name)
{
	if (!(name in c))
		bad("no such parameter: " name)
	return c[name] + 0
}
# The statistic where its group is there at all (a policy's, a bank's): else 0.
function option(name) { return name in v ? v[name] + 0 : 0 }

function same(what, a, b) { if (a != b) bad(what ": " a " and " b) }
function at_least(what, a, b) { if (a < b) bad(what ": " a ", less than " b) }
# Samples of a histogram times its mean, which is printed with six digits behind the point, are the sum.
function mean_is(what, name, sum, n, off)
{
	n = s(name "::samples")
	off = (n ? s(name "::mean") * n : 0) - sum
	if (off * off > (0.001 + 1e-6 * n) ^ 2)
		bad(what ": " sum " and " off " more")
}
# The sum of a statistic over the caches of an SM that ask the L2: with an L1.5, constants and instructions ask
# that.
function caches(field)
{
	return s("sm.l1d." field) + s("sm.texture." field) + \
		("sm.l15.accesses" in v ? s("sm.l15." field) : s("sm.constant." field) + s("sm.instruction." field))
}

# ---- a cache of an SM ----

function cache(name, p)
{
	p = "sm." name "."
	same(name ": accesses = hits + misses + merged + sent + written", s(p "accesses"),
		s(p "hits") + s(p "misses") + s(p "merged") + s(p "sent") + s(p "written"))
	same(name ": sent = stores + atomics + uncached + bypassed", s(p "sent"),
		s(p "stores") + s(p "atomics") + s(p "uncached") + s(p "bypassed"))
	same(name ": misses = fills", s(p "misses"), s(p "fills"))
	same(name ": fills = answered at once", s(p "fills"), s(p "merge_depth::samples"))
	mean_is(name ": misses + merged = requests that fills served", p "merge_depth",
		s(p "misses") + s(p "merged"))
	if ((name == "l1d" || name == "texture") && set(p "sectors") > 1) {
		at_least(name ": bytes of fills >= 32 x fills", s(p "fill_bytes"), 32 * s(p "fills"))
		at_least(name ": line x fills >= their bytes", set(p "line") * s(p "fills"),
			s(p "fill_bytes"))
		same(name ": fills bring sectors", s(p "fill_bytes") % 32, 0)
	} else {
		same(name ": bytes of fills = line x fills", s(p "fill_bytes"), set(p "line") * s(p "fills"))
	}
	at_least(name ": fills >= evictions of lines that they or stores brought",
		s(p "fills") + s(p "written"), s(p "evictions"))
	at_least(name ": dirty bytes >= 32 x write-backs", s(p "write_back_bytes"), 32 * s(p "write_backs"))
	at_least(name ": line x write-backs >= dirty bytes", set(p "line") * s(p "write_backs"),
		s(p "write_back_bytes"))
	at_least(name ": local stores >= dirty lines that left or were dropped", s(p "written"),
		s(p "write_backs") + s(p "dirty_drops"))
}

# ---- the load/store unit: every cycle that a request was refused has one name ----

# Refusals after which a policy sent the request past the L1 in the same cycle.
function sent_past(slot) { return option(slot ".after") + option(slot ".refused_twice") }

function load_store_unit(refused, whole, off)
{
	merged = option("sm.coalescer.load_instructions") - option("sm.coalescer.load_requests")
	same("line requests = accesses of L1 and texture cache, and those that the coalescer merged",
		s("sm.line_requests"), s("sm.l1d.accesses") + s("sm.texture.accesses") + merged)
	if (c["sm.texture_in_l1"] != "true")
		same("texture's line requests = accesses of the texture cache", s("sm.texture_lines"),
			s("sm.texture.accesses"))
	refused = s("sm.l1d.fails::total") + s("sm.texture.fails::total") + s("sm.constant.fails::total")
	same("failures = cycles that refused requests waited",
		refused - sent_past("sm.bypass") - sent_past("sm.stall_bypass"),
		s("sm.lsu_stall_cycles") + option("sm.request_buffer.refused_cycles") + \
			option("sm.coalescer.refused_cycles"))
	same("request buffer: entered = left", option("sm.request_buffer.entered"),
		option("sm.request_buffer.left"))
	same("fetches = accesses of the instruction cache, if there is one, - prefetches",
		c["sm.instruction.enabled"] == "true" ? s("sm.fetches") : 0,
		s("sm.instruction.accesses") - s("sm.prefetches"))
	whole = s("sm.load_latency::mean") * s("sm.load_latency::samples")
	off = s("sm.load_time.stages::total") - whole
	same("load latency = its stages, to the rounding of its printed mean",
		off * off > (1 + 1e-6 * s("sm.load_latency::samples")) ^ 2, 0)
}

# ---- the crossbars ----

function network(way, data, p, flit, masks)
{
	p = "xbar." way "."
	flit = way == "request" && set("xbar.request_flit") ? set("xbar.request_flit") : set("xbar.flit")
	same(way ": packets sent = delivered", s(p "packets"), s(p "delivered"))
	same(way ": flits sent = delivered", s(p "flits"), s(p "flits_delivered"))
	same(way ": each packet's latency was taken", s(p "packets"), s(p "latency::samples"))
	masks = s(p "bytes") - 8 * s(p "packets") - data # of sectors that stores write in part
	if (way == "request" && c["sm.l1d.store_masks"] == "true") {
		at_least(way ": bytes >= 8 x packets + data", masks, 0)
		at_least(way ": with a mask of 4 bytes for each sector they are no more", data / 32 * 4, masks)
	} else
		same(way ": bytes = 8 x packets + data", masks, 0)
	at_least(way ": flits hold the bytes", s(p "flits") * flit, s(p "bytes"))
	at_least(way ": none to spare", s(p "bytes") + s(p "packets") * (flit - 1), s(p "flits") * flit)
	# data come in sectors of 32: a flit for the header, the others full
	if (flit >= 8 && 32 % flit == 0 && !masks)
		same(way ": flits = packets + data / flit", s(p "flits"), s(p "packets") + data / flit)
}

function crossbars(reads)
{
	reads = caches("misses") + caches("uncached") + caches("bypassed")
	same("requests of the SMs = packets on the crossbar",
		caches("misses") + caches("sent") + caches("write_backs"), s("xbar.request.packets"))
	same("requests = replies", s("xbar.request.packets"), s("xbar.reply.packets"))
	network("request", caches("store_bytes") + caches("write_back_bytes") + caches("atomic_bytes"))
	network("reply", caches("fill_bytes") + caches("uncached_bytes") + caches("atomic_reply_bytes"))
	same("data in replies: L2 and SMs", s("l2.reply_bytes"),
		caches("fill_bytes") + caches("uncached_bytes") + caches("atomic_reply_bytes"))
	same("reads: SMs and L2", reads, s("l2.reads") - s("l2.far_fetches"))
	same("atomics: SMs and L2", caches("atomics"), s("l2.atomics"))
	same("bytes of stores: SMs and L2", caches("store_bytes") + caches("write_back_bytes"),
		s("l2.store_bytes") + s("l2.bypass_write_bytes"))
	same("bytes of atomics: SMs and L2", caches("atomic_bytes"), s("l2.atomic_bytes"))
	same("stores: SMs and L2", caches("stores") + caches("write_backs"),
		s("l2.stores") - s("l2.far_stores") + s("l2.bypassed_stores"))
}

# ---- the L2 ----

# With l2.halves a slice serves what the other half asks for like a request of an SM.
function l2(i, look_ups, across)
{
	across = s("l2.far_fetches") + s("l2.far_stores")
	same("L2: requests on the crossbar and between halves = entered", s("xbar.request.packets") + across,
		s("l2.entered"))
	same("L2: entered = served", s("l2.entered"), s("l2.accesses"))
	same("L2: served = answered", s("l2.accesses"), s("l2.replies") + s("l2.posted"))
	same("L2: replies = packets on the crossbar and between halves", s("l2.replies"),
		s("xbar.reply.packets") + s("l2.far_fetches"))
	same("L2: accesses = hits + misses + merged + stores + bypassed", s("l2.accesses"),
		s("l2.hits") + s("l2.misses") + s("l2.merged") + s("l2.stores") + s("l2.bypassed"))
	same("L2: accesses = reads + atomics + stores", s("l2.accesses"),
		s("l2.reads") + s("l2.atomics") + s("l2.stores") + s("l2.bypassed_stores"))
	for (i = 0; i < set("l2.banks"); i++)
		look_ups += s("l2.bank" i ".look_ups")
	same("L2: looked up by its banks = accesses - bypassed", look_ups,
		s("l2.accesses") - s("l2.bypassed"))
	same("L2: each look-up's delay was taken", look_ups - across, s("l2.queue_delay::samples"))
	same("L2: misses + fetches of stores = fetches", s("l2.misses") + s("l2.store_fetches"),
		s("l2.fetches") + s("l2.far_fetches"))
	same("L2: fetches = fetches that came back", s("l2.fetches") + s("l2.far_fetches"),
		s("l2.merge_depth::samples"))
	mean_is("L2: misses + merged + stores that wait = requests that fetches served", "l2.merge_depth",
		s("l2.misses") + s("l2.merged") + s("l2.store_writes"))
	at_least("L2: bytes of fetches >= 32 x fetches", s("l2.fetch_bytes"), 32 * s("l2.fetches"))
	at_least("L2: 128 x fetches >= their bytes", 128 * s("l2.fetches"), s("l2.fetch_bytes"))
	at_least("L2: partial misses are misses", s("l2.misses"), s("l2.partial_misses"))
	at_least("L2: lines taken >= evicted",
		s("l2.misses") - s("l2.partial_misses") + s("l2.stores") - s("l2.store_hits"),
		s("l2.evictions"))
}

# ---- DRAM ----

function dram(bursts, burst_bytes, burst_cycles, commanded, moved)
{
	bursts = s("dram.read_bursts") + s("dram.write_bursts")
	burst_bytes = set("dram.bus_bytes") * set("dram.burst_length")
	burst_cycles = set("dram.burst_length") / set("dram.data_rate")
	commanded = s("dram.reads") + s("dram.writes") - s("dram.forwarded")
	same("DRAM: reads = fetches + reads that bypass the L2", s("dram.reads"),
		s("l2.fetches") + s("l2.bypassed") - s("l2.bypassed_stores"))
	same("DRAM: writes = write-backs + writes that bypass the L2 + stores that missed", s("dram.writes"),
		s("l2.write_backs") + s("l2.bypass_writes") + s("l2.store_writes"))
	moved = s("l2.fetch_bytes") + s("l2.write_back_bytes") + s("l2.bypass_read_bytes") + \
		s("l2.bypass_write_bytes")
	at_least("DRAM: bytes >= those of the L2's fetches, write-backs and bypasses, 32 for a store that missed",
		s("dram.bytes"), moved + 32 * s("l2.store_writes"))
	at_least("DRAM: with 128 for such a store they are no more", moved + 128 * s("l2.store_writes"),
		s("dram.bytes"))
	same("DRAM: reads have been answered", s("dram.reads"), s("dram.read_latency::samples"))
	same("DRAM: writes have ended", s("dram.writes"), s("dram.write_latency::samples"))
	same("DRAM: row hits + misses + conflicts = requests with a command",
		s("dram.row_hits") + s("dram.row_misses") + s("dram.row_conflicts"), commanded)
	at_least("DRAM: bursts x their bytes >= bytes", bursts * burst_bytes,
		s("dram.bytes") - s("dram.forwarded_bytes"))
	at_least("DRAM: bursts >= requests", bursts, commanded)
	at_least("DRAM: no burst but for bytes asked for",
		s("dram.bytes") - s("dram.forwarded_bytes") + 2 * commanded * (burst_bytes - 1),
		bursts * burst_bytes)
	same("DRAM: data bus cycles = bursts x cycles of a burst", s("dram.data_bus_cycles"),
		bursts * burst_cycles)
	at_least("DRAM: data bus cycles are cycles with work, but for the last burst",
		s("dram.work_cycles") + burst_cycles * set("gpu.partitions"), s("dram.data_bus_cycles"))
	at_least("DRAM: rows opened >= closed", s("dram.activates"), s("dram.precharges"))
	at_least("DRAM: open rows have a bank each",
		s("dram.precharges") + set("gpu.partitions") * set("dram.banks"), s("dram.activates"))
	# Not misses + conflicts: the row that was closed for one request may be opened for another, which
	# wants the same row and goes first.
	at_least("DRAM: rows opened >= row misses", s("dram.activates"), s("dram.row_misses"))
	at_least("DRAM: rows closed >= conflicts", s("dram.precharges"), s("dram.row_conflicts"))
	same("DRAM: what rows served was taken when they were closed", s("dram.precharges"),
		s("dram.row_requests::samples"))
	at_least("DRAM: requests >= those of closed rows", commanded + 0.5,
		s("dram.row_requests::samples") ? \
		s("dram.row_requests::mean") * s("dram.row_requests::samples") : 0)
	if (!set("dram.tREFI"))
		same("DRAM: no refresh", s("dram.refreshes"), 0)
	else
		at_least("DRAM: a refresh in every tREFI", s("dram.refreshes") + 2 * set("gpu.partitions"),
			s("dram.work_cycles") / set("dram.tREFI"))
}

# ---- streaming bypass ----

# p: the policy's statistics; period: its length; number: of caches, each closed by itself
function streaming(p, period, number)
{
	at_least(p ": periods >= those closed", s(p ".periods"), s(p ".periods_closed"))
	at_least(p ": closed >= opened", s(p ".closed"), s(p ".opened"))
	at_least(p ": but for those that are closed now, opened again", s(p ".opened") + number,
		s(p ".closed"))
	at_least(p ": cycles closed >= whole periods", s(p ".cycles_closed"), period * s(p ".periods_closed"))
	at_least(p ": and less than a period more for each", period * (s(p ".periods_closed") + number),
		s(p ".cycles_closed"))
	at_least(p ": measured >= misses", s(p ".measured"), s(p ".measured_misses"))
	at_least(p ": measured >= bypassed", s(p ".measured"), s(p ".bypassed"))
}
function streaming_l1(p)
{
	p = "sm.bypass.stream"
	streaming(p, set(p ".period"), set("gpu.sms"))
	same(p ": what it sends past", s(p ".bypassed"), s("sm.bypass.before"))
	same(p ": has entered the tags, once", s(p ".bypassed"),
		s("sm.l1d.tag_only_hits") + s("sm.l1d.tag_only_misses"))
	same(p ": every read that goes is measured, but for those that another policy sends past",
		s(p ".measured"), s("sm.bypass.asked") - option("sm.stall_bypass.after"))
	at_least(p ": misses of the L1 and of its tags >= those measured (not local memory's)",
		s("sm.l1d.misses") + s("sm.l1d.tag_only_misses"), s(p ".measured_misses"))
	at_least(p ": measured misses >= those of the tags", s(p ".measured_misses"),
		s("sm.l1d.tag_only_misses"))
}
function streaming_l2(p)
{
	p = "l2.bypass.stream"
	streaming(p, set(p ".period"), set("gpu.partitions"))
	same(p ": reads that it sends past", s(p ".bypassed"), s("l2.bypassed") - s("l2.bypassed_stores"))
	same(p ": every read is measured", s(p ".measured"), s("l2.reads"))
}

# ---- instructions ----

function instructions()
{
	same("issue slots = schedulers x cycles", s("sm.issue_slots::total"),
		s("gpu.cycles") * set("gpu.sms") * set("sm.schedulers"))
	same("issue slots used = warp instructions", s("sm.issue_slots::issued") + s("sm.dual_issues"),
		s("sm.warp_instructions"))
	same("warp instructions = issued by unit", s("sm.warp_instructions"), s("sm.issued::total"))
	same("instructions: GPU and SMs", s("gpu.thread_instructions"), s("sm.thread_instructions"))
	same("CTAs started = ended", s("sm.ctas"), s("gpu.ctas"))
}

END {
	if (files != 2 || !s("gpu.thread_instructions"))
		bad("nothing was counted: awk -f conserve.awk OUT/config.yaml OUT/stats.txt")
	instructions()
	cache("l1d")
	cache("texture")
	cache("constant")
	cache("instruction")
	load_store_unit()
	if ("sm.l15.accesses" in v) {
		cache("l15")
		at_least("the L1.5 is asked for what the caches of instructions and constants miss, and prefetches",
			s("sm.l15.accesses"),
			s("sm.instruction.misses") + s("sm.constant.misses") + option("sm.operand.misses"))
	}
	crossbars()
	l2()
	dram()
	if (c["sm.bypass.policy"] == "stream")
		streaming_l1()
	if (c["l2.bypass.policy"] == "stream")
		streaming_l2()
	exit wrong
}
