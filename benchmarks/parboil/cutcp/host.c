/* cutcp -- host side: atoms of water in bins, the potential of a layer of the lattice a launch.
 *
 * Parboil gives atoms for which a bin has no room to the host; here none are made. Checked against sums in
 * double, atom by atom rather than point by point, as parts of S, the sum of |q| / r at the point (no term is
 * more, for s <= 1). The bound has three parts: 2^-22.4 for rsqrt.approx (PTX ISA); 22 2^-24 for the other
 * roundings of a term, which are 5 in the squared distance, half of it in 1 / r, then 7 in r^2 / cutoff^2 and
 * one in s = 1 - r^2 / cutoff^2, which counts twice, and 3 products; N 2^-24 for N additions at most. */
#include "bench.h"

enum { EDGE = 4, DEPTH = 8, MOST_CUTOFF = 12, MOST_REACH = 3, SIDE = 8, MOST_NEIGHBOURS = 343 };

struct atom {
	float x, y, z, q;
};

struct box {
	int bins[3];   /* without those around */
	int padded[3]; /* with `reach` on each side */
	int reach;
	double cutoff;
	struct atom *atoms; /* DEPTH a bin, charge 0: none */
	size_t bin_count, atom_count;
};

struct lattice {
	int points[3];
	size_t count;
	double *sum, *scale; /* of q / r s^2 and of |q| / r */
	int32_t *terms;
};

static size_t bin_at(const struct box *w, int x, int y, int z)
{
	return (size_t)((z * w->padded[1] + y) * w->padded[0] + x);
}

/* 0.1 atoms to the unit of volume, as in water, anywhere; oxygen and hydrogen by turns. */
static void box_make(struct bench *b, struct box *w)
{
	size_t volume = 1, wanted;

	w->cutoff = (double)b->size[3];
	w->reach = ((int)b->size[3] + EDGE - 1) / EDGE;
	w->bin_count = 1;
	for (int i = 0; i < 3; i++) {
		w->bins[i] = (int)b->size[i] / EDGE;
		w->padded[i] = w->bins[i] + 2 * w->reach;
		w->bin_count *= (size_t)w->padded[i];
		volume *= b->size[i];
	}
	w->atoms = bench_host(b, w->bin_count * DEPTH, sizeof *w->atoms);
	wanted = volume / 10;
	for (size_t i = 0; i < wanted; i++) {
		int at[3];
		float place[3];
		for (int k = 0; k < 3; k++) {
			at[k] = (int)bench_random_below(&b->seed, (uint64_t)w->bins[k]);
			place[k] = EDGE * ((float)at[k] + bench_random_f32(&b->seed));
		}
		struct atom *bin =
			w->atoms + DEPTH * bin_at(w, at[0] + w->reach, at[1] + w->reach, at[2] + w->reach);
		int used = 0;
		while (used < DEPTH && bin[used].q != 0.0f)
			used++;
		if (used == DEPTH)
			continue;
		bin[used] = (struct atom){ place[0], place[1], place[2], i % 3 ? 0.417f : -0.834f };
		w->atom_count++;
	}
}

/* Offsets of the bins that a region may reach. */
static int neighbours_of(const struct box *w, int32_t *offset)
{
	int count = 0, r = w->reach;

	for (int z = -r; z <= r; z++)
		for (int y = -r; y <= r; y++)
			for (int x = -r; x <= r; x++) {
				int gap[3] = { abs(x), abs(y), abs(z) }, squares = 0;
				for (int k = 0; k < 3; k++)
					squares += gap[k] > 1 ? (gap[k] - 1) * EDGE * (gap[k] - 1) * EDGE : 0;
				if (squares < w->cutoff * w->cutoff)
					offset[count++] = (z * w->padded[1] + y) * w->padded[0] + x;
			}
	return count;
}

/* Adds what the atom does at every point within the cutoff. */
static void add_atom(struct lattice *l, const struct atom *a, double cutoff)
{
	double at[3] = { (double)a->x, (double)a->y, (double)a->z };
	int low[3], high[3];

	for (int k = 0; k < 3; k++) {
		low[k] = (int)fmax(0, ceil((at[k] - cutoff) * 2));
		high[k] = (int)fmin(l->points[k] - 1, floor((at[k] + cutoff) * 2));
	}
	for (int z = low[2]; z <= high[2]; z++)
		for (int y = low[1]; y <= high[1]; y++)
			for (int x = low[0]; x <= high[0]; x++) {
				double dx = 0.5 * x - at[0], dy = 0.5 * y - at[1], dz = 0.5 * z - at[2];
				double r2 = dx * dx + dy * dy + dz * dz, s = 1 - r2 / (cutoff * cutoff);
				size_t i = (size_t)((z * l->points[1] + y) * l->points[0] + x);
				if (s <= 0)
					continue;
				l->sum[i] += (double)a->q / sqrt(r2) * s * s;
				l->scale[i] += fabs((double)a->q) / sqrt(r2);
				l->terms[i]++;
			}
}

static void run(struct bench *b, const struct box *w, const struct lattice *l, float *got)
{
	int32_t offset[MOST_NEIGHBOURS];
	int neighbours = neighbours_of(w, offset);
	int origin = (int)bin_at(w, w->reach, w->reach, w->reach), row = w->padded[0],
	    plane = row * w->padded[1];
	float cutoff2 = (float)(w->cutoff * w->cutoff), inverse = 1.0f / cutoff2;
	CUdeviceptr bins = BENCH_COPY(b, w->atoms, w->bin_count * DEPTH);
	CUdeviceptr lattice = bench_device(b, l->count, sizeof *got);

	CHECK(cuMemcpyHtoD(
		bench_variable(b, "neighbour", sizeof offset), offset, (size_t)neighbours * sizeof *offset));
	bench_start(b);
	for (int z = 0; z < w->bins[2]; z++)
		bench_launch(b, "cutoff_potential", DIM(w->bins[0], w->bins[1]), DIM(8, 2, 8),
			ARGS(&bins, &lattice, &origin, &row, &plane, &neighbours, &cutoff2, &inverse, &z));
	bench_stop(b);
	BENCH_READ(got, lattice, l->count);
}

/* Values as parts of their scale. */
static void compare(struct bench *b, const struct lattice *l, float *got)
{
	float *want = bench_floats(b, l->count);
	int32_t most = 0;

	for (size_t i = 0; i < l->count; i++) {
		double scale = l->terms[i] ? l->scale[i] : 1;
		got[i] = (float)((double)got[i] / scale);
		want[i] = (float)(l->sum[i] / scale);
		most = l->terms[i] > most ? l->terms[i] : most;
	}
	bench_near_f32(b, "potential, as part of the sum of |q| / r, at point", got, want, l->count,
		exp2(-22.4) + (24 + most) * exp2(-24), 1.0); /* 2 more: the divisions just made */
}

const struct bench_program bench_program = {
	.help = "Adds up the Coulomb potential of atoms within a cutoff, on a lattice.",
	.source = "Parboil cutcp, its small data set's size: a box of 40^3 of water, cutoff 12",
	.tags = "reuse",
	.sizes = { { "x", "edge of the box", { 12, 28, 40, 40 }, 400, EDGE, EDGE },
		{ "y", "edge of the box", { 8, 28, 40, 40 }, 400, EDGE, EDGE },
		{ "z", "edge of the box", { 4, 4, 16, 40 }, 400, EDGE, EDGE },
		{ "cutoff", "distance from which an atom counts no more", { 6, 8, 8, 12 }, MOST_CUTOFF } },
	.repro = "z, cutoff: the paper's take 6500 million thread instructions, of which few are loads",
};

void bench_run(struct bench *b)
{
	struct lattice l = { .count = 1 };
	struct box w = { 0 };

	box_make(b, &w);
	for (int i = 0; i < 3; i++)
		l.count *= (size_t)(l.points[i] = w.bins[i] * SIDE);
	bench_work(b, "%zu atoms in %zux%zux%zu, cutoff %zu, %zu points", w.atom_count, b->size[0],
		b->size[1], b->size[2], b->size[3], l.count);
	l.sum = bench_host(b, l.count, sizeof *l.sum);
	l.scale = bench_host(b, l.count, sizeof *l.scale);
	l.terms = bench_host(b, l.count, sizeof *l.terms);
	float *got = bench_floats(b, l.count);
	run(b, &w, &l, got);

	for (size_t i = 0; i < w.bin_count * DEPTH; i++)
		if (w.atoms[i].q != 0.0f)
			add_atom(&l, &w.atoms[i], w.cutoff);
	compare(b, &l, got);
}
