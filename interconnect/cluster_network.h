/* interconnect/cluster_network.h -- the network between the SMs of a GPC, over which CTAs of a cluster reach
 * each other's shared memory.
 *
 *   SM i  --> [ sources: loads | stores | ... | answers ] --> port out --(d_i + d_j)--> port in --> SM j
 *
 * A request goes there in pieces of up to 128 bytes, and each is answered: a load by data, all others by an
 * acknowledgement. Both ports of an SM carry `bandwidth` bytes a cycle in grants of 32, one piece after the
 * other; what is not data takes a port for less. The way from SM i to SM j takes d_i + d_j cycles, with a
 * distance d for each SM: on two chips the latencies of all pairs of 16 SMs follow this within a cycle
 * (HPMLL, NVIDIA-Hopper-Benchmark, an H100; FlashGPU-Sim, an H200). A piece leaves when the port at the
 * other end has room, so that an SM to which many send holds them up. Answers need no room, and nothing that
 * arrives waits for a port, so that the network cannot lock up.
 *
 * A component of PHASE_COMMIT, since what it brings takes effect there. It sleeps when nothing can move. */
#ifndef INTERCONNECT_CLUSTER_NETWORK_H
#define INTERCONNECT_CLUSTER_NETWORK_H

#include "sim/config/param.h"
#include "sim/event/event_kernel.h"
#include "sim/stats/stat.h"

struct cluster_network;

enum cluster_kind {
	CLUSTER_LOADS,    /* and atomics with a result */
	CLUSTER_STORES,   /* and atomics without */
	CLUSTER_ARRIVALS, /* at mbarriers */
	CLUSTER_ASYNC,    /* st.async, red.async */
	CLUSTER_COPIES,   /* bulk copies */
	CLUSTER_KINDS
};

struct cluster_network_config {                            /* section "cluster" */
	double bandwidth, load_bandwidth, store_bandwidth; /* bytes a cycle */
	double command, acknowledgement;                   /* cycles of a port */
	double arrival, store;                             /* cycles */
	double distance; /* cycles, of an SM that `distances` does not name */
	const char *distances;
	uint32_t queue; /* requests */
	uint32_t wait;  /* cycles */
};
extern const struct sim_param cluster_network_params[];

struct cluster_request {
	uint16_t from, to;   /* SMs */
	uint8_t kind;        /* enum cluster_kind */
	uint32_t bytes;      /* of data that go there */
	uint32_t back;       /* of data that come back; 0: an acknowledgement does */
	uint32_t tag, after; /* the client's */
	void *what;          /* the same */
};

/* Who uses the network; called in its tick, in the cycle `now`. */
struct cluster_client {
	void *user;
	/* The last piece has left, has arrived, has been answered. */
	void (*sent)(void *user, const struct cluster_request *request, cycles now);
	void (*arrived)(void *user, struct cluster_request *request, cycles now);
	void (*answered)(void *user, const struct cluster_request *request, cycles now);
};

/* place[sm]: the SM's number in its GPC, by which `distances` names it. Statistics under "cluster";
 * stats may be NULL. */
struct cluster_network *cluster_network_new(struct simulator *sim,
	const struct cluster_network_config *config, uint32_t sms, const uint16_t *place,
	const struct cluster_client *client, struct stat_tree *stats);
void cluster_network_free(struct cluster_network *network);
/* What is wrong with the list of distances, as a sentence in message; NULL: nothing. */
const char *cluster_network_check(const struct cluster_network_config *config, char *message, size_t size);

/* In the commit phase. */
void cluster_network_send(struct cluster_network *network, const struct cluster_request *request, cycles now);
/* Requests of the SM, without bulk copies, that have not left yet, which changes in the commit phase only;
 * and how many may wait so (config->queue). */
uint32_t cluster_network_waiting(const struct cluster_network *network, uint32_t sm);
/* Accesses have found no room so many times. */
void cluster_network_refused(struct cluster_network *network, uint32_t times);
uint32_t cluster_network_queue(const struct cluster_network *network);
bool cluster_network_is_idle(const struct cluster_network *network);
/* Calls for each request with a `what` that has not arrived. */
void cluster_network_each(struct cluster_network *network,
	void (*each)(void *user, struct cluster_request *request), void *user);

#endif
