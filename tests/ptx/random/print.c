/* tests/ptx/random/print.c -- the nodes of a random program as PTX. */
#include "random.h"
#include <string.h>

static void print_operand(FILE *out, const struct operand *o)
{
	if (o->is_constant)
		fprintf(out, "%u", o->constant);
	else
		fprintf(out, "%%%c%u", kinds[o->kind].letter, o->number);
}

static void print_guard(FILE *out, const struct node *n)
{
	if (n->guarded)
		fprintf(out, "@%s%%p%u ", n->guard_negated ? "!" : "", n->guard);
}

/* Whole instructions: $d, $a ... stand for operands, $@ for the guard. */
static void print_template(FILE *out, const struct node *n, const char *text)
{
	static const char letters[] = "abce";

	for (; *text; text++) {
		if (*text != '$')
			fputc(*text, out);
		else if (*++text == '@')
			print_guard(out, n);
		else if (*text == 'd')
			print_operand(out, &n->to);
		else
			print_operand(out, &n->from[strchr(letters, *text) - letters]);
	}
	fputc('\n', out);
}

static void print_form(FILE *out, const struct node *n)
{
	const char *table = strchr(n->form->text, ' '); /* lop3: the look-up table comes last */

	if (strchr(n->form->text, '$')) {
		print_template(out, n, n->form->text);
		return;
	}
	print_guard(out, n);
	fprintf(out, "%.*s ", table ? (int)(table - n->form->text) : (int)strlen(n->form->text),
		n->form->text);
	print_operand(out, &n->to);
	for (size_t i = 0; n->form->kinds[i + 1]; i++) {
		fputs(", ", out);
		print_operand(out, &n->from[i]);
	}
	fprintf(out, "%s%s;\n", table ? "," : "", table ? table : "");
}

const char *const space_name[SPACES] = { ".local", ".shared", ".global", "" };
const char *const place_of_space[SPACES] = { "%mine_local", "%mine_shared", "%mine_global", "%mine_generic" };

/* A register, or as many as a vector has. */
static void print_data(FILE *out, const struct node *n)
{
	fputs(n->vector > 1 ? "{" : "", out);
	for (unsigned i = 0; i < n->vector; i++)
		fprintf(out, "%s%%%c%u", i ? ", " : "", kinds[n->to.kind].letter, (n->to.number + i) % POOL);
	fputs(n->vector > 1 ? "}" : "", out);
}

static void print_access(FILE *out, const struct node *n)
{
	char letter = kinds[n->to.kind].letter, vector[8] = "";

	letter = letter == 'f' || letter == 'g' ? 'f'
		: n->type == NODE_STORE         ? 'b'
		: n->is_signed                  ? 's'
						: 'u';
	if (n->vector > 1)
		snprintf(vector, sizeof(vector), ".v%u", n->vector);
	print_guard(out, n);
	fprintf(out, "%s%s%s.%c%u ", n->type == NODE_LOAD ? "ld" : "st", space_name[n->space], vector, letter,
		8u * n->bytes);
	if (n->type == NODE_LOAD) {
		print_data(out, n);
		fprintf(out, ", [%s+%u];\n", place_of_space[n->space], n->offset);
	} else {
		fprintf(out, "[%s+%u], ", place_of_space[n->space], n->offset);
		print_data(out, n);
		fputs(";\n", out);
	}
}

static void print_atomic(FILE *out, const struct node *n)
{
	static const char *const names[ATOMS] = { "add.u", "min", "max", "and.b", "or.b", "xor.b", "exch.b",
		"inc.u", "dec.u", "cas.b" };
	bool is_order = n->atom == ATOM_MIN || n->atom == ATOM_MAX;

	print_guard(out, n);
	fprintf(out, "%s%s.%s%s%u ", n->is_reduction ? "red" : "atom", space_name[n->space], names[n->atom],
		!is_order              ? ""
			: n->is_signed ? ".s"
				       : ".u",
		8u * n->bytes);
	if (!n->is_reduction) {
		print_operand(out, &n->to);
		fputs(", ", out);
	}
	fprintf(out, "[%s+%u], ", place_of_space[n->space], n->offset);
	print_operand(out, &n->from[0]);
	if (n->atom == ATOM_CAS) {
		fputs(", ", out);
		print_operand(out, &n->from[1]);
	}
	fputs(";\n", out);
}

static void print_switch(FILE *out, const struct node *n)
{
	fprintf(out, "and.b32 %%word, %%r%u, %u;\n$table_%u: .branchtargets ", n->from[0].number,
		n->cases - 1, n->label);
	for (uint32_t i = 0; i < n->cases; i++)
		fprintf(out, "%s$case_%u_%u", i ? ", " : "", n->label, i);
	fprintf(out, ";\nbrx.idx %%word, $table_%u;\n", n->label);
}

static void print_case(FILE *out, const struct node *n)
{
	if (n->number && !n->falls_through)
		fprintf(out, "bra $end_%u;\n", n->label);
	fprintf(out, "$case_%u_%u:\n", n->label, n->number);
}

/* Within a function: one call less deep, or none. */
static void print_depth(FILE *out, const struct node *n, bool in_function)
{
	if (n->guarded)
		fprintf(out, "@%s%%p%u bra $after_%u;\n", n->guard_negated ? "" : "!", n->guard, n->label);
	if (in_function)
		fprintf(out, "setp.eq.u32 %%q, %%depth, 0;\n@%%q bra $after_%u;\nsub.u32 %%lo, %%depth, 1;\n",
			n->label);
	else
		fprintf(out, "mov.u32 %%lo, %u;\n", n->trips);
}

static void print_call(FILE *out, const struct node *n, bool in_function)
{
	bool is_indirect = n->other != n->another;

	print_depth(out, n, in_function);
	if (is_indirect)
		fprintf(out,
			"mov.u64 %%wide, function_%u;\nmov.u64 %%word64, function_%u;\nselp.b64 %%wide, "
			"%%wide, %%word64, %%p%u;\n"
			"$type_%u: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b64 _, .param "
			".b32 _);\n",
			n->other, n->another, n->from[2].number, n->label);
	fprintf(out,
		"{\n.param .b32 to_x;\n.param .b64 to_y;\n.param .b32 to_depth;\n.param .b32 "
		"back;\nst.param.b32 [to_x], %%r%u;\n"
		"st.param.b64 [to_y], %%d%u;\nst.param.b32 [to_depth], %%lo;\n",
		n->from[0].number, n->from[1].number);
	if (is_indirect)
		fprintf(out, "call (back), %%wide, (to_x, to_y, to_depth), $type_%u;\n", n->label);
	else
		fprintf(out, "call (back), function_%u, (to_x, to_y, to_depth);\n", n->other);
	fprintf(out, "ld.param.b32 %%r%u, [back];\n}\n$after_%u:\n", n->to.number, n->label);
}

static void print_return(FILE *out)
{
	fputs("xor.b32 %word, %r0, %r1;\ncvt.u32.u64 %lo, %d2;\nadd.u32 %word, %word, %lo;\nst.param.b32 "
	      "[result], "
	      "%word;\n",
		out);
}

static void print_exit(FILE *out, const struct node *n, bool in_function)
{
	if (in_function && !n->number)
		print_return(out);
	fprintf(out, "@%s%%p%u %s;\n", n->guard_negated ? "!" : "", n->guard,
		in_function && n->number ? "exit" : "ret");
}

static void print_end(FILE *out, const struct node *n)
{
	if (program.nodes[n->other].type == NODE_LOOP)
		fprintf(out,
			"$next_%u:\nsub.u32 %%count%u, %%count%u, 1;\nsetp.ne.u32 %%again, %%count%u, "
			"0;\n@%%again bra $top_%u;\n",
			n->label, n->label, n->label, n->label, n->label);
	fprintf(out, "$end_%u:\n", n->label);
}

void print_node(FILE *out, const struct node *n, bool in_function)
{
	const char *inverse = n->guard_negated ? "" : "!", *straight = n->guard_negated ? "!" : "";

	switch ((enum node_type)n->type) {
	case NODE_FORM:
		print_form(out, n);
		break;
	case NODE_WARP:
		print_template(out, n, n->warp->text);
		break;
	case NODE_LOAD:
	case NODE_STORE:
		print_access(out, n);
		break;
	case NODE_ATOMIC:
		print_atomic(out, n);
		break;
	case NODE_IF:
		fprintf(out, "@%s%%p%u bra %s_%u;\n", inverse, n->guard,
			program.nodes[n->other].type == NODE_ELSE ? "$else" : "$end", n->label);
		break;
	case NODE_ELSE:
		fprintf(out, "bra $end_%u;\n$else_%u:\n", n->label, n->label);
		break;
	case NODE_LOOP:
		fprintf(out, "mov.u32 %%count%u, %u;\n$top_%u:\n", n->label, n->trips, n->label);
		break;
	case NODE_BREAK:
	case NODE_CONTINUE:
		fprintf(out, "@%s%%p%u bra $%s_%u;\n", straight, n->guard,
			n->type == NODE_BREAK ? "end" : "next", n->label);
		break;
	case NODE_SWITCH:
		print_switch(out, n);
		break;
	case NODE_CASE:
		print_case(out, n);
		break;
	case NODE_END:
		print_end(out, n);
		break;
	case NODE_EXIT:
		print_exit(out, n, in_function);
		break;
	case NODE_CALL:
		print_call(out, n, in_function);
		break;
	case NODE_RETURN:
		print_return(out);
		break;
	}
}
