/* core/issue/products.h -- products of warpgroups (WGMMA) that are under way.
 *
 * A warp goes on behind one at once. Its accumulators are taken on the scoreboard until it is done, for all
 * but other products: those that add to the same ones follow each other in the tensor unit. A wait lets the
 * warp go on when all but so many of its groups are done. */
#ifndef CORE_ISSUE_PRODUCTS_H
#define CORE_ISSUE_PRODUCTS_H

#include "core/kernel/slot_cause.h"
#include "sim/base/types.h"

struct sm;
struct products;

struct products *products_new(void);
void products_free(struct products *p);
/* A warp starts in the slot. */
void products_start(struct products *p, uint32_t slot);
/* The warp issues a product that is done in cycle `due` if those before it are. */
void products_issued(struct sm *sm, uint32_t slot, uint32_t uop, cycles due);
/* Those since the last group are one. */
void products_commit(struct sm *sm, uint32_t slot);
/* The warp's oldest product is done. */
void products_done(struct sm *sm, uint32_t slot);
/* What a product or a wait at pc still waits for; SLOT_issued: nothing. */
enum slot_cause products_look(struct sm *sm, uint32_t slot, uint32_t pc);

#endif
