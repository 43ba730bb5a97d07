/* core/lookahead/window.h -- an SM that runs alone for a while: a window of its own time.
 *
 * The SM itself knows nothing of it: it does one cycle after another (sm_cycle), between two ports of its
 * own. Its replies are known so far ahead as core/lookahead/lookahead.h says, and each waits here until the
 * cycle in which it comes to the SM. What the SM does to others waits for the machine's time, here: a request
 * leaves for the network in the cycle in which it was made, a CTA that ends is counted and replaced
 * in its cycle, and stores take effect at the end of their epoch (core/lookahead/epoch.h). So in one tick of
 * its component an SM executes many cycles, as long as nothing else can matter to it:
 *   - not beyond the end of the epoch, since then others' stores become visible, nor beyond the time at which
 *     the machine is to stop;
 *   - not while the port for its requests could fill up, since others decide when it empties, unless the
 *     network cannot take one of them before (network_first_departure);
 *   - not behind a cycle in which a CTA ended, or gave up what it had, or something went wrong, nor without
 *     warps, nor while a CTA waits for which there is room. */
#ifndef CORE_LOOKAHEAD_WINDOW_H
#define CORE_LOOKAHEAD_WINDOW_H

#include "core/lookahead/pending.h"
#include "sim/event/packet.h"
#include "sim/event/timestamp.h"
#include <stdio.h>

struct network;
struct sm;

/* Why a window ended. */
enum window_end {
	WINDOW_EPOCH, /* the epoch did, or nothing happens before its end */
	WINDOW_CTA,   /* a CTA ended, or another can start */
	WINDOW_PORT,  /* its requests could fill their port */
	WINDOW_LIMIT, /* the machine stops there, or the kernel is not to run in windows */
	WINDOW_ENDS
};

struct sm_window {
	struct sm *sm;
	uint32_t lookahead; /* core cycles; 0: none, the SM ticks in each cycle; of what follows only epoch,
			       fault_cycle and pending are used */
	uint32_t epoch;   /* length of epochs now; 1: stores take effect in their cycle, and all ends there */
	uint32_t length;  /* most cycles of a window */
	uint32_t pushes;  /* most requests that are made in a cycle */
	bool is_held;     /* its last window ended since its port could be full, though it was not */
	bool lacks_room;  /* its port was full when it ran last, and something waits for that */
	cycles done;      /* the SM has run up to this cycle, exclusive */
	cycles next;      /* the first after that in which something can happen by itself */
	cycles reply_due; /* when the first of `replies` is; SIM_NEVER: there are none */
	cycles stop;      /* a cycle that has run, with something for the commit phase; SIM_NEVER: none */
	cycles fault_cycle; /* of sm->state.fault, while it waits for the end of the epoch */

	struct component gate; /* of the commit phase, before the GPU's: lets requests out, and says that
				  there is something to commit, in their cycles */
	const struct network *network; /* of requests */
	struct port request_port; /* to the network: the packets of sm->state.request whose cycle has come */
	cycles *out_at;           /* the cycles of the others, a ring of as many as sm->state.request holds */
	uint32_t out_first, out_count;

	struct port reply_port; /* of the network of replies: what arrives goes on to `replies` at once */
	struct port replies;    /* until they are due (packet.due), one a cycle */
	timestamp replies_lead; /* by which the memory side's time goes before; even */

	struct pending_stores pending;
	/* that have run: statistics of the simulator, not of the machine */
	uint64_t windows, cycles, ends[WINDOW_ENDS];
};

/* Of an SM that has just been built, which ticks by window_tick. lookahead: in core cycles; 0: the SM ticks
 * in each cycle. */
void window_init(struct sm *sm, uint32_t lookahead);
/* Before the SM is freed. */
void window_fini(struct sm *sm);
/* The SM's tick. */
void window_tick(struct component *sm, cycles now);
/* How many windows the SMs had, how long they were and why they ended, for --host-profile. */
void window_print(struct sm *const *sms, uint32_t count, FILE *stream);
/* The port from which the network takes the SM's requests, and the one to which it brings replies. */
struct port *window_requests(struct sm *sm);
struct port *window_replies(struct sm *sm);
/* With a lookahead, the receiver of what the network brings to that port (network_set_receiver). */
picoseconds window_take_reply(struct port *reply_port, struct packet *p, picoseconds arrival);
/* Whether no reply waits until it is due. */
static inline bool window_is_idle(const struct sm_window *w)
{
	return !w->replies.count;
}

#endif
