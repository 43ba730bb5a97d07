/* tests/ptx/conformance/suite/emit.c -- the PTX of a form: one entry that loads a tuple's operands, executes,
 * stores the results.
 *
 * Operand k of tuple t lies in the 8-byte word in[k * count + t], result k in out[k * count + t]. */
#include <string.h>
#include "suite.h"

static const char in_names[FORM_INS + 1] = "abcdef", out_names[FORM_OUTS + 1] = "rstuvw";

/* Register and access width of a type: 8-bit values live in 16-bit registers. */
static unsigned register_bits(enum type type)
{
	unsigned bits = type_bits(type);

	return bits == 8 ? 16 : bits;
}

/* Text with each # replaced by the form's number, and a statement a line. */
static void emit_text(FILE *out, const struct form *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '#')
			fprintf(out, "%u", f->number);
		else
			fputc(*text, out);
		if (*text == ';')
			fputs("\n\t", out);
		while (*text == ';' && text[1] == ' ')
			text++;
	}
}

static void emit_register(FILE *out, enum type type, char name)
{
	if (type == PRED)
		fprintf(out, "\t.reg .pred %%%c;\n", name);
	else
		fprintf(out, "\t.reg .b%u %%%c;\n", register_bits(type), name);
}

static void emit_load(FILE *out, enum type type, char name)
{
	if (type == PRED)
		fprintf(out, "\tld.global.b32 %%word, [%%in];\n\tsetp.ne.b32 %%%c, %%word, 0;\n", name);
	else
		fprintf(out, "\tld.global.b%u %%%c, [%%in];\n", register_bits(type), name);
	fputs("\tadd.u64 %in, %in, %step;\n", out);
}

static void emit_store(FILE *out, enum type type, char name)
{
	if (type == PRED)
		fprintf(out, "\tselp.b32 %%word, 1, 0, %%%c;\n\tst.global.b32 [%%out], %%word;\n", name);
	else
		fprintf(out, "\tst.global.b%u [%%out], %%%c;\n", register_bits(type), name);
	fputs("\tadd.u64 %out, %out, %step;\n", out);
}

/* The one instruction that the name spells. */
static void emit_instruction(FILE *out, const struct form *f)
{
	bool is_pair = f->outs == 2 && f->out[0] == PRED && f->out[1] == PRED;

	fprintf(out, "\t%.*s ", (int)strcspn(f->name, " "), f->name);
	for (uint32_t k = 0; k < f->outs; k++)
		fprintf(out, "%s%%%c", k == 0 ? "" : is_pair ? "|" : ", ", out_names[k]);
	for (uint32_t k = 0; k < f->ins; k++)
		fprintf(out, "%s%%%c", k || f->outs ? ", " : "", in_names[k]);
	fputs(";\n", out);
}

void emit_header(FILE *out, const struct form *f)
{
	fprintf(out, ".version %u.%u\n.target %s\n.address_size 64\n", f->version / 10, f->version % 10,
		f->target);
}

static void emit_prologue(FILE *out, const struct form *f)
{
	fputs("\t.reg .b32 %i, %lane, %word;\n\t.reg .b64 %in, %out, %m, %step, %offset;\n", out);
	for (uint32_t k = 0; k < f->ins; k++)
		emit_register(out, f->in[k], in_names[k]);
	for (uint32_t k = 0; k < f->outs; k++)
		emit_register(out, f->out[k], out_names[k]);
	fputs("\tmov.u32 %i, %ctaid.x;\n\tmov.u32 %word, %ntid.x;\n\tmov.u32 %lane, %tid.x;\n"
	      "\tmad.lo.u32 %i, %i, %word, %lane;\n\tand.b32 %lane, %lane, 31;\n"
	      "\tld.param.u64 %in, [in];\n\tld.param.u64 %out, [out];\n\tld.param.u64 %m, [memory];\n"
	      "\tcvta.to.global.u64 %in, %in;\n\tcvta.to.global.u64 %out, %out;\n\tcvta.to.global.u64 %m, "
	      "%m;\n"
	      "\tmul.wide.u32 %offset, %i, 64;\n\tadd.u64 %m, %m, %offset;\n"
	      "\tmul.wide.u32 %offset, %i, 8;\n\tadd.u64 %in, %in, %offset;\n\tadd.u64 %out, %out, %offset;\n"
	      "\tld.param.u32 %word, [count];\n\tmul.wide.u32 %step, %word, 8;\n",
		out);
	for (uint32_t k = 0; k < f->ins; k++)
		emit_load(out, f->in[k], in_names[k]);
}

void emit_form(FILE *out, const struct form *f)
{
	fprintf(out, "\n// %s\n", f->name);
	if (f->prelude)
		emit_text(out, f, f->prelude);
	fprintf(out,
		".visible .entry conform_%u(.param .u64 in, .param .u64 out, .param .u64 memory, .param .u32 "
		"count)\n{\n",
		f->number);
	emit_prologue(out, f);
	if (f->body)
		emit_text(out, f, f->body);
	else
		emit_instruction(out, f);
	fputc('\n', out);
	for (uint32_t k = 0; k < f->outs; k++)
		emit_store(out, f->out[k], out_names[k]);
	fputs("\tret;\n}\n", out);
}
