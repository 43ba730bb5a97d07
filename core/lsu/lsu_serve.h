/* core/lsu/lsu_serve.h -- a cycle of the load/store unit. */
#ifndef CORE_LSU_LSU_SERVE_H
#define CORE_LSU_LSU_SERVE_H

#include "sim/base/types.h"

struct sm;

void lsu_tick(struct sm *sm, cycles now);

#endif
