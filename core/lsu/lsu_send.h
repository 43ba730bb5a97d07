/* core/lsu/lsu_send.h -- line requests leave the load/store unit. */
#ifndef CORE_LSU_LSU_SEND_H
#define CORE_LSU_LSU_SEND_H

#include "core/lsu/lsu_entry.h"

/* Offers the next line request of e, the head of p. Sets *l1_taken if the L1 was asked although there is a
 * request buffer. */
void lsu_send(struct sm *sm, struct lsu_pipe *p, struct lsu_entry *e, bool *l1_taken, cycles now);
/* The head has been served and leaves the pipe. */
void lsu_pop_entry(struct sm *sm, struct lsu_pipe *p, cycles now);

#endif
