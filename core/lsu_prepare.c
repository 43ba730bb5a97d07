/* core/lsu_prepare.c -- a memory instruction's addresses become what the load/store unit works off: line requests (the
 * coalescer), cycles of bank conflicts, distinct constants; and the accesses are counted. */
#include "core/profile.h"
#include "core/sm.h"

/* Device addresses to offsets into device memory; local memory to the place where it is interleaved by
 * thread, so that the same offset in all threads of a warp falls into one line. */
static void memory_offsets(const struct sm *sm, uint32_t slot, uint8_t space, lane_mask active, addr *out)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const addr *in = sm->exec->address;

	if (space == SPACE_LOCAL) {
		uint64_t warp = (uint64_t)sm->number * run->local_warps + sm->timing[slot].place;
		addr base = run->local_base - DEVICE_BASE + warp * run->local_bytes * WARP_SIZE;

		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			out[lane] = base + in[lane] / 4 * (4 * WARP_SIZE) + lane * 4 + in[lane] % 4;
		return;
	}
	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		out[lane] = in[lane] - DEVICE_BASE;
}

/* The further words of a wide local access: a word on is a whole row of 32 threads' words on. */
static void add_words(struct lsu_entry *e, uint32_t words)
{
	uint32_t count = e->count;

	for (uint32_t w = 1; w < words; w++)
		for (uint32_t i = 0; i < count; i++) {
			e->lines[e->count] = e->lines[i];
			e->lines[e->count++].line += (addr)w * 4 * WARP_SIZE;
		}
}

static struct kernel_stats *counts_of(const struct sm *sm, const struct lsu_entry *e)
{
	return sm->timing[sm->lsu.ops[e->op].slot].counts;
}

static void count_lines(struct sm *sm, const struct lsu_entry *e)
{
	sm->stats.line_requests += e->count;
	counts_of(sm, e)->line_requests += e->count;
	sim_hist_add(&sm->stats.lines_per_access, e->count);
}

static void count_shared(struct sm *sm, const struct lsu_entry *e, uint32_t cycles_taken)
{
	const struct memory_op *op = &sm->lsu.ops[e->op];

	sm->stats.shared_accesses++;
	sm->stats.shared_conflict_cycles += cycles_taken - 1;
	counts_of(sm, e)->shared_accesses++;
	counts_of(sm, e)->shared_conflict_cycles += cycles_taken - 1;
	profile_conflicts(sm->warps[op->slot].cta->run, op->uop, cycles_taken - 1);
}

static void prepare_global(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot,
	uint8_t space, lane_mask active)
{
	uint32_t bytes = (uint32_t)u->bytes * u->vector, line = 128;
	addr offset[WARP_SIZE];
	bool is_load = u->code == UOP_LD || u->code == UOP_PREFETCH || u->code == UOP_CP_ASYNC;

	uint32_t words = space == SPACE_LOCAL && bytes > 4 ? bytes / 4 : 1;

	memory_offsets(sm, slot, space, active, offset);
	e->kind = LSU_GLOBAL;
	e->is_local = space == SPACE_LOCAL;
	e->packet = is_load ? PACKET_READ : u->code == UOP_ST ? PACKET_WRITE : PACKET_ATOMIC;
	e->uncached = is_load && (u->flags & UOP_VOLATILE || u->combine == CACHE_CG ||
					 u->combine == CACHE_CV || !cache_is_enabled(sm->l1d) ||
					 sm->bypass >> slot & 1);
	e->wants_data = u->code == UOP_ATOM && u->writes;
	if (e->uncached || e->packet == PACKET_ATOMIC)
		line = 32;
	e->bytes = (uint16_t)(is_load ? line : 0);
	e->count = coalesce(offset, active, bytes / words, line, !is_load || cache_wants_bytes(sm->l1d, e->is_local), e->lines);
	add_words(e, words);
	count_lines(sm, e);
}

/* Takes over the requests behind the first `had` whose lines are not among those. */
static void add_new_lines(struct lsu_entry *e, uint32_t found)
{
	uint32_t had = e->count;

	for (uint32_t i = had; i < had + found; i++) {
		uint32_t same = 0;

		while (same < had && e->lines[same].line != e->lines[i].line)
			same++;
		if (same == had)
			e->lines[e->count++] = e->lines[i];
	}
}

/* Lines of the texels that were touched, each once; nothing touched costs what a parameter does. */
static void prepare_texture(struct sm *sm, struct lsu_entry *e, const struct uop *u)
{
	const struct exec *x = sm->exec;
	bool is_store = u->code == UOP_SUST, is_atomic = u->code == UOP_SURED;
	uint32_t bytes = is_store || is_atomic ? x->texel_bytes : 1, line = 128;
	addr offset[WARP_SIZE];

	e->packet = is_store ? PACKET_WRITE : is_atomic ? PACKET_ATOMIC : PACKET_READ;
	e->uncached = e->packet == PACKET_READ && (u->combine == CACHE_CG || u->combine == CACHE_CV ||
							  !cache_is_enabled(sm->l1d));
	if (e->uncached || is_atomic)
		line = 32;
	e->bytes = (uint16_t)(e->packet == PACKET_READ ? line : 0);
	for (uint32_t set = 0; set < 4; set++) {
		lane_mask mask = x->texel_mask[set];

		if (!mask)
			continue;
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			offset[lane] = (x->texel[set][lane] - DEVICE_BASE) & ~(addr)(bytes - 1);
		add_new_lines(e, coalesce(offset, mask, bytes, line, is_store || is_atomic, e->lines + e->count));
	}
	e->kind = e->count ? LSU_GLOBAL : LSU_PARAM;
	e->extra_cycles = !e->count;
	count_lines(sm, e);
}

static void prepare_shared(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask active)
{
	bool is_rows = u->code == UOP_LDMATRIX || u->code == UOP_STMATRIX; /* one access for each address */
	uint32_t bytes = is_rows ? u->bytes : (uint32_t)u->bytes * u->vector;
	lane_mask rows = u->vector == 4 ? ~UINT32_C(0) : (UINT32_C(1) << 8 * u->vector) - 1;
	uint32_t need = shared_cycles(sm->exec->address, is_rows ? rows : active, bytes, sm->config->shared_banks);

	if (u->code == UOP_LD && bytes == 16)
		need += quarter_warps(active) * sm->config->shared_wide_load;
	if (u->code == UOP_ATOM || u->code == UOP_MBARRIER)
		need += 2 * atomic_cycles(sm->exec->address, active,
				    bytes); /* lock, update and unlock per colliding lane */
	e->kind = LSU_SHARED;
	e->extra_cycles = need;
	count_shared(sm, e, need);
}

/* cp.async: a global read by the lanes that read (if any), and the write into shared memory. */
static void prepare_copy(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, lane_mask active)
{
	uint32_t need = shared_cycles(sm->exec->second_address, active, (uint32_t)u->bytes * u->vector,
		sm->config->shared_banks);

	e->kind = LSU_SHARED;
	if (sm->exec->space_mask[0])
		prepare_global(sm, e, u, slot, SPACE_GLOBAL, sm->exec->space_mask[0]);
	e->extra_cycles = need;
	count_shared(sm, e, need);
	sm->lsu.ops[e->op].group = sm->timing[slot].copy_groups + 1;
}

static void prepare_constant(
	struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, lane_mask active)
{
	addr offset[WARP_SIZE];

	e->kind = LSU_CONSTANT;
	e->packet = PACKET_READ;
	e->bytes = (uint16_t)cache_line_bytes(sm->constants);
	memory_offsets(sm, slot, SPACE_CONST, active, offset);
	e->count = coalesce(offset, active, (uint32_t)u->bytes * u->vector, e->bytes, false, e->lines);
	e->extra_cycles = constant_cycles(offset, active);
	if (e->extra_cycles * 4 < (uint32_t)u->bytes * u->vector) /* 4 bytes a lane and cycle reach the registers */
		e->extra_cycles = (uint32_t)u->bytes * u->vector / 4;
	sm->stats.constant_accesses++;
}

static void count_access(struct sm *sm, struct kernel_stats *counts, const struct uop *u)
{
	switch (u->code) {
	case UOP_LD:
	case UOP_TEX:
	case UOP_TLD4:
	case UOP_SULD:
	case UOP_LDMATRIX:
	case UOP_CP_ASYNC:
		sm->stats.loads++;
		counts->loads++;
		break;
	case UOP_ST:
	case UOP_SUST:
	case UOP_STMATRIX:
		sm->stats.stores++;
		counts->stores++;
		break;
	case UOP_SURED:
	case UOP_ATOM:
	case UOP_MBARRIER:
		sm->stats.atomics++;
		counts->atomics++;
		break;
	case UOP_LD_PARAM:
		sm->stats.parameter_accesses++;
		break;
	default:
		break;
	}
}

/* Addresses to requests, by the space that they lie in. */
static void prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, lane_mask active)
{
	uint8_t space = u->code == UOP_LD_PARAM ? SPACE_PARAM : sm->exec->space;

	if (u->code >= UOP_TEX && u->code <= UOP_SURED) {
		prepare_texture(sm, e, u);
		return;
	}
	if (u->code == UOP_CP_ASYNC) {
		prepare_copy(sm, e, u, slot, active);
		return;
	}
	switch (space) {
	case SPACE_SHARED:
		prepare_shared(sm, e, u, active);
		break;
	case SPACE_PARAM:
		e->kind = LSU_PARAM;
		e->extra_cycles = 1;
		break;
	case SPACE_CONST:
		prepare_constant(sm, e, u, slot, active);
		break;
	case SPACE_GENERIC: /* lanes in several spaces are timed by the global or local ones alone (DEVIATIONS
			       16) */
		if (sm->exec->space_mask[SPACE_GLOBAL])
			prepare_global(sm, e, u, slot, SPACE_GLOBAL, sm->exec->space_mask[SPACE_GLOBAL]);
		else if (sm->exec->space_mask[SPACE_LOCAL])
			prepare_global(sm, e, u, slot, SPACE_LOCAL, sm->exec->space_mask[SPACE_LOCAL]);
		else { /* shared memory and parameters */
			e->kind = LSU_PARAM;
			e->extra_cycles = 1;
		}
		break;
	default:
		prepare_global(sm, e, u, slot, space, active);
	}
}

/* What a warp waits for that needs the data; an L1 miss is found out later. */
static enum slot_cause cause_of(const struct lsu_entry *e, const struct uop *u)
{
	if (u->code >= UOP_TEX && u->code <= UOP_SURED)
		return SLOT_texture;
	if (e->kind == LSU_GLOBAL)
		return SLOT_l1_hit;
	return e->kind == LSU_CONSTANT || u->code == UOP_LD_PARAM ? SLOT_constant : SLOT_shared;
}

enum slot_cause lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, lane_mask active)
{
	count_access(sm, sm->timing[slot].counts, u);
	prepare(sm, e, u, slot, active);
	return cause_of(e, u);
}
