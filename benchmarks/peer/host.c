/* peer -- host side of the kernels on which the peer was measured (README.md), with the inputs and launches
 * of that measurement. `peer KERNEL [OPTION]... [n]`; results are checked for equality, as the kernels add
 * and round. */
#include "polybench/polybench.h"

enum { CTA = 256, TILE = 16 };

#define SOURCE "one of the kernels of the comparison of speed with GPGPU-Sim: benchmarks/peer"
#define PROGRAM(kernel, text, ...) \
	static const struct bench_program kernel##_program = { .help = text, \
		.source = SOURCE, \
		.tags = "", \
		.sizes = __VA_ARGS__, \
		.ptx = "peer/ptx/" #kernel ".ptx" }

static void launch(struct bench *b, struct bench_dim grid, struct bench_dim cta, void **args)
{
	bench_start(b);
	bench_launch(b, b->name, grid, cta, args);
	bench_stop(b);
}

static void launch_1d(struct bench *b, size_t threads, void **args)
{
	launch(b, DIM(bench_ctas(b, threads, CTA)), DIM(CTA), args);
}

PROGRAM(vecadd, "c = a + b.", { { "n", "size", { 1000, 65536, 262144 }, 1 << 28 } });
static void vecadd(struct bench *b, size_t n)
{
	float *x = bench_random_floats(b, n), *y = bench_random_floats(b, n), *want = bench_floats(b, n);
	CUdeviceptr dx = BENCH_COPY(b, x, n), dy = BENCH_COPY(b, y, n), dz = bench_device_words(b, n, 0);

	launch_1d(b, n, ARGS(&dx, &dy, &dz, INT(n)));
	for (size_t i = 0; i < n; i++)
		want[i] = x[i] + y[i];
	bench_verify_f32(b, "element", dz, want, n);
}

PROGRAM(matmul, "C = A B, an element a thread.", { { "n", "rows", { 32, 96, 128 }, 8192, 0, TILE } });
static void matmul(struct bench *b, size_t n)
{
	float *x = bench_random_floats(b, n * n), *y = bench_random_floats(b, n * n),
	      *want = bench_floats(b, n * n);
	CUdeviceptr dx = BENCH_COPY(b, x, n * n), dy = BENCH_COPY(b, y, n * n);
	CUdeviceptr dz = bench_device_words(b, n * n, 0);
	unsigned tiles = (unsigned)(n / TILE);

	launch(b, DIM(tiles, tiles), DIM(TILE, TILE), ARGS(&dx, &dy, &dz, INT(n)));
	poly_add_product(want, x, y, n, n, n);
	bench_verify_f32(b, "element", dz, want, n * n);
}

/* y = A x (atax1) or transpose(A) x (atax2), whose kernels take the two vectors the other way round. */
static void atax(struct bench *b, size_t n, bool is_transposed)
{
	float *a = bench_random_floats(b, n * n), *x = bench_random_floats(b, n), *want = bench_floats(b, n);
	CUdeviceptr da = BENCH_COPY(b, a, n * n), dx = BENCH_COPY(b, x, n);
	CUdeviceptr dy = bench_device_words(b, n, 0);

	if (is_transposed) {
		launch_1d(b, n, ARGS(&da, &dy, &dx, INT(n), INT(n)));
		poly_add_transposed_times(want, a, x, n, n);
	} else {
		launch_1d(b, n, ARGS(&da, &dx, &dy, INT(n), INT(n)));
		poly_add_times(want, a, x, n, n);
	}
	bench_verify_f32(b, "element", dy, want, n);
}

PROGRAM(atax1, "y = A x, a row a thread.", { { "n", "size", { 100, 300, 1024 }, 16384 } });
static void atax1(struct bench *b, size_t n)
{
	atax(b, n, false);
}

PROGRAM(atax2, "y = transpose(A) x, a column a thread.", { { "n", "size", { 100, 300, 1024 }, 16384 } });
static void atax2(struct bench *b, size_t n)
{
	atax(b, n, true);
}

PROGRAM(syrk, "C = 1.5 A transpose(A) + 0.5 C.", { { "n", "rows", { 32, 64, 128 }, 8192, 0, POLY_X } });
static void syrk(struct bench *b, size_t n)
{
	float *a = bench_random_floats(b, n * n), *want = bench_random_floats(b, n * n);
	CUdeviceptr da = BENCH_COPY(b, a, n * n), dc = BENCH_COPY(b, want, n * n);
	float alpha = 1.5f, beta = 0.5f;

	launch(b, DIM(n / POLY_X, n / POLY_Y), DIM(POLY_X, POLY_Y),
		ARGS(&alpha, &beta, &da, &dc, INT(n), INT(n)));
	poly_syrk(want, a, alpha, beta, n, n);
	bench_verify_f32(b, "element", dc, want, n * n);
}

PROGRAM(reduce, "Sums of 256 floats each, a tree in shared memory.",
	{ { "n", "size", { 1000, 65536, 1 << 20 }, 1 << 28 } });
static void reduce(struct bench *b, size_t n)
{
	unsigned ctas = bench_ctas(b, n, CTA);
	float *in = bench_random_floats(b, n), *want = bench_floats(b, ctas);
	CUdeviceptr din = BENCH_COPY(b, in, n), dout = bench_device_words(b, ctas, 0);

	launch_1d(b, n, ARGS(&din, &dout, INT(n)));
	for (unsigned cta = 0; cta < ctas; cta++) {
		float sum[CTA];
		for (size_t t = 0; t < CTA; t++)
			sum[t] = cta * CTA + t < n ? in[cta * CTA + t] : 0.0f;
		want[cta] = bench_tree_sum(sum, CTA);
	}
	bench_verify_f32(b, "element", dout, want, ctas);
}

/* -- graphs: compressed rows; every 64th vertex has up to 256 neighbours, the others up to 8 -- */

struct graph {
	size_t n, edges;
	int *rows, *columns;
	CUdeviceptr on_device[2];
};

static struct graph graph_new(struct bench *b, size_t n)
{
	size_t most = (n / 64 + 1) * 256 + n * 8;
	struct graph g = { .n = n,
		.rows = bench_host(b, n + 1, sizeof *g.rows),
		.columns = bench_host(b, most, sizeof *g.columns) };

	for (size_t v = 0; v < n; v++) {
		uint32_t r = bench_random(&b->seed), degree = 1 + r % (v % 64 ? 8 : 256);
		for (uint32_t i = 0; i < degree; i++)
			g.columns[g.edges++] = (int)((uint64_t)bench_random(&b->seed) * n >> 24);
		g.rows[v + 1] = (int)g.edges;
	}
	g.on_device[0] = BENCH_COPY(b, g.rows, n + 1);
	g.on_device[1] = BENCH_COPY(b, g.columns, g.edges);
	return g;
}

PROGRAM(spmv, "y = A x, A sparse with skewed rows, a row a thread.",
	{ { "n", "size", { 500, 4096, 32768 }, 1 << 22 } });
static void spmv(struct bench *b, size_t n)
{
	struct graph g = graph_new(b, n);
	float *values = bench_random_floats(b, g.edges), *x = bench_random_floats(b, n),
	      *want = bench_floats(b, n);
	CUdeviceptr dv = BENCH_COPY(b, values, g.edges);
	CUdeviceptr dx = BENCH_COPY(b, x, n), dy = bench_device_words(b, n, 0);

	launch_1d(b, n, ARGS(INT(n), &g.on_device[0], &g.on_device[1], &dv, &dx, &dy));
	for (size_t v = 0; v < n; v++)
		for (int k = g.rows[v]; k < g.rows[v + 1]; k++)
			want[v] = fmaf(values[k], x[g.columns[k]], want[v]);
	bench_verify_f32(b, "element", dy, want, n);
}

/* Levels from vertex 0; -1: not reached. */
static void bfs_reference(const struct graph *g, int *cost, int *queue)
{
	size_t head = 0, tail = 1;

	for (size_t v = 0; v < g->n; v++)
		cost[v] = v ? -1 : 0;
	for (queue[0] = 0; head < tail; head++)
		for (int v = queue[head], k = g->rows[v]; k < g->rows[v + 1]; k++)
			if (cost[g->columns[k]] < 0) {
				cost[g->columns[k]] = cost[v] + 1;
				queue[tail++] = g->columns[k];
			}
}

PROGRAM(bfs, "Breadth-first levels from vertex 0, a launch a level.",
	{ { "n", "size", { 500, 4096, 32768 }, 1 << 22 } });
static void bfs(struct bench *b, size_t n)
{
	struct graph g = graph_new(b, n);
	int *want = bench_host(b, n, sizeof *want), *got = bench_host(b, n, sizeof *got), zero = 0,
	    changed = 1;
	CUdeviceptr dcost = bench_device_words(b, n, UINT32_MAX), dchanged = bench_device_words(b, 1, 0);

	CHECK(cuMemcpyHtoD(dcost, &zero, sizeof zero));
	for (int level = 0; changed; level++) {
		CHECK(cuMemsetD32(dchanged, 0, 1));
		launch_1d(b, n, ARGS(INT(n), &g.on_device[0], &g.on_device[1], &dcost, &level, &dchanged));
		BENCH_READ(&changed, dchanged, 1);
	}
	bfs_reference(&g, want, got);
	bench_verify_i32(b, "level of vertex", dcost, want, n);
}

static const struct {
	const char *name;
	const struct bench_program *program;
	void (*run)(struct bench *b, size_t n);
} kernels[] = {
	{ "vecadd", &vecadd_program, vecadd },
	{ "matmul", &matmul_program, matmul },
	{ "atax1", &atax1_program, atax1 },
	{ "atax2", &atax2_program, atax2 },
	{ "syrk", &syrk_program, syrk },
	{ "reduce", &reduce_program, reduce },
	{ "spmv", &spmv_program, spmv },
	{ "bfs", &bfs_program, bfs },
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static int usage(FILE *stream, int status)
{
	fprintf(stream, "usage: peer KERNEL [OPTION]... [n]; peer KERNEL --help says more\n");
	for (size_t i = 0; i < KERNELS; i++)
		fprintf(stream, "  %-8s %s\n", kernels[i].name, kernels[i].program->help);
	return status;
}

int main(int argc, char **argv)
{
	size_t i = 0;
	struct bench b;
	char folder[64];

	if (argc < 2 || !strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"))
		return usage(argc < 2 ? stderr : stdout, argc < 2 ? 2 : 0);
	while (i < KERNELS && strcmp(kernels[i].name, argv[1]))
		i++;
	if (i == KERNELS) {
		fprintf(stderr, "peer: %s: no such kernel\n", argv[1]);
		return usage(stderr, 2);
	}
	snprintf(folder, sizeof folder, "peer/%s", kernels[i].name);
	bench_begin(&b, folder, kernels[i].program, argc - 1, argv + 1);
	bench_work(&b, "%zu", b.size[0]);
	kernels[i].run(&b, b.size[0]);
	return bench_end(&b);
}
