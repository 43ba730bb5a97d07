/* dram/channel.h -- one GDDR5 channel: request queue, scheduler, banks with timing, data bus.
 *
 * A component of PHASE_DRAM, time in command-clock cycles. A request is a packet (PACKET_READ or PACKET_WRITE) of 32 to 128 bytes inside one
 * row; it takes ceil(bytes / burst bytes) column commands. Reads come back on the reply port in the order of their data;
 * writes end here (the packet returns to its pool). At most one command a cycle. Sleeps when no command can issue and no data is due. */
#ifndef DRAM_CHANNEL_H
#define DRAM_CHANNEL_H

#include "sim/packet.h"
#include "sim/param.h"
#include "sim/stat.h"

struct dram_config {            /* one key a line in the configuration, JEDEC names, in command-clock cycles */
	uint32_t banks, bank_groups;
	uint32_t row_bytes, bus_bytes, burst_length, data_rate;  /* bus_bytes: per transfer; data_rate: transfers per command clock (4: GDDR5) */
	uint32_t tCL, tRP, tRC, tRAS, tRCD, tRRD, tCCDS, tCCDL, tWL, tWTR, tWR, tRTP, tFAW, tREFI, tRFC;
	uint32_t queue;             /* requests the scheduler sees */
	uint32_t reply_queue;
	uint32_t latency;           /* fixed cycles between the slice and the queue (pads, PHY), each request */
	uint32_t scheduler;         /* index into dram_sched_names (dram/sched/sched.h) */
	uint32_t row_policy;        /* open, closed */
	uint32_t write_high, write_low; /* fr_fcfs: requests; writes are drained from high to low */
	uint32_t age_cap;           /* fr_fcfs: cycles; older requests go before all others */
	bool check;                 /* verify every command against the timing rules */
	const char *mapping;        /* e.g. "row:bank:column": order of fields from high to low bits of the local address */
};
extern const struct sim_param dram_params[];
bool dram_config_check(const struct dram_config *config, char *message, size_t size);

struct dram_channel;

/* in: requests from the slice, out: replies to it (both the caller's, l2_ports): the channel sets itself as
 * consumer of in and producer of out. Statistics under "dram", index number. */
struct dram_channel *dram_new(struct simulator *sim, const struct dram_config *config, uint16_t number, struct port *in,
	struct port *out, struct stat_tree *stats);
void dram_free(struct dram_channel *channel);
/* Time inside and waits under way are counted up to the cycle `until`, so that the counters can be read. (Refreshes that an idle
 * channel sleeps through are counted when it wakes.) */
void dram_settle(struct dram_channel *channel, cycles until);
bool dram_is_idle(const struct dram_channel *channel);
void dram_print_state(const struct dram_channel *channel, FILE *stream);

#endif
