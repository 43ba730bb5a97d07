/* sad -- host side: two frames, the second the first one moved and with noise, and the sums of absolute
 * differences of all 41 blocks of each macroblock at all shifts, in three launches.
 *
 * Checked for equality, each block from its pixels, and the rest behind each block's shifts, which stays
 * zero. */
#include "bench.h"

enum { SIDE = 33, SHIFTS = SIDE * SIDE, POSITIONS = 1096, PER_THREAD = 18, BLOCKS = 41 };

struct frames {
	size_t width, height, macroblocks;
	uint16_t *frame, *reference;
};

/* Waves of brightness and noise; the reference frame is the same 3 pixels on and 2 down, with other noise. */
static void frames_make(struct bench *b, struct frames *f)
{
	f->frame = bench_host(b, f->width * f->height, sizeof *f->frame);
	f->reference = bench_host(b, f->width * f->height, sizeof *f->reference);
	for (size_t y = 0; y < f->height; y++)
		for (size_t x = 0; x < f->width; x++) {
			f->frame[y * f->width + x] =
				(uint16_t)((x * 5 + y * y / 3) % 192 + bench_random(&b->seed) % 64);
			f->reference[y * f->width + x] =
				(uint16_t)(((x + 3) * 5 + (y + 2) * (y + 2) / 3) % 192 +
					bench_random(&b->seed) % 64);
		}
}

static long held(long x, size_t limit)
{
	return x < 0 ? 0 : x >= (long)limit ? (long)limit - 1 : x;
}

/* The block at (left, top) against the reference frame, moved by (dx, dy). */
static uint16_t difference(
	const struct frames *f, size_t left, size_t top, size_t wide, size_t tall, int dx, int dy)
{
	long sum = 0;

	for (size_t y = top; y < top + tall; y++)
		for (size_t x = left; x < left + wide; x++) {
			long column = held((long)x + dx, f->width), row = held((long)y + dy, f->height);
			sum += labs((long)f->frame[y * f->width + x] -
				(long)f->reference[(size_t)row * f->width + (size_t)column]);
		}
	return (uint16_t)sum;
}

/* All blocks of one shape: sad[] begins with the first of them. In a macroblock they come by quarters. */
static void reference(const struct frames *f, size_t wide, size_t tall, uint16_t *sad)
{
	size_t group_wide = wide > 8 ? 16 : 8, group_tall = tall > 8 ? 16 : 8;
	size_t across = f->width / 16;

	if (wide > 8 || tall > 8)
		group_wide = group_tall = 16;
	for (size_t m = 0; m < f->macroblocks; m++)
		for (size_t gy = 0; gy < 16; gy += group_tall)
			for (size_t gx = 0; gx < 16; gx += group_wide)
				for (size_t y = gy; y < gy + group_tall; y += tall)
					for (size_t x = gx; x < gx + group_wide; x += wide, sad += POSITIONS)
						for (int s = 0; s < SHIFTS; s++)
							sad[s] = difference(f, m % across * 16 + x,
								m / across * 16 + y, wide, tall,
								s % SIDE - SIDE / 2, s / SIDE - SIDE / 2);
}

static void run(struct bench *b, const struct frames *f, uint16_t *got)
{
	size_t pixels = f->width * f->height, count = f->macroblocks * BLOCKS * POSITIONS;
	unsigned across = (unsigned)f->width / 16, down = (unsigned)f->height / 16;
	CUdeviceptr frame = BENCH_COPY(b, f->frame, pixels);
	CUdeviceptr other = BENCH_COPY(b, f->reference, pixels);
	CUdeviceptr sad = bench_device_words(b, count / 2, 0);

	bench_start(b);
	bench_launch(b, "sad_4x4", DIM(across * 4, down * 4), DIM((SHIFTS + PER_THREAD - 1) / PER_THREAD),
		ARGS(&frame, &other, &sad, INT(f->width), INT(f->height), INT(f->macroblocks)));
	bench_launch(b, "sad_8", DIM(across, down), DIM(32, 4), ARGS(&sad, INT(f->macroblocks)));
	bench_launch(b, "sad_16", DIM(across, down), DIM(32), ARGS(&sad, INT(f->macroblocks)));
	bench_stop(b);
	BENCH_READ(got, sad, count);
}

static const struct {
	const char *name;
	size_t wide, tall, first; /* pixels; the macroblocks' blocks before these, each */
} shapes[] = { { "sum of 16x16", 16, 16, 0 }, { "sum of 16x8", 16, 8, 1 }, { "sum of 8x16", 8, 16, 3 },
	{ "sum of 8x8", 8, 8, 5 }, { "sum of 8x4", 8, 4, 9 }, { "sum of 4x8", 4, 8, 17 },
	{ "sum of 4x4", 4, 4, 25 } };

const struct bench_program bench_program = {
	.help = "Sums absolute differences of a frame's blocks and a reference frame at all shifts.",
	.source = "Parboil sad, its default frames of 176x144; its texture is global memory here",
	.tags = "reuse",
	.sizes = { { "width", "pixels in x", { 32, 80, 176, 176 }, 2048, 16, 16 },
		{ "height", "pixels in y", { 16, 48, 144, 144 }, 2048, 16, 16 } },
	.repro = "the paper's",
};

void bench_run(struct bench *b)
{
	struct frames f = { b->size[0], b->size[1], b->size[0] * b->size[1] / 256, NULL, NULL };
	if (f.macroblocks * BLOCKS * POSITIONS > INT32_MAX)
		bench_die("%zux%zu: expected at most %d macroblocks of 16x16", f.width, f.height,
			INT32_MAX / (BLOCKS * POSITIONS));
	bench_work(b, "%zux%zu", f.width, f.height);
	frames_make(b, &f);
	uint16_t *got = bench_host(b, f.macroblocks * BLOCKS * POSITIONS, sizeof *got);
	uint16_t *want = bench_host(b, f.macroblocks * BLOCKS * POSITIONS, sizeof *want);
	run(b, &f, got);

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		size_t from = shapes[i].first * f.macroblocks * POSITIONS;
		size_t blocks = f.macroblocks * (256 / (shapes[i].wide * shapes[i].tall));
		reference(&f, shapes[i].wide, shapes[i].tall, want + from);
		bench_expect_u16(b, shapes[i].name, got + from, want + from, blocks * POSITIONS);
	}
}
