/* tests/unit/host/trace/test_trace_sample.c -- samples of traces: a CTA's number decides just as it does to
 * count the threads of each core's CTAs one after the other. */
#include "host/trace/trace_sample.h"
#include "sim/base/diag.h"

#include <criterion/criterion.h>
#include <string.h>

#define CTAS 60

/* The rule, CTA after CTA. counted: threads of each core so far */
static bool is_taken(const struct trace_sample *s, uint64_t *counted, uint64_t cta, uint32_t threads)
{
	bool is_whole = s->modelled >= s->cores;
	uint64_t core = is_whole ? 0 : cta % s->cores;
	uint64_t limit = is_whole ? (uint64_t)s->threads * s->cores : s->threads;

	if (!is_whole && core >= s->modelled)
		return false;
	if (limit && counted[core] && counted[core] + threads > limit)
		return false;
	counted[core] += threads;
	return true;
}

Test(trace_sample, counting_gives_the_same)
{
	unsigned taken = 0, left = 0;

	for (uint32_t cores = 1; cores < 6; cores++)
		for (uint32_t modelled = 1; modelled < 8; modelled++)
			for (uint32_t limit = 0; limit < 700; limit += 32)
				for (uint32_t threads = 32; threads < 300; threads += 33) {
					struct trace_sample s = { cores, modelled, limit };
					uint64_t counted[8] = { 0 };

					for (uint64_t cta = 0; cta < CTAS; cta++) {
						bool expected = is_taken(&s, counted, cta, threads);

						cr_assert_eq(trace_sample_has(&s, cta, threads), expected,
							"%u:%u:%u CTA %lu of %u threads", cores, modelled,
							limit, (unsigned long)cta, threads);
						taken += expected;
						left += !expected;
					}
				}
	cr_assert(taken > 1000 && left > 1000);
}

Test(trace_sample, without_one_all_ctas_are_taken)
{
	struct trace_sample none = { 0 };

	cr_assert(trace_sample_has(&none, UINT64_MAX, 1024));
}

Test(trace_sample, large_numbers_do_not_overflow)
{
	struct trace_sample s = { UINT32_MAX, UINT32_MAX, UINT32_MAX };

	cr_assert(trace_sample_has(&s, (UINT64_MAX >> 33) - 1, 2));
	cr_assert_not(trace_sample_has(&s, UINT64_MAX, 1024));
}

static bool reads(const char *text, struct trace_sample *sample)
{
	struct diag_list diags;
	bool fine;

	diag_init(&diags);
	fine = trace_sample_parse(text, sample, &diags);
	cr_assert_eq(!fine, diags.errors, "%s", text);
	diag_fini(&diags);
	return fine;
}

Test(trace_sample, three_numbers_are_read_and_nothing_else)
{
	static const char *const wrong[] = { "", "3", "3:2", "3:2:", ":2:1", "0:1:1", "3:0:1", "3:2:-1",
		"3:2:1x", "3: 2:1", "+3:2:1", "3:2:4294967296", "99999999999999999999:1:1" };
	struct trace_sample s;

	cr_assert(reads("15:2:1536", &s));
	cr_assert(s.cores == 15 && s.modelled == 2 && s.threads == 1536);
	cr_assert(reads("1:1:0", &s) && s.threads == 0);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++)
		cr_assert_not(reads(wrong[i], &s), "%s", wrong[i]);
}
