/* host/session/session_options.c -- a run's options, as `lockstep run` hands them to the library under a
 * foreign program: through the environment. */
#include "host/session/session_internal.h"
#include "host/trace/trace_sample.h"
#include "core/exec/exec.h"
#include "sim/text/c_locale.h"
#include "sim/base/environment.h"
#include "sim/text/number.h"
#include "sim/config/config.h"
#include "sim/config/config_find.h"
#include "sim/event/event_kernel.h"

#include <errno.h>
#include <limits.h>
#include <unistd.h>

/* The program may change its folder before it calls us. */
static void put_absolute(FILE *f, const char *path)
{
	char folder[PATH_MAX];

	if (path[0] != '/' && getcwd(folder, sizeof folder))
		fprintf(f, "%s/", folder);
	fputs(path, f);
}

static void set_paths(const char *name, const char *const *paths, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (size_t i = 0; i < count; i++) {
		fputs(i ? SESSION_BETWEEN_PATHS : "", f);
		put_absolute(f, paths[i]);
	}
	fclose(f);
	if (count)
		setenv(name, text, 1);
	else
		unsetenv(name);
	free(text);
}

/* The paths of a list; the caller's to free, first lines[0]. NULL: none. */
static char **split_paths(const char *text, size_t *count)
{
	char **lines = xcalloc((text ? strlen(text) : 0) + 2, sizeof *lines);
	char *rest = text ? xstrdup(text) : NULL;

	*count = 0;
	do
		lines[*count] = strsep(&rest, SESSION_BETWEEN_PATHS);
	while (lines[*count] && ++*count);
	return lines;
}

static void set_configs(const char *paths)
{
	size_t count;
	char **lines = split_paths(paths, &count);

	set_paths("LOCKSTEP_CONFIG", (const char *const *)lines, count);
	free(lines[0]);
	free(lines);
}

static void set_flag(const char *name, bool value)
{
	if (value)
		setenv(name, "1", 1);
	else
		unsetenv(name);
}

static void set_text(const char *name, const char *text)
{
	if (text)
		setenv(name, text, 1);
	else
		unsetenv(name);
}

/* The file of an energy model, too, is found from the folder that the user is in. */
static void put_setting(FILE *f, const char *setting)
{
	static const char model[] = "energy.model=";
	bool is_model = strncmp(setting, model, sizeof model - 1) == 0 && setting[sizeof model - 1];
	const char *path = setting + sizeof model - 1;
	char *shipped = is_model ? config_find(CONFIG_ENERGY, path) : NULL;

	if (is_model && !shipped) {
		fputs(model, f);
		put_absolute(f, path);
	} else {
		fputs(setting, f);
	}
	free(shipped);
}

static void set_settings(const char *name, const char *const *settings, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	for (size_t i = 0; i < count; i++) {
		put_setting(f, settings[i]);
		fputc('\n', f);
	}
	fclose(f);
	setenv(name, text, 1);
	free(text);
}

void session_options_to_environment(const struct session_options *options)
{
	set_configs(options->config);
	set_settings("LOCKSTEP_SET", options->sets, options->set_count);
	set_paths("LOCKSTEP_OUT", &options->output, options->output ? 1 : 0);
	set_flag("LOCKSTEP_FUNCTIONAL", options->functional);
	set_flag("LOCKSTEP_QUIET", options->quiet);
	set_text("LOCKSTEP_KERNELS", options->kernel_lines);
	set_text("LOCKSTEP_STATS_LAUNCHES", options->stats_launches);
	set_flag("LOCKSTEP_PROFILE", options->profile);
	set_flag("LOCKSTEP_HOST_PROFILE", options->host_profile);
	set_text("LOCKSTEP_SERIES", options->series);
	set_text("LOCKSTEP_MONITOR", options->monitor);
	set_paths("LOCKSTEP_TIMELINE", &options->timeline, options->timeline ? 1 : 0);
	set_text("LOCKSTEP_STATS_STYLE", options->stats_style);
	set_text("LOCKSTEP_THREADS", options->threads);
	set_paths("LOCKSTEP_TRACE", &options->trace, options->trace ? 1 : 0);
	set_flag("LOCKSTEP_TRACE_INSTRUCTIONS", options->trace_instructions);
	set_text("LOCKSTEP_TRACE_SAMPLE", options->trace_sample);
	set_paths("LOCKSTEP_RECORD", &options->record, options->record ? 1 : 0);
	set_text("LOCKSTEP_RECORD_KERNELS", options->record_kernels);
	set_text("LOCKSTEP_SANITIZE", options->sanitize);
	set_text("LOCKSTEP_ERROR_EXITCODE", options->error_exitcode);
	set_text("LOCKSTEP_AT", options->at);
	set_text("LOCKSTEP_THEN", options->then);
	set_text("LOCKSTEP_BRANCHES", options->branches);
	set_text("LOCKSTEP_BRANCH_JOBS", options->branch_jobs);
	set_paths("LOCKSTEP_SAVE", &options->save, options->save ? 1 : 0);
	set_paths("LOCKSTEP_FROM", &options->from, options->from ? 1 : 0);
	set_paths("LOCKSTEP_RECORDING", &options->recording, options->recording ? 1 : 0);
	set_text("LOCKSTEP_RUN", options->run);
}

static const char *get_text(const char *name)
{
	const char *value = environment_get(name);

	return value && *value ? value : NULL;
}

bool session_threads(const char *text, uint32_t *threads, struct diag_list *diags)
{
	uint64_t value;

	*threads = 1;
	if (!text)
		return true;
	if (!number_parse(text, 1, SIM_MAX_THREADS, &value)) {
		diag_error(diags, NULL, "--threads %.48s: expected a number of host threads from 1 to %d%s",
			text, SIM_MAX_THREADS, number_hint(text));
		return false;
	}
	*threads = (uint32_t)value;
	return true;
}

/* A number of launches, or "all". */
static bool read_launches(const char *text, uint64_t *launches)
{
	*launches = UINT64_MAX;
	return strcmp(text, "all") == 0 || number_parse(text, 0, UINT64_MAX, launches);
}

bool session_stats_launches(const char *text, uint64_t *launches, struct diag_list *diags)
{
	*launches = 0;
	if (!text || strcmp(text, "none") == 0 || read_launches(text, launches))
		return true;
	diag_error(diags, NULL, "--stats-launches %.48s: expected a number of launches, all or none%s", text,
		number_hint(text));
	return false;
}

bool session_kernel_lines(const char *text, uint64_t *lines, struct diag_list *diags)
{
	*lines = 3;
	if (!text || read_launches(text, lines))
		return true;
	diag_error(diags, NULL, "--kernels %.48s: expected a number of launches, or all%s", text,
		number_hint(text));
	return false;
}

bool session_error_exitcode(const char *text, int *status, struct diag_list *diags)
{
	uint64_t value;

	*status = SESSION_ERROR_EXITCODE;
	if (!text)
		return true;
	if (!number_parse(text, 0, 255, &value)) {
		diag_error(diags, NULL, "--error-exitcode %.48s: expected an exit status from 0 to 255%s",
			text, number_hint(text));
		return false;
	}
	*status = (int)value;
	return true;
}

bool session_style(const char *text, enum session_style *style, struct diag_list *diags)
{
	static const char *const names[] = { [STYLE_GEM5] = "gem5", [STYLE_GPGPUSIM] = "gpgpusim" };
	const char *nearest;

	*style = STYLE_GEM5;
	if (!text)
		return true;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(text, names[i]) == 0) {
			*style = (enum session_style)i;
			return true;
		}
	nearest = diag_nearest(text, names, sizeof names / sizeof *names);
	diag_error(diags, NULL, "--stats-style %.48s: expected gem5 or gpgpusim%s%s%s", text,
		nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
	return false;
}

/* -- the environment -- */

static bool is_flag(const char *text)
{
	return !strcmp(text, "0") || !strcmp(text, "1");
}

static bool is_seconds(const char *text)
{
	locale_t before = c_locale_enter();
	double seconds;
	bool fine = number_real(text, &seconds) == NUMBER_FITS && seconds > 0;

	c_locale_leave(before);
	return fine;
}

static bool is_pool(const char *text)
{
	return !strcmp(text, "never-rests");
}

static bool is_host_threads(const char *text)
{
	uint64_t value;

	return number_parse(text, 1, SIM_MAX_THREADS, &value);
}

/* The variables LOCKSTEP_... that users set themselves, and those that no other check sees; false, with
 * diagnostics, if one has a value that it cannot have. */
static bool session_check_environment(struct diag_list *diags)
{
	static const struct {
		const char *name;
		bool (*is_fine)(const char *text);
		const char *expected;
	} variables[] = {
		{ "LOCKSTEP_THREADS", is_host_threads, "a number of host threads from 1 to 64" },
		{ "LOCKSTEP_PATIENCE", is_seconds, "a number of seconds above 0, as in 0.05" },
		{ "LOCKSTEP_VECTOR", exec_is_level, "base, v3 or v4" },
		{ "LOCKSTEP_THREAD_POOL", is_pool, "never-rests" },
		{ "LOCKSTEP_FUNCTIONAL", is_flag, "0 or 1" },
		{ "LOCKSTEP_QUIET", is_flag, "0 or 1" },
		{ "LOCKSTEP_PROFILE", is_flag, "0 or 1" },
		{ "LOCKSTEP_HOST_PROFILE", is_flag, "0 or 1" },
		{ "LOCKSTEP_TRACE_INSTRUCTIONS", is_flag, "0 or 1" },
	};
	bool fine = true;

	for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
		const char *text = get_text(variables[i].name);

		if (!text || variables[i].is_fine(text))
			continue;
		diag_error(diags, NULL, "%s=%.48s in the environment: expected %s%s", variables[i].name, text,
			variables[i].expected, number_hint(text));
		fine = false;
	}
	return fine;
}

bool session_check_options(const struct session_options *options, struct diag_list *diags)
{
	enum session_style style;
	struct trace_sample sample;
	uint32_t threads, checks;
	uint64_t lines, sections;
	int status;

	if (!session_check_environment(diags) || !session_threads(options->threads, &threads, diags) ||
		!session_kernel_lines(options->kernel_lines, &lines, diags) ||
		!session_stats_launches(options->stats_launches, &sections, diags) ||
		(options->sanitize && !sanitize_parse(options->sanitize, &checks, diags)) ||
		!session_error_exitcode(options->error_exitcode, &status, diags) ||
		!session_style(options->stats_style, &style, diags))
		return false;
	if (options->trace && !options->functional) {
		diag_error(diags, NULL, "a trace is of execution without timing, and this run has timing");
		return false;
	}
	if (options->timeline && options->functional) {
		diag_error(diags, NULL, "a timeline is of a run with timing, and this run has none (-f)");
		return false;
	}
	if (options->trace_sample && !trace_sample_parse(options->trace_sample, &sample, diags))
		return false;
	if (options->trace && options->profile) {
		diag_error(diags, NULL, "a trace and a profile cannot be made in the same run");
		return false;
	}
	if ((!options->profile && !options->host_profile) || options->output)
		return true;
	diag_error(diags, NULL, "a profile is written into the output folder, and none was asked for");
	return false;
}

static bool get_flag(const char *name)
{
	const char *value = get_text(name);

	return value && strcmp(value, "0") != 0;
}

/* The lines of one variable. Kept for the life of the process, as the environment is. */
static void get_lines(const char *name, struct session_options *options)
{
	static char *text;
	static const char **lines;
	const char *value = get_text(name);
	size_t count = 0;

	free(text);
	free(lines);
	text = xstrdup(value ? value : "");
	lines = xcalloc(strlen(text) + 1, sizeof *lines);
	for (char *rest = text, *line; (line = strsep(&rest, "\n"));)
		if (*line)
			lines[count++] = line;
	options->sets = lines;
	options->set_count = count;
}

void session_options_from_environment(struct session_options *options)
{
	*options = (struct session_options){
		.config = get_text("LOCKSTEP_CONFIG"),
		.output = get_text("LOCKSTEP_OUT"),
		.functional = get_flag("LOCKSTEP_FUNCTIONAL"),
		.quiet = get_flag("LOCKSTEP_QUIET"),
		.kernel_lines = get_text("LOCKSTEP_KERNELS"),
		.stats_launches = get_text("LOCKSTEP_STATS_LAUNCHES"),
		.profile = get_flag("LOCKSTEP_PROFILE"),
		.host_profile = get_flag("LOCKSTEP_HOST_PROFILE"),
		.series = get_text("LOCKSTEP_SERIES"),
		.timeline = get_text("LOCKSTEP_TIMELINE"),
		.monitor = get_text("LOCKSTEP_MONITOR"),
		.stats_style = get_text("LOCKSTEP_STATS_STYLE"),
		.record = get_text("LOCKSTEP_RECORD"),
		.record_kernels = get_text("LOCKSTEP_RECORD_KERNELS"),
		.threads = get_text("LOCKSTEP_THREADS"),
		.trace = get_text("LOCKSTEP_TRACE"),
		.trace_instructions = get_flag("LOCKSTEP_TRACE_INSTRUCTIONS"),
		.trace_sample = get_text("LOCKSTEP_TRACE_SAMPLE"),
		.sanitize = get_text("LOCKSTEP_SANITIZE"),
		.error_exitcode = get_text("LOCKSTEP_ERROR_EXITCODE"),
		.at = get_text("LOCKSTEP_AT"),
		.then = get_text("LOCKSTEP_THEN"),
		.branches = get_text("LOCKSTEP_BRANCHES"),
		.branch_jobs = get_text("LOCKSTEP_BRANCH_JOBS"),
		.save = get_text("LOCKSTEP_SAVE"),
		.from = get_text("LOCKSTEP_FROM"),
		.recording = get_text("LOCKSTEP_RECORDING"),
		.run = get_text("LOCKSTEP_RUN"),
	};
	get_lines("LOCKSTEP_SET", options);
}

char *session_config_paths(const char *paths)
{
	char *first = xstrdup(paths ? paths : "+"), *base, *both;

	first[strcspn(first, SESSION_BETWEEN_PATHS)] = '\0';
	bool is_overlay = config_is_overlay(first);
	free(first);
	if (!is_overlay)
		return xstrdup(paths);
	base = config_find(NULL, SESSION_DEFAULT_CONFIG);
	if (!base || !paths)
		return base;
	if (asprintf(&both, "%s" SESSION_BETWEEN_PATHS "%s", base, paths) < 0)
		bug("out of memory");
	free(base);
	return both;
}

bool session_config_load(struct config *config, const char *paths, struct diag_list *diags)
{
	size_t count;
	char **lines = split_paths(paths, &count);
	bool fine = true;

	for (size_t i = 0; i < count; i++)
		fine &= config_load(config, lines[i], diags);
	free(lines[0]);
	free(lines);
	return fine;
}

bool session_config_series(struct config *config, const char *series, struct diag_list *diags)
{
	const char *colon = strchr(series, ':'), *end;
	char *period = NULL, *names = NULL;
	uint64_t number;
	bool fine;

	if (!colon || !colon[1] || number_read(series, &end, &number) != NUMBER_FITS || end != colon ||
		!number) {
		diag_error(diags, NULL,
			"--series %.48s: expected N:NAMES, as in 1000:gpu.ipc,sm.l1d.miss_rate, with N from "
			"1 "
			"on%s",
			series, number_hint(series));
		return false;
	}
	if (asprintf(&period, "observe.series.period=%.*s", (int)(colon - series), series) < 0 ||
		asprintf(&names, "observe.series.statistics=%s", colon + 1) < 0)
		bug("out of memory");
	fine = config_set(config, period, diags) & config_set(config, names, diags);
	free(period);
	free(names);
	return fine;
}

/* As the user typed it, from `lockstep run`; else as the kernel of the host knows it. */
char *session_command(void)
{
	const char *given = get_text("LOCKSTEP_COMMAND");
	char line[4096];
	FILE *f = given ? NULL : fopen("/proc/self/cmdline", "rb");

	if (given)
		return xstrdup(given);
	size_t size = f ? fread(line, 1, sizeof line - 1, f) : 0;
	if (f)
		fclose(f);
	while (size && !line[size - 1])
		size--;
	for (size_t i = 0; i < size; i++)
		if (!line[i])
			line[i] = ' ';
	line[size] = '\0';
	return xstrdup(line);
}
