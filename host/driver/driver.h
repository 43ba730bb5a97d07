/* host/driver/driver.h -- internal to libcuda.so.1: the lock, the handles, the queue of operations.
 *
 * A program may call from any thread; one lock protects everything, and calls come in an order that does not
 * depend on the host (threads/). Handles are pointers, but each is looked up in the handle table before it is
 * used. Work becomes operations in streams, which the schedule orders (host/session/schedule.h). Operations
 * run while the host waits: then simulated time advances until the awaited operation has ended, and the work
 * of other streams proceeds meanwhile. While the host does anything else, simulated time does not advance,
 * and kernels in progress remain in their present state; unless it waits without a call
 * (threads/driver_background.c). Querying whether work has ended (cuStreamQuery, cuEventQuery) also counts as
 * waiting. */
#ifndef HOST_DRIVER_DRIVER_H
#define HOST_DRIVER_DRIVER_H

#include "host/cuda.h"
#include "core/observe/timeline.h"
#include "core/sanitize/sanitize.h"
#include "host/session/schedule.h"
#include "host/session/session.h"
#include "frontend/ptx.h"
#include "memsys/texture/texture.h"
#include "sim/base/diag.h"
#include "sim/base/xalloc.h"

#include <locale.h>
#include <pthread.h>

#define DRIVER_VERSION \
	13000 /* returned by cuDriverGetVersion: the newest CUDA version of which all calls are exported */

/* -- handles (driver_handle.c) -- */

enum handle_kind {
	HANDLE_CONTEXT = 1,
	HANDLE_MODULE,
	HANDLE_FUNCTION,
	HANDLE_STREAM,
	HANDLE_EVENT,
	HANDLE_LINK,
	HANDLE_ALLOCATION,
	HANDLE_ARRAY,
	HANDLE_MIPMAPPED_ARRAY,
	HANDLE_TEXREF,
	HANDLE_SURFREF,
	HANDLE_TEXTURE_OBJECT,
	HANDLE_SURFACE_OBJECT,
	HANDLE_GRAPH,
	HANDLE_GRAPH_NODE,
	HANDLE_GRAPH_EXEC,
	HANDLE_GRAPH_INSIDE, /* of an executable one: the program does not know it */
	HANDLE_UPDATABLE,    /* a node that kernels change */
	HANDLE_POOL,
	HANDLE_PHYSICAL, /* memory without an address */
	HANDLE_KINDS,
};

/* The first member of every object to which a program can have a handle. */
struct handle {
	const void *key; /* the handle in the program: the object itself, or the start of an allocation */
	enum handle_kind kind;
	struct CUctx_st *context;      /* the context with which it is destroyed; NULL for contexts */
	struct handle *next;           /* in its bucket */
	struct handle *before, *after; /* of its kind */
};

void handle_add(struct handle *handle, enum handle_kind kind, const void *key, struct CUctx_st *context);
void handle_remove(struct handle *handle);
void *handle_find(enum handle_kind kind, const void *key); /* NULL if there is none */
const struct handle *handle_first(enum handle_kind kind);  /* of all; the next one is ->after */
void *handle_first_of(enum handle_kind kind, const struct CUctx_st *context); /* any of the context's; NULL if
										 none is left */

/* -- objects -- */

/* Priorities are kept and answered, and have no effect. */
#define STREAM_PRIORITY_LEAST    0
#define STREAM_PRIORITY_GREATEST (-5)
#define STREAM_ATTRIBUTES        (CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN + 1)

struct CUstream_st {
	struct handle handle; /* default streams are not in the table, but in their contexts */
	struct task_stream tasks;
	CUstream name; /* the handle that callbacks receive */
	unsigned flags;
	int priority;
	CUstreamAttrValue attributes[STREAM_ATTRIBUTES]; /* by id */
	unsigned id;
	unsigned thread;         /* number of the thread whose default stream it is; 0: none */
	bool is_destroyed;       /* freed with its last operation */
	picoseconds ended;       /* when its last operation has */
	CUstream next;           /* per-thread default streams of the context */
	struct capture *capture; /* its work becomes nodes of a graph; NULL */
	CUgraphNode *tail;       /* the nodes for which its next one waits */
	size_t tail_count;
	uint64_t recorded; /* its number in a recording (recording/); 0: none */
};

struct CUctx_st {
	struct handle handle;
	bool is_primary;
	unsigned references; /* primary: cuDevicePrimaryCtxRetain; others: cuCtxAttach */
	unsigned flags;
	unsigned long long id;
	CUresult fault; /* sticky; CUDA_SUCCESS: none */
	CUfunc_cache cache_config;
	CUsharedconfig shared_config;
	size_t limits[16];
	struct task_group group;   /* all its streams */
	struct CUstream_st legacy; /* its default stream */
	CUstream thread_streams;
	uint64_t recorded; /* its number in a recording; 0: none */
};

struct CUevent_st {
	struct handle handle;
	unsigned flags;
	bool is_recorded;
	bool is_destroyed;        /* freed with its last record */
	struct operation *record; /* the most recent record operation, if it has not ended */
	uint64_t record_order;    /* of its task, also when it has ended; 0: none */
	uint64_t pending;         /* number of record operations that have not ended */
	picoseconds time;
	unsigned long long capture; /* the most recent record was in this capture, behind these nodes; 0: none
				     */
	CUgraphNode *captured;
	size_t captured_count;
};

struct CUmod_st {
	struct handle handle;
	struct session_module *loaded;
	struct ptx_image *image;
	struct CUfunc_st *functions; /* image->kernel_count of them */
	struct CUtexref_st *texrefs; /* those that the program asked for */
	struct CUsurfref_st *surfrefs;
	uint64_t recorded; /* its number in a recording; 0: none */
};

struct CUfunc_st {
	struct handle handle;
	CUmodule module;
	struct ptx_kernel *kernel;
	uint32_t max_dynamic_shared; /* bytes; until the program sets it, what all chips have */
	int carve_out; /* preferred share of shared memory, in per cent; CU_SHAREDMEM_CARVEOUT_DEFAULT: none
			*/
	CUfunc_cache cache_config;
	uint32_t cluster[3];  /* as the program requires it by cuFuncSetAttribute; 0: not */
	bool is_non_portable; /* clusters of more CTAs than 8 are allowed */
	int cluster_policy;   /* CUclusterSchedulingPolicy */
	uint32_t block[3];    /* of the calls before CUDA 4: shape, dynamic shared memory, parameter block */
	uint32_t dynamic_shared;
	uint8_t *params;
};

struct CUarray_st {
	struct handle handle;
	CUDA_ARRAY3D_DESCRIPTOR descriptor;
	struct texel_format format;
	struct texture_level level;
	uint32_t layers;
	uint64_t bytes;
	bool owns_memory; /* false: a level of a mipmapped array */
};

struct CUmipmappedArray_st {
	struct handle handle;
	addr start;
	uint64_t bytes;
	unsigned level_count;
	struct CUarray_st levels[TEXTURE_LEVELS];
};

struct CUtexref_st {
	struct handle handle;
	CUtexref next;    /* of the module */
	CUmodule module;  /* NULL: from cuTexRefCreate */
	uint64_t texture; /* the device's handle */
	CUDA_TEXTURE_DESC said;
	CUarray array; /* one of the three, or none */
	CUmipmappedArray mipmapped;
	CUdeviceptr address;
	uint64_t bytes, offset; /* linear memory */
	CUarray_format format;
	int channels;
	bool has_format; /* cuTexRefSetFormat was called */
};

struct CUsurfref_st {
	struct handle handle;
	CUsurfref next;
	uint64_t texture;
	CUarray array;
};

enum allocation_kind {
	ALLOCATION_DEVICE,
	ALLOCATION_PINNED,
	ALLOCATION_MANAGED,
	ALLOCATION_REGISTERED,
	ALLOCATION_SHADOW /* the device's address of registered memory */
};
struct allocation {
	struct handle handle;
	enum allocation_kind kind;
	size_t bytes;
	unsigned flags;
	unsigned long long id;
	CUmemoryPool pool; /* NULL: none */
	struct allocation *next_registered;
	struct allocation *shadow; /* of registered memory; NULL: kernels cannot reach it */
};

/* -- the state (driver_state.c) -- */

struct driver {
	struct session *session; /* NULL before cuInit */
	struct gpu *gpu;
	struct device_memory *memory;
	bool is_closed;        /* the process is ending */
	bool is_replay;        /* a recording takes the place of a program (recording/replay.h) */
	CUresult fault;        /* of any kernel: the process gets no context any more; CUDA_SUCCESS: none */
	bool event_times_read; /* the program has asked for the time between two events */
	char *fault_ignored; /* the kernel that ended with a fault, if no other context was worked in since */
	unsigned long long next_id;
	uint64_t launches_started, launches_refused; /* refused: what the chip or Lockstep cannot run */
	bool has_refused_module;                     /* whose kernels the program may launch all the same */
};
extern struct driver driver;

enum driver_need {
	NEED_NOTHING,
	NEED_INIT,    /* cuInit was called */
	NEED_CONTEXT, /* cuInit was called, and a context without a fault is current */
};
/* Whether a thread may access device memory (memory/driver_guard.c, with --sanitize=memory): in the program's
 * threads during our calls alone. open, close and restore are for the calling thread; open returns what was
 * before. */
typedef unsigned guard_rights;
guard_rights guard_open(void);
void guard_close(void);
void guard_restore(guard_rights before);
void guard_new(void); /* before threads that may access it */
void guard_begin(bool is_wanted);
/* Memory of the device that the program may access, and that it may access no more. */
void guard_permit(addr start, uint64_t bytes);
void guard_forbid(addr start, uint64_t bytes);

struct driver_call {
	CUresult error;
	bool is_locked;
	locale_t before;  /* the program's */
	int cancel_state; /* a thread is cancelled between calls, not in one */
	guard_rights rights;
};
struct driver_call driver_enter(enum driver_need need);
void driver_leave(struct driver_call *call);
/* Inside every call numbers have decimal points, whatever locale the program has chosen. enter: the C locale;
 * of_program: the program's, for its functions; both return what was before, for leave. */
locale_t driver_locale_enter(void);
locale_t driver_locale_of_program(void);
void driver_locale_leave(locale_t before);
CUresult driver_start(void); /* cuInit */
void driver_close(void);     /* writes the results; every later call returns CUDA_ERROR_DEINITIALIZED */
void compiler_check(void);   /* driver_compiler.c: says it if the vendor's compiler does not know the chip */
void driver_watch_interrupts(void); /* driver_interrupt.c: from cuInit on, Ctrl-C ends the process even
				       outside calls */
void driver_end_interrupted(void);  /* from a thread of ours: writes the results and ends the process */
pthread_mutex_t *driver_lock(void); /* for functions that release the lock while a function of the program
				       runs */
bool driver_lock_within(long milliseconds); /* takes that lock; false: others have had it for so long */

/* Used first in every function of the API: takes the lock until the function returns; returns an error if
 * the need is not met. */
#define DRIVER_CALL(need) \
	__attribute__((cleanup(driver_leave))) struct driver_call driver_call = driver_enter(need); \
	if (driver_call.error) \
	return driver_call.error

/* "lockstep: ..." on stderr (driver_say.c): the same line once. counts: at the end, how often lines would
 * have been said. */
void driver_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
void driver_say_counts(void);

/* The same, and the line stands at the top of stats.txt: what the statistics depend on. */
void driver_note(const char *line);

/* Exports a function under another name, given as a string because names are macros. */
#define DRIVER_JOIN_(a, b) a##b
#define DRIVER_JOIN(a, b)  DRIVER_JOIN_(a, b)
#define DRIVER_TEXT_(a)    #a
#define DRIVER_TEXT(a)     DRIVER_TEXT_(a)
#define EXPORT_AS(function, name) \
	extern __typeof__(function) DRIVER_JOIN(export_, __COUNTER__) __asm__(name) \
		__attribute__((alias(DRIVER_TEXT(function))))

/* Exports the variant for programs compiled with CUDA_API_PER_THREAD_DEFAULT_STREAM: the same call, in
 * which the default stream is that of the thread. Parameters in parentheses. */
#define EXPORT_PTDS(function, parameters, call) \
	EXPORT_THREAD(DRIVER_JOIN(ptds_, function), DRIVER_TEXT(function) "_ptds", parameters, call)
#define EXPORT_PTSZ(function, parameters, call) \
	EXPORT_THREAD(DRIVER_JOIN(ptsz_, function), DRIVER_TEXT(function) "_ptsz", parameters, call)
#define EXPORT_THREAD(id, name, parameters, call) EXPORT_THREAD_(id, name, parameters, call)
#define EXPORT_THREAD_(id, name, parameters, call) \
	CUresult id parameters __asm__(name); \
	CUresult id parameters \
	{ \
		return call; \
	} \
	_Static_assert(1, "")
static inline CUstream of_thread(CUstream stream)
{
	return stream ? stream : CU_STREAM_PER_THREAD;
}

/* -- threads of the program (threads/) -- */

/* Around every call: arrive before the lock is taken, take and leave while it is held. take returns when it
 * is the thread's turn, and releases the lock meanwhile. */
void turn_arrive(void);
void turn_take(void);
void turn_leave(void);
/* Around waiting for the device, until *is_done; around a function of the program's that a stream runs. */
void turn_wait_begin(const bool *is_done);
void turn_wait_end(void);
void turn_call_begin(void);
void turn_call_end(void);
bool turn_of_time(void);                /* whether simulated time may go on */
void turn_pause(unsigned *nanoseconds); /* releases the lock for a while: 0 at first, then what it left */
bool turn_somebody_waits(void);         /* a thread of the program, for the device */
bool turn_somebody_is_given_up(void);   /* simulated time goes on although a thread is not blocked */
/* The thread queues work; it waits for work. is_past: which ended before now. */
void turn_queues(void);
void turn_awaits(bool is_past);
void background_wake(void); /* work is queued that the program may be waiting for without a call */
/* The calling thread is not the program's; so are those that come into being between begin and end. */
void driver_thread_is_ours(void);
bool driver_thread_of_ours(void);
void driver_threads_begin(void);
void driver_threads_end(void);
/* In the process of a branch: this thread is the only one. */
void driver_threads_forked(void);

/* -- contexts (driver_context.c) -- */

CUcontext context_current(void); /* NULL: none; not checked */
bool device_is_valid(CUdevice device);

/* -- operations (driver_operation.c) -- */

enum operation_kind {
	OPERATION_LAUNCH,
	OPERATION_COPY,
	OPERATION_SET,
	OPERATION_RECORD,
	OPERATION_WAIT,
	OPERATION_CALL,
	OPERATION_MARK,
	OPERATION_GRAPH_END,
	OPERATION_FREE,
	OPERATION_AWAIT_VALUE,
	OPERATION_PUT_VALUE,
	OPERATION_GRAPH_BEGIN,
	OPERATION_CONDITION, /* a conditional node of a graph is reached */
};

/* A box of bytes: rows of width bytes, height rows a slice, depth slices. */
struct operation_copy {
	uint8_t *to;
	const uint8_t *from;
	size_t to_pitch, to_slice, from_pitch, from_slice;
	size_t width, height, depth;
	bool to_host, from_host; /* which side is in host memory */
};
struct operation_set {
	uint8_t *to;
	size_t pitch, width, height; /* width in elements */
	unsigned bytes;              /* of an element: 1, 2 or 4 */
	uint32_t value;
};
struct operation_value { /* a word of memory: waited for, or written */
	void *at;
	uint64_t value;
	unsigned bytes; /* 4 or 8 */
	unsigned flags; /* CU_STREAM_WAIT_VALUE_... */
};
struct graph_condition;
struct operation_condition {
	const struct graph_condition *condition;
	struct operation *last; /* the node's last, not submitted */
	CUstream stream;        /* of the graph's launch */
};
struct operation_call {
	CUhostFn function; /* one of the two */
	CUstreamCallback callback;
	void *user;
};
struct operation {
	struct task task; /* the first member: the part that the schedule uses */
	enum operation_kind kind;
	CUcontext context;
	CUstream stream;        /* NULL: none (marks) */
	void *owned;            /* freed with the operation: parameters, staged data */
	struct kernel_run *run; /* of a launch under way */
	CUfunction function;    /* of a launch */
	bool is_stand_in;       /* what it owns is what the program has in its memory (recording/replay.h) */
	bool is_observed;       /* the program can see its effects without a call */
	picoseconds queued;     /* when it was added */
	uint64_t moved;         /* bytes of a copy or a fill, set by operation_cost */
	struct operation *next_waiting; /* for a value */
	struct operation **place;       /* becomes NULL when it ends; NULL: none */
	struct family *family;          /* what it has launched on the device (device/); NULL: nothing */
	struct family *born_in;         /* by which it was launched; NULL: by the host */
	struct operation *next_tail;    /* tail launches of that, in their order */
	struct operation *tail_end;     /* of the launch of a graph: its end, which is of the family; NULL */
	CUstream stream_of_graph;    /* of the end of a graph's launch: in which the host has launched it */
	CUgraphNode node;            /* of a launch: of which it is, if kernels change that; NULL */
	struct operation *whole;     /* of what a graph has launched: the end of that launch; NULL: none */
	struct timeline_slice slice; /* in the timeline of the run */
	struct operation_source *sources; /* that it waited for (stream/driver_timeline.c); freed with it */
	unsigned source_count;
	bool is_tail;
	union {
		struct launch launch;
		struct operation_copy copy;
		struct operation_set set;
		struct operation_call call;
		struct operation_value value;
		CUevent event; /* of a wait in a graph, too */
		CUgraphExec exec;
		struct operation_condition condition;
		struct allocation *allocation;
		bool *is_done; /* of a mark: set when the operations before it have ended */
	} as;
};

/* The operation has ended, and its followers are still known: it goes into the timeline, if there is one. */
void operation_in_timeline(struct operation *operation);
/* Sets the lane that the operation needs and its duration. */
void operation_cost(struct operation *operation);
/* Carries out a copy or a fill. */
void operation_perform(const struct operation *operation);
void operation_copy_run(const struct operation_copy *copy);

/* Waits for values (driver_value.c) that streams have reached: added, and taken when the value is there, or
 * when the context has a fault or the process ends. Those of the first one's context are given up: it has a
 * fault. */
void value_await(struct operation *operation);
struct operation *value_take(bool is_finishing);
bool value_is_awaited(void);
void value_give_up(void);
void value_put(const struct operation_value *value);
/* One of a batch as an operation; whether all of one can be. */
CUresult value_operation(const CUstreamBatchMemOpParams *params, struct operation *operation);
CUresult value_operations_check(unsigned count, const CUstreamBatchMemOpParams *operations, unsigned flags);

/* A cooperative launch's barrier, in device memory from its start to its end; false: no memory is left. */
bool operation_take_workspace(struct operation *launch);
void operation_give_workspace(struct operation *operation);

/* -- kernels under way (driver_kernels.c) -- */

bool kernels_start(struct operation *launch); /* false: not now, another must end first */
bool kernels_are_under_way(void);
/* Advances simulated time to `until`, or to the end of the next kernels: these are ended, and their
 * operations passed to end(). After a fault, the context has it, false is returned, and time never
 * advances again. Does not return if the user interrupts. */
/* Whether kernels that may be early have been let start, since those before them have triggered. */
bool kernels_trigger(struct schedule *schedule);
bool kernels_advance(picoseconds until, void (*end)(struct operation *launch));
/* After the user's interruption, while no thread is in kernels_advance: ends the kernels in progress and
 * discards their operations. */
void kernels_interrupt(void);

struct operation *kernels_operation(const struct kernel_run *run); /* of which it is, and which is under way
								    */

/* -- kernels that launch kernels (device/) -- */

void device_calls_begin(void);
void device_launch_starts(const struct operation *launch);
void device_launch_ended(const struct kernel_run *run); /* its CTAs have */
/* The operation's own work has ended: whether it goes on, because what it has launched does; then its family
 * ends it. */
bool family_holds(struct operation *operation);
/* One of the family has ended. Returns the parent if its own work has, and nothing but tails is left. */
struct operation *family_left(struct family *family);

/* -- the queue (driver_queue.c) -- */

/* Adds a copy of *operation after the operations for which the stream must wait. The copy is valid until
 * it ends, so at least until the next wait. */
struct operation *queue_add(const struct operation *operation, CUstream stream);
void queue_add_wait(CUevent event, CUstream stream);
/* The same in steps: behind what the stream must wait for (NULL: nothing), then behind others, then it may
 * start. */
struct operation *queue_prepare(const struct operation *operation, CUcontext context, CUstream stream);
/* The same of two launches; the later may start when the earlier has triggered. */
void queue_behind_trigger(struct operation *operation, struct operation *before);
void queue_behind(struct operation *operation, struct operation *before); /* before NULL: nothing */
void queue_submit(struct operation *operation);
/* Runs until all operations that were added before, in the stream or in any stream of the context, have
 * ended. Work of other streams proceeds meanwhile. Returns the context's fault. */
CUresult queue_run(CUcontext context, CUstream stream);
CUresult queue_run_all(void); /* for the current context */
CUresult queue_run_operation(struct operation *operation);
/* The same for a program that asks whether it has ended: after a while of simulated time the answer is
 * CUDA_ERROR_NOT_READY, if the program can change what kernels read. */
CUresult queue_ask(CUcontext context, CUstream stream);
CUresult queue_ask_operation(struct operation *operation);
void queue_host_sees_memory(void); /* from now on the program can read and write what kernels do */
bool queue_is_observed(void);      /* work is queued whose effects the program can see without a call */
bool queue_is_finishing(void);
bool queue_step(void); /* starts or ends something, or lets time go on for a while; false: nothing to do */
bool queue_catch_up(void);   /* runs until all has ended, or for a while of simulated time: false */
bool queue_is_calling(void); /* this thread is inside a function of the program's that a stream runs */
void queue_finish(void); /* at the end of the process: carries out the operations that still affect the device
			  */

/* -- streams (driver_stream.c), events (driver_event.c) -- */

/* Turns NULL and CU_STREAM_LEGACY into the current context's default stream, CU_STREAM_PER_THREAD into the
 * thread's. false: no such stream. */
bool stream_resolve(CUstream *stream);
void streams_init(CUcontext context);
void streams_free(CUcontext context);                         /* whose work is done */
void stream_release(CUstream stream);                         /* after one of its operations has ended */
void event_recorded(CUevent event, struct operation *record); /* which is queued */
void event_reached(struct operation *record);
void event_free(CUevent event);

/* -- copies (driver_copy.c): checked, queued, and waited for or not. -- */
CUresult copy_of_box(const CUDA_MEMCPY3D *box, struct operation_copy *copy); /* checked */
CUresult copy_now(struct operation_copy *copy, CUstream stream);
CUresult copy_later(struct operation_copy *copy, CUstream stream);

CUresult set_check(const struct operation_set *set); /* driver_set.c */

/* -- graphs (graph/graph_exec.c), captures (graph/graph_capture.c) -- */

void graphs_free(CUcontext context);
void exec_reached(struct operation *end);
void exec_begins(const struct operation *begin);
/* graph/graph_device.c: the launch takes what its node has now; false: that is not to run. */
bool node_renews(struct operation *launch);
/* Makes it one that kernels change, as the attribute's value says, and puts its handle there. */
CUresult node_make_updatable(CUgraphNode node, CUlaunchAttributeValue *value);
/* graph/graph_condition.c: what follows a conditional node is queued; not if its context has a fault. */
void condition_reached(struct operation *node, bool is_live);
/* Queues the operation, or makes it a node if the stream is being captured. Takes over what it owns. */
CUresult stream_add(const struct operation *operation, CUstream stream);
CUresult capture_add(CUstream stream, const struct operation *operation);
CUresult capture_batch(CUstream stream, unsigned count, const CUstreamBatchMemOpParams *operations);
CUgraphNode capture_last(CUstream stream); /* the node that was added last */
/* Whether captures forbid a call: the use of the default stream, waiting for a stream, for a context, and
 * calls that might wait. An error makes the capture invalid. */
CUresult capture_check_implicit(CUstream stream);
CUresult capture_check_wait(CUstream stream);
CUresult capture_check_context(CUcontext context);
CUresult capture_asked_for(CUevent event);
void capture_abandon(CUstream stream);
CUresult capture_check_unsafe(const char *call);
CUresult capture_record(CUevent event, CUstream stream);              /* which is being captured */
bool capture_waits(CUstream stream, CUevent event, CUresult *result); /* false: it is no matter of captures */
void capture_forget_event(CUevent event);

/* -- arrays (driver_array.c), textures (driver_texture.c, driver_texref.c), surfaces (driver_surface.c) -- */

#define TEXTURE_ALIGNMENT 256      /* of linear memory: what every allocation has */
CUarray array_find(CUarray array); /* NULL if there is no such array */
CUmipmappedArray mipmapped_find(CUmipmappedArray array);
bool array_format(CUarray_format format, unsigned channels, struct texel_format *texel);
struct array_side { /* of a box copy */
	uint8_t *start;
	size_t pitch, slice;
};
CUresult array_box(CUarray array, size_t x, size_t y, size_t z, const struct operation_copy *box,
	struct array_side *side);
void array_free(CUarray array);
void mipmapped_free(CUmipmappedArray array);
void texture_bind_array(struct texture *texture, CUarray array);
void texture_bind_mipmapped(struct texture *texture, CUmipmappedArray array);
CUresult texture_bind_linear(struct texture *texture, CUdeviceptr start, struct texel_format format,
	uint64_t bytes, uint64_t offset);
CUresult texture_bind_pitch(struct texture *texture, CUdeviceptr start, struct texel_format format,
	size_t width, size_t height, size_t pitch);
CUresult texture_flags_check(unsigned flags, const char *call);
struct texture_sampler texture_sampler_of(const CUDA_TEXTURE_DESC *descriptor);
void texture_object_free(void *object);
void texref_free(CUtexref reference);

/* -- memory (driver_memory.c) -- */

bool memory_is_device(addr address, uint64_t bytes); /* inside one live allocation; zero bytes always are */
bool memory_is_in_region(addr address);              /* an address of the device, live or not */
bool memory_is_pinned(const void *pointer, uint64_t bytes);
bool pointer_is_managed(addr address, uint64_t bytes); /* driver_pointer.c: all of it, by the driver */
struct allocation *allocation_of(addr address); /* the allocation that contains the address; NULL: none, or
						   one of a module */
void allocation_free(struct allocation *allocation);
/* graph/graph_memory.c: whether a graph keeps it, for its next launch; the program has freed it: the result.
 */
bool memory_is_graphs(const struct allocation *allocation, CUresult *result);
/* The registered memory of which it is the device's address, or itself (driver_register.c). */
struct allocation *allocation_owner(struct allocation *allocation);
/* Of the device, from a pool or none (driver_memory.c); without a word if there is not enough. */
CUresult allocation_make(CUdeviceptr *address, size_t bytes, CUmemoryPool pool);
void allocation_say_full(size_t bytes);
void allocation_end(struct allocation *allocation); /* that the program cannot name any more */
void pool_give(CUmemoryPool pool, size_t bytes);    /* memory/driver_pool.c */
CUmemoryPool pool_of_device(void);                  /* the one that is set */
/* Of a stream that captures: nodes that allocate and free (graph/graph_memory.c). */
CUresult capture_allocate(CUstream stream, CUdeviceptr *address, size_t bytes, CUmemoryPool pool);
CUresult capture_release(CUstream stream, CUdeviceptr address);

uint32_t function_shared_without_asking(void);
uint32_t function_shared_percent(const struct CUfunc_st *function, CUcontext context); /* that it prefers */
CUresult function_attribute_of(const struct CUfunc_st *function, CUfunction_attribute attribute, int *value);
int function_active_ctas(const struct CUfunc_st *function, uint32_t threads, size_t dynamic_shared);
CUresult device_attribute_of(CUdevice_attribute attribute, int *value);
int function_max_threads(const struct CUfunc_st *function); /* driver_function.c */
/* CTAs of the launch that the whole device holds at once (driver_occupancy.c). */
/* The launch that a configuration describes, without function and parameters. */
CUresult launch_of_config(const CUlaunchConfig *config, struct launch *launch);
/* The launch takes the shape of its clusters: its own, or the function's. */
CUresult launch_take_cluster(const struct CUfunc_st *function, struct launch *launch);
uint64_t function_resident_ctas(const struct CUfunc_st *function, const struct launch *launch);

/* -- launches (driver_launch.c): what is wrong with them is said at once -- */

CUresult launch_check(const struct CUfunc_st *function, const struct launch *launch);
/* driver_window.c: a window as launches have it, and back. */
CUresult window_take(const CUaccessPolicyWindow *value, struct access_window *window);
void window_give(const struct access_window *window, CUaccessPolicyWindow *value);
/* Completes and checks the launch, and copies the parameters into *block, which is the caller's to free. */
CUresult launch_prepare(
	CUfunction function, struct launch *launch, void **params, void **extra, uint8_t **block);
void launch_copy_params(struct operation *launch); /* it gets a copy of its own of its parameters */
CUresult launch_kernel(
	CUfunction function, struct launch *launch, CUstream stream, void **params, void **extra);

/* -- modules (driver_module.c), links (driver_link.c) -- */

CUresult module_load(CUmodule *module, const char *text, size_t size, const char *name, unsigned count,
	const CUjit_option *options, void **values);
CUresult module_load_data(CUmodule *module, const void *image, unsigned count, const CUjit_option *options,
	void **values, const char *call);
CUresult module_load_file(CUmodule *module, const char *path, unsigned count, const CUjit_option *options,
	void **values, const char *call);
void module_unload(CUmodule module);
/* Messages into the program's log buffers, or to stderr. */
void module_log(const struct diag_list *diags, unsigned count, const CUjit_option *options, void **values);
CUresult module_function_find(CUfunction *function, CUmodule module, const char *name);
CUresult module_function_count(unsigned int *count, CUmodule module);
bool module_managed_at(addr address); /* whether it lies in a managed variable of a module */
CUresult module_global_find(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
char *driver_read_file(const char *path, size_t *size); /* malloc'ed and zero-terminated; NULL, with errno set
							 */
struct CUlinkState_st;
void link_free(struct CUlinkState_st *link);

#endif
