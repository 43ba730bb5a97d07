/* tests/fuzz/handles.c -- handles SEED COUNT: calls of the driver API, of which each has one wrong handle:
 * none, one that was destroyed, one of another kind, or any number; other handles are right, numbers small,
 * structures zero. A call may return what it likes: it must return, and the device must work at the end. */
#include "cuda.h"
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MUST(call) \
	do { \
		CUresult result_ = (call); \
		if (result_ != CUDA_SUCCESS) { \
			printf("%s: %d\n", #call, (int)result_); \
			exit(1); \
		} \
	} while (0)

static const char ptx[] = ".version 6.0\n.target sm_20\n.address_size 64\n.global .u32 variable;\n"
			  ".visible .entry kernel(.param .u64 p) { ret; }\n";

/* -- random numbers -- */

static uint64_t state;

static unsigned below(unsigned n)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (unsigned)(state >> 33) % n;
}

/* -- right handles -- */

static CUcontext context;
static CUdeviceptr memory, freed;
static uint64_t dead[4]; /* destroyed */

static struct {
	const char *kind;
	uint64_t live;
} world[32];
static unsigned kinds;

static void put(const char *kind, uint64_t live)
{
	world[kinds].kind = kind;
	world[kinds++].live = live;
}
#define PUT(kind, live) put(#kind, (uint64_t)(live))

static void make_streams(void)
{
	CUstream stream, gone;
	CUevent event, gone_event;

	MUST(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
	MUST(cuStreamCreate(&gone, 0));
	MUST(cuEventCreate(&event, 0));
	MUST(cuEventCreate(&gone_event, 0));
	MUST(cuStreamDestroy(gone));
	MUST(cuEventDestroy(gone_event));
	dead[0] = (uint64_t)gone;
	dead[1] = (uint64_t)gone_event;
	PUT(CUstream, stream);
	PUT(CUevent, event);
}

static void make_code(void)
{
	CUmodule module, gone;
	CUfunction function;

	MUST(cuModuleLoadData(&module, ptx));
	MUST(cuModuleLoadData(&gone, ptx));
	MUST(cuModuleGetFunction(&function, module, "kernel"));
	MUST(cuModuleUnload(gone));
	dead[2] = (uint64_t)gone;
	PUT(CUmodule, module);
	PUT(CUfunction, function);
}

static void make_graphs(void)
{
	CUgraph graph, gone;
	CUgraphNode node;
	CUgraphExec exec;

	MUST(cuGraphCreate(&graph, 0));
	MUST(cuGraphCreate(&gone, 0));
	MUST(cuGraphAddEmptyNode(&node, graph, NULL, 0));
	MUST(cuGraphInstantiateWithFlags(&exec, graph, 0));
	MUST(cuGraphDestroy(gone));
	dead[3] = (uint64_t)gone;
	PUT(CUgraph, graph);
	PUT(CUgraphNode, node);
	PUT(CUgraphExec, exec);
}

static void make_memory(void)
{
	CUDA_ARRAY_DESCRIPTOR line = { .Width = 64, .Format = CU_AD_FORMAT_FLOAT, .NumChannels = 1 };
	CUarray array;

	MUST(cuMemAlloc(&memory, 65536));
	MUST(cuMemAlloc(&freed, 65536));
	MUST(cuMemFree(freed));
	MUST(cuArrayCreate(&array, &line));
	PUT(CUdeviceptr, memory);
	PUT(CUarray, array);
}

static void make_world(void)
{
	CUdevice device;

	MUST(cuInit(0));
	MUST(cuDeviceGet(&device, 0));
	MUST(cuCtxCreate(&context, 0, device));
	PUT(CUcontext, context);
	PUT(CUdevice, device);
	make_streams();
	make_code();
	make_graphs();
	make_memory();
}

/* -- arguments -- */

static unsigned place, wrong_at; /* of the handle among those of the call; which is wrong */
static uint64_t zeros[8][8192], lists[8][64];

static uint64_t another_kind(const char *kind)
{
	unsigned i;

	do
		i = below(kinds);
	while (!strcmp(world[i].kind, kind));
	return world[i].live;
}

static uint64_t wrong(const char *kind)
{
	static const uint64_t numbers[] = { 3, 0x1000, 0xdeadbeef, UINT64_C(0x7fffffffffffffff), UINT64_MAX,
		UINT64_C(0x8000000000000000), UINT64_C(0x00005555deadbee8) };

	if (!strcmp(kind, "CUdeviceptr")) /* an address of the host may be meant where one of the device may
					   */
		return (uint64_t[]){ 0, freed, freed + 3, memory + (UINT64_C(1) << 29) }[below(4)];
	switch (below(5)) {
	case 0:
		return 0;
	case 1:
		return dead[below(4)];
	case 2:
		return another_kind(kind);
	case 3:
		return (uint64_t)zeros[below(8)] + below(16);
	}
	return numbers[below(sizeof numbers / sizeof *numbers)];
}

static uint64_t handle(const char *kind)
{
	if (place++ == wrong_at)
		return wrong(kind);
	for (unsigned i = 0; i < kinds; i++)
		if (!strcmp(world[i].kind, kind))
			return world[i].live;
	return wrong(kind);
}

static uint64_t *list(void)
{
	uint64_t *to = lists[below(8)];

	for (int i = 0; i < 64; i++)
		to[i] = wrong("");
	return to;
}

static uint64_t *zero(void)
{
	uint64_t *to = zeros[below(8)];

	return memset(to, 0, sizeof zeros[0]);
}

static unsigned number(void)
{
	static const unsigned numbers[] = { 0, 1, 2, 3, 7, 8, 31, 32, 64 };

	return numbers[below(sizeof numbers / sizeof *numbers)];
}

#define HANDLE(type) (type) handle(#type)
#define LIST()       list()
#define ZEROS()      zero()
#define NUMBER()     number()
#define OTHER(type) \
	(type) \
	{ \
		0 \
	}

/* -- calls -- */

#define CALL(name, handles, ...) \
	static void call_##name(void) \
	{ \
		(void)name(__VA_ARGS__); \
	}
#include "calls.h"
#undef CALL
static const struct {
	const char *name;
	unsigned handles;
	void (*call)(void);
} calls[] = {
#define CALL(name, handles, ...) { #name, handles, call_##name },
#include "calls.h"
#undef CALL
};
#define CALLS (sizeof calls / sizeof *calls)

static const char *volatile under_way;
static volatile unsigned long tried;

static void on_end(int number)
{
	char line[200];
	int length = snprintf(line, sizeof line, "call %lu, %s: signal %d\n", tried, under_way, number);

	if (write(STDOUT_FILENO, line, (size_t)length) == length)
		_exit(1);
	_exit(2);
}

int main(int count, char **arguments)
{
	static const int ends[] = { SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM };
	unsigned long most;

	if (count != 3)
		return 2;
	state = strtoull(arguments[1], NULL, 10) * UINT64_C(0x9e3779b97f4a7c15);
	most = strtoul(arguments[2], NULL, 10);
	make_world();
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		signal(ends[i], on_end);
	for (tried = 0; tried < most; tried++) {
		unsigned which = below(CALLS);

		under_way = calls[which].name;
		place = 0;
		wrong_at = below(calls[which].handles);
		alarm(600);
		MUST(cuCtxSetCurrent(context));
		calls[which].call();
	}
	printf("handles: %lu tried, 0 failed\n", most);
	return 0;
}
