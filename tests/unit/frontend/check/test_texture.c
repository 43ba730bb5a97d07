/* tests/unit/frontend/check/test_texture.c -- texture and surface instructions: which forms are accepted,
 * which refused, with what words. The verdicts are those of ptxas 13.0 for sm_75, probed one by one. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(texture_forms, .init = set_up, .fini = tear_down);

#define DECLARATIONS \
	".version 8.7\n.target sm_75\n.address_size 64\n.global .texref T;\n.global .surfref S;\n.global " \
	".u32 G;\n" \
	".entry k(.param .texref PT, .param .u64 PU, .param .surfref PS) {\n" \
	".reg .f32 f<8>; .reg .b32 b<8>; .reg .u32 u<8>; .reg .s32 s<8>; .reg .b64 d<8>; .reg .b16 h<8>; " \
	".reg .f16x2 x<4>;\n" \
	".reg .pred p<4>; .reg .v4 .f32 V4; .reg .f16 e<8>;\n"

static bool is_accepted(const char *insn)
{
	char text[2000];

	snprintf(text, sizeof text, "%s%s\nret;\n}\n", DECLARATIONS, insn);
	return parse(text);
}

static const char *const valid[] = {
	"tex.1d.v4.f32.s32 {f0,f1,f2,f3}, [T, {s1}];",
	"tex.1d.v4.f32.s32 {f0,f1,f2,f3}, [T, s1];",
	"tex.1d.v4.f32.s32 {f0,_,_,f3}, [T, {s1}];",
	"tex.1d.v4.f32.f32 V4, [T, {1.0}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [d1, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [PT, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, d1, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}|p1, [T, {f1,f2}], {s1,s2};",
	"tex.2d.v4.u32.f32 {b0,u1,u2,u3}, [T, {b1,f2}];",
	"tex.2d.v4.f16.f32 {e0,e1,e2,e3}, [T, {f1,f2}];",
	"tex.2d.v2.f16x2.f32 {x0,x1}, [T, {f1,f2}];",
	"tex.3d.v4.f32.s32 {f0,f1,f2,f3}, [T, {s1,s2,s3,s4}];",
	"tex.a1d.v4.f32.f32 {f0,f1,f2,f3}, [T, {u1,f2}];",
	"tex.a2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {u1,f2,f3,f4}], {s1,s2};",
	"tex.cube.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2,f3,f4}];",
	"tex.acube.v4.f32.f32 {f0,f1,f2,f3}, [T, {u0,f1,f2,f3}], f1;",
	"tex.2dms.v4.f32.s32 {f0,f1,f2,f3}, [T, {s0,s1,s2,s3}];",
	"tex.base.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tex.level.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}], f3, {s1,s2};",
	"tex.level.2d.v4.f32.s32 {f0,f1,f2,f3}, [T, {s1,s2}], 2;",
	"tex.grad.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}], {f3,f4}, {f5,f6};",
	"tex.grad.a1d.v4.f32.f32 {f0,f1,f2,f3}, [T, {u1,f2}], {f1}, {f2};",
	"tld4.r.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tld4.a.acube.v4.u32.f32 {u0,u1,u2,u3}, [T, {u1,f2,f3,f4}];",
	"txq.width.b32 u0, [T];",
	"txq.level.height.b32 u0, [d1], 1;",
	"txq.filter_mode.b32 f0, [PT];",
	"suq.array_size.b32 u0, [S];",
	"suld.b.1d.b8.trap h1, [S, {s1}];",
	"suld.b.2d.v4.b32.zero {b0,f1,s2,_}, [S, {u1,b2}];",
	"suld.b.3d.v2.b64.clamp {d0,d1}, [PS, {s1,s2,s3,s4}];",
	"sust.b.a2d.cg.v4.b16.trap [d1, {s1,s2,s3,s4}], {h0,h1,h2,h3};",
	"sust.p.2d.v4.b32.clamp [S, {s1,s2}], {b0,b1,b2,b3};",
	"sured.b.add.2d.u64.trap [S, {s1,s2}], d1;",
	"sured.b.and.1d.b32.trap [S, {s1}], 5;",
	"sured.p.min.3d.b32.zero [S, {s1,s2,s3,s4}], b1;",
	"istypep.texref p0, d1;",
	"mov.u64 d1, T;",
};

static const char *const invalid[] = {
	"tex.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tex.2d.3d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tex.1d.v4.f32.s32 {f0,f1,f2,f3}, [T, {f1}];",
	"tex.1d.v4.f32.u32 {f0,f1,f2,f3}, [T, {u1}];",
	"tex.1d.v4.f32.s32 {_,_,_,_}, [T, {s1}];",
	"tex.1d.v4.b32.s32 {b0,b1,b2,b3}, [T, {s1}];",
	"tex.1d.v4.f16.s32 {b0,b1,b2,b3}, [T, {s1}];",
	"tex.1d.v4.f16x2.f32 {x0,x1,x2,x3}, [T, {f1}];",
	"tex.1d.v2.f32.f32 {f0,f1}, [T, {f1}];",
	"tex.1d.v4.f32 {f0,f1,f2,f3}, [T, {f1}];",
	"tex.1d.v4.f32.f32 {f0,f1,f2,f3}, [T];",
	"tex.1d.v4.f32.f32 {f0,f1,f2}, [T, {f1}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2,f3}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {s1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [b1, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [PU, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [S, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [G, {f1,f2}];",
	"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T+4, {f1,f2}];",
	"tex.3d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2,f3,f4}], f3;",
	"tex.a1d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tex.cube.v4.f32.s32 {f0,f1,f2,f3}, [T, {s1,s2,s3,s4}];",
	"tex.cube.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2,f3,f4}], {s1,s2};",
	"tex.level.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tex.level.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}], s3;",
	"tex.level.2dms.v4.f32.s32 {f0,f1,f2,f3}, [T, {s0,s1,s2,s3}], s3;",
	"tex.grad.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}], {f3,f4};",
	"tex.grad.1d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1}], f3, f5;",
	"tld4.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];",
	"tld4.r.1d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1}];",
	"tld4.r.2d.v4.f32.s32 {f0,f1,f2,f3}, [T, {s1,s2}];",
	"txq.b32 u0, [T];",
	"txq.width.b32 d0, [T];",
	"txq.width.b32 u0, [S];",
	"txq.width.b32 u0, [T], u1;",
	"txq.level.array_size.b32 u0, [T], u1;",
	"txq.force_unnormalized_coords.b32 u0, [T];",
	"suq.num_samples.b32 u0, [S];",
	"suq.width.b32 u0, [T];",
	"suld.b.1d.b32 b1, [S, {s1}];",
	"suld.p.1d.b32.trap b1, [S, {s1}];",
	"suld.b.1d.u32.trap b1, [S, {s1}];",
	"suld.b.1d.b32.trap h1, [S, {s1}];",
	"suld.b.1d.v4.b64.trap {d0,d1,d2,d3}, [S, {s1}];",
	"suld.b.2d.b32.trap b1, [S, {f1,f2}];",
	"suld.b.cube.b32.trap b1, [S, {s1,s2,s3,s4}];",
	"suld.b.1d.wb.b32.trap b1, [S, {s1}];",
	"sust.b.1d.v2.b32.trap [S, {s1}], {b0,_};",
	"sust.p.1d.f32.trap [S, {s1}], f1;",
	"sured.b.add.1d.b32.trap [S, {s1}], b1;",
	"sured.b.and.1d.u32.trap [S, {s1}], u1;",
	"sured.b.add.a1d.u32.trap [S, {s1,s2}], u1;",
	"sured.b.1d.u32.trap [S, {s1}], u1;",
	"istypep.texref p0, T;",
	"istypep p0, d1;",
	"mov.u32 b1, T;",
	"ld.global.u64 d1, [T];",
	"st.global.u64 [T], d1;",
	"ld.param.u64 d1, [PT];",
};

#define COUNT(list) (sizeof(list) / sizeof(list)[0])

Test(texture_forms, what_is_valid_is_accepted)
{
	for (size_t i = 0; i < COUNT(valid); i++)
		cr_expect(is_accepted(valid[i]), "refused: %s", valid[i]);
}

Test(texture_forms, what_is_invalid_is_refused)
{
	for (size_t i = 0; i < COUNT(invalid); i++)
		cr_expect(!is_accepted(invalid[i]), "accepted: %s", invalid[i]);
}

static bool is_module_accepted(const char *target, const char *declarations, const char *body)
{
	char text[2000];

	snprintf(text, sizeof text,
		".version 8.7\n.target sm_75%s\n.address_size 64\n%s\n.entry k() { .reg .f32 f<4>; .reg .b32 "
		"b<4>; %s ret; }\n",
		target, declarations, body);
	return parse(text);
}

Test(texture_forms, samplers_of_their_own_need_their_mode)
{
	static const char both[] = ".global .texref T; .global .samplerref M = { filter_mode = linear };";
	static const char with[] = "tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, M, {f1,f2}];";
	static const char without[] = "tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}];";

	cr_expect(is_module_accepted(", texmode_independent", both, with));
	cr_expect(!is_module_accepted(", texmode_independent", both, without));
	cr_expect(!is_module_accepted("", both, ""));
	cr_expect(is_module_accepted(", texmode_independent", both, "txq.filter_mode.b32 b0, [M];"));
	cr_expect(!is_module_accepted(", texmode_independent", both, "txq.filter_mode.b32 b0, [T];"));
}

Test(texture_forms, initialisers_name_properties)
{
	cr_expect(is_module_accepted(
		"", ".global .texref t = { addr_mode_0 = clamp_to_border, width = 4 };", ""));
	cr_expect(is_module_accepted("", ".global .surfref t = { width = 4, channel_order = 1 };", ""));
	cr_expect(!is_module_accepted("", ".global .texref t = { addr_mode_0 = around };", ""));
	cr_expect(!is_module_accepted("", ".global .texref t = { addr_mode_9 = wrap };", ""));
	cr_expect(!is_module_accepted("", ".global .surfref t = { filter_mode = linear };", ""));
	cr_expect(!is_module_accepted("", ".global .texref t = 5;", ""));
	cr_expect(!is_module_accepted("", ".global .u32 t = { width = 5 };", ""));
	cr_expect(!is_module_accepted("", ".shared .texref t;", ""));
	cr_expect(!is_module_accepted("", ".tex .u32 t;", ""), "PTX 1.5 did away with it");
}

Test(texture_forms, old_variables_in_the_texture_space)
{
	cr_expect(parse(
		".version 1.4\n.target sm_13\n.tex .u32 t;\n.entry k { .reg .f32 f<4>; .reg .s32 s<2>;\n"
		"tex.1d.v4.f32.s32 {f0,f1,f2,f3}, [t, {s1,s1,s1,s1}]; exit; }\n"));
	cr_expect(!parse(".version 1.4\n.target sm_13\n.tex .f32 t;\n.entry k { exit; }\n"));
}

/* Accepted, but not executed: refused by name. */
static void expect_refusal(const char *insn, const char *words)
{
	struct ptx_image *image;
	char *errors;

	cr_assert(is_accepted(insn), "%s", insn);
	image = ptx_lower(module, &diags);
	cr_expect_null(image, "%s", insn);
	errors = diag_render(&diags, DIAG_ERROR);
	cr_expect(strstr(errors, words), "%s", errors);
	free(errors);
}

Test(texture_forms, what_cannot_be_executed_says_so)
{
	expect_refusal("tex.2dms.v4.f32.s32 {f0,f1,f2,f3}, [T, {s0,s1,s2,s3}];",
		"multi-sample textures are not executed");
	expect_refusal(
		"tex.2d.v4.f32.f32 {f0,f1,f2,f3}, [T, {f1,f2}], f3;", "depth comparison is not executed");
	expect_refusal("tex.grad.cube.v4.f32.f32 {f0,f1,f2,f3}, [T, V4], V4, V4;", "gradients of a cube");
	expect_refusal("suq.memory_layout.b32 u0, [S];", "layout of memory");
}
