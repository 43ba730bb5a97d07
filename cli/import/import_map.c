/* cli/import/import_map.c -- GPGPU-Sim's address mapping as dram.mapping: dramid@BIT;RRRR...: what each bit
 * of an address inside a controller is, from the highest on. */
#include "cli/import/import_gpgpusim.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAP_BITS 64

struct map_text {
	char bit[MAP_BITS + 1]; /* R, B, C, S, 0; bit 0 first */
	uint32_t count;
	double interleave; /* the lowest bit that chooses the controller; negative: the map has a D in each */
};

static void take_bits(struct import_cursor *c, struct map_text *m)
{
	char high_first[MAP_BITS + 1];
	uint32_t count = 0;

	while (!c->failed && c->option->value[c->at]) {
		char letter;

		if (take_if(c, '.'))
			continue;
		letter = take_letter(c, "RrBbCcSsDd0", "what a bit is");
		if (count == MAP_BITS)
			expected(c, "at most %d bits", MAP_BITS);
		else
			high_first[count++] = (char)(letter >= 'a' ? letter - 'a' + 'A' : letter);
	}
	for (uint32_t n = 0; n < count; n++)
		m->bit[n] = high_first[count - 1 - n];
	m->count = count;
}

static bool take_map(struct import *i, struct import_option *o, struct map_text *m)
{
	struct import_cursor c = import_cursor(i, o);
	const char *head = "dramid@";

	*m = (struct map_text){ .interleave = -1 };
	if (!strncmp(o->value, head, strlen(head))) {
		c.at = strlen(head);
		m->interleave = take_number(&c, "the lowest bit that chooses the controller");
		if (!take_if(&c, ';'))
			expected(&c, "; and what each bit is");
	}
	take_bits(&c, m);
	return !c.failed;
}

static uint32_t exponent_of(double value)
{
	return value < 1 ? 0 : 31 - (uint32_t)__builtin_clz((uint32_t)value);
}

/* The lowest bank bits choose the sub-partition: they are no longer part of an address inside one. The bit at
 * `interleave`, should the map name controllers bit by bit, neither. */
static void drop_partition_bits(struct map_text *m, uint32_t subs)
{
	uint32_t to = 0;

	for (uint32_t from = 0; from < m->count; from++) {
		if (m->bit[from] == 'D' || m->bit[from] == '0')
			continue;
		if (m->bit[from] == 'B' && subs) {
			subs--;
			continue;
		}
		m->bit[to++] = m->bit[from] == 'S' ? 'C' : m->bit[from];
	}
	m->count = to;
}

static uint32_t count_letter(const struct map_text *m, char letter)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < m->count; n++)
		count += m->bit[n] == letter;
	return count;
}

/* Ours, from the highest bit on; the uppermost part of banks and of columns takes what remains of their bits.
 */
static void write_map(
	const struct map_text *m, const char *above_banks, const char *bank, char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "row");
	bool has_bank = false, has_column = false;

	for (uint32_t high = m->count; high;) {
		char letter = m->bit[high - 1];
		uint32_t run = 0;

		while (high && m->bit[high - 1] == letter) {
			high--;
			run++;
		}
		if (letter == 'R')
			continue;
		if (letter == 'B' && !has_bank)
			at += (size_t)snprintf(text + at, size - at, "%s:bank%s", above_banks, bank);
		else if (letter == 'C' && !has_column)
			at += (size_t)snprintf(text + at, size - at, ":column");
		else
			at += (size_t)snprintf(
				text + at, size - at, ":%s%u", letter == 'B' ? "bank" : "column", run);
		*(letter == 'B' ? &has_bank : &has_column) = true;
	}
	if (!has_bank)
		snprintf(text + at, size - at, ":bank");
}

/* The timing may stand behind the mapping. */
static bool has_groups(const struct import *i)
{
	const struct import_option *o = import_find(i, "gpgpu_dram_timing_opt");
	const char *at = o ? strstr(o->value, "nbkgrp=") : NULL;

	return at && strtod(at + strlen("nbkgrp="), NULL) > 1;
}

void import_mapping(struct import *i, struct import_option *o)
{
	uint32_t subs = exponent_of(import_sub_partitions(i));
	bool groups_are_high = has_groups(i) && !import_is_on(i, "dram_bnkgrp_indexing_policy", false);
	struct map_text m;
	char text[256];

	if (!take_map(i, o, &m))
		return;
	if (m.interleave >= 0)
		import_set_number(i, o, "gpu.interleave", ldexp(1, (int)m.interleave));
	drop_partition_bits(&m, subs);
	if (count_letter(&m, 'C') < 7 + subs || count_letter(&m, 'C') - subs > 16) {
		import_remark(i, IMPORT_LEFT_OUT, o, "rows of %g bytes: dram.row_bytes takes 128 to 65536",
			ldexp(1, (int)count_letter(&m, 'C')));
		return;
	}
	import_set_number(i, o, "dram.row_bytes", ldexp(1, (int)(count_letter(&m, 'C') - subs)));
	write_map(&m, groups_are_high ? ":group" : "",
		import_is_on(i, "dram_bnk_indexing_policy", false) ? "^row" : "", text, sizeof(text));
	import_set(i, o, "dram.mapping", "%s", text);
	if (m.interleave < 0)
		import_remark(i, IMPORT_CHANGED, o,
			"without its bits D, which choose the controller: partitions are interleaved by "
			"gpu.interleave");
	if (subs)
		import_remark(i, IMPORT_CHANGED, o,
			"without the lowest %u bank bit%s, which choose the sub-partition; rows are a %s as "
			"long, and banks as many as the timing says",
			subs, subs > 1 ? "s" : "", subs == 1 ? "half" : "quarter");
}

/* These two go with the mapping. */
void import_bank_index(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double policy = take_number(&c, "0 (as the map says) or 1 (exclusive or with row bits)");

	take_end(&c);
	if (c.failed)
		return;
	if (import_find(i, "gpgpu_mem_addr_mapping"))
		o->is_carried = true;
	else
		import_remark(i, IMPORT_LEFT_OUT, o,
			"%g: without gpgpu_mem_addr_mapping there is no mapping to change", policy);
}

void import_group_index(struct import *i, struct import_option *o)
{
	import_bank_index(i, o);
}
