/* experiment/sweep/file/machine.c -- tries each machine of a sweep before the first job, and writes down what
 * it is. */
#include "experiment/sweep/file/machine.h"
#include "core/energy/energy.h"
#include "core/gpu/change.h"
#include "core/gpu/machine_config.h"
#include "experiment/files.h"
#include "experiment/hash.h"
#include "experiment/paths.h"
#include "host/session/session.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include <unistd.h>

/* The statistics of a job are those of the whole machine in the whole run: each SM's and each kernel's beside
 * them would only take time and room. */
static const char *const sweep_settings[] = { "observe.instances=never", "observe.kernels=false" };
#define SERIES_LABEL "--set observe.series." /* what session_config_series sets */

struct maker {
	const struct sweep_file *file;
	const struct sweep_location *location;
	struct config *config;
	struct diag_list found; /* what this machine's parts complain about */
	struct diag_list *diags;
	char **arguments;
	size_t count;
	char *then;
	bool is_missing; /* a configuration is */
};

/* A configuration's path: a file beside the sweep file, or one that comes with Lockstep. malloc'ed; NULL if
 * there is none. */
static char *sweep_config_path(const struct sweep_file *f, const char *name)
{
	char *path = config_find(NULL, name);

	if (!path)
		path = *name == '/' ? xstrdup(name) : file_path(f->folder, name);
	if (access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

static void add_argument(struct maker *m, char *argument)
{
	m->arguments = xrealloc(m->arguments, (m->count + 2) * sizeof(*m->arguments));
	m->arguments[m->count++] = argument;
	m->arguments[m->count] = NULL;
}

/* -- the parts of a machine, in the order in which they count -- */

static bool is_reported(
	const struct diag_list *diags, const struct diag_location *location, const char *message)
{
	for (size_t i = 0; i < diags->count; i++)
		if (!strcmp(diags->items[i].message, message) &&
			(!location ||
				(diags->items[i].line == location->line &&
					diags->items[i].column == location->column)))
			return true;
	return false;
}

static void print_missing(struct maker *m, const char *name, doc_node node)
{
	struct diag_location location = doc_location(m->file->document, node);
	char message[640], *nearest = paths_nearest_config(name);

	snprintf(message, sizeof(message),
		"no configuration %.300s: neither a file beside the sweep file nor one of 'lockstep list "
		"configs'%s%.100s%s",
		name, nearest ? "; did you mean " : "", nearest ? nearest : "", nearest ? "?" : "");
	free(nearest);
	if (!is_reported(m->diags, &location, message))
		diag_error(m->diags, &location, "%s", message);
	m->is_missing = true;
}

static bool is_machine(struct maker *m, const char *name, doc_node node)
{
	struct diag_location location = doc_location(m->file->document, node);
	char message[512];

	if (!config_is_overlay(name))
		return true;
	snprintf(message, sizeof(message), "base = %.300s: an overlay is no machine; name it under overlays",
		name);
	if (!is_reported(m->diags, &location, message))
		diag_error(m->diags, &location, "%s", message);
	m->is_missing = true;
	return false;
}

static void overlay_file(struct maker *m, const char *name, doc_node node)
{
	char *path = sweep_config_path(m->file, name);

	if (!path) {
		print_missing(m, name, node);
		return;
	}
	config_load(m->config, path, &m->found);
	add_argument(m, xstrdup("-c"));
	add_argument(m, path);
}

/* The file of an energy model is found from the folder of the sweep file, as configurations are: jobs run in
 * folders of their own. */
static char *absolute_value(const struct maker *m, const char *path, const char *value)
{
	bool is_file = strcmp(path, "energy.model") == 0 && *value && *value != '/';
	char *shipped = is_file ? config_find(CONFIG_ENERGY, value) : NULL, *joined, *whole;

	is_file &= !shipped;
	free(shipped);
	if (!is_file)
		return xstrdup(value);
	joined = file_path(m->file->folder, value);
	whole = realpath(joined, NULL);
	if (!whole)
		return joined; /* which is then reported as what cannot be read */
	free(joined);
	return whole;
}

static void set_parameter(struct maker *m, const char *path, const char *value)
{
	char *assignment = NULL, *absolute = absolute_value(m, path, value);

	if (asprintf(&assignment, "%s=%s", path, absolute) < 0)
		bug("out of memory");
	free(absolute);
	config_set(m->config, assignment, &m->found);
	add_argument(m, xstrdup("--set"));
	add_argument(m, assignment);
}

/* What a level sets that can change on the way does so at file->at. */
static void set_then(struct maker *m, const char *path, const char *value)
{
	char *assignment = NULL, *all = NULL;

	if (asprintf(&assignment, "%s=%s", path, value) < 0 ||
		asprintf(&all, "%s%s%s", m->then ? m->then : "", m->then ? "," : "", assignment) < 0)
		bug("out of memory");
	config_set(m->config, assignment, &m->found);
	free(assignment);
	free(m->then);
	m->then = all;
}

static void set_level(struct maker *m, const struct sweep_changes *c)
{
	for (size_t i = 0; i < c->paths.count; i++)
		if (m->file->at && gpu_may_change(c->paths.items[i]))
			set_then(m, c->paths.items[i], c->values.items[i]);
		else
			set_parameter(m, c->paths.items[i], c->values.items[i]);
}

static void overlay_all(struct maker *m, const struct sweep_changes *c)
{
	for (size_t i = 0; i < c->configs.count; i++)
		overlay_file(m, c->configs.items[i], c->configs.nodes[i]);
}

static void set_all(struct maker *m, const struct sweep_changes *c)
{
	for (size_t i = 0; i < c->paths.count; i++)
		set_parameter(m, c->paths.items[i], c->values.items[i]);
}

static const struct sweep_changes *level_changes(const struct maker *m, size_t factor)
{
	return &m->file->factors[factor].levels[m->location->levels[factor]].changes;
}

/* What levels add to the program's arguments. */
static const char **program_words(const struct maker *m)
{
	const char **words = xcalloc(1, sizeof(*words));
	size_t count = 0;

	for (size_t i = 0; i < m->file->factor_count; i++) {
		const struct sweep_texts *more = &level_changes(m, i)->arguments;

		words = xrealloc(words, (count + more->count + 1) * sizeof(*words));
		for (size_t n = 0; n < more->count; n++)
			words[count++] = more->items[n];
		words[count] = NULL;
	}
	return words;
}

static void take_parts(struct maker *m)
{
	const struct sweep_file *f = m->file;
	char seed[16];

	if (is_machine(m, f->bases.items[m->location->base], f->bases.nodes[m->location->base]))
		overlay_file(m, f->bases.items[m->location->base], f->bases.nodes[m->location->base]);
	overlay_all(m, &f->common);
	for (size_t i = 0; i < f->factor_count; i++)
		overlay_all(m, level_changes(m, i));
	for (size_t i = 0; i < sizeof(sweep_settings) / sizeof(*sweep_settings); i++) {
		config_set(m->config, sweep_settings[i], &m->found);
		add_argument(m, xstrdup("--set"));
		add_argument(m, xstrdup(sweep_settings[i]));
	}
	set_all(m, &f->common);
	set_all(m, &m->location->item->own);
	for (size_t i = 0; i < f->factor_count; i++)
		set_level(m, level_changes(m, i));
	if (m->location->has_seed) {
		snprintf(seed, sizeof(seed), "%u", m->location->seed);
		set_parameter(m, "gpu.seed", seed);
	}
	if (f->series) {
		session_config_series(m->config, f->series, &m->found);
		add_argument(m, xstrdup("--series"));
		add_argument(m, xstrdup(f->series));
	}
}

/* -- whether it can be built -- */

/* The energy model is part of what the machine is, by what its file and those of its bases have. */
static void print_model(const struct energy *energy, struct diag_list *diags, FILE *f)
{
	struct hasher h;

	if (!energy)
		return;
	hasher_init(&h);
	for (size_t i = 0; i < energy_model(energy)->file_count; i++)
		hasher_add_file(&h, energy_model(energy)->files[i], diags);
	fprintf(f, "# energy model %s\n", hasher_end(&h).text);
}

/* So are plug-ins. */
static void print_plugins(const char *paths, struct diag_list *diags, FILE *f)
{
	while (*paths) {
		size_t length = strcspn(paths, "\n");
		char *path = strndup(paths, length);
		struct hasher h;

		bug_if(!path, "out of memory");
		hasher_init(&h);
		hasher_add_file(&h, path, diags);
		fprintf(f, "# plug-in %s\n", hasher_end(&h).text);
		free(path);
		paths += length + 1;
	}
}

static void build_machine(struct maker *m, char **text)
{
	bool is_whole = !m->found.errors && !m->is_missing;
	struct gpu *gpu = is_whole ? gpu_check(m->config, &m->found) : NULL;
	size_t size;
	FILE *f;

	if (is_whole) /* all errors in one run */
		config_check_unknown(m->config, &m->found);
	if (gpu && !m->found.errors) {
		f = open_memstream(text, &size);
		bug_if(!f, "out of memory");
		config_print_flat(m->config, f);
		print_model(gpu_energy(gpu), &m->found, f);
		print_plugins(gpu_plugins(gpu), &m->found, f);
		if (m->then)
			fprintf(f, "# at %s: %s\n", m->file->at, m->then);
		fclose(f);
	}
	gpu_free(gpu);
}

/* The assignment that a message speaks of: where it stands in the sweep file. */
static doc_node find_assignment(const struct sweep_changes *c, const char *label)
{
	char assignment[512];

	for (size_t i = 0; i < c->paths.count; i++) {
		snprintf(
			assignment, sizeof(assignment), "--set %s=%s", c->paths.items[i], c->values.items[i]);
		if (!strcmp(assignment, label))
			return c->paths.nodes[i];
	}
	return 0;
}

static doc_node find_value_location(const struct maker *m, const char *label)
{
	doc_node node = find_assignment(&m->file->common, label);

	if (!node)
		node = find_assignment(&m->location->item->own, label);
	for (size_t i = 0; i < m->file->factor_count && !node; i++)
		node = find_assignment(level_changes(m, i), label);
	return !node && !strncmp(label, SERIES_LABEL, strlen(SERIES_LABEL)) ? m->file->series_node : node;
}

static void describe_machine(const struct maker *m, char *to, size_t size)
{
	const struct sweep_file *f = m->file;
	size_t used = (size_t)snprintf(to, size, "base %s", f->bases.items[m->location->base]);

	for (size_t i = 0; i < f->factor_count && used < size; i++)
		used += (size_t)snprintf(to + used, size - used, ", %s %s", f->factors[i].name,
			f->factors[i].levels[m->location->levels[i]].name);
}

/* What the parts complained about, each complaint once, at its place in the sweep file if it has one there.
 */
static void report_complaints(struct maker *m)
{
	char where[512], hint[700];

	describe_machine(m, where, sizeof(where));
	for (size_t i = 0; i < m->found.count; i++) {
		const struct diag *d = &m->found.items[i];
		doc_node node = d->file ? find_value_location(m, d->file) : 0;
		struct diag_location location = node
			? doc_location(m->file->document, node)
			: (struct diag_location){ .file = d->file, .line = d->line, .column = d->column };

		if (d->kind != DIAG_ERROR || is_reported(m->diags, NULL, d->message))
			continue;
		snprintf(hint, sizeof(hint), "%s%s%s", d->hint ? d->hint : "", d->hint ? "; " : "", where);
		diag_add(m->diags, DIAG_ERROR, node || d->file ? &location : NULL, hint, "%s", d->message);
	}
}

bool sweep_machine_make(struct sweep_machine *machine, const struct sweep_file *file,
	const struct sweep_location *location, struct diag_list *diags)
{
	struct maker m = { .file = file, .location = location, .config = config_new(), .diags = diags };

	diag_init(&m.found);
	*machine = (struct sweep_machine){ 0 };
	take_parts(&m);
	build_machine(&m, &machine->text);
	machine->arguments = m.arguments;
	machine->then = m.then;
	machine->words = program_words(&m);
	if (machine->text)
		machine->hash = hash_of_text(machine->text);
	else
		report_complaints(&m);
	diag_fini(&m.found);
	config_free(m.config);
	return machine->text;
}

void sweep_machine_free(struct sweep_machine *machine)
{
	for (size_t i = 0; machine->arguments && machine->arguments[i]; i++)
		free(machine->arguments[i]);
	free(machine->arguments);
	free(machine->then);
	free(machine->words);
	free(machine->text);
}
