/* host/driver/stream/driver_launch.c -- kernel launches. What is wrong with the launch itself is said at
 * once; what the kernel does wrong, when it runs. */
#include "host/driver/driver.h"
#include "core/gpu/clusters.h"

/* Tells a shape that no kernel could have, or that the kernel's directives exclude, from one for which the
 * chip has too little. */
static bool shape_is_valid(const struct launch *l)
{
	const struct gpu_properties *p = gpu_properties(driver.gpu);
	const uint32_t *grid = l->grid, *block = l->block;

	if (l->kernel->reqntid[0] || l->kernel->maxntid[0])
		return false;
	return grid[0] && grid[1] && grid[2] && block[0] && block[1] && block[2] &&
		grid[0] <= p->max_grid_x && grid[1] <= 65535 && grid[2] <= 65535 && block[2] <= 64 &&
		(uint64_t)block[0] * block[1] * block[2] <= p->max_threads_per_cta;
}

static CUresult launch_refused(const struct launch *l, CUresult error, const char *why)
{
	driver_say("kernel %s <<<(%u,%u,%u),(%u,%u,%u)>>> cannot be launched: %s", l->kernel->name,
		l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], why);
	return error;
}

/* All CTAs of a cooperative launch must be resident at once. */
static CUresult cooperative_check(const struct CUfunc_st *f, const struct launch *l)
{
	uint64_t ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
	uint64_t fit = l->is_cooperative ? function_resident_ctas(f, l) : 0;
	char message[128];

	if (!l->is_cooperative || ctas <= fit)
		return CUDA_SUCCESS;
	snprintf(message, sizeof message,
		"it is cooperative, so all %llu CTAs must run at once, and %llu fit",
		(unsigned long long)ctas, (unsigned long long)fit);
	return launch_refused(l, CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE, message);
}

#define PORTABLE_CLUSTER 8 /* CTAs; more only where the function allows it (CUDA C guide) */

/* The shape that the kernel or the program requires of all launches of the function; false: none. */
static bool required_cluster(const struct CUfunc_st *f, uint32_t shape[3])
{
	const uint32_t *from = f->kernel->reqnctapercluster[0] ? f->kernel->reqnctapercluster : f->cluster;

	for (int i = 0; i < 3; i++)
		shape[i] = from[i] ? from[i] : 1;
	return from[0];
}

CUresult launch_take_cluster(const struct CUfunc_st *f, struct launch *l)
{
	bool is_given = l->cluster[0] || l->cluster[1] || l->cluster[2];
	uint32_t shape[3];

	if (is_given && (!l->cluster[0] || !l->cluster[1] || !l->cluster[2]))
		return launch_refused(l, CUDA_ERROR_INVALID_CLUSTER_SIZE, "a cluster dimension is 0");
	if (!required_cluster(f, shape))
		return CUDA_SUCCESS;
	if (is_given && memcmp(shape, l->cluster, sizeof(shape)))
		return launch_refused(
			l, CUDA_ERROR_INVALID_CLUSTER_SIZE, "the kernel requires another shape of clusters");
	memcpy(l->cluster, shape, sizeof(shape));
	for (int i = 0; i < 3 && f->kernel->blocks_are_clusters; i++)
		l->grid[i] *= shape[i];
	return CUDA_SUCCESS;
}

static CUresult cluster_check(const struct CUfunc_st *f, const struct launch *l)
{
	uint32_t most = f->is_non_portable ? CLUSTER_CTAS_MOST : PORTABLE_CLUSTER;
	const uint32_t *shape = l->cluster;
	char message[256];
	const char *why = gpu_check_clusters(driver.gpu, l, most, message, sizeof message);
	bool divides = true;

	for (int i = 0; i < 3 && shape[0]; i++)
		divides = divides && l->grid[i] % shape[i] == 0;
	if (!why)
		return CUDA_SUCCESS;
	if (gpu_properties(driver.gpu)->compute_major < 9)
		return launch_refused(l, CUDA_ERROR_NOT_SUPPORTED, why);
	return launch_refused(l, divides ? CUDA_ERROR_INVALID_CLUSTER_SIZE : CUDA_ERROR_INVALID_VALUE, why);
}

CUresult launch_check(const struct CUfunc_st *f, const struct launch *l)
{
	char message[512];

	if (l->dynamic_shared > f->max_dynamic_shared) {
		snprintf(message, sizeof message, "%u bytes of dynamic shared memory, at most %u are left",
			l->dynamic_shared, f->max_dynamic_shared);
		return launch_refused(l, CUDA_ERROR_INVALID_VALUE, message);
	}
	CUresult clusters = l->kernel->refusal ? CUDA_SUCCESS : cluster_check(f, l);
	if (clusters != CUDA_SUCCESS)
		return clusters;
	const char *why = gpu_check_launch(driver.gpu, l, message, sizeof message);
	if (!why)
		return cooperative_check(f, l);
	if (l->kernel->refusal)
		return launch_refused(l, CUDA_ERROR_NOT_SUPPORTED, why);
	return launch_refused(
		l, shape_is_valid(l) ? CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES : CUDA_ERROR_INVALID_VALUE, why);
}

/* The array form: a pointer to each parameter's value. */
static CUresult params_from_array(const struct ptx_kernel *k, void **params, uint8_t *block)
{
	for (uint32_t i = 0; i < k->param_count; i++) {
		if (!params[i]) {
			driver_say("kernel %s: the pointer to parameter %u of %u (%s) is NULL", k->name,
				i + 1, k->param_count, k->params[i].name);
			return CUDA_ERROR_INVALID_VALUE;
		}
		memcpy(block + k->params[i].offset, params[i], k->params[i].size);
	}
	return CUDA_SUCCESS;
}

#define LARGEST_PARAMETERS 32764 /* bytes, from sm_70 and PTX 8.1 on */

/* The packed form: the parameter block as the kernel sees it. */
static CUresult params_from_buffer(const struct ptx_kernel *k, void **extra, uint8_t *block)
{
	const void *buffer = NULL;
	size_t size = 0;

	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
			buffer = extra[1];
		else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
			size = extra[1] ? *(size_t *)extra[1] : 0;
		else
			return CUDA_ERROR_INVALID_VALUE;
	}
	if (size < k->param_bytes || size > LARGEST_PARAMETERS || (!buffer && size)) {
		driver_say("kernel %s: %u parameters take %u bytes, the buffer has %zu", k->name,
			k->param_count, k->param_bytes, size);
		return CUDA_ERROR_INVALID_VALUE;
	}
	if (k->param_bytes)
		memcpy(block, buffer, k->param_bytes);
	return CUDA_SUCCESS;
}

static CUresult params_take(const struct ptx_kernel *k, void **params, void **extra, uint8_t *block)
{
	if (params && extra)
		return CUDA_ERROR_INVALID_VALUE;
	if (extra)
		return params_from_buffer(k, extra, block);
	if (params || !k->param_count)
		return params_from_array(k, params, block);
	driver_say("kernel %s: %u parameters were expected, none were given", k->name, k->param_count);
	return CUDA_ERROR_INVALID_VALUE;
}

/* As cuCtxSetLimit left it. */
static uint32_t stack_limit(void)
{
	size_t limit = context_current()->limits[CU_LIMIT_STACK_SIZE];

	return limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

/* What the function prefers, by its carve-out or else as it or its context prefers a cache. */
uint32_t function_shared_percent(const struct CUfunc_st *f, CUcontext context)
{
	CUfunc_cache cache = f->cache_config ? f->cache_config : context->cache_config;

	if (f->carve_out != CU_SHAREDMEM_CARVEOUT_DEFAULT)
		return (uint32_t)f->carve_out;
	return cache == CU_FUNC_CACHE_PREFER_SHARED ? 100 : cache == CU_FUNC_CACHE_PREFER_EQUAL ? 50 : 0;
}

CUresult launch_prepare(CUfunction function, struct launch *l, void **params, void **extra, uint8_t **block)
{
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	l->kernel = function->kernel;
	l->stack_limit = stack_limit();
	l->shared_percent = function_shared_percent(function, context_current());
	CUresult result = launch_take_cluster(function, l);
	if (result == CUDA_SUCCESS)
		result = launch_check(function, l);
	if (result != CUDA_SUCCESS)
		return result;
	*block = xcalloc(1, l->kernel->param_bytes);
	result = params_take(l->kernel, params, extra, *block);
	if (result != CUDA_SUCCESS)
		free(*block);
	return result;
}

/* Whether a launch was refused for what the chip or Lockstep lacks; otherwise the program is wrong. */
static bool is_lacking(CUresult result, CUfunction function, const struct launch *l)
{
	switch (result) {
	case CUDA_SUCCESS:
		return false;
	case CUDA_ERROR_INVALID_HANDLE: /* of a module that was refused before? */
		return driver.has_refused_module;
	case CUDA_ERROR_INVALID_VALUE:
		return l->dynamic_shared > function->max_dynamic_shared;
	default:
		return true;
	}
}

CUresult launch_kernel(CUfunction function, struct launch *l, CUstream stream, void **params, void **extra)
{
	uint8_t *block;

	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!l->has_own_window)
		window_take(&stream->attributes[CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW].accessPolicyWindow,
			&l->window);
	CUresult result = launch_prepare(function, l, params, extra, &block);
	driver.launches_refused += is_lacking(result, function, l);
	if (result != CUDA_SUCCESS)
		return result;
	l->params = block;
	l->stream = stream->id;
	struct operation o = {
		.kind = OPERATION_LAUNCH, .owned = block, .function = function, .as.launch = *l
	};
	return stream_add(&o, stream);
}

void launch_copy_params(struct operation *o)
{
	uint32_t bytes = o->as.launch.kernel->param_bytes;
	uint8_t *block = xcalloc(1, bytes);

	if (bytes)
		memcpy(block, o->as.launch.params, bytes);
	o->owned = block;
	o->as.launch.params = block;
}

CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
	unsigned int block_x, unsigned int block_y, unsigned int block_z, unsigned int dynamic_shared,
	CUstream stream, void **params, void **extra)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct launch l = { .grid = { grid_x, grid_y, grid_z },
		.block = { block_x, block_y, block_z },
		.dynamic_shared = dynamic_shared };
	return launch_kernel(function, &l, stream, params, extra);
}
EXPORT_PTSZ(cuLaunchKernel,
	(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
		unsigned int bz, unsigned int shared, CUstream s, void **params, void **extra),
	cuLaunchKernel(f, gx, gy, gz, bx, by, bz, shared, of_thread(s), params, extra));

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
	unsigned int grid_z, unsigned int block_x, unsigned int block_y, unsigned int block_z,
	unsigned int dynamic_shared, CUstream stream, void **params)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct launch l = { .grid = { grid_x, grid_y, grid_z },
		.block = { block_x, block_y, block_z },
		.dynamic_shared = dynamic_shared,
		.is_cooperative = true };
	return launch_kernel(function, &l, stream, params, NULL);
}
EXPORT_PTSZ(cuLaunchCooperativeKernel,
	(CUfunction f, unsigned int gx, unsigned int gy, unsigned int gz, unsigned int bx, unsigned int by,
		unsigned int bz, unsigned int shared, CUstream s, void **params),
	cuLaunchCooperativeKernel(f, gx, gy, gz, bx, by, bz, shared, of_thread(s), params));

static bool attribute_is_known(const CUlaunchAttribute *a)
{
	switch ((int)a->id) {
	case CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION:
	case CU_LAUNCH_ATTRIBUTE_IGNORE:
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN_MAP:
	case CU_LAUNCH_ATTRIBUTE_MEM_SYNC_DOMAIN:
	case CU_LAUNCH_ATTRIBUTE_PRIORITY:
	case CU_LAUNCH_ATTRIBUTE_SYNCHRONIZATION_POLICY:
	case CU_LAUNCH_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
		return true;
	case CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW:
	case CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE:
	case CU_LAUNCH_ATTRIBUTE_COOPERATIVE:
	case CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION:
		return true;
	}
	return false;
}

/* The launch takes the attribute's value, if it is one that has an effect. */
static CUresult take_attribute(struct launch *l, const CUlaunchAttribute *a)
{
	if (a->id == CU_LAUNCH_ATTRIBUTE_ACCESS_POLICY_WINDOW) {
		l->has_own_window = true;
		return window_take(&a->value.accessPolicyWindow, &l->window);
	}
	if (a->id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
		l->is_cooperative = a->value.cooperative;
	if (a->id == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION)
		l->starts_early = a->value.programmaticStreamSerializationAllowed;
	if (a->id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION)
		return CUDA_SUCCESS;
	l->cluster[0] = a->value.clusterDim.x;
	l->cluster[1] = a->value.clusterDim.y;
	l->cluster[2] = a->value.clusterDim.z;
	return CUDA_SUCCESS;
}

CUresult launch_of_config(const CUlaunchConfig *config, struct launch *l)
{
	if (!config || (config->numAttrs && !config->attrs))
		return CUDA_ERROR_INVALID_VALUE;
	*l = (struct launch){ .grid = { config->gridDimX, config->gridDimY, config->gridDimZ },
		.block = { config->blockDimX, config->blockDimY, config->blockDimZ },
		.dynamic_shared = config->sharedMemBytes };
	for (unsigned i = 0; i < config->numAttrs; i++) {
		const CUlaunchAttribute *a = &config->attrs[i];
		bool is_none = a->id > CU_LAUNCH_ATTRIBUTE_NVLINK_UTIL_CENTRIC_SCHEDULING;

		if (!attribute_is_known(a)) {
			driver_say("cuLaunchKernelEx: launch attribute %d is not supported", (int)a->id);
			return is_none ? CUDA_ERROR_INVALID_VALUE : CUDA_ERROR_NOT_SUPPORTED;
		}
		CUresult result = take_attribute(l, a);
		if (result != CUDA_SUCCESS)
			return result;
	}
	return CUDA_SUCCESS;
}

/* The attribute that makes a captured launch a node that kernels change; NULL: there is none. */
static CUlaunchAttribute *updatable_of(const CUlaunchConfig *config)
{
	for (unsigned i = 0; i < config->numAttrs; i++)
		if (config->attrs[i].id == CU_LAUNCH_ATTRIBUTE_DEVICE_UPDATABLE_KERNEL_NODE)
			return &config->attrs[i];
	return NULL;
}

static CUresult launch_updatable(CUfunction function, struct launch *l, CUstream stream, void **params,
	void **extra, CUlaunchAttributeValue *value)
{
	CUresult result;

	if (!stream_resolve(&stream))
		return CUDA_ERROR_INVALID_HANDLE;
	if (!stream->capture)
		return CUDA_ERROR_INVALID_VALUE;
	result = launch_kernel(function, l, stream, params, extra);
	return result == CUDA_SUCCESS ? node_make_updatable(capture_last(stream), value) : result;
}

static CUresult launch_ex(
	const CUlaunchConfig *config, CUfunction function, void **params, void **extra, bool is_per_thread)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct launch l;
	CUresult result = launch_of_config(config, &l);
	driver.launches_refused += config && result != CUDA_SUCCESS;
	if (result != CUDA_SUCCESS)
		return result;
	CUstream stream = is_per_thread ? of_thread(config->hStream) : config->hStream;
	CUlaunchAttribute *updatable = updatable_of(config);
	return updatable ? launch_updatable(function, &l, stream, params, extra, &updatable->value)
			 : launch_kernel(function, &l, stream, params, extra);
}

CUresult cuLaunchKernelEx(const CUlaunchConfig *config, CUfunction function, void **params, void **extra)
{
	return launch_ex(config, function, params, extra, false);
}
EXPORT_PTSZ(cuLaunchKernelEx, (const CUlaunchConfig *config, CUfunction f, void **params, void **extra),
	launch_ex(config, f, params, extra, true));
