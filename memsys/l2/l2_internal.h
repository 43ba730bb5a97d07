/* memsys/l2/l2_internal.h -- what the files of the L2 slice share: l2.c (building), l2_cycle.c (the cycle,
 * sleep), l2_enter.c (what enters), l2_bypass_path.c (requests that bypass), l2_access.c (look-up, miss,
 * fill), l2_dram.c (packets to DRAM), l2_listen.c (events for listeners), l2_params.c (declarations). */
#ifndef MEMSYS_L2_L2_INTERNAL_H
#define MEMSYS_L2_L2_INTERNAL_H

#include "memsys/insertion/insertion.h"
#include "memsys/l2/l2.h"
#include "memsys/l2/rop.h"
#include "memsys/l2/set_aside.h"
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/listener.h"
#include "memsys/mshr.h"
#include "memsys/tags.h"
#include "memsys/warp_type/classifier.h"
#include "sim/base/bits.h"

#define HEADER_BYTES 8
#define SECTOR_BYTES 32u
#define L2_MAX_BANKS 32

/* Why the oldest request of a bank is not served. */
enum l2_stall {
	L2_STALL_NONE,
	L2_BANK_BUSY,  /* all ports of its bank are still busy with earlier look-ups */
	L2_LINE_ALLOC, /* every line of the set is reserved */
	L2_MSHR_ENTRY,
	L2_MSHR_MERGE_ENTRY,
	L2_DRAM_QUEUE,
	L2_WRITE_BACK, /* in this cycle its dirty victim is written back */
	L2_DATA_PORT,
	L2_ATOMIC_UNIT,
	L2_REPLY_QUEUE, /* the queue of answers is full */
	L2_STALL_COUNT
};

/* Why a request is looked up although the bypass policy sends it past the cache. */
enum l2_refusal {
	L2_MAY_BYPASS,
	L2_REFUSED_ATOMIC,
	L2_REFUSED_STORE,     /* l2.bypass.stores is off */
	L2_REFUSED_ENTERED,   /* a request that it must not overtake is between entry and look-up */
	L2_REFUSED_IN_FLIGHT, /* a fetch of its line is in flight */
	L2_REFUSED_DIRTY,     /* its line is present, with bytes that DRAM does not have */
	L2_REFUSED_CLEAN,     /* its line is present, and l2.bypass.clean_lines is off */
	L2_REFUSALS
};

struct l2_stats {
	uint64_t accesses, hits, misses, merged, stores, bypassed;
	uint64_t entered, posted, bypassed_stores, bypassed_present, bypass_invalidations, bypass_writes,
		bypass_read_bytes, bypass_write_bytes, bypass_time, bypass_order_wait;
	uint64_t bypass_refused[L2_REFUSALS - 1];
	uint64_t reads, atomics, store_hits, store_writes, store_fetches, partial_misses, evictions;
	uint64_t far_fetches, far_stores, copies_dropped;
	uint64_t fetches, fetch_bytes, write_backs, write_back_bytes, replies, reply_bytes, store_bytes,
		atomic_bytes;
	uint64_t data_port_cycles, atomic_unit_cycles, atomic_collisions;
	uint64_t request_queue_time, rop_time, bank_queue_time, mshr_time, reply_time, bank_queue_full;
	uint64_t raise_notices, raise_dropped;
	uint64_t stalls[L2_STALL_COUNT - 1];
	struct sim_histogram queue_delay, merge_depth;
};
/* Of what windows say (set_aside.h). */
struct l2_persisting_stats {
	uint64_t accesses, hits, lines, replaced, streaming;
};
extern const struct sim_stat l2_stat_table[], l2_bank_stat_table[], l2_persisting_stat_table[];

/* First cycles in which the data port (one for both directions, or one for each) and the atomic unit are
 * free. */
enum l2_direction { L2_OUT, L2_IN };
struct l2_units {
	cycles port_free[2], atomic_free;
};

struct l2_bank_stats {
	uint64_t look_ups, delay, busy_wait, stall_wait;
};

struct l2_bank {
	struct delay_line queue;    /* ready: the cycle in which it joined */
	uint32_t draining, drained; /* MSHR whose data have arrived (or MSHR_NONE), and how many of its
				       requests are answered */
	struct delay_line done;     /* answers on their way to the reply port, in order */
	enum l2_stall stall;        /* the current one, from stall_since on */
	bool is_filled;             /* a fill for this bank has come since its last look-up */
	struct l2_units *units;     /* of the bank, or of the slice */
	cycles last_ready;
	uint32_t next_port;
	cycles *look_up_free; /* [bank_ports], a ring: first cycles in which each port is free; the one at
				 next_port is the earliest. With one port: &of_one */
	cycles of_one;
	cycles stall_since, stall_counted; /* counted up to here */
	struct l2_bank_stats stats;
	struct l2_units own;
};

/* What a slice has to do with the other half of the L2 (halves.c). */
struct l2_across {
	struct port requests, replies; /* to the other half */
	struct port inbound;           /* requests from there */
	struct component *carrier;     /* that carries them */
	bool has_more;                 /* it has to look here: requests, replies or drops may not be empty */
	uint32_t fetches; /* MSHRs that wait for the other half: not all, or both might wait for ever */
	bool *is_copied;  /* by line: the other half may have a copy */
	addr *drops;      /* keys of lines whose copy is to be dropped */
	uint32_t drop_count, drop_room;
};

/* The fields are in the order in which a tick uses them; those that every tick uses come first. */
struct l2_slice {
	struct component component;
	cycles next_answer; /* when the first answer is ready; SIM_NEVER: none */
	uint64_t waiting;   /* banks with requests queued */
	uint32_t stamped;   /* number of packets in request.ring whose cycle of arrival is noted */
	bool has_policies;  /* requests are classified, or may bypass */
	bool head_decided, head_bypasses; /* the policies' decision about the head of request */
	bool bypass_first; /* whose turn it is to send to DRAM first: the bypass path's, or the banks' */
	struct rop rop;
	uint64_t draining, answering; /* banks with data to hand out; with answers on their way */
	struct l2_bank *banks; /* [config.banks + 1]; the last has only a `done` queue: answers that bypass
				  the cache */
	uint32_t turn, reply_turn; /* round robin: the bank that goes first */
	struct port request, fill;
	struct delay_line bypass_queue; /* requests that bypass, on their way to DRAM */
	struct l2_bypass *bypass;       /* NULL: none */
	struct classifier *classifier;  /* NULL: none */
	cycles *arrived;                /* by index in request.ring: cycle of arrival */
	cycles full_since;  /* since when the head of the ROP pipeline waits for room in its bank's queue;
			       SIM_NEVER: it does not */
	cycles order_since; /* since when the head of request waits for one of its line in the bypass queue;
			       SIM_NEVER: it does not */
	struct l2_inside *inside;    /* requests between entry and look-up; only with a bypass policy */
	uint64_t bank_mask;          /* config.banks - 1 if that is a power of two; all ones: it is not */
	picoseconds lead_time;       /* config.lead */
	struct insertion *insertion; /* NULL: mru */
	struct l2_units units;
	struct port reply, dram[L2_DRAM_INPUTS]; /* dram: one for each input of the channel */
	l2_input_function dram_input;            /* of a read to DRAM; NULL: there is one */
	const void *input_context;
	uint32_t last_input;
	struct l2_across *across;      /* NULL: the L2 has no halves */
	const struct set_aside *aside; /* NULL: no window was ever set, and nothing set aside */
	enum access_property property; /* what a window says of the request that is looked up */
	bool raises;                   /* notices of merges raise the priority of fetches */
	struct l2_config config;
	struct divisor port_bytes; /* config.port_bytes */
	uint32_t bypass_reads;     /* reads at DRAM that bypass the cache */
	/* lines and misses */
	struct tags tags;
	addr *device_address; /* of each line; tags hold addresses inside the partition */
	struct mshr_file mshrs;
	cycles *mshr_since;      /* by entry: when it was reserved */
	struct packet_pool pool; /* fetches and write-backs */
	struct l2_stats stats;
	struct l2_persisting_stats persisting;
	uint16_t number;
	struct l2_notifying { /* l2_listen.c: listeners, and the event of the current look-up */
		struct listeners listeners;
		struct access_event event;
		addr key;
		picoseconds sent;      /* when its SM sent the request */
		uint64_t hits, misses; /* counts before the look-up */
	} notification;
};

static inline uint32_t l2_bank_of(const struct l2_slice *s, addr local)
{
	addr run = local >> s->config.bank_shift;

	return (uint32_t)(s->bank_mask != UINT64_MAX ? run & s->bank_mask : run % s->config.banks);
}
/* The bank of a packet, which is not read if there is only one bank. */
static inline uint32_t l2_bank_for(const struct l2_slice *s, const struct packet *p)
{
	return s->bank_mask ? l2_bank_of(s, p->local) : 0;
}
/* The extra bank, whose `done` queue has the answers that bypass the cache. */
static inline struct l2_bank *l2_bypass_path(const struct l2_slice *s)
{
	return &s->banks[s->config.banks];
}
/* First cycle in which the data port can move the bytes of p. */
static inline cycles l2_port_free(const struct l2_bank *b, const struct packet *p)
{
	const cycles *free = b->units->port_free;

	if (p->kind == PACKET_ATOMIC)
		return free[L2_OUT] > free[L2_IN] ? free[L2_OUT] : free[L2_IN];
	return free[p->kind == PACKET_READ ? L2_OUT : L2_IN];
}

/* These sectors and the other ones of their 64 bytes. */
static inline uint32_t l2_pairs_of(uint32_t sectors)
{
	return sectors | (sectors & 5u) << 1 | (sectors & 10u) >> 1;
}

static inline uint32_t l2_sectors_of(const struct packet *p)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		sectors |= (uint32_t)(p->byte_mask[i] != 0) << i;
	return sectors;
}

/* ---- l2_cycle.c ---- */

void l2_tick(struct component *self, cycles now);
/* The first bank at or after `turn`, cyclically, in a mask that is not empty. */
static inline uint32_t l2_next_bank(uint64_t banks, uint32_t turn)
{
	uint64_t rest = banks >> turn << turn;

	return (uint32_t)__builtin_ctzll(rest ? rest : banks);
}

/* ---- l2_enter.c ---- */

/* Takes requests from the crossbar's port into the ROP pipeline or the bypass queue. */
void l2_accept(struct l2_slice *slice, cycles now);
/* Whether l2_accept could move something at the next cycle. */
cycles l2_next_accept(const struct l2_slice *slice, cycles now);
/* Moves requests that have passed the ROP pipeline into their banks' queues. */
void l2_to_banks(struct l2_slice *slice, cycles now);

/* ---- l2_bypass_path.c ---- */

/* Asks the policies about the head of the request port, once: its warp's type, and whether it bypasses the
 * cache. */
void l2_decide(struct l2_slice *slice, struct packet *p, cycles now);
/* Puts a request that bypasses into the bypass queue; false: there is no room. */
bool l2_into_bypass_queue(struct l2_slice *slice, struct packet *p, cycles arrived, cycles now);
/* Sends requests from the bypass queue to DRAM before the banks do, if it is the queue's turn; false: it is
 * not. */
bool l2_bypass_goes_first(struct l2_slice *slice, cycles now);
/* Sends requests from the bypass queue to DRAM. */
void l2_send_bypassing(struct l2_slice *slice, cycles now);
/* Whether a packet in the fill port is a read that bypassed the cache, not a fetch of this slice. */
static inline bool l2_is_bypass_path(const struct packet *p)
{
	return !p->is_internal;
}

/* Numbers of requests by a hash of their line: 0 proves that there is none for a line. */
#define L2_LINE_HASHES 4096
struct l2_inside {
	uint16_t all[L2_LINE_HASHES], writing[L2_LINE_HASHES]; /* between entry and look-up; of them, stores
								  and atomics */
	uint16_t bypassing[L2_LINE_HASHES];                    /* in the bypass queue */
};
static inline uint32_t l2_line_hash(addr local)
{
	return (uint32_t)(local / 128 * UINT64_C(0x9e3779b97f4a7c15) >> 52);
}

/* ---- l2_dram.c ---- */

/* A packet for DRAM that concerns `sectors` sectors, from first_sector on, of the line at these addresses.
 * by: the request that causes a fetch; NULL for a write-back. */
struct packet *l2_dram_packet(struct l2_slice *slice, enum packet_kind kind, addr local, addr device,
	uint32_t first_sector, uint32_t sectors, const struct requester *by);
/* A request has merged with the fetch of this entry: sends a notice if that gives the fetch priority. */
void l2_notice_merge(struct l2_slice *slice, uint32_t entry, const struct packet *request);
/* The port to DRAM for the read that a request causes, and the port for writes. */
static inline struct port *l2_read_port(struct l2_slice *s, const struct packet *request)
{
	if (__builtin_expect((request->local & MAP_COPY) != 0, 0))
		return &s->across->requests;
	return &s->dram[s->dram_input ? s->dram_input(s->input_context, request) : 0];
}
void l2_init_across(struct l2_slice *slice);
void l2_fini_across(struct l2_slice *slice);
/* What a fetch from the other half must leave for those of this one. */
enum l2_stall l2_copy_lacks(const struct l2_slice *slice, addr key, bool has_line);
/* A packet for the other half, whose port has room. */
void l2_send_across(struct l2_slice *slice, struct packet *p);
/* Looks up what has come from the other half. */
void l2_serve_across(struct l2_slice *slice, cycles now);
/* The line of this key has been accessed: notes whether the other half has a copy, or drops that after a
 * store. */
void l2_note_copy(struct l2_slice *slice, addr key, enum packet_kind kind, bool is_across);
static inline struct port *l2_write_port(struct l2_slice *s)
{
	return &s->dram[s->last_input];
}
/* Sends the first run of adjacent sectors that have bytes in the mask, and clears these in the mask. The port
 * for writes must have room. Returns the number of bytes sent. */
uint32_t l2_write_run(struct l2_slice *slice, uint32_t *byte_mask, addr local, addr device);
/* The same of all bytes in the mask, in one packet from the first of their sectors to the last. */
uint32_t l2_write_whole(struct l2_slice *slice, const uint32_t *byte_mask, addr local, addr device);

/* ---- set_aside.c, to be called only if s->aside ---- */

/* l2_victim for a request of s->property. */
uint32_t l2_victim_aside(struct l2_slice *slice, addr key);
/* The line has been found, or inserted, for that request; false: that does not count as a use. */
bool l2_used_aside(struct l2_slice *slice, uint32_t line);

/* ---- l2_access.c ---- */

/* The line to be replaced by key; TAGS_NONE: all are reserved. l2_choose: without regard to what persists. */
uint32_t l2_victim(struct l2_slice *slice, addr key);
uint32_t l2_choose(struct l2_slice *slice, addr key);
/* Whether the request would hit if it were looked up now. */
bool l2_would_hit(const struct l2_slice *slice, const struct packet *p);
/* l2_listen.c: notification, to be called only if there are listeners. l2_notify_before is called before a
 * look-up, l2_notify_after with its outcome. */
void l2_notify_before(struct l2_slice *slice, const struct packet *p);
void l2_notify_after(struct l2_slice *slice, const struct l2_bank *bank, enum l2_stall stall);
void l2_notify_bypassed(struct l2_slice *slice, const struct packet *p); /* a request bypasses the cache */
/* The clean line is invalidated, since a store bypasses it. */
void l2_notify_invalidated(struct l2_slice *slice, uint32_t line, const struct packet *by);
void l2_notify_flushed(struct l2_slice *slice, uint32_t line); /* a kernel starts with an empty L2 */
/* l2_notify_evicted: the request that is being looked up evicts the line. l2_notify_allocated: it gets the
 * line. l2_notify_filled: a fetch has arrived, and none of its requests has been answered yet. */
void l2_notify_evicted(struct l2_slice *slice, uint32_t line, bool is_dirty);
void l2_notify_allocated(struct l2_slice *slice, uint32_t line);
void l2_notify_filled(struct l2_slice *slice, const struct mshr_entry *entry);

/* Looks the request up and serves it: afterwards its packet belongs to the slice or has been freed. Or
 * returns what is missing; then nothing has changed, except the victim if that is L2_WRITE_BACK. */
enum l2_stall l2_access(struct l2_slice *slice, struct l2_bank *bank, struct packet *p, cycles now);
/* One cycle of handling data from DRAM: takes one packet from the fill port, and in each bank whose data have
 * arrived answers one request that waited for them. */
void l2_drain(struct l2_slice *slice, cycles now);
/* What is missing to answer p from this bank now. */
enum l2_stall l2_answer_lacks(const struct l2_bank *bank, const struct packet *p, cycles now);
/* Notifies the policies of the outcome of p, which has not been freed yet. */
void l2_tell_policies(struct l2_slice *slice, const struct packet *p, enum l2_outcome outcome, cycles now);
static inline void l2_note_outcome(
	struct l2_slice *s, const struct packet *p, enum l2_outcome outcome, cycles now)
{
	if (__builtin_expect(s->has_policies || s->insertion, 0))
		l2_tell_policies(s, p, outcome, now);
}
/* Appends p, which is ready at that cycle, to the bank's answers; there must be room. */
void l2_answer_at(struct l2_slice *slice, struct l2_bank *bank, struct packet *p, cycles ready, cycles now);
struct tags_config l2_tags_config(const struct l2_config *config, uint32_t slice);
const char *l2_stall_name(enum l2_stall stall);

#endif
