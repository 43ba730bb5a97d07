/* host/driver/device/device.h -- kernels that launch kernels. */
#ifndef HOST_DRIVER_DEVICE_DEVICE_H
#define HOST_DRIVER_DEVICE_DEVICE_H

#include "host/driver/driver.h"
#include "core/runtime/services.h"

/* What calls return (the errors of the device runtime, which libcudadevrt translates to those of CUDA). */
enum device_error {
	DEVICE_OK = 0,
	DEVICE_INVALID_VALUE = 1,
	DEVICE_INVALID_DEVICE = 3,
	DEVICE_NO_MEMORY = 4,
	DEVICE_TOO_DEEP = 5,      /* cudaErrorLaunchMaxDepthExceeded */
	DEVICE_NO_RESOURCES = 6,  /* cudaErrorLaunchOutOfResources */
	DEVICE_CONFIGURATION = 7, /* cudaErrorInvalidConfiguration */
	DEVICE_TOO_MANY = 12,     /* cudaErrorLaunchPendingCountExceeded */
};

#define DEVICE_DEPTH 24 /* grids below the host's (CUDA C++ Programming Guide, "Nesting Depth") */
/* Streams that have a meaning of their own; named ones have larger handles. */
enum device_stream_name {
	DEVICE_STREAM_NULL,
	DEVICE_STREAM_LEGACY,
	DEVICE_STREAM_PER_THREAD,
	DEVICE_STREAM_TAIL,
	DEVICE_STREAM_FIRE_AND_FORGET,
	DEVICE_STREAM_FIRST = 16,
};

/* Who calls, and what. */
struct device_caller {
	const struct device_call *call;
	struct operation *operation; /* the launch whose kernel calls */
};

/* A stream of a grid: its last operation is what the next one waits for. */
struct device_stream {
	struct device_stream *next; /* with the same hash */
	uint64_t cta, name;         /* of a CTA's or thread's own; of others cta is UINT64_MAX */
	struct operation *last;     /* NULL: it has ended */
	bool is_destroyed;
};

struct device_event {
	struct device_event *next;
	uint64_t name;
	struct operation *record; /* the most recent, if it has not ended */
};

/* What a launch, or the launch of a graph, has launched; it ends when all that has. */
#define FAMILY_STREAMS 64
struct family {
	struct operation *parent;
	uint64_t pending; /* operations of its streams and at most one tail launch, which have not ended */
	bool has_ended;   /* the parent's own work */
	unsigned depth;   /* of the grid that launches: 0 for the host's */
	struct operation *tails; /* prepared, in their order, by next_tail */
	struct device_stream *streams[FAMILY_STREAMS];
	struct device_event *events;
	uint64_t names; /* of streams and events, given out */
};

/* -- family.c -- */

struct family *family_of(struct operation *parent); /* made if there is none */
/* One more of the family, which runs as soon as it may; or behind all others, and those before. */
void family_add(struct family *family, struct operation *operation);
void family_add_tail(struct family *family, struct operation *operation);

/* -- device_stream.c -- */

struct device_stream *device_stream_find(const struct device_caller *caller, uint64_t name); /* NULL: none */
/* The operation is the stream's next, or waits for nothing (NULL); it is submitted. */
void device_stream_add(const struct device_caller *caller, struct device_stream *stream, struct operation *o);
void device_streams_free(struct family *family);

/* -- the calls, by what they are about; each returns a device_error, or what its declaration says -- */

uint64_t device_parameter_buffer(const struct device_caller *caller);
uint64_t device_launch(const struct device_caller *caller);
uint64_t device_stream_create(const struct device_caller *caller);
uint64_t device_stream_destroy(const struct device_caller *caller);
uint64_t device_stream_wait(const struct device_caller *caller);
uint64_t device_event_create(const struct device_caller *caller);
uint64_t device_event_record(const struct device_caller *caller);
uint64_t device_event_destroy(const struct device_caller *caller);
uint64_t device_number(const struct device_caller *caller);
uint64_t device_attribute(const struct device_caller *caller);
uint64_t device_limit(const struct device_caller *caller);
uint64_t device_cache_config(const struct device_caller *caller);
uint64_t device_function_attribute(const struct device_caller *caller);
uint64_t device_occupancy(const struct device_caller *caller);

uint64_t device_condition(const struct device_caller *caller);    /* graph/graph_condition.c */
uint64_t device_graph_launch(const struct device_caller *caller); /* graph/graph_exec.c: a cudaError */
/* graph/graph_device.c: cudaErrors */
uint64_t device_node_parameter(const struct device_caller *caller);
uint64_t device_node_enabled(const struct device_caller *caller);
uint64_t device_node_grid(const struct device_caller *caller);
uint64_t device_node_updates(const struct device_caller *caller);

/* -- among themselves -- */

CUfunction device_function(const struct device_caller *caller, uint64_t address); /* NULL: no kernel has it */
uint64_t device_answer(const struct device_caller *caller, const void *value, size_t bytes); /* to argument 0
											      */
uint64_t device_error_set(const struct device_caller *caller, uint64_t error); /* of the thread: a CUDA error
										*/
uint64_t device_error_of(const struct device_caller *caller);

#endif
