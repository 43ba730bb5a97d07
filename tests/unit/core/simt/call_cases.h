/* tests/unit/core/simt/call_cases.h -- what test_call.c and test_call_recursion.c share. */
#ifndef CALL_CASES_H
#define CALL_CASES_H

#include "tests/unit/core/call_rig.h"

#define HEAD(name) ".func (.param .b32 r) " name " (.param .b32 n)\n"

#define REGISTERS ".reg .pred %p<8>; .reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %rd<8>;\n"

/* `to` = name(from) */
#define CALL(name, to, from) \
	"{ .param .b32 a; .param .b32 b; st.param.b32 [a], " from "; call.uni (b), " name ", (a);\n" \
	"ld.param.b32 " to ", [b]; }\n"

static inline uint32_t twice_and_three(uint32_t t)
{
	return 2 * t + 3;
}

static inline uint32_t sum_to(uint32_t t)
{
	return t * (t + 1) / 2;
}

#endif
