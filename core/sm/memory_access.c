/* core/sm/memory_access.c -- see memory_access.h. */
#include "core/sm/memory_access.h"
#include "core/sm/sm.h"
#include "frontend/module.h"
#include "memsys/bypass/bypass.h"

/* ---- cache operators (PTX ISA, cache operators) ----
 *
 *   load      global memory                          local memory
 *   .ca       looked up in the L1 and cached there,  the same
 *             in lines of 128 bytes
 *   none      .ca or .cg, see sm.global_loads        as .ca
 *   .cg       from the L2: one request a line, for   as .ca: the lines are the thread's own
 *             the sectors of 32 bytes that the lanes
 *             touch; drops the line from the L1
 *   .cs       as .ca; the line is replaced first     as .lu
 *   .lu       as .cs                                 as .ca; the line is not read again: it is replaced
 *                                                    first, and need not be written back
 *   .cv       as .cg: fetched again each time        as .ca
 *   volatile, relaxed, acquire ...: as .cv; see      as .ca
 *             sm.fence_invalidates
 *   .nc       as .ca, or through the texture cache   -
 *             (sm.nc_through_texture)
 *
 *   store     global memory                          local memory
 *   .wb none  written through to the L2; drops or    as the L1's write policy says (write-back)
 *             updates the line in the L1, or takes
 *             one (sm.l1d.write_global)
 *   .cg .wt   the same                               as .wb; .cg: the line is replaced first
 *   .cs       the same; the line is replaced first   as .wb; the line is replaced first
 *
 * Global stores do not stay in the L1 on compute capability 2.x, whatever the operator. That .cg drops the
 * L1's copy is what editions of the ISA for these chips say (up to 4.x; Alglave et al., ASPLOS 2015, quote it
 * and find that a Tesla C2075 does not always do so); newer ones are silent. -dlcm=cg is not the same as an
 * L1 that is off: local memory stays cached. */

static void local_operator(struct cache_request *r, const struct uop *u, bool is_enabled)
{
	r->is_local = true;
	if (r->kind == PACKET_READ) {
		r->last_use = u->combine == CACHE_LU || u->combine == CACHE_CS;
		r->evict_first = r->last_use;
		r->uncached = !is_enabled;
	} else {
		r->evict_first = u->combine == CACHE_CS || u->combine == CACHE_CG;
	}
}

static void global_operator(const struct sm *sm, struct cache_request *r, const struct uop *u)
{
	bool past;

	r->evict_first = u->combine == CACHE_CS || (r->kind == PACKET_READ && u->combine == CACHE_LU);
	if (r->kind != PACKET_READ)
		return;
	past = access_is_past_l1(sm->spec.config, u);
	r->discards = past && u->code == UOP_LD;
	r->uncached = past || !cache_is_enabled(sm->spec.l1d);
}

/* ---- by path ---- */

/* cache: in which the lines are looked up */
static bool wants_bytes(const struct sm *sm, const struct cache_request *r, const struct cache *cache)
{
	return r->kind != PACKET_READ || r->uncached || sm->state.lsu.bypasses ||
		cache_wants_bytes(cache, r->is_local);
}

static void find_lines(const struct sm *sm, struct memory_access *a, const struct cache *cache)
{
	struct cache_request *r = &a->request;

	a->line = r->kind == PACKET_ATOMIC ? 32 : 128;
	r->bytes = (uint16_t)(r->kind == PACKET_READ ? a->line : 0);
	a->with_bytes = wants_bytes(sm, r, cache);
	a->in_parts = a->bytes > 4 && sm->spec.config->coalesce_parts;
}

static void global_access(const struct sm *sm, struct memory_access *a, const struct uop *u)
{
	bool is_load = u->code == UOP_LD || u->code == UOP_PREFETCH || u->code == UOP_CP_ASYNC;
	struct cache_request *r = &a->request;

	a->path = PATH_GLOBAL;
	a->cause = SLOT_l1_hit;
	if (u->code == UOP_PREFETCH)
		a->bytes = 1;
	if (a->space == SPACE_LOCAL && a->bytes > 4) {
		a->words = (uint8_t)(a->bytes / 4);
		a->bytes = 4;
	}
	r->kind = is_load ? PACKET_READ : u->code == UOP_ST ? PACKET_WRITE : PACKET_ATOMIC;
	if (a->space == SPACE_LOCAL)
		local_operator(r, u, cache_is_enabled(sm->spec.l1d));
	else
		global_operator(sm, r, u);
	r->wants_data = u->code == UOP_ATOM && u->writes;
	r->is_float = u->code == UOP_ATOM && ptx_type_is_float((enum ptx_type)u->type);
	a->has_pattern = u->code != UOP_CP_ASYNC && a->space != SPACE_LOCAL;
	a->may_bypass = is_load && !r->is_local && !r->uncached;
	find_lines(sm, a, sm->spec.l1d);
}

/* ld.global.nc by way of the texture units. */
static void texture_access(const struct sm *sm, struct memory_access *a)
{
	a->path = PATH_TEXTURE;
	a->cause = SLOT_texture;
	a->request.kind = PACKET_READ;
	a->request.uncached = !cache_is_enabled(sm->spec.texture);
	a->has_pattern = true;
	find_lines(sm, a, sm->spec.texture);
}

static void constant_access(const struct sm *sm, struct memory_access *a)
{
	a->path = PATH_CONSTANT;
	a->cause = SLOT_constant;
	a->request.kind = PACKET_READ;
	a->request.bytes = (uint16_t)cache_line_bytes(sm->spec.constants);
}

/* Textures through their own cache, surfaces through the L1. */
static void texel_access(const struct sm *sm, struct memory_access *a, const struct uop *u)
{
	bool is_store = u->code == UOP_SUST, is_atomic = u->code == UOP_SURED;
	bool is_surface = is_store || is_atomic || u->code == UOP_SULD;
	const struct cache *cache = is_surface ? sm->spec.l1d : sm->spec.texture;
	struct cache_request *r = &a->request;

	a->has_texels = true;
	a->path = is_surface ? PATH_GLOBAL : PATH_TEXTURE;
	a->cause = SLOT_texture;
	r->kind = is_store ? PACKET_WRITE : is_atomic ? PACKET_ATOMIC : PACKET_READ;
	r->uncached = r->kind == PACKET_READ &&
		((is_surface && (u->combine == CACHE_CG || u->combine == CACHE_CV)) ||
			!cache_is_enabled(cache));
	find_lines(sm, a, cache);
}

/* ---- all ---- */

static enum access_count count_of(const struct uop *u)
{
	switch (u->code) {
	case UOP_LD:
	case UOP_TEX:
	case UOP_TLD4:
	case UOP_SULD:
	case UOP_LDMATRIX:
	case UOP_CP_ASYNC:
		return COUNTS_LOAD;
	case UOP_ST:
	case UOP_SUST:
	case UOP_STMATRIX:
	case UOP_ASYNC_WRITE:
		return COUNTS_STORE;
	case UOP_SURED:
	case UOP_ATOM:
	case UOP_MBARRIER:
		return COUNTS_ATOMIC;
	case UOP_LD_PARAM:
		return COUNTS_PARAMETER;
	default:
		return COUNTS_NOT;
	}
}

uint8_t memory_access_space(const struct uop *u)
{
	if (u->code == UOP_LD_PARAM || u->code == UOP_TENSORMAP)
		return SPACE_PARAM;
	if (u->space == SPACE_GENERIC)
		return u->code == UOP_LDMATRIX || u->code == UOP_STMATRIX || u->code == UOP_MBARRIER ||
				u->code == UOP_ASYNC_WRITE || u->code == UOP_MBARRIER_TEST
			? SPACE_SHARED
			: SPACE_GLOBAL;
	return u->space;
}

struct memory_access memory_access_of(const struct sm *sm, const struct uop *u, uint8_t space)
{
	struct memory_access a = { .space = space,
		.count = (uint8_t)count_of(u),
		.bytes = (uint16_t)(u->bytes * u->vector),
		.words = 1 };

	if (access_is_of_texels(u)) {
		texel_access(sm, &a, u);
		return a;
	}
	if (u->code == UOP_CP_ASYNC) {
		a.space = SPACE_GLOBAL;
		global_access(sm, &a, u);
		return a;
	}
	a.is_of_space = u->code != UOP_LD_PARAM;
	switch (space) {
	case SPACE_SHARED:
		a.path = PATH_SHARED;
		a.has_pattern = u->code == UOP_LD || u->code == UOP_ST;
		a.cause = SLOT_shared;
		break;
	case SPACE_PARAM:
		a.path = PATH_PARAM;
		a.cause = u->code == UOP_LD_PARAM ? SLOT_constant : SLOT_shared;
		break;
	case SPACE_CONST:
		constant_access(sm, &a);
		break;
	default:
		if (access_is_through_texture(sm->spec.config, u, space))
			texture_access(sm, &a);
		else
			global_access(sm, &a, u);
	}
	return a;
}
