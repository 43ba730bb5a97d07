/* memsys/tags.c -- the set-associative tag array: look-up, empty lines, masks. Order is the replacement
 * policy's. */
#include "memsys/tags.h"
#include "memsys/replace/replace.h"
#include "sim/base/xalloc.h"
#include <stdio.h>

bool tags_config_check(const struct tags_config *c, char *message, size_t size)
{
	const struct replace_class *replace = replace_class(c->replace);
	const struct index_class *index = index_class(c->index);

	if ((uint64_t)c->sets * c->ways > TAGS_MAX_LINES) {
		snprintf(message, size, "%u sets of %u ways: expected at most %u lines", c->sets, c->ways,
			TAGS_MAX_LINES);
		return false;
	}
	if (!index->fits(c->sets)) {
		snprintf(message, size, "index = %s does not serve %u sets: expected %s", index->name,
			c->sets, index->needs);
		return false;
	}
	if (replace->fits && !replace->fits(c->ways)) {
		snprintf(message, size, "replace = %s does not serve %u ways: expected %s", replace->name,
			c->ways, replace->needs);
		return false;
	}
	return true;
}

static void choose_indexing(struct tags *t, const struct tags_config *c)
{
	t->index = index_new(c->index, c->index_prototype, c->sets);
	t->set_mask = c->sets - 1;
	t->indexing = t->index->class->rule;
	if (t->indexing == INDEX_LOWEST_BITS && c->sets & (c->sets - 1))
		t->indexing = INDEX_CALLED;
}

/* The lists of empty lines, when all are. */
static void list_empty(struct tags *t)
{
	for (uint32_t s = 0, line = 0; s < t->sets; s++, line = s * t->ways) {
		t->free[s] = line;
		for (uint32_t way = 1; way < t->ways_in_use; way++, line++)
			t->chain[line] = line + 1;
		t->chain[line] = TAGS_NONE;
	}
}

static void init_hash(struct tags *t, size_t lines)
{
	size_t buckets = 1;

	while (buckets < lines)
		buckets *= 2;
	t->bucket_mask = (uint32_t)buckets - 1;
	t->bucket = xcalloc_lines(buckets * sizeof(*t->bucket));
	t->chain = xcalloc_lines(lines * sizeof(*t->chain));
	t->free = xcalloc_lines(t->sets * sizeof(*t->free));
	for (size_t i = 0; i < buckets; i++)
		t->bucket[i] = TAGS_NONE;
	list_empty(t);
}

void tags_init(struct tags *t, const struct tags_config *c)
{
	size_t lines = (size_t)c->sets * c->ways;

	bug_if(!c->sets || !c->ways || !c->line_bytes || c->line_bytes & (c->line_bytes - 1),
		"tags of %u sets, %u ways, %u bytes", c->sets, c->ways, c->line_bytes);
	*t = (struct tags){
		.sets = c->sets, .ways = c->ways, .ways_in_use = c->ways, .line_bytes = c->line_bytes
	};
	t->line_shift = (uint32_t)__builtin_ctz(c->line_bytes);
	t->empty = lines;
	t->key = xcalloc_lines(lines * sizeof(*t->key));
	t->pins = xcalloc_lines(lines * sizeof(*t->pins));
	if (c->with_masks) {
		t->valid = xcalloc_lines(lines * sizeof(*t->valid));
		t->dirty = xcalloc_lines(lines * sizeof(*t->dirty));
	}
	if (c->with_persistence)
		t->persists = xcalloc_lines(lines * sizeof(*t->persists));
	for (size_t i = 0; i < lines; i++)
		t->key[i] = TAGS_FREE;
	if (c->ways > TAGS_SCANNED)
		init_hash(t, lines);
	choose_indexing(t, c);
	replace_init(t, c);
}

void tags_fini(struct tags *t)
{
	replace_fini(t);
	policy_free(t->index);
	free(t->key);
	free(t->pins);
	free(t->valid);
	free(t->dirty);
	free(t->persists);
	free(t->bucket);
	free(t->chain);
	free(t->free);
	*t = (struct tags){ 0 };
}

/* ---- many ways: the hash table of lines and the lists of empty ones ---- */

static uint32_t *tag_bucket(const struct tags *t, addr key)
{
	return &t->bucket[(key >> t->line_shift) * UINT64_C(0x9e3779b97f4a7c15) >> 32 & t->bucket_mask];
}

uint32_t tags_find_hashed(const struct tags *t, addr key)
{
	uint32_t line = *tag_bucket(t, key);

	while (line != TAGS_NONE && t->key[line] != key)
		line = t->chain[line];
	return line;
}

static void unhash(struct tags *t, uint32_t line)
{
	uint32_t *link = tag_bucket(t, t->key[line]);

	while (*link != line)
		link = &t->chain[*link];
	*link = t->chain[line];
}

static void hash_tag(struct tags *t, uint32_t line, addr key)
{
	uint32_t *link = tag_bucket(t, key);

	t->chain[line] = *link;
	*link = line;
}

void tags_hash(struct tags *t, uint32_t line)
{
	hash_tag(t, line, t->key[line]);
}

/* The line need not be the first of the list: callers may use any empty line. */
static void unlist(struct tags *t, uint32_t line)
{
	uint32_t *link = &t->free[line / t->ways];

	while (*link != line)
		link = &t->chain[*link];
	*link = t->chain[line];
}

/* ---- insertion and removal ---- */

void tags_touch_policy(struct tags *t, uint32_t line)
{
	t->replace->class->touch(t, line);
}

static uint32_t empty_line(const struct tags *t, uint32_t set)
{
	uint32_t first = set * t->ways;

	if (!t->empty)
		return TAGS_NONE;
	if (t->bucket)
		return t->free[set];
	for (uint32_t i = first; i < first + t->ways_in_use; i++)
		if (t->key[i] == TAGS_FREE)
			return i;
	return TAGS_NONE;
}

uint32_t tags_victim(struct tags *t, addr key)
{
	uint32_t set = tags_set(t, key), line = empty_line(t, set);

	return line != TAGS_NONE ? line : t->replace->class->victim(t, set);
}

static void clear_masks(struct tags *t, uint32_t line)
{
	if (t->persists)
		tags_set_persists(t, line, false);
	if (t->valid)
		t->valid[line] = t->dirty[line] = (struct byte_mask){ { 0 } };
}

static void leave_bucket(struct tags *t, uint32_t line)
{
	if (t->replace->class->remove)
		t->replace->class->remove(t, line);
	if (t->bucket)
		unhash(t, line);
}

static void leave_empty(struct tags *t, uint32_t line)
{
	t->empty--;
	if (t->bucket)
		unlist(t, line);
}

void tags_insert(struct tags *t, uint32_t line, addr key, enum tags_position position)
{
	bug_if(t->pins[line], "a reserved line was taken");
	if (t->key[line] != TAGS_FREE)
		leave_bucket(t, line);
	else
		leave_empty(t, line);
	if (t->bucket)
		hash_tag(t, line, key);
	t->key[line] = key;
	t->replace->class->insert(t, line, position);
	clear_masks(t, line);
}

void tags_drop(struct tags *t, uint32_t line)
{
	if (t->key[line] == TAGS_FREE)
		return;
	bug_if(t->pins[line], "a reserved line was dropped");
	leave_bucket(t, line);
	t->key[line] = TAGS_FREE;
	t->empty++;
	if (t->bucket) {
		t->chain[line] = t->free[line / t->ways];
		t->free[line / t->ways] = line;
	}
	clear_masks(t, line);
}

void tags_clear(struct tags *t)
{
	for (uint32_t i = 0; i < t->sets * t->ways; i++)
		tags_drop(t, i);
}

/* Ways that take no lines have pins, so that no policy chooses them. */
void tags_limit(struct tags *t, uint32_t ways)
{
	bug_if(tags_lines(t), "ways in use change while lines are");
	t->ways_in_use = ways;
	t->empty = (uint64_t)t->sets * ways;
	for (uint32_t i = 0; i < t->sets * t->ways; i++)
		t->pins[i] = i % t->ways >= ways;
	if (t->bucket)
		list_empty(t);
}
