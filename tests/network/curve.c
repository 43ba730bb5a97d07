/* tests/network/curve.c -- latency against load of every network and arbiter, as tables (`make network`).
 *
 * Uniform random traffic (traffic.h) between 15 inputs and 15 outputs, the SMs of a GTX 480, so that every
 * link can be offered the same load. Input buffers hold 8 packets, as the SMs' miss queues do. A mean latency
 * is given where nearly all that is offered arrives; above saturation it grows without end. */
#include "tests/network/traffic.h"
#include <stdio.h>

#define LATENCY 4

static const struct {
	const char *title;
	struct network_config config;
} networks[] = {
	{ "round robin", { .network = 0, .arbiter = NETWORK_ROUND_ROBIN } },
	{ "age", { .network = 0, .arbiter = NETWORK_AGE } },
	{ "voq, rr", { .network = 0, .arbiter = NETWORK_ROUND_ROBIN, .voq = true } },
	{ "voq, age", { .network = 0, .arbiter = NETWORK_AGE, .voq = true } },
	{ "voq, islip 1", { .network = 0, .arbiter = NETWORK_ISLIP, .voq = true, .iterations = 1 } },
	{ "voq, islip 4", { .network = 0, .arbiter = NETWORK_ISLIP, .voq = true, .iterations = 4 } },
	{ "ideal", { .network = 1 } },
	{ "fixed", { .network = 2 } },
};
#define COUNT (sizeof(networks) / sizeof(*networks))

static struct traffic_result measure(
	const struct network_config *network, uint32_t flits, uint32_t buffer, double load)
{
	struct traffic_config c = { .network = *network,
		.ports = 15,
		.buffer = buffer,
		.flits = flits,
		.load = load,
		.warm_up = 2000,
		.batch = 1200,
		.seed = 7 };

	c.network.flit = 32;
	c.network.latency = LATENCY;
	return traffic_run(&c);
}

static void table(uint32_t flits, uint32_t buffer)
{
	printf("\nMean latency in cycles, packets of %u flit%s, input buffers of %u packets, latency %u "
	       "(alone: %u cycles); in brackets flits per output and cycle, where not all arrive\n\n%-5s",
		flits, flits == 1 ? "" : "s", buffer, LATENCY, LATENCY + flits - 1, "load");
	for (size_t n = 0; n < COUNT; n++)
		printf(" %12s", networks[n].title);
	putchar('\n');
	for (int step = 1; step <= 10; step++) {
		printf("%-5.1f", step / 10.0);
		for (size_t n = 0; n < COUNT; n++) {
			struct traffic_result r = measure(&networks[n].config, flits, buffer, step / 10.0);
			char cell[32];

			if (r.throughput.mean > 0.97 * step / 10.0)
				snprintf(cell, sizeof(cell), "%.2f", r.latency.mean);
			else
				snprintf(cell, sizeof(cell), "(%.3f)", r.throughput.mean);
			printf(" %12s", cell);
		}
		putchar('\n');
	}
}

int main(void)
{
	table(1, 8);
	table(5, 8);
	table(1, 128);
	return 0;
}
