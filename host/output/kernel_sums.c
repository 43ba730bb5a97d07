/* host/output/kernel_sums.c -- the launches of each kernel (by name) added up: what of them was timed, which
 * says what two runs that a limit (gpu.timing_limit) cut have in common, and the counters of which means over
 * the kernels of a program are made. Names are kernels.COUNTER::KERNEL. With observe.kernels also the
 * statistics of the machine during the launches, in a file of their own: what was counted between the start
 * and the end of a launch is the kernel's if no other was under way in that time. */
#include "host/session/session_internal.h"
#include "host/output/json.h"
#include <inttypes.h>
#include <math.h>

struct kernel_sum {
	char *name;
	uint64_t launches, timed_launches; /* timed: wholly or in part */
	bool is_limited;                   /* a limit or sampling left a part of one of them without timing */
	struct kernel_stats stats;
	uint64_t first, overlapping; /* number of its first launch; launches beside those of others */
	struct stat_sum *statistics; /* of the machine during its launches; NULL: not wanted */
	struct kernel_sum *next;     /* in the order of their first launches */
};

/* What is printed of each kernel: a counter, or the two that follow from several. */
struct sum_column {
	const char *name, *unit, *help;
	double (*value)(const struct kernel_sum *sum);
	bool is_ratio;
};

static double launches(const struct kernel_sum *s)
{
	return (double)s->launches;
}

static double timed_launches(const struct kernel_sum *s)
{
	return (double)s->timed_launches;
}

static double overlapping(const struct kernel_sum *s)
{
	return (double)s->overlapping;
}

static double cycles_of(const struct kernel_sum *s)
{
	return (double)s->stats.cycles;
}

static double warp_instructions(const struct kernel_sum *s)
{
	return (double)s->stats.warp_instructions;
}

static double thread_instructions(const struct kernel_sum *s)
{
	return (double)s->stats.thread_instructions;
}

static double l1_hits(const struct kernel_sum *s)
{
	return (double)s->stats.l1_hits;
}

static double l1_misses(const struct kernel_sum *s)
{
	return (double)s->stats.l1_misses;
}

static double untimed(const struct kernel_sum *s)
{
	return (double)s->stats.untimed_thread_instructions;
}

static double timed_share(const struct kernel_sum *s)
{
	return thread_instructions(s) / (thread_instructions(s) + untimed(s));
}

static double never_timed(const struct kernel_sum *s)
{
	return s->is_limited && !s->timed_launches;
}

static const struct sum_column columns[] = {
	{ "launches", "kernels", "launches of the kernel that ended", launches, false },
	{ "timed_launches", "kernels", "launches of the kernel that were timed, wholly or in part",
		timed_launches, false },
	{ "cycles", "cycles", "core cycles from the start of each launch of the kernel to its end, added up",
		cycles_of, false },
	{ "warp_instructions", "instructions", "warp instructions of the kernel, timed ones",
		warp_instructions, false },
	{ "thread_instructions", "instructions", "thread instructions of the kernel, timed ones",
		thread_instructions, false },
	{ "l1_hits", "requests", "loads of the kernel that found their line in the L1", l1_hits, false },
	{ "l1_misses", "requests", "loads of the kernel that asked the L2 for their line", l1_misses, false },
	{ "untimed_thread_instructions", "instructions",
		"thread instructions of the kernel that were executed without timing", untimed, false },
	{ "timed_share", "ratio",
		"thread instructions of the kernel that were timed, per all that it executed", timed_share,
		true },
	{ "never_timed", "", "1 if a timing limit left all launches of the kernel without timing",
		never_timed, false },
};
#define COLUMNS (sizeof columns / sizeof *columns)

/* -- adding up -- */

/* What is there before anything has run (the storage that a policy takes) has not been counted: it is a
 * constant of the machine, and the same for each kernel. */
void kernel_sums_begin(struct session *s)
{
	if (!gpu_wants_kernel_statistics(s->gpu))
		return;
	s->constants = stat_sum_new();
	stat_sum_add(s->constants, gpu_stats(s->gpu), NULL);
}

/* The kernel's sum; it is taken out of the list, or new. */
static struct kernel_sum *take_sum(struct session *s, const char *name, uint64_t launch)
{
	struct kernel_sum **at = &s->kernel_sums, *sum;

	while (*at && strcmp((*at)->name, name) != 0)
		at = &(*at)->next;
	sum = *at;
	if (sum) {
		*at = sum->next;
		return sum;
	}
	sum = xcalloc(1, sizeof *sum);
	sum->name = xstrdup(name);
	sum->first = launch;
	if (s->constants)
		sum->statistics = stat_sum_copy(s->constants);
	return sum;
}

static void put_sum(struct session *s, struct kernel_sum *sum)
{
	struct kernel_sum **at = &s->kernel_sums;

	while (*at && (*at)->first < sum->first)
		at = &(*at)->next;
	sum->next = *at;
	*at = sum;
}

void kernel_sums_add(struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct session_kernel *kernel)
{
	struct kernel_sum *sum = take_sum(s, launch->kernel->name, r->id);

	/* launches end in another order than they begin */
	sum->first = r->id < sum->first ? r->id : sum->first;
	put_sum(s, sum);
	sum->overlapping += kernel->overlaps;
	if (sum->statistics)
		stat_sum_add(sum->statistics, gpu_stats(s->gpu), kernel->before);

	sum->launches++;
	sum->timed_launches += !s->is_functional && !r->is_untimed;
	sum->is_limited |= r->timing_limit != TIMING_LIMIT_NONE || r->estimate.sampled_kernels;
	kernel_stats_add(&sum->stats, &r->stats);
}

void kernel_sums_free(struct session *s)
{
	for (struct kernel_sum *i = s->kernel_sums, *next; i; i = next) {
		next = i->next;
		stat_sum_free(i->statistics);
		free(i->name);
		free(i);
	}
	s->kernel_sums = NULL;
	stat_sum_free(s->constants);
	s->constants = NULL;
}

/* -- printing -- */

static void print_value(
	const struct sum_column *c, const struct kernel_sum *s, int width, const char *nan, FILE *f)
{
	double value = c->value(s);

	if (isnan(value))
		fprintf(f, "%*s", width, nan);
	else
		fprintf(f, "%*.*f", width, c->is_ratio ? 6 : 0, value);
}

void kernel_sums_text(const struct session *s, FILE *f)
{
	for (size_t c = 0; c < COLUMNS; c++)
		for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next) {
			int used = fprintf(f, "kernels.%s::%s ", columns[c].name, i->name);
			const char *unit = columns[c].unit;

			print_value(&columns[c], i, used < 60 ? 65 - used : 0, "nan", f);
			fprintf(f, " # %s%s%s%s\n", columns[c].help, *unit ? " (" : "", unit,
				*unit ? ")" : "");
		}
}

void kernel_sums_json(const struct session *s, FILE *f)
{
	fputc('{', f);
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next) {
		fputs(i == s->kernel_sums ? "\n    " : ",\n    ", f);
		json_string(i->name, f);
		for (size_t c = 0; c < COLUMNS; c++) {
			fprintf(f, "%s\"%s\": ", c ? ", " : ": {", columns[c].name);
			print_value(&columns[c], i, 0, "null", f);
		}
		fputc('}', f);
	}
	fputs(s->kernel_sums ? "\n  }" : "}", f);
}

/* -- kernel_stats.txt -- */

/* Only here, so that stats.txt is the same whether or not there is this file. */
static const struct sum_column overlap_column = { "overlapping_launches", "kernels",
	"launches of the kernel during which another was under way", overlapping, false };

static void print_line(const struct sum_column *c, const struct kernel_sum *sum, FILE *f)
{
	int used = fprintf(f, "kernel.%s ", c->name);

	print_value(c, sum, used < 60 ? 65 - used : 0, "nan", f);
	fprintf(f, " # %s%s%s%s\n", c->help, *c->unit ? " (" : "", c->unit, *c->unit ? ")" : "");
}

void kernel_sums_statistics(struct session *s, FILE *f)
{
	struct stat_tree *tree = gpu_stats(s->gpu);

	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next) {
		fprintf(f, "---------- Begin Simulation Statistics ----------  # launches of %s\n", i->name);
		for (size_t c = 0; c < COLUMNS; c++)
			print_line(&columns[c], i, f);
		print_line(&overlap_column, i, f);
		if (i->overlapping)
			fputs("# Other kernels were under way at the same time: what of the machine's "
			      "statistics "
			      "is this kernel's is not known.\n",
				f);
		else if (i->timed_launches && i->statistics)
			stat_print_sum(tree, i->statistics, f);
		fputs("---------- End Simulation Statistics   ----------\n\n", f);
	}
}

/* -- on the terminal -- */

static void print_overlapping(const struct kernel_sum *sum, FILE *f)
{
	if (sum->statistics && sum->overlapping)
		fprintf(f,
			"lockstep: kernel %s: %" PRIu64 " of its %" PRIu64
			" launches overlap with other kernels: kernel_stats.txt has no statistics of the "
			"machine "
			"for it\n",
			sum->name, sum->overlapping, sum->launches);
}

/* A line for each kernel, if a limit was reached; and for those without statistics of their own. */
void kernel_sums_print(const struct session *s, FILE *f)
{
	bool is_limited = false;

	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
		is_limited |= i->is_limited;
	for (const struct kernel_sum *i = s->kernel_sums; is_limited && i; i = i->next)
		fprintf(f,
			"lockstep: kernel %s: timed %.1f %% of its %.0f thread-instructions, %" PRIu64
			" of its %" PRIu64 " launches%s\n",
			i->name, 100 * timed_share(i), thread_instructions(i) + untimed(i), i->timed_launches,
			i->launches, never_timed(i) ? ": its cycles are in no statistic" : "");
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
		print_overlapping(i, f);
}
