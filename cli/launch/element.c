/* cli/launch/element.c -- values of PTX types. */
#include "cli/launch/element.h"
#include "cli/options.h"
#include "sim/text/number.h"
#include "sim/base/random.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct element_type element_types[] = {
	{ "u8", ELEMENT_UNSIGNED, 1, 0 },
	{ "u16", ELEMENT_UNSIGNED, 2, 0 },
	{ "u32", ELEMENT_UNSIGNED, 4, 0 },
	{ "u64", ELEMENT_UNSIGNED, 8, 0 },
	{ "s8", ELEMENT_SIGNED, 1, 0 },
	{ "s16", ELEMENT_SIGNED, 2, 0 },
	{ "s32", ELEMENT_SIGNED, 4, 0 },
	{ "s64", ELEMENT_SIGNED, 8, 0 },
	{ "b8", ELEMENT_UNSIGNED, 1, 0 },
	{ "b16", ELEMENT_UNSIGNED, 2, 0 },
	{ "b32", ELEMENT_UNSIGNED, 4, 0 },
	{ "b64", ELEMENT_UNSIGNED, 8, 0 },
	{ "f16", ELEMENT_FLOAT, 2, 10 },
	{ "bf16", ELEMENT_FLOAT, 2, 7 },
	{ "f32", ELEMENT_FLOAT, 4, 23 },
	{ "f64", ELEMENT_FLOAT, 8, 52 },
};
const unsigned element_type_count = sizeof(element_types) / sizeof(*element_types);

const struct element_type *element_type_named(const char *name, size_t length)
{
	for (unsigned i = 0; i < element_type_count; i++)
		if (strlen(element_types[i].name) == length &&
			memcmp(element_types[i].name, name, length) == 0)
			return &element_types[i];
	return NULL;
}

/* -- bits -- */

/* The least exponent of a number of 16 bits whose fraction is not cut short. */
static int least_exponent(unsigned fraction)
{
	return 2 - (1 << (14 - fraction));
}

/* Rounded to the nearest, ties to even. */
static uint16_t short_float_bits(unsigned fraction, double value)
{
	uint16_t sign = signbit(value) ? 0x8000 : 0, infinity = (uint16_t)(0x7fff >> fraction << fraction);
	int exponent, least = least_exponent(fraction);
	double units;

	if (isnan(value))
		return 0x7fff;
	if (isinf(value) || value == 0)
		return sign | (value == 0 ? 0 : infinity);
	frexp(value, &exponent);
	exponent = exponent - 1 < least ? least : exponent - 1;
	units = rint(ldexp(fabs(value), (int)fraction - exponent)); /* up to 2 << fraction */
	units += ldexp(exponent - least, (int)fraction);
	return sign | (units < infinity ? (uint16_t)units : infinity);
}

static double short_float_value(unsigned fraction, uint64_t bits)
{
	unsigned magnitude = bits & 0x7fff, exponent = magnitude >> fraction;
	unsigned most = 0x7fffU >> fraction, part = magnitude & ((1U << fraction) - 1);
	int scale = least_exponent(fraction) - (int)fraction;
	double value;

	if (exponent == most)
		value = part ? NAN : INFINITY;
	else if (exponent)
		value = ldexp(part + (1U << fraction), scale + (int)exponent - 1);
	else
		value = ldexp(part, scale);
	return bits & 0x8000 ? -value : value;
}

static uint64_t element_bits(const struct element_type *type, double value)
{
	float single = (float)value;
	uint32_t word;
	uint64_t bits;

	if (type->bytes == 2)
		return short_float_bits(type->fraction, value);
	if (type->bytes == 4) {
		memcpy(&word, &single, sizeof(word));
		return word;
	}
	memcpy(&bits, &value, sizeof(bits));
	return bits;
}

static double float_of(const struct element_type *type, uint64_t bits)
{
	uint32_t word = (uint32_t)bits;
	float single;
	double value;

	if (type->bytes == 2)
		return short_float_value(type->fraction, bits);
	if (type->bytes == 4) {
		memcpy(&single, &word, sizeof(single));
		return single;
	}
	memcpy(&value, &bits, sizeof(value));
	return value;
}

static int64_t signed_of(const struct element_type *type, uint64_t bits)
{
	unsigned unused = 64 - 8 * type->bytes;

	return (int64_t)(bits << unused) >> unused;
}

/* Both sides are little-endian. */
uint64_t element_get(const struct element_type *type, const void *data, uint64_t index)
{
	uint64_t bits = 0;

	memcpy(&bits, (const char *)data + index * type->bytes, type->bytes);
	return bits;
}

static void put_element(const struct element_type *type, void *data, uint64_t index, uint64_t bits)
{
	memcpy((char *)data + index * type->bytes, &bits, type->bytes);
}

/* -- text -- */

static bool parse_integer(const struct element_type *type, const char *text, uint64_t *bits)
{
	bool negative = *text == '-';
	uint64_t most = UINT64_MAX >> (64 - 8 * type->bytes), value;

	if (type->kind == ELEMENT_SIGNED)
		most = (most >> 1) + negative;
	else if (negative)
		return false;
	if (!number_parse(text + negative, 0, most, &value))
		return false;
	*bits = negative ? -value : value;
	return true;
}

static bool parse_float(const struct element_type *type, const char *text, uint64_t *bits)
{
	char *end;
	double value;

	errno = 0;
	value = type->bytes == 4 ? strtof(text, &end) : strtod(text, &end);
	*bits = element_bits(type, value);
	if (end == text || *end || (errno == ERANGE && isinf(value)))
		return false;
	return isinf(value) || !isinf(float_of(type, *bits));
}

static void say_expected(const struct element_type *type, char *message, size_t size)
{
	uint64_t most = UINT64_MAX >> (64 - 8 * type->bytes);

	if (type->kind == ELEMENT_FLOAT)
		snprintf(message, size, "expected a number that %s can hold", type->name);
	else if (type->kind == ELEMENT_SIGNED)
		snprintf(message, size, "expected a whole number from -%" PRIu64 " to %" PRIu64,
			(most >> 1) + 1, most >> 1);
	else
		snprintf(message, size, "expected a whole number from 0 to %" PRIu64, most);
}

bool element_parse(
	const struct element_type *type, const char *text, uint64_t *bits, char *message, size_t size)
{
	if ((type->kind == ELEMENT_FLOAT ? parse_float : parse_integer)(type, text, bits))
		return true;
	say_expected(type, message, size);
	return false;
}

void element_print(const struct element_type *type, uint64_t bits, FILE *stream)
{
	if (type->kind == ELEMENT_FLOAT)
		fprintf(stream, "%.*g",
			type->bytes == 2           ? 5
				: type->bytes == 4 ? 9
						   : 17,
			float_of(type, bits));
	else if (type->kind == ELEMENT_SIGNED)
		fprintf(stream, "%" PRId64, signed_of(type, bits));
	else
		fprintf(stream, "%" PRIu64, bits);
}

/* -- rows -- */

void element_fill_constant(const struct element_type *type, void *data, uint64_t count, uint64_t bits)
{
	for (uint64_t i = 0; i < count; i++)
		put_element(type, data, i, bits);
}

void element_fill_iota(const struct element_type *type, void *data, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		put_element(type, data, i, type->kind == ELEMENT_FLOAT ? element_bits(type, (double)i) : i);
}

/* A float takes as many bits as it has (24 for f32), so that none rounds up to 1. */
static uint64_t draw_element(const struct element_type *type, struct sim_random *random)
{
	uint64_t high = sim_random_bits(random), low;
	int bits = (int)type->fraction + 1;

	if (type->bytes < 8)
		return type->kind == ELEMENT_FLOAT
			? element_bits(type, ldexp((double)(high >> (32 - bits)), -bits))
			: high;
	low = sim_random_bits(random);
	high = high << 32 | low;
	return type->kind == ELEMENT_FLOAT ? element_bits(type, ldexp((double)(high >> (64 - bits)), -bits))
					   : high;
}

void element_fill_random(const struct element_type *type, void *data, uint64_t count, unsigned long seed)
{
	struct sim_random *random = sim_random_new(seed, 0);

	for (uint64_t i = 0; i < count; i++)
		put_element(type, data, i, draw_element(type, random));
	sim_random_free(random);
}

/* -- sums -- */

/* Neumaier's form of Kahan's sum. */
static double float_sum(const struct element_type *type, const void *data, uint64_t count)
{
	double sum = 0, lost = 0;

	for (uint64_t i = 0; i < count; i++) {
		double value = float_of(type, element_get(type, data, i)), next = sum + value;

		lost += fabs(sum) >= fabs(value) ? (sum - next) + value : (value - next) + sum;
		sum = next;
	}
	return isfinite(sum) ? sum + lost : sum;
}

static void print_wide(__int128 value, FILE *stream)
{
	char digits[48], *p = digits + sizeof(digits);
	unsigned __int128 rest = value < 0 ? -(unsigned __int128)value : (unsigned __int128)value;

	*--p = 0;
	do
		*--p = (char)('0' + (int)(rest % 10));
	while (rest /= 10);
	fprintf(stream, "%s%s", value < 0 ? "-" : "", p);
}

void element_print_sum(const struct element_type *type, const void *data, uint64_t count, FILE *stream)
{
	__int128 sum = 0;

	if (type->kind == ELEMENT_FLOAT) {
		fprintf(stream, "%.15g", float_sum(type, data, count));
		return;
	}
	for (uint64_t i = 0; i < count; i++) {
		uint64_t bits = element_get(type, data, i);

		sum += type->kind == ELEMENT_SIGNED ? (__int128)signed_of(type, bits) : (__int128)bits;
	}
	print_wide(sum, stream);
}
