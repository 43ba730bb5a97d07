/* memsys/observe/lines.c -- records of lines: hash table, and the list of a fully associative LRU cache. */
#include "memsys/observe/lines.h"
#include "sim/base/xalloc.h"

#define FIRST_ROOM 256u

/* ---- the table ---- */

void line_table_init(struct line_table *t, uint32_t capacity)
{
	*t = (struct line_table){ .capacity = capacity,
		.room = FIRST_ROOM,
		.mask = 2 * FIRST_ROOM - 1,
		.newest = LINE_NONE,
		.oldest = LINE_NONE };
	t->records = xcalloc(t->room, sizeof(*t->records));
	t->bucket = xcalloc(t->mask + 1, sizeof(*t->bucket));
}

void line_table_fini(struct line_table *t)
{
	free(t->records);
	free(t->bucket);
	*t = (struct line_table){ 0 };
}

/* Where the line is, or the empty bucket where it would be. */
static uint32_t line_bucket(const struct line_table *t, addr line)
{
	uint32_t b = (uint32_t)((line >> 5) * UINT64_C(0x9e3779b97f4a7c15) >> 32) & t->mask;

	while (t->bucket[b] && t->records[t->bucket[b] - 1].line != line)
		b = (b + 1) & t->mask;
	return b;
}

static void grow_lines(struct line_table *t)
{
	t->room *= 2;
	t->mask = 2 * t->room - 1;
	t->records = xrealloc(t->records, t->room * sizeof(*t->records));
	free(t->bucket);
	t->bucket = xcalloc((size_t)t->mask + 1, sizeof(*t->bucket));
	for (uint32_t i = 0; i < t->count; i++)
		t->bucket[line_bucket(t, t->records[i].line)] = i + 1;
}

struct line_record *line_find(struct line_table *t, addr line)
{
	uint32_t i = t->bucket[line_bucket(t, line)];

	return i ? &t->records[i - 1] : NULL;
}

struct line_record *line_of(struct line_table *t, addr line)
{
	struct line_record *r = line_find(t, line);

	if (r)
		return r;
	if (t->count == t->room)
		grow_lines(t);
	r = &t->records[t->count++];
	*r = (struct line_record){ .line = line, .cause = LINE_NEVER_EVICTED };
	t->bucket[line_bucket(t, line)] = t->count;
	return r;
}

/* ---- the fully associative cache ---- */

static void take_out(struct line_table *t, struct line_record *r)
{
	*(r->newer == LINE_NONE ? &t->newest : &t->records[r->newer].older) = r->older;
	*(r->older == LINE_NONE ? &t->oldest : &t->records[r->older].newer) = r->newer;
	r->is_in_full = false;
	t->held--;
}

static void put_in(struct line_table *t, struct line_record *r)
{
	uint32_t i = (uint32_t)(r - t->records);

	r->newer = LINE_NONE;
	r->older = t->newest;
	*(t->newest == LINE_NONE ? &t->oldest : &t->records[t->newest].newer) = i;
	t->newest = i;
	r->is_in_full = true;
	t->held++;
}

static void make_line_room(struct line_table *t)
{
	uint32_t i = t->oldest;

	while (i != LINE_NONE && t->records[i].fetches)
		i = t->records[i].newer;
	if (i == LINE_NONE)
		i = t->oldest;
	take_out(t, &t->records[i]);
	t->records[i].was_dropped = false;
}

void full_use(struct line_table *t, struct line_record *r, uint8_t sectors)
{
	if (r->is_in_full) {
		r->full_sectors |= sectors;
		take_out(t, r);
	} else {
		r->full_sectors = sectors;
		if (t->held == t->capacity)
			make_line_room(t);
	}
	put_in(t, r);
}

void full_drop(struct line_table *t, struct line_record *r)
{
	if (!r->is_in_full)
		return;
	take_out(t, r);
	r->was_dropped = true;
}

void full_drop_all(struct line_table *t, uint32_t generation)
{
	for (uint32_t i = t->newest, next; i != LINE_NONE; i = next) {
		next = t->records[i].older;
		if (!t->records[i].fetches && t->records[i].kept != generation)
			full_drop(t, &t->records[i]);
	}
}
