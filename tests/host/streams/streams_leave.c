/* tests/host/streams/streams_leave.c -- a program that ends without waiting for what it queued.
 *
 * leave: returns from main. call: exits in a function that a stream runs, with other streams' kernels under
 * way. fault: a kernel has failed and nobody asks. alike: random operations, and nothing that depends on the
 * host's threads. */
#include "streams_rig.h"

struct rig rig;
int failures, checks, is_timed, engines;
double alone;

static void CUDA_CB leave(void *user)
{
	exit(3);
}

int main(int count, char **arguments)
{
	const char *how = count > 1 ? arguments[1] : "";
	uint32_t times = 10;
	void *params[2];
	CUdeviceptr p;

	OK(cuInit(0));
	OK(cuDevicePrimaryCtxRetain(&rig.context, 0));
	OK(cuCtxSetCurrent(rig.context));
	rig_load(&rig);
	if (!strcmp(how, "alike")) {
		random_operations(1);
		return failures != 0;
	}
	p = rig_memory(3 * 128);
	params[0] = &p;
	params[1] = &times;
	for (uint32_t i = 0; i < 3; i++)
		OK(rig_affine(
			&rig, rig_stream(CU_STREAM_NON_BLOCKING), p + i * 128, 32, 3, 1, (i + 1) * LONG));
	CUstream s = rig_stream(CU_STREAM_NON_BLOCKING);
	if (!strcmp(how, "call")) {
		OK(rig_affine(&rig, s, p, 32, 3, 1, LONG / 2));
		OK(cuLaunchHostFunc(s, leave, NULL));
		OK(cuStreamSynchronize(s));
	}
	if (!strcmp(how, "fault"))
		OK(cuLaunchKernel(rig.stray, 1, 1, 1, 32, 1, 1, 0, s, params, NULL));
	return failures != 0;
}
