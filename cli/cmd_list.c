/* cli/cmd_list.c -- lockstep list: what there is to choose from. */
#include "cli/command.h"
#include "cli/machine.h"
#include "core/gpu/policy_interfaces.h"
#include "experiment/files.h"
#include "experiment/paths.h"
#include "host/session/session.h"
#include "sim/text/terminal.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

struct list_options {
	struct machine_options machine;
};

static const struct option list_option_table[] = { MACHINE_OPTIONS(struct list_options, machine.),
	OPTION_END };

/* -- policies -- */

/* "stores 512 bits for each warp slot of an SM, 8 x 64: a request (HPCA 2014, 5.3)" */
static void print_storage(
	const struct policy_interface *interface, const struct policy_class *class, FILE *to)
{
	void *prototype = policy_blank(interface, class);

	for (const struct policy_storage *s = class->storage; s && s->what; s++) {
		uint64_t bits = policy_storage_bits(s, prototype);

		fprintf(to, "  %-14s  ", "");
		if (!s->bits)
			fprintf(to, "logic for each %s: ", s->of);
		else
			fprintf(to, "stores %" PRIu64 " bit%s for each %s", bits, bits == 1 ? "" : "s",
				s->of);
		if (s->bits && s->entries)
			fprintf(to, ", %" PRIu64 " x %" PRIu32, bits / s->bits, s->bits);
		fprintf(to, "%s%s (%s)\n", s->bits ? ": " : "", s->what, s->source);
	}
	policy_prototype_free(prototype);
}

static void print_interface(const struct policy_interface *interface, FILE *to)
{
	fprintf(to, "%s (%s):\n", interface->title, interface->keys);
	for (size_t i = 0; interface->classes[i]; i++) {
		const struct policy_class *class = interface->classes[i];

		fprintf(to, "  %-14s  %s", class->name, class->help ? class->help : "");
		if (class->source)
			fprintf(to, " (%s)", class->source);
		fputc('\n', to);
		print_storage(interface, class, to);
	}
}

static int list_policies(const struct list_options *o, FILE *to)
{
	struct diag_list diags = { 0 };
	struct config *config = machine_load(&o->machine, &diags);

	if (config)
		free(plugins_read(config, &diags));
	config_free(config);
	if (diags.errors)
		return failed(&diags);
	for (size_t i = 0; policy_interfaces[i]; i++) {
		if (i)
			fputc('\n', to);
		print_interface(policy_interfaces[i], to);
	}
	return STATUS_FINE;
}

/* -- files -- */

static void list_configs_of(const char *title, char **names, size_t count, bool overlays, FILE *to)
{
	fprintf(to, "%s:\n", title);
	for (size_t i = 0; i < count; i++)
		if (config_is_overlay(names[i]) == overlays)
			fprintf(to, "  %s\n", names[i]);
}

static void list_models(const char *configs, FILE *to)
{
	char *folder = configs ? file_path(configs, "energy") : NULL, **names;
	size_t count;

	names = paths_list(folder, ".yaml", &count);
	list_configs_of("energy models (--energy gtx480)", names, count, false, to);
	paths_list_free(names, count);
	free(folder);
}

static int list_configs(const struct list_options *o, FILE *to)
{
	size_t count;
	char *folder = paths_configs(), **names = paths_list(folder, ".yaml", &count), *title;

	if (asprintf(&title, "configurations (%s)", folder ? folder : "not found") < 0)
		bug("out of memory");
	list_configs_of(title, names, count, false, to);
	list_configs_of("overlays, for any of these and for combinations (-c gtx480 -c +swl)", names, count,
		true, to);
	list_models(folder, to);
	free(title);
	paths_list_free(names, count);
	free(folder);
	return STATUS_FINE;
}

/* Suite by suite; what they are: lockstep bench list. */
static int list_benchmarks(const struct list_options *o, FILE *to)
{
	char *folder = paths_benchmarks();
	size_t suites, count;
	char **suite = paths_list(folder, "", &suites), **names;

	fprintf(to, "benchmarks (%s; what they are: lockstep bench list):\n", folder ? folder : "not found");
	for (size_t i = 0; i < suites; i++) {
		char *path = NULL;
		if (asprintf(&path, "%s/%s", folder, suite[i]) < 0)
			bug("out of memory");
		names = paths_list(path, "", &count);
		fprintf(to, "  %s%s", suite[i], count ? ": " : "");
		for (size_t k = 0; k < count; k++)
			fprintf(to, " %s", names[k]);
		fputc('\n', to);
		paths_list_free(names, count);
		free(path);
	}
	paths_list_free(suite, suites);
	free(folder);
	return STATUS_FINE;
}

/* -- what a machine counts -- */

static int list_stats(const struct list_options *o, FILE *to)
{
	struct diag_list diags;
	struct config *config;
	struct gpu *gpu = NULL;
	int status = STATUS_FINE;

	diag_init(&diags);
	config = machine_load(&o->machine, &diags);
	if (config)
		gpu = gpu_new(config, &diags);
	if (gpu) {
		stat_print_doc(gpu_stats(gpu), to);
		session_print_stat_doc(to);
	} else {
		status = failed(&diags);
	}
	gpu_free(gpu);
	config_free(config);
	return status;
}

/* -- the command -- */

static const struct subject {
	const char *name;
	int (*list)(const struct list_options *options, FILE *to);
} subjects[] = {
	{ "policies", list_policies },
	{ "configs", list_configs },
	{ "benchmarks", list_benchmarks },
	{ "stats", list_stats },
};
#define SUBJECTS (sizeof(subjects) / sizeof(*subjects))

static int list_all(const struct list_options *o, FILE *to)
{
	list_policies(o, to);
	fputc('\n', to);
	list_configs(o, to);
	fputc('\n', to);
	list_benchmarks(o, to);
	fprintf(to, "\nstatistics: lockstep list stats\nparameters: lockstep config doc\n");
	return STATUS_FINE;
}

static int list_subject(const struct list_options *o, int (*subject)(const struct list_options *, FILE *))
{
	struct terminal_rows rows;
	int status;

	terminal_rows_begin(&rows);
	status = subject(o, rows.text);
	terminal_rows_end(&rows, stdout);
	return status;
}

static int run_list_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const char *names[SUBJECTS], *nearest;

	if (!count)
		return list_subject(object, list_all);
	for (size_t i = 0; i < SUBJECTS; i++) {
		names[i] = subjects[i].name;
		if (strcmp(operands[0], names[i]) == 0)
			return list_subject(object, subjects[i].list);
	}
	nearest = diag_nearest(operands[0], names, SUBJECTS);
	return usage_error(self, "unknown subject %s%s%s%s", operands[0], nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "");
}

const struct command command_list = {
	.name = "list",
	.operands = "[policies | configs | benchmarks | stats]",
	.summary = "list policies, configurations, benchmarks, statistics",
	.details = "  policies    all policies, by the decision that they make, with their sources, and for\n"
		   "              some what they would store on a chip\n"
		   "  configs     the configurations and overlays that come with Lockstep\n"
		   "  benchmarks  the benchmarks that were built\n"
		   "  stats       every statistic of the machine: name, unit, meaning\n"
		   "\n"
		   "Without an operand, lists policies, configurations and benchmarks. 'lockstep config "
		   "doc' explains the parameters.\n",
	.options = list_option_table,
	.size = sizeof(struct list_options),
	.most = 1,
	.run = run_list_command,
};
