/* cli/tune/cmd_tune.c -- lockstep tune: a configuration from what probes measure on a card. */
#include "cli/tune/tune.h"
#include "cli/command.h"
#include "cli/machine.h"
#include "sim/base/xalloc.h"
#include <string.h>
#include <unistd.h>

struct tune_options {
	struct machine_options machine;
	struct option_list from, only;
	const char *output, *base;
	bool resume, no_trial;
};

static const struct option tune_option_table[] = {
	OPTION_TEXT(struct tune_options, output, 'o', "output", "FILE",
		"the configuration that is written; its name ends in .yaml, and what was measured is\n"
		"beside it in a file that ends in .csv"),
	OPTION_LIST(struct tune_options, from, 0, "from", "CSV",
		"measure nothing: take the rows of this file; may be repeated, later rows count"),
	OPTION_FLAG(struct tune_options, resume, 0, "resume", "go on with the file of results that is there"),
	OPTION_LIST(struct tune_options, only, 0, "probe", "TOPIC",
		"measure only this topic, and the device; may be repeated"),
	OPTION_TEXT(struct tune_options, base, 0, "base", "CONFIG",
		"take from here what no probe tells (default: the configuration of the nearest compute\n"
		"capability and number of SMs)"),
	OPTION_FLAG(struct tune_options, no_trial, 0, "no-trial",
		"do not try the machine that was written; the latencies of memories stay those of the base"),
	OPTION_LIST(struct tune_options, machine.configs, 'c', "config", "FILE",
		"measure this simulated chip in place of a card: a name of 'lockstep list configs', or\n"
		"else a file; several: later ones, with their bases, override earlier ones"),
	OPTION_LIST(struct tune_options, machine.sets, 's', "set", "PATH=VALUE",
		"set one parameter of the simulated chip; may be repeated"),
	OPTION_END,
};

/* ---- measuring ---- */

/* "mychip.csv" beside "mychip.yaml". */
static char *raw_path(const char *output)
{
	char *path;

	bug_if(asprintf(&path, "%.*s.csv", (int)(strlen(output) - strlen(".yaml")), output) < 0,
		"out of memory");
	return path;
}

/* -c and --set, for the programs' own runs; the PTX as it stands, since scheduled code would leave out some
 * of what it repeats. NULL: the driver that is there. */
static const char **machine_words(const struct machine_options *o, size_t *count)
{
	const char **words = xcalloc(2 * (o->configs.count + o->sets.count + 1), sizeof(*words));

	*count = 0;
	for (size_t i = 0; i < o->configs.count; i++) {
		words[(*count)++] = "-c";
		words[(*count)++] = o->configs.items[i];
	}
	words[(*count)++] = "--set";
	words[(*count)++] = "frontend.timed_code=ptx";
	for (size_t i = 0; i < o->sets.count; i++) {
		words[(*count)++] = "--set";
		words[(*count)++] = o->sets.items[i];
	}
	return words;
}

static int measure_card(struct tune *t, const struct tune_options *o, const char *raw)
{
	bool is_simulated = o->machine.configs.count || o->machine.sets.count,
	     is_there = access(raw, F_OK) == 0;
	struct probing p = { .raw = raw, .only = o->only.items, .only_count = o->only.count };
	const char **words = NULL;
	struct diag_list diags;
	int status = STATUS_FINE;

	diag_init(&diags);
	if (is_there && !o->resume)
		diag_error(&diags, NULL,
			"%s is there already; --resume goes on with it, --from %s takes it as it is", raw,
			raw);
	else if (is_there)
		tune_rows_read(&t->rows, raw, &diags);
	if (diags.errors)
		return failed(&diags);
	diag_fini(&diags);
	if (is_simulated)
		p.machine = words = machine_words(&o->machine, &p.words);
	status = probes_run(&p, &t->rows);
	free(words);
	return status;
}

static int read_results(struct tune *t, const struct tune_options *o)
{
	struct diag_list diags;
	bool fine = true;

	diag_init(&diags);
	for (size_t i = 0; i < o->from.count && fine; i++)
		fine = tune_rows_read(&t->rows, o->from.items[i], &diags);
	if (!fine)
		return failed(&diags);
	diag_fini(&diags);
	return STATUS_FINE;
}

/* ---- concluding ---- */

static void print_summary(const struct tune *t, const char *output)
{
	size_t told = 0;

	for (size_t i = 0; i < t->count; i++)
		told += t->findings[i].text != NULL;
	printf("tune: %s: %zu values told by probes, %zu that rows are missing for; all else of %s\n", output,
		told, t->count - told, t->base);
}

static int write_machine(struct tune *t, const struct tune_options *o, const char *how)
{
	struct diag_list diags;
	int status;

	diag_init(&diags);
	t->base = o->base;
	t->is_as_written = tune_rows_find(&t->rows, "run as written");
	if (!base_read(t, &diags))
		return failed(&diags);
	rules_apply(t);
	status = tune_write(t, o->output, how, &diags) ? STATUS_FINE : failed(&diags);
	diag_fini(&diags);
	if (!status && !o->no_trial)
		status = trial_run(t, o->output, how, true);
	if (!status)
		print_summary(t, o->output);
	return status;
}

static char *describe_source(const struct tune_options *o, const char *raw)
{
	char *text = xstrdup(o->from.count ? o->from.items[0] : raw), *longer;

	for (size_t i = 1; i < o->from.count; i++) {
		bug_if(asprintf(&longer, "%s, %s", text, o->from.items[i]) < 0, "out of memory");
		free(text);
		text = longer;
	}
	return text;
}

static void tune_fini(struct tune *t)
{
	tune_rows_fini(&t->rows);
	keeper_fini(&t->keeper);
	free(t->findings);
	free(t->values);
}

static int run_tune_command(const struct command *self, const void *object, char **operands, size_t count)
{
	const struct tune_options *o = object;
	struct tune t = { 0 };
	char *raw, *how;
	int status;

	if (count)
		return usage_error(self, "%s: takes no operands", operands[0]);
	if (!o->output || strlen(o->output) <= strlen(".yaml") ||
		strcmp(o->output + strlen(o->output) - strlen(".yaml"), ".yaml") != 0)
		return usage_error(self, "-o needs the name of a file that ends in .yaml");
	if (o->from.count &&
		(o->resume || o->only.count || o->machine.configs.count || o->machine.sets.count))
		return usage_error(self,
			"--from measures nothing: --resume, --probe, -c and --set make no sense with it");
	for (size_t i = 0; i < o->only.count; i++)
		if (!probes_have(o->only.items[i]))
			return usage_error(self, "--probe %s: no such topic (docs/user/tune.md lists them)",
				o->only.items[i]);
	raw = raw_path(o->output);
	status = o->from.count ? read_results(&t, o) : measure_card(&t, o, raw);
	how = describe_source(o, raw);
	if (status == STATUS_FINE)
		status = write_machine(&t, o, how);
	free(how);
	free(raw);
	tune_fini(&t);
	return status;
}

const struct command command_tune = {
	.name = "tune",
	.operands = "",
	.summary = "write a configuration from what probes measure on a card",
	.details = "Runs micro-benchmarks through the CUDA driver that is there or, with -c, on a "
		   "simulated chip in place of the card. From what they measure it concludes sizes, "
		   "ways, latencies, rates and widths, and writes a configuration in which each "
		   "value has its probe, what the probe gave and its doubt as a comment. What no "
		   "probe tells is taken from the nearest configuration that comes with Lockstep. At "
		   "the end the machine that was written is run, and its latencies are printed "
		   "beside the card's (docs/user/tune.md).\n"
		   "\n"
		   "  lockstep tune -o mychip.yaml\n"
		   "  lockstep tune -o again.yaml --from mychip.csv\n",
	.options = tune_option_table,
	.size = sizeof(struct tune_options),
	.run = run_tune_command,
};
