/* tests/unit/memsys/coalescer/warppool_rig.h -- WarpPool between a list of memory instructions and an L1 that
 * is shut for a while: which requests leave when, for whom, and when registers are written.
 *
 * Instructions are written down as "r0:1,2 w1:3 x2:4 v0:5 @20 r3:1": a load (r), store (w), atomic (x) or
 * volatile load (v) of a warp, with the numbers of its lines; they are named a, b, c ... in this order. @20:
 * what follows does not issue before cycle 20. In each cycle the first in the list issues that its warp's
 * program order and WarpPool's gates permit, as a scheduler would. "m0:1,2" is a load whose lanes map to the
 * words of each line in no pattern, so that it needs the thread map.
 *
 * What the L1 took is written "1:ab@12 2:a@13": line 1, for a and b, in cycle 12; what was written to
 * registers "a@30 b@31": in cycle 30 a line of a, and so on. The L1 is a real one, empty at first. */
#ifndef TESTS_MEMSYS_WARPPOOL_RIG_H
#define TESTS_MEMSYS_WARPPOOL_RIG_H

#include "memsys/coalescer/warppool.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RIG_MOST 256
#define RIG_TEXT 8192

struct pool_instruction {
	char kind;
	uint32_t warp, count;
	addr line[MAX_LINE_REQUESTS];
	cycles comes, issued;
	uint32_t sent, written; /* lines */
};

struct pool_rig {
	struct coalescer *prototype;
	struct warppool *w;
	struct cache *l1;
	struct partition_map map;
	struct packet_pool packets;
	struct port out;
	struct stat_tree *stats;
	struct pool_instruction i[RIG_MOST];
	uint32_t count;
	cycles now, opens, memory_latency;
	cycles shuts;            /* the L1 is shut from this cycle until `opens` */
	bool is_open_for_others; /* for loads alone */
	uint64_t ignored;        /* of the gates: bit 0 load, bit 1 store */
	struct packet *reply[RIG_MOST];
	cycles reply_at[RIG_MOST];
	uint32_t replies, replied;
	char sent[RIG_TEXT], written[RIG_TEXT];
};

static inline char pool_name(uint32_t op)
{
	return op < 26 ? (char)('a' + op) : op < 52 ? (char)('A' + op - 26) : '?';
}

/* ---- the SM ---- */

static inline bool pool_is_open(const struct pool_rig *r, uint32_t port, cycles now)
{
	return now < r->shuts || now >= r->opens || (port && r->is_open_for_others);
}

static inline enum cache_outcome pool_offer(
	void *owner, uint32_t port, struct buffered_request *b, cycles now)
{
	struct pool_rig *r = owner;
	bool is_merged = token_is_coalesced(b->request.token);
	struct coalesced *c = is_merged ? coalesced_of(&r->w->base, b->request.token) : NULL;
	uint32_t count = is_merged ? c->count : 1;
	enum cache_outcome outcome;
	char *end = r->sent + strlen(r->sent);

	if (!pool_is_open(r, port, now))
		return CACHE_MISS_QUEUE_FULL;
	outcome = cache_access(r->l1, &b->request, now * 1000);
	if (cache_is_failure(outcome))
		return outcome;
	cr_assert_lt(end - r->sent, RIG_TEXT - 100);
	end += sprintf(end, "%s%d:", end == r->sent ? "" : " ", (int)(b->request.line / 128));
	for (uint32_t k = 0; k < count; k++) {
		uint32_t op = is_merged ? c->with[k].op : b->op;

		*end++ = pool_name(op);
		if (++r->i[op].sent == r->i[op].count)
			r->w->base.waiting--;
	}
	sprintf(end, "@%d", (int)now);
	if (is_merged && outcome == CACHE_HIT)
		r->w->base.class->hit(&r->w->base, c, now);
	return outcome;
}

static inline bool pool_may_retry(void *owner, uint32_t port, cycles now)
{
	const struct pool_rig *r = owner;

	return pool_is_open(r, port, now);
}

static inline timestamp pool_time(void *owner)
{
	return timestamp_of(((const struct pool_rig *)owner)->now * 1000);
}

static inline void pool_complete(void *owner, const struct coalesced *c, uint32_t which, cycles now)
{
	struct pool_rig *r = owner;
	char *end = r->written + strlen(r->written);
	uint32_t op = c->with[which].op;

	cr_assert_lt(end - r->written, RIG_TEXT - 100);
	sprintf(end, "%s%c@%d", end == r->written ? "" : " ", pool_name(op), (int)now);
	r->i[op].written++;
}

/* ---- building ---- */

/* sets: "tags=1 merges=2"; the L1 has 64 sets of 4 ways, 32 MSHRs of 8 merges, and hits in 10 cycles. */
static inline struct pool_rig *pool_rig_new(const char *sets)
{
	static const struct coalescer_services services = { pool_offer, pool_may_retry, pool_time,
		pool_complete };
	static const struct cache_config l1 = { .enabled = true,
		.sets = 64,
		.ways = 4,
		.line = 128,
		.mshrs = 32,
		.mshr_merge = 8,
		.miss_queue = RIG_MOST,
		.hit_latency = 10 };
	struct pool_rig *r = calloc(1, sizeof(*r));
	struct config *config = config_new();
	struct diag_list diags;
	char copy[256], set[128];

	diag_init(&diags);
	cr_assert(config_set(config, "c.policy=warppool", &diags));
	snprintf(copy, sizeof(copy), "%s", sets);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		snprintf(set, sizeof(set), "c.warppool.%s", word);
		cr_assert(config_set(config, set, &diags));
	}
	r->prototype = policy_read(&coalescer_interface, config, "c", &diags);
	cr_assert_eq(diags.errors, 0);
	config_free(config);
	diag_fini(&diags);
	r->map = (struct partition_map){ .partitions = 6, .interleave = 256 };
	packet_pool_init(&r->packets);
	port_init(&r->out, RIG_MOST, NULL, NULL);
	r->stats = stat_tree_new();
	r->l1 = cache_new(&l1, &r->map, &r->out, &r->packets, 0, UNIT_L1_DATA, r->stats, "l1");
	r->w = warppool_of(coalescer_new(r->prototype));
	r->w->base.warps = 48;
	r->w->base.mshrs = 32;
	r->w->base.mshr_merge = 8;
	r->w->base.l1 = r->l1;
	r->w->base.owner = r;
	r->w->base.services = &services;
	policy_start(&coalescer_interface, r->w, r->stats, "c", 0);
	r->memory_latency = 100;
	return r;
}

static inline void pool_rig_free(struct pool_rig *r)
{
	for (uint32_t i = r->replied; i < r->replies; i++)
		packet_free(r->reply[i]);
	policy_free(r->w);
	policy_prototype_free(r->prototype);
	port_fini(&r->out);
	cr_assert_eq(r->packets.live, 0);
	cache_free(r->l1);
	packet_pool_fini(&r->packets);
	stat_tree_free(r->stats);
	free(r);
}

static inline double pool_stat(const struct pool_rig *r, const char *name)
{
	char full[100];

	snprintf(full, sizeof(full), "c.%s", name);
	return stat_value(r->stats, NULL, full);
}

static inline void pool_comes(struct pool_rig *r, const char *text)
{
	cycles from = 0;
	char *end;

	while (*text) {
		struct pool_instruction *i = &r->i[r->count];

		if (*text == ' ') {
			text++;
			continue;
		}
		if (*text == '@') {
			from = strtoul(text + 1, &end, 10);
			text = end;
			continue;
		}
		cr_assert_lt(r->count, RIG_MOST);
		i->kind = *text;
		i->warp = (uint32_t)strtoul(text + 1, &end, 10);
		i->comes = from;
		i->issued = SIM_NEVER;
		do {
			cr_assert_lt(i->count, MAX_LINE_REQUESTS);
			i->line[i->count++] = strtoul(end + 1, &end, 10) * 128;
		} while (*end == ',');
		text = end;
		r->count++;
	}
}

/* ---- a cycle ---- */

static inline void pool_issue(struct pool_rig *r, uint32_t op)
{
	struct pool_instruction *i = &r->i[op];
	struct buffered_request common = { .op = op };
	struct line_request lines[MAX_LINE_REQUESTS];
	addr address[32] = { 0 };
	bool is_read = i->kind == 'r' || i->kind == 'm' || i->kind == 'v';
	struct coalescer_instruction in = { .op = op,
		.kind = i->kind == 'v' ? COALESCER_DIRECT
			: is_read      ? COALESCER_LOAD
				       : COALESCER_STORE,
		.is_ordered = i->kind == 'v',
		.ready = r->now + 1,
		.count = i->count,
		.lines = lines,
		.request = &common,
		.address = address,
		.bytes = 4 };

	common.request = (struct cache_request){ .kind = is_read ? PACKET_READ
			: i->kind == 'w'                         ? PACKET_WRITE
								 : PACKET_ATOMIC,
		.uncached = i->kind == 'v',
		.token = op,
		.bytes = is_read ? 128 : 0,
		.by = { .warp = (uint16_t)i->warp } };
	for (uint32_t k = 0; k < i->count; k++) /* lanes 2k and 2k + 1, whose words are in a row or the same
						 */
		lines[k] = (struct line_request){
			.line = i->line[k], .lanes = 3u << 2 * (k % 16), .byte_mask = { 0xff, 0, 0, 0 }
		};
	for (uint32_t lane = 0; lane < 32; lane++)
		address[lane] = i->kind == 'm' ? 0 : lane % 2 * 4;
	i->issued = r->now;
	r->w->base.waiting++;
	r->w->base.class->accept(&r->w->base, &in, r->now);
}

/* Whether the gates let it issue, as core/issue/readiness.h asks them. */
static inline bool pool_may_issue(const struct pool_rig *r, const struct pool_instruction *i)
{
	const struct coalescer_gates *g = &r->w->base.gates;
	uint64_t load = r->ignored & 1 ? g->room : g->load, store = r->ignored & 2 ? g->room : g->store;

	return (i->kind == 'r' || i->kind == 'm' ? load : store) >> i->warp & 1;
}

static inline void pool_issue_one(struct pool_rig *r)
{
	uint64_t waits = 0; /* warps with an earlier instruction that has not issued */

	for (uint32_t op = 0; op < r->count; op++) {
		struct pool_instruction *i = &r->i[op];
		bool earlier = waits >> i->warp & 1;

		if (i->issued != SIM_NEVER)
			continue;
		waits |= UINT64_C(1) << i->warp;
		if (earlier || i->comes > r->now || !pool_may_issue(r, i))
			continue;
		pool_issue(r, op);
		return;
	}
}

static inline void pool_receive(struct pool_rig *r)
{
	uint32_t tokens[8], n;
	struct packet *p;

	if (r->replied == r->replies || r->reply_at[r->replied] > r->now)
		return;
	p = r->reply[r->replied];
	if (p->kind == PACKET_READ && !p->uncached) {
		if (!r->w->base.class->may_fill(&r->w->base))
			return;
		n = cache_fill(r->l1, p, tokens);
		for (uint32_t k = 0; k < n; k++)
			r->w->base.class->returned(&r->w->base, coalesced_of(&r->w->base, tokens[k]), r->now);
	}
	r->replied++;
	packet_free(p);
}

/* Until all have issued, left and been written. A cycle in which `next` did not want a tick must change
 * nothing. */
static inline void pool_run(struct pool_rig *r)
{
	cycles promised = 0;
	bool busy = true;

	for (r->now = 0; busy; r->now++) {
		uint32_t before = (uint32_t)(strlen(r->sent) + strlen(r->written)), had = r->replied;
		bool woken;

		cr_assert_lt(r->now, 100000, "it hangs; sent: %s; written: %s", r->sent, r->written);
		pool_receive(r);
		woken = had != r->replied || r->now == r->opens || promised <= r->now;
		r->w->base.class->tick(&r->w->base, r->now);
		cr_assert(woken || before == strlen(r->sent) + strlen(r->written),
			"cycle %d: it moved, though it wanted no tick before %d", (int)r->now, (int)promised);
		pool_issue_one(r);
		while (r->out.count) {
			r->reply_at[r->replies] = r->now + r->memory_latency;
			r->reply[r->replies++] = port_pop(&r->out);
		}
		promised = r->w->base.class->next(&r->w->base, r->now);
		busy = r->replied < r->replies || promised != SIM_NEVER;
		for (uint32_t op = 0; op < r->count; op++)
			busy |= r->i[op].sent < r->i[op].count ||
				(strchr("rm", r->i[op].kind) && r->i[op].written < r->i[op].count);
	}
}

static inline struct pool_rig *pool_trace(const char *sets, cycles opens, const char *comes)
{
	struct pool_rig *r = pool_rig_new(sets);

	r->opens = opens;
	pool_comes(r, comes);
	pool_run(r);
	return r;
}

static inline void pool_check(const char *sets, cycles opens, const char *comes, const char *sent)
{
	struct pool_rig *r = pool_trace(sets, opens, comes);

	cr_expect_str_eq(r->sent, sent, "sent:     %s\nexpected: %s", r->sent, sent);
	pool_rig_free(r);
}

#endif
