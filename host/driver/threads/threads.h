/* host/driver/threads/threads.h -- internal to this folder: the threads of the process, ours and the
 * program's. */
#ifndef HOST_DRIVER_THREADS_THREADS_H
#define HOST_DRIVER_THREADS_THREADS_H

#include "host/driver/driver.h"

#include <stdatomic.h>
#include <sys/types.h>

/* -- what Linux says of a thread (driver_look.c) -- */

enum look {
	LOOK_BLOCKED, /* waits for another thread, for as long as it takes; or has ended */
	LOOK_ASLEEP,  /* waits for a time, or for input */
	LOOK_RUNNING, /* computes, or is about to; or nothing is known of it */
};
struct sight {
	enum look look;
	uint64_t ran;    /* nanoseconds on a processor */
	uint64_t slices; /* how often it was given one */
};

struct sight look_at(pid_t tid);
bool look_has_ended(pid_t tid);
/* The threads of this process in the order of their creation; the list is valid until the next call. Returns
 * their number, 0 if Linux does not say. */
unsigned look_for_all(const pid_t **tids);
unsigned look_count(void); /* the same number, cheaply */
pid_t look_self(void);

/* -- each thread (driver_thread.c) -- */

enum place {
	PLACE_OUTSIDE, /* of our calls, or in a function of its own that a stream runs */
	PLACE_GATE,    /* it has called, and its turn has not come */
	PLACE_INSIDE,  /* it has its turn, and the lock */
	PLACE_WAITING, /* in a call that waits for the device */
};

struct thread {
	struct thread *next;
	pid_t tid;
	_Atomic enum place place;
	unsigned rank;       /* by creation, among those that live */
	unsigned depth;      /* of calls within calls */
	const bool *is_done; /* PLACE_WAITING: for this */
	bool is_own;         /* the thread has made the entry itself, and keeps a pointer to it */
	_Atomic bool is_ours;
	bool is_calling; /* a function of the program's runs in it */
	enum place before_call;
	bool has_queued;
	bool is_seen;               /* in the present look at all */
	struct sight blocked;       /* as it was seen last, if it was blocked */
	bool was_blocked;           /* blocked is valid */
	bool is_obstacle;           /* it was neither blocked nor in a call */
	double since;               /* when it began to be one */
	uint64_t ran;               /* and its time on a processor then */
	double asleep, last_asleep; /* seconds that it was seen asleep; when it was last */
	bool is_given_up;           /* nobody waits for it any more */
	picoseconds given_up_at;    /* simulated time */
};

struct thread *thread_self(void);
struct thread *thread_first(void);
/* Brings the list up to date: all threads of the process are seen, with their ranks. The lock is held. */
void threads_renew(void);
bool threads_are_one(void); /* the program has one thread */
/* In a thread that ends, with its entry (driver_last.c). */
void thread_ends(void *entry);

/* -- how long others wait for a thread (driver_patience.c) -- */

/* To be told of a thread that is not blocked: whether nobody waits for it any more. */
bool patience_ends(struct thread *thread, const struct sight *now);
void patience_anew(struct thread *thread);
bool turn_is_over(void); /* threads came too late too often: nobody waits for any */

/* -- our own thread (driver_background.c) -- */

void background_call_begin(void); /* around a function of the program's in it */
void background_call_end(void);

#endif
