/* core/lsu/lsu_prepare.h -- a memory instruction's addresses become line requests and conflict cycles. */
#ifndef CORE_LSU_LSU_PREPARE_H
#define CORE_LSU_LSU_PREPARE_H

#include "core/exec/lane_types.h"
#include "core/lsu/lsu_entry.h"
#include "core/sm/memory_access.h"

/* Fills in the entry, which is new and has the access's path and request, for the lanes that fell into the
 * access's space; and counts what they touch. */
void lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct memory_access *a, const struct uop *u,
	uint32_t slot, lane_mask active);

#endif
