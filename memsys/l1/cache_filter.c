/* memsys/l1/cache_filter.c -- see cache_filter.h. A line that misses is there at once; which of its sectors
 * are is noted beside the tags. */
#include "memsys/l1/cache_filter.h"
#include "memsys/l1/cache_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct cache_filter {
	struct tags tags;
	uint8_t *sectors; /* by line: those that are there */
	bool is_enabled, is_sectored, writes_through;
};

struct cache_filter *cache_filter_new(const struct cache_config *config)
{
	struct cache_filter *f = xcalloc(1, sizeof(*f));
	struct tags_config tags = cache_tags_config(config);

	tags.with_masks = false;
	tags_init(&f->tags, &tags);
	f->sectors = xcalloc((size_t)tags.sets * tags.ways, sizeof(*f->sectors));
	f->is_enabled = config->enabled;
	f->is_sectored = config->sectors > 1;
	f->writes_through = config->write_global == CACHE_WRITE_THROUGH;
	return f;
}

void cache_filter_free(struct cache_filter *f)
{
	if (!f)
		return;
	tags_fini(&f->tags);
	free(f->sectors);
	free(f);
}

uint32_t cache_filter_load(struct cache_filter *f, addr address, uint32_t sectors, bool evict_first)
{
	addr key = tags_key(&f->tags, address);
	uint32_t line, missing;

	if (!f->is_enabled)
		return sectors;
	if (!f->is_sectored)
		sectors = LINE_SECTORS_ALL;
	line = tags_find(&f->tags, key);
	if (line == TAGS_NONE) {
		line = tags_victim(&f->tags, key);
		tags_insert(&f->tags, line, key, evict_first ? TAGS_LRU : TAGS_MRU);
		f->sectors[line] = 0;
	} else if (!evict_first) {
		tags_touch(&f->tags, line);
	}
	missing = sectors & ~(uint32_t)f->sectors[line];
	f->sectors[line] |= (uint8_t)sectors;
	return missing;
}

void cache_filter_store(struct cache_filter *f, addr address, bool is_atomic)
{
	uint32_t line = f->is_enabled ? tags_find(&f->tags, tags_key(&f->tags, address)) : TAGS_NONE;

	if (line == TAGS_NONE)
		return;
	if (f->writes_through && !is_atomic)
		tags_touch(&f->tags, line);
	else
		tags_drop(&f->tags, line);
}

void cache_filter_clear(struct cache_filter *f)
{
	tags_clear(&f->tags);
}
