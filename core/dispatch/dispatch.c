/* core/dispatch/dispatch.c -- the policy interface of CTA dispatch, and what all policies share: the order of
 * kernels, limits. */
#include "core/dispatch/dispatch.h"
#include <string.h>

#define POLICY_INTERFACE dispatch
#define POLICY_LIST      "core/dispatch/dispatch.def"
#include "sim/policy/table.h"

/* ---- parameters ---- */

static const char *const order_names[] = { "leftover", "round_robin", NULL };

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(dispatch, round_robin, "policy that decides on which SM a CTA starts"),
	SIM_END,
};

static const struct sim_param params[] = {
	SIM_ENUM(struct dispatch, kernels, ORDER_LEFTOVER, order_names,
		"order of several kernels: CTAs of a younger kernel start when all CTAs of the older ones "
		"have started (leftover), or kernels take turns (round_robin)"),
	SIM_U32(struct dispatch, max_ctas_per_sm, 0, 0, 64, "CTAs",
		"most CTAs that an SM holds, even if more fit; 0: as many as fit"),
	SIM_END,
};

const struct policy_interface dispatch_interface = {
	.title = "CTA dispatch",
	.keys = "gpu.dispatch.policy",
	POLICY_TABLES(dispatch),
	.choice = choice_params,
	.params = params,
	.size = sizeof(struct dispatch),
};

struct dispatch *dispatch_new(const struct dispatch *prototype, const struct dispatch_machine *machine)
{
	struct dispatch *d = policy_new(prototype);

	bug_if(machine->sms > DISPATCH_SMS, "%u SMs: at most %d", machine->sms, DISPATCH_SMS);
	d->machine = *machine;
	return d;
}

/* ---- for policies ---- */

uint32_t dispatch_limit(struct dispatch *d, uint32_t sm)
{
	uint32_t limit = d->class->limit ? d->class->limit(d, sm) : DISPATCH_NONE;

	bug_if(!limit, "dispatch %s lets no CTA on SM %u", d->class->name, sm);
	return d->max_ctas_per_sm && d->max_ctas_per_sm < limit ? d->max_ctas_per_sm : limit;
}

static bool is_full(const struct dispatch *d, uint32_t kernel, uint32_t sm)
{
	return d->full[kernel][sm / 64] >> (sm % 64) & 1;
}

bool dispatch_has_room(struct dispatch *d, uint32_t kernel, uint32_t sm, uint32_t ctas)
{
	const struct dispatch_machine *m = &d->machine;
	uint32_t limit;
	bool has_room;

	if (is_full(d, kernel, sm))
		return false;
	limit = dispatch_limit(d, sm);
	has_room = (limit == DISPATCH_NONE || (uint64_t)m->resident(m->object, sm) + ctas <= limit) &&
		m->has_room(m->object, kernel, sm, ctas);
	if (!has_room && ctas == 1 && !d->class->limit) /* a policy's limit may rise at any time */
		d->full[kernel][sm / 64] |= UINT64_C(1) << (sm % 64);
	return has_room;
}

/* The first SM at or after `from` and before `end` that is not known to be full; `end`: none. */
static uint32_t next_open(const struct dispatch *d, uint32_t kernel, uint32_t from, uint32_t end)
{
	const uint64_t *full = d->full[kernel];
	uint64_t open;

	if (from >= end)
		return end;
	open = ~full[from / 64] >> (from % 64);
	if (open) {
		from += (uint32_t)__builtin_ctzll(open);
		return from < end ? from : end;
	}
	for (from = from / 64 + 1; from * 64 < end; from++)
		if (~full[from]) {
			from = from * 64 + (uint32_t)__builtin_ctzll(~full[from]);
			return from < end ? from : end;
		}
	return end;
}

static uint32_t first_with_room(struct dispatch *d, uint32_t kernel, uint32_t from, uint32_t end,
	uint32_t (*ctas)(struct dispatch *d, uint32_t kernel, uint32_t sm))
{
	for (uint32_t sm = next_open(d, kernel, from, end); sm < end; sm = next_open(d, kernel, sm + 1, end))
		if (dispatch_has_room(d, kernel, sm, ctas ? ctas(d, kernel, sm) : 1))
			return sm;
	return DISPATCH_NONE;
}

uint32_t dispatch_next_sm_for(struct dispatch *d, uint32_t kernel, uint32_t first,
	uint32_t (*ctas)(struct dispatch *d, uint32_t kernel, uint32_t sm))
{
	uint32_t sm = first_with_room(d, kernel, first, d->machine.sms, ctas);

	return sm == DISPATCH_NONE ? first_with_room(d, kernel, 0, first, ctas) : sm;
}

uint32_t dispatch_next_sm(struct dispatch *d, uint32_t kernel, uint32_t first)
{
	return dispatch_next_sm_for(d, kernel, first, NULL);
}

/* ---- for the machine ---- */

void dispatch_add(struct dispatch *d, uint32_t kernel, uint64_t ctas, uint32_t capacity)
{
	d->waiting[d->waiting_count++] = kernel;
	d->left[kernel] = ctas;
	d->capacity[kernel] = capacity;
	memset(d->full[kernel], 0, sizeof(d->full[kernel]));
	if (d->class->added)
		d->class->added(d, kernel);
}

static bool place_cta(struct dispatch *d, uint32_t kernel, struct dispatch_choice *choice)
{
	*choice = (struct dispatch_choice){ kernel, d->class->place(d, kernel) };
	return choice->sm != DISPATCH_NONE;
}

/* Where in waiting[] the kernel stands whose turn comes after the last one served: the next larger number, so
 * that each has its turn whatever leaves. */
static uint32_t next_turn(const struct dispatch *d)
{
	uint32_t best = DISPATCH_NONE, lowest = 0;

	for (uint32_t i = 0; i < d->waiting_count; i++) {
		uint32_t k = d->waiting[i];

		if (k > d->last_kernel && (best == DISPATCH_NONE || k < d->waiting[best]))
			best = i;
		if (k < d->waiting[lowest])
			lowest = i;
	}
	return best == DISPATCH_NONE ? lowest : best;
}

static bool choose_in_turn(struct dispatch *d, struct dispatch_choice *choice)
{
	uint32_t first = next_turn(d);

	for (uint32_t i = 0; i < d->waiting_count; i++)
		if (place_cta(d, d->waiting[(first + i) % d->waiting_count], choice))
			return true;
	return false;
}

bool dispatch_choose(struct dispatch *d, struct dispatch_choice *choice)
{
	if (!d->waiting_count)
		return false;
	if (d->class->choose)
		return d->class->choose(d, choice);
	return d->kernels == ORDER_LEFTOVER ? place_cta(d, d->waiting[0], choice) : choose_in_turn(d, choice);
}

static void stop_waiting(struct dispatch *d, uint32_t kernel)
{
	uint32_t i = 0;

	while (d->waiting[i] != kernel)
		i++;
	d->waiting_count--;
	memmove(&d->waiting[i], &d->waiting[i + 1], (d->waiting_count - i) * sizeof(d->waiting[0]));
}

void dispatch_started(struct dispatch *d, const struct dispatch_choice *choice)
{
	if (d->class->started)
		d->class->started(d, choice);
	d->last_kernel = choice->kernel;
	if (!--d->left[choice->kernel])
		stop_waiting(d, choice->kernel);
}

void dispatch_skip(struct dispatch *d, uint32_t kernel, uint64_t ctas)
{
	d->left[kernel] -= ctas;
	if (!d->left[kernel])
		stop_waiting(d, kernel);
}

void dispatch_drop(struct dispatch *d, uint32_t kernel)
{
	if (d->left[kernel])
		stop_waiting(d, kernel);
	d->left[kernel] = 0;
}

void dispatch_ended(struct dispatch *d, const struct dispatch_choice *cta)
{
	if (d->class->ended)
		d->class->ended(d, cta);
}

void dispatch_freed(struct dispatch *d, uint32_t sm)
{
	for (uint32_t i = 0; i < d->waiting_count; i++)
		d->full[d->waiting[i]][sm / 64] &= ~(UINT64_C(1) << (sm % 64));
	if (d->class->freed)
		d->class->freed(d, sm);
}
