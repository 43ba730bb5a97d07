/* tests/unit/memsys/l2/test_l2_flush.c -- a kernel that starts alone finds an L2 with l2.flush empty. */
#include "l2_rig.h"
#include "memsys/listener.h"

static struct cache_listener listener;
static uint32_t evictions, dirty;

static void note(void *user, const struct eviction_event *e)
{
	(void)user;
	cr_expect_eq(e->cause, EVICTED_BY_INVALIDATION);
	evictions++;
	dirty += e->is_dirty;
}

/* Reads of a line before and after a kernel starts: how many of them go to DRAM. */
static uint32_t reads_around_a_start(bool flush, bool alone)
{
	static const struct script first[] = { READ(0, 0, 128), FULL_WRITE(50, 512) },
				   second[] = { READ(0, 0, 128), READ(0, 512, 32) };
	struct l2_config c = config();
	uint32_t reads;

	evictions = dirty = 0;
	c.flush = flush;
	build(&c);
	listener = (struct cache_listener){ .evicted = note };
	l2_listen(slice, &listener);
	PLAY(first);
	l2_kernel_started(slice, "kernel", 1, alone);
	driver.next = 0;
	memset(driver.replied, 0, sizeof(driver.replied));
	component_wake(&driver.component);
	PLAY(second);
	reads = dram.reads;
	cr_expect_eq(dram.writes, 0, "what was dirty counts as written back before");
	destroy();
	return reads;
}

Test(l2_flush, a_kernel_that_starts_alone_finds_it_empty)
{
	cr_expect_eq(reads_around_a_start(true, true), 3);
	cr_expect_eq(evictions, 2);
	cr_expect_eq(dirty, 1);
}

Test(l2_flush, otherwise_lines_stay)
{
	cr_expect_eq(reads_around_a_start(true, false), 1);
	cr_expect_eq(reads_around_a_start(false, true), 1);
	cr_expect_eq(evictions, 0);
}
