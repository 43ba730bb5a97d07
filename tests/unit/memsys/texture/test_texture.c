/* tests/unit/memsys/texture/test_texture.c -- fetching by worked examples: numbers computed by hand from
 * the CUDA C Programming Guide's formulas; handles; formats; where surface accesses fall. */
#include "memsys/texture/texture.h"

#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct device_memory *memory;
static struct texture t;

static void set_up(void)
{
	memory = memory_new(1 << 20);
	cr_assert(memory);
	t = (struct texture){ .kind = TEXTURE_FETCHED,
		.is_bound = true,
		.layers = 1,
		.level_count = 1,
		.format = { TEXEL_FLOAT, 4, 1 },
		.sampler = texture_default_sampler() };
}

static void tear_down(void)
{
	memory_free(memory);
}

TestSuite(texture, .init = set_up, .fini = tear_down);

/* A texture of one level over the bytes. */
static void lay(uint32_t width, uint32_t height, uint32_t depth, const void *data)
{
	uint64_t row = (uint64_t)width * texel_bytes(t.format);

	t.bytes = row * height * depth;
	t.start = memory_allocate(memory, t.bytes, 256);
	memcpy(memory_host(t.start), data, t.bytes);
	t.levels[0] = (struct texture_level){ t.start, width, height, depth, row, row * height };
}

static struct texel_result fetch(unsigned dims, float x, float y, float z)
{
	struct texel_request q = { .dims = (uint8_t)dims, .at = { { .f = x }, { .f = y }, { .f = z } } };
	struct texel_result r;

	texture_fetch(&t, &t.sampler, &q, &r);
	return r;
}

static float value(struct texel_result r, unsigned component)
{
	float f;

	memcpy(&f, &r.value[component], sizeof f);
	return f;
}

static float at(float x)
{
	return value(fetch(1, x, 0, 0), 0);
}

Test(texture, point_takes_the_floor_and_clamps)
{
	const float data[] = { 10, 20, 30, 40 };

	lay(4, 1, 1, data);
	t.sampler.address[0] = ADDRESS_CLAMP;
	cr_expect_eq(at(0), 10);
	cr_expect_eq(at(0.999f), 10);
	cr_expect_eq(at(1), 20);
	cr_expect_eq(at(3.5f), 40);
	cr_expect_eq(at(4), 40);
	cr_expect_eq(at(-0.001f), 10);
	cr_expect_eq(at(1e30f), 40);
	cr_expect_eq(at(-INFINITY), 10);
	cr_expect_eq(at(NAN), 10, "anything, but always the same");
}

Test(texture, linear_blends_around_texel_centres)
{
	const float data[] = { 10, 20, 30, 40 };

	lay(4, 1, 1, data);
	t.sampler.filter = FILTER_LINEAR;
	t.sampler.address[0] = ADDRESS_CLAMP;
	cr_expect_eq(at(0.5f), 10, "a centre");
	cr_expect_eq(at(1), 15, "half way");
	cr_expect_eq(at(1.75f), 22.5f);
	cr_expect_eq(at(0.25f), 10, "the border texel goes on");
	cr_expect_eq(at(3.9f), 40);
}

/* 1/512 is half a step of the weight: to the nearest, so 1/256; a third of a step is none. */
Test(texture, weights_have_eight_fraction_bits)
{
	const float data[] = { 0, 256 };

	lay(2, 1, 1, data);
	t.sampler.filter = FILTER_LINEAR;
	t.sampler.address[0] = ADDRESS_CLAMP;
	cr_expect_eq(at(0.5f + 1 / 256.0f), 1);
	cr_expect_eq(at(0.5f + 1 / 512.0f), 1);
	cr_expect_eq(at(0.5f + 1 / 800.0f), 0);
	cr_expect_eq(at(1.5f - 1 / 800.0f), 256, "1.0 is a weight");
}

Test(texture, two_and_three_dimensions)
{
	const float data[] = { 0, 1, 10, 11, 100, 101, 110, 111 };

	lay(2, 2, 2, data);
	for (int i = 0; i < 3; i++)
		t.sampler.address[i] = ADDRESS_CLAMP;
	cr_expect_eq(value(fetch(2, 1.2f, 0.3f, 0), 0), 1);
	cr_expect_eq(value(fetch(3, 1.2f, 0.3f, 1.5f), 0), 101);
	t.sampler.filter = FILTER_LINEAR;
	cr_expect_eq(value(fetch(2, 1, 0.75f, 0), 0), 3, "0.5 * 1 + 0.25 * 10");
	cr_expect_eq(value(fetch(3, 1, 0.75f, 1.25f), 0), 78, "and 0.75 * 100");
	cr_expect_eq(fetch(3, 1, 0.75f, 1.25f).touched_count, 4, "two rows of two slices");
	cr_expect_eq(fetch(3, 0.5f, 0.5f, 0.5f).touched_count, 1, "texels without weight are not read");
}

Test(texture, periodic_modes_need_normalised_coordinates)
{
	const float data[] = { 10, 20, 30, 40 };

	lay(4, 1, 1, data);
	t.sampler.address[0] = ADDRESS_WRAP;
	cr_expect_eq(at(4.5f), 40, "in texels it clamps");
	t.sampler.is_normalized = true;
	cr_expect_eq(at(0.3f), 20);
	cr_expect_eq(at(1.3f), 20);
	cr_expect_eq(at(-0.1f), 40);
	t.sampler.address[0] = ADDRESS_MIRROR;
	cr_expect_eq(at(0.3f), 20);
	cr_expect_eq(at(1.1f), 40);
	cr_expect_eq(at(-0.1f), 10);
	cr_expect_eq(at(-0.3f), 20);
	cr_expect_eq(at(2.3f), 20);
	t.sampler.filter = FILTER_LINEAR;
	cr_expect_eq(at(1), 40, "mirrored, the last texel stands beside itself");
	t.sampler.address[0] = ADDRESS_WRAP;
	cr_expect_eq(at(0), 25, "wrapped, the first beside the last");
}

Test(texture, the_border_has_a_colour)
{
	const float data[] = { 10, 20 };
	const float colour[4] = { -2, 3, 4, 5 };

	lay(2, 1, 1, data);
	t.sampler.address[0] = ADDRESS_BORDER;
	memcpy(t.sampler.border, colour, sizeof colour);
	cr_expect_eq(at(-0.1f), -2);
	cr_expect_eq(at(2), -2);
	cr_expect_eq(value(fetch(1, 2, 0, 0), 3), 0, "the border has the channels of the texture");
	cr_expect_eq(fetch(1, 2, 0, 0).touched_count, 0);
	t.sampler.filter = FILTER_LINEAR;
	cr_expect_eq(at(0), 4, "half of 10 and of -2");
}

Test(texture, integers_become_fractions_unless_asked_not_to)
{
	const uint8_t bytes[] = { 0, 51, 255, 128 };
	const int8_t chars[] = { -128, -127, 127, 0 };
	const uint16_t shorts[] = { 65535, 13107 };
	struct texel_result r;

	t.sampler.address[0] = ADDRESS_CLAMP;
	t.format = (struct texel_format){ TEXEL_UNSIGNED, 1, 4 };
	lay(1, 1, 1, bytes);
	r = fetch(1, 0, 0, 0);
	cr_expect(value(r, 0) == 0 && value(r, 1) == 0.2f && value(r, 2) == 1 && value(r, 3) == 128 / 255.0f);
	t.sampler.is_raw = true;
	r = fetch(1, 0, 0, 0);
	cr_expect(r.value[0] == 0 && r.value[1] == 51 && r.value[2] == 255 && r.value[3] == 128);
	t.sampler.is_raw = false;
	t.format = (struct texel_format){ TEXEL_SIGNED, 1, 4 };
	lay(1, 1, 1, chars);
	r = fetch(1, 0, 0, 0);
	cr_expect(value(r, 0) == -1 && value(r, 1) == -1 && value(r, 2) == 1 && value(r, 3) == 0);
	t.format = (struct texel_format){ TEXEL_UNSIGNED, 2, 2 };
	lay(1, 1, 1, shorts);
	r = fetch(1, 0, 0, 0);
	cr_expect(value(r, 0) == 1 && value(r, 1) == 0.2f);
	cr_expect(value(r, 2) == 0 && value(r, 3) == 0, "what is missing");
}

Test(texture, linear_filtering_does_not_touch_integers)
{
	const int32_t data[] = { -5, 1000000 };

	t.format = (struct texel_format){ TEXEL_SIGNED, 4, 1 };
	t.sampler.filter = FILTER_LINEAR;
	t.sampler.address[0] = ADDRESS_CLAMP;
	lay(2, 1, 1, data);
	cr_expect_eq((int32_t)fetch(1, 0.9f, 0, 0).value[0], -5);
	cr_expect_eq(fetch(1, 0.9f, 0, 0).value[3], 0, "what is missing");
}

Test(texture, infinite_neighbours_without_weight_do_no_harm)
{
	const float data[] = { 1, INFINITY };

	lay(2, 1, 1, data);
	t.sampler.filter = FILTER_LINEAR;
	t.sampler.address[0] = ADDRESS_CLAMP;
	cr_expect_eq(at(0.5f), 1);
	cr_expect_eq(at(0.6f), INFINITY);
}

Test(texture, plain_memory_is_zero_outside)
{
	const float data[] = { 10, 20, 30 };
	struct texel_request q = { .dims = 1, .is_integer = true };
	struct texel_result r;

	lay(3, 1, 1, data);
	t.layout = LAYOUT_LINEAR;
	for (int i = -2; i < 6; i++) {
		q.at[0].i = i;
		texture_fetch(&t, &t.sampler, &q, &r);
		cr_expect_eq(value(r, 0), i >= 0 && i < 3 ? data[i] : 0);
	}
	q.at[0].i = INT32_MAX;
	q.offset[0] = 7;
	texture_fetch(&t, &t.sampler, &q, &r);
	cr_expect_eq(r.value[0], 0);
}

Test(texture, offsets_move_by_texels)
{
	const float data[] = { 10, 20, 30, 40 };
	struct texel_request q = { .dims = 1, .at = { { .f = 1.5f } }, .offset = { 2 } };
	struct texel_result r;

	lay(4, 1, 1, data);
	t.sampler.address[0] = ADDRESS_CLAMP;
	texture_fetch(&t, &t.sampler, &q, &r);
	cr_expect_eq(value(r, 0), 40);
	q.offset[0] = -8;
	texture_fetch(&t, &t.sampler, &q, &r);
	cr_expect_eq(value(r, 0), 10);
}

Test(texture, layers_are_not_blended_and_end_at_the_last)
{
	const float data[] = { 1, 2, 3 };
	struct texel_request q = { .dims = 1, .at = { { .f = 0.5f } } };
	struct texel_result r;

	lay(1, 1, 3, data);
	t.levels[0].depth = 1;
	t.layers = 3;
	t.is_layered = true;
	t.sampler.filter = FILTER_LINEAR;
	for (uint32_t layer = 0; layer < 5; layer++) {
		q.layer = layer;
		texture_fetch(&t, &t.sampler, &q, &r);
		cr_expect_eq(value(r, 0), layer < 2 ? (float)layer + 1 : 3);
	}
}

/* Faces in the guide's order: +x -x +y -y +z -z. */
Test(texture, cubes_have_six_faces)
{
	static const float directions[6][3] = { { 3, 1, -1 }, { -3, 1, 1 }, { 1, 2, 0 }, { 1, -2, 0 },
		{ 0, 1, 4 }, { 0, 1, -4 } };
	const float data[] = { 1, 2, 3, 4, 5, 6 };

	lay(1, 1, 6, data);
	t.levels[0].depth = 1;
	t.layers = 6;
	t.is_cube = true;
	for (int i = 0; i < 6; i++) {
		struct texel_request q = { .dims = 3, .is_cube = true };
		struct texel_result r;

		for (int c = 0; c < 3; c++)
			q.at[c].f = directions[i][c];
		texture_fetch(&t, &t.sampler, &q, &r);
		cr_expect_eq(value(r, 0), (float)i + 1);
	}
}

Test(texture, gathers_counter_clockwise_from_the_lower_left)
{
	const float data[] = { 1, 2, 3, 4 };
	struct texel_request q = { .dims = 2, .at = { { .f = 1 }, { .f = 1 } } };
	struct texel_result r;

	lay(2, 2, 1, data);
	texture_gather(&t, &t.sampler, &q, 0, &r);
	cr_expect(value(r, 0) == 3 && value(r, 1) == 4 && value(r, 2) == 2 && value(r, 3) == 1);
}

static float level_value(float level)
{
	struct texel_request q = { .dims = 1, .at = { { .f = 0.1f } }, .level = level };
	struct texel_result r;

	texture_fetch(&t, &t.sampler, &q, &r);
	return value(r, 0);
}

Test(texture, levels_are_chosen_clamped_and_blended)
{
	const float data[] = { 0, 0, 0, 0, 100, 100, 200 };

	lay(7, 1, 1, data);
	t.level_count = 3;
	t.levels[0].width = 4;
	t.levels[1] = (struct texture_level){ t.start + 16, 2, 1, 1, 8, 8 };
	t.levels[2] = (struct texture_level){ t.start + 24, 1, 1, 1, 4, 4 };
	t.sampler.is_normalized = true;
	cr_expect(level_value(0.4f) == 0 && level_value(0.5f) == 100 && level_value(7) == 200 &&
		level_value(-3) == 0);
	t.sampler.mip_filter = FILTER_LINEAR;
	cr_expect(level_value(0.25f) == 25 && level_value(1.5f) == 150 && level_value(9) == 200);
	t.sampler.bias = 1;
	cr_expect_eq(level_value(0.25f), 125);
	t.sampler.max_level = 0.5f;
	cr_expect_eq(level_value(0.25f), 50);
	t.sampler.min_level = 0.25f;
	cr_expect_eq(level_value(-9), 25);
}

Test(texture, gradients_give_the_level_of_one_texel)
{
	const float data[64] = { 0 };
	const float step[3] = { 0.125f, 0, 0 }, half[3] = { 0, 0.25f, 0 }, none[3] = { 0 },
		    odd[3] = { 3 / 8.0f, 0, 0 };

	lay(8, 8, 1, data);
	t.sampler.is_normalized = true;
	cr_expect_eq(texture_gradient_level(&t, &t.sampler, 2, step, none), 0);
	cr_expect_eq(texture_gradient_level(&t, &t.sampler, 2, step, half), 1);
	cr_expect_eq(texture_gradient_level(&t, &t.sampler, 2, none, none), 0);
	cr_expect_float_eq(texture_gradient_level(&t, &t.sampler, 2, odd, none), 1.58496f, 1 / 256.0);
}

Test(texture, handles_are_recognised_and_expire)
{
	uint64_t a = texture_create(memory, TEXTURE_FETCHED), b = texture_create(memory, TEXTURE_SURFACE), c;

	cr_assert(a != b && a && b);
	cr_expect_eq(texture_find(memory, a)->kind, TEXTURE_FETCHED);
	cr_expect_eq(texture_find(memory, b)->kind, TEXTURE_SURFACE);
	cr_expect_null(texture_find(memory, 0));
	cr_expect_null(texture_find(memory, a + 2));
	cr_expect_null(texture_find(memory, DEVICE_BASE));
	texture_destroy(memory, a);
	cr_expect_null(texture_find(memory, a));
	c = texture_create(memory, TEXTURE_SAMPLER);
	cr_expect(c != a && !texture_find(memory, a) && texture_find(memory, c),
		"the place is used again, the handle is not");
	texture_destroy(memory, a);
	cr_expect_not_null(texture_find(memory, c), "an old handle destroys nothing");
}

Test(texture, halves_there_and_back)
{
	for (uint32_t h = 0; h < 0x10000; h++) {
		bool is_nan = (h & 0x7c00) == 0x7c00 && h & 0x3ff;

		if (!is_nan)
			cr_assert_eq(float_to_half(half_to_float((uint16_t)h)), h);
	}
	cr_expect_eq(half_to_float(0x3555), 0.333251953125f);
	cr_expect_eq(half_to_float(0x0001), 0x1p-24f);
	cr_expect_eq(float_to_half(65519.99f), 0x7bff);
	cr_expect_eq(float_to_half(65520), 0x7c00, "to infinity");
	cr_expect_eq(float_to_half(1 + 0x1p-11f), 0x3c00, "a tie goes to even");
	cr_expect_eq(float_to_half(1 + 3 * 0x1p-11f), 0x3c02);
	cr_expect_eq(float_to_half(0x1p-25f), 0);
	cr_expect_eq(float_to_half(0x1.8p-25f), 1);
	cr_expect_eq(float_to_half(-0.0f), 0x8000);
}

Test(texture, surfaces_trap_clamp_or_read_zero)
{
	const uint32_t data[12] = { 0 };
	struct surface_request q = { .dims = 2, .at = { 4, 1 }, .bytes = 4 };
	addr place = 0, timed;

	t.format = (struct texel_format){ TEXEL_UNSIGNED, 4, 1 };
	lay(3, 4, 1, data);
	cr_expect(surface_location(&t, &q, &place, &timed) == SURFACE_INSIDE && place == t.start + 16);
	q.at[0] = 2;
	cr_expect_eq(surface_location(&t, &q, &place, &timed), SURFACE_MISALIGNED);
	q.at[0] = 12;
	cr_expect_eq(surface_location(&t, &q, &place, &timed), SURFACE_FAULT);
	q.mode = SURFACE_ZERO;
	cr_expect_eq(surface_location(&t, &q, &place, &timed), SURFACE_OUTSIDE);
	q.mode = SURFACE_CLAMP;
	q.at[1] = 7;
	cr_expect(
		surface_location(&t, &q, &place, &timed) == SURFACE_INSIDE && place == t.start + 3 * 12 + 8);
	q.at[0] = -4;
	q.at[1] = -1;
	cr_expect(surface_location(&t, &q, &place, &timed) == SURFACE_INSIDE && place == t.start);
	q.is_sample = true;
	q.at[0] = 2;
	q.at[1] = 0;
	cr_expect(surface_location(&t, &q, &place, &timed) == SURFACE_INSIDE && place == t.start + 8);
	q.bytes = 16;
	cr_expect_eq(surface_location(&t, &q, &place, &timed), SURFACE_FAULT, "wider than a row");
}

Test(texture, packing_saturates)
{
	const uint32_t numbers[4] = { 300, 5, (uint32_t)-200, 0x7fffffff };
	const float fractions[4] = { 1.5f, -2, 1e9f, 0 };
	uint32_t bits[4];
	uint8_t texel[16];
	uint16_t halves[4];

	cr_expect_eq(surface_pack((struct texel_format){ TEXEL_UNSIGNED, 1, 4 }, numbers, texel), 4);
	cr_expect(texel[0] == 255 && texel[1] == 5 && texel[2] == 255 && texel[3] == 255);
	surface_pack((struct texel_format){ TEXEL_SIGNED, 1, 4 }, numbers, texel);
	cr_expect(texel[0] == 127 && texel[1] == 5 && texel[2] == 0x80 && texel[3] == 127);
	memcpy(bits, fractions, sizeof bits);
	cr_expect_eq(surface_pack((struct texel_format){ TEXEL_FLOAT, 2, 4 }, bits, texel), 8);
	memcpy(halves, texel, sizeof halves);
	cr_expect(halves[0] == 0x3e00 && halves[1] == 0xc000 && halves[2] == 0x7c00 && halves[3] == 0);
}

/* The worked examples of block_linear.c: an array of 200 bytes by 20 rows, so that a block has 4 GOBs. */
Test(texture, arrays_lie_in_blocks)
{
	const struct texture_level l = { .base = 512,
		.width = 50,
		.height = 20,
		.depth = 2,
		.pitch = block_linear_pitch(200, 20),
		.slice = 256 * block_linear_rows(20) };
	static const struct {
		uint64_t slice, y, x, at;
	} example[] = { { 0, 0, 0, 0 }, { 0, 0, 15, 15 }, { 0, 1, 0, 16 }, { 0, 0, 16, 64 }, { 0, 4, 0, 128 },
		{ 0, 0, 32, 256 }, { 0, 8, 0, 512 }, { 0, 0, 64, 2048 },
		{ 0, 19, 199, 3 * 2048 + 2 * 512 + 48 + 7 }, { 1, 0, 0, 8192 } };

	cr_assert_eq(l.pitch, 256);
	cr_assert_eq(l.slice, 256 * 32);
	for (size_t i = 0; i < sizeof example / sizeof *example; i++)
		cr_expect_eq(block_linear_address(&l, example[i].slice, example[i].y, example[i].x),
			512 + example[i].at, "example %zu", i);
}

Test(texture, each_byte_of_an_array_has_a_place_of_its_own)
{
	static const struct {
		uint32_t row, height;
	} shapes[] = { { 1, 1 }, { 300, 1 }, { 1, 2 }, { 64, 8 }, { 65, 9 }, { 200, 100 }, { 130, 129 },
		{ 16, 300 } };

	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
		uint64_t pitch = block_linear_pitch(shapes[i].row, shapes[i].height),
			 bytes = pitch * block_linear_rows(shapes[i].height);
		struct texture_level l = { .height = shapes[i].height, .pitch = pitch, .slice = bytes };
		uint8_t *seen = calloc(bytes, 1);

		for (uint32_t y = 0; y < shapes[i].height; y++)
			for (uint32_t x = 0; x < shapes[i].row; x++) {
				addr at = block_linear_address(&l, 0, y, x);

				cr_assert(at < bytes && !seen[at], "row %u, byte %u lies at %llu of %llu", y,
					x, (unsigned long long)at, (unsigned long long)bytes);
				seen[at] = 1;
			}
		free(seen);
	}
}

/* A square of 8 by 4 floats, aligned, is one line of 128 bytes; 32 floats of a row are four. */
Test(texture, fetches_of_arrays_are_timed_where_a_chip_has_the_texels)
{
	static const float data[64 * 32];
	addr first, last;

	lay(64, 32, 1, data);
	t.layout = LAYOUT_BLOCK_LINEAR;
	t.levels[0].slice = 256 * block_linear_rows(32);
	first = fetch(2, 8, 4, 0).touched[0];
	last = fetch(2, 15, 7, 0).touched[0];
	cr_expect_eq(first / 128, last / 128);
	cr_expect_eq(
		fetch(2, 16, 4, 0).touched[0] / 128 - first / 128, 14, "the next GOB of a block of four");
	t.layout = LAYOUT_PITCH;
	cr_expect_eq(fetch(2, 8, 4, 0).touched[0], t.start + 4 * 256 + 32);
}
