/* core/lsu/lsu_prepare.c -- a memory instruction's addresses become what the load/store unit works off: line
 * requests (the coalescer), cycles of shared-memory bank conflicts, distinct constants; and the accesses are
 * counted. */
#include "core/lsu/lsu_prepare.h"
#include "core/diagnose/profile.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/lsu_in_flight.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/memory_access.h"
#include "core/sm/sm.h"
#include "memsys/l1/cache.h"

/* Local memory lies interleaved by thread in device memory, so that the same offset in all threads of a warp
 * falls into one line: where, as device addresses. */
static const addr *local_addresses(const struct sm *sm, uint32_t slot, addr *out)
{
	const struct kernel_run *run = sm->state.warps[slot].cta->run;
	const addr *in = sm->spec.exec->address;
	uint64_t warp = (uint64_t)sm->spec.number * run->local_warps + sm->state.timing[slot].local_index;
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
	return sm->state.timing_rest[sm->state.lsu.ops[e->op].slot].counts;
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
	const struct memory_op *op = &sm->state.lsu.ops[e->op];

	sm->stats.shared_accesses++;
	sm->stats.shared_conflict_cycles += cycles_taken - 1;
	counts_of(sm, e)->shared_accesses++;
	counts_of(sm, e)->shared_conflict_cycles += cycles_taken - 1;
	profile_conflicts(sm->state.warps[op->slot].cta->run, op->uop, cycles_taken - 1);
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

/* The line requests of the lanes' addresses. */
static void find_lines(const struct sm *sm, struct lsu_entry *e, const struct memory_access *a,
	const addr *address, lane_mask active, bool with_bytes)
{
	const struct exec *x = sm->spec.exec;

	if (a->in_parts)
		e->count = coalesce_parts(address, active, a->bytes, a->line, with_bytes, e->lines);
	else if (a->has_pattern && x->space != SPACE_GENERIC)
		e->count = coalesce_pattern(address, active, a->bytes, a->line, with_bytes,
			(struct lane_pattern){ x->differ, x->follows }, e->lines);
	else
		e->count = coalesce(address, active, a->bytes, a->line, with_bytes, e->lines);
	to_offsets(e);
}

/* ---- requests by path ---- */

/* For the coalescer: the addresses of the lanes, and what execution knows about them. */
static void note_lanes(struct sm *sm, const struct memory_access *a, const addr *address)
{
	const struct exec *x = sm->spec.exec;
	bool is_known = a->has_pattern && x->space != SPACE_GENERIC;

	sm->state.lsu.lane_address = address;
	sm->state.lsu.lane_bytes = a->bytes;
	sm->state.lsu.lanes_follow = is_known && x->follows;
	sm->state.lsu.lanes_same = is_known && !x->differ;
}

/* Cycles for which the access occupies the banks of the L1's data array. Lanes that read one line, 4 bytes
 * each, share no bank. */
static uint32_t data_cycles(const struct sm *sm, const struct lsu_entry *e, const struct memory_access *a,
	const addr *address, lane_mask active)
{
	const struct exec *x = sm->spec.exec;
	uint32_t banks = sm_l1_banks(sm);

	if (e->request.request.kind == PACKET_ATOMIC || e->request.request.uncached)
		return 1;
	if (a->bytes <= 4 && e->count == 1 && banks == 32)
		return a->words;
	if (a->has_pattern && x->space != SPACE_GENERIC && x->follows)
		return (WARP_SIZE * a->bytes + 4 * banks - 1) / (4 * banks);
	return a->words * shared_cycles(address, active, a->bytes, banks);
}

static void prepare_global(
	struct sm *sm, struct lsu_entry *e, const struct memory_access *a, uint32_t slot, lane_mask active)
{
	struct cache_request *r = &e->request.request;
	const addr *address = a->space == SPACE_LOCAL ? local_addresses(sm, slot, sm->state.lsu.local_address)
						      : sm->spec.exec->address;

	if (__builtin_expect(sm_has_gates(sm), 0))
		note_lanes(sm, a, address);
	if (__builtin_expect(a->may_bypass && sm->state.bypass >> slot & 1, 0))
		r->uncached = r->bypassed = true;
	find_lines(sm, e, a, address, active, a->with_bytes || r->uncached);
	if (r->kind == PACKET_ATOMIC)
		count_collisions(e, address, (uint32_t)a->bytes * a->words);
	if (sm_l1_banks(sm) && !sm_request_buffer(sm))
		e->data_cycles = data_cycles(sm, e, a, address, active);
	if (a->words > 1)
		add_words(e, a->words);
	count_lines(sm, e);
}

/* ld.global.nc by way of the texture units. */
static void prepare_texture_load(
	struct sm *sm, struct lsu_entry *e, const struct memory_access *a, lane_mask active)
{
	find_lines(sm, e, a, sm->spec.exec->address, active, a->with_bytes);
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
static void find_texels(struct sm *sm, struct lsu_entry *e, const struct memory_access *a)
{
	const struct exec *x = sm->spec.exec;
	uint8_t kind = a->request.kind;
	uint32_t bytes = kind == PACKET_READ ? 1 : x->texel_bytes;
	addr offset[WARP_SIZE];

	for (uint32_t set = 0; set < 4; set++) {
		lane_mask mask = x->texel_mask[set];

		if (!mask)
			continue;
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			offset[lane] = (x->texel[set][lane] - DEVICE_BASE) & ~(addr)(bytes - 1);
		add_new_lines(e, coalesce(offset, mask, bytes, a->line, a->with_bytes, e->lines + e->count));
		if (kind == PACKET_ATOMIC)
			count_collisions(e, offset, bytes);
	}
}

/* Nothing touched costs what a parameter does. */
static void prepare_texels(struct sm *sm, struct lsu_entry *e, const struct memory_access *a)
{
	sm->state.lsu.lane_address = NULL;
	sm->state.lsu.lanes_follow = sm->state.lsu.lanes_same = false;
	find_texels(sm, e, a);
	if (!e->count)
		e->path = PATH_PARAM;
	e->extra_cycles = !e->count;
	if (a->path == PATH_TEXTURE)
		count_texture(sm, e);
	count_lines(sm, e);
}

/* What the conflicts of an access that takes so many cycles add to its latency. */
static inline uint32_t conflicts_later(
	const struct sm *sm, lane_mask active, uint32_t bytes, uint32_t cycles_taken)
{
	uint32_t words = (uint32_t)__builtin_popcount(active) * ((bytes + 3) / 4),
		 banks = sm->spec.config->shared_banks;
	uint32_t least = (words + banks - 1) / banks;

	return cycles_taken > least ? (cycles_taken - least) * sm->spec.config->shared_conflict_latency : 0;
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

/* Cycles of shared memory's banks */
static uint32_t shared_access_cycles(const struct sm *sm, const struct memory_access *a, const struct uop *u,
	lane_mask active, uint32_t bytes)
{
	const struct exec *x = sm->spec.exec;
	uint32_t banks = sm->spec.config->shared_banks, known = 0;

	if (a->has_pattern && x->space == SPACE_SHARED)
		known = shared_cycles_by_pattern(
			bytes, banks, (struct lane_pattern){ x->differ, x->follows });
	if (known)
		return known;
	if (sm->spec.config->shared_pairs && u->code == UOP_LD)
		return shared_cycles_in_pairs(x->address, active, bytes, banks);
	return shared_cycles(x->address, active, bytes, banks);
}

/* An access to .shared::cluster, which may be the own CTA's. */
static bool is_of_cluster(const struct uop *u)
{
	return u->mods & MOD_CLUSTER && (u->code == UOP_LD || u->code == UOP_ST || u->code == UOP_ATOM);
}

static void prepare_shared(struct sm *sm, struct lsu_entry *e, const struct memory_access *a,
	const struct uop *u, lane_mask active)
{
	bool is_rows = u->code == UOP_LDMATRIX || u->code == UOP_STMATRIX; /* one access for each address */
	uint32_t bytes = is_rows ? u->bytes : (uint32_t)u->bytes * u->vector;
	lane_mask rows = u->vector == 4 ? ~UINT32_C(0) : (UINT32_C(1) << 8 * u->vector) - 1;
	uint32_t need = shared_access_cycles(sm, a, u, is_rows ? rows : active, bytes);

	if (sm->spec.config->shared_conflict_latency)
		e->later = (uint16_t)conflicts_later(sm, is_rows ? rows : active, bytes, need);
	if (is_of_cluster(u) && sm->spec.exec->space == SPACE_SHARED)
		e->later = (uint16_t)(e->later + sm->spec.config->generic_shared_latency);
	if (u->code == UOP_MBARRIER_TEST)
		e->later = (uint16_t)(e->later + sm->spec.config->mbarrier_test_latency);
	if (u->code == UOP_LD && bytes == 16)
		need += quarter_warps(active) * sm->spec.config->shared_wide_load;
	if (u->code == UOP_ATOM || u->code == UOP_MBARRIER)
		need += 2 * atomic_cycles(sm->spec.exec->address, active, bytes); /* lock, update and unlock
										per colliding lane */
	e->extra_cycles = need;
	e->replays = need ? need - 1 : 0;
	count_shared(sm, e, need);
	if (__builtin_expect(sm->host.counts.by_uop != NULL, 0))
		count_shared_words(sm, u, is_rows ? rows : active, bytes);
}

/* cp.async: a global read by the lanes that read (if any), and the write into shared memory. */
static void prepare_copy(struct sm *sm, struct lsu_entry *e, const struct memory_access *a,
	const struct uop *u, uint32_t slot, lane_mask active)
{
	struct memory_op *op = &sm->state.lsu.ops[e->op];
	uint32_t need =
		shared_cycles(sm->spec.exec->second_address, active, a->bytes, sm->spec.config->shared_banks);

	if (sm->spec.exec->space_mask[0]) {
		prepare_global(sm, e, a, slot, sm->spec.exec->space_mask[0]);
	} else {
		e->path = PATH_SHARED;
		op->cause = SLOT_shared;
	}
	e->extra_cycles = need;
	count_shared(sm, e, need);
	if (__builtin_expect(sm->host.counts.by_uop != NULL, 0))
		count_shared_words(sm, u, active, a->bytes);
	op->group = sm->state.timing_rest[slot].copy_groups + 1;
}

static void prepare_constant(
	struct sm *sm, struct lsu_entry *e, const struct memory_access *a, lane_mask active)
{
	const addr *address = sm->spec.exec->address;

	e->count = coalesce(address, active, a->bytes, a->request.bytes, false, e->lines);
	to_offsets(e);
	e->extra_cycles = constant_cycles(address, active);
	e->replays = e->extra_cycles - 1;
	if (e->extra_cycles * 4 < a->bytes) /* 4 bytes a lane and cycle reach the registers */
		e->extra_cycles = a->bytes / 4;
	sm->stats.constant_accesses++;
}

void lsu_prepare(struct sm *sm, struct lsu_entry *e, const struct memory_access *a, const struct uop *u,
	uint32_t slot, lane_mask active)
{
	if (__builtin_expect(a->has_texels, 0)) {
		prepare_texels(sm, e, a);
		return;
	}
	if (__builtin_expect(u->code == UOP_CP_ASYNC, 0)) {
		prepare_copy(sm, e, a, u, slot, active);
		return;
	}
	active = accessing(sm->spec.exec, u, active);
	switch (a->path) {
	case PATH_GLOBAL:
		prepare_global(sm, e, a, slot, active);
		break;
	case PATH_TEXTURE:
		prepare_texture_load(sm, e, a, active);
		break;
	case PATH_CONSTANT:
		prepare_constant(sm, e, a, active);
		break;
	case PATH_SHARED:
		prepare_shared(sm, e, a, u, active);
		break;
	default:
		if (u->code == UOP_BULK)
			bulk_engine_take(sm, slot, sm->state.local.cycle);
		e->extra_cycles = 1;
	}
}
