/* core/issue/products.c -- products of warpgroups that are under way: see products.h. */
#include "core/issue/products.h"
#include "core/issue/issue_table.h"
#include "core/issue/scoreboard.h"
#include "sim/base/xalloc.h"

struct product {
	uint32_t uop, group;
};

/* Of a warp, in the order of issue: `count` from `first` on, in a ring. */
struct product_queue {
	struct product *ring;
	uint32_t room, first, count; /* room: a power of two */
	uint32_t groups;             /* committed */
	cycles last_due;
};

struct products {
	struct product_queue of[MAX_WARPS];
};

struct products *products_new(void)
{
	return xcalloc(1, sizeof(struct products));
}

void products_free(struct products *p)
{
	for (uint32_t i = 0; i < MAX_WARPS; i++)
		free(p->of[i].ring);
	free(p);
}

void products_start(struct products *p, uint32_t slot)
{
	struct product_queue *q = &p->of[slot];

	*q = (struct product_queue){ .ring = q->ring, .room = q->room };
}

static struct product *nth(const struct product_queue *q, uint32_t n)
{
	return &q->ring[(q->first + n) & (q->room - 1)];
}

/* Twice the room: how deep programs queue products is known after a few. */
static void make_room(struct product_queue *q)
{
	uint32_t room = q->room ? 2 * q->room : 8;
	struct product *ring = xcalloc(room, sizeof(*ring));

	for (uint32_t i = 0; i < q->count; i++)
		ring[i] = *nth(q, i);
	free(q->ring);
	q->ring = ring;
	q->room = room;
	q->first = 0;
}

void products_issued(struct sm *sm, uint32_t slot, uint32_t uop, cycles due)
{
	struct product_queue *q = &sm->state.products->of[slot];
	struct sm_warp *t = &sm->state.timing[slot];

	if (q->count == q->room)
		make_room(q);
	*nth(q, q->count++) = (struct product){ uop, q->groups };
	q->last_due = due > q->last_due ? due : q->last_due;
	t->in_flight++;
	scoreboard_reserve(sm, slot, t, &t->entry[uop], uop);
	timing_wheel_add(&sm->state.wheel, q->last_due, WHEEL_PRODUCT, slot, 0);
}

void products_commit(struct sm *sm, uint32_t slot)
{
	sm->state.products->of[slot].groups++;
}

/* ---- accumulators ---- */

static uint64_t writes_of(const struct sm_warp *t, uint32_t uop, uint32_t word)
{
	return word ? t->run->issue->more_writes[(size_t)uop * (t->words - 1u) + word - 1]
		    : t->entry[uop].writes;
}

/* Those of all products that are under way. */
static uint64_t taken(const struct sm_warp *t, const struct product_queue *q, uint32_t word)
{
	uint64_t bits = 0;

	for (uint32_t i = 0; i < q->count; i++)
		bits |= writes_of(t, nth(q, i)->uop, word);
	return bits;
}

static uint64_t *pending_word(struct sm *sm, uint32_t slot, uint32_t word)
{
	return word ? &sm->state.timing_rest[slot].more[word - 1] : &sm->state.timing[slot].pending;
}

void products_done(struct sm *sm, uint32_t slot)
{
	struct product_queue *q = &sm->state.products->of[slot];
	struct sm_warp *t = &sm->state.timing[slot];
	uint32_t uop = nth(q, 0)->uop;

	q->first++;
	q->count--;
	t->in_flight--;
	for (uint32_t i = 0; i < t->words; i++)
		*pending_word(sm, slot, i) &= ~(writes_of(t, uop, i) & ~taken(t, q, i));
	if (scoreboard_awaits_data(t->cause))
		sm_renew(sm, slot);
	else if (t->cause == SLOT_drained)
		sm_retire_if_done(sm, slot);
}

/* ---- what waits ---- */

/* Accumulators that something else is to write. */
static enum slot_cause look_for_others(struct sm *sm, uint32_t slot, uint32_t pc)
{
	const struct product_queue *q = &sm->state.products->of[slot];
	struct sm_warp *t = &sm->state.timing[slot];

	for (uint32_t i = 0; i < t->words; i++) {
		uint64_t awaited = writes_of(t, pc, i) & *pending_word(sm, slot, i) & ~taken(t, q, i);

		if (awaited) {
			t->awaited = awaited;
			return SLOT_arithmetic;
		}
	}
	return SLOT_issued;
}

enum slot_cause products_look(struct sm *sm, uint32_t slot, uint32_t pc)
{
	const struct product_queue *q = &sm->state.products->of[slot];
	const struct uop *u = &sm->state.timing[slot].run->uops[pc];

	if (u->code == UOP_WGMMA)
		return look_for_others(sm, slot, pc);
	return q->count && nth(q, 0)->group + (uint64_t)u->imm < q->groups ? SLOT_products : SLOT_issued;
}
