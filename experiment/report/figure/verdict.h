/* experiment/report/figure/verdict.h -- whether a measured number agrees with what a paper prints of it.
 *
 * Numbers are compared by their gains. The gain of a ratio ("1.5 times") is the ratio less 1, that of a
 * change in percent is the change divided by 100. An absolute value (a limit in warps, a miss rate) is
 * compared as it is, and has no direction. docs/user/reports.md defines every word and every count for users.
 */
#ifndef EXPERIMENT_REPORT_FIGURE_VERDICT_H
#define EXPERIMENT_REPORT_FIGURE_VERDICT_H

#include "sim/base/types.h"

enum printed_quantity { QUANTITY_RATIO, QUANTITY_CHANGE, QUANTITY_VALUE, QUANTITIES };
extern const char *const printed_quantity_names[QUANTITIES]; /* "ratio" ... as in sweep files */

/* What a paper prints: a number (BOUND_NONE), a bound of it, or a word. */
enum printed_bound { BOUND_NONE, BOUND_AT_LEAST, BOUND_AT_MOST, BOUND_UP_TO, BOUNDS };
extern const char *const printed_bound_names[BOUNDS]; /* "none", "at_least" ... */
extern const char *const printed_bound_words[BOUNDS]; /* "", "at least" ... for readers */
enum printed_word { WORD_NONE, WORD_HIGHER, WORD_LOWER, WORD_EQUAL, WORD_OTHER, WORDS };
extern const char *const printed_word_names[WORDS]; /* "number", "higher" ...; other: never checked */

/* A gain within this share of the printed gain counts as the same. */
#define PRINTED_WITHIN 0.25
/* Gains up to this count as none, where none is printed: 5 %. */
#define PRINTED_NONE 0.05

struct printed {
	enum printed_quantity quantity;
	enum printed_bound bound;
	enum printed_word word; /* not WORD_NONE: in place of the number */
	bool has_number;
	double number;
};

struct verdict {
	const char *text; /* "within 25 %", "bound met" ...; "" if nothing is printed */
	double share;     /* the measured gain divided by the printed one; NAN: there is none */
	bool is_in_direction, is_within;
};

/* measured: NAN if it is not known ("not checked"). */
struct verdict verdict_of(const struct printed *printed, double measured);

/* How many of the printed numbers and statements agree. */
struct printed_counts {
	size_t numbers, in_direction, within, unchecked;
	size_t words, words_as_stated, words_unchecked;
};
void printed_count(struct printed_counts *counts, const struct printed *printed, double measured);
void printed_counts_add(struct printed_counts *to, const struct printed_counts *more);

#endif
