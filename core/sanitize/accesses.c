/* core/sanitize/accesses.c -- the functions that execute instructions which access memory, under the
 * sanitizer: each executes, then looks at the addresses. What faults is left to the fault. */
#include "core/exec/bulk/bulk_copy.h"
#include "core/kernel/cluster.h"
#include "core/exec/write.h"
#include "core/sanitize/sanitize_internal.h"
#include "frontend/lower/memory/mbarrier.h"
#include <string.h>

static exec_function table[UOP_CODE_COUNT];
static const exec_function *unchecked;
static exec_function watched[UOP_CODE_COUNT];
const exec_function *const sanitize_table = table;

struct finding_event access_event(const struct access *a, enum finding_kind kind, uint32_t lane)
{
	return (struct finding_event){
		.kind = kind, .serial = a->sanitizer->serial, .warp = a->warp, .uop = a->uop, .lane = lane
	};
}

struct finding *access_note(const struct access *a, enum finding_kind kind, uint32_t lane)
{
	struct finding_event e = access_event(a, kind, lane);

	if (!(a->sanitizer->checks & finding_check(kind)))
		return NULL;
	return finding_note(&a->sanitizer->findings, &e);
}

/* The bytes of an element, of so many. */
static uint64_t element_bits(uint32_t bytes, uint32_t element)
{
	return (bytes < 64 ? (UINT64_C(1) << bytes) - 1 : UINT64_MAX) << element * bytes;
}

/* The bytes that a load leaves in registers: an element may have none. */
static uint64_t bytes_loaded(const struct exec *x, const struct uop *u)
{
	uint64_t used = 0;

	for (uint32_t e = 0; e < u->vector; e++) {
		uint16_t row = e < 4 ? u->dst[e] : x->extra[u->extra + u->extra_sources + e - 4];

		used |= row == UOP_NONE ? 0 : element_bits(u->bytes, e);
	}
	return used;
}

static uint64_t stored(const struct uop *u)
{
	uint64_t used = 0;

	for (uint32_t e = 0; e < u->vector; e++)
		used |= u->compare >> e & 1 ? 0 : element_bits(u->bytes, e);
	return used;
}

uint8_t access_stored_byte(const struct exec *x, const struct uop *u, uint32_t lane, uint32_t i)
{
	uint32_t element = i / u->bytes, width = u->reg_bytes > 4 ? 8 : 4, byte = i % u->bytes;
	uint16_t operand = element < 3 ? u->src[1 + element] : x->extra[u->extra + element - 3];
	const uint8_t *row = operand & UOP_CONSTANT ? (const uint8_t *)x->constants[operand & ~UOP_CONSTANT]
						    : (const uint8_t *)x->registers[operand];

	return row[byte / width * WARP_SIZE * width + lane * width + byte % width];
}

/* Whether two lanes that store to the same place leave different values in a byte. */
static bool lanes_differ(const struct access *a, uint32_t low, uint32_t high)
{
	for (uint32_t i = 0; i < a->bytes; i++)
		if (a->used >> i & 1 &&
			access_stored_byte(a->exec, a->uop, low, i) !=
				access_stored_byte(a->exec, a->uop, high, i))
			return true;
	return false;
}

/* The first pair of lanes of which that is true; accesses are aligned, so that they coincide or are apart. */
static void look_for_collisions(struct access *a)
{
	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t low = (uint32_t)__builtin_ctz(m);

		for (lane_mask rest = m & (m - 1); rest; rest &= rest - 1) {
			uint32_t high = (uint32_t)__builtin_ctz(rest);

			if (a->address[low] == a->address[high] && lanes_differ(a, low, high)) {
				shared_collision(a, low, high);
				return;
			}
		}
	}
}

static void access_space(struct access *a, unsigned space, lane_mask mask)
{
	a->mask = mask;
	if (!mask || !a->used)
		return;
	if (space == SPACE_SHARED) {
		if (a->uop->code == UOP_ST && a->sanitizer->checks & SANITIZE_RACE)
			look_for_collisions(a);
		shared_access(a);
	} else if (space == SPACE_LOCAL && a->sanitizer->checks & SANITIZE_INIT &&
		!(a->uop->flags & UOP_SPILL)) {
		local_access(a);
	} else if (space == SPACE_GLOBAL || space == SPACE_CONST) {
		device_access(a);
	}
}

/* Sets the CTA of the cluster in whose shared memory that address of the host is; returns where that begins.
 */
static addr find_target(struct access *a, addr host)
{
	const struct cluster *c = a->warp->cta->cluster;
	uint32_t rank = 0;

	a->target = a->warp->cta;
	if (!c)
		return (uintptr_t)a->exec->shared;
	while (!c->ctas[rank] || host - (uintptr_t)c->memory.shared[rank] >= a->exec->shared_bytes)
		rank++;
	a->target = c->ctas[rank];
	return (uintptr_t)c->memory.shared[rank];
}

typedef void access_look(const struct access *access);

/* Lanes whose addresses are the host's, in the shared memory of CTAs of the cluster: each CTA's at a time. */
static void access_peers(const struct access *whole, lane_mask mask, const addr *host, access_look *look)
{
	struct access a = *whole;
	addr offsets[WARP_SIZE];

	a.address = offsets;
	for (; mask; mask &= ~a.mask) {
		addr start = find_target(&a, host[__builtin_ctz(mask)]);

		a.mask = 0;
		for (lane_mask m = mask; m; m &= m - 1) {
			offsets[__builtin_ctz(m)] = host[__builtin_ctz(m)] - start;
			a.mask |= offsets[__builtin_ctz(m)] < a.exec->shared_bytes ? m & -m : 0;
		}
		look(&a);
	}
}

/* By the space and the addresses that execution left. */
static void check_access(struct access *a, lane_mask active)
{
	static const uint8_t spaces[4] = { SPACE_GLOBAL, SPACE_SHARED, SPACE_LOCAL, SPACE_PARAM };
	const struct exec *x = a->exec;

	if (x->space != SPACE_GENERIC) {
		access_space(a, x->space, active);
		return;
	}
	for (uint32_t n = 0; n < 4; n++)
		access_space(a, spaces[n], x->space_mask[n] & active);
	if (a->used)
		access_peers(a, x->space_mask[4] & active, x->address, shared_access);
}

/* Executes; false: there is nothing to look at. */
static bool execute_access(struct access *a, struct exec *x, const struct uop *u, lane_mask active)
{
	struct warp *w = x->warp->cta->warps[x->warp->index];

	unchecked[u->code](x, u, active);
	*a = (struct access){ .sanitizer = sanitizer_of(w),
		.exec = x,
		.uop = u,
		.warp = w,
		.address = x->address,
		.bytes = (uint32_t)u->bytes * u->vector,
		.is_strong = u->flags & UOP_VOLATILE,
		.target = w->cta };
	if (!a->sanitizer || !active || x->faulted)
		return false;
	a->sanitizer->serial++;
	return true;
}

static void watch_load(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.reads = true;
	a.used = bytes_loaded(x, u);
	check_access(&a, active);
}

static void watch_store(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.writes = true;
	a.used = stored(u);
	check_access(&a, active);
}

static void watch_atomic(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.reads = u->compare != ATOM_EXCH;
	a.writes = a.is_strong = true;
	a.used = element_bits(a.bytes, 0);
	check_access(&a, active);
}

static void watch_matrix(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.reads = u->code == UOP_LDMATRIX;
	a.writes = !a.reads;
	a.bytes = 16;
	a.used = element_bits(a.bytes, 0);
	access_space(&a, SPACE_SHARED, (lane_mask)((UINT64_C(1) << 8 * u->vector) - 1));
}

/* Read from device memory and written to shared memory by the same lanes. */
static void watch_copy(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.bytes = 4u * u->vector;
	a.used = element_bits(a.bytes, 0);
	a.reads = true;
	access_space(&a, SPACE_GLOBAL, x->space_mask[0] & active);
	a.reads = false;
	a.writes = true;
	a.address = x->second_address;
	access_space(&a, SPACE_SHARED, active);
}

/* ---- bulk copies ---- */

static lane_mask lane_bit_of(uint32_t lane)
{
	return UINT32_C(1) << lane;
}

/* Granules of the shared memory of the access' target. */
static void watch_granules(const struct access *whole, const struct bulk_copy *c, addr start)
{
	struct access a = *whole;
	addr address[WARP_SIZE];

	a.address = address;
	a.bytes = 16;
	a.used = element_bits(16, 0);
	for (uint32_t i = 0; i < c->bytes / 16; i++) {
		address[c->lane] = bulk_granule(c, start, i);
		access_space(&a, SPACE_SHARED, lane_bit_of(c->lane));
	}
}

static bool watch_range(void *user, addr address, uint32_t bytes)
{
	struct access a = *(const struct access *)user;
	uint32_t lane = (uint32_t)__builtin_ctz(a.mask);
	addr at[WARP_SIZE];

	a.address = at;
	for (uint32_t done = 0; done < bytes; done += a.bytes) {
		at[lane] = address + done;
		a.bytes = bytes - done < 64 ? bytes - done : 64;
		a.used = element_bits(a.bytes, 0);
		device_access(&a);
	}
	return true;
}

static void watch_device(struct access *a, const struct bulk_copy *c, addr start)
{
	a->mask = lane_bit_of(c->lane);
	if (c->form.mode)
		bulk_each_range(c, watch_range, a);
	else
		watch_range(a, start, c->bytes);
}

/* Writes to a CTA's memory, and tells its mbarrier: who finds the phase over has the bytes. */
static void watch_landing(const struct access *whole, const struct bulk_copy *c, uint32_t rank)
{
	struct access a = *whole;
	addr barrier[WARP_SIZE];

	a.target = a.warp->cta->cluster ? a.warp->cta->cluster->ctas[rank] : a.warp->cta;
	if (!a.target)
		return;
	watch_granules(&a, c, c->to & CLUSTER_OFFSET);
	barrier[c->lane] = c->barrier & CLUSTER_OFFSET;
	a.address = barrier;
	a.mask = lane_bit_of(c->lane);
	mbarriers_arrived(&a);
}

static void watch_landings(const struct access *a, const struct bulk_copy *c)
{
	uint32_t rank = (uint32_t)(c->to >> CLUSTER_RANK_SHIFT);

	if (!(c->form.flags & BULK_MULTICAST)) {
		watch_landing(a, c, rank ? rank - 1 : c->seat.rank);
		return;
	}
	for (uint32_t ctas = c->ctas; ctas; ctas &= ctas - 1)
		watch_landing(a, c, (uint32_t)__builtin_ctz(ctas));
}

static void watch_bulk_copy(struct access *a, const struct bulk_copy *c)
{
	if (c->form.kind == BULK_PREFETCHES)
		return;
	a->is_copy = true;
	a->reads = true;
	a->writes = a->is_strong = false;
	if (c->form.from == BULK_GLOBAL)
		watch_device(a, c, c->from);
	else if (c->form.kind != BULK_CANCELS)
		watch_granules(a, c, c->from & CLUSTER_OFFSET);
	a->reads = a->is_strong = c->form.kind == BULK_REDUCES;
	a->writes = true;
	if (c->form.to == BULK_GLOBAL)
		watch_device(a, c, c->to);
	else
		watch_landings(a, c);
}

static void watch_bulk(struct exec *x, const struct uop *u, lane_mask active)
{
	struct access a;

	x->bulk->keeps = true;
	if (execute_access(&a, x, u, active))
		for (uint32_t i = 0; i < x->bulk->count; i++)
			watch_bulk_copy(&a, &x->bulk->copies[i]);
	x->bulk->keeps = false;
	x->bulk->count = x->bulk->is_timed ? x->bulk->count : 0;
}

/* In a cluster others may be told, or have told, by an mbarrier. */
static void watch_cluster(const struct access *a, lane_mask active)
{
	bool is_test = a->uop->code == UOP_MBARRIER_TEST;
	struct cta *cta = a->warp->cta;

	if (!cta->cluster || !(a->sanitizer->checks & SANITIZE_RACE) || !a->is_strong)
		return;
	if (!is_test)
		grid_cluster_arrive(a->sanitizer, cta);
	else if (a->uop->dst[0] != UOP_NONE && a->exec->predicates[a->uop->dst[0]] & active)
		grid_cluster_wait(a->sanitizer, cta);
}

/* Objects that order others: their operations do not race with each other, once they are initialised. */
static void watch_mbarrier(struct exec *x, const struct uop *u, lane_mask active)
{
	bool is_test = u->code == UOP_MBARRIER_TEST, is_strong = is_test || u->compare > MBARRIER_INVAL;
	lane_mask others;
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	a.bytes = 8;
	a.used = element_bits(a.bytes, 0);
	a.is_strong = is_strong;
	a.writes = !is_test;
	a.reads = is_test || u->compare != MBARRIER_INIT;
	watch_cluster(&a, active);
	others = x->space == SPACE_GENERIC ? x->space_mask[4] & active : 0;
	access_peers(&a, others, x->address, shared_access);
	if (others && is_strong)
		access_peers(&a, others, x->address, mbarriers_arrived);
	active &= ~others;
	if (!active)
		return;
	a.mask = active;
	access_space(&a, SPACE_SHARED, active);
	if (!is_test && is_strong)
		mbarriers_arrived(&a);
	else if (is_test && u->dst[0] != UOP_NONE)
		mbarriers_passed(&a, x->predicates[u->dst[0]] & active);
}

/* Stores and reductions that tell an mbarrier: it stands in the CTA that they go to. */
static void watch_async_write(struct exec *x, const struct uop *u, lane_mask active)
{
	const struct exec_write *write = &x->writes[x->write_count];
	addr barriers[WARP_SIZE];
	struct access a;

	if (!execute_access(&a, x, u, active))
		return;
	memcpy(barriers, write->data[ASYNC_BARRIERS], sizeof(barriers));
	a.writes = true;
	a.is_strong = a.reads = u->compare != ATOM_EXCH;
	a.used = element_bits(a.bytes, 0);
	access_peers(&a, active, x->second_address, shared_access);
	access_peers(&a, active, barriers, mbarriers_arrived);
}

/* Bytes that the system writes where the first argument points. */
static uint32_t answer_bytes(unsigned which)
{
	switch (which) {
	case PTX_SYSCALL_STREAM_CREATE:
	case PTX_SYSCALL_EVENT_CREATE:
	case PTX_SYSCALL_LIMIT:
		return 8;
	default:
		return which >= PTX_SYSCALL_DEVICE && which <= PTX_SYSCALL_OCCUPANCY_FLAGS ? 4 : 0;
	}
}

/* An answer to each lane: local memory is written by it, and so is device memory. */
static void note_answers(struct access *a, const uint64_t *where, lane_mask active)
{
	addr address[WARP_SIZE];

	a->address = address;
	a->used = element_bits(a->bytes, 0);
	a->writes = true;
	for (lane_mask m = active; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		address[lane] = where[lane] - LOCAL_WINDOW;
		if (address[lane] < a->exec->local_bytes)
			a->mask |= UINT32_C(1) << lane;
		else
			sanitizer_written(a->sanitizer, where[lane], a->bytes);
	}
	if (a->mask && a->sanitizer->checks & SANITIZE_INIT)
		local_access(a);
}

/* Malloc and free take effect at commit: the heap tells of them. */
static void watch_system(struct exec *x, const struct uop *u, lane_mask active)
{
	struct sanitizer *sanitizer = sanitizer_of(x->warp);
	struct access a = { .sanitizer = sanitizer,
		.exec = x,
		.uop = u,
		.warp = x->warp->cta->warps[x->warp->index],
		.bytes = answer_bytes((unsigned)u->imm) };

	if (sanitizer && (u->imm == PTX_SYSCALL_MALLOC || u->imm == PTX_SYSCALL_FREE))
		heap_listen(sanitizer, x->services);
	unchecked[u->code](x, u, active);
	if (sanitizer && a.bytes)
		note_answers(&a, (const uint64_t *)(const void *)x->writes[x->write_count - 1].data, active);
}

/* Looked at before, as results may overwrite masks; but counted only if it was executed. */
static void watch_warp(struct exec *x, const struct uop *u, lane_mask active)
{
	struct warp_doubt doubt = warp_sync_doubt(x, u, active);
	struct access a;

	if (execute_access(&a, x, u, active) && !x->unmet && doubt.kind != FINDING_KINDS)
		warp_sync_note(&a, &doubt);
}

/* Any operation: its registers first, then what it does in memory; of one on tensor memory, for which the
 * warp may have to wait for its other lanes, when it has been executed. */
static void watch_registers(struct exec *x, const struct uop *u, lane_mask active)
{
	struct warp *w = x->warp->cta->warps[x->warp->index];
	bool is_looked_at = active && w->cta->run->kernel->values;
	bool is_tensor = active && u->code >= UOP_TCGEN05_LD && u->code <= UOP_TCGEN05_COMMIT;

	if (is_looked_at && !is_tensor)
		registers_look(w, u, active);
	if (!is_tensor) {
		watched[u->code](x, u, active);
		return;
	}
	tensor_look(x, u, active, watched[u->code]);
	if (is_looked_at && !x->faulted)
		registers_look(w, u, active);
}

void accesses_hook(void)
{
	unchecked = exec_table();
	memcpy(table, unchecked, sizeof(table));
	table[UOP_LD] = watch_load;
	table[UOP_ST] = watch_store;
	table[UOP_ATOM] = watch_atomic;
	table[UOP_LDMATRIX] = table[UOP_STMATRIX] = watch_matrix;
	table[UOP_CP_ASYNC] = watch_copy;
	table[UOP_BULK] = watch_bulk;
	table[UOP_ASYNC_WRITE] = watch_async_write;
	table[UOP_SYSCALL] = watch_system;
	for (uint32_t code = UOP_VOTE_ALL; code <= UOP_WARP_SYNC; code++)
		table[code] = code == UOP_ACTIVEMASK ? unchecked[code] : watch_warp;
	table[UOP_MBARRIER] = table[UOP_MBARRIER_TEST] = watch_mbarrier;
	memcpy(watched, table, sizeof(watched));
	for (uint32_t code = 0; code < UOP_CODE_COUNT; code++)
		table[code] = watched[code] ? watch_registers : NULL;
	table[UOP_PREFETCH] = unchecked[UOP_PREFETCH]; /* called for the addresses of stores, too (livelock.c)
							*/
}
