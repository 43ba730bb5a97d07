/* memsys/l2/l2.h -- one L2 slice: request queue from the crossbar, ROP pipeline, banks with a queue each,
 * tags with write-back and write-allocate, MSHRs, atomics, queues to and from its DRAM channel, reply queue
 * to the crossbar; policies of warp types (memsys/warp_type), bypassing (memsys/l2_bypass) and insertion
 * (memsys/insertion).
 *
 * A component of PHASE_L2. Reads that hit reply after the hit latency; the data port moves port_bytes per
 * cycle. A write allocates a line without a fetch, even if it covers only part of a 32-byte sector: masks
 * record which bytes are valid, and the others are fetched when a read needs them. (l2.store_miss = fetch:
 * a write that misses goes to DRAM, and its line is fetched.) Dirty victims are written to DRAM. Every
 * refusal is counted under the name of the missing resource. Requests for one line are served in the order in
 * which they arrived; others may overtake each other, and so may replies. */
#ifndef MEMSYS_L2_L2_H
#define MEMSYS_L2_L2_H

#include "memsys/listener.h"
#include "memsys/partition_map.h"
#include "sim/base/state.h"
#include "sim/config/config.h"
#include "sim/event/packet.h"
#include "sim/event/queue_view.h"
#include "sim/config/param.h"
#include "sim/stats/stat.h"

enum l2_arbitration { L2_ROUND_ROBIN, L2_OLDEST };
enum l2_data_ports { L2_PORT_BOTH_WAYS, L2_PORT_EACH_WAY };
enum l2_units_of { L2_UNITS_OF_SLICE, L2_UNITS_OF_BANK };
enum l2_fetch { L2_FETCH_SECTORS, L2_FETCH_LINE, L2_FETCH_ONCE, L2_FETCH_PAIRS };
enum l2_store_miss { L2_STORE_ALLOCATES, L2_STORE_FETCHES };
enum l2_write_back { L2_WRITE_SECTORS, L2_WRITE_LINE };

struct classifier;
struct l2_bypass;
struct insertion;
struct index;
struct replace;

/* A size that is 0 where a slice needs at least 1 (input_width, banks, bank_ports, bank_queue, lookup_cycles,
 * bypass_queue, miss_places) counts as 1, store_miss_places as 2, a bank_shift of 0 as 7. */
struct l2_config {
	uint32_t sets, ways, line; /* of one slice */
	uint32_t index, replace;   /* positions in the lists of policies */
	uint32_t mshrs, mshr_merge;
	uint32_t request_queue, reply_queue, dram_queue, fill_queue; /* packets */
	uint32_t rop_latency, hit_latency;                           /* L2 cycles */
	uint32_t bypass_queue; /* requests that bypass the cache, in front of the queue to DRAM */
	uint32_t input_width;  /* packets a cycle from the request queue into the ROP pipeline, and out of it
				*/
	uint32_t banks;        /* of one slice */
	uint32_t bank_shift; /* a line's bank: its address inside the partition >> bank_shift, modulo banks */
	uint32_t bank_ports; /* look-ups that a bank can have under way */
	uint32_t bank_queue; /* packets in front of each bank */
	uint32_t lookup_cycles; /* that a look-up occupies a port of its bank */
	uint32_t arbitration;   /* enum l2_arbitration: which bank goes first when they compete */
	uint32_t data_ports;    /* enum l2_data_ports */
	uint32_t units;         /* enum l2_units_of: what has a data port and an atomic unit: slice or bank */
	uint32_t port_bytes;    /* data port, bytes per cycle */
	uint32_t store_cycles;  /* least time of a store at the data port */
	uint32_t fetch;         /* enum l2_fetch */
	uint32_t store_miss;    /* enum l2_store_miss */
	uint32_t write_back;    /* enum l2_write_back */
	uint32_t miss_places, store_miss_places; /* of dram_queue, without which a miss is refused */
	bool flush, halves;
	uint32_t halves_latency;        /* crossbar cycles */
	double atomic_cycles;           /* cycles that an atomic occupies its unit per 32-byte sector */
	double atomic_collision_cycles; /* and for each further lane on one word ... */
	double atomic_float_cycles;     /* ... of floating-point numbers; 0: as of integers */
	/* no parameters: */
	const struct classifier *classifier; /* policies' prototypes, borrowed; NULL: none, none, mru */
	const struct l2_bypass *bypass;
	const struct insertion *insertion;
	const struct index *index_prototype; /* their parameters, borrowed; NULL: defaults */
	const struct replace *replace_prototype;
	bool sets_aside;     /* a part can be set aside (set_aside.h) */
	uint64_t seed;       /* the run's, for random replacement */
	uint32_t sms, warps; /* SMs; warp slots of one: policies may size tables by them */
	uint32_t lead;       /* L2 cycles of rop_latency that requests spend on the way back instead, so that
				what is behind the ROP pipeline works so much earlier (core/lookahead/lookahead.h)
			      */
};

/* The outcome of a request. */
enum l2_outcome {
	L2_HIT,
	L2_MISS,
	L2_MERGED, /* reads and atomics: all bytes valid; made a fetch; merged with one in flight */
	L2_STORE_HIT,
	L2_STORE_MISS, /* stores: the line was present, or was allocated */
	L2_BYPASSED,   /* a read or store that bypassed the cache */
	L2_OUTCOME_COUNT
};
extern const struct sim_param l2_params[];
/* Reads the section, and the parameters of its policies, which l2_config_fini frees. */
void l2_config_read(struct l2_config *l2, struct config *config, const char *path, struct diag_list *diags);
void l2_config_fini(struct l2_config *l2);
bool l2_config_check(const struct l2_config *config, char *message, size_t size);

struct l2_slice;

/* Creates the slice with its ports: request and fill, which it consumes, reply and dram, which it produces.
 * The components at their other ends, the crossbars and the DRAM channel, get them from
 * l2_ports and set themselves as producer or consumer. A request is answered with the same packet: is_reply
 * set, route = by.sm. One that no SM made (is_internal) goes back to its pool when it has been served. An
 * atomic is answered with 8 + bytes on the wire if wants_data, else with 8. Statistics under "l2" with the
 * slice's number. The pools of packets still inside must outlive l2_free. */
struct l2_slice *l2_new(
	struct simulator *sim, const struct l2_config *config, uint16_t number, struct stat_tree *stats);
void l2_free(struct l2_slice *slice);

/* A slice has one port to its DRAM channel, or one for each of the channel's inputs: a read takes the one
 * that the function chooses for the request that causes it (a read or an atomic whose line misses, or a read
 * that bypasses), 0 being the first; writes take the last. Each port has dram_queue places. To be called
 * before l2_ports and the first request; without a call there is one. */
#define L2_DRAM_INPUTS 2
typedef uint32_t (*l2_input_function)(const void *context, const struct packet *request);
void l2_set_dram_inputs(
	struct l2_slice *slice, uint32_t inputs, l2_input_function function, const void *context);
/* The slice sends a notice by the first input (PACKET_RAISE) when a request that would take it merges with a
 * fetch that took another. After l2_set_dram_inputs. */
void l2_raise_merged(struct l2_slice *slice);

struct l2_ports {
	struct port *request, *reply, *dram[L2_DRAM_INPUTS], *fill; /* dram: NULL where there is no such input
								     */
};
struct l2_ports l2_ports(struct l2_slice *slice);
/* Takes a request, which is to arrive at the slice's request port at that time, into the ROP pipeline, if it
 * is certain to enter: returns the time at which it does; else SIM_NEVER. To be called in the order of
 * arrivals, in the phase of networks. */
picoseconds l2_take_ahead(struct port *request, struct packet *p, picoseconds arrival);

/* Adds a listener (memsys/listener.h), which is notified after those added before. Before the first request.
 */
void l2_listen(struct l2_slice *slice, struct cache_listener *listener);
/* A kernel is about to start: tells the policies of the slice. alone: no other is under way (l2.flush). */
void l2_kernel_started(struct l2_slice *slice, const char *name, uint64_t launch, bool alone);
/* Brings the counters up to date: counts the cycles of current stalls before the L2 cycle `until`. */
void l2_sync_stats(struct l2_slice *slice, cycles until);
/* Valid lines that were replaced by others, so far. */
uint64_t l2_evictions(const struct l2_slice *slice);
/* Requests that it has served, so far. */
uint64_t l2_accesses(const struct l2_slice *slice);
/* Accesses without time, of CTAs that are executed without timing (core/sample/warming.h): they leave lines,
 * valid and dirty bytes, and the order of replacement as requests would. Nothing is counted, sent or written
 * back. `local` and `device`: the address inside the slice, and in device memory; read: of these sectors of
 * 32 bytes of its line; write: of these bytes. */
void l2_warm_read(struct l2_slice *slice, addr local, addr device, uint32_t sectors);
void l2_warm_write(struct l2_slice *slice, addr local, addr device, const uint32_t bytes[4], bool is_atomic);
/* The same where the L2 has halves, by an SM of the other half than that of the line's home, which asks `own`
 * first (stores; atomics go to the home alone); and behind a store by an SM of the home's half, or an atomic:
 * the other half's copy is dropped. */
void l2_warm_read_far(struct l2_slice *own, struct l2_slice *home, addr local, addr device, uint32_t sectors);
void l2_warm_write_far(
	struct l2_slice *own, struct l2_slice *home, addr local, addr device, const uint32_t bytes[4]);
void l2_warm_drop_copy(struct l2_slice *home, struct l2_slice *other, addr local);
/* Not where a policy decides what enters the slice, or somebody follows what is in it. */
bool l2_may_warm(const struct l2_slice *slice);
/* l2_state.c: the lines of an idle slice, as tags_state.c has them, and whose turn it is; its policies'
 * states are apart. */
bool l2_can_keep(const struct l2_slice *slice);
void l2_describe(const struct l2_slice *slice, FILE *to);
void l2_state(struct l2_slice *slice, struct state *state);
/* The policies that have a state: warp types, bypassing, insertion; NULL: none. */
struct l2_policies {
	struct classifier *classifier;
	struct l2_bypass *bypass;
	struct insertion *insertion;
};
struct l2_policies l2_policies(const struct l2_slice *slice);
bool l2_is_idle(const struct l2_slice *slice); /* nothing queued or in flight (dirty lines may remain) */
void l2_print_state(const struct l2_slice *slice, FILE *stream); /* for hang reports: what waits for what */
void l2_view_queues(const struct l2_slice *slice, const struct queue_visitor *visitor);

#endif
