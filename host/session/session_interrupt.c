/* host/session/session_interrupt.c -- Ctrl-C, the SIGTERM of a batch system, the end of a terminal (SIGHUP),
 * or of the reader of what is printed (SIGPIPE).
 *
 * The first signal only sets a flag, which running kernels check from time to time, and notifies those who
 * asked for it: the run ends and writes what it has. A second signal ends the process as if it were not
 * caught, but only after a second: some programs (timeout of the GNU core utilities; a shell together with
 * `lockstep bench`) send the same signal twice. SIGPIPE comes again with
 * every line that nobody reads, and says nothing new. A signal that the program itself catches or ignores is
 * left to it. */
#include "host/session/session_internal.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#define SAME_DEFERRED 1000 /* milliseconds in which a second signal says what the first one said */

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
#define CAUGHT (sizeof caught / sizeof *caught)

static atomic_int signalled;   /* the signal's number; 0: none. Read by the thread that simulates */
static volatile int64_t since; /* milliseconds; when it came */
static pid_t owner;
static void (*volatile notify_interrupt)(void);

static int64_t now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* The signal comes again when the handler has returned, and does what it does by default. */
static void die(int number)
{
	signal(number, SIG_DFL);
	raise(number);
}

static void on_interrupt(int number)
{
	int error = errno;

	if (getpid() != owner) { /* a child of the program's, of which we know nothing */
		die(number);
	} else if (!signalled) {
		since = now();
		signalled = number;
		if (notify_interrupt)
			notify_interrupt();
	} else if (number != SIGPIPE && now() - since >= SAME_DEFERRED) {
		die(number);
	}
	errno = error;
}

/* Only where the program did not choose otherwise. */
void interrupt_catch(void)
{
	struct sigaction action = { .sa_handler = on_interrupt, .sa_flags = SA_RESTART }, before;

	signalled = 0;
	owner = getpid();
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CAUGHT; i++)
		sigaddset(&action.sa_mask, caught[i]);
	for (size_t i = 0; i < CAUGHT; i++)
		if (!sigaction(caught[i], NULL, &before) && before.sa_handler == SIG_DFL)
			sigaction(caught[i], &action, NULL);
}

void interrupt_release(void)
{
	struct sigaction action;

	notify_interrupt = NULL;
	for (size_t i = 0; i < CAUGHT; i++)
		if (!sigaction(caught[i], NULL, &action) && action.sa_handler == on_interrupt)
			signal(caught[i], SIG_DFL);
}

bool session_interrupted(void)
{
	return signalled;
}

void session_on_interrupt(void (*notify)(void))
{
	notify_interrupt = notify;
}

int session_interrupt_status(void)
{
	return 128 + (signalled ? signalled : SIGINT);
}
