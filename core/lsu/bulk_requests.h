/* core/lsu/bulk_requests.h -- the line requests of bulk copies: when they leave for the L2, and what follows
 * from their replies. */
#ifndef CORE_LSU_BULK_REQUESTS_H
#define CORE_LSU_BULK_REQUESTS_H

#include "core/lsu/bulk_engine.h"

#define BULK_NUMBERS 0xffffffu /* copies are numbered modulo this and one */

struct packet;

/* The unit works in cycle `when`, which is to come; SIM_NEVER: a reply will call it. */
void bulk_requests_call(struct sm *sm, cycles when);
/* A cycle of the unit: it takes a copy, and makes one request. */
void bulk_requests_make(struct sm *sm, cycles now);
/* A reply has come. */
void bulk_requests_reply(struct sm *sm, const struct packet *reply, cycles now);

#endif
