#!/bin/sh
# tests/policy/run.sh BUILD -- adds a warp scheduler, a warp limiter, a coalescer, a request buffer and an L1
# bypass policy as docs/user/policies.md says, one file and one line each, and runs them on a tree of links.
. tests/lib.sh
. tests/policy/tree.sh

expect "the tree builds as it is" make -s -C "$tree" BUILD="$build" $products
touch "$tree/before"
add core/sched youngest sched
add core/limiter share limiter
add memsys/coalescer in_turns coalescer
add memsys/request_buffer fifo request_buffer
add memsys/bypass impatient bypass
cd "$tree" || exit 1
atax="$build/bench/polybench/atax 130 70"

expect "it builds with make alone" make -s BUILD="$build" $products
expect "list names the scheduler" \
	prints "$lockstep list" 'youngest .*the youngest ready warp.*a test of the README'
expect "list names the limiter" prints "$lockstep list" 'share .*a share of the warps issues'
expect "the manual has the scheduler's parameter" \
	prints "$lockstep config doc | grep -A 9 sm.scheduler.youngest" 'turns.*10'
expect "the manual has the limiter's parameter" \
	prints "$lockstep config doc | grep -A 9 sm.limiter.share" 'percent.*50'
verify "a benchmark passes under them" run --set sm.scheduler.policy=youngest \
	--set sm.scheduler.youngest.turns=3 \
	--set sm.limiter.policy=share -- $atax
refuses 'turns' "$lockstep" run -q -o "" --set sm.scheduler.youngest.turn=3 -- $atax
expect "config.yaml has the value set" grep -q '^ *turns: 3 ' "$out/run/config.yaml"
expect "the scheduler's statistic is there and counts" counts sm.scheduler.youngest.oldest_turns
expect "the limiter's statistic is there and counts" counts sm.limiter.share.narrowed

# the request buffer and the bypass policy: every small benchmark computes the same, and what enters leaves
expect "list names the request buffer" prints "$lockstep list" \
	'fifo .*one queue of reads.*a test of the README'
expect "list names the bypass policy" prints "$lockstep list" 'impatient .*past the L1 when it refuses'
expect "list names the coalescer" prints "$lockstep list" 'in_turns .*in turn.*a test of the README'
sums() {
	totals "$out/run/stats.txt" | awk '{ v[$1] = $2 }
		function same(what, a, b) { if (a != b) { print what ": " a " and " b; bad = 1 } }
		END {
			if ("sm.request_buffer.entered" in v) {
				same("entered = left", v["sm.request_buffer.entered"],
					v["sm.request_buffer.left"])
				entered = v["sm.request_buffer.entered"];
					passed = v["sm.request_buffer.passed"]
				same("all by the buffer", v["sm.line_requests"], entered + passed)
				if (!entered || !passed) { print "nothing entered or passed"; bad = 1 }
			}
			if ("sm.coalescer.lines" in v)
				same("all by the coalescer", v["sm.line_requests"], v["sm.coalescer.lines"])
			if ("sm.bypass.asked" in v)
				same("bypassed", v["sm.l1d.bypassed"],
					v["sm.bypass.before"] + v["sm.bypass.after"])
			exit bad
		}'
}
under() {
	label=$1
	shift
	for program in $six; do
		verify "$program under $label" run "$@" -- "$build/bench/$program" $(size_of "$program")
		expect "$program under $label: what goes in comes out" conserves run
		expect "$program under $label: by the buffer, or past the L1" sums
	done
}
fifo="--set sm.lsu_replay=false --set sm.request_buffer.policy=fifo"
impatient="--set sm.bypass.policy=impatient"
under "fifo" $fifo
under "fifo of one request" $fifo --set sm.request_buffer.fifo.entries=1 \
	--set sm.request_buffer.fifo.latency=40
under "fifo, every queue of size 1" -c tests/configs/torture.yaml $fifo --set sm.request_buffer.fifo.entries=1
in_turns="--set sm.lsu_replay=false --set sm.coalescer.policy=in_turns"
under "in_turns" $in_turns
expect "the coalescer's statistic is there and counts" counts sm.coalescer.in_turns.interleaved
under "in_turns of one instruction" $in_turns --set sm.coalescer.in_turns.entries=1
under "in_turns, every queue of size 1" -c tests/configs/torture.yaml $in_turns
under "in_turns before fifo" $in_turns $fifo
under "impatient" $impatient --set sm.bypass.impatient.every=3
under "impatient, every queue of size 1" -c tests/configs/torture.yaml $impatient
under "both" $fifo $impatient --set sm.l1d.index=linear --set sm.l1d.sets=1 --set sm.l1d.ways=1
expect "the buffer's statistic is there and counts" counts sm.request_buffer.fifo.behind_others
expect "the bypass policy's statistic is there and counts" counts sm.bypass.impatient.no_line
refuses 'entries' "$lockstep" run -q -o "" --set sm.request_buffer.fifo.entry=3 -- $atax

# all that was compiled: the five files, and the five lists
compiled=$(compiled)
expect "nothing else was compiled: $compiled" [ "$compiled" = "core/limiter/limiter.o core/limiter/share.o \
core/sched/sched.o core/sched/youngest.o memsys/bypass/bypass.o memsys/bypass/impatient.o \
memsys/coalescer/coalescer.o memsys/coalescer/in_turns.o \
memsys/request_buffer/fifo.o memsys/request_buffer/request_buffer.o " ]
finish
