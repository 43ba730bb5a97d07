/* tests/unit/interconnect/test_cluster_network.c -- the network of clusters: latency, bandwidth, turns, and
 * what holds requests up. Expected numbers are worked out by hand from the parameters given here. */
#include "interconnect/cluster_network.h"
#include <criterion/criterion.h>
#include <malloc.h>
#include <math.h>
#include <string.h>

enum { SMS = 4 };

static struct simulator *sim;
static struct cluster_network *network;
static cycles arrived_at, answered_at, last_answer[CLUSTER_KINDS];
static uint32_t arrived, answered[CLUSTER_KINDS], sent;

static void note_sent(void *user, const struct cluster_request *r, cycles now)
{
	(void)user, (void)r, (void)now;
	sent++;
}

static void note_arrived(void *user, struct cluster_request *r, cycles now)
{
	(void)user, (void)r;
	arrived++;
	arrived_at = now;
}

static void note_answered(void *user, const struct cluster_request *r, cycles now)
{
	(void)user;
	answered[r->kind]++;
	last_answer[r->kind] = answered_at = now;
}

/* 32 bytes a cycle, so that a grant takes one and 128 bytes four; 10 cycles from each SM to the middle. */
static const struct cluster_network_config usual = { .bandwidth = 32,
	.load_bandwidth = 4096,
	.store_bandwidth = 4096,
	.command = 2,
	.acknowledgement = 1,
	.distance = 10,
	.distances = "",
	.queue = 64,
	.wait = 16 };

static void begin(const struct cluster_network_config *config)
{
	const uint64_t khz[CLOCK_COUNT] = { 1000000, 1100000, 1200000, 1300000 };
	const uint16_t place[SMS] = { 0, 1, 2, 3 };
	const struct cluster_client client = {
		.sent = note_sent, .arrived = note_arrived, .answered = note_answered
	};

	sim = sim_new(khz);
	network = cluster_network_new(sim, config, SMS, place, &client, NULL);
	arrived = sent = 0;
	memset(answered, 0, sizeof(answered));
}

static void end(void)
{
	cluster_network_free(network);
	sim_free(sim);
}

static void send(uint8_t kind, uint16_t from, uint16_t to, uint32_t bytes, uint32_t back)
{
	cluster_network_send(network,
		&(struct cluster_request){
			.from = from, .to = to, .kind = kind, .bytes = bytes, .back = back },
		0);
}

static void run_all(void)
{
	bool stop = false;

	cr_assert_not(sim_run(sim, &stop, SIM_NEVER));
	cr_assert(cluster_network_is_idle(network));
}

/* Leaves in cycle 1, and is 20 cycles on its way; so is the answer. */
Test(cluster_network, a_load_takes_twice_the_sum_of_both_distances)
{
	begin(&usual);
	send(CLUSTER_LOADS, 0, 1, 0, 4);
	run_all();
	cr_assert_eq(arrived_at, 22, "%u", (unsigned)arrived_at);
	cr_assert_eq(answered_at, 42, "%u", (unsigned)answered_at);
	end();
}

Test(cluster_network, distances_are_those_of_the_two_sms)
{
	struct cluster_network_config c = usual;

	c.distances = "1 30 5";
	begin(&c);
	send(CLUSTER_STORES, 1, 2, 4, 0);
	run_all();
	cr_assert_eq(arrived_at, 1 + 30 + 5);
	send(CLUSTER_STORES, 0, 3, 4, 0); /* SM 3 is beyond the list */
	run_all();
	end();
}

Test(cluster_network, a_copy_goes_in_pieces_at_the_ports_rate)
{
	begin(&usual);
	send(CLUSTER_COPIES, 0, 1, 128 * 100, 0);
	run_all();
	cr_assert_eq(sent, 1);
	cr_assert_eq(arrived, 1);
	cr_assert_eq(arrived_at, 1 + 20 + 400 - 1); /* the last grant has been on its way for 20 cycles */
	end();
}

static void count_request(void *user, struct cluster_request *r)
{
	cr_assert_eq(r->what, user);
	arrived++;
}

/* Places for requests that nobody has used yet hold what the memory held before. */
Test(cluster_network, what_is_under_way_is_told_and_nothing_else)
{
	void *signal = &sent;

	mallopt(M_PERTURB, 0x5a);
	begin(&usual);
	cluster_network_send(network,
		&(struct cluster_request){ .to = 1, .kind = CLUSTER_ARRIVALS, .bytes = 8, .what = signal },
		0);
	cluster_network_each(network, count_request, signal);
	cr_assert_eq(arrived, 1);
	run_all();
	end();
	mallopt(M_PERTURB, 0);
}

/* Each SM sends a load's command of 2 cycles and data of 4 for each 128 bytes. */
Test(cluster_network, loads_both_ways_share_ports_with_the_answers)
{
	begin(&usual);
	for (int i = 0; i < 200; i++) {
		send(CLUSTER_LOADS, 0, 1, 0, 128);
		send(CLUSTER_LOADS, 1, 0, 0, 128);
	}
	run_all();
	cr_assert_eq(answered[CLUSTER_LOADS], 400);
	cr_assert_float_eq((double)answered_at, 200 * (2 + 4), 60);
	end();
}

Test(cluster_network, two_that_send_to_one_share_its_port_and_wait)
{
	begin(&usual);
	send(CLUSTER_COPIES, 0, 2, 12800, 0);
	send(CLUSTER_COPIES, 1, 2, 12800, 0);
	send(CLUSTER_COPIES, 3, 1, 128, 0); /* is not held up by them */
	run_all();
	cr_assert_eq(arrived, 3);
	cr_assert_float_eq((double)arrived_at, 1 + 20 + 800, 8);
	end();
}

/* Stores wait in a queue, loads behind them do not: both have their turns. */
Test(cluster_network, loads_and_stores_of_an_sm_take_turns)
{
	begin(&usual);
	for (int i = 0; i < 100; i++)
		send(CLUSTER_STORES, 0, 1, 128, 0);
	for (int i = 0; i < 50; i++)
		send(CLUSTER_LOADS, 0, 1, 0, 128);
	cr_assert_eq(cluster_network_waiting(network, 0), 150);
	run_all();
	cr_assert_eq(cluster_network_waiting(network, 0), 0);
	cr_assert_eq(answered[CLUSTER_LOADS], 50);
	cr_assert_eq(answered[CLUSTER_STORES], 100);
	cr_assert_float_eq((double)last_answer[CLUSTER_LOADS], 50 * (2 + 4) + 46, 8);
	cr_assert_float_eq((double)last_answer[CLUSTER_STORES], 100 * 4 + 50 * 2 + 42, 8);
	end();
}

Test(cluster_network, an_sms_loads_and_stores_have_rates_of_their_own)
{
	struct cluster_network_config c = usual;

	c.load_bandwidth = 16;
	begin(&c);
	for (int i = 0; i < 100; i++)
		send(CLUSTER_LOADS, 0, 1, 0, 128);
	run_all();
	cr_assert_float_eq((double)answered_at, 100 * 8 + 42, 8);
	end();
}

Test(cluster_network, a_list_of_distances_that_is_wrong_is_named)
{
	struct cluster_network_config c = usual;
	char message[256];

	cr_assert_null(cluster_network_check(&c, message, sizeof(message)));
	c.distances = "40 x";
	cr_assert_not_null(cluster_network_check(&c, message, sizeof(message)));
	cr_assert(strstr(message, "40 x"), "%s", message);
	c.distances = "40 -1";
	cr_assert_not_null(cluster_network_check(&c, message, sizeof(message)));
}
