/* core/lsu/lsu_prepare.c -- a memory instruction's addresses become what the load/store unit works off: line
 * requests (the coalescer), cycles of shared-memory bank conflicts, distinct constants; and the accesses are
 * counted. */
#include "core/lsu/lsu_prepare.h"
#include "core/diagnose/profile.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/lsu/lsu_plain.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"

/* Local memory lies interleaved by thread in device memory, so that the same offset in all threads of a warp
 * falls into one line: where, as device addresses. */
static const addr *local_addresses(const struct sm *sm, uint32_t slot, addr *out)
{
	const struct kernel_run *run = sm->warps[slot].cta->run;
	const addr *in = sm->exec->address;
	uint64_t warp = (uint64_t)sm->number * run->local_warps + sm->timing[slot].local_index;
	addr base = run->local_base + warp * run->local_bytes * WARP_SIZE;

	for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
		out[lane] = base + in[lane] / 4 * (4 * WARP_SIZE) + lane * 4 + in[lane] % 4;
	return out;
}

/* Requests have been found by device addresses; caches and DRAM know offsets into device memory. */
static void to_offsets(struct lsu_entry *e)
{
	_Static_assert(DEVICE_BASE % 128 == 0, "a line of addresses is a line of offsets");

	for (uint32_t i = 0; i < e->count; i++)
		e->lines[i].line -= DEVICE_BASE;
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

static void count_texture(struct sm *sm, const struct lsu_entry *e)
{
	sm->stats.texture_accesses++;
	sm->stats.texture_lines += e->count;
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

/* In words: what lanes read and write, each so many bytes. */
static __attribute__((noinline)) void count_shared_words(
	struct sm *sm, const struct uop *u, lane_mask active, uint32_t bytes)
{
	uint64_t words = (uint64_t)__builtin_popcount(active) * ((bytes + 3) / 4);
	bool is_write = u->code == UOP_ST || u->code == UOP_STMATRIX || u->code == UOP_CP_ASYNC;

	sm->stats.shared_words[0] += is_write ? 0 : words;
	sm->stats.shared_words[1] += is_write || u->code == UOP_ATOM || u->code == UOP_MBARRIER ? words : 0;
}

/* Lanes that collide on a word of a line are the L2's to take one after another. */
static void count_collisions(struct lsu_entry *e, const addr *address, uint32_t bytes)
{
	for (uint32_t i = 0; i < e->count; i++)
		e->lines[i].collisions = (uint8_t)atomic_cycles(address, e->lines[i].lanes, bytes);
}

/* Lines of the addresses that execution left (core/exec/exec_mem.c), which knows their pattern unless they
 * fell into several spaces. */
static uint32_t coalesce_own(const struct exec *x, lane_mask active, uint32_t bytes, uint32_t line,
	bool with_bytes, struct line_request *out)
{
	if (x->space == SPACE_GENERIC)
		return coalesce(x->address, active, bytes, line, with_bytes, out);
	return coalesce_pattern(x->address, active, bytes, line, with_bytes,
		(struct lane_pattern){ x->differ, x->follows }, out);
}

/* Whether the requests need to know which bytes of their lines the lanes touch. cache: in which the lines are
 * looked up */
static bool wants_bytes(const struct sm *sm, const struct cache_request *r, const struct cache *cache)
{
	return r->kind != PACKET_READ || r->uncached || sm->lsu.bypasses ||
		cache_wants_bytes(cache, r->is_local);
}

static void find_lines(const struct sm *sm, struct lsu_entry *e, const struct cache *cache,
	const addr *address, lane_mask active, uint32_t bytes, uint32_t line, bool is_plain)
{
	struct cache_request *r = &e->request.request;
	bool with_bytes = wants_bytes(sm, r, cache);

	r->bytes = (uint16_t)(r->kind == PACKET_READ ? line : 0);
	if (bytes > 4 && sm->config->coalesce_parts)
		e->count = coalesce_parts(address, active, bytes, line, with_bytes, e->lines);
	else if (is_plain && address == sm->exec->address)
		e->count = coalesce_own(sm->exec, active, bytes, line, with_bytes, e->lines);
	else
		e->count = coalesce(address, active, bytes, line, with_bytes, e->lines);
	to_offsets(e);
}

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
 *   volatile, relaxed, acquire ...: as .cv           as .ca
 *   .nc       as .ca, or through the texture cache   -
 *             (sm.nc_through_texture)
 *
 *   store     global memory                          local memory
 *   .wb none  written through to the L2; drops the   as the L1's write policy says (write-back)
 *             line from the L1
 *   .cg .wt   the same                               as .wb; .cg: the line is replaced first
 *   .cs       the same; the line is replaced first   as .wb; the line is replaced first
 *
 * Global stores do not stay in the L1 on compute capability 2.x, whatever the operator. That .cg drops the
 * L1's copy is what editions of the ISA for these chips say (up to 4.x; Alglave et al., ASPLOS 2015, quote it
 * and find that a Tesla C2075 does not always do so); newer ones are silent. -dlcm=cg is not the same as an
 * L1 that is off: local memory stays cached. */

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
	return lsu_is_past_l1(u) ||
		(u->combine == CACHE_DEFAULT && sm->config->global_loads == GLOBAL_LOADS_CG);
}

/* Fills in what the instruction's cache operator means for its requests in this space. */
static void apply_operator(
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

/* ---- requests by space ---- */

/* For the coalescer: the addresses of the lanes, and what execution knows about them. */
static void note_lanes(struct sm *sm, const addr *address, uint32_t bytes, bool is_plain)
{
	const struct exec *x = sm->exec;
	bool is_known = is_plain && address == x->address && x->space != SPACE_GENERIC;

	sm->lsu.lane_address = address;
	sm->lsu.lane_bytes = bytes;
	sm->lsu.lanes_follow = is_known && x->follows;
	sm->lsu.lanes_same = is_known && !x->differ;
}

static void prepare_global(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot,
	uint8_t space, lane_mask active)
{
	uint32_t bytes = u->code == UOP_PREFETCH ? 1 : (uint32_t)u->bytes * u->vector;
	uint32_t words = space == SPACE_LOCAL && bytes > 4 ? bytes / 4 : 1;
	bool is_load = u->code == UOP_LD || u->code == UOP_PREFETCH || u->code == UOP_CP_ASYNC;
	struct cache_request *r = &e->request.request;
	const addr *address =
		space == SPACE_LOCAL ? local_addresses(sm, slot, sm->lsu.local_address) : sm->exec->address;

	e->kind = LSU_GLOBAL;
	if (__builtin_expect(sm->has_gates, 0))
		note_lanes(sm, address, bytes / words, u->code != UOP_CP_ASYNC);
	r->kind = is_load ? PACKET_READ : u->code == UOP_ST ? PACKET_WRITE : PACKET_ATOMIC;
	apply_operator(sm, r, u, slot, space);
	r->wants_data = u->code == UOP_ATOM && u->writes;
	find_lines(sm, e, sm->l1d, address, active, bytes / words, r->kind == PACKET_ATOMIC ? 32 : 128,
		u->code != UOP_CP_ASYNC);
	if (r->kind == PACKET_ATOMIC)
		count_collisions(e, address, bytes);
	if (words > 1)
		add_words(e, words);
	count_lines(sm, e);
}

/* ld.global.nc by way of the texture units. */
static void prepare_texture_load(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask active)
{
	e->kind = LSU_TEXTURE;
	e->request.request.kind = PACKET_READ;
	e->request.request.uncached = !cache_is_enabled(sm->texture);
	find_lines(sm, e, sm->texture, sm->exec->address, active, (uint32_t)u->bytes * u->vector, 128, true);
	count_texture(sm, e);
	count_lines(sm, e);
}

static void add_bytes(struct line_request *to, const struct line_request *from)
{
	for (int i = 0; i < 4; i++)
		to->byte_mask[i] |= from->byte_mask[i];
}

/* Takes over the requests behind the first `had` whose lines are not among those; of the others, what they
 * touch. */
static void add_new_lines(struct lsu_entry *e, uint32_t found)
{
	uint32_t had = e->count;

	for (uint32_t i = had; i < had + found; i++) {
		uint32_t same = 0;

		while (same < had && e->lines[same].line != e->lines[i].line)
			same++;
		if (same == had)
			e->lines[e->count++] = e->lines[i];
		else
			add_bytes(&e->lines[same], &e->lines[i]);
	}
}

/* Where the texels that were touched lie: the lines, each once. */
static void find_texels(
	struct sm *sm, struct lsu_entry *e, const struct cache *cache, uint32_t bytes, uint32_t line)
{
	const struct exec *x = sm->exec;
	const struct cache_request *r = &e->request.request;
	bool with_bytes = wants_bytes(sm, r, cache);
	addr offset[WARP_SIZE];

	for (uint32_t set = 0; set < 4; set++) {
		lane_mask mask = x->texel_mask[set];

		if (!mask)
			continue;
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			offset[lane] = (x->texel[set][lane] - DEVICE_BASE) & ~(addr)(bytes - 1);
		add_new_lines(e, coalesce(offset, mask, bytes, line, with_bytes, e->lines + e->count));
		if (r->kind == PACKET_ATOMIC)
			count_collisions(e, offset, bytes);
	}
}

/* Textures through their own cache, surfaces through the L1. Nothing touched costs what a parameter does. */
static void prepare_texture(struct sm *sm, struct lsu_entry *e, const struct uop *u)
{
	bool is_store = u->code == UOP_SUST, is_atomic = u->code == UOP_SURED;
	bool is_surface = is_store || is_atomic || u->code == UOP_SULD;
	const struct cache *cache = is_surface ? sm->l1d : sm->texture;
	struct cache_request *r = &e->request.request;
	uint32_t line;

	sm->lsu.lane_address = NULL;
	sm->lsu.lanes_follow = sm->lsu.lanes_same = false;
	r->kind = is_store ? PACKET_WRITE : is_atomic ? PACKET_ATOMIC : PACKET_READ;
	r->uncached = r->kind == PACKET_READ &&
		((is_surface && (u->combine == CACHE_CG || u->combine == CACHE_CV)) ||
			!cache_is_enabled(cache));
	line = is_atomic ? 32 : 128;
	r->bytes = (uint16_t)(r->kind == PACKET_READ ? line : 0);
	find_texels(sm, e, cache, is_store || is_atomic ? sm->exec->texel_bytes : 1, line);
	e->kind = !e->count ? LSU_PARAM : is_surface ? LSU_GLOBAL : LSU_TEXTURE;
	e->extra_cycles = !e->count;
	if (!is_surface)
		count_texture(sm, e);
	count_lines(sm, e);
}

/* What the conflicts of an access that takes so many cycles add to its latency. */
static inline uint32_t conflicts_later(
	const struct sm *sm, lane_mask active, uint32_t bytes, uint32_t cycles_taken)
{
	uint32_t words = (uint32_t)__builtin_popcount(active) * ((bytes + 3) / 4),
		 banks = sm->config->shared_banks;
	uint32_t least = (words + banks - 1) / banks;

	return cycles_taken > least ? (cycles_taken - least) * sm->config->shared_conflict_latency : 0;
}

/* The lanes that access memory: the first alone where it adds for all (frontend/optimise/warp_aggregation.c).
 */
static lane_mask accessing(const struct exec *x, const struct uop *u, lane_mask active)
{
	lane_mask first = active & -active;

	if (__builtin_expect(u->code != UOP_ATOM || !(u->mods & MOD_ONE_LANE), 1))
		return active;
	for (lane_mask left = active & (active - 1); left; left &= left - 1)
		if (x->address[__builtin_ctz(left)] != x->address[__builtin_ctz(first)])
			return active;
	return first;
}

static void prepare_shared(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask active)
{
	bool is_rows = u->code == UOP_LDMATRIX || u->code == UOP_STMATRIX; /* one access for each address */
	uint32_t bytes = is_rows ? u->bytes : (uint32_t)u->bytes * u->vector;
	lane_mask rows = u->vector == 4 ? ~UINT32_C(0) : (UINT32_C(1) << 8 * u->vector) - 1;
	uint32_t need =
		shared_cycles(sm->exec->address, is_rows ? rows : active, bytes, sm->config->shared_banks);

	if (sm->config->shared_conflict_latency)
		e->later = (uint16_t)conflicts_later(sm, is_rows ? rows : active, bytes, need);
	if (u->code == UOP_LD && bytes == 16)
		need += quarter_warps(active) * sm->config->shared_wide_load;
	if (u->code == UOP_ATOM || u->code == UOP_MBARRIER)
		need += 2 * atomic_cycles(sm->exec->address, active, bytes); /* lock, update and unlock per
										colliding lane */
	e->kind = LSU_SHARED;
	e->extra_cycles = need;
	e->replays = need ? need - 1 : 0;
	count_shared(sm, e, need);
	if (__builtin_expect(sm->counts.by_uop != NULL, 0))
		count_shared_words(sm, u, is_rows ? rows : active, bytes);
}

/* cp.async: a global read by the lanes that read (if any), and the write into shared memory. */
static void prepare_copy(
	struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, lane_mask active)
{
	uint32_t need = shared_cycles(
		sm->exec->second_address, active, (uint32_t)u->bytes * u->vector, sm->config->shared_banks);

	e->kind = LSU_SHARED;
	if (sm->exec->space_mask[0])
		prepare_global(sm, e, u, slot, SPACE_GLOBAL, sm->exec->space_mask[0]);
	e->extra_cycles = need;
	count_shared(sm, e, need);
	if (__builtin_expect(sm->counts.by_uop != NULL, 0))
		count_shared_words(sm, u, active, (uint32_t)u->bytes * u->vector);
	sm->lsu.ops[e->op].group = sm->timing[slot].copy_groups + 1;
}

static void prepare_constant(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask active)
{
	struct cache_request *r = &e->request.request;
	const addr *address = sm->exec->address;

	e->kind = LSU_CONSTANT;
	r->kind = PACKET_READ;
	r->bytes = (uint16_t)cache_line_bytes(sm->constants);
	e->count = coalesce(address, active, (uint32_t)u->bytes * u->vector, r->bytes, false, e->lines);
	to_offsets(e);
	e->extra_cycles = constant_cycles(address, active);
	e->replays = e->extra_cycles - 1;
	if (e->extra_cycles * 4 < (uint32_t)u->bytes * u->vector) /* 4 bytes a lane and cycle reach the
								     registers */
		e->extra_cycles = (uint32_t)u->bytes * u->vector / 4;
	sm->stats.constant_accesses++;
}

void lsu_count(struct sm *sm, uint32_t slot, const struct uop *u)
{
	struct kernel_stats *counts = sm->timing[slot].counts;

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
static void prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot, uint8_t space,
	lane_mask active)
{
	if (u->code >= UOP_TEX && u->code <= UOP_SURED) {
		prepare_texture(sm, e, u);
		return;
	}
	if (u->code == UOP_CP_ASYNC) {
		prepare_copy(sm, e, u, slot, active);
		return;
	}
	active = accessing(sm->exec, u, active);
	switch (space) {
	case SPACE_SHARED:
		prepare_shared(sm, e, u, active);
		break;
	case SPACE_PARAM:
		e->kind = LSU_PARAM;
		e->extra_cycles = 1;
		break;
	case SPACE_CONST:
		prepare_constant(sm, e, u, active);
		break;
	default:
		if (lsu_reads_through_texture(sm->config, u, space))
			prepare_texture_load(sm, e, u, active);
		else
			prepare_global(sm, e, u, slot, space, active);
	}
}

/* What a warp waits for that needs the data; an L1 miss is found out later. */
static enum slot_cause cause_of(const struct lsu_entry *e, const struct uop *u)
{
	if ((u->code >= UOP_TEX && u->code <= UOP_SURED) || e->kind == LSU_TEXTURE)
		return SLOT_texture;
	if (e->kind == LSU_GLOBAL)
		return SLOT_l1_hit;
	return e->kind == LSU_CONSTANT || u->code == UOP_LD_PARAM ? SLOT_constant : SLOT_shared;
}

void lsu_prepare_plain(struct sm *sm, struct lsu_entry *e, const struct uop *u, struct kernel_stats *counts,
	lane_mask active)
{
	const struct exec *x = sm->exec;

	e->count = coalesce_pattern(x->address, active, (uint32_t)u->bytes * u->vector, PLAIN_LINE, false,
		(struct lane_pattern){ x->differ, x->follows }, e->lines);
	to_offsets(e);
	sm->stats.loads++;
	counts->loads++;
	sm->stats.line_requests += e->count;
	counts->line_requests += e->count;
	sim_hist_add(&sm->stats.lines_per_access, e->count);
}

enum slot_cause lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, uint32_t slot,
	uint8_t space, lane_mask active)
{
	prepare(sm, e, u, slot, space, active);
	return cause_of(e, u);
}
