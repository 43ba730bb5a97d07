/* memsys/l2/set_aside.c -- what an L2 slice does with lines that persist: see set_aside.h. */
#include "memsys/l2/l2_internal.h"
#include "memsys/replace/replace.h"

void l2_follow(struct l2_slice *s, const struct set_aside *aside)
{
	bug_if(!s->config.sets_aside, "l2[%u] has nothing to set aside", s->number);
	s->aside = aside;
}

void l2_reset_persisting(struct l2_slice *s)
{
	for (uint32_t i = 0; s->tags.persisting && i < s->config.sets * s->config.ways; i++)
		tags_set_persists(&s->tags, i, false);
}

/* Whether the set of key has all the persisting lines that it may have. */
static bool is_full_of_them(const struct l2_slice *s, addr key)
{
	return tags_persisting_in(&s->tags, key) >= s->aside->ways;
}

uint32_t l2_victim_aside(struct l2_slice *s, addr key)
{
	bool among_them = s->property == ACCESS_PERSISTING && s->aside->ways && is_full_of_them(s, key);
	struct tags *t = &s->tags;
	uint32_t victim;

	tags_hide(t, key, !among_them);
	victim = among_them ? t->replace->class->victim(t, tags_set(t, key)) : l2_choose(s, key);
	tags_show(t, key, !among_them);
	return victim;
}

static void persist(struct l2_slice *s, uint32_t line)
{
	bool persists = s->tags.persists[line];

	s->persisting.accesses++;
	s->persisting.hits += persists;
	if (persists || is_full_of_them(s, s->tags.key[line]))
		return;
	tags_set_persists(&s->tags, line, true);
	s->persisting.lines++;
}

bool l2_used_aside(struct l2_slice *s, uint32_t line)
{
	switch (s->property) {
	case ACCESS_PERSISTING:
		persist(s, line);
		return true;
	case ACCESS_NORMAL:
		tags_set_persists(&s->tags, line, false);
		return true;
	case ACCESS_STREAMING:
		s->persisting.streaming++;
		return false;
	default:
		return true;
	}
}

const struct sim_stat l2_persisting_stat_table[] = {
	SIM_COUNT(struct l2_persisting_stats, accesses, "requests",
		"requests that an access policy window declares persisting"),
	SIM_COUNT(struct l2_persisting_stats, hits, "requests",
		"requests to persisting windows that found their line in the set-aside of the L2"),
	SIM_COUNT(struct l2_persisting_stats, lines, "lines", "lines that entered the set-aside of the L2"),
	SIM_COUNT(struct l2_persisting_stats, replaced, "lines",
		"persisting lines that were evicted since the set-aside of the L2 was full"),
	SIM_COUNT(struct l2_persisting_stats, streaming, "requests",
		"requests that an access policy window declares streaming"),
	SIM_STAT_END,
};
