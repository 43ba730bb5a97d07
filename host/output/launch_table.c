/* host/output/launch_table.c -- launches.csv: a line for each launch that has ended. What a launch has not,
 * or what cannot be told from that of others that ran at the same time, is empty. */
#include "host/session/session_internal.h"
#include "sim/text/c_locale.h"
#include "sim/text/csv.h"
#include "sim/text/demangle.h"
#include "sim/files/whole_file.h"
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

void launch_table_begin(FILE *f)
{
	fputs("launch,kernel,stream,grid,block,timing,outcome,overlapped,start_ps,end_ps,cycles,ctas,"
	      "warp_instructions,thread_instructions,untimed_thread_instructions,ipc,l1_hit_rate,"
	      "l2_hit_rate,dram_bytes,launched_by,demangled\n",
		f);
	whole_file_flush(f);
}

static void put_ratio(FILE *f, double value)
{
	if (isfinite(value))
		fprintf(f, ",%.6g", value);
	else
		fputc(',', f);
}

static void put_machine(const struct session *s, const struct stat_vector *counted, FILE *f)
{
	const struct stat_tree *tree = gpu_stats(s->gpu);

	put_ratio(f, 1 - stat_sum_value(tree, counted, "l2.miss_rate"));
	fprintf(f, ",%.0f", stat_sum_value(tree, counted, "dram.bytes"));
}

static void put_timing(
	const struct session *s, const struct launch_result *r, const struct session_kernel *kernel, FILE *f)
{
	const struct kernel_stats *own = &r->stats;

	put_ratio(f, (double)own->thread_instructions / (double)(own->cycles - own->drain_cycles));
	put_ratio(f, (double)own->l1_hits / (double)(own->l1_hits + own->l1_misses + own->l1_merged));
	if (kernel->overlaps || !kernel->counted.count)
		fputs(",,", f);
	else
		put_machine(s, &kernel->counted, f);
}

/* The last column: its commas mislead nobody who looks for another one without a parser. */
static void put_demangled(const char *name, FILE *f)
{
	char *text = demangle(name);

	fputc(',', f);
	if (text)
		csv_put(f, text);
	free(text);
}

void launch_table_add(const struct session *s, const struct launch *l, const struct launch_result *r,
	const struct session_kernel *kernel, FILE *f)
{
	const struct kernel_stats *own = &r->stats;
	bool is_timed = !s->is_functional && !r->is_untimed;
	locale_t before = c_locale_enter();

	fprintf(f, "%" PRIu64 ",%s,%u,%ux%ux%u,%ux%ux%u,%s,%s,%u", r->id, l->kernel->name, l->stream,
		l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2],
		launch_timing(s, r), launch_outcomes[r->outcome], r->overlapped);
	if (s->is_functional)
		fputs(",,,", f);
	else
		fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, r->start, r->end, r->core_cycles);
	fprintf(f, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, r->ctas, r->warp_instructions,
		r->thread_instructions, own->untimed_thread_instructions);
	if (is_timed)
		put_timing(s, r, kernel, f);
	else
		fputs(",,,,", f);
	if (l->parent)
		fprintf(f, ",%" PRIu64, l->parent);
	else
		fputc(',', f);
	put_demangled(l->kernel->name, f);
	fputc('\n', f);
	whole_file_flush(f);
	c_locale_leave(before);
}
