/* core/sanitize/grid_order.c -- which accesses of CTAs to device memory are ordered (PTX ISA, memory
 * consistency model: release and acquire patterns, of which fences and strong accesses are the parts; those
 * with .release or .acquire are accesses with a fence). The unit is the CTA: a fence of one of its threads
 * serves all, as if barriers ordered what its threads do. An atomic operation leaves what it found and adds
 * to it, so that a chain of them passes on what each of its writers published; a plain strong store replaces
 * it. */
#include "core/sanitize/grid.h"
#include "core/kernel/cluster.h"
#include "sim/base/xalloc.h"

/* Vectors of a launch whose CTAs all wait for each other grow with the square of their number. */
#define MOST_CLOCK_BYTES (UINT64_C(512) << 20)
#define LAST_CLOCK       0xffffu

/* ---- grids ---- */

static void free_pages(struct grids *grids, struct grid *g)
{
	for (uint32_t i = 0; i < GRID_BUCKETS; i++)
		while (g->pages[i]) {
			struct word_page *page = g->pages[i];

			g->pages[i] = page->next;
			*(page->older ? &page->older->younger : &grids->oldest) = page->younger;
			*(page->younger ? &page->younger->older : &grids->youngest) = page->older;
			grids->last = NULL;
			grids->page_count--;
			free(page);
		}
}

static void grid_free(struct grids *grids, struct grid *g)
{
	free_pages(grids, g);
	for (uint32_t i = 0; i < GRID_BUCKETS; i++)
		while (g->published[i]) {
			struct published *p = g->published[i];

			g->published[i] = p->next;
			clocks_drop(&p->known, &grids->budget);
			free(p);
		}
	for (uint32_t i = 0; g->clusters && i < g->cta_count; i++)
		clocks_drop(&g->clusters[i], &grids->budget);
	free(g->clusters);
	free(g->numbers);
	free(g);
}

/* Without the grids of launches that have no CTA under way. */
static void drop_ended(struct grids *grids)
{
	for (struct grid **link = &grids->list; *link;) {
		struct grid *g = *link;

		if (g->live) {
			link = &g->next;
			continue;
		}
		*link = g->next;
		grid_free(grids, g);
	}
}

static struct grid *grid_of(struct grids *grids, const struct kernel_run *run)
{
	struct grid *g = grids->list;

	while (g && g->launch != run->id)
		g = g->next;
	if (g)
		return g;
	drop_ended(grids);
	g = xcalloc(1, sizeof(*g));
	g->launch = run->id;
	g->cta_count = (uint32_t)run->ctas;
	g->next = grids->list;
	return grids->list = g;
}

void grids_free(struct sanitizer *s)
{
	if (!s->grids)
		return;
	while (s->grids->list) {
		struct grid *g = s->grids->list;

		s->grids->list = g->next;
		grid_free(s->grids, g);
	}
	free(s->grids);
	s->grids = NULL;
}

/* ---- CTAs ---- */

struct cta_order *grid_order_of(struct sanitizer *s, struct cta *cta)
{
	struct cta_shadow *shadow = shadow_of(s, cta);
	struct cta_order *o = shadow->order;

	if (o)
		return o;
	s->grids = s->grids ? s->grids : xcalloc(1, sizeof(*s->grids));
	o = shadow->order = xcalloc(1, sizeof(*o));
	o->grid = grid_of(s->grids, cta->run);
	o->grid->live++;
	o->cta = (uint32_t)cta->linear;
	o->clock = 1;
	return o;
}

void grid_order_free(struct sanitizer *s, struct cta_order *o)
{
	if (!o)
		return;
	clocks_drop(&o->known, &s->grids->budget);
	clocks_drop(&o->seen, &s->grids->budget);
	clocks_drop(&o->fenced, &s->grids->budget);
	o->grid->live--;
	free(o);
}

static uint32_t number_in(const struct grid *g, uint32_t cta)
{
	return g->numbers ? g->numbers[cta] : 0;
}

static uint32_t number_of(struct cta_order *o)
{
	struct grid *g = o->grid;

	if (!g->numbers)
		g->numbers = xcalloc(g->cta_count, sizeof(*g->numbers));
	if (!o->number)
		o->number = g->numbers[o->cta] = ++g->number_count;
	return o->number;
}

static bool knows(const struct grid *g, const struct clocks *clocks, const struct word_access *before)
{
	uint32_t number = number_in(g, before->cta);

	return number && clocks_know(clocks, number - 1, before->clock);
}

bool grid_is_ordered(const struct cta_order *o, const struct word_access *before)
{
	return o->grid->is_lenient || knows(o->grid, o->known, before);
}

bool grid_would_be_ordered(const struct cta_order *o, const struct word_access *before)
{
	return knows(o->grid, o->seen, before);
}

/* ---- fences, strong accesses, barriers of clusters ---- */

/* What it has done is published, what it does from now on is not. Returns up to which clock. */
static uint32_t publish(struct cta_order *o)
{
	uint32_t done = o->is_new ? o->clock : o->clock - 1;

	o->clock += o->is_new && o->clock < LAST_CLOCK;
	o->is_new = false;
	return done;
}

void grid_fence(struct sanitizer *s, struct cta *cta, bool only_acquires)
{
	struct cta_order *o = grid_order_of(s, cta);
	struct clocks_budget *budget = &s->grids->budget;

	clocks_learn(&o->known, o->seen, budget);
	clocks_drop(&o->seen, budget);
	if (only_acquires)
		return;
	number_of(o);
	clocks_drop(&o->fenced, budget);
	o->fenced = clocks_share(o->known);
	o->fenced_clock = publish(o);
	o->has_fence = true;
	o->grid->is_lenient |= budget->bytes > MOST_CLOCK_BYTES;
}

/* NULL: nothing is published there; but if `make`. */
static struct published *published_at(struct grid *g, addr address, bool make)
{
	struct published **bucket = &g->published[(address >> 2) * UINT64_C(0x9e3779b97f4a7c15) >> 52],
			 *p = *bucket;

	while (p && p->address != address)
		p = p->next;
	if (p || !make)
		return p;
	p = xcalloc(1, sizeof(*p));
	p->address = address;
	p->next = *bucket;
	return *bucket = p;
}

void grid_synchronise(struct grids *grids, struct cta_order *o, addr address, bool reads, bool writes)
{
	struct grid *g = o->grid;
	struct published *p;

	if (!g->number_count)
		return; /* nobody has executed a fence */
	p = published_at(g, address, writes && o->has_fence);
	if (!p)
		return;
	if (reads)
		clocks_learn(&o->seen, p->known, &grids->budget);
	else if (writes)
		clocks_drop(&p->known, &grids->budget);
	if (!writes || !o->has_fence)
		return;
	clocks_learn(&p->known, o->fenced, &grids->budget);
	clocks_raise(&p->known, o->number - 1, o->fenced_clock, &grids->budget);
}

static struct clocks **cluster_clocks(struct grid *g, const struct cta *cta)
{
	if (!g->clusters)
		g->clusters = xcalloc(g->cta_count, sizeof(*g->clusters));
	return &g->clusters[cta->cluster->number];
}

void grid_cluster_arrive(struct sanitizer *s, struct cta *cta)
{
	struct cta_order *o = grid_order_of(s, cta);
	struct clocks **clocks = cluster_clocks(o->grid, cta);

	clocks_learn(clocks, o->known, &s->grids->budget);
	clocks_raise(clocks, number_of(o) - 1, publish(o), &s->grids->budget);
}

void grid_cluster_wait(struct sanitizer *s, struct cta *cta)
{
	struct cta_order *o = grid_order_of(s, cta);

	clocks_learn(&o->known, *cluster_clocks(o->grid, cta), &s->grids->budget);
}
