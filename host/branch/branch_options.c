/* host/branch/branch_options.c -- from --at, --then and --branch to branches. Everything that can be wrong is
 * found before the run begins, but for what only the point decides. */
#include "host/branch/branch.h"
#include "core/gpu/change.h"
#include "core/gpu/machine_config.h"
#include "sim/files/file_read.h"
#include "sim/text/number.h"
#include "sim/config/config_find.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

/* -- the point -- */

static bool read_point(struct session_branches *b, const char *text, struct diag_list *diags)
{
	static const char *const kinds[] = { "kernel:", "cycle:", "instructions:" };
	const char *number = text + strcspn(text, ":") + (strchr(text, ':') != NULL), *end;

	b->at = xstrdup(text);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		if (strncmp(text, kinds[i], strlen(kinds[i])))
			continue;
		b->point = (enum branch_point)i;
		if (number_parse(number, 1, UINT64_MAX, &b->value))
			return true;
		if (i == BRANCH_AT_KERNEL && number_read(number, &end, &b->launch) == NUMBER_FITS &&
			b->launch && *end == ':' && number_parse(end + 1, 1, UINT64_MAX, &b->value)) {
			b->point = BRANCH_WITHIN;
			return true;
		}
	}
	diag_error(diags, NULL,
		"--at %.48s: expected kernel:N (before launch N starts), kernel:N:M (within it, for --save), "
		"cycle:N or instructions:N, with N from 1 on%s",
		text, number_hint(number));
	return false;
}

static bool read_jobs(struct session_branches *b, const char *text, struct diag_list *diags)
{
	uint64_t jobs = 0;
	bool fine = !text || number_parse(text, 1, 1000, &jobs);

	b->at_once = (uint32_t)jobs;
	if (!fine)
		diag_error(diags, NULL, "--branch-jobs %.48s: expected a number from 1 to 1000%s", text,
			number_hint(text));
	return fine;
}

/* -- a branch's configuration -- */

static char *flat(const struct config *config)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	bug_if(!f, "out of memory");
	config_print_flat(config, f);
	fclose(f);
	return text;
}

static char *parameter_path(const char *line)
{
	return strndup(line, strcspn(line, " "));
}

/* Both print the parameters in the same order; subsections that only one has are told from the lines. */
static void note_changes(struct branch *branch, const struct config *was)
{
	char *a = flat(was), *b = flat(branch->config), *left = a, *right = b, *x, *y;

	for (;;) {
		x = strsep(&left, "\n");
		y = strsep(&right, "\n");
		if (!x && !y)
			break;
		if (x && y && !strcmp(x, y))
			continue;
		branch->is_changed = true;
		branch->has_other_warmup |= !strncmp(y ? y : x, "gpu.warmup.", 11);
		if (!branch->forbidden && (!gpu_may_change(y ? y : x) || !gpu_may_change(x ? x : y)))
			branch->forbidden = parameter_path(y && *y ? y : x);
	}
	free(a);
	free(b);
}

static bool add_overlay(struct branch *branch, const char *file, struct diag_list *diags)
{
	char *before = branch->config_path;

	if (asprintf(&branch->config_path, "%s%s%s", before, *before ? SESSION_BETWEEN_PATHS : "", file) < 0)
		bug("out of memory");
	free(before);
	return config_load(branch->config, file, diags);
}

/* A line of the file with a configuration of a branch's own: "config FILE" or "set PATH=VALUE". */
static bool read_own_line(
	struct branch *branch, const char *file, unsigned number, const char *line, struct diag_list *diags)
{
	struct diag_location location = { .file = file, .line = number, .column = 1 };

	if (!strncmp(line, "set ", 4))
		return config_set(branch->config, line + 4, diags);
	if (!strncmp(line, "config ", 7))
		return add_overlay(branch, line + 7, diags);
	if (*line)
		diag_error(diags, &location, "expected \"config FILE\" or \"set PATH=VALUE\"");
	return !*line;
}

/* The branch has nothing of the run's configuration, but that of a file. */
static bool read_own(struct branch *branch, const char *file, struct diag_list *diags)
{
	char *text = file_read(file, NULL), *rest = text, *line;
	unsigned number = 0;
	bool fine = text;

	if (!text)
		diag_error(diags, NULL, "--branch %.48s: %s cannot be read: %s", branch->name, file,
			strerror(errno));
	*branch->config_path = '\0';
	while (rest && (line = strsep(&rest, "\n")))
		fine &= read_own_line(branch, file, ++number, line, diags);
	free(text);
	return fine;
}

static bool change_config(struct branch *branch, struct diag_list *diags)
{
	char *all = xstrdup(branch->changes), *rest = all, *one;
	bool fine = true;

	while ((one = strsep(&rest, ","))) {
		char *file = config_path(NULL, one);

		if (*one && strchr(one, '='))
			fine &= config_set(branch->config, one, diags);
		else if (*one)
			fine &= add_overlay(branch, file, diags);
		free(file);
	}
	free(all);
	return fine;
}

static bool load_run(struct branch *branch, const struct session *s, const struct session_options *options,
	struct diag_list *diags)
{
	bool fine = session_config_load(branch->config, s->config_path, diags);

	for (size_t i = 0; i < options->set_count; i++)
		fine &= config_set(branch->config, options->sets[i], diags);
	if (options->series)
		fine &= session_config_series(branch->config, options->series, diags);
	return fine;
}

/* The run's configuration with the changes, or one of its own, read as a machine reads it. */
static bool configure(struct branch *branch, const struct session *s, const struct session_options *options,
	struct diag_list *diags)
{
	struct machine_config machine;
	size_t errors = diags->errors;
	bool fine = true;

	branch->config = config_new();
	branch->config_path = xstrdup(s->config_path);
	if (*branch->changes == '@')
		fine = read_own(branch, branch->changes + 1, diags);
	else
		fine = load_run(branch, s, options, diags) && change_config(branch, diags);
	if (!fine)
		return false;
	fine = machine_config_read(&machine, branch->config, diags);
	config_check_unknown(branch->config, diags);
	machine_config_fini(&machine);
	fine &= diags->errors == errors;
	if (fine)
		note_changes(branch, s->config);
	return fine;
}

static bool may_change(const struct session_branches *b, const struct branch *branch, struct diag_list *diags)
{
	if (branch->has_other_warmup) {
		diag_error(diags, NULL,
			"--branch %.48s: gpu.warmup says what comes before the point, and must be the run's",
			branch->name ? branch->name : branch->changes);
		return false;
	}
	if (!branch->forbidden || (b->point == BRANCH_AT_KERNEL && branch->name))
		return true;
	diag_error(diags, NULL,
		"%s%.48s: %s cannot change while kernels are timed; only sm.scheduler and gpu.dispatch can. "
		"(With "
		"--warmup N --at kernel:N+1 a branch may change anything)",
		branch->name ? "--branch " : "--then ", branch->name ? branch->name : branch->changes,
		branch->forbidden);
	return false;
}

/* Without a dot, which every file of a run has in its name. */
static bool is_name(const char *name)
{
	size_t length = strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-");

	return *name && !name[length];
}

/* Whether the branch's folder can be one: no file of the user's has its name. */
static bool is_folder_free(const char *output, const char *name, struct diag_list *diags)
{
	char *path = NULL;
	struct stat there;
	bool is_file;

	if (asprintf(&path, "%s/%s", output ? output : ".", name) < 0)
		bug("out of memory");
	is_file = stat(path, &there) == 0 && !S_ISDIR(there.st_mode);
	if (is_file)
		diag_error(diags, NULL,
			"--branch %.48s: %s is a file, where the branch would have its folder", name, path);
	free(path);
	return !is_file;
}

/* name NULL: the run itself. */
static bool add_branch(struct session_branches *b, char *name, const char *changes, const struct session *s,
	const struct session_options *options, struct diag_list *diags)
{
	struct branch *branch;

	b->branches = xrealloc(b->branches, (b->count + 2) * sizeof *b->branches);
	branch = &b->branches[b->count]; /* not counted if it is the run itself */
	*branch = (struct branch){ .name = name, .changes = xstrdup(changes) };
	b->count += name != NULL;
	b->has_then |= !name;
	return configure(branch, s, options, diags) && may_change(b, branch, diags);
}

static bool add_named(struct session_branches *b, const char *text, const struct session *s,
	const struct session_options *options, struct diag_list *diags)
{
	const char *colon = strchr(text, ':');
	char *name = strndup(text, colon ? (size_t)(colon - text) : strlen(text));

	for (size_t i = 0; i < b->count; i++)
		if (!strcmp(b->branches[i].name, name)) {
			diag_error(diags, NULL, "--branch %.48s: there are two branches of this name", name);
			free(name);
			return false;
		}
	if (colon && is_name(name) && is_folder_free(options->output, name, diags))
		return add_branch(b, name, colon + 1, s, options, diags);
	if (!colon || !is_name(name))
		diag_error(diags, NULL,
			"--branch %.48s: expected NAME:CHANGES, as in lrr:sm.scheduler.policy=lrr; a name "
			"has "
			"letters, digits, _ and -",
			text);
	free(name);
	return false;
}

/* -- what cannot be together -- */

static bool can_save(
	const struct session_branches *b, const struct session_options *o, struct diag_list *diags)
{
	const char *what = NULL;

	if (!o->recording)
		what = "a checkpoint belongs to a recording, and is for lockstep replay";
	else if (b->point != BRANCH_AT_KERNEL && b->point != BRANCH_WITHIN && o->functional)
		what = "without timing a checkpoint is before a launch (--at kernel:N) or within it "
		       "(kernel:N:M)";
	else if (o->sanitize)
		what = "what the sanitizer knows is not in a checkpoint";
	if (what)
		diag_error(diags, NULL, "--save: %s", what);
	return !what;
}

static bool can_branch(const struct session_branches *b, const struct session *s,
	const struct session_options *o, struct diag_list *diags)
{
	const char *what = NULL;

	if (o->save && !o->then && !o->branches)
		return can_save(b, o, diags);
	if (b->point == BRANCH_WITHIN)
		what = "a point within a launch that is not timed up to there (--at kernel:N:M)";
	else if (o->functional)
		what = "--functional: there is no timing that a change could change";
	else if (!o->output)
		what = "no output folder, in which they have theirs";
	else if (o->threads && strcmp(o->threads, "1"))
		what = "--threads: a process with several threads cannot be copied";
	else if (o->trace || o->profile || o->record || o->sanitize || o->host_profile || o->series ||
		o->timeline)
		what = "--profile, --series, --timeline, --sanitize, --host-profile or a recording";
	else if (o->stats_style && strcmp(o->stats_style, "gem5"))
		what = "another style of statistics";
	else if (s->gpu && (gpu_wants_reports(s->gpu) || gpu_dram_trace(s->gpu)))
		what = "observers or traces that write files of their own";
	if (what)
		diag_error(diags, NULL, "--branch and --then are not possible with %s", what);
	return !what && (!o->save || can_save(b, o, diags));
}

static bool read_branches(struct session_branches *b, struct session *s, const struct session_options *o,
	struct diag_list *diags)
{
	char *all = xstrdup(o->branches ? o->branches : ""), *rest = all, *one;
	bool fine = read_point(b, o->at, diags) && read_jobs(b, o->branch_jobs, diags) &&
		can_branch(b, s, o, diags);

	while (fine && (one = strsep(&rest, "\n")))
		fine = !*one || add_named(b, one, s, o, diags);
	free(all);
	if (fine && o->then)
		fine = add_branch(b, NULL, o->then, s, o, diags);
	return fine;
}

bool branches_new(struct session_branches **branches, struct session *s, const struct session_options *o,
	struct diag_list *diags)
{
	*branches = NULL;
	if (!o->at && !o->then && !o->branches && !o->save)
		return true;
	if (!o->at || (!o->then && !o->branches && !o->save)) {
		diag_error(diags, NULL, "%s",
			o->at ? "--at says where, and --then, --branch or --save what is to happen there: "
				"none was "
				"given"
			      : "--then, --branch and --save say what is to happen, and --at where: it was "
				"not "
				"given");
		return false;
	}
	*branches = xcalloc(1, sizeof **branches);
	(*branches)->save = o->save ? xstrdup(o->save) : NULL;
	(*branches)->recording = o->recording ? xstrdup(o->recording) : NULL;
	if (read_branches(*branches, s, o, diags))
		return true;
	branches_free(*branches);
	*branches = NULL;
	return false;
}

void branches_free(struct session_branches *b)
{
	if (!b)
		return;
	for (size_t i = 0; i < b->count + b->has_then; i++) {
		free(b->branches[i].name);
		free(b->branches[i].changes);
		free(b->branches[i].forbidden);
		free(b->branches[i].config_path);
		config_free(b->branches[i].config);
	}
	branch_launches_free(b);
	free(b->branches);
	free(b->save);
	free(b->recording);
	free(b->at);
	free(b);
}
