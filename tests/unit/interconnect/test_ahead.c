/* tests/unit/interconnect/test_ahead.c -- packets that receivers get when they are sent
 * (interconnect/ahead.c): nobody can tell, neither by the cycles in which they are taken nor by any count at
 * any time. */
#include "tests/unit/sim/kernel_state.h"
#include "interconnect/network.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define INPUTS  7
#define OUTPUTS 3
#define PACKETS 3000
#define LOOKS   400

enum mode { NEVER_AHEAD, ALWAYS_AHEAD, SOMETIMES_AHEAD };

/* An output's receiver: takes a packet a cycle, and always can. */
struct sink {
	struct component component;
	struct port port;
	struct rig *rig;
	cycles last; /* in which it took one, or will */
};

struct rig {
	struct component source;
	struct simulator *sim;
	struct packet_pool pool;
	struct port in[INPUTS];
	struct sink sink[OUTPUTS];
	struct network *network;
	struct stat_tree *stats;
	enum mode mode;
	uint64_t seed, whim;
	uint32_t sent;
	cycles taken[PACKETS];
	picoseconds arrived[PACKETS];
	double seen[LOOKS][6];
	uint64_t ahead, ticks;
};

static uint64_t draw(uint64_t *seed)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *seed >> 33;
}

static void source_tick(struct component *self, cycles now)
{
	struct rig *r = (struct rig *)((char *)self - offsetof(struct rig, source));

	for (uint32_t i = 0; i < INPUTS; i++) {
		uint64_t drawn = draw(&r->seed);
		struct packet *p;

		if (drawn % 8 > (now / 200) % 8 || r->sent == PACKETS || !port_room(&r->in[i]))
			continue;
		p = packet_new(&r->pool);
		p->by.sm = (uint16_t)i;
		p->route = (uint16_t)(drawn / 8 % OUTPUTS);
		p->wire_bytes = (uint16_t)(drawn / 64 % 4 ? 8 : 136);
		p->token = r->sent++;
		p->stamp = p->sent = sim_now(r->sim);
		port_push(&r->in[i], p);
	}
	component_sleep_until(self, r->sent < PACKETS ? now + 1 + (now % 64 == 0) * 50 : SIM_NEVER);
}

static void take(struct sink *k, struct packet *p, cycles when)
{
	k->rig->taken[p->token] = when;
	k->rig->arrived[p->token] = p->stamp;
	k->last = when;
	packet_free(p);
}

static void sink_tick(struct component *self, cycles now)
{
	struct sink *k = (struct sink *)self;

	if (!port_is_empty(&k->port) && now > k->last)
		take(k, port_pop(&k->port), now);
	if (port_is_empty(&k->port))
		component_sleep(self);
}

static picoseconds take_ahead(struct port *port, struct packet *p, picoseconds arrival)
{
	struct sink *k = (struct sink *)(void *)((char *)port - offsetof(struct sink, port));
	struct local_time when = component_edge_from(&k->component, arrival);

	if (k->rig->mode == NEVER_AHEAD || !port_is_empty(port) ||
		(k->rig->mode == SOMETIMES_AHEAD && draw(&k->rig->whim) % 3 == 0))
		return SIM_NEVER;
	if (when.cycle <= k->last)
		when = (struct local_time){ sim_edge(k->component.sim, CLOCK_L2, k->last + 1), k->last + 1 };
	k->rig->ahead++;
	take(k, p, when.cycle);
	return when.now;
}

static void look(struct rig *r, double seen[6])
{
	static const char *const names[6] = { "delivered", "flits_delivered", "latency::mean",
		"output_cycles", "wait_output_full", "wait_output_busy" };
	char path[64];

	network_account(r->network, sim_next_cycle(r->sim, CLOCK_XBAR));
	for (int i = 0; i < 6; i++) {
		snprintf(path, sizeof(path), "xbar.%s", names[i]);
		seen[i] = stat_value(r->stats, NULL, path);
		cr_assert(!isnan(seen[i]) || !seen[0], "%s", path);
		seen[i] = seen[0] ? seen[i] : 0; /* no mean yet */
	}
}

static struct rig *run(const struct network_config *config, uint32_t room, uint64_t l2_khz, enum mode mode)
{
	const uint64_t khz[CLOCK_COUNT] = { 1400000, 1400000, l2_khz, 1400000 };
	struct rig *r = calloc(1, sizeof(*r));
	struct port *in[INPUTS], *out[OUTPUTS];
	bool stop = false;

	r->sim = sim_new(khz);
	r->stats = stat_tree_new();
	r->mode = mode;
	r->seed = 5 + room;
	packet_pool_init(&r->pool);
	component_init(&r->source, r->sim, PHASE_SM, source_tick);
	for (uint32_t i = 0; i < INPUTS; i++)
		port_init(in[i] = &r->in[i], 4, &r->source, NULL);
	for (uint32_t i = 0; i < OUTPUTS; i++) {
		struct sink *k = &r->sink[i];

		k->rig = r;
		component_init(&k->component, r->sim, PHASE_L2, sink_tick);
		port_init(out[i] = &k->port, room, NULL, &k->component);
	}
	r->network = network_new(r->sim, config, INPUTS, in, OUTPUTS, out, r->stats, "xbar");
	for (uint32_t i = 0; i < OUTPUTS; i++)
		network_set_receiver(r->network, i, take_ahead);
	component_wake_at(&r->source, 3);
	for (uint32_t i = 0; i < LOOKS; i++) {
		sim_run(r->sim, &stop, (picoseconds)(i + 1) * 9973);
		sim_skip_to(r->sim, (picoseconds)(i + 1) * 9973 - 1);
		look(r, r->seen[i]);
	}
	cr_assert(!sim_run(r->sim, &stop, SIM_NEVER));
	cr_assert(network_is_idle(r->network));
	cr_assert_eq(r->sent, PACKETS);
	r->ticks = sim_ticks(r->sim, PHASE_XBAR);
	return r;
}

static void rig_free(struct rig *r)
{
	stat_tree_free(r->stats);
	network_free(r->network);
	for (uint32_t i = 0; i < INPUTS; i++)
		port_fini(&r->in[i]);
	for (uint32_t i = 0; i < OUTPUTS; i++)
		port_fini(&r->sink[i].port);
	cr_assert_eq(r->pool.live, 0);
	packet_pool_fini(&r->pool);
	sim_free(r->sim);
	free(r);
}

static void compare(const struct network_config *config, uint32_t room, uint64_t l2_khz)
{
	struct rig *plain = run(config, room, l2_khz, NEVER_AHEAD);

	for (enum mode mode = ALWAYS_AHEAD; mode <= SOMETIMES_AHEAD; mode++) {
		struct rig *r = run(config, room, l2_khz, mode);

		cr_assert_eq(plain->ahead, 0);
		if (config->latency) {
			cr_expect_gt(r->ahead, mode == ALWAYS_AHEAD && room > 1 ? PACKETS / 4 : 0);
			cr_expect_lt(r->ticks, plain->ticks);
		}
		for (uint32_t i = 0; i < PACKETS; i++) {
			cr_assert_eq(r->taken[i], plain->taken[i], "packet %u: %llu, not %llu", i,
				(unsigned long long)r->taken[i], (unsigned long long)plain->taken[i]);
			cr_assert_eq(r->arrived[i], plain->arrived[i]);
		}
		for (uint32_t i = 0; i < LOOKS; i++)
			for (int k = 0; k < 6; k++)
				cr_assert_eq(r->seen[i][k], plain->seen[i][k],
					"look %u, count %d: %g, not %g", i, k, r->seen[i][k],
					plain->seen[i][k]);
		rig_free(r);
	}
	rig_free(plain);
}

Test(ahead, nothing_tells_whether_a_receiver_knew_of_a_packet_before_it_came)
{
	static const uint64_t l2_khz[] = { 1400000, 700000, 933333, 2000000 };

	for (uint32_t i = 0; i < 2 * 3 * 4; i++) {
		struct network_config config = {
			.flit = 32, .latency = i % 2 * 4 + i / 6 % 2, .iterations = 2
		};

		compare(&config, 1 + i % 3 * 4, l2_khz[i / 6]);
		config.voq = true;
		compare(&config, 1 + i % 3 * 4, l2_khz[i / 6]);
	}
}
