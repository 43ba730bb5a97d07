/* tests/unit/frontend/parse_rig.h -- one module at a time: read it, and expect it to be accepted or refused.
 */
#ifndef PARSE_RIG_H
#define PARSE_RIG_H

#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag_list diags;
static struct ptx_module *module;

static inline void set_up(void)
{
	diag_init(&diags);
}

static inline void tear_down(void)
{
	ptx_module_free(module);
	module = NULL;
	diag_fini(&diags);
}

#define HEADER ".version 8.7\n.target sm_90\n.address_size 64\n"
#define REGISTERS \
	".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<8>; .reg .f64 " \
	"%g<4>;"

static inline struct ptx_module *parse(const char *text)
{
	tear_down();
	set_up();
	module = ptx_parse(text, strlen(text), "a.ptx", &diags);
	return module;
}

static inline void accept_text(const char *text)
{
	if (!parse(text))
		diag_print(&diags, stderr);
	cr_assert(module, "refused");
}

/* The first function of a module with this behind its header. */
static inline struct ptx_function *accept_module(const char *rest)
{
	char text[9000];

	snprintf(text, sizeof text, HEADER "%s", rest);
	accept_text(text);
	return module->functions;
}

/* An entry with this body; line 5 of its text. */
static inline struct ptx_function *accept_body(const char *body)
{
	char text[8192];

	snprintf(text, sizeof text, ".visible .entry k(.param .u64 out) { %s\n%s\nret; }\n", REGISTERS, body);
	return accept_module(text);
}

static inline void expect_errors(const char *expected)
{
	char *rendered = diag_render(&diags, DIAG_ERROR);

	cr_expect_null(module);
	cr_expect_str_eq(rendered, expected, "got:\n%s\nexpected:\n%s", rendered, expected);
	free(rendered);
}

static inline void refuse_module(const char *rest, const char *expected)
{
	char text[9000];

	snprintf(text, sizeof text, HEADER "%s", rest);
	parse(text);
	expect_errors(expected);
}

static inline void refuse_body(const char *body, const char *expected)
{
	char text[8192];

	snprintf(text, sizeof text, ".visible .entry k(.param .u64 out) { %s\n%s\nret; }\n", REGISTERS, body);
	refuse_module(text, expected);
}

static inline const struct ptx_operand *operand_of(
	const struct ptx_function *f, uint32_t insn, uint32_t operand)
{
	cr_assert_lt(insn, f->insn_count);
	cr_assert_lt(operand, f->insns[insn].operand_count);
	return &f->insns[insn].operands[operand];
}

#endif
