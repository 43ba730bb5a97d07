/* tests/host/streams/streams_random.c -- some hundred random operations on a few buffers over streams of
 * every kind. Events order those that touch the same buffer, so the result is that of doing them one after
 * the other, which the host does too. */
#include "streams_rig.h"

enum { BUFFERS = 9, WORDS = 300, STREAMS = 7, OPERATIONS = 300, PINNED = 4 };

static uint64_t state;
static uint32_t any(uint32_t below)
{
	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(state >> 33) % below;
}

/* Some buffers lie in pinned memory, which only copies touch. The last operation on each, and its stream. */
static struct buffer {
	CUdeviceptr device;
	uint32_t *host; /* pinned; NULL: in the device */
	uint32_t expected[WORDS];
	int last_write, reads[STREAMS]; /* operations; -1: none */
} buffers[BUFFERS];
static CUstream streams[STREAMS];
static struct operation {
	struct span span;
	int before[2 * STREAMS + 2], before_count;
	int stream;
} operations[OPERATIONS];
static int count;

/* What `o` does comes behind `other`, whatever its stream. */
static void order(struct operation *o, int other)
{
	if (other < 0)
		return;
	o->before[o->before_count++] = other;
	if (operations[other].stream != o->stream)
		OK(cuStreamWaitEvent(streams[o->stream], operations[other].span.behind, 0));
}

static void order_read(struct operation *o, struct buffer *b)
{
	order(o, b->last_write);
	b->reads[o->stream] = count;
}

static void order_write(struct operation *o, struct buffer *b)
{
	order(o, b->last_write);
	for (int i = 0; i < STREAMS; i++) {
		if (b->reads[i] != count)
			order(o, b->reads[i]);
		b->reads[i] = -1;
	}
	b->last_write = count;
}

static CUdeviceptr address(const struct buffer *b)
{
	return b->host ? (CUdeviceptr)(uintptr_t)b->host : b->device;
}

static void do_affine(struct operation *o, struct buffer *b)
{
	uint32_t m = 2 * any(100) + 1, a = any(1000), times = 1 + any(200);

	order_write(o, b);
	span_begin(&o->span, streams[o->stream]);
	OK(rig_affine(&rig, streams[o->stream], b->device, WORDS, m, a, times));
	for (int i = 0; i < WORDS; i++)
		b->expected[i] = rig_affine_of(b->expected[i], m, a, times);
}

static void do_mix(struct operation *o, struct buffer *to, struct buffer *from)
{
	uint32_t n = WORDS;
	void *params[] = { &to->device, &from->device, &n };

	order_read(o, from);
	order_write(o, to);
	span_begin(&o->span, streams[o->stream]);
	OK(cuLaunchKernel(rig.mix, 3, 1, 1, 128, 1, 1, 0, streams[o->stream], params, NULL));
	for (int i = 0; i < WORDS; i++)
		to->expected[i] += 3 * from->expected[i];
}

static void do_copy(struct operation *o, struct buffer *to, struct buffer *from)
{
	order_read(o, from);
	order_write(o, to);
	span_begin(&o->span, streams[o->stream]);
	OK(cuMemcpyAsync(address(to), address(from), sizeof to->expected, streams[o->stream]));
	memcpy(to->expected, from->expected, sizeof to->expected);
}

static void do_fill(struct operation *o, struct buffer *b)
{
	uint32_t value = any(UINT32_MAX);

	order_write(o, b);
	span_begin(&o->span, streams[o->stream]);
	OK(cuMemsetD32Async(address(b), value, WORDS, streams[o->stream]));
	for (int i = 0; i < WORDS; i++)
		b->expected[i] = value;
}

/* A function of the host's on a pinned buffer. */
static void CUDA_CB add_one(void *user)
{
	uint32_t *words = user;

	for (int i = 0; i < WORDS; i++)
		words[i]++;
}

static void do_call(struct operation *o, struct buffer *b)
{
	order_write(o, b);
	span_begin(&o->span, streams[o->stream]);
	OK(cuLaunchHostFunc(streams[o->stream], add_one, b->host));
	for (int i = 0; i < WORDS; i++)
		b->expected[i]++;
}

static void do_something(void)
{
	struct operation *o = &operations[count];
	struct buffer *a = &buffers[any(BUFFERS)], *b = &buffers[any(BUFFERS)];
	uint32_t kind = any(10);

	*o = (struct operation){ .stream = (int)any(STREAMS) };
	if (kind < 3 && !a->host)
		do_affine(o, a);
	else if (kind < 6 && !a->host && !b->host && a != b)
		do_mix(o, a, b);
	else if (kind < 8 && a != b)
		do_copy(o, a, b);
	else if (kind == 8 || !a->host)
		do_fill(o, a);
	else
		do_call(o, a);
	span_end(&o->span);
	count++;
}

/* The host waits now and then for some of it. */
static void wait_somehow(void)
{
	switch (any(40)) {
	case 0:
		OK(cuStreamSynchronize(streams[any(STREAMS)]));
		break;
	case 1:
		OK(cuEventSynchronize(operations[any((uint32_t)count)].span.behind));
		break;
	case 2:
		OK(cuEventQuery(operations[any((uint32_t)count)].span.behind));
		break;
	case 3:
		if (any(4) == 0)
			OK(cuCtxSynchronize());
		break;
	}
}

static void begin(uint32_t seed)
{
	state = seed;
	count = 0;
	for (int i = 0; i < BUFFERS; i++) {
		struct buffer *b = &buffers[i];
		*b = (struct buffer){ .last_write = -1 };
		memset(b->reads, -1, sizeof b->reads);
		if (i < PINNED)
			OK(cuMemAllocHost((void **)&b->host, sizeof b->expected));
		else
			b->device = rig_memory(sizeof b->expected);
		if (b->host)
			memset(b->host, 0, sizeof b->expected);
	}
	for (int i = 2; i < STREAMS; i++)
		streams[i] = rig_stream(i % 2 ? CU_STREAM_NON_BLOCKING : CU_STREAM_DEFAULT);
	streams[0] = NULL;
	streams[1] = CU_STREAM_PER_THREAD;
	OK(cuCtxSynchronize());
}

static void end(void)
{
	for (int i = 0; i < BUFFERS; i++) {
		struct buffer *b = &buffers[i];
		static uint32_t got[WORDS];
		OK(cuMemcpy((CUdeviceptr)(uintptr_t)got, address(b), sizeof got));
		TRUE(!memcmp(got, b->expected, sizeof got));
		OK(b->host ? cuMemFreeHost(b->host) : cuMemFree(b->device));
	}
	for (int i = 2; i < STREAMS; i++)
		OK(cuStreamDestroy(streams[i]));
}

/* Nothing began before all that it was to wait for had ended; streams are first in first out. */
static void check_times(void)
{
	int last[STREAMS];

	memset(last, -1, sizeof last);
	for (int i = 0; i < count; i++)
		span_read(&rig, &operations[i].span);
	for (int i = 0; i < count; i++) {
		const struct operation *o = &operations[i];
		for (int j = 0; j < o->before_count; j++)
			TRUE(o->span.start >= operations[o->before[j]].span.end);
		TRUE(o->span.start <= o->span.end);
		TRUE(last[o->stream] < 0 || o->span.start >= operations[last[o->stream]].span.end);
		last[o->stream] = i;
	}
}

void random_operations(uint32_t seed)
{
	begin(seed);
	while (count < OPERATIONS) {
		do_something();
		wait_somehow();
	}
	OK(cuCtxSynchronize());
	check_times();
	end();
}
