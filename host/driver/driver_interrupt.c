/* host/driver/driver_interrupt.c -- the user's Ctrl-C while no kernel runs: the program computes, waits or
 * reads, and may not call us for a long time. A thread of our own sleeps until then, takes the lock once
 * nobody is in a call, or needs none while the call only reads PTX, writes the results and ends the process:
 * a signal handler itself could not. A thread that simulates meanwhile has the lock, and ends the run by
 * itself (kernels_advance). */
#include "host/driver/driver.h"

#include <unistd.h>

/* What the program has printed. It may be in the middle of that, and wait for ever. */
static void flush_output(void)
{
	if (ftrylockfile(stdout))
		return;
	fflush(stdout);
	funlockfile(stdout);
}

/* The program's functions for its end (atexit, destructors) are not called: it does not stand still. */
void driver_end_interrupted(void)
{
	driver_close();
	flush_output();
	_exit(session_interrupt_status());
}

static void end_program(void)
{
	while (!driver_lock_within(20))
		if (session_apart_hold()) {
			driver_locale_enter();
			kernels_interrupt();
			driver_end_interrupted();
		}
	struct driver_call call = driver_enter(NEED_NOTHING);
	pthread_mutex_unlock(driver_lock()); /* it has been taken twice */
	if (!driver.is_closed && driver.session) {
		kernels_interrupt();
		driver_end_interrupted();
	}
	driver_leave(&call);
}

void driver_watch_interrupts(void)
{
	static const struct interrupt_watch watch = { driver_thread_is_ours, end_program };

	session_watch_interrupts(&watch);
}
