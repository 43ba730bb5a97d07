/* sim/text/number.h -- numbers as users write them: one rule for the command line, configurations, sweep
 * files and the environment. Whole numbers are decimal or, behind 0x, hexadecimal; a K, M or G behind them is
 * a power of two. Zeros in front are refused, since some programs take 010 for eight. */
#ifndef SIM_TEXT_NUMBER_H
#define SIM_TEXT_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

enum number_fit { NUMBER_FITS, NUMBER_WRONG_FORM, NUMBER_OUT_OF_RANGE };

/* The whole number at the beginning of text, which may have a sign; *end: behind it. Below 0 or above
 * UINT64_MAX: out of range. */
enum number_fit number_read(const char *text, const char **end, uint64_t *value);

/* Whether text is a whole number of that range without a sign, and nothing else. */
bool number_parse(const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* A number with a decimal point or an exponent, or a whole one; the locale must be C. Out of range: it is
 * infinite. */
enum number_fit number_real(const char *text, double *value);

/* What a message about a text that is refused as a number has at its end: " (010 has zeros in front)", or
 * nothing. Valid until the next call of the thread. */
const char *number_hint(const char *text);

#endif
