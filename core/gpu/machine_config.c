/* core/gpu/machine_config.c -- the sections of a configuration, in the order in which they are printed. */
#include "core/gpu/machine_config.h"
#include "core/dispatch/dispatch.h"
#include "core/exec/cluster_memory.h"
#include "core/gpu/gpu.h"
#include "core/gpu/policy_interfaces.h"
#include "core/gpu/run_ahead.h"
#include "core/sm/unit_port.h"
#include "core/limiter/limiter.h"
#include "core/sched/sched.h"
#include "dram/sched/sched.h"
#include "interconnect/arbiter.h"
#include "memsys/bypass/bypass.h"
#include "memsys/observe/observer_policy.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/request_buffer/request_buffer.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

const struct sim_param gpu_params[] = {
	SIM_STRING(struct gpu_config, name, "GeForce GTX 480 (simulated)",
		"name of the device that the CUDA API reports"),
	SIM_U32(struct gpu_config, compute_major, 2, 1, 12, "", "major number of the compute capability"),
	SIM_U32(struct gpu_config, compute_minor, 0, 0, 9, "", "minor number of the compute capability"),
	SIM_U32(struct gpu_config, sms, 15, 1, NETWORK_MAX_PORTS, "SMs", "streaming multiprocessors"),
	SIM_STRING(struct gpu_config, gpcs, "none",
		"SMs of each GPC, in which the CTAs of a cluster run together, for example 18 18 16; if "
		"there are fewer SMs, the last ones are left out; none: one GPC has all"),
	SIM_U32(struct gpu_config, cluster_ctas, CLUSTER_CTAS_MOST, 1, CLUSTER_CTAS_MOST, "CTAs",
		"most CTAs of a cluster, where a program allows more than the 8 that are portable"),
	SIM_U32(struct gpu_config, partitions, 12, 1, NETWORK_MAX_PORTS, "partitions",
		"memory partitions, each an L2 slice with a DRAM channel (GTX 480: the halves of its 6 "
		"partitions, as GPGPU-Sim's sub-partitions)"),
	SIM_U32(struct gpu_config, interleave, 256, 128, 65536, "bytes",
		"consecutive bytes in one partition (a power of two), if dram.mapping has no channel field"),
	SIM_BOOL(struct gpu_config, lookahead, true,
		"let the memory side work ahead of the SMs by most of l2.rop_latency, so that SMs know "
		"their replies and run alone for windows of cycles, which is faster. No simulated time "
		"changes. A statistic of the L2, of DRAM or of replies that is read before the end of a "
		"run (in a series, or when a kernel ends before its write-backs) then includes events "
		"of the cycles by which the memory side is ahead. With a policy or observer that looks "
		"at SMs and the memory side together, the memory side does not work ahead"),
	SIM_U32(struct gpu_config, window, 0, 0, MAX_LOOKAHEAD, "cycles",
		"most core cycles that the simulator runs an SM alone before it turns to the next one; 0: as "
		"many as gpu.lookahead gives, 1: all SMs in step. It changes no result, only the simulator's "
		"speed"),
	SIM_F64(struct gpu_config, core_mhz, 700, 1, 10000, "MHz",
		"SM clock: one warp instruction per unit and cycle"),
	SIM_F64(struct gpu_config, shader_mhz, 1401, 1, 10000, "MHz",
		"shader clock, which the CUDA API reports and whose cycles %clock counts (as a whole "
		"multiple of core_mhz)"),
	SIM_F64(struct gpu_config, xbar_mhz, 1400, 1, 10000, "MHz",
		"interconnect clock (specs of DWT-CS/PRIC)"),
	SIM_F64(struct gpu_config, l2_mhz, 700, 1, 10000, "MHz", "L2 clock"),
	SIM_F64(struct gpu_config, dram_mhz, 924, 1, 10000, "MHz",
		"DRAM command clock (GTX 480: 3.696 Gb/s per pin)"),
	SIM_U64(struct gpu_config, memory, 1610612736, 1048576, 1099511627776.0, "bytes",
		"size of device memory"),
	SIM_U32(struct gpu_config, max_grid_x, 65535, 1, 2147483647, "CTAs",
		"largest grid in x (compute capability 2.x: 65535)"),
	SIM_F64(struct gpu_config, pcie_bandwidth, 5.7, 0.001, 1000, "GB/s",
		"bandwidth of copies between host and device (PCI Express 2.0 x16 as measured)"),
	SIM_F64(struct gpu_config, pcie_latency, 10, 0, 1000000, "us",
		"latency of each copy between host and device"),
	SIM_U32(struct gpu_config, copy_engines, 1, 1, 2, "engines",
		"engines for copies between host and device, one copy at a time each (GeForce: 1; Tesla: 2, "
		"one for each direction)"),
	SIM_U32(struct gpu_config, max_kernels, 16, 1, MAX_KERNELS, "kernels",
		"kernels that run at once (CUDA C guide, compute capability 2.x: 16)"),
	SIM_U32(struct gpu_config, ctas_per_cycle, 1, 1, 1000, "CTAs",
		"CTAs that the dispatcher can start in one core cycle"),
	SIM_U32(struct gpu_config, cta_turnaround, 0, 0, 1000000, "cycles",
		"core cycles from the end of a CTA until another can take the warp slots, registers and "
		"shared memory that it had"),
	SIM_U32(struct gpu_config, cta_interval, 0, 0, 1000000, "cycles",
		"core cycles that an SM takes to report the end of a CTA to the dispatcher, one CTA "
		"after the other: if several end at once, each frees its resources this number of cycles "
		"after the one before, and a kernel ends when its last CTA is reported (measured on an "
		"H200)"),
	SIM_U64(struct gpu_config, hang_cycles, 0, 0, 1e18, "cycles",
		"a kernel that runs longer is stopped with an error; 0: no limit"),
	SIM_U64(struct gpu_config, hang_instructions, 0, 0, 1e18, "warp instructions",
		"a kernel that executes more is stopped with an error, also in functional mode; 0: no limit"),
	SIM_U64(struct gpu_config, hang_check, 200000, 0, 1e15, "cycles",
		"interval at which the simulator checks for warps that spin forever on memory that no warp "
		"can change any more; without timing in warp instructions; 0: never (our choice)"),
	SIM_U64(struct gpu_config, seed, 1, 0, 4294967295.0, "",
		"seed of every random choice of the model (replacement policy random)"),
	SIM_END,
};

static const char *const bounds_names[] = { "allocation", "page", NULL };

static const struct sim_param memory_params[] = {
	SIM_ENUM(struct memory_config, bounds, BOUNDS_ALLOCATION, bounds_names,
		"what kernels may access of device memory: the bytes of allocations, so that an access "
		"before or behind one is a fault (allocation), or the pages that allocations touch, as on a "
		"GPU, which notices no more (page)"),
	SIM_U64(struct memory_config, page, 2 << 20, 4096, UINT64_C(1) << 30, "bytes",
		"with memory.bounds = page, the size of a page (CUDA driver API: the granularity of device "
		"memory is 2 MB)"),
	SIM_END,
};

/* The part of each launch that is timed (timing_limit.h); without timing these say nothing. */
static const struct sim_param timing_limit_params[] = {
	SIM_U64(struct timing_limit_config, instructions, 0, 0, 1e18, "thread instructions",
		"timing of a kernel ends in the cycle in which it has issued this number; the rest is "
		"executed without timing; 0: no limit (--max-instructions)"),
	SIM_U64(struct timing_limit_config, cycles, 0, 0, 1e18, "cycles",
		"timing of a kernel ends this number of core cycles after its first CTA has started; the "
		"rest is executed without timing; 0: no limit (--max-cycles)"),
	SIM_U64(struct timing_limit_config, ctas, 0, 0, 1e18, "CTAs",
		"this number of CTAs of each kernel is timed; the rest is executed without timing; 0: no "
		"limit (--max-ctas)"),
	SIM_U64(struct timing_limit_config, run_instructions, 0, 0, 1e18, "thread instructions",
		"timing of all kernels ends when the kernels of the run together have issued this "
		"number; later kernels are executed without timing; 0: no limit (--max-run-instructions)"),
	SIM_END,
};

static const struct sim_param warmup_params[] = {
	SIM_U64(struct warmup_config, kernels, 0, 0, 1e18, "kernels",
		"this number of kernel launches at the beginning of a run are executed without timing "
		"(--warmup)"),
	SIM_U64(struct warmup_config, ctas, 0, 0, 1e18, "CTAs",
		"this number of CTAs at the beginning of each kernel are executed without timing, before "
		"the others start (--warmup-ctas)"),
	SIM_U64(struct warmup_config, instructions, 0, 0, 1e18, "warp instructions",
		"this number of instructions of the launch behind gpu.warmup.kernels is executed without "
		"timing, CTA after CTA; its timing begins there, in the middle of CTAs, with every warp's "
		"state"),
	SIM_END,
};

static const char *const instance_names[] = { "kernels", "total", "never", NULL };

static const struct sim_param output_params[] = {
	SIM_ENUM(struct output_config, instances, INSTANCES_TOTAL, instance_names,
		"whether stats.txt and stats.json have, in addition to the sums, lines for each SM, slice "
		"and channel: for the whole run and each launch of --stats-launches (kernels), only for the "
		"whole run (total), or never (128 SMs: 4 MB each time)"),
	SIM_BOOL(struct output_config, activity, false,
		"count instructions by energy class, registers read and written, lanes and SM cycles: "
		"activity.* (an energy model needs it, and switches it on)"),
	SIM_BOOL(struct output_config, kernels, true,
		"stats.txt and stats.json have for each kernel, by its name, not only its own counters but "
		"all statistics of the machine during its launches, added up; of kernels that ran alone"),
	SIM_END,
};

static const char *const clock_names[] = { "none", "peak", NULL };

static const char *const order_names[] = { "sequential", "interleaved", NULL };

static const struct sim_param functional_params[] = {
	SIM_ENUM(struct functional_config, order, FUNCTIONAL_SEQUENTIAL, order_names,
		"in what order a run without timing (--functional) executes CTAs: one after the other "
		"(sequential), or the CTAs that the chip holds together in turns, each turn being one warp "
		"up to its next access to memory, drawn by gpu.seed (interleaved: for programs whose CTAs "
		"race, several times slower)"),
	SIM_ENUM(struct functional_config, clock, FUNCTIONAL_CLOCK_NONE, clock_names,
		"what launches of a run without timing (--functional) take, which events and clocks of the "
		"device then tell: nothing (none), or the time in which the chip executes their "
		"instructions if each warp scheduler issues whenever it can (peak)"),
	SIM_END,
};

static const char *const timed_code_names[] = { "ptx", "scheduled", NULL };
static const char *const contract_names[] = { "never", "chip", NULL };

static const struct sim_param frontend_params[] = {
	SIM_ENUM(struct ptx_lowering, timed_code, PTX_AS_WRITTEN, timed_code_names,
		"which instructions are timed: what the PTX says, in its order (ptx), or what the chip "
		"would issue once the PTX is translated for it (scheduled; docs/user/ptx.md). Results do "
		"not depend on it"),
	SIM_ENUM(struct ptx_lowering, contract, PTX_CONTRACT_NEVER, contract_names,
		"whether mul and the add or sub that reads it become a multiply-add with one rounding "
		"where PTX leaves it open, since neither has a rounding modifier: never, as with ptxas "
		"--fmad=false; or as ptxas does it for a chip (chip), with that chip's results "
		"(docs/user/ptx.md)"),
	SIM_END,
};

/* A sentence about a section as a whole. */
static void complain(struct config *config, const char *section, const char *key, const char *message,
	struct diag_list *diags)
{
	struct diag_location location = config_location(config, section, key);

	diag_error(diags, &location, "%s: %s", section, message);
}

/* The key that the message of a section begins with: "tREFI = 5: ...", "mapping, character 3: ...". */
static const char *key_of(const char *message)
{
	static char key[64];
	size_t n = strcspn(message, " ,");

	snprintf(key, sizeof(key), "%.*s", (int)(n < sizeof(key) ? n : sizeof(key) - 1), message);
	return key;
}

/* About a cache: at the key that the message begins with, or at its sizes if that one is a default. */
static void complain_of_cache(
	struct config *config, const char *section, const char *message, struct diag_list *diags)
{
	const char *const keys[] = { key_of(message), "sets", "ways", "line" };
	uint32_t i = 0;

	while (i < 3 && !config_location(config, section, keys[i]).file)
		i++;
	complain(config, section, keys[i], message, diags);
}

/* Reads the list of sizes, too. */
static void check_carve_outs(struct machine_config *m, struct config *config, struct diag_list *diags)
{
	uint32_t way = m->l1d.sets * m->l1d.line;
	char why[256] = "", message[320];

	if (!carve_outs_read(&m->sm.carve_outs, m->sm.shared_carve_outs, why, sizeof(why)) ||
		!m->sm.carve_outs.count)
		; /* why says what is wrong, or there are none */
	else if (!m->l1d.enabled || cache_reserves(&m->l1d))
		snprintf(why, sizeof(why),
			"the L1 changes its size only if its misses reserve no lines (sm.l1d.streaming)");
	else
		carve_outs_check(&m->sm.carve_outs, (uint64_t)m->l1d.ways * way, way, m->sm.shared_bytes, why,
			sizeof(why));
	snprintf(message, sizeof(message), "shared_carve_outs: %s", why);
	if (*why)
		complain(config, "sm", "shared_carve_outs", message, diags);
}

/* Reads the list of GPCs. */
static void check_gpcs(struct machine_config *m, struct config *config, struct diag_list *diags)
{
	char why[256], message[320];

	if (gpcs_read(&m->gpcs, m->gpu.gpcs, m->gpu.sms, why, sizeof(why)))
		return;
	snprintf(message, sizeof(message), "gpcs: %s", why);
	complain(config, "gpu", "gpcs", message, diags);
}

static void check_sub_cores(struct machine_config *m, struct config *config, struct diag_list *diags)
{
	const char *uneven = unit_port_uneven(&m->sm);
	char message[160];

	if (m->sm.fetch_per_scheduler && !m->l15.enabled)
		complain(config, "sm", "fetch_per_scheduler",
			"fetch_per_scheduler: the caches of the schedulers have no second level "
			"(sm.l15.enabled)",
			diags);
	if (m->sm.operand_cache && !m->sm.fetch_per_scheduler)
		complain(config, "sm", "operand_cache",
			"operand_cache: the schedulers have no first level (sm.fetch_per_scheduler)", diags);
	if (!uneven)
		return;
	snprintf(message, sizeof(message),
		"sub_cores: %u schedulers cannot share sm.%s evenly; neither is a multiple of the other",
		m->sm.schedulers, uneven);
	complain(config, "sm", uneven, message, diags);
}

static void check_machine(struct machine_config *m, struct config *config, struct diag_list *diags)
{
	char message[512];
	uint32_t threads = m->sm.max_warps * 32;

	if (m->gpu.interleave & (m->gpu.interleave - 1))
		complain(config, "gpu", "interleave", "interleave is no power of two", diags);
	if (m->memory.page & (m->memory.page - 1))
		complain(config, "memory", "page", "page is no power of two", diags);
	if (m->sm.max_threads > threads)
		complain(config, "sm", "max_threads", "max_threads is more than max_warps x 32", diags);
	if (m->sm.max_threads_per_cta > m->sm.max_threads)
		complain(config, "sm", "max_threads_per_cta", "max_threads_per_cta is more than max_threads",
			diags);
	if (m->sm.max_shared_per_cta > m->sm.shared_bytes)
		complain(config, "sm", "max_shared_per_cta", "max_shared_per_cta is more than shared_bytes",
			diags);
	if (m->sm.instruction_bytes & (m->sm.instruction_bytes - 1))
		complain(config, "sm", "instruction_bytes", "instruction_bytes is neither 8 nor 16", diags);
	if (m->sm.shared_banks & (m->sm.shared_banks - 1))
		complain(config, "sm", "shared_banks", "shared_banks is no power of two", diags);
	if (m->sm.register_banks & (m->sm.register_banks - 1))
		complain(config, "sm", "register_banks", "register_banks is no power of two", diags);
	if (!cache_config_check(&m->instruction, message, sizeof(message)))
		complain_of_cache(config, "sm.instruction", message, diags);
	if (!cache_config_check(&m->l1d, message, sizeof(message)))
		complain_of_cache(config, "sm.l1d", message, diags);
	if (!cache_config_check(&m->constant, message, sizeof(message)))
		complain_of_cache(config, "sm.constant", message, diags);
	if (!cache_config_check(&m->l15, message, sizeof(message)))
		complain_of_cache(config, "sm.l15", message, diags);
	if (!cache_config_check(&m->texture, message, sizeof(message)))
		complain_of_cache(config, "sm.texture", message, diags);
	if (!l2_config_check(&m->l2, message, sizeof(message)))
		complain_of_cache(config, "l2", message, diags);
	if (!dram_config_check(&m->dram, message, sizeof(message)))
		complain(config, "dram", key_of(message), message, diags);
	if (!warps_config_check(&m->paper_observers.warps, message, sizeof(message)))
		complain(config, "observe.warps", "mostly_miss", message, diags);
	check_carve_outs(m, config, diags);
	check_gpcs(m, config, diags);
	if (cluster_network_check(&m->cluster, message, sizeof(message)))
		complain(config, "cluster", "distances", message, diags);
	check_sub_cores(m, config, diags);
	if (m->l2.halves && (m->gpu.partitions & 1 || m->l2.mshrs < 2 || m->l2.ways < 2))
		complain(config, "l2", "halves",
			"halves need an even number of gpu.partitions, and two of l2.mshrs and l2.ways",
			diags);
	if (m->sm.texture_in_l1 && m->l1d.sectors < 4)
		complain(config, "sm", "texture_in_l1",
			"texture_in_l1: the L1's lines have no sectors (sm.l1d.sectors)", diags);
	if (m->l1d.line != 128 || m->l2.line != 128 || m->texture.line != 128)
		complain(config,
			m->l1d.line != 128          ? "sm.l1d"
				: m->l2.line != 128 ? "l2"
						    : "sm.texture",
			"line", "lines of other than 128 bytes are not modelled yet", diags);
	combinations_check(m, config, diags);
}

bool machine_config_read(struct machine_config *m, struct config *config, struct diag_list *diags)
{
	size_t errors = diags->errors;

	memset(m, 0, sizeof(*m));
	m->plugins = plugins_read(config, diags);
	config_read(config, "gpu", gpu_params, &m->gpu, diags);
	config_read(config, "memory", memory_params, &m->memory, diags);
	config_read(config, "frontend", frontend_params, &m->frontend, diags);
	m->frontend.sm = 10 * m->gpu.compute_major + m->gpu.compute_minor;
	m->dispatch = policy_read(&dispatch_interface, config, "gpu.dispatch", diags);
	config_read(config, "gpu.launch", launch_cost_params, &m->launch, diags);
	config_read(config, "gpu.timing_limit", timing_limit_params, &m->timing_limit, diags);
	config_read(config, "sample", sample_params, &m->sample, diags);
	config_read(config, "gpu.warmup", warmup_params, &m->warmup, diags);
	config_read(config, "sm", sm_params, &m->sm, diags);
	m->frontend.most_registers = m->sm.max_registers_per_thread;
	config_read(config, "sm.latency", sm_latency_params, &m->sm, diags);
	config_read(config, "sm.replay", sm_replay_params, &m->sm, diags);
	config_read(config, "sm.interval", sm_interval_params, &m->sm, diags);
	config_read(config, "sm.tensor", tensor_params, &m->sm.tensor, diags);
	sm_config_complete(&m->sm);
	m->scheduler = policy_read(&sched_interface, config, "sm.scheduler", diags);
	m->limiter = limiter_read(config, "sm.limiter", diags);
	m->coalescer = policy_read(&coalescer_interface, config, "sm.coalescer", diags);
	m->sm.has_gates = m->coalescer->class->accept != NULL;
	m->request_buffer = policy_read(&request_buffer_interface, config, "sm.request_buffer", diags);
	m->bypass = policy_read(&bypass_interface, config, "sm.bypass", diags);
	m->stall_bypass = policy_read(&bypass_interface, config, "sm.stall_bypass", diags);
	cache_config_read(&m->l1d, config, "sm.l1d", cache_l1d_params, diags);
	cache_config_read(&m->constant, config, "sm.constant", cache_const_params, diags);
	m->l1d.seed = m->constant.seed = m->instruction.seed = m->l15.seed = m->texture.seed = m->l2.seed =
		m->gpu.seed;
	cache_config_read(&m->instruction, config, "sm.instruction", cache_inst_params, diags);
	cache_config_read(&m->l15, config, "sm.l15", cache_l15_params, diags);
	config_read(config, "sm.tlb", tlb_params, &m->tlb, diags);
	cache_config_read(&m->texture, config, "sm.texture", cache_texture_params, diags);
	config_read(config, "xbar", network_params, &m->xbar, diags);
	m->xbar.prototype = policy_read_chosen(&network_interface, config, "xbar", m->xbar.network, diags);
	config_read(config, "cluster", cluster_network_params, &m->cluster, diags);
	l2_config_read(&m->l2, config, "l2", diags);
	m->l2.sms = m->gpu.sms;
	m->l2.warps = m->sm.max_warps;
	m->l2.sets_aside = m->gpu.compute_major >= 8 && m->l2.ways > 1;
	config_read(config, "dram", dram_params, &m->dram, diags);
	m->dram.channels = m->gpu.partitions;
	m->dram_scheduler = policy_read(&dram_sched_interface, config, "dram.scheduler", diags);
	config_read(config, "functional", functional_params, &m->functional, diags);
	config_read(config, "observe", output_params, &m->output, diags);
	config_read(config, "observe", observe_params, &m->observe, diags);
	m->observer = policy_read(&observer_interface, config, "observe.observer", diags);
	config_read(config, "observe", paper_observers_params, &m->paper_observers, diags);
	config_read(config, "observe.warps", warps_params, &m->paper_observers.warps, diags);
	config_read(config, "observe.series", series_params, &m->series, diags);
	config_read(config, "observe.timeline", timeline_params, &m->timeline, diags);
	timeline_detail_read(&(struct timeline_detail){ 0 }, &m->timeline, m->gpu.sms, config, diags);
	config_read(config, "energy", energy_params, &m->energy, diags);
	if (diags->errors == errors)
		check_machine(m, config, diags);
	if (diags->errors == errors)
		m->lookahead = run_ahead_of(m);
	m->l2.lead = m->lookahead.l2;
	m->dram.lead = m->lookahead.dram;
	m->dram.counts_cycles =
		diags->errors == errors && !dram_times_round_alike(&m->gpu, m->l2.rop_latency);
	return diags->errors == errors;
}

void machine_config_fini(struct machine_config *m)
{
	free(m->plugins);
	policy_prototype_free(m->scheduler);
	policy_prototype_free(m->dram_scheduler);
	policy_prototype_free(m->dispatch);
	limiter_prototype_free(m->limiter);
	cache_config_fini(&m->l1d);
	cache_config_fini(&m->constant);
	cache_config_fini(&m->instruction);
	cache_config_fini(&m->l15);
	cache_config_fini(&m->texture);
	l2_config_fini(&m->l2);
	policy_prototype_free(m->coalescer);
	policy_prototype_free(m->request_buffer);
	policy_prototype_free(m->xbar.prototype);
	policy_prototype_free(m->bypass);
	policy_prototype_free(m->stall_bypass);
	policy_prototype_free(m->observer);
}
