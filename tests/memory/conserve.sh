#!/bin/sh
# tests/memory/conserve.sh BUILD -- six benchmarks, the micro-benchmarks, and kernels that use what these do
# not (constants, local memory, textures, surfaces, all cache operators, atomics), under memory systems of
# many kinds: right values, every DRAM command verified, and the sums of conserve.awk in every run. Every
# fourth run, under the sanitizers every 17th; with FULL=1 all.
. tests/lib.sh
sample 10 4


arguments_of() {
	case $1 in
	*/vectoradd) echo 3001 ;;
	*/gemm) echo 33 ;;
	micro | validate) echo latency ;;
	*) size_of "$1" ;;
	esac
}

# the kernels without a host program: what they leave in memory
launch() {
	program=$1; shift
	case $program in
	mixed) "$lockstep" launch tests/memory/mixed.ptx mixed --grid 9 --block 96 --arg 'u32[864]=zero' \
		--arg 'u32[4096]=random(3)' --arg 'u8[2592]=zero' \
		--arg 'u32[32]=zero' --save "0:$out/0" --save "2:$out/2" --save "3:$out/3" -q \
			-o "$out/run" "$@" ;;
	local) "$lockstep" launch tests/cli/ptx/local.ptx k --grid 7 --block 128 --arg 'u32[896]=zero' \
		--arg u32=3 --save "0:$out/0" -q -o "$out/run" "$@" ;;
	spmv) "$lockstep" launch benchmarks/peer/ptx/spmv.ptx spmv --grid 3 --block 128 --arg s32=300 \
		--arg 's32[400]=iota' --arg 's32[400]=iota' --arg 'f32[400]=random(1)' \
		--arg 'f32[400]=random(2)' --arg 'f32[400]=zero' --save "5:$out/0" -q -o "$out/run" "$@" ;;
	esac >"$out/log" 2>&1 && cat "$out"/[0-9] | cksum
}

# one PROGRAM options...
one() {
	program=$1; shift
	rm -rf "$out/run" "$out"/[0-9]
	case $program in
	texture) "$lockstep" run -q -o "$out/run" "$@" \
		-- "$out/texture" tests/ptx/texture.ptx tests/ptx/texref.ptx tests/ptx/sampler.ptx \
			>"$out/log" 2>&1 ;;
	mixed | local | spmv)
		got=$(launch "$program" "$@") || return 1
		eval "want=\$want_$program"
		[ "$got" = "$want" ] || { echo "left $got in memory, not $want" >"$out/log"; return 1; } ;;
	*) passes run "$@" -- "$build/bench/$program" $(arguments_of "$program") ;;
	esac
}

# under LABEL PROGRAMS options...
under() {
	label=$1 these=$2; shift 2
	for p in $these; do
		turn || continue
		if ! one "$p" --set dram.check=true --set observe.instances=never "$@"; then
			not_ok "$p under $label"
			log_tail
			continue
		fi
		ok
		expect "$p under $label: sums" conserves run
		sed -n '/total of/,$s/^\([a-z_0-9.:]*\) *[1-9].*/\1/p' "$out/run/stats.txt" >>"$out/all"
	done
}

# the same, all of these programs: what no other run shows
under_all() {
	step_=$step
	sanitized || step=1
	under "$@"
	step=$step_
}

compile texture tests/host/memory/texture.c
benches="$six micro validate" # the others: tests/workloads.sh
kernels="mixed local spmv"
for p in $kernels; do eval "want_$p=\$(launch $p --functional)"; rm -f "$out"/[0-9]; done
all="$benches $kernels texture"
some="polybench/atax rodinia/bfs sdk/histogram sdk/vectoradd $kernels"
: >"$out/all"

under gtx480 "$all" -c configs/gtx480.yaml
under gtx480-l1-48k "$some" -c configs/gtx480-l1-48k.yaml
under volta-l1 "$all" -c configs/volta-l1.yaml
under gtx470 "$some" -c configs/gtx470.yaml
under v100 "$all" -c configs/v100.yaml
for chip in p100 rtx2060s a100 h200; do under "$chip" "$some" -c "configs/$chip.yaml"; done
under torture "$all" -c tests/configs/torture.yaml
under "odd sizes" "$all" -c tests/configs/torture-odd.yaml
under "the L1 off" "$all" --set sm.l1d.enabled=false
under_all "all caches of the SM off" "$some texture" --set sm.l1d.enabled=false --set sm.texture.enabled=false \
	--set sm.constant.enabled=false --set sm.instruction.enabled=false
under "allocation on fill" "$some" --set sm.l1d.allocate=on_fill --set sm.l1d.ways=1 --set sm.l1d.miss_queue=1
under "a fully associative L1" "$some" --set sm.l1d.sets=1 --set sm.l1d.ways=128 --set sm.l1d.index=linear
under "a fully associative L1 of 48 KB" "$some" --set sm.l1d.sets=1 --set sm.l1d.ways=384 \
	--set sm.l1d.index=linear --set sm.l1d.hit_latency=1
under "a fully associative L1 of 16 MB" "polybench/atax rodinia/bfs mixed" --set sm.l1d.sets=1 \
	--set sm.l1d.ways=131072 --set sm.l1d.index=linear --set sm.l1d.hit_latency=1
under "16 ways" "$some" --set sm.l1d.sets=8 --set sm.l1d.ways=16 --set sm.l1d.index=linear
under "64 ways" "$some" --set sm.l1d.sets=2 --set sm.l1d.ways=64 --set sm.l1d.index=linear
under "20 KB of L1" "$some" --set sm.l1d.ways=5
under pric "$all" --set sm.l1d.index=pric --set l2.index=pric
under "pric by other polynomials" "$some" --set sm.l1d.index=pric --set sm.l1d.pric.polynomial=61 \
	--set l2.index=pric --set l2.sets=16 --set l2.pric.polynomial=25
stream="--set sm.bypass.policy=stream --set sm.bypass.stream.period=200
	--set l2.bypass.policy=stream --set l2.bypass.stream.period=150"
under "streaming bypass" "$all" $stream
under "streaming bypass, at half the reads" "$all" $stream --set sm.bypass.stream.miss_rate=50 \
	--set l2.bypass.stream.miss_rate=50 --set sm.l1d.sets=2 --set sm.l1d.index=linear
under "streaming bypass, periods of a cycle" "$some" $stream --set sm.bypass.stream.period=1 \
	--set l2.bypass.stream.period=1
under "streaming bypass, torture" "$all" -c tests/configs/torture.yaml $stream \
	--set sm.bypass.stream.period=3000 --set l2.bypass.stream.period=2000
under "streaming bypass, Volta" "$some" -c configs/volta-l1.yaml $stream --set sm.bypass.stream.miss_rate=30
under "streaming bypass, pric, srrip, on fill" "$some" $stream --set sm.l1d.index=pric --set l2.index=pric \
	--set sm.l1d.replace=srrip --set l2.replace=srrip --set sm.l1d.allocate=on_fill
under "streaming bypass, and past what the L1 refuses" "$some" $stream --set sm.stall_bypass.policy=stalls \
	--set sm.stall_bypass.stalls.on=all --set sm.l1d.mshrs=4
under srrip "$some" --set sm.l1d.replace=srrip --set l2.replace=srrip --set l2.sets=4
under "local stores through, L1 ports" "$some" --set sm.l1d.write_local=through \
	--set sm.l1d.fill_port_bytes=32 --set sm.l1d.data_port_bytes=32
under "two MSHRs a warp, sectors, plru" "$some" --set sm.l1d.mshrs_per_warp=2 --set sm.l1d.sectors=4 \
	--set sm.l1d.replace=plru
under "an ideal network" "$some" --set xbar.network=ideal
under "a fixed network" "$some" --set xbar.network=fixed --set xbar.flit=24
under "virtual output queues, iSLIP" "$some" --set xbar.voq=true --set xbar.arbiter=islip --set xbar.flit=16
under "two halves of the L2" "$some" --set l2.halves=true
under "two halves of a small L2" "$some" -c tests/configs/torture.yaml --set l2.halves=true --set l2.mshrs=2 \
	--set l2.ways=2
under "closed rows" "$some" --set dram.row_policy=closed --set l2.sets=2
under fcfs "$some" --set dram.scheduler.policy=fcfs --set l2.sets=2 --set l2.ways=2
under "one L2 bank" "$some" --set l2.banks=1 --set l2.fetch=line --set l2.ways=2
under "five L2 banks" "$some" --set l2.banks=5 --set l2.units=slice --set l2.arbitration=oldest \
	--set l2.bank_queue=1
under lrr "$some" --set sm.scheduler.policy=lrr
under "replays, MSHRs 8" "$all" --set sm.l1d.mshrs=8 --set sm.lsu_queue=8
under "no replays" "$some" --set sm.lsu_replay=false --set sm.l1d.mshrs=8
for policy in warppool banked; do
	coalescer="--set sm.coalescer.policy=$policy --set sm.lsu_replay=false"
	under "$policy" "$all" $coalescer
	under "$policy, MSHRs 4, L1 ports" "$some" $coalescer --set sm.l1d.mshrs=4 --set sm.l1d.mshr_merge=2 \
		--set sm.l1d.fill_port_bytes=32 --set sm.l1d.data_port_bytes=32
	under "$policy, sectors" "$some" $coalescer --set sm.l1d.streaming=true --set sm.l1d.sectors=4 \
		--set sm.l1d.write_global=through
	under "$policy, streaming bypass, and past what the L1 refuses" "$some" $coalescer $stream \
		--set sm.stall_bypass.policy=stalls --set sm.stall_bypass.stalls.on=all --set sm.l1d.mshrs=4
	coalescer="$coalescer --set sm.coalescer.banked.banks=1"
	under "$policy, torture" "$all" -c tests/configs/torture.yaml $coalescer
	under "$policy, odd sizes" "$all" -c tests/configs/torture-odd.yaml $coalescer \
		--set sm.coalescer.warppool.instruction_queues=5 --set sm.coalescer.warppool.coalescers=3 --set sm.coalescer.warppool.queues=3 \
		--set sm.coalescer.warppool.tags=1 --set sm.coalescer.warppool.merges=3 \
		--set sm.coalescer.warppool.thread_map=1 --set sm.coalescer.warppool.writeback_entries=3
done
for preset in configs/dram/*.yaml; do under "$preset" "polybench/atax rodinia/bfs mixed spmv" -c "$preset" \
	--set l2.sets=4; done

under_all "textures, odd sizes" texture -c tests/configs/torture-odd.yaml

# What these sums are about has happened somewhere: else they prove nothing. Not each quarter of the runs has
# all of it, as reads that waiting writes answer: one of the quarters is asked, and with FULL=1 all runs.
for statistic in sm.l1d.hits sm.l1d.merged sm.l1d.written sm.l1d.stores sm.l1d.atomics \
	sm.l1d.atomic_reply_bytes sm.l1d.uncached sm.l1d.write_backs sm.l1d.sector_misses \
	sm.l1d.tag_only_hits sm.l1d.tag_only_misses sm.bypass.stream.closed sm.bypass.stream.opened \
		l2.bypass.stream.closed l2.bypass.stream.opened l2.bypass.stream.bypassed l2.bypassed_stores \
	sm.coalescer.warppool.merged sm.coalescer.banked.second_miss_cycles \
	sm.l1d.unplaced sm.l1d.fails::line_alloc sm.l1d.fails::mshr_entry sm.l1d.fails::mshr_merge_entry \
		sm.l1d.fails::miss_queue sm.l1d.fails::mshr_warp sm.l1d.fails::write_back \
	sm.l1d.fails::fill_port sm.l1d.fails::data_port sm.constant.merged sm.constant.sent \
		sm.constant.fails::mshr_entry sm.texture.misses sm.texture.sent \
	sm.texture.fails::mshr_entry sm.instruction.misses l2.hits l2.merged l2.partial_misses l2.store_hits \
		l2.evictions l2.write_backs l2.stalls::mshr_entry \
	l2.stalls::dram_queue l2.stalls::reply_queue l2.bank4.look_ups dram.forwarded dram.overlaid \
		dram.row_hits dram.row_conflicts dram.waits::write_queue dram.refreshes; do
	[ $step -le 4 ] && [ $((SLOT % step)) = 0 ] || continue
	expect "some run has $statistic" grep -qx "$statistic" "$out/all"
done
finish
