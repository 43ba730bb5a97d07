/* tests/ptx/random/random.c -- random valid programs, in which the registers of each thread are compared
 * with a plain scalar evaluator.
 *
 *   random [--card] [--first SEED] [--count N] [--length N] [--maxnreg REGISTERS] [--emit FILE]
 *
 * The program uses the CUDA driver API, so that the same PTX runs on the simulator and on a GPU (there with
 * --card, which leaves out what drivers are known to compile otherwise than the ISA says). A random
 * program loads registers of every kind from memory. It executes random instructions (forms.def) under
 * random guards, in nested branches, switches and loops whose path differs by lane, and calls functions
 * that may be recursive. It accesses the thread's own bytes in local, shared and global memory with loads,
 * stores and atomics of all widths, and executes warp-level operations (warp.def) where all threads are
 * converged. At the end it stores all registers. NaNs count as equal whatever their payload: no form
 * passes the bits of an f32 or f64 on to an integer. Halves are kept in integer registers; a result that
 * is not a number is 0x7fff. */
#include "random.h"
#include "cuda.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- comparison ---- */

static bool is_same(unsigned kind, union value expected, union value got)
{
	switch (kinds[kind].letter) {
	case 'f':
		return expected.u == got.u || (isnan(expected.f) && isnan(got.f));
	case 'g':
		return expected.U == got.U || (isnan(expected.g) && isnan(got.g));
	case 'p':
		return expected.p == (got.u != 0);
	case 'd':
		return expected.U == got.U;
	case 'h':
		return expected.w == got.w;
	default:
		return expected.u == got.u;
	}
}

/* Bytes 32 to 47 hold f32, 48 to 63 f64: see add_access in generate.c. */
static bool is_memory_same(const uint8_t *expected, const uint8_t *got)
{
	for (unsigned i = 32; i < BYTES; i += i < 48 ? 4 : 8) {
		union value e = { .U = 0 }, g = { .U = 0 };
		unsigned bytes = i < 48 ? 4 : 8;

		memcpy(&e, expected + i, bytes);
		memcpy(&g, got + i, bytes);
		if (!is_same(kind_of(i < 48 ? 'f' : 'g'), e, g))
			return false;
	}
	return !memcmp(expected, got, 32);
}

static unsigned compare(uint64_t seed, uint32_t tid, const struct thread *t, const uint8_t *got)
{
	static const char *const spaces[] = { "local", "shared", "global" };
	static const struct thread nothing;
	unsigned wrong = 0;

	if (t->exited) /* nothing was stored */
		t = &nothing;
	for (unsigned k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < POOL; i++) {
			union value v;

			memcpy(&v, got + (k * POOL + i) * 8, 8);
			if (is_same(k, t->frame.registers[k][i], v) || wrong++ > 3)
				continue;
			printf("seed %llu: thread %u: %%%c%u is %016llx, expected %016llx\n",
				(unsigned long long)seed, tid, kinds[k].letter, i, (unsigned long long)v.U,
				(unsigned long long)t->frame.registers[k][i].U);
		}
	for (unsigned s = 0; s < 3; s++)
		if (!is_memory_same(t->memory[s], got + ROW_BYTES + s * BYTES) && !wrong++)
			printf("seed %llu: thread %u: its .%s memory differs\n", (unsigned long long)seed,
				tid, spaces[s]);
	return wrong;
}

/* ---- the run ---- */

static void must(CUresult result, const char *what)
{
	const char *name = "?";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "random: %s: %s\n", what, name);
	exit(2);
}

static char *make_program(uint64_t seed, uint32_t length)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	generate_program(seed, length);
	print_program(out);
	fclose(out);
	return text;
}

static void fill_inputs(struct thread *threads, uint8_t *in)
{
	for (uint32_t tid = 0; tid < THREADS; tid++)
		for (unsigned k = 0; k < KINDS; k++)
			for (unsigned i = 0; i < POOL; i++) {
				union value v = draw_value(k);

				threads[tid].frame.registers[k][i] = v;
				if (kinds[k].letter == 'p')
					v = (union value){ .U = v.p };
				memcpy(in + tid * ROW_BYTES + (k * POOL + i) * 8, &v, 8);
			}
}

static unsigned run_seed(uint64_t seed, uint32_t length)
{
	static struct thread threads[THREADS];
	static uint8_t in[THREADS * ROW_BYTES], out[THREADS * OUT_BYTES];
	char *text = make_program(seed, length);
	uint32_t numbers[TABLE_WORDS];
	CUdeviceptr d_in, d_out, d_mine;
	CUmodule module;
	CUfunction function;
	unsigned wrong = 0;

	fill_inputs(threads, in);
	must(cuModuleLoadData(&module, text), "cuModuleLoadData");
	must(cuModuleGetFunction(&function, module, "random"), "cuModuleGetFunction");
	must(cuMemAlloc(&d_in, sizeof(in)), "cuMemAlloc");
	must(cuMemAlloc(&d_out, sizeof(out)), "cuMemAlloc");
	must(cuMemAlloc(&d_mine, THREADS * BYTES), "cuMemAlloc");
	for (uint32_t i = 0; i < TABLE_WORDS; i++)
		numbers[i] = table_word(i);
	must(cuMemcpyHtoD(d_in, in, sizeof(in)), "cuMemcpyHtoD");
	must(cuMemsetD8(d_out, 0, sizeof(out)), "cuMemsetD8");
	must(cuLaunchKernel(function, 1, 1, 1, THREADS, 1, 1, 0, NULL,
		     (void *[]){ &d_in, &d_out, &d_mine, numbers }, NULL),
		"cuLaunchKernel");
	must(cuMemcpyDtoH(out, d_out, sizeof(out)), "cuMemcpyDtoH");
	evaluate_program(threads);
	for (uint32_t tid = 0; tid < LIVE; tid++) {
		wrong += compare(seed, tid, &threads[tid], out + tid * OUT_BYTES);
	}
	cuMemFree(d_in);
	cuMemFree(d_out);
	cuMemFree(d_mine);
	cuModuleUnload(module);
	free(text);
	return wrong;
}

static void emit(const char *path, uint64_t seed, uint32_t length)
{
	char *text = make_program(seed, length);
	FILE *out = fopen(path, "w");

	if (!out || fputs(text, out) < 0 || fclose(out)) {
		perror(path);
		exit(2);
	}
	free(text);
}

int main(int argc, char **argv)
{
	uint64_t first = 1, count = 20, failed = 0;
	uint32_t length = 200;
	const char *path = NULL;
	CUdevice device;
	CUcontext context;

	if (argc > 1 && !strcmp(argv[1], "--card")) {
		program.for_card = true;
		argc--, argv++;
	}
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--first"))
			first = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--count"))
			count = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--length"))
			length = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--maxnreg"))
			program.maxnreg = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--emit"))
			path = argv[i + 1];
	}
	if (path) {
		emit(path, first, length);
		return 0;
	}
	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuCtxCreate(&context, 0, device), "cuCtxCreate");
	for (uint64_t seed = first; seed < first + count; seed++)
		failed += run_seed(seed, length) != 0;
	printf("%llu random programs, %llu wrong\n", (unsigned long long)count, (unsigned long long)failed);
	must(cuCtxDestroy(context), "cuCtxDestroy");
	return failed != 0;
}
