/* core/observe/series.c -- time series of statistics. */
#include "core/observe/series.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "sim/text/c_locale.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <math.h>

const struct sim_param series_params[] = {
	SIM_U64(struct series_config, period, 0, 0, 1e15, "core cycles",
		"interval between two rows of series.csv in the output folder; 0: no series"),
	SIM_STRING(struct series_config, statistics,
		"gpu.ipc,sm.l1d.miss_rate,l2.miss_rate,dram.row_hit_rate,dram.bytes",
		"columns of series.csv: names of statistics as in stats.txt, with * and ?, separated by "
		"commas"),
	SIM_END,
};

struct series {
	struct chip *chip;
	struct stat_selection *selection;
	uint64_t period;      /* core cycles */
	picoseconds next_row; /* SIM_NEVER: none is written */
	series_function *function;
	void *object;
	bool is_open;
	struct series *next; /* of the same machine */
	FILE *file;          /* of print_series_row */
	char *kernels;       /* under way since the last row: "1:atax+2:gemm" */
	size_t length, capacity;
};

/* ---- building ---- */

static void complain_of_pattern(struct config *config, const char *section, const struct stat_select_error *e,
	struct diag_list *diags)
{
	struct diag_location location = config_location(config, section, "statistics");
	char hint[256];

	snprintf(hint, sizeof(hint), "did you mean %s?", e->nearest);
	if (!e->name[0])
		diag_error(diags, &location, "%s.statistics names none", section);
	else
		diag_add(diags, DIAG_ERROR, &location,
			e->nearest[0] ? hint : "'lockstep list stats' shows all",
			"%s.statistics: there is no statistic %s", section, e->name);
}

struct series *series_new(struct chip *chip, const struct series_config *c, const char *section,
	struct config *config, struct diag_list *diags)
{
	struct stat_select_error error;
	struct stat_selection *selection;
	struct series *s;

	if (!c->period)
		return NULL;
	selection = stat_select(chip->stat_tree, c->statistics, &error);
	if (!selection) {
		complain_of_pattern(config, section, &error, diags);
		return NULL;
	}
	s = xcalloc(1, sizeof(*s));
	s->chip = chip;
	s->selection = selection;
	s->period = c->period;
	s->next_row = SIM_NEVER;
	return s;
}

void series_add(struct series **first, struct series *series)
{
	while (*first)
		first = &(*first)->next;
	*first = series;
}

void series_remove(struct series **first, const struct series *series)
{
	while (*first && *first != series)
		first = &(*first)->next;
	if (*first)
		*first = series->next;
}

void series_free(struct series *s)
{
	if (!s)
		return;
	stat_selection_free(s->selection);
	free(s->kernels);
	free(s);
}

/* ---- kernels ---- */

static void note_kernel(struct series *s, const struct kernel_run *run)
{
	size_t need;

	if (!s->is_open)
		return;
	need = s->length + strlen(run->kernel->name) + 24;
	if (need > s->capacity) {
		s->capacity = 2 * need;
		s->kernels = xrealloc(s->kernels, s->capacity);
	}
	s->length += (size_t)snprintf(s->kernels + s->length, s->capacity - s->length, "%s%" PRIu64 ":%s",
		s->length ? "+" : "", run->id, run->kernel->name);
}

void series_kernel(struct series *s, const struct kernel_run *run)
{
	for (; s; s = s->next)
		note_kernel(s, run);
}

/* ---- rows ---- */

static void print_series_head(const struct series *s)
{
	fputs("cycle,time_ps,kernels", s->file);
	for (size_t i = 0; i < stat_selection_count(s->selection); i++)
		fprintf(s->file, ",%s", stat_selection_name(s->selection, i));
	fputc('\n', s->file);
}

static void print_number(struct stat_number n, FILE *file)
{
	if (n.is_whole)
		fprintf(file, ",%" PRIu64, n.whole);
	else if (isnan(n.real)) /* of either sign */
		fputs(",nan", file);
	else
		fprintf(file, ",%.9g", n.real);
}

static void print_series_row(void *object, const struct series_row *row)
{
	const struct series *s = object;
	locale_t before = c_locale_enter();

	fprintf(s->file, "%" PRIu64 ",%" PRIu64 ",%.*s", row->cycle, row->time, (int)s->length,
		s->length ? s->kernels : "");
	for (size_t i = 0; i < stat_selection_count(row->values); i++)
		print_number(stat_selection_value(row->values, i), s->file);
	fputc('\n', s->file);
	c_locale_leave(before);
}

/* What was counted before the first core edge that has not run. */
static void take_series_row(struct series *s)
{
	struct chip *chip = s->chip;
	cycles cycle = sim_next_cycle(chip->sim, CLOCK_CORE);

	chip->account(chip);
	if (!stat_selection_step(s->selection) && !s->length)
		return;
	s->function(s->object,
		&(struct series_row){ .cycle = cycle,
			.time = sim_edge(chip->sim, CLOCK_CORE, cycle),
			.begin = sim_edge(chip->sim, CLOCK_CORE, (cycle - 1) / s->period * s->period),
			.values = s->selection });
	s->length = 0;
	for (uint32_t i = 0; i < chip->run_count; i++)
		note_kernel(s, chip->runs[i]);
}

/* The next row is the first one after the cycle. */
static void set_next(struct series *s, cycles after)
{
	s->next_row = sim_edge(s->chip->sim, CLOCK_CORE, (after / s->period + 1) * s->period);
}

static void sample_counters(struct series *s)
{
	sim_skip_to(s->chip->sim, s->next_row);
	take_series_row(s);
	set_next(s, sim_next_cycle(s->chip->sim, CLOCK_CORE));
}

void series_begin(struct series *s, series_function *function, void *object)
{
	s->function = function;
	s->object = object;
	s->is_open = true;
	set_next(s, sim_cycle(s->chip->sim, CLOCK_CORE));
}

void series_open(struct series *s, FILE *file)
{
	if (!s)
		return;
	s->file = file;
	print_series_head(s);
	series_begin(s, print_series_row, s);
}

void series_close(struct series *s)
{
	if (!s || !s->is_open)
		return;
	take_series_row(s);
	s->is_open = false;
	s->next_row = SIM_NEVER;
}

void series_passed(struct series *s)
{
	for (; s; s = s->next)
		if (s->next_row <= sim_now(s->chip->sim))
			set_next(s, sim_cycle(s->chip->sim, CLOCK_CORE));
}

/* The one whose next row comes first; NULL: there is none. */
static struct series *earliest_row(struct series *s)
{
	struct series *first = s;

	for (; s; s = s->next)
		first = s->next_row < first->next_row ? s : first;
	return first;
}

bool series_run(struct series *s, const struct chip *chip, const bool *stop, picoseconds limit)
{
	struct series *due;

	while ((due = earliest_row(s)) && due->next_row <= limit && due->next_row != SIM_NEVER) {
		bool alive = sim_run(chip->sim, stop, due->next_row);

		if (*stop)
			return true;
		if (!alive && (limit == SIM_NEVER || chip->run_count))
			return false;
		sample_counters(due);
		if (!alive) /* rows would be empty up to the limit */
			return false;
	}
	return sim_run(chip->sim, stop, limit);
}
