/* tests/unit/memsys/l2/test_l2_dram_inputs.c -- the two inputs of the DRAM channel of an L2 slice: which
 * packets take which, and the notice when a request of the first input merges with a fetch of the last. */
#include "l2_rig.h"

/* The reads of warp 7 take the first input. */
static uint32_t by_warp(const void *context, const struct packet *request)
{
	return request->by.warp != 7;
}

/* A slice whose packets to DRAM stay in its ports, and the requests of a script, which all enter. */
static void enter(const struct script *script, uint32_t n, bool raises)
{
	struct l2_config c = config();

	c.mshr_merge = 8;
	build(&c);
	l2_set_dram_inputs(slice, 2, by_warp, NULL);
	if (raises)
		l2_raise_merged(slice);
	ports = l2_ports(slice);
	ports.dram[1]->consumer = ports.dram[0]->consumer;
	dram.blocked_until = SIM_NEVER;
	driver.script = script;
	driver.count = n;
	stop = false;
	sim_run(sim, &stop, 1000 * 200);
	cr_assert_eq(driver.next, n);
}
#define ENTER(script, raises) enter(script, sizeof(script) / sizeof((script)[0]), raises)

static void leave(void)
{
	l2_free(slice);
	sim_free(sim);
	stat_tree_free(stats);
	packet_pool_fini(&pool);
}

static struct packet *taken(uint32_t input, enum packet_kind kind, addr local)
{
	struct packet *p;

	cr_assert(!port_is_empty(ports.dram[input]), "nothing on input %u", input);
	p = port_pop(ports.dram[input]);
	cr_assert_eq(p->kind, kind);
	cr_assert_eq(p->local, local);
	return p;
}

Test(l2_dram_inputs, a_read_takes_the_input_of_its_request_and_a_write_the_last)
{
	/* lines 0, 4 and 8 share a set of two lines: the third evicts the first, which is dirty */
	const struct script script[] = {
		{ .at = 0,
			.kind = PACKET_WRITE,
			.local = 0,
			.bytes = 128,
			.warp = 7,
			.mask = { UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX } },
		{ .at = 1, .kind = PACKET_READ, .local = 512, .bytes = 128, .warp = 1 },
		{ .at = 2, .kind = PACKET_READ, .local = 1024, .bytes = 128, .warp = 7 },
	};

	ENTER(script, false);
	packet_free(taken(0, PACKET_READ, 1024));
	packet_free(taken(1, PACKET_READ, 512));
	packet_free(taken(1, PACKET_WRITE, 0));
	cr_assert(port_is_empty(ports.dram[0]) && port_is_empty(ports.dram[1]));
	leave();
}

Test(l2_dram_inputs, a_full_last_input_leaves_the_first_free)
{
	struct script script[10];
	struct l2_config c = config();

	for (uint32_t i = 0; i < 10; i++)
		script[i] = (struct script){
			.at = i, .kind = PACKET_READ, .local = i * 128, .bytes = 128, .warp = i == 9 ? 7 : 1
		};
	c.dram_queue = 2;
	c.mshrs = 16;
	c.banks = 16; /* since a bank serves its requests in order */
	c.sets = 16;
	build(&c);
	l2_set_dram_inputs(slice, 2, by_warp, NULL);
	ports = l2_ports(slice);
	ports.dram[1]->consumer = ports.dram[0]->consumer;
	dram.blocked_until = SIM_NEVER;
	driver.script = script;
	driver.count = 10;
	stop = false;
	sim_run(sim, &stop, 1000 * 200);
	cr_assert_eq(ports.dram[1]->count, 2);
	packet_free(taken(0, PACKET_READ, 9 * 128));
	leave();
}

Test(l2_dram_inputs, one_notice_when_the_first_request_of_priority_merges)
{
	const struct script script[] = {
		{ .at = 0, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 1 },
		{ .at = 1, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 2 },
		{ .at = 2, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 7 },
		{ .at = 3, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 7 },
		{ .at = 4, .kind = PACKET_READ, .local = 384, .bytes = 128, .warp = 7 },
		{ .at = 5, .kind = PACKET_READ, .local = 384, .bytes = 128, .warp = 7 },
	};
	struct packet *fetch, *notice;

	ENTER(script, true);
	cr_assert_eq(count("merged"), 4);
	fetch = taken(1, PACKET_READ, 256);
	notice = taken(0, PACKET_RAISE, 256);
	cr_assert_eq(notice->token, fetch->token);
	packet_free(fetch);
	packet_free(notice);
	packet_free(taken(0, PACKET_READ, 384));
	cr_assert(port_is_empty(ports.dram[0]) && port_is_empty(ports.dram[1]));
	cr_assert_eq(count("raise_notices"), 1);
	cr_assert_eq(count("raise_dropped"), 0);
	leave();
}

Test(l2_dram_inputs, without_the_variant_there_is_no_notice)
{
	const struct script script[] = {
		{ .at = 0, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 1 },
		{ .at = 2, .kind = PACKET_READ, .local = 256, .bytes = 128, .warp = 7 },
	};

	ENTER(script, false);
	cr_assert_eq(count("merged"), 1);
	cr_assert(port_is_empty(ports.dram[0]));
	leave();
}
