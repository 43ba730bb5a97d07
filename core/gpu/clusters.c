/* core/gpu/clusters.c -- see clusters.h. */
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/dispatch/dispatch.h"
#include "core/kernel/cluster.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/cluster_access.h"
#include "core/pipeline/issue.h"
#include "core/pipeline/residency.h"
#include "core/simt/cluster_barrier.h"
#include "core/sm/sm.h"
#include <stdio.h>

static const char *check_shape(const struct launch *l, const uint32_t shape[3], char *message, size_t size)
{
	for (int i = 0; i < 3; i++)
		if (l->grid[i] % shape[i]) {
			snprintf(message, size,
				"a grid of %ux%ux%u CTAs cannot be divided into clusters of %ux%ux%u",
				l->grid[0], l->grid[1], l->grid[2], shape[0], shape[1], shape[2]);
			return message;
		}
	return NULL;
}

const char *gpu_check_clusters(
	const struct gpu *gpu, const struct launch *l, uint32_t most, char *message, size_t size)
{
	const struct ptx_kernel *k = l->kernel;
	uint32_t shape[3], ctas = launch_cluster(l, shape);

	if (k->is_explicit_cluster && !k->reqnctapercluster[0] && !l->cluster[0])
		return "the kernel is to be launched in clusters (.explicitcluster), and no shape is given";
	if (ctas == 1)
		return NULL;
	if (gpu->config.gpu.compute_major < 9)
		return "clusters of CTAs need compute capability 9.0";
	most = gpu->config.gpu.cluster_ctas < most ? gpu->config.gpu.cluster_ctas : most;
	most = k->maxclusterrank && k->maxclusterrank < most ? k->maxclusterrank : most;
	if (ctas > most) {
		snprintf(message, size, "a cluster of %u CTAs: at most %u are allowed", ctas, most);
		return message;
	}
	if (check_shape(l, shape, message, size))
		return message;
	if (gpu_resident_clusters(gpu, l))
		return NULL;
	snprintf(message, size, "a cluster of %u CTAs does not fit any GPC", ctas);
	return message;
}

uint32_t gpu_resident_clusters(const struct gpu *gpu, const struct launch *l)
{
	struct cta_resource_request demand = launch_resource_request(gpu, l);
	uint32_t shape[3], ctas = launch_cluster(l, shape);

	if (ctas > gpu->config.gpu.cluster_ctas)
		return 0;
	return gpcs_clusters(&gpu->config.gpcs, occupancy_of(&gpu->limits, &demand).ctas, ctas);
}

/* One CTA on each SM of the GPC, then a second one ..., until all have a place, or each SM has `most` of
 * them. */
static bool place_in_gpc(const struct gpu *gpu, const struct kernel_run *run, const uint16_t *gpc,
	uint32_t size, uint32_t members, uint32_t most, uint16_t sms[CLUSTER_CTAS_MOST])
{
	uint32_t placed = 0, before;

	for (uint32_t round = 1; round <= most && placed < members; round++) {
		before = placed;
		for (uint32_t i = 0; i < size && placed < members; i++)
			if (sm_has_room(gpu->chip.sms[gpc[i]], run, round))
				sms[placed++] = gpc[i];
		if (placed == before)
			return false;
	}
	return placed == members;
}

/* In the first GPC, from the one behind the last on, that has room for at most so many CTAs on each SM. */
static bool place_by(struct gpu *gpu, const struct kernel_run *run, uint32_t members, uint32_t most,
	uint16_t sms[CLUSTER_CTAS_MOST])
{
	const struct gpcs *g = &gpu->config.gpcs;
	uint32_t first[GPCS_MOST + 1] = { 0 };

	for (uint32_t i = 0; i < g->count; i++)
		first[i + 1] = first[i] + g->size[i];
	for (uint32_t n = 0; n < g->count; n++) {
		uint32_t i = (gpu->next_gpc + n) % g->count;

		if (!place_in_gpc(gpu, run, g->sms + first[i], g->size[i], members, most, sms))
			continue;
		gpu->next_gpc = (i + 1) % g->count;
		return true;
	}
	return false;
}

bool clusters_place(
	struct gpu *gpu, struct kernel_run *run, uint32_t members, uint16_t sms[CLUSTER_CTAS_MOST])
{
	return place_by(gpu, run, members, 1, sms) || place_by(gpu, run, members, members, sms);
}

/* The warps of the cluster that the end of a phase lets go, on their SMs. */
static void release_cluster(struct gpu *gpu, struct cluster *c, cycles now)
{
	uint64_t released[CLUSTER_CTAS_MOST];

	c->phase_due = 0;
	if (!cluster_settle(c, released))
		return;
	for (uint32_t rank = 0; rank < c->memory.ctas; rank++)
		if (c->ctas[rank] && released[rank])
			sm_release_warps(gpu->chip.sms[c->sms[rank]], c->ctas[rank], released[rank], now);
}

/* Threads of the cluster have arrived, on that SM, or exited: if all have, the phase ends after a while. */
static void look_at_barrier(struct gpu *gpu, struct cluster *c, struct sm *sm, cycles now)
{
	const struct sm_config *p = &gpu->config.sm;
	cycles latency = p->cluster_barrier_latency + (cycles)p->cluster_barrier_cta_latency * c->memory.ctas;

	if (c->phase_due || !cluster_has_arrived(c))
		return;
	if (!latency) {
		release_cluster(gpu, c, now);
		return;
	}
	c->phase_due = now + latency;
	timing_wheel_add(&sm->state.wheel, c->phase_due, WHEEL_CLUSTER, 0, 0);
	sm->host.called = true;
	component_wake(&sm->component);
}

static void release_due(struct gpu *gpu, cycles now)
{
	for (uint32_t i = 0; i < gpu->chip.run_count; i++)
		for (struct cluster *c = gpu->chip.runs[i]->clusters; c; c = c->next)
			if (c->phase_due && c->phase_due <= now)
				release_cluster(gpu, c, now);
}

void clusters_commit(struct gpu *gpu, struct sm *sm, uint64_t now)
{
	sm->state.cluster_changed = false;
	release_due(gpu, now);
	for (uint32_t i = 0; i < sm->spec.config->max_ctas; i++) {
		struct cta *cta = &sm->state.ctas[i].cta;

		if (!cta->cluster || !cta->cluster_barrier.has_changed)
			continue;
		cta->cluster_barrier.has_changed = false;
		look_at_barrier(gpu, cta->cluster, sm, now);
	}
}

void clusters_ended(struct gpu *gpu, struct cluster *cluster, uint32_t rank, uint64_t now)
{
	struct sm *sm = gpu->chip.sms[cluster->sms[rank]];
	bool are_others_left = cluster->left > 1;

	cluster_leave(cluster, rank);
	if (are_others_left)
		look_at_barrier(gpu, cluster, sm, now);
}

void clusters_give_up(struct gpu *gpu, struct kernel_run *run, bool is_abandoned)
{
	cycles now = sim_next_cycle(gpu->chip.sim, CLOCK_CORE) - 1;

	cluster_access_flush(gpu->clusters, gpu->chip.sms, is_abandoned);
	for (struct cluster *c = run->clusters; c; c = c->next)
		if (c->phase_due && !is_abandoned)
			release_cluster(gpu, c, now);
}

/* Once the launch's timing has ended, nobody is to take from its queue: CTAs without timing do. */
static void cancel_next(void *machine, const struct warp *w, uint32_t answer[4])
{
	struct gpu *gpu = machine;
	struct kernel_run *run = w->cta->run;
	uint32_t taken =
		run->timing_limit == TIMING_LIMIT_NONE ? cluster_cancel(run, run->timed_end, answer) : 0;

	if (taken)
		dispatch_skip(gpu->chip.dispatch, run->index, taken);
}

struct launch_control clusters_control(struct gpu *gpu)
{
	return (struct launch_control){ cancel_next, gpu };
}
