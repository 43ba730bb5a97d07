/* frontend/print/coverage.h -- lists the instruction forms that exist and those that can be executed. The
 * forms are generated from the tables that decode and check them (opcodes.def, groups.c, frontend/check),
 * with templates for what the tables leave open (coverage.def). Every form is parsed, checked and lowered. */
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
