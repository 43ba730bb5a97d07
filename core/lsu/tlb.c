/* core/lsu/tlb.c -- translation of addresses: see tlb.h. */
#include "core/lsu/tlb.h"
#include "sim/base/xalloc.h"
#include "sim/event/packet.h"
#include <stddef.h>

#define U32(field, def, min, max, units, text) SIM_U32(struct tlb_config, field, def, min, max, units, text)

const struct sim_param tlb_params[] = {
	U32(entries, 0, 0, 65536, "pages",
		"translations that the first level of an SM holds; 0: addresses are translated in no "
		"time (an H200: at most 13 cycles for 64 GB, docs/results/h200.md)"),
	U32(second_entries, 1024, 0, 65536, "pages", "translations that the second level holds (our choice)"),
	SIM_U64(struct tlb_config, page, 2 << 20, 4096, UINT64_C(1) << 40, "bytes",
		"size of a page (our choice: 2 MB, as drivers of later chips use for large allocations)"),
	U32(second_latency, 100, 1, 100000, "core cycles",
		"what a translation takes that the second level holds (our choice)"),
	U32(walk_latency, 500, 1, 100000, "core cycles", "what one takes that it does not hold (our choice)"),
	SIM_END,
};

struct translation {
	addr page; /* + 1; 0: none */
	cycles used, ready;
};

struct tlb_level {
	struct translation *held;
	uint32_t entries;
};

struct tlb {
	struct tlb_config config;
	struct tlb_level level[2];
	struct packet *waiting; /* by the time until which they wait (packet.due) */
	uint64_t uses;
	struct tlb_stats {
		uint64_t hits, second_hits, walks, wait_cycles;
	} stats;
};

static const struct sim_stat tlb_stat_table[] = {
	SIM_COUNT(struct tlb_stats, hits, "replies",
		"replies whose translation the first level of the TLB held"),
	SIM_COUNT(struct tlb_stats, second_hits, "replies",
		"replies whose translation only the second level of the TLB held"),
	SIM_COUNT(struct tlb_stats, walks, "replies",
		"replies whose translation neither level of the TLB held: page walks"),
	SIM_COUNT(struct tlb_stats, wait_cycles, "cycles",
		"cycles that replies waited for translations, added up"),
	SIM_STAT_END,
};

struct tlb *tlb_new(const struct tlb_config *config, uint16_t sm, struct stat_tree *stats)
{
	struct tlb *t;

	if (!config->entries)
		return NULL;
	t = xcalloc(1, sizeof(*t));
	t->config = *config;
	t->level[0] =
		(struct tlb_level){ xcalloc(config->entries, sizeof(struct translation)), config->entries };
	t->level[1] = (struct tlb_level){ xcalloc(config->second_entries + 1, sizeof(struct translation)),
		config->second_entries };
	stat_register(stats, "sm.tlb", sm, tlb_stat_table, &t->stats, sizeof(t->stats));
	return t;
}

void tlb_free(struct tlb *t)
{
	if (!t)
		return;
	while (t->waiting) {
		struct packet *p = t->waiting;

		t->waiting = p->next;
		packet_free(p);
	}
	free(t->level[0].held);
	free(t->level[1].held);
	free(t);
}

/* The page's translation; NULL: it is not held. */
static struct translation *find_translation(struct tlb *t, struct tlb_level *l, addr page)
{
	for (uint32_t i = 0; i < l->entries; i++)
		if (l->held[i].page == page + 1) {
			l->held[i].used = ++t->uses;
			return &l->held[i];
		}
	return NULL;
}

/* In the place of the one that has not been used for longest. */
static void keep_translation(struct tlb *t, struct tlb_level *l, addr page, cycles ready)
{
	struct translation *oldest = l->held;

	for (uint32_t i = 0; i < l->entries; i++)
		if (l->held[i].used < oldest->used)
			oldest = &l->held[i];
	if (l->entries)
		*oldest = (struct translation){ page + 1, ++t->uses, ready };
}

/* When the page's translation is there. */
static cycles translate(struct tlb *t, addr page, cycles now)
{
	struct translation *held = find_translation(t, &t->level[0], page);
	cycles ready = now;

	if (held) {
		t->stats.hits++;
		return held->ready;
	}
	held = find_translation(t, &t->level[1], page);
	if (held) {
		t->stats.second_hits++;
		ready = (held->ready > now ? held->ready : now) + t->config.second_latency;
	} else {
		t->stats.walks++;
		ready = now + t->config.walk_latency;
		keep_translation(t, &t->level[1], page, ready);
	}
	keep_translation(t, &t->level[0], page, ready);
	return ready;
}

bool tlb_keeps(struct tlb *t, struct packet *reply, cycles now)
{
	cycles ready = translate(t, reply->address / t->config.page, now);
	struct packet **at = &t->waiting;

	if (ready <= now)
		return false;
	t->stats.wait_cycles += ready - now;
	reply->due = ready;
	while (*at && (*at)->due <= ready)
		at = &(*at)->next;
	reply->next = *at;
	*at = reply;
	return true;
}

struct packet *tlb_next(struct tlb *t, cycles now)
{
	struct packet *p = t->waiting;

	if (!p || p->due > now)
		return NULL;
	t->waiting = p->next;
	return p;
}

void tlb_return(struct tlb *t, struct packet *reply)
{
	reply->next = t->waiting;
	t->waiting = reply;
}

cycles tlb_due(const struct tlb *t, cycles now)
{
	if (!t->waiting)
		return SIM_NEVER;
	return t->waiting->due > now ? t->waiting->due : now + 1;
}

bool tlb_is_idle(const struct tlb *t)
{
	return !t->waiting;
}

void tlb_describe(const struct tlb *t, FILE *to)
{
	fprintf(to, "%u and %u translations of %llu bytes", t->level[0].entries, t->level[1].entries,
		(unsigned long long)t->config.page);
}

void tlb_state(struct tlb *t, struct state *s)
{
	state_field(s, &t->uses);
	for (int l = 0; l < 2; l++)
		for (uint32_t i = 0; i < t->level[l].entries; i++) {
			state_field(s, &t->level[l].held[i].page);
			state_field(s, &t->level[l].held[i].used);
		}
}
