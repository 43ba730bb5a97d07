/* memsys/replace/replace.c -- the policy interface of replacement. */
#include "memsys/replace/replace.h"
#include <stdlib.h>

#define POLICY_INTERFACE replace
#define POLICY_LIST      "memsys/replace/replace.def"
#include "sim/policy/table.h"

_Static_assert(REPLACE_LRU == (int)replace_at_lru && REPLACE_FIFO == (int)replace_at_fifo &&
		REPLACE_RANDOM == (int)replace_at_random,
	"replace.h, replace.def");

const struct policy_interface replace_interface = {
	.title = "replacement",
	.keys = "replace of sm.l1d, sm.texture, sm.constant, sm.instruction, l2",
	POLICY_TABLES(replace),
	.size = sizeof(struct replace),
};

bool replace_keeps_ages(uint32_t position, uint32_t ways)
{
	return replace_class(position)->keeps_ages && ways <= TAGS_SCANNED;
}

void replace_init(struct tags *t, const struct tags_config *c)
{
	struct replace *r = policy_new_chosen(&replace_interface, c->replace, c->replace_prototype);

	bug_if(r->class->fits && !r->class->fits(c->ways), "replacement %s of %u ways", r->class->name,
		c->ways);
	t->replace = r;
	r->tags = t;
	r->seed = c->seed;
	r->stream = c->stream;
	policy_start(&replace_interface, r, c->stats, c->group, c->number);
}

void replace_fini(struct tags *t)
{
	policy_free(t->replace);
	free(t->used);
}
