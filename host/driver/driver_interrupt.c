/* host/driver/driver_interrupt.c -- the user's Ctrl-C while no kernel runs: the program computes, waits or
 * reads, and may not call us for a long time. A thread of our own sleeps until then, takes the lock once
 * nobody is in a call, writes the results and ends the process: a signal handler itself could not. A thread
 * that simulates meanwhile has the lock, and ends the run by itself (kernels_advance). */
#include "host/driver/driver.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

static sem_t told;

static void notify(void)
{
	sem_post(&told);
}

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

static void *watch(void *unused)
{
	driver_thread_is_ours();
	while (sem_wait(&told) && errno == EINTR)
		;
	struct driver_call call = driver_enter(NEED_NOTHING);
	if (!driver.is_closed && driver.session) {
		kernels_interrupt();
		driver_end_interrupted();
	}
	driver_leave(&call);
	return NULL;
}

/* The program's signals are its own threads'. */
void driver_watch_interrupts(void)
{
	sigset_t all, before;
	pthread_t thread;

	if (sem_init(&told, 0, 0))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!pthread_create(&thread, NULL, watch, NULL)) {
		pthread_detach(thread);
		session_on_interrupt(notify);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}
