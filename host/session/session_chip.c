/* host/session/session_chip.c -- code for a newer chip than the one that is simulated: it is executed, and a
 * line says so and names configurations of chips for which it is meant. */
#include "host/session/session_internal.h"
#include "sim/config/config.h"
#include "sim/config/config_find.h"
#include "sim/text/terminal.h"

#include <dirent.h>
#include <libgen.h>
#include <stdlib.h>

struct capability {
	uint32_t major, minor;
};

static const struct sim_param capability_params[] = {
	SIM_U32_AS(struct capability, major, "compute_major", 0, 0, 99, "", "as in core/gpu"),
	SIM_U32_AS(struct capability, minor, "compute_minor", 0, 0, 9, "", "as in core/gpu"),
	SIM_END,
};

/* Compute capability of the chip of a configuration, as in sm_75; 0: it does not say. */
static uint32_t sm_of(const char *path)
{
	struct config *config = config_new();
	struct capability c = { 0 };
	struct diag_list diags;

	diag_init(&diags);
	if (config_load(config, path, &diags))
		config_read(config, "gpu", capability_params, &c, &diags);
	diag_fini(&diags);
	config_free(config);
	return 10 * c.major + c.minor;
}

/* A configuration that is no overlay. */
static int is_chip(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return entry->d_name[0] != '+' && length > 5 && !strcmp(entry->d_name + length - 5, ".yaml");
}

/* The names of the configurations that come with Lockstep and are of such a chip. */
static void put_names(FILE *f, const char *folder, uint32_t sm)
{
	struct dirent **entries;
	int count = scandir(folder, &entries, is_chip, alphasort);
	const char *between = "";

	for (int i = 0; i < count; i++) {
		char *path, *name = entries[i]->d_name;

		if (asprintf(&path, "%s/%s", folder, name) < 0)
			bug("out of memory");
		if (sm_of(path) >= sm) {
			fprintf(f, "%s%.*s", between, (int)strlen(name) - 5, name);
			between = ", ";
		}
		free(path);
		free(entries[i]);
	}
	if (count >= 0)
		free(entries);
	if (!*between)
		fputs("none", f);
}

/* A line, and behind it configurations of such chips. */
static void say_with_names(const char *line, uint32_t sm)
{
	char *path = config_find(NULL, SESSION_DEFAULT_CONFIG), *whole;
	size_t size;
	FILE *f = open_memstream(&whole, &size);

	bug_if(!f, "out of memory");
	fprintf(f, "lockstep: %s; configurations for it: ", line);
	if (path)
		put_names(f, dirname(path), sm);
	else
		fputs("none was found", f);
	fclose(f);
	terminal_print_lines(stderr, whole);
	free(whole);
	free(path);
}

void chip_check(struct session *s, uint32_t sm)
{
	uint32_t chip = gpu_lowering(s->gpu)->sm;
	char line[256];

	if (sm <= chip || sm <= s->newest_code)
		return;
	s->newest_code = sm;
	snprintf(line, sizeof line,
		"the program's code is for sm_%u, newer than the chip (%s, sm_%u): its results are right, "
		"its "
		"times are those of no chip",
		sm, gpu_properties(s->gpu)->name, chip);
	if (!s->is_quiet)
		say_with_names(line, sm);
}

void session_say_compiler(struct session *s, const char *library, uint32_t oldest)
{
	uint32_t chip = gpu_lowering(s->gpu)->sm;
	char line[256];

	snprintf(line, sizeof line,
		"the program compiles with %s, which makes code for sm_%u and newer chips, and will refuse "
		"that of "
		"this one (%s, sm_%u)",
		library, oldest, gpu_properties(s->gpu)->name, chip);
	if (chip < oldest)
		say_with_names(line, oldest);
}
