/* tests/ptx/conformance/control/program.h -- forms that are a small program of one word: control.c, call.c.
 */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "../suite/conform.h"

/* The result is %r, the operand %a. The body has words %x %y %z and predicates %q %o; %b0 to %b4 are bits of
 * the operand. */
static inline struct form *program(
	const char *name, reference_function *reference, const char *prelude, const char *body)
{
	struct form *f = form_add(reference, OUT(B32), IN(B32), "%s", name);

	form_prelude(f, "%s", prelude);
	return form_body(f,
		"{ .reg .b32 %%x, %%y, %%z; .reg .pred %%q, %%o, %%b<5>; "
		"and.b32 %%x, %%a, 1; setp.ne.b32 %%b0, %%x, 0; and.b32 %%x, %%a, 2; setp.ne.b32 %%b1, %%x, "
		"0; "
		"and.b32 %%x, %%a, 4; setp.ne.b32 %%b2, %%x, 0; and.b32 %%x, %%a, 8; setp.ne.b32 %%b3, %%x, "
		"0; "
		"and.b32 %%x, %%a, 16; setp.ne.b32 %%b4, %%x, 0; %s} ",
		body);
}

#endif
