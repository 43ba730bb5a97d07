/* host/recording/memory_watch.h -- what has changed in ranges of memory since they were last looked at,
 * without a copy of them: a hash of every 256 bytes. */
#ifndef HOST_RECORDING_MEMORY_WATCH_H
#define HOST_RECORDING_MEMORY_WATCH_H

#include "memsys/memory.h"

struct memory_watch;

struct memory_watch *memory_watch_new(void);
void memory_watch_free(struct memory_watch *watch);
/* A range that has not been added. is_changed: all of it counts as changed at first. */
void memory_watch_add(struct memory_watch *watch, struct memory_range range, bool is_changed);
void memory_watch_remove(struct memory_watch *watch, addr start); /* if it was added */
/* Looks at all ranges, and tells of what has changed; tell NULL: of nothing. */
void memory_watch_look(
	struct memory_watch *watch, void (*tell)(void *user, struct memory_range changed), void *user);

#endif
