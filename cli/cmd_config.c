/* cli/cmd_config.c -- lockstep config: the machine's parameters, resolved, explained or checked. */
#include "cli/command.h"
#include "cli/machine.h"
#include "core/address_map.h"
#include "sim/xalloc.h"
#include <inttypes.h>

struct config_options {
	struct machine_options machine;
};

static const struct option config_option_table[] = {
	MACHINE_OPTIONS(struct config_options, machine.), OPTION_END
};

/* What is done with a configuration that was read without errors. */
static int with_machine(const struct machine_options *options, void (*print)(const struct config *, FILE *))
{
	struct machine_config machine;
	struct diag_list diags;
	struct config *config;

	diag_init(&diags);
	config = machine_configure(options, &machine, &diags);
	if (!config)
		return failed(&diags);
	failed(&diags);                 /* warnings */
	if (print)
		print(config, stdout);
	machine_config_fini(&machine);
	config_free(config);
	return STATUS_FINE;
}

static int check_files(const struct config_options *o, char **files, size_t count)
{
	struct machine_options options = o->machine;
	int status = STATUS_FINE;

	for (size_t i = 0; i < count; i++) {
		options.configs = (struct option_list){ (const char **)&files[i], 1 };
		if (with_machine(&options, NULL) == STATUS_FINE)
			printf("%s: accepted\n", files[i]);
		else
			status = STATUS_FAILED;
	}
	return status;
}

static int map_addresses(const struct command *self, const struct config_options *o, char **addresses, size_t count)
{
	struct machine_config machine;
	struct diag_list diags;
	struct config *config;
	int status = STATUS_FINE;

	diag_init(&diags);
	config = machine_configure(&o->machine, &machine, &diags);
	if (!config)
		return failed(&diags);
	failed(&diags);                 /* warnings */
	printf("dram.mapping %s, %u partitions, %u bytes in one partition\n", machine.dram.mapping, machine.gpu.partitions,
		address_map_partitions(&machine).interleave);
	for (size_t i = 0; i < count && status == STATUS_FINE; i++) {
		struct address_place p;
		uint64_t address;

		if (!parse_count(addresses[i], UINT64_MAX, &address)) {
			status = usage_error(self, "%s: expected an address, as in 4096, 0x1000 or 4K", addresses[i]);
			break;
		}
		p = address_map_place(&machine, address);
		printf("0x%" PRIx64 ": partition %u, local address 0x%" PRIx64 ", row %" PRIu64 ", bank %u (group %u), column %u\n", address,
			p.partition, p.local, p.dram.row, p.dram.bank, p.group, p.dram.column);
	}
	machine_config_fini(&machine);
	config_free(config);
	return status;
}

static int run(const struct command *self, const void *object, char **operands, size_t count)
{
	static const char *const actions[] = { "show", "doc", "check", "map" };
	const struct config_options *o = object;
	const char *action = operands[0], *nearest;

	if (strcmp(action, "check") == 0 && o->machine.configs.count)
		return usage_error(self, "check takes its files without -c");
	if (strcmp(action, "check") == 0)
		return count > 1 ? check_files(o, operands + 1, count - 1) : usage_error(self, "check which files?");
	if (strcmp(action, "map") == 0)
		return count > 1 ? map_addresses(self, o, operands + 1, count - 1) : usage_error(self, "map which addresses?");
	if (strcmp(action, "show") == 0 && count == 1)
		return with_machine(&o->machine, config_print_resolved);
	if (strcmp(action, "doc") == 0 && count == 1)
		return with_machine(&o->machine, config_print_doc);
	if (strcmp(action, "show") == 0 || strcmp(action, "doc") == 0)
		return usage_error(self, "%s takes no operand; a configuration is given with -c FILE", action);
	nearest = diag_nearest(action, actions, sizeof(actions) / sizeof(*actions));
	return usage_error(self, "unknown action %s%s%s%s; expected show, doc, check or map", action, nearest ? " (did you mean " : "",
		nearest ? nearest : "", nearest ? "?)" : "");
}

const struct command command_config = {
	.name = "config", .operands = "show | doc | check FILE... | map ADDRESS...", .summary = "show, explain or check the configuration of the machine",
	.details =
		"  show    every parameter with its value and where that came from, as YAML that can be loaded again\n"
		"  doc     the manual of all parameters: default, range, unit, meaning\n"
		"  check   say whether configuration files are accepted\n"
		"  map     say where device addresses lie: partition, row, bank, column\n\n"
		"  lockstep config show -c gtx480 --set sm.l1d.ways=8 > mine.yaml\n",
	.options = config_option_table, .size = sizeof(struct config_options), .least = 1, .run = run,
};
