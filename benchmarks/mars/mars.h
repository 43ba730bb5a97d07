/* mars.h -- the host's side of a MapReduce job as in mars.cuh, and a plain job on the host to compare with.
 *
 *	mars_list_*()   the reference: what the tasks emit one after another, then mars_list_group(): sorted
 *	mars_map()      count, prefix sums, emit: also the reduce, whose tasks are the groups
 *	mars_group()    sort, copy into order, boundaries
 *	mars_check_*()  compares all that the kernels wrote
 *
 * The kernels only get as much room as the reference needs: a device whose counts add up to something else
 * fails before it writes. */
#ifndef MARS_H
#define MARS_H

#include "bench.h"

enum { MARS_CTA = 256, MARS_CHUNK = 256, MARS_SCAN = 512 };

/* -- on the host -- */

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
	l->place[0] = (int32_t *)bench_host(b, 3 * (tasks + 1), sizeof *l->place[0]);
	l->place[1] = l->place[0] + tasks + 1;
	l->place[2] = l->place[1] + tasks + 1;
	l->keys = (uint8_t *)bench_host(b, most_key_bytes, 1);
	l->values = (int32_t *)bench_host(b, most_records, sizeof *l->values);
	l->record = (int32_t(*)[4])bench_host(b, most_records, sizeof *l->record);
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
	*index = (int32_t *)bench_host(b, l->records, sizeof **index);
	for (size_t i = 0; i < l->records; i++)
		(*index)[i] = (int32_t)i;
	mars_list_sorted = l;
	mars_list_by = by;
	qsort(*index, l->records, sizeof **index, mars_list_compare);
	mars_list_init(b, sorted, 0, l->records, l->key_bytes);
	sorted->group = (int32_t *)bench_host(b, l->records + 1, sizeof *sorted->group);
	for (size_t i = 0; i < l->records; i++) {
		const int32_t *r = l->record[(*index)[i]];
		mars_list_emit(sorted, l->keys + r[0], (size_t)r[1], l->values[(*index)[i]]);
		if (i == 0 || by(sorted, i - 1, i))
			sorted->group[sorted->groups++] = (int32_t)i;
	}
	sorted->group[sorted->groups] = (int32_t)l->records;
}

/* -- on the device -- */

/* A list there. */
struct mars_output {
	CUdeviceptr place; /* of tasks + 1 each, one behind another */
	CUdeviceptr keys, values, records;
	CUdeviceptr network; /* the directory as the sort leaves it, before the copy */
	CUdeviceptr group;
};

static inline void mars_launch(struct bench *b, const char *kernel, size_t threads, void **args)
{
	bench_launch(bench_kernel(b, kernel), DIM(bench_ctas(b, threads, MARS_CTA)), DIM(MARS_CTA), 0, args);
}

/* n words become the sums of those before them. */
static inline void mars_prefix_sums(struct bench *b, CUdeviceptr data, size_t n)
{
	unsigned ctas = bench_ctas(b, n, MARS_SCAN);
	CUdeviceptr sums = bench_device(b, ctas, 4);
	int count = (int)n;

	bench_launch(
		bench_kernel(b, "mars_scan"), DIM(ctas), DIM(MARS_SCAN / 2), 0, ARGS(&data, &count, &sums));
	if (ctas == 1)
		return;
	mars_prefix_sums(b, sums, ctas);
	bench_launch(bench_kernel(b, "mars_scan_add"), DIM(ctas), DIM(MARS_SCAN / 2), 0,
		ARGS(&data, &count, &sums));
}

/* Is the last of the sums what it should be? */
static inline bool mars_total(struct bench *b, CUdeviceptr sums, size_t n, size_t want, const char *what)
{
	uint32_t got;

	bench_read(&got, sums + 4 * n, 1, sizeof got);
	if (got != want)
		bench_complain(b, "the device counts %u %s, expected %zu", got, what, want);
	return got == want;
}

enum { MARS_INPUTS = 5 };

/* Runs kernels `count` and `emit` over the tasks of the reference; their first arguments are the inputs, then
 * follow the number of tasks and the framework's. False: the counts are wrong, and no more was done. */
static inline bool mars_map(struct bench *b, const char *count, const char *emit, size_t inputs, void **input,
	const struct mars_list *want, struct mars_output *out)
{
	static const char *const what[] = { "bytes of keys", "bytes of values", "records" };
	const size_t total[] = { want->key_bytes, 4 * want->records, want->records };
	size_t n = want->tasks;
	int tasks = (int)n;
	void *args[MARS_INPUTS + 7];
	CUdeviceptr place[3];

	out->place = bench_device_words(b, 3 * (n + 1), 0);
	out->keys = bench_device(b, want->key_bytes + 1, 1);
	out->values = bench_device(b, want->records + 1, 4);
	out->records = bench_device(b, want->records + 1, 16);
	memcpy(args, input, inputs * sizeof *args);
	args[inputs] = &tasks;
	for (size_t i = 0; i < 3; i++) {
		place[i] = out->place + 4 * (n + 1) * i;
		args[inputs + 1 + i] = &place[i];
	}
	args[inputs + 4] = &out->keys;
	args[inputs + 5] = &out->values;
	args[inputs + 6] = &out->records;
	bench_start(b);
	mars_launch(b, count, n, args);
	for (size_t i = 0; i < 3; i++)
		mars_prefix_sums(b, place[i], n + 1);
	bench_stop(b);
	for (size_t i = 0; i < 3; i++)
		if (!mars_total(b, place[i], n, total[i], what[i]))
			return false;
	bench_start(b);
	mars_launch(b, emit, n, args);
	bench_stop(b);
	return true;
}

/* The network over a power of two of records. */
static inline void mars_sort(struct bench *b, CUdeviceptr keys, CUdeviceptr records, size_t size)
{
	int first = 2, run = MARS_CHUNK, distance;

	mars_launch(b, "mars_sort_chunk", size, ARGS(&keys, &records, &first, &run));
	for (run = 2 * MARS_CHUNK; (size_t)run <= size; run *= 2) {
		for (distance = run / 2; distance >= MARS_CHUNK; distance /= 2)
			mars_launch(b, "mars_sort_step", size, ARGS(&keys, &records, &distance, &run));
		mars_launch(b, "mars_sort_chunk", size, ARGS(&keys, &records, &run, &run));
	}
}

/* Groups what the map left: out's keys, values, records and groups. False as with mars_map(). */
static inline bool mars_group(
	struct bench *b, const struct mars_output *map, const struct mars_list *want, struct mars_output *out)
{
	size_t n = want->records, size = MARS_CHUNK;
	int count = (int)n;
	CUdeviceptr keys = map->keys, values = map->values, before = bench_device_words(b, n + 1, 0);

	while (size < n)
		size *= 2;
	out->network = bench_device(b, size, 16); /* all bits set: records that come last */
	CHECK(cuMemcpyDtoD(out->network, map->records, 16 * n));
	out->place = bench_device_words(b, 2 * (n + 1), 0);
	out->keys = bench_device(b, want->key_bytes + 1, 1);
	out->values = bench_device(b, n + 1, 4);
	out->records = bench_device(b, n + 1, 16);
	out->group = bench_device(b, want->groups + 1, 4);

	CUdeviceptr key_at = out->place, value_at = out->place + 4 * (n + 1);
	bench_start(b);
	mars_sort(b, keys, out->network, size);
	mars_launch(b, "mars_sizes", n, ARGS(&out->network, &count, &key_at, &value_at));
	mars_prefix_sums(b, key_at, n + 1);
	mars_prefix_sums(b, value_at, n + 1);
	bench_stop(b);
	if (!mars_total(b, key_at, n, want->key_bytes, "bytes of sorted keys") ||
		!mars_total(b, value_at, n, 4 * n, "bytes of sorted values"))
		return false;
	bench_start(b);
	mars_launch(b, "mars_gather", n,
		ARGS(&keys, &values, &out->network, &count, &key_at, &value_at, &out->keys, &out->values,
			&out->records));
	mars_launch(b, "mars_boundaries", n, ARGS(&out->keys, &out->records, &count, &before));
	mars_prefix_sums(b, before, n + 1);
	bench_stop(b);
	if (!mars_total(b, before, n, want->groups, "groups"))
		return false;
	bench_start(b);
	mars_launch(b, "mars_groups", n + 1, ARGS(&before, &count, &out->group));
	bench_stop(b);
	return true;
}

/* -- comparing -- */

static inline void mars_expect(
	struct bench *b, const char *what, CUdeviceptr from, const void *want, size_t count, size_t size)
{
	void *got = bench_alloc(count, size);

	bench_read(got, from, count, size);
	if (size == 1)
		bench_expect_u8(b, what, (uint8_t *)got, (const uint8_t *)want, count);
	else
		bench_expect_i32(b, what, (int32_t *)got, (const int32_t *)want, count);
	free(got);
}

static inline void mars_check_records(
	struct bench *b, const struct mars_output *out, const struct mars_list *want)
{
	float *got;

	mars_expect(b, "word of the directory", out->records, want->record, 4 * want->records, 4);
	mars_expect(b, "byte of the keys", out->keys, want->keys, want->key_bytes, 1);
	if (!want->floats) {
		mars_expect(b, "value", out->values, want->values, want->records, 4);
		return;
	}
	got = (float *)bench_alloc(want->records, sizeof *got);
	bench_read(got, out->values, want->records, sizeof *got);
	bench_expect_f32(b, "value", got, (const float *)want->values, want->records);
	free(got);
}

static inline void mars_check_map(
	struct bench *b, const struct mars_output *out, const struct mars_list *want)
{
	mars_expect(b, "place of a task", out->place, want->place[0], 3 * (want->tasks + 1), 4);
	mars_check_records(b, out, want);
}

/* index: which record of `map` each sorted one is. */
static inline void mars_check_group(struct bench *b, const struct mars_output *out,
	const struct mars_list *map, const struct mars_list *want, const int32_t *index)
{
	size_t n = want->records;
	int32_t *network = (int32_t *)bench_alloc(4 * n, 4), *place = (int32_t *)bench_alloc(2 * (n + 1), 4);

	for (size_t i = 0; i < n; i++) {
		memcpy(network + 4 * i, map->record[index[i]], 16);
		place[i] = want->record[i][0];
		place[n + 1 + i] = want->record[i][2];
	}
	place[n] = (int32_t)want->key_bytes;
	place[2 * n + 1] = (int32_t)(4 * n);
	mars_expect(b, "word of the sorted directory", out->network, network, 4 * n, 4);
	mars_expect(b, "place of a sorted record", out->place, place, 2 * (n + 1), 4);
	mars_check_records(b, out, want);
	mars_expect(b, "beginning of group", out->group, want->group, want->groups + 1, 4);
	free(network);
	free(place);
}

#endif
