/* core/observe/paper_observers.c -- observers made and wired: who listens where, who writes which file. */
#include "core/observe/paper_observers.h"
#include "core/observe/bandwidth.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/occupancy_observer.h"
#include "core/pipeline/role_observer.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"
#include "memsys/l2/l2.h"
#include "memsys/observe/accesses.h"
#include "memsys/observe/delays.h"
#include "memsys/observe/instructions.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"
#include <math.h>

const struct sim_param paper_observers_params[] = {
	SIM_BOOL(struct paper_observers_config, bandwidth, 0,
		"measure bandwidth by level, in GB/s and as a share of the peak, and row-buffer locality: "
		"observe.bandwidth.*"),
	SIM_BOOL(struct paper_observers_config, requests, 0,
		"count requests left at each level, lines per load, waiting memory instructions, inter-warp "
		"coalescing (WarpPool, MICRO 2015, Figures 2, 3, 5): observe.requests.*, windows.csv"),
	SIM_BOOL(struct paper_observers_config, accesses, 0,
		"count accesses of L1 and L2 by type (global, local, constant ...) and outcome, with "
		"GPGPU-Sim's names: observe.l1d.*, observe.l2.*"),
	SIM_BOOL(struct paper_observers_config, occupancy, 0,
		"count occupancy while SMs have warps, and warp instructions by active lanes: "
		"observe.occupancy.*"),
	SIM_BOOL(struct paper_observers_config, roles, 0,
		"count what warps wait for by their role (they issue bulk copies, matrix products, both or "
		"neither), how busy tensor units and the unit of bulk copies are, and bytes under way for "
		"each mbarrier: observe.roles.*"),
	SIM_BOOL(struct paper_observers_config, queue_delay, 0,
		"record the distributions of waiting times at the L2, and from the SM to its look-up (MeDiC, "
		"PACT 2015, Figure 5): observe.queue_delay.*, queue_delay.csv, sm_to_l2_delay.csv"),
	SIM_BOOL(struct paper_observers_config, instructions, 0,
		"count line requests per load, and L2 hit ratios and their deviation over warps, by PTX "
		"line: "
		"observe.instructions.*, instructions.csv"),
	SIM_END
};

struct paper_observers {
	struct chip *chip;
	struct warp_observer *warps;
	struct delay_observer *delays;
	struct instruction_observer *instructions;
	struct request_observer **requests; /* by SM */
	struct request_router router;
	struct cache_listener *router_listeners; /* by slice */
	struct bandwidth *bandwidth;
	struct access_observer **accesses; /* by SM, then by slice */
	FILE *warps_file, *delays_file, *from_sm_file, *windows_file, *instructions_file;
};

/* ---- building ---- */

static void observe_warps(struct paper_observers *f, const struct warps_config *config)
{
	struct chip *chip = f->chip;
	uint32_t slices = chip->config->partitions;

	f->warps = warp_observer_new(config, chip->config->sms, chip->sm->max_warps,
		(uint64_t)llround(chip->config->core_mhz * 1000), chip->stat_tree);
	for (uint32_t i = 0; i < slices; i++)
		l2_listen(chip->slices[i], warp_observer_listener(f->warps, i, slices));
}

static void observe_delays(struct paper_observers *f)
{
	uint32_t slices = f->chip->config->partitions;

	f->delays = delay_observer_new(slices, (uint64_t)llround(f->chip->config->l2_mhz * 1000),
		f->chip->l2->rop_latency, f->chip->stat_tree);
	for (uint32_t i = 0; i < slices; i++)
		l2_listen(f->chip->slices[i], delay_observer_listener(f->delays, i));
}

static void observe_instructions(struct paper_observers *f)
{
	struct chip *chip = f->chip;
	uint32_t sms = chip->config->sms, slices = chip->config->partitions;

	f->instructions = instruction_observer_new(sms, chip->sm->max_warps, slices, chip->stat_tree);
	for (uint32_t i = 0; i < sms; i++)
		chip->sms[i]->spec.instruction_observer = f->instructions;
	for (uint32_t i = 0; i < slices; i++)
		l2_listen(chip->slices[i], instruction_observer_listener(f->instructions, i));
}

static void observe_requests(struct paper_observers *f)
{
	struct chip *chip = f->chip;
	uint32_t sms = chip->config->sms, slices = chip->config->partitions;

	f->requests = xcalloc(sms, sizeof(struct request_observer *));
	f->router = (struct request_router){ f->requests, sms };
	f->router_listeners = xcalloc(slices, sizeof(*f->router_listeners));
	for (uint32_t i = 0; i < sms; i++) {
		f->requests[i] = request_observer_new((uint16_t)i, chip->stat_tree);
		cache_listen(chip->sms[i]->spec.l1d, request_observer_l1(f->requests[i]));
		chip->sms[i]->spec.requests = f->requests[i];
	}
	for (uint32_t i = 0; i < slices; i++) {
		request_router_listener(&f->router, &f->router_listeners[i]);
		l2_listen(chip->slices[i], &f->router_listeners[i]);
	}
}

static void observe_accesses(struct paper_observers *f)
{
	struct chip *chip = f->chip;
	uint32_t sms = chip->config->sms, slices = chip->config->partitions;

	f->accesses = xcalloc(sms + slices, sizeof(*f->accesses));
	for (uint32_t i = 0; i < sms; i++) {
		f->accesses[i] = access_observer_new(ACCESS_L1, (int)i, chip->stat_tree);
		cache_listen(chip->sms[i]->spec.l1d, access_observer_listener(f->accesses[i]));
	}
	for (uint32_t i = 0; i < slices; i++) {
		f->accesses[sms + i] = access_observer_new(ACCESS_L2, (int)i, chip->stat_tree);
		l2_listen(chip->slices[i], access_observer_listener(f->accesses[sms + i]));
	}
}

struct paper_observers *paper_observers_new(struct chip *chip, const struct paper_observers_config *c)
{
	struct paper_observers *f;

	if (!c->bandwidth && !c->requests && !c->accesses && !c->occupancy && !c->queue_delay &&
		!c->warps.enabled && !c->instructions && !c->roles)
		return NULL;
	f = xcalloc(1, sizeof(*f));
	f->chip = chip;
	if (c->warps.enabled)
		observe_warps(f, &c->warps);
	if (c->queue_delay)
		observe_delays(f);
	if (c->instructions)
		observe_instructions(f);
	if (c->requests)
		observe_requests(f);
	if (c->accesses)
		observe_accesses(f);
	for (uint32_t i = 0; c->occupancy && i < chip->config->sms; i++)
		occupancy_observer_new(chip->sms[i], chip->stat_tree);
	for (uint32_t i = 0; c->roles && i < chip->config->sms; i++)
		role_observer_new(chip->sms[i], chip->stat_tree);
	if (c->bandwidth)
		f->bandwidth = bandwidth_new(chip);
	return f;
}

void paper_observers_free(struct paper_observers *f)
{
	if (!f)
		return;
	warp_observer_free(f->warps);
	delay_observer_free(f->delays);
	instruction_observer_free(f->instructions);
	for (uint32_t i = 0; f->requests && i < f->chip->config->sms; i++)
		request_observer_free(f->requests[i]);
	free(f->requests);
	free(f->router_listeners);
	for (uint32_t i = 0; f->accesses && i < f->chip->config->sms + f->chip->config->partitions; i++)
		access_observer_free(f->accesses[i]);
	free(f->accesses);
	bandwidth_free(f->bandwidth);
	free(f);
}

/* ---- as time goes on ---- */

void paper_observers_account(struct paper_observers *f)
{
	if (!f)
		return;
	for (uint32_t i = 0; f->requests && i < f->chip->config->sms; i++)
		request_observer_sync_stats(f->requests[i], sim_next_cycle(f->chip->sim, CLOCK_CORE));
	if (f->instructions)
		instruction_observer_account(f->instructions);
	bandwidth_account(f->bandwidth);
}

void paper_observers_begin(struct paper_observers *f, const struct kernel_run *run)
{
	const struct ptx_kernel *k = run->kernel;
	uint32_t *lines;

	if (!f || !f->instructions)
		return;
	lines = xcalloc(k->uop_count, sizeof(*lines));
	for (uint32_t i = 0; i < k->uop_count; i++)
		lines[i] = k->uops[i].line;
	instruction_observer_begin(f->instructions, (uint32_t)run->id, k->name, lines, k->uop_count);
	free(lines);
}

void paper_observers_end(struct paper_observers *f, const struct kernel_run *run)
{
	if (f && f->warps)
		warp_observer_end(f->warps, (uint32_t)run->id);
	if (f && f->instructions)
		instruction_observer_end(f->instructions, (uint32_t)run->id);
}

/* ---- files ---- */

bool paper_observers_want_files(const struct paper_observers *f)
{
	return f && (f->warps || f->delays || f->requests || f->instructions);
}

static bool open_if(bool wanted, FILE **file, const char *folder, const char *name, struct diag_list *diags)
{
	return !wanted || (*file = whole_file_open_in(folder, name, "w", diags));
}

bool paper_observers_open(struct paper_observers *f, const char *folder, struct diag_list *diags)
{
	if (!f)
		return true;
	if (!open_if(f->warps, &f->warps_file, folder, "warps.csv", diags) ||
		!open_if(f->delays, &f->delays_file, folder, "queue_delay.csv", diags) ||
		!open_if(f->delays, &f->from_sm_file, folder, "sm_to_l2_delay.csv", diags) ||
		!open_if(f->instructions, &f->instructions_file, folder, "instructions.csv", diags) ||
		!open_if(f->requests, &f->windows_file, folder, "windows.csv", diags))
		return false;
	if (f->warps)
		warp_observer_open(f->warps, f->warps_file);
	return true;
}

void paper_observers_discard(struct paper_observers *f)
{
	if (!f)
		return;
	FILE **files[] = { &f->warps_file, &f->delays_file, &f->from_sm_file, &f->instructions_file,
		&f->windows_file };
	if (f->warps)
		warp_observer_open(f->warps, NULL);
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
		whole_file_discard(*files[i]);
		*files[i] = NULL;
	}
}

static bool close_report(FILE **file)
{
	bool is_written = whole_file_close(*file);

	*file = NULL;
	return is_written;
}

bool paper_observers_close(struct paper_observers *f)
{
	bool is_written;

	if (!f)
		return true;
	if (f->warps_file)
		warp_observer_idle(f->warps);
	if (f->warps)
		warp_observer_open(f->warps, NULL);
	if (f->delays_file)
		delay_observer_write(f->delays, DELAY_AT_L2, f->delays_file);
	if (f->from_sm_file)
		delay_observer_write(f->delays, DELAY_FROM_SM, f->from_sm_file);
	if (f->instructions_file)
		instruction_observer_write(f->instructions, f->instructions_file);
	if (f->windows_file)
		request_observers_write(f->requests, f->chip->config->sms, f->windows_file);
	is_written = close_report(&f->warps_file);
	is_written &= close_report(&f->delays_file);
	is_written &= close_report(&f->from_sm_file);
	is_written &= close_report(&f->instructions_file);
	return is_written & close_report(&f->windows_file);
}
