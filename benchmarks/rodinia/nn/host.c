/* nn -- host side: the k places nearest to one, distances from the device, the choice on the host.
 *
 * Distances are checked for equality, fmaf() where the kernel's fma is; the choice against one that counts,
 * for each place, how many are nearer. */
#include "bench.h"

enum { CTA = 256 };

static const float latitude = 30.0f, longitude = 90.0f; /* Rodinia's usual target */

struct place {
	float latitude, longitude;
};

/* The k nearest, nearest first, of two equal ones the first; takes one by one what is least. */
static void choose(const float *distance, size_t n, uint32_t *nearest, size_t k, uint8_t *taken)
{
	for (size_t j = 0; j < k; j++) {
		size_t best = n;
		for (size_t i = 0; i < n; i++)
			if (!taken[i] && (best == n || distance[i] < distance[best]))
				best = i;
		taken[best] = 1;
		nearest[j] = (uint32_t)best;
	}
}

/* The same from places: sorted into a list of k as they come. */
static void reference(const struct place *place, size_t n, float *distance, uint32_t *nearest, size_t k)
{
	size_t listed = 0;

	for (size_t i = 0; i < n; i++) {
		float north = latitude - place[i].latitude, east = longitude - place[i].longitude;
		size_t at = listed < k ? listed++ : k;
		distance[i] = sqrtf(fmaf(north, north, east * east));
		for (; at > 0 && distance[nearest[at - 1]] > distance[i]; at--)
			if (at < k)
				nearest[at] = nearest[at - 1];
		if (at < k)
			nearest[at] = (uint32_t)i;
	}
}

const struct bench_program bench_program = {
	.help = "Finds the places nearest to one.",
	.source = "Rodinia nn (Che et al., IISWC 2009), its 42764 hurricanes",
	.tags = "",
	.sizes = { { "places", "places to choose from", { 10007, 42764, 42764, 42764 }, 1 << 26 },
		{ "k", "how many are wanted, at most as many as places", { 5, 5, 5, 5 }, 1000 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	size_t n = b->size[0], k = b->size[1] < n ? b->size[1] : n;
	bench_work(b, "%zu of %zu places", k, n);

	struct place *place = bench_host(b, n, sizeof *place);
	float *got = bench_floats(b, n), *want = bench_floats(b, n);
	uint32_t *nearest_got = bench_host(b, k, sizeof *nearest_got),
		 *nearest_want = bench_host(b, k, sizeof *nearest_want);
	for (size_t i = 0; i < n; i++) {
		place[i].latitude = 7.0f + 63.0f * bench_random_f32(&b->seed);
		place[i].longitude = 358.0f * bench_random_f32(&b->seed);
	}

	CUdeviceptr dplace = BENCH_COPY(b, place, n), ddistance = bench_device(b, n, sizeof *got);
	float north = latitude, east = longitude;
	bench_start(b);
	bench_launch_1d(b, "nn_distance", n, CTA, ARGS(&dplace, &ddistance, INT(n), &north, &east));
	bench_stop(b);
	BENCH_READ(got, ddistance, n);

	choose(got, n, nearest_got, k, bench_host(b, n, 1));
	reference(place, n, want, nearest_want, k);
	bench_expect_f32(b, "distance", got, want, n);
	bench_expect_u32(b, "nearest", nearest_got, nearest_want, k);
}
