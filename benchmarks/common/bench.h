/* bench.h -- what the host programs of the benchmarks share: arguments, input, memory, launches, the verdict.
 *
 * A benchmark defines `bench_program`, which says what it is, and bench_run(), which does the work. main() is
 * in main.c: it reads the arguments, opens device 0 and loads the kernels before it calls bench_run(). After
 * that it frees what was allocated, prints PASS or FAIL and returns the exit status. bench_run()
 *
 * - makes its input in arrays of bench_host() and bench_floats(), and copies them to the device with
 *   BENCH_COPY(), all of which are freed at the end;
 * - says with bench_work() what it works on;
 * - launches kernels with bench_launch() or one of its relatives, between bench_start() and
 *   bench_stop(), which measure the time by events (on the simulator: simulated time);
 * - compares each result with its reference: bench_verify_*() reads it from the device first (bench_check.h).
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
#include "bench_input.h"

/* The presets: tiny is for `make check`, small takes some seconds, repro fills the machine for as long as the
 * papers' effects need, paper is as in the papers. */
enum bench_preset { BENCH_TINY, BENCH_SMALL, BENCH_REPRO, BENCH_PAPER, BENCH_PRESETS };

/* One size of a problem, a positional argument. */
struct bench_size {
	const char *name, *help;
	size_t preset[BENCH_PRESETS]; /* 0 stands for the value of the first size */
	size_t max;                   /* the largest value that is allowed */
	size_t least, multiple; /* the smallest one, and what it must be a multiple of; 0 stands for 1 */
};

/* One kind of input, an option --NAME VALUE. */
struct bench_choice {
	const char *name, *help;
	const char *values; /* separated by '|'; one in capitals, as in "uniform|rmat|FILE", is any text */
	const char *preset; /* the default */
};

enum { BENCH_SIZES = 8, BENCH_CHOICES = 4 };

/* What a benchmark is. Its suite and its name are those of its folder; benchmarks/README.md explains tags. */
struct bench_program {
	const char *help;   /* one sentence */
	const char *source; /* whose algorithm or workload it is, and where the paper's size is printed */
	const char *tags;   /* separated by spaces */
	struct bench_size sizes[BENCH_SIZES];
	struct bench_choice choices[BENCH_CHOICES];
	/* why repro is what it is; it names the sizes that are below those of small or of paper */
	const char *repro;
	/* how many thread instructions of a run the papers simulate at the paper's size, and how many are
	 * simulated at the size repro; 0: all */
	unsigned long long limit, repro_limit;
	const char *ptx; /* the file with the kernels; NULL: kernel.ptx in the folder */
	/* the configuration of the oldest chip that has what the kernels use; NULL: any chip */
	const char *chip;
};

struct bench {
	const struct bench_program *program;
	const char *folder, *name;         /* such as "sdk/vectoradd" and "vectoradd" */
	size_t size[BENCH_SIZES];          /* as the command line asks, in the order of the program's sizes */
	const char *choice[BENCH_CHOICES]; /* the same for its choices */
	uint32_t seed;                     /* the state of bench_random(&b->seed) */
	const char *ptx;

	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUevent start, stop;
	double ms; /* the sum of the times between bench_start() and bench_stop() */

	char work[128];               /* what was worked on: "1048576 elements" */
	char failure[256];            /* the first complaint, or an empty string */
	unsigned comparisons, broken; /* how many were made; whose reference is spoilt (0: none) */
	unsigned long long compared;  /* values that were compared */

	void **host; /* the arrays that bench_end() frees, here and on the device */
	CUdeviceptr *on_device;
	size_t host_count, on_device_count;
};

/* A benchmark defines these two. A program of several benchmarks defines main() instead, and calls
 * bench_begin() and bench_end() itself. */
extern const struct bench_program bench_program;
void bench_run(struct bench *b);

/* Reads the arguments, opens device 0, loads the kernels. folder: SUITE/NAME. */
void bench_begin(
	struct bench *b, const char *folder, const struct bench_program *program, int argc, char **argv);
/* Frees and closes all, prints the verdict, returns the exit status. */
int bench_end(struct bench *b);
/* The part of bench_begin() that reads the arguments (arguments.c). */
void bench_arguments(struct bench *b, int argc, char **argv);

/* -- errors -- */

#define CHECK(call) bench_check((call), #call, __FILE__, __LINE__)

void bench_check(CUresult result, const char *call, const char *file, int line);
/* Prints, as printf does, what is wrong outside the program, and ends it with status 1. */
__attribute__((format(printf, 1, 2), noreturn)) void bench_die(const char *format, ...);
/* Prints, as printf does, what is wrong on the command line, and ends the program with status 2. */
__attribute__((format(printf, 2, 3), noreturn)) void bench_wrong(
	const struct bench *b, const char *format, ...);

/* -- memory -- */

/* count * size bytes, all zero, which the caller frees with free(). */
void *bench_alloc(size_t count, size_t size);
/* Returns the list, which realloc() made, with room for one more than its count elements of size bytes. */
void *bench_room(void *list, size_t count, size_t size);
/* count * size bytes, all zero, which bench_end() frees. */
void *bench_host(struct bench *b, size_t count, size_t size);
/* The same for floats, which are zero, or random in [0, 1). */
float *bench_floats(struct bench *b, size_t count);
float *bench_random_floats(struct bench *b, size_t count);

/* count * size bytes on the device, not set, which the caller frees with cuMemFree(). */
CUdeviceptr bench_device_alloc(size_t count, size_t size);
/* The sum of all that was allocated on the device. */
size_t bench_device_bytes(void);
/* count * size bytes on the device, which bench_end() frees. Every byte is 0xff, so that a float that no
 * kernel writes is a NaN, which equals nothing. */
CUdeviceptr bench_device(struct bench *b, size_t count, size_t size);
/* The same with a copy of what the host has; BENCH_COPY() takes the size from the type of the array. */
CUdeviceptr bench_device_copy(struct bench *b, const void *from, size_t count, size_t size);
#define BENCH_COPY(b, from, count) bench_device_copy(b, from, count, sizeof *(from))
/* The same with count words of 32 bits, each of them `word`. */
CUdeviceptr bench_device_words(struct bench *b, size_t count, uint32_t word);
/* Copies from the device to the host; BENCH_READ() takes the size from the type of the array. */
void bench_read(void *to, CUdeviceptr from, size_t count, size_t size);
#define BENCH_READ(to, from, count) bench_read(to, from, count, sizeof *(to))
/* Exchanges two pointers, to arrays that take turns as source and destination. */
#define BENCH_SWAP(one, other) \
	do { \
		__typeof__(one) was = (one); \
		(one) = (other); \
		(other) = was; \
	} while (0)

/* Returns the whole file with a zero byte after it; the caller frees it with free(). */
char *bench_read_file(const char *path);
/* The path of a file of the benchmarks ("sdk/scan/kernel.ptx"), installed or in the tree of the build; valid
 * until the next call. */
const char *bench_find_file(const char *name);

/* -- the device -- */

/* Loads a PTX file. If it has errors, they are printed and the program ends. */
CUmodule bench_load(const char *path);
/* Prints and keeps, as printf makes it, what is worked on, such as "1048576 elements". */
__attribute__((format(printf, 2, 3))) void bench_work(struct bench *b, const char *format, ...);
/* The address of a variable of the PTX file (`__constant__` or `__device__`), which has at least `size`
 * bytes. */
CUdeviceptr bench_variable(const struct bench *b, const char *name, size_t size);
/* How many CTAs of cta threads make at least `threads` threads. */
unsigned bench_ctas(const struct bench *b, size_t threads, unsigned cta);

struct bench_dim {
	unsigned x, y, z;
};

/* A size in one to three dimensions: DIM(x), DIM(x, y) or DIM(x, y, z). */
#define DIM(...)                BENCH_DIM(__VA_ARGS__, 1, 1, 1)
#define BENCH_DIM(x, y, z, ...) ((struct bench_dim){ (unsigned)(x), (unsigned)(y), (unsigned)(z) })

/* The arguments of a launch: ARGS(&from, &to, INT(n), FLOAT(0.5f)). INT() and FLOAT() point to a value that
 * lives as long as the block around them. */
#define ARGS(...)    ((void *[]){ __VA_ARGS__ })
#define INT(value)   (&(int){ (int)(value) })
#define FLOAT(value) (&(float){ value })

/* Launches a kernel by its name, with a grid of CTAs and a CTA of threads of these sizes. args are pointers
 * to the arguments, as cuLaunchKernel() takes them. Does not wait for the kernel. */
void bench_launch(
	const struct bench *b, const char *kernel, struct bench_dim grid, struct bench_dim cta, void **args);
/* bench_launch() with that many bytes of dynamic shared memory. */
void bench_launch_shared(const struct bench *b, const char *kernel, struct bench_dim grid,
	struct bench_dim cta, unsigned shared_bytes, void **args);
/* bench_launch() with one thread for each of `threads`, in CTAs of cta threads. */
void bench_launch_1d(const struct bench *b, const char *kernel, size_t threads, unsigned cta, void **args);
/* bench_launch() with one thread for each of width by height elements. */
void bench_launch_2d(const struct bench *b, const char *kernel, size_t width, size_t height,
	struct bench_dim cta, void **args);

/* The time between these two calls is added to the kernel time. bench_stop() waits for what was launched. */
void bench_start(struct bench *b);
void bench_stop(struct bench *b);

#include "bench_check.h"

/* -- references -- */

/* The sum of count values, a power of two, as the tree of a CTA makes it: the second half is added to the
 * first, until one value is left, which is returned. Changes the values. */
float bench_tree_sum(float *values, size_t count);
/* Sorts values upwards. */
void bench_sort_i32(int32_t *values, size_t count);

#endif
