/* tests/ptx/random/print.c -- random programs as PTX. */
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

static const char *const spaces[] = { ".local", ".shared", ".global", "" };
static const char *const bases[] = { "%mine_local", "%mine_shared", "%mine_global", "%mine_generic" };

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
		 : n->type == NODE_STORE        ? 'b'
		 : n->is_signed                 ? 's'
						: 'u';
	if (n->vector > 1)
		snprintf(vector, sizeof(vector), ".v%u", n->vector);
	print_guard(out, n);
	fprintf(out, "%s%s%s.%c%u ", n->type == NODE_LOAD ? "ld" : "st", spaces[n->space], vector, letter,
		8u * n->bytes);
	if (n->type == NODE_LOAD) {
		print_data(out, n);
		fprintf(out, ", [%s+%u];\n", bases[n->space], n->offset);
	} else {
		fprintf(out, "[%s+%u], ", bases[n->space], n->offset);
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
	fprintf(out, "%s%s.%s%s%u ", n->is_reduction ? "red" : "atom", spaces[n->space], names[n->atom],
		!is_order      ? ""
		: n->is_signed ? ".s"
			       : ".u",
		8u * n->bytes);
	if (!n->is_reduction) {
		print_operand(out, &n->to);
		fputs(", ", out);
	}
	fprintf(out, "[%s+%u], ", bases[n->space], n->offset);
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

static void print_node(FILE *out, const struct node *n, bool in_function)
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

static void print_registers(FILE *out, bool is_load)
{
	for (unsigned k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < POOL; i++) {
			unsigned at = (k * POOL + i) * 8;
			bool is_predicate = kinds[k].letter == 'p';

			if (is_predicate && is_load)
				fprintf(out,
					"ld.global.u32 %%word, [%%in+%u];\nsetp.ne.u32 %%p%u, %%word, 0;\n",
					at, i);
			else if (is_predicate)
				fprintf(out,
					"selp.u32 %%word, 1, 0, %%p%u;\nst.global.u32 [%%out+%u], %%word;\n",
					i, at);
			else if (is_load)
				fprintf(out, "ld.global.%s %%%c%u, [%%in+%u];\n", kinds[k].type,
					kinds[k].letter, i, at);
			else
				fprintf(out, "st.global.%s [%%out+%u], %%%c%u;\n", kinds[k].type, at,
					kinds[k].letter, i);
		}
}

static void print_memory(FILE *out)
{
	for (unsigned s = 0; s < 3; s++)
		for (unsigned i = 0; i < BYTES; i += 8)
			fprintf(out, "ld%s.b64 %%word64, [%s+%u];\nst.global.b64 [%%out+%zu], %%word64;\n",
				spaces[s], bases[s], i, ROW_BYTES + s * BYTES + i);
}

static void declare_registers(FILE *out)
{
	for (unsigned k = 0; k < KINDS; k++)
		fprintf(out, ".reg .%s %%%c<%u>;\n", kinds[k].type, kinds[k].letter, POOL);
	fprintf(out,
		".reg .b32 %%word, %%lo, %%hi, %%depth, %%count<%u>;\n.reg .b64 %%word64, %%wide, "
		"%%mine_local, %%mine_generic;\n.reg "
		".pred %%again, %%q;\n",
		program.label_count + 1);
}

/* A function's registers and local memory begin as these: evaluate.c has the same. */
static void print_beginning(FILE *out)
{
	fprintf(out,
		".local .align 16 .b8 own[%u];\nmov.u64 %%mine_local, own;\ncvta.local.u64 %%mine_generic, "
		"%%mine_local;\n",
		BYTES);
	for (unsigned i = 0; i < BYTES; i += 8)
		fprintf(out, "st.local.b64 [%%mine_local+%u], %u;\n", i, i * 77);
	fputs("ld.param.b32 %word, [x];\nld.param.b64 %wide, [y];\nld.param.b32 %depth, [depth];\n", out);
	for (unsigned i = 0; i < POOL; i++)
		fprintf(out,
			"add.u32 %%r%u, %%word, %u;\nxor.b64 %%d%u, %%wide, %u;\ncvt.u16.u32 %%h%u, %%r%u;\n"
			"cvt.rn.f32.s32 %%f%u, %%r%u;\ncvt.rn.f64.s64 %%g%u, %%d%u;\n"
			"and.b32 %%lo, %%word, %u;\nsetp.ne.u32 %%p%u, %%lo, 0;\n",
			i, i * 0x1e3779b9u, i, i * 0x10001u, i, i, i, i, i, i, 1u << i, i);
}

static void print_function(FILE *out, uint32_t number)
{
	const struct function *f = &program.functions[number];

	fprintf(out,
		".func (.param .b32 result) function_%u(.param .b32 x, .param .b64 y, .param .b32 "
		"depth)\n{\n",
		number);
	declare_registers(out);
	print_beginning(out);
	for (uint32_t i = f->begin; i < f->end; i++)
		print_node(out, &program.nodes[i], true);
	fputs("ret;\n}\n", out);
}

/* The thread's memory in each space, and a generic address whose space differs by lane. */
static void print_places(FILE *out)
{
	fprintf(out,
		"ld.param.u64 %%mine_global, [mine];\nmad.wide.u32 %%mine_global, %%thread, %u, "
		"%%mine_global;\n"
		"mov.u64 %%mine_local, own;\nmov.u64 %%wide, all;\nmad.wide.u32 %%mine_shared, %%thread, %u, "
		"%%wide;\n",
		BYTES, BYTES);
	fputs("mov.u64 %mine_param, numbers;\ncvta.param.u64 %mine_param, %mine_param;\n", out);
	/* generic: shared or local memory by lane, so that one access falls into both */
	fprintf(out,
		"cvta.shared.u64 %%mine_generic, %%mine_shared;\nand.b32 %%word, %%thread, 3;\n"
		"setp.eq.u32 %%again, %%word, 1;\n@%%again cvta.local.u64 %%mine_generic, %%mine_local;\n"
		"setp.eq.u32 %%again, %%word, 2;\n@%%again mov.u64 %%mine_generic, %%mine_global;\n");
	for (unsigned i = 0; i < BYTES; i += 8)
		fprintf(out,
			"mov.b64 %%word64, %u;\nst.local.b64 [%%mine_local+%u], %%word64;\n"
			"st.shared.b64 [%%mine_shared+%u], %%word64;\nst.global.b64 [%%mine_global+%u], "
			"%%word64;\n",
			i * 77, i, i, i);
}

static void print_table(FILE *out)
{
	fprintf(out, ".const .align 16 .b32 table[%u] = {", TABLE_WORDS);
	for (uint32_t i = 0; i < TABLE_WORDS; i++)
		fprintf(out, "%s%u", i ? ", " : "", table_word(i));
	fputs("};\n", out);
}

void print_program(FILE *out)
{
	fputs(".version 8.3\n.target sm_90\n.address_size 64\n", out);
	print_table(out);
	for (uint32_t i = 0; i < program.function_count; i++)
		fprintf(out,
			".func (.param .b32 result) function_%u(.param .b32 x, .param .b64 y, .param .b32 "
			"depth);\n",
			i);
	for (uint32_t i = 0; i < program.function_count; i++)
		print_function(out, i);
	fprintf(out,
		".visible .entry random(.param .u64 in, .param .u64 out, .param .u64 mine, .param .align 8 "
		".b8 "
		"numbers[%u])\n{\n",
		4 * TABLE_WORDS);
	declare_registers(out);
	fprintf(out,
		".reg .b32 %%thread, %%members;\n.reg .b64 %%in, %%out, %%mine_param, %%mine_shared, "
		"%%mine_global;\n.reg .pred %%outside;\n.local .align 16 .b8 own[%u];\n.shared .align 16 "
		".b8 all[%u];\n",
		BYTES, BYTES * THREADS);
	fprintf(out, "mov.u32 %%thread, %%tid.x;\nsetp.ge.u32 %%outside, %%thread, %u;\n@%%outside exit;\n",
		LIVE);
	fprintf(out, "setp.ge.u32 %%outside, %%thread, %u;\nselp.b32 %%members, %u, -1, %%outside;\n",
		LIVE / WARP * WARP, (1u << LIVE % WARP) - 1);
	fprintf(out, "ld.param.u64 %%in, [in];\nmad.wide.u32 %%in, %%thread, %u, %%in;\n", ROW_BYTES);
	fprintf(out, "ld.param.u64 %%out, [out];\nmad.wide.u32 %%out, %%thread, %u, %%out;\n", OUT_BYTES);
	print_places(out);
	print_registers(out, true);
	for (uint32_t i = program.begin; i < program.node_count; i++)
		print_node(out, &program.nodes[i], false);
	print_registers(out, false);
	print_memory(out);
	fputs("ret;\n}\n", out);
}
