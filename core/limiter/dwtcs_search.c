/* core/limiter/dwtcs_search.c -- cores sampling: rounds and their winners. */
#include "core/limiter/dwtcs_search.h"

static void begin_round(struct dwtcs_search *s, uint32_t first)
{
	uint32_t left = s->most + 1 - first;

	s->first = first;
	s->count = left < s->sms ? left : s->sms;
}

void dwtcs_search_begin(struct dwtcs_search *s, uint32_t sms, uint32_t most)
{
	*s = (struct dwtcs_search){ .sms = sms, .most = most };
	begin_round(s, 1);
}

uint32_t dwtcs_search_number(const struct dwtcs_search *s, uint32_t sm)
{
	return s->first + sm % s->count;
}

/* A number's result, against the best so far. */
static void compare_with_best(struct dwtcs_search *s, uint32_t number, uint64_t done, uint64_t sms)
{
	if (!sms || (s->best && done * s->sms_done <= s->done * sms))
		return;
	s->best = number;
	s->done = done;
	s->sms_done = sms;
}

bool dwtcs_search_next(struct dwtcs_search *s, const uint64_t *done)
{
	uint32_t last = s->first + s->count - 1;

	for (uint32_t i = 0; i < s->count; i++) {
		uint64_t sum = 0, sms = 0;

		for (uint32_t sm = i; sm < s->sms; sm += s->count) {
			sum += done[sm];
			sms += done[sm] != 0;
		}
		compare_with_best(s, s->first + i, sum, sms);
	}
	if (s->best != last || last == s->most)
		return false;
	begin_round(s, last + 1);
	return true;
}
