/* memsys/l1/cache_filter.c -- see cache_filter.h. A line that misses is there at once; which of its sectors
 * are is noted beside the tags. */
#include "memsys/l1/cache_filter.h"
#include "memsys/l1/cache_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct cache_filter {
	struct tags tags;
	uint8_t *sectors; /* by line: those that are there */
	bool is_enabled, is_sectored;
	uint32_t write_global; /* enum cache_write_global */
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
	f->write_global = config->write_global;
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

/* The line of the key, which a request uses. */
static uint32_t use_line(struct cache_filter *f, addr key, bool evict_first)
{
	uint32_t line = tags_find(&f->tags, key);

	if (line == TAGS_NONE) {
		line = tags_victim(&f->tags, key);
		tags_insert(&f->tags, line, key, evict_first ? TAGS_LRU : TAGS_MRU);
		f->sectors[line] = 0;
	} else if (!evict_first) {
		tags_touch(&f->tags, line);
	}
	return line;
}

uint32_t cache_filter_load(struct cache_filter *f, addr address, uint32_t sectors, bool evict_first)
{
	addr key = tags_key(&f->tags, address);
	uint32_t line, missing;

	if (!f->is_enabled)
		return sectors;
	if (!f->is_sectored)
		sectors = LINE_SECTORS_ALL;
	line = use_line(f, key, evict_first);
	missing = sectors & ~(uint32_t)f->sectors[line];
	f->sectors[line] |= (uint8_t)sectors;
	return missing;
}

void cache_filter_store(struct cache_filter *f, addr address, uint32_t sectors)
{
	addr key = tags_key(&f->tags, address);
	uint32_t line;

	if (!f->is_enabled)
		return;
	if (f->write_global == CACHE_WRITE_ALLOCATE)
		f->sectors[use_line(f, key, false)] |= (uint8_t)sectors;
	else if (f->write_global == CACHE_WRITE_EVICT)
		cache_filter_drop(f, address);
	else if ((line = tags_find(&f->tags, key)) != TAGS_NONE)
		tags_touch(&f->tags, line);
}

void cache_filter_drop(struct cache_filter *f, addr address)
{
	uint32_t line = f->is_enabled ? tags_find(&f->tags, tags_key(&f->tags, address)) : TAGS_NONE;

	if (line != TAGS_NONE)
		tags_drop(&f->tags, line);
}

void cache_filter_clear(struct cache_filter *f)
{
	tags_clear(&f->tags);
}
