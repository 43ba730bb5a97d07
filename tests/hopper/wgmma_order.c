/* tests/hopper/wgmma_order.c -- products of warpgroups in a row: along k within a swizzled tile, several
 * groups under way, all 128 accumulators of a thread, warps far apart, operands of the own CTA in a cluster.
 */
#include "hopper.h"
#include "numbers.h"
#include <stdio.h>
#include <stdlib.h>

enum { K = 64, TILE = 64 * 2 * K, MOST_N = 256, THREADS = 128 };

/* f16 tiles of 64 columns, a row of them 128 bytes, with the swizzle of 128 bytes: A of 64 rows, B of 256. */
static uint16_t a_tile[TILE / 2], b_tile[4 * TILE / 2];
static float a[64][K], b[MOST_N][K];
static float out[MOST_N / 2][THREADS];

static void fill(uint64_t *state)
{
	for (unsigned row = 0; row < 64 + MOST_N; row++)
		for (unsigned k = 0; k < K; k++) {
			double value = (double)(random_bits(state) % 9) - 4;
			unsigned r = row < 64 ? row : row - 64;
			unsigned at = r * K + ((k / 8) ^ (r % 8)) * 8 + k % 8;

			if (row < 64) {
				a[r][k] = (float)value;
				a_tile[at] = (uint16_t)number_round_f16(value);
			} else {
				b[r][k] = (float)value;
				b_tile[at] = (uint16_t)number_round_f16(value);
			}
		}
}

static float product(unsigned row, unsigned column, unsigned from, unsigned to)
{
	float sum = 0;

	for (unsigned k = from; k < to; k++)
		sum += a[row][k] * b[column][k];
	return sum;
}

/* ---- kernels ---- */

static void print_list(FILE *to, const char *name, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "%s%%%s%u", i ? "," : "{", name, i);
	fputs("}", to);
}

/* %d1 and %d2: descriptors of A and B; k: which 16 columns. */
static void print_product(FILE *to, const char *name, unsigned n, unsigned k, bool adds)
{
	fprintf(to, "add.u64 %%d3, %%d1, %u; add.u64 %%d4, %%d2, %u;\n", 2 * k, 2 * k);
	fprintf(to, "wgmma.mma_async.sync.aligned.m64n%uk16.f32.f16.f16 ", n);
	print_list(to, name, n / 2);
	fprintf(to, ", %%d3, %%d4, %u, 1, 1, 0, 0;\n", adds);
}

#define COMMIT  "wgmma.commit_group.sync.aligned;\n"
#define FENCE   "wgmma.fence.sync.aligned;\n"
#define WAIT(n) "wgmma.wait_group.sync.aligned " #n ";\n"

/* The tiles are in shared memory at 0 and 8192. peer: what is done with their address. */
static void begin_kernel(FILE *to, const char *name, const char *peer)
{
	fprintf(to,
		".visible .entry %s(.param .u64 a, .param .u64 b, .param .u64 out) {\n"
		".reg .f32 %%f<128>, %%g<32>; .reg .b32 %%r<12>; .reg .b64 %%d<8>; .reg .pred %%p<3>;\n"
		"ld.param.u64 %%d5, [a]; ld.param.u64 %%d6, [b]; ld.param.u64 %%d0, [out];\n"
		"mov.u32 %%r0, %%tid.x; mov.u32 %%r1, sm; mad.lo.u32 %%r2, %%r0, 16, %%r1;\n"
		"mad.wide.u32 %%d0, %%r0, 4, %%d0; mad.wide.u32 %%d5, %%r0, 16, %%d5;\n"
		"mad.wide.u32 %%d6, %%r0, 16, %%d6; mov.u32 %%r3, 0; setp.ge.u32 %%p1, %%r0, 128; @%%p1 bra "
		"FILLED;\n"
		"COPY: setp.lt.u32 %%p0, %%r3, 8192;\n"
		"@%%p0 ld.global.v4.u32 {%%r4,%%r5,%%r6,%%r7}, [%%d5];\n"
		"@!%%p0 ld.global.v4.u32 {%%r4,%%r5,%%r6,%%r7}, [%%d6];\n"
		"st.shared.v4.u32 [%%r2], {%%r4,%%r5,%%r6,%%r7};\n"
		"@%%p0 add.u64 %%d5, %%d5, 2048; @!%%p0 add.u64 %%d6, %%d6, 2048;\n"
		"add.u32 %%r2, %%r2, 2048; add.u32 %%r3, %%r3, 2048; setp.lt.u32 %%p0, %%r3, 40960; @%%p0 "
		"bra COPY;\n"
		"FILLED: fence.proxy.async; bar.sync 0;\n%s"
		"and.b32 %%r1, %%r1, 0x3ffff; shr.u32 %%r1, %%r1, 4; cvt.u64.u32 %%d1, %%r1;\n"
		"or.b64 %%d1, %%d1, 0x4000004000010000; add.u64 %%d2, %%d1, 512;\n" FENCE,
		name, peer);
}

static void end_kernel(FILE *to, const char *name, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		fprintf(to, "st.global.f32 [%%d0+%u], %%%s%u;\n", 512 * i, name, i);
	fprintf(to, "ret;\n}\n");
}

/* One sum along the whole tile, in four steps of 32 bytes. */
static void print_along(FILE *to, const char *kernel, const char *peer)
{
	begin_kernel(to, kernel, peer);
	for (unsigned k = 0; k < 4; k++)
		print_product(to, "f", 256, k, k);
	fprintf(to, COMMIT WAIT(0));
	end_kernel(to, "f", 128);
}

/* The first group is used while the second is under way. */
static void print_groups(FILE *to)
{
	begin_kernel(to, "groups", "");
	print_product(to, "f", 256, 0, false);
	fprintf(to, COMMIT);
	print_product(to, "g", 64, 3, false);
	fprintf(to, COMMIT WAIT(1));
	for (unsigned i = 0; i < 128; i++)
		fprintf(to, "add.f32 %%f%u, %%f%u, 0f42C80000;\n", i, i);
	fprintf(to, FENCE);
	print_product(to, "f", 256, 1, true);
	fprintf(to, COMMIT WAIT(1));
	for (unsigned i = 0; i < 32; i++)
		fprintf(to, "add.f32 %%g%u, %%g%u, 0f3F800000;\n", i, i);
	fprintf(to, WAIT(0));
	for (unsigned i = 0; i < 32; i++)
		fprintf(to, "add.f32 %%f%u, %%f%u, %%g%u;\n", i, i, i);
	end_kernel(to, "f", 128);
}

/* Warp 0 is the first, and when it has waited, a fifth warp overwrites the tiles, which the others, for whom
 * a sixth comes late, have yet to read if nothing keeps warp 0. */
static void print_late(FILE *to)
{
	begin_kernel(to, "late", "");
	fprintf(to,
		"setp.lt.u32 %%p0, %%r0, 128; @%%p0 bra CONSUMER;\n"
		"setp.ge.u32 %%p0, %%r0, 160; @%%p0 bra LAST; bar.sync 1, 64; sub.u32 %%r0, %%r0, 128;\n"
		"mov.u32 %%r1, sm; mad.lo.u32 %%r2, %%r0, 4, %%r1; mov.u32 %%r3, 0; mov.u32 %%r4, "
		"0x3c003c00;\n"
		"WIPE: st.shared.u32 [%%r2], %%r4; add.u32 %%r2, %%r2, 128; add.u32 %%r3, %%r3, 128;\n"
		"setp.lt.u32 %%p0, %%r3, 40960; @%%p0 bra WIPE; ret;\n"
		"LAST: mov.u32 %%r3, 0;\n"
		"DELAY: add.u32 %%r3, %%r3, 1; setp.lt.u32 %%p1, %%r3, 2000; @%%p1 bra DELAY; bar.sync 2, "
		"128; ret;\n"
		"CONSUMER: setp.lt.u32 %%p0, %%r0, 32; @!%%p0 bar.sync 2, 128;\n");
	print_product(to, "f", 256, 0, false);
	fprintf(to, COMMIT WAIT(0) "@%%p0 bar.sync 1, 64;\n");
	end_kernel(to, "f", 128);
}

static CUmodule make_module(void)
{
	char *text;
	size_t size;
	FILE *to = open_memstream(&text, &size);
	CUmodule module;

	fprintf(to,
		".version 8.7\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 sm[];\n");
	print_along(to, "along", "");
	print_along(to, "cluster",
		"mov.u32 %r8, %cluster_ctarank; xor.b32 %r8, %r8, 1; mapa.shared::cluster.u32 %r1, %r1, "
		"%r8;\n");
	print_groups(to);
	print_late(to);
	fclose(to);
	module = hopper_module(text);
	free(text);
	return module;
}

/* ---- comparisons ---- */

static float result(unsigned row, unsigned column)
{
	unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;

	return out[column / 8 * 4 + row % 16 / 8 * 2 + column % 2][thread];
}

static bool compare(const char *kernel, unsigned to, float more, bool has_second)
{
	for (unsigned row = 0; row < 64; row++)
		for (unsigned column = 0; column < MOST_N; column++) {
			float want = product(row, column, 0, to) + more;

			/* the second group's sums of 64 columns have as many registers as f0 to f31 */
			if (has_second && column < 64)
				want += product(row, column, 48, 64) + 1;
			if (!expect(result(row, column) == want, "%s: row %u column %u: %g, not %g", kernel,
				    row, column, (double)result(row, column), (double)want))
				return false;
		}
	return true;
}

static CUdeviceptr d_a, d_b, d_out;

static void run(CUmodule module, const char *name, unsigned ctas, unsigned threads)
{
	CUfunction kernel = hopper_kernel(module, name);
	void *arguments[] = { &d_a, &d_b, &d_out };

	must(hopper_launch(kernel, ctas, ctas, threads, 5 * TILE, arguments), name);
	hopper_read(out, d_out, sizeof(out));
}

int main(void)
{
	CUmodule module = make_module();
	uint64_t state = 3;

	fill(&state);
	d_a = hopper_memory(a_tile, sizeof(a_tile));
	d_b = hopper_memory(b_tile, sizeof(b_tile));
	d_out = hopper_memory(NULL, sizeof(out));
	run(module, "along", 1, THREADS);
	compare("along", 64, 0, false);
	fact(31, "steps along k within a swizzled tile add to the start address before the exclusive or");
	run(module, "groups", 1, THREADS);
	compare("groups", 32, 100, true);
	fact(33, "all 128 accumulators of a thread have their sums behind the wait");
	fact(34, "a wait for all but one group, and the next products behind a fence");
	run(module, "late", 1, THREADS + 64);
	if (compare("late", 16, 0, false))
		puts("fact 34a: a wait lasts until all four warps have issued their part");
	run(module, "cluster", 2, THREADS);
	if (compare("cluster", 64, 0, false))
		fact(36,
			"operands are in the own CTA's shared memory, whatever CTA of the cluster the "
			"address names");
	forms(4);
	return hopper_end();
}
