/* core/issue/issue_table.c -- the tables of the issue stage, made from a kernel's micro-operations. */
#include "core/issue/issue_table.h"
#include "core/issue/guards.h"
#include "core/kernel/kernel_run.h"
#include "core/issue/poll_loops.h"
#include "core/issue/readiness.h"
#include "core/sm/memory_access.h"
#include "core/sm/unit_port.h"
#include "frontend/tables/tcgen05.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* ---- scoreboard ---- */

uint32_t issue_table_bit(const struct ptx_kernel *k, uint32_t hazard)
{
	return hazard & UOP_HAZARD_PREDICATE ? k->rows + (hazard & ~UOP_HAZARD_PREDICATE) : hazard;
}

/* The bits of a list of hazards: of the first word, and of those behind it. */
static void set_bits(
	const struct ptx_kernel *k, uint32_t from, uint32_t count, uint64_t *first, uint64_t *more)
{
	for (uint32_t i = from; i < from + count; i++) {
		uint32_t bit = issue_table_bit(k, k->hazards[i]);

		*(bit < 64 ? first : &more[bit / 64 - 1]) |= UINT64_C(1) << (bit % 64);
	}
}

/* A product does not wait for others that add to the same registers (products.h). */
static void leave_accumulators(struct issue_table *t, uint32_t uop)
{
	size_t more = (size_t)uop * (t->words - 1);

	t->entry[uop].needs &= ~t->entry[uop].writes;
	for (uint32_t i = 0; i < t->words - 1; i++)
		t->more_needs[more + i] &= ~t->more_writes[more + i];
}

static void find_hazards(struct issue_table *t, const struct ptx_kernel *k, uint32_t uop)
{
	const struct uop *u = &k->uops[uop];
	size_t more = (size_t)uop * (t->words - 1);

	if (u->code == UOP_MEMBAR && u->mods & MOD_ACQUIRE) {
		memset(&t->entry[uop].needs, 0xff, sizeof(t->entry[uop].needs));
		memset(t->more_needs + more, 0xff, (t->words - 1) * sizeof(*t->more_needs));
		return;
	}
	set_bits(k, u->hazards, (uint32_t)u->reads + u->writes, &t->entry[uop].needs, t->more_needs + more);
	set_bits(k, u->hazards + u->reads, u->writes, &t->entry[uop].writes, t->more_writes + more);
	if (u->code == UOP_WGMMA)
		leave_accumulators(t, uop);
}

/* ---- register banks ---- */

static uint64_t repeated(uint64_t set, uint32_t banks)
{
	for (; banks < 64; banks *= 2)
		set |= set << banks;
	return set;
}

/* The rows of the registers, without predicates; none if there are no banks. Sets of banks are appended at
 * t->more_banks[*used]. */
static struct row_banks find_banks(struct issue_table *t, const struct ptx_kernel *k, uint32_t from,
	uint32_t count, uint32_t banks, uint32_t *used)
{
	struct row_banks r = { .at = *used };

	for (uint32_t i = from; banks && i < from + count; i++)
		for (uint32_t row = k->hazards[i]; row < (uint32_t)k->hazards[i] + k->hazard_rows[i]; row++) {
			uint64_t bank = repeated(UINT64_C(1) << (row % banks), banks);
			uint64_t *set = &r.first;

			for (uint32_t n = 0; *set & bank; n++)
				set = &t->more_banks[r.at + n];
			*set |= bank;
			if (set != &r.first && (uint32_t)(set - &t->more_banks[r.at]) >= r.more)
				r.more = (uint32_t)(set - &t->more_banks[r.at]) + 1;
		}
	*used += r.more;
	return r;
}

static uint32_t count_rows(const struct ptx_kernel *k)
{
	uint32_t total = 0;

	for (uint32_t i = 0; i < k->uop_count; i++)
		for (uint32_t h = 0; h < (uint32_t)k->uops[i].reads + k->uops[i].writes; h++)
			total += k->hazard_rows[k->uops[i].hazards + h];
	return total;
}

/* ---- the table ---- */

/* Of a warp whose next instruction it is, and can issue. */
static uint32_t state_of(const struct uop *u, bool has_gates)
{
	if (u->code == UOP_WGMMA || uop_asks_tensor(u))
		return UNIT_CONTROL;
	if (!has_gates)
		return sm_loads_through_l1(u) ? READY_LOAD : uop_is_barrier(u) ? READY_BARRIER : u->unit;
	if (sm_loads_through_l1(u))
		return u->flags & UOP_VOLATILE ? READY_ORDERED_LOAD : READY_LOAD;
	if (u->code == UOP_MBARRIER || u->code == UOP_ASYNC_WRITE ||
		(sm_goes_to_memory(u) && u->code != UOP_TEX && u->code != UOP_TLD4))
		return READY_STORE;
	return uop_is_barrier(u) ? READY_BARRIER : u->code == UOP_MEMBAR ? READY_FENCE : u->unit;
}

_Static_assert(READY_COUNT <= 32, "issue_entry.state");

static uint32_t fetched(
	const struct kernel_run *run, const struct sm_config *c, uint32_t line_bytes, uint32_t pc)
{
	uint32_t most = c->fetch_width < c->instruction_buffer ? c->fetch_width : c->instruction_buffer;
	uint32_t offset = (uint32_t)((run->code + (addr)pc * c->instruction_bytes) & (line_bytes - 1));
	uint32_t in_line = (line_bytes - offset) / c->instruction_bytes, left = run->kernel->uop_count - pc;

	most = most < in_line ? most : in_line;
	return most < left ? most : left;
}

/* Rows that hold words of .const memory. */
static bool *bank_rows(const struct ptx_kernel *k)
{
	bool *in_bank = xcalloc(k->constant_rows + 1, sizeof(*in_bank));

	for (uint32_t v = 0; v < k->launch_value_count; v++)
		in_bank[k->launch_values[v].row] = k->launch_values[v].kind == PTX_LAUNCH_CONSTANT;
	return in_bank;
}

/* Where the rows of such words stand, as offsets into device memory. */
static addr *bank_addresses(const struct ptx_kernel *k)
{
	addr *at = xcalloc(k->constant_rows + 1, sizeof(*at));

	for (uint32_t v = 0; v < k->launch_value_count; v++) {
		const struct ptx_launch_value *l = &k->launch_values[v];

		if (l->kind == PTX_LAUNCH_CONSTANT)
			at[l->row] = k->image->symbols[l->symbol].address + l->which - DEVICE_BASE;
	}
	return at;
}

/* Which micro-operations have such an operand. The machine's instructions have one at most; of several, the
 * first counts. */
static void find_constants(struct issue_table *t, const struct ptx_kernel *k)
{
	bool *in_bank = bank_rows(k);
	addr *at = bank_addresses(k);

	t->constants = xcalloc((size_t)k->uop_count + 1, sizeof(*t->constants));
	for (uint32_t i = 0; i < k->uop_count; i++)
		for (int s = 3; s >= 0; s--) {
			const struct uop *u = &k->uops[i];

			if (!(u->src[s] & UOP_CONSTANT) || uop_operand_is_predicate(u, s, true) ||
				!in_bank[u->src[s] & ~UOP_CONSTANT])
				continue;
			t->entry[i].has_constant = true;
			t->constants[i] = at[u->src[s] & ~UOP_CONSTANT];
		}
	free(in_bank);
	free(at);
}

/* Which micro-operations write predicates, of which two count, and which are guarded by one. */
static void find_guards(struct issue_table *t, const struct ptx_kernel *k)
{
	t->guards = xcalloc((size_t)k->uop_count + 1, sizeof(*t->guards));
	for (uint32_t i = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];
		uint32_t from = u->hazards + u->reads, count = 0, places = 0;

		t->entry[i].is_guarded = (u->flags & UOP_GUARDED) != 0;
		for (uint32_t h = from; h < from + u->writes; h++) {
			if (!(k->hazards[h] & UOP_HAZARD_PREDICATE) || count == 2)
				continue;
			places |= guard_place(k->hazards[h] & ~UOP_HAZARD_PREDICATE) << GUARD_BITS * count++;
		}
		if (count == 1)
			places |= places << GUARD_BITS;
		t->guards[i] = (uint16_t)places;
		t->entry[i].marks_result |= count > 0;
	}
}

/* Of integers or f32. */
static bool is_comparison(const struct uop *u)
{
	return u->code == UOP_SETP_AND_B32 ||
		(u->code >= UOP_SETP_U16 && u->code <= UOP_SET_F64 && u->unit == UNIT_SP);
}

/* Registers of a thread that a load or store of tensor memory moves, one a cycle; of others, 1. */
static uint32_t registers_moved(const struct uop *u)
{
	struct tcgen05_code code = tcgen05_unpack(u->imm);

	if (u->code != UOP_TCGEN05_LD && u->code != UOP_TCGEN05_ST)
		return 1;
	return code.count * tcgen05_registers(code.shape);
}

static uint32_t class_interval(const struct uop *u, const struct sm_config *c)
{
	uint32_t interval = c->interval[u->latency_class];

	if (u->latency_class == CLASS_MATRIX && tensor_interval(&c->tensor, u))
		return tensor_interval(&c->tensor, u);
	if (u->latency_class == CLASS_TENSOR_MEMORY)
		return interval * registers_moved(u);
	return is_comparison(u) && interval < c->compare_interval ? c->compare_interval : interval;
}

static uint32_t latency_of(const struct uop *u, const struct sm_config *c)
{
	if (u->latency_class == CLASS_MATRIX && tensor_interval(&c->tensor, u))
		return tensor_latency(&c->tensor, u);
	if (u->latency_class == CLASS_TENSOR_MEMORY)
		return c->latency[CLASS_TENSOR_MEMORY] + class_interval(u, c) - 1;
	return c->latency[u->latency_class];
}

static uint32_t interval_of(const struct uop *u, const struct sm_config *c, const bool *in_bank)
{
	uint32_t interval = class_interval(u, c) * unit_port_narrows(unit_port_of(u, c), c);
	uint32_t least = c->constant_operand_interval;

	if (interval >= least || u->unit == UNIT_LDST || u->unit == UNIT_CONTROL)
		return interval;
	for (int s = 0; s < 4; s++)
		if (u->src[s] & UOP_CONSTANT && !uop_operand_is_predicate(u, s, true) &&
			in_bank[u->src[s] & ~UOP_CONSTANT])
			return least;
	return interval;
}

static void fill(
	struct issue_table *t, const struct kernel_run *run, const struct sm_config *c, uint32_t line_bytes)
{
	const struct ptx_kernel *k = run->kernel;
	bool *in_bank = bank_rows(k);
	uint32_t used = 0;

	for (uint32_t i = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];
		struct issue_entry *e = &t->entry[i];

		e->unit = u->unit;
		e->port = (uint8_t)unit_port_of(u, c);
		e->latency = (uint16_t)latency_of(u, c);
		e->interval = (uint16_t)interval_of(u, c, in_bank);
		if (u->unit != UNIT_LDST)
			e->interval_bits = e->interval < 64 ? (UINT64_C(1) << e->interval) - 1 : ~UINT64_C(0);
		e->fetched = fetched(run, c, line_bytes, i) & 63;
		e->state = state_of(u, c->has_gates) & 31;
		e->marks_result = u->code == UOP_TCGEN05_LD;
		find_hazards(t, k, i);
		if (u->code == UOP_WGMMA || u->code == UOP_WGMMA_WAIT || uop_asks_tensor(u)) {
			e->is_product = !uop_asks_tensor(u);
			e->unit = UNIT_CONTROL; /* it takes no collector */
			continue;
		}
		e->reads = find_banks(t, k, u->hazards, u->reads, c->register_banks, &used);
		e->results = find_banks(t, k, u->hazards + u->reads, u->writes, c->register_banks, &used);
	}
	free(in_bank);
}

/* Works out what each micro-operation of the load/store unit asks of it. */
static void find_accesses(struct issue_table *t, const struct ptx_kernel *k, const struct sm *sm)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < k->uop_count; i++)
		count += k->uops[i].unit == UNIT_LDST;
	t->accesses = xcalloc((size_t)count + 1, sizeof(*t->accesses));
	for (uint32_t i = count = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];

		if (u->unit != UNIT_LDST)
			continue;
		t->accesses[count] = memory_access_of(sm, u, memory_access_space(u));
		t->entry[i].access = &t->accesses[count++];
	}
}

struct issue_table *issue_table_new(const struct kernel_run *run, const struct sm *sm, uint32_t line_bytes)
{
	const struct ptx_kernel *k = run->kernel;
	const struct sm_config *config = sm->spec.config;
	struct issue_table *t = xcalloc(1, sizeof(*t));
	size_t bytes = ((size_t)k->uop_count + 1) * sizeof(*t->entry), more;

	t->words = (k->rows + k->predicates + 63) / 64;
	t->words = t->words ? t->words : 1;
	more = (size_t)k->uop_count * (t->words - 1);
	t->entry = aligned_alloc(64, bytes);
	bug_if(!t->entry, "out of memory (%zu bytes)", bytes);
	memset(t->entry, 0, bytes);
	t->more_needs = xcalloc(more + 1, sizeof(*t->more_needs));
	t->more_writes = xcalloc(more + 1, sizeof(*t->more_writes));
	t->more_banks = xcalloc(count_rows(k) + 1, sizeof(*t->more_banks));
	fill(t, run, config, line_bytes);
	find_accesses(t, k, sm);
	t->polls = poll_loops_new(k);
	if (config->operand_cache)
		find_constants(t, k);
	if (config->guard_latency)
		find_guards(t, k);
	for (uint32_t i = 0; i < k->uop_count; i++)
		t->entry[i].looks_twice = t->entry[i].has_constant || t->entry[i].is_guarded ||
			t->entry[i].is_product ||
			(config->branch_latency &&
				(k->uops[i].flags & UOP_LEADER || (i && uop_meets(&k->uops[i - 1]))));
	return t;
}

void issue_table_free(struct issue_table *t)
{
	if (!t)
		return;
	free(t->entry);
	free(t->accesses);
	free(t->more_needs);
	free(t->more_writes);
	free(t->more_banks);
	free(t->guards);
	free(t->constants);
	free(t->polls);
	free(t);
}
