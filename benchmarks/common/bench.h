/* bench.h -- what the host programs of the benchmarks share: arguments, input, memory, launches, the verdict.
 *
 * A benchmark defines `bench_program`, which says what it is, and bench_run(), which does the work. main(),
 *in main.c, reads the arguments, opens device 0 and loads the kernels before bench_run(); after it, main()
 *frees what was allocated, prints PASS or FAIL and returns the exit status. bench_run() uses:
 *
 *	bench_host(), bench_floats(), bench_device*()  memory, which is freed at the end
 *	bench_work()      says what is worked on
 *	bench_launch*()   between bench_start() and bench_stop(), which measure by events: on the simulator,
 *simulated time bench_verify_*()  reads a result from the device and compares it with the reference
 *(bench_check.h)
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

/* What a benchmark is; its suite and its name are those of its folder. Tags and their words:
 * benchmarks/README.md. */
struct bench_program {
	const char *help;   /* one sentence */
	const char *source; /* whose algorithm or workload it is, and where the paper's size is printed */
	const char *tags;   /* separated by spaces */
	struct bench_size sizes[BENCH_SIZES];
	struct bench_choice choices[BENCH_CHOICES];
	unsigned long long limit; /* thread instructions of a run that the papers time at the paper's size; 0:
				     all */
	const char *ptx;          /* the file with the kernels; NULL: kernel.ptx in the folder */
};

struct bench {
	const struct bench_program *program;
	const char *folder, *name;         /* "sdk/vectoradd", "vectoradd" */
	size_t size[BENCH_SIZES];          /* as asked for, in the program's order */
	const char *choice[BENCH_CHOICES]; /* likewise */
	uint32_t seed;                     /* where random input begins: bench_random(&b->seed) */
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
/* Something outside the program is wrong, as printf says it. */
__attribute__((format(printf, 1, 2), noreturn)) void bench_die(const char *format, ...);
/* The command line is wrong. */
__attribute__((format(printf, 2, 3), noreturn)) void bench_wrong(
	const struct bench *b, const char *format, ...);

/* -- memory -- */

/* count * size bytes, zero, for free(). */
void *bench_alloc(size_t count, size_t size);
/* The list, made by realloc(), with room for one more than count elements of size bytes. */
void *bench_room(void *list, size_t count, size_t size);
/* count * size bytes, zero, freed at the end of the program. */
void *bench_host(struct bench *b, size_t count, size_t size);
/* The same for floats: zero, or random in [0, 1). */
float *bench_floats(struct bench *b, size_t count);
float *bench_random_floats(struct bench *b, size_t count);

/* count * size bytes on the device, whatever was there, for cuMemFree(). */
CUdeviceptr bench_device_alloc(size_t count, size_t size);
/* The same, freed at the end of the program, every byte 0xff: a float that nobody writes is a NaN, equal to
 * nothing. */
CUdeviceptr bench_device(struct bench *b, size_t count, size_t size);
/* The same, with what the host has; the second says it of an array. */
CUdeviceptr bench_device_copy(struct bench *b, const void *from, size_t count, size_t size);
#define BENCH_COPY(b, from, count) bench_device_copy(b, from, count, sizeof *(from))
/* The same, with count words of 32 bits, each `word`. */
CUdeviceptr bench_device_words(struct bench *b, size_t count, uint32_t word);
/* From the device to the host; the second says it of an array. */
void bench_read(void *to, CUdeviceptr from, size_t count, size_t size);
#define BENCH_READ(to, from, count) bench_read(to, from, count, sizeof *(to))
/* Two pointers change places: of arrays that take turns. */
#define BENCH_SWAP(one, other) \
	do { \
		__typeof__(one) was = (one); \
		(one) = (other); \
		(other) = was; \
	} while (0)

/* The whole file and a zero byte after it, for free(). */
char *bench_read_file(const char *path);

/* -- the device -- */

/* Loads a PTX file; its errors are printed. */
CUmodule bench_load(const char *path);
/* Say, as printf does, what is worked on: "1048576 elements". */
__attribute__((format(printf, 2, 3))) void bench_work(struct bench *b, const char *format, ...);
/* The address of a variable of the module (`__constant__`, `__device__`) of at least `size` bytes. */
CUdeviceptr bench_variable(const struct bench *b, const char *name, size_t size);
/* CTAs of cta threads that make at least `threads` threads. */
unsigned bench_ctas(const struct bench *b, size_t threads, unsigned cta);

struct bench_dim {
	unsigned x, y, z;
};

/* DIM(x), DIM(x, y), DIM(x, y, z) */
#define DIM(...)                BENCH_DIM(__VA_ARGS__, 1, 1, 1)
#define BENCH_DIM(x, y, z, ...) ((struct bench_dim){ (unsigned)(x), (unsigned)(y), (unsigned)(z) })

/* The arguments of a launch: ARGS(&from, &to, INT(n), FLOAT(0.5f)). INT() and FLOAT() point to a value that
 * lives as long as the block around them. */
#define ARGS(...)    ((void *[]){ __VA_ARGS__ })
#define INT(value)   (&(int){ (int)(value) })
#define FLOAT(value) (&(float){ value })

/* grid CTAs of cta threads of the kernel of that name; args as cuLaunchKernel() wants them: pointers to the
 * arguments. Does not wait. */
void bench_launch(
	const struct bench *b, const char *kernel, struct bench_dim grid, struct bench_dim cta, void **args);
/* The same with so many bytes of dynamic shared memory. */
void bench_launch_shared(const struct bench *b, const char *kernel, struct bench_dim grid,
	struct bench_dim cta, unsigned shared_bytes, void **args);
/* bench_launch() with one thread for each of `threads`, in CTAs of cta threads. */
void bench_launch_1d(const struct bench *b, const char *kernel, size_t threads, unsigned cta, void **args);
/* The same with one thread for each of width by height elements. */
void bench_launch_2d(const struct bench *b, const char *kernel, size_t width, size_t height,
	struct bench_dim cta, void **args);

/* The time between these two counts. bench_stop() waits for what was launched. */
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
