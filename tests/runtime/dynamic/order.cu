/* In which order children run: streams, events, tail launches. */
#include "../samples/samples.h"

__global__ static void note(int *log, int *count, int value)
{
	log[atomicAdd(count, 1)] = value;
}

/* Waits long enough that whoever does not wait for it comes first. */
__global__ static void note_late(int *log, int *count, int value)
{
	long long begin = clock64();

	while (clock64() - begin < 20000)
		;
	log[atomicAdd(count, 1)] = value;
}

__device__ static void is_fine(cudaError_t error, int *errors)
{
	if (error != cudaSuccess)
		atomicAdd(errors, 1);
}

struct journal {
	device_copy<int> log, count, errors;
	journal() : log(256), count(1), errors(1)
	{
	}
	std::vector<int> read()
	{
		CUDA(cudaDeviceSynchronize());
		CHECK(errors.host()[0] == 0);
		std::vector<int> all = log.host();
		all.resize(count.host()[0]);
		return all;
	}
};

__global__ static void default_stream_in_order(int *log, int *count, int *errors)
{
	for (int i = 0; i < 6; i++)
		if (i % 2)
			note<<<1, 1>>>(log, count, i);
		else
			note_late<<<1, 1>>>(log, count, i);
	is_fine(cudaGetLastError(), errors);
}

SAMPLE(default_stream_of_a_cta)
{
	journal j;

	default_stream_in_order<<<1, 1>>>(j.log, j.count, j.errors);
	CHECK(j.read() == (std::vector<int>{ 0, 1, 2, 3, 4, 5 }));
}

/* Threads of a CTA share its default stream; in the order of their launches. */
__global__ static void shared_default_stream(int *log, int *count, int *errors)
{
	for (int t = 0; t < 4; t++) {
		if (threadIdx.x == t)
			note_late<<<1, 1>>>(log, count, t);
		__syncthreads();
	}
	is_fine(cudaGetLastError(), errors);
}

SAMPLE(default_stream_of_several_threads)
{
	journal j;

	shared_default_stream<<<1, 4>>>(j.log, j.count, j.errors);
	CHECK(j.read() == (std::vector<int>{ 0, 1, 2, 3 }));
}

__global__ static void events_between_streams(int *log, int *count, int *errors)
{
	cudaStream_t a, b;
	cudaEvent_t event;

	is_fine(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking), errors);
	is_fine(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking), errors);
	is_fine(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), errors);
	note_late<<<1, 1, 0, a>>>(log, count, 1);
	is_fine(cudaEventRecord(event, a), errors);
	is_fine(cudaStreamWaitEvent(b, event, 0), errors);
	note<<<1, 1, 0, b>>>(log, count, 2);
	is_fine(cudaEventRecord(event, b), errors);
	is_fine(cudaStreamWaitEvent(a, event, 0), errors);
	note<<<1, 1, 0, a>>>(log, count, 3);
	is_fine(cudaEventDestroy(event), errors);
	is_fine(cudaStreamDestroy(a), errors);
	is_fine(cudaStreamDestroy(b), errors);
}

SAMPLE(events_order_streams)
{
	journal j;

	events_between_streams<<<1, 1>>>(j.log, j.count, j.errors);
	CHECK(j.read() == (std::vector<int>{ 1, 2, 3 }));
}

/* A tail launch runs behind all else that its grid has launched, also behind what comes after it in the
 * program; its own tail before the next. */
__global__ static void second_tail(int *log, int *count)
{
	log[atomicAdd(count, 1)] = 20;
	note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 22);
	note_late<<<1, 1>>>(log, count, 21);
}

__global__ static void tails(int *log, int *count, int *errors)
{
	second_tail<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count);
	note<<<1, 1, 0, cudaStreamTailLaunch>>>(log, count, 30);
	note_late<<<1, 1>>>(log, count, 10);
	is_fine(cudaGetLastError(), errors);
}

SAMPLE(tail_launches_in_order)
{
	journal j;

	tails<<<1, 1>>>(j.log, j.count, j.errors);
	CHECK(j.read() == (std::vector<int>{ 10, 20, 21, 22, 30 }));
}

/* A loop of grids: each launches the next as its tail. */
__global__ static void again(int *value, int left)
{
	if (threadIdx.x == 0)
		*value = *value * 3 + left;
	__syncthreads();
	if (threadIdx.x == 0 && left > 1)
		again<<<1, 32, 0, cudaStreamTailLaunch>>>(value, left - 1);
}

SAMPLE(chain_of_tail_launches)
{
	device_copy<int> value(1);
	unsigned expected = 0;

	again<<<1, 32>>>(value, 150);
	for (int left = 150; left > 0; left--)
		expected = expected * 3 + left;
	CHECK((unsigned)value.host()[0] == expected);
}
