/* sim/policy/plugin.c -- policies from shared objects. */
#include "sim/policy/plugin.h"
#include <dlfcn.h>

/* A plug-in calls functions of this library, which a program may have loaded for itself alone. */
static void make_library_global(void)
{
	Dl_info here;

	if (dladdr((const void *)&plugin_load, &here) && here.dli_fname)
		(void)dlopen(here.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

static const struct policy_interface *interface_named(
	const char *name, const struct policy_interface *const *interfaces)
{
	for (; *interfaces; interfaces++)
		if (strcmp((*interfaces)->name, name) == 0)
			return *interfaces;
	return NULL;
}

/* The number of its policies; built-in ones first. */
static uint32_t policies_of(const struct policy_interface *interface)
{
	uint32_t count = 0;

	while (interface->classes[count])
		count++;
	return count;
}

static bool is_loaded(const struct policy_interface *interface, const struct policy_class *class)
{
	for (uint32_t i = 0; interface->classes[i]; i++)
		if (interface->classes[i] == class)
			return true;
	return false;
}

/* Why the policy cannot be added; NULL: nothing is in the way. */
static const char *obstacle(const struct policy_interface *interface, const struct plugin_policy *p)
{
	if (!interface)
		return "there is no such interface";
	if (p->size != interface->class_size || p->class->size < interface->size)
		return "it was compiled with other headers than this Lockstep";
	for (uint32_t i = 0; interface->names[i]; i++)
		if (strcmp(interface->names[i], p->class->name) == 0)
			return "there is a policy of this name already";
	return policies_of(interface) == interface->places ? "the interface has no place left" : NULL;
}

static bool add_policy(const char *path, const struct plugin_policy *p,
	const struct policy_interface *const *interfaces, const struct diag_location *location,
	struct diag_list *diags)
{
	const struct policy_interface *interface = interface_named(p->interface, interfaces);
	const char *why = obstacle(interface, p);
	uint32_t count;

	if (why) {
		diag_error(diags, location, "plug-in %s: policy %s of %s: %s", path, p->class->name,
			p->interface, why);
		return false;
	}
	count = policies_of(interface);
	interface->names[count] = p->class->name;
	interface->classes[count] = p->class;
	return true;
}

/* The plug-in's list of policies; NULL, with a diagnostic. */
static const struct plugin *open_plugin(
	const char *path, const struct diag_location *location, struct diag_list *diags)
{
	const struct plugin *plugin;
	void *object;

	make_library_global();
	object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!object) {
		diag_error(diags, location, "plug-in %s", dlerror());
		return NULL;
	}
	plugin = dlsym(object, "lockstep_plugin");
	if (!plugin)
		diag_error(diags, location, "plug-in %s: it does not end with LOCKSTEP_PLUGIN(...)", path);
	else if (plugin->version != LOCKSTEP_PLUGIN_VERSION)
		diag_error(diags, location,
			"plug-in %s: it was compiled for version %u of the interface, and this Lockstep has "
			"version %u: "
			"compile it again with its headers",
			path, plugin->version, LOCKSTEP_PLUGIN_VERSION);
	else
		return plugin;
	dlclose(object);
	return NULL;
}

bool plugin_load(const char *path, const struct policy_interface *const *interfaces,
	const struct diag_location *location, struct diag_list *diags)
{
	const struct plugin *plugin = open_plugin(path, location, diags);
	bool fine = plugin;

	for (uint32_t i = 0; fine && i < plugin->count; i++) {
		const struct plugin_policy *p = &plugin->policies[i];
		const struct policy_interface *interface = interface_named(p->interface, interfaces);

		if (!interface || !is_loaded(interface, p->class))
			fine = add_policy(path, p, interfaces, location, diags);
	}
	return fine;
}
