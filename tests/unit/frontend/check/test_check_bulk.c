/* tests/unit/frontend/check/test_check_bulk.c -- bulk and tensor copies and tensor maps: what is taken, and
 * the words of what is not. Verdicts are those of ptxas 13.0 for sm_90a. */
#include "tests/unit/frontend/parse_rig.h"

TestSuite(check_bulk, .init = set_up, .fini = tear_down);

static bool is_taken(const char *insn, const char *header)
{
	char text[4096];

	snprintf(text, sizeof text,
		"%s.address_size 64\n.visible .entry k(.param .align 64 .b8 map[128]) { .reg .pred %%p<4>; "
		".reg .b16 %%h<8>; "
		".reg .b32 %%r<32>; .reg .b64 %%d<8>; .reg .f32 %%f<4>;\n%s\nret; }\n",
		header, insn);
	return parse(text);
}

#define SM_90A ".version 9.0\n.target sm_90a\n"
#define TX     "mbarrier::complete_tx::bytes"
#define TO     "cp.async.bulk.shared::cluster.global." TX
#define TENSOR "cp.async.bulk.tensor.2d.shared::cluster.global."
#define AT     "[%d1, {%r2, %r3}]"

Test(check_bulk, every_kind_of_copy_is_taken)
{
	static const char *const good[] = {
		"cp.async.bulk.shared::cta.global." TX " [%r1], [%d1], 16, [%r2];",
		TO " [%d1], [%d1], %r5, [%d2];",
		TO ".multicast::cluster [%r1], [%d1], %r5, [%r2], 3;",
		TO ".L2::cache_hint.multicast::cluster [%r1], [%d1], %r5, [%r2], %h1, %d2;",
		"cp.async.bulk.shared::cluster.shared::cta." TX " [%r1], [%r3], %r5, [%r2];",
		"cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint [%d1], [%r3], %r5, %d2;",
		"cp.async.bulk.prefetch.L2.global [%d1+16], 32;",
		"cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16 [%d1], [%r3], 16;",
		"cp.reduce.async.bulk.shared::cluster.shared::cta." TX ".inc.u32 [%r1], [%r3], 16, [%r4];",
		TENSOR "tile." TX " [%r1], " AT ", [%r4];",
		TENSOR TX ".multicast::cluster.L2::cache_hint [%r1], " AT ", [%r4], %h1, %d2;",
		"cp.async.bulk.tensor.4d.shared::cta.global.im2col." TX
		" [%r1], [%d1, {%r2, %r3, 4, %r5}], [%r4], {%h1, 2};",
		"cp.async.bulk.tensor.3d.global.shared::cta.im2col_no_offs.bulk_group [%d1, {%r2, %r3, "
		"%r4}], [%r5];",
		"cp.reduce.async.bulk.tensor.2d.global.shared::cta.xor.bulk_group " AT ", [%r5];",
		"cp.async.bulk.prefetch.tensor.3d.L2.global.im2col [%d1, {%r2, %r3, %r4}], {%h1};",
		"cp.async.bulk.commit_group; cp.async.bulk.wait_group 2; cp.async.bulk.wait_group.read 0;",
		"tensormap.replace.tile.rank.b1024.b32 [%d1], %r2;",
		"tensormap.replace.tile.global_stride.shared::cta.b1024.b64 [%r1], 3, %d2;",
		"tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned "
		"[%d1], [%r2], 128;",
		"fence.proxy.tensormap::generic.acquire.gpu [%d1], 128; "
		"fence.proxy.tensormap::generic.release.cta;",
	};

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		cr_expect(is_taken(good[i], SM_90A), "%s", good[i]);
}

Test(check_bulk, each_mistake_has_its_message)
{
	/* clang-format off */
	static const char *const cases[][2] = {
		{ "cp.async.bulk.shared.global." TX " [%r1], [%d1], 16, [%r2];", "is not defined between these state spaces" },
		{ "cp.async.bulk.global.shared::cluster.bulk_group [%d1], [%r1], 16;", "between these state spaces" },
		{ "cp.async.bulk.shared::cta.global." TX ".multicast::cluster [%r1], [%d1], 16, [%r2], %h1;",
			"cannot have '.multicast::cluster'" },
		{ "cp.async.bulk.shared::cluster.shared::cta." TX ".L2::cache_hint [%r1], [%r3], 16, [%r2], %d1;",
			"cannot have '.L2::cache_hint'" },
		{ "cp.async.bulk.shared::cluster.global.bulk_group [%r1], [%d1], 16;", "needs '.mbarrier::complete_tx::bytes'" },
		{ "cp.async.bulk.global.shared::cta [%d1], [%r1], 16;", "needs '.bulk_group'" },
		{ TO " [%r1], [%d1], 24, [%r2];", "copies a multiple of 16 bytes" },
		{ TO " [%r1], [%d1], %d2, [%r2];", "'%d2' is a .b64 register" },
		{ TO " [%r1], [%d1], 16;", "takes 4 operands, not 3" },
		{ TO ".multicast::cluster [%r1], [%d1], 16, [%r2], %r3;", "'%r3' is a .b32 register" },
		{ TO ".ca [%r1], [%d1], 16, [%r2];", "has a modifier that it does not take" },
		{ TO ".u32 [%r1], [%d1], 16, [%r2];", "takes no type" },
		{ "cp.async.bulk.prefetch.global [%d1], 16;", "needs '.L2'" },
		{ "cp.async.bulk.wait_group %r1;", "needs an integer constant here" },
		{ "cp.async.bulk.commit_group.read;", "takes no further modifiers" },
		{ "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f16 [%d1], [%r3], 16;", "needs '.noftz'" },
		{ "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%d1], [%r3], 16;",
			"is not defined for this type and operation" },
		{ "cp.reduce.async.bulk.shared::cluster.shared::cta." TX ".add.f32 [%r1], [%r3], 16, [%r4];",
			"is not defined for this type and operation" },
		{ "cp.reduce.async.bulk.global.shared::cta.bulk_group.u32 [%d1], [%r3], 16;", "needs one operation" },
		{ "cp.async.bulk.tensor.shared::cluster.global." TX " [%r1], " AT ", [%r4];", "needs the number of dimensions" },
		{ "cp.async.bulk.2d.shared::cluster.global." TX " [%r1], [%d1], 16, [%r4];", "has no tensor" },
		{ TENSOR "im2col." TX " [%r1], " AT ", [%r4], {%h1};", "im2col needs three dimensions or more" },
		{ "cp.async.bulk.tensor.3d.global.shared::cta.im2col.bulk_group [%d1, {%r2, %r3, %r4}], [%r5];",
			"is not defined in this direction" },
		{ TENSOR TX " [%r1], [%d1, {%r2}], [%r4];", "takes 2 coordinates in braces" },
		{ TENSOR TX " [%r1], [%d1], [%r4];", "needs a tensor map and coordinates here" },
		{ TENSOR TX " [%r1], [map, {%r2, %r3}], [%r4];", "'map' is in .param" },
		{ TENSOR TX " [%r1], [%d1, {%r2, %h3}], [%r4];", "'%h3' is a .b16 register" },
		{ "cp.async.bulk.tensor.3d.shared::cluster.global.im2col." TX " [%r1], [%d1, {%r2, %r3, %r4}], [%r4], {%r5};",
			"'%r5' is a .b32 register" },
		{ "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.bulk_group.u32 " AT ", [%r5];",
			"takes no type: the tensor has one" },
		{ "cp.async.bulk.tensor.2d.shared::cta.global.tile::gather4." TX
			" [%r1], [%d1, {%r2, %r3, %r4, %r5, %r6}], [%r7];", "is newer than the module's target" },
		{ "cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%d1], [%r3], 16, %h1;",
			"is newer than the module's target" },
		{ "tensormap.replace.tile.box_dim.b1024.b32 [%d1], %r2;", "takes 3 operands, not 2" },
		{ "tensormap.replace.tile.box_dim.b1024.b32 [%d1], 5, %r2;", "a dimension is 0 to 4" },
		{ "tensormap.replace.tile.global_address.b1024.b32 [%d1], %r2;", "has another type" },
		{ "tensormap.replace.tile.swizzle_mode.b1024.b32 [%d1], 4;", "needs a constant from 0 to 3 here" },
		{ "tensormap.replace.tile.elemtype.b1024.b32 [%d1], 13;", "needs a constant from 0 to 12 here" },
		{ "tensormap.replace.tile.fill_mode.b1024.b32 [%d1], %r1;", "needs a constant from 0 to 1 here" },
		{ "tensormap.replace.tile.b1024.b32 [%d1], 1;", "needs a field" },
		{ "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%d1], [%r2], 64;",
			"a tensor map has 128 bytes" },
		{ "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.sync.aligned [%d1], [%r2], 128;",
			"is not defined" },
		{ "fence.proxy.tensormap::generic.acquire.gpu;", "takes an address and 128" },
		{ "fence.proxy.tensormap::generic.acquire.gpu [%d1], 64;", "takes an address and 128" },
		{ "fence.proxy.tensormap::generic.release.gpu [%d1], 128;", "takes no operands" },
		{ "fence.proxy.tensormap::generic.release;", "needs a scope" },
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		char *rendered;

		cr_expect_not(is_taken(cases[i][0], SM_90A), "%s is taken", cases[i][0]);
		rendered = diag_render(&diags, DIAG_ERROR);
		cr_expect(strstr(rendered, cases[i][1]), "%s: got\n%s", cases[i][0], rendered);
		free(rendered);
	}
}

Test(check_bulk, each_form_has_its_first_version_and_target)
{
	static const char *const cases[][2] = {
		{ ".version 8.5\n.target sm_90\n",
			"cp.async.bulk.shared::cta.global." TX " [%r1], [%d1], 16, [%r2];" },
		{ ".version 7.8\n.target sm_90\n", TO " [%r1], [%d1], 16, [%r2];" },
		{ ".version 8.6\n.target sm_80\n", TO " [%r1], [%d1], 16, [%r2];" },
		{ ".version 8.2\n.target sm_90a\n", "tensormap.replace.tile.rank.b1024.b32 [%d1], %r2;" },
		{ ".version 8.3\n.target sm_90\n", "tensormap.replace.tile.rank.b1024.b32 [%d1], %r2;" },
		{ ".version 8.6\n.target sm_90a\n",
			"tensormap.replace.tile.swizzle_atomicity.b1024.b32 [%d1], 1;" },
	};

	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
		cr_expect_not(is_taken(cases[i][1], cases[i][0]), "%s%s is taken", cases[i][0], cases[i][1]);
}
