/* core/sm/sm_config.c -- declared parameters of an SM; defaults are the GTX 480's.
 *
 * Times are in cycles of the core clock (700 MHz on a GTX 480: half the shader clock, one warp instruction
 * per 32-wide unit and cycle). Latencies are from issue to the earliest issue of a dependent instruction. */
#include "core/sm/sm_config.h"
#include "core/sm/collector.h"

static const char *const allocation_names[] = { "warp", "cta", NULL };
static const char *const global_load_names[] = { "ca", "cg", NULL };
static const char *const split_names[] = { "modulo", "block", NULL };
static const char *const half_unit_names[] = { "sp", "tensor", NULL };
static const char *const work_unit_names[] = { "sp", "sfu", NULL };
static const char *const convert_unit_names[] = { "sp", "sfu", "mixed", NULL };

#define U32(field, def, min, max, unit, help) SIM_U32(struct sm_config, field, def, min, max, unit, help)

const struct sim_param sm_params[] = {
	U32(max_threads, 1536, 32, 4096, "threads", "resident threads of an SM (compute capability 2.0)"),
	U32(max_warps, 48, 1, 64, "warps", "resident warps of an SM"),
	U32(max_ctas, 8, 1, 64, "CTAs", "resident CTAs of an SM"),
	U32(registers, 32768, 1024, 1048576, "registers", "32-bit registers of an SM"),
	U32(shared_bytes, 49152, 0, 1048576, "bytes", "shared memory of an SM"),
	U32(barriers, 16, 1, 16, "barriers", "named barriers that a CTA may use"),
	U32(register_granularity, 64, 1, 4096, "registers",
		"allocation unit of a warp's registers (CUDA occupancy calculator, 2.0)"),
	U32(shared_granularity, 128, 1, 4096, "bytes",
		"allocation unit of shared memory (CUDA occupancy calculator, 2.0)"),
	U32(max_registers_per_thread, 63, 16, 255, "registers", "registers that an instruction can name"),
	U32(max_registers_per_cta, 32768, 1024, 1048576, "registers", "most registers of one CTA"),
	SIM_ENUM(struct sm_config, register_allocation, REGISTERS_BY_WARP, allocation_names,
		"whether registers are allocated in whole units for each warp or for a CTA (compute "
		"capability 1.x)"),
	U32(warp_granularity, 2, 1, MAX_PARTITIONS, "warps",
		"register files of an SM, each with an equal part of its registers and warps (with "
		"allocation by CTA: warps of a CTA are counted in multiples of this)"),
	SIM_BOOL(struct sm_config, register_double_units, true,
		"threads with 21, 22, 29, 30, 37, 38, 45 or 46 registers are allocated in double units (2.x; "
		"cuda_occupancy.h of CUDA 7.0)"),
	U32(registers_override, 0, 0, 255, "registers",
		"registers of every thread, whatever its kernel needs or requests; 0: as estimated, with "
		".maxnreg and launch bounds"),
	U32(max_threads_per_cta, 1024, 32, 2048, "threads", "most threads of one CTA"),
	U32(max_shared_per_cta, 49152, 0, 1048576, "bytes", "most shared memory of one CTA"),
	U32(shared_reserved, 0, 0, 65536, "bytes",
		"shared memory of each CTA that the system reserves (0 before compute capability 8.0, 1024 "
		"from then on)"),
	SIM_STRING(struct sm_config, shared_carve_outs, "none",
		"sizes that shared memory can have in the array that it shares with the L1 data cache, for "
		"example \"0 8K 16K 32K 64K 96K\"; the L1 has what is left of sm.l1d.sets x ways lines. A "
		"kernel gets the smallest that all CTAs of it that fit on an SM need. none: two arrays "
		"(chips before Volta)"),
	U32(barriers_per_sm, 128, 1, 4096, "barriers",
		"named barriers of all resident CTAs of an SM (our choice: as many as 8 CTAs can name, so "
		"that they never limit occupancy)"),
	U32(schedulers, 2, 1, MAX_SCHEDULERS, "schedulers",
		"warp schedulers, each issuing one instruction a cycle"),
	SIM_ENUM(struct sm_config, warp_split, SPLIT_MODULO, split_names,
		"how warp slots are assigned to schedulers: in turn (modulo), or in blocks of consecutive "
		"slots"),
	U32(starvation_limit, 1000000, 0, UINT32_MAX, "cycles",
		"a warp that has not issued for so long takes precedence over the scheduler's choice, so "
		"that spinning warps cannot starve it; 0: never (our choice)"),
	U32(issue_width, 1, 1, MAX_ISSUE_WIDTH, "instructions",
		"most independent instructions of the chosen warp that a scheduler issues in one cycle "
		"(compute capability 2.0: 1, 2.1: 2)"),
	SIM_BOOL(struct sm_config, sub_cores, 0,
		"each scheduler has operand collectors and units of its own, which only its warps use: "
		"its share of sm.sp_units, int_units, sfu_units and dp_units, where a share of less than "
		"one is a unit of fewer lanes that takes longer (chips from Pascal on: NVIDIA, Pascal "
		"and Volta whitepapers, processing blocks); the load/store unit serves all"),
	SIM_BOOL(struct sm_config, dp_shared, 0,
		"with sm.sub_cores: the f64 units serve all schedulers nevertheless (chips with few of "
		"them: Huerta et al., MICRO 2025)"),
	SIM_BOOL(struct sm_config, issue_other_units, 0,
		"instructions of a warp that issue in one cycle are for units of different kinds "
		"(GPGPU-Sim 4, SM6_TITANX: gpgpu_dual_issue_diff_exec_units)"),
	SIM_BOOL(struct sm_config, dp_exclusive, 1,
		"while a scheduler issues an f64 instruction, no other scheduler issues (CUDA C guide, "
		"compute capability 2.x)"),
	SIM_BOOL(struct sm_config, barrier_exclusive, 1,
		"only one warp of an SM arrives at a barrier in a cycle, or in sm.interval.barrier "
		"cycles (CUDA C guide, compute capability 2.x: 16 threads a shader cycle)"),
	U32(fetch_width, 2, 1, 8, "instructions", "instructions fetched for one warp in a cycle"),
	U32(fetch_latency, 2, 1, 64, "cycles",
		"latency from the fetch, or from the arrival of the line, to the instruction buffer"),
	U32(fetch_prefetch, 2, 0, 16, "lines",
		"lines prefetched behind each instruction-cache line that fetches reach (our choice)"),
	SIM_BOOL(struct sm_config, fetch_per_scheduler, 0,
		"if true, each scheduler has an instruction cache (sm.instruction, an L0) of its own and "
		"fetches for one of its warps in a cycle; needs sm.l15 (Volta's processing blocks)"),
	SIM_BOOL(struct sm_config, operand_cache, 0,
		"if true, each scheduler has a cache, as large as sm.constant, for constants that are "
		"operands of instructions, which are always here otherwise; needs sm.fetch_per_scheduler "
		"(Huerta et al., MICRO 2025)"),
	U32(instruction_bytes, 8, 8, 16, "bytes",
		"size of an instruction in the instruction caches (compute capability 7.0 and later: 16)"),
	U32(instruction_buffer, 2, 1, 8, "instructions",
		"decoded instructions in the instruction buffer of a warp"),
	U32(sp_units, 2, 1, MAX_UNIT_COPIES, "units", "32-wide single-precision and integer units"),
	U32(int_units, 0, 0, MAX_UNIT_COPIES, "units",
		"units for integer addition, logic, shifts, comparison, and minimum and maximum, beside the "
		"single-precision units, which multiply integers; behind the operand collectors of the "
		"single-precision units (compute capability 7.0: NVIDIA on GV100, "
		"forums.developer.nvidia.com, 108729); 0: all go to the single-precision units"),
	SIM_ENUM(struct sm_config, convert_unit, BY_SP, convert_unit_names,
		"units that convert numbers, behind the collectors of the single-precision units: the "
		"single-precision units (sp), the special-function units (sfu), or, for integers to f32 and "
		"f32 to narrower floats, the units that add integers, and for all other conversions the "
		"special-function units (mixed: an H200)"),
	SIM_ENUM(struct sm_config, exchange_unit, BY_SP, work_unit_names,
		"units whose time shuffles, match and redux take: the single-precision units (sp) or the "
		"special-function units (sfu)"),
	SIM_ENUM(struct sm_config, count_unit, BY_SP, work_unit_names,
		"units that count and reverse bits (popc, clz, bfind, brev), behind the collectors of the "
		"single-precision units: the units for integers, or the single-precision units where there "
		"are none (sp), or the special-function units (sfu)"),
	SIM_ENUM(struct sm_config, half_unit, HALF_BY_SP, half_unit_names,
		"units that add and multiply f16 and bf16: the single-precision units (sp), or, if there "
		"are some, the tensor units (tensor: on Volta, Turing and a GA100 floats of 16 bits have "
		"a pipeline beside that of f32; Nsight Compute, Pipelines)"),
	U32(sfu_units, 1, 1, MAX_UNIT_COPIES, "units", "special-function units"),
	U32(dp_units, 1, 1, MAX_UNIT_COPIES, "units", "double-precision units"),
	U32(register_banks, 16, 0, MAX_REGISTER_BANKS, "banks",
		"banks of the register file, each giving one row of 32 lanes a cycle; a power of two "
		"(GPGPU-Sim GTX480_v3x: 16); 0: none is modelled, and no instruction waits for one"),
	SIM_BOOL(struct sm_config, register_write_port, 0,
		"register banks have a write port in addition to the read port"),
	U32(sp_collectors, 6, 1, MAX_COLLECTORS, "collectors",
		"operand collectors before the SP units (GPGPU-Sim GTX480_v3x: 6)"),
	U32(sfu_collectors, 8, 1, MAX_COLLECTORS, "collectors",
		"operand collectors before the SFUs (GPGPU-Sim GTX480_v3x: 8)"),
	U32(dp_collectors, 6, 1, MAX_COLLECTORS, "collectors",
		"operand collectors before the DP units (as for SP units, which compute f64 on the chip)"),
	U32(ldst_collectors, 2, 1, MAX_COLLECTORS, "collectors",
		"operand collectors before the load/store unit (GPGPU-Sim: 2)"),
	U32(result_buses, 2, 1, 16, "results",
		"results of arithmetic instructions that reach the register file in one cycle (GPGPU-Sim "
		"GTX480_v3x: 2)"),
	U32(lsu_queue, 4, 1, LSU_QUEUE_MAX, "instructions",
		"memory instructions that can wait in order for the coalescer"),
	SIM_BOOL(struct sm_config, specialised, 1,
		"use a pipeline that was compiled for machines like this one, if there is one; without it "
		"the simulator is slower. Statistics do not depend on it"),
	SIM_BOOL(struct sm_config, lsu_replay, 0,
		"a memory instruction that the L1 refuses goes behind the others that wait, like a replay on "
		"the chip; if false, as a request buffer requires, all others wait behind it"),
	U32(lsu_in_flight, 96, 1, 4096, "instructions", "memory instructions whose data can be in flight"),
	SIM_ENUM(struct sm_config, global_loads, GLOBAL_LOADS_CA, global_load_names,
		"cache operator of global loads that specify none, like ptxas -dlcm; local memory always "
		"uses the L1"),
	SIM_BOOL(struct sm_config, coalesce_parts, 1,
		"accesses of 8 and 16 bytes are coalesced for half and quarter warps separately (CUDA C "
		"guide, compute capability 2.x)"),
	SIM_BOOL(struct sm_config, nc_through_texture, 0,
		"ld.global.nc uses the texture cache (chips from sm_35 on); if false it is an ordinary load"),
	SIM_BOOL(struct sm_config, stores_hold_cta, 1,
		"a CTA keeps its warp slots, registers and shared memory until all its stores are "
		"acknowledged; if false, until its warps have exited, and only the end of the kernel waits "
		"for the stores"),
	SIM_BOOL(struct sm_config, fence_invalidates, 0,
		"fences, and accesses with acquire semantics, whose scope is wider than the CTA empty the "
		"L1, except for releases and fences of the asynchronous proxy (sm_75 to sm_90: ptxas has "
		"CCTL.IVALL behind them)"),
	U32(fence_cta_latency, 1, 1, 10000, "cycles",
		"least time from a fence of the CTA to the warp's next instruction (an H200: membar.cta 9)"),
	U32(fence_gpu_latency, 1, 1, 10000, "cycles",
		"least time from a fence of the GPU to the warp's next instruction (an H200: membar.gl 271 "
		"with nothing to wait for)"),
	U32(fence_sys_latency, 1, 1, 10000, "cycles",
		"least time from a fence of the system to the warp's next instruction (an H200: membar.sys "
		"1103)"),
	U32(fence_store_latency, 0, 0, 10000, "cycles",
		"least time from the acknowledgement of the last store that a fence waits for to its end (an "
		"H200: membar.gl 498 behind a store)"),
	SIM_BOOL(struct sm_config, fence_cta_waits, 1,
		"a fence of the CTA, too, waits until the warp's stores are acknowledged (an H200: no, 16 "
		"cycles behind one)"),
	U32(bulk_latency, 1, 1, 100000, "cycles",
		"from a bulk or tensor copy between global and shared memory to its first request, which "
		"then takes as long as one of a load (H100 SXM5, from the L2: 217 ns and 4.8 for each "
		"KiB, at 1755 MHz: 381 cycles, as many as the requests and the instructions around them "
		"take; flash-vla, measured, tma.lat.warp)"),
	U32(bulk_miss_latency, 187, 0, 100000, "cycles",
		"added to the latency of a bulk or tensor copy between global and shared memory if a line "
		"of it comes from DRAM (H100 SXM5: 595 ns and 5.2 for each KiB, so much more than from the "
		"L2 than a load takes more; flash-vla, measured, tma.lat.warp)"),
	U32(bulk_interval, 33, 1, 100000, "cycles",
		"between two copies that the SM's unit for them takes, at least (H100: elect and "
		"cp.async.bulk, 33 cycles; FlashGPU-Sim, SM90_H100)"),
	U32(bulk_cluster_interval, 33, 1, 100000, "cycles",
		"from one bulk copy to another CTA of the cluster to the next, for the SM's unit of bulk "
		"copies"),
	U32(bulk_in_flight, 1024, 1, 1000000, "requests",
		"requests of bulk copies that can be under way, of a line each (H100, 4 SMs: 830 GB/s "
		"from DRAM with 56 KiB each, in 741 ns or more: at least 1200 KiB/s, 150 KB under way in "
		"an SM; no sign of a limit; flash-vla, unit-tma)"),
	U32(bulk_multicast_latency, 100, 0, 100000, "cycles",
		"added to the latency of a multicast (H200 NVL: 99 to 100; FlashGPU-Sim, "
		"docs/cluster_noc/calibration.md)"),
	U32(cancel_latency, 700, 1, 100000, "cycles",
		"from clusterlaunchcontrol.try_cancel to the moment in which the next cluster of the "
		"launch is taken off its queue; the answer is there in the next cycle (our choice: about "
		"a load from DRAM)"),
	SIM_BOOL(struct sm_config, flush, 0,
		"a kernel that starts while no other is under way finds the SM's caches of instructions and "
		"constants empty, as it finds the caches of data in any case (Nsight Compute flushes all "
		"caches so by default, --cache-control all; see l2.flush)"),
	SIM_BOOL(struct sm_config, texture_in_l1, 0,
		"textures are cached in the L1 data cache, which is sectored (chips from Maxwell on), "
		"not in a cache of their own (sm.texture)"),
	U32(texture_queue, 4, 1, 64, "instructions",
		"texture instructions that can wait in order for the texture units (our choice)"),
	U32(texture_interval, 8, 1, 1000, "cycles",
		"cycles that the texture units need for one warp (GTX 480: 4 units with one address a core "
		"cycle each, 42 GTexel/s in all)"),
	U32(shared_banks, 32, 1, 64, "banks", "shared-memory banks, 4 bytes wide (CUDA C guide, 2.x)"),
	SIM_BOOL(struct sm_config, shared_pairs, 0,
		"loads of 64 and 128 bits from shared memory take half as many passes if lanes agree in "
		"pairs, so that lanes 0 and 1, 2 and 3 ..., or 0 and 2, 1 and 3 ... read one address "
		"together (compute capability 7.0 to 7.5: NVIDIA, forums.developer.nvidia.com, 77228)"),
	U32(shared_wide_load, 1, 0, 32, "cycles",
		"cycles added for each quarter warp of a 128-bit load, since most 128-bit accesses have "
		"2-way conflicts on 2.x (CUDA C guide); stores have none, otherwise gpumembench could not "
		"measure 2.64 accesses of 128 bits a clock, half of them stores"),
	U32(shared_latency, 16, 1, 500, "cycles",
		"latency of a shared-memory load to its use, without conflicts"),
	U32(shared_conflict_latency, 0, 0, 32, "cycles",
		"cycles that each bank conflict adds to the latency of its access, besides the cycle for "
		"which it occupies the banks (an H200: 1, since a load takes 2 cycles longer with each)"),
	U32(mbarrier_test_latency, 0, 0, 500, "cycles",
		"that mbarrier.test_wait and try_wait take longer than a load from shared memory"),
	U32(mbarrier_wait_limit, 0, 0, 100000000, "cycles",
		"longest time for which mbarrier.try_wait suspends its warp, unless the instruction "
		"names one; then it answers that the phase is not over; 0: it answers at once"),
	U32(mbarrier_wake_latency, 0, 0, 10000, "cycles",
		"from the end of an mbarrier's phase until a warp that mbarrier.try_wait has suspended "
		"issues again"),
	U32(generic_shared_latency, 0, 0, 500, "cycles",
		"cycles that an access to shared memory takes longer by an instruction that does not name "
		"that space, for example an access to .shared::cluster (FlashGPU-Sim, an H200 NVL: 37.0 "
		"cycles for a load from the own CTA's by way of mapa)"),
	U32(cluster_barrier_latency, 0, 0, 100000, "cycles",
		"from the last arrival at a cluster's barrier to the end of its phase, besides "
		"sm.cluster_barrier_cta_latency for each CTA"),
	U32(cluster_barrier_cta_latency, 0, 0, 10000, "cycles",
		"from the last arrival at a cluster's barrier to the end of its phase, for each CTA of the "
		"cluster"),
	U32(constant_latency, 12, 1, 500, "cycles",
		"latency of a load of a kernel parameter, or of a constant that hits, to its use"),
	U32(response_queue, 8, 1, 256, "packets",
		"replies from the crossbar that can wait for the fill port"),
	SIM_END,
};

/* One table row for each latency class, in the section sm.latency or sm.interval. */
#define HELP_latency  "cycles from issue to dependent issue: "
#define HELP_interval "cycles for which a warp occupies its unit: "
#define CLASS(array, name, index, def, help) \
	SIM_U32_AS(struct sm_config, array[index], name, def, 1, 1000, "cycles", HELP_##array help)

/* A class that has the figure of another until it is given its own. */
#define LIKE(array, name, index, other, help) \
	SIM_U32_AS(struct sm_config, array[index], name, 0, 0, 1000, "cycles", \
		HELP_##array help "; 0: as " other)

const struct sim_param sm_latency_params[] = {
	CLASS(latency, "int_add", CLASS_INT_ADD, 10, "integer add, move, logic, compare, select"),
	CLASS(latency, "int_bits", CLASS_INT_BITS, 10, "shift, bit field, sum of absolute differences"),
	CLASS(latency, "int_count", CLASS_INT_COUNT, 10, "population count, leading bit, bit reverse"),
	CLASS(latency, "int_max", CLASS_INT_MAX, 10, "integer minimum and maximum"),
	CLASS(latency, "int_mul", CLASS_INT_MUL, 10, "integer multiply"),
	CLASS(latency, "int_mad", CLASS_INT_MAD, 10, "integer multiply-add"),
	CLASS(latency, "int_div", CLASS_INT_DIV, 145,
		"integer division and remainder, a subroutine (GPGPU-Sim SM2_GTX480)"),
	CLASS(latency, "fp_add", CLASS_FP_ADD, 10, "f32 add"),
	CLASS(latency, "fp_max", CLASS_FP_MAX, 10, "f32 minimum and maximum"),
	CLASS(latency, "fp_mul", CLASS_FP_MUL, 10, "f32 multiply"),
	CLASS(latency, "fp_mad", CLASS_FP_MAD, 10, "f32 multiply-add"),
	CLASS(latency, "fp_div", CLASS_FP_DIV, 39,
		"f32 division, reciprocal and root with IEEE rounding (GPGPU-Sim SM2_GTX480)"),
	CLASS(latency, "dp_add", CLASS_DP_ADD, 12, "f64 add"),
	CLASS(latency, "dp_max", CLASS_DP_MAX, 12, "f64 minimum and maximum"),
	CLASS(latency, "dp_mul", CLASS_DP_MUL, 12, "f64 multiply"),
	CLASS(latency, "dp_mad", CLASS_DP_MAD, 12, "f64 multiply-add"),
	CLASS(latency, "dp_div", CLASS_DP_DIV, 330,
		"f64 division, reciprocal and root (GPGPU-Sim SM2_GTX480)"),
	CLASS(latency, "sfu", CLASS_SFU, 20, "approximate transcendental functions"),
	CLASS(latency, "convert", CLASS_CONVERT, 10, "conversions"),
	LIKE(latency, "int_high", CLASS_INT_HIGH, "int_mul", "high half of an integer product"),
	LIKE(latency, "convert_int", CLASS_CONVERT_INT, "convert", "f32 to integers, and to whole numbers"),
	LIKE(latency, "convert_wide", CLASS_CONVERT_WIDE, "convert",
		"conversions from and to f64 and integers of 64 bits"),
	LIKE(latency, "convert_half", CLASS_CONVERT_HALF, "convert", "f32 to f16 and narrower floats"),
	LIKE(latency, "half", CLASS_HALF, "fp_mad",
		"f16 and bf16 add, multiply and multiply-add, also of pairs"),
	LIKE(latency, "shuffle", CLASS_SHUFFLE, "int_mul", "shuffles"),
	LIKE(latency, "vote", CLASS_VOTE, "int_add", "votes"),
	LIKE(latency, "match", CLASS_MATCH, "int_mul", "match"),
	LIKE(latency, "reduce", CLASS_REDUCE, "int_mul", "redux"),
	CLASS(latency, "memory", CLASS_MEMORY, 1,
		"memory instructions whose guard is false in every lane (the memory system times the "
		"others)"),
	CLASS(latency, "matrix", CLASS_MATRIX, 33,
		"matrix products (mma, wmma.mma) without tensor units (sm.tensor); our choice"),
	CLASS(latency, "tensor_memory", CLASS_TENSOR_MEMORY, 24,
		"loads and stores of tensor memory (tcgen05.ld, tcgen05.st), besides one for each "
		"register but the first; our choice"),
	SIM_U32_AS(struct sm_config, guard_latency, "guard", 0, 0, 1000, "cycles",
		"cycles from the issue of an instruction that writes a predicate to that of one which it "
		"guards, a branch or another; 0: as if it were an operand (Turing: 12, Ampere: 13, "
		"NVIDIA's tables in Mesa)"),
	SIM_U32_AS(struct sm_config, branch_latency, "branch", 0, 0, 1000, "cycles",
		"cycles from the issue of a branch, taken or not, or of the BSYNC at which lanes that it "
		"parted meet again, to that of the warp's next instruction at the earliest; 0: it is issued "
		"as soon as it is in the instruction buffer (an H200: 10 to 12)"),
	SIM_U32_AS(struct sm_config, barrier_latency, "barrier", 10, 0, 1000, "cycles",
		"cycles from the issue of the last warp that arrives at a barrier to the issue of the "
		"instructions behind it; 0: in one cycle (as arithmetic instructions, CUDA C guide 5.2.3: "
		"no figure of its own is published for 2.x)"),
	SIM_END,
};

const struct sim_param sm_interval_params[] = {
	CLASS(interval, "int_add", CLASS_INT_ADD, 1, "integer add, move, logic, compare, select"),
	CLASS(interval, "int_bits", CLASS_INT_BITS, 2,
		"shift, bit field, sum of absolute differences: 16 a clock and SM (CUDA C guide, 2.0)"),
	CLASS(interval, "int_count", CLASS_INT_COUNT, 2,
		"population count, leading bit, bit reverse: 16 a clock and SM (CUDA C guide, 2.0)"),
	CLASS(interval, "int_max", CLASS_INT_MAX, 1, "integer minimum and maximum"),
	CLASS(interval, "int_mul", CLASS_INT_MUL, 2,
		"integer multiply: 16 a clock and SM (CUDA C guide, 2.0)"),
	CLASS(interval, "int_mad", CLASS_INT_MAD, 2, "integer multiply-add: 16 a clock and SM"),
	CLASS(interval, "int_div", CLASS_INT_DIV, 32, "integer division and remainder"),
	CLASS(interval, "fp_add", CLASS_FP_ADD, 1, "f32 add"),
	CLASS(interval, "fp_max", CLASS_FP_MAX, 1, "f32 minimum and maximum"),
	CLASS(interval, "fp_mul", CLASS_FP_MUL, 1, "f32 multiply"),
	CLASS(interval, "fp_mad", CLASS_FP_MAD, 1, "f32 multiply-add"),
	CLASS(interval, "fp_div", CLASS_FP_DIV, 16, "f32 division, reciprocal and root with IEEE rounding"),
	CLASS(interval, "dp_add", CLASS_DP_ADD, 4,
		"f64 add: 4 a clock and SM on GeForce (SHOC measures 168 GFLOP/s)"),
	CLASS(interval, "dp_max", CLASS_DP_MAX, 4, "f64 minimum and maximum"),
	CLASS(interval, "dp_mul", CLASS_DP_MUL, 4, "f64 multiply"),
	CLASS(interval, "dp_mad", CLASS_DP_MAD, 4, "f64 multiply-add"),
	CLASS(interval, "dp_div", CLASS_DP_DIV, 130,
		"f64 division, reciprocal and root (GPGPU-Sim SM2_GTX480)"),
	CLASS(interval, "sfu", CLASS_SFU, 4, "approximate transcendental functions: 4 a shader clock and SM"),
	CLASS(interval, "convert", CLASS_CONVERT, 2, "conversions: 16 a clock and SM"),
	LIKE(interval, "int_high", CLASS_INT_HIGH, "int_mul", "high half of an integer product"),
	LIKE(interval, "convert_int", CLASS_CONVERT_INT, "convert", "f32 to integers, and to whole numbers"),
	LIKE(interval, "convert_wide", CLASS_CONVERT_WIDE, "convert",
		"conversions from and to f64 and integers of 64 bits"),
	LIKE(interval, "convert_half", CLASS_CONVERT_HALF, "convert", "f32 to f16 and narrower floats"),
	LIKE(interval, "half", CLASS_HALF, "fp_mad",
		"f16 and bf16 add, multiply and multiply-add, also of pairs"),
	LIKE(interval, "shuffle", CLASS_SHUFFLE, "int_mul", "shuffles"),
	LIKE(interval, "vote", CLASS_VOTE, "int_add", "votes"),
	LIKE(interval, "match", CLASS_MATCH, "int_mul", "match"),
	LIKE(interval, "reduce", CLASS_REDUCE, "int_mul", "redux"),
	CLASS(interval, "memory", CLASS_MEMORY, 1, "memory instructions that enter the load/store unit"),
	CLASS(interval, "matrix", CLASS_MATRIX, 16, "matrix products without tensor units (our choice)"),
	CLASS(interval, "tensor_memory", CLASS_TENSOR_MEMORY, 1,
		"loads and stores of tensor memory, for each register of a thread; our choice"),
	SIM_U32_AS(struct sm_config, compare_interval, "compare", 1, 1, 1000, "cycles",
		"comparisons of integers and f32, which have the latency of an addition, if they take "
		"longer than it (CUDA C guide, 6.0: half as many a clock)"),
	SIM_U32_AS(struct sm_config, constant_operand_interval, "constant_operand", 2, 1, 1000, "cycles",
		"cycles for which a warp occupies its unit at least if an operand is a word of .const memory "
		"(frontend.timed_code: scheduled; gpumembench on a GTX 480: 15.0 additions of constants a "
		"shader clock and SM, where registers reach 30; parameters do not slow SHOC's MaxFlops)"),
	SIM_U32_AS(struct sm_config, barrier_interval, "barrier", 1, 1, 1000, "cycles",
		"cycles from a warp that arrives at a barrier to the next one of the SM, with "
		"sm.barrier_exclusive "
		"(CUDA C guide, synchronization: 32 threads a clock on 6.0, 16 on 7.x and 8.x)"),
	SIM_END,
};

const char *const replay_names[REPLAY_KINDS + 1] = { "lines", "conflicts", "misses", NULL };

/* By enum replay_kind. */
#define REPLAY(name, index, help) SIM_BOOL_AS(struct sm_config, replay[index], name, 1, help)

const struct sim_param sm_replay_params[] = {
	REPLAY("lines", REPLAY_LINES,
		"with sm.lsu_replay, each request of a memory instruction after its first takes an issue "
		"slot of its scheduler: further lines, and lines that the L1 had refused (compute "
		"capability 2.0 to 3.7: G. Smith of NVIDIA, stackoverflow.com/questions/35566178)"),
	REPLAY("conflicts", REPLAY_CONFLICTS,
		"with sm.lsu_replay, each further pass of an access to shared memory, because of bank "
		"conflicts or width, and each further address of a load of constants takes an issue slot "
		"(compute capability 2.0 to 3.7: G. Smith of NVIDIA, stackoverflow.com/questions/35566178)"),
	REPLAY("misses", REPLAY_MISSES,
		"with sm.lsu_replay, a load that missed the L1 takes an issue slot again for each line that "
		"arrives (G. Smith of NVIDIA, stackoverflow.com/questions/35566178; Compute Visual Profiler "
		"4.0: global memory replay)"),
	SIM_END,
};

void sm_config_complete(struct sm_config *c)
{
	static const struct {
		uint8_t class, other;
	} like[] = { { CLASS_INT_HIGH, CLASS_INT_MUL }, { CLASS_CONVERT_INT, CLASS_CONVERT },
		{ CLASS_CONVERT_WIDE, CLASS_CONVERT }, { CLASS_CONVERT_HALF, CLASS_CONVERT },
		{ CLASS_HALF, CLASS_FP_MAD }, { CLASS_SHUFFLE, CLASS_INT_MUL }, { CLASS_VOTE, CLASS_INT_ADD },
		{ CLASS_MATCH, CLASS_INT_MUL }, { CLASS_REDUCE, CLASS_INT_MUL } };

	c->latency[CLASS_GUARDING] = c->guard_latency ? c->guard_latency : c->latency[CLASS_INT_ADD];
	c->interval[CLASS_GUARDING] = c->interval[CLASS_INT_ADD];
	for (size_t i = 0; i < sizeof(like) / sizeof(*like); i++) {
		if (!c->latency[like[i].class])
			c->latency[like[i].class] = c->latency[like[i].other];
		if (!c->interval[like[i].class])
			c->interval[like[i].class] = c->interval[like[i].other];
	}
}

void sm_limits_from(const struct sm_config *c, struct sm_limits *l)
{
	*l = (struct sm_limits){ .threads = c->max_threads,
		.warps = c->max_warps,
		.ctas = c->max_ctas,
		.registers = c->registers,
		.shared_bytes = c->shared_bytes,
		.barriers = c->barriers_per_sm,
		.max_barriers = c->barriers,
		.register_granularity = c->register_granularity,
		.warp_granularity = c->warp_granularity,
		.register_allocation = c->register_allocation,
		.has_double_units = c->register_double_units,
		.shared_reserved = c->shared_reserved,
		.has_carve_outs = c->carve_outs.count > 0,
		.max_registers_per_cta = c->max_registers_per_cta,
		.registers_override = c->registers_override,
		.shared_granularity = c->shared_granularity,
		.max_registers_per_thread = c->max_registers_per_thread,
		.max_threads_per_cta = c->max_threads_per_cta,
		.max_shared_per_cta = c->max_shared_per_cta };
}
