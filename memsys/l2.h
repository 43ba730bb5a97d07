/* memsys/l2.h -- one L2 slice: request queue from the crossbar, ROP pipeline, banked tags with write-back and
 * write-allocate, MSHRs, atomics, queues to and from its DRAM channel, reply queue to the crossbar.
 *
 * A component of PHASE_L2. Reads that hit reply after the hit latency; the data port moves port_bytes a cycle. A write
 * that covers whole 32-byte sectors (byte mask) allocates without a fetch; a partial one too (masks keep what is valid; the
 * missing bytes are fetched when a read needs them). Dirty victims are written to DRAM. Every refusal is counted by name. */
#ifndef MEMSYS_L2_H
#define MEMSYS_L2_H

#include "memsys/map.h"
#include "sim/config.h"
#include "sim/packet.h"
#include "sim/param.h"
#include "sim/stat.h"

struct index;
struct replace;

struct l2_config {
	uint32_t sets, ways, line;        /* of one slice */
	uint32_t index, replace;          /* positions in index_classes, replace_classes */
	uint32_t mshrs, mshr_merge;
	uint32_t request_queue, reply_queue, dram_queue, fill_queue;   /* packets */
	uint32_t rop_latency, hit_latency;   /* L2 cycles */
	uint32_t port_bytes;              /* data port, bytes per cycle */
	uint32_t atomic_cycles;           /* cycles that an atomic occupies its unit per 32-byte sector */
	/* no parameters: */
	const struct index *index_prototype;     /* their parameters, borrowed; NULL: defaults */
	const struct replace *replace_prototype;
	uint64_t seed;                    /* the run's, for random replacement */
};
extern const struct sim_param l2_params[];
/* Reads the section, also the parameters of its slots, which l2_config_fini frees. */
void l2_config_read(struct l2_config *l2, struct config *config, const char *path, struct diag_list *diags);
void l2_config_fini(struct l2_config *l2);
bool l2_config_check(const struct l2_config *config, char *message, size_t size);

struct l2_slice;

/* Creates the slice with its four ports: request and fill, which it consumes, reply and dram, which it produces. Who
 * stands at their other ends sets itself as producer or consumer (the crossbars, the DRAM channel: l2_ports gives
 * them). Requests are answered with the same packet: is_reply set, route = source; those without a source (PACKET_NO_SOURCE) go
 * back to their pool. An atomic is answered with 8 + bytes on the wire if wants_data, else with 8.
 * Statistics under "l2" with the slice's number. The pools of packets still inside must outlive l2_free. */
struct l2_slice *l2_new(struct simulator *sim, const struct l2_config *config, uint16_t number, struct stat_tree *stats);
void l2_free(struct l2_slice *slice);

struct l2_ports { struct port *request, *reply, *dram, *fill; };
struct l2_ports l2_ports(struct l2_slice *slice);

bool l2_is_idle(const struct l2_slice *slice);      /* nothing queued or in flight (dirty lines may remain) */
void l2_print_state(const struct l2_slice *slice, FILE *stream);   /* for hang reports: what waits on what */

#endif
