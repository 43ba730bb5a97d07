/* mars.h -- the host's side of a MapReduce job as in mars.cuh.
 *
 *	mars_map()      count, prefix sums, emit: also the reduce, whose tasks are the groups
 *	mars_group()    sort, copy into order, boundaries
 *	mars_check_*()  compares all that the kernels wrote
 *
 * The kernels only get as much room as the reference needs: a device whose counts add up to something else
 * fails before it writes. */
#ifndef MARS_H
#define MARS_H

#include "bench.h"
#include "mars_list.h"

enum { MARS_CTA = 256, MARS_CHUNK = 256, MARS_SCAN = 512 };

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
	bench_launch_1d(b, kernel, threads, MARS_CTA, args);
}

/* n words become the sums of those before them. */
static inline void mars_prefix_sums(struct bench *b, CUdeviceptr data, size_t n)
{
	unsigned ctas = bench_ctas(b, n, MARS_SCAN);
	CUdeviceptr sums = bench_device(b, ctas, 4);
	int count = (int)n;

	bench_launch(b, "mars_scan", DIM(ctas), DIM(MARS_SCAN / 2), ARGS(&data, &count, &sums));
	if (ctas == 1)
		return;
	mars_prefix_sums(b, sums, ctas);
	bench_launch(b, "mars_scan_add", DIM(ctas), DIM(MARS_SCAN / 2), ARGS(&data, &count, &sums));
}

/* Is the last of the sums what it should be? */
static inline bool mars_total(struct bench *b, CUdeviceptr sums, size_t n, size_t want, const char *what)
{
	uint32_t got;

	BENCH_READ(&got, sums + 4 * n, 1);
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

static inline void mars_check_records(
	struct bench *b, const struct mars_output *out, const struct mars_list *want)
{
	bench_verify_i32(b, "word of the directory", out->records, want->record[0], 4 * want->records);
	bench_verify_u8(b, "byte of the keys", out->keys, want->keys, want->key_bytes);
	if (want->floats)
		bench_verify_f32(b, "value", out->values, (const float *)want->values, want->records);
	else
		bench_verify_i32(b, "value", out->values, want->values, want->records);
}

static inline void mars_check_map(
	struct bench *b, const struct mars_output *out, const struct mars_list *want)
{
	bench_verify_i32(b, "place of a task", out->place, want->place[0], 3 * (want->tasks + 1));
	mars_check_records(b, out, want);
}

/* index: which record of `map` each sorted one is. */
static inline void mars_check_group(struct bench *b, const struct mars_output *out,
	const struct mars_list *map, const struct mars_list *want, const int32_t *index)
{
	size_t n = want->records;
	int32_t *network = bench_alloc(4 * n, 4), *place = bench_alloc(2 * (n + 1), 4);

	for (size_t i = 0; i < n; i++) {
		memcpy(network + 4 * i, map->record[index[i]], 16);
		place[i] = want->record[i][0];
		place[n + 1 + i] = want->record[i][2];
	}
	place[n] = (int32_t)want->key_bytes;
	place[2 * n + 1] = (int32_t)(4 * n);
	bench_verify_i32(b, "word of the sorted directory", out->network, network, 4 * n);
	bench_verify_i32(b, "place of a sorted record", out->place, place, 2 * (n + 1));
	mars_check_records(b, out, want);
	bench_verify_i32(b, "beginning of group", out->group, want->group, want->groups + 1);
	free(network);
	free(place);
}

#endif
