/* memsys/request_buffer/request_buffer.c -- the table of request buffers and what all of them share. */
#include "memsys/request_buffer/request_buffer.h"
#include "sim/base/xalloc.h"
#include <stdio.h>
#include <string.h>

#define REQUEST_BUFFER(name) extern const struct request_buffer_class request_buffer_##name;
#include "memsys/request_buffer/request_buffer.def"
#undef REQUEST_BUFFER

const struct request_buffer_class *const request_buffer_classes[] = {
#define REQUEST_BUFFER(name) &request_buffer_##name,
#include "memsys/request_buffer/request_buffer.def"
#undef REQUEST_BUFFER
	NULL
};

const char *const request_buffer_names[] = {
#define REQUEST_BUFFER(name) #name,
#include "memsys/request_buffer/request_buffer.def"
#undef REQUEST_BUFFER
	NULL
};

static double mean_wait(const void *object)
{
	const struct request_buffer_stats *s = &((const struct request_buffer *)object)->stats;

	return s->left ? (double)s->request_cycles / (double)s->left : 0;
}

#define COUNT(field, unit, help) SIM_COUNT_AS(struct request_buffer, stats.field, #field, unit, help)

const struct sim_stat request_buffer_base_stats[] = {
	COUNT(entered, "requests", "line requests that entered the buffer"),
	COUNT(passed, "requests", "line requests that passed directly to the L1"),
	COUNT(left, "requests", "line requests that left the buffer for the L1"),
	COUNT(full_cycles, "cycles", "cycles that the coalescer waited for the buffer"),
	COUNT(refused_cycles, "cycles", "cycles in which the L1 refused a request from the buffer"),
	COUNT(request_cycles, "cycles", "cycles that requests spent in the buffer, added up over requests"),
	SIM_FORMULA("mean_wait", mean_wait, "cycles", "mean time of a request in the buffer"),
	SIM_STAT_END,
};

struct slot {
	uint32_t policy;
};

static const struct sim_param slot_params[] = {
	SIM_ENUM(struct slot, policy, 0, request_buffer_names,
		"request buffer in which line requests wait between coalescer and L1"),
	SIM_END
};

struct request_buffer *request_buffer_blank(const struct request_buffer_class *class)
{
	struct request_buffer *b = xcalloc(1, class->size);

	b->class = class;
	return b;
}

struct request_buffer *request_buffer_prototype(
	struct config *config, const char *path, struct diag_list *diags)
{
	struct request_buffer *chosen = NULL;
	struct slot slot;
	char section[256];

	config_read(config, path, slot_params, &slot, diags);
	for (uint32_t i = 0; request_buffer_classes[i]; i++) {
		const struct request_buffer_class *class = request_buffer_classes[i];

		snprintf(section, sizeof(section), "%s.%s", path, class->name);
		if (i == slot.policy)
			chosen = request_buffer_blank(class);
		if (class->params[0].type != SIM_PARAM_END)
			config_read(config, section, class->params, i == slot.policy ? chosen : NULL, diags);
	}
	return chosen;
}

struct request_buffer *request_buffer_new(const struct request_buffer *prototype, uint32_t sm, uint32_t warps,
	uint32_t ctas, uint32_t cta_warps)
{
	struct request_buffer *b;

	if (!prototype->class->admit)
		return NULL;
	b = xmalloc(prototype->class->size);
	memcpy(b, prototype, prototype->class->size);
	b->sm = sm;
	b->warps = warps;
	b->ctas = ctas;
	b->cta_warps = cta_warps;
	if (b->class->start)
		b->class->start(b);
	return b;
}

void request_buffer_free(struct request_buffer *b)
{
	if (b && b->class->stop)
		b->class->stop(b);
	free(b);
}

void request_buffer_prototype_free(struct request_buffer *prototype)
{
	free(prototype);
}
