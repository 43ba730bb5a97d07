/* tests/unit/core/gpu/test_address_map.c -- whole device addresses: whatever the mapping string and the
 * number of partitions, every address has a place of its own, no place is left out, and there is a way back.
 */
#include "core/chip/address_map.h"
#include "core/gpu/machine_config.h"
#include "tests/unit/core/gpu/map_offset.h"
#include "memsys/index/pric.h"
#include "sim/base/xalloc.h"
#include "tests/unit/part.h"
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static uint64_t random_state = 88172645463325252u;

static uint32_t random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 33) % n;
}

static struct machine_config *machine(const char *mapping, uint32_t partitions)
{
	static struct machine_config m;
	struct config *config = config_new();
	struct diag_list diags;
	char text[512];

	diag_init(&diags);
	snprintf(text, sizeof(text), "dram.mapping=%s", mapping);
	cr_assert(config_set(config, text, &diags));
	snprintf(text, sizeof(text), "gpu.partitions=%u", partitions);
	cr_assert(config_set(config, text, &diags));
	cr_assert(config_set(config, "dram.row_bytes=4096", &diags));
	cr_assert(config_set(config, "dram.bus_bytes=8", &diags));
	machine_config_read(&m, config, &diags);
	diag_print(&diags, stderr);
	cr_assert(!diags.errors, "%s on %u", mapping, partitions);
	diag_fini(&diags);
	m.dram.mapping = xstrdup(mapping);
	machine_config_fini(&m);
	config_free(config);
	return &m;
}

/* All chunks of 128 bytes of the first `rows` rows of all banks and partitions: 16 banks, rows of 4 KB. */
static void is_one_to_one(const char *mapping, uint32_t partitions)
{
	enum { ROWS = 2, CHUNKS = ROWS * 16 * 32 };
	struct machine_config *m = machine(mapping, partitions);
	struct partition_map map = address_map_partitions(&m->gpu, &m->dram);
	uint8_t *seen = xcalloc(partitions * CHUNKS, 1);

	for (addr a = 0; a < (addr)partitions * CHUNKS * 128; a += 128) {
		struct address_location p = address_map_location(&m->gpu, &m->dram, a + a / 128 % 128);
		size_t index =
			((p.partition * ROWS + p.dram.row) * 16 + p.dram.bank) * 32 + p.dram.column / 128;

		cr_assert_lt(p.partition, partitions);
		cr_assert_lt(p.dram.row, ROWS, "%s on %u: %llx is not dense", mapping, partitions,
			(unsigned long long)a);
		cr_assert(!seen[index], "%s on %u: %llx has another's place", mapping, partitions,
			(unsigned long long)a);
		cr_assert_eq(p.dram.column % 128, a / 128 % 128, "%s: bytes of a line lie apart", mapping);
		cr_assert_eq(map_offset(&map, p.partition, p.local), p.offset, "%s on %u: %llx", mapping,
			partitions, (unsigned long long)a);
		seen[index] = 1;
	}
	free(seen);
	free((char *)m->dram.mapping);
}

/* A random string: four bank or group bits and the column's upper ones in random pieces, hashes, a channel.
 */
static void random_mapping(char *s, size_t size, uint32_t partitions)
{
	static const char *const bank_hashes[] = { "", "", "^row", "+row", "^row.1^row", "^row^column.7",
		"+column.9+row" };
	static const char *const channel_hashes[] = { "", "+row", "+bank+row", "+column.8", "+row+row.3+bank",
		"+polynomial", "+row+polynomial" };
	static const char *const xor_hashes[] = { "^row", "^row^bank", "^column.7", "", "^polynomial",
		"^polynomial^row" };
	bool with_group = random_below(2), power = !(partitions & (partitions - 1)),
	     with_channel = random_below(5);
	uint32_t low = 7 + random_below(5), banks = with_group ? 2 : 4, split = 1 + random_below(banks - 1);
	bool channel_first = random_below(2);
	char channel[64] = "";

	if (with_channel)
		snprintf(channel, sizeof(channel), ":channel%s",
			power && random_below(2) ? xor_hashes[random_below(6)]
						 : channel_hashes[random_below(7)]);
	snprintf(s, size, "row%s:bank%u%s%s%s:column%s:bank%s%s:column%u", channel_first ? channel : "",
		split, bank_hashes[random_below(7)], with_group ? ":group" : "",
		with_group ? bank_hashes[random_below(7)] : "", low == 11 && random_below(2) ? "1" : "",
		bank_hashes[random_below(7)], channel_first ? "" : channel, low);
}

Test(address_map, every_mapping_is_one_to_one)
{
	uint32_t mappings = 96 / one_in_or(3, 2); /* every number of partitions at least once */
	char mapping[256];

	for (uint32_t i = 0; i < mappings; i++) {
		uint32_t partitions = 1 + i % 32;

		random_mapping(mapping, sizeof(mapping), partitions);
		is_one_to_one(mapping, partitions);
	}
}

Test(address_map, a_channel_may_stand_in_parts_where_there_is_a_power_of_two)
{
	is_one_to_one("row:channel1:bank:column:channel2:column8", 8);
	is_one_to_one("row:channel:bank^row:channel1:column4:channel1:column8", 16);
	is_one_to_one("row:bank:channel1:channel1:column", 4);
}

Test(address_map, the_default_is_what_gpu_interleave_says)
{
	struct machine_config *m = machine("row:bank:column:bank2:column8", 6);
	struct partition_map plain = address_map_partitions(&m->gpu, &m->dram), one;

	cr_assert_eq(plain.interleave, 256);
	cr_assert(bit_hash_is_none(&plain.hash) && !plain.parts);
	free((char *)m->dram.mapping);
	m = machine("row:bank:column:group:channel:column8", 6);
	one = address_map_partitions(&m->gpu, &m->dram);
	for (addr a = 0; a < 1 << 20; a += 96) {
		addr x, y;

		cr_assert_eq(map_partition(&plain, a, &x), map_partition(&one, a, &y));
		cr_assert_eq(x, y);
	}
	free((char *)m->dram.mapping);
}

Test(address_map, large_addresses_keep_their_partition)
{
	struct partition_map map = { .partitions = 6, .interleave = 256 };

	for (addr a = UINT64_C(1) << 38; a < UINT64_C(1) << 43; a += UINT64_C(0x123456789)) {
		addr local;
		uint32_t partition = map_partition(&map, a, &local);

		cr_assert_eq(partition, a / 256 % 6);
		cr_assert_eq(local, a / 256 / 6 * 256 + a % 256);
		cr_assert_eq(map_offset(&map, partition, local), a);
	}
}

/* Chunks that are 2^stride apart, as many as there are partitions: in how many of these they lie. */
static uint32_t partitions_of_stride(const struct partition_map *map, uint32_t stride)
{
	uint64_t seen[2] = { 0 };

	for (addr n = 0; n < map->partitions; n++) {
		addr local;
		uint32_t partition = map_partition(map, n * map->interleave << stride, &local);

		seen[partition / 64] |= UINT64_C(1) << partition % 64;
	}
	return (uint32_t)(__builtin_popcountll(seen[0]) + __builtin_popcountll(seen[1]));
}

/* Rau 1991: the rests of x^k, x^k * x, ... are different, whatever k. Added modulo 80 they are as good as
 * random. */
Test(address_map, a_polynomial_spreads_strides_of_all_powers_of_two)
{
	struct machine_config *m = machine("row:bank:column:group:channel^polynomial:column8", 64);
	struct partition_map exact = address_map_partitions(&m->gpu, &m->dram), sum;

	free((char *)m->dram.mapping);
	m = machine("row:bank:column:group:channel+polynomial:column8", 80);
	sum = address_map_partitions(&m->gpu, &m->dram);
	free((char *)m->dram.mapping);
	for (uint32_t stride = 0; stride < 24; stride++) {
		cr_assert_eq(partitions_of_stride(&exact, stride), 64, "stride 2^%u", stride);
		cr_assert_geq(partitions_of_stride(&sum, stride), 40, "stride 2^%u: %u", stride,
			partitions_of_stride(&sum, stride));
	}
}

/* As an index of sets (pric) does. */
Test(address_map, a_polynomial_gives_the_rest_of_the_whole_address)
{
	struct machine_config *m = machine("row:bank:column:group:channel^polynomial:column8", 32);
	struct partition_map map = address_map_partitions(&m->gpu, &m->dram);

	free((char *)m->dram.mapping);
	for (addr chunk = 0; chunk < 100000; chunk += 7) {
		addr local;

		cr_assert_eq(map_partition(&map, chunk << 8 | 5, &local), pric_rest(chunk, pric_default(5)));
		cr_assert_eq(map_partition(&map, chunk * 1000003 << 8, &local),
			pric_rest(chunk * 1000003, pric_default(5)));
	}
}

/* 48 rows apart lies the same bank of the same partition: without a hash all of a column of a matrix goes to
 * one bank. */
Test(address_map, a_hash_spreads_rows_over_banks_and_partitions)
{
	static const char *const mappings[] = { "row:bank:column:group:channel:column8",
		"row:bank^row:column:group^row.2:channel+row:column8" };
	uint32_t places[2];

	for (int i = 0; i < 2; i++) {
		struct machine_config *m = machine(mappings[i], 6);
		uint64_t banks[6] = { 0 };

		for (addr n = 0; n < 96; n++) {
			struct address_location p = address_map_location(&m->gpu, &m->dram, n * 6 * 65536);

			banks[p.partition] |= UINT64_C(1) << p.dram.bank;
		}
		places[i] = 0;
		for (int p = 0; p < 6; p++)
			places[i] += (uint32_t)__builtin_popcountll(banks[p]);
		free((char *)m->dram.mapping);
	}
	cr_assert_eq(places[0], 1);
	cr_assert_geq(places[1], 48, "%u", places[1]);
}
