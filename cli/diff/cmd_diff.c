/* cli/diff/cmd_diff.c -- lockstep diff: two runs' statistics, and which of them moved. */
#include "cli/command.h"
#include "cli/diff/diff_origin.h"
#include "cli/diff/diff_table.h"
#include "cli/machine.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <math.h>

enum { STATUS_EQUAL = 0, STATUS_MOVED = 1, STATUS_TROUBLE = 2 };

struct diff_options {
	const char *by, *threshold;
	struct option_list only;
	bool kernels, launches, all, instances, csv;
};

static const struct option diff_option_table[] = {
	OPTION_FLAG(struct diff_options, kernels, 'k', "kernels",
		"compare kernel by kernel, not the whole run: of each name all launches added up"),
	OPTION_FLAG(struct diff_options, launches, 0, "launches",
		"compare launch by launch (of runs with --stats-launches): the first launch of a\n"
		"kernel with the first of that kernel, and so on"),
	OPTION_LIST(struct diff_options, only, 0, "only", "NAME,...",
		"compare only these statistics (with * and ? in names; sm.issue_slots means all of\n"
		"sm.issue_slots::...); may be repeated"),
	OPTION_FLAG(struct diff_options, instances, 0, "instances",
		"also compare the statistics of single SMs, slices and channels (sm[3]...)"),
	OPTION_TEXT(struct diff_options, threshold, 't', "threshold", "PERCENT",
		"list only statistics that changed by more than this"),
	OPTION_FLAG(struct diff_options, all, 0, "all", "also list statistics that are equal"),
	OPTION_TEXT(struct diff_options, by, 0, "by", "ORDER",
		"order of the list: percent (the largest relative change first, the default), change,\n"
		"name, or file (the order in A)"),
	OPTION_FLAG(struct diff_options, csv, 0, "csv",
		"print CSV: section, statistic, a, b, change, percent, unit"),
	OPTION_END
};

struct diff {
	struct stats_file *a, *b;
	struct stats_filter filter;
	struct diff_choice choice;
	enum stats_order order;
	bool is_csv;
	char *words; /* of --only, cut up */
	struct diff_counts counts;
	size_t kernels_differ, kernels_alone;
	struct diag_list diags;
};

/* ---- the command line ---- */

static bool read_order(struct diff *d, const char *by)
{
	static const char *const names[] = {
		[BY_PERCENT] = "percent", [BY_CHANGE] = "change", [BY_NAME] = "name", [BY_FILE] = "file"
	};

	for (int i = 0; i < 4; i++) {
		if (by && strcmp(by, names[i]))
			continue;
		d->order = (enum stats_order)i;
		return true;
	}
	return false;
}

static bool read_threshold(struct diff *d, const char *text)
{
	return !text || (number_real(text, &d->choice.threshold) == NUMBER_FITS && d->choice.threshold >= 0);
}

static void read_patterns(struct diff *d, const struct option_list *only)
{
	const char **patterns;
	size_t size = 1, at = 0;
	char *rest, *word;

	for (size_t i = 0; i < only->count; i++)
		size += strlen(only->items[i]) + 1;
	rest = d->words = xcalloc(1, size);
	patterns = xcalloc(size, sizeof(*patterns));
	for (size_t i = 0; i < only->count; i++)
		at += (size_t)snprintf(d->words + at, size - at, "%s,", only->items[i]);
	while ((word = strsep(&rest, ", ")))
		if (*word)
			patterns[d->filter.pattern_count++] = word;
	d->filter.patterns = patterns;
}

static int read_options(const struct command *self, const struct diff_options *o, struct diff *d)
{
	d->filter.with_instances = o->instances;
	d->choice.with_equal = o->all;
	d->is_csv = o->csv;
	if (!read_order(d, o->by))
		return usage_error(self, "--by %s: expected percent, change, name or file", o->by);
	if (!read_threshold(d, o->threshold))
		return usage_error(self, "--threshold %s: expected percents from 0, as in --threshold 0.5",
			o->threshold);
	if (o->kernels && o->launches)
		return usage_error(self, "--kernels and --launches are two different comparisons");
	read_patterns(d, &o->only);
	if (o->only.count && !d->filter.pattern_count)
		return usage_error(self, "--only names no statistic");
	return STATUS_EQUAL;
}

/* ---- names that name nothing ---- */

static bool occurs(const struct stats_file *f, const char *pattern)
{
	for (size_t i = 0; i < f->section_count; i++)
		for (size_t k = 0; k < f->sections[i].count; k++)
			if (stats_pattern_fits(pattern, f->sections[i].values[k].name))
				return true;
	return false;
}

static const char *nearest(const struct stats_file *f, const char *pattern)
{
	const struct stats_section *s = f->section_count ? &f->sections[f->section_count - 1] : NULL;
	const char **names = xcalloc(s ? s->count : 0, sizeof(*names)), *found;

	for (size_t i = 0; s && i < s->count; i++)
		names[i] = s->values[i].name;
	found = diag_nearest(pattern, names, s ? s->count : 0);
	free(names);
	return found;
}

static bool patterns_fit(struct diff *d)
{
	bool fine = true;

	for (size_t i = 0; i < d->filter.pattern_count; i++) {
		const char *pattern = d->filter.patterns[i], *near;

		if (occurs(d->a, pattern) || occurs(d->b, pattern))
			continue;
		near = nearest(d->a, pattern);
		diag_error(&d->diags, NULL, "--only: neither run has a statistic %s%s%s%s", pattern,
			near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
		fine = false;
	}
	return fine;
}

/* ---- the whole run ---- */

static bool add_sections(
	struct diff *d, struct stats_moves *moves, struct stats_section *a, struct stats_section *b)
{
	return stats_compare(moves, d->a, a, d->b, b, &d->filter, &d->diags);
}

/* Objects one by one are not estimated. */
static struct stats_section *whole_run(const struct diff *d, const struct stats_file *f)
{
	return d->filter.with_instances ? stats_file_total(f) : stats_file_results(f);
}

static bool has_total(struct diff *d, const struct stats_file *f)
{
	if (stats_file_total(f))
		return true;
	diag_error(&d->diags, NULL, "%s has no total: the run did not come to its end", f->path);
	return false;
}

static bool compare_totals(struct diff *d)
{
	struct stats_moves moves = { 0 };
	bool fine = has_total(d, d->a) & has_total(d, d->b);

	fine = fine && add_sections(d, &moves, whole_run(d, d->a), whole_run(d, d->b)) &&
		add_sections(d, &moves, stats_file_streams(d->a), stats_file_streams(d->b));
	if (fine) {
		stats_moves_sort(&moves, d->order);
		diff_count(&d->counts, &moves, &d->choice);
		if (d->is_csv) {
			diff_print_csv(&moves, &d->choice, "total", stdout);
		} else {
			if (!d->filter.pattern_count)
				diff_print_summary(&moves, stdout);
			diff_print_table(&moves, &d->choice, stdout);
		}
	}
	stats_moves_fini(&moves);
	return fine;
}

/* ---- kernel by kernel ---- */

static void print_section(const struct stats_section *s)
{
	if (s->kind == STATS_LAUNCHES) {
		printf("launches of %s", s->name);
		return;
	}
	printf("kernel %llu %s <<<(%u,%u,%u),(%u,%u,%u)>>>%s%s%s%s", (unsigned long long)s->id, s->name,
		s->grid[0], s->grid[1], s->grid[2], s->block[0], s->block[1], s->block[2],
		s->is_timing_limited ? ", timing limit" : "", s->is_warmup ? ", warm-up" : "",
		s->is_fault ? ", fault" : "", s->is_interrupted ? ", interrupted" : "");
}

static bool is_same_launch(const struct stats_section *a, const struct stats_section *b)
{
	return a->id == b->id && !memcmp(a->grid, b->grid, sizeof(a->grid)) &&
		!memcmp(a->block, b->block, sizeof(a->block)) &&
		a->is_timing_limited == b->is_timing_limited && a->is_warmup == b->is_warmup &&
		a->is_fault == b->is_fault && a->is_interrupted == b->is_interrupted;
}

static void print_heading(const struct stats_section *a, const struct stats_section *b)
{
	putchar('\n');
	print_section(a);
	if (!is_same_launch(a, b)) {
		fputs("\nin B ", stdout);
		print_section(b);
	}
	putchar('\n');
}

static bool compare_kernels(struct diff *d, struct stats_section *a, struct stats_section *b)
{
	struct stats_moves moves = { 0 };
	struct diff_counts counts = { 0 };
	char section[320];
	bool fine = add_sections(d, &moves, a, b);

	if (fine) {
		stats_moves_sort(&moves, d->order);
		diff_count(&counts, &moves, &d->choice);
		d->kernels_differ += counts.shown || counts.only_a || counts.only_b;
		if (d->is_csv) {
			if (a->kind == STATS_KERNEL)
				snprintf(section, sizeof(section), "kernel %llu %.256s",
					(unsigned long long)a->id, a->name);
			else
				snprintf(section, sizeof(section), "launches of %.256s", a->name);
			diff_print_csv(&moves, &d->choice, section, stdout);
		} else if (counts.shown || counts.only_a || counts.only_b || d->choice.with_equal) {
			print_heading(a, b);
			diff_print_table(&moves, &d->choice, stdout);
		}
		diff_count(&d->counts, &moves, &d->choice);
	}
	stats_moves_fini(&moves);
	return fine;
}

static void print_alone(struct diff *d, const struct stats_section *s, const char *which)
{
	d->kernels_alone++;
	if (d->is_csv)
		return;
	printf("\nonly in %s: ", which);
	print_section(s);
	putchar('\n');
}

/* What lists sections of that kind. */
static bool has_sections(struct diff *d, const struct stats_file *f, enum stats_kind kind)
{
	for (size_t i = 0; i < f->section_count; i++)
		if (f->sections[i].kind == kind)
			return true;
	diag_error(&d->diags, NULL, "%s has no statistics of %s", f->path,
		kind == STATS_KERNEL ? "launches: run it with --stats-launches all"
				     : "kernels by name: no kernel ended, or the run is of an older version");
	return false;
}

static bool compare_all_kernels(struct diff *d, enum stats_kind kind)
{
	size_t *partner = stats_match_kernels(d->a, d->b, kind), pairs = 0;
	bool *is_matched = xcalloc(d->b->section_count, sizeof(*is_matched)), fine = true;

	for (size_t i = 0; i < d->a->section_count && fine; i++) {
		struct stats_section *s = &d->a->sections[i];

		if (partner[i] != STATS_NO_PARTNER) {
			is_matched[partner[i]] = true;
			fine = compare_kernels(d, s, &d->b->sections[partner[i]]);
			pairs++;
		} else if (s->kind == kind) {
			print_alone(d, s, "A");
		}
	}
	for (size_t i = 0; i < d->b->section_count && fine; i++)
		if (d->b->sections[i].kind == kind && !is_matched[i])
			print_alone(d, &d->b->sections[i], "B");
	if (fine && !d->is_csv)
		printf("\n%zu %s in both: %zu differ; %zu only in one\n", pairs,
			kind == STATS_KERNEL ? "launches" : "kernels", d->kernels_differ, d->kernels_alone);
	free(partner);
	free(is_matched);
	return fine;
}

/* ---- all of it ---- */

static int compare_runs(struct diff *d, enum stats_kind kind)
{
	bool kernels = kind != STATS_TOTAL, fine = patterns_fit(d);

	if (kernels)
		fine &= has_sections(d, d->a, kind) & has_sections(d, d->b, kind);

	if (fine && d->is_csv)
		diff_print_csv_head(stdout);
	else if (fine)
		fine = diff_print_origin(d->a, d->b, &d->diags, stdout);
	if (fine && !d->is_csv && !kernels)
		putchar('\n');
	fine = fine && (kernels ? compare_all_kernels(d, kind) : compare_totals(d));
	if (!fine)
		return STATUS_TROUBLE;
	if (!d->is_csv)
		diff_print_counts(&d->counts, &d->choice, stdout);
	return d->counts.shown || d->counts.only_a || d->counts.only_b || d->kernels_alone ? STATUS_MOVED
											   : STATUS_EQUAL;
}

static int run_diff_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct diff_options *o = object;
	enum stats_kind kind = o->launches ? STATS_KERNEL : o->kernels ? STATS_LAUNCHES : STATS_TOTAL;
	struct diff d = { 0 };
	int status = read_options(self, o, &d);

	diag_init(&d.diags);
	if (status == STATUS_EQUAL) {
		d.a = stats_file_read(operands[0], &d.diags);
		d.b = stats_file_read(operands[1], &d.diags);
		status = d.a && d.b ? compare_runs(&d, kind) : STATUS_TROUBLE;
	}
	fflush(stdout);
	diag_print(&d.diags, stderr);
	diag_fini(&d.diags);
	stats_file_free(d.a);
	stats_file_free(d.b);
	free((void *)d.filter.patterns);
	free(d.words);
	return status;
}

const struct command command_diff = {
	.name = "diff",
	.operands = "A B",
	.summary = "compare the statistics of two runs, and list those that changed",
	.details =
		"A and B are output folders, or files stats.txt. The output begins with differences in "
		"version, build, seed, command "
		"and configuration. Each statistic of the whole run that differs follows, with its change "
		"from A to B, and then those "
		"that only one run has. \"nan\" equals \"nan\".\n"
		"Exit status: 0 no statistic changed; 1 some changed (by more than --threshold), or only one "
		"run has them; 2 errors.\n"
		"\n"
		"  lockstep diff out-gto out-lrr --only 'sm.issue_slots,gpu.ipc,*miss_rate' --threshold 1\n",
	.options = diff_option_table,
	.size = sizeof(struct diff_options),
	.least = 2,
	.most = 2,
	.run = run_diff_command,
};
