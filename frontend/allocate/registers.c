/* frontend/allocate/registers.c -- the registers per thread of code that is as the chip would issue it: those
 * that an allocation of its live ranges takes, by the rules of the machine.
 *
 * Registers are named one by one: what has 64 or 128 bits begins at a multiple of its size, beside whatever
 * else is there. Predicates have a file of their own, and so have values of a warp (uniform.c). A copy of a
 * constant is made again in each block that reads it, so that nothing holds a register across a loop for it.
 * Compilers let no result take the place of what its instruction reads, and registers that memory, special
 * functions and conversions read are free only when those have read them, some cycles after the issue. A
 * register is kept for the stack pointer, and from Volta on two more for debuggers and traps (the highest
 * register that ptxas of CUDA 13 names in its code for sm_75 lies always three below the number that it
 * reports). */
#include "frontend/allocate/registers.h"

/* Positions, two an instruction, from the issue of an instruction without a fixed latency until its sources
 * are read: loads of modern chips take 11 cycles (Huerta et al., "Dissecting and Modeling the Architecture of
 * Modern GPU Cores", MICRO 2025, arXiv 2503.20481, table of memory latencies), in which a sub-core of 16
 * lanes issues six instructions. */
#define UNTIL_READ 12u
/* From the copy of a constant to its first reader: the latency of a copy is 4 cycles, two instructions. */
#define UNTIL_COPIED 4u

#define RESERVED_FROM_VOLTA 2u
/* What ptxas 13 reports of a kernel that does nothing. */
#define LEAST_REGISTERS 4u

struct needs {
	struct lower *l;
	const struct cfg *cfg;
	const struct liveness *live;
	struct liveness taken; /* register 0: the stack pointer; each other one: by 1 more than in live */
	uint8_t *size;
	bool *is_copy;    /* of each register: what writes it copies a constant */
	bool *is_widened; /* of each register: what writes it widens one of 32 bits, which is its lower half
			   */
	uint32_t *first, *last; /* of each such register, in the block in hand: its readers' positions */
};

static void add_range(struct needs *n, uint32_t v, uint32_t start, uint32_t end)
{
	struct live_range *r = arena_alloc(n->l->scratch, sizeof *r);

	*r = (struct live_range){ n->taken.ranges[v + 1], start, end };
	n->taken.ranges[v + 1] = r;
}

/* ---- copies of constants ---- */

static bool copies_constant(const struct draft *d)
{
	return (d->uop.code == UOP_MOV_B32 || d->uop.code == UOP_MOV_B64) &&
		(d->src[0] & REF_KIND) == REF_CONSTANT && d->guard == REF_NONE;
}

/* From sm_75 on a value that is widened is what it was, and its sign in another register (SHF.R.S32.HI). */
static bool widens(const struct lower *l, const struct draft *d)
{
	return l->lowering->sm >= 75 && (d->uop.code == UOP_CVT_S64_S32 || d->uop.code == UOP_CVT_U64_U32);
}

static void find_copies(struct needs *n)
{
	bool *is_written = arena_alloc(n->l->scratch, n->live->registers + 1);
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = 0; i < n->l->draft_count; i++) {
		const struct draft *d = &n->l->drafts[i];
		uint32_t writes = d->uop.code == UOP_STEP ? 0 : draft_writes(d, list);

		for (uint32_t w = 0; w < writes; w++) {
			n->is_copy[list[w]] = !is_written[list[w]] && copies_constant(d);
			n->is_widened[list[w]] = !is_written[list[w]] && widens(n->l, d);
			is_written[list[w]] = true;
		}
	}
}

/* Each block that reads a copy has it from shortly before its first reader to its last. */
static void take_copies_of(struct needs *n, const struct cfg_block *b)
{
	ref list[DRAFT_REGISTERS];

	for (uint32_t i = b->first; i < b->end; i++) {
		uint32_t reads =
			n->l->drafts[i].uop.code == UOP_STEP ? 0 : draft_reads(&n->l->drafts[i], list);

		for (uint32_t r = 0; r < reads; r++) {
			n->first[list[r]] = n->last[list[r]] ? n->first[list[r]] : 2 * i;
			n->last[list[r]] = 2 * i + 2;
		}
	}
	for (uint32_t i = b->first; i < b->end; i++) {
		uint32_t reads = draft_reads(&n->l->drafts[i], list);

		for (uint32_t r = 0; r < reads; r++) {
			uint32_t v = list[r], first = n->first[v], start = 2 * b->first;

			if (n->is_copy[v] && n->last[v])
				add_range(n, v, first > start + UNTIL_COPIED ? first - UNTIL_COPIED : start,
					n->last[v]);
			n->last[v] = 0;
		}
	}
}

/* ---- all others ---- */

/* Whether the sources of the instruction are read some time after it issued. */
static bool reads_late(const struct draft *d)
{
	switch (d->uop.latency_class) {
	case CLASS_CONVERT:
	case CLASS_CONVERT_INT:
	case CLASS_CONVERT_WIDE:
	case CLASS_CONVERT_HALF:
		return true;
	default:
		return d->uop.unit == UNIT_LDST || d->uop.unit == UNIT_SFU;
	}
}

/* Adds the ranges from r on, the last first. */
static void take_ranges(struct needs *n, uint32_t v, const struct live_range *r)
{
	for (; r; r = r->next) {
		uint32_t last = (r->end - 1) / 2, end = r->end + 1;

		if (last < n->l->draft_count && reads_late(&n->l->drafts[last]))
			end = r->end + UNTIL_READ;
		if (r->next && end > r->next->start)
			end = r->next->start;
		add_range(n, v, r->start, end);
	}
}

static void reverse(struct live_range **list)
{
	struct live_range *turned = NULL;

	while (*list) {
		struct live_range *next = (*list)->next;

		(*list)->next = turned;
		turned = *list;
		*list = next;
	}
	*list = turned;
}

/* What a sequence or subroutine takes beside its results: registers of their own while it runs. */
static uint32_t add_temporaries(struct needs *n, uint32_t at)
{
	for (uint32_t i = 0; i < n->l->draft_count; i++) {
		const struct draft *d = &n->l->drafts[i];
		uint32_t results = d->dst[0] == REF_NONE ? 0 : rows_of(bits_of(n->l, d->dst[0]));

		for (uint32_t t = results; t < draft_temporaries(d); t++, at++) {
			n->size[at] = 1;
			n->taken.ranges[at] = arena_alloc(n->l->scratch, sizeof(struct live_range));
			*n->taken.ranges[at] = (struct live_range){ NULL, 2 * i, 2 * i + 2 };
		}
	}
	return at;
}

static uint32_t count_temporaries(const struct lower *l)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < l->draft_count; i++)
		count += draft_temporaries(&l->drafts[i]);
	return count;
}

/* Registers of a thread with which an SM of the chip has room for as many warps as it can hold (CUDA C++
 * Programming Guide, technical specifications: registers and threads of a multiprocessor) */
static uint32_t registers_for_all_warps(uint32_t sm)
{
	switch (sm) {
	case 75:
		return 64;
	case 86:
	case 87:
	case 89:
	case 120:
		return 40;
	default:
		return 32;
	}
}

/* Code that takes few registers more than leave room for all warps is fitted into those, if its values alone
 * have room there, as ptxas does: of 17 kernels with 33 to 40 here it gave 16 at most 32 on sm_80 and sm_90,
 * and 1 of 8 on sm_75, where 64 are the limit. */
static uint32_t fitted(const struct needs *n, uint32_t registers)
{
	uint32_t all = registers_for_all_warps(n->l->lowering->sm);

	if (n->l->lowering->sm < 70 || registers <= all || registers > all + all / 4 ||
		liveness_pressure(n->live, n->size + 1, n->l->scratch) + 1 + RESERVED_FROM_VOLTA > all)
		return registers;
	return all;
}

/* ---- live across calls ---- */

/* The largest size of what lives across a call. */
static uint32_t size_across_calls(struct lower *l, const struct liveness *live, const uint8_t *size)
{
	int32_t *change = arena_alloc(l->scratch, ((size_t)live->positions + 1) * sizeof *change), now = 0,
		most = 0;

	for (uint32_t v = 0; v < l->vreg_count; v++)
		for (const struct live_range *r = live->ranges[v]; r; r = r->next) {
			change[r->start] += size[v];
			change[r->end] -= size[v];
		}
	for (uint32_t p = 0; p < live->positions; p++) {
		now += change[p];
		if (p % 2 && l->drafts[p / 2].uop.code == UOP_CALL && now > most)
			most = now;
	}
	return (uint32_t)most;
}

/* ---- all together ---- */

static void take_all(struct needs *n)
{
	const bool *is_uniform = find_uniform(n->l, n->cfg);
	const struct liveness *live = n->live;

	for (uint32_t b = n->cfg->count; b-- > 0;)
		take_copies_of(n, &n->cfg->blocks[b]);
	for (uint32_t v = 0; v < live->registers; v++) {
		if (!n->is_copy[v]) {
			take_ranges(n, v, live->ranges[v]);
			reverse(&n->taken.ranges[v + 1]);
		}
		n->size[v + 1] = n->taken.ranges[v + 1] && !is_uniform[v] ? rows_of(n->l->vregs[v].bits) : 0;
		if (n->size[v + 1] > 1 && n->is_widened[v])
			n->size[v + 1] = 1;
	}
	n->taken.registers = add_temporaries(n, live->registers + 1);
}

void count_registers(struct lower *l, const struct cfg *cfg, const struct liveness *live)
{
	struct needs n = { .l = l, .cfg = cfg, .live = live };
	struct unit *u = &l->units[l->unit];
	uint32_t places;

	n.taken = (struct liveness){ .registers = live->registers + 1 + count_temporaries(l),
		.positions = live->positions };
	n.taken.ranges = arena_alloc(l->scratch, n.taken.registers * sizeof(struct live_range *));
	n.size = arena_alloc(l->scratch, n.taken.registers);
	n.is_copy = arena_alloc(l->scratch, live->registers + 1);
	n.is_widened = arena_alloc(l->scratch, live->registers + 1);
	n.first = arena_alloc(l->scratch, (live->registers + 1) * sizeof *n.first);
	n.last = arena_alloc(l->scratch, (live->registers + 1) * sizeof *n.last);
	find_copies(&n);
	n.taken.ranges[0] = arena_alloc(l->scratch, sizeof(struct live_range));
	*n.taken.ranges[0] = (struct live_range){ NULL, 0, live->positions + 1 };
	n.size[0] = 1;
	take_all(&n);
	places = allocate_mixed(&n.taken, n.size, l->scratch)->places;
	u->registers = fitted(&n, places + (l->lowering->sm >= 70 ? RESERVED_FROM_VOLTA : 0));
	u->registers = u->registers < LEAST_REGISTERS ? LEAST_REGISTERS : u->registers;
	u->kept = size_across_calls(l, live, n.size + 1);
}
