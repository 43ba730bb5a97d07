/* memsys/l2/l2_shadow.c -- the shadow directory. */
#include "memsys/l2/l2_shadow.h"
#include "memsys/l2/l2_internal.h"

void l2_shadow_init(struct l2_shadow *s, const struct l2_config *slice, uint32_t number)
{
	struct tags_config tags = l2_tags_config(slice, number);

	tags.with_masks = false;
	tags_init(&s->tags, &tags);
}

void l2_shadow_fini(struct l2_shadow *s)
{
	tags_fini(&s->tags);
}

bool l2_shadow_access(struct l2_shadow *s, addr local)
{
	addr key = tags_key(&s->tags, local);
	uint32_t line = tags_find(&s->tags, key);

	if (line != TAGS_NONE)
		tags_touch(&s->tags, line);
	else
		tags_take(&s->tags, tags_victim(&s->tags, key), key);
	return line != TAGS_NONE;
}
