/* experiment/report/figure/verdict.c -- gains, bounds and words against measured numbers. */
#include "experiment/report/figure/verdict.h"
#include <math.h>

const char *const printed_quantity_names[QUANTITIES] = { "ratio", "change", "value" };
const char *const printed_bound_names[BOUNDS] = { "none", "at_least", "at_most", "up_to" };
const char *const printed_bound_words[BOUNDS] = { "", "at least", "at most", "up to" };
const char *const printed_word_names[WORDS] = { "number", "higher", "lower", "equal", "other" };

static double gain_of(enum printed_quantity quantity, double number)
{
	return quantity == QUANTITY_RATIO ? number - 1 : quantity == QUANTITY_CHANGE ? number / 100 : number;
}

static int sign_of(double number)
{
	return (number > 0) - (number < 0);
}

/* A bound holds for the size of the gain in the printed direction: "by more than 80 %" of a reduction (-80)
 * is met by -85. Where the printed gain is 0, and for absolute values, it holds for the number itself. */
static struct verdict judge_bound(const struct printed *p, double gain, double printed)
{
	bool is_size = p->quantity != QUANTITY_VALUE && printed != 0;
	int sign = is_size ? sign_of(printed) : 1;
	double size = gain * sign, limit = printed * sign, slack = 1e-9 * fabs(limit) + 1e-12;
	bool is_met = p->bound == BOUND_AT_LEAST ? size >= limit - slack : size <= limit + slack;
	bool in_direction = is_size && p->bound != BOUND_AT_MOST && size > 0;

	if (p->bound == BOUND_UP_TO && is_size)
		is_met = is_met && size > 0;
	return (struct verdict){ .text = is_met ? "bound met"
			: in_direction          ? "bound missed, in direction"
						: "bound missed",
		.is_in_direction = is_met || in_direction,
		.is_within = is_met };
}

static struct verdict judge_word(enum printed_word word, double gain)
{
	bool fine = word == WORD_HIGHER ? gain > 0
		: word == WORD_LOWER    ? gain < 0
					: fabs(gain) <= PRINTED_NONE;
	const char *yes = word == WORD_EQUAL ? "equal" : "in direction";
	const char *no = word == WORD_EQUAL ? "not equal" : gain == 0 ? "no change" : "against";

	return (struct verdict){ .text = fine ? yes : no, .is_in_direction = fine, .is_within = fine };
}

static struct verdict judge_number(const struct printed *p, double gain, double printed)
{
	bool within = fabs(gain - printed) <= PRINTED_WITHIN * fabs(printed) * (1 + 1e-9);
	bool in_direction = sign_of(gain) == sign_of(printed);

	if (printed == 0)
		return judge_word(WORD_EQUAL, gain);
	if (p->quantity == QUANTITY_VALUE)
		in_direction = within;
	return (struct verdict){ .text = within         ? "within 25 %"
			: p->quantity == QUANTITY_VALUE ? "not within 25 %"
			: in_direction                  ? "in direction"
			: gain == 0                     ? "no change"
							: "against",
		.is_in_direction = in_direction,
		.is_within = within };
}

struct verdict verdict_of(const struct printed *p, double measured)
{
	double gain = gain_of(p->quantity, measured), printed = gain_of(p->quantity, p->number);
	struct verdict v = { .text = "" };

	if (p->word == WORD_NONE && !p->has_number)
		v.text = "";
	else if (isnan(measured))
		v.text = "not checked";
	else if (p->word != WORD_NONE)
		v = judge_word(p->word, gain);
	else if (p->bound != BOUND_NONE)
		v = judge_bound(p, gain, printed);
	else
		v = judge_number(p, gain, printed);
	v.share = p->has_number && printed != 0 ? gain / printed : NAN;
	return v;
}

void printed_count(struct printed_counts *c, const struct printed *p, double measured)
{
	struct verdict v = verdict_of(p, measured);

	if (p->word != WORD_NONE) {
		c->words++;
		c->words_as_stated += v.is_in_direction;
		c->words_unchecked += isnan(measured) ? 1 : 0;
	} else if (p->has_number) {
		c->numbers++;
		c->in_direction += v.is_in_direction;
		c->within += v.is_within;
		c->unchecked += isnan(measured) ? 1 : 0;
	}
}

void printed_counts_add(struct printed_counts *to, const struct printed_counts *more)
{
	to->numbers += more->numbers;
	to->in_direction += more->in_direction;
	to->within += more->within;
	to->unchecked += more->unchecked;
	to->words += more->words;
	to->words_as_stated += more->words_as_stated;
	to->words_unchecked += more->words_unchecked;
}
