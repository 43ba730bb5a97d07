/* tests/process/ends.c -- the ways in which the programs of process.sh end, behind their first work. */
#include "work.h"

#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void say(const char *what, int result)
{
	printf("%s: %s %d\n", what, result ? "BAD" : "OK", result);
	fflush(stdout);
}

static void *work_alone(void *job)
{
	usleep(20000); /* the main thread is gone */
	say("work behind the main thread", ((int (*)(void))(unsigned long)job)());
	return NULL;
}

static void *work_and_exit(void *job)
{
	work_alone(job);
	exit(0);
}

static void exit_main(int (*job)(void), void *(*other)(void *))
{
	pthread_t thread;

	pthread_create(&thread, NULL, other, (void *)(unsigned long)job);
	pthread_detach(thread);
	pthread_exit(NULL);
}

/* The child ends as a program does, and has nothing to say on our results. */
static void fork_child(int (*job)(void))
{
	int status = 0;
	pid_t child = fork();

	if (!child)
		exit(0);
	waitpid(child, &status, 0);
	say("child", status);
	say("work behind the child", job());
}

static void close_all(int (*job)(void))
{
	char text[32] = "";
	int file;

	for (int i = 3; i < 64; i++)
		close(i);
	file = open("own.txt", O_RDWR | O_CREAT | O_TRUNC, 0666);
	if (write(file, "mine", 4) != 4)
		say("write", 1);
	say("work behind close", job());
	say("the program's own file", pread(file, text, sizeof text, 0) != 4 || strcmp(text, "mine") != 0);
}

void end(const char *how, int (*job)(void), char **arguments)
{
	if (!strcmp(how, "exit"))
		exit(7);
	if (!strcmp(how, "_exit"))
		_exit(0);
	if (!strcmp(how, "quick_exit"))
		quick_exit(0);
	if (!strcmp(how, "pthread_exit"))
		exit_main(job, work_and_exit);
	if (!strcmp(how, "last_thread"))
		exit_main(job, work_alone);
	if (!strcmp(how, "fork"))
		fork_child(job);
	if (!strcmp(how, "exec"))
		execv(arguments[0], arguments);
	if (!strcmp(how, "signal"))
		abort();
	if (!strcmp(how, "closed"))
		close_all(job);
}
