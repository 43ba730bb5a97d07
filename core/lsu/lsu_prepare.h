/* core/lsu/lsu_prepare.h -- a memory instruction's addresses become line requests and conflict cycles. */
#ifndef CORE_LSU_LSU_PREPARE_H
#define CORE_LSU_LSU_PREPARE_H

#include "core/exec/lane_types.h"
#include "core/lsu/lsu_entry.h"
#include "core/sm/sm_config.h"
#include "core/kernel/slot_cause.h"
#include "frontend/uop.h"

/* Fills in the entry, which is new, for the lanes that fell into one space. Returns what a warp that needs
 * the data waits for. */
enum slot_cause lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot,
	uint8_t space, lane_mask active);
/* Counts the instruction. */
void lsu_count(struct sm *sm, uint32_t slot, const struct uop *u);
/* Whether the load of global memory asks for the L2, not the L1, whatever the configuration. */
static inline bool lsu_is_past_l1(const struct uop *u)
{
	return u->flags & UOP_VOLATILE || u->combine == CACHE_CG || u->combine == CACHE_CV;
}
/* Whether the load goes through the texture cache. */
static inline bool lsu_reads_through_texture(
	const struct sm_config *config, const struct uop *u, uint8_t space)
{
	return u->combine == CACHE_NC && u->code == UOP_LD && space == SPACE_GLOBAL &&
		config->nc_through_texture;
}

#endif
