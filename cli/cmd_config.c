/* cli/cmd_config.c -- lockstep config: the machine's parameters, resolved, explained or checked. */
#include "cli/command.h"
#include "cli/import/import_gpgpusim.h"
#include "cli/machine.h"
#include "core/chip/address_map.h"
#include "sim/text/number.h"
#include "sim/text/terminal.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

struct config_options {
	struct machine_options machine;
	const char *output;
};

static const struct option config_option_table[] = { MACHINE_OPTIONS(struct config_options, machine.),
	OPTION_TEXT(struct config_options, output, 'o', "output", "FILE",
		"file for the YAML of import (default: standard output)"),
	OPTION_END };

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
	failed(&diags); /* warnings */
	if (print)
		print(config, stdout);
	machine_config_fini(&machine);
	config_free(config);
	return STATUS_FINE;
}

static void print_doc(const struct config *config, FILE *stream)
{
	struct terminal_rows rows;

	terminal_rows_begin(&rows);
	config_print_doc(config, rows.text);
	terminal_rows_end(&rows, stream);
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

static int map_addresses(
	const struct command *self, const struct config_options *o, char **addresses, size_t count)
{
	struct machine_config machine;
	struct diag_list diags;
	struct config *config;
	int status = STATUS_FINE;

	diag_init(&diags);
	config = machine_configure(&o->machine, &machine, &diags);
	if (!config)
		return failed(&diags);
	failed(&diags); /* warnings */
	printf("dram.mapping %s, %u partitions, %u bytes in one partition\n", machine.dram.mapping,
		machine.gpu.partitions, address_map_partitions(&machine.gpu, &machine.dram).interleave);
	for (size_t i = 0; i < count && status == STATUS_FINE; i++) {
		struct address_location p;
		uint64_t address;

		if (!number_parse(addresses[i], 0, UINT64_MAX, &address)) {
			status = usage_error(
				self, "%s: expected an address, as in 4096, 0x1000 or 4K", addresses[i]);
			break;
		}
		p = address_map_location(&machine.gpu, &machine.dram, address);
		printf("0x%" PRIx64 ": partition %u, local address 0x%" PRIx64 ", row %" PRIu64
		       ", bank %u (group %u), column %u\n",
			address, p.partition, p.local, p.dram.row, p.dram.bank, p.group, p.dram.column);
	}
	machine_config_fini(&machine);
	config_free(config);
	return status;
}

/* The file is written when all is known to be well. */
static bool write_config_file(const char *path, const char *text, size_t size, struct diag_list *diags)
{
	FILE *f = whole_file_open(path, "wb", diags);

	if (f)
		fwrite(text, 1, size, f);
	return f && whole_file_close(f);
}

static int import_files(const struct config_options *o, char **files, size_t count)
{
	struct diag_list diags;
	char *text = NULL, *summary = NULL;
	size_t size, summary_size;
	FILE *f = open_memstream(&text, &size), *s = open_memstream(&summary, &summary_size);
	bool fine;

	bug_if(!f || !s, "out of memory");
	diag_init(&diags);
	fine = import_gpgpusim(files, count, f, s, &diags);
	fclose(f);
	fclose(s);
	if (fine && o->output)
		fine = write_config_file(o->output, text, size, &diags);
	else if (fine)
		fputs(text, stdout);
	failed(&diags); /* or warnings */
	if (fine)
		fputs(summary, stderr);
	free(text);
	free(summary);
	return fine ? STATUS_FINE : STATUS_FAILED;
}

static int run_config_command(const struct command *self, const void *object, char **operands, size_t count)
{
	static const char *const actions[] = { "show", "doc", "check", "map", "import" };
	const struct config_options *o = object;
	const char *action = operands[0], *nearest;

	if (strcmp(action, "import") == 0 && (o->machine.configs.count || o->machine.sets.count))
		return usage_error(self, "import takes its files without -c, and no --set");
	if (strcmp(action, "import") == 0)
		return count > 1 ? import_files(o, operands + 1, count - 1)
				 : usage_error(self, "import which files?");
	if (o->output)
		return usage_error(self, "-o belongs to import");
	if (strcmp(action, "check") == 0 && o->machine.configs.count)
		return usage_error(self, "check takes its files without -c");
	if (strcmp(action, "check") == 0)
		return count > 1 ? check_files(o, operands + 1, count - 1)
				 : usage_error(self, "check which files?");
	if (strcmp(action, "map") == 0)
		return count > 1 ? map_addresses(self, o, operands + 1, count - 1)
				 : usage_error(self, "map which addresses?");
	if (strcmp(action, "show") == 0 && count == 1)
		return with_machine(&o->machine, config_print_resolved);
	if (strcmp(action, "doc") == 0 && count == 1)
		return with_machine(&o->machine, print_doc);
	if (strcmp(action, "show") == 0 || strcmp(action, "doc") == 0)
		return usage_error(
			self, "%s takes no operand; a configuration is given with -c FILE", action);
	nearest = diag_nearest(action, actions, sizeof(actions) / sizeof(*actions));
	return usage_error(self, "unknown action %s%s%s%s; expected show, doc, check, map or import", action,
		nearest ? " (did you mean " : "", nearest ? nearest : "", nearest ? "?)" : "");
}

const struct command command_config = {
	.name = "config",
	.operands = "show | doc | check FILE... | map ADDRESS... | import GPGPUSIM.CONFIG [MORE]...",
	.summary = "show, explain, check or import the configuration of the machine",
	.details = "  show    print every parameter with its value and where the value came from, as YAML "
		   "for -c\n"
		   "  doc     print the manual of all parameters: default, range, unit, meaning\n"
		   "  check   say whether configuration files are accepted\n"
		   "  map     print the location of device addresses: partition, row, bank, column\n"
		   "  import  convert GPGPU-Sim's gpgpusim.config (and *.icnt) to YAML, which lists at its "
		   "end what could\n"
		   "          not be converted\n"
		   "\n"
		   "  lockstep config show -c gtx480 --set sm.l1d.ways=8 > mine.yaml\n"
		   "  lockstep config import gpgpusim.config config_fermi_islip.icnt -o mine.yaml\n",
	.options = config_option_table,
	.size = sizeof(struct config_options),
	.least = 1,
	.run = run_config_command,
};
