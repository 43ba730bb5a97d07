/* experiment/runs/stats_section.c -- sections of a stats.txt found, and statistics in them by name: an open
 * hash table of positions. */
#include "experiment/runs/stats_file.h"
#include "sim/base/xalloc.h"

static struct stats_section *last_of(const struct stats_file *f, enum stats_kind kind)
{
	for (size_t i = f->section_count; i--;)
		if (f->sections[i].kind == kind)
			return &f->sections[i];
	return NULL;
}

struct stats_section *stats_file_total(const struct stats_file *f)
{
	return last_of(f, STATS_TOTAL);
}

struct stats_section *stats_file_results(const struct stats_file *f)
{
	struct stats_section *total = stats_file_total(f), *estimates = last_of(f, STATS_ESTIMATES);

	return total && estimates ? estimates : total;
}

struct stats_section *stats_file_streams(const struct stats_file *f)
{
	return last_of(f, STATS_STREAMS);
}

struct stats_section *stats_file_kernels(const struct stats_file *f)
{
	return last_of(f, STATS_KERNELS);
}

/* FNV-1a (Fowler, Noll, Vo). */
static uint32_t hash_name(const char *name)
{
	uint32_t h = 2166136261u;

	for (; *name; name++)
		h = (h ^ (unsigned char)*name) * 16777619u;
	return h;
}

/* Where the name is in the table, or would be; slots hold positions from 1. */
static uint32_t *slot_of_name(const struct stats_section *s, const char *name)
{
	size_t at = hash_name(name) & (s->slot_count - 1);

	while (s->slots[at] && strcmp(s->values[s->slots[at] - 1].name, name))
		at = (at + 1) & (s->slot_count - 1);
	return &s->slots[at];
}

bool stats_section_index(const struct stats_file *file, struct stats_section *s, struct diag_list *diags)
{
	if (s->slots)
		return true;
	for (s->slot_count = 16; s->slot_count < 2 * s->count;)
		s->slot_count *= 2;
	s->slots = xcalloc(s->slot_count, sizeof(*s->slots));
	for (size_t i = 0; i < s->count; i++) {
		uint32_t *slot = slot_of_name(s, s->values[i].name);
		struct diag_location location = { .file = file->path, .line = s->line + 1 + (uint32_t)i };

		if (*slot) {
			diag_error(diags, &location, "%s stands twice in this section", s->values[i].name);
			free(s->slots);
			s->slots = NULL;
			return false;
		}
		*slot = (uint32_t)i + 1;
	}
	return true;
}

const struct stats_value *stats_section_find(const struct stats_section *s, const char *name)
{
	uint32_t slot = *slot_of_name(s, name);

	return slot ? &s->values[slot - 1] : NULL;
}

bool stats_is_instance(const char *name)
{
	return name[strcspn(name, ".[")] == '[';
}
