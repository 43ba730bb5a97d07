/* tests/host/streams/waits_without_calls.c -- programs that wait for the device without calling it:
 * PTX-FILE WHAT. Each prints PASS once what it waited for has come. */
#include "cuda.h"
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define ITERATIONS 3000

static CUfunction work, answer, hang;
static CUstream a, b;
static CUdeviceptr out;
static uint32_t *flags; /* the host and the device write it */
static sem_t called;
static uint32_t has_called;

static void check(CUresult result, int line)
{
	if (result == CUDA_SUCCESS)
		return;
	fprintf(stderr, "line %d: error %d\n", line, (int)result);
	exit(2);
}
#define OK(call) check(call, __LINE__)

/* The device reads and writes beside them, in a way that ThreadSanitizer calls a race. */
__attribute__((no_sanitize("thread"))) static uint32_t read_flag(int i)
{
	return ((volatile uint32_t *)flags)[i];
}

__attribute__((no_sanitize("thread"))) static void write_flag(int i, uint32_t value)
{
	((volatile uint32_t *)flags)[i] = value;
}

static void launch_work(CUstream stream, uint32_t n)
{
	void *parameters[] = { &out, &n };

	OK(cuLaunchKernel(work, 4, 1, 1, 64, 1, 1, 0, stream, parameters, NULL));
}

static void launch_flags(CUfunction function, CUstream stream)
{
	void *parameters[] = { &flags };

	OK(cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL));
}

static void is_called(void *unused)
{
	(void)unused;
	__atomic_store_n(&has_called, 1, __ATOMIC_RELEASE);
	sem_post(&called);
}

/* Work whose end the host sees in flags[0]. */
static void queue(void)
{
	launch_work(a, ITERATIONS);
	OK(cuMemcpyDtoHAsync(flags, out, 4, a));
}

static void wait_spinning(void)
{
	queue();
	while (!read_flag(0))
		;
}

static void wait_sleeping(void)
{
	queue();
	while (!read_flag(0))
		usleep(1000);
}

static void wait_calling(void)
{
	queue();
	OK(cuStreamSynchronize(a));
}

static void wait_function(void)
{
	queue();
	OK(cuLaunchHostFunc(a, is_called, NULL));
	while (sem_wait(&called))
		;
}

/* The function, and threads that it may start, have the program's signals. */
static void has_signals(void *unused)
{
	sigset_t blocked;

	(void)unused;
	if (!pthread_sigmask(SIG_BLOCK, NULL, &blocked) && !sigismember(&blocked, SIGUSR1))
		has_called = 1;
	sem_post(&called);
}

static void wait_function_signals(void)
{
	OK(cuLaunchHostFunc(a, has_signals, NULL));
	while (sem_wait(&called))
		;
	if (!has_called)
		exit(5);
}

static void wait_function_spinning(void)
{
	queue();
	OK(cuLaunchHostFunc(a, is_called, NULL));
	while (!__atomic_load_n(&has_called, __ATOMIC_ACQUIRE))
		;
}

/* The kernel waits for the host, which waits for the kernel. */
static void talk(void)
{
	launch_flags(answer, a);
	while (!read_flag(0))
		;
	write_flag(1, 1);
	while (!read_flag(2))
		;
	OK(cuStreamSynchronize(a));
}

static void talk_query(void)
{
	int asked = 0;
	CUresult result;

	launch_flags(answer, a);
	while ((result = cuStreamQuery(a)) == CUDA_ERROR_NOT_READY)
		if (++asked == 2)
			write_flag(1, 1);
	OK(result);
	if (asked < 2 || !read_flag(2))
		exit(3);
}

static void talk_event(void)
{
	CUevent event;
	CUresult result;

	OK(cuEventCreate(&event, 0));
	launch_flags(answer, a);
	OK(cuEventRecord(event, a));
	while ((result = cuEventQuery(event)) == CUDA_ERROR_NOT_READY)
		write_flag(1, 1);
	OK(result);
}

/* A copy in another stream brings the answer, while the kernel runs. */
static void talk_copy(void)
{
	static const uint32_t one = 1;

	launch_flags(answer, a);
	while (!read_flag(0))
		;
	OK(cuMemcpyHtoDAsync((CUdeviceptr)(uintptr_t)(flags + 1), &one, 4, b));
	OK(cuStreamSynchronize(b));
	OK(cuStreamSynchronize(a));
}

/* Another stream's kernel would have run beside the first one. */
static void then_queue(void)
{
	wait_spinning();
	launch_work(b, ITERATIONS);
	OK(cuCtxSynchronize());
}

/* The same by a call. */
static void then_wait(void)
{
	wait_calling();
	launch_work(b, ITERATIONS);
	OK(cuCtxSynchronize());
}

static void fork_meanwhile(void)
{
	int status;
	pid_t child;

	launch_flags(answer, a);
	while (!read_flag(0))
		;
	child = fork();
	if (!child)
		_exit(cuCtxSynchronize() == CUDA_ERROR_NOT_INITIALIZED ? 7 : 8);
	if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 7)
		exit(4);
	write_flag(1, 1);
	OK(cuStreamSynchronize(a));
}

/* The process ends while a thread of Lockstep's simulates: what is queued still runs. */
static void leave(void)
{
	launch_flags(answer, a);
	launch_work(a, ITERATIONS);
	while (!read_flag(0))
		;
	write_flag(1, 1);
}

static void interrupted(void)
{
	launch_flags(hang, a);
	launch_flags(answer, b);
	while (!read_flag(0))
		;
	raise(SIGINT);
	for (;;)
		;
}

static void hangs_told(CUstream stream, CUresult status, void *unused)
{
	(void)stream, (void)unused;
	printf("status %d\n", (int)status);
	sem_post(&called);
}

/* Everything waits for a kernel that never ends. */
static void hangs(void)
{
	launch_flags(hang, a);
	OK(cuStreamAddCallback(a, hangs_told, NULL, 0));
	while (sem_wait(&called))
		;
}

static const struct {
	const char *name;
	void (*run)(void);
} cases[] = {
	{ "spinning", wait_spinning },
	{ "sleeping", wait_sleeping },
	{ "calling", wait_calling },
	{ "function", wait_function },
	{ "function-signals", wait_function_signals },
	{ "function-spinning", wait_function_spinning },
	{ "talk", talk },
	{ "talk-query", talk_query },
	{ "talk-event", talk_event },
	{ "talk-copy", talk_copy },
	{ "then-queue", then_queue },
	{ "then-wait", then_wait },
	{ "fork", fork_meanwhile },
	{ "leave", leave },
	{ "interrupted", interrupted },
	{ "hangs", hangs },
};

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;

	if (argc != 3)
		return 2;
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoad(&module, argv[1]));
	OK(cuModuleGetFunction(&work, module, "work"));
	OK(cuModuleGetFunction(&answer, module, "answer"));
	OK(cuModuleGetFunction(&hang, module, "hang"));
	OK(cuMemAlloc(&out, 4));
	OK(cuMemHostAlloc((void **)&flags, 4096, CU_MEMHOSTALLOC_DEVICEMAP));
	memset(flags, 0, 4096);
	OK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
	OK(cuStreamCreate(&b, CU_STREAM_NON_BLOCKING));
	sem_init(&called, 0, 0);
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		if (strcmp(argv[2], cases[i].name))
			continue;
		cases[i].run();
		puts("PASS");
		return 0;
	}
	return 2;
}
