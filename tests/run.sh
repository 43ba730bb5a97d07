#!/bin/sh
# Whole-program tests: benchmarks verify themselves under every policy, statistics repeat to the last digit and equal the golden ones,
# values do not depend on timing options, and mistakes end in clear messages. UPDATE=1 re-records tests/golden (say why in the commit).
set -u
build=${1:-build}
lockstep=$build/bin/lockstep
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
passed=0
failed=0
# what the scripts below build themselves must match the library they run on
case $build in *address*) SANITIZE=-fsanitize=address,undefined ASAN_OPTIONS=handle_sigill=1; export SANITIZE ASAN_OPTIONS ;; esac

ok() { passed=$((passed + 1)); }
not_ok() { failed=$((failed + 1)); echo "not ok: $*"; }

# run LABEL OUTDIR options... -- program args...: the program must say PASS and exit with 0; every DRAM command is verified
run() {
	label=$1; dir=$2; shift 2
	if "$lockstep" run -q -o "$dir" --set dram.check=true "$@" >"$out/log" 2>&1 && grep -q PASS "$out/log"; then ok; else not_ok "$label"; tail -n 5 "$out/log"; fi
}

# the statistics of the whole run, without the line that names it
totals() { awk '/Begin Simulation Statistics/ { t = /total/; next } t' "$1/stats.txt"; }

# what goes in comes out: the sums that must hold in every run
conserve() {
	awk -f tests/memory/conserve.awk "$2/config.yaml" "$2/stats.txt" >"$out/sums" && ok || { not_ok "$1: conservation"; cat "$out/sums"; }
}

# kernels by themselves, and streams, add up to the machine
by_kernel() {
	awk '/Begin Simulation Statistics/ { total = /total of/; kernel = /# kernel/ }
		total { v[$1] = $2 }
		kernel && /^kernel\./ { sum[$1] += $2 }
		/^stream\./ { v[$1] = $2 }
		function same(what, a, b) { if (a == "" || a + 0 != b + 0) { print "  " what ": " a " and " b; bad = 1 } }
		END {
			n = split("warp_instructions thread_instructions issued::ldst branches divergent_branches barriers loads stores atomics " \
				"shared_accesses shared_conflict_cycles line_requests ctas", names, " ")
			for (i = 1; i <= n; i++) same(names[i], v["sm." names[i]], sum["kernel." names[i]])
			same("L1 hits", v["sm.l1d.hits"], sum["kernel.l1_hits"])
			same("L1 misses", v["sm.l1d.misses"], sum["kernel.l1_misses"])
			same("L1 merged", v["sm.l1d.merged"], sum["kernel.l1_merged"])
			same("cycles", v["gpu.cycles"], sum["kernel.cycles"])
			same("load latency samples", v["sm.load_latency::samples"], sum["kernel.load_samples"])
			same("instructions by stream", v["stream.thread_instructions"], v["gpu.thread_instructions"])
			same("kernels by stream", v["stream.kernels"], v["gpu.kernels"])
			same("time by stream", v["stream.busy"], v["gpu.picoseconds"])
			exit bad
		}' "$2/stats.txt" >"$out/sums" && ok || { not_ok "$1: by kernel"; cat "$out/sums"; }
}

# Scripts, two at a time, the long ones first, beside what follows here; each writes its log and its status, looked at in the end.
scripts="tests/sweep/run.sh tests/cli/cases.sh tests/memory/conserve.sh tests/host/streams.sh tests/threads.sh tests/ptx/oracle.sh tests/micro.sh tests/ptx/random/run.sh tests/ptx/verdicts.sh tests/policy/cross.sh
	tests/policy/workloads.sh tests/policy/pairs.sh
	tests/cli/series.sh tests/cli/gpgpusim.sh tests/cli/import.sh tests/cli/cut.sh tests/cli/figures.sh tests/ptx/registers.sh tests/ptx/conformance/run.sh tests/host/texture.sh tests/observe.sh tests/cli/profile.sh tests/report.sh tests/cli/bench.sh tests/cli/interrupt.sh tests/cli/diff.sh tests/speed/test.sh tests/host/driver_api.sh tests/host/cuda_header.sh
	tests/ptx/math/run.sh tests/policy/run.sh tests/policy/dwtcs.sh tests/policy/l2.sh tests/policy/mrpb.sh tests/workloads.sh tests/workloads_graph.sh tests/memory/torture.sh tests/validate.sh tests/large.sh"
[ -n "${SANITIZE:-}" ] || scripts="tests/slurm/run.sh $scripts"
# The same runs under many configurations leak in one if they leak in all: looking for leaks takes a third of a short run under sanitizers,
# and where memory came from a tenth, which is looked for in a run by hand.
short=$([ -z "${SANITIZE:-}" ] || echo "$ASAN_OPTIONS:detect_leaks=0:malloc_context_size=1")
no_leaks=" tests/policy/cross.sh tests/policy/pairs.sh tests/policy/workloads.sh tests/policy/dwtcs.sh tests/policy/mrpb.sh tests/memory/conserve.sh tests/threads.sh tests/micro.sh tests/host/streams.sh tests/cli/series.sh tests/observe.sh tests/memory/torture.sh "
mkdir "$out/scripts"
for script in $scripts; do echo "$script"; done |
	xargs -P 2 -I SCRIPT sh -c 'log=$1/$(echo "$2" | tr / _); case $4 in *" $2 "*) [ -z "$5" ] || export ASAN_OPTIONS="$5" ;; esac; sh "$2" "$3" >"$log.log" 2>&1; echo $? >"$log.status"' - "$out/scripts" SCRIPT "$build" "$no_leaks" "$short" &

small_vectoradd="10007"; small_gemm="40"; small_atax="130 70"; small_reduction="5003"; small_bfs="700"; small_histogram="6001"
for program in sdk/vectoradd polybench/gemm polybench/atax sdk/reduction rodinia/bfs sdk/histogram; do
	b=${program##*/}
	eval "args=\$small_$b"
	run "$b under gto" "$out/$b-gto" -c configs/gtx480.yaml -- "$build/bench/$program" $args
	run "$b under lrr" "$out/$b-lrr" -c configs/gtx480.yaml --set sm.scheduler.policy=lrr -- "$build/bench/$program" $args
	run "$b with 48 KB of L1" "$out/$b-48k" -c configs/gtx480-l1-48k.yaml -- "$build/bench/$program" $args
	run "$b under MRPB" "$out/$b-mrpb" -c configs/mrpb-base-s.yaml -c configs/+mrpb.yaml -- "$build/bench/$program" $args
	run "$b under DWT-PRIC" "$out/$b-dwtpric" -c configs/dwtcs-gtx480.yaml -c configs/+pric.yaml -c configs/+dwtcs.yaml -c configs/+stream.yaml \
		--set sm.limiter.dwtcs.period=300 --set sm.bypass.stream.period=300 --set l2.bypass.stream.period=300 -- "$build/bench/$program" $args
	run "$b with the L1 of a Volta" "$out/$b-volta" -c configs/volta-l1.yaml -- "$build/bench/$program" $args
	run "$b without L1" "$out/$b-nol1" --set sm.l1d.enabled=false -- "$build/bench/$program" $args
	run "$b, values only" "$out/$b-f" --functional -- "$build/bench/$program" $args
	run "$b with every queue of size 1" "$out/$b-1" -c tests/configs/torture.yaml -- "$build/bench/$program" $args
	for variant in gto lrr 48k mrpb dwtpric volta nol1 1; do conserve "$b-$variant" "$out/$b-$variant"; by_kernel "$b-$variant" "$out/$b-$variant"; done
	run "$b again" "$out/$b-again" -c configs/gtx480.yaml -- "$build/bench/$program" $args
	if totals "$out/$b-gto" >"$out/a" && totals "$out/$b-again" >"$out/b" && [ -s "$out/a" ] && cmp -s "$out/a" "$out/b"; then ok
	else not_ok "$b: two runs differ"; fi
	[ -z "$short" ] || export ASAN_OPTIONS="$short" # from the second program on
done

# golden statistics: two benchmarks on four configurations
for b in gemm atax; do
	for c in gto 48k mrpb dwtpric; do
		golden=tests/golden/$b-$c.stats
		totals "$out/$b-$c" >"$out/now"
		if [ "${UPDATE:-}" = 1 ]; then cp "$out/now" "$golden"; fi
		if cmp -s "$out/now" "$golden"; then ok; else not_ok "$b-$c: statistics are not the golden ones"; diff "$golden" "$out/now" | head -n 10; fi
	done
done

# values do not depend on timing: the same bytes from every policy
reference=""
for option in "--functional" "--set sm.scheduler.policy=gto" "--set sm.scheduler.policy=lrr" "-c configs/gtx480-l1-48k.yaml" "-c configs/volta-l1.yaml" "--set sm.l1d.enabled=false" \
	"-c tests/configs/torture.yaml" "--set dram.scheduler.policy=fcfs" "--set dram.scheduler.fr_fcfs.row_hit_cap=4" "--set dram.mapping=row:bank^row:column:group^row.2:channel+row:column7" \
	"--set dram.row_policy=closed" "--set sm.schedulers=1" "--set gpu.sms=1" \
	"--set sm.issue_width=2" "--set sm.register_banks=1" "--set sm.result_buses=1" "--set sm.fetch_prefetch=0" "--set sm.instruction.enabled=false" \
	"--set xbar.network=ideal" "--set xbar.network=fixed" "--set xbar.voq=true --set xbar.arbiter=islip" \
	"--set sm.limiter.policy=ccws" "--set sm.scheduler.policy=two_level" \
	"--set gpu.dispatch.policy=fill" "--set gpu.dispatch.policy=block" "--set gpu.dispatch.max_ctas_per_sm=1"; do
	if "$lockstep" launch benchmarks/peer/ptx/syrk.ptx syrk --grid 1,4 --block 32,8 --arg f32=1.5 --arg f32=0.5 \
		--arg "f32[1024]=random(1)" --arg "f32[1024]=random(2)" --arg s32=32 --arg s32=32 --save 3:"$out/c.bin" -q -o "$out/launch" \
		--set dram.check=true $option >"$out/log" 2>&1; then
		sum=$(cksum <"$out/c.bin")
		[ -n "$reference" ] || reference=$sum
		if [ "$sum" = "$reference" ]; then ok; else not_ok "syrk computes something else under $option"; fi
	else
		not_ok "syrk under $option"; tail -n 3 "$out/log"
	fi
done

# the command trace: as many lines of each kind as the statistics count, bursts in their order, only of open rows
run "a DRAM trace" "$out/trace" --set dram.trace=true --set l2.sets=1 -- "$build/bench/polybench/gemm" 96
totals "$out/trace" | awk '
	FILENAME == "-" { v[$1] = $2; next }
	/^#/ { next }
	NF != 6 { print "  not six fields: " $0; bad = 1; exit }
	$1 + 0 < last[$2] + 0 { print "  out of order: " $0; bad = 1 }
	{ last[$2] = $1; n[$3]++; at = $2 "," $4 }
	$3 == "ACT" { if (at in row) { print "  open already: " $0; bad = 1 } row[at] = $5 }
	$3 == "PRE" { if (!(at in row)) { print "  closed already: " $0; bad = 1 } delete row[at] }
	($3 == "RD" || $3 == "WR") && row[at] != $5 { print "  not the open row: " $0; bad = 1 }
	function same(kind, name) { if (n[kind] + 0 != v["dram." name] || !n[kind]) { print "  " kind ": " n[kind] + 0 ", counted " v["dram." name]; bad = 1 } }
	END { same("ACT", "activates"); same("PRE", "precharges"); same("RD", "read_bursts"); same("WR", "write_bursts"); same("REF", "refreshes"); exit bad }
' - "$out/trace/dram-trace.txt" >"$out/log" && ok || { not_ok "the DRAM trace"; head -n 5 "$out/log"; }
if "$lockstep" run -q -o "" --set dram.trace=true -- "$build/bench/polybench/gemm" 32 >"$out/log" 2>&1; then not_ok "a trace without an output folder"
else grep -q 'dram.trace: a trace is written into the output folder' "$out/log" && ok || { not_ok "a trace without an output folder"; cat "$out/log"; }; fi

# the constant cache: right values, every look-up accounted for, and none while it is off
for option in "-c configs/gtx480.yaml" "-c tests/configs/torture.yaml" "--set sm.constant.enabled=false"; do
	if "$lockstep" launch tests/cli/ptx/constant.ptx k --grid 1 --block 32 --arg "u32[32]=zero" --sum 0 -q -o "$out/launch" \
		$option >"$out/log" 2>&1 && grep -qw 1168 "$out/log" && totals "$out/launch" | awk '{ v[$1] = $2 }
		END { exit !(v["sm.constant.accesses"] == 3 && v["xbar.request.packets"] == v["sm.constant.misses"] + v["sm.constant.sent"] + v["sm.line_requests"] + v["sm.instruction.misses"] &&
			v["sm.constant.hits"] + v["sm.constant.misses"] + v["sm.constant.merged"] + v["sm.constant.sent"] == 3) }'
	then ok; else not_ok "constants under $option"; tail -n 3 "$out/log"; fi
done

# local memory: right values, and every packet accounted for, whether stores stay in the L1 or go through
l1=--set\ sm.l1d
for option in "" "$l1.write_local=through" "-c tests/configs/torture.yaml" "-c configs/volta-l1.yaml" "$l1.ways=1 $l1.miss_queue=1" \
	"$l1.allocate=on_fill $l1.ways=1 $l1.miss_queue=1" "$l1.sectors=4 $l1.replace=plru" "$l1.enabled=false" \
	"$l1.mshrs_per_warp=1 $l1.fill_port_bytes=32 $l1.data_port_bytes=32" "$l1.ways=128 $l1.sets=1 $l1.index=linear" \
	"$l1.replace=srrip $l1.index=xor --set l2.replace=random --set l2.index=xor" "$l1.sets=1024 $l1.ways=128 $l1.index=linear"; do
	if "$lockstep" launch tests/cli/ptx/local.ptx k --grid 20 --block 256 --arg "u32[5120]=zero" --arg u32=4 --sum 0 -q -o "$out/local" \
		-c configs/gtx480.yaml $option >"$out/log" 2>&1 && grep -qw 2949120 "$out/log"; then ok; else not_ok "local memory under $option"; tail -n 3 "$out/log"; fi
	conserve "local memory under $option" "$out/local"
done

# vector levels: the same bytes
for level in base v3 v4; do
	if LOCKSTEP_VECTOR=$level "$lockstep" launch benchmarks/peer/ptx/syrk.ptx syrk --grid 1,4 --block 32,8 --arg f32=1.5 --arg f32=0.5 \
		--arg "f32[1024]=random(1)" --arg "f32[1024]=random(2)" --arg s32=32 --arg s32=32 --save 3:"$out/c.bin" -q -o "$out/launch" \
		>"$out/log" 2>&1 && [ "$(cksum <"$out/c.bin")" = "$reference" ]; then ok; else not_ok "vector level $level"; fi
done

# the quick commands of README.md and docs, word for word
awk '/^```/ { code = !code; next } code { sub(/ +#.*/, ""); if (sub(/\\$/, "")) { line = line $0; next } print line $0; line = "" }' README.md docs/*.md |
	grep -E '^build/bin/lockstep (launch|list|config|ptx) ' | sort -u >"$out/commands"
while read -r command; do
	if eval "$command" >"$out/log" 2>&1; then ok; else not_ok "documentation: $command"; tail -n 3 "$out/log"; fi
done <"$out/commands"
[ -s "$out/commands" ] && ok || not_ok "README.md and docs have no commands"

wait
for script in $scripts; do
	log=$out/scripts/$(echo "$script" | tr / _).log
	if [ "$(cat "${log%.log}.status")" = 0 ]; then
		n=$(sed -n 's/^\([0-9]*\) passed, .*/\1/p' "$log" | tail -n 1)
		passed=$((passed + ${n:-1}))
		grep -iE 'skip|passed .* refused$|^note: ' "$log" || true
	else
		not_ok "$script"; grep -v '^ok' "$log" | tail -n 60
	fi
done

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
