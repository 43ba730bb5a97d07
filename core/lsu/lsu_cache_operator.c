/* core/lsu/lsu_cache_operator.c -- cache operators of loads and stores (PTX ISA, cache operators).
 *
 *   load      global memory                                        local memory
 *   .ca       looked up in the L1 and cached there, in 128 bytes   the same
 *   none      as sm.global_loads says: .ca or .cg                  as .ca
 *   .cg       from the L2, in segments of 32 bytes; a copy of the  as .ca: the lines are the thread's own
 *             line in the L1 goes
 *   .cs       as .ca, and its line is the first to be replaced     as .lu
 *   .lu       as .cs                                               as .ca; nobody reads the line again: it is
 * replaced first, and need not be written back .cv       as .cg: fetched again each time as .ca volatile,
 * relaxed, acquire ...: as .cv                         as .ca .nc       as .ca; or through the texture cache
 * - (sm.nc_through_texture)
 *
 *   store     global memory                                        local memory
 *   .wb none  through to the L2; a copy of the line in the L1 goes the L1's own affair (write-back)
 *   .cg .wt   the same                                             as .wb; .cg: the line is replaced first
 *   .cs       the same, and marked as the first to be replaced     as .wb, and replaced first
 *
 * Global stores do not stay in the L1 on compute capability 2.x, whatever the operator. That .cg drops the
 * L1's copy is what editions of the ISA for these chips say (up to 4.x; Alglave et al., ASPLOS 2015, quote it
 * and find that a Tesla C2075 does not always keep to it); newer ones are silent. -dlcm=cg is not the same as
 * an L1 that is off: local memory stays cached. */
#include "core/sm/sm.h"

static void local_line(struct cache_request *r, const struct uop *u, bool is_load)
{
	if (is_load) {
		r->last_use = u->combine == CACHE_LU || u->combine == CACHE_CS;
		r->evict_first = r->last_use;
	} else {
		r->evict_first = u->combine == CACHE_CS || u->combine == CACHE_CG;
	}
}

static bool asks_for_l2(const struct sm *sm, const struct uop *u)
{
	return u->flags & UOP_VOLATILE || u->combine == CACHE_CG || u->combine == CACHE_CV ||
		(u->combine == CACHE_DEFAULT && sm->config->global_loads == GLOBAL_LOADS_CG);
}

void lsu_operator(
	const struct sm *sm, struct cache_request *r, const struct uop *u, uint32_t slot, uint8_t space)
{
	bool is_load = r->kind == PACKET_READ, past;

	r->is_local = space == SPACE_LOCAL;
	if (r->is_local) {
		local_line(r, u, is_load);
		r->uncached = is_load && !cache_is_enabled(sm->l1d);
		return;
	}
	r->evict_first = u->combine == CACHE_CS || (is_load && u->combine == CACHE_LU);
	if (!is_load)
		return;
	past = asks_for_l2(sm, u);
	r->discards = past && u->code == UOP_LD;
	r->uncached = past || !cache_is_enabled(sm->l1d);
	r->bypassed = !r->uncached && sm->bypass >> slot & 1;
	r->uncached |= r->bypassed;
}
