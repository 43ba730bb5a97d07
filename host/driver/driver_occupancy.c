/* host/driver/driver_occupancy.c -- the occupancy calculator of the API, on core/occupancy. */
#include "host/driver/driver.h"
#include "core/gpu/clusters.h"
#include "core/kernel/cluster.h"
#include "core/kernel/resource_request.h"

static struct occupancy occupancy_of_function(
	const struct CUfunc_st *f, uint32_t threads, size_t dynamic_shared)
{
	struct cta_resource_request demand =
		cta_resource_request_of(gpu_limits(driver.gpu), f->kernel, threads, dynamic_shared);

	return occupancy_of(gpu_limits(driver.gpu), &demand);
}

uint64_t function_resident_ctas(const struct CUfunc_st *f, const struct launch *l)
{
	uint32_t threads = l->block[0] * l->block[1] * l->block[2], shape[3];
	uint32_t cluster = launch_cluster(l, shape);

	if (cluster > 1)
		return (uint64_t)gpu_resident_clusters(driver.gpu, l) * cluster;
	return (uint64_t)occupancy_of_function(f, threads, l->dynamic_shared).ctas *
		gpu_properties(driver.gpu)->sm_count;
}

int function_active_ctas(const struct CUfunc_st *f, uint32_t threads, size_t dynamic_shared)
{
	return (int)occupancy_of_function(f, threads, dynamic_shared).ctas;
}

static CUresult active_ctas(int *ctas, CUfunction function, int block, size_t dynamic_shared)
{
	if (!ctas || block <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	*ctas = function_active_ctas(function, (uint32_t)block, dynamic_shared);
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
	int *ctas, CUfunction function, int block, size_t dynamic_shared)
{
	DRIVER_CALL(NEED_CONTEXT);
	return active_ctas(ctas, function, block, dynamic_shared);
}

CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
	int *ctas, CUfunction function, int block, size_t dynamic_shared, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return flags <= 1 ? active_ctas(ctas, function, block, dynamic_shared) : CUDA_ERROR_INVALID_VALUE;
}

/* The CTA size that keeps most threads on an SM; of equals the larger. Whole warps, but for the largest. */
static CUresult best_block(int *min_grid, int *block, CUfunction function, CUoccupancyB2DSize shared_of,
	size_t dynamic_shared, int limit)
{
	if (!min_grid || !block || limit < 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	int most = function_max_threads(function);
	uint32_t best = 0, ctas = 0;
	if (limit && limit < most)
		most = limit;
	*block = 0;
	for (int threads = (most + 31) & ~31; threads > 0; threads -= 32) {
		int size = threads < most ? threads : most;
		size_t shared = shared_of ? shared_of(size) : dynamic_shared;
		struct occupancy o = occupancy_of_function(function, (uint32_t)size, shared);
		if (o.ctas * (uint32_t)size <= best)
			continue;
		best = o.ctas * (uint32_t)size;
		ctas = o.ctas;
		*block = size;
	}
	*min_grid = (int)(ctas * gpu_properties(driver.gpu)->sm_count);
	return CUDA_SUCCESS;
}

CUresult cuOccupancyMaxPotentialBlockSize(int *min_grid, int *block, CUfunction function,
	CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit)
{
	DRIVER_CALL(NEED_CONTEXT);
	return best_block(min_grid, block, function, shared_of, dynamic_shared, limit);
}

CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int *min_grid, int *block, CUfunction function,
	CUoccupancyB2DSize shared_of, size_t dynamic_shared, int limit, unsigned int flags)
{
	DRIVER_CALL(NEED_CONTEXT);
	return flags <= 1 ? best_block(min_grid, block, function, shared_of, dynamic_shared, limit)
			  : CUDA_ERROR_INVALID_VALUE;
}

/* The most dynamic shared memory with which ctas CTAs still fit. */
CUresult cuOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, CUfunction function, int ctas, int block)
{
	DRIVER_CALL(NEED_CONTEXT);
	if (!bytes || ctas <= 0 || block <= 0)
		return CUDA_ERROR_INVALID_VALUE;
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	if (occupancy_of_function(function, (uint32_t)block, 0).ctas < (uint32_t)ctas)
		return CUDA_ERROR_INVALID_VALUE;
	size_t fits = 0, step = (size_t)1 << 30;
	for (; step; step /= 2)
		if (occupancy_of_function(function, (uint32_t)block, fits + step).ctas >= (uint32_t)ctas)
			fits += step;
	*bytes = fits;
	return CUDA_SUCCESS;
}

/* A launch as it is to be asked about; its grid does not matter. */
static CUresult take_cluster_config(struct launch *l, CUfunction function, const CUlaunchConfig *config)
{
	if (!handle_find(HANDLE_FUNCTION, function))
		return CUDA_ERROR_INVALID_HANDLE;
	CUresult result = launch_of_config(config, l);
	l->kernel = function->kernel;
	return result == CUDA_SUCCESS ? launch_take_cluster(function, l) : result;
}

CUresult cuOccupancyMaxActiveClusters(int *clusters, CUfunction function, const CUlaunchConfig *config)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct launch l;
	if (!clusters)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = take_cluster_config(&l, function, config);
	if (result != CUDA_SUCCESS)
		return result;
	uint32_t shape[3], ctas = launch_cluster(&l, shape);
	if (!l.cluster[0] || ctas > CLUSTER_CTAS_MOST || (ctas > 8 && !function->is_non_portable))
		return CUDA_ERROR_INVALID_CLUSTER_SIZE;
	*clusters = (int)gpu_resident_clusters(driver.gpu, &l);
	return ctas > gpu_properties(driver.gpu)->cluster_ctas ? CUDA_ERROR_INVALID_CLUSTER_SIZE
							       : CUDA_SUCCESS;
}

/* The largest cluster of which one fits: of a line of CTAs, as large as the function allows. */
CUresult cuOccupancyMaxPotentialClusterSize(int *ctas, CUfunction function, const CUlaunchConfig *config)
{
	DRIVER_CALL(NEED_CONTEXT);
	struct launch l;
	if (!ctas)
		return CUDA_ERROR_INVALID_VALUE;
	CUresult result = take_cluster_config(&l, function, config);
	if (result != CUDA_SUCCESS)
		return result;
	uint32_t most = function->is_non_portable ? CLUSTER_CTAS_MOST : 8;
	for (*ctas = (int)most; *ctas > 1; *ctas /= 2) {
		l.cluster[0] = (uint32_t)*ctas;
		l.cluster[1] = l.cluster[2] = 1;
		if (gpu_resident_clusters(driver.gpu, &l))
			break;
	}
	return CUDA_SUCCESS;
}
