/* host/driver/threads/driver_background.c -- a thread of ours that simulates while no thread of the program
 * waits in a call: the program waits by other means, for a function of its own that a stream runs, or for a
 * change of memory that kernels and copies write.
 *
 * It exists only in programs that have such functions or such memory. */
#include "host/driver/threads/threads.h"

#include <signal.h>

static pthread_cond_t wanted = PTHREAD_COND_INITIALIZER;
static bool is_there, is_idle;
static sigset_t programs; /* signals that the thread that first queued work had blocked */
static void start_background(void);

/* A step of simulated time, if it is time's turn and nobody else sees to it. */
static bool step_time(void)
{
	return !turn_somebody_waits() && turn_of_time() && queue_step();
}

/* Also when a function of the program's has ended the thread; another one goes on. */
static void simulation_ends(bool *unused)
{
	is_there = false;
	if (!driver.is_closed && !queue_is_finishing() && queue_is_observed())
		start_background();
	pthread_mutex_unlock(driver_lock());
}

static void *simulate(void *unused)
{
	unsigned pause = 0;

	driver_thread_is_ours();
	pthread_mutex_lock(driver_lock());
	__attribute__((cleanup(simulation_ends))) bool is_running = true;
	driver_locale_enter();
	while (is_running && !driver.is_closed && !queue_is_finishing()) {
		if (!queue_is_observed()) {
			is_idle = true;
			pthread_cond_wait(&wanted, driver_lock());
			is_idle = false;
			pause = 0;
		} else if (step_time()) {
			pause = 0;
		} else {
			turn_pause(&pause);
		}
	}
	return NULL;
}

static void block_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, before);
}

/* The program's signals are its own threads', but for those of its functions. */
void background_call_begin(void)
{
	pthread_sigmask(SIG_SETMASK, &programs, NULL);
}

void background_call_end(void)
{
	block_signals(NULL);
}

static void start_background(void)
{
	static bool has_programs;
	pthread_t thread;
	sigset_t before;

	block_signals(&before);
	if (!has_programs)
		programs = before;
	has_programs = true;
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
		start_background();
	else if (is_idle)
		pthread_cond_signal(&wanted);
}
