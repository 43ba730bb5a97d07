/* mars_list.h -- a MapReduce job on the host, plainly: what the kernels' results are compared with.
 *
 * A list is what tasks emit one after another (mars_list_task(), mars_list_emit()); mars_list_group() sorts
 * it with qsort(). It is laid out as mars.cuh says, so that each array has its counterpart on the device. */
#ifndef MARS_LIST_H
#define MARS_LIST_H

#include "bench.h"

struct mars_list {
	size_t tasks, records, key_bytes;
	int32_t *place[3]; /* tasks + 1 each: bytes of keys, bytes of values, records before the task */
	uint8_t *keys;
	int32_t *values;      /* or the bits of floats */
	int32_t (*record)[4]; /* the directory: key, its bytes, value, its bytes */
	bool floats;
	size_t groups;
	int32_t *group; /* groups + 1, where each begins; after mars_list_group() */
};

/* Room for so many records with so many bytes of keys. */
static inline void mars_list_init(
	struct bench *b, struct mars_list *l, size_t tasks, size_t most_records, size_t most_key_bytes)
{
	*l = (struct mars_list){ .tasks = tasks };
	l->place[0] = bench_host(b, 3 * (tasks + 1), sizeof *l->place[0]);
	l->place[1] = l->place[0] + tasks + 1;
	l->place[2] = l->place[1] + tasks + 1;
	l->keys = bench_host(b, most_key_bytes, 1);
	l->values = bench_host(b, most_records, sizeof *l->values);
	l->record = bench_host(b, most_records, sizeof *l->record);
}

static inline void mars_list_emit(struct mars_list *l, const void *key, size_t bytes, int32_t value)
{
	int32_t *r = l->record[l->records];

	memcpy(l->keys + l->key_bytes, key, bytes);
	l->values[l->records] = value;
	r[0] = (int32_t)l->key_bytes;
	r[1] = (int32_t)bytes;
	r[2] = (int32_t)(4 * l->records);
	r[3] = 4;
	l->key_bytes += bytes;
	l->records++;
}

/* Says what comes before a task, and, in the end, before the first that is none. */
static inline void mars_list_task(struct mars_list *l, size_t task)
{
	l->place[0][task] = (int32_t)l->key_bytes;
	l->place[1][task] = (int32_t)(4 * l->records);
	l->place[2][task] = (int32_t)l->records;
}

/* How two records of the list compare by key: mars_list_strings() or mars_list_counts(). */
typedef int mars_order(const struct mars_list *l, size_t a, size_t b);

static inline int mars_list_strings(const struct mars_list *l, size_t a, size_t b)
{
	const int32_t *x = l->record[a], *y = l->record[b];
	int order = memcmp(l->keys + x[0], l->keys + y[0], (size_t)(x[1] < y[1] ? x[1] : y[1]));

	return order ? order : x[1] - y[1];
}

static inline int mars_list_counts(const struct mars_list *l, size_t a, size_t b)
{
	uint32_t x, y;

	memcpy(&x, l->keys + l->record[a][0], sizeof x);
	memcpy(&y, l->keys + l->record[b][0], sizeof y);
	return x < y ? 1 : x > y ? -1 : 0;
}

static const struct mars_list *mars_list_sorted; /* what mars_list_compare() is about */
static mars_order *mars_list_by;

static inline int mars_list_compare(const void *a, const void *b)
{
	int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
	int order = mars_list_by(mars_list_sorted, (size_t)x, (size_t)y);

	return order ? order : x < y ? -1 : 1;
}

/* sorted becomes the list in the order of its keys, records of one key as they were emitted, with its groups;
 * index says which record of the list each one was. */
static inline void mars_list_group(
	struct bench *b, const struct mars_list *l, mars_order *by, struct mars_list *sorted, int32_t **index)
{
	*index = bench_host(b, l->records, sizeof **index);
	for (size_t i = 0; i < l->records; i++)
		(*index)[i] = (int32_t)i;
	mars_list_sorted = l;
	mars_list_by = by;
	qsort(*index, l->records, sizeof **index, mars_list_compare);
	mars_list_init(b, sorted, 0, l->records, l->key_bytes);
	sorted->group = bench_host(b, l->records + 1, sizeof *sorted->group);
	for (size_t i = 0; i < l->records; i++) {
		const int32_t *r = l->record[(*index)[i]];
		mars_list_emit(sorted, l->keys + r[0], (size_t)r[1], l->values[(*index)[i]]);
		if (i == 0 || by(sorted, i - 1, i))
			sorted->group[sorted->groups++] = (int32_t)i;
	}
	sorted->group[sorted->groups] = (int32_t)l->records;
}

#endif
