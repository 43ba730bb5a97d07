/* tests/ptx/conformance/memory/async.c -- asynchronous copies, mbarriers, hints without effect on values,
 * stack memory, clusters of one CTA. */
#include <stdio.h>
#include "../suite/conform.h"

enum { CTA = 128 };

/* %p: 16 bytes of shared memory of the thread's own, all ones; 16 bytes of global memory at %m hold {a, b}.
 */
static const char begin[] =
	"{ .shared .align 16 .b8 x#[2048]; .reg .b64 %p, %ones; .reg .b32 %size; .reg .pred %q; "
	"mov.u32 %word, %tid.x; mul.wide.u32 %offset, %word, 16; mov.u64 %p, x#; add.u64 %p, %p, %offset; "
	"mov.b64 %ones, -1; st.shared.v2.b64 [%p], {%ones, %ones}; st.global.v2.b64 [%m], {%a, %b}; ";
static const char end[] = "ld.shared.v2.b64 {%r, %s}, [%p]; } ";

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

	form_body(f, "%s%s [%%p], [%%m], %d%s; %s%s", begin, instruction, bytes, behind, wait, end);
	f->tag[0] = bytes;
	f->tag[1] = from;
	f->values[2] = &list;
	f->target = "sm_80";
	f->samples = 256;
	return f;
}

static void copy_forms(void)
{
	static const char group[] = "cp.async.commit_group; cp.async.wait_group 0; ",
			  all[] = "cp.async.wait_all; ";
	struct form *f;

	copy_form("cp.async.ca.shared.global 4", "cp.async.ca.shared.global", "", 4, 4, group);
	copy_form("cp.async.ca.shared.global 8", "cp.async.ca.shared.global", "", 8, 8, group);
	copy_form("cp.async.ca.shared.global 16", "cp.async.ca.shared.global", "", 16, 16, all);
	copy_form("cp.async.cg.shared.global 16", "cp.async.cg.shared.global", "", 16, 16, group);
	copy_form("cp.async.cg.shared.global.L2::128B 16", "cp.async.cg.shared.global.L2::128B", "", 16, 16,
		all);
	copy_form("cp.async.ca.shared::cta.global 4", "cp.async.ca.shared::cta.global", "", 4, 4, group);
	copy_form("cp.async.ca.shared.global 4 of fewer bytes", "cp.async.ca.shared.global", ", %c", 4, -1,
		group);
	copy_form("cp.async.ca.shared.global 8 of fewer bytes", "cp.async.ca.shared.global", ", %c", 8, -1,
		group);
	copy_form("cp.async.cg.shared.global 16 of fewer bytes", "cp.async.cg.shared.global", ", %c", 16, -1,
		all);
	copy_form("cp.async.cg.shared.global 16 of none", "cp.async.cg.shared.global", ", 0", 16, 0, all);
	f = copy_form("cp.async.ca.shared.global 8, source ignored",
		"setp.eq.b32 %q, %i, %i; cp.async.ca.shared.global", ", %q", 8, 0, all);
	f->version = 83;
	f = copy_form("cp.async.ca.shared.global 8, source not ignored",
		"setp.ne.b32 %q, %i, %i; cp.async.ca.shared.global", ", %q", 8, 8, all);
	f->version = 83;
	copy_form("cp.async.wait_group with a younger group pending", "cp.async.ca.shared.global", "", 8, 8,
		"cp.async.commit_group; cp.async.commit_group; cp.async.wait_group 1; ");
	copy_form("cp.async with its mbarrier",
		".shared .align 8 .b64 bar#; mov.u32 %word, %tid.x; setp.eq.u32 %q, %word, 0; "
		"@%q mbarrier.init.shared.b64 [bar#], 128; bar.sync 0; cp.async.ca.shared.global",
		"", 16, 16,
		"cp.async.mbarrier.arrive.noinc.shared.b64 [bar#]; "
		"wait: mbarrier.test_wait.parity.shared.b64 %q, [bar#], 0; @!%q bra wait; ");
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
		"{ .shared .align 8 .b8 x#[1024]; .reg .b64 %%p, %%state, %%other; .reg .b32 %%n, %%k; "
		".reg .pred %%q; mov.u32 %%word, %%tid.x; mul.wide.u32 %%offset, %%word, 8; "
		"mov.u64 %%p, x#; add.u64 %%p, %%p, %%offset; %s} ",
		body);
	f->version = version;
	f->target = target;
}

static void barrier_forms(void)
{
	barrier_form("mbarrier: two arrivals complete a phase", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 2; mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.test_wait.shared.b64 %q, [%p], %state; not.pred %r, %q; "
		"mbarrier.arrive.shared.b64 %other, [%p]; mbarrier.test_wait.shared.b64 %s, [%p], %state; "
		"mbarrier.test_wait.shared.b64 %t, [%p], %other; ");
	barrier_form("mbarrier: the next phase needs as many again", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 2; mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.arrive.shared.b64 %state, [%p]; mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.test_wait.shared.b64 %q, [%p], %state; not.pred %r, %q; "
		"mbarrier.arrive.shared.b64 %other, [%p]; mbarrier.test_wait.shared.b64 %s, [%p], %state; "
		"setp.eq.u32 %t, %i, %i; ");
	barrier_form("mbarrier.pending_count", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 5; mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.pending_count.b64 %n, %state; setp.eq.u32 %r, %n, 5; "
		"mbarrier.arrive.shared.b64 %state, [%p]; mbarrier.pending_count.b64 %n, %state; "
		"setp.eq.u32 %s, %n, 4; setp.eq.u32 %t, %i, %i; ");
	barrier_form("mbarrier.arrive.noComplete of several", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 4; mbarrier.arrive.noComplete.shared.b64 %state, [%p], 3; "
		"mbarrier.test_wait.shared.b64 %q, [%p], %state; not.pred %r, %q; "
		"mbarrier.arrive.shared.b64 %other, [%p]; mbarrier.pending_count.b64 %n, %other; "
		"setp.eq.u32 %s, %n, 1; mbarrier.test_wait.shared.b64 %t, [%p], %state; ");
	barrier_form("mbarrier.arrive_drop lowers the next phase's count", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 2; mbarrier.arrive_drop.shared.b64 %state, [%p]; "
		"mbarrier.arrive.shared.b64 %state, [%p]; mbarrier.test_wait.shared.b64 %r, [%p], %state; "
		"mbarrier.arrive.shared.b64 %state, [%p]; mbarrier.test_wait.shared.b64 %s, [%p], %state; "
		"mbarrier.pending_count.b64 %n, %state; setp.eq.u32 %t, %n, 1; ");
	barrier_form("mbarrier.test_wait.parity", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 1; mbarrier.test_wait.parity.shared.b64 %q, [%p], 0; "
		"not.pred %r, %q; mbarrier.test_wait.parity.shared.b64 %s, [%p], 1; "
		"mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.test_wait.parity.shared.b64 %t, [%p], 0; ");
	barrier_form("mbarrier.inval, and init again", 80, "sm_80",
		"mbarrier.init.shared.b64 [%p], 2; mbarrier.arrive.shared.b64 %state, [%p]; "
		"mbarrier.inval.shared.b64 [%p]; mbarrier.init.shared.b64 [%p], 1; "
		"mbarrier.arrive.shared.b64 %state, [%p]; mbarrier.test_wait.shared.b64 %r, [%p], %state; "
		"setp.eq.u32 %s, %i, %i; setp.eq.u32 %t, %i, %i; ");
	barrier_form("mbarrier.try_wait", 80, "sm_90",
		"mbarrier.init.shared::cta.b64 [%p], 1; mbarrier.arrive.shared::cta.b64 %state, [%p]; "
		"mbarrier.try_wait.shared::cta.b64 %r, [%p], %state; "
		"mbarrier.try_wait.parity.shared::cta.b64 %s, [%p], 0; setp.eq.u32 %t, %i, %i; ");
	barrier_form("mbarrier.expect_tx and complete_tx", 80, "sm_90",
		"mbarrier.init.shared::cta.b64 [%p], 1; "
		"mbarrier.arrive.expect_tx.shared::cta.b64 %state, [%p], 16; "
		"mbarrier.test_wait.shared::cta.b64 %q, [%p], %state; not.pred %r, %q; "
		"mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%p], 16; "
		"mbarrier.test_wait.shared::cta.b64 %s, [%p], %state; setp.eq.u32 %t, %i, %i; ");
	barrier_form("mbarrier of the CTA in place of a barrier", 80, "sm_80",
		".shared .align 8 .b64 all#; setp.eq.u32 %q, %word, 0; "
		"@%q mbarrier.init.shared.b64 [all#], 128; bar.sync 0; st.shared.b32 [%p], %word; "
		"mbarrier.arrive.shared.b64 %state, [all#]; "
		"wait: mbarrier.test_wait.shared.b64 %q, [all#], %state; @!%q bra wait; "
		"xor.b32 %n, %word, 127; mul.wide.u32 %offset, %n, 8; mov.u64 %p, x#; "
		"add.u64 %p, %p, %offset; ld.shared.b32 %k, [%p]; setp.eq.u32 %r, %k, %n; "
		"setp.eq.u32 %s, %k, %n; setp.eq.u32 %t, %k, %n; ");
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

	form_body(f, "{ .reg .b64 %%policy; st.global.b32 [%%m], %%a; %sld.global.b32 %%r, [%%m]; } ", hint);
	f->version = version;
	f->target = target;
	f->samples = 32;
	return f;
}

static void hint_forms(void)
{
	hint_form("prefetch.global.L1", 80, "sm_75", "prefetch.global.L1 [%m]; ");
	hint_form("prefetch.global.L2", 80, "sm_75", "prefetch.global.L2 [%m]; ");
	hint_form("prefetch.L1 generic", 80, "sm_75", "prefetch.L1 [%m]; ");
	hint_form("prefetch.global.L2::evict_last", 80, "sm_80", "prefetch.global.L2::evict_last [%m]; ");
	hint_form("prefetchu.L1", 80, "sm_75", "prefetchu.L1 [%m]; ");
	hint_form("applypriority", 80, "sm_80",
		"and.b64 %policy, %m, -128; applypriority.global.L2::evict_normal [%policy], 128; ");
	hint_form("createpolicy and cache hints", 80, "sm_80",
		"createpolicy.fractional.L2::evict_last.b64 %policy, 0.5; "
		"ld.global.L2::cache_hint.b32 %word, [%m], %policy; "
		"st.global.L2::cache_hint.b32 [%m], %word, %policy; ");
	hint_form("membar of each scope", 80, "sm_75", "membar.cta; membar.gl; membar.sys; ");
	hint_form("fence of each kind", 80, "sm_75", "fence.sc.sys; fence.acq_rel.cta; fence.gpu; ");
	hint_form("fence.proxy", 80, "sm_90",
		"fence.proxy.async; fence.proxy.alias; fence.proxy.async.global; ");
	hint_form("griddepcontrol", 80, "sm_90", "griddepcontrol.launch_dependents; griddepcontrol.wait; ");
	hint_form("pmevent", 80, "sm_75", "pmevent 3; ");
	hint_form(".pragma", 80, "sm_75", ".pragma \"nounroll\"; ");
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

	form_body(f,
		"{ .reg .b64 %%p, %%q, %%size, %%top; mov.b64 %%size, 48; stacksave.u64 %%top; "
		"alloca.u64 %%p, %%size; alloca.u64 %%q, 16, 16; not.b32 %%word, %%a; "
		"st.local.b32 [%%p+44], %%a; st.local.b32 [%%q], %%word; st.local.b32 [%%q+12], %%word; "
		"ld.local.b32 %%r, [%%p+44]; ld.local.b32 %%s, [%%q+12]; stackrestore.u64 %%top; } ");
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
		form_body(f, "mov.u32 %%word, %s; setp.eq.u32 %%r, %%word, %u; ", registers[i].name,
			registers[i].value);
		f->target = "sm_90";
	}
	f = form_add(ref_ones, OUT(PRED), NO_INPUT, "mov.pred %%is_explicit_cluster");
	form_body(f, "{ .reg .pred %%q; mov.pred %%q, %%is_explicit_cluster; not.pred %%r, %%q; } ");
	f->target = "sm_90";
	f = form_add(ref_ones, OUT(PRED), NO_INPUT, "barrier.cluster");
	form_body(f,
		"barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive.release; "
		"barrier.cluster.wait.acquire; setp.eq.u32 %%r, %%i, %%i; ");
	f->target = "sm_90";
	f = form_add(ref_ones, OUT(PRED, PRED), NO_INPUT, "mapa and getctarank of this CTA");
	form_body(f,
		"{ .shared .align 4 .b8 x#[512]; .reg .b64 %%p, %%q; .reg .b32 %%n; "
		"mov.u32 %%word, %%tid.x; mul.wide.u32 %%offset, %%word, 4; mov.u64 %%p, x#; "
		"add.u64 %%p, %%p, %%offset; st.shared.b32 [%%p], %%word; mov.u32 %%n, 0; "
		"mapa.shared::cluster.u64 %%q, %%p, %%n; ld.shared::cluster.b32 %%n, [%%q]; "
		"setp.eq.u32 %%r, %%n, %%word; getctarank.shared::cluster.u64 %%n, %%q; "
		"setp.eq.u32 %%s, %%n, 0; } ");
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
	form_body(f,
		"{ .shared .align 16 .b8 x#[1024]; .shared .align 8 .b64 bar#; .reg .b64 %%p, %%source; "
		".reg .pred %%first, %%q; mov.u32 %%word, %%tid.x; setp.eq.u32 %%first, %%word, 0; "
		"mul.wide.u32 %%offset, %%word, 8; sub.u64 %%source, %%in, %%step; "
		"sub.u64 %%source, %%source, %%offset; @%%first mbarrier.init.shared::cta.b64 [bar#], 1; "
		"bar.sync 0; @%%first mbarrier.arrive.expect_tx.shared::cta.b64 _, [bar#], 1024; "
		"@%%first cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [x#], "
		"[%%source], 1024, [bar#]; "
		"wait: mbarrier.try_wait.parity.shared::cta.b64 %%q, [bar#], 0; @!%%q bra wait; "
		"mov.u64 %%p, x#; add.u64 %%p, %%p, %%offset; ld.shared.b32 %%r, [%%p]; } ");
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
