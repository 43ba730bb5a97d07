/* host/driver/driver_function.c -- what is known of a kernel. */
#include "host/driver/driver.h"
#include "core/kernel/resource_request.h"

/* Bytes of shared memory that a CTA has unless the program asks for more (cuFuncSetAttribute). */
uint32_t function_shared_without_asking(void)
{
	uint32_t shared = gpu_properties(driver.gpu)->shared_per_cta;

	return shared < 48 << 10 ? shared : 48 << 10;
}

/* The largest CTA that the kernel's own directives, its registers and the chip allow. */
int function_max_threads(const struct CUfunc_st *f)
{
	const struct ptx_kernel *k = f->kernel;
	const uint32_t *directive = k->reqntid[0] ? k->reqntid : k->maxntid;
	uint32_t threads = gpu_properties(driver.gpu)->max_threads_per_cta;

	if (directive[0]) {
		uint64_t product = (uint64_t)directive[0] * (directive[1] ? directive[1] : 1) *
			(directive[2] ? directive[2] : 1);
		threads = product < threads ? (uint32_t)product : threads;
	}
	struct cta_resource_request demand = cta_resource_request_of(gpu_limits(driver.gpu), k, threads, 0);
	for (; threads > 32; threads -= 32) {
		demand.threads = threads;
		if (occupancy_of(gpu_limits(driver.gpu), &demand).ctas)
			break;
	}
	return (int)threads;
}

/* Of the program's constants in the module, whichever the kernel reads. */
static uint64_t constant_bytes(const struct ptx_image *image)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < image->symbol_count; i++)
		if (image->symbols[i].space == PTX_CONST)
			bytes += image->symbols[i].size;
	return bytes;
}

static uint32_t required_cluster(const struct CUfunc_st *f, unsigned dimension)
{
	const uint32_t *own = f->kernel->reqnctapercluster;

	return own[0] ? (own[dimension] ? own[dimension] : 1) : f->cluster[dimension];
}

/* Of clusters. A shape that the code gives cannot be changed (CUDA driver API, CUfunction_attribute). */
static CUresult set_cluster_attribute(CUfunction f, CUfunction_attribute which, int value)
{
	switch (which) {
	case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
		f->is_non_portable = value != 0;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		if (value < 0 || value > 2)
			return CUDA_ERROR_INVALID_VALUE;
		f->cluster_policy = value;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
		if (f->kernel->reqnctapercluster[0])
			return CUDA_ERROR_NOT_PERMITTED;
		if (value < 0)
			return CUDA_ERROR_INVALID_VALUE;
		f->cluster[which - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = (uint32_t)value;
		return CUDA_SUCCESS;
	default:
		return CUDA_ERROR_INVALID_VALUE;
	}
}

CUresult function_attribute_of(const struct CUfunc_st *f, CUfunction_attribute attribute, int *value)
{
	const struct gpu_properties *p = gpu_properties(driver.gpu);

	switch (attribute) {
	case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
		*value = function_max_threads(f);
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
		*value = (int)f->kernel->shared_bytes;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
		*value = (int)constant_bytes(f->module->image);
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
		*value = (int)f->kernel->local_bytes;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_NUM_REGS:
		*value = (int)registers_of(gpu_limits(driver.gpu), f->kernel).count;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PTX_VERSION: /* of the code, from which libraries infer what was compiled in */
		*value = (int)f->module->image->module->sm;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
		*value = (int)(p->compute_major * 10 + p->compute_minor);
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
		*value = (int)f->max_dynamic_shared;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		*value = f->carve_out;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
		*value = f->kernel->is_explicit_cluster && !f->kernel->reqnctapercluster[0];
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
	case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
		*value = (int)required_cluster(f, attribute - CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH);
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
		*value = f->is_non_portable;
		return CUDA_SUCCESS;
	case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
		*value = f->cluster_policy;
		return CUDA_SUCCESS;
	default:
		if ((unsigned)attribute >= CU_FUNC_ATTRIBUTE_MAX)
			return CUDA_ERROR_INVALID_VALUE;
		*value = 0;
		return CUDA_SUCCESS;
	}
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!value)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	return function_attribute_of(function, which, value);
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (which == CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT) {
		if (value < CU_SHAREDMEM_CARVEOUT_DEFAULT || value > CU_SHAREDMEM_CARVEOUT_MAX_SHARED)
			return CUDA_ERROR_INVALID_VALUE;
		function->carve_out = value;
		return CUDA_SUCCESS;
	}
	if (which >= CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH)
		return set_cluster_attribute(function, which, value);
	uint32_t room = gpu_properties(driver.gpu)->shared_per_cta;
	if (which != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES || value < 0 ||
		(uint64_t)value + function->kernel->shared_bytes > room)
		return CUDA_ERROR_INVALID_VALUE;
	function->max_dynamic_shared = (uint32_t)value;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if ((unsigned)config > CU_FUNC_CACHE_PREFER_EQUAL)
		return CUDA_ERROR_INVALID_VALUE;
	function->cache_config = config;
	return CUDA_SUCCESS;
}

CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	return (unsigned)config <= CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE ? CUDA_SUCCESS
									     : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuFuncGetModule(CUmodule *module, CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!module || !function)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	*module = function->module;
	return CUDA_SUCCESS;
}

CUresult cuFuncGetName(const char **name, CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!name)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	*name = function->kernel->name;
	return CUDA_SUCCESS;
}

CUresult cuKernelGetName(const char **name, CUkernel kernel)
{
	return cuFuncGetName(name, (CUfunction)kernel);
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!offset)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (index >= function->kernel->param_count)
		return CUDA_ERROR_INVALID_VALUE;
	*offset = function->kernel->params[index].offset;
	if (size)
		*size = function->kernel->params[index].size;
	return CUDA_SUCCESS;
}

CUresult cuFuncIsLoaded(CUfunctionLoadingState *state, CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!state)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	*state = CU_FUNCTION_LOADING_STATE_LOADED;
	return CUDA_SUCCESS;
}

CUresult cuFuncLoad(CUfunction function)
{
	DRIVER_CALL(NEED_CONTEXT);
	return handle_find(HANDLE_FUNCTION, function) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE;
}
