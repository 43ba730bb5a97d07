/* Stores that wait for the end of their epoch: what loads see of them, and the order in which they take
 * effect. */
#include "core/lookahead/pending.h"
#include "frontend/module.h"
#include "tests/unit/core/exec_rig.h"
#include <signal.h>

static struct rig r;
static struct pending_stores pending;
static struct device_memory *memory;
static addr a;

static void free_memory(void)
{
	memory_free(memory);
	memory = NULL;
}

TestSuite(pending, .fini = free_memory);

static void start(void)
{
	rig_init(&r);
	pending = (struct pending_stores){ 0 };
	if (!memory) {
		memory = memory_new(1 << 24);
		a = memory_allocate(memory, 8192, 0);
	}
	r.x.memory = memory;
	r.x.forward = pending_forward;
	memset(memory_host(a), 0x55, 8192);
}

static const struct uop store_word = {
	.code = UOP_ST, .src = { 4, 2 }, .bytes = 4, .reg_bytes = 4, .vector = 1
};
static const struct uop load_word = {
	.code = UOP_LD, .dst = { 6 }, .src = { 4 }, .bytes = 4, .reg_bytes = 4, .vector = 1
};

/* Lane l stores `first` + l at base + stride * l, in this cycle. */
static void store(const exec_function *table, addr base, unsigned stride, uint32_t first, cycles now)
{
	for (unsigned l = 0; l < 32; l++) {
		rig_set(&r, 4, 8, l, base + l * stride);
		rig_set(&r, 2, 4, l, first + l);
	}
	rig_run(&r, table, &store_word, UINT32_MAX);
	cr_assert_not(r.x.faulted);
	pending_take(&pending, &r.x, now);
	r.x.pending = &pending;
}

Test(pending, a_load_sees_what_was_stored_before_and_memory_does_not)
{
	for_each_level(table)
	{
		start();
		store(table, a, 8, 1000, 1);
		store(table, a + 128, 8, 2000, 2);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 4, 8, l, a + 4 * l);
		rig_run(&r, table, &load_word, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(rig_get(&r, 6, 4, l), l % 2 ? 0x55555555 : 1000 + l / 2, "lane %u", l);
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 4, 8, l, a + 128 + 8 * l);
		rig_run(&r, table, &load_word, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(rig_get(&r, 6, 4, l), 2000 + l, "the later of two stores, lane %u", l);
		cr_assert_eq(*(uint32_t *)memory_host(a), 0x55555555);
		pending_fini(&pending);
	}
}

Test(pending, parts_of_words_are_put_together_and_extended)
{
	for_each_level(table)
	{
		struct uop part = load_word;

		start();
		store(table, a, 4, 0x11228000, 1);
		part.bytes = 2;
		part.flags = UOP_SIGN_EXTEND;
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 4, 8, l, a + 4 * l);
		rig_run(&r, table, &part, UINT32_MAX);
		cr_assert_eq(rig_get(&r, 6, 4, 3), 0xffff8003, "a signed half");
		part.bytes = 8;
		part.reg_bytes = 8;
		part.flags = 0;
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 4, 8, l, a + 120);
		rig_run(&r, table, &part, UINT32_MAX);
		cr_assert_eq(rig_get(&r, 6, 8, 9), UINT64_C(0x1122801f1122801e));
		for (unsigned l = 0; l < 32; l++)
			rig_set(&r, 4, 8, l, a + 128);
		rig_run(&r, table, &part, UINT32_MAX);
		cr_assert_eq(rig_get(&r, 6, 8, 9), UINT64_C(0x5555555555555555), "nobody has stored there");
		pending_fini(&pending);
	}
}

/* The next store of that cycle, if there is one, takes effect. */
static bool apply(cycles cycle)
{
	const struct exec_write *write = pending_take_next(&pending, cycle);

	if (write)
		exec_apply(&r.x, write);
	return write != NULL;
}

Test(pending, stores_take_effect_cycle_by_cycle)
{
	start();
	store(rig_level(0), a, 4, 100, 7);
	store(rig_level(0), a, 4, 200, 7);
	store(rig_level(0), a, 4, 300, 9);
	cr_assert_eq(pending_next(&pending), 7);
	cr_assert_not(apply(6));
	cr_assert(apply(7));
	cr_assert_eq(*(uint32_t *)memory_host(a), 100);
	cr_assert(apply(7));
	cr_assert_not(apply(7));
	cr_assert_eq(*(uint32_t *)memory_host(a), 200);
	cr_assert(apply(9));
	cr_assert_eq(pending_next(&pending), SIM_NEVER);
	pending_clear(&pending);
	cr_assert_eq(pending.count, 0);
	*(uint32_t *)memory_host(a) = 1;
	store(rig_level(0), a + 4096, 4, 400, 20);
	for (unsigned l = 0; l < 32; l++)
		rig_set(&r, 4, 8, l, l ? a + 4096 : a);
	rig_run(&r, rig_level(0), &load_word, UINT32_MAX);
	cr_assert_eq(rig_get(&r, 6, 4, 0), 1, "what was forgotten is not seen any more");
	pending_fini(&pending);
}

Test(pending, stores_are_not_forgotten_before_they_take_effect, .signal = SIGABRT)
{
	start();
	store(rig_level(0), a, 4, 100, 7);
	pending_clear(&pending);
}
