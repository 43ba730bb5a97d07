/* tests/host/streams/streams_rig.h -- what the tests of streams share: expectations, kernels, times of what
 * was queued. */
#ifndef TESTS_HOST_STREAMS_RIG_H
#define TESTS_HOST_STREAMS_RIG_H

#include <cuda.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int failures, checks;
extern int is_timed; /* kernels take time: not --functional */
extern int engines;  /* copy engines that the device is to have */
extern double alone; /* microseconds of one kernel of LONG rounds */
#define LONG 3000

static inline void expect(CUresult got, CUresult want, const char *what, const char *file, int line)
{
	const char *name = "?", *wanted = "?";

	__atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);
	if (got == want)
		return;
	cuGetErrorName(got, &name);
	cuGetErrorName(want, &wanted);
	fprintf(stderr, "%s:%d: %s gave %s, not %s\n", file, line, what, name, wanted);
	__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
}
#define OK(call)         expect((call), CUDA_SUCCESS, #call, __FILE__, __LINE__)
#define FAILS(call, why) expect((call), CUDA_ERROR_##why, #call, __FILE__, __LINE__)

static inline void check(int is_true, const char *what, const char *file, int line)
{
	__atomic_add_fetch(&checks, 1, __ATOMIC_RELAXED);
	if (is_true)
		return;
	fprintf(stderr, "%s:%d: not true: %s\n", file, line, what);
	__atomic_add_fetch(&failures, 1, __ATOMIC_RELAXED);
}
#define TRUE(condition)  check((condition), #condition, __FILE__, __LINE__)
#define TIMED(condition) TRUE(!is_timed || (condition)) /* about times of kernels */

/* affine: p[i] = p[i] * m + a, done `times` times, for i < n. mix: p[i] += 3 * q[i] for i < n. stray: a store
 * to nowhere, after `times` rounds of waiting. */
static const char rig_ptx[] =
	".version 3.0\n"
	".target sm_20\n"
	".address_size 64\n"
	".visible .entry affine(.param .u64 p, .param .u32 n, .param .u32 m, .param .u32 a, "
	".param .u32 times)\n"
	"{\n"
	"\t.reg .pred %q; .reg .b32 %r<12>; .reg .b64 %d<4>;\n"
	"\tld.param.u64 %d0, [p]; ld.param.u32 %r0, [n]; ld.param.u32 %r6, [m]; ld.param.u32 %r7, [a]; "
	"ld.param.u32 %r8, [times];\n"
	"\tmov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; "
	"mad.lo.u32 %r4, %r1, %r2, %r3;\n"
	"\tsetp.ge.u32 %q, %r4, %r0;\n"
	"\t@%q bra done;\n"
	"\tmul.wide.u32 %d1, %r4, 4; add.u64 %d2, %d0, %d1; ld.global.u32 %r5, [%d2];\n"
	"again:\n"
	"\tmad.lo.u32 %r5, %r5, %r6, %r7;\n"
	"\tsub.u32 %r8, %r8, 1; setp.ne.u32 %q, %r8, 0;\n"
	"\t@%q bra again;\n"
	"\tst.global.u32 [%d2], %r5;\n"
	"done:\n"
	"\tret;\n"
	"}\n"
	".visible .entry mix(.param .u64 p, .param .u64 o, .param .u32 n)\n"
	"{\n"
	"\t.reg .pred %q; .reg .b32 %r<8>; .reg .b64 %d<6>;\n"
	"\tld.param.u64 %d0, [p]; ld.param.u64 %d4, [o]; ld.param.u32 %r0, [n];\n"
	"\tmov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; "
	"mad.lo.u32 %r4, %r1, %r2, %r3;\n"
	"\tsetp.ge.u32 %q, %r4, %r0;\n"
	"\t@%q bra done;\n"
	"\tmul.wide.u32 %d1, %r4, 4; add.u64 %d2, %d0, %d1; add.u64 %d3, %d4, %d1;\n"
	"\tld.global.u32 %r5, [%d2]; ld.global.u32 %r6, [%d3]; mad.lo.u32 %r5, %r6, 3, %r5; "
	"st.global.u32 [%d2], %r5;\n"
	"done:\n"
	"\tret;\n"
	"}\n"
	".visible .entry stray(.param .u64 p, .param .u32 times)\n"
	"{\n"
	"\t.reg .pred %q; .reg .b32 %r<2>; .reg .b64 %d<2>;\n"
	"\tld.param.u64 %d0, [p]; ld.param.u32 %r0, [times];\n"
	"again:\n"
	"\tsub.u32 %r0, %r0, 1; setp.ne.u32 %q, %r0, 0;\n"
	"\t@%q bra again;\n"
	"\tst.global.u32 [%d0+1073741824], %r0;\n"
	"\tret;\n"
	"}\n";

extern struct rig {
	CUcontext context;
	CUmodule module;
	CUfunction affine, mix, stray;
	CUstream clock; /* non-blocking: where `zero` was recorded */
	CUevent zero;
} rig;

static inline void rig_load(struct rig *r)
{
	OK(cuModuleLoadData(&r->module, rig_ptx));
	OK(cuModuleGetFunction(&r->affine, r->module, "affine"));
	OK(cuModuleGetFunction(&r->mix, r->module, "mix"));
	OK(cuModuleGetFunction(&r->stray, r->module, "stray"));
	OK(cuStreamCreate(&r->clock, CU_STREAM_NON_BLOCKING));
	OK(cuEventCreate(&r->zero, CU_EVENT_DEFAULT));
	OK(cuEventRecord(r->zero, r->clock));
}

/* affine on n numbers at p. */
static inline CUresult rig_affine(const struct rig *r, CUstream stream, CUdeviceptr p, uint32_t n, uint32_t m,
	uint32_t a, uint32_t times)
{
	void *params[] = { &p, &n, &m, &a, &times };

	return cuLaunchKernel(
		r->affine, (n + 127) / 128, 1, 1, n < 128 ? n : 128, 1, 1, 0, stream, params, NULL);
}

static inline CUdeviceptr rig_memory(size_t bytes)
{
	CUdeviceptr p = 0;

	OK(cuMemAlloc(&p, bytes));
	OK(cuMemsetD8(p, 0, bytes));
	return p;
}

static inline CUstream rig_stream(unsigned flags)
{
	CUstream stream = NULL;

	OK(cuStreamCreate(&stream, flags));
	return stream;
}

/* Events before and behind something in a stream. */
struct span {
	CUevent before, behind;
	CUstream stream;
	double start, end; /* microseconds since zero, after span_read */
};

static inline void span_begin(struct span *s, CUstream stream)
{
	s->stream = stream;
	OK(cuEventCreate(&s->before, CU_EVENT_DEFAULT));
	OK(cuEventCreate(&s->behind, CU_EVENT_DEFAULT));
	OK(cuEventRecord(s->before, stream));
}

static inline void span_end(struct span *s)
{
	OK(cuEventRecord(s->behind, s->stream));
}

static inline double rig_time(const struct rig *r, CUevent event)
{
	float ms = -1;

	OK(cuEventElapsedTime(&ms, r->zero, event));
	return 1000 * (double)ms;
}

static inline void span_read(const struct rig *r, struct span *s)
{
	s->start = rig_time(r, s->before);
	s->end = rig_time(r, s->behind);
	OK(cuEventDestroy(s->before));
	OK(cuEventDestroy(s->behind));
}

/* One kernel of a warp that takes a while, with its span. */
static inline void span_kernel(
	const struct rig *r, struct span *s, CUstream stream, CUdeviceptr p, uint32_t times)
{
	span_begin(s, stream);
	OK(rig_affine(r, stream, p, 32, 3, 1, times));
	span_end(s);
}

static inline double span_length(const struct span *s)
{
	return s->end - s->start;
}

static inline double span_union(const struct span *a, const struct span *b)
{
	return (a->end > b->end ? a->end : b->end) - (a->start < b->start ? a->start : b->start);
}

static inline uint32_t rig_word(CUdeviceptr p)
{
	uint32_t value = 0;

	OK(cuMemcpyDtoH(&value, p, sizeof value));
	return value;
}

/* What affine makes of value. */
static inline uint32_t rig_affine_of(uint32_t value, uint32_t m, uint32_t a, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++)
		value = value * m + a;
	return value;
}

/* streams_copies.c, streams_calls.c, streams_random.c */
void copies(void);
void calls(void);
void faults(void); /* the last: nothing runs after a fault */
void random_operations(uint32_t seed);

#endif
