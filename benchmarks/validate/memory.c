/* memory.c -- SHOC's level 0 DeviceMemory: 32768 threads in CTAs of 32 to 512; what counts is the best of
 * these. Its runs are thousands of rounds long; here two short runs are taken, and what the longer one did
 * more counts. */
#include "validate.h"

enum { THREADS = 32768, WORDS = 16 << 20, ACCESSES_A_ROUND = 16, SHARED_WORDS = 2048 };
enum { APART = 32768, ROW = 512 }; /* words, as in kernel.cu */

/* Threads read sums of small integers, exact as floats, from data[i] = i % MODULUS. */
enum { MODULUS = 61 };

struct traffic {
	const char *kernel, *figure;
	int brief, full; /* rounds of the two runs: the difference counts */
	bool write, strided;
};

static const struct traffic traffics[] = {
	{ "read_coalesced", "DRAM read", 4, 12, false, false },
	{ "write_coalesced", "DRAM write", 4, 12, true, false },
	{ "read_strided", "DRAM read; strided", 2, 4, false, true },
	{ "write_strided", "DRAM write; strided", 2, 4, true, true },
};

/* The word of access k in a round. */
static size_t word(const struct traffic *t, size_t thread, int round, int k)
{
	return t->strided ? (thread * ROW + (size_t)(16 * round + k)) % WORDS
			  : (thread + (size_t)(16 * round + k) * APART) % WORDS;
}

static void check_sums(struct micro *m, const struct traffic *t, CUdeviceptr out)
{
	float *got = bench_alloc(THREADS, sizeof *got);

	CHECK(cuMemcpyDtoH(got, out, THREADS * sizeof *got));
	for (size_t thread = 0; thread < THREADS; thread++) {
		float want = 0;

		for (int round = 0; round < t->full; round++)
			for (int k = 0; k < ACCESSES_A_ROUND; k++)
				want += (float)(word(t, thread, round, k) % MODULUS);
		expect(m, got[thread] == want, "%s: thread %zu has %g, expected %g", t->kernel, thread,
			(double)got[thread], (double)want);
	}
	free(got);
}

/* Each word holds the number of a thread that wrote there (strided: neighbours' areas do not overlap in so
 * few rounds). */
static void check_words(struct micro *m, const struct traffic *t, CUdeviceptr data)
{
	float *got = bench_alloc(WORDS, sizeof *got);

	CHECK(cuMemcpyDtoH(got, data, WORDS * sizeof *got));
	for (size_t thread = 0; thread < THREADS; thread++)
		for (int round = 0; round < t->full; round++)
			for (int k = 0; k < ACCESSES_A_ROUND; k++) {
				size_t at = word(t, thread, round, k);

				expect(m, got[at] == (float)thread, "%s: word %zu is %g, expected %zu",
					t->kernel, at, (double)got[at], thread);
			}
	free(got);
}

/* GB/s with CTAs of so many threads. */
static double bandwidth(
	struct micro *m, const struct traffic *t, CUdeviceptr data, CUdeviceptr out, unsigned cta)
{
	int size = WORDS, rounds = t->brief;
	void *reading[] = { &data, &out, &size, &rounds }, *writing[] = { &data, &size, &rounds };
	void **args = t->write ? writing : reading;
	double brief = launch_ms(m, t->kernel, THREADS / cta, cta, args), full;

	rounds = t->full;
	full = launch_ms(m, t->kernel, THREADS / cta, cta, args);
	return (double)THREADS * ACCESSES_A_ROUND * 4 * (t->full - t->brief) / (full - brief) / 1e6;
}

static void measure(struct micro *m, const struct traffic *t, CUdeviceptr data, CUdeviceptr out)
{
	double most = 0;

	for (unsigned cta = 32; cta <= 512; cta *= 2) {
		double here = bandwidth(m, t, data, out, cta);

		report(m, here, "GB/s", "%s: CTAs of %u", t->figure, cta);
		most = here > most ? here : most;
	}
	report(m, most, "GB/s", "%s", t->figure);
	if (t->write)
		check_words(m, t, data);
	else
		check_sums(m, t, out);
}

void topic_memory(struct micro *m)
{
	CUdeviceptr data = bench_device_alloc(WORDS, 4), out = bench_device_alloc(THREADS, 4);
	float *image = bench_alloc(WORDS, sizeof *image);

	for (size_t i = 0; i < WORDS; i++)
		image[i] = (float)(i % MODULUS);
	for (size_t i = 0; i < sizeof traffics / sizeof traffics[0]; i++) {
		if (!traffics[i].write)
			CHECK(cuMemcpyHtoD(data, image, WORDS * sizeof *image));
		measure(m, &traffics[i], data, out);
	}
	free(image);
	CHECK(cuMemFree(data));
	CHECK(cuMemFree(out));
}

/* ---- shared memory ---- */

enum { SHARED_BRIEF = 4, SHARED_FULL = 20 };

static void check_shared(struct micro *m, bool write, unsigned cta, CUdeviceptr out)
{
	float *got = bench_alloc(THREADS, sizeof *got);

	CHECK(cuMemcpyDtoH(got, out, THREADS * sizeof *got));
	for (size_t i = 0; i < THREADS; i++) {
		float want = 0;

		for (size_t k = 0; k < 16 * SHARED_FULL; k++)
			want += (float)((i % cta + k) % SHARED_WORDS % MODULUS);
		/* what was written is one of the CTA's threads */
		expect(m, write ? got[i] >= 0 && got[i] < (float)cta : got[i] == want,
			"%s_shared: thread %zu has %g", write ? "write" : "read", i, (double)got[i]);
	}
	free(got);
}

static double shared(struct micro *m, bool write, CUdeviceptr in, CUdeviceptr out, unsigned cta)
{
	int rounds = SHARED_BRIEF;
	void *reading[] = { &in, &out, &rounds }, *writing[] = { &out, &rounds };
	void **args = write ? writing : reading;
	const char *kernel = write ? "write_shared" : "read_shared";
	double brief = launch_ms(m, kernel, THREADS / cta, cta, args), full;

	rounds = SHARED_FULL;
	full = launch_ms(m, kernel, THREADS / cta, cta, args);
	check_shared(m, write, cta, out);
	return (double)THREADS * ACCESSES_A_ROUND * 4 * (SHARED_FULL - SHARED_BRIEF) / (full - brief) / 1e6;
}

void topic_shared_memory(struct micro *m)
{
	CUdeviceptr in = bench_device_alloc(SHARED_WORDS, 4), out = bench_device_alloc(THREADS, 4);
	float image[SHARED_WORDS];

	for (size_t i = 0; i < SHARED_WORDS; i++)
		image[i] = (float)(i % MODULUS);
	CHECK(cuMemcpyHtoD(in, image, sizeof image));
	for (int write = 0; write < 2; write++) {
		double most = 0;

		for (unsigned cta = 32; cta <= 512; cta *= 2) {
			double here = shared(m, write, in, out, cta);

			most = here > most ? here : most;
		}
		/* GB/s at a shader clock of m->mhz */
		report(m, most * 1000 / m->mhz / m->sms, "bytes/clk/SM", "shared memory %s",
			write ? "write" : "read");
	}
	CHECK(cuMemFree(in));
	CHECK(cuMemFree(out));
}
