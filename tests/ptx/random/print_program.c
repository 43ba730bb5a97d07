/* tests/ptx/random/print_program.c -- random programs as PTX: what is declared, loaded first and stored last.
 */
#include "random.h"

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
				space_name[s], place_of_space[s], i, ROW_BYTES + s * BYTES + i);
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
static void print_locations(FILE *out)
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
		"numbers[%u])\n",
		4 * TABLE_WORDS);
	if (program.maxnreg)
		fprintf(out, ".maxnreg %u\n", program.maxnreg);
	fputs("{\n", out);
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
	print_locations(out);
	print_registers(out, true);
	for (uint32_t i = program.begin; i < program.node_count; i++)
		print_node(out, &program.nodes[i], false);
	print_registers(out, false);
	print_memory(out);
	fputs("ret;\n}\n", out);
}
