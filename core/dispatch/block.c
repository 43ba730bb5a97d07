/* core/dispatch/block.c -- block CTA scheduling (BCS; Lee et al., HPCA 2014): consecutive CTAs often read the
 * same lines, so blocks of them start on the same SM, and only where a whole block has room. Blocks go round
 * robin over the SMs.
 *
 * Where an SM cannot hold a block even when it is empty, or the grid ends, the block is as large as can be.
 */
#include "core/dispatch/dispatch.h"

struct block {
	struct dispatch base;
	uint32_t size;   /* parameter */
	uint64_t blocks; /* statistic */
	/* state */
	uint32_t next;              /* the SM after the one that had the last block */
	uint32_t home[MAX_KERNELS]; /* of each kernel: where its block has begun, ... */
	uint32_t owed[MAX_KERNELS]; /* ... and how many CTAs that still lacks */
};

/* CTAs of the kernel's next block on that SM. */
static uint32_t block_ctas(struct dispatch *d, uint32_t kernel, uint32_t sm)
{
	uint32_t ctas = ((struct block *)d)->size, limit = dispatch_limit(d, sm);

	if (ctas > d->capacity[kernel])
		ctas = d->capacity[kernel];
	if (ctas > limit)
		ctas = limit;
	return ctas > d->left[kernel] ? (uint32_t)d->left[kernel] : ctas;
}

static uint32_t block_place(struct dispatch *d, uint32_t kernel)
{
	const struct block *b = (struct block *)d;

	if (b->owed[kernel])
		return dispatch_has_room(d, kernel, b->home[kernel], 1) ? b->home[kernel] : DISPATCH_NONE;
	return dispatch_next_sm_for(d, kernel, b->next, block_ctas);
}

static void block_started(struct dispatch *d, const struct dispatch_choice *choice)
{
	struct block *b = (struct block *)d;

	if (b->owed[choice->kernel]) {
		b->owed[choice->kernel]--;
		return;
	}
	b->blocks++;
	b->home[choice->kernel] = choice->sm;
	b->owed[choice->kernel] = block_ctas(d, choice->kernel, choice->sm) - 1;
	b->next = (choice->sm + 1) % d->machine.sms;
}

static void block_added(struct dispatch *d, uint32_t kernel)
{
	((struct block *)d)->owed[kernel] = 0;
}

static const struct sim_param block_params[] = {
	SIM_U32(struct block, size, 2, 1, 64, "CTAs", "consecutive CTAs that form a block"),
	SIM_END,
};
static const struct sim_stat block_stats[] = {
	SIM_COUNT(struct block, blocks, "blocks", "blocks of consecutive CTAs that were started"),
	SIM_STAT_END,
};

static void block_state(void *policy, struct state *state)
{
	struct block *b = policy;

	state_below(state, &b->next, b->base.machine.sms);
}

const struct dispatch_class dispatch_block = {
	.name = "block",
	.help = "block CTA scheduling (BCS): consecutive CTAs in blocks on the same SM",
	.source = "Lee et al., HPCA 2014",
	.size = sizeof(struct block),
	.params = block_params,
	.stats = block_stats,
	.state = block_state,
	.place = block_place,
	.started = block_started,
	.added = block_added,
};
