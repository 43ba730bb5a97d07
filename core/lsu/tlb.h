/* core/lsu/tlb.h -- translation of addresses, as an option (sm.tlb): two levels of translations that the SM
 * has used last, and a walk beyond them. What a load or an atomic brings from beyond the L1 waits for the
 * translation of its page behind the reply, in place of before the request: the time is the same, but
 * translations take no part of any bandwidth, and the second level, which the SMs of a chip share, is each
 * SM's own here. */
#ifndef CORE_LSU_TLB_H
#define CORE_LSU_TLB_H

#include "sim/base/state.h"
#include "sim/base/types.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct packet;
struct sm;
struct tlb;

struct tlb_config {
	uint32_t entries, second_entries; /* translations that each level holds; 0 of the first: off */
	uint64_t page;                    /* bytes */
	uint32_t second_latency, walk_latency;
};
extern const struct sim_param tlb_params[];

/* NULL: off. */
struct tlb *tlb_new(const struct tlb_config *config, uint16_t sm, struct stat_tree *stats);
void tlb_free(struct tlb *t);
/* Whether the reply has to wait; then it is kept. */
bool tlb_keeps(struct tlb *t, struct packet *reply, cycles now);
/* The reply that waits no longer, which is the caller's; NULL: none. */
struct packet *tlb_next(struct tlb *t, cycles now);
/* It has to wait further, for another reason. */
void tlb_return(struct tlb *t, struct packet *reply);
/* The next cycle, after now, in which one waits no longer; SIM_NEVER: none waits. */
cycles tlb_due(const struct tlb *t, cycles now);
bool tlb_is_idle(const struct tlb *t);
/* What it holds, between launches. */
void tlb_describe(const struct tlb *t, FILE *to);
void tlb_state(struct tlb *t, struct state *state);

#endif
