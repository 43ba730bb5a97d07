/* dram/map.c -- computes the meaning of a mapping string: the bits of each part, and the location of an
 * address. map_parse.c reads the string. */
#include "dram/map.h"
#include "dram/map_parse.h"
#include <stdio.h>

#define POLYNOMIAL_SUM_DEGREE \
	11           /* where the remainder is added: so much above the number of partitions that its \
		      * remainder is even, nearly */
#define MIN_COLUMN 7 /* number of lowest column bits: the largest request has 128 bytes */

static uint32_t log2_of(uint32_t power)
{
	return (uint32_t)__builtin_ctz(power);
}

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static bool fail_at_part(const struct map_text *t, const struct dram_part *part, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	map_text_complain(t, part->at, format, arguments);
	va_end(arguments);
	return false;
}

static uint32_t parts_of(const struct dram_map *map, enum dram_field_kind what, struct dram_part **last)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < map->count; i++)
		if (map->part[i].what == what) {
			*last = (struct dram_part *)&map->part[i];
			n++;
		}
	return n;
}

/* Assigns each part its bits of a field of `bits` bits in all; the part without a number gets the rest. */
static bool share(struct dram_map *map, const struct map_text *t, enum dram_field_kind what, uint32_t bits)
{
	struct dram_part *last = NULL;
	uint32_t given = 0, rests = 0, parts = parts_of(map, what, &last);
	uint8_t to = 0;

	if (!parts && !bits)
		return true;
	if (!parts)
		return fail_at_part(t, &map->part[map->count - 1], "no field %s, which needs %u bits",
			map_field_names[what], bits);
	for (uint32_t i = 0; i < map->count; i++)
		if (map->part[i].what == what && map->part[i].slice.bits == MAP_REST)
			rests++;
		else if (map->part[i].what == what)
			given += map->part[i].slice.bits;
	if (rests > 1 || given > bits || (!rests && given < bits))
		return fail_at_part(t, last, "%s needs %u bits in all, and at most one part without a number",
			map_field_names[what], bits);
	for (uint32_t i = 0; i < map->count; i++) {
		struct dram_part *p = &map->part[i];

		if (p->what != what)
			continue;
		if (p->slice.bits == MAP_REST)
			p->slice.bits = (uint8_t)(bits - given);
		p->slice.to = to;
		to = (uint8_t)(to + p->slice.bits);
	}
	return true;
}

static bool share_channel(struct dram_map *map, const struct map_text *t, uint32_t channels)
{
	struct dram_part *last = NULL;
	uint32_t parts = parts_of(map, DRAM_CHANNEL, &last);

	if (!parts)
		return true;
	if (parts == 1 && last->slice.bits == MAP_REST) {
		last->slice.bits = 0;
		return true;
	}
	if (!is_power_of_two(channels))
		return fail_at_part(t, last,
			"a channel in parts or with a number of bits needs a power of two of partitions, and "
			"there are %u",
			channels);
	return share(map, t, DRAM_CHANNEL, log2_of(channels));
}

/* Computes where each part begins in the local address, which contains no channel. */
static void place_parts(struct dram_map *map)
{
	uint8_t from = 0;

	for (uint32_t i = 0; i < map->count; i++) {
		struct dram_part *p = &map->part[i];

		p->slice.from = from;
		if (p->what == DRAM_ROW)
			p->slice.bits = (uint8_t)(64 - from);
		if (p->what != DRAM_CHANNEL)
			from = (uint8_t)(from + p->slice.bits);
	}
}

static bool check_order(const struct dram_map *map, const struct map_text *t)
{
	const struct dram_part *low = &map->part[0];

	for (uint32_t i = 0; i < map->count; i++)
		if ((map->part[i].what == DRAM_ROW) != (i == map->count - 1))
			return fail_at_part(t, &map->part[i], "row stands first, and only there");
	if (map->part[map->count - 1].slice.bits != MAP_REST)
		return fail_at_part(
			t, &map->part[map->count - 1], "row takes all bits above, without a number");
	if (low->what != DRAM_COLUMN)
		return fail_at_part(t, low,
			"the lowest %d bits must be column bits: a request of 128 bytes stays in one row",
			MIN_COLUMN);
	return true;
}

/* Adds the bits of one source, from its bit `skip` on, as slices of the local address. */
static bool add_source(struct dram_map *map, const struct map_text *t, struct dram_part *target,
	const struct map_source *source)
{
	for (uint32_t i = 0; i < map->count; i++) {
		const struct dram_part *p = &map->part[i];
		uint32_t low = p->slice.to > source->skip ? p->slice.to : source->skip,
			 high = p->slice.to + p->slice.bits;

		if (p->what != source->what || low >= high)
			continue;
		if (target->hash.count == sizeof(target->hash.slice) / sizeof(*target->hash.slice))
			return fail_at_part(t, target, "a hash of more than 8 pieces");
		target->hash.slice[target->hash.count++] =
			(struct bit_slice){ (uint8_t)(p->slice.from + low - p->slice.to),
				(uint8_t)(high - low), (uint8_t)(low - source->skip) };
	}
	return true;
}

/* The remainders of a division by an irreducible polynomial over GF(2) of this degree, for each value of each
 * nibble of the address: bit i stands for x^(i + degree). */
static const uint16_t (*remainders_of(uint32_t degree))[16]
{
	static const uint16_t irreducible[BIT_REMAINDER + 1] = { 1, 3, 7, 11, 19, 37, 67, 131, 283, 515, 1033,
		2053, 4105 };
	static uint16_t table[BIT_REMAINDER + 1][BIT_NIBBLES][16];
	uint16_t(*row)[16] = table[degree];
	uint32_t power = irreducible[degree] ^ 1u << degree;

	for (uint32_t bit = 0; bit < 4 * BIT_NIBBLES; bit++) {
		row[bit / 4][1u << bit % 4] = (uint16_t)power;
		power <<= 1;
		if (power >> degree)
			power ^= irreducible[degree];
	}
	for (uint32_t i = 0; i < BIT_NIBBLES; i++)
		for (uint32_t value = 1; value < 16; value++)
			row[i][value] = row[i][value & (value - 1)] ^ row[i][value & -value];
	return table[degree];
}

/* Adds the remainder of the address, from the channel's bits on. With the exclusive or, the channel's own
 * bits are the lowest powers, so that the channel is the remainder of the whole address. */
static void add_polynomial(struct dram_part *target, uint32_t channels)
{
	struct bit_hash *h = &target->hash;

	h->remainder = remainders_of(h->adds ? POLYNOMIAL_SUM_DEGREE : log2_of(channels));
	h->from = target->slice.from;
}

static bool check_target(
	const struct dram_map *map, const struct map_text *t, const struct dram_part *p, uint32_t channels)
{
	struct dram_part *last;

	if (p->what == DRAM_ROW || p->what == DRAM_COLUMN)
		return fail_at_part(t, p, "only bank, group and channel can be hashed");
	if (p->what != DRAM_CHANNEL)
		return true;
	if (parts_of(map, DRAM_CHANNEL, &last) > 1)
		return fail_at_part(t, p, "a channel in several parts cannot be hashed");
	if (!p->hash.adds && !is_power_of_two(channels))
		return fail_at_part(t, p,
			"the exclusive or needs a power of two of partitions, and there are %u: write +",
			channels);
	return true;
}

static bool check_polynomial(const struct map_text *t, const struct dram_part *p,
	const struct map_source *source, uint32_t channels)
{
	if (p->what != DRAM_CHANNEL)
		return fail_at_part(t, p, "only the channel can be hashed with polynomial");
	if (p->hash.remainder || source->skip)
		return fail_at_part(t, p, "polynomial stands once in a hash, and without a number");
	if (channels > 1u << BIT_REMAINDER)
		return fail_at_part(t, p, "polynomial is for at most %u partitions", 1u << BIT_REMAINDER);
	return true;
}

static bool check_source(const struct map_text *t, const struct dram_part *p, const struct map_source *source,
	uint32_t channels)
{
	if (source->what == MAP_POLYNOMIAL)
		return check_polynomial(t, p, source, channels);
	if (source->what == DRAM_CHANNEL ||
		(p->what != DRAM_CHANNEL && source->what != DRAM_ROW && source->what != DRAM_COLUMN))
		return fail_at_part(t, p, "%s cannot be hashed with %s", map_field_names[p->what],
			map_field_names[source->what]);
	if (source->what == DRAM_COLUMN && source->skip < MIN_COLUMN)
		return fail_at_part(t, p,
			"the lowest %d bits of the column lie inside a request: write column.%d", MIN_COLUMN,
			MIN_COLUMN);
	return true;
}

static bool hash_parts(struct dram_map *map, const struct map_text *t, uint32_t channels)
{
	for (uint32_t i = 0; i < t->source_count; i++) {
		const struct map_source *s = &t->source[i];
		struct dram_part *p = &map->part[s->part];

		p->hash.adds = s->adds;
		if (!check_target(map, t, p, channels) || !check_source(t, p, s, channels))
			return false;
		if (s->what == MAP_POLYNOMIAL)
			add_polynomial(p, channels);
		else if (!add_source(map, t, p, s))
			return false;
	}
	return true;
}

bool dram_map_init(struct dram_map *map, const struct dram_config *config, char *message, size_t size)
{
	struct map_text text = { .text = config->mapping, .message = message, .size = size };
	uint32_t channels = config->channels ? config->channels : 1;
	struct dram_part *last = NULL;

	if (!map_text_read(&text, map) || !check_order(map, &text))
		return false;
	map->group_bits = parts_of(map, DRAM_GROUP, &last) ? log2_of(config->bank_groups) : 0;
	if (!share(map, &text, DRAM_BANK, log2_of(config->banks) - map->group_bits) ||
		!share(map, &text, DRAM_GROUP, map->group_bits) ||
		!share(map, &text, DRAM_COLUMN, log2_of(config->row_bytes)) ||
		!share_channel(map, &text, channels))
		return false;
	if (map->part[0].slice.bits < MIN_COLUMN)
		return fail_at_part(&text, &map->part[0],
			"the lowest %d bits must be column bits: a request of 128 bytes stays in one row",
			MIN_COLUMN);
	place_parts(map);
	return hash_parts(map, &text, channels);
}

struct dram_location dram_map_location(const struct dram_map *map, addr local)
{
	uint64_t whole[DRAM_FIELDS] = { 0 };

	for (uint32_t i = 0; i < map->count; i++) {
		const struct dram_part *p = &map->part[i];
		uint64_t value;

		if (p->what == DRAM_CHANNEL)
			continue;
		value = local >> p->slice.from;
		if (!bit_hash_is_none(&p->hash)) {
			uint64_t hash = bit_hash_of(&p->hash, local);

			value = p->hash.adds ? value + hash : value ^ hash;
		}
		whole[p->what] |= (value & bit_mask(p->slice.bits)) << p->slice.to;
	}
	return (struct dram_location){ whole[DRAM_ROW],
		(uint32_t)(whole[DRAM_BANK] << map->group_bits | whole[DRAM_GROUP]),
		(uint32_t)whole[DRAM_COLUMN] };
}
