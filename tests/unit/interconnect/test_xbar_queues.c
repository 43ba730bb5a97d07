/* tests/unit/interconnect/test_xbar_queues.c -- arbitration, virtual output queues, and random traffic. */
#include "tests/unit/interconnect/xbar_rig.h"

static void run(struct rig *r)
{
	bool stop = false;

	cr_assert(!sim_run(r->sim, &stop, SIM_NEVER));
}

static uint64_t random_number(struct rig *r)
{
	r->seed ^= r->seed >> 12;
	r->seed ^= r->seed << 25;
	r->seed ^= r->seed >> 27;
	return r->seed * UINT64_C(2685821657736338717) >> 16;
}

Test(xbar, a_busy_link_moves_a_flit_every_cycle)
{
	struct rig *r = rig_new(config_of(4, 4), 1, 1);

	r->feed = feed_output_0;
	r->limit = 1000;
	component_wake(&r->source);
	run(r);
	/* granted at 0, 5, ... 4995; the last arrives at 4995 + 8 and is seen in that cycle */
	cr_assert_eq(r->last_cycle, 5003);
	cr_assert_eq(stat(r, "flits"), 5000);
	cr_assert_float_eq(stat_value(r->stats, NULL, "xbar.utilisation"), 5000 / 5003.0, 1e-9);
	rig_free(r);
}

Test(xbar, the_age_arbiter_takes_the_packet_issued_first)
{
	struct rig_config config = config_of(0, 4);
	struct rig *r;

	config.xbar.arbiter = NETWORK_AGE;
	r = rig_new(config, 3, 1);
	r->is_sinking = false;
	for (uint32_t i = 0; i < 3; i++) {
		push(r, i, 0, 8);
		r->in[i].ring[0]->sent = 30 - 10 * i;
	}
	run_through(r, 2);
	for (uint32_t i = 0; i < 3; i++) {
		struct packet *p = port_pop(&r->out[0]);

		cr_assert_eq(p->by.sm, 2 - i);
		packet_free(p);
	}
	rig_free(r);
}

Test(xbar, with_virtual_output_queues_a_blocked_packet_blocks_only_its_own_output)
{
	struct rig_config config = config_of(1, 2);
	struct rig *r;

	config.xbar.voq = true;
	r = rig_new(config, 1, 2);
	r->is_sinking = false;
	push(r, 0, 0, 8);
	push(r, 0, 0, 8);
	run_through(r, 10);
	push(r, 0, 0, 8); /* output 0 is full */
	push(r, 0, 1, 8); /* passes it: granted at 11, arrives at 12 */
	run_through(r, 11);
	cr_assert_eq(r->out[1].count, 0);
	run_through(r, 12);
	cr_assert_eq(r->out[1].count, 1);
	cr_assert_eq(r->in[0].count, 1);
	cr_assert_eq(port_peek(&r->in[0])->route, 0);
	packet_free(port_pop(&r->out[0])); /* between 12 and 13: granted at 13, arrives at 14 */
	run_through(r, 14);
	cr_assert_eq(r->out[0].count, 2);
	cr_assert_eq(stat(r, "wait_output_full"), 2);
	rig_free(r);
}

Test(xbar, with_virtual_output_queues_an_input_still_sends_one_packet_at_a_time)
{
	struct rig_config config = config_of(0, 4);
	struct rig *r;

	config.xbar.voq = true;
	r = rig_new(config, 1, 2);
	r->is_sinking = false;
	push(r, 0, 0, 136); /* granted at 0, arrives at 4 */
	push(r, 0, 1, 136); /* granted at 5, arrives at 9 */
	run_through(r, 8);
	cr_assert_eq(r->out[0].count, 1);
	cr_assert_eq(r->out[1].count, 0);
	run_through(r, 9);
	cr_assert_eq(r->out[1].count, 1);
	cr_assert_eq(stat(r, "wait_output_busy"), 5);
	rig_free(r);
}

/* Two inputs with packets for both outputs. Cycle 0: both outputs grant to input 0, which accepts output 0;
 * output 1's pointer stays, since it was not accepted. Cycle 1: output 0 grants to input 1, output 1 to input
 * 0: two packets a cycle from here on. Were output 1's pointer to move, both outputs would always grant to
 * the same input. */
Test(islip, pointers_move_only_when_a_grant_is_accepted)
{
	struct rig_config config = config_of(0, 16);
	struct rig *r;

	config.xbar =
		(struct network_config){ .flit = 32, .arbiter = NETWORK_ISLIP, .voq = true, .iterations = 1 };
	r = rig_new(config, 2, 2);
	r->is_sinking = false;
	for (uint32_t n = 0; n < 4; n++)
		for (uint32_t i = 0; i < 4; i++)
			push(r, i / 2, i % 2, 8);
	for (uint32_t cycle = 0; cycle < 8; cycle++) {
		run_through(r, cycle);
		cr_assert_eq(stat(r, "delivered"), 1 + 2 * cycle, "cycle %u", cycle);
	}
	rig_free(r);
}

/* The same: in a second round output 1 grants to input 1. */
Test(islip, a_second_round_matches_those_left_over)
{
	struct rig_config config = config_of(0, 16);
	struct rig *r;

	config.xbar =
		(struct network_config){ .flit = 32, .arbiter = NETWORK_ISLIP, .voq = true, .iterations = 2 };
	r = rig_new(config, 2, 2);
	r->is_sinking = false;
	for (uint32_t i = 0; i < 4; i++)
		push(r, i / 2, i % 2, 8);
	run_through(r, 0);
	cr_assert_eq(stat(r, "delivered"), 2);
	rig_free(r);
}

static uint32_t network_of(const char *name)
{
	uint32_t i = 0;

	while (strcmp(network_interface.classes[i]->name, name))
		i++;
	return i;
}

Test(network, ideal_delivers_at_once_and_fixed_after_its_latency_whatever_the_size)
{
	for (int fixed = 0; fixed < 2; fixed++) {
		struct rig_config config = config_of(7, 4);
		struct rig *r;

		config.xbar.network = network_of(fixed ? "fixed" : "ideal");
		r = rig_new(config, 3, 2);
		r->is_sinking = false;
		push(r, 0, 1, 8);
		push(r, 1, 1, 136);
		push(r, 1, 1, 136);
		if (fixed) {
			run_through(r, 6);
			cr_assert_eq(r->out[1].count, 0);
		}
		run_through(r, fixed ? 7 : 0);
		cr_assert_eq(r->out[1].count, 3);
		rig_free(r);
	}
}

Test(network, no_network_delivers_into_a_full_buffer)
{
	for (uint32_t n = 0; network_interface.classes[n]; n++) {
		struct rig_config config = config_of(2, 2);
		struct rig *r;

		config.xbar.network = n;
		r = rig_new(config, 3, 1);
		r->is_sinking = false;
		for (uint32_t i = 0; i < 3; i++)
			push(r, i, 0, 8);
		run_through(r, 99);
		cr_assert_eq(r->out[0].count, 2, "%s", network_interface.classes[n]->name);
		cr_assert_eq(stat(r, "packets"), 2);
		packet_free(port_pop(&r->out[0]));
		run_through(r, 110);
		cr_assert_eq(r->out[0].count, 2);
		cr_assert_geq(stat(r, "wait_output_full"), 98);
		rig_free(r);
	}
}

/* Packets that have left since the last cycle did so in it, not before they could. */
static void check_departures(struct rig *r)
{
	for (uint32_t i = 0; i < r->inputs; i++) {
		if (r->in[i].count == r->watched[i].count)
			continue;
		cr_assert_leq(r->watched[i].not_before, r->last_watch, "input %u", i);
		r->watched[i].not_before = 0;
	}
}

/* What has been said of those that have not left stays true. Whether there are any. */
static bool watch_departures(struct rig *r)
{
	bool are_any = false;

	r->last_watch = sim_now(r->sim);
	for (uint32_t i = 0; i < r->inputs; i++) {
		picoseconds first;

		r->watched[i].count = r->in[i].count;
		if (port_is_empty(&r->in[i]))
			continue;
		are_any = true;
		first = network_first_departure(r->xbar, i);
		r->held += first > r->last_watch;
		if (first > r->watched[i].not_before)
			r->watched[i].not_before = first;
	}
	return are_any;
}

static void feed_random(struct rig *r)
{
	check_departures(r);
	for (uint32_t n = 0; n < 4 * r->inputs && r->sent < r->limit; n++) {
		uint32_t i = (uint32_t)random_number(r) % r->inputs;

		if (port_room(&r->in[i]))
			push(r, i, (uint32_t)random_number(r) % r->outputs,
				1 + (uint32_t)random_number(r) % 136);
	}
	if (watch_departures(r) || r->sent < r->limit)
		component_wake(&r->source);
}

static void conserves(struct rig_config config, uint32_t inputs, uint32_t outputs, uint32_t sink_every)
{
	struct rig *r = rig_new(config, inputs, outputs);

	r->feed = feed_random;
	r->sink_every = sink_every;
	r->limit = 5000;
	component_wake(&r->source);
	run(r);
	cr_assert(network_is_idle(r->xbar));
	cr_assert_eq(r->received, 5000);
	cr_assert_eq(stat(r, "packets"), 5000);
	cr_assert_eq(stat(r, "delivered"), 5000);
	cr_assert_eq(stat(r, "latency::samples"), 5000);
	cr_assert_eq(stat(r, "flits"), stat(r, "flits_delivered"));
	if (!config.xbar.network && inputs > 1)
		cr_assert_gt(r->held, 1000);
	if (!config.xbar.network)
		cr_assert_leq(stat(r, "flits"), stat(r, "output_cycles"));
	rig_free(r);
}

Test(xbar, random_traffic_is_conserved_whatever_the_sizes)
{
	for (uint32_t i = 0; i < 2 * 3 * 2 * 3 * 2; i++) {
		static const uint32_t latencies[] = { 0, 1, 7 };
		struct rig_config config = config_of(latencies[i / 2 % 3], i % 2 ? 1 : 8);

		config.xbar.arbiter = i / 12 % 3;
		config.xbar.voq = i / 36;
		config.xbar.iterations = 2;
		conserves(config, 15, 6, i / 6 % 2 ? 11 : 1);
	}
}

Test(network, random_traffic_is_conserved_without_contention)
{
	for (uint32_t i = 0; i < 2 * 2 * 2; i++) {
		struct rig_config config = config_of(5, i % 2 ? 1 : 8);

		config.xbar.network = network_of(i / 2 % 2 ? "fixed" : "ideal");
		conserves(config, 15, 6, i / 4 ? 11 : 1);
	}
}

Test(xbar, random_traffic_is_conserved_at_the_largest_size)
{
	conserves(config_of(4, 2), 256, 256, 1);
	conserves(config_of(4, 2), 256, 1, 1);
	conserves(config_of(4, 2), 1, 256, 1);
}

Test(xbar, an_idle_crossbar_does_not_tick)
{
	struct rig *r = rig_new(config_of(100, 4), 15, 6);

	push(r, 3, 2, 136);
	run(r);
	cr_assert_eq(r->received, 1);
	cr_assert_leq(sim_ticks(r->sim, PHASE_XBAR), 3, "granted, delivered");
	rig_free(r);
}

Test(xbar, the_latency_histogram_counts_from_the_stamp_in_cycles)
{
	struct rig *r = rig_new(config_of(4, 4), 1, 1);

	push(r, 0, 0, 136);
	push(r, 0, 0, 136);
	run(r);
	cr_assert_eq(stat(r, "latency::samples"), 2);
	cr_assert_float_eq(stat_value(r->stats, NULL, "xbar.latency::mean"), (8 + 13) / 2.0, 1e-9);
	rig_free(r);
}

Test(xbar, a_packet_for_an_output_that_is_not_there_is_a_bug, .signal = SIGABRT)
{
	struct rig *r = rig_new(config_of(4, 4), 2, 2);

	push(r, 0, 2, 8);
	run(r);
}

Test(arbiter, round_robin_goes_round_the_ring_of_256)
{
	struct input_set set = { .used = 0 };

	input_set_add(&set, 3);
	input_set_add(&set, 64);
	input_set_add(&set, 255);
	cr_assert_eq(arbiter_round_robin(&set, 255), 3);
	cr_assert_eq(arbiter_round_robin(&set, 3), 64);
	cr_assert_eq(arbiter_round_robin(&set, 64), 255);
	cr_assert_eq(arbiter_round_robin(&set, 0), 3);
}

Test(arbiter, the_oldest_wins_and_equals_take_turns)
{
	struct input_set set = { .used = 0 };
	picoseconds since[NETWORK_MAX_PORTS] = { [1] = 50, [2] = 40, [200] = 40 };

	input_set_add(&set, 1);
	input_set_add(&set, 2);
	input_set_add(&set, 200);
	cr_assert_eq(arbiter_oldest(&set, 0, since), 2);
	cr_assert_eq(arbiter_oldest(&set, 2, since), 200);
}
