/* tests/unit/interconnect/test_traffic.c -- throughput and latency under uniform random traffic, against
 * theory.
 *
 * Karol, Hluchyj, Morgan, "Input versus output queueing on a space-division packet switch", IEEE Transactions
 * on Communications 35(12), 1987: with one queue at each input, saturation throughput (Table I) and mean wait
 * (Section III). A measured mean is that of 25 batches; it may miss the expected one by four of its standard
 * errors, plus what the theory leaves open, which is said at each place. Each test first asks for a standard
 * error that makes it sharp. */
#include "tests/network/traffic.h"
#include "tests/unit/part.h"
#include <criterion/criterion.h>

static struct traffic_config crossbar(uint32_t ports, double load)
{
	return (struct traffic_config){ .network = { .flit = 32, .latency = 4, .iterations = 4 },
		.ports = ports,
		.buffer = 8,
		.flits = 1,
		.load = load,
		.warm_up = 2000,
		.batch = 2000,
		.seed = 11 };
}

static void expect(const char *what, struct traffic_figure f, double expected, double open, double sharp)
{
	cr_expect_lt(f.error, sharp, "%s: standard error %.5f", what, f.error);
	cr_expect_lt(fabs(f.mean - expected), 4 * f.error + open, "%s: %.5f +- %.5f, expected %.5f", what,
		f.mean, f.error, expected);
}

Test(traffic, blocked_heads_limit_throughput_as_in_karol_hluchyj_morgan)
{
	static const struct {
		uint32_t ports;
		double throughput;
	} table[] = { { 2, 0.75 }, { 3, 0.6825 }, { 4, 0.6553 }, { 5, 0.6399 }, { 8, 0.6184 } };

	if (LEFT_OUT)
		return; /* long runs for figures alone, whose code the short ones have */
	for (size_t i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct traffic_config c = crossbar(table[i].ports, 1);
		char what[32];

		c.batch = 8000;
		snprintf(what, sizeof(what), "%u ports", c.ports);
		expect(what, traffic_run(&c).throughput, table[i].throughput, 0.00005, 0.001);
	}
}

/* Table I ends with 2 - sqrt(2) for ever larger switches; 0.6184 of 8 ports lies 0.26 / ports above it. */
Test(traffic, throughput_of_large_crossbars_tends_to_0586_whatever_the_packets_size)
{
	if (LEFT_OUT)
		return; /* long runs for figures alone, whose code the short ones have */
	for (uint32_t flits = 1; flits <= 5; flits += 4) {
		struct traffic_config c = crossbar(64, 1);

		c.flits = flits;
		c.batch *= flits;
		expect("64 ports", traffic_run(&c).throughput, 2 - sqrt(2) + 0.26 / 64, 0.0005, 0.0005);
	}
}

/* Mean wait at the head and before it in time slots, for many ports and an output that chooses at random.
 * Ours chooses in turn: 2 % are left open for that and for 64 ports instead of ever more. */
Test(traffic, mean_latency_of_single_flits_is_hops_plus_the_wait_of_karol_hluchyj_morgan)
{
	if (LEFT_OUT)
		return; /* long runs for figures alone, whose code the short ones have */
	for (int k = 1; k <= 3; k++) {
		double p = k / 10.0, wait = (2 - p) * (1 - p) / ((2 - sqrt(2) - p) * (2 + sqrt(2) - p)) - 1;
		struct traffic_config c = crossbar(64, p);
		char what[32];

		c.buffer = 100;
		snprintf(what, sizeof(what), "load %.1f", p);
		expect(what, traffic_run(&c).latency, 4 + wait, 0.02 * wait, 0.005);
	}
}

/* One packet in 1000 cycles an input: hardly any meets another. Its wait is at most one packet's time, in
 * less than 15 times 5 of 1000 cases. */
Test(traffic, latency_at_low_load_is_latency_plus_serialisation)
{
	for (uint32_t flits = 1; flits <= 5; flits += 4)
		for (int voq = 0; voq < 2; voq++) {
			struct traffic_config c = crossbar(16, 0.001 * flits);
			struct traffic_result r;

			c.network.voq = voq;
			c.flits = flits;
			r = traffic_run(&c);
			cr_expect_geq(r.latency.mean, 4 + flits - 1);
			cr_expect_lt(r.latency.mean, 4 + flits - 1 + 0.075 * flits);
		}
}

/* 0.95 offered: with one queue at each input 0.60 arrive, with virtual output queues all. */
Test(traffic, virtual_output_queues_do_away_with_blocked_heads)
{
	if (LEFT_OUT)
		return; /* long runs for figures alone, whose code the short ones have */
	for (uint32_t arbiter = NETWORK_ROUND_ROBIN; arbiter <= NETWORK_ISLIP; arbiter++) {
		struct traffic_config c = crossbar(16, 0.95);

		c.network.arbiter = arbiter;
		cr_expect_lt(traffic_run(&c).throughput.mean, 0.62);
		c.network.voq = true;
		c.buffer = 512;
		expect("voq", traffic_run(&c).throughput, 0.95, 0, 0.002);
	}
}

/* McKeown 1999: iSLIP serves all of uniform traffic; what a finite buffer of 512 packets leaves of that. */
Test(traffic, islip_uses_nearly_all_of_the_links)
{
	if (LEFT_OUT)
		return; /* long runs for figures alone, whose code the short ones have */
	for (uint32_t rounds = 1; rounds <= 4; rounds *= 4) {
		struct traffic_config c = crossbar(16, 1);

		c.network = (struct network_config){
			.flit = 32, .latency = 4, .arbiter = NETWORK_ISLIP, .voq = true, .iterations = rounds
		};
		c.buffer = 512;
		cr_expect_gt(traffic_run(&c).throughput.mean, 0.97, "%u rounds", rounds);
	}
}

Test(traffic, flits_in_are_flits_out_in_order_in_every_network)
{
	for (uint32_t network = 0; network_interface.classes[network]; network++)
		for (uint32_t i = 0; i < (network ? 2 : 12); i++) {
			struct traffic_config c = crossbar(9, 0.9);
			struct traffic_result r;

			c.network.network = network;
			c.network.arbiter = i / 4;
			c.network.voq = i / 2 % 2;
			c.buffer = i % 2 ? 1 : 16;
			c.flits = 5;
			c.batch = 100;
			r = traffic_run(&c);
			cr_expect_gt(r.flits_sent, 0);
			cr_expect_eq(r.flits_sent, r.flits_arrived);
			cr_expect_eq(r.flits_counted_in, r.flits_arrived);
			cr_expect_eq(r.flits_counted_out, r.flits_arrived);
			cr_expect_eq(r.overtakings, 0);
		}
}

Test(traffic, uncontended_networks_have_no_curve)
{
	for (uint32_t network = 1; network_interface.classes[network]; network++) {
		struct traffic_config c = crossbar(16, 0.95);

		c.network.network = network;
		expect(network_interface.classes[network]->name, traffic_run(&c).latency,
			network == 1 ? 0 : 4, 0.0001, 0.0001);
	}
}
