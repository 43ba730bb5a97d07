/* core/gpu/clusters.h -- clusters on the machine: what can be launched, where the CTAs of one start, how
 * their SMs go on together. */
#ifndef CORE_GPU_CLUSTERS_H
#define CORE_GPU_CLUSTERS_H

#include "core/exec/bulk/bulk_copy.h"
#include "core/exec/cluster_memory.h"

struct cluster;
struct gpu;
struct kernel_run;
struct launch;
struct sm;

/* What keeps the launch's clusters from running, as a sentence (static or in message[size]); NULL: nothing.
 * most: CTAs of a cluster, at most. */
const char *gpu_check_clusters(
	const struct gpu *gpu, const struct launch *launch, uint32_t most, char *message, size_t size);
/* Clusters of the launch that the chip holds at once; 0: it has none as large. */
uint32_t gpu_resident_clusters(const struct gpu *gpu, const struct launch *launch);

/* The SMs, of one GPC, on which so many CTAs of the run's next cluster start, by rank: if possible each on an
 * SM of its own (our choice). false: there is no room now. */
bool clusters_place(
	struct gpu *gpu, struct kernel_run *run, uint32_t members, uint16_t sms[CLUSTER_CTAS_MOST]);

/* What answers clusterlaunchcontrol.try_cancel, in commit phases. */
struct launch_control clusters_control(struct gpu *gpu);
/* In the commit phase: threads on the SM have arrived at barriers of clusters, or exited. Where all have, the
 * warps of the cluster go on. */
void clusters_commit(struct gpu *gpu, struct sm *sm, uint64_t now);
/* The same: the CTA of that rank has ended. */
void clusters_ended(struct gpu *gpu, struct cluster *cluster, uint32_t rank, uint64_t now);
/* Between two cycles, before CTAs of the run go on without timing: what is on its way between CTAs of
 * clusters arrives, and phases that are complete end; or nobody is to continue them. */
void clusters_give_up(struct gpu *gpu, struct kernel_run *run, bool is_abandoned);

#endif
