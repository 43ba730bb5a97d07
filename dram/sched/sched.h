/* dram/sched/sched.h -- the slot of DRAM schedulers: which request's command goes next.
 *
 * A policy is one file that ends in a class, and one line of sched.def. It keeps its state in a struct that begins with
 * struct dram_sched. It decides among requests; refresh and precharging of idle banks are the channel's. */
#ifndef DRAM_SCHED_H
#define DRAM_SCHED_H

#include "dram/queue.h"

/* A request's next command and when timing allows it. request NULL: nothing to do; `ready` still says when to ask again. */
struct dram_choice {
	struct dram_request *request;
	enum dram_command command;
	cycles ready;
};

struct dram_sched {
	const struct dram_sched_class *class;
	const struct dram_config *config;
};

struct dram_sched_class {
	const char *name, *help, *source;
	size_t size;                /* of the policy's struct */
	/* The command to issue at `now`: a choice with ready <= now; or else one with the earliest time at which there will
	 * be one if nothing arrives meanwhile (SIM_NEVER: none). Reads only when queue->reply_room. Called once a cycle. */
	struct dram_choice (*choose)(struct dram_sched *sched, const struct dram_queue *queue, cycles now);
};

#define SCHED(name) extern const struct dram_sched_class dram_sched_##name;
#include "dram/sched/sched.def"
#undef SCHED

extern const char *const dram_sched_names[];                       /* NULL-terminated */
extern const struct dram_sched_class *const dram_sched_classes[];  /* in the same order */

struct dram_sched *dram_sched_new(uint32_t scheduler, const struct dram_config *config);

/* For policies: the command that the request needs next, and when it can issue. */
static inline struct dram_choice dram_next_command(const struct dram_queue *queue, struct dram_request *request)
{
	const struct dram_device *device = queue->device;
	uint64_t open = device->bank[request->bank].open_row;
	struct dram_choice c = { .request = request };

	if (open == request->row)
		c.command = request->direction == DRAM_WRITES ? DRAM_WR : DRAM_RD;
	else
		c.command = open == DRAM_NO_ROW ? DRAM_ACT : DRAM_PRE;
	c.ready = dram_ready_at(device, c.command, request->bank);
	return c;
}

#endif
