/* cli/launch/element.h -- values of the PTX types that a kernel argument can have: read from text, made in
 * rows, printed, summed. A value is its bits, in the low bytes of a uint64_t; b32 and its kind read as
 * unsigned. */
#ifndef CLI_LAUNCH_ELEMENT_H
#define CLI_LAUNCH_ELEMENT_H

#include "sim/base/types.h"
#include <stdio.h>

enum element_kind { ELEMENT_UNSIGNED, ELEMENT_SIGNED, ELEMENT_FLOAT };

struct element_type {
	const char *name; /* "u32" */
	enum element_kind kind;
	unsigned bytes;    /* 1, 2, 4, 8 */
	unsigned fraction; /* ELEMENT_FLOAT: bits of the fraction */
};

extern const struct element_type element_types[];
extern const unsigned element_type_count;

/* NULL if name[length] is no type. */
const struct element_type *element_type_named(const char *name, size_t length);

/* false if text is no value of the type; then message[size] says what was expected. */
bool element_parse(
	const struct element_type *type, const char *text, uint64_t *bits, char *message, size_t size);
void element_print(const struct element_type *type, uint64_t bits, FILE *stream);
uint64_t element_get(const struct element_type *type, const void *data, uint64_t index);

void element_fill_constant(const struct element_type *type, void *data, uint64_t count, uint64_t bits);
/* 0, 1, 2 ... (integers wrap). */
void element_fill_iota(const struct element_type *type, void *data, uint64_t count);
/* Mersenne twister MT19937: floats are even in [0, 1), integers take every value of their type. */
void element_fill_random(const struct element_type *type, void *data, uint64_t count, unsigned long seed);

/* Integers: exact, as 128-bit sum; floats: compensated, in double. */
void element_print_sum(const struct element_type *type, const void *data, uint64_t count, FILE *stream);

#endif
