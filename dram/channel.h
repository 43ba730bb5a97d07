/* dram/channel.h -- one DRAM channel: read and write queues, scheduler, banks with timing, data bus.
 *
 * A component of PHASE_DRAM; times are in cycles of the command clock. A request is a packet (PACKET_READ
 * or PACKET_WRITE) of 32 to 128 bytes within one row; it takes ceil(bytes / burst bytes) column commands.
 * Reads are returned on the reply port in the order of their data; writes end here (the packet returns to
 * its pool). At most one command issues per cycle. The channel sleeps while no command can issue and no
 * data are due.
 *
 * A read whose bytes are all in one waiting write is answered from that write. If a waiting write has only
 * some of them, the controller merges the write's bytes into the data that DRAM returns, which takes no
 * time. A write does not overtake an older read of its bytes. */
#ifndef DRAM_CHANNEL_H
#define DRAM_CHANNEL_H

#include "sim/base/state.h"
#include "sim/config/config.h"
#include "sim/event/packet.h"
#include "sim/event/queue_view.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct dram_config { /* one parameter per line in the configuration, with the names of JEDEC, in cycles of the
			command clock */
	uint32_t banks, bank_groups;
	uint32_t row_bytes, bus_bytes, burst_length, data_rate; /* bus_bytes: bytes per transfer; data_rate:
								   transfers per cycle of the command clock
								   (4: GDDR5) */
	uint32_t tCL, tRP, tRC, tRAS, tRCD, tRCDWR, tRRD, tRRDL, tCCDS, tCCDL, tWL, tWTR, tWTRL, tWR, tRTP,
		tFAW, tREFI, tRFC;
	uint32_t read_queue, write_queue; /* capacities: numbers of requests from which the scheduler chooses
					   */
	uint32_t reply_queue;
	uint32_t latency;    /* fixed latency of each request between the slice and the queues (pads, PHY) */
	uint32_t row_policy; /* open, closed */
	uint32_t write_high, write_low; /* numbers of waiting writes: a batch of writes begins at write_high
					   and ends at write_low */
	bool check;                     /* verify every command against the timing rules */
	const char *trace;              /* name of a file in the output folder; "": none */
	const char *mapping;            /* see dram/map.h */
	uint32_t channels; /* number of channels of the machine, not a parameter of this section; 0 means 1 */
	uint32_t lead; /* cycles by which its time goes before the machine's (core/lookahead/lookahead.h): so
			  much earlier the first refresh is due. No parameter, and less than tREFI */
	bool counts_cycles; /* times between edges of its clock and of the L2's are measured in whole cycles,
			       since to the nearest cycle they would depend on the lead
			       (dram_times_round_alike). No parameter */
};
extern const struct sim_param dram_params[];
bool dram_config_check(const struct dram_config *config, char *message, size_t size);

struct dram_channel;
struct dram_sched;

/* Inputs of a channel: each has a port, a pipe and places in the read queue of its own. The first has
 * priority on entering and on joining the queues. */
#define DRAM_INPUTS 2

/* in: requests from the slice, a port for each input of the scheduler's class; writes come by the last. out:
 * replies to it. All belong to the caller (l2_ports); the channel registers itself as consumer of each `in`
 * and producer of `out`. scheduler: a prototype (dram/sched/sched.h).
 * Statistics are registered under "dram" with index `number`. */
struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config,
	const struct dram_sched *scheduler, uint16_t number, struct port *const *in, struct port *out,
	struct stat_tree *stats);
void dram_free(struct dram_channel *channel);
/* Counts latencies and waits in progress up to the cycle `until`, so that the counters can be read; machine:
 * that cycle's number in the machine's time, which only differs if the clock moves. (Refreshes that an idle
 * channel sleeps through are counted when it wakes.) */
void dram_sync_stats(struct dram_channel *channel, cycles until, cycles machine);
bool dram_is_idle(const struct dram_channel *channel);
/* Column commands so far: while none comes for requests that wait, nothing moves but refreshes. */
uint64_t dram_bursts(const struct dram_channel *channel);
/* channel_state.c: the open rows of an idle channel and when its banks are ready, into a checkpoint and back,
 * where dram_describe says the same; its scheduler's state is apart. */
bool dram_can_keep(const struct dram_channel *channel);
void dram_describe(const struct dram_channel *channel, FILE *to);
void dram_state(struct dram_channel *channel, struct state *state);
struct dram_sched *dram_sched_of(const struct dram_channel *channel);
void dram_print_state(const struct dram_channel *channel, FILE *stream);
void dram_view_queues(const struct dram_channel *channel, const struct queue_visitor *visitor);
/* For the scheduler: a kernel is about to start. */
void dram_kernel_started(struct dram_channel *channel, const char *name, uint64_t launch);
/* Writes a line for every command from now on (dram/trace.h). The stream belongs to the caller, and
 * several channels may share it. */
void dram_set_trace(struct dram_channel *channel, FILE *stream);

#endif
