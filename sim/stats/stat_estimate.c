/* sim/stats/stat_estimate.c -- counters added up, and replicates of an estimate. */
#include "sim/stats/stat_estimate.h"
#include "sim/base/xalloc.h"
#include "sim/stats/stat_internal.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- parts ---- */

static void make_part_room(struct stat_part *p, size_t count)
{
	if (count <= p->count)
		return;
	p->words = xrealloc(p->words, count * sizeof(*p->words));
	for (; p->count < count; p->count++)
		p->words[p->count] = 0;
}

/* A counter that was registered later has been zero before. */
void stat_part_add(
	struct stat_part *p, const struct stat_vector *from, const struct stat_vector *to, double size)
{
	make_part_room(p, to->count);
	for (size_t i = 0; i < to->count; i++)
		p->words[i] += (double)(to->words[i] - (i < from->count ? from->words[i] : 0));
	p->size += size;
}

/* Adds the other one so many times. */
static void add_part(struct stat_part *p, const struct stat_part *more, double times)
{
	make_part_room(p, more->count);
	for (size_t i = 0; i < more->count; i++)
		p->words[i] += times * more->words[i];
	p->size += times * more->size;
}

void stat_part_join(struct stat_part *p, const struct stat_part *more)
{
	add_part(p, more, 1);
}

void stat_part_clear(struct stat_part *p)
{
	for (size_t i = 0; i < p->count; i++)
		p->words[i] = 0;
	p->size = 0;
}

void stat_part_free(struct stat_part *p)
{
	free(p->words);
	*p = (struct stat_part){ 0 };
}

void stat_parts_add(struct stat_parts *p, const struct stat_part *part, double weight, uint32_t number)
{
	if (part->size <= 0)
		return;
	add_part(&p->group[number % STAT_REPLICATES], part, weight);
	p->measured += part->size;
}

void stat_parts_free(struct stat_parts *p)
{
	for (int i = 0; i < STAT_REPLICATES; i++)
		stat_part_free(&p->group[i]);
}

/* ---- estimates ---- */

/* All groups have but one part: without it, nothing is known, and the replicate is as all are. */
static void add_without(
	struct stat_part *to, const struct stat_parts *p, const struct stat_part *sum, int i, double size)
{
	const struct stat_part *left_out = &p->group[i];
	double rest = sum->size - left_out->size;

	if (left_out->size <= 0 || rest <= 0) {
		add_part(to, sum, size / sum->size);
		return;
	}
	add_part(to, sum, size / rest);
	add_part(to, left_out, -size / rest);
}

void stat_estimate_add(struct stat_estimate *e, const struct stat_parts *p, double size)
{
	struct stat_part sum = { 0 };

	for (int i = 0; i < STAT_REPLICATES; i++)
		add_part(&sum, &p->group[i], 1);
	if (sum.size > 0) {
		add_part(&e->all, &sum, size / sum.size);
		for (int i = 0; i < STAT_REPLICATES; i++) {
			add_without(&e->without[i], p, &sum, i, size);
			e->used |= p->group[i].size > 0 ? 1u << i : 0;
		}
	}
	stat_part_free(&sum);
}

void stat_estimate_add_times(
	struct stat_estimate *e, const struct stat_part *part, const struct stat_weights *times, uint32_t own)
{
	add_part(&e->all, part, times->all);
	for (int i = 0; i < STAT_REPLICATES; i++)
		add_part(&e->without[i], part, times->without[i]);
	e->used |= 1u << own % STAT_REPLICATES;
}

void stat_estimate_take_off(struct stat_estimate *e, const struct stat_part *part)
{
	add_part(&e->all, part, -1);
	for (int i = 0; i < STAT_REPLICATES; i++)
		add_part(&e->without[i], part, -1);
}

void stat_estimate_join(struct stat_estimate *e, const struct stat_estimate *more)
{
	add_part(&e->all, &more->all, 1);
	for (int i = 0; i < STAT_REPLICATES; i++)
		add_part(&e->without[i], &more->without[i], 1);
	add_part(&e->known, &more->known, 1);
	e->used |= more->used;
}

/* The place of a count among the words; the number of all words: there is none of that name. */
static size_t word_place(const struct stat_tree *tree, const char *name)
{
	size_t at = 0;

	for (const struct stat_group *g = tree->groups; g; g = g->next) {
		size_t length = strlen(g->path);
		const size_t *words = g->words_of;

		for (const struct sim_stat *s = g->table; s->type != SIM_STAT_END_TYPE; s++) {
			if (s->type == SIM_STAT_COUNT && !strncmp(name, g->path, length) &&
				name[length] == '.' && !strcmp(name + length + 1, s->name))
				return at;
			at += *words++;
		}
	}
	return at;
}

void stat_estimate_set(
	struct stat_estimate *e, const struct stat_tree *tree, const char *name, double more, bool is_known)
{
	size_t at = word_place(tree, name);
	double by;

	if (at >= e->all.count)
		return;
	by = more - e->all.words[at];
	e->all.words[at] = is_known ? 0 : more;
	for (int i = 0; i < STAT_REPLICATES; i++)
		if (at < e->without[i].count)
			e->without[i].words[at] = is_known ? 0 : e->without[i].words[at] + by;
	make_part_room(&e->known, e->all.count);
	e->known.words[at] = is_known ? more : 0;
}

void stat_estimate_free(struct stat_estimate *e)
{
	stat_part_free(&e->all);
	stat_part_free(&e->known);
	for (int i = 0; i < STAT_REPLICATES; i++)
		stat_part_free(&e->without[i]);
}
