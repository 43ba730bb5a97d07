/* core/observe/bandwidth.c -- bandwidth by level.
 *
 * Bytes come from the components' own counters; peaks are what the configuration's widths and clocks allow,
 * kept as the bytes that could have moved in the time in which kernels ran, so that differences over a period
 * or a kernel are right too:
 *
 *   l1          loads that the L1s looked up, a line each               SMs x line x core clock
 *   request     crossbar to the L2, headers included                    the fewer of SMs and slices x flit x
 * crossbar clock reply       crossbar to the SMs, likewise                           the fewer of SMs and
 * slices x flit x crossbar clock l2          data of requests and replies, without headers           slices x
 * data port x L2 clock dram_read   bursts on the data bus                                  channels x bus x
 * data rate x command clock dram_write  likewise                                                the same
 *
 * What a machine does not count (another network has no flits) is 0. */
#include "core/observe/bandwidth.h"
#include "core/chip/chip.h"
#include "dram/channel.h"
#include "interconnect/network.h"
#include "memsys/l1/cache_config.h"
#include "memsys/l2/l2.h"
#include "sim/stats/stat_select.h"
#include "sim/base/xalloc.h"

enum level { L1, REQUEST, REPLY, L2, DRAM_READ, DRAM_WRITE, LEVELS };
static const char *const level_names[] = { "l1", "request", "reply", "l2", "dram_read", "dram_write", NULL };

/* What a level's bytes are made of: the sum of counters with factors. */
enum source {
	L1_HITS,
	L1_MERGED,
	L1_MISSES,
	REQUEST_BYTES,
	REQUEST_PACKETS,
	REPLY_BYTES,
	REPLY_PACKETS,
	READ_BURSTS,
	WRITE_BURSTS,
	READS,
	WRITES,
	ACTIVATES,
	PICOSECONDS,
	SOURCES
};
static const char *const source_names[SOURCES] = { "sm.l1d.hits", "sm.l1d.merged", "sm.l1d.misses",
	"xbar.request.bytes", "xbar.request.packets", "xbar.reply.bytes", "xbar.reply.packets",
	"dram.read_bursts", "dram.write_bursts", "dram.reads", "dram.writes", "dram.activates",
	"gpu.picoseconds" };

#define HEADER_BYTES 8

struct bandwidth_stats {
	uint64_t bytes[LEVELS], peak[LEVELS];
	uint64_t time_ps, requests, bursts, activates;
};

struct bandwidth {
	struct stat_selection *sources[SOURCES];
	uint64_t counted[SOURCES]; /* up to now */
	double peak[LEVELS];       /* bytes per ps */
	uint32_t line, burst;      /* bytes */
	struct bandwidth_stats stats;
};

/* ---- declarations ---- */

static double gigabytes(const void *object, enum level level)
{
	const struct bandwidth_stats *s = object;

	return s->time_ps ? 1000.0 * (double)s->bytes[level] / (double)s->time_ps : 0;
}

static double of_peak(const void *object, enum level level)
{
	const struct bandwidth_stats *s = object;

	return s->peak[level] ? (double)s->bytes[level] / (double)s->peak[level] : 0;
}

#define LEVEL(name, level) \
	static double name(const void *object) \
	{ \
		return gigabytes(object, level); \
	} \
	static double name##_share(const void *object) \
	{ \
		return of_peak(object, level); \
	}

LEVEL(l1, L1)
LEVEL(request, REQUEST)
LEVEL(reply, REPLY)
LEVEL(l2, L2)
LEVEL(dram_read, DRAM_READ)
LEVEL(dram_write, DRAM_WRITE)

static double requests_per_activation(const void *object)
{
	const struct bandwidth_stats *s = object;

	return s->activates ? (double)s->requests / (double)s->activates : 0;
}

static double bursts_per_activation(const void *object)
{
	const struct bandwidth_stats *s = object;

	return s->activates ? (double)s->bursts / (double)s->activates : 0;
}

#define ROWS(name, what) \
	SIM_FORMULA(#name, name, "GB/s", what), \
		SIM_FORMULA( \
			#name "_share", name##_share, "ratio", "share of the peak bandwidth of this level")

static const struct sim_stat bandwidth_stats[] = {
	SIM_COUNT(struct bandwidth_stats, time_ps, "ps",
		"time in which kernels ran, to which the bandwidths refer"),
	ROWS(l1, "bandwidth of loads served by the L1s, one line for each"),
	ROWS(request, "bandwidth of the network from the SMs to the L2, including headers"),
	ROWS(reply, "bandwidth of the network from the L2 to the SMs, including headers"),
	ROWS(l2, "bandwidth of data into and out of the L2"),
	ROWS(dram_read, "bandwidth of reads on the data buses of DRAM, in bursts"),
	ROWS(dram_write, "bandwidth of writes on the data buses of DRAM, in bursts"),
	SIM_VECTOR(struct bandwidth_stats, bytes, level_names, "bytes", "bytes that were moved, by level"),
	SIM_VECTOR(struct bandwidth_stats, peak, level_names, "bytes",
		"bytes that could have been moved in the time, by level"),
	SIM_COUNT(struct bandwidth_stats, requests, "requests", "requests that DRAM served"),
	SIM_COUNT(struct bandwidth_stats, bursts, "commands", "RD and WR commands"),
	SIM_COUNT(struct bandwidth_stats, activates, "commands", "ACT commands"),
	SIM_FORMULA("requests_per_activation", requests_per_activation, "requests",
		"requests for each activation of a row (row-buffer locality)"),
	SIM_FORMULA("bursts_per_activation", bursts_per_activation, "commands",
		"RD and WR commands for each activation of a row"),
	SIM_STAT_END
};

/* ---- building ---- */

static void set_peaks(struct bandwidth *b, const struct chip *chip)
{
	const struct gpu_config *g = chip->config;
	double core = g->core_mhz * 1e-6, xbar = g->xbar_mhz * 1e-6; /* cycles per ps */
	double slices = g->partitions, sms = g->sms, narrow = sms < slices ? sms : slices;
	uint32_t request_flit = chip->xbar->request_flit ? chip->xbar->request_flit : chip->xbar->flit;

	b->peak[L1] = sms * chip->l1d->line * core;
	b->peak[REPLY] = narrow * chip->xbar->flit * xbar;
	b->peak[REQUEST] = narrow * request_flit * xbar;
	b->peak[L2] = slices * chip->l2->port_bytes * g->l2_mhz * 1e-6;
	b->peak[DRAM_READ] = b->peak[DRAM_WRITE] =
		slices * chip->dram->bus_bytes * chip->dram->data_rate * g->dram_mhz * 1e-6;
	b->line = chip->l1d->line;
	b->burst = chip->dram->bus_bytes * chip->dram->burst_length;
}

struct bandwidth *bandwidth_new(struct chip *chip)
{
	struct bandwidth *b = xcalloc(1, sizeof(*b));

	set_peaks(b, chip);
	for (int i = 0; i < SOURCES; i++) {
		struct stat_select_error error;

		b->sources[i] = stat_select(chip->stat_tree, source_names[i], &error);
	}
	stat_register(chip->stat_tree, "observe.bandwidth", -1, bandwidth_stats, &b->stats, sizeof(b->stats));
	return b;
}

void bandwidth_free(struct bandwidth *b)
{
	if (!b)
		return;
	for (int i = 0; i < SOURCES; i++)
		stat_selection_free(b->sources[i]);
	free(b);
}

/* ---- accounts ---- */

void bandwidth_account(struct bandwidth *b)
{
	struct bandwidth_stats *s = b ? &b->stats : NULL;
	uint64_t *c = b ? b->counted : NULL;

	if (!b)
		return;
	for (int i = 0; i < SOURCES; i++) {
		if (!b->sources[i])
			continue;
		stat_selection_step(b->sources[i]);
		c[i] += stat_selection_value(b->sources[i], 0).whole;
	}
	s->bytes[L1] = (c[L1_HITS] + c[L1_MERGED] + c[L1_MISSES]) * b->line;
	s->bytes[REQUEST] = c[REQUEST_BYTES];
	s->bytes[REPLY] = c[REPLY_BYTES];
	s->bytes[L2] =
		c[REQUEST_BYTES] + c[REPLY_BYTES] - HEADER_BYTES * (c[REQUEST_PACKETS] + c[REPLY_PACKETS]);
	s->bytes[DRAM_READ] = c[READ_BURSTS] * b->burst;
	s->bytes[DRAM_WRITE] = c[WRITE_BURSTS] * b->burst;
	for (int i = 0; i < LEVELS; i++)
		s->peak[i] = (uint64_t)((double)c[PICOSECONDS] * b->peak[i]);
	s->time_ps = c[PICOSECONDS];
	s->requests = c[READS] + c[WRITES];
	s->bursts = c[READ_BURSTS] + c[WRITE_BURSTS];
	s->activates = c[ACTIVATES];
}
