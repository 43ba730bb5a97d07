/* memsys/l2/halves.h -- the way between the two halves of an L2 (l2.halves).
 *
 * Slices 2k and 2k + 1 have the same place in either half. A line's home is the slice that the partition map
 * says. An SM asks its own half: the home, or the slice with the same place here, where the line has a key of
 * its own (MAP_COPY). If that one lacks it, it asks the home, which looks it up like any request and may have
 * to read DRAM, and keeps what comes as a copy. A store to a line at home in the other half leaves its bytes
 * in the copy and goes on to the home, which answers the SM. A store at home by an SM of that half, and an
 * atomic, which always goes to the home, drop the other half's copy. Requests from the other half go past the
 * slice's queue, ROP pipeline and bank queues, so that neither half can block the other; a quarter of the
 * MSHRs, and a line of each set, are kept for them.
 *
 * The way has a latency and carries any number of packets in a cycle. */
#ifndef MEMSYS_L2_HALVES_H
#define MEMSYS_L2_HALVES_H

#include "memsys/l2/l2.h"

struct l2_halves;

/* latency: crossbar cycles each way. slices: count of them, an even number, all with config.halves. */
struct l2_halves *l2_halves_new(
	struct simulator *sim, struct l2_slice **slices, uint32_t count, uint32_t latency);
void l2_halves_free(struct l2_halves *halves);

#endif
