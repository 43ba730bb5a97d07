/* tests/unit/frontend/lower/test_lower_call.c -- functions in a kernel's code: what is linked, where
 * registers and frames lie, what calls say, and the exact words of what is refused. */
#include "tests/unit/frontend/parse_rig.h"

static struct ptx_image *image;

static void fini(void)
{
	ptx_image_free(image);
	image = NULL;
	tear_down();
}

TestSuite(lower_call, .init = set_up, .fini = fini);

static struct ptx_image *lower(const char *rest)
{
	static char text[16384];

	snprintf(text, sizeof text, HEADER "%s", rest);
	accept_text(text);
	image = ptx_lower(module, &diags);
	return image;
}

static struct ptx_kernel *kernel(const char *rest)
{
	if (!lower(rest))
		diag_print(&diags, stderr);
	cr_assert(image, "refused");
	return &image->kernels[0];
}

static void expect_refusal(const char *rest, const char *message)
{
	cr_assert(!lower(rest), "accepted: %s", rest);
	char *text = diag_render(&diags, DIAG_ERROR);
	cr_expect(strstr(text, message), "'%s' does not hold '%s'", text, message);
	free(text);
}

static const struct uop *find(const struct ptx_kernel *k, unsigned code)
{
	for (uint32_t i = 0; i < k->uop_count; i++)
		if (k->uops[i].code == code)
			return &k->uops[i];
	cr_assert_fail("no %s", uop_name(code));
	return NULL;
}

#define F(name, body) ".func (.param .b32 r) " name " (.param .b32 n)\n{" REGISTERS body "}\n"
#define PLAIN(name)   F(name, "ld.param.b32 %r1, [n]; st.param.b32 [r], %r1; ret;")
#define CALLING(name, other) \
	F(name, \
		"ld.param.b32 %r1, [n]; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call " \
		"(b), " other \
		", (a); ld.param.b32 %r2, [b]; } add.s32 %r1, %r1, %r2; st.param.b32 [r], %r1; ret;")
#define ENTRY(body) ".entry k()\n{" REGISTERS body "ret; }\n"
#define CALL(name)  "{ .param .b32 a; .param .b32 b; st.param.b32 [a], 1; call (b), " name ", (a); }\n"

Test(lower_call, only_what_an_entry_reaches_is_linked)
{
	const struct ptx_kernel *k = kernel(PLAIN("f") PLAIN("g") CALLING("h", "f") ENTRY(CALL("h")));

	cr_assert_eq(k->function_count, 3);
	cr_expect_str_eq(k->functions[0].name, "k");
	cr_expect_str_eq(k->functions[1].name, "h");
	cr_expect_str_eq(k->functions[2].name, "f");
	cr_expect_eq(k->functions[0].entry, 0);
	cr_expect_eq(find(k, UOP_CALL)->target, 1);
	cr_expect_eq(find(k, UOP_CALL)->src[0], UOP_NONE);
	cr_expect_eq(ptx_kernel_function(k, k->functions[1].entry), 1);
	cr_expect_eq(ptx_kernel_function(k, k->functions[2].entry - 1), 1);
	cr_expect_eq(ptx_kernel_function(k, k->uop_count - 1), 2);
}

Test(lower_call, a_kernel_without_calls_is_one_function_with_no_table)
{
	const struct ptx_kernel *k = kernel(PLAIN("f") ENTRY(""));

	cr_expect_eq(k->function_count, 1);
	cr_expect_eq(k->call_count, 0);
	cr_expect_null(k->numbered);
	cr_expect_eq(k->local_bytes, 0);
	cr_expect(!k->needs_stack);
}

Test(lower_call, a_callee_has_rows_behind_all_its_callers)
{
	const struct ptx_kernel *k = kernel(
		PLAIN("f") CALLING("g", "f") ENTRY("ld.local.b32 %r3, [0]; ld.local.b32 %r4, [4];\n" CALL("f")
				CALL("g") "add.s32 %r3, %r3, %r4; st.global.u32 [%d1], %r3;"));
	const struct uop *in_g = &k->uops[k->functions[2].entry], *in_f = &k->uops[k->functions[1].entry];

	cr_assert_str_eq(k->functions[1].name, "f");
	cr_expect_eq(in_g->code, UOP_LD);
	cr_expect_eq(in_f->code, UOP_LD);
	cr_expect_geq(in_g->dst[0], 4, "the entry has two registers and an address");
	cr_expect_gt(in_f->dst[0], in_g->dst[0], "g calls f");
	cr_expect_lt(in_f->dst[0], k->rows);
	cr_expect_eq(k->calls[0].save_count, 0);
}

Test(lower_call, parameters_lie_in_frames_and_their_accesses_are_not_the_load_store_units)
{
	const struct ptx_kernel *k =
		kernel(".func (.param .b64 r) f (.param .b32 a, .param .align 16 .b8 s[20])\n{ .local .align "
		       "8 .b8 x[24];" REGISTERS
		       "ld.param.b32 %r1, [s+16]; mov.u64 %d1, x; st.param.b64 [r], %d1; ret; }\n" ENTRY(
			       "{ .param .b32 a; .param .align 16 .b8 b[20]; .param .b64 c; call (c), f, (a, "
			       "b); ld.param.u64 %d1, [c]; }"));
	const struct ptx_callee *f = &k->functions[1];
	const struct uop *ld = &k->uops[f->entry], *frame = find(k, UOP_FRAME_B64);

	cr_expect_eq(f->params[0].offset, 0);
	cr_expect_eq(f->params[1].offset, 16);
	cr_expect_eq(f->params[1].bytes, 20);
	cr_expect_eq(f->returns[0].offset, 40);
	cr_expect_eq(frame->imm, 48);
	cr_expect_eq(f->frame, 80, "72 bytes and 8 of alignment");
	cr_expect_eq(ld->space, SPACE_LOCAL);
	cr_expect_eq(ld->unit, UNIT_SP);
	cr_expect_eq(ld->imm, 32);
	cr_expect(ld->mods & MOD_FRAME);
	cr_expect_eq(k->functions[0].frame, 48);
	cr_expect_eq(k->calls[0].arguments[1].offset, 16);
	cr_expect_eq(k->calls[0].results[0].offset, 40);
	cr_expect_eq(k->local_bytes, 128);
	cr_expect(!(find(k, UOP_LD)->mods & MOD_FRAME), "the entry's frame is at 0");
}

Test(lower_call, param_variables_of_one_scope_after_the_other_share_their_room)
{
	const struct ptx_kernel *k =
		kernel(PLAIN("f") ENTRY(CALL("f") CALL("f") "{ .param .b32 x;" CALL("f") "}"));

	cr_expect_eq(k->calls[1].arguments[0].offset, 0);
	cr_expect_eq(k->calls[2].arguments[0].offset, 4, "behind x");
	cr_expect_eq(k->functions[0].frame, 16);
}

Test(lower_call, the_deepest_chain_of_frames_counts)
{
	const struct ptx_kernel *k =
		kernel(".func big () { .local .b8 x[100]; ret; }\n.func small () { .local .b8 x[10]; call "
		       "big; ret; }\n"
		       ".func lone () { .local .b8 x[120]; ret; }\n" ENTRY("call lone; call small;"));

	cr_expect_eq(k->local_bytes, 16 + 112);
	cr_expect(!k->needs_stack);
}

Test(lower_call, a_recursive_call_saves_what_lives_across_it)
{
	const struct ptx_kernel *k =
		kernel(".func (.param .b32 r) f (.param .b32 n);\n" CALLING("f", "f") ENTRY(CALL("f")));

	cr_expect(k->needs_stack);
	cr_expect_eq(k->calls[0].save_count, 0, "the entry is not part of the recursion");
	cr_assert_eq(k->calls[1].save_count, 1);
	cr_expect_eq(k->calls[1].saves[0].bytes, 4);
	cr_expect_eq(k->calls[1].saves[0].location, k->uops[k->functions[1].entry].dst[0]);
	cr_expect_eq(k->calls[1].saves_offset, 16);
	cr_expect_eq(k->functions[1].frame, 32);
}

Test(lower_call, only_calls_within_a_circle_save)
{
	const struct ptx_kernel *k = kernel(".func (.param .b32 r) g (.param .b32 n);\n" PLAIN("h")
			F("f", "ld.param.b32 %r1, [n];" CALL("g") CALL("h") "st.param.b32 [r], %r1; ret;")
				CALLING("g", "f") ENTRY(CALL("f")));

	cr_assert_eq(k->call_count, 4);
	cr_expect_eq(k->calls[0].save_count, 0);
	cr_expect_eq(k->calls[1].save_count, 1, "f calls g");
	cr_expect_eq(k->calls[2].save_count, 0, "f calls h");
	cr_expect_eq(k->calls[3].save_count, 1, "g calls f");
}

Test(lower_call, an_address_is_the_same_number_in_code_and_data)
{
	const struct ptx_kernel *k = kernel(PLAIN("f") PLAIN(
		"g") ".global .u64 t[2] = { g, f };\n.global .u8 b[2] = { 0xFF(g), 0xFF000000(f) "
		     "};\n" ENTRY("mov.u64 %d1, g; { .param .b32 a; .param .b32 b; P: "
				  ".callprototype (.param .b32 _) _ (.param .b32 _);\n"
				  "call (b), %d1, (a), P; }"));
	uint64_t address;

	memcpy(&address, k->constants[k->uops[0].src[0] & 0x7fff], 8);
	cr_expect_eq(address, PTX_CODE_WINDOW + PTX_CODE_STEP);
	cr_expect_eq(
		((const uint64_t *)(const void *)image->symbols[0].data)[0], PTX_CODE_WINDOW + PTX_CODE_STEP);
	cr_expect_eq(((const uint64_t *)(const void *)image->symbols[0].data)[1], PTX_CODE_WINDOW);
	cr_expect_eq(image->symbols[1].data[0], PTX_CODE_STEP);
	cr_expect_eq(image->symbols[1].data[1], PTX_CODE_WINDOW >> 24);
	cr_assert_eq(k->numbered_count, 3);
	cr_expect_str_eq(k->functions[k->numbered[0]].name, "f");
	cr_expect_str_eq(k->functions[k->numbered[1]].name, "g");
	cr_expect_eq(k->numbered[2], 0);
}

Test(lower_call, a_call_through_a_register_reaches_what_has_its_sizes_and_an_address)
{
	const struct ptx_kernel *k =
		kernel(PLAIN("f") PLAIN("g") ".func (.param .b64 r) h (.param .b32 n) { ret; }\n"
					     ".global .u64 t[2] = { f, h };\n" ENTRY(
						     "{ .param .b32 a; .param .b32 b; P: .callprototype "
						     "(.param .b32 _) _ (.param .b32 _);\n"
						     "call (b), %d1, (a), P; }"));

	cr_assert_eq(k->function_count, 2);
	cr_expect_str_eq(k->functions[1].name, "f");
	cr_expect_eq(k->calls[0].signature, k->functions[1].signature);
	cr_expect_neq(find(k, UOP_CALL)->src[0], UOP_NONE);
}

Test(lower_call, register_parameters_pass_through_the_frame)
{
	const struct ptx_kernel *k;
	const struct ptx_callee *f;

	/* a .reg of the module: without the ABI, with which no predicates are passed */
	accept_text(".version 2.3\n.target sm_20\n.address_size 64\n.reg .u32 without_abi;\n"
		    ".func (.reg .u32 r) f (.reg .u64 a, .reg .pred p) { cvt.u32.u64 "
		    "r, a; @p ret; ret; }\n" ENTRY("call (%r1), f, (7, %p1);"));
	image = ptx_lower(module, &diags);
	k = &image->kernels[0];
	f = &k->functions[1];

	cr_expect_eq(f->params[0].bytes, 8);
	cr_expect_eq(f->params[1].bytes, 1);
	cr_expect_eq(k->uops[f->entry].code, UOP_LD);
	cr_expect_eq(k->uops[f->entry + 1].code, UOP_LD);
	cr_expect_eq(k->uops[f->entry + 2].code, UOP_SETP_U32);
	cr_expect_eq(k->uops[f->entry + 4].code, UOP_ST, "a result before each return");
	cr_expect(k->uops[f->entry + 4].flags & UOP_GUARDED);
	cr_expect_eq(k->uops[f->entry + 5].code, UOP_RET);
}

Test(lower_call, the_systems_functions_are_no_calls)
{
	const struct ptx_kernel *k = kernel(
		".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 v);\n"
		".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n"
		".extern .func __assertfail (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, "
		".param .b64 e);\n" ENTRY(
			"{ .param .b64 a; .param .b64 b; .param .b32 c; call (c), vprintf, (a, b); "
			"ld.param.b32 %r1, [c]; }\n"
			"{ .param .b64 a; .param .b64 b; call (b), malloc, (a); call free, (b); }\n"
			"{ .param .b64 a; .param .b64 b; .param .b32 c; call __assertfail, (a, b, c, a, b); "
			"}"));
	uint32_t seen = 0;

	cr_expect_eq(k->call_count, 0);
	for (uint32_t i = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];

		if (u->code != UOP_SYSCALL)
			continue;
		cr_expect_eq(u->imm, seen);
		cr_expect_eq(u->dst[0] == UOP_NONE, seen >= 2);
		cr_expect_eq(u->extra_sources, seen == PTX_SYSCALL_ASSERTFAIL);
		seen++;
	}
	cr_expect_eq(seen, 4);
}

Test(lower_call, brx_keeps_its_table)
{
	const struct ptx_kernel *k =
		kernel(ENTRY("T: .branchtargets A, B, A;\nbrx.idx %r1, T;\nA: mov.u32 %r1, 1; bra C;\n"
			     "B: mov.u32 %r1, 2;\nC:"));
	const struct uop *u = find(k, UOP_BRX);

	cr_assert_eq(k->target_count, 3);
	cr_expect_eq(u->target, 3);
	cr_expect_eq(u->imm, 0);
	cr_expect_eq(k->targets[0], 1);
	cr_expect_eq(k->targets[1], 3);
	cr_expect_eq(k->targets[2], 1);
	cr_expect_eq(u->reconverge, 4);
}

Test(lower_call, what_no_module_defines_is_refused_by_name)
{
	expect_refusal(".extern .func (.param .b32 r) other (.param .b32 n);\n" ENTRY(CALL("other")),
		"a.ptx:6:167: error: 'other' is declared, but no module defines it");
	expect_refusal(".extern .func other ();\n" ENTRY("mov.u64 %d1, other;"),
		"'other' is declared, but no module defines it");
	expect_refusal(".extern .func other ();\n.global .u64 t = other;\n" ENTRY(""),
		"'other' is declared, but no module defines it");
}

Test(lower_call, a_function_that_nobody_calls_is_checked_as_well)
{
	expect_refusal(".extern .func other ();\n.func f () { call other; ret; }\n" ENTRY(""),
		"'other' is declared, but no module defines it");
}

Test(lower_call, functions_of_a_library_that_is_not_linked_are_refused_by_name)
{
	expect_refusal(".extern .func (.param .b32 r) __cudaCDP2LaunchDeviceV2 (.param .b32 n);\n" ENTRY(
			       CALL("__cudaCDP2LaunchDeviceV2")),
		"'__cudaCDP2LaunchDeviceV2' is in libcudadevrt, which is not linked to the module");
	expect_refusal(".extern .func (.param .b32 r) cnpGetLastError (.param .b32 n);\n" ENTRY(
			       CALL("cnpGetLastError")),
		"'cnpGetLastError' belongs to the device runtime before CUDA 12, which is not simulated");
}
