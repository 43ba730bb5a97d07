/* host/session/session_launches.c -- a line on the terminal for each launch that has ended: of each kernel
 * (by name) the first few, and at the end of the run one line for all others together. */
#include "host/session/session_internal.h"
#include "sim/text/c_locale.h"
#include "sim/text/demangle.h"
#include "sim/text/terminal.h"

#include <math.h>
#include <search.h>
#include <unistd.h>

#define SHORTEST_NAME 16 /* bytes of a kernel's name that are always shown */

/* The launches of a kernel that have ended. */
struct launch_tally {
	char *name;
	uint64_t printed; /* with a line of their own */
	uint64_t counted; /* without; the sums are of these */
	uint64_t ctas, cycles, timed_instructions, instructions;
	double host_seconds;
	struct launch_tally *next; /* in the order of their first launches */
};

static void print_extent(FILE *stream, const uint32_t extent[3])
{
	fprintf(stream, "(%u", extent[0]);
	if (extent[1] > 1 || extent[2] > 1)
		fprintf(stream, ",%u", extent[1]);
	if (extent[2] > 1)
		fprintf(stream, ",%u", extent[2]);
	fputc(')', stream);
}

/* <<<(32,32),(16,16)>>> */
static void session_print_launch(FILE *stream, const struct launch *launch)
{
	fputs("<<<", stream);
	print_extent(stream, launch->grid);
	fputc(',', stream);
	print_extent(stream, launch->block);
	fputs(">>>", stream);
}

static void print_timing(
	const struct session *s, const struct launch_result *r, const struct stat_vector *counted, FILE *f)
{
	const struct kernel_stats *own = &r->stats;
	double loads = (double)(own->l1_hits + own->l1_misses + own->l1_merged);
	double bytes = stat_sum_value(gpu_stats(s->gpu), counted, "dram.bytes");
	cycles timed = r->core_cycles - own->drain_cycles;

	fprintf(f, ", %llu cycles, IPC %.1f", (unsigned long long)r->core_cycles,
		timed ? (double)r->thread_instructions / (double)timed : 0.0);
	if (loads > 0)
		fprintf(f, ", L1 miss %.1f %%", 100 * (double)own->l1_misses / loads);
	if (counted->count && r->end > r->start)
		fprintf(f, ", DRAM %.1f GB/s", 1000 * bytes / (double)(r->end - r->start));
}

/* Where the timing of the kernel ended, and what was executed without timing. */
static void print_untimed(const struct launch_result *r, FILE *f)
{
	const struct kernel_stats *own = &r->stats;
	unsigned long long at[TIMING_LIMITS] = { [TIMING_LIMIT_INSTRUCTIONS] = own->thread_instructions,
		[TIMING_LIMIT_CYCLES] = own->cycles - own->drain_cycles - own->launch_cycles,
		[TIMING_LIMIT_CTAS] = own->ctas,
		[TIMING_LIMIT_RUN] = own->thread_instructions };
	static const char *const what[TIMING_LIMITS] = { "thread-instructions", "cycles", "CTAs",
		"thread-instructions, the last of the run" };

	if (r->timing_limit != TIMING_LIMIT_NONE && !r->is_untimed)
		fprintf(f, ", timing ended after %llu %s", at[r->timing_limit], what[r->timing_limit]);
	if (own->untimed_ctas && !r->is_untimed)
		fprintf(f, ", %llu CTAs ended and %llu thread-instructions were executed without timing",
			(unsigned long long)own->untimed_ctas,
			(unsigned long long)own->untimed_thread_instructions);
}

/* What sampling estimates for all of the kernel. */
static void print_estimate(const struct launch_result *r, FILE *f)
{
	const struct sample_estimate *e = &r->estimate;

	if (e->sampled_kernels)
		fprintf(f, ", all of it is estimated to take %llu +- %.0f cycles, IPC %.1f",
			(unsigned long long)e->cycles, sample_half_width(e),
			(double)e->threads / (double)e->cycles);
}

/* In a stream, as long as it gets. */
static void print_rate(uint64_t instructions, double seconds, FILE *f)
{
	fprintf(f, ", %llu thread-instructions in %.*f s", (unsigned long long)instructions,
		seconds < 1 ? 4 : 1, seconds);
	if (seconds > 0)
		fprintf(f, " (%.1f M/s)", (double)instructions / seconds / 1e6);
}

static uint64_t instructions_of(const struct launch_result *r)
{
	return r->is_untimed ? r->stats.untimed_thread_instructions : r->thread_instructions;
}

static uint64_t ctas_of(const struct launch_result *r)
{
	return r->is_untimed ? r->stats.untimed_ctas : r->ctas;
}

/* A kernel's name as people write it, in half a line. */
static const char *name_shown(const char *name, char *text, size_t size)
{
	int columns = terminal_columns(STDERR_FILENO) / 2;
	size_t width = columns <= 0 || (size_t)columns >= size ? size - 1 : (size_t)columns;

	demangle_short(name, text, width < SHORTEST_NAME ? SHORTEST_NAME : width);
	return text;
}

static void print_launch(const struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct stat_vector *counted, FILE *f)
{
	static const char *const outcomes[] = { "", " (fault)", " (interrupted)" };
	const char *untimed = !r->is_untimed           ? ""
		: r->estimate.repeated_kernels         ? "repeats earlier ones, "
		: r->timing_limit == TIMING_LIMIT_NONE ? "warm-up, "
						       : "not timed, ";
	char name[256];

	fprintf(f, "lockstep: kernel %llu %s ", (unsigned long long)r->id,
		name_shown(launch->kernel->name, name, sizeof name));
	session_print_launch(f, launch);
	if (launch->parent)
		fprintf(f, " by kernel %llu", (unsigned long long)launch->parent);
	fprintf(f, "%s: %s%llu CTAs", outcomes[r->outcome], untimed, (unsigned long long)ctas_of(r));
	if (!s->is_functional && !r->is_untimed)
		print_timing(s, r, counted, f);
	print_rate(instructions_of(r), r->host_seconds, f);
	print_untimed(r, f);
	print_estimate(r, f);
}

static void print_others(const struct session *s, const struct launch_tally *t, FILE *f)
{
	char name[256];

	fprintf(f, "lockstep: kernel %s: %llu more launches, %llu CTAs",
		name_shown(t->name, name, sizeof name), (unsigned long long)t->counted,
		(unsigned long long)t->ctas);
	if (!s->is_functional && t->cycles)
		fprintf(f, ", %llu cycles, IPC %.1f", (unsigned long long)t->cycles,
			(double)t->timed_instructions / (double)t->cycles);
	print_rate(t->instructions, t->host_seconds, f);
}

/* -- of each kernel the first few -- */

static int tallies_by_name(const void *a, const void *b)
{
	return strcmp(((const struct launch_tally *)a)->name, ((const struct launch_tally *)b)->name);
}

static struct launch_tally *tally_of(struct session_launches *l, const char *name)
{
	struct launch_tally key = { .name = (char *)name }, *fresh, **found;

	found = tfind(&key, &l->by_name, tallies_by_name);
	if (found)
		return *found;
	fresh = xcalloc(1, sizeof *fresh);
	fresh->name = xstrdup(name);
	bug_if(!tsearch(fresh, &l->by_name, tallies_by_name), "out of memory");
	*(l->last ? &l->last->next : &l->first) = fresh;
	return l->last = fresh;
}

static void count_result(struct launch_tally *t, const struct launch_result *r)
{
	t->counted++;
	t->ctas += ctas_of(r);
	t->instructions += instructions_of(r);
	t->host_seconds += r->host_seconds;
	if (r->is_untimed)
		return;
	t->cycles += r->core_cycles - r->stats.drain_cycles;
	t->timed_instructions += r->thread_instructions;
}

/* Prints what is written into the stream that print gets, folded to the terminal. */
struct line {
	char *text;
	size_t size;
	FILE *stream;
	locale_t locale;
};

static FILE *line_begin(struct line *line)
{
	line->locale = c_locale_enter();
	line->stream = open_memstream(&line->text, &line->size);
	bug_if(!line->stream, "out of memory");
	return line->stream;
}

static void line_end(struct line *line)
{
	fclose(line->stream);
	fflush(stdout);
	terminal_print_lines(stderr, line->text);
	free(line->text);
	c_locale_leave(line->locale);
}

static void print_further(const struct launch_tally *t, uint64_t most)
{
	struct line line;
	char name[256];

	fprintf(line_begin(&line),
		"lockstep: further launches of %s, and of others after their first %llu, are "
		"counted and reported at the end (--kernels all: a line for each)",
		name_shown(t->name, name, sizeof name), (unsigned long long)most);
	line_end(&line);
}

bool launches_has_line(const struct session *s, const char *kernel)
{
	struct launch_tally key = { .name = (char *)kernel }, **found;

	found = tfind(&key, &s->launches.by_name, tallies_by_name);
	return (found ? (*found)->printed : 0) < s->launches.most;
}

void launches_ended(struct session *s, const struct launch *launch, const struct launch_result *r,
	const struct stat_vector *counted)
{
	struct session_launches *l = &s->launches;
	struct launch_tally *t = tally_of(l, launch->kernel->name);
	struct line line;

	if (t->printed >= l->most && r->outcome == GPU_DONE) {
		count_result(t, r);
		if (!l->is_said)
			print_further(t, l->most);
		l->is_said = true;
		return;
	}
	t->printed++;
	print_launch(s, launch, r, counted, line_begin(&line));
	line_end(&line);
}

void launches_print_others(struct session *s)
{
	struct line line;

	for (const struct launch_tally *t = s->launches.first; t; t = t->next) {
		if (!t->counted)
			continue;
		print_others(s, t, line_begin(&line));
		line_end(&line);
	}
}

static void keep_tally(void *tally)
{
	(void)tally;
}

void launches_free(struct session *s)
{
	tdestroy(s->launches.by_name, keep_tally);
	for (struct launch_tally *i = s->launches.first, *next; i; i = next) {
		next = i->next;
		free(i->name);
		free(i);
	}
	s->launches = (struct session_launches){ 0 };
}
