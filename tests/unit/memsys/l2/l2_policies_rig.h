/* tests/unit/memsys/l2/l2_policies_rig.h -- what test_l2_policies.c and test_l2_policies_insertion.c share.
 * */
#ifndef L2_POLICIES_RIG_H
#define L2_POLICIES_RIG_H

#include "memsys/insertion/insertion.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/warp_type/classifier.h"
#include "tests/unit/memsys/l2/l2_rig.h"
#include "tests/unit/hang_guard.h"

struct seven {
	struct l2_bypass base;
};

static uint64_t heard[L2_OUTCOME_COUNT], shadow_hits, evicted_lines, asked;

static bool is_ordered, random_bypass;

static uint32_t last_token[64], last_write[64]; /* by line: of the last request looked up, and of the last
						   that writes; plus 1 */

static inline bool seven_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	asked++;
	p->warp_type = p->warp_type ? p->warp_type : 3;
	return random_bypass ? p->warp_type >= WARP_MOSTLY_MISS : p->by.warp == 7;
}

static inline void seven_looked_up(
	struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, bool shadow_hit, cycles now)
{
	uint32_t line = p->local / 128 % 64, token = p->token + 1;
	bool writes = p->kind != PACKET_READ;

	heard[outcome]++;
	shadow_hits += shadow_hit;
	is_ordered = is_ordered && token > (writes ? last_token : last_write)[line];
	last_token[line] = token > last_token[line] ? token : last_token[line];
	last_write[line] = writes ? token : last_write[line];
}

static inline void seven_evicted(void *policy, const struct eviction_event *event)
{
	evicted_lines++;
}

static const struct l2_bypass_class seven = { .name = "seven",
	.size = sizeof(struct seven),
	.wants_shadow = true,
	.decide = seven_decide,
	.looked_up = seven_looked_up,
	.l2.evicted = seven_evicted };

static struct l2_bypass *prototype;

static inline struct l2_config bypassing(void)
{
	struct l2_config c = config();

	prototype = policy_blank(&l2_bypass_interface, &seven.policy);
	c.bypass = prototype;
	memset(heard, 0, sizeof(heard));
	memset(last_token, 0, sizeof(last_token));
	memset(last_write, 0, sizeof(last_write));
	shadow_hits = evicted_lines = asked = 0;
	is_ordered = true;
	return c;
}

#define READ_BY(cycle, who, where, n) \
	{ \
		.at = cycle, .kind = PACKET_READ, .local = where, .bytes = n, .warp = who \
	}

#endif
