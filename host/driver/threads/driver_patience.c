/* host/driver/threads/driver_patience.c -- threads that compute, sleep or read while others wait for the
 * device, or while work is queued that the program may be waiting for without a call: how long simulated time
 * stands still for them.
 *
 * After that the thread is given up: nobody waits for it any more. If it queues work again, either nothing
 * was lost: all work that was queued before ends first, as if the thread had waited for it. Or the moment at
 * which its work comes depends on the host, which is said. */
#include "host/driver/threads/threads.h"
#include "sim/base/host_clock.h"
#include "sim/base/environment.h"

#define PATIENCE  0.5   /* seconds */
#define SIGHT     0.004 /* seconds between two times that a thread is seen asleep, if they are to count */
#define MOST_LATE 8     /* times that threads come too late before nobody waits for any */

static unsigned given_up, late;
static bool is_over;

static double patience(void)
{
	static double seconds = -1;
	const char *text = environment_get("LOCKSTEP_PATIENCE");

	if (seconds < 0)
		seconds = text && *text ? strtod(text, NULL) : PATIENCE;
	return seconds;
}

bool turn_is_over(void)
{
	return is_over;
}

bool turn_somebody_is_given_up(void)
{
	return given_up || is_over;
}

static void give_up(struct thread *t)
{
	t->is_given_up = true;
	t->given_up_at = driver.gpu ? gpu_now(driver.gpu) : 0; /* before cuInit */
	given_up++;
}

/* Seconds of a thread's own that have passed: what it has computed, or slept while we were awake. A host that
 * has too much to do, or a slow disk, are not to blame on it. */
static double own_time(struct thread *t, const struct sight *now, double time)
{
	if (now->look == LOOK_ASLEEP && time - t->last_asleep >= SIGHT) {
		t->last_asleep = time;
		t->asleep += 2 * SIGHT;
	}
	return (double)(now->ran - t->ran) * 1e-9 + t->asleep;
}

bool patience_ends(struct thread *t, const struct sight *now)
{
	double time = host_seconds();

	if (!t->is_obstacle) {
		t->is_obstacle = true;
		t->since = t->last_asleep = time;
		t->ran = now->ran;
		t->asleep = 0;
	}
	if (time - t->since < patience() || own_time(t, now, time) < patience() / 2)
		return false;
	give_up(t);
	return true;
}

void patience_anew(struct thread *t)
{
	t->is_obstacle = false;
	if (t->is_given_up)
		given_up--;
	t->is_given_up = false;
}

void turn_awaits(bool is_past)
{
	struct thread *self = thread_self();

	if (!is_past)
		patience_anew(self);
}

/* -- coming back -- */

static void note_late(void)
{
	driver_note(
		"statistics may differ from run to run: simulated time did not wait any longer for a thread "
		"of the program, which then queued work");
	if (++late == MOST_LATE)
		is_over = true;
}

static void note_caught_up(bool is_done)
{
	if (is_done)
		driver_note(
			"the program made no call for a while although work was queued, and simulated time "
			"went on: statistics are as if it had waited for that work by a call");
	else
		driver_note(
			"statistics may differ from run to run: the program made no call for a while, and "
			"then queued work beside kernels that were still running");
}

/* Whether other threads have queued work. */
static bool is_one_of_several(void)
{
	static unsigned threads;
	struct thread *self = thread_self();

	if (!self->has_queued && ++threads == 2)
		driver_note(
			"several threads of the program queue work: their calls are ordered independently "
			"of the host, and statistics are the same in every run if what the threads do is");
	self->has_queued = true;
	return threads > 1;
}

void turn_queues(void)
{
	struct thread *self = thread_self();
	bool is_late = self->is_given_up, is_several = is_one_of_several();

	patience_anew(self);
	if (is_late && is_several)
		note_late();
	else if (is_late && gpu_now(driver.gpu) != self->given_up_at)
		note_caught_up(queue_catch_up());
}
