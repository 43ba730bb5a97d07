/* tests/unit/frontend/print/test_coverage.c -- the list of instruction forms: what stands in it, what does
 * not, and that each of its instructions can be printed and read again. */
#include "frontend/print/coverage.h"
#include "tests/unit/frontend/parse_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"

TestSuite(coverage, .init = set_up, .fini = tear_down);

static char *list(enum coverage_output output)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ptx_print_coverage(stream, output);
	fclose(stream);
	return text;
}

static bool has_line(const char *text, const char *start)
{
	size_t length = strlen(start);

	for (const char *at = text; at && *at; at = strchr(at, '\n'), at += at ? 1 : 0)
		if (!strncmp(at, start, length) && (at[length] == ' ' || at[length] == '\n'))
			return true;
	return false;
}

static void expect_forms(const char *text)
{
	/* clang-format off */
	static const char *const valid[] = {
		"add.s32", "add.sat.s32", "add.rz.ftz.sat.f32", "mul.wide.u16", "mad.hi.sat.s32",
		"setp.ltu.xor.ftz.f32", "ld.global.v4.f32", "ld.acquire.sys.shared.b64", "st.wt.v2.u8",
		"atom.cas.global.b128", "red.add.shared.f64", "cvt.rzi.ftz.s32.f32",
		"shfl.sync.bfly.b32", "shfl.bfly.b32", "bra.uni", "redux.sync.min.abs.NaN.f32",
		"ld.v8.b32", "mma.sp.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
		"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.satfinite.s32.u4.s4.s32",
		"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.f32.e2m1.e2m1.f32.ue8m0",
		"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e4m3.f32",
		"ldmatrix.sync.aligned.m16n16.x2.trans.shared.b8", "stmatrix.sync.aligned.m16n8.x4.trans.b8",
		"mma.sp::ordered_metadata.sync.aligned.m16n8k128.row.col.kind::mxf4nvf4.block_scale.scale_vec::4X"
		".f32.e2m1.e2m1.f32.ue4m3",
		"cvt.rn.satfinite.relu.e2m1x2.f32", "cvt.rp.satfinite.ue8m0x2.bf16x2",
		"cvt.rs.relu.satfinite.e3m2x4.f32",
		"cp.async.bulk.tensor.5d.shared::cluster.global.im2col::w::128.mbarrier::complete_tx::bytes"
		".multicast::cluster.cta_group::2.L2::cache_hint",
		"clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128",
		"st.async.mmio.release.gpu.u16",
		"red.async.release.sys.global.add.s64",
	};
	static const char *const invalid[] = {
		"add", "add.b32", "add.sat.u32", "mul.s32", "mul.wide.s64", "mad.lo.sat.s32",
		"setp.lt.b32", "ld.acquire.global.b32", "ld.const.v8.b32", "st.const.u32",
		"atom.add.s64", "min.relu.u32", "selp.pred",
		"red.async.shared::cluster.mbarrier::complete_tx::bytes.add.u32", "red.async.release.sys.max.u64",
		"st.async.release.cta.b32", "cvt.rn.e2m1x2.f16x2", "cvt.rn.ue8m0x2.f32", "shl.s32", "cvt.s32.f32", "atom.min.f32",
	};
	/* clang-format on */

	for (size_t i = 0; i < sizeof valid / sizeof valid[0]; i++)
		cr_expect(has_line(text, valid[i]), "%s is missing", valid[i]);
	for (size_t i = 0; i < sizeof invalid / sizeof invalid[0]; i++)
		cr_expect_not(has_line(text, invalid[i]), "%s is listed", invalid[i]);
}

Test(coverage, the_table_adds_up)
{
	char *text, name[32];
	unsigned long forms, executed, refused, sums[3] = { 0 };
	const char *line;

	if (LEFT_OUT) /* tries the forms that the test of all forms tries */
		return;
	text = list(COVERAGE_TABLE);
	line = text + strcspn(text, "\n") + 1;
	for (; sscanf(line, "%31s %lu %lu %lu", name, &forms, &executed, &refused) == 4;
		line += strcspn(line, "\n") + 1) {
		cr_expect_eq(forms, executed + refused, "%s", name);
		if (!strcmp(name, "total"))
			break;
		cr_expect_gt(forms, 0, "no form of %s is valid", name);
		sums[0] += forms;
		sums[1] += executed;
		sums[2] += refused;
	}
	cr_expect_str_eq(name, "total");
	cr_expect_eq(forms, sums[0]);
	cr_expect_eq(executed, sums[1]);
	cr_expect_eq(refused, sums[2]);
	free(text);
}

#define HEAD \
	".version 9.0\n.target sm_100a\n.address_size 64\n.global .texref tex;\n.global .surfref " \
	"surf;\n.func nothing() { " \
	"ret; }\n.entry k(.param .align 16 .b8 in[256]) {\n.reg .pred %p<8>; .reg .b8 %b<4>; .reg .b16 " \
	"%h<20>; .reg .b32 " \
	"%r<140>; .reg " \
	".b64 %d<40>; .reg .b128 %q<8>; .reg .f32 %f<20>; .reg .f64 %g<20>; .param .align 16 .b8 " \
	"arg[256];\nL: T: " \
	".branchtargets L;\n"

/* What sm_90a, sm_103a or sm_120a has and the target of HEAD has not. */
static bool is_of_others(const char *line, size_t length)
{
	return !strncmp(line, "wgmma", 5) || !strncmp(line, "tcgen05.ld.red", 14) ||
		(!strncmp(line, "mma", 3) && memmem(line, length, "kind::", 6));
}

/* A module of up to count lines of the list, without those that this chip does not know. Returns where the
 * list goes on. */
static const char *take(const char *from, unsigned count, char **text)
{
	size_t size;
	FILE *stream = open_memstream(text, &size);

	fputs(HEAD, stream);
	for (; *from && count--; from = strchr(from, '\n') + 1) {
		int length = (int)strcspn(from, "\n");
		bool is_sync = memmem(from, (size_t)length, ".sync", 5);

		if ((strncmp(from, "shfl", 4) && strncmp(from, "vote", 4)) || is_sync)
			if (!is_of_others(from, (size_t)length) &&
				!memmem(from, (size_t)length, "satfinite", 9))
				fprintf(stream, "%.*s\n", length, from);
	}
	fputs("}\n", stream);
	fclose(stream);
	return from;
}

static char *printed(const struct ptx_module *m)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ptx_print_module(m, stream);
	fclose(stream);
	return text;
}

Test(coverage, forms_that_exist_are_listed_and_all_of_them_can_be_printed_and_read_again, HANG_GUARD)
{
	char *forms = list(COVERAGE_VALID), *text, *first, *second;
	uint32_t part = 0;

	expect_forms(forms);
	for (const char *at = forms; *at;) {
		at = take(at, 2000, &text);
		if (part++ % one_in_or(12, 2) != first_of(one_in_or(12, 2))) {
			free(text);
			continue;
		}
		parse(text);
		if (!module)
			diag_print(&diags, stderr);
		cr_assert(module);
		first = printed(module);
		parse(first);
		cr_assert(module, "what was printed is refused");
		second = printed(module);
		cr_expect(!strcmp(first, second));
		free(text);
		free(first);
		free(second);
	}
	free(forms);
}
