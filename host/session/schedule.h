/* host/session/schedule.h -- which task of which stream may start when.
 *
 * A task knows what it waits for when it is added: the previous task of its stream, what the rules of the
 * legacy default stream put before it, and whatever the caller names (events). Once it waits for nothing it
 * is ready, and it starts when its engine has room: kernels as long as the device accepts them, copies and
 * memory operations when their engine is free, other tasks at once. Of several ready tasks the one that was
 * added first starts first.
 *
 * Time belongs to the caller: the schedule never asks for it. It knows neither what tasks do nor the lock
 * around it. */
#ifndef HOST_SESSION_SCHEDULE_H
#define HOST_SESSION_SCHEDULE_H

#include "sim/base/types.h"

enum task_lane {
	LANE_NONE,      /* points in a stream, functions of the program's: take no simulated time */
	LANE_KERNELS,   /* several at once; the device says when one ends */
	LANE_COPY,      /* copy engines: one task at a time each, for its duration */
	LANE_COPY_BACK, /* the second engine, where there is one: from device to host */
	LANE_MEMORY,    /* fills and copies within the device: DRAM bandwidth can be used once */
	LANES
};

/* Part of what the caller queues. */
struct task {
	/* the caller's, before task_add */
	enum task_lane lane;
	picoseconds duration; /* in a copy engine or in the memory */
	bool starts_early;    /* a kernel: may start when the kernel before it in its stream has triggered */
	/* the schedule's */
	uint64_t order;             /* of adding: 1, 2, 3 ... */
	picoseconds end;            /* while it runs in a timed lane */
	struct task_stream *stream; /* NULL: none */
	struct task *next;          /* ready for the same lane */
	unsigned waits;             /* for so many tasks to end */
	struct task **followers;    /* that wait for this one */
	unsigned follower_count;
	struct task **early; /* kernels that may start when this one has triggered */
	unsigned early_count;
	bool has_triggered;
};

enum stream_rule {
	STREAM_BLOCKING, /* waits for the legacy default stream, which waits for it */
	STREAM_FREE,     /* CU_STREAM_NON_BLOCKING */
	STREAM_LEGACY,   /* the default stream of a group */
};

struct task_stream {
	enum stream_rule rule;
	struct task_stream *next; /* of the group */
	struct task_group *group;
	struct task *last; /* added and not ended; NULL: none */
	uint64_t pending;  /* tasks added and not ended */
};

/* Streams among which the rules of the default stream hold: a context's. */
struct task_group {
	struct task_stream *streams, *legacy;
};

struct schedule {
	struct task *ready[LANES];   /* by order */
	struct task *running[LANES]; /* timed lanes only */
	bool is_full;                /* the device takes no further kernel until one ends */
	uint64_t added, pending;
};

void task_stream_init(struct task_stream *stream, struct task_group *group, enum stream_rule rule);
void task_stream_fini(struct task_stream *stream); /* which has no tasks */

/* Adds a task behind all that its stream must wait for. It cannot start before task_submit. stream NULL:
 * behind nothing. */
void task_add(struct schedule *schedule, struct task *task, struct task_stream *stream);
void task_after(struct task *task, struct task *before); /* between these two; before NULL: nothing */
/* Kernels both: as soon as `before` has triggered (schedule_trigger) or ended. */
void task_after_trigger(struct task *task, struct task *before);
/* Whether that holds of the two. */
bool task_is_early(const struct task *task, const struct task *before);
void task_submit(struct schedule *schedule, struct task *task);

/* Takes the next task that can start at time now; NULL: none can. In a timed lane it runs from here on. */
struct task *schedule_start(struct schedule *schedule, picoseconds now);
void schedule_refuse(struct schedule *schedule, struct task *kernel); /* just started: the device had no room
									 for it */
void schedule_kernel_left(struct schedule *schedule); /* one is no longer on the device; its task has not
							 ended */
/* The kernel, which runs, lets those start that may be early. */
void schedule_trigger(struct schedule *schedule, struct task *kernel);
/* When the next task in a timed lane ends; SIM_NEVER: none runs. */
picoseconds schedule_due(const struct schedule *schedule);
/* Takes from its lane the task whose end has come by time now: the earliest, then the one added first. NULL:
 * none. */
struct task *schedule_take_due(struct schedule *schedule, picoseconds now);
/* A task that was started has ended; who waited for it may be ready. The task itself is the caller's again.
 */
void schedule_end(struct schedule *schedule, struct task *task);

#endif
