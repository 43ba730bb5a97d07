/* host/driver/threads/driver_background.c -- a thread of ours that simulates while no thread of the program
 * waits in a call: the program waits by other means, for a function of its own that a stream runs, or for a
 * change of memory that kernels and copies write.
 *
 * It exists only in programs that have such functions or such memory. */
#include "host/driver/threads/threads.h"

#include <signal.h>

static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static bool is_there, is_idle;

/* A step of simulated time, if it is time's turn and nobody else sees to it. */
static bool step(void)
{
	return !turn_somebody_waits() && turn_of_time() && queue_step();
}

static void *simulate(void *unused)
{
	unsigned pause = 0;

	driver_thread_is_ours();
	pthread_mutex_lock(driver_lock());
	driver_locale_enter();
	while (!driver.is_closed && !queue_is_finishing()) {
		if (!queue_is_observed()) {
			is_idle = true;
			pthread_cond_wait(&wanted, driver_lock());
			is_idle = false;
			pause = 0;
		} else if (step()) {
			pause = 0;
		} else {
			turn_pause(&pause);
		}
	}
	pthread_mutex_unlock(driver_lock());
	return NULL;
}

/* The program's signals are its own threads'. */
static void start(void)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (pthread_create(&thread, NULL, simulate, NULL))
		driver_say("no thread could be made that simulates while the program waits without a call");
	else
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	is_there = true;
}

void background_wake(void)
{
	if (!is_there)
		start();
	else if (is_idle)
		pthread_cond_signal(&wanted);
}
