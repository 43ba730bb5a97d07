/* tests/host/memory/virtual_memory.c -- virtual memory management: addresses that are reserved, memory
 * without an address, and mappings. Arguments: nothing, or how a kernel is to end with a fault: unmapped,
 * closed, beyond. */
#include "cuda.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char ptx[] =
	".version 6.4\n.target sm_30\n.address_size 64\n"
	".visible .entry add(.param .u64 p, .param .u32 k) {\n"
	".reg .b32 %r<5>; .reg .b64 %a<3>;\n"
	"ld.param.u64 %a1, [p]; ld.param.u32 %r1, [k];\n"
	"mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;\n"
	"mad.lo.u32 %r4, %r2, %r3, %r4; mul.wide.u32 %a2, %r4, 4; add.u64 %a1, %a1, %a2;\n"
	"ld.global.u32 %r2, [%a1]; add.u32 %r2, %r2, %r1; st.global.u32 [%a1], %r2; ret; }\n";

static int failures;
static CUfunction add;
static size_t piece; /* bytes of one mapping */
static const CUmemAllocationProp properties = { .type = CU_MEM_ALLOCATION_TYPE_PINNED,
	.location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 } };
static const CUmemAccessDesc all = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READWRITE },
			     none = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_NONE },
			     reading = { { CU_MEM_LOCATION_TYPE_DEVICE, 0 }, CU_MEM_ACCESS_FLAGS_PROT_READ };

#define GIVES(code, call) gives((code), (call), #call, __LINE__)
static void gives(CUresult expected, CUresult result, const char *call, int line)
{
	if (expected == result)
		return;
	printf("line %d: %s returns %d, not %d\n", line, call, result, expected);
	failures++;
}
#define OK(call) GIVES(CUDA_SUCCESS, call)
#define INVALID  CUDA_ERROR_INVALID_VALUE
#define CHECK(condition) \
	((condition) ? (void)0 : (void)(printf("line %d: not so: %s\n", __LINE__, #condition), failures++))

static CUresult run(CUdeviceptr at, size_t count, unsigned value)
{
	void *params[] = { &at, &value };
	CUresult result = cuLaunchKernel(add, (unsigned)(count / 64), 1, 1, 64, 1, 1, 0, NULL, params, NULL);

	return result ? result : cuCtxSynchronize();
}

static unsigned word(CUdeviceptr at)
{
	unsigned value = 0xdead;

	OK(cuMemcpyDtoH(&value, at, 4));
	return value;
}

static CUdeviceptr reserve(size_t bytes)
{
	CUdeviceptr at = 0;

	OK(cuMemAddressReserve(&at, bytes, 0, 0, 0));
	return at;
}

static CUmemGenericAllocationHandle create(size_t bytes)
{
	CUmemGenericAllocationHandle h = 0;

	OK(cuMemCreate(&h, bytes, &properties, 0));
	return h;
}

/* As an allocator that grows: one reservation larger than the memory, mapped piece by piece. */
static void growing(void)
{
	size_t total, before, after;
	unsigned long long flags = 9;
	CUdeviceptr at;

	OK(cuMemGetInfo(&before, &total));
	at = reserve((total / piece + 8) * piece);
	CUmemGenericAllocationHandle first = create(piece), second = create(piece);
	OK(cuMemGetInfo(&after, &total));
	CHECK(before - after == 2 * piece);
	OK(cuMemMap(at, piece, 0, first, 0));
	GIVES(INVALID, cuMemcpyHtoD(at, "0123", 4));
	OK(cuMemGetAccess(&flags, &all.location, at));
	CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_NONE);
	OK(cuMemSetAccess(at, piece, &all, 1));
	OK(cuMemGetAccess(&flags, &all.location, at + 5));
	CHECK(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	GIVES(INVALID, cuMemsetD32(at + piece - 64, 1, 32));
	OK(cuMemMap(at + piece, piece, 0, second, 0));
	OK(cuMemSetAccess(at + piece, piece, &all, 1));
	OK(cuMemRelease(second)); /* the mapping keeps it */
	OK(cuMemsetD32(at + piece - 4096, 7, 2048));
	OK(run(at + piece - 4096, 2048, 3)); /* over the border */
	CHECK(word(at + piece - 4096) == 10 && word(at + piece - 4) == 10 && word(at + piece + 4092) == 10);
	CHECK(word(at + piece + 4096) == 0);
	OK(cuMemUnmap(at, 2 * piece));
	GIVES(INVALID, cuMemcpyHtoD(at, "0123", 4));
	OK(cuMemMap(at + 3 * piece, piece, 0, first, 0)); /* the data stay with the memory */
	OK(cuMemSetAccess(at + 3 * piece, piece, &all, 1));
	CHECK(word(at + 4 * piece - 4) == 10);
	GIVES(INVALID, cuMemAddressFree(at, (total / piece + 8) * piece));
	OK(cuMemUnmap(at + 3 * piece, piece));
	OK(cuMemRelease(first));
	OK(cuMemAddressFree(at, (total / piece + 8) * piece));
	OK(cuMemGetInfo(&after, &total));
	CHECK(before == after);
}

static void at_two_addresses(void)
{
	CUdeviceptr at = reserve(4 * piece);
	CUmemGenericAllocationHandle h = create(piece), again = 0;
	CUmemAllocationProp p;

	OK(cuMemMap(at, piece, 0, h, 0));
	OK(cuMemMap(at + 2 * piece, piece, 0, h, 0));
	OK(cuMemSetAccess(at, piece, &all, 1));
	OK(cuMemSetAccess(at + 2 * piece, piece, &all, 1));
	OK(cuMemsetD32(at, 5, 64));
	OK(run(at + 2 * piece, 64, 6));
	CHECK(word(at) == 11);
	OK(cuMemRetainAllocationHandle(&again, (void *)(uintptr_t)(at + 2 * piece + 100)));
	CHECK(again == h);
	OK(cuMemRelease(h));
	OK(cuMemGetAllocationPropertiesFromHandle(&p, again));
	CHECK(p.type == CU_MEM_ALLOCATION_TYPE_PINNED && p.location.id == 0);
	OK(cuMemRelease(again));
	GIVES(INVALID, cuMemRelease(again));
	OK(cuMemUnmap(at, piece));
	OK(cuMemUnmap(at + 2 * piece, piece));
	OK(cuMemAddressFree(at, 4 * piece));
}

static void mistakes(void)
{
	CUdeviceptr at = reserve(4 * piece), other = 0;
	CUmemGenericAllocationHandle h = create(2 * piece), huge;
	CUmemAllocationProp p = properties;
	size_t available, total, bytes;

	OK(cuMemGetInfo(&available, &total));
	GIVES(INVALID, cuMemCreate(&huge, piece + 1, &properties, 0));
	GIVES(INVALID, cuMemCreate(&huge, 0, &properties, 0));
	GIVES(INVALID, cuMemCreate(&huge, piece, NULL, 0));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&huge, (available / piece + 1) * piece, &properties, 0));
	p.location.id = 7;
	GIVES(CUDA_ERROR_INVALID_DEVICE, cuMemCreate(&huge, piece, &p, 0));
	OK(cuMemGetAllocationGranularity(&bytes, &p, 0)); /* whichever the device */
	p = properties;
	p.type = CU_MEM_ALLOCATION_TYPE_INVALID;
	GIVES(INVALID, cuMemCreate(&huge, piece, &p, 0));
	GIVES(INVALID, cuMemAddressReserve(&other, 0, 0, 0, 0));
	GIVES(INVALID, cuMemAddressReserve(&other, piece, 3, 0, 0));
	GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemAddressReserve(&other, (size_t)1 << 62, 0, 0, 0));
	OK(cuMemAddressReserve(&other, piece, 16 * piece, 0, 0));
	CHECK(other % (16 * piece) == 0 && (other < at || other >= at + 4 * piece));
	OK(cuMemAddressFree(other, piece));
	GIVES(INVALID, cuMemAddressFree(at, piece));
	GIVES(INVALID, cuMemAddressFree(at + piece, 3 * piece));
	GIVES(INVALID, cuMemMap(at + 3 * piece, 2 * piece, 0, h, 0));      /* beyond the reservation */
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(at, 3 * piece, 0, h, 0)); /* more than there is */
	GIVES(INVALID, cuMemMap(at + 4096, 2 * piece, 0, h, 0));
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemMap(at, piece, piece, h, 0)); /* a part of the memory */
	GIVES(INVALID, cuMemMap(at, piece, 0, h + 64, 0));
	OK(cuMemMap(at, 2 * piece, 0, h, 0));
	GIVES(INVALID, cuMemMap(at + piece, 2 * piece, 0, h, 0));
	GIVES(INVALID, cuMemSetAccess(at, 4 * piece, &all, 1)); /* not all is mapped */
	GIVES(CUDA_ERROR_NOT_SUPPORTED, cuMemSetAccess(at, 2 * piece, &reading, 1));
	GIVES(INVALID, cuMemUnmap(at, piece)); /* a part of a mapping */
	OK(cuMemUnmap(at + 2 * piece, piece)); /* where nothing is */
	GIVES(INVALID, cuMemFree(at));
	OK(cuMemUnmap(at, 2 * piece));
	OK(cuMemRelease(h));
	OK(cuMemAddressFree(at, 4 * piece));
	GIVES(INVALID, cuMemMap(at, piece, 0, h, 0));
}

/* A kernel that reaches over what it may. */
static void faults(const char *how)
{
	CUdeviceptr at = reserve(2 * piece), where = at;
	CUmemGenericAllocationHandle h = create(piece);

	OK(cuMemMap(at, piece, 0, h, 0));
	OK(cuMemSetAccess(at, piece, &all, 1));
	OK(run(at, 64, 1));
	if (!strcmp(how, "unmapped"))
		OK(cuMemUnmap(at, piece));
	if (!strcmp(how, "closed"))
		OK(cuMemSetAccess(at, piece, &none, 1));
	if (!strcmp(how, "beyond"))
		where = at + piece - 128;
	GIVES(CUDA_ERROR_ILLEGAL_ADDRESS, run(where, 64, 1));
}

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;
	int is_there = 0;

	OK(cuInit(0));
	OK(cuDeviceGetAttribute(&is_there, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED, 0));
	CHECK(is_there);
	OK(cuMemGetAllocationGranularity(&piece, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CHECK(piece && piece % 4096 == 0);
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuModuleLoadData(&module, ptx));
	OK(cuModuleGetFunction(&add, module, "add"));
	if (argc > 1) {
		faults(argv[1]);
	} else {
		growing();
		at_two_addresses();
		mistakes();
	}
	puts(failures ? "FAIL" : "PASS");
	return failures != 0;
}
