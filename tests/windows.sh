#!/bin/sh
# tests/windows.sh BUILD -- SMs that run alone for a while, and a memory side that works ahead for them, give what SMs
# in step with it give, and a pipeline that was compiled for such machines gives what the general one gives, byte for
# byte: output folders, what is printed, faults, reports of hangs, values; under policies, observers, limits, series,
# several streams, and host threads. What looks on changes no result, not even that of a race. FULL=1: with all
# workloads, on six machines, too (make check-windows).
. tests/lib.sh
always_parallel
sample 10 4

# once FOLDER OPTION COMMAND options...: a run with `--set OPTION`
once() {
	to=$1 option=$2 command=$3; shift 3
	rm -rf "$out/run" "$out/$to"
	"$lockstep" $command -q -o "$out/run" --set $option "$@" >"$out/printed$to" 2>"$out/said$to"
	status=$?
	mkdir -p "$out/run" && mv "$out/run" "$out/$to"
	find "$out/$to" -type f -exec sed -i "s/$option//; /^  window: /d; /^  lookahead: /d; /^  specialised: /d; s/ --threads 2//" {} +
	return $status
}

# compare LABEL COMMAND options...: $apart, and with full windows (with $many in their command)
many=
in_step=gpu.window=1            # the memory side works ahead
not_ahead=gpu.lookahead=false   # it does not
apart=$not_ahead
compare() {
	label=$1 command=$2; shift 2
	once step $apart $command "$@"
	one=$?
	once full gpu.window=0 $command $many "$@"
	two=$?
	if [ $one != $two ]; then
		not_ok "$label: exit status $one with $apart, $two with windows"; tail -n 20 "$out/saidfull"
	elif ! diff "$out/printedstep" "$out/printedfull" >"$out/diff" ||
		! diff "$out/saidstep" "$out/saidfull" >"$out/diff" ||
			! diff -r "$out/step" "$out/full" >"$out/diff" 2>&1; then
		not_ok "$label against $apart"; head -n 8 "$out/diff"
	else ok; fi
}
fine() {
	compare "$@"
	[ "$one" = 0 ] || { not_ok "$1: fails"; tail -n 3 "$out/saidstep"; }
}
program() {
	case $1 in
	*/syrk) echo "$build/bench/$1" 48 48 ;;
	*/transpose-naive) echo "$build/bench/$1" 128 96 ;;
	*/hotspot) echo "$build/bench/$1" 64 64 2 ;;
	*/blackscholes) echo "$build/bench/$1" 4000 ;;
	*/spmv) echo "$build/bench/$1" 700 12 2 ;;
	*) echo "$build/bench/$1" $(size_of "$1") ;;
	esac
}

# ---- policies, machines, observers, limits: a line each, the program first ----

lines() {
	while read -r now options; do
		turn || continue
		fine "$now, $options" run $options -- $(program "$now")
	done
}
lines <<END
polybench/atax --set sm.scheduler.policy=lrr
sdk/vectoradd --set sm.scheduler.policy=two_level --set l2.sets=4
rodinia/bfs --set sm.limiter.policy=swl
polybench/atax --set sm.limiter.policy=ccws
polybench/atax --set sm.limiter.policy=dwtcs
polybench/gemm -c configs/mrpb-base-s.yaml -c configs/+mrpb.yaml
polybench/atax --set sm.stall_bypass.policy=stalls --set sm.bypass.policy=stream --set sm.l1d.ways=1
rodinia/bfs -c tests/configs/torture.yaml
polybench/atax -c tests/configs/torture-odd.yaml
sdk/reduction -c configs/volta-l1.yaml
polybench/syrk -c configs/warppool-gtx480.yaml -c configs/+banked.yaml
polybench/atax -c configs/medic-base.yaml -c configs/+medic.yaml
sdk/vectoradd --set dram.scheduler.policy=fcfs --set l2.ways=1
sdk/reduction --set xbar.network=ideal
sdk/vectoradd --set gpu.dispatch.policy=block --set sm.l1d.miss_queue=2
polybench/gemm --set gpu.dispatch.max_ctas_per_sm=2
sdk/vectoradd --set gpu.sms=2 --set gpu.cta_turnaround=37 --set sm.stores_hold_cta=false
polybench/gemm --set gpu.sms=2 --set gpu.dispatch.max_ctas_per_sm=2 --set gpu.cta_turnaround=300
sdk/transpose-naive --set xbar.voq=true --set xbar.arbiter=islip
polybench/2dconv --set xbar.voq_replies=true --set xbar.flit=8
rodinia/hotspot --set gpu.sms=60 --set gpu.partitions=2
polybench/2dconv --set gpu.sms=40 --set xbar.flit=4 --set sm.l1d.miss_queue=3
sdk/blackscholes --set gpu.sms=40 --set gpu.partitions=3 --set xbar.arbiter=age
sdk/vectoradd --set gpu.sms=40 --set xbar.voq=true --set xbar.flit=8
rodinia/hotspot --set sm.l1d.enabled=false --set sm.instruction.enabled=false
sdk/blackscholes -c configs/ga100.yaml
polybench/gemm --set observe.miss_classes=true --set observe.contention=true --set observe.locality=true
polybench/atax --set observe.bandwidth=true --set observe.occupancy=true --set observe.activity=true
polybench/gemm --set gpu.hang_check=1000
sdk/histogram --profile
parboil/spmv -c configs/gtx480.yaml
rodinia/bfs -c configs/v100.yaml
sdk/reduction -c configs/h200.yaml
polybench/atax -c configs/rtx2060s.yaml
END

# ---- a pipeline that was compiled for machines as this one against the general one (core/pipeline/specialise.h) ----

apart=sm.specialised=false
lines <<END
polybench/atax -c configs/gtx480.yaml
rodinia/bfs -c configs/v100.yaml
polybench/gemm -c configs/mrpb-base-s.yaml
sdk/reduction -c configs/h200.yaml
rodinia/hotspot -c configs/medic-base.yaml
sdk/histogram -c configs/rtx2060s.yaml --profile
polybench/syrk -c configs/dwtcs-gtx480.yaml --series 333:*
sdk/transpose-naive -c configs/a100.yaml --max-ctas 20
parboil/spmv --set sm.scheduler.policy=two_level
sdk/blackscholes -c configs/v100.yaml --set sm.scheduler.policy=lrr
END
many="--threads 2"
fine "a compiled pipeline, two threads" run -c configs/v100.yaml -- $(program polybench/gemm)
many=
apart=$not_ahead

# A request entered an L2 slice's pipeline in the cycle of one that was certain to, here alone.
fine "one request a cycle" run -c configs/mrpb-base-s.yaml --set l2.store_miss=allocate -- \
	"$build/bench/rodinia/hotspot-unshared" --size tiny

# ---- read while the memory side works: its own statistics are then as of later if it works ahead ----

apart=$in_step
lines <<END
polybench/atax --series 333:*
sdk/vectoradd --max-instructions 50000
rodinia/hotspot --max-instructions 20001
polybench/atax --max-cycles 3333
polybench/gemm --max-run-instructions 70000 --max-cycles 2500
polybench/2dconv --max-ctas 5
rodinia/hotspot -c configs/mrpb-base-s.yaml
polybench/gemm -c configs/ga100.yaml --set gpu.launch.first=0 --set gpu.launch.queued=0 --set gpu.launch.drain=0
END

# ---- several threads: whole epochs in parallel ----

many="--threads 2"
lines <<END
rodinia/bfs --set gpu.sms=48 --set gpu.partitions=32
polybench/atax -c configs/ga100.yaml
polybench/2dconv -c configs/v100.yaml
rodinia/hotspot --set gpu.sms=60 --set gpu.partitions=2
polybench/2dconv --set gpu.sms=32 --set gpu.cta_turnaround=150 --set sm.stores_hold_cta=false
END
many=

# ---- faults, hangs, several streams ----

compare "a load out of bounds" launch tests/cli/ptx/vecadd.ptx vecadd --grid 60 --block 256 \
	--arg 'f32[15360]=zero' --arg 'f32[4000]=iota' --arg 'f32[15360]=iota' --arg u32=15360
[ "$one" = 1 ] && grep -q 'outside every live allocation' "$out/saidfull" && ok ||
	{ not_ok "no fault"; cat "$out/saidfull"; }
compare "a ring of warps that wait" launch tests/cli/ptx/hangs.ptx ring --grid 20 --block 96
compare "a lock that is kept" launch tests/cli/ptx/hangs.ptx lock_kept --grid 20 --block 64 \
	--set gpu.hang_check=2000
cat >"$out/endless.ptx" <<'END'
.version 6.0
.target sm_60
.address_size 64
.visible .entry endless(.param .u64 buffer)
{
	.reg .b32 %r<3>;
	.reg .b64 %rd<2>;
	ld.param.u64 %rd1, [buffer];
AGAIN:
	ld.global.u32 %r1, [%rd1];
	add.u32 %r2, %r1, 1;
	st.global.u32 [%rd1], %r2;
	bra AGAIN;
}
END
compare "an endless loop" launch "$out/endless.ptx" endless --grid 20 --block 64 --arg 'u32[4]=zero' \
	--set gpu.hang_cycles=30000
compare "local memory" launch tests/cli/ptx/local.ptx k --grid 30 --block 256 --arg 'u32[7680]=zero' \
	--arg u32=4 --set sm.l1d.ways=1

compile overlap tests/sweep/overlap.c
compare "kernels of several streams" run --set gpu.sms=2 -- "$out/overlap"

# ---- a race: what a thread reads of another SM's stores is the same whatever looks on ----

cat >"$out/race.ptx" <<'END'
.version 6.0
.target sm_60
.address_size 64
// Threads read what those of the next CTA store, without any order between them: what a thread sees depends on when
// stores of others become visible.
.visible .entry race(.param .u64 buffer, .param .u32 count)
{
	.reg .b32 %r<12>;
	.reg .b64 %rd<8>;
	.reg .pred %p;
	ld.param.u64 %rd1, [buffer];
	ld.param.u32 %r10, [count];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	add.u32 %r5, %r4, %r2;
	rem.u32 %r5, %r5, %r10;
	mul.wide.u32 %rd2, %r4, 4;
	mul.wide.u32 %rd3, %r5, 4;
	add.u64 %rd4, %rd1, %rd2;
	add.u64 %rd5, %rd1, %rd3;
	mov.u32 %r6, 0;
LOOP:
	ld.global.u32 %r7, [%rd5];
	ld.global.u32 %r8, [%rd4];
	mad.lo.u32 %r8, %r8, 3, %r7;
	add.u32 %r8, %r8, 1;
	st.global.u32 [%rd4], %r8;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p, %r6, 60;
	@%p bra LOOP;
	ret;
}
END
race() {
	"$lockstep" launch "$out/race.ptx" race -q -o "$out/race" --grid 45 --block 96 --arg 'u32[4320]=iota' \
		--arg u32=4320 --save 0:"$out/values" "$@" >"$out/log" 2>&1 || { not_ok "race.ptx $*"; log_tail; }
	sed -n 's/^gpu.cycles *\([0-9]*\).*/\1/p; /^sm.issue_slots/p' "$out/race/stats.txt" | cat - "$out/values"
}
turns3=0
turn3() { turns3=$((turns3 + 1)); [ $((turns3 % 3)) = 0 ]; } # under the sanitizers every third
race >"$out/race-full"
while read -r options; do
	[ $step -lt 10 ] || turn3 || continue
	race $options >"$out/race-now"
	expect "a race, $options" cmp "$out/race-full" "$out/race-now"
done <<END
--set gpu.window=1
--set gpu.window=7
--set gpu.lookahead=false
--threads 2
--profile
--sanitize=memory
--series 100:*
--max-instructions 100000000
--max-cycles 1000000
--set observe.requests=true
--set observe.queue_delay=true
--set observe.miss_classes=true --set observe.locality=true
--set observe.instructions=true --set observe.warps.enabled=true
--set dram.trace=true
--set gpu.hang_check=100
--set gpu.hang_check=0
END
race --set l2.rop_latency=60 >"$out/race-now"
cmp -s "$out/race-full" "$out/race-now" && not_ok "a race is the same with epochs of another length" || ok

# ---- loads see what their SM has stored, in the same epoch ----

cat >"$out/own.ptx" <<'END'
.version 6.0
.target sm_60
.address_size 64
// Each thread stores words, halves and bytes, and reads them back at once, also as parts of wider words.
.visible .entry own(.param .u64 buffer, .param .u64 sums, .param .u32 rounds)
{
	.reg .b32 %r<20>, %rounds;
	.reg .b16 %h<4>;
	.reg .b64 %rd<12>;
	.reg .pred %p;
	ld.param.u64 %rd1, [buffer];
	ld.param.u64 %rd2, [sums];
	ld.param.u32 %rounds, [rounds];
	mov.u32 %r1, %ctaid.x;
	mov.u32 %r2, %ntid.x;
	mov.u32 %r3, %tid.x;
	mad.lo.u32 %r4, %r1, %r2, %r3;
	mul.wide.u32 %rd3, %r4, 16;
	add.u64 %rd4, %rd1, %rd3;
	mov.u32 %r5, 0;
	mov.u32 %r6, 0;
LOOP:
	add.u32 %r7, %r4, %r6;
	st.global.v2.u32 [%rd4], {%r7, %r4};
	st.global.u16 [%rd4+10], %r7;
	st.global.u8 [%rd4+13], %r6;
	ld.global.u64 %rd5, [%rd4];
	ld.global.v2.u32 {%r8, %r9}, [%rd4+8];
	ld.global.s8 %r10, [%rd4+13];
	ld.s16 %r11, [%rd4+10];
	cvt.u32.u64 %r12, %rd5;
	shr.u64 %rd6, %rd5, 32;
	cvt.u32.u64 %r13, %rd6;
	mad.lo.u32 %r5, %r5, 31, %r12;
	mad.lo.u32 %r5, %r5, 31, %r13;
	mad.lo.u32 %r5, %r5, 31, %r8;
	mad.lo.u32 %r5, %r5, 31, %r9;
	mad.lo.u32 %r5, %r5, 31, %r10;
	mad.lo.u32 %r5, %r5, 31, %r11;
	// the neighbour's words of the same CTA, behind a barrier
	bar.sync 0;
	xor.b32 %r14, %r3, 37;
	mad.lo.u32 %r14, %r1, %r2, %r14;
	mul.wide.u32 %rd7, %r14, 16;
	add.u64 %rd8, %rd1, %rd7;
	ld.global.u32 %r15, [%rd8+4];
	ld.global.u32 %r16, [%rd8];
	mad.lo.u32 %r5, %r5, 31, %r15;
	mad.lo.u32 %r5, %r5, 31, %r16;
	bar.sync 0;
	add.u32 %r6, %r6, 1;
	setp.lt.u32 %p, %r6, %rounds;
	@%p bra LOOP;
	mul.wide.u32 %rd9, %r4, 4;
	add.u64 %rd10, %rd2, %rd9;
	st.global.u32 [%rd10], %r5;
	ret;
}
END
rounds=200
! among_all || rounds=50
! sanitized || full || rounds=10
own() {
	to=$1; shift
	"$lockstep" launch "$out/own.ptx" own -q -o "" --grid 40 --block 128 --arg 'u32[20480]=zero' \
		--arg 'u32[5120]=zero' --arg u32=$rounds --save 1:"$out/own-$to" "$@" >"$out/log" 2>&1 ||
		{ not_ok "own.ptx $*"; log_tail; }
}
own functional --functional
own step --set gpu.window=1
own ahead --set gpu.lookahead=false
own full
own many --threads 2
for run in step ahead full many; do
	expect "own stores, $run" cmp "$out/own-functional" "$out/own-$run"
done
expect "and there is something in them" test "$(od -An -v -tu4 -w4 "$out/own-functional" | sort -u | wc -l)" -gt 5000

# ---- all workloads; those of benchmarks/ai on the machine that has what they use ----

older="ispass lonestar mars parboil polybench rodinia sdk"
[ -z "${FULL:-}" ] || for options in "-c configs/gtx480.yaml" "-c configs/ga100.yaml" \
	"-c configs/v100.yaml" "-c configs/h200.yaml" "-c configs/volta-l1.yaml --set sm.scheduler.policy=lrr" "--set gpu.sms=3 --set sm.l1d.miss_queue=4"; do
	for run in lookahead=false window=1 window=0; do
		"$lockstep" bench run $older $(case $options in *h200*) echo ai ;; esac) --size tiny -j 2 -o "$out/all-$run" --set gpu.$run $options \
			>"$out/log" 2>&1 || { not_ok "lockstep bench $options"; log_tail 3; }
	done
	for run in lookahead=false window=1; do
		for stats in $(cd "$out/all-$run" && find . -name stats.txt); do
			expect "${stats%/stats.txt}, tiny, $options, gpu.$run" \
				same_statistics "$out/all-$run/$stats" "$out/all-window=0/$stats"
		done
	done
done
[ -z "${FULL:-}" ] || for options in "-c configs/gtx480.yaml" "-c configs/v100.yaml" "-c configs/h200.yaml" \
	"-c configs/mrpb-base-s.yaml"; do
	for run in true false; do
		"$lockstep" bench run $older --size tiny -j 2 -o "$out/all-$run" --set sm.specialised=$run $options \
			>"$out/log" 2>&1 || { not_ok "lockstep bench $options"; log_tail 3; }
	done
	for stats in $(cd "$out/all-true" && find . -name stats.txt); do
		expect "${stats%/stats.txt}, tiny, $options, general pipeline" \
			same_statistics "$out/all-false/$stats" "$out/all-true/$stats"
	done
done
# how long they were, and why they ended: shares of all
"$lockstep" run -q --host-profile -o "$out/profiled" -- "$build/bench/sdk/vectoradd" 50000 >"$out/log" 2>&1
expect "the profile of the host counts windows" awk '$1 == "host.windows" { n = $2 } $1 == "host.window_cycles" { c = $2 }
	/^host.window_ends/ { sum += $2; ends++ } END { exit !(n > 10 && c > 1 && ends == 4 && sum > 0.999 && sum < 1.001) }' \
	"$out/profiled/host.txt"
# what threads could be worth: nothing beyond their number, and no less with more of them
expect "the profile of the host says what threads could be worth" awk '$1 == "host.serial" { serial = $2 }
	$1 == "host.forks::sm" { n = $2 } $1 == "host.fork_ticks::sm" { ticks = $2 }
	$1 == "host.imbalance::sm" { imbalance = $2 }
	/^host.speed_up::/ { threads = substr($1, 16); wrong += $2 < last || $2 < 1 || $2 > threads; last = $2; lines++ }
	END { exit !(n > 10 && ticks >= 2 && imbalance >= 0.99 && serial > 0 && serial < 1 && lines == 4 && !wrong) }' \
	"$out/profiled/host.txt"
finish
