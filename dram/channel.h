/* dram/channel.h -- one DRAM channel: read and write queue, scheduler, banks with timing, data bus.
 *
 * A component of PHASE_DRAM, time in command-clock cycles. A request is a packet (PACKET_READ or
 * PACKET_WRITE) of 32 to 128 bytes inside one row; it takes ceil(bytes / burst bytes) column commands. Reads
 * come back on the reply port in the order of their data; writes end here (the packet returns to its pool).
 * At most one command a cycle. Sleeps when no command can issue and no data is due.
 *
 * A read all of whose bytes are in one waiting write is answered from there; of one that overlaps a write the
 * controller lays the write's bytes over what the DRAM returns, in no time. A write does not overtake an
 * older read of its bytes. */
#ifndef DRAM_CHANNEL_H
#define DRAM_CHANNEL_H

#include "sim/config/config.h"
#include "sim/event/packet.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

struct dram_config { /* one key a line in the configuration, JEDEC names, in command-clock cycles */
	uint32_t banks, bank_groups;
	uint32_t row_bytes, bus_bytes, burst_length, data_rate; /* bus_bytes: per transfer; data_rate:
								   transfers per command clock (4: GDDR5) */
	uint32_t tCL, tRP, tRC, tRAS, tRCD, tRCDWR, tRRD, tRRDL, tCCDS, tCCDL, tWL, tWTR, tWTRL, tWR, tRTP,
		tFAW, tREFI, tRFC;
	uint32_t read_queue, write_queue; /* requests the scheduler sees */
	uint32_t reply_queue;
	uint32_t latency;    /* fixed cycles between the slice and the queues (pads, PHY), each request */
	uint32_t row_policy; /* open, closed */
	uint32_t write_high, write_low; /* requests; writes are drained from high to low */
	bool check;                     /* verify every command against the timing rules */
	const char *trace;              /* file in the output folder; "": none */
	const char *mapping;            /* see dram/map.h */
	uint32_t channels;              /* of the machine: no parameter of this section; 0 as 1 */
};
extern const struct sim_param dram_params[];
bool dram_config_check(const struct dram_config *config, char *message, size_t size);

struct dram_channel;
struct dram_sched;

/* in: requests from the slice, out: replies to it (both the caller's, l2_ports): the channel sets itself as
 * consumer of in and producer of out. scheduler: a prototype (dram/sched/sched.h). Statistics under "dram",
 * index number. */
struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config,
	const struct dram_sched *scheduler, uint16_t number, struct port *in, struct port *out,
	struct stat_tree *stats);
void dram_free(struct dram_channel *channel);
/* Time inside and waits under way are counted up to the cycle `until`, so that the counters can be read.
 * (Refreshes that an idle channel sleeps through are counted when it wakes.) */
void dram_sync_stats(struct dram_channel *channel, cycles until);
bool dram_is_idle(const struct dram_channel *channel);
void dram_print_state(const struct dram_channel *channel, FILE *stream);
/* For the scheduler: a kernel is about to start. */
void dram_kernel_started(struct dram_channel *channel, const char *name, uint64_t launch);
/* Every command from now on becomes a line (dram/trace.h). The stream is the caller's, and may be of several
 * channels. */
void dram_set_trace(struct dram_channel *channel, FILE *stream);

#endif
