/* cli/import/import_dram.c -- memory partitions and DRAM.
 *
 * There, a memory controller serves several sub-partitions, each an L2 slice, over one bus of n_mem_per_ctrlr
 * devices. Here each slice has a channel of its own: it gets its share of the bus, and rows as much shorter,
 * so that bandwidth and what the open rows hold stay the same. */
#include "cli/import/import_gpgpusim.h"
#include "sim/base/bits.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

double import_sub_partitions(struct import *i)
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
		import_set_number(i, o, "gpu.partitions", value * import_sub_partitions(i));
	else if (value > 1)
		import_remark(i, IMPORT_CHANGED, o,
			"each sub-partition has a DRAM channel of its own here, %g of a controller's bus",
			1 / value);
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
	bytes = (width ? value : 4) * import_number(i, "gpgpu_n_mem_per_ctrlr", 1) / import_sub_partitions(i);
	if (bytes >= 1 && bytes == floor(bytes))
		import_set_number(i, o, "dram.bus_bytes", bytes);
	else
		import_remark(i, IMPORT_LEFT_OUT, o,
			"%g bytes for each sub-partition: dram.bus_bytes takes whole ones", bytes);
}

/* -- timing -- */

static const struct timing {
	const char *name, *path;
} timings[] = { /* in the order of the form without names */
	{ "nbk", "dram.banks" }, { "CCD", "dram.tCCDS" }, { "RRD", "dram.tRRD" }, { "RCD", "dram.tRCD" },
	{ "RAS", "dram.tRAS" }, { "RP", "dram.tRP" }, { "RC", "dram.tRC" }, { "CL", "dram.tCL" },
	{ "WL", "dram.tWL" }, { "CDLR", "dram.tWTR" }, { "WR", "dram.tWR" }, { "nbkgrp", "dram.bank_groups" },
	{ "CCDL", "dram.tCCDL" }, { "RTPL", "dram.tRTP" }
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
	expected(c, "the name of a timing%s%s%s", nearest ? " (did you mean " : "", nearest ? nearest : "",
		nearest ? "?)" : "");
	return NULL;
}

/* The last that has been read of a parameter; otherwise: none has been. */
static double setting_read(const struct import *i, const char *path, double otherwise)
{
	for (size_t n = i->setting_count; n; n--)
		if (!strcmp(i->settings[n - 1].path, path))
			return strtod(i->settings[n - 1].value, NULL);
	return otherwise;
}

/* What GPGPU-Sim takes if it is not told: one group, in which tCCD alone counts. */
static void complete_timing(struct import *i, struct import_option *o)
{
	if (setting_read(i, "dram.bank_groups", 0) <= 1) {
		import_set(i, o, "dram.bank_groups", "1");
		import_set_number(i, o, "dram.tCCDL", setting_read(i, "dram.tCCDS", 2));
	}
	if (setting_read(i, "dram.tRTP", -1) < 0)
		import_set(i, o, "dram.tRTP", "0");
	import_set(i, o, "dram.tFAW", "0");
	import_set(i, o, "dram.tREFI", "0");
	import_remark(i, IMPORT_CHANGED, o,
		"with neither a window of four activations nor refreshes (dram.tFAW, dram.tREFI), which are "
		"not modelled there");
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
	if (import_is_on(i, "dram_seperate_write_queue_enable", false) ||
		import_is_on(i, "Seperate_Write_Queue_Enable", false))
		return;
	import_set_number(i, o, "dram.write_queue", places);
	import_set_number(i, o, "dram.write_high", fmax(1, floor(places / 2)));
	import_set_number(i, o, "dram.write_low", floor(places / 8));
	import_remark(i, IMPORT_CHANGED, o,
		"one queue for reads and writes there, one each here; writes go in groups (dram.write_high, "
		"dram.write_low: a half and an eighth)");
}

/* SIZE:HIGH:LOW, if it is enabled. */
void import_write_queue(struct import *i, struct import_option *o)
{
	static const char *const paths[] = { "dram.write_queue", "dram.write_high", "dram.write_low" };
	bool is_enabled = import_is_on(i, "dram_seperate_write_queue_enable", false) ||
		import_is_on(i, "Seperate_Write_Queue_Enable", false);
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
		import_remark(i, IMPORT_LEFT_OUT, o,
			"not used there without a write queue of its own (dram_seperate_write_queue_enable)");
}
