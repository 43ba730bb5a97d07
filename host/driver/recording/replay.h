/* host/driver/recording/replay.h -- does what a recording says, in the place of the program: the same
 * operations in the same streams, waited for at the same points, so that a run with timing has the same
 * statistics as the program's own. */
#ifndef HOST_DRIVER_RECORDING_REPLAY_H
#define HOST_DRIVER_RECORDING_REPLAY_H

#include "host/driver/driver.h"
#include "host/recording/recording_reader.h"

struct replay_operation {
	uint64_t number;
	struct operation *queued; /* NULL: it has ended */
	bool is_waiting;          /* for its submission */
};

struct replay {
	struct recording_reader *reader;
	CUcontext *contexts;
	size_t context_count;
	CUstream *streams;
	size_t stream_count;
	CUmodule *modules; /* NULL: unloaded */
	size_t module_count;
	struct replay_operation **operations; /* by number; each stays where it is */
	size_t operation_count, operation_room;
	struct access_window window; /* of the next launch */
	bool is_finished;
	uint64_t differences; /* parts of the memory with another content than in the recording */
	struct memory_range first_difference;
};

/* The entry's context, or the next one made; NULL, with the error noted, if there is no such context. */
CUcontext replay_context(struct replay *replay, uint64_t number);
/* One operation; false, with the error noted, if it is wrong. */
bool replay_add(struct replay *replay, enum recording_kind kind);
/* The same for entries about modules and memory. */
bool replay_module(struct replay *replay);
bool replay_memory(struct replay *replay, enum recording_kind kind);
/* The bytes of an entry, which may be many: does not return if the user wants the replay to end meanwhile. */
void replay_take_bytes(struct replay *replay, void *to, size_t bytes);

/* libcuda's own: runs a recording on the machine of the environment's options, as cuInit would read them.
 * Returns an exit status; what is wrong is said on stderr. */
int lockstep_replay(const char *path);

#endif
