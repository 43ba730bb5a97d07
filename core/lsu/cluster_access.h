/* core/lsu/cluster_access.h -- what an SM sends over the network of its cluster, and what comes of it.
 *
 * Loads, stores and atomics of an instruction are requests for the lines of 128 bytes that its lanes touch in
 * each CTA. A load's data are taken from there when it issues; its result is there with the last answer. A
 * store counts as one under way until its answer, as one of global memory does, so that fences wait for it.
 * What st.async, red.async and arrivals at mbarriers do takes effect when they arrive; arrivals count as
 * stores, too. Bulk copies say when their last byte has left and when it has arrived (bulk_engine.h).
 *
 * All of it happens in the commit phase; in its own cycle the SM only notes what it asks for. */
#ifndef CORE_LSU_CLUSTER_ACCESS_H
#define CORE_LSU_CLUSTER_ACCESS_H

#include "core/exec/lane_types.h"
#include "interconnect/cluster_network.h"

struct cluster_signal;
struct lsu_entry;
struct sm;
struct uop;

struct cluster_access {
	struct cluster_network *network;
	struct cluster_request *asked; /* in this cycle */
	uint32_t count, room;
	uint32_t refused;            /* times that an access has found no room since then */
	struct cluster_signal *free; /* to be used again */
};

/* The SM has a network, which is the caller's. */
void cluster_access_init(struct sm *sm, struct cluster_network *network);
void cluster_access_fini(struct sm *sm);
/* For the network of these SMs, by number. */
struct cluster_client cluster_access_client(struct sm **sms);

/* Finds the entry's requests: the lanes' addresses are those of .shared::cluster. */
void cluster_access_prepare(struct sm *sm, struct lsu_entry *e, const struct uop *u, lane_mask mask);
/* The entry's requests are on their way, and loads have their data so many cycles after the last answer;
 * false: the queue has no room yet. */
bool cluster_access_send(struct sm *sm, const struct lsu_entry *e, cycles after);
/* A bulk copy of so many bytes goes to the SM of that rank of the cluster. */
void cluster_access_copy(struct sm *sm, uint32_t number, uint32_t to, uint32_t bytes);

/* In the commit phase: what the SM has asked for goes to the network. */
void cluster_access_commit(struct sm *sm, cycles now);
/* What signals under way will do is done; they stay under way, for who takes it back. */
void cluster_access_perform(struct cluster_network *network, struct sm **sms);
/* All signals under way arrive at once, since their CTAs go on without timing, or never. */
void cluster_access_flush(struct cluster_network *network, struct sm **sms, bool drops);

#endif
