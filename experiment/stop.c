/* experiment/stop.c -- the handler only remembers the signal, and interrupts what the process waits for. */
#include "experiment/stop.h"
#include <signal.h>
#include <stddef.h>

static const int caught[] = { SIGINT, SIGTERM, SIGHUP };
#define CAUGHT (sizeof(caught) / sizeof(*caught))

static volatile sig_atomic_t stopped;
static struct sigaction before[CAUGHT];

static void on_stop(int number)
{
	stopped = number;
}

void stop_begin(void)
{
	struct sigaction action = { .sa_handler = on_stop, .sa_flags = (int)SA_RESETHAND };

	stopped = 0;
	sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < CAUGHT; i++) {
		sigaction(caught[i], &action, &before[i]);
		if (caught[i] == SIGHUP && before[i].sa_handler == SIG_IGN) /* nohup */
			sigaction(caught[i], &before[i], NULL);
	}
}

void stop_end(void)
{
	for (size_t i = 0; i < CAUGHT; i++)
		sigaction(caught[i], &before[i], NULL);
}

int stop_signal(void)
{
	return stopped;
}
