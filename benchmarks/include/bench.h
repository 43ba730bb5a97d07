/* bench.h -- what the host programs of the benchmarks share: arguments, input, the device, the verdict.
 *
 * A benchmark describes itself in a struct bench_program, and then
 *
 *	bench_begin()     reads the arguments, opens device 0, loads the PTX file
 *	bench_host(), bench_device*()  memory, which bench_end() frees
 *	bench_work()      says what is worked on
 *	bench_launch()    between bench_start() and bench_stop(): event time, simulated time on the simulator
 *	bench_read()      brings a result back
 *	bench_expect_*()  and bench_near_*() compare it with the reference, element by element (bench_check.h)
 *	bench_end()       closes what was opened, prints PASS or FAIL, returns the exit status
 *
 * Only the CUDA driver API is used, so that a benchmark runs alike on the simulator and on a GPU. An error on
 * the way is printed and ends the program with status 1, a wrong command line with status 2. */
#ifndef BENCH_H
#define BENCH_H

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"

#ifndef KERNEL_FILE
#define KERNEL_FILE "kernel.ptx"
#endif

/* The presets: in `make check`; some seconds each; as in the papers. */
enum bench_preset { BENCH_TINY, BENCH_SMALL, BENCH_PAPER, BENCH_PRESETS };

/* One size of a problem, a positional argument. */
struct bench_size {
	const char *name, *help;
	size_t preset[BENCH_PRESETS]; /* 0: as the first size */
	size_t max;                   /* and at least 1, if no least is given */
	size_t least, multiple;       /* 0: 1 */
};

/* One kind of input, an option --NAME VALUE. */
struct bench_choice {
	const char *name, *help;
	const char *values; /* separated by '|'; a last one in capitals stands for any text:
			       "uniform|rmat|FILE" */
	const char *preset; /* the default */
};

enum { BENCH_SIZES = 8, BENCH_CHOICES = 4 };

/* What a benchmark is. Tags and their words: benchmarks/README.md. */
struct bench_program {
	const char *suite, *name;
	const char *help;   /* one sentence */
	const char *source; /* whose algorithm or workload it is, and where the paper's size is printed */
	const char *tags;   /* separated by spaces */
	struct bench_size sizes[BENCH_SIZES];
	struct bench_choice choices[BENCH_CHOICES];
	unsigned long long limit; /* thread instructions of a run that the papers time at the paper's size; 0:
				     all */
};

struct bench {
	const struct bench_program *program;
	size_t size[BENCH_SIZES];          /* as asked for, in the program's order */
	const char *choice[BENCH_CHOICES]; /* likewise */
	uint32_t seed;                     /* where random input begins: bench_random(&seed) */
	const char *ptx;

	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUevent start, stop;
	double ms; /* between bench_start() and bench_stop(), all together */

	char work[128];               /* what was worked on: "1048576 elements" */
	char failure[256];            /* the first complaint; empty: none */
	unsigned comparisons, broken; /* made; the one whose reference is to be spoilt, 0: none */
	unsigned long long compared;  /* values */

	void **host; /* what bench_end() frees */
	CUdeviceptr *on_device;
	size_t host_count, on_device_count;
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

/* Something outside the program is wrong, as printf says it. */
__attribute__((format(printf, 1, 2), noreturn)) static inline void bench_die(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(1);
}

/* -- memory -- */

/* count * size bytes, zero, for free(). */
static inline void *bench_alloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size);

	if (!p)
		bench_die("out of memory: %zu elements of %zu bytes", count, size);
	return p;
}

/* *list with room for one more than count elements of size bytes. */
static inline void *bench_room(void *list, size_t count, size_t size)
{
	if (count & (count - 1)) /* grown at 0, 1, 2, 4, 8 ... */
		return list;
	list = realloc(list, (count ? 2 * count : 1) * size);
	if (!list)
		bench_die("out of memory: %zu elements of %zu bytes", 2 * count, size);
	return list;
}

/* count * size bytes on the host, zero, until bench_end(). */
static inline void *bench_host(struct bench *b, size_t count, size_t size)
{
	b->host = (void **)bench_room(b->host, b->host_count, sizeof *b->host);
	return b->host[b->host_count++] = bench_alloc(count, size);
}

/* count * size bytes on the device, whatever was there, for cuMemFree(). */
static inline CUdeviceptr bench_device_alloc(size_t count, size_t size)
{
	CUdeviceptr p;

	CHECK(cuMemAlloc(&p, count * size));
	return p;
}

/* The same until bench_end(). */
static inline CUdeviceptr bench_device_kept(struct bench *b, size_t count, size_t size)
{
	b->on_device = (CUdeviceptr *)bench_room(b->on_device, b->on_device_count, sizeof *b->on_device);
	return b->on_device[b->on_device_count++] = bench_device_alloc(count, size);
}

/* The same, every byte 0xff: a float that nobody writes is a NaN, equal to nothing. */
static inline CUdeviceptr bench_device(struct bench *b, size_t count, size_t size)
{
	CUdeviceptr p = bench_device_kept(b, count, size);

	CHECK(cuMemsetD8(p, 0xff, count * size));
	return p;
}

/* The same, with what the host has. */
static inline CUdeviceptr bench_device_copy(struct bench *b, const void *from, size_t count, size_t size)
{
	CUdeviceptr p = bench_device_kept(b, count, size);

	CHECK(cuMemcpyHtoD(p, from, count * size));
	return p;
}

/* The same, with count words of 32 bits, each `word`. */
static inline CUdeviceptr bench_device_words(struct bench *b, size_t count, uint32_t word)
{
	CUdeviceptr p = bench_device_kept(b, count, 4);

	CHECK(cuMemsetD32(p, word, count));
	return p;
}

static inline void bench_read(void *to, CUdeviceptr from, size_t count, size_t size)
{
	CHECK(cuMemcpyDtoH(to, from, count * size));
}

#include "bench_input.h"

#include "bench_arguments.h"
#include "bench_check.h"

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
			text = (char *)realloc(text, capacity);
			if (!text)
				bench_die("%s: out of memory", path);
		}
		size += fread(text + size, 1, capacity - size - 1, f);
	}
	if (!f || ferror(f))
		bench_die("%s: %s", path, strerror(errno));
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

/* Reads the arguments and opens the device. */
static inline void bench_begin(struct bench *b, const struct bench_program *program, int argc, char **argv)
{
	*b = (struct bench){ .program = program, .seed = BENCH_SEED, .ptx = KERNEL_FILE };
	bench_arguments(b, argc, argv);
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&b->device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&b->context, b->device));
	CHECK(cuCtxSetCurrent(b->context));
	b->module = bench_load(b->ptx);
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
	printf("%s: %s on %s\n", b->program->name, b->work, device);
	fflush(stdout);
}

static inline CUfunction bench_kernel(const struct bench *b, const char *name)
{
	CUfunction kernel;
	CUresult result = cuModuleGetFunction(&kernel, b->module, name);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: kernel %s is not in the PTX file\n", b->program->name, name);
		bench_check(result, "cuModuleGetFunction", __FILE__, __LINE__);
	}
	return kernel;
}

/* The address of a variable of the module (`__constant__`, `__device__`) of at least `size` bytes. */
static inline CUdeviceptr bench_variable(const struct bench *b, const char *name, size_t size)
{
	CUdeviceptr p;
	size_t has;
	CUresult result = cuModuleGetGlobal(&p, &has, b->module, name);

	if (result != CUDA_SUCCESS) {
		fprintf(stderr, "%s: variable %s is not in the PTX file\n", b->program->name, name);
		bench_check(result, "cuModuleGetGlobal", __FILE__, __LINE__);
	}
	if (has < size)
		bench_die("%s: variable %s has %zu bytes, not %zu", b->program->name, name, has, size);
	return p;
}

/* CTAs of cta threads that make at least `threads` threads. */
static inline unsigned bench_ctas(const struct bench *b, size_t threads, unsigned cta)
{
	size_t ctas = (threads + cta - 1) / cta;
	int max = 0;

	CHECK(cuDeviceGetAttribute(&max, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, b->device));
	if (ctas > (size_t)max)
		bench_die("%s: %zu CTAs are more than the %d that this device launches at once",
			b->program->name, ctas, max);
	return (unsigned)ctas;
}

struct bench_dim {
	unsigned x, y, z;
};

/* DIM(x), DIM(x, y), DIM(x, y, z) */
#define DIM(...)                BENCH_DIM(__VA_ARGS__, 1, 1, 1)
#define BENCH_DIM(x, y, z, ...) ((struct bench_dim){ x, y, z })

/* grid CTAs of cta threads; args as cuLaunchKernel() wants them: pointers to the arguments. Does not wait. */
static inline void bench_launch(
	CUfunction kernel, struct bench_dim grid, struct bench_dim cta, unsigned shared_bytes, void **args)
{
	CHECK(cuLaunchKernel(
		kernel, grid.x, grid.y, grid.z, cta.x, cta.y, cta.z, shared_bytes, NULL, args, NULL));
}

/* The arguments of a launch: ARGS(&n, &from, &to). */
#define ARGS(...) ((void *[]){ __VA_ARGS__ })

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

/* The exit status. */
static inline int bench_end(struct bench *b)
{
	const char *name = b->program->name;

	if (b->broken > b->comparisons) {
		fprintf(stderr, "%s: --break-reference %u: there are only %u comparisons\n", name, b->broken,
			b->comparisons);
		exit(2);
	}
	if (!b->compared && !*b->failure)
		snprintf(b->failure, sizeof b->failure, "nothing was compared");
	for (size_t i = 0; i < b->on_device_count; i++)
		CHECK(cuMemFree(b->on_device[i]));
	for (size_t i = 0; i < b->host_count; i++)
		free(b->host[i]);
	free(b->on_device);
	free(b->host);
	CHECK(cuEventDestroy(b->start));
	CHECK(cuEventDestroy(b->stop));
	CHECK(cuModuleUnload(b->module));
	CHECK(cuDevicePrimaryCtxRelease(b->device));
	printf("%s: kernel time %.6f ms, %llu values compared\n", name, b->ms, b->compared);
	printf("%s: %s: %s%s\n", name, b->work, *b->failure ? "FAIL: " : "PASS", b->failure);
	return *b->failure ? 1 : 0;
}

#endif
