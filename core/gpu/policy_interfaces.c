/* core/gpu/policy_interfaces.c -- the list of policy interfaces; the section `plugins` of a configuration. */
#include "core/gpu/policy_interfaces.h"
#include "core/dispatch/dispatch.h"
#include "core/limiter/limiter.h"
#include "core/sched/sched.h"
#include "dram/sched/sched.h"
#include "interconnect/network.h"
#include "memsys/bypass/bypass.h"
#include "memsys/coalescer/coalescer.h"
#include "memsys/index/index.h"
#include "memsys/insertion/insertion.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/observe/observer_policy.h"
#include "memsys/replace/replace.h"
#include "memsys/request_buffer/request_buffer.h"
#include "memsys/warp_type/classifier.h"
#include "sim/policy/plugin.h"
#include <string.h>

const struct policy_interface *const policy_interfaces[] = {
	&dispatch_interface,
	&sched_interface,
	&limiter_interface,
	&coalescer_interface,
	&request_buffer_interface,
	&bypass_interface,
	&index_interface,
	&replace_interface,
	&classifier_interface,
	&l2_bypass_interface,
	&insertion_interface,
	&network_interface,
	&dram_sched_interface,
	&observer_interface,
	NULL,
};

struct plugins_config {
	const char *files;
};

static const struct sim_param plugins_params[] = {
	SIM_STRING(struct plugins_config, files, "none",
		"files of plug-ins with policies (docs/user/policies.md), separated by commas; a "
		"relative path is relative to the YAML file that names it, and else to the working "
		"directory; none: no plug-in"),
	SIM_END,
};

/* Relative to the configuration file that names it, else to the working directory. With a slash in it, so
 * that the dynamic linker does not look for it elsewhere. */
static char *path_from(const char *file, const char *name, size_t length)
{
	const char *slash = file && *name != '/' ? strrchr(file, '/') : NULL;
	char *path;

	if (asprintf(&path, "%.*s%s%.*s", slash ? (int)(slash - file + 1) : 0, slash ? file : "",
		    slash || memchr(name, '/', length) ? "" : "./", (int)length, name) < 0)
		bug("out of memory");
	return path;
}

char *plugins_read(struct config *config, struct diag_list *diags)
{
	struct diag_location location;
	struct plugins_config c;
	char *paths = xstrdup("");

	config_read(config, "plugins", plugins_params, &c, diags);
	if (strcmp(c.files, "none") == 0)
		return paths;
	location = config_location(config, "plugins", "files");
	for (const char *rest = c.files; *rest;) {
		size_t length = strcspn(rest, ",");
		char *path = path_from(location.line ? location.file : NULL, rest, length), *before = paths;

		plugin_load(path, policy_interfaces, &location, diags);
		if (asprintf(&paths, "%s%s\n", before, path) < 0)
			bug("out of memory");
		free(before);
		free(path);
		rest += length + (rest[length] == ',');
	}
	return paths;
}
