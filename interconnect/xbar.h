/* interconnect/xbar.h -- one crossbar (one direction): inputs with buffers, flits, per-output arbitration.
 *
 * A packet of n bytes is ceil(n / flit) flits; an input sends and an output accepts one flit a cycle; a packet holds
 * its input and output until its last flit has gone (wormhole without interleaving). An output takes a packet only if its
 * buffer (the output port) has room: back-pressure reaches the inputs. A component of PHASE_XBAR; sleeps when nothing can move. */
#ifndef INTERCONNECT_XBAR_H
#define INTERCONNECT_XBAR_H

#include "sim/packet.h"
#include "sim/param.h"
#include "sim/stat.h"

enum xbar_arbiter { XBAR_ROUND_ROBIN, XBAR_AGE };

struct xbar_config {
	uint32_t flit;            /* bytes */
	uint32_t latency;         /* cycles from the last flit's departure to arrival */
	uint32_t arbiter;
};
extern const struct sim_param xbar_params[];

struct xbar;

/* in[inputs] and out[outputs] are the caller's ports. The crossbar sets itself as consumer of in[] and producer of out[].
 * A packet goes to out[packet->route]. Statistics under `group`: packets, flits, busy cycles, waits by cause, latency histogram. */
struct xbar *xbar_new(struct simulator *sim, const struct xbar_config *config, uint32_t inputs, struct port *const *in,
	uint32_t outputs, struct port *const *out, struct stat_tree *stats, const char *group);
void xbar_free(struct xbar *xbar);
/* Waits under way are counted, as far as they have gone before the cycle `until`, so that the counters can be read. */
void xbar_settle(struct xbar *xbar, cycles until);
bool xbar_is_idle(const struct xbar *xbar);
void xbar_print_state(const struct xbar *xbar, FILE *stream);

#endif
