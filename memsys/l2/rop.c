/* memsys/l2/rop.c -- the ROP pipeline: see rop.h. */
#include "memsys/l2/rop.h"

void rop_init(struct rop *r, uint32_t places, uint32_t latency, uint32_t lead, double mhz, uint64_t *entered,
	uint64_t *waited)
{
	*r = (struct rop){ .latency = latency,
		.lead = lead,
		.time = (picoseconds)((latency - lead) / mhz * 1e6),
		.entered = entered,
		.waited = waited,
		.free_at = lead ? xcalloc(places, sizeof(*r->free_at)) : NULL };
	delay_init(&r->line, places);
}

void rop_fini(struct rop *r)
{
	free(r->line.ring);
	free(r->free_at);
}

/* The oldest of those that are not counted yet. */
static const struct delayed *oldest_uncounted(const struct rop *r)
{
	return delay_at(&r->line, r->line.count - r->uncounted);
}

static cycles entry_of(const struct rop *r, const struct delayed *request)
{
	return request->ready + r->lead - r->latency;
}

static void count_one(struct rop *r)
{
	const struct delayed *d = oldest_uncounted(r);

	r->uncounted--;
	++*r->entered;
	*r->waited += entry_of(r, d) - d->arrived;
}

void rop_count(struct rop *r, cycles until)
{
	while (r->uncounted && entry_of(r, oldest_uncounted(r)) < until)
		count_one(r);
}

static bool has_room(struct rop *r, cycles now)
{
	if (r->line.count + r->free_count < r->line.capacity)
		return true;
	while (r->free_count && r->free_at[r->free_first] <= now) {
		r->free_count--;
		if (++r->free_first == r->line.capacity)
			r->free_first = 0;
	}
	return r->line.count + r->free_count < r->line.capacity;
}

/* One request a cycle enters: behind those that are certain to. */
static bool must_wait(const struct rop *r, cycles now)
{
	return r->uncounted && now <= r->last_entry;
}

cycles rop_next_entry(const struct rop *r, cycles now)
{
	if (must_wait(r, now + 1))
		return r->last_entry + 1;
	if (r->line.count + r->free_count < r->line.capacity)
		return now + 1;
	if (!r->free_count)
		return SIM_NEVER;
	return r->free_at[r->free_first] > now ? r->free_at[r->free_first] : now + 1;
}

static void push_rop_entry(struct rop *r, struct packet *p, cycles arrived, cycles entry, picoseconds when)
{
	packet_stamp(p, AT_L2_TAKEN, when);
	packet_stamp(p, AT_ROP_LEFT, when + r->time);
	delay_push(&r->line, (struct delayed){ p, entry + r->latency - r->lead, arrived });
	r->last_entry = entry;
}

bool rop_enter(struct rop *r, struct packet *p, cycles arrived, cycles now, picoseconds when)
{
	if (must_wait(r, now) || !has_room(r, now))
		return false;
	while (r->uncounted)
		count_one(r); /* they came before */
	push_rop_entry(r, p, arrived, now, when);
	return true;
}

bool rop_enter_ahead(struct rop *r, struct packet *p, cycles arrived, cycles entry, picoseconds when)
{
	if (!has_room(r, entry))
		return false;
	push_rop_entry(r, p, arrived, entry, when);
	r->uncounted++;
	return true;
}

void rop_leave(struct rop *r, cycles now)
{
	uint32_t tail = r->free_first + r->free_count;

	if (r->uncounted == r->line.count)
		count_one(r);
	delay_pop(&r->line);
	if (!r->lead)
		return;
	r->free_count++;
	r->free_at[tail >= r->line.capacity ? tail - r->line.capacity : tail] = now + r->lead;
}
