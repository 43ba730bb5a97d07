/* tests/host/streams/many_threads.c -- eight threads that each allocate, copy and launch in a stream of
 * their own, with a random amount of their own work in between: PTX-FILE WHAT. What each computes is the
 * same in every run, the order in which they come to call is not. */
#include "cuda.h"
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define THREADS 8
#define ROUNDS  4

static CUcontext context;
static CUfunction work;
static pthread_barrier_t barrier;
static const char *what;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t turned = PTHREAD_COND_INITIALIZER;
static int turns;

static void check(CUresult result, int line)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "line %d: error %d\n", line, (int)result);
	exit(2);
}
#define OK(call) check(call, __LINE__)

/* Up to two milliseconds: computes, or sleeps. */
static void dawdle(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	long most = (begin.tv_nsec / 7 + getpid()) % 2000000;
	if (most & 1) {
		usleep((useconds_t)(most / 1000));
		return;
	}
	do
		clock_gettime(CLOCK_MONOTONIC, &now);
	while ((now.tv_sec - begin.tv_sec) * 1000000000 + now.tv_nsec - begin.tv_nsec < most);
}

static void round_of(int number, int round, CUstream stream)
{
	uint32_t n = (uint32_t)(50 + 10 * number + round), value = 0;
	void *parameters[2] = { NULL, &n };
	CUdeviceptr out;

	dawdle();
	OK(cuMemAlloc(&out, 4096 * (size_t)(number + 1)));
	parameters[0] = &out;
	dawdle();
	OK(cuMemcpyHtoDAsync(out, &value, 4, stream));
	OK(cuLaunchKernel(work, (unsigned)number + 1, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
	dawdle();
	OK(cuLaunchKernel(work, 2, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
	dawdle();
	OK(cuStreamSynchronize(stream));
	dawdle();
	OK(cuMemcpyDtoHAsync(&value, out, 4, stream));
	OK(cuStreamSynchronize(stream));
	if (value != n)
		exit(3);
	if (!strcmp(what, "barrier"))
		pthread_barrier_wait(&barrier);
}

/* One thread after the other. */
static void wait_for_turn(int turn)
{
	if (!strcmp(what, "handed")) {
		pthread_mutex_lock(&mutex);
		while (turns != turn)
			pthread_cond_wait(&turned, &mutex);
		pthread_mutex_unlock(&mutex);
	}
	while (!strcmp(what, "spinning") && __atomic_load_n(&turns, __ATOMIC_ACQUIRE) != turn)
		;
}

static void next_turn(void)
{
	pthread_mutex_lock(&mutex);
	__atomic_fetch_add(&turns, 1, __ATOMIC_RELEASE);
	pthread_cond_broadcast(&turned);
	pthread_mutex_unlock(&mutex);
}

static void *run(void *user)
{
	int number = (int)(long)user;
	CUstream stream;

	dawdle();
	OK(cuCtxSetCurrent(context));
	OK(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	if (!strcmp(what, "late") && number == 3)
		sleep(1);
	for (int round = 0; round < (strcmp(what, "spinning") ? ROUNDS : 1); round++) {
		wait_for_turn(round * THREADS + number);
		round_of(number, round, stream);
		next_turn();
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	CUmodule module;

	if (argc != 3)
		return 2;
	what = argv[2];
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&work, module, "work"));
	pthread_barrier_init(&barrier, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		pthread_create(&threads[i], NULL, run, (void *)i);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	puts("PASS");
	return 0;
}
