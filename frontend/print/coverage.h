/* frontend/print/coverage.h -- which instruction forms exist, and which of them can be executed: made from
 * the tables that decode and check them (opcodes.def, groups.c, check*.c), with templates for what the tables
 * leave open (coverage.def). Every form goes through the parser, the checks and the lowering. */
#ifndef FRONTEND_PRINT_COVERAGE_H
#define FRONTEND_PRINT_COVERAGE_H

#include <stdbool.h>
#include <stdio.h>

enum coverage_output {
	COVERAGE_TABLE,   /* a line per opcode, and the total */
	COVERAGE_REFUSED, /* each valid form that is not executed, then the total */
	COVERAGE_VALID,   /* each valid form as an instruction with operands, a line each */
};

void ptx_print_coverage(FILE *stream, enum coverage_output output);

#endif
