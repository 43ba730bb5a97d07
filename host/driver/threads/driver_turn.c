/* host/driver/threads/driver_turn.c -- in which order the program's threads call, and when simulated time
 * goes on: so that neither depends on how the host schedules them.
 *
 * A call has its turn when every other thread of the program is blocked: it waits for the device, for its
 * own turn, or for another thread. Of several calls that of the oldest thread comes first. Time goes on when
 * all threads are blocked and none waits for its turn. What a thread does between two calls is its own
 * affair: it takes no simulated time.
 *
 * The program's first thread need not wait for its turn, since nobody's comes before its own; so programs of
 * one thread never wait here.
 *
 * A thread that computes, sleeps or reads for longer than our patience is given up: from then on nobody
 * waits for it, until it has queued or awaited work again (driver_patience.c). */
#include "host/driver/threads/threads.h"

#include <time.h>
#include <unistd.h>

#define SHORTEST_PAUSE 20000 /* nanoseconds between two looks at the other threads */
#define LONGEST_PAUSE  4000000

static pthread_cond_t changed;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void init_once(void)
{
	pthread_condattr_t attributes;

	pthread_condattr_init(&attributes);
	pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
	pthread_cond_init(&changed, &attributes);
	pthread_condattr_destroy(&attributes);
}

void turn_changed(void)
{
	pthread_once(&once, init_once);
	pthread_cond_broadcast(&changed);
}

/* Lets others have the lock, for longer from time to time. */
void turn_pause(unsigned *nanoseconds)
{
	struct timespec until;

	if (!*nanoseconds)
		*nanoseconds = SHORTEST_PAUSE;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += *nanoseconds;
	if (until.tv_nsec >= 1000000000) {
		until.tv_nsec -= 1000000000;
		until.tv_sec++;
	}
	pthread_once(&once, init_once);
	pthread_cond_timedwait(&changed, driver_lock(), &until);
	*nanoseconds = *nanoseconds < LONGEST_PAUSE / 2 ? 2 * *nanoseconds : LONGEST_PAUSE;
}

/* -- whether others can do anything -- */

/* As it was seen last, and it has not run since. */
static bool is_blocked_still(struct thread *t, const struct sight *now)
{
	return t->was_blocked && now->look == LOOK_BLOCKED && now->slices == t->blocked.slices;
}

/* *is_new: it is seen blocked for the first time since it ran. */
static bool is_blocked(struct thread *t, bool *is_new)
{
	struct sight now = look_at(t->tid);

	if (now.look == LOOK_BLOCKED) {
		*is_new |= !is_blocked_still(t, &now);
		t->is_obstacle = false;
	}
	t->was_blocked = now.look == LOOK_BLOCKED;
	t->blocked = now;
	return t->was_blocked || patience_ends(t, &now);
}

/* Others in calls: those that wait for their turn go before time does, and the oldest of them first. */
static bool is_held(const struct thread *t, const struct thread *self, bool is_time)
{
	switch (atomic_load(&t->place)) {
	case PLACE_GATE:
		return !is_time && t->rank > self->rank;
	case PLACE_WAITING:
		return !*t->is_done;
	case PLACE_INSIDE:
	case PLACE_OUTSIDE:
		break;
	}
	return false;
}

/* One look at all others. *is_new: at least one of them may have run since the look before. */
static bool look_around(const struct thread *self, bool is_time, bool *is_new)
{
	for (struct thread *t = thread_first(); t; t = t->next) {
		if (t == self || !t->is_seen || (t->is_ours && !t->is_calling))
			continue;
		if (atomic_load(&t->place) != PLACE_OUTSIDE) {
			if (!is_held(t, self, is_time))
				return false;
		} else if (!t->is_given_up && !turn_is_over() && !is_blocked(t, is_new)) {
			return false;
		}
	}
	return true;
}

/* Two looks find the same threads blocked that have not run between them: there was a moment at which all
 * were. */
static bool all_are_blocked(const struct thread *self, bool is_time)
{
	for (int looks = 0; looks < 2; looks++) {
		bool is_new = false;

		threads_renew();
		if (!look_around(self, is_time, &is_new))
			return false;
		if (!is_new)
			return true;
	}
	return false;
}

/* -- turns -- */

static bool is_turn_free(const struct thread *self)
{
	return self->is_ours || self->is_given_up || self->tid == getpid() || turn_is_over();
}

void turn_arrive(void)
{
	struct thread *self = thread_self();

	if (!self->depth)
		atomic_store(&self->place, PLACE_GATE);
}

void turn_take(void)
{
	struct thread *self = thread_self();
	unsigned pause = 0;

	if (self->depth++)
		return;
	while (!is_turn_free(self) && !all_are_blocked(self, false))
		turn_pause(&pause);
	atomic_store(&self->place, PLACE_INSIDE);
}

void turn_leave(void)
{
	struct thread *self = thread_self();

	if (!--self->depth)
		atomic_store(&self->place, PLACE_OUTSIDE);
}

/* -- time -- */

bool turn_of_time(void)
{
	struct thread *self = thread_self();

	return (!self->is_ours && threads_are_one()) || all_are_blocked(self, true);
}

void turn_wait_begin(const bool *is_done)
{
	struct thread *self = thread_self();

	self->is_done = is_done;
	atomic_store(&self->place, PLACE_WAITING);
	turn_changed();
}

void turn_wait_end(void)
{
	atomic_store(&thread_self()->place, PLACE_INSIDE);
	turn_changed();
}

/* A function of the program's runs in this thread, whatever else it is. */
void turn_call_begin(void)
{
	struct thread *self = thread_self();

	self->is_calling = true;
	self->before_call = atomic_load(&self->place);
	if (self->is_ours)
		background_call_begin();
	atomic_store(&self->place, PLACE_OUTSIDE);
}

void turn_call_end(void)
{
	struct thread *self = thread_self();

	self->is_calling = false;
	if (self->is_ours)
		background_call_end();
	patience_anew(self);
	atomic_store(&self->place, self->before_call);
}

bool turn_somebody_waits(void)
{
	for (struct thread *t = thread_first(); t; t = t->next)
		if (atomic_load(&t->place) == PLACE_WAITING)
			return true;
	return false;
}
