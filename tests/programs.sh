#!/bin/sh
# tests/programs.sh BUILD -- whole programs: six benchmarks verify themselves under several configurations,
# with the sums that must hold in every run; a second run gives the same statistics; values do not depend on
# timing; the DRAM trace, constants, local memory and vector levels; the commands that the documentation
# shows. Under the sanitizers every fifth configuration.
. tests/lib.sh
sample 5

# kernels by themselves, and streams, add up to the machine
by_kernel() {
	awk '/Begin Simulation Statistics/ { total = /total of/; kernel = /# launches of/ }
		total { v[$1] = $2 }
		kernel && /^kernel\./ { sum[$1] += $2 }
		/^stream\./ { v[$1] = $2 }
		function same(what, a, b) { if (a == "" || a + 0 != b + 0) { print "  " what ": " a " and " b;
			bad = 1 } }
		END {
			n = split("warp_instructions thread_instructions issued::ldst branches " \
				"divergent_branches barriers loads stores atomics shared_accesses shared_conflict_cycles line_requests ctas",
					names, " ")
			for (i = 1; i <= n; i++) same(names[i], v["sm." names[i]], sum["kernel." names[i]])
			same("L1 hits", v["sm.l1d.hits"], sum["kernel.l1_hits"])
			same("L1 misses", v["sm.l1d.misses"], sum["kernel.l1_misses"])
			same("L1 merged", v["sm.l1d.merged"], sum["kernel.l1_merged"])
			same("cycles", v["gpu.cycles"], sum["kernel.cycles"])
			same("load latency samples", v["sm.load_latency::samples"],
				sum["kernel.load_samples"])
			same("instructions by stream", v["stream.thread_instructions"],
				v["gpu.thread_instructions"])
			same("kernels by stream", v["stream.kernels"], v["gpu.kernels"])
			same("time by stream", v["stream.busy"], v["gpu.picoseconds"])
			exit bad
		}' "$out/$1/stats.txt"
}

# under VARIANT OPTION...: the benchmark under this configuration; every DRAM command is verified
under() {
	variant=$1
	shift
	[ "$variant" = gtx480 ] || turn || return 0
	verify "$name, $variant" "$variant" --set dram.check=true "$@" -- $command
	[ "$variant" != values ] || return 0
	expect "$name, $variant: conservation" conserves "$variant"
	expect "$name, $variant: sums by kernel" by_kernel "$variant"
}

short="--set sm.limiter.dwtcs.period=300 --set sm.bypass.stream.period=300 --set l2.bypass.stream.period=300"
for name in $six; do
	command="$build/bench/$name $(size_of $name)"
	under gtx480 -c configs/gtx480.yaml
	under lrr -c configs/gtx480.yaml --set sm.scheduler.policy=lrr
	under 48k -c configs/gtx480-l1-48k.yaml
	under mrpb -c configs/mrpb-base-s.yaml -c configs/+mrpb.yaml
	under dwtpric -c configs/dwtcs-gtx480.yaml -c configs/+pric.yaml -c configs/+dwtcs.yaml \
		-c configs/+stream.yaml $short
	under volta -c configs/volta-l1.yaml
	under without-l1 --set sm.l1d.enabled=false
	under values --functional
	under torture -c tests/configs/torture.yaml
	verify "$name again" again -c configs/gtx480.yaml --set dram.check=true -- $command
	totals "$out/again/stats.txt" >"$out/second"
	totals "$out/gtx480/stats.txt" >"$out/first"
	expect "$name: the second run is the same" same_statistics "$out/first" "$out/second"
	# The same runs under many configurations leak in one if they leak in all: the first program looks for
	# leaks.
	! sanitized || ASAN_OPTIONS="$ASAN_OPTIONS:$no_leaks"
done

# values do not depend on timing: the same bytes from every policy
syrk() {
	rm -f "$out/c.bin"
	"$lockstep" launch benchmarks/peer/ptx/syrk.ptx syrk --grid 1,4 --block 32,8 --arg f32=1.5 \
		--arg f32=0.5 \
		--arg "f32[1024]=random(1)" --arg "f32[1024]=random(2)" --arg s32=32 --arg s32=32 \
		--save 3:"$out/c.bin" -q -o "$out/launch" "$@"
}
reference=""
for option in "--functional" "--set sm.scheduler.policy=gto" "--set sm.scheduler.policy=lrr" \
	"-c configs/gtx480-l1-48k.yaml" "-c configs/volta-l1.yaml" "--set sm.l1d.enabled=false" \
	"-c tests/configs/torture.yaml" "--set dram.scheduler.policy=fcfs" \
		"--set dram.scheduler.fr_fcfs.row_hit_cap=4" \
	"--set dram.mapping=row:bank^row:column:group^row.2:channel+row:column7" \
	"--set dram.mapping=row:bank:column:channel+polynomial:column8" "--set sm.scheduler.policy=gty" \
	"--set dram.row_policy=closed" "--set sm.schedulers=1" "--set gpu.sms=1" \
	"--set sm.issue_width=2" "--set sm.register_banks=1" "--set sm.result_buses=1" \
		"--set sm.fetch_prefetch=0" \
	"--set sm.instruction.enabled=false" \
	"--set xbar.network=ideal" "--set xbar.network=fixed" "--set xbar.voq=true --set xbar.arbiter=islip" \
	"--set xbar.voq_replies=true" \
	"--set sm.limiter.policy=ccws" "--set sm.scheduler.policy=two_level" \
	"--set gpu.dispatch.policy=fill" "--set gpu.dispatch.policy=block" \
	"--set gpu.dispatch.max_ctas_per_sm=1"; do
	[ -z "$reference" ] || turn || continue
	expect "syrk under $option" syrk --set dram.check=true $option
	sum=$(cksum <"$out/c.bin")
	[ -n "$reference" ] || reference=$sum
	expect "syrk computes the same under $option" [ "$sum" = "$reference" ]
done

# the command trace: as many lines of each kind as the statistics count, bursts in their order, only of open
# rows
verify "a DRAM trace" trace --set dram.trace=true --set l2.sets=1 -- "$build/bench/polybench/gemm" 96
trace_adds_up() {
	totals "$out/trace/stats.txt" | awk '
	FILENAME == "-" { v[$1] = $2; next }
	/^#/ { next }
	NF != 6 { print "  not six fields: " $0; bad = 1; exit }
	$1 + 0 < last[$2] + 0 { print "  out of order: " $0; bad = 1 }
	{ last[$2] = $1; n[$3]++; at = $2 "," $4 }
	$3 == "ACT" { if (at in row) { print "  open already: " $0; bad = 1 } row[at] = $5 }
	$3 == "PRE" { if (!(at in row)) { print "  closed already: " $0; bad = 1 } delete row[at] }
	($3 == "RD" || $3 == "WR") && row[at] != $5 { print "  not the open row: " $0; bad = 1 }
	function same(kind, name) { if (n[kind] + 0 != v["dram." name] || !n[kind]) {
		print "  " kind ": " n[kind] + 0 ", counted " v["dram." name]; bad = 1 } }
	END { same("ACT", "activates"); same("PRE", "precharges"); same("RD", "read_bursts");
		same("WR", "write_bursts"); same("REF", "refreshes"); exit bad }
' - "$out/trace/dram-trace.txt"
}
expect "the DRAM trace" trace_adds_up
refuses 'dram.trace: a trace is written into the output folder' \
	"$lockstep" run -q -o "" --set dram.trace=true -- "$build/bench/polybench/gemm" 32

# the constant cache: right values, every look-up accounted for, and none while it is off
constants_add_up() {
	totals "$out/launch/stats.txt" | awk '
		function c(name) { return v["sm.constant." name] }
		{ v[$1] = $2 }
		END { exit !(c("accesses") == 3 && c("hits") + c("misses") + c("merged") + c("sent") == 3 &&
			v["xbar.request.packets"] == c("misses") + c("sent") + v["sm.line_requests"] + \
				v["sm.instruction.misses"]) }'
}
for option in "-c configs/gtx480.yaml" "-c tests/configs/torture.yaml" "--set sm.constant.enabled=false"; do
	answers 0 ' 1168$' "$lockstep" launch tests/cli/ptx/constant.ptx k --grid 1 --block 32 \
		--arg "u32[32]=zero" \
		--sum 0 -q -o "$out/launch" $option
	expect "constants under $option" constants_add_up
done

# local memory: right values, and every packet accounted for, whether stores stay in the L1 or go through
l1=--set\ sm.l1d
for option in "" "$l1.write_local=through" "-c tests/configs/torture.yaml" "-c configs/volta-l1.yaml" \
	"$l1.ways=1 $l1.miss_queue=1" \
	"$l1.allocate=on_fill $l1.ways=1 $l1.miss_queue=1" "$l1.sectors=4 $l1.replace=plru" \
		"$l1.enabled=false" \
	"$l1.mshrs_per_warp=1 $l1.fill_port_bytes=32 $l1.data_port_bytes=32" \
		"$l1.ways=128 $l1.sets=1 $l1.index=linear" \
	"$l1.replace=srrip $l1.index=xor --set l2.replace=random --set l2.index=xor" \
		"$l1.sets=1024 $l1.ways=128 $l1.index=linear"; do
	turn || continue
	answers 0 ' 2949120$' "$lockstep" launch tests/cli/ptx/local.ptx k --grid 20 --block 256 \
		--arg "u32[5120]=zero" --arg u32=4 --sum 0 -q -o "$out/local" -c configs/gtx480.yaml $option
	expect "local memory under $option: conservation" conserves local
done

# vector levels: the same bytes
for level in $vector_levels; do
	LOCKSTEP_VECTOR=$level
	export LOCKSTEP_VECTOR
	expect "vector level $level" syrk
	expect "vector level $level computes the same" [ "$(cksum <"$out/c.bin")" = "$reference" ]
	unset LOCKSTEP_VECTOR
done

# the quick commands of README.md and of docs, word for word; cookbook.sh runs those of docs/user
awk '/^```/ { code = !code; next }
	code { sub(/ +#.*/, ""); if (sub(/\\$/, "") || /\|$/) { line = line $0; next } print line $0;
		line = "" }' README.md docs/user/triton.md $(ls docs/*.md docs/*/*.md | grep -v docs/user) |
	grep -E '^build/bin/lockstep (launch|list|config|ptx) ' | sort -u >"$out/commands"
mkdir "$out/tree" # what they write stays there
ln -s "$PWD"/* "$out/tree"
while read -r command; do
	expect "documentation: $command" eval "(cd '$out/tree' && $command)"
done <"$out/commands"
expect "README.md and docs have commands" [ -s "$out/commands" ]
finish
