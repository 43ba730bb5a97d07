/* memsys/replace/replace.c -- the table of replacement policies and what all of them share. */
#include "memsys/replace/replace.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define REPLACE(name) extern const struct replace_class replace_##name;
#include "memsys/replace/replace.def"
#undef REPLACE

const struct replace_class *const replace_classes[] = {
#define REPLACE(name) &replace_##name,
#include "memsys/replace/replace.def"
#undef REPLACE
	NULL
};

const char *const replace_names[] = {
#define REPLACE(name) #name,
#include "memsys/replace/replace.def"
#undef REPLACE
	NULL
};

static struct replace *blank(const struct replace_class *class)
{
	struct replace *r = xcalloc(1, class->size);

	r->class = class;
	return r;
}

struct replace *replace_prototype(
	struct config *config, const char *path, uint32_t chosen, struct diag_list *diags)
{
	struct replace *r = blank(replace_classes[chosen]);
	char section[256];

	for (uint32_t i = 0; replace_classes[i]; i++) {
		const struct replace_class *class = replace_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == chosen ? r : NULL, diags);
	}
	return r;
}

void replace_free(struct replace *prototype)
{
	free(prototype);
}

void replace_init(struct tags *t, const struct tags_config *c)
{
	const struct replace_class *class = replace_classes[c->replace];

	bug_if(class->fits && !class->fits(c->ways), "replacement %s of %u ways", class->name, c->ways);
	t->replace = blank(class);
	if (c->replace_prototype) {
		bug_if(c->replace_prototype->class != class, "parameters of another policy than %s",
			class->name);
		memcpy(t->replace, c->replace_prototype, class->size);
	} else {
		config_defaults(class->params, t->replace);
	}
	class->init(t, c);
}

void replace_fini(struct tags *t)
{
	if (t->replace && t->replace->class->fini)
		t->replace->class->fini(t);
	free(t->replace);
	free(t->used);
}
