/* tests/policy/fifo.c -- a request buffer as a user of Lockstep would add it: reads wait in one queue, first
 * come, first served; a write or an atomic goes itself once the queue is empty. */
#include "memsys/request_buffer/request_buffer.h"
#include "sim/base/xalloc.h"

struct place {
	struct buffered_request request;
	cycles due; /* not offered before */
};

struct fifo {
	struct request_buffer base;
	uint32_t entries, latency; /* parameters */
	uint64_t behind_others;    /* statistic */
	struct place *ring;
	uint32_t head;
};

static void fifo_init(void *policy)
{
	struct fifo *f = policy;

	f->ring = xcalloc(f->entries, sizeof(*f->ring));
}

static void fifo_fini(void *policy)
{
	free(((struct fifo *)policy)->ring);
}

static enum request_verdict fifo_admit(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	struct fifo *f = (struct fifo *)b;

	if (r->request.kind == PACKET_READ)
		return b->count < f->entries ? REQUEST_TAKEN : REQUEST_WAITS;
	return b->count ? REQUEST_WAITS : REQUEST_PASSES;
}

static void fifo_push(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	struct fifo *f = (struct fifo *)b;

	f->behind_others += b->count != 0;
	f->ring[(f->head + b->count) % f->entries] = (struct place){ *r, now + f->latency };
}

static const struct buffered_request *fifo_peek(struct request_buffer *b, cycles now)
{
	struct fifo *f = (struct fifo *)b;

	return f->ring[f->head].due <= now ? &f->ring[f->head].request : NULL;
}

static void fifo_pop(struct request_buffer *b, cycles now)
{
	struct fifo *f = (struct fifo *)b;

	f->head = (f->head + 1) % f->entries;
}

static cycles fifo_next(const struct request_buffer *b, cycles now)
{
	const struct fifo *f = (const struct fifo *)b;

	return f->ring[f->head].due;
}

static const struct sim_param fifo_params[] = {
	SIM_U32(struct fifo, entries, 8, 1, 4096, "requests", "that the queue holds"),
	SIM_U32(struct fifo, latency, 5, 1, 1000, "cycles", "from entering to leaving"),
	SIM_END,
};

static const struct sim_stat fifo_stats[] = {
	SIM_COUNT(struct fifo, behind_others, "requests", "that found others in the queue"),
	SIM_STAT_END,
};

const struct request_buffer_class request_buffer_fifo = {
	.name = "fifo",
	.help = "one queue of reads",
	.source = "a test of the README's page on policies",
	.size = sizeof(struct fifo),
	.params = fifo_params,
	.stats = fifo_stats,
	.init = fifo_init,
	.fini = fifo_fini,
	.admit = fifo_admit,
	.push = fifo_push,
	.peek = fifo_peek,
	.pop = fifo_pop,
	.next = fifo_next,
};
