/* hotspot -- host side: temperatures of a chip after some steps, `pyramid` of them a launch.
 *
 * Checked for equality against the same steps on the whole chip, with fmaf() where the kernel's fma is: the
 * temperatures after the last launch, and those that it began with. */
#include "variant.h"
#include "hotspot/hotspot.h"

/* The chip of Rodinia's example: 16 mm x 16 mm x 0.5 mm of silicon in air. */
static const double width = 0.016, height = 0.016, thickness = 0.0005; /* m */
static const double conductivity = 100.0;                              /* W/(m K) */
static const double heat_capacity = 0.5 * 1.75e6; /* J/(m^3 K), a half for lumping a cell into a point */
static const double most_power = 3.0e6;           /* W/m^2 */
static const double precision = 0.001;            /* K that a step may change */

static struct hotspot_flow flow(size_t rows, size_t columns)
{
	double dx = width / (double)columns, dy = height / (double)rows;
	double capacity = heat_capacity * thickness * dx * dy;
	double step = precision * heat_capacity * thickness / most_power;

	return (struct hotspot_flow){
		.step = (float)(step / capacity),
		.along_x = (float)(2.0 * conductivity * thickness * dy / dx),
		.along_y = (float)(2.0 * conductivity * thickness * dx / dy),
		.out = (float)(conductivity * dx * dy / thickness),
		.ambient = 80.0f,
	};
}

/* One step on the whole chip. */
static void reference(const float *power, const float *from, float *to, size_t rows, size_t columns,
	const struct hotspot_flow *f)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t j = 0; j < columns; j++) {
			size_t at = i * columns + j;
			float t = from[at];
			float north = from[i ? at - columns : at],
			      south = from[i + 1 < rows ? at + columns : at];
			float west = from[j ? at - 1 : at], east = from[j + 1 < columns ? at + 1 : at];
			float sum = fmaf(fmaf(t, -2.0f, south + north), f->along_y, power[at]);
			sum = fmaf(fmaf(t, -2.0f, east + west), f->along_x, sum);
			sum = fmaf(f->ambient - t, f->out, sum);
			to[at] = fmaf(f->step, sum, t);
		}
}

/* What is worked on. */
struct chip {
	size_t rows, columns, steps, pyramid;
	struct hotspot_flow flow;
	float *power, *temperature;
};

static size_t cells(const struct chip *c)
{
	return c->rows * c->columns;
}

/* CTAs that store `stored` cells of n each. */
static unsigned tiles(size_t n, size_t stored)
{
	return (unsigned)((n + stored - 1) / stored);
}

static void chip_init(struct chip *c, struct bench *b)
{
	float cell_power = (float)(most_power * width * height / ((double)b->size[0] * (double)b->size[1]));

	*c = (struct chip){ b->size[0], b->size[1], b->size[2], b->size[3],
		.flow = flow(b->size[0], b->size[1]) };
	c->power = bench_host(b, cells(c), sizeof *c->power);
	c->temperature = bench_host(b, cells(c), sizeof *c->temperature);
	for (size_t i = 0; i < cells(c); i++) {
		c->temperature[i] = 323.0f + 20.0f * bench_random_f32(&b->seed);
		c->power[i] = cell_power * bench_random_f32(&b->seed);
	}
}

/* d[0]: where the temperatures are, and afterwards what the last launch began with; d[1]: the result. */
static void run(struct bench *b, const struct chip *c, CUdeviceptr d[2])
{
	CUdeviceptr dpower = BENCH_COPY(b, c->power, cells(c));
	struct hotspot_flow f = c->flow;
	size_t stored = HOTSPOT_TILE - 2 * c->pyramid;
	CUdeviceptr dscratch = variant_scratch(b, (size_t)tiles(c->rows, stored) * tiles(c->columns, stored),
		HOTSPOT_SCRATCH * sizeof(float));

	bench_start(b);
	for (size_t done = 0, n; done < c->steps; done += n) {
		n = c->pyramid < c->steps - done ? c->pyramid : c->steps - done;
		struct bench_dim grid =
			DIM(tiles(c->columns, HOTSPOT_TILE - 2 * n), tiles(c->rows, HOTSPOT_TILE - 2 * n));
		if (done)
			BENCH_SWAP(d[0], d[1]);
		bench_launch(b, "hotspot", grid, DIM(HOTSPOT_TILE, HOTSPOT_TILE),
			ARGS(&dpower, &d[0], &d[1], INT(c->rows), INT(c->columns), INT(n), &f, &dscratch));
	}
	bench_stop(b);
}

static void compare(struct bench *b, const struct chip *c, const CUdeviceptr d[2])
{
	size_t last = (c->steps - 1) / c->pyramid * c->pyramid; /* steps before the last launch */
	float *from = c->temperature, *to = bench_floats(b, cells(c));

	for (size_t s = 0;; s++) {
		float *other = from;
		if (s == last || s == c->steps)
			bench_verify_f32(
				b, s == c->steps ? "cell" : "earlier cell", d[s == c->steps], from, cells(c));
		if (s == c->steps)
			break;
		reference(c->power, from, to, c->rows, c->columns, &c->flow);
		from = to;
		to = other;
	}
}

const struct bench_program bench_program = {
	.help = "Follows the temperatures of a chip whose cells give off heat.",
	.source = "Rodinia hotspot (Che et al., IISWC 2009), its 2 steps; MRPB, Table 3: 512x512",
	.tags = VARIANT_TAGS("mrpb dwtcs streaming"),
	.sizes = { { "rows", "rows of cells", { 75, 320, 512, 512 }, 16384 },
		{ "columns", "columns of cells", { 61, 320, 512, 512 }, 16384 },
		{ "steps", "steps in time", { 5, 3, 2, 2 }, 10000 },
		{ "pyramid", "steps of a launch", { 2, 2, 2, 2 }, HOTSPOT_TILE / 2 - 1 } },
	.repro = "the paper's; steps: one launch, as the paper's",
};

void bench_run(struct bench *b)
{
	struct chip c;

	chip_init(&c, b);
	bench_work(b, "%zux%zu, %zu steps, %zu a launch", c.rows, c.columns, c.steps, c.pyramid);

	CUdeviceptr d[2] = { BENCH_COPY(b, c.temperature, cells(&c)),
		bench_device(b, cells(&c), sizeof *c.temperature) };
	run(b, &c, d);
	compare(b, &c, d);
}
