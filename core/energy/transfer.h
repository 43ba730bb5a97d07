/* core/energy/transfer.h -- a model of one chip made from that of another. A model file may name its base,
 * and then scales:
 *
 *   base: gv100
 *   scales:
 *     - { name: process, of: "issue int fp l1 l2 noc", value: 0.63, error: 0.06, source: "..." }
 *     - { name: voltage, of: "issue int fp", as: voltage, value: 1.1, error: 0.1, source: "..." }
 *
 * Each multiplies the coefficients of the base that it names, by their names or by their components. What the
 * file has a coefficient of its own for is not scaled: that stands in the place of the base's, whose event,
 * component and column it takes over where it names none. A base may have a base. The error of a scale is
 * common to all that it multiplies, and the interval of an estimate takes it so; the errors of the base's
 * coefficients stay what they are in per cent. */
#ifndef CORE_ENERGY_TRANSFER_H
#define CORE_ENERGY_TRANSFER_H

#include "core/energy/coefficients.h"
#include "sim/config/document.h"

/* m has what its file says of coefficients; with a base it then has all. */
void transfer_read(
	struct coefficients *m, const struct document *document, unsigned depth, struct diag_list *diags);

/* For files that are read for another: depth counts them. coefficients.c has these. */
struct coefficients *coefficients_read_at(const char *path, unsigned depth, struct diag_list *diags);
struct coefficient *coefficients_find(const struct coefficients *model, const char *name);
/* A key's number, which is finite and not negative; 0 if it has none. */
double coefficients_number(const struct document *document, doc_node item, const char *key, bool is_needed,
	struct diag_list *diags);
/* Which of the names (ending with NULL) a key has; false, with a message: none of them. */
bool coefficients_choice(const struct document *document, doc_node item, const char *key,
	const char *const *names, uint8_t *value, struct diag_list *diags);
/* Its text is a word of letters, digits and _, or it is not there. */
void coefficients_words(
	const struct document *document, doc_node item, const char *key, struct diag_list *diags);

#endif
