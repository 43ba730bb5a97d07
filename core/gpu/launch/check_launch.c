/* core/gpu/launch/check_launch.c -- whether a launch can run on the chip: its grid, block and resources. */
#include "core/gpu/clusters.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/kernel/resource_request.h"

struct cta_resource_request launch_resource_request(const struct gpu *gpu, const struct launch *l)
{
	return cta_resource_request_of(&gpu->limits, l->kernel,
		(uint64_t)l->block[0] * l->block[1] * l->block[2], l->dynamic_shared);
}

static const char *check_block(const struct gpu *gpu, const struct launch *l, char *message, size_t size)
{
	const struct ptx_kernel *k = l->kernel;
	uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
	uint64_t limit = (uint64_t)k->maxntid[0] * (k->maxntid[1] ? k->maxntid[1] : 1) *
		(k->maxntid[2] ? k->maxntid[2] : 1);

	if (threads > gpu->limits.max_threads_per_cta) {
		snprintf(message, size, "a CTA of %llu threads: the chip allows %u",
			(unsigned long long)threads, gpu->limits.max_threads_per_cta);
		return message;
	}
	if (limit && threads > limit) {
		snprintf(message, size, "a CTA of %llu threads: the kernel allows %llu (.maxntid)",
			(unsigned long long)threads, (unsigned long long)limit);
		return message;
	}
	for (int i = 0; i < 3; i++) {
		uint32_t required = k->reqntid[i] ? k->reqntid[i] : 1;

		if (k->reqntid[0] && l->block[i] != required) {
			snprintf(message, size,
				"a CTA of %ux%ux%u threads: the kernel requires %ux%ux%u (.reqntid)",
				l->block[0], l->block[1], l->block[2], k->reqntid[0],
				k->reqntid[1] ? k->reqntid[1] : 1, k->reqntid[2] ? k->reqntid[2] : 1);
			return message;
		}
	}
	return NULL;
}

const char *gpu_check_launch(const struct gpu *gpu, const struct launch *l, char *message, size_t size)
{
	const struct ptx_kernel *k = l->kernel;
	uint64_t shared = launch_shared_bytes(l);
	const char *wrong;

	if (k->refusal)
		return k->refusal;
	for (int i = 0; i < 3; i++)
		if (!l->grid[i] || !l->block[i])
			return "a grid or block dimension is 0";
	if (l->grid[0] > gpu->config.gpu.max_grid_x || l->grid[1] > 65535 || l->grid[2] > 65535) {
		snprintf(message, size, "a grid of %ux%ux%u CTAs: the chip allows %ux65535x65535", l->grid[0],
			l->grid[1], l->grid[2], gpu->config.gpu.max_grid_x);
		return message;
	}
	if (l->block[2] > 64 || l->block[0] > 1024 || l->block[1] > 1024)
		return "a block dimension is larger than 1024, 1024, 64";
	wrong = check_block(gpu, l, message, size);
	if (wrong)
		return wrong;
	if (k->barriers > gpu->limits.max_barriers) {
		snprintf(message, size, "a kernel with %u barriers: the chip has %u per CTA", k->barriers,
			gpu->limits.max_barriers);
		return message;
	}
	if (shared > gpu->limits.max_shared_per_cta) {
		snprintf(message, size, "a CTA with %llu bytes of shared memory: the chip allows %u",
			(unsigned long long)shared, gpu->limits.max_shared_per_cta);
		return message;
	}
	struct cta_resource_request demand = launch_resource_request(gpu, l);
	struct occupancy o = occupancy_of(&gpu->limits, &demand);

	if (o.ctas)
		return gpu_check_clusters(gpu, l, CLUSTER_CTAS_MOST, message, size);
	snprintf(message, size,
		"a CTA of %u threads with %u registers each and %u bytes of shared memory: an SM has not "
		"enough %s",
		demand.threads, demand.registers, demand.shared, occupancy_limit_name(o.limit));
	return message;
}
