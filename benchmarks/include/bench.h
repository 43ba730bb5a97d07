/* bench.h -- what the host programs of the benchmarks share: arguments, input, the device, the verdict.
 *
 * A benchmark describes its sizes in a table, and then
 *
 *	bench_begin()     reads the arguments, opens device 0, loads the PTX file
 *	bench_start()     and bench_stop() around launches: event time, simulated time on the simulator
 *	bench_expect_*()  compares a result with the reference, element by element, for equality
 *	bench_end()       closes what was opened, prints PASS or FAIL, returns the exit status
 *
 * Only the CUDA driver API is used, so that a benchmark runs alike on the simulator and on a GPU. An error on
 * the way is printed and ends the program with status 1, a wrong command line with status 2. */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

#ifndef KERNEL_FILE
#define KERNEL_FILE "kernel.ptx"
#endif

/* One size of a problem, a positional argument. */
struct bench_size {
	const char *name, *help;
	size_t value; /* in: the default, 0 for "as the first size"; out: what is asked for */
	size_t max;   /* and at least 1 */
};

struct bench {
	const char *name;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUevent start, stop;
	double ms;         /* between bench_start() and bench_stop(), all together */
	char work[128];    /* what was worked on: "1048576 elements" */
	char failure[256]; /* the first complaint; empty: none */
};

/* -- errors -- */

#define CHECK(call) bench_check((call), #call, __FILE__, __LINE__)

static inline void bench_check(CUresult result, const char *call, const char *file, int line)
{
	const char *name = NULL, *text = NULL;

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	cuGetErrorString(result, &text);
	fprintf(stderr, "%s:%d: %.*s: %s (%d): %s\n", file, line, (int)strcspn(call, "("), call,
		name ? name : "unknown error", (int)result, text ? text : "no description");
	exit(1);
}

/* -- memory and input -- */

/* count * size bytes, zero, for free(). */
static inline void *bench_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p) {
		fprintf(stderr, "out of memory: %zu elements of %zu bytes\n", count, size);
		exit(1);
	}
	return p;
}

static inline CUdeviceptr bench_device_alloc(size_t count, size_t size)
{
	CUdeviceptr p;

	CHECK(cuMemAlloc(&p, count * size));
	return p;
}

/* A copy on the device, for cuMemFree(). */
static inline CUdeviceptr bench_device_copy(const void *from, size_t count, size_t size)
{
	CUdeviceptr p = bench_device_alloc(count, size);

	CHECK(cuMemcpyHtoD(p, from, count * size));
	return p;
}

/* The input of all benchmarks is one sequence: every machine, every run, the same. 24 random bits. */
#define BENCH_SEED 12345u

static inline uint32_t bench_random(uint32_t *state)
{
	*state = *state * 1664525u + 1013904223u;
	return *state >> 8;
}

/* In [0, 1), a multiple of 2^-24: exact as a float. */
static inline float bench_random_f32(uint32_t *state)
{
	return (float)bench_random(state) / 16777216.0f;
}

static inline void bench_fill_f32(float *values, size_t count, uint32_t *state)
{
	for (size_t i = 0; i < count; i++)
		values[i] = bench_random_f32(state);
}

/* -- arguments -- */

static inline void bench_usage(
	FILE *out, const char *name, const char *about, const struct bench_size *sizes, size_t count)
{
	fprintf(out, "usage: %s [--ptx FILE]", name);
	for (size_t i = 0; i < count; i++)
		fprintf(out, " [%s", sizes[i].name);
	for (size_t i = 0; i < count; i++)
		fputc(']', out);
	fprintf(out, "\n%s\n\n", about);
	for (size_t i = 0; i < count; i++) {
		fprintf(out, "  %-12s %s, 1 to %zu (default ", sizes[i].name, sizes[i].help, sizes[i].max);
		if (sizes[i].value)
			fprintf(out, "%zu)\n", sizes[i].value);
		else
			fprintf(out, "%s)\n", sizes[0].name);
	}
	fprintf(out, "  %-12s the kernels (default %s)\n  %-12s this text\n", "--ptx FILE", KERNEL_FILE,
		"--help");
	fprintf(out, "\nA size may end in K (times 1024) or M (times 1048576).\n");
}

/* The PTX file's name. */
static inline const char *bench_arguments(
	int argc, char **argv, const char *name, const char *about, struct bench_size *sizes, size_t count)
{
	const char *ptx = KERNEL_FILE;
	size_t given = 0;

	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			bench_usage(stdout, name, about, sizes, count);
			exit(0);
		}
	}
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--ptx")) {
			if (++i == argc) {
				fprintf(stderr, "%s: --ptx: a file name is missing\n", name);
				exit(2);
			}
			ptx = argv[i];
			continue;
		}
		if (!strncmp(argv[i], "--", 2)) {
			fprintf(stderr, "%s: %s: no such option; --help shows them\n", name, argv[i]);
			exit(2);
		}
		if (given == count) {
			fprintf(stderr, "%s: %s: more arguments than sizes; --help shows them\n", name,
				argv[i]);
			exit(2);
		}
		struct bench_size *size = &sizes[given++];
		char *end = argv[i];
		unsigned long long value = 0;
		errno = 0;
		if (argv[i][0] >= '0' && argv[i][0] <= '9')
			value = strtoull(argv[i], &end, 10);
		unsigned shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
		if (end == argv[i] || end[shift != 0] || errno || value < 1 || value > size->max >> shift) {
			fprintf(stderr, "%s: %s = %s: expected a number from 1 to %zu\n", name, size->name,
				argv[i], size->max);
			exit(2);
		}
		size->value = (size_t)value << shift;
	}
	for (size_t i = 1; i < count; i++)
		if (!sizes[i].value)
			sizes[i].value = sizes[0].value;
	return ptx;
}

/* -- the device -- */

/* The whole file and a zero byte after it, for free(). */
static inline char *bench_read_file(const char *path)
{
	FILE *f = fopen(path, "rb");
	char *text = NULL;
	size_t size = 0, capacity = 0;

	while (f && !feof(f) && !ferror(f)) {
		if (capacity - size < 2) {
			capacity = capacity ? 2 * capacity : 16384;
			text = realloc(text, capacity);
			if (!text) {
				fprintf(stderr, "%s: out of memory\n", path);
				exit(1);
			}
		}
		size += fread(text + size, 1, capacity - size - 1, f);
	}
	if (!f || ferror(f)) {
		fprintf(stderr, "%s: %s\n", path, strerror(errno));
		exit(1);
	}
	fclose(f);
	text[size] = '\0';
	return text;
}

static inline CUmodule bench_load(const char *path)
{
	static char errors[16384];
	CUjit_option option[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *value[] = { errors, (void *)(uintptr_t)sizeof errors };
	char *text = bench_read_file(path);
	CUmodule module;
	CUresult result = cuModuleLoadDataEx(&module, text, 2, option, value);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s was not accepted:\n%.*s\n", path, (int)sizeof errors, errors);
		bench_check(result, "cuModuleLoadDataEx", __FILE__, __LINE__);
	}
	free(text);
	return module;
}

/* sizes[0 .. count - 1] get their values from the command line. */
static inline void bench_begin(struct bench *b, const char *name, const char *about, struct bench_size *sizes,
	size_t count, int argc, char **argv)
{
	const char *ptx = bench_arguments(argc, argv, name, about, sizes, count);

	*b = (struct bench){ .name = name };
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&b->device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&b->context, b->device));
	CHECK(cuCtxSetCurrent(b->context));
	b->module = bench_load(ptx);
	CHECK(cuEventCreate(&b->start, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&b->stop, CU_EVENT_DEFAULT));
}

/* Say, as printf does, what is worked on: "1048576 elements". */
__attribute__((format(printf, 2, 3))) static inline void bench_work(struct bench *b, const char *format, ...)
{
	char device[128] = "";
	va_list args;

	va_start(args, format);
	vsnprintf(b->work, sizeof b->work, format, args);
	va_end(args);
	CHECK(cuDeviceGetName(device, sizeof device, b->device));
	printf("%s: %s on %s\n", b->name, b->work, device);
	fflush(stdout);
}

static inline CUfunction bench_kernel(const struct bench *b, const char *name)
{
	CUfunction kernel;
	CUresult result = cuModuleGetFunction(&kernel, b->module, name);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: kernel %s is not in the PTX file\n", b->name, name);
		bench_check(result, "cuModuleGetFunction", __FILE__, __LINE__);
	}
	return kernel;
}

/* CTAs of cta threads that make at least `threads` threads. */
static inline unsigned bench_ctas(const struct bench *b, size_t threads, unsigned cta)
{
	size_t ctas = (threads + cta - 1) / cta;
	int max = 0;

	CHECK(cuDeviceGetAttribute(&max, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, b->device));
	if (ctas > (size_t)max) {
		fprintf(stderr, "%s: %zu CTAs are more than the %d that this device launches at once\n",
			b->name, ctas, max);
		exit(1);
	}
	return (unsigned)ctas;
}

static inline void bench_start(struct bench *b)
{
	CHECK(cuEventRecord(b->start, NULL));
}

/* Waits for what was launched. */
static inline void bench_stop(struct bench *b)
{
	float ms = 0.0f;

	CHECK(cuEventRecord(b->stop, NULL));
	CHECK(cuEventSynchronize(b->stop));
	CHECK(cuEventElapsedTime(&ms, b->start, b->stop));
	b->ms += ms;
}

/* -- the verdict -- */

/* The two below complain, once in a run, about got[i] != want[i]; element is what one of them is called. */
static inline void bench_expect_f32(
	struct bench *b, const char *element, const float *got, const float *want, size_t count)
{
	size_t wrong = 0, first = 0;

	for (size_t i = 0; i < count; i++)
		if (!(got[i] == want[i]) && !wrong++)
			first = i;
	if (wrong && !*b->failure)
		snprintf(b->failure, sizeof b->failure, "%s %zu is %.9g, expected %.9g (%zu wrong)", element,
			first, (double)got[first], (double)want[first], wrong);
}

static inline void bench_expect_i32(
	struct bench *b, const char *element, const int32_t *got, const int32_t *want, size_t count)
{
	size_t wrong = 0, first = 0;

	for (size_t i = 0; i < count; i++)
		if (got[i] != want[i] && !wrong++)
			first = i;
	if (wrong && !*b->failure)
		snprintf(b->failure, sizeof b->failure, "%s %zu is %ld, expected %ld (%zu wrong)", element,
			first, (long)got[first], (long)want[first], wrong);
}

/* The exit status. */
static inline int bench_end(struct bench *b)
{
	CHECK(cuEventDestroy(b->start));
	CHECK(cuEventDestroy(b->stop));
	CHECK(cuModuleUnload(b->module));
	CHECK(cuDevicePrimaryCtxRelease(b->device));
	printf("%s: kernel time %.6f ms\n", b->name, b->ms);
	printf("%s: %s: %s%s\n", b->name, b->work, *b->failure ? "FAIL: " : "PASS", b->failure);
	return *b->failure ? 1 : 0;
}

#endif
