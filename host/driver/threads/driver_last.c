/* host/driver/threads/driver_last.c -- the end of a process whose main thread has ended by pthread_exit: it
 * comes with the end of the program's last thread, as the C library would see to if there were no threads of
 * ours. */
#include "host/driver/threads/threads.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

#define PAUSE 10000000 /* nanoseconds between two looks */

static bool have_all_ended(void)
{
	struct driver_call call = driver_enter(NEED_NOTHING);
	bool is_one_left = false;

	threads_renew();
	for (const struct thread *t = thread_first(); t; t = t->next)
		is_one_left |= t->is_seen && (!t->is_ours || t->is_calling) && !look_has_ended(t->tid);
	driver_leave(&call);
	return !is_one_left;
}

static void *await_last(void *unused)
{
	const struct timespec pause = { .tv_nsec = PAUSE };

	driver_thread_is_ours();
	while (!have_all_ended())
		nanosleep(&pause, NULL);
	exit(0);
}

static void start_last_watch(void)
{
	sigset_t all, before;
	pthread_t thread;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!pthread_create(&thread, NULL, await_last, NULL))
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void thread_ends(void *entry)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	const struct thread *t = entry;

	if (!t->is_ours && (t->tid == getpid() || look_has_ended(getpid())))
		pthread_once(&once, start_last_watch);
}
