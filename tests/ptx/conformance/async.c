/* tests/ptx/conformance/async.c -- asynchronous copies, mbarriers, hints without effect on values, stack
 * memory, clusters of one CTA. */
#include <stdio.h>
#include "conform.h"

enum { CTA = 128 };

/* %p: 16 bytes of shared memory of the thread's own, all ones; 16 bytes of global memory at %m hold {a, b}.
 */
static const char begin[] = "\t{\n\t.shared .align 16 .b8 x#[2048];\n\t.reg .b64 %p, %ones;\n\t.reg .b32 "
			    "%size;\n\t.reg .pred %q;\n"
			    "\tmov.u32 %word, %tid.x;\n\tmul.wide.u32 %offset, %word, 16;\n\tmov.u64 %p, "
			    "x#;\n\tadd.u64 %p, %p, %offset;\n"
			    "\tmov.b64 %ones, -1;\n\tst.shared.v2.b64 [%p], {%ones, "
			    "%ones};\n\tst.global.v2.b64 [%m], {%a, %b};\n";
static const char end[] = "\tld.shared.v2.b64 {%r, %s}, [%p];\n\t}\n";

/* tag: bytes copied, bytes from the source (the others are zeros; -1: the number is operand c). */
static bool ref_copy(const struct form *f, const uint64_t *in, uint64_t *out)
{
	uint64_t from = f->tag[1] < 0 ? in[2] : (uint64_t)f->tag[1];

	if (from > (uint64_t)f->tag[0])
		return false;
	for (uint64_t i = 0; i < 16; i++) {
		uint64_t byte = i < from ? in[i / 8] >> 8 * (i % 8) & 255 : i < (uint64_t)f->tag[0] ? 0 : 255;

		out[i / 8] |= byte << 8 * (i % 8);
	}
	return true;
}

/* instruction: with the operands behind the two addresses. */
static struct form *copy_form(
	const char *name, const char *instruction, const char *behind, int bytes, int from, const char *wait)
{
	struct form *f = form_add(ref_copy, OUT(B64, B64), IN(B64, B64, COUNT), "%s", name);
	static const uint64_t sizes[] = { 0, 1, 3, 4, 7, 8, 12, 15, 16 };
	static const struct values list = { sizes, 9, true };

	form_body(f, "%s%s [%%p], [%%m], %d%s;\n%s%s", begin, instruction, bytes, behind, wait, end);
	f->tag[0] = bytes;
	f->tag[1] = from;
	f->values[2] = &list;
	f->target = "sm_80";
	f->samples = 256;
	return f;
}

static void copy_forms(void)
{
	static const char group[] = "\tcp.async.commit_group;\n\tcp.async.wait_group 0;\n",
			  all[] = "\tcp.async.wait_all;\n";
	struct form *f;

	copy_form("cp.async.ca.shared.global 4", "\tcp.async.ca.shared.global", "", 4, 4, group);
	copy_form("cp.async.ca.shared.global 8", "\tcp.async.ca.shared.global", "", 8, 8, group);
	copy_form("cp.async.ca.shared.global 16", "\tcp.async.ca.shared.global", "", 16, 16, all);
	copy_form("cp.async.cg.shared.global 16", "\tcp.async.cg.shared.global", "", 16, 16, group);
	copy_form("cp.async.cg.shared.global.L2::128B 16", "\tcp.async.cg.shared.global.L2::128B", "", 16, 16,
		all);
	copy_form("cp.async.ca.shared::cta.global 4", "\tcp.async.ca.shared::cta.global", "", 4, 4, group);
	copy_form("cp.async.ca.shared.global 4 of fewer bytes", "\tcp.async.ca.shared.global", ", %c", 4, -1,
		group);
	copy_form("cp.async.ca.shared.global 8 of fewer bytes", "\tcp.async.ca.shared.global", ", %c", 8, -1,
		group);
	copy_form("cp.async.cg.shared.global 16 of fewer bytes", "\tcp.async.cg.shared.global", ", %c", 16,
		-1, all);
	copy_form("cp.async.cg.shared.global 16 of none", "\tcp.async.cg.shared.global", ", 0", 16, 0, all);
	f = copy_form("cp.async.ca.shared.global 8, source ignored",
		"\tsetp.eq.b32 %q, %i, %i;\n\tcp.async.ca.shared.global", ", %q", 8, 0, all);
	f->version = 83;
	f = copy_form("cp.async.ca.shared.global 8, source not ignored",
		"\tsetp.ne.b32 %q, %i, %i;\n\tcp.async.ca.shared.global", ", %q", 8, 8, all);
	f->version = 83;
	copy_form("cp.async.wait_group with a younger group pending", "\tcp.async.ca.shared.global", "", 8, 8,
		"\tcp.async.commit_group;\n\tcp.async.commit_group;\n\tcp.async.wait_group 1;\n");
	copy_form("cp.async with its mbarrier",
		"\t.shared .align 8 .b64 bar#;\n\tmov.u32 %word, %tid.x;\n\tsetp.eq.u32 %q, %word, 0;\n"
		"\t@%q mbarrier.init.shared.b64 [bar#], 128;\n\tbar.sync 0;\n\tcp.async.ca.shared.global",
		"", 16, 16,
		"\tcp.async.mbarrier.arrive.noinc.shared.b64 "
		"[bar#];\nwait:\n\tmbarrier.test_wait.parity.shared.b64 %q, [bar#], 0;\n"
		"\t@!%q bra wait;\n");
}

/* -- mbarriers: one of each thread's own in shared memory -- */

static bool ref_ones(const struct form *f, const uint64_t *in, uint64_t *out)
{
	for (uint32_t k = 0; k < f->outs; k++)
		out[k] = 1;
	return true;
}

static void barrier_form(const char *name, unsigned version, const char *target, const char *body)
{
	struct form *f = form_add(ref_ones, OUT(PRED, PRED, PRED), NO_INPUT, "%s", name);

	form_body(f,
		"\t{\n\t.shared .align 8 .b8 x#[1024];\n\t.reg .b64 %%p, %%state, %%other;\n\t.reg .b32 %%n, "
		"%%k;\n\t.reg .pred %%q;\n"
		"\tmov.u32 %%word, %%tid.x;\n\tmul.wide.u32 %%offset, %%word, 8;\n\tmov.u64 %%p, "
		"x#;\n\tadd.u64 %%p, %%p, %%offset;\n"
		"%s\t}\n",
		body);
	f->version = version;
	f->target = target;
}

static void barrier_forms(void)
{
	barrier_form("mbarrier: two arrivals complete a phase", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 2;\n\tmbarrier.arrive.shared.b64 %state, [%p];\n"
		"\tmbarrier.test_wait.shared.b64 %q, [%p], %state;\n\tnot.pred %r, "
		"%q;\n\tmbarrier.arrive.shared.b64 %other, [%p];\n"
		"\tmbarrier.test_wait.shared.b64 %s, [%p], %state;\n\tmbarrier.test_wait.shared.b64 %t, "
		"[%p], %other;\n");
	barrier_form("mbarrier: the next phase needs as many again", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 2;\n\tmbarrier.arrive.shared.b64 %state, [%p];\n"
		"\tmbarrier.arrive.shared.b64 %state, [%p];\n\tmbarrier.arrive.shared.b64 %state, [%p];\n"
		"\tmbarrier.test_wait.shared.b64 %q, [%p], %state;\n\tnot.pred %r, "
		"%q;\n\tmbarrier.arrive.shared.b64 %other, [%p];\n"
		"\tmbarrier.test_wait.shared.b64 %s, [%p], %state;\n\tsetp.eq.u32 %t, %i, %i;\n");
	barrier_form("mbarrier.pending_count", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 5;\n\tmbarrier.arrive.shared.b64 %state, "
		"[%p];\n\tmbarrier.pending_count.b64 %n, %state;\n"
		"\tsetp.eq.u32 %r, %n, 5;\n\tmbarrier.arrive.shared.b64 %state, "
		"[%p];\n\tmbarrier.pending_count.b64 %n, %state;\n"
		"\tsetp.eq.u32 %s, %n, 4;\n\tsetp.eq.u32 %t, %i, %i;\n");
	barrier_form("mbarrier.arrive.noComplete of several", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 4;\n\tmbarrier.arrive.noComplete.shared.b64 %state, [%p], "
		"3;\n"
		"\tmbarrier.test_wait.shared.b64 %q, [%p], %state;\n\tnot.pred %r, "
		"%q;\n\tmbarrier.arrive.shared.b64 %other, [%p];\n"
		"\tmbarrier.pending_count.b64 %n, %other;\n\tsetp.eq.u32 %s, %n, "
		"1;\n\tmbarrier.test_wait.shared.b64 %t, [%p], %state;\n");
	barrier_form("mbarrier.arrive_drop lowers the next phase's count", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 2;\n\tmbarrier.arrive_drop.shared.b64 %state, [%p];\n"
		"\tmbarrier.arrive.shared.b64 %state, [%p];\n\tmbarrier.test_wait.shared.b64 %r, [%p], "
		"%state;\n"
		"\tmbarrier.arrive.shared.b64 %state, [%p];\n\tmbarrier.test_wait.shared.b64 %s, [%p], "
		"%state;\n"
		"\tmbarrier.pending_count.b64 %n, %state;\n\tsetp.eq.u32 %t, %n, 1;\n");
	barrier_form("mbarrier.test_wait.parity", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 1;\n\tmbarrier.test_wait.parity.shared.b64 %q, [%p], "
		"0;\n\tnot.pred %r, %q;\n"
		"\tmbarrier.test_wait.parity.shared.b64 %s, [%p], 1;\n\tmbarrier.arrive.shared.b64 %state, "
		"[%p];\n"
		"\tmbarrier.test_wait.parity.shared.b64 %t, [%p], 0;\n");
	barrier_form("mbarrier.inval, and init again", 80, "sm_80",
		"\tmbarrier.init.shared.b64 [%p], 2;\n\tmbarrier.arrive.shared.b64 %state, "
		"[%p];\n\tmbarrier.inval.shared.b64 [%p];\n"
		"\tmbarrier.init.shared.b64 [%p], 1;\n\tmbarrier.arrive.shared.b64 %state, [%p];\n"
		"\tmbarrier.test_wait.shared.b64 %r, [%p], %state;\n\tsetp.eq.u32 %s, %i, %i;\n\tsetp.eq.u32 "
		"%t, %i, %i;\n");
	barrier_form("mbarrier.try_wait", 80, "sm_90",
		"\tmbarrier.init.shared::cta.b64 [%p], 1;\n\tmbarrier.arrive.shared::cta.b64 %state, [%p];\n"
		"\tmbarrier.try_wait.shared::cta.b64 %r, [%p], "
		"%state;\n\tmbarrier.try_wait.parity.shared::cta.b64 %s, [%p], 0;\n"
		"\tsetp.eq.u32 %t, %i, %i;\n");
	barrier_form("mbarrier.expect_tx and complete_tx", 80, "sm_90",
		"\tmbarrier.init.shared::cta.b64 [%p], 1;\n\tmbarrier.arrive.expect_tx.shared::cta.b64 "
		"%state, [%p], 16;\n"
		"\tmbarrier.test_wait.shared::cta.b64 %q, [%p], %state;\n\tnot.pred %r, %q;\n"
		"\tmbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%p], 16;\n"
		"\tmbarrier.test_wait.shared::cta.b64 %s, [%p], %state;\n\tsetp.eq.u32 %t, %i, %i;\n");
	barrier_form("mbarrier of the CTA in place of a barrier", 80, "sm_80",
		"\t.shared .align 8 .b64 all#;\n\tsetp.eq.u32 %q, %word, 0;\n\t@%q mbarrier.init.shared.b64 "
		"[all#], 128;\n\tbar.sync 0;\n"
		"\tst.shared.b32 [%p], %word;\n\tmbarrier.arrive.shared.b64 %state, [all#];\nwait:\n"
		"\tmbarrier.test_wait.shared.b64 %q, [all#], %state;\n\t@!%q bra wait;\n\txor.b32 %n, %word, "
		"127;\n"
		"\tmul.wide.u32 %offset, %n, 8;\n\tmov.u64 %p, x#;\n\tadd.u64 %p, %p, "
		"%offset;\n\tld.shared.b32 %k, [%p];\n"
		"\tsetp.eq.u32 %r, %k, %n;\n\tsetp.eq.u32 %s, %k, %n;\n\tsetp.eq.u32 %t, %k, %n;\n");
}

/* -- hints: what is stored is loaded, whatever stands between -- */

static bool ref_same(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0];
	return true;
}

static struct form *hint_form(const char *name, unsigned version, const char *target, const char *hint)
{
	struct form *f = form_add(ref_same, OUT(B32), IN(B32), "%s", name);

	form_body(f,
		"\t{\n\t.reg .b64 %%policy;\n\tst.global.b32 [%%m], %%a;\n%s\tld.global.b32 %%r, "
		"[%%m];\n\t}\n",
		hint);
	f->version = version;
	f->target = target;
	f->samples = 32;
	return f;
}

static void hint_forms(void)
{
	hint_form("prefetch.global.L1", 80, "sm_75", "\tprefetch.global.L1 [%m];\n");
	hint_form("prefetch.global.L2", 80, "sm_75", "\tprefetch.global.L2 [%m];\n");
	hint_form("prefetch.L1 generic", 80, "sm_75", "\tprefetch.L1 [%m];\n");
	hint_form("prefetch.global.L2::evict_last", 80, "sm_80", "\tprefetch.global.L2::evict_last [%m];\n");
	hint_form("prefetchu.L1", 80, "sm_75", "\tprefetchu.L1 [%m];\n");
	hint_form("applypriority", 80, "sm_80",
		"\tand.b64 %policy, %m, -128;\n\tapplypriority.global.L2::evict_normal [%policy], 128;\n");
	hint_form("createpolicy and cache hints", 80, "sm_80",
		"\tcreatepolicy.fractional.L2::evict_last.b64 %policy, 0.5;\n"
		"\tld.global.L2::cache_hint.b32 %word, [%m], %policy;\n\tst.global.L2::cache_hint.b32 [%m], "
		"%word, %policy;\n");
	hint_form("membar of each scope", 80, "sm_75", "\tmembar.cta;\n\tmembar.gl;\n\tmembar.sys;\n");
	hint_form("fence of each kind", 80, "sm_75", "\tfence.sc.sys;\n\tfence.acq_rel.cta;\n\tfence.gpu;\n");
	hint_form("fence.proxy", 80, "sm_90",
		"\tfence.proxy.async;\n\tfence.proxy.alias;\n\tfence.proxy.async.global;\n");
	hint_form("griddepcontrol", 80, "sm_90",
		"\tgriddepcontrol.launch_dependents;\n\tgriddepcontrol.wait;\n");
	hint_form("pmevent", 80, "sm_75", "\tpmevent 3;\n");
	hint_form(".pragma", 80, "sm_75", "\t.pragma \"nounroll\";\n");
	form_prelude(hint_form(".loc", 80, "sm_75", "\t.loc 1 5 0\n"), ".file 1 \"source.cu\"\n");
}

/* -- memory from the stack -- */

static bool ref_stack(const struct form *f, const uint64_t *in, uint64_t *out)
{
	out[0] = in[0];
	out[1] = ~in[0] & 0xffffffff;
	return true;
}

static void stack_forms(void)
{
	struct form *f = form_add(ref_stack, OUT(B32, B32), IN(B32), "alloca twice");

	form_body(f, "\t{\n\t.reg .b64 %%p, %%q, %%size, %%top;\n\tmov.b64 %%size, 48;\n\tstacksave.u64 "
		     "%%top;\n\talloca.u64 %%p, %%size;\n"
		     "\talloca.u64 %%q, 16, 16;\n\tnot.b32 %%word, %%a;\n\tst.local.b32 [%%p+44], "
		     "%%a;\n\tst.local.b32 [%%q], %%word;\n"
		     "\tst.local.b32 [%%q+12], %%word;\n\tld.local.b32 %%r, [%%p+44];\n\tld.local.b32 %%s, "
		     "[%%q+12];\n"
		     "\tstackrestore.u64 %%top;\n\t}\n");
}

/* -- clusters: a launch without clusters is one of clusters of one CTA -- */

static void cluster_forms(void)
{
	static const struct {
		const char *name;
		unsigned value;
	} registers[] = { { "%cluster_ctarank", 0 }, { "%cluster_nctarank", 1 }, { "%cluster_nctaid.x", 1 },
		{ "%cluster_ctaid.x", 0 } };
	struct form *f;

	for (int i = 0; i < 4; i++) {
		f = form_add(ref_ones, OUT(PRED), NO_INPUT, "mov.u32 %s", registers[i].name);
		form_body(f, "\tmov.u32 %%word, %s;\n\tsetp.eq.u32 %%r, %%word, %u;\n", registers[i].name,
			registers[i].value);
		f->target = "sm_90";
	}
	f = form_add(ref_ones, OUT(PRED), NO_INPUT, "mov.pred %%is_explicit_cluster");
	form_body(f, "\t{\n\t.reg .pred %%q;\n\tmov.pred %%q, %%is_explicit_cluster;\n\tnot.pred %%r, "
		     "%%q;\n\t}\n");
	f->target = "sm_90";
	f = form_add(ref_ones, OUT(PRED), NO_INPUT, "barrier.cluster");
	form_body(f, "\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;\n\tbarrier.cluster.arrive.release;\n"
		     "\tbarrier.cluster.wait.acquire;\n\tsetp.eq.u32 %%r, %%i, %%i;\n");
	f->target = "sm_90";
	f = form_add(ref_ones, OUT(PRED, PRED), NO_INPUT, "mapa and getctarank of this CTA");
	form_body(f, "\t{\n\t.shared .align 4 .b8 x#[512];\n\t.reg .b64 %%p, %%q;\n\t.reg .b32 "
		     "%%n;\n\tmov.u32 %%word, %%tid.x;\n"
		     "\tmul.wide.u32 %%offset, %%word, 4;\n\tmov.u64 %%p, x#;\n\tadd.u64 %%p, %%p, "
		     "%%offset;\n\tst.shared.b32 [%%p], %%word;\n"
		     "\tmov.u32 %%n, 0;\n\tmapa.shared::cluster.u64 %%q, %%p, %%n;\n\tld.shared::cluster.b32 "
		     "%%n, [%%q];\n"
		     "\tsetp.eq.u32 %%r, %%n, %%word;\n\tgetctarank.shared::cluster.u64 %%n, "
		     "%%q;\n\tsetp.eq.u32 %%s, %%n, 0;\n\t}\n");
	f->target = "sm_90";
}

/* -- bulk copies: thread 0 copies the operands of the CTA into shared memory -- */

static void ref_bulk(const struct form *f, struct tuples *t)
{
	for (uint32_t i = 0; i < t->count; i++)
		t->want[0][i] = t->in[0][i] & 0xffffffff;
}

static void bulk_forms(void)
{
	struct form *f =
		form_add(NULL, OUT(B32), IN(B64), "cp.async.bulk to shared memory with its mbarrier");

	/* the operands of the CTA, 8 bytes a thread: %in has moved behind them */
	form_body(f, "\t{\n\t.shared .align 16 .b8 x#[1024];\n\t.shared .align 8 .b64 bar#;\n\t.reg .b64 "
		     "%%p, %%source;\n\t.reg .pred %%first, %%q;\n"
		     "\tmov.u32 %%word, %%tid.x;\n\tsetp.eq.u32 %%first, %%word, 0;\n\tmul.wide.u32 "
		     "%%offset, %%word, 8;\n"
		     "\tsub.u64 %%source, %%in, %%step;\n\tsub.u64 %%source, %%source, %%offset;\n"
		     "\t@%%first mbarrier.init.shared::cta.b64 [bar#], 1;\n\tbar.sync 0;\n"
		     "\t@%%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar#], 1024;\n"
		     "\t@%%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x#], "
		     "[%%source], 1024, [bar#];\nwait:\n"
		     "\tmbarrier.try_wait.parity.shared::cta.b64 %%q, [bar#], 0;\n\t@!%%q bra "
		     "wait;\n\tmov.u64 %%p, x#;\n"
		     "\tadd.u64 %%p, %%p, %%offset;\n\tld.shared.b32 %%r, [%%p];\n\t}\n");
	f->reference_all = ref_bulk;
	f->target = "sm_90";
	f->samples = 256;
}

void async_forms(void)
{
	copy_forms();
	barrier_forms();
	hint_forms();
	stack_forms();
	cluster_forms();
	bulk_forms();
}
