/* pageviewrank -- pages in the order of how often they were seen: a thread per line (address, count) emits
 * (count, where the line stands); the sort brings the largest counts to the front, and there is no reduce.
 *
 * Each lane looks for the tab in its own line, byte by byte, as in pageviewcount; the sort compares words,
 * for which it goes from the directory to the keys: two dependent reads, the second anywhere in memory. */
#define MARS_COMPARE mars_counts
#include "../mars.cuh"

/* The number behind the tab. */
CUDA_INLINE unsigned views(const unsigned char *text, int2 line)
{
	unsigned count = 0;
	int i = line.x, end = line.x + line.y;

	while (i < end && text[i] != '\t')
		i++;
	for (i++; i < end; i++)
		count = 10 * count + (text[i] - '0');
	return count;
}

extern "C" __global__ void map_count(
	const unsigned char *, const int2 *, int lines, int *key_bytes, int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= lines)
		return;
	counter.emit(nullptr, 4, 0);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void map(const unsigned char *text, const int2 *line, int lines, const int *key_at,
	const int *value_at, const int *record_at, unsigned char *keys, int *values, int4 *records)
{
	int task = MARS_THREAD;

	if (task >= lines)
		return;
	int key = key_at[task], value = value_at[task];
	*(unsigned *)(keys + key) = views(text, line[task]);
	values[value / 4] = line[task].x;
	records[record_at[task]] = int4{ key, 4, value, 4 };
}
