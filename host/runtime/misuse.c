/* host/runtime/misuse.c -- which calls returned errors, said in one line when the program ends: programs
 * often look at none. */
#include "host/runtime/runtime.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

enum { KINDS = 64, SAID = 8 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct misuse {
	char function[64]; /* as the program knows it */
	cudaError_t error;
	unsigned long times;
} kinds[KINDS];
static unsigned long count, others;

const char *cudaGetErrorName(cudaError_t error);

/* Without what the linker's name has more: variants for the thread's default stream, internal functions. */
static void call_name(char *name, size_t room, const char *function)
{
	char *end;

	snprintf(name, room, "%s",
		!strcmp(function, "launched")          ? "a kernel launch"
			: strncmp(function, "cuda", 4) ? "a call"
						       : function);
	end = strrchr(name, '_');
	if (end && (!strcmp(end, "_ptsz") || !strcmp(end, "_ptds")))
		*end = '\0';
}

void misuse_note(const char *function, cudaError_t error)
{
	char name[sizeof kinds->function];
	unsigned long i = 0;

	call_name(name, sizeof name, function);
	pthread_mutex_lock(&lock);
	while (i < count && (kinds[i].error != error || strcmp(kinds[i].function, name) != 0))
		i++;
	if (i == KINDS)
		others++;
	else if (i == count)
		memcpy(kinds[count++].function, name, sizeof name);
	if (i < KINDS) {
		kinds[i].error = error;
		kinds[i].times++;
	}
	pthread_mutex_unlock(&lock);
}

__attribute__((destructor)) static void misuse_say(void)
{
	unsigned long rest = others;

	if (!count)
		return;
	fprintf(stderr, "lockstep: calls of the CUDA runtime returned errors:");
	for (unsigned long i = 0; i < count; i++) {
		if (i >= SAID) {
			rest += kinds[i].times;
			continue;
		}
		fprintf(stderr, "%s %s %s", i ? "," : "", kinds[i].function,
			cudaGetErrorName(kinds[i].error));
		if (kinds[i].times > 1)
			fprintf(stderr, " (%lu times)", kinds[i].times);
	}
	if (rest)
		fprintf(stderr, ", and %lu more", rest);
	fprintf(stderr, "\n");
}
