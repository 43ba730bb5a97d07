/* memsys/index/index.c -- the policy interface of set-index functions, and their objects. */
#include "memsys/index/index.h"
#include <stdio.h>

#define POLICY_INTERFACE index
#define POLICY_LIST      "memsys/index/index.def"
#include "sim/policy/table.h"

_Static_assert(
	INDEX_LINEAR == (int)index_at_linear && INDEX_FERMI == (int)index_at_fermi, "index.h, index.def");

const struct policy_interface index_interface = {
	.title = "set-index functions",
	.keys = "index of sm.l1d, sm.texture, sm.constant, sm.instruction, l2",
	POLICY_TABLES(index),
	.size = sizeof(struct index),
};

/* Parameters that do not go with the sets; sets that the function does not serve at all are
 * tags_config_check's affair. */
static void check_index(const struct index *index, uint32_t sets, struct config *config, const char *section,
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

struct index *index_read(
	struct config *config, const char *path, uint32_t chosen, uint32_t sets, struct diag_list *diags)
{
	struct index *index = policy_read_chosen(&index_interface, config, path, chosen, diags);
	char section[256];

	snprintf(section, sizeof(section), "%s.%s", path, index->class->name);
	check_index(index, sets, config, section, diags);
	return index;
}

struct index *index_new(uint32_t chosen, const struct index *prototype, uint32_t sets)
{
	struct index *index = policy_new_chosen(&index_interface, chosen, prototype);

	bug_if(!index->class->fits(sets), "index %s of %u sets", index->class->name, sets);
	index->sets = sets;
	index->bits = 31 - (uint32_t)__builtin_clz(sets);
	policy_start(&index_interface, index, NULL, "", 0);
	return index;
}
