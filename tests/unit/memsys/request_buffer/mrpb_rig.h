/* tests/unit/memsys/request_buffer/mrpb_rig.h -- a request buffer between a list of requests and an L1 that
 * is shut for a while: who leaves when.
 *
 * What comes is written down as "r0 r1 w4 |0 x2 @20 r3": reads, writes and atomics (x) of a warp, which are
 * named a, b, c ... in the order in which they come; |0: CTA 0 passes a barrier before what follows; @20:
 * what follows does not come before cycle 20. Warps 0 to 3 are CTA 0, 4 to 7 CTA 1, and so on. In each cycle
 * the first that has not entered is offered to the buffer, then, unless it goes itself, what the buffer
 * offers to the L1; as core/lsu/lsu_path.c does it. What leaves is written "a@3 c@4 b@5". */
#ifndef TESTS_MEMSYS_MRPB_RIG_H
#define TESTS_MEMSYS_MRPB_RIG_H

#include "memsys/request_buffer/request_buffer.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RIG_WARPS 48
#define RIG_CTAS  12
#define RIG_MOST  1024

struct mrpb_rig {
	struct request_buffer *prototype, *b;
	struct buffered_request request[RIG_MOST];
	cycles comes[RIG_MOST]; /* not before */
	uint32_t count;
	uint32_t opens, reads_opens; /* cycle in which the L1 begins to take requests; reads */
	uint32_t order[RIG_MOST];    /* in which they left ... */
	cycles when[RIG_MOST];       /* ... and when */
	uint32_t left;
};

/* sets: "entries=2 latency=3". */
static inline struct mrpb_rig *mrpb_rig_new(const char *sets)
{
	struct mrpb_rig *r = calloc(1, sizeof(*r));
	struct config *config = config_new();
	struct diag_list diags;
	char copy[256], set[128];

	diag_init(&diags);
	cr_assert(config_set(config, "b.policy=mrpb", &diags));
	snprintf(copy, sizeof(copy), "%s", sets);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " ")) {
		snprintf(set, sizeof(set), "b.mrpb.%s", word);
		cr_assert(config_set(config, set, &diags));
	}
	r->prototype = policy_read(&request_buffer_interface, config, "b", &diags);
	cr_assert_eq(diags.errors, 0);
	config_free(config);
	diag_fini(&diags);
	r->b = request_buffer_new(r->prototype, 0, RIG_WARPS, RIG_CTAS, 4);
	policy_start(&request_buffer_interface, r->b, NULL, "", 0);
	return r;
}

static inline void mrpb_rig_free(struct mrpb_rig *r)
{
	policy_free(r->b);
	policy_prototype_free(r->prototype);
	free(r);
}

static inline struct buffered_request rig_request(uint32_t warp, uint8_t kind, uint16_t barriers)
{
	return (struct buffered_request){ .request = { .by.warp = (uint16_t)warp, .kind = kind },
		.cta_slot = (uint16_t)(warp / 4),
		.cta_warp = (uint16_t)(warp % 4),
		.barriers = barriers };
}

static inline void rig_comes(struct mrpb_rig *r, const char *text)
{
	uint16_t barriers[RIG_CTAS] = { 0 };
	cycles from = 0;

	for (; *text; text++) {
		uint32_t number = (uint32_t)strtoul(text + 1, NULL, 10);

		switch (*text) {
		case '|':
			barriers[number]++;
			break;
		case '@':
			from = number;
			break;
		case 'r':
		case 'w':
		case 'x':
			r->comes[r->count] = from;
			r->request[r->count] = rig_request(number,
				*text == 'r'           ? PACKET_READ
					: *text == 'w' ? PACKET_WRITE
						       : PACKET_ATOMIC,
				barriers[number / 4]);
			r->request[r->count].op = r->count;
			r->count++;
			break;
		}
	}
}

static inline bool rig_l1_takes(const struct mrpb_rig *r, const struct buffered_request *b, cycles now)
{
	return now >= (b->request.kind == PACKET_READ ? r->reads_opens : r->opens);
}

static inline void rig_left(struct mrpb_rig *r, uint32_t which, cycles now)
{
	r->order[r->left] = which;
	r->when[r->left++] = now;
}

/* The head has its turn: whether the L1 has been asked by it. *entered: it has gone. */
static inline bool rig_head(
	struct mrpb_rig *r, const struct buffered_request *head, bool *entered, cycles now)
{
	enum request_verdict verdict = r->b->class->admit(r->b, head, now);

	cr_assert(verdict != REQUEST_WAITS || r->b->count, "an empty buffer lets a request wait");
	*entered = verdict == REQUEST_TAKEN || (verdict == REQUEST_PASSES && rig_l1_takes(r, head, now));
	if (verdict == REQUEST_TAKEN) {
		r->b->class->push(r->b, head, now);
		r->b->count++;
	} else if (*entered) {
		rig_left(r, head->op, now);
	}
	return verdict == REQUEST_PASSES;
}

/* promised: what next said in the cycle before. */
static inline void rig_drain(struct mrpb_rig *r, cycles promised, cycles now)
{
	const struct buffered_request *offered = r->b->class->peek(r->b, now);

	cr_assert_eq(offered != NULL, promised <= now, "cycle %d, promised for %d", (int)now, (int)promised);
	if (!offered || !rig_l1_takes(r, offered, now))
		return;
	rig_left(r, offered->op, now);
	r->b->class->pop(r->b, now);
	r->b->count--;
}

static inline void rig_run(struct mrpb_rig *r)
{
	cycles promised = SIM_NEVER;
	uint32_t head = 0;

	for (cycles now = 0; head < r->count || r->b->count; now++) {
		bool taken = false, entered = false;

		cr_assert_lt(now, 20000, "it hangs: %d of %d have come, %d are inside", (int)head,
			(int)r->count, (int)r->b->count);
		if (head < r->count && r->comes[head] <= now)
			taken = rig_head(r, &r->request[head], &entered, now);
		head += entered;
		if (!taken && r->b->count)
			rig_drain(r, promised, now);
		promised = r->b->count ? r->b->class->next(r->b, now) : SIM_NEVER;
		if (entered && !taken && r->b->count == 1) /* the first to come */
			promised = r->b->class->next(r->b, now);
	}
	cr_assert_eq(r->left, r->count);
}

static inline void rig_expect(struct mrpb_rig *r, const char *expected)
{
	char text[16 * RIG_MOST] = "", *end = text;

	for (uint32_t i = 0; i < r->left; i++)
		end += sprintf(end, "%s%c@%d", i ? " " : "", 'a' + (int)r->order[i], (int)r->when[i]);
	cr_expect_str_eq(text, expected, "left:     %s\nexpected: %s", text, expected);
}

/* A statistic: "overtaken", "selected::policy", "occupancy::max". */
static inline uint64_t rig_stat(const struct mrpb_rig *r, const char *name)
{
	const char *element = strstr(name, "::");
	size_t length = element ? (size_t)(element - name) : strlen(name);

	for (const struct sim_stat *s = r->b->class->stats; s->type != SIM_STAT_END_TYPE; s++) {
		const char *at = (const char *)r->b + s->offset;

		if (strncmp(s->name, name, length) || s->name[length])
			continue;
		if (s->type == SIM_STAT_COUNT)
			return *(const uint64_t *)(const void *)at;
		if (s->type == SIM_STAT_HIST)
			return ((const struct sim_histogram *)(const void *)at)->maximum;
		for (uint32_t i = 0; s->names[i]; i++)
			if (!strcmp(s->names[i], element + 2))
				return ((const uint64_t *)(const void *)at)[i];
	}
	cr_assert(false, "no statistic %s", name);
	return 0;
}

/* What comes, under these parameters, with an L1 that is shut until cycle `opens`, leaves like this. To be
 * freed. */
static inline struct mrpb_rig *rig_trace(
	const char *sets, uint32_t opens, const char *comes, const char *expected)
{
	struct mrpb_rig *r = mrpb_rig_new(sets);

	r->opens = r->reads_opens = opens;
	rig_comes(r, comes);
	rig_run(r);
	rig_expect(r, expected);
	return r;
}
static inline void rig_check(const char *sets, uint32_t opens, const char *comes, const char *expected)
{
	mrpb_rig_free(rig_trace(sets, opens, comes, expected));
}

#endif
