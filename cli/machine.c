/* cli/machine.c -- from the command line to a configured machine. */
#include "cli/machine.h"
#include "cli/command.h"
#include "experiment/paths.h"
#include "sim/base/xalloc.h"
#include "sim/config/config_find.h"
#include <limits.h>
#include <unistd.h>

char *machine_config_paths(const struct option_list *options)
{
	char *paths = options->count ? config_path(NULL, options->items[0]) : NULL, *all;

	for (size_t i = 1; i < options->count; i++) {
		char *before = paths, *path = config_path(NULL, options->items[i]);

		if (asprintf(&paths, "%s" SESSION_BETWEEN_PATHS "%s", before, path) < 0)
			bug("out of memory");
		free(before);
		free(path);
	}
	all = session_config_paths(paths);
	free(paths);
	return all;
}

/* Whether the name is that of no file and of no configuration, but nearly that of one: said. */
static bool looks_misspelt(const char *option, struct diag_list *diags)
{
	char *path = config_path(NULL, option);
	bool is_unknown = !strchr(option, '/') && access(path, F_OK) != 0;
	char *nearest = is_unknown ? paths_nearest_config(option) : NULL;
	bool is_misspelt = nearest;

	if (nearest)
		diag_error(diags, NULL, "there is no file and no configuration %s; did you mean %s?", option,
			nearest);
	free(nearest);
	free(path);
	return is_misspelt;
}

static bool are_misspelt(const struct option_list *options, struct diag_list *diags)
{
	bool misspelt = false;

	for (size_t i = 0; i < options->count; i++)
		misspelt |= looks_misspelt(options->items[i], diags);
	return misspelt;
}

struct config *machine_load(const struct machine_options *options, struct diag_list *diags)
{
	char *paths = machine_config_paths(&options->configs);
	struct config *config = config_new();
	bool fine =
		paths && !are_misspelt(&options->configs, diags) && session_config_load(config, paths, diags);

	if (!paths)
		diag_error(diags, NULL,
			"no configuration was given, and configs/" SESSION_DEFAULT_CONFIG
			".yaml is not beside the program");
	free(paths);
	for (size_t i = 0; i < options->sets.count; i++)
		fine &= config_set(config, options->sets.items[i], diags);
	if (options->series)
		fine &= session_config_series(config, options->series, diags);
	if (fine)
		return config;
	config_free(config);
	return NULL;
}

struct config *machine_configure(
	const struct machine_options *options, struct machine_config *machine, struct diag_list *diags)
{
	struct config *config = machine_load(options, diags);

	if (!config)
		return NULL;
	machine_config_read(machine, config, diags);
	config_check_unknown(config, diags);
	if (!diags->errors)
		return config;
	machine_config_fini(machine);
	config_free(config);
	return NULL;
}

/* One a line, as the session takes them; NULL: none. Kept for the life of the process. */
static const char *lines_of(const struct option_list *list)
{
	static char *text;
	size_t size;
	FILE *f;

	free(text);
	text = NULL;
	if (!list->count)
		return NULL;
	f = open_memstream(&text, &size);
	bug_if(!f, "out of memory");
	for (size_t i = 0; i < list->count; i++)
		fprintf(f, "%s\n", list->items[i]);
	fclose(f);
	return text;
}

void run_options_for_session(
	const struct run_options *options, const char *config, struct session_options *session)
{
	const char *output = options->output ? options->output : DEFAULT_OUTPUT;

	*session = (struct session_options){ .config = config,
		.sets = options->machine.sets.items,
		.set_count = options->machine.sets.count,
		.output = *output ? output : NULL,
		.functional = options->functional,
		.quiet = options->quiet,
		.kernel_lines = options->kernel_lines,
		.stats_launches = options->stats_launches,
		.profile = options->profile,
		.host_profile = options->host_profile,
		.series = options->machine.series,
		.timeline = options->timeline,
		.stats_style = options->stats_style,
		.threads = options->threads,
		.sanitize = options->sanitize,
		.error_exitcode = options->error_exitcode,
		.at = options->at,
		.then = options->then,
		.branches = lines_of(&options->branches),
		.branch_jobs = options->branch_jobs };
}

/* Messages about the command line begin with the option, or have it as their place; those about the
 * environment with the variable. */
static bool is_of_command_line(const struct diag *d)
{
	const char *begin = d->file ? d->file : d->message;

	return strncmp(begin, "--", 2) == 0 || strncmp(begin, "LOCKSTEP_", 9) == 0;
}

int refusal_status(const struct diag_list *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].kind == DIAG_ERROR && is_of_command_line(&diags->items[i]))
			return STATUS_USAGE;
	return STATUS_FAILED;
}

int failed(struct diag_list *diags)
{
	int status = refusal_status(diags);

	diag_print(diags, stderr);
	diag_fini(diags);
	return status;
}
