/* core/gpu/gpu_queries.c -- what others ask of the machine, and small things that they have it do. */
#include "core/dispatch/dispatch.h"
#include "core/functional/functional.h"
#include "core/gpu/gpu_internal.h"
#include "core/lookahead/window.h"
#include "core/runtime/services.h"
#include "core/pipeline/residency.h"
#include "core/sm/sm.h"

void gpu_print_windows(const struct gpu *gpu, FILE *stream)
{
	window_print(gpu->chip.sms, gpu->config.gpu.sms, stream);
	sim_print_forks(gpu->chip.sim, stream);
}

const struct gpu_properties *gpu_properties(const struct gpu *gpu)
{
	return &gpu->properties;
}

struct device_memory *gpu_memory(struct gpu *gpu)
{
	return gpu->chip.memory;
}

const struct ptx_lowering *gpu_lowering(const struct gpu *gpu)
{
	return &gpu->config.frontend;
}

const struct dram_config *gpu_dram(const struct gpu *gpu)
{
	return &gpu->config.dram;
}

uint32_t gpu_partitions(const struct gpu *gpu)
{
	return gpu->config.gpu.partitions;
}

struct stat_tree *gpu_stats(struct gpu *gpu)
{
	gpu_account(gpu);
	return gpu->chip.stat_tree;
}

bool gpu_estimates(struct gpu *gpu, struct stat_estimate *estimate, struct stat_trust *trust)
{
	gpu_account(gpu);
	return sampling_estimates(&gpu->chip, estimate, trust);
}

enum gpu_instances gpu_instances(const struct gpu *gpu)
{
	return gpu->config.output.instances;
}

bool gpu_functional_time(const struct gpu *gpu)
{
	return gpu->config.functional.clock == FUNCTIONAL_CLOCK_PEAK;
}

bool gpu_wants_kernel_statistics(const struct gpu *gpu)
{
	return gpu->config.output.kernels;
}

const char *gpu_plugins(const struct gpu *gpu)
{
	return gpu->config.plugins;
}

const struct energy *gpu_energy(struct gpu *gpu)
{
	gpu_account(gpu);
	return gpu->energy;
}

const struct load_time *gpu_load_time(struct gpu *gpu)
{
	gpu_account(gpu);
	return &gpu->load_time;
}

const struct sm_limits *gpu_limits(const struct gpu *gpu)
{
	return &gpu->limits;
}

struct component *gpu_commit_component(struct gpu *gpu)
{
	return &gpu->commit;
}

struct sm *gpu_sm(const struct gpu *gpu, uint32_t number)
{
	return gpu->chip.sms[number];
}

uint32_t gpu_sm_count(const struct gpu *gpu)
{
	return gpu->config.gpu.sms;
}

uint64_t gpu_next_age(struct gpu *gpu)
{
	return ++gpu->ages;
}

bool gpu_may_place(const struct gpu *gpu, const struct sm *sm)
{
	const struct dispatch *d = gpu->chip.dispatch;

	for (uint32_t i = 0; i < d->waiting_count; i++)
		if ((!d->max_ctas_per_sm || sm->state.use.ctas < d->max_ctas_per_sm) &&
			sm_has_room(sm, gpu->runs_by_index[d->waiting[i]], 1))
			return true;
	return false;
}

struct kernel_run *gpu_sole_run(const struct gpu *gpu)
{
	return gpu->chip.run_count == 1 ? gpu->chip.runs[0] : NULL;
}

double gpu_cycles_per_ns(const struct gpu *gpu)
{
	return gpu->config.gpu.core_mhz / 1000;
}

bool gpu_set_heap(struct gpu *gpu, uint64_t bytes)
{
	return services_set_heap(gpu->services, bytes);
}

void gpu_answer_calls(
	struct gpu *gpu, uint64_t (*answer)(void *user, const struct device_call *call), void *user)
{
	services_answer(gpu->services, answer, user);
}

void gpu_yield(struct gpu *gpu)
{
	gpu->yields = gpu->chip.stop = true;
}

bool gpu_set_output(struct gpu *gpu, uint64_t bytes)
{
	return services_set_output(gpu->services, bytes);
}

void gpu_flush_output(struct gpu *gpu, FILE *out, FILE *error)
{
	services_flush(gpu->services, out, error);
}

void gpu_flush_warnings(struct gpu *gpu, FILE *to)
{
	warnings_flush(&gpu->warnings, to);
}

void gpu_set_progress(struct gpu *gpu, gpu_progress_function function, void *user)
{
	gpu->progress = function;
	gpu->progress_user = user;
}

void gpu_drain(struct gpu *gpu)
{
	if (!gpu->broken)
		series_run(gpu->series, &gpu->chip, &gpu->broken, SIM_NEVER);
}

picoseconds gpu_now(const struct gpu *gpu)
{
	return sim_now(gpu->chip.sim);
}

uint64_t gpu_seed(const struct gpu *gpu)
{
	return gpu->config.gpu.seed;
}

bool gpu_is_at_work(const struct gpu *gpu)
{
	return gpu->chip.run_count;
}

bool gpu_has_heap(const struct gpu *gpu)
{
	return services_has_heap(gpu->services);
}

uint64_t gpu_functional_clock(const struct gpu *gpu)
{
	return functional_clock(gpu->chip.functional);
}

void gpu_set_functional_clock(struct gpu *gpu, uint64_t clock)
{
	functional_advance_clock(gpu->chip.functional, clock);
}

/* ---- the trace of DRAM commands ---- */
