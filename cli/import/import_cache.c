/* cli/import/import_cache.c -- caches as GPGPU-Sim writes them:
 *
 *   [N|S:]sets:line:ways,replace:write:allocate:write_allocate[:index],
 *   mshr:entries:merge,miss_queue[:fifo][,data_port]
 *
 * S: lines have sectors of 32 bytes, each fetched by itself. replace: L LRU, F FIFO. write: R read only, B
 * back, T through, E evict, L local memory back and global memory evict. allocate: m on miss, f on fill, s
 * streaming (on fill, and nothing is reserved). write_allocate: N no, others yes. index: L linear, H Fermi's
 * hash, X exclusive or, P, C others. mshr: A, S of lines or sectors, F, T FIFO of a texture cache. */
#include "cli/import/import_gpgpusim.h"
#include <string.h>

struct cache_text {
	bool is_off, is_sectored, has_port;
	double sets, line, ways, mshrs, merge, miss_queue, port;
	char replace, write, allocate, write_allocate, index, mshr;
};

static void separator(struct import_cursor *c, char letter, const char *what)
{
	if (!take_if(c, letter))
		expected(c, "%c and %s", letter, what);
}

static void take_shape(struct import_cursor *c, struct cache_text *t)
{
	if (take_if(c, 'S') || take_if(c, 'N')) {
		t->is_sectored = c->option->value[c->at - 1] == 'S';
		separator(c, ':', "the number of sets");
	}
	t->sets = take_number(c, "sets");
	separator(c, ':', "the line's bytes");
	t->line = take_number(c, "the line's bytes");
	separator(c, ':', "the lines of a set");
	t->ways = take_number(c, "the lines of a set");
}

static void take_policies(struct import_cursor *c, struct cache_text *t)
{
	separator(c, ',', "the replacement policy");
	t->replace = take_letter(c, "LF", "a replacement policy");
	separator(c, ':', "the write policy");
	t->write = take_letter(c, "RBTEL", "a write policy");
	separator(c, ':', "when lines are allocated");
	t->allocate = take_letter(c, "mfs", "when lines are allocated");
	separator(c, ':', "whether stores allocate");
	t->write_allocate = take_letter(c, "NWFL", "whether stores allocate");
	t->index = take_if(c, ':') ? take_letter(c, "LHXPC", "a set-index function") : 'L';
}

static void take_misses(struct import_cursor *c, struct cache_text *t)
{
	separator(c, ',', "the kind of MSHRs");
	t->mshr = take_letter(c, "ASFT", "a kind of MSHRs");
	separator(c, ':', "the number of MSHRs");
	t->mshrs = take_number(c, "MSHRs");
	separator(c, ':', "the requests that one MSHR serves");
	t->merge = take_number(c, "the requests that one MSHR serves");
	separator(c, ',', "the miss queue");
	t->miss_queue = take_number(c, "places of the miss queue");
	if (take_if(c, ':'))
		take_number(c, "places of the result FIFO");
	t->has_port = take_if(c, ',');
	if (t->has_port)
		t->port = take_number(c, "bytes that the data port moves in a cycle");
	take_end(c);
}

static bool take_cache(struct import *i, struct import_option *o, struct cache_text *t)
{
	struct import_cursor c = import_cursor(i, o);

	*t = (struct cache_text){ .is_off = !strcmp(o->value, "none") };
	if (t->is_off)
		return true;
	take_shape(&c, t);
	take_policies(&c, t);
	take_misses(&c, t);
	return !c.failed;
}

/* -- what caches have in common -- */

static void set_cache_key(
	struct import *i, struct import_option *o, const char *section, const char *key, const char *value)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.%s", section, key);
	import_set(i, o, path, "%s", value);
}

static void set_number(
	struct import *i, struct import_option *o, const char *section, const char *key, double value)
{
	char path[64];

	snprintf(path, sizeof(path), "%s.%s", section, key);
	import_set_number(i, o, path, value);
}

static void set_index(struct import *i, struct import_option *o, const char *section, char index)
{
	set_cache_key(i, o, section, "index", index == 'L' ? "linear" : index == 'H' ? "fermi" : "xor");
	if (index == 'P' || index == 'C')
		import_remark(i, IMPORT_CHANGED, o,
			"set index %c (%s): the exclusive or of all higher bits (xor) instead", index,
			index == 'P' ? "by polynomials" : "one's own");
}

static void set_common(
	struct import *i, struct import_option *o, const char *section, const struct cache_text *t)
{
	set_number(i, o, section, "sets", t->sets);
	set_number(i, o, section, "ways", t->ways);
	set_number(i, o, section, "line", t->line);
	set_cache_key(i, o, section, "replace", t->replace == 'F' ? "fifo" : "lru");
	set_index(i, o, section, t->index);
	set_number(i, o, section, "mshrs", t->mshrs);
	set_number(i, o, section, "mshr_merge", t->merge);
}

static void set_allocate(
	struct import *i, struct import_option *o, const char *section, const struct cache_text *t)
{
	set_cache_key(i, o, section, "allocate", t->allocate == 'm' ? "on_miss" : "on_fill");
}

/* -- of an SM -- */

static void set_writes(struct import *i, struct import_option *o, const struct cache_text *t)
{
	bool is_back = t->write == 'B' || t->write == 'L';

	set_cache_key(i, o, "sm.l1d", "write_local", is_back ? "back" : "through");
	set_cache_key(
		i, o, "sm.l1d", "write_global", t->write == 'T' || t->write == 'B' ? "through" : "evict");
	if (t->write == 'B')
		import_remark(i, IMPORT_CHANGED, o,
			"write policy B: stores to global memory go through the L1 here");
	if (t->write_allocate != 'N')
		import_remark(i, IMPORT_CHANGED, o,
			"write allocation %c: stores to global memory allocate no line in the L1 here",
			t->write_allocate);
}

void import_l1d(struct import *i, struct import_option *o)
{
	struct cache_text t;

	if (!take_cache(i, o, &t))
		return;
	set_cache_key(i, o, "sm.l1d", "enabled", t.is_off ? "false" : "true");
	if (t.is_off)
		return;
	set_common(i, o, "sm.l1d", &t);
	set_allocate(i, o, "sm.l1d", &t);
	set_cache_key(i, o, "sm.l1d", "streaming", t.allocate == 's' ? "true" : "false");
	set_cache_key(i, o, "sm.l1d", "sectors", t.is_sectored ? "4" : "1");
	set_writes(i, o, &t);
	set_number(i, o, "sm.l1d", "miss_queue", t.miss_queue);
	if (t.has_port)
		set_number(i, o, "sm.l1d", "data_port_bytes", t.port);
}

static void import_read_only(struct import *i, struct import_option *o, const char *section)
{
	struct cache_text t;

	if (!take_cache(i, o, &t))
		return;
	set_cache_key(i, o, section, "enabled", t.is_off ? "false" : "true");
	if (t.is_off)
		return;
	set_common(i, o, section, &t);
	set_allocate(i, o, section, &t);
	if (!strcmp(section, "sm.texture"))
		set_cache_key(i, o, section, "sectors", t.is_sectored ? "4" : "1");
	else if (t.is_sectored)
		import_remark(i, IMPORT_CHANGED, o,
			"sectors (S): this cache has none here, it fetches whole lines");
	import_remark(i, IMPORT_CHANGED, o,
		"without the miss queue, which is the L1's here (sm.l1d.miss_queue)%s",
		t.mshr == 'F' || t.mshr == 'T' ? ", and with MSHRs for the FIFO" : "");
}

void import_constant(struct import *i, struct import_option *o)
{
	import_read_only(i, o, "sm.constant");
}

void import_instruction(struct import *i, struct import_option *o)
{
	import_read_only(i, o, "sm.instruction");
}

void import_texture(struct import *i, struct import_option *o)
{
	import_read_only(i, o, "sm.texture");
}

/* -- L2 -- */

void import_l2(struct import *i, struct import_option *o)
{
	struct cache_text t;

	if (!take_cache(i, o, &t))
		return;
	if (t.is_off) {
		import_remark(i, IMPORT_LEFT_OUT, o, "none: there always is an L2 here");
		return;
	}
	set_common(i, o, "l2", &t);
	set_cache_key(i, o, "l2", "fetch", t.is_sectored ? "sectors" : "line");
	if (t.has_port)
		set_number(i, o, "l2", "port_bytes", t.port);
	if (t.write != 'B')
		import_remark(i, IMPORT_CHANGED, o, "write policy %c: the L2 here writes back", t.write);
	if (t.allocate != 'm')
		import_remark(i, IMPORT_CHANGED, o, "allocation %c: an L2 line is taken by the miss here",
			t.allocate);
	import_remark(i, IMPORT_CHANGED, o,
		"without the miss queue (l2.dram_queue instead); stores allocate without a fetch, requests "
		"are whole lines or parts, not sectors one by one");
}
