/* experiment/workload.c -- finds the benchmark programs and reads what they say about themselves. */
#include "experiment/workload.h"
#include "experiment/paths.h"
#include "experiment/process.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <sys/stat.h>

const char *const workload_presets[WORKLOAD_PRESETS] = { "tiny", "small", "repro", "paper" };

bool workload_is_preset(const char *text)
{
	for (uint32_t i = 0; i < WORKLOAD_PRESETS; i++)
		if (!strcmp(text, workload_presets[i]))
			return true;
	return false;
}

uint64_t workload_limit(const struct workload *w, const char *preset)
{
	return !strcmp(preset, "paper") ? w->limit : !strcmp(preset, "repro") ? w->repro_limit : 0;
}

/* -- one description -- */

static void read_size(struct workload *w, const char *text)
{
	struct workload_size *s = &w->sizes[w->size_count];
	char name[64];
	int at = 0;

	if (w->size_count == WORKLOAD_SIZES ||
		sscanf(text, "%63s %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64 " %n", name,
			&s->preset[0], &s->preset[1], &s->preset[2], &s->preset[3], &s->max, &at) < 6)
		return;
	s->name = xstrdup(name);
	s->help = xstrdup(text + at);
	w->size_count++;
}

static void read_description_line(struct workload *w, char *line)
{
	struct {
		const char *key;
		char **to;
	} texts[] = { { "suite", &w->suite }, { "name", &w->name }, { "help", &w->help },
		{ "source", &w->source }, { "tags", &w->tags }, { "ptx", &w->ptx }, { "chip", &w->chip },
		{ "repro", &w->repro } };
	char *value = strstr(line, ": ");

	if (!value)
		return;
	*value = 0;
	value += 2;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (!strcmp(line, texts[i].key) && !*texts[i].to)
			*texts[i].to = xstrdup(value);
	if (!strcmp(line, "limit"))
		w->limit = strtoull(value, NULL, 10);
	else if (!strcmp(line, "repro-limit"))
		w->repro_limit = strtoull(value, NULL, 10);
	else if (!strcmp(line, "size"))
		read_size(w, value);
}

/* false: it says too little. */
static bool describe_workload(struct workload *w)
{
	char *text = process_output((char *[]){ w->path, "--describe", NULL }), *rest = text, *line;

	while (rest && (line = strsep(&rest, "\n")))
		read_description_line(w, line);
	free(text);
	return w->suite && w->name && w->help && w->source && w->tags;
}

static void workload_fini(struct workload *w)
{
	char *texts[] = { w->path, w->label, w->suite, w->name, w->help, w->source, w->tags, w->ptx, w->chip,
		w->repro };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		free(texts[i]);
	for (uint32_t i = 0; i < w->size_count; i++) {
		free(w->sizes[i].name);
		free(w->sizes[i].help);
	}
}

/* -- the folder -- */

static char *joined_path(const char *a, const char *b)
{
	char *path = NULL;

	if (asprintf(&path, "%s/%s", a, b) < 0)
		bug("out of memory");
	return path;
}

static bool is_folder(const char *path)
{
	struct stat s;

	return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static void add_workload(struct workload_list *list, const char *folder, const char *suite, const char *name,
	struct diag_list *diags)
{
	struct workload *w;

	list->items = xrealloc(list->items, (list->count + 1) * sizeof(*list->items));
	w = &list->items[list->count++];
	*w = (struct workload){ .path = joined_path(folder, name), .label = joined_path(suite, name) };
	if (!describe_workload(w))
		diag_error(
			diags, NULL, "%s does not say what it is: '%s --describe' fails", w->label, w->path);
}

static void add_suite(
	struct workload_list *list, const char *bench, const char *suite, struct diag_list *diags)
{
	char *folder = joined_path(bench, suite);
	size_t count;
	char **names;

	if (is_folder(folder)) { /* what lies beside the suites are no workloads */
		names = paths_list(folder, "", &count);
		for (size_t i = 0; i < count; i++)
			add_workload(list, folder, suite, names[i], diags);
		paths_list_free(names, count);
	}
	free(folder);
}

bool workloads_find(struct workload_list *list, struct diag_list *diags)
{
	char *bench = paths_benchmarks();
	size_t count;
	char **suites = paths_list(bench, "", &count);

	*list = (struct workload_list){ 0 };
	for (size_t i = 0; i < count; i++)
		add_suite(list, bench, suites[i], diags);
	if (!list->count)
		diag_error(diags, NULL, "no benchmarks are built (%s): 'make all' builds them",
			bench ? bench : "../bench beside the lockstep program");
	paths_list_free(suites, count);
	free(bench);
	return !diags->errors;
}

void workloads_fini(struct workload_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		workload_fini(&list->items[i]);
	free(list->items);
}

static bool has_tag(const char *tags, const char *word)
{
	size_t length = strlen(word);

	while (*tags) {
		size_t n = strcspn(tags, " ");
		if (n == length && !strncmp(tags, word, n))
			return true;
		tags += n + (tags[n] == ' ');
	}
	return false;
}

bool workload_is(const struct workload *w, const char *word)
{
	return !strcmp(word, "all") || !strcmp(word, w->suite) || !strcmp(word, w->name) ||
		!strcmp(word, w->label) || has_tag(w->tags, word);
}

const char *workload_nearest(const struct workload_list *all, const char *word)
{
	const char **names = xcalloc(3 * all->count, sizeof(*names)), *nearest;
	size_t n = 0;

	for (size_t i = 0; i < all->count; i++) {
		names[n++] = all->items[i].suite;
		names[n++] = all->items[i].name;
		names[n++] = all->items[i].label;
	}
	nearest = diag_nearest(word, names, n);
	free(names);
	return nearest;
}
