/* experiment/formula.h -- formulas over statistics: names taken out, the arithmetic is SQLite's.
 *
 * A name has a dot or :: in it (sm.l1d.misses, sm.slots::barrier), or is that of a value derived before. base(NAME) is the baseline's.
 * Everything else is an SQL expression over real numbers: + - * /, parentheses, abs(), min(), max(), sqrt(), log(), case. */
#ifndef EXPERIMENT_FORMULA_H
#define EXPERIMENT_FORMULA_H

#include "sim/diag.h"
#include <sqlite3.h>

struct formula_name {
	char *text;
	bool of_baseline;
};

struct formula {
	struct formula_name *names; /* parameters ?1, ?2 ... of the statement */
	size_t count;
	sqlite3_stmt *statement;
};

/* derived: names of values that may be used without a dot, NULL-terminated. false, with *message, if SQLite refuses it. */
bool formula_parse(struct formula *formula, sqlite3 *db, const char *text, const char *const *derived, char *message, size_t size);
void formula_free(struct formula *formula);

/* values[count]; NAN: missing, and so is the result then. */
double formula_value(struct formula *formula, const double *values);

#endif
