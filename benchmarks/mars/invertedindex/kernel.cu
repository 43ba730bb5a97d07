/* invertedindex -- which pages are linked from where: a thread per line of HTML looks for <a href="..."> and
 * emits (link, where it stands); grouping then brings the places of each link together.
 *
 * Each lane reads its own line byte by byte: 32 lanes, 32 cache lines, each wanted again for the next 100
 * reads of the same lane, while the other warps bring theirs. So there is much reuse within a warp and none
 * between warps, and more lines than the L1 holds. Lanes leave the loop as their lines end and part at every
 * '<'. The sort compares links, many of which begin alike, from anywhere in memory. */
#define MARS_COMPARE mars_strings
#include "../mars.cuh"

__constant__ unsigned char tag[] = { '<', 'a', ' ', 'h', 'r', 'e', 'f', '=', '"' };
enum { TAG = sizeof tag };

/* The links of one line; a link that does not end in the line is none. */
template <class out_type> CUDA_INLINE void find_links(const unsigned char *text, int2 line, out_type &out)
{
	for (int i = line.x, end = line.x + line.y; i < end; i++) {
		if (text[i] != tag[0])
			continue;
		int match = 1;
		while (match < TAG && i + match < end && text[i + match] == tag[match])
			match++;
		if (match < TAG)
			continue;
		int from = i + TAG;
		for (i = from; i < end && text[i] != '"';)
			i++;
		if (i < end)
			out.emit(text + from, i - from, from);
	}
}

extern "C" __global__ void map_count(const unsigned char *text, const int2 *line, int lines, int *key_bytes,
	int *value_bytes, int *records)
{
	int task = MARS_THREAD;
	mars_counter counter = { 0, 0, 0 };

	if (task >= lines)
		return;
	find_links(text, line[task], counter);
	mars_counted(counter, task, key_bytes, value_bytes, records);
}

extern "C" __global__ void map(const unsigned char *text, const int2 *line, int lines, const int *key_at,
	const int *value_at, const int *record_at, unsigned char *keys, int *values, int4 *records)
{
	int task = MARS_THREAD;

	if (task >= lines)
		return;
	mars_writer writer = { keys, values, records, key_at[task], value_at[task], record_at[task] };
	find_links(text, line[task], writer);
}
