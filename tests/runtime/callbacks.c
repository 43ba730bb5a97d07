/* tests/runtime/callbacks.c -- a program of the runtime API that waits for no stream by a call: threads queue
 * work, each ending in a function that starts another thread, which checks the result and frees memory; main
 * waits until all have. In C and without a header. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef void (*callback)(void *stream, int status, void *user);
int cudaSetDevice(int device);
int cudaMalloc(void **pointer, size_t bytes);
int cudaFree(void *pointer);
int cudaMallocHost(void **pointer, size_t bytes);
int cudaFreeHost(void *pointer);
int cudaStreamCreate(void **stream);
int cudaStreamDestroy(void *stream);
int cudaMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *stream);
int cudaMemsetAsync(void *to, int value, size_t bytes, void *stream);
int cudaStreamAddCallback(void *stream, callback function, void *user, unsigned flags);

enum { LOADS = 8, BYTES = 100000, TO_DEVICE = 1, TO_HOST = 2 };

struct load {
	unsigned char *host, *device;
	void *stream;
	int number;
};

static struct load loads[LOADS];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int done_count;

static void must(int result, int line)
{
	if (!result)
		return;
	printf("line %d: error %d\n", line, result);
	exit(1);
}
#define MUST(call) must(call, __LINE__)

static void start(void *(*function)(void *), struct load *load)
{
	pthread_t thread;

	MUST(pthread_create(&thread, NULL, function, load));
	MUST(pthread_detach(thread));
}

static void *finish(void *user)
{
	struct load *l = user;

	MUST(cudaSetDevice(0));
	for (int i = 0; i < BYTES; i++)
		if (l->host[i] != (i < BYTES / 2 ? l->number + 1 : l->number))
			exit(2);
	MUST(cudaFree(l->device));
	MUST(cudaFreeHost(l->host));
	MUST(cudaStreamDestroy(l->stream));
	pthread_mutex_lock(&mutex);
	done_count++;
	pthread_cond_signal(&done);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void call_back(void *stream, int status, void *user)
{
	(void)stream;
	MUST(status);
	start(finish, user);
}

static void *launch(void *user)
{
	struct load *l = user;

	MUST(cudaSetDevice(0));
	MUST(cudaStreamCreate(&l->stream));
	MUST(cudaMalloc((void **)&l->device, BYTES));
	MUST(cudaMallocHost((void **)&l->host, BYTES));
	memset(l->host, l->number, BYTES);
	MUST(cudaMemcpyAsync(l->device, l->host, BYTES, TO_DEVICE, l->stream));
	MUST(cudaMemsetAsync(l->device, l->number + 1, BYTES / 2, l->stream));
	MUST(cudaMemcpyAsync(l->host, l->device, BYTES, TO_HOST, l->stream));
	MUST(cudaStreamAddCallback(l->stream, call_back, l, 0));
	return NULL;
}

int main(void)
{
	for (int i = 0; i < LOADS; i++) {
		loads[i].number = i;
		start(launch, &loads[i]);
	}
	pthread_mutex_lock(&mutex);
	while (done_count < LOADS)
		pthread_cond_wait(&done, &mutex);
	pthread_mutex_unlock(&mutex);
	puts("PASS");
	return 0;
}
