/* host/trace/trace_sample.c -- a CTA's number alone decides: the order of execution does not matter. */
#include "host/trace/trace_sample.h"
#include "sim/base/diag.h"
#include "sim/text/number.h"

/* Behind a number and the character that ends it; NULL: they are not there. */
static const char *take_sample_number(const char *text, uint32_t least, char behind, uint32_t *value)
{
	const char *end;
	uint64_t number;

	if (*text == '+' || number_read(text, &end, &number) != NUMBER_FITS || *end != behind ||
		number < least || number > UINT32_MAX)
		return NULL;
	*value = (uint32_t)number;
	return end + 1;
}

bool trace_sample_parse(const char *text, struct trace_sample *sample, struct diag_list *diags)
{
	const char *rest = take_sample_number(text, 1, ':', &sample->cores);

	rest = rest ? take_sample_number(rest, 1, ':', &sample->modelled) : NULL;
	rest = rest ? take_sample_number(rest, 0, 0, &sample->threads) : NULL;
	if (!rest)
		diag_error(diags, NULL,
			"the sample %.48s: expected CORES:MODELLED:THREADS, as in 15:1:1536; THREADS may be "
			"0",
			text);
	return rest;
}

bool trace_sample_has(const struct trace_sample *s, uint64_t cta, uint32_t threads)
{
	bool is_whole = s->modelled >= s->cores;
	uint64_t turn, limit = s->threads; /* how many CTAs of the core are before this one */

	if (!s->cores)
		return true;
	if (!is_whole && cta % s->cores >= s->modelled)
		return false;
	turn = is_whole ? cta : cta / s->cores;
	if (is_whole)
		limit *= s->cores;
	return !limit || !turn || turn < limit / threads;
}
