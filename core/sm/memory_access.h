/* core/sm/memory_access.h -- what a memory instruction asks of the load/store unit, whatever its addresses:
 * the path that it takes, how its lanes' addresses become requests, and what those have in common. */
#ifndef CORE_SM_MEMORY_ACCESS_H
#define CORE_SM_MEMORY_ACCESS_H

#include "core/sm/sm_config.h"
#include "frontend/uop.h"
#include "memsys/l1/cache.h"

struct sm;

/* Where the instruction is served. */
enum access_path {
	PATH_GLOBAL,   /* line requests to the L1: global and local memory, surfaces */
	PATH_TEXTURE,  /* line requests to the texture cache */
	PATH_CONSTANT, /* line requests to the constant cache */
	PATH_SHARED,   /* shared memory, as a whole */
	PATH_PARAM     /* kernel parameters, as a whole */
};

/* Which of the counts of instructions it goes to. */
enum access_count { COUNTS_NOT, COUNTS_LOAD, COUNTS_STORE, COUNTS_ATOMIC, COUNTS_PARAMETER };

struct memory_access {
	struct cache_request request; /* what all its requests have in common */
	uint8_t path;     /* enum access_path, where lanes access memory at all (cp.async, texels) */
	uint8_t space;    /* enum uop_space: the space for which the other fields hold */
	uint8_t cause;    /* enum slot_cause: what a warp that needs the data waits for */
	uint8_t count;    /* enum access_count */
	uint8_t line;     /* bytes of a line request: 32 or 128 */
	uint16_t bytes;   /* of each lane that are coalesced at a time; local memory, which is interleaved by
			     words: 4 of them ... */
	uint8_t words;    /* ... so many times; else 1 */
	bool is_of_space; /* the other fields hold only if execution finds the lanes in `space` */
	bool in_parts;    /* half or quarter warps are coalesced on their own (sm.coalesce_parts) */
	bool with_bytes;  /* the requests tell which bytes of their lines the lanes touch */
	bool has_pattern; /* execution knows the pattern of its addresses (struct lane_pattern) */
	bool may_bypass;  /* it goes past the L1 if its warp is one of sm->state.bypass */
	bool has_texels;  /* of a texture or surface */
};

/* What a micro-operation of UNIT_LDST asks if its lanes lie in this space. sm: any of the chip, whose SMs are
 * alike. */
struct memory_access memory_access_of(const struct sm *sm, const struct uop *u, uint8_t space);
/* The space in which the lanes of a micro-operation most likely lie: the one that it names; of generic
 * addresses, shared memory for instructions that take no other, else global memory. */
uint8_t memory_access_space(const struct uop *u);

/* Whether the load of global memory names the L2, not the L1: .cg, .cv, volatile. */
static inline bool access_names_l2(const struct uop *u)
{
	return u->flags & UOP_VOLATILE || u->combine == CACHE_CG || u->combine == CACHE_CV;
}
/* Whether the load of global memory goes past the L1. */
static inline bool access_is_past_l1(const struct sm_config *config, const struct uop *u)
{
	return access_names_l2(u) || (u->combine == CACHE_DEFAULT && config->global_loads == GLOBAL_LOADS_CG);
}
/* Whether the load goes through the texture cache. */
static inline bool access_is_through_texture(
	const struct sm_config *config, const struct uop *u, uint8_t space)
{
	return u->combine == CACHE_NC && u->code == UOP_LD && space == SPACE_GLOBAL &&
		config->nc_through_texture;
}
/* Whether it is an instruction of textures or surfaces. */
static inline bool access_is_of_texels(const struct uop *u)
{
	return u->code >= UOP_TEX && u->code <= UOP_SURED;
}

#endif
