/* frontend/print/coverage_parts.h -- internal to coverage*.c. */
#ifndef FRONTEND_PRINT_COVERAGE_PARTS_H
#define FRONTEND_PRINT_COVERAGE_PARTS_H

#include "frontend/check/check.h"

#define LONGEST_LINE 1200u /* 128 accumulators */

struct coverage;

/* A growing line. What does not fit is left out: such a line is too long to be a form. */
struct text {
	char at[LONGEST_LINE];
	size_t length;
};

void append_part(struct text *t, const char *part, size_t length);
void append_name(struct text *t, char letter, unsigned number); /* %r12 */
char class_of(unsigned bits);                                   /* the letter of the registers of that size */

/* coverage.c: adds one candidate, which is tested together with its batch. */
void coverage_add(struct coverage *c, const char *word, const char *operands);
/* coverage_form.c: adds all candidates that the tables give. */
void coverage_forms(struct coverage *c, unsigned opcode);
/* coverage_template.c: adds all candidates that the templates give. Returns whether these are all forms of
 * the opcode. */
bool coverage_templates(struct coverage *c, unsigned opcode);
/* coverage_wgmma.c: those of wgmma.mma_async */
void coverage_products(struct coverage *c);
/* coverage_tcgen05.c: those of tcgen05.mma, ld and st */
void coverage_tensor_memory(struct coverage *c);

#endif
