/* core/sanitize/registers.c -- registers that are not the threads' for a while: those of products of
 * warpgroups (wgmma), accumulators and fragments of A, and what tcgen05.ld loads, until the warp's
 * tcgen05.wait::ld.
 *
 * From wgmma.mma_async until a wgmma.wait_group that waits for its group they are the product's: an access by
 * the threads is undefined, and so is one by another product, but for accumulators that a product of the same
 * shape adds to (PTX ISA, "wgmma.mma_async"). What the threads did with them before, a wgmma.fence must have
 * ordered since; the first product needs one in any case ("wgmma.fence"). Reads of registers that the product
 * only reads need none here. Registers are told apart as the program has them, not by the rows they lie in.
 */
#include "core/sanitize/sanitize_internal.h"
#include "frontend/tables/wgmma.h"
#include "sim/base/xalloc.h"

/* What one did to a register last: its micro-operation + 1, 0: none has; and the warp's fences until then. */
struct last_access {
	uint32_t uop, fence;
};

struct watched_register {
	struct last_access product, write, read;
	uint32_t group;          /* of the product */
	bool is_accumulator;     /* of it; else a fragment of A */
	struct last_access load; /* tcgen05.ld; fence: the waits until then */
};

struct register_shadow {
	uint32_t fences;
	uint32_t done;  /* groups that have been waited for */
	uint32_t waits; /* tcgen05.wait::ld */
	struct watched_register of[];
};

/* An operation that is looked at. */
struct register_event {
	struct register_shadow *shadow;
	const struct ptx_kernel *kernel;
	struct warp *warp;
	const struct uop *uop;
	lane_mask active;
};

static struct finding *note_registers(
	const struct register_event *e, enum finding_kind kind, const struct last_access *other)
{
	struct sanitizer *s = sanitizer_of(e->warp);
	uint32_t lane = (uint32_t)__builtin_ctz(e->active);
	struct finding_event event = { .kind = kind,
		.serial = s->serial,
		.warp = e->warp,
		.uop = e->uop,
		.lane = lane,
		.other = other ? &e->kernel->uops[other->uop - 1] : NULL,
		.other_warp = e->warp->index,
		.other_lane = lane };

	return finding_note(&s->findings, &event);
}

static bool is_in_flight(const struct register_event *e, const struct watched_register *r)
{
	return r->product.uop && r->group >= e->shadow->done;
}

/* The number of a hazard among the operands of its product that come n-th from `first` on. */
static uint32_t place_among(const struct register_event *e, const struct uop *product, uint32_t value)
{
	uint32_t n = 0, end = product->hazards + product->reads + product->writes;

	for (uint32_t h = product->hazards + product->reads; h < end && e->kernel->values[h] != value; h++)
		n++;
	return n;
}

static void report_in_flight(const struct register_event *e, const struct watched_register *r)
{
	uint32_t committed = e->warp->cta->products[e->warp->index].committed;
	uint32_t value = (uint32_t)(r - e->shadow->of);
	const struct uop *product = &e->kernel->uops[r->product.uop - 1];
	struct finding *f = note_registers(e, FINDING_SYNC_IN_FLIGHT, &r->product);
	char what[40] = "a register of A";

	if (!f)
		return;
	if (r->is_accumulator)
		snprintf(what, sizeof(what), "accumulator %u of %u", place_among(e, product, value),
			product->writes);
	if (r->group == committed)
		finding_detail(f, "%s of the wgmma of line %u, which no wgmma.commit_group has committed",
			what, product->line);
	else
		finding_detail(f,
			"%s of the wgmma of line %u, in group %u of the warp, which has waited for %u", what,
			product->line, r->group + 1, e->shadow->done);
}

static void report_unfenced(const struct register_event *e, const struct last_access *before)
{
	struct finding *f = note_registers(e, FINDING_SYNC_UNFENCED, before);

	if (f && !before)
		finding_detail(f, "the warp has executed no wgmma.fence");
}

static void report_loading(const struct register_event *e, const struct watched_register *r)
{
	const struct uop *load = &e->kernel->uops[r->load.uop - 1];
	struct finding *f = note_registers(e, FINDING_SYNC_LOADING, &r->load);

	if (f)
		finding_detail(f, "register %u of %u", place_among(e, load, (uint32_t)(r - e->shadow->of)),
			load->writes);
}

static struct watched_register *register_of(const struct register_event *e, uint32_t hazard)
{
	return &e->shadow->of[e->kernel->values[hazard]];
}

/* ---- what threads do ---- */

static void look_at_access(const struct register_event *e)
{
	const struct uop *u = e->uop;
	struct last_access now = { (uint32_t)(u - e->kernel->uops) + 1, e->shadow->fences };

	for (uint32_t i = 0; i < (uint32_t)u->reads + u->writes; i++) {
		struct watched_register *r = register_of(e, u->hazards + i);

		if (is_in_flight(e, r) && !(u->flags & UOP_SPILL))
			report_in_flight(e, r);
		if (r->load.uop && r->load.fence == e->shadow->waits && !(u->flags & UOP_SPILL))
			report_loading(e, r);
		*(i < u->reads ? &r->read : &r->write) = now;
	}
}

/* ---- what loads from tensor memory do ---- */

static void look_at_load(const struct register_event *e)
{
	const struct uop *u = e->uop;

	look_at_access(e);
	for (uint32_t h = u->hazards + u->reads; h < u->hazards + u->reads + u->writes; h++)
		register_of(e, h)->load =
			(struct last_access){ (uint32_t)(u - e->kernel->uops) + 1, e->shadow->waits };
}

/* ---- what products do ---- */

static bool is_unfenced(const struct register_event *e, const struct last_access *before)
{
	return before->uop && before->fence == e->shadow->fences;
}

static bool has_shape_of(const struct register_event *e, const struct watched_register *r)
{
	const struct uop *before = &e->kernel->uops[r->product.uop - 1];

	return r->is_accumulator && wgmma_n(before->imm) == wgmma_n(e->uop->imm) &&
		wgmma_k(before->imm) == wgmma_k(e->uop->imm);
}

static void take_accumulator(const struct register_event *e, struct watched_register *r)
{
	if (is_in_flight(e, r) && is_unfenced(e, &r->product) && !has_shape_of(e, r))
		report_in_flight(e, r);
	if (is_unfenced(e, &r->write))
		report_unfenced(e, &r->write);
	else if (is_unfenced(e, &r->read))
		report_unfenced(e, &r->read);
}

static void take_source(const struct register_event *e, struct watched_register *r)
{
	if (is_in_flight(e, r) && r->is_accumulator && !has_shape_of(e, r))
		report_in_flight(e, r);
	if (is_unfenced(e, &r->write))
		report_unfenced(e, &r->write);
}

/* Whether the product holds that hazard among what it reads besides descriptors: A, or D. */
static bool is_matrix_source(const struct register_event *e, uint32_t hazard)
{
	const uint16_t *extra = e->kernel->extra + e->uop->extra;

	for (uint32_t i = 0; i < e->uop->extra_sources; i++)
		if (extra[i] == e->kernel->hazards[hazard])
			return true;
	return false;
}

static void look_at_product(const struct register_event *e)
{
	const struct uop *u = e->uop;
	uint32_t committed = e->warp->cta->products[e->warp->index].committed;
	struct last_access now = { (uint32_t)(u - e->kernel->uops) + 1, e->shadow->fences };

	if (!e->shadow->fences)
		report_unfenced(e, NULL);
	for (uint32_t h = u->hazards; h < u->hazards + u->reads; h++)
		if (is_matrix_source(e, h))
			take_source(e, register_of(e, h));
	for (uint32_t h = u->hazards + u->reads; h < u->hazards + u->reads + u->writes; h++)
		take_accumulator(e, register_of(e, h));
	for (uint32_t i = 0; i < (uint32_t)u->reads + u->writes; i++) {
		struct watched_register *r = register_of(e, u->hazards + i);

		if (i < u->reads && !is_matrix_source(e, u->hazards + i))
			continue;
		r->product = now;
		r->group = committed;
		r->is_accumulator = i >= u->reads;
	}
}

static struct register_shadow *registers_of(const struct warp *w)
{
	struct cta_shadow *s = shadow_of(sanitizer_of(w), w->cta);
	struct register_shadow **shadow = &s->registers[w->index];

	if (!*shadow)
		*shadow = xcalloc(
			1, sizeof(**shadow) + w->cta->run->kernel->value_count * sizeof(*(*shadow)->of));
	return *shadow;
}

static bool is_about_products(const struct uop *u)
{
	return u->code == UOP_WGMMA || u->code == UOP_TCGEN05_LD || uop_holds_order(u);
}

void registers_look(struct warp *w, const struct uop *u, lane_mask active)
{
	struct sanitizer *s = sanitizer_of(w);
	struct register_event e = { NULL, w->cta->run->kernel, w, u, active };
	uint32_t committed = w->cta->products[w->index].committed;

	if (!s || !(s->checks & SANITIZE_SYNC) ||
		(!is_about_products(u) && !(w->cta->shadow && w->cta->shadow->registers[w->index])))
		return;
	e.shadow = registers_of(w);
	s->serial++;
	if (u->code == UOP_WGMMA)
		look_at_product(&e);
	else if (u->code == UOP_TCGEN05_LD)
		look_at_load(&e);
	else if (uop_holds_order(u))
		*(u->imm == UOP_NOP_LOADED ? &e.shadow->waits : &e.shadow->fences) += 1;
	else if (u->code == UOP_WGMMA_WAIT && committed > u->imm + e.shadow->done)
		e.shadow->done = committed - (uint32_t)u->imm;
	else
		look_at_access(&e);
}
