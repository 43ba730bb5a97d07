#!/bin/sh
# tests/threads.sh BUILD -- any number of host threads (--threads) gives the same results as one, byte for
# byte: workloads, every policy that `lockstep list` names, every configuration; output folders, what is
# printed, values, notes, faults and reports of hangs. What does not run on several threads says so. Wrong
# numbers are refused. A sample, under the sanitizers a smaller one; under ThreadSanitizer (a build folder *thread*) without
# a report.
. tests/lib.sh
sample 10 4
always_parallel
case $build in *thread*) step=12; TSAN_OPTIONS="halt_on_error=1 ${TSAN_OPTIONS:-}"; export TSAN_OPTIONS ;; \
	esac

# every step-th of what is tried; by turns on a GTX 480 and on a machine that is wide enough for every phase
# to be spread
next() {
	if [ $(((turns + 1) / step % 2)) = 0 ]; then machine= threads=2; else machine=$wide threads=3; fi
	turn
}
wide="--set gpu.sms=48 --set gpu.partitions=32"

# one run: its folder, without the option that is compared
once() {
	to=$1 n=$2 command=$3; shift 3
	rm -rf "$out/run" "$out/$to"
	"$lockstep" $command --threads "$n" -q -o "$out/run" "$@" >"$out/printed$to" 2>"$out/error$to"
	status=$?
	grep -v '^lockstep: note: --threads' "$out/error$to" >"$out/said$to"
	mkdir -p "$out/run" && mv "$out/run" "$out/$to"
	find "$out/$to" -type f -exec sed -i "s/ --threads $n / /" {} +
	return $status
}

# compare LABEL THREADS COMMAND options...: the command (run or launch) with 1 and with so many threads
compare() {
	label=$1 threads=$2 command=$3; shift 3
	once 1 1 $command "$@"
	one=$?
	once n $threads $command "$@"
	many=$?
	if [ $one != $many ]; then
		not_ok "$label: exit status $one alone, $many with $threads threads"; tail -n 20 "$out/errorn"
	elif ! diff "$out/printed1" "$out/printedn" >"$out/diff" ||
		! diff "$out/said1" "$out/saidn" >"$out/diff" ||
			! diff -r "$out/1" "$out/n" >"$out/diff" 2>&1; then
		not_ok "$label with $threads threads"; head -n 8 "$out/diff"
	else ok; fi
}

# fine LABEL ...: and the command succeeds
fine() {
	compare "$@"
	[ "$one" = 0 ] || { not_ok "$1: fails"; tail -n 3 "$out/error1"; }
}

program() { echo "$build/bench/$1" $(larger_size_of "$1"); }

# what a policy decides shows best where caches, atomics and barriers have work
programs="polybench/atax sdk/histogram polybench/gemm rodinia/bfs sdk/reduction sdk/vectoradd"
next_program() { set -- $programs; now=$1; shift; programs="$* $now"; }

# ---- workloads, tiny ----

# every fourth workload; with FULL=1 all
some=$(if full; then echo all; else ls benchmarks/*/*/host.c | awk -F / '$2 != "ai" && n++ % 4 == 0 { print $2 "/" $3 }'; fi)
batch() {
	"$lockstep" bench run $some --size tiny "$@" >"$out/log" 2>&1 ||
		{ not_ok "lockstep bench $*"; tail -n 3 "$out/log"; }
}
if [ $step -le 4 ]; then
	batch -j 2 -o "$out/bench1"
	batch -j 1 --threads 2 -o "$out/bench2"
	for stats in $(cd "$out/bench1" && find . -name stats.txt); do
		expect "${stats%/stats.txt}, tiny, with 2 threads" \
			same_statistics "$out/bench1/$stats" "$out/bench2/$stats"
	done
fi

# ---- every policy ----

# the parameters of one row of `lockstep list policies`, and its policies
while read -r key options; do
	for policy in $(policies "$key"); do
		[ "$key $policy" != "sm.stall_bypass.policy stream" ] ||
			continue # decides before the look-up: refused there
		next || continue
		settings=
		for option in $options; do case $option in *=*) settings="$settings --set $option" ;; *) \
			settings="$settings --set $option=$policy" ;; esac; done
		next_program
		fine "$now under $key $policy $machine" $threads run $machine $settings -- $(program "$now")
	done
done <<END
gpu.dispatch.policy gpu.dispatch.policy
sm.scheduler.policy sm.scheduler.policy
sm.limiter.policy sm.limiter.policy
sm.coalescer.policy sm.coalescer.policy sm.lsu_replay=false
sm.request_buffer.policy sm.request_buffer.policy sm.lsu_replay=false
sm.bypass.policy sm.bypass.policy
index sm.l1d.index
replace sm.l1d.replace l2.replace
l2.warp_type.policy l2.warp_type.policy
l2.bypass.policy l2.bypass.policy l2.warp_type.policy=hit_ratio l2.warp_type.hit_ratio.warmup=3
l2.insertion.policy l2.insertion.policy l2.warp_type.policy=hit_ratio l2.warp_type.hit_ratio.warmup=3
xbar.network xbar.network
dram.scheduler.policy dram.scheduler.policy l2.warp_type.policy=hit_ratio l2.warp_type.hit_ratio.warmup=3
END

# ---- configurations, and what else changes the way through the machine ----

while read -r options; do
	next || continue
	next_program
	fine "$now, $options $machine" $threads run $options $machine -- $(program "$now")
done <<END
-c configs/gtx480-papers.yaml
-c configs/volta-l1.yaml
-c tests/configs/torture.yaml
-c tests/configs/torture-odd.yaml
--set sm.l1d.enabled=false --set sm.instruction.enabled=false
--set sm.lsu_replay=true
--set sm.stall_bypass.policy=stalls --set sm.bypass.policy=stream --set sm.l1d.ways=1
--set sm.issue_width=2 --set sm.schedulers=1
--set xbar.voq=true --set xbar.arbiter=islip
--set xbar.arbiter=age
--set l2.banks=1 --set dram.row_policy=closed --set dram.check=true
--set l2.halves=true --set l2.ways=2
--set gpu.core_mhz=700 --set gpu.xbar_mhz=700 --set gpu.l2_mhz=700 --set gpu.dram_mhz=700
--set gpu.hang_check=1000
--set sm.bypass.policy=stream --set sm.bypass.stream.period=300 \
	--set l2.bypass.policy=stream --set l2.bypass.stream.period=200
-c configs/+medic.yaml --set l2.ways=1
--set sm.l1d.index=pric --set l2.index=pric --set sm.bypass.policy=stream \
	--set sm.bypass.stream.period=1000 --set sm.bypass.stream.miss_rate=40
--set observe.miss_classes=true --set observe.contention=true --set observe.locality=true
--set observe.bandwidth=true --set observe.requests=true --set observe.queue_delay=true \
	--set observe.accesses=true --set observe.occupancy=true --set observe.warps.enabled=true \
	--set observe.instructions=true
--series 500:*
--max-instructions 50000
--warmup-ctas 3 --max-ctas 20
END

# ---- more threads than there are components, or processors ----

for count in 4 7 64; do
	next || continue
	fine "gemm" $count run -- $(program polybench/gemm)
	fine "atax, wide" $count run $wide -- $(program polybench/atax)
done

# ---- bulk copies, on all SMs of an H200 ----

for count in 2 4; do
	fine "bulk copies" $count launch -c h200 benchmarks/validate/copies.ptx ring --grid 132 --block 32 --shared 16384 \
		--arg 'u32[270336]=iota' --arg 'u64[264]=zero' --arg u64=8192 --arg u32=4096 --arg u32=4 --arg u32=8
done

# ---- a ring of CTAs over the network of clusters ----

for count in 2 4; do
	fine "clusters" $count launch -c h200 tests/hopper/cluster_sums.ptx cluster_ring --grid 132 --cluster 4 --block 64 \
		--arg 's32[8448]=zero'
done

# ---- what one thread does nevertheless ----

# told WORDS options...: the same results, and the note
told() {
	words=$1; shift
	fine "gemm, $*" 2 run "$@" -- $(program polybench/gemm)
	grep -q "^lockstep: note: --threads: one thread alone simulates $words" "$out/errorn" && ok ||
		not_ok "no note about --threads with $*"
}
if [ $step -le 4 ]; then
	told "the SMs with --profile" --profile
	told "DRAM with dram.trace" --set dram.trace=true
	told "the L2 with observe.requests" --set observe.warps.enabled=true
	"$lockstep" run --threads 2 --host-profile -q -o "$out/host" -- $(program polybench/gemm) \
		>"$out/log" 2>&1
	grep -q '^lockstep: note: --threads: one thread alone simulates with --host-profile' "$out/log" &&
		ok ||
		not_ok "no note about --threads with --host-profile"
fi

# ---- values, notes, faults, hangs ----

if [ $step -le 4 ]; then
	for threads in 1 2 5; do
		"$lockstep" launch benchmarks/peer/ptx/syrk.ptx syrk --threads $threads --grid 2,8 \
			--block 32,8 \
			--arg f32=1.5 --arg f32=0.5 --arg "f32[4096]=random(1)" \
			--arg "f32[4096]=random(2)" --arg s32=64 --arg s32=64 --save 3:"$out/values$threads" \
				-q -o "" \
				>"$out/log" 2>&1 || { not_ok "syrk"; tail -n 3 "$out/log"; }
	done
	for threads in 2 5; do
		if [ -s "$out/values1" ] && cmp -s "$out/values1" "$out/values$threads"; then ok
			else not_ok \
			"syrk computes something else with $threads threads"; fi
	done
fi
notes() {
	fine "notes of $*" 3 launch tests/cli/ptx/hangs.ptx "$@"
	grep -q "^tests/cli/ptx/hangs.ptx.*: note: .*barrier" "$out/errorn" && ok ||
		{ not_ok "$1: no note"; cat "$out/errorn"; }
}
notes divergent_barrier --grid 60 --block 64 --arg 'u32[64]=zero'
notes left_behind --grid 60 --block 64
compare "a ring of warps that wait" 2 launch tests/cli/ptx/hangs.ptx ring --grid 20 --block 96
compare "a lock that is kept" 2 launch tests/cli/ptx/hangs.ptx lock_kept --grid 20 --block 64 \
	--set gpu.hang_check=2000
compare "a load out of bounds" 2 launch tests/cli/ptx/vecadd.ptx vecadd --grid 60 --block 256 \
	--arg 'f32[15360]=zero' --arg 'f32[4000]=iota' --arg 'f32[15360]=iota' --arg u32=15360
[ "$one" = 1 ] && grep -q 'outside every live allocation' "$out/error1" && ok ||
	{ not_ok "no fault"; cat "$out/error1"; }

# ---- wrong numbers ----

few "$out" polybench/gemm
for wrong in 0 -1 x 65 2x 99999999999999999999 ''; do
	for command in "run -q -o $out/wrong --threads" "bench run gemm --size tiny -o $out/wrong --threads"
		do
		rm -rf "$out/wrong"
		case $command in run*) tail=$(program polybench/gemm) ;; *) tail= ;; esac
		"$out/few/bin/lockstep" $command "$wrong" $tail >"$out/log" 2>&1
		status=$?
		if [ $status != 0 ] && [ ! -e "$out/wrong" ] &&
			grep -q -e "--threads $wrong: expected a number of host threads from 1 to 64" \
				"$out/log"; then ok
		else not_ok "$command '$wrong': status $status"; cat "$out/log"; fi
	done
done

finish
