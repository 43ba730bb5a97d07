/* tests/unit/frontend/parse/test_parse.c -- PTX text to a checked module: what is accepted and how it is
 * represented. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(parse, .init = set_up, .fini = tear_down);

Test(parse, header_gives_version_target_and_address_size)
{
	accept_text(".version 3.2\n.target sm_20, debug\n.address_size 32\n");
	cr_expect_eq(module->version_major, 3);
	cr_expect_eq(module->version_minor, 2);
	cr_expect_str_eq(module->target, "sm_20");
	cr_expect_eq(module->sm, 20);
	cr_expect(module->target_debug);
	cr_expect_eq(module->address_bits, 32);
}

Test(parse, modules_of_the_first_generation_need_no_address_size)
{
	accept_text(".version 1.4\n.target sm_10, map_f64_to_f32\n.entry k { .reg .u32 %r; mov.u32 %r, 1; "
		    "exit; }");
	cr_expect_eq(module->address_bits, 64);
	cr_expect(module->target_map_f64);
}

Test(parse, an_instruction_keeps_opcode_modifiers_types_space_and_width)
{
	struct ptx_function *f =
		accept_body("ld.global.nc.L1::evict_last.v4.f32 {%f1,%f2,%f3,%f4}, [%d1+16];");
	const struct ptx_insn *insn = &f->insns[0];

	cr_expect_eq(insn->opcode, PTX_LD);
	cr_expect_str_eq(insn->opcode_name, "ld");
	cr_expect_eq(insn->space, PTX_GLOBAL);
	cr_expect_eq(insn->vector, 4);
	cr_assert_eq(insn->modifier_count, 2);
	cr_expect_eq(insn->modifiers[0], PTX_MOD_NC);
	cr_expect_eq(insn->modifiers[1], PTX_MOD_L1_EVICT_LAST);
	cr_assert_eq(insn->type_count, 1);
	cr_expect_eq(insn->types[0], PTX_F32);
	cr_expect_eq(insn->location.line, 5);
	cr_expect_eq(insn->location.column, 1);
	cr_expect_eq(operand_of(f, 0, 0)->kind, PTX_OP_VECTOR);
	cr_expect_eq(operand_of(f, 0, 0)->element_count, 4);
	cr_expect_eq(operand_of(f, 0, 1)->kind, PTX_OP_ADDRESS);
	cr_expect_eq(operand_of(f, 0, 1)->base->kind, PTX_OP_REG);
	cr_expect_eq(operand_of(f, 0, 1)->value.bits, 16);
}

Test(parse, modifiers_may_stand_in_any_order_and_apart)
{
	accept_body("setp.eq.ftz.f32 %p1, %f1, %f2; setp.ftz.eq.f32 %p1, %f1, %f2; ld.volatile.global.u32 "
		    "%r1, [%d1];"
		    "ld.global.volatile.u32 %r1, [%d1]; atom.add.release.gpu.u32 %r1, [%d1], 1; ld .global "
		    ".u32 %r1, [%d1];");
}

Test(parse, a_range_of_registers_is_numbered_behind_what_came_before)
{
	struct ptx_function *f = accept_module(".entry k() { .reg .b32 %a; .reg .b32 %r<5>; .reg .b64 %z; "
					       "add.s32 %r4, %r0, %a; mov.b64 %z, 1; ret; }");
	const struct ptx_operand *o = operand_of(f, 0, 0);

	cr_expect_eq(f->register_count, 7);
	cr_expect_eq(o->kind, PTX_OP_REG);
	cr_expect_str_eq(o->variable->name, "%r");
	cr_expect_eq(o->variable->index + o->index, 5);
	cr_expect_eq(operand_of(f, 1, 0)->variable->index, 6);
}

Test(parse, integer_literals_of_every_base)
{
	static const struct {
		const char *text;
		uint64_t bits;
		int kind;
	} cases[] = {
		{ "0", 0, PTX_INT },
		{ "42", 42, PTX_INT },
		{ "42U", 42, PTX_UINT },
		{ "0x1F", 31, PTX_INT },
		{ "0XffU", 255, PTX_UINT },
		{ "017", 15, PTX_INT },
		{ "0b101", 5, PTX_INT },
		{ "-5", -5ull, PTX_INT },
		{ "0xffffffffffffffff", UINT64_MAX, PTX_UINT },
		{ "9223372036854775808", 1ull << 63, PTX_UINT },
		{ "-9223372036854775808", 1ull << 63, PTX_INT },
		{ "WARP_SZ", 32, PTX_INT },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char body[100];
		const struct ptx_operand *o;

		snprintf(body, sizeof body, "mov.u64 %%d1, %s;", cases[i].text);
		o = operand_of(accept_body(body), 0, 1);
		cr_expect_eq(o->kind, PTX_OP_VALUE);
		cr_expect_eq(o->value.bits, cases[i].bits, "%s", cases[i].text);
		cr_expect_eq((int)o->value.kind, cases[i].kind, "%s", cases[i].text);
	}
}

Test(parse, floating_point_literals_keep_their_bits)
{
	static const struct {
		const char *text;
		uint64_t bits;
		int kind;
	} cases[] = {
		{ "0f3F800000", 0x3f800000, PTX_FLOAT32_BITS },
		{ "0F7fffffff", 0x7fffffff, PTX_FLOAT32_BITS },
		{ "0d3FF0000000000000", 0x3ff0000000000000, PTX_FLOAT64_BITS },
		{ "1.5", 0x3ff8000000000000, PTX_FLOAT64_BITS },
		{ ".5", 0x3fe0000000000000, PTX_FLOAT64_BITS },
		{ "1e3", 0x408f400000000000, PTX_FLOAT64_BITS },
		{ "-1.5", 0xbff8000000000000, PTX_FLOAT64_BITS },
		{ "2.5E-1", 0x3fd0000000000000, PTX_FLOAT64_BITS },
		{ "1.0+0.5", 0x3ff8000000000000, PTX_FLOAT64_BITS },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char body[100];
		const struct ptx_operand *o;

		snprintf(body, sizeof body, "mov.f64 %%g1, %s;", cases[i].text);
		o = operand_of(accept_body(body), 0, 1);
		cr_expect_eq(o->value.bits, cases[i].bits, "%s: %llx", cases[i].text,
			(unsigned long long)o->value.bits);
		cr_expect_eq((int)o->value.kind, cases[i].kind, "%s", cases[i].text);
	}
}

Test(parse, constant_expressions_have_the_precedence_of_c)
{
	static const struct {
		const char *text;
		int64_t value;
	} cases[] = {
		{ "1+2*3", 7 },
		{ "(1+2)*3", 9 },
		{ "10-4-3", 3 },
		{ "7/2", 3 },
		{ "-7/2", -3 },
		{ "-7 % 3", -1 },
		{ "1<<4|3", 19 },
		{ "6&3^1", 3 },
		{ "~0", -1 },
		{ "!5", 0 },
		{ "1<2==1", 1 },
		{ "3>=4", 0 },
		{ "1&&0||1", 1 },
		{ "1?2:3", 2 },
		{ "0?2:0?4:5", 5 },
		{ "(.u64)-1>>60", 15 },
		{ "-16>>2", -4 },
		{ "1!=2", 1 },
		{ "0xffffffffffffffff/2", INT64_MAX },
	};

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char body[100];

		snprintf(body, sizeof body, "mov.s64 %%d1, %s;", cases[i].text);
		cr_expect_eq((int64_t)operand_of(accept_body(body), 0, 1)->value.bits, cases[i].value, "%s",
			cases[i].text);
	}
}

Test(parse, an_inner_scope_hides_outer_names_until_it_ends)
{
	struct ptx_function *f = accept_module(".entry k() { .reg .b32 x; .reg .b32 %r<3>;\n"
					       "mov.u32 x, 1;\n{ mov.u32 x, 2; .reg .b32 x; .reg .b32 %r<3>; "
					       "mov.u32 x, 3; mov.u32 %r1, 3; }\n"
					       "mov.u32 x, 4; mov.u32 %r1, 4; ret; }");
	const struct ptx_var *outer = operand_of(f, 0, 0)->variable;

	cr_expect_eq(operand_of(f, 1, 0)->variable, outer);
	cr_expect_neq(operand_of(f, 2, 0)->variable, outer);
	cr_expect_eq(operand_of(f, 4, 0)->variable, outer);
	cr_expect_neq(operand_of(f, 3, 0)->variable, operand_of(f, 5, 0)->variable);
	cr_expect_eq(f->register_count, 8);
}

Test(parse, a_single_register_hides_one_of_an_outer_range)
{
	struct ptx_function *f = accept_module(".entry k() { .reg .b32 %r<3>;\n"
					       "{ .reg .b32 %r1; mov.u32 %r1, 1; mov.u32 %r2, 2; } ret; }");

	cr_expect_eq(operand_of(f, 0, 0)->variable->range, 0);
	cr_expect_eq(operand_of(f, 1, 0)->variable->range, 3);
}

Test(parse, labels_of_one_name_live_in_different_scopes)
{
	struct ptx_function *f =
		accept_module(".entry k() { { L: bra L; } { bra L; ret; L: } bra L; { bra L; } L: ret; }");

	cr_expect_eq(operand_of(f, 0, 0)->label->target, 0);
	cr_expect_eq(operand_of(f, 1, 0)->label->target, 3);
	cr_expect_eq(operand_of(f, 3, 0)->label->target, 5);
	cr_expect_eq(operand_of(f, 4, 0)->label->target, 5);
}

Test(parse, a_variable_may_be_called_like_an_instruction)
{
	accept_module(".entry k() { .reg .u32 add, mov; add.u32 add, mov, add; mov.u32 mov, add; ret; }");
}

Test(parse, guards_and_pairs_and_sinks)
{
	struct ptx_function *f =
		accept_body("@!%p1 setp.lt.and.s32 %p2|_, %r1, 5, !%p3;\natom.global.add.u32 _, [%d1], 1;");
	const struct ptx_insn *insn = &f->insns[0];

	cr_expect(insn->has_guard && insn->guard_negated);
	cr_expect_str_eq(insn->guard.variable->name, "%p");
	cr_expect_eq(insn->guard.index, 1);
	cr_expect_eq(insn->operands[0].kind, PTX_OP_PAIR);
	cr_expect_eq(insn->operands[0].elements[1].kind, PTX_OP_SINK);
	cr_expect(insn->operands[3].negated);
	cr_expect_eq(operand_of(f, 1, 0)->kind, PTX_OP_SINK);
}

Test(parse, addresses_with_offsets_of_either_sign)
{
	struct ptx_function *f =
		accept_module(".global .u32 gv[8];\n.entry k() { .reg .b32 %r; .reg .b64 %d;\n"
			      "ld.global.u32 %r, [%d+-8]; ld.global.u32 %r, [gv+4]; ld.local.u32 %r, [16]; "
			      "mov.u64 %d, gv+12;\n"
			      "mov.u64 %d, gv[3]; ret; }");

	cr_expect_eq((int64_t)operand_of(f, 0, 1)->value.bits, -8);
	cr_expect_eq(operand_of(f, 1, 1)->base->kind, PTX_OP_SYMBOL);
	cr_expect_eq(operand_of(f, 1, 1)->value.bits, 4);
	cr_expect_null(operand_of(f, 2, 1)->base);
	cr_expect_eq(operand_of(f, 3, 1)->value.bits, 12);
	cr_expect_eq(operand_of(f, 4, 1)->value.bits, 12);
}

Test(parse, vector_registers_and_their_components)
{
	struct ptx_function *f =
		accept_module(".entry k() { .reg .u32 %a; .reg .v4 .u32 %v<3>; .reg .u32 %b;\n"
			      "mov.u32 %b, %v2.w; ret; }");
	const struct ptx_operand *o = operand_of(f, 0, 1);

	cr_expect_eq(o->component, 3);
	cr_expect_eq(o->index, 2);
	cr_expect_eq(o->variable->index, 1);
	cr_expect_eq(operand_of(f, 0, 0)->variable->index, 13);
}

Test(parse, special_registers_by_component)
{
	struct ptx_function *f =
		accept_body("mov.u32 %r1, %ctaid.y; mov.u64 %d1, %clock64; mov.u32 %r1, %envreg3;");

	cr_expect_eq(operand_of(f, 0, 1)->sreg, PTX_SREG_CTAID_Y);
	cr_expect_eq(operand_of(f, 1, 1)->sreg, PTX_SREG_CLOCK64);
	cr_expect_eq(operand_of(f, 2, 1)->kind, PTX_OP_VALUE);
}

Test(parse, calls_in_all_their_forms)
{
	struct ptx_function *f;

	accept_module(
		".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"
		".func (.reg .u32 %y) twice(.reg .u32 %x) { add.u32 %y, %x, %x; ret; }\n.func nop() { ret; "
		"}\n"
		".entry k() { .reg .b64 %d; .reg .u32 %r; .param .b32 q; .param .b64 f; .param .b64 a;\n"
		"P: .callprototype (.param .b32 _) _ (.param .b64 _, .param .b64 _);\nT: .calltargets nop;\n"
		"call.uni (q), vprintf, (f, a); call (%r), twice, (5); call nop; call nop, ();\n"
		"mov.u64 %d, nop; call (q), %d, (f, a), P; call %d, T; ret; }");
	f = module->functions->next->next->next;
	cr_expect_eq(operand_of(f, 0, 0)->kind, PTX_OP_LIST);
	cr_expect_eq(operand_of(f, 0, 1)->function, module->functions);
	cr_expect_eq(operand_of(f, 0, 2)->element_count, 2);
	cr_expect_eq(operand_of(f, 5, 3)->kind, PTX_OP_LABEL);
	cr_expect(operand_of(f, 5, 3)->label->prototype);
}

Test(parse, a_prototype_and_its_definition_are_one_function)
{
	accept_module(".func f(.param .b32 a);\n.entry k() { .param .b32 x; call f, (x); ret; }\n"
		      ".func f(.param .b32 a) { ret; }");
	cr_expect_str_eq(module->functions->name, "k");
	cr_expect_str_eq(module->functions->next->name, "f");
	cr_expect(module->functions->next->has_body);
	cr_expect_null(module->functions->next->next);
	cr_expect_eq(module->functions->insns[0].operands[0].function, module->functions->next);
}

Test(parse, branch_tables_point_at_their_labels)
{
	struct ptx_function *f =
		accept_body("T: .branchtargets A, B;\nbrx.idx %r1, T;\nA: mov.u32 %r1, 1;\nB:");
	const struct ptx_label *table = operand_of(f, 0, 1)->label;

	cr_expect_eq(table->target_count, 2);
	cr_expect_eq(table->target_labels[0]->target, 1);
	cr_expect_eq(table->target_labels[1]->target, 2);
}

Test(parse, parameters_are_laid_out_naturally)
{
	struct ptx_function *f = accept_module(
		".entry k(.param .u8 a, .param .u64 .ptr .global .align 16 b, .param .u16 c,\n"
		".param .align 16 .b8 d[20], .param .f32 e) .maxntid 16, 8 .minnctapersm 2 { ret; }");
	static const uint64_t offsets[] = { 0, 8, 16, 32, 52 };
	const struct ptx_var *v = f->params;

	for (size_t i = 0; i < 5; i++, v = v->next)
		cr_expect_eq(v->offset, offsets[i]);
	cr_expect_eq(f->param_bytes, 56);
	cr_expect_eq(f->params->next->pointer_align, 16);
	cr_expect_eq(f->maxntid[0], 16);
	cr_expect_eq(f->maxntid[1], 8);
	cr_expect_eq(f->maxntid[2], 1);
	cr_expect_eq(f->minnctapersm, 2);
}

Test(parse, shared_and_local_variables_of_a_body_get_offsets)
{
	struct ptx_function *f =
		accept_module(".entry k() { .shared .b8 a[3]; .shared .f64 b; .local .align 16 .b8 c[24];\n"
			      "{ .local .b32 d; } ret; }");

	cr_expect_eq(f->variables->offset, 0);
	cr_expect_eq(f->variables->next->offset, 8);
	cr_expect_eq(f->shared_bytes, 16);
	cr_expect_eq(f->local_bytes, 28);
}

Test(parse, initialisers_of_every_kind)
{
	const struct ptx_var *v;

	accept_module(".global .u32 y[4];\n.global .b32 m[2][2] = {{1,2},{-3,4+5}};\n.global .u64 p = y+8;\n"
		      ".global .u64 q[2] = {generic(y), generic(y)+4};\n.global .u8 b[3] = {0xff(y), "
		      "0xff00(y+4), 7};\n"
		      ".const .f32 f[] = {1.5, 0f3f800000};\n.global .v2 .f32 w = {1.0, 2.0};");
	v = module->variables->next;
	cr_expect_eq(v->bytes, 16);
	cr_expect_eq(v->init->list->next->list->next->value.bits, 9);
	v = v->next;
	cr_expect_eq(v->init->variable, module->variables);
	cr_expect_eq(v->init->addend, 8);
	v = v->next;
	cr_expect(v->init->list->is_generic);
	cr_expect_eq(v->init->list->next->addend, 4);
	v = v->next;
	cr_expect_eq(v->init->list->next->mask, 0xff00);
	v = v->next;
	cr_expect_eq(v->dimension[0], 2);
	cr_expect_eq(v->bytes, 8);
}

Test(parse, debug_text_is_kept_in_order)
{
	struct ptx_function *f = accept_module(
		".file 1 \"a.cu\"\n.file 2 \"b.cu\", 123, 456\n.entry k() .pragma \"a\"; {\n.loc 1 2 3\n"
		".loc 1 2 3, function_name $L+4, inlined_at 1 9 8\n.pragma \"nounroll\";\nret; }\n"
		".section .debug_info { .b8 1,2 $L: .b32 .debug_abbrev+4 }\n/* a\n comment */ // another\n");
	const struct ptx_remark *r = f->remarks;

	cr_expect_eq(r->kind, PTX_HEAD_PRAGMA);
	cr_expect_eq(r->next->kind, PTX_LOC);
	r = r->next->next;
	cr_expect_str_eq(r->text, "$L");
	cr_expect_eq(r->number[5], 8);
	cr_expect_eq(r->number[6], 4);
	cr_expect_str_eq(r->next->text, "\"nounroll\"");
	r = module->remarks;
	cr_expect_eq(r->next->number[2], 456);
	cr_expect_str_eq(r->next->next->text, ".section .debug_info { .b8 1,2 $L: .b32 .debug_abbrev+4 }");
	accept_text(".version 1.4\n.target sm_10\n@@DWARF .byte 1, 2\n@@DWARF .4byte 1\r\n");
	cr_expect_str_eq(module->remarks->next->text, "@@DWARF .4byte 1");
}

Test(parse, everything_else_of_the_language)
{
	accept_module(
		".extern .shared .align 16 .b8 dyn[];\n.global .attribute(.managed) .align 8 .u64 man;\n"
		".weak .global .u32 w = 1;\n.common .global .u32 c;\n"
		".global .texref t = { addr_mode_0 = wrap, filter_mode = linear };\n.func g();\n.func f() { "
		"ret; "
		"}\n.alias g, f;\n"
		".entry k(.param .u64 p) .explicitcluster .reqnctapercluster 2, 1, 1 .maxnreg 32 "
		"{\n" REGISTERS "\n"
		"tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [t, %d1, {%r1,%r2}];\n"
		"cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], "
		"[%d1, {%r2,%r3}], [%r4];\n"
		"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f2,%f3,%f4}, {%r1,%r2,%r3,%r4}, "
		"{%r5,%r6}, {%f1,%f2,%f3,%f4};\n"
		"vadd.s32.u32.s32.sat %r1.b0, %r2.b3, %r3.h1, %r4;\nvadd2.s32.s32.s32 %r1.h10, %r2.h32, "
		"%r3.h10, %r4;\n"
		"shfl.sync.idx.b32 %r1|%p1, %r2, 3, 0x1f, -1;\nlop3.or.b32 %r1|%p1, %r2, %r3, %r4, 0xf0, "
		"%p2;\n"
		"mov.b64 {%r1, _}, %d1;\nmov.pred %p1, 1;\nfence.proxy.async.shared::cta;\nret; }");
	accept_text(".version 8.7\n.target sm_90a\n.address_size 64\n.entry k() {\n" REGISTERS "\n"
		    "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1,%f2,%f3,%f4}, %d1, %d2, 1, 1, 1, "
		    "0, 0;\nret; }");
}
