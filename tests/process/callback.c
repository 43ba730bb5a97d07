/* tests/process/callback.c -- threads that end in the middle of a call. A function that a stream runs ends
 * its thread: with `wait` that of main, which waits for the stream, and a detached thread goes on, and is the
 * last; with `poll` that of the driver, and main waits without a call for the function behind it. `cancel`:
 * main cancels a thread that works. */
#include "cuda.h"
#include "work.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static atomic_bool is_called, is_done;

static void leave(void *unused)
{
	(void)unused;
	is_called = true;
	pthread_exit(NULL);
}

static void note(void *unused)
{
	(void)unused;
	is_done = true;
}

static int say(const char *what, int result)
{
	printf("%s: %s %d\n", what, result ? "BAD" : "OK", result);
	fflush(stdout);
	return result;
}

static void *go_on(void *unused)
{
	while (!is_called)
		usleep(1000);
	usleep(20000);
	say("work behind the function", work());
	return unused;
}

static void *work_for_ever(void *unused)
{
	while (!work())
		is_called = true;
	return unused;
}

static int cancel(void)
{
	pthread_t thread;

	if (pthread_create(&thread, NULL, work_for_ever, NULL))
		return 1;
	while (!is_called)
		usleep(1000);
	return pthread_cancel(thread) || pthread_join(thread, NULL) || say("work behind the thread", work());
}

int main(int argc, char **argv)
{
	int r = say("work", work()), waits = argc > 1 && !strcmp(argv[1], "wait");
	pthread_t thread;
	CUstream stream;

	if (argc > 1 && !strcmp(argv[1], "cancel"))
		return cancel();
	if (waits && !pthread_create(&thread, NULL, go_on, NULL))
		pthread_detach(thread);
	r |= (int)cuStreamCreate(&stream, 0);
	r |= (int)cuLaunchHostFunc(stream, leave, NULL);
	r |= (int)cuLaunchHostFunc(stream, note, NULL);
	if (waits) {
		r |= (int)cuStreamSynchronize(stream);
		say("the function returned", 1);
	}
	while (!is_done)
		usleep(1000);
	return say("the next function", r);
}
