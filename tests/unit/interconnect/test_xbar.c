/* tests/unit/interconnect/test_xbar.c -- flits, back-pressure, arbitration; nothing lost, nothing late. */
#include "tests/unit/interconnect/xbar_rig.h"

Test(xbar, a_packet_arrives_flits_minus_one_plus_latency_after_its_grant)
{
	static const struct {
		uint32_t bytes, latency;
		cycles arrival;
	} cases[] = {
		{ 8, 4, 4 },
		{ 32, 4, 4 },
		{ 33, 4, 5 },
		{ 136, 4, 8 },
		{ 136, 0, 4 },
		{ 8, 1, 1 },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct rig *r = rig_new(config_of(cases[i].latency, 4), 2, 2);

		r->is_sinking = false;
		push(r, 1, 0, cases[i].bytes); /* granted at cycle 0 */
		run_through(r, cases[i].arrival - 1);
		cr_assert_eq(r->out[0].count, 0, "case %zu: too early", i);
		run_through(r, cases[i].arrival);
		cr_assert_eq(r->out[0].count, 1, "case %zu: too late", i);
		rig_free(r);
	}
}

Test(xbar, one_flit_without_latency_arrives_in_the_cycle_of_its_grant)
{
	struct rig *r = rig_new(config_of(0, 1), 1, 1);

	r->is_sinking = false;
	push(r, 0, 0, 32);
	run_through(r, 0);
	cr_assert_eq(r->out[0].count, 1);
	rig_free(r);
}

Test(xbar, an_input_sends_one_packet_at_a_time)
{
	struct rig *r = rig_new(config_of(4, 4), 1, 2);

	r->is_sinking = false;
	push(r, 0, 0, 136);
	push(r, 0, 1, 136); /* granted at 5, arrives at 13 */
	run_through(r, 12);
	cr_assert_eq(r->out[1].count, 0);
	run_through(r, 13);
	cr_assert_eq(r->out[1].count, 1);
	rig_free(r);
}

Test(xbar, an_output_accepts_one_packet_at_a_time)
{
	struct rig *r = rig_new(config_of(4, 4), 2, 1);

	r->is_sinking = false;
	push(r, 0, 0, 136);
	push(r, 1, 0, 136);
	run_through(r, 12);
	cr_assert_eq(r->out[0].count, 1);
	run_through(r, 13);
	cr_assert_eq(r->out[0].count, 2);
	cr_assert_eq(stat(r, "wait_output_busy"), 5);
	cr_assert_eq(stat(r, "wait_output_full"), 0);
	rig_free(r);
}

Test(xbar, other_pairs_move_at_the_same_time)
{
	struct rig *r = rig_new(config_of(4, 4), 8, 8);

	r->is_sinking = false;
	for (uint32_t i = 0; i < 8; i++)
		push(r, i, 7 - i, 136);
	run_through(r, 8);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(r->out[i].count, 1);
	rig_free(r);
}

Test(xbar, a_full_output_holds_packets_at_the_inputs_and_wakes_when_it_has_room)
{
	struct rig *r = rig_new(config_of(2, 1), 3, 1);

	r->is_sinking = false;
	for (uint32_t i = 0; i < 3; i++)
		push(r, i, 0, 8);
	run_through(r, 99);
	cr_assert_eq(r->out[0].count, 1);
	cr_assert_eq(stat(r, "packets"), 1, "no packet leaves without a place reserved for it");
	cr_assert_eq(r->in[1].count + r->in[2].count, 2);
	packet_free(port_pop(&r->out[0])); /* between cycles 99 and 100: granted at 100, arrives at 102 */
	run_through(r, 101);
	cr_assert_eq(r->out[0].count, 0);
	run_through(r, 102);
	cr_assert_eq(r->out[0].count, 1);
	cr_assert_eq(stat(r, "wait_output_full"), 99);
	cr_assert_eq(stat(r, "wait_output_busy"), 1);
	rig_free(r);
}

Test(xbar, a_blocked_head_blocks_those_behind_it)
{
	struct rig *r = rig_new(config_of(1, 2), 1, 2);

	r->is_sinking = false;
	push(r, 0, 0, 8);
	push(r, 0, 0, 8);
	run_through(r, 10);
	push(r, 0, 0, 8); /* output 0 is full */
	push(r, 0, 1, 8); /* output 1 is free, but this one is behind */
	run_through(r, 100);
	cr_assert_eq(r->out[1].count, 0);
	packet_free(port_pop(&r->out[0]));
	run_through(r, 110);
	cr_assert_eq(r->out[1].count, 1);
	rig_free(r);
}

Test(xbar, round_robin_gives_every_input_its_turn)
{
	struct rig *r = rig_new(config_of(4, 4), 5, 1);

	r->feed = feed_output_0;
	r->limit = UINT64_MAX;
	component_wake(&r->source);
	run_through(r, 5000);
	for (uint32_t i = 0; i < 5; i++)
		cr_assert(r->received_from[i] >= 199 && r->received_from[i] <= 200);
	rig_free(r);
}
