/* host/session/session_interrupt.c -- Ctrl-C, the SIGTERM of a batch system, the end of a terminal (SIGHUP),
 * or of the reader of what is printed (SIGPIPE).
 *
 * The first signal only sets a flag, which running kernels check from time to time, and wakes a thread that
 * ends the run where no kernel runs: what there is is written. A second signal ends the process as if it were
 * not caught, but only after a second: some programs (timeout of the GNU core utilities; a shell together
 * with `lockstep bench`) send the same signal twice. SIGPIPE comes again with every line that nobody reads,
 * and says nothing new; so does SIGXCPU, each second beyond the limit on processor time. A signal that the
 * program itself catches or ignores is left to it. */
#include "host/session/session_internal.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#define SAME_DEFERRED 1000 /* milliseconds in which a second signal says what the first one said */

static const int caught[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU };
#define CAUGHT (sizeof caught / sizeof *caught)

static atomic_int signalled;   /* the signal's number; 0: none. Read by the thread that simulates */
static volatile int64_t since; /* milliseconds; when it came */
static pid_t owner;
static sem_t told;
static volatile sig_atomic_t is_watched; /* a thread waits for told */
static const struct interrupt_watch *watcher;
static pthread_mutex_t apart = PTHREAD_MUTEX_INITIALIZER;
static bool is_apart; /* a thread is between session_apart_begin and _end */

static int64_t interrupt_clock(void)
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
		since = interrupt_clock();
		signalled = number;
		if (is_watched)
			sem_post(&told);
	} else if (number != SIGPIPE && number != SIGXCPU && interrupt_clock() - since >= SAME_DEFERRED) {
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

	is_watched = false;
	for (size_t i = 0; i < CAUGHT; i++)
		if (!sigaction(caught[i], NULL, &action) && action.sa_handler == on_interrupt)
			signal(caught[i], SIG_DFL);
}

bool session_interrupted(void)
{
	return signalled;
}

static void *watch_for_signals(void *unused)
{
	if (watcher->begin)
		watcher->begin();
	while (sem_wait(&told) && errno == EINTR)
		;
	watcher->end();
	return NULL;
}

/* The program's signals are its own threads'. */
void session_watch_interrupts(const struct interrupt_watch *own)
{
	sigset_t all, before;
	pthread_t thread;

	watcher = own;
	if (sem_init(&told, 0, 0))
		return;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	if (!pthread_create(&thread, NULL, watch_for_signals, NULL)) {
		pthread_detach(thread);
		is_watched = true;
		if (signalled) /* before there was someone to be told */
			sem_post(&told);
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void session_apart_begin(void)
{
	pthread_mutex_lock(&apart);
	is_apart = true;
	pthread_mutex_unlock(&apart);
}

void session_apart_end(void)
{
	pthread_mutex_lock(&apart);
	is_apart = false;
	pthread_mutex_unlock(&apart);
}

bool session_apart_hold(void)
{
	pthread_mutex_lock(&apart);
	if (is_apart)
		return true;
	pthread_mutex_unlock(&apart);
	return false;
}

int session_interrupt_status(void)
{
	if (signalled == SIGXCPU)
		return EX_IOERR;
	return 128 + (signalled ? signalled : SIGINT);
}
