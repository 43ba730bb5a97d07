/* pageviewcount -- how many distinct entries of a web log each page has, in two jobs. First, a thread per
 * entry (address, IP address, cookie) emits the whole entry as a key, and grouping brings repeated entries
 * together. Then a thread per group emits the address of its entry with a one, and after grouping by address
 * a thread per page adds up.
 *
 * Each lane copies its own entry byte by byte: 32 cache lines at a time, used again by the lane's next reads,
 * written bytes spread likewise. The first sort compares entries that may be the same to the last byte, the
 * second addresses that often are; few of a warp's lanes compare for the same time. In the reduce a lane has
 * as many values as its page has visits, one after another in memory: with skewed popularity one lane keeps
 * its warp waiting. */
#define MARS_COMPARE mars_strings
#include "../mars.cuh"

/* The bytes before the tab. */
CUDA_INLINE int address_bytes(const unsigned char *entry, int bytes)
{
	int i = 0;

	while (i < bytes && entry[i] != '\t')
		i++;
	return i;
}

/* -- first job: entries, each once -- */

extern "C" __global__ void entries_count(
	const unsigned char *, const int2 *line, int lines, int *key_bytes, int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= lines)
		return;
	counter.emit(nullptr, line[task].y, 0);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void entries(const unsigned char *text, const int2 *line, int lines, const int *key_at,
	const int *value_at, const int *record_at, unsigned char *keys, int *values, int4 *records)
{
	int task = MARS_THREAD;

	if (task >= lines)
		return;
	mars_writer writer = { keys, values, records, key_at[task], value_at[task], record_at[task] };
	writer.emit(text + line[task].x, line[task].y, line[task].y);
}

/* -- second job: views of each page -- */

template <class out_type>
CUDA_INLINE void emit_address(
	const unsigned char *entries, const int4 *directory, const int *group, int task, out_type &out)
{
	int4 entry = directory[group[task]];

	out.emit(entries + entry.x, address_bytes(entries + entry.x, entry.y), 1);
}

extern "C" __global__ void views_count(const unsigned char *entries, const int4 *directory, const int *group,
	int groups, int *key_bytes, int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= groups)
		return;
	emit_address(entries, directory, group, task, counter);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void views(const unsigned char *entries, const int4 *directory, const int *group,
	int groups, const int *key_at, const int *value_at, const int *record_at, unsigned char *keys,
	int *values, int4 *records)
{
	int task = MARS_THREAD;

	if (task >= groups)
		return;
	mars_writer writer = { keys, values, records, key_at[task], value_at[task], record_at[task] };
	emit_address(entries, directory, group, task, writer);
}

/* -- its reduce: a page and the sum of its views -- */

extern "C" __global__ void sum_count(const unsigned char *, const int *, const int4 *directory,
	const int *group, int groups, int *key_bytes, int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= groups)
		return;
	counter.emit(nullptr, directory[group[task]].y, 0);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void sum(const unsigned char *addresses, const int *views, const int4 *directory,
	const int *group, int groups, const int *key_at, const int *value_at, const int *record_at,
	unsigned char *keys, int *values, int4 *records)
{
	int task = MARS_THREAD, total = 0;

	if (task >= groups)
		return;
	mars_writer writer = { keys, values, records, key_at[task], value_at[task], record_at[task] };
	for (int i = group[task]; i < group[task + 1]; i++)
		total += views[directory[i].z / 4];
	int4 first = directory[group[task]];
	writer.emit(addresses + first.x, first.y, total);
}
