/* core/kernel/cluster.h -- thread block clusters: CTAs that start together, within one GPC, and can access
 * each other's shared memory (PTX ISA, "Cluster of Cooperative Thread Arrays").
 *
 * CTAs start in the order of places: those of cluster 0 by rank, then those of cluster 1 ... In a launch
 * without clusters a place is the number of the CTA in its grid, and no struct cluster is made. */
#ifndef CORE_KERNEL_CLUSTER_H
#define CORE_KERNEL_CLUSTER_H

#include "core/exec/cluster_memory.h"

struct cluster_shadow;
struct cta;
struct kernel_run;
struct launch;

/* The CTAs of a cluster that are resident. */
struct cluster {
	struct cluster_memory memory;
	struct kernel_run *run;
	uint64_t number;                     /* in the grid of clusters */
	struct cta *ctas[CLUSTER_CTAS_MOST]; /* by rank; NULL: it has exited */
	uint32_t left;                       /* CTAs that have not exited */
	uint64_t phase_due; /* with timing: everybody has arrived at the barrier, whose phase ends in that
			       cycle; 0: not yet */
	uint16_t sms[CLUSTER_CTAS_MOST]; /* with timing: where they are */
	struct cluster_shadow *shadow;   /* the sanitizer's (core/sanitize); NULL: none */
	struct cluster *previous, *next; /* in run->clusters, the one that began last at the front */
};

/* The shape of the launch's clusters in CTAs, 1 where none is given: the kernel's (.reqnctapercluster) or the
 * launch's. Returns the CTAs of a cluster. */
uint32_t launch_cluster(const struct launch *launch, uint32_t shape[3]);

/* The number in the grid of the CTA that starts in that place. */
uint64_t cluster_cta_number(const struct kernel_run *run, uint64_t place);
/* The place of a CTA of that number. */
uint64_t cluster_cta_place(const struct kernel_run *run, uint64_t number);
/* How many CTAs start together from that place on: those of its cluster, of which some may have exited if the
 * launch goes on from its middle (run->resume). */
uint32_t cluster_members(const struct kernel_run *run, uint64_t place);
/* Takes the next cluster (CTA, where there are none) off the launch's queue if its place is below `end`, so
 * that it never starts: how many CTAs, and the coordinates of the first, followed by 1. 0: there is none;
 * `answer` stays. */
uint32_t cluster_cancel(struct kernel_run *run, uint64_t end, uint32_t answer[4]);
/* The cluster (in x, y and z) of a CTA, and the CTA's place in it. */
void cluster_coordinates(
	const struct kernel_run *run, const uint32_t cta[3], uint32_t cluster[3], uint32_t inside[3]);
uint32_t cluster_rank(const struct kernel_run *run, const uint32_t cta[3]);

/* The CTA `id` of the grid begins, with that shared memory: all CTAs of a cluster one after the other. The
 * first of them makes the cluster. */
struct cluster *cluster_join(struct kernel_run *run, struct cta *cta, const uint32_t id[3], uint8_t *shared);
/* The CTA of that rank is elsewhere from now on, and runs without timing. */
void cluster_move(struct cluster *cluster, uint32_t rank, struct cta *cta, uint8_t *shared);
/* It has exited; the last one frees the cluster. */
void cluster_leave(struct cluster *cluster, uint32_t rank);
/* The run has been given up. */
void clusters_free(struct kernel_run *run);

#endif
