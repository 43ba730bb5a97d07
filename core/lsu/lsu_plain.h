/* core/lsu/lsu_plain.h -- plain loads: most of all memory instructions, for which a short way leads through
 * the load/store unit.
 *
 * A plain load is a cached load (ld) of global memory whose lines are only looked up in the L1, in order.
 * That an instruction is one is known when its kernel starts (issue_table.c), that the machine lets it be
 * when a kernel starts on the SM: no coalescer, request buffer, bypass policy, limiter or observer comes
 * between. What its entry tells a cache beyond the line is filled in only when a line does not hit. */
#ifndef CORE_LSU_LSU_PLAIN_H
#define CORE_LSU_LSU_PLAIN_H

#include "core/lsu/lsu_entry.h"
#include "frontend/uop.h"

struct kernel_stats;
struct sm_config;

#define PLAIN_LINE 128 /* bytes */

/* lsu_accept for a plain load of a kernel without a profile. */
uint32_t lsu_accept_plain(
	struct sm *sm, uint32_t slot, uint32_t uop, lane_mask active, cycles ready, cycles now);
/* Its lines. counts: of the kernel. */
void lsu_prepare_plain(struct sm *sm, struct lsu_entry *e, const struct uop *u, struct kernel_stats *counts,
	lane_mask active);
/* Fills in what the requests of the entry have in common, but for what lsu_prepare adds. */
void lsu_fill_request(const struct sm *sm, struct lsu_entry *e);

#endif
