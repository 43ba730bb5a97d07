/* core/runtime/device_output.c -- the ring of what kernels print. */
#include "core/runtime/device_output.h"
#include "sim/base/xalloc.h"

struct record {
	enum device_stream stream;
	char *data;
	size_t size;
};

struct device_output {
	uint64_t bytes, used;
	struct record *records;
	size_t first, count, capacity; /* records[first .. first + count - 1] */
	uint64_t lost;
};

void text_append(struct text *text, const char *data, size_t size)
{
	if (!size)
		return;
	if (text->capacity - text->size < size) {
		text->capacity = 2 * (text->size + size);
		text->data = xrealloc(text->data, text->capacity);
	}
	memcpy(text->data + text->size, data, size);
	text->size += size;
}

struct device_output *device_output_new(uint64_t bytes)
{
	struct device_output *o = xcalloc(1, sizeof(*o));

	o->bytes = bytes;
	return o;
}

void device_output_free(struct device_output *o)
{
	if (!o)
		return;
	for (size_t i = 0; i < o->count; i++)
		free(o->records[o->first + i].data);
	free(o->records);
	free(o);
}

static void lose_oldest(struct device_output *o)
{
	o->used -= o->records[o->first].size;
	free(o->records[o->first].data);
	o->first++;
	o->count--;
	o->lost++;
}

/* Room for one more record at the end: records lost at the front make room, or the array grows. */
static void make_record_room(struct device_output *o)
{
	if (o->first + o->count < o->capacity)
		return;
	if (o->first > o->capacity / 2) {
		memmove(o->records, o->records + o->first, o->count * sizeof(*o->records));
		o->first = 0;
		return;
	}
	o->capacity = o->capacity ? 2 * o->capacity : 64;
	o->records = xrealloc(o->records, o->capacity * sizeof(*o->records));
}

void device_output_add(struct device_output *o, enum device_stream stream, struct text *text)
{
	make_record_room(o);
	o->records[o->first + o->count++] = (struct record){ stream, text->data, text->size };
	o->used += text->size;
	*text = (struct text){ 0 };
	while (o->used > o->bytes)
		lose_oldest(o);
}

uint64_t device_output_flush(struct device_output *o, FILE *out, FILE *error)
{
	uint64_t lost = o->lost;

	for (size_t i = 0; i < o->count; i++) {
		const struct record *r = &o->records[o->first + i];

		fwrite(r->data, 1, r->size, r->stream == DEVICE_STDOUT ? out : error);
		free(r->data);
	}
	if (o->count) {
		fflush(out);
		fflush(error);
	}
	o->first = o->count = 0;
	o->used = o->lost = 0;
	return lost;
}
