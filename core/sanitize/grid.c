/* core/sanitize/grid.c -- see grid.h. Stores of the same value do not race with each other, whatever their
 * order is: programs raise flags so. Of a word whose bytes different CTAs access the last accesses alone are
 * held. */
#include "core/sanitize/grid.h"
#include "sim/base/xalloc.h"
#include <string.h>

/* 40 KiB each, for 4 KiB of device memory. */
#define MOST_PAGES 16384

/* ---- pages ---- */

static struct word_page **bucket_of(struct grid *g, addr number)
{
	return &g->pages[number * UINT64_C(0x9e3779b97f4a7c15) >> 52];
}

/* The page that was made first is forgotten: races with what it held are not found. */
static struct word_page *recycle_page(struct grids *grids)
{
	struct word_page *page = grids->oldest, **link = bucket_of(page->grid, page->number);

	while (*link != page)
		link = &(*link)->next;
	*link = page->next;
	grids->oldest = page->younger;
	grids->oldest->older = NULL;
	grids->forgotten++;
	memset(page, 0, sizeof(*page));
	return page;
}

static struct word_page *make_page(struct grids *grids, struct grid *g, addr number)
{
	struct word_page *page = grids->page_count < MOST_PAGES ? NULL : recycle_page(grids);

	if (!page) {
		page = xcalloc(1, sizeof(*page));
		grids->page_count++;
	}
	page->grid = g;
	page->number = number;
	page->older = grids->youngest;
	*(grids->youngest ? &grids->youngest->younger : &grids->oldest) = page;
	grids->youngest = page;
	page->next = *bucket_of(g, number);
	return *bucket_of(g, number) = page;
}

static struct word_page *page_of(struct grids *grids, struct grid *g, addr number)
{
	struct word_page *page = grids->last;

	if (page && page->number == number && page->grid == g)
		return page;
	page = *bucket_of(g, number);
	while (page && page->number != number)
		page = page->next;
	return grids->last = page ? page : make_page(grids, g, number);
}

uint64_t grids_forgotten(const struct sanitizer *s)
{
	return s->grids ? s->grids->forgotten * WORDS * 4 : 0;
}

/* ---- what is found ---- */

/* A CTA by its number in the grid. */
static void cta_coordinates(const struct kernel_run *run, uint32_t cta, uint32_t at[3])
{
	const uint32_t *grid = run->launch->grid;

	at[0] = cta % grid[0];
	at[1] = cta / grid[0] % grid[1];
	at[2] = cta / grid[0] / grid[1];
}

static const char *what_is_missing(const struct cta_order *o, const struct word_access *before)
{
	if (grid_would_be_ordered(o, before))
		return "; this one has seen what the other published, but has executed no fence since";
	return o->grid->numbers && o->grid->numbers[before->cta]
		? ""
		: "; the other has executed no fence wider than its CTA";
}

static void report_word(const struct access *a, enum finding_kind kind, uint32_t lane, addr address,
	const struct word_access *before)
{
	const struct kernel_run *run = a->warp->cta->run;
	struct finding_event e = access_event(a, kind, lane);
	struct finding *f;
	uint32_t cta[3];

	if (before->uop != UOP_UNKNOWN)
		e.other = &run->uops[before->uop];
	e.other_warp = before->thread / WARP_SIZE;
	e.other_lane = before->thread % WARP_SIZE;
	f = finding_note(&a->sanitizer->findings, &e);
	if (!f)
		return;
	cta_coordinates(run, before->cta, cta);
	finding_access(f, "device", address, a->bytes);
	finding_detail(f, "the other access is of CTA %u,%u,%u%s", cta[0], cta[1], cta[2],
		what_is_missing(a->warp->cta->shadow->order, before));
}

/* ---- accesses ---- */

static inline bool word_races(
	const struct cta_order *o, const struct word_access *now, const struct word_access *before)
{
	return before->is_valid && before->cta != now->cta && before->bytes & now->bytes &&
		!(before->is_strong && now->is_strong) && !grid_is_ordered(o, before);
}

static bool is_same_value(const struct word_access *now, const struct word_access *before)
{
	return now->has_value && before->has_value && now->value == before->value &&
		now->bytes == before->bytes;
}

/* The read takes the place of the CTA's own, of one that is ordered before it, or of none. */
static void keep_word_read(struct word_shadow *w, const struct cta_order *o, const struct word_access *now)
{
	for (uint32_t i = 0; i < 2; i++)
		if (!w->read[i].is_valid || w->read[i].cta == now->cta || grid_is_ordered(o, &w->read[i])) {
			w->read[i] = *now;
			return;
		}
}

static void access_word(const struct access *a, const struct cta_order *o, struct word_shadow *w,
	uint32_t lane, addr address, const struct word_access *now)
{
	bool races = word_races(o, now, &w->write);

	if (races && !a->writes)
		report_word(a, FINDING_GRID_READ, lane, address, &w->write);
	else if (races && !is_same_value(now, &w->write))
		report_word(a, FINDING_GRID_WRITE, lane, address, &w->write);
	if (!a->writes) {
		keep_word_read(w, o, now);
		return;
	}
	for (uint32_t i = 0; i < 2; i++)
		if (word_races(o, now, &w->read[i]))
			report_word(a, FINDING_GRID_WRITE_READ, lane, address, &w->read[i]);
	*w = (struct word_shadow){ .write = *now };
}

/* What a lane stores in a word of its access. */
static uint32_t word_stored(const struct access *a, uint32_t lane, uint32_t word)
{
	uint32_t value = 0;

	for (uint32_t i = 0; i < 4 && 4 * word + i < a->bytes; i++)
		value |= (uint32_t)access_stored_byte(a->exec, a->uop, lane, 4 * word + i) << 8 * i;
	return value;
}

/* The words of a lane's access; the address of one is a multiple of its size. */
static void access_words(const struct access *a, struct cta_order *o, uint32_t lane, struct word_access now)
{
	struct grids *grids = a->sanitizer->grids;
	addr address = a->address[lane];

	now.thread = (a->warp->index * WARP_SIZE + lane) & 0x7ffu;
	for (uint32_t i = 0; i < a->bytes; i += 4) {
		addr at = (address & ~(addr)3) + i;
		struct word_page *page = page_of(grids, o->grid, at / (WORDS * 4));

		now.bytes = (a->used >> i) << (address & 3) & 15;
		if (!now.bytes)
			continue;
		if (now.has_value)
			now.value = word_stored(a, lane, i / 4);
		access_word(a, o, &page->words[at / 4 % WORDS], lane, address + i, &now);
	}
}

static void synchronise(const struct access *a, struct cta_order *o)
{
	bool is_atomic = a->uop->code == UOP_ATOM;

	for (lane_mask m = a->mask; m; m &= m - 1)
		grid_synchronise(a->sanitizer->grids, o, a->address[__builtin_ctz(m)] & ~(addr)3,
			a->reads || is_atomic, a->writes);
}

void grid_access(const struct access *a)
{
	struct cta_order *o = grid_order_of(a->sanitizer, a->warp->cta);
	size_t uop = (size_t)(a->uop - a->warp->cta->run->uops);
	struct word_access now = { .cta = o->cta,
		.clock = o->clock & 0xffffu,
		.uop = uop < UOP_UNKNOWN ? uop & 0xffffu : UOP_UNKNOWN,
		.is_strong = a->is_strong && !(a->uop->target & ORDER_OF_CTA),
		.has_value = a->uop->code == UOP_ST,
		.is_valid = true };

	for (lane_mask m = a->mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);

		if (a->writes || !lane || !(a->mask >> (lane - 1) & 1) ||
			a->address[lane] != a->address[lane - 1])
			access_words(a, o, lane, now);
	}
	o->is_new = true;
	if (now.is_strong)
		synchronise(a, o);
}
