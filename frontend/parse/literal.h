/* frontend/parse/literal.h -- the values of PTX literals. The texts are what the scanner's patterns matched.
 */
#ifndef FRONTEND_PARSE_LITERAL_H
#define FRONTEND_PARSE_LITERAL_H

#include "frontend/module.h"

/* 12, 0x1f, 017, 0b101, each with U or without. False: it has more than 64 bits, and the upper ones were cut.
 */
bool literal_integer(const char *text, size_t length, struct ptx_value *value);
/* 1.5, .5, 1e-3: as the bits of a double, whatever the locale. */
struct ptx_value literal_decimal(const char *text);
/* 0f3F800000, 0d3FF0000000000000. */
struct ptx_value literal_bits(const char *text, int kind);
/* What is wrong with a number that no pattern matched, or NULL. */
const char *literal_fault(const char *text);

#endif
