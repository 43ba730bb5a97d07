/* core/gpu/gpu.c -- the GPU assembled: the block diagram as code.
 *
 *   SM 0 .. n-1  --request-->  [ request network  ]  -->  L2 slice 0 .. m-1  <-->  DRAM channel 0 .. m-1
 *                <--response-- [  reply network   ]  <--
 */
#include "core/chip/address_map.h"
#include "core/dispatch/dispatch.h"
#include "core/energy/activity.h"
#include "core/functional/functional.h"
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/cluster_access.h"
#include "core/lookahead/window.h"
#include "core/observe/observers.h"
#include "core/sample/warming.h"
#include "core/runtime/services.h"
#include "core/sm/sm.h"
#include "dram/sched/sched.h"
#include "dram/trace.h"
#include "memsys/l2/halves.h"
#include <math.h>

static double ipc(const void *object)
{
	const struct gpu *g = object;

	return (double)g->chip.stats.thread_instructions / (double)g->chip.stats.cycles;
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct gpu, chip.stats.field, #field, unit, help)

const struct sim_stat gpu_stat_table[] = {
	COUNT(cycles, "cycles",
		"core cycles in which a kernel was under way, from the start-up of its grid to its drain"),
	COUNT(launch_cycles, "cycles",
		"core cycles in which every kernel under way was starting up or draining (gpu.launch)"),
	COUNT(picoseconds, "ps", "simulated time in which a kernel was under way"),
	COUNT(thread_instructions, "instructions", "thread instructions executed with timing"),
	COUNT(warp_instructions, "instructions", "warp instructions executed with timing"),
	SIM_FORMULA("ipc", ipc, "instructions/cycle",
		"thread instructions per core cycle in which a kernel was under way"),
	COUNT(kernels, "kernels", "kernel launches that ended"),
	COUNT(ctas, "CTAs", "CTAs that ended"),
	COUNT(divergent_barriers, "instructions",
		"barrier instructions that only a part of a warp's lanes reached (targets before sm_70)"),
	COUNT(barriers_left, "barriers",
		"barriers at which arrivals were left, but no waiting threads, when their CTA ended"),
	COUNT(timing_limited_kernels, "kernels",
		"kernel launches that were timed only in part, or not at all, because of a limit of "
		"gpu.timing_limit"),
	COUNT(warmup_kernels, "kernels",
		"kernel launches that were executed without timing for warm-up (gpu.warmup.kernels)"),
	COUNT(untimed_ctas, "CTAs",
		"CTAs that ended without timing: in warm-up, after a timing limit, or skipped by sampling"),
	COUNT(untimed_warp_instructions, "instructions",
		"warp instructions executed without timing: in warm-up, after a timing limit, or skipped by "
		"sampling; no other "
		"statistic counts them"),
	COUNT(untimed_thread_instructions, "instructions",
		"thread instructions executed without timing: in warm-up, after a timing limit, or skipped "
		"by sampling; no other "
		"statistic counts them"),
	SIM_STAT_END,
};

/* ---- building ---- */

_Static_assert(L2_DRAM_INPUTS == DRAM_INPUTS, "a slice has a port for each input of its channel");

/* context: the prototype of the DRAM scheduler. */
static uint32_t dram_input_of(const void *context, const struct packet *request)
{
	const struct dram_sched *scheduler = context;

	return scheduler->class->input(scheduler, request);
}

static void build_memory_side(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	uint32_t n = m->gpu.partitions;

	gpu->chip.slices = xcalloc(n, sizeof(*gpu->chip.slices));
	gpu->channels = xcalloc(n, sizeof(*gpu->channels));
	for (uint32_t i = 0; i < n; i++)
		gpu->chip.slices[i] = l2_new(gpu->chip.sim, &m->l2, (uint16_t)i, gpu->chip.stat_tree);
	for (uint32_t i = 0; i < n; i++) {
		struct l2_ports p;

		l2_set_dram_inputs(gpu->chip.slices[i], dram_sched_inputs(m->dram_scheduler), dram_input_of,
			m->dram_scheduler);
		if (m->dram_scheduler->class->raises && m->dram_scheduler->class->raises(m->dram_scheduler))
			l2_raise_merged(gpu->chip.slices[i]);
		p = l2_ports(gpu->chip.slices[i]);
		gpu->channels[i] = dram_new(gpu->chip.sim, &m->dram, m->dram_scheduler, (uint16_t)i, p.dram,
			p.fill, gpu->chip.stat_tree);
	}
	if (m->l2.halves)
		gpu->halves = l2_halves_new(gpu->chip.sim, gpu->chip.slices, n, m->l2.halves_latency);
}

static void build_networks(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	uint32_t sms = m->gpu.sms, slices = m->gpu.partitions;
	struct port **sm_out = xcalloc(sms, sizeof(*sm_out)), **sm_in = xcalloc(sms, sizeof(*sm_in));
	struct port **l2_in = xcalloc(slices, sizeof(*l2_in)), **l2_out = xcalloc(slices, sizeof(*l2_out));
	struct network_config requests = m->xbar, replies = m->xbar;

	for (uint32_t i = 0; i < sms; i++) {
		sm_out[i] = window_requests(gpu->chip.sms[i]);
		sm_in[i] = window_replies(gpu->chip.sms[i]);
	}
	for (uint32_t i = 0; i < slices; i++) {
		struct l2_ports p = l2_ports(gpu->chip.slices[i]);

		l2_in[i] = p.request;
		l2_out[i] = p.reply;
	}
	if (requests.request_flit)
		requests.flit = requests.request_flit;
	replies.voq |= replies.voq_replies;
	replies.lead = m->lookahead.xbar;
	gpu->requests = network_new(
		gpu->chip.sim, &requests, sms, sm_out, slices, l2_in, gpu->chip.stat_tree, "xbar.request");
	gpu->replies = network_new(
		gpu->chip.sim, &replies, slices, l2_out, sms, sm_in, gpu->chip.stat_tree, "xbar.reply");
	for (uint32_t i = 0; i < sms; i++)
		gpu->chip.sms[i]->host.window->network = gpu->requests;
	for (uint32_t i = 0; i < slices; i++)
		network_set_receiver(gpu->requests, i, l2_take_ahead);
	for (uint32_t i = 0; i < sms && m->lookahead.core; i++)
		network_set_receiver(gpu->replies, i, window_take_reply);
	free(sm_out);
	free(sm_in);
	free(l2_in);
	free(l2_out);
}

static uint64_t khz_of(double mhz)
{
	return (uint64_t)llround(mhz * 1000);
}

static void build_dispatch(struct gpu *gpu)
{
	struct dispatch_machine machine = gpu_dispatch_machine(gpu);

	gpu->chip.dispatch = dispatch_new(gpu->config.dispatch, &machine);
	policy_start(&dispatch_interface, gpu->chip.dispatch, gpu->chip.stat_tree, "gpu.dispatch", -1);
}

static void build_sms(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	struct partition_map map = gpu->chip.map;
	struct sm_parts parts = { .gpu = gpu,
		.sim = gpu->chip.sim,
		.stats = gpu->chip.stat_tree,
		.config = &m->sm,
		.l1d = &m->l1d,
		.constants = &m->constant,
		.instructions = &m->instruction,
		.texture = &m->texture,
		.l15 = &m->l15,
		.tlb = &m->tlb,
		.scheduler = m->scheduler,
		.limiter = m->limiter,
		.coalescer = m->coalescer,
		.request_buffer = m->request_buffer,
		.bypass = m->bypass,
		.stall_bypass = m->stall_bypass,
		.map = &map,
		.memory = gpu->chip.memory,
		.services = gpu->services,
		.warnings = &gpu->warnings,
		.tick = window_tick,
		.clock_ratio = m->gpu.shader_mhz / m->gpu.core_mhz };

	map.halves = m->l2.halves;
	gpu->chip.sms = xcalloc(m->gpu.sms, sizeof(*gpu->chip.sms));
	for (uint32_t i = 0; i < m->gpu.sms; i++) {
		map.half = (uint8_t)address_map_half(&m->gpu, i);
		parts.needs_commit = &gpu->needs_commit[i];
		parts.is_profiled = &gpu->is_profiled;
		gpu->chip.sms[i] = sm_new(&parts, (uint16_t)i);
		bulk_engine_control(gpu->chip.sms[i], clusters_control(gpu));
		window_init(gpu->chip.sms[i], m->lookahead.core);
	}
}

/* The network of clusters; chips that have none have no statistics of it. */
static void build_clusters(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	struct cluster_client client = cluster_access_client(gpu->chip.sms);
	uint16_t *place = xcalloc(m->gpu.sms, sizeof(*place));

	for (uint32_t i = 0, at = 0; i < m->gpcs.count; i++)
		for (uint32_t n = 0; n < m->gpcs.size[i]; n++, at++)
			if (m->gpcs.sms[at] < m->gpu.sms)
				place[m->gpcs.sms[at]] = (uint16_t)n;
	gpu->clusters = cluster_network_new(gpu->chip.sim, &m->cluster, m->gpu.sms, place, &client,
		m->gpu.compute_major < 9 ? NULL : gpu->chip.stat_tree);
	for (uint32_t i = 0; i < m->gpu.sms; i++)
		cluster_access_init(gpu->chip.sms[i], gpu->clusters);
	free(place);
}

static void build(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;
	const struct gpu_config *g = &m->gpu;
	const uint64_t khz[CLOCK_COUNT] = { [CLOCK_CORE] = khz_of(g->core_mhz),
		[CLOCK_XBAR] = khz_of(g->xbar_mhz),
		[CLOCK_L2] = khz_of(g->l2_mhz),
		[CLOCK_DRAM] = khz_of(g->dram_mhz) };

	gpu->chip.config = g;
	gpu->chip.sm = &m->sm;
	gpu->chip.l1d = &m->l1d;
	gpu->chip.l2 = &m->l2;
	gpu->chip.xbar = &m->xbar;
	gpu->chip.dram = &m->dram;
	gpu->chip.account = gpu_account_before;
	gpu->chip.sim = sim_new(khz);
	if (m->lookahead.moves_dram)
		sim_go_ahead(gpu->chip.sim, CLOCK_DRAM, CLOCK_CORE, m->lookahead.core);
	gpu->chip.stat_tree = stat_tree_new();
	stat_register(gpu->chip.stat_tree, "gpu", -1, gpu_stat_table, gpu, sizeof(*gpu));
	gpu->chip.map = address_map_partitions(&m->gpu, &m->dram);
	build_dispatch(gpu);
	gpu->needs_commit = xcalloc((g->sms + 7) / 8, 8);
	build_sms(gpu);
	epochs_init(&gpu->epochs, gpu->chip.sms, g->sms, &gpu->commit, &gpu->livelock);
	/* behind the SMs' gates (core/lookahead/window.h) */
	turnaround_init(gpu); /* before it, what has become free can be given out in the same cycle */
	component_init(&gpu->commit, gpu->chip.sim, PHASE_COMMIT, gpu_commit_tick);
	component_init(&gpu->launch_timer, gpu->chip.sim, PHASE_COMMIT, launch_tick);
	build_clusters(gpu);
	stat_register(gpu->chip.stat_tree, "sm.load_time", -1, load_time_stats, &gpu->load_time,
		sizeof(gpu->load_time));
	build_memory_side(gpu);
	build_networks(gpu);
	gpu->observers = observers_new(&gpu->chip, &m->observe, m->observer);
	gpu->paper_observers = paper_observers_new(&gpu->chip, &m->paper_observers);
	if (m->output.activity || *m->energy.model)
		gpu->activity = activity_new(&gpu->chip, gpu->chip.stat_tree);
	gpu->chip.runs = xcalloc(g->max_kernels, sizeof(struct kernel_run *));
	gpu->runs_by_index = xcalloc(g->max_kernels, sizeof(struct kernel_run *));
	gpu->chip.sampling = sampling_new(&m->sample, gpu->chip.stat_tree);
	gpu->chip.warming = gpu->chip.sampling && m->sample.warming == SAMPLE_WARMING_TAGS
		? warming_new(&gpu->chip)
		: NULL;
	gpu->chip.functional = functional_new(gpu->chip.memory, gpu->services, g->sms, m->sm.max_warps);
	functional_set_hang_check(gpu->chip.functional, g->hang_check);
	if (m->functional.order == FUNCTIONAL_INTERLEAVED)
		functional_set_interleaved(gpu->chip.functional, g->seed);
	livelock_init(&gpu->livelock, gpu_view(gpu), g->hang_check);
}

static void fill_properties(struct gpu *gpu)
{
	const struct machine_config *m = &gpu->config;

	gpu->properties = (struct gpu_properties){ .name = m->gpu.name,
		.compute_major = m->gpu.compute_major,
		.cluster_ctas = m->gpu.cluster_ctas,
		.compute_minor = m->gpu.compute_minor,
		.sm_count = m->gpu.sms,
		.memory_bytes = m->gpu.memory,
		.max_threads_per_cta = m->sm.max_threads_per_cta,
		.max_threads_per_sm = m->sm.max_threads,
		.max_warps_per_sm = m->sm.max_warps,
		.max_ctas_per_sm = m->sm.max_ctas,
		.registers_per_sm = m->sm.registers,
		.registers_per_cta = m->sm.max_registers_per_cta,
		.shared_per_sm = m->sm.shared_bytes,
		.shared_per_cta = m->sm.max_shared_per_cta,
		.max_grid_x = m->gpu.max_grid_x,
		.l2_bytes = m->gpu.partitions * m->l2.sets * m->l2.ways * m->l2.line,
		.memory_bus_bits = m->gpu.partitions * m->dram.bus_bytes * 8,
		.core_mhz = m->gpu.core_mhz,
		.shader_mhz = m->gpu.shader_mhz,
		.memory_mhz = m->gpu.dram_mhz * m->dram.data_rate / 2,
		.pcie_bandwidth = m->gpu.pcie_bandwidth,
		.pcie_latency = m->gpu.pcie_latency,
		.copy_engines = m->gpu.copy_engines,
		.max_kernels = m->gpu.max_kernels };
	sm_limits_from(&m->sm, &gpu->limits);
}

/* The same code for the same memory: what a successor must have in common with the machine before. */
static bool can_succeed(const struct gpu *gpu, const struct gpu *before, struct diag_list *diags)
{
	const struct ptx_lowering *a = &gpu->config.frontend, *b = &before->config.frontend;

	if (before->chip.run_count || before->broken || before->chip.stats.cycles)
		diag_error(diags, NULL,
			"the machine can be another one only while no kernel is under way and none has been "
			"timed");
	else if (gpu->config.gpu.memory != before->config.gpu.memory)
		diag_error(diags, NULL, "gpu.memory cannot be another one during a run");
	else if (a->timed_code != b->timed_code || a->contract != b->contract || a->sm != b->sm)
		diag_error(
			diags, NULL, "the code of kernels (section frontend) cannot be another during a run");
	else if (a->timed_code == PTX_SCHEDULED && a->most_registers != b->most_registers)
		diag_error(diags, NULL,
			"sm.max_registers_per_thread cannot be another during a run of scheduled code: "
			"what it has no room for is in memory");
	else
		return true;
	return false;
}

/* Memory, and what lies in it, is handed on. */
static bool take_memory(struct gpu *gpu, struct gpu *before, struct diag_list *diags)
{
	if (!can_succeed(gpu, before, diags))
		return false;
	gpu->chip.memory = before->chip.memory;
	gpu->services = before->services;
	before->chip.memory = NULL;
	before->services = NULL;
	return true;
}

static struct gpu *make(struct config *config, struct gpu *before, bool is_smallest, struct diag_list *diags)
{
	struct gpu *gpu = xcalloc(1, sizeof(*gpu));

	if (!machine_config_read(&gpu->config, config, diags)) {
		machine_config_fini(&gpu->config);
		free(gpu);
		return NULL;
	}
	if (is_smallest) {
		gpu->config.gpu.sms = 1;
		gpu->config.gpu.partitions = gpu->config.l2.halves ? 2 : 1;
	}
	if (before && !take_memory(gpu, before, diags)) {
		machine_config_fini(&gpu->config);
		free(gpu);
		return NULL;
	}
	gpu->chip.memory = before ? gpu->chip.memory : memory_new(gpu->config.gpu.memory);
	if (!gpu->chip.memory) {
		struct diag_location index = config_location(config, "gpu", "memory");

		diag_error(diags, &index,
			"the host does not give %llu bytes of address space for device memory",
			(unsigned long long)gpu->config.gpu.memory);
		machine_config_fini(&gpu->config);
		free(gpu);
		return NULL;
	}
	memory_set_page(gpu->chip.memory, gpu->config.memory.page, gpu->config.memory.bounds == BOUNDS_PAGE);
	gpu->services = before ? gpu->services : services_new(gpu->chip.memory);
	fill_properties(gpu);
	build(gpu);
	if (before)
		functional_advance_clock(gpu->chip.functional, functional_clock(before->chip.functional));
	if (before && before->aside_bytes)
		gpu_set_aside(gpu, before->aside_bytes);
	gpu->energy = energy_new(&gpu->chip, &gpu->config.energy, config, diags);
	if (gpu->energy || !*gpu->config.energy.model)
		gpu->series = series_new(&gpu->chip, &gpu->config.series, "observe.series", config, diags);
	if ((!*gpu->config.energy.model || gpu->energy) && (!gpu->config.series.period || gpu->series))
		return gpu;
	gpu_free(gpu);
	return NULL;
}

struct gpu *gpu_new(struct config *config, struct diag_list *diags)
{
	return make(config, NULL, false, diags);
}

struct gpu *gpu_check(struct config *config, struct diag_list *diags)
{
	return make(config, NULL, true, diags);
}

struct gpu *gpu_successor(struct gpu *before, struct config *config, struct diag_list *diags)
{
	return make(config, before, false, diags);
}

void gpu_free(struct gpu *gpu)
{
	if (!gpu)
		return;
	functional_free(gpu->chip.functional);
	sampling_free(gpu->chip.sampling);
	warming_free(gpu->chip.warming);
	livelock_fini(&gpu->livelock);
	observers_free(gpu->observers);
	gpu_close_timeline(gpu);
	series_free(gpu->series);
	energy_free(gpu->energy);
	paper_observers_free(gpu->paper_observers);
	network_free(gpu->requests);
	network_free(gpu->replies);
	cluster_network_free(gpu->clusters);
	l2_halves_free(gpu->halves);
	free(gpu->aside.windows);
	for (uint32_t i = 0; i < gpu->config.gpu.partitions; i++) {
		dram_free(gpu->channels[i]);
		l2_free(gpu->chip.slices[i]);
	}
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		window_fini(gpu->chip.sms[i]);
		cluster_access_fini(gpu->chip.sms[i]);
		sm_free(gpu->chip.sms[i]);
	}
	gpu_free_runs(gpu);
	activity_free(gpu->activity);
	policy_free(gpu->chip.dispatch);
	policy_free(gpu->former_dispatch);
	free(gpu->channels);
	free(gpu->chip.slices);
	free(gpu->chip.sms);
	free(gpu->needs_commit);
	epochs_fini(&gpu->epochs);
	turnaround_fini(&gpu->turnaround);
	stat_tree_free(gpu->chip.stat_tree);
	sim_free(gpu->chip.sim);
	services_free(gpu->services);
	memory_free(gpu->chip.memory);
	machine_config_fini(&gpu->config);
	free(gpu);
}

/* ---- what others ask ---- */

const char *gpu_dram_trace(const struct gpu *gpu)
{
	const char *name = gpu->config.dram.trace;

	if (!*name || !strcmp(name, "false"))
		return NULL;
	return strcmp(name, "true") ? name : "dram-trace.txt";
}

void gpu_trace_dram(struct gpu *gpu, FILE *stream)
{
	uint32_t n = gpu->config.gpu.partitions;

	dram_trace_begin(stream, khz_of(gpu->config.gpu.dram_mhz), n);
	for (uint32_t i = 0; i < n; i++)
		dram_set_trace(gpu->channels[i], stream);
}
