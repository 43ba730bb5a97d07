/* core/kernel/cluster.c -- see cluster.h. */
#include "core/kernel/cluster.h"
#include "core/kernel/kernel_run.h"
#include "sim/base/xalloc.h"
#include <string.h>

uint32_t launch_cluster(const struct launch *launch, uint32_t shape[3])
{
	const uint32_t *own = launch->kernel->reqnctapercluster, *from = own[0] ? own : launch->cluster;

	for (int i = 0; i < 3; i++)
		shape[i] = from[i] ? from[i] : 1;
	return shape[0] * shape[1] * shape[2];
}

static uint64_t linear_of(const uint32_t at[3], const uint32_t size[3])
{
	return at[0] + (uint64_t)size[0] * (at[1] + (uint64_t)size[1] * at[2]);
}

static void split_linear(uint64_t number, const uint32_t size[3], uint32_t at[3])
{
	at[0] = (uint32_t)(number % size[0]);
	at[1] = (uint32_t)(number / size[0] % size[1]);
	at[2] = (uint32_t)(number / size[0] / size[1]);
}

/* The grid in clusters. */
static void clusters_of_grid(const struct kernel_run *run, uint32_t clusters[3])
{
	for (int i = 0; i < 3; i++)
		clusters[i] = run->launch->grid[i] / run->cluster[i];
}

uint64_t cluster_cta_number(const struct kernel_run *run, uint64_t place)
{
	uint32_t clusters[3], cluster[3], inside[3], cta[3];

	if (run->cluster_ctas == 1)
		return place;
	clusters_of_grid(run, clusters);
	split_linear(place / run->cluster_ctas, clusters, cluster);
	split_linear(place % run->cluster_ctas, run->cluster, inside);
	for (int i = 0; i < 3; i++)
		cta[i] = cluster[i] * run->cluster[i] + inside[i];
	return linear_of(cta, run->launch->grid);
}

uint64_t cluster_cta_place(const struct kernel_run *run, uint64_t number)
{
	uint32_t clusters[3], cluster[3], inside[3], cta[3];

	if (run->cluster_ctas == 1)
		return number;
	clusters_of_grid(run, clusters);
	split_linear(number, run->launch->grid, cta);
	cluster_coordinates(run, cta, cluster, inside);
	return linear_of(cluster, clusters) * run->cluster_ctas + linear_of(inside, run->cluster);
}

/* Of a CTA with a state: its cluster, by number in the grid. */
static uint64_t resumed_cluster(const struct kernel_run *run, size_t state)
{
	return cluster_cta_place(run, run->resume.ctas[state].number) / run->cluster_ctas;
}

uint32_t cluster_members(const struct kernel_run *run, uint64_t place)
{
	size_t first = (size_t)(place + run->resume.count - run->resume.next_cta), next = first;

	if (place >= run->resume.next_cta)
		return run->cluster_ctas;
	while (next < run->resume.count && resumed_cluster(run, next) == resumed_cluster(run, first))
		next++;
	return (uint32_t)(next - first);
}

uint32_t cluster_cancel(struct kernel_run *run, uint64_t end, uint32_t answer[4])
{
	const uint32_t *grid = run->launch->grid;
	uint64_t number;

	if (run->next_cta >= end || run->next_cta < run->resume.next_cta)
		return 0;
	number = cluster_cta_number(run, run->next_cta);
	answer[0] = (uint32_t)(number % grid[0]);
	answer[1] = (uint32_t)(number / grid[0] % grid[1]);
	answer[2] = (uint32_t)(number / grid[0] / grid[1]);
	answer[3] = 1;
	run->next_cta += run->cluster_ctas;
	return run->cluster_ctas;
}

void cluster_coordinates(
	const struct kernel_run *run, const uint32_t cta[3], uint32_t cluster[3], uint32_t inside[3])
{
	for (int i = 0; i < 3; i++) {
		cluster[i] = cta[i] / run->cluster[i];
		inside[i] = cta[i] % run->cluster[i];
	}
}

uint32_t cluster_rank(const struct kernel_run *run, const uint32_t cta[3])
{
	uint32_t cluster[3], inside[3];

	cluster_coordinates(run, cta, cluster, inside);
	return (uint32_t)linear_of(inside, run->cluster);
}

/* The cluster is in its middle: of its CTAs those with a state are left. */
static void leave_those_exited(struct cluster *c)
{
	const struct kernel_run *run = c->run;

	memset(c->memory.state, MEMBER_HAS_EXITED, sizeof(c->memory.state));
	c->left = 0;
	for (size_t i = 0; i < run->resume.count; i++) {
		uint64_t place = cluster_cta_place(run, run->resume.ctas[i].number);

		if (place / run->cluster_ctas != c->number)
			continue;
		c->memory.state[place % run->cluster_ctas] = MEMBER_NOT_STARTED;
		c->left++;
	}
}

static struct cluster *begin_cluster(struct kernel_run *run, uint64_t number)
{
	struct cluster *c = xcalloc(1, sizeof(*c));

	c->run = run;
	c->number = number;
	c->memory.ctas = c->left = run->cluster_ctas;
	c->memory.shared_bytes = run->shared_bytes;
	if (number * run->cluster_ctas < run->resume.next_cta)
		leave_those_exited(c);
	c->next = run->clusters;
	if (c->next)
		c->next->previous = c;
	return run->clusters = c;
}

void cluster_move(struct cluster *cluster, uint32_t rank, struct cta *cta, uint8_t *shared)
{
	cluster->ctas[rank] = cta;
	cluster->memory.shared[rank] = shared;
	cluster->memory.state[rank] = MEMBER_RUNS;
	cluster->memory.is_timed = false;
}

struct cluster *cluster_join(struct kernel_run *run, struct cta *cta, const uint32_t id[3], uint8_t *shared)
{
	uint32_t clusters[3], cluster[3], inside[3];
	struct cluster *c = run->clusters;
	uint64_t number;

	clusters_of_grid(run, clusters);
	cluster_coordinates(run, id, cluster, inside);
	number = linear_of(cluster, clusters);
	if (!c || c->number != number)
		c = begin_cluster(run, number);
	cluster_move(c, (uint32_t)linear_of(inside, run->cluster), cta, shared);
	return c;
}

static void free_cluster(struct cluster *c)
{
	if (c->previous)
		c->previous->next = c->next;
	else
		c->run->clusters = c->next;
	if (c->next)
		c->next->previous = c->previous;
	free(c);
}

void cluster_leave(struct cluster *cluster, uint32_t rank)
{
	cluster->ctas[rank] = NULL;
	cluster->memory.state[rank] = MEMBER_HAS_EXITED;
	if (!--cluster->left)
		free_cluster(cluster);
}

void clusters_free(struct kernel_run *run)
{
	while (run->clusters)
		free_cluster(run->clusters);
}
