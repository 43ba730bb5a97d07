/* cli/tune/write.c -- the configuration as YAML: above each value the probe, what it gave, and the doubt. */
#include "cli/tune/tune.h"
#include "sim/base/xalloc.h"
#include "sim/files/whole_file.h"
#include <libgen.h>
#include <limits.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

enum { WIDTH = 110, MOST_DEPTH = 8 };

/* A comment of as many lines as it needs. */
static void print_remark(FILE *to, int indent, const char *text)
{
	int column = 0;

	while (*text) {
		int length = (int)strcspn(text, " ");

		if (column && column + 1 + length > WIDTH)
			column = 0, putc('\n', to);
		if (!column)
			column = fprintf(to, "%*s#", indent, "");
		column += fprintf(to, " %.*s", length, text);
		text += length;
		text += strspn(text, " ");
	}
	putc('\n', to);
}

/* The sections of a path that are not those of the one before. Returns how deep its key stands. */
static int print_sections(FILE *to, const char *before, const char *path)
{
	const char *from = path, *dot;
	int depth = 0;
	bool is_same = true;

	for (; (dot = strchr(from, '.')); from = dot + 1, depth++) {
		size_t length = (size_t)(dot + 1 - path);

		is_same = is_same && !strncmp(before, path, length);
		if (!is_same)
			fprintf(to, "%*s%.*s:\n", 2 * depth, "", (int)(dot - from), from);
	}
	return depth;
}

static void print_finding(const struct finding *f, int depth, FILE *to)
{
	const char *key = strrchr(f->path, '.') + 1;
	char *text;

	bug_if(asprintf(&text, isnan(f->doubt) ? "%s" : "%s; doubt %.2g %%", f->probe, 100 * f->doubt) < 0,
		"out of memory");
	print_remark(to, 2 * depth, text);
	free(text);
	fprintf(to, "%*s%s: %s\n", 2 * depth, "", key, f->text);
}

static void print_untold(const struct tune *t, FILE *to)
{
	char *text;

	fprintf(to, "\n# Not told, and therefore of %s:\n", t->base);
	for (size_t i = 0; i < t->count; i++) {
		const struct finding *f = &t->findings[i];

		if (f->text)
			continue;
		bug_if(asprintf(&text, "  %s: %s", f->path,
			       f->probe ? f->probe : "the figure makes no sense") < 0,
			"out of memory");
		print_remark(to, 0, text);
		free(text);
	}
	fprintf(to, "#  everything else: no rule of lockstep tune tells it\n");
}

/* A name of a configuration that comes with Lockstep stays one; a file's path is from the root. */
static void print_base(const struct tune *t, FILE *to)
{
	char path[PATH_MAX];

	if (strchr(t->base, '/') || strstr(t->base, ".yaml"))
		fprintf(to, "base: %s\n", realpath(t->base, path) ? path : t->base);
	else
		fprintf(to, "base: %s\n", t->base);
}

static char *stem_of(const char *path)
{
	char *copy = xstrdup(path), *name = xstrdup(basename(copy)), *dot = strstr(name, ".yaml");

	if (dot)
		*dot = 0;
	free(copy);
	return name;
}

bool tune_write(const struct tune *t, const char *path, const char *how, struct diag_list *diags)
{
	FILE *to = whole_file_open(path, "w", diags);
	const char *before = "";
	char *stem;
	size_t told = 0;

	if (!to)
		return false;
	for (size_t i = 0; i < t->count; i++)
		told += t->findings[i].text != NULL;
	stem = stem_of(path);
	fprintf(to,
		"# Written by lockstep tune from %s: %zu values told by probes, all else of %s. "
		"docs/user/tune.md\n",
		how, told, t->base);
	fprintf(to,
		"# says how to read and to check it. Doubt: how far the figure is from what the value would "
		"give.\n");
	print_base(t, to);
	fprintf(to, "gpu:\n  name: %s (tuned)\n", stem);
	before = "gpu.name";
	for (size_t i = 0; i < t->count; i++) {
		if (!t->findings[i].text)
			continue;
		print_finding(&t->findings[i], print_sections(to, before, t->findings[i].path), to);
		before = t->findings[i].path;
	}
	print_untold(t, to);
	free(stem);
	return whole_file_close(to);
}
