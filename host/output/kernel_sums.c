/* host/output/kernel_sums.c -- the launches of each kernel (by name) added up: a section of stats.txt for
 * each, with the kernel's own counters and, unless observe.kernels is off, the statistics of the machine
 * during the launches: what was counted between the start and the end of a launch is the kernel's if no other
 * was under way in that time. Then a few of these numbers of all kernels, as kernels.COUNTER::KERNEL. */
#include "host/session/session_internal.h"
#include "sim/text/json.h"
#include "sim/text/demangle.h"
#include <inttypes.h>
#include <math.h>

struct kernel_sum {
	char *name;
	uint64_t launches, timed_launches; /* timed: wholly or in part */
	bool is_limited;                   /* a limit or sampling left a part of one of them without timing */
	struct kernel_stats stats;
	uint64_t first, overlapping;  /* number of its first launch; launches beside those of others */
	uint64_t least, most;         /* cycles of one timed launch */
	struct stat_vector machine;   /* its statistics during the launches; empty: not wanted */
	struct energy_counts *energy; /* NULL: no energy model */
	struct kernel_sum *next;      /* in the order of their first launches */
};

/* What is printed of each kernel: a counter, or what follows from several. */
struct sum_column {
	const char *name, *unit, *help;
	double (*value)(const struct kernel_sum *sum);
	uint32_t digits; /* behind the point */
	bool is_own;     /* it is among the kernel's own counters, too (kernel_stats.h) */
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

static double sum_cycles(const struct kernel_sum *s)
{
	return (double)s->stats.cycles;
}

static double least_cycles(const struct kernel_sum *s)
{
	return s->timed_launches ? (double)s->least : NAN;
}

static double mean_cycles(const struct kernel_sum *s)
{
	return (double)s->stats.cycles / (double)s->timed_launches;
}

static double most_cycles(const struct kernel_sum *s)
{
	return s->timed_launches ? (double)s->most : NAN;
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
	return s->timed_launches ? thread_instructions(s) / (thread_instructions(s) + untimed(s)) : 0;
}

static double never_timed(const struct kernel_sum *s)
{
	return s->is_limited && !s->timed_launches;
}

static const struct sum_column columns[] = {
	{ "launches", "kernels", "launches of the kernel that ended", launches, 0, false },
	{ "timed_launches", "kernels", "launches of the kernel that were timed, wholly or in part",
		timed_launches, 0, false },
	{ "cycles", "cycles", "core cycles from the start of each launch of the kernel to its end, added up",
		sum_cycles, 0, true },
	{ "least_cycles", "cycles", "core cycles of the shortest launch that was timed", least_cycles, 0,
		false },
	{ "mean_cycles", "cycles", "core cycles of a launch that was timed, on average", mean_cycles, 1,
		false },
	{ "most_cycles", "cycles", "core cycles of the longest launch that was timed", most_cycles, 0,
		false },
	{ "warp_instructions", "instructions", "warp instructions of the kernel, timed ones",
		warp_instructions, 0, true },
	{ "thread_instructions", "instructions", "thread instructions of the kernel, timed ones",
		thread_instructions, 0, true },
	{ "l1_hits", "requests", "loads of the kernel that found their line in the L1", l1_hits, 0, true },
	{ "l1_misses", "requests", "loads of the kernel that asked the L2 for their line", l1_misses, 0,
		true },
	{ "untimed_thread_instructions", "instructions",
		"thread instructions of the kernel that were executed without timing", untimed, 0, true },
	{ "timed_share", "ratio",
		"thread instructions of the kernel that were timed, per all that it executed", timed_share, 6,
		false },
	{ "never_timed", "", "1 if a timing limit left all launches of the kernel without timing",
		never_timed, 0, false },
	{ "overlapping_launches", "kernels", "launches of the kernel during which another was under way",
		overlapping, 0, false },
};
#define COLUMNS (sizeof columns / sizeof *columns)

/* -- adding up -- */

/* What is there before anything has run (the storage that a policy takes) has not been counted: it is a
 * constant of the machine, and the same for each kernel. */
void kernel_sums_begin(struct session *s)
{
	if (gpu_wants_kernel_statistics(s->gpu) && !s->is_functional)
		stat_vector_take(&s->constants, gpu_stats(s->gpu));
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
	sum->least = UINT64_MAX;
	stat_sum_add(&sum->machine, &s->constants);
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

uint64_t kernel_sums_launches(const struct session *s, const char *name)
{
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
		if (!strcmp(i->name, name))
			return i->launches;
	return 0;
}

static void add_energy(struct session *s, struct kernel_sum *sum, const struct session_kernel *kernel)
{
	struct energy_counts c;

	if (!kernel->energy_before)
		return;
	c = energy_since(gpu_energy(s->gpu), kernel->energy_before);
	if (!sum->energy)
		sum->energy = xcalloc(1, sizeof *sum->energy);
	energy_counts_add(sum->energy, &c);
}

void kernel_sums_add(struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct session_kernel *kernel)
{
	struct kernel_sum *sum = take_sum(s, launch->kernel->name, r->id);

	/* launches end in another order than they begin */
	sum->first = r->id < sum->first ? r->id : sum->first;
	put_sum(s, sum);
	sum->overlapping += kernel->overlaps;
	if (sum->machine.count)
		stat_sum_add(&sum->machine, &kernel->counted);
	add_energy(s, sum, kernel);

	sum->launches++;
	sum->is_limited |= r->timing_limit != TIMING_LIMIT_NONE || r->estimate.sampled_kernels;
	kernel_stats_add(&sum->stats, &r->stats);
	if (s->is_functional || r->is_untimed)
		return;
	sum->timed_launches++;
	sum->least = r->stats.cycles < sum->least ? r->stats.cycles : sum->least;
	sum->most = r->stats.cycles > sum->most ? r->stats.cycles : sum->most;
}

void kernel_sums_free(struct session *s)
{
	for (struct kernel_sum *i = s->kernel_sums, *next; i; i = next) {
		next = i->next;
		stat_vector_free(&i->machine);
		free(i->energy);
		free(i->name);
		free(i);
	}
	s->kernel_sums = NULL;
	stat_vector_free(&s->constants);
}

/* -- printing -- */

static void print_sum_value(const struct sum_column *c, double value, int width, const char *nan, FILE *f)
{
	if (isfinite(value))
		fprintf(f, "%*.*f", width, (int)c->digits, value);
	else
		fprintf(f, "%*s", width, nan);
}

/* Without timing what is 0 or has no value is left out, as of the machine's statistics. */
static bool is_printed(const struct session *s, double value)
{
	return !s->is_functional || (isfinite(value) && value != 0);
}

/* "kernel.cycles VALUE # ...", "kernels.cycles::NAME VALUE # ..." */
static void print_sum_line(const struct session *s, const struct sum_column *c, const struct kernel_sum *sum,
	const char *group, const char *element, FILE *f)
{
	double value = c->value(sum);
	int used;

	if (!is_printed(s, value))
		return;
	used = fprintf(f, "%s.%s%s%s ", group, c->name, *element ? "::" : "", element);
	print_sum_value(c, value, used < 60 ? 65 - used : 0, "nan", f);
	fprintf(f, " # %s%s%s%s\n", c->help, *c->unit ? " (" : "", c->unit, *c->unit ? ")" : "");
}

void kernel_sums_text(const struct session *s, FILE *f)
{
	for (size_t c = 0; c < COLUMNS; c++)
		for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
			print_sum_line(s, &columns[c], i, "kernels", i->name, f);
}

/* Whether what the machine counted during the launches is the kernel's. */
static bool has_machine(const struct kernel_sum *sum)
{
	return sum->machine.count && sum->timed_launches && !sum->overlapping;
}

/* A line of comment with what a name of C++ stands for. */
void demangled_text(const char *name, FILE *f)
{
	char *text = demangle(name);

	if (text)
		fprintf(f, "# %s\n", text);
	free(text);
}

static void section_text(const struct session *s, const struct kernel_sum *sum, FILE *f)
{
	for (size_t c = 0; c < COLUMNS; c++)
		if (!columns[c].is_own)
			print_sum_line(s, &columns[c], sum, "kernel", "", f);
	own_text(s, &sum->stats, f);
	if (has_machine(sum))
		stat_print_sum(gpu_stats(s->gpu), &sum->machine, f);
	else if (sum->machine.count && sum->overlapping)
		fputs("# Other kernels were under way at the same time: what of the machine's statistics "
		      "is this kernel's is not known.\n",
			f);
}

void kernel_sums_sections(const struct session *s, const char *begin, const char *end, FILE *f)
{
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next) {
		fprintf(f, "%s  # launches of %s\n", begin, i->name);
		demangled_text(i->name, f);
		section_text(s, i, f);
		fprintf(f, "%s\n\n", end);
	}
}

static void demangled_json(const char *name, FILE *f)
{
	char *text = demangle(name);

	if (text) {
		fputs("\"demangled\": ", f);
		json_string(text, f);
		fputs(", ", f);
	}
	free(text);
}

static void element_json(const struct session *s, const struct kernel_sum *sum, FILE *f)
{
	const char *between = "";

	json_string(sum->name, f);
	fputs(": {", f);
	demangled_json(sum->name, f);
	for (size_t c = 0; c < COLUMNS; c++) {
		double value = columns[c].value(sum);

		if (!is_printed(s, value))
			continue;
		fprintf(f, "%s\"%s\": ", between, columns[c].name);
		print_sum_value(&columns[c], value, 0, "null", f);
		between = ", ";
	}
	fputs(",\n      \"own\": ", f);
	own_json(s, &sum->stats, f);
	if (has_machine(sum)) {
		fputs(",\n      \"stats\": ", f);
		stat_print_sum_json(gpu_stats(s->gpu), &sum->machine, f, 6);
	}
	fputc('}', f);
}

void kernel_sums_json(const struct session *s, FILE *f)
{
	fputc('{', f);
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next) {
		fputs(i == s->kernel_sums ? "\n    " : ",\n    ", f);
		element_json(s, i, f);
	}
	fputs(s->kernel_sums ? "\n  }" : "}", f);
}

void kernel_sums_energy(const struct session *s,
	void (*print)(const struct session *s, const char *name, uint64_t launches, uint64_t overlapping,
		const struct energy_counts *counts))
{
	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
		if (i->energy)
			print(s, i->name, i->launches, i->overlapping, i->energy);
}

/* -- on the terminal -- */

/* A line for each kernel, if a limit was reached. */
void kernel_sums_print(const struct session *s, FILE *f)
{
	bool is_limited = false;

	for (const struct kernel_sum *i = s->kernel_sums; i; i = i->next)
		is_limited |= i->is_limited;
	for (const struct kernel_sum *i = s->kernel_sums; is_limited && i; i = i->next) {
		char name[64];

		demangle_short(i->name, name, sizeof name - 1);
		fprintf(f,
			"lockstep: kernel %s: timed %.1f %% of its %.0f thread-instructions, %" PRIu64
			" of its %" PRIu64 " launches%s\n",
			name, 100 * timed_share(i), thread_instructions(i) + untimed(i), i->timed_launches,
			i->launches, never_timed(i) ? ": its cycles are in no statistic" : "");
	}
}
