/* cli/diff/diff_origin.c -- two runs' provenance and configurations. */
#include "cli/diff/diff_origin.h"
#include "experiment/runs/config_values.h"
#include "sim/base/xalloc.h"
#include <unistd.h>

enum { MOST_SHOWN = 40 }; /* columns of a value of A, so that B's stand in line */

static void print_origin_row(const char *key, const char *a, const char *b, FILE *to)
{
	fprintf(to, "  %-30s %-*s %s\n", key, (int)strlen(a) > 16 ? MOST_SHOWN : 16, a, b);
}

/* ---- where they come from ---- */

static const char *or_unknown(const char *text)
{
	return text ? text : "unknown";
}

static void print_if_different(const char *key, const char *a, const char *b, FILE *to)
{
	if (strcmp(or_unknown(a), or_unknown(b)))
		print_origin_row(key, or_unknown(a), or_unknown(b), to);
}

static bool is_functional(const struct stats_file *f)
{
	for (size_t i = 0; i < f->section_count; i++)
		if (f->sections[i].is_functional)
			return true;
	return false;
}

static void print_state(const char *which, const struct stats_file *f, FILE *to)
{
	const struct stats_section *total = stats_file_total(f);

	if (!total)
		fprintf(to, "  %s did not come to its end: there is no total in its file\n", which);
	else if (total->is_interrupted)
		fprintf(to, "  %s was interrupted: its statistics are of the run up to then\n", which);
	if (total && stats_file_results(f) != total)
		fprintf(to,
			"  %s was timed in a sample: its statistics are estimates (docs/user/sampling.md)\n",
			which);
	for (size_t i = 0; i < f->section_count; i++)
		if (f->sections[i].is_fault)
			fprintf(to, "  %s: kernel %llu %s was stopped by a fault\n", which,
				(unsigned long long)f->sections[i].id, f->sections[i].name);
}

static void print_runs(const struct stats_file *a, const struct stats_file *b, FILE *to)
{
	fprintf(to, "A: %s\nB: %s\n", a->path, b->path);
	print_if_different("version", a->version, b->version, to);
	print_if_different("build", a->build, b->build, to);
	print_if_different("seed", a->seed, b->seed, to);
	print_if_different("mode", is_functional(a) ? "functional" : "timed",
		is_functional(b) ? "functional" : "timed", to);
	if (strcmp(or_unknown(a->command), or_unknown(b->command)))
		fprintf(to, "  command of A: %s\n  command of B: %s\n", or_unknown(a->command),
			or_unknown(b->command));
	print_state("A", a, to);
	print_state("B", b, to);
}

/* ---- configurations ---- */

/* config.yaml beside stats.txt. */
static char *config_path(const struct stats_file *f)
{
	const char *slash = strrchr(f->path, '/');
	char *path;

	if (asprintf(&path, "%.*sconfig.yaml", slash ? (int)(slash + 1 - f->path) : 0, f->path) < 0)
		bug("out of memory");
	return path;
}

static void print_differences(const struct config_values *a, const struct config_values *b, FILE *to)
{
	size_t differ = 0;

	for (size_t i = 0; i < a->count; i++) {
		const char *other = config_values_find(b, a->items[i].key);

		if (other && !strcmp(a->items[i].value, other))
			continue;
		if (!differ++)
			fputs("configuration:\n", to);
		print_origin_row(a->items[i].key, a->items[i].value, other ? other : "(none)", to);
	}
	for (size_t i = 0; i < b->count; i++) {
		if (config_values_find(a, b->items[i].key))
			continue;
		if (!differ++)
			fputs("configuration:\n", to);
		print_origin_row(b->items[i].key, "(none)", b->items[i].value, to);
	}
	if (!differ)
		fputs("configuration: the same\n", to);
}

static bool print_configurations(
	const struct stats_file *a, const struct stats_file *b, struct diag_list *diags, FILE *to)
{
	char *paths[2] = { config_path(a), config_path(b) };
	struct config_values values[2] = { 0 };
	bool fine = true, missing = false;

	for (int i = 0; i < 2; i++) {
		if (access(paths[i], F_OK) && !(i && !strcmp(paths[0], paths[1]))) {
			fprintf(to, "configuration: not compared, there is no %s\n", paths[i]);
			missing = true;
		}
	}
	for (int i = 0; i < 2 && !missing; i++)
		fine &= config_values_read(&values[i], paths[i], diags);
	if (fine && !missing)
		print_differences(&values[0], &values[1], to);
	for (int i = 0; i < 2; i++) {
		config_values_fini(&values[i]);
		free(paths[i]);
	}
	return fine;
}

bool diff_print_origin(
	const struct stats_file *a, const struct stats_file *b, struct diag_list *diags, FILE *to)
{
	print_runs(a, b, to);
	return print_configurations(a, b, diags, to);
}
