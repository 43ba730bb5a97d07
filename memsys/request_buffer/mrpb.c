/* memsys/request_buffer/mrpb.c -- MRPB, the memory request prioritization buffer (Jia, Shaw, Martonosi,
 * HPCA 2014): requests of the same source come together, so that they meet in the L1 what they have
 * brought.
 *
 *	               +- queue 0 ----+
 *	coalescer ---> +- queue 1 ----+ ---> before the L1 ---> L1
 *	  by signature +- ...         + by drain policy
 *
 * One request enters a cycle, then one leaves (section 6: a split cycle). The signature chooses a
 * request's queue (3.2), the drain policy the queue that the next one is taken from, unless a flush does
 * (3.3):
 *
 *   1. a read finds its queue full, and waits: the next is taken from that queue
 *   2. a write, or an atomic, finds its queue not empty: requests are taken from it until it is. Then it
 *      goes itself
 *   3. otherwise the drain policy chooses
 *
 * Without flush, writes are stored as reads are, and a full queue waits for its turn. What has been
 * taken, and the L1 refuses, stays before the L1, and nothing passes it, until it is accepted or
 * bypasses the L1 (memsys/bypass/stalls.c).
 *
 * Where the paper leaves room:
 * - Latency is a pipeline before the queues' ends: whoever chooses does not see a request that has come
 *   less than `latency` cycles ago, neither for emptiness nor for length. It takes its place in the
 *   queue at once. While the queue that a flush wants shows nothing, the drain policy goes on.
 * - Writes that go themselves have no latency.
 * - A request does not leave before one of its CTA from before a barrier (order.h). A queue whose turn
 *   it is, but whose first request must wait for that reason, gives its turn to those that it waits for.
 *   A write that must wait for it has them flushed. */
#include "memsys/request_buffer/drain.h"

static const char *const signature_names[] = { "warp", "cta", "cta_warp", NULL };
enum signature { BY_WARP, BY_CTA, BY_CTA_WARP };

#define CTA_WARPS  32 /* queues of the signature `cta_warp` (3.2) */
#define ENTRY_BITS 64 /* at most: "less than 3KB" for 48 queues of 8 (6) */

/* Who chose the queue. */
static const char *const chooser_names[] = { "full_queue", "write", "barrier", "policy", NULL };
enum chooser { FLUSH_FULL, FLUSH_WRITE, FLUSH_BARRIER, POLICY, CHOOSERS };

/* Why a request does not enter, or pass. */
static const char *const wait_names[] = { "full_queue", "write", "barrier", "l1", NULL };
enum wait { WAIT_FULL, WAIT_WRITE, WAIT_BARRIER, WAIT_L1, WAITS, WAITS_NOT = WAITS };

struct mrpb {
	struct request_buffer base;
	uint32_t signature, drain, entries, latency; /* parameters */
	bool greedy, flush;
	/* statistics */
	uint64_t selected[CHOOSERS], waited[WAITS], wait_cycles[WAITS];
	uint64_t turns_given, overtaken, switches;
	uint64_t storage_bits; /* what the policy costs, not what it has done */
	struct sim_histogram queue_length, occupancy;
	/* state */
	struct request_order order;
	struct queues queues;
	struct drain selector;
	uint64_t blocked;    /* bit n: the first request of queue n waits for those from before a barrier */
	enum chooser wanted; /* what the request at the head asks for: a flush of queue wanted_queue, of CTA
				slot wanted_cta; or POLICY */
	uint32_t wanted_queue, wanted_cta;
	uint32_t chosen; /* the queue whose first request stands before the L1; or QUEUE_NONE */
	uint32_t last;   /* queue that one was taken from */
	enum wait why;   /* the request at the head waits ... */
	cycles since;    /* ... counted up to then */
};

static uint32_t queue_count(const struct mrpb *m)
{
	return m->signature == BY_WARP ? m->base.warps : m->signature == BY_CTA ? m->base.ctas : CTA_WARPS;
}

static void mrpb_init(void *policy)
{
	struct mrpb *m = policy;

	m->storage_bits = (uint64_t)queue_count(m) * m->entries * ENTRY_BITS;
	order_init(&m->order, m->base.warps, m->base.ctas);
	queues_init(&m->queues, m->latency);
	drain_init(&m->selector, m->drain, m->greedy);
	m->wanted = POLICY;
	m->chosen = m->last = QUEUE_NONE;
	m->why = WAITS_NOT;
}

static void mrpb_fini(void *policy)
{
	struct mrpb *m = policy;

	order_fini(&m->order);
	queues_fini(&m->queues);
}

/* ---- in ---- */

static uint32_t queue_of(const struct mrpb *m, const struct buffered_request *r)
{
	return m->signature == BY_WARP   ? r->request.by.warp
		: m->signature == BY_CTA ? r->cta_slot
					 : r->cta_warp;
}

static enum wait why_not_enter(const struct mrpb *m, const struct buffered_request *r)
{
	if (!order_has_room(&m->order, r))
		return WAIT_BARRIER;
	return m->entries && m->queues.queue[queue_of(m, r)].count >= m->entries ? WAIT_FULL : WAITS_NOT;
}

static enum wait why_not_pass(const struct mrpb *m, const struct buffered_request *r)
{
	if (m->queues.queue[queue_of(m, r)].count)
		return WAIT_WRITE;
	if (!order_may_pass(&m->order, r))
		return WAIT_BARRIER;
	return m->chosen != QUEUE_NONE ? WAIT_L1 : WAITS_NOT;
}

static void count_wait(struct mrpb *m, enum wait why, cycles now)
{
	if (m->why != WAITS_NOT)
		m->wait_cycles[m->why] += now - m->since;
	else if (why != WAITS_NOT)
		m->waited[why]++;
	m->why = why;
	m->since = now;
}

static enum request_verdict mrpb_admit(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	static const enum chooser flush_of[] = { [WAIT_FULL] = FLUSH_FULL,
		[WAIT_WRITE] = FLUSH_WRITE,
		[WAIT_BARRIER] = FLUSH_BARRIER,
		[WAIT_L1] = POLICY,
		[WAITS_NOT] = POLICY };
	struct mrpb *m = (struct mrpb *)b;
	bool enters = r->request.kind == PACKET_READ || !m->flush;
	enum wait why = enters ? why_not_enter(m, r) : why_not_pass(m, r);

	count_wait(m, why, now);
	m->wanted = m->flush || why == WAIT_BARRIER ? flush_of[why] : POLICY;
	m->wanted_queue = queue_of(m, r);
	m->wanted_cta = r->cta_slot;
	if (why != WAITS_NOT)
		return REQUEST_WAITS;
	if (enters)
		return REQUEST_TAKEN;
	order_passed(&m->order, r);
	return REQUEST_PASSES;
}

static bool must_head_wait(const struct mrpb *m, const struct queued_request *head)
{
	return !order_may_leave(&m->order, &head->request, head->stamp);
}

/* The queue, which may be empty, has another first request, or that may leave now. */
static void renew_blocked(struct mrpb *m, uint32_t queue)
{
	bool waits = m->queues.queue[queue].count && must_head_wait(m, queues_head(&m->queues, queue));

	m->blocked = (m->blocked & ~(UINT64_C(1) << queue)) | (uint64_t)waits << queue;
}

static void mrpb_push(struct request_buffer *b, const struct buffered_request *r, cycles now)
{
	struct mrpb *m = (struct mrpb *)b;
	uint32_t queue = queue_of(m, r);

	sim_hist_add(&m->queue_length, m->queues.queue[queue].count);
	sim_hist_add(&m->occupancy, b->count);
	queues_push(&m->queues, queue, r, order_entered(&m->order, r), now);
	if (m->queues.queue[queue].count == 1)
		renew_blocked(m, queue);
}

/* ---- out ---- */

/* Of these queues, those whose first request is of the CTA. */
static uint64_t queues_of_cta(const struct mrpb *m, uint64_t queues, uint32_t cta_slot)
{
	uint64_t of_cta = 0;

	for (; queues; queues &= queues - 1) {
		uint32_t queue = (uint32_t)__builtin_ctzll(queues);

		if (queues_head(&m->queues, queue)->request.cta_slot == cta_slot)
			of_cta |= UINT64_C(1) << queue;
	}
	return of_cta;
}

/* A queue that frees the CTA's later requests from waiting, the lowest; if none such is to be seen, any. The
 * oldest request of all never waits, so there is one. */
static uint32_t earlier_of_cta(const struct mrpb *m, uint32_t cta_slot)
{
	uint64_t may = m->queues.visible & ~m->blocked, of_cta = queues_of_cta(m, may, cta_slot);

	bug_if(!may, "requests wait for each other");
	return (uint32_t)__builtin_ctzll(of_cta ? of_cta : may);
}

/* The queue, or if its first request must wait, one that it waits for. */
static uint32_t in_order(struct mrpb *m, uint32_t queue)
{
	if (!(m->blocked >> queue & 1))
		return queue;
	m->turns_given++;
	return earlier_of_cta(m, queues_head(&m->queues, queue)->request.cta_slot);
}

/* Something is visible. */
static uint32_t choose_queue(struct mrpb *m)
{
	uint64_t may = m->queues.visible & ~m->blocked;
	bool flushes = m->wanted == FLUSH_BARRIER
		? queues_of_cta(m, may, m->wanted_cta) != 0
		: m->wanted != POLICY && m->queues.visible >> m->wanted_queue & 1;

	m->selected[flushes ? m->wanted : POLICY]++;
	if (flushes && m->wanted == FLUSH_BARRIER)
		return earlier_of_cta(m, m->wanted_cta);
	return in_order(m, flushes ? m->wanted_queue : drain_choose(&m->selector, &m->queues));
}

static const struct buffered_request *mrpb_peek(struct request_buffer *b, cycles now)
{
	struct mrpb *m = (struct mrpb *)b;

	queues_mature(&m->queues, now);
	if (m->chosen == QUEUE_NONE) {
		if (!m->queues.visible)
			return NULL;
		m->chosen = choose_queue(m);
	}
	return &queues_head(&m->queues, m->chosen)->request;
}

static void mrpb_pop(struct request_buffer *b, cycles now)
{
	struct mrpb *m = (struct mrpb *)b;
	const struct queued_request *head = queues_head(&m->queues, m->chosen);
	bool interval_ended = order_left(&m->order, &head->request, head->stamp);

	m->overtaken += queues_pop(&m->queues, m->chosen);
	m->switches += m->chosen != m->last;
	m->last = m->chosen;
	m->chosen = QUEUE_NONE;
	m->wanted = POLICY; /* who waits is asked again */
	if (!(m->queues.visible >> m->last & 1))
		drain_emptied(&m->selector, m->last);
	renew_blocked(m, m->last);
	for (uint64_t rest = interval_ended ? m->blocked : 0; rest; rest &= rest - 1)
		renew_blocked(m, (uint32_t)__builtin_ctzll(rest));
}

static cycles mrpb_next(const struct request_buffer *b, cycles now)
{
	const struct mrpb *m = (const struct mrpb *)b;

	return m->chosen != QUEUE_NONE || m->queues.visible ? now + 1 : queues_next(&m->queues);
}

/* Of empty queues: which was drained last. */
static void mrpb_state(void *policy, struct state *state)
{
	struct mrpb *m = policy;

	drain_state(&m->selector, state);
	state_field(state, &m->last);
}

/* ---- declarations ---- */

static const struct sim_param mrpb_params[] = {
	SIM_ENUM(struct mrpb, signature, BY_WARP, signature_names,
		"what has a queue: each warp, each CTA, or all warps with one number in their CTAs (HPCA "
		"2014, 3.2)"),
	SIM_ENUM(struct mrpb, drain, DRAIN_FIXED, drain_names,
		"queue that is drained: the lowest, each in turn, or the longest (3.3)"),
	SIM_BOOL(struct mrpb, greedy, 0, "the drain policy empties a queue before it chooses again (3.3)"),
	SIM_BOOL(struct mrpb, flush, 1,
		"a read that finds its queue full causes it to be drained by one; a write causes its queue "
		"to be emptied and is not stored (3.3)"),
	SIM_U32(struct mrpb, entries, 8, 0, 65536, "requests",
		"requests that a queue holds; 0: unlimited (5.3)"),
	SIM_U32(struct mrpb, latency, 5, 1, 1000, "cycles",
		"least number of cycles from entering a queue to leaving it (5.3: 3 to 18)"),
	SIM_END,
};

static const struct sim_stat mrpb_stats[] = {
	SIM_VECTOR(struct mrpb, selected, chooser_names, "requests",
		"requests that left the buffer, by the reason: the drain policy, a read whose queue was "
		"full, a write, a request behind a barrier"),
	SIM_VECTOR(struct mrpb, waited, wait_names, "requests",
		"requests that had to wait before they entered, by cause: queue full, queue not empty for a "
		"write, order at a barrier, write behind a request that the L1 refuses"),
	SIM_VECTOR(struct mrpb, wait_cycles, wait_names, "cycles",
		"cycles that requests waited before they entered the buffer, by cause (full_cycles)"),
	SIM_COUNT(struct mrpb, turns_given, "requests",
		"requests that left in place of a queue whose first request waited for the order at a "
		"barrier"),
	SIM_COUNT(struct mrpb, overtaken, "requests",
		"requests that left after a request that had entered later"),
	SIM_COUNT(struct mrpb, switches, "requests",
		"requests that left from a different queue than the previous one"),
	SIM_COUNT(struct mrpb, storage_bits, "bits",
		"storage of the queues, of all SMs, with 64 bits a request: the paper's bound of 3 KB an "
		"SM for 384 requests (6); 0: queues without a limit"),
	SIM_HIST(struct mrpb, queue_length, "requests", "length of the queue that a request entered"),
	SIM_HIST(struct mrpb, occupancy, "requests", "requests in all queues when a request entered"),
	SIM_STAT_END,
};

static const struct policy_storage request_buffer_mrpb_storage[] = {
	STORED_ENTRIES(struct mrpb, entries, 64, "warp slot of an SM",
		"a request: its address, warp and lanes; 48 queues of 8 are the 3 KB for an SM that the "
		"paper gives as "
		"its bound",
		"HPCA 2014, 5.3; the width is ours"),
	STORED_LOGIC("SM", "the signature chooses a queue, and a priority encoder the queue that is drained",
		"HPCA 2014, 3.2 and 3.3"),
	STORED_END,
};

const struct request_buffer_class request_buffer_mrpb = {
	.name = "mrpb",
	.help = "memory request prioritization buffer: queues by warp or CTA, drained by priority",
	.source = "Jia, Shaw, Martonosi, HPCA 2014",
	.storage = request_buffer_mrpb_storage,
	.size = sizeof(struct mrpb),
	.params = mrpb_params,
	.state = mrpb_state,
	.stats = mrpb_stats,
	.init = mrpb_init,
	.fini = mrpb_fini,
	.admit = mrpb_admit,
	.push = mrpb_push,
	.peek = mrpb_peek,
	.pop = mrpb_pop,
	.next = mrpb_next,
};
