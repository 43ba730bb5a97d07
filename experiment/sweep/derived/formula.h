/* experiment/sweep/derived/formula.h -- formulas over statistics: names taken out, the arithmetic is
 * SQLite's.
 *
 * A name has a dot or :: in it (sm.l1d.misses, sm.issue_slots::barrier, dram.row_requests::2-3), or is that
 * of a value derived before. Within base(...) names are the baseline's; parameter(sm.l1d.ways) is a value of
 * the configuration. The rest is numbers (all real: 1/2 is a half), + - * /, comparisons, parentheses, and
 * the words of formula_words: functions, and SQL's case. Nothing else of SQL gets through to SQLite. */
#ifndef EXPERIMENT_SWEEP_FORMULA_H
#define EXPERIMENT_SWEEP_FORMULA_H

#include "sim/base/diag.h"
#include <sqlite3.h>

struct formula_name {
	char *text;
	bool of_baseline, is_parameter;
};

struct formula {
	struct formula_name *names; /* parameters ?1, ?2 ... of the statement */
	size_t count;
	sqlite3_stmt *statement;
};

extern const char *const formula_words[]; /* NULL-terminated; log() is to the base of 10, ln() of e */

/* derived: names of values that may be used without a dot, NULL-terminated. false, with *message, if it is no
 * formula. */
bool formula_parse(struct formula *formula, sqlite3 *db, const char *text, const char *const *derived,
	char *message, size_t size);
void formula_free(struct formula *formula);

/* Whether a derived value may be called that: letters, digits and _, no digit first, and no word of formulas.
 */
bool formula_can_name(const char *name);

/* values[count]; NAN: missing, and so is the result then, and where it is divided by zero. */
double formula_value(struct formula *formula, const double *values);

#endif
