/* core/gpu/launch/copies_under_way.c -- see copies_under_way.h. */
#include "core/gpu/launch/copies_under_way.h"
#include "core/gpu/gpu_internal.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/lsu/cluster_access.h"
#include "core/sm/sm.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"
#include <string.h>

struct memory_before {
	struct memory_before *next; /* it was changed before this one */
	uint8_t *at;
	size_t bytes;
	uint8_t was[];
};

static void keep_memory(struct memory_before **list, uint8_t *at, size_t bytes)
{
	struct memory_before *b = xmalloc(sizeof(*b) + bytes);

	b->next = *list;
	b->at = at;
	b->bytes = bytes;
	if (bytes)
		memcpy(b->was, at, bytes);
	*list = b;
}

void copies_take_back(struct memory_before **list)
{
	while (*list) {
		struct memory_before *b = *list;

		if (b->bytes)
			memcpy(b->at, b->was, b->bytes);
		*list = b->next;
		free(b);
	}
}

static bool keep_range(void *user, addr address, uint32_t bytes)
{
	keep_memory(user, memory_host(address), bytes);
	return true;
}

static void land(const struct bulk_flight *f, struct memory_before **device)
{
	const struct bulk_copy *c = &f->copy;
	uint8_t *bytes = f->bytes;

	if (f->has_landed || f->direction == BULK_TO_L2)
		return;
	if (!f->is_read) {
		bytes = xmalloc(c->bytes + 1);
		bulk_read(c, bytes);
	}
	if (c->form.to == BULK_GLOBAL && c->form.mode)
		bulk_each_range(c, keep_range, device);
	else if (c->form.to == BULK_GLOBAL)
		keep_range(device, c->to, c->bytes);
	bulk_write(c, bytes);
	if (!f->is_read)
		free(bytes);
}

void copies_land(struct gpu *gpu, struct memory_before **shared, struct memory_before **device)
{
	*shared = *device = NULL;
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++)
		for (uint32_t k = 0; k < gpu->config.sm.max_ctas; k++) {
			const struct sm_cta *c = &gpu->chip.sms[i]->state.ctas[k];

			if (c->used)
				keep_memory(shared, c->cta.shared, c->cta.run->cta_bytes);
		}
	if (gpu->clusters)
		cluster_access_perform(gpu->clusters, gpu->chip.sms);
	for (uint32_t i = 0; i < gpu->config.gpu.sms; i++) {
		const struct bulk_engine *engine = gpu->chip.sms[i]->state.bulk;

		for (uint32_t f = 0; f < engine->count; f++)
			land(&engine->flights[f], device);
	}
}
