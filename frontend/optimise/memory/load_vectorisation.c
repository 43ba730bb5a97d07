/* frontend/optimise/memory/load_vectorisation.c -- vectorisation of loads: neighbouring loads from shared
 * memory become one load of two or four registers, those from .const memory one of two (LDC.64, as ptxas of
 * CUDA 13 makes for sm_75 to sm_90).
 *
 * A load of 8 or 16 bytes needs an address that is a multiple of its size. What is known of an address is how
 * it was made: by shifts and products with constants, and sums of such. Loads of one block join where they
 * name neighbouring words by the same value of a register, and nothing between them may change what they
 * read. The one load stands where the first of them stood. */
#include "frontend/optimise/optimise.h"

#define WIDEST       16u /* bytes */
#define MOST_WINDOWS 16u /* open at a time */

/* ---- alignment ---- */

struct aligner {
	struct lower *l;
	uint8_t *align; /* of each register: a power of two that divides its value, at most WIDEST */
};

static uint32_t lowest_bit(uint64_t value)
{
	uint64_t bit = value & (0 - value);

	return value && bit < WIDEST ? (uint32_t)bit : WIDEST;
}

static uint32_t at_most(uint64_t align)
{
	return align < WIDEST ? (uint32_t)align : WIDEST;
}

static uint32_t align_of(const struct aligner *a, ref r)
{
	uint32_t symbol;
	uint64_t value;
	int64_t addend;

	if (is_register(r))
		return a->align[r];
	if (immediate(a->l, r, false, &value) || immediate(a->l, r, true, &value))
		return lowest_bit(value);
	if ((r & REF_KIND) == REF_CONSTANT && r != REF_NONE &&
		bank_symbol(&a->l->bank, r & ~REF_KIND, &symbol, &addend))
		return smaller(at_most(a->l->image->symbols[symbol].align), lowest_bit((uint64_t)addend));
	return 1;
}

static uint32_t align_of_result(const struct aligner *a, const struct draft *d)
{
	uint32_t first = align_of(a, d->src[0]), second = align_of(a, d->src[1]);
	uint64_t count;

	switch (d->uop.code) {
	case UOP_MOV_B32:
	case UOP_MOV_B64:
	case UOP_CVT_S64_S32:
	case UOP_CVT_U64_U32:
	case UOP_CVT_B32_B64:
		return first;
	case UOP_ADD_B32:
	case UOP_ADD_B64:
	case UOP_SUB_B32:
	case UOP_SUB_B64:
	case UOP_OR_B32:
	case UOP_SELP_B32:
		return smaller(first, second);
	case UOP_AND_B32:
		return first > second ? first : second;
	case UOP_SHL_B32:
	case UOP_SHL_B64:
		return immediate(a->l, d->src[1], false, &count) && count < 8
			? at_most((uint64_t)first << count)
			: first;
	case UOP_MUL_LO_B32:
	case UOP_MUL_WIDE_S32:
	case UOP_MUL_WIDE_U32:
		return at_most((uint64_t)first * second);
	case UOP_MAD_LO_B32:
	case UOP_MAD_WIDE_S32:
	case UOP_MAD_WIDE_U32:
		return smaller(at_most((uint64_t)first * second), align_of(a, d->src[2]));
	default:
		return 1;
	}
}

static void find_alignment(const struct code *c, struct aligner *a)
{
	ref list[DRAFT_REGISTERS];
	bool more = true;

	a->align = arena_alloc(c->l->scratch, c->l->vreg_count + 1);
	for (uint32_t v = 0; v < c->l->vreg_count; v++)
		a->align[v] = WIDEST;
	while (more) {
		more = false;
		for (uint32_t b = 0; b < c->block_count; b++)
			for (uint32_t i = 0; i < c->blocks[b].count; i++) {
				const struct draft *d = code_draft(c, b, i);
				uint32_t n = draft_writes(d, list), align = align_of_result(a, d);

				for (uint32_t w = 0; w < n; w++) {
					if (a->align[list[w]] <= align)
						continue;
					a->align[list[w]] = (uint8_t)align;
					more = true;
				}
			}
	}
}

/* ---- windows: aligned pieces of memory of which words are loaded ---- */

struct window {
	ref base;
	int64_t at;      /* offset of its first byte */
	uint32_t bytes;  /* as many as the alignment allows */
	uint32_t since;  /* place of the first load of it */
	uint32_t ops[4]; /* 1 + the load of each word; 0: none */
	uint32_t place[4];
	const struct draft *like;
};

struct widener {
	struct code *code;
	struct aligner aligner;
	uint32_t block;
	struct window windows[MOST_WINDOWS];
	uint32_t window_count;
	uint32_t *touched; /* of each register: 1 + the place in this block that read or wrote it last */
	uint32_t *written; /* the same for writes alone */
	bool *is_gone;     /* of each place of the block */
};

/* Bytes of the widest load from the space; 0: its loads do not join. */
static uint32_t widest_load(uint32_t space)
{
	return space == SPACE_CONST ? CONSTANT_PAIR : space == SPACE_SHARED ? WIDEST : 0;
}

static bool is_candidate(const struct draft *d)
{
	return d->uop.code == UOP_LD && widest_load(d->uop.space) && d->guard == REF_NONE &&
		d->uop.vector <= 1 && (d->uop.bytes == 4 || d->uop.bytes == 8) &&
		d->uop.reg_bytes == d->uop.bytes && !(d->uop.flags & UOP_VOLATILE) &&
		is_register(d->dst[0]) && d->dst[0] != d->src[0] && !d->uop.extra_dests;
}

/* Words from..from + count - 1 of the window as one load. */
static void merge_loads(struct widener *w, const struct window *v, uint32_t from, uint32_t count)
{
	uint32_t first = from;
	struct draft *d;

	for (uint32_t i = from; i < from + count; i++)
		if (v->place[i] < v->place[first])
			first = i;
	d = &w->code->l->drafts[v->ops[first] - 1];
	ref results[4];
	for (uint32_t i = 0; i < count; i++)
		results[i] = w->code->l->drafts[v->ops[from + i] - 1].dst[0];
	for (uint32_t i = 0; i < count; i++)
		d->dst[i] = results[i];
	d->uop.imm = v->at + (int64_t)from * d->uop.bytes;
	d->uop.vector = (uint8_t)count;
	d->is_early = true;
	for (uint32_t i = from; i < from + count; i++)
		w->is_gone[v->place[i]] = i != first;
}

static bool has_words(const struct window *v, uint32_t from, uint32_t count)
{
	for (uint32_t i = from; i < from + count; i++)
		if (!v->ops[i])
			return false;
	return true;
}

static void close_window(struct widener *w, const struct window *v)
{
	uint32_t words = v->bytes / v->like->uop.bytes;

	for (uint32_t count = words; count > 1; count /= 2)
		for (uint32_t from = 0; from < words; from += count)
			if (has_words(v, from, count)) {
				merge_loads(w, v, from, count);
				if (count == words)
					return;
			}
}

static void close_windows(struct widener *w)
{
	for (uint32_t i = 0; i < w->window_count; i++)
		close_window(w, &w->windows[i]);
	w->window_count = 0;
}

static struct window *find_window(
	struct widener *w, const struct draft *d, uint32_t place, int64_t at, uint32_t bytes)
{
	for (uint32_t i = 0; i < w->window_count; i++) {
		struct window *v = &w->windows[i];

		if (v->base == d->src[0] && v->at == at && v->like->uop.bytes == d->uop.bytes &&
			v->like->uop.space == d->uop.space && v->like->uop.mods == d->uop.mods &&
			(!is_register(v->base) || w->written[v->base] <= v->since))
			return v;
	}
	if (w->window_count == MOST_WINDOWS) {
		close_window(w, &w->windows[0]);
		w->windows[0] = w->windows[--w->window_count];
	}
	w->windows[w->window_count] =
		(struct window){ .base = d->src[0], .at = at, .bytes = bytes, .since = place, .like = d };
	return &w->windows[w->window_count++];
}

static void add_load(struct widener *w, const struct draft *d, uint32_t place)
{
	uint32_t bytes = d->src[0] == REF_NONE ? WIDEST : align_of(&w->aligner, d->src[0]), word;
	struct window *v;
	int64_t at;

	bytes = smaller(bytes, widest_load(d->uop.space));
	at = d->uop.imm & ~(int64_t)(bytes - 1);
	if (bytes < 2u * d->uop.bytes || (d->uop.imm & (d->uop.bytes - 1)))
		return;
	v = find_window(w, d, place, at, bytes);
	word = (uint32_t)(d->uop.imm - at) / d->uop.bytes;
	if (v->ops[word] || w->touched[d->dst[0]] > v->since)
		return;
	v->ops[word] = w->code->blocks[w->block].ops[place] + 1;
	v->place[word] = place;
}

static void note_registers(struct widener *w, const struct draft *d, uint32_t place)
{
	ref list[DRAFT_REGISTERS];
	uint32_t n = draft_reads(d, list);

	for (uint32_t i = 0; i < n; i++)
		w->touched[list[i]] = place + 1;
	n = draft_writes(d, list);
	for (uint32_t i = 0; i < n; i++)
		w->touched[list[i]] = w->written[list[i]] = place + 1;
}

/* What may change shared memory, or lets others do so. */
static bool ends_windows(const struct draft *d)
{
	if (d->uop.code == UOP_ST)
		return d->uop.space == SPACE_SHARED || d->uop.space == SPACE_GENERIC;
	return draft_has_effect(d) || d->uop.code == UOP_MOV_SREG;
}

static void widen_block(struct widener *w, uint32_t block)
{
	struct code_block *b = &w->code->blocks[block];
	uint32_t n = 0;
	ref list[2 * DRAFT_REGISTERS]; /* what it reads, and what it writes */

	w->block = block;
	w->is_gone = arena_alloc(w->code->l->scratch, b->count + 1);
	for (uint32_t i = 0; i < b->count; i++) {
		const struct draft *d = code_draft(w->code, block, i);

		if (ends_windows(d))
			close_windows(w);
		else if (is_candidate(d))
			add_load(w, d, i);
		note_registers(w, d, i);
	}
	for (uint32_t i = 0; i < b->count; i++) { /* the next block begins anew; a load still names what it
						     did */
		const struct draft *d = code_draft(w->code, block, i);
		uint32_t count = draft_reads(d, list);

		count += draft_writes(d, list + count);
		for (uint32_t r = 0; r < count; r++)
			w->touched[list[r]] = w->written[list[r]] = 0;
	}
	close_windows(w);
	for (uint32_t i = 0; i < b->count; i++)
		if (!w->is_gone[i])
			b->ops[n++] = b->ops[i];
	b->count = n;
}

void vectorise_loads(struct code *c)
{
	struct widener w = { .code = c, .aligner = { c->l, NULL } };

	find_alignment(c, &w.aligner);
	w.touched = arena_alloc(c->l->scratch, (c->l->vreg_count + 1) * sizeof *w.touched);
	w.written = arena_alloc(c->l->scratch, (c->l->vreg_count + 1) * sizeof *w.written);
	for (uint32_t b = 0; b < c->block_count; b++)
		if (c->blocks[b].count > 1)
			widen_block(&w, b);
	code_index(c);
}
