/* tests/sanitize/host_access.c -- the host accesses memory, as the argument says: memory of the device, which
 * must end with SIGSEGV where a sanitizer looks for it, or what the host may access. */
#include "cuda.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BYTES 100000
#define WORD  5000 /* of the device memory that is accessed: on a page without memory of the host */

static const char text[] = ".version 6.0\n.target sm_30\n.address_size 64\n"
			   ".global .attribute(.managed) .u32 managed;\n"
			   ".visible .entry one(.param .u64 to) {\n"
			   ".reg .u64 %d; ld.param.u64 %d, [to]; st.global.u32 [%d+20000], 1; ret; }\n";

static CUcontext context;
static CUmodule module;
static volatile uint32_t *device;

static void check(CUresult result, const char *what)
{
	if (result == CUDA_SUCCESS)
		return;
	printf("%s: error %d\n", what, (int)result);
	exit(2);
}
#define CHECK(call) check(call, #call)

static void fill(void)
{
	void *parameters[] = { &device };
	CUfunction one;
	uint32_t word = 0;

	CHECK(cuModuleGetFunction(&one, module, "one"));
	CHECK(cuLaunchKernel(one, 1, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL));
	CHECK(cuMemcpyDtoH(&word, (CUdeviceptr)(device + WORD), 4));
	if (word != 1)
		exit(3);
}

static void read_device(void *unused)
{
	printf("%u\n", device[WORD]);
}

static void *in_thread(void *unused)
{
	CHECK(cuCtxSetCurrent(context));
	fill();
	read_device(NULL);
	return NULL;
}

static void in_handler(int number)
{
	read_device(NULL);
}

static void thread(void)
{
	pthread_t other;

	pthread_create(&other, NULL, in_thread, NULL);
	pthread_join(other, NULL);
}

static void callback(void)
{
	CHECK(cuLaunchHostFunc(NULL, read_device, NULL));
	CHECK(cuCtxSynchronize());
}

/* The child's own end; the parent goes on. */
static void child(void)
{
	pid_t process = fork();
	int status;

	if (!process) {
		read_device(NULL);
		_exit(0);
	}
	waitpid(process, &status, 0);
	printf("child: %s\n", WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "no signal");
}

static void kernel_call(void)
{
	int file = open("/dev/zero", O_RDONLY);
	ssize_t got = read(file, (void *)(device + WORD), 8);

	printf("read: %s\n", got < 0 ? strerror(errno) : "done");
	if (got >= 0)
		exit(4);
}

/* Memory that the host may access, and callbacks and handlers that access it. */
static void host_memory(void)
{
	CUdeviceptr managed, variable;
	uint32_t *pinned, *mapped;

	CHECK(cuMemAllocHost((void **)&pinned, BYTES));
	CHECK(cuMemHostAlloc((void **)&mapped, 16, CU_MEMHOSTALLOC_DEVICEMAP));
	CHECK(cuMemAllocManaged(&managed, 3 * BYTES, CU_MEM_ATTACH_GLOBAL));
	CHECK(cuModuleGetGlobal(&variable, NULL, module, "managed"));
	memset(pinned, 1, BYTES);
	memset(mapped, 2, 16);
	memset((void *)managed, 3, 3 * BYTES);
	*(uint32_t *)variable = 4;
	fill();
	CHECK(cuMemcpyDtoH(pinned, (CUdeviceptr)device, BYTES));
	printf("host memory: %u %u %u %u\n", pinned[WORD], mapped[3], *(uint8_t *)(managed + BYTES),
		*(uint32_t *)variable);
	CHECK(cuMemFreeHost(pinned));
	CHECK(cuMemFree(managed));
}

int main(int count, char **arguments)
{
	const char *what = count > 1 ? arguments[1] : "";
	CUdevice where;
	CUdeviceptr address;

	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&where, 0));
	CHECK(cuCtxCreate(&context, 0, where));
	CHECK(cuModuleLoadData(&module, text));
	CHECK(cuMemAlloc(&address, BYTES));
	device = (uint32_t *)address;
	fill();
	if (!strcmp(what, "read"))
		read_device(NULL);
	if (!strcmp(what, "write"))
		device[WORD] = 7;
	if (!strcmp(what, "print"))
		printf("%s\n", (const char *)(device + WORD));
	if (!strcmp(what, "thread"))
		thread();
	if (!strcmp(what, "callback"))
		callback();
	if (!strcmp(what, "handler")) {
		signal(SIGUSR1, in_handler);
		raise(SIGUSR1);
	}
	if (!strcmp(what, "child"))
		child();
	if (!strcmp(what, "kernel-call"))
		kernel_call();
	if (!strcmp(what, "host-memory"))
		host_memory();
	CHECK(cuMemFree(address));
	if (!strcmp(what, "freed"))
		read_device(NULL);
	puts("end");
	return 0;
}
