/* particlefilter -- host side: a video of a noisy disk that moves on by (1, -2) a frame, and for each frame
 * the five kernels, one after the other; random numbers and the exponential are those of model.h on both
 * sides.
 *
 * Checked for equality, what the last frame leaves, which follows from all before it: places and random
 * states exactly, floats too: sums are added in the kernels' order, those of a CTA as its tree does. */
#include "bench.h"
#include "particlefilter/model.h"

enum { CTA = 512, DARK = 100, BRIGHT = 228, MOST_RADIUS = 32 };
enum { X, Y, AT_X, AT_Y, WEIGHT, RUNNING, DRAW, FIELDS }; /* floats, one for each particle */

struct filter {
	size_t particles, frames, side, ones, ctas;
	int radius;
	uint8_t *video; /* [x][y][frame] */
	int32_t *disk;  /* ones pairs of offsets */

	float *field[FIELDS]; /* one behind the other */
	float *partial;       /* [ctas]; their sum comes in the place of the first */
	uint32_t *state;
	int32_t *place; /* [particles][ones] */
};

struct device {
	CUdeviceptr video, disk, field[FIELDS], partial, state, place;
};

const struct bench_program bench_program = {
	.help = "Follows a disk through a video by a particle filter.",
	.source = "Rodinia particlefilter, float version; pf of WarpPool; ten times its usual 1000 particles",
	.tags = "warppool cache-limited",
	.sizes = { { "particles", "guesses", { 550, 2000, 10000, 10000 }, 1u << 20 },
		{ "frames", "of the video", { 2, 2, 2, 10 }, 255 },
		{ "side", "pixels of a row and of a column of a frame", { 64, 128, 128, 128 }, 1024, 16 },
		{ "radius", "of the disk", { 3, 5, 5, 5 }, MOST_RADIUS } },
	.repro = "the paper's; frames: each does the same",
};

static void make_disk(struct filter *f, struct bench *b)
{
	f->disk = bench_host(b, 2 * (2 * MOST_RADIUS + 1) * (2 * MOST_RADIUS + 1), sizeof *f->disk);
	for (int x = -f->radius; x <= f->radius; x++)
		for (int y = -f->radius; y <= f->radius; y++) {
			if (x * x + y * y >= f->radius * f->radius)
				continue;
			f->disk[2 * f->ones] = x;
			f->disk[2 * f->ones++ + 1] = y;
		}
}

static void make_video(struct filter *f, struct bench *b)
{
	int side = (int)f->side;

	f->video = bench_host(b, f->side * f->side * f->frames, 1);
	for (int x = 0, at = 0; x < side; x++)
		for (int y = 0; y < side; y++)
			for (int k = 0; k < (int)f->frames; k++, at++) {
				int dx = x - (side / 2 + k), dy = y - (side / 2 - 2 * k);
				bool in = dx * dx + dy * dy < f->radius * f->radius;
				f->video[at] =
					(uint8_t)((in ? BRIGHT : DARK) + (int)(5.0f * noise(&b->seed)));
			}
}

static void filter_init(struct bench *b, struct filter *f, const struct filter *like)
{
	size_t n = b->size[0];

	*f = (struct filter){ .particles = n,
		.frames = b->size[1],
		.radius = (int)b->size[3],
		.side = b->size[2],
		.ctas = (n + CTA - 1) / CTA };
	f->field[0] = bench_host(b, FIELDS * n, sizeof(float));
	for (int i = 1; i < FIELDS; i++)
		f->field[i] = f->field[0] + (size_t)i * n;
	f->state = bench_host(b, n, sizeof *f->state);
	for (size_t i = 0; i < n; i++) {
		f->field[X][i] = f->field[Y][i] = (float)(f->side / 2);
		f->state[i] = like ? like->state[i] : bench_random(&b->seed);
	}
	f->partial = bench_host(b, f->ctas, sizeof *f->partial);
	make_disk(f, b);
	f->place = bench_host(b, n * f->ones, sizeof *f->place);
	if (like)
		f->video = like->video;
	else
		make_video(f, b);
}

/* Where particle i goes, the pixels of its disk, and their likelihood. */
static float move(struct filter *f, size_t i, int frame)
{
	int side = (int)f->side, frames = (int)f->frames, most = side * side * frames;
	float x = f->field[X][i] + fmaf(5.0f, noise(&f->state[i]), 1.0f), sum = 0.0f;
	float y = f->field[Y][i] + fmaf(2.0f, noise(&f->state[i]), -2.0f);

	f->field[AT_X][i] = x;
	f->field[AT_Y][i] = y;
	for (size_t k = 0; k < f->ones; k++) {
		int px = (int)floorf(x + 0.5f) + f->disk[2 * k],
		    py = (int)floorf(y + 0.5f) + f->disk[2 * k + 1];
		int at = abs((px * side + py) * frames + frame);
		f->place[i * f->ones + k] = at = at < most ? at : 0;
		float dark = (float)(f->video[at] - DARK), bright = (float)(f->video[at] - BRIGHT);
		sum += fmaf(dark, dark, -(bright * bright)) / BRIGHTNESS;
	}
	return sum / (float)f->ones;
}

static void reference(struct filter *f, int frame, float first)
{
	float n = (float)f->particles, sum = 0.0f, running = 0.0f, **field = f->field;

	for (size_t i = 0; i < f->particles; i++)
		field[WEIGHT][i] = exponential(move(f, i, frame)) / n;
	for (size_t cta = 0; cta < f->ctas; cta++) {
		float values[CTA] = { 0 };
		for (size_t i = cta * CTA; i < f->particles && i < (cta + 1) * CTA; i++)
			values[i % CTA] = field[WEIGHT][i];
		sum += f->partial[cta] = bench_tree_sum(values, CTA);
	}
	f->partial[0] = sum;
	for (size_t i = 0; i < f->particles; i++) {
		field[WEIGHT][i] /= sum;
		field[RUNNING][i] = running += field[WEIGHT][i];
	}
	for (size_t i = 0, found = 0; i < f->particles; i++) { /* both rise */
		field[DRAW][i] = ((float)i + first) / n;
		while (found < f->particles - 1 && field[RUNNING][found] < field[DRAW][i])
			found++;
		field[X][i] = field[AT_X][found];
		field[Y][i] = field[AT_Y][found];
	}
}

static void device_init(struct bench *b, struct device *d, const struct filter *f)
{
	*d = (struct device){ .video = BENCH_COPY(b, f->video, f->side * f->side * f->frames),
		.disk = BENCH_COPY(b, f->disk, 2 * f->ones),
		.partial = bench_device(b, f->ctas, sizeof *f->partial),
		.state = BENCH_COPY(b, f->state, f->particles),
		.place = bench_device(b, f->particles * f->ones, sizeof *f->place) };
	for (int i = 0; i < FIELDS; i++)
		d->field[i] = i <= Y ? BENCH_COPY(b, f->field[i], f->particles)
				     : bench_device(b, f->particles, sizeof(float));
}

static void launch(struct bench *b, struct device *d, const struct filter *f, int frame, float first)
{
	struct bench_dim grid = DIM(f->ctas), cta = DIM(CTA), one = DIM(1);
	CUdeviceptr *at = d->field;

	bench_launch(b, "likelihood", grid, cta,
		ARGS(&at[X], &at[Y], &at[AT_X], &at[AT_Y], &d->state, &at[WEIGHT], &d->partial, &d->place,
			&d->disk, &d->video, INT(f->particles), INT(f->ones), INT(f->side), INT(f->frames),
			&frame));
	bench_launch(b, "sum_weights", grid, cta, ARGS(&d->partial, INT(f->ctas)));
	bench_launch(b, "normalize", grid, cta,
		ARGS(&at[WEIGHT], &d->partial, &at[DRAW], INT(f->particles), &first));
	bench_launch(b, "running_sum", one, one, ARGS(&at[WEIGHT], &at[RUNNING], INT(f->particles)));
	bench_launch(b, "find_index", grid, cta,
		ARGS(&at[AT_X], &at[AT_Y], &at[RUNNING], &at[DRAW], &at[X], &at[Y], INT(f->particles)));
}

void bench_run(struct bench *b)
{
	struct filter got, want;
	struct device d;

	size_t n = b->size[0];
	bench_work(b, "%zu particles, %zu frames of %zux%zu, radius %zu", n, b->size[1], b->size[2],
		b->size[2], b->size[3]);
	filter_init(b, &got, NULL);
	filter_init(b, &want, &got);
	device_init(b, &d, &got);

	for (size_t frame = 0; frame < want.frames; frame++) {
		float first = bench_random_f32(&b->seed);
		bench_start(b);
		launch(b, &d, &got, (int)frame, first);
		bench_stop(b);
		reference(&want, (int)frame, first);
	}
	for (int i = 0; i < FIELDS; i++)
		BENCH_READ(got.field[i], d.field[i], n);
	BENCH_READ(got.partial, d.partial, got.ctas);
	BENCH_READ(got.state, d.state, n);
	BENCH_READ(got.place, d.place, n * got.ones);

	bench_expect_i32(b, "place of a pixel", got.place, want.place, n * got.ones);
	bench_expect_u32(b, "random state", got.state, want.state, n);
	bench_expect_f32(b, "sum of weights", got.partial, want.partial, got.ctas);
	bench_expect_f32(b, "particle's value", got.field[0], want.field[0], FIELDS * n);
}
