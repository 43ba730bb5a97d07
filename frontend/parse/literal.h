/* frontend/parse/literal.h -- the values of PTX literals. The texts are what the scanner's patterns matched.
 */
#ifndef FRONTEND_PARSE_LITERAL_H
#define FRONTEND_PARSE_LITERAL_H

#include "frontend/module.h"

/* 12, 0x1f, 017, 0b101, each with or without U. False: the number has more than 64 bits, of which the
 * upper ones were dropped. */
bool literal_integer(const char *text, size_t length, struct ptx_value *value);
/* 1.5, .5, 1e-3: as the bits of a double, whatever the locale. */
struct ptx_value literal_decimal(const char *text);
/* 0f3F800000, 0d3FF0000000000000. */
struct ptx_value literal_bits(const char *text, int kind);
/* Describes the error in a number that no pattern matched, or returns NULL. */
const char *literal_fault(const char *text);

#endif
