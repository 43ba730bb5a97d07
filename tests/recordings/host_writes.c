/* tests/recordings/host_writes.c -- a program that writes to pinned and to managed memory by itself, between
 * kernels that read it, and that waits for events, which without timing have come long before. */
#include "../host/streams/streams_rig.h"

struct rig rig;
int failures, checks, is_timed, engines;
double alone;

enum { WORDS = 96 };

static void mix(CUstream stream, CUdeviceptr to, const uint32_t *from)
{
	uint32_t n = WORDS;
	CUdeviceptr o = (CUdeviceptr)(uintptr_t)from;
	void *params[] = { &to, &o, &n };

	OK(cuLaunchKernel(rig.mix, 1, 1, 1, 128, 1, 1, 0, stream, params, NULL));
}

int main(void)
{
	uint32_t *pinned, expected[WORDS] = { 0 }, got[WORDS];
	CUdeviceptr managed, sum, other;
	CUevent event;

	OK(cuInit(0));
	OK(cuDevicePrimaryCtxRetain(&rig.context, 0));
	OK(cuCtxSetCurrent(rig.context));
	rig_load(&rig);
	sum = rig_memory(sizeof got);
	other = rig_memory(sizeof got);
	OK(cuMemAllocHost((void **)&pinned, sizeof got));
	OK(cuMemAllocManaged(&managed, sizeof got, CU_MEM_ATTACH_GLOBAL));
	OK(cuEventCreate(&event, 0));
	OK(cuCtxSynchronize());
	CUstream first = rig_stream(CU_STREAM_NON_BLOCKING), second = rig_stream(CU_STREAM_NON_BLOCKING);
	for (uint32_t round = 0; round < 3; round++) {
		for (uint32_t i = 0; i < WORDS; i++) {
			pinned[i] = i * round;
			((uint32_t *)(uintptr_t)managed)[i] = i + round;
			expected[i] += 3 * (i * round) + 3 * (i + round);
		}
		OK(rig_affine(&rig, first, other, WORDS, 3, 1, 4000)); /* long, in the other stream */
		OK(cuEventRecord(event, first));
		mix(second, sum, pinned);
		mix(second, sum, (const uint32_t *)(uintptr_t)managed);
		OK(cuStreamSynchronize(second));
		OK(cuEventSynchronize(event));
	}
	OK(cuMemcpyDtoH(got, sum, sizeof got));
	for (uint32_t i = 0; i < WORDS; i++)
		failures += got[i] != expected[i];
	printf("host_writes: %s\n", failures ? "FAIL" : "PASS");
	return failures != 0;
}
