/* cli/import_dram.c -- memory partitions and DRAM.
 *
 * There, a memory controller serves several sub-partitions, each an L2 slice, over one bus of n_mem_per_ctrlr devices. Here each slice has a channel of
 * its own: it gets its share of the bus, and rows as much shorter, so that bandwidth and what the open rows hold stay the same. */
#include "cli/import_gpgpusim.h"
#include "sim/bits.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sub_partitions(struct import *i)
{
	return import_number(i, "gpgpu_n_sub_partition_per_mchannel", 1);
}

/* Both options come here. */
void import_partitions(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double value = take_number(&c, "how many");

	take_end(&c);
	if (c.failed)
		return;
	o->is_carried = true;
	if (!strcmp(o->name, "gpgpu_n_mem"))
		import_set_number(i, o, "gpu.partitions", value * sub_partitions(i));
	else if (value > 1)
		import_remark(i, IMPORT_CHANGED, o, "each sub-partition has a DRAM channel of its own here, %g of a controller's bus", 1 / value);
}

/* Bus width times devices, shared out. */
void import_bus(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double value = take_number(&c, "how many"), bytes;
	struct import_option *width = import_find(i, "gpgpu_dram_buswidth");

	take_end(&c);
	if (c.failed)
		return;
	o->is_carried = true;
	if (width && o != width)
		return;
	bytes = (width ? value : 4) * import_number(i, "gpgpu_n_mem_per_ctrlr", 1) / sub_partitions(i);
	if (bytes >= 1 && bytes == floor(bytes))
		import_set_number(i, o, "dram.bus_bytes", bytes);
	else
		import_remark(i, IMPORT_LEFT_OUT, o, "%g bytes for each sub-partition: dram.bus_bytes takes whole ones", bytes);
}

/* -- timing -- */

static const struct timing {
	const char *name, *path;
} timings[] = { /* in the order of the form without names */
	{ "nbk", "dram.banks" }, { "CCD", "dram.tCCDS" }, { "RRD", "dram.tRRD" }, { "RCD", "dram.tRCD" }, { "RAS", "dram.tRAS" }, { "RP", "dram.tRP" },
	{ "RC", "dram.tRC" }, { "CL", "dram.tCL" }, { "WL", "dram.tWL" }, { "CDLR", "dram.tWTR" }, { "WR", "dram.tWR" },
	{ "nbkgrp", "dram.bank_groups" }, { "CCDL", "dram.tCCDL" }, { "RTPL", "dram.tRTP" }
};
#define TIMINGS (sizeof(timings) / sizeof(*timings))

static const struct timing *take_timing(struct import_cursor *c)
{
	const char *names[TIMINGS], *at = c->option->value + c->at, *nearest;
	size_t size = strcspn(at, "=:");
	char name[32];

	snprintf(name, sizeof(name), "%.*s", (int)size, at);
	for (size_t n = 0; n < TIMINGS; n++) {
		names[n] = timings[n].name;
		if (strcmp(name, names[n]))
			continue;
		c->at += size;
		if (!take_if(c, '='))
			expected(c, "= and a number");
		return &timings[n];
	}
	nearest = diag_nearest(name, names, TIMINGS);
	expected(c, "the name of a timing%s%s%s", nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
	return NULL;
}

/* The last that has been read of a parameter; otherwise: none has been. */
static double setting(const struct import *i, const char *path, double otherwise)
{
	for (size_t n = i->setting_count; n; n--)
		if (!strcmp(i->settings[n - 1].path, path))
			return strtod(i->settings[n - 1].value, NULL);
	return otherwise;
}

/* What GPGPU-Sim takes if it is not told: one group, in which tCCD alone counts. */
static void complete_timing(struct import *i, struct import_option *o)
{
	if (setting(i, "dram.bank_groups", 0) <= 1) {
		import_set(i, o, "dram.bank_groups", "1");
		import_set_number(i, o, "dram.tCCDL", setting(i, "dram.tCCDS", 2));
	}
	if (setting(i, "dram.tRTP", -1) < 0)
		import_set(i, o, "dram.tRTP", "0");
	import_set(i, o, "dram.tFAW", "0");
	import_set(i, o, "dram.tREFI", "0");
	import_remark(i, IMPORT_CHANGED, o, "with neither a window of four activations nor refreshes (dram.tFAW, dram.tREFI), which are not modelled there");
}

void import_timing(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	bool has_names = strchr(o->value, '=') != NULL;

	for (size_t n = 0; !c.failed; n++) {
		const struct timing *t = has_names ? take_timing(&c) : n < TIMINGS ? &timings[n] : NULL;
		double value;

		if (!t)
			break;
		value = take_number(&c, t->name);
		if (!c.failed)
			import_set_number(i, o, t->path, value);
		if (!take_if(&c, ':'))
			break;
	}
	take_end(&c);
	complete_timing(i, o);
}

/* -- address mapping: dramid@BIT;RRRR...: what each bit of an address inside a controller is, from the highest on -- */

#define MAP_BITS 64

struct map_text {
	char bit[MAP_BITS + 1];    /* R, B, C, S, 0; bit 0 first */
	uint32_t count;
	double interleave;         /* the lowest bit that chooses the controller; negative: the map has a D in each */
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

static uint32_t log2_of(double value)
{
	return value < 1 ? 0 : 31 - (uint32_t)__builtin_clz((uint32_t)value);
}

/* The lowest bank bits choose the sub-partition: they are no longer part of an address inside one. The bit at `interleave`, should the map name
 * controllers bit by bit, neither. */
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

static uint32_t bits_of(const struct map_text *m, char letter)
{
	uint32_t count = 0;

	for (uint32_t n = 0; n < m->count; n++)
		count += m->bit[n] == letter;
	return count;
}

/* Ours, from the highest bit on; the uppermost part of banks and of columns takes what remains of their bits. */
static void write_map(const struct map_text *m, const char *above_banks, const char *bank, char *text, size_t size)
{
	size_t at = (size_t)snprintf(text, size, "row");
	bool has_bank = false, has_column = false;

	for (uint32_t high = m->count; high; ) {
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
			at += (size_t)snprintf(text + at, size - at, ":%s%u", letter == 'B' ? "bank" : "column", run);
		*(letter == 'B' ? &has_bank : &has_column) = true;
	}
	if (!has_bank)
		snprintf(text + at, size - at, ":bank");
}

static bool is_on(struct import *i, const char *name, bool otherwise)
{
	const struct import_option *o = import_find(i, name);

	return o ? strcmp(o->value, "0") != 0 : otherwise;
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
	uint32_t subs = log2_of(sub_partitions(i));
	bool groups_are_high = has_groups(i) && !is_on(i, "dram_bnkgrp_indexing_policy", false);
	struct map_text m;
	char text[256];

	if (!take_map(i, o, &m))
		return;
	if (m.interleave >= 0)
		import_set_number(i, o, "gpu.interleave", ldexp(1, (int)m.interleave));
	drop_partition_bits(&m, subs);
	if (bits_of(&m, 'C') < 7 + subs || bits_of(&m, 'C') - subs > 16) {
		import_remark(i, IMPORT_LEFT_OUT, o, "rows of %g bytes: dram.row_bytes takes 128 to 65536", ldexp(1, (int)bits_of(&m, 'C')));
		return;
	}
	import_set_number(i, o, "dram.row_bytes", ldexp(1, (int)(bits_of(&m, 'C') - subs)));
	write_map(&m, groups_are_high ? ":group" : "", is_on(i, "dram_bnk_indexing_policy", false) ? "^row" : "", text, sizeof(text));
	import_set(i, o, "dram.mapping", "%s", text);
	if (m.interleave < 0)
		import_remark(i, IMPORT_CHANGED, o, "without its bits D, which choose the controller: partitions are interleaved by gpu.interleave");
	if (subs)
		import_remark(i, IMPORT_CHANGED, o,
			"without the lowest %u bank bit%s, which choose the sub-partition; rows are a %s as long, and banks as many as the timing says", subs,
			subs > 1 ? "s" : "", subs == 1 ? "half" : "quarter");
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
		import_remark(i, IMPORT_LEFT_OUT, o, "%g: without gpgpu_mem_addr_mapping there is no mapping to change", policy);
}

void import_group_index(struct import *i, struct import_option *o)
{
	import_bank_index(i, o);
}

/* -- scheduler and queues -- */

void import_dram_scheduler(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double policy = take_number(&c, "0 (FIFO) or 1 (FR-FCFS)");

	if (!c.failed && policy > 1) {
		c.at = 0;
		expected(&c, "0 (FIFO) or 1 (FR-FCFS)");
	}
	take_end(&c);
	if (!c.failed)
		import_set(i, o, "dram.scheduler.policy", "%s", policy == 0 ? "fcfs" : "fr_fcfs");
}

void import_dram_queue(struct import *i, struct import_option *o)
{
	struct import_cursor c = import_cursor(i, o);
	double places = take_number(&c, "places");

	take_end(&c);
	if (c.failed)
		return;
	if (places == 0) {
		import_remark(i, IMPORT_LEFT_OUT, o, "0: queues here have an end (dram.read_queue)");
		return;
	}
	import_set_number(i, o, "dram.read_queue", places);
	if (is_on(i, "dram_seperate_write_queue_enable", false) || is_on(i, "Seperate_Write_Queue_Enable", false))
		return;
	import_set_number(i, o, "dram.write_queue", places);
	import_set_number(i, o, "dram.write_high", fmax(1, floor(places / 2)));
	import_set_number(i, o, "dram.write_low", floor(places / 8));
	import_remark(i, IMPORT_CHANGED, o,
		"one queue for reads and writes there, one each here; writes go in groups (dram.write_high, dram.write_low: a half and an eighth)");
}

/* SIZE:HIGH:LOW, if it is enabled. */
void import_write_queue(struct import *i, struct import_option *o)
{
	static const char *const paths[] = { "dram.write_queue", "dram.write_high", "dram.write_low" };
	bool is_enabled = is_on(i, "dram_seperate_write_queue_enable", false) || is_on(i, "Seperate_Write_Queue_Enable", false);
	struct import_cursor c = import_cursor(i, o);

	if (!strstr(o->name, "Size") && !strstr(o->name, "size")) {
		take_number(&c, "0 or 1");
		take_end(&c);
		o->is_carried = !c.failed;
		return;
	}
	for (size_t n = 0; n < 3; n++) {
		double value;

		if (n && !take_if(&c, ':'))
			expected(&c, ": and where writes %s", n == 1 ? "begin to go" : "stop");
		value = take_number(&c, "writes");
		if (!c.failed && is_enabled)
			import_set_number(i, o, paths[n], value);
	}
	take_end(&c);
	if (!c.failed && !is_enabled)
		import_remark(i, IMPORT_LEFT_OUT, o, "not used there without a write queue of its own (dram_seperate_write_queue_enable)");
}
