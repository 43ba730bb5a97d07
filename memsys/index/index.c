/* memsys/index/index.c -- the table of set-index functions, and their objects. */
#include "memsys/index/index.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define INDEX(name) extern const struct index_class index_##name;
#include "memsys/index/index.def"
#undef INDEX

const struct index_class *const index_classes[] = {
#define INDEX(name) &index_##name,
#include "memsys/index/index.def"
#undef INDEX
	NULL
};

const char *const index_names[] = {
#define INDEX(name) #name,
#include "memsys/index/index.def"
#undef INDEX
	NULL
};

static struct index *blank(const struct index_class *class)
{
	struct index *index = xcalloc(1, class->size);

	index->class = class;
	return index;
}

/* Parameters that do not go with the sets; sets that the function does not serve at all are
 * tags_config_check's affair. */
static void check(const struct index *index, uint32_t sets, struct config *config, const char *section,
	struct diag_list *diags)
{
	const struct index_class *class = index->class;
	struct diag_location place;
	char message[512];
	const char *key;

	if (!class->check || !class->fits(sets) || class->check(index, sets, &key, message, sizeof(message)))
		return;
	place = config_location(config, section, key);
	diag_error(diags, &place, "%s: %s", section, message);
}

struct index *index_prototype(
	struct config *config, const char *path, uint32_t chosen, uint32_t sets, struct diag_list *diags)
{
	struct index *index = blank(index_classes[chosen]);
	char section[256];

	for (uint32_t i = 0; index_classes[i]; i++) {
		const struct index_class *class = index_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == chosen ? index : NULL, diags);
		if (i == chosen)
			check(index, sets, config, section, diags);
	}
	return index;
}

struct index *index_new(uint32_t chosen, const struct index *prototype, uint32_t sets)
{
	const struct index_class *class = index_classes[chosen];
	struct index *index = blank(class);

	bug_if(!class->fits(sets), "index %s of %u sets", class->name, sets);
	if (prototype) {
		bug_if(prototype->class != class, "parameters of another index than %s", class->name);
		memcpy(index, prototype, class->size);
	} else {
		config_defaults(class->params, index);
	}
	index->sets = sets;
	index->bits = 31 - (uint32_t)__builtin_clz(sets);
	if (class->init)
		class->init(index);
	return index;
}

void index_free(struct index *index)
{
	free(index);
}
