/* tests/ptx/conformance/suite/tuples.c -- the operands of a form: edge values crossed, then random ones.
 *
 * All combinations of edge values if there are at most f->samples, else as many at random; then a quarter as
 * many tuples of random values. The same for every run: the sequence starts from the form's name. */
#include <stdlib.h>
#include "suite.h"

uint64_t random_word(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
	z = (z ^ z >> 27) * 0x94d049bb133111eb;
	return z ^ z >> 31;
}

static uint64_t start_of(const char *name)
{
	uint64_t hash = 0xcbf29ce484222325;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3;
	return hash;
}

static const struct values *list_of(const struct form *f, uint32_t k)
{
	return f->values[k] ? f->values[k] : values_of(f->in[k]);
}

/* Bits of the register of a type: 8-bit operands keep their garbage. */
static uint64_t register_mask(enum type type)
{
	return type_bits(type) == 8 ? 0xffff : type_mask(type);
}

/* A float with an exponent near one's: sums and products of these round without overflowing. */
static uint64_t random_near_one(enum type type, uint64_t word)
{
	uint64_t spread = word >> 58;

	switch (type) {
	case F16:
		return (word & 0x83ff) | (uint64_t)(15 - 4 + spread % 8) << 10;
	case BF16:
		return (word & 0x807f) | (uint64_t)(127 - 8 + spread % 16) << 7;
	case F32:
	case TF32:
		return (word & 0x807fffff) | (uint64_t)(127 - 16 + spread % 32) << 23;
	case F64:
		return (word & 0x800fffffffffffff) | (uint64_t)(1023 - 32 + spread) << 52;
	default:
		return word;
	}
}

static uint64_t random_value(const struct values *list, enum type type, uint64_t *state)
{
	uint64_t how = random_word(state), word = random_word(state);

	if (list->is_closed || how % 8 == 0)
		return list->list[word % list->count];
	if (type == COUNT)
		return word % 70;
	if (how % 8 < 3)
		word = random_near_one(type, word);
	else if (how % 8 == 3 && type_bits(type) >= 32 && !is_nan(type, word))
		word >>= word % type_bits(type);
	return word & register_mask(type);
}

static uint64_t combinations(const struct form *f)
{
	uint64_t product = 1;

	for (uint32_t k = 0; k < f->ins; k++) {
		product *= list_of(f, k)->count;
		if (product > f->samples)
			return 0;
	}
	return product;
}

/* Tuple t of the first part: combination t in mixed radix, or one at random. */
static void edge_tuple(const struct form *f, struct tuples *tuples, uint32_t t, bool is_all, uint64_t *state)
{
	uint64_t rest = t;

	for (uint32_t k = 0; k < f->ins; k++) {
		const struct values *list = list_of(f, k);

		tuples->in[k][t] = list->list[(is_all ? rest : random_word(state)) % list->count];
		rest /= list->count;
	}
}

static uint64_t *new_column(uint32_t count)
{
	uint64_t *column = calloc(count, sizeof *column);

	if (!column)
		die("no memory");
	return column;
}

struct tuples *tuples_new(const struct form *f)
{
	struct tuples *tuples = calloc(1, sizeof *tuples);
	uint64_t state = start_of(f->name), all = combinations(f);
	uint32_t edges = all ? (uint32_t)all : f->samples, count = f->ins ? edges + f->samples / 4 : 1;

	if (!tuples)
		die("no memory");
	count = (count + f->block - 1) / f->block * f->block;
	tuples->count = count;
	tuples->is_open = calloc(count, sizeof *tuples->is_open);
	for (uint32_t k = 0; k < f->ins; k++)
		tuples->in[k] = new_column(count);
	for (uint32_t k = 0; k < f->outs; k++) {
		tuples->want[k] = new_column(count);
		tuples->got[k] = new_column(count);
	}
	for (uint32_t t = 0; t < count; t++)
		if (t < edges)
			edge_tuple(f, tuples, t, all != 0, &state);
		else
			for (uint32_t k = 0; k < f->ins; k++)
				tuples->in[k][t] = random_value(list_of(f, k), f->in[k], &state);
	return tuples;
}

void tuples_free(struct tuples *t)
{
	for (uint32_t k = 0; k < FORM_INS; k++)
		free(t->in[k]);
	for (uint32_t k = 0; k < FORM_OUTS; k++) {
		free(t->want[k]);
		free(t->got[k]);
	}
	free(t->is_open);
	free(t);
}
