/* cli/cmd_list.c -- lockstep list: what there is to choose from. */
#include "cli/command.h"
#include "cli/machine.h"
#include "experiment/paths.h"
#include "core/dispatch/dispatch.h"
#include "core/limiter/limiter.h"
#include "core/sched/sched.h"
#include "dram/sched/sched.h"
#include "host/session/session.h"
#include "interconnect/network.h"
#include "memsys/bypass/bypass.h"
#include "memsys/index/index.h"
#include "memsys/insertion/insertion.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/replace/replace.h"
#include "memsys/request_buffer/request_buffer.h"
#include "sim/base/xalloc.h"

struct list_options {
	struct machine_options machine;
};

static const struct option list_option_table[] = { MACHINE_OPTIONS(struct list_options, machine.),
	OPTION_END };

/* -- policies, slot by slot -- */

static void print_policy(const char *name, const char *help, const char *source)
{
	printf("  %-12s %s", name, help);
	if (source && *source)
		printf(" (%s)", source);
	putchar('\n');
}

static int list_policies(const struct list_options *o)
{
	printf("CTA dispatch (gpu.dispatch.policy):\n");
	for (size_t i = 0; dispatch_classes[i]; i++)
		print_policy(
			dispatch_classes[i]->name, dispatch_classes[i]->help, dispatch_classes[i]->source);
	printf("\nwarp schedulers (sm.scheduler.policy):\n");
	for (size_t i = 0; sched_classes[i]; i++)
		print_policy(sched_classes[i]->name, sched_classes[i]->help, sched_classes[i]->source);
	printf("\nwarp limiters (sm.limiter.policy):\n");
	for (size_t i = 0; limiter_classes[i]; i++)
		print_policy(limiter_classes[i]->name, limiter_classes[i]->help, limiter_classes[i]->source);
	printf("\nrequest buffers between coalescer and L1 (sm.request_buffer.policy):\n");
	for (size_t i = 0; request_buffer_classes[i]; i++)
		print_policy(request_buffer_classes[i]->name, request_buffer_classes[i]->help,
			request_buffer_classes[i]->source);
	printf("\n"
	       "L1 bypass (sm.bypass.policy), and bypass of reads that the L1 refuses "
	       "(sm.stall_bypass.policy):\n");
	for (size_t i = 0; bypass_classes[i]; i++)
		print_policy(bypass_classes[i]->name, bypass_classes[i]->help, bypass_classes[i]->source);
	printf("\nset-index functions (index of sm.l1d, sm.texture, sm.constant, sm.instruction, l2):\n");
	for (size_t i = 0; index_classes[i]; i++)
		print_policy(index_classes[i]->name, index_classes[i]->help, index_classes[i]->source);
	printf("\nreplacement (replace of sm.l1d, sm.texture, sm.constant, sm.instruction, l2):\n");
	for (size_t i = 0; replace_classes[i]; i++)
		print_policy(replace_classes[i]->name, replace_classes[i]->help, replace_classes[i]->source);
	printf("\nL2 bypass (l2.bypass.policy):\n");
	for (size_t i = 0; l2_bypass_classes[i]; i++)
		print_policy(
			l2_bypass_classes[i]->name, l2_bypass_classes[i]->help, l2_bypass_classes[i]->source);
	printf("\nL2 insertion (l2.insertion.policy):\n");
	for (size_t i = 0; insertion_classes[i]; i++)
		print_policy(
			insertion_classes[i]->name, insertion_classes[i]->help, insertion_classes[i]->source);
	printf("\nnetworks between SMs and L2 (xbar.network):\n");
	for (size_t i = 0; network_classes[i]; i++)
		print_policy(network_classes[i]->name, network_classes[i]->help, network_classes[i]->source);
	printf("\nDRAM schedulers (dram.scheduler.policy):\n");
	for (size_t i = 0; dram_sched_names[i]; i++)
		print_policy(dram_sched_names[i], dram_sched_classes[i]->help, dram_sched_classes[i]->source);
	return STATUS_FINE;
}

/* -- files -- */

static void list_configs_of(const char *title, char **names, size_t count, bool overlays)
{
	printf("%s:\n", title);
	for (size_t i = 0; i < count; i++)
		if (config_is_overlay(names[i]) == overlays)
			printf("  %s\n", names[i]);
}

static int list_configs(const struct list_options *o)
{
	size_t count;
	char *folder = paths_configs(), **names = paths_list(folder, ".yaml", &count), *title;

	if (asprintf(&title, "configurations (%s)", folder ? folder : "not found") < 0)
		bug("out of memory");
	list_configs_of(title, names, count, false);
	list_configs_of(
		"overlays, for any of these and for combinations (-c gtx480 -c +swl)", names, count, true);
	free(title);
	paths_list_free(names, count);
	free(folder);
	return STATUS_FINE;
}

/* Suite by suite; what they are: lockstep bench list. */
static int list_benchmarks(const struct list_options *o)
{
	char *folder = paths_benchmarks();
	size_t suites, count;
	char **suite = paths_list(folder, "", &suites), **names;

	printf("benchmarks (%s; what they are: lockstep bench list):\n", folder ? folder : "not found");
	for (size_t i = 0; i < suites; i++) {
		char *path = NULL;
		if (asprintf(&path, "%s/%s", folder, suite[i]) < 0)
			bug("out of memory");
		names = paths_list(path, "", &count);
		printf("  %s%s", suite[i], count ? ":" : "");
		for (size_t k = 0; k < count; k++)
			printf(" %s", names[k]);
		putchar('\n');
		paths_list_free(names, count);
		free(path);
	}
	paths_list_free(suite, suites);
	free(folder);
	return STATUS_FINE;
}

/* -- what a machine counts -- */

static int list_stats(const struct list_options *o)
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
		stat_print_doc(gpu_stats(gpu), stdout);
		session_print_stat_doc(stdout);
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
	int (*list)(const struct list_options *options);
} subjects[] = {
	{ "policies", list_policies },
	{ "configs", list_configs },
	{ "benchmarks", list_benchmarks },
	{ "stats", list_stats },
};
#define SUBJECTS (sizeof(subjects) / sizeof(*subjects))

static int list_all(const struct list_options *o)
{
	list_policies(o);
	putchar('\n');
	list_configs(o);
	putchar('\n');
	list_benchmarks(o);
	printf("\nstatistics: lockstep list stats\nparameters: lockstep config doc\n");
	return STATUS_FINE;
}

static int run(const struct command *self, const void *object, char **operands, size_t count)
{
	const char *names[SUBJECTS], *nearest;

	if (!count)
		return list_all(object);
	for (size_t i = 0; i < SUBJECTS; i++) {
		names[i] = subjects[i].name;
		if (strcmp(operands[0], names[i]) == 0)
			return subjects[i].list(object);
	}
	nearest = diag_nearest(operands[0], names, SUBJECTS);
	return usage_error(self, "unknown subject %s%s%s%s", operands[0], nearest ? "; did you mean " : "",
		nearest ? nearest : "", nearest ? "?" : "");
}

const struct command command_list = {
	.name = "list",
	.operands = "[policies | configs | benchmarks | stats]",
	.summary = "list policies, configurations, benchmarks, statistics",
	.details = "  policies    the policies of every slot, with their sources\n"
		   "  configs     the configurations and overlays that come with Lockstep\n"
		   "  benchmarks  the benchmarks that were built\n"
		   "  stats       every statistic of the machine: name, unit, meaning\n"
		   "\n"
		   "Without an operand, lists policies, configurations and benchmarks. 'lockstep config doc' "
		   "explains the parameters.\n",
	.options = list_option_table,
	.size = sizeof(struct list_options),
	.most = 1,
	.run = run,
};
