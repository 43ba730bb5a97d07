/* cachemodel/model.c -- CTAs to cores, and all cores to their end. */
#include "cachemodel/model.h"
#include "cachemodel/core.h"
#include "core/kernel/occupancy.h"

/* -- CTAs to cores: in turn until they are full, then whoever is done first (section 4.1). If only some cores
 *    are modelled, each takes those whose number, modulo the cores of the chip, is its own. -- */

struct cta_assignment {
	const struct stream *stream;
	uint32_t cores, modelled;
	size_t next; /* if all cores are modelled */
	size_t *of;  /* else: by core */
};

static size_t next_cta(void *user, uint32_t core)
{
	struct cta_assignment *d = user;

	if (d->modelled == d->cores)
		return d->next < d->stream->cta_count ? d->next++ : SIZE_MAX;
	for (size_t at = d->of[core]; at < d->stream->cta_count; at++)
		if (d->stream->ctas[at].number % d->cores == core) {
			d->of[core] = at + 1;
			return at;
		}
	d->of[core] = d->stream->cta_count;
	return SIZE_MAX;
}

static uint32_t active_ctas(const struct model_config *config, const struct stream *s)
{
	struct cta_resource_request request = { .threads = s->cta_threads,
		.registers = s->launch.registers,
		.shared = (uint32_t)s->launch.shared_bytes };
	uint32_t ctas = config->limits ? occupancy_of(config->limits, &request).ctas : config->active_ctas;

	return ctas ? ctas : 1;
}

/* The cores run side by side, each at its own time; the one that is behind goes first. */
static void run_cores(struct core *cores, uint32_t count)
{
	uint32_t running = count;
	bool *has_ended = xcalloc(count, sizeof(*has_ended));

	for (uint64_t time = 0; running;) {
		uint64_t next = UINT64_MAX;

		for (uint32_t i = 0; i < count; i++) {
			if (has_ended[i])
				continue;
			if (cores[i].time <= time && !core_step(&cores[i])) {
				has_ended[i] = true;
				running--;
				continue;
			}
			next = cores[i].time < next ? cores[i].time : next;
		}
		time = next;
	}
	free(has_ended);
}

void model_run(const struct stream *s, const struct model_config *config, const struct model_watcher *watcher,
	struct model_result *result)
{
	uint32_t total = config->cores ? config->cores : 1;
	uint32_t count =
		config->modelled_cores && config->modelled_cores < total ? config->modelled_cores : total;
	struct cta_assignment assignment = { s, total, count, 0, xcalloc(count, sizeof(size_t)) };
	struct core *cores = xcalloc(count, sizeof(*cores));
	uint32_t *held = xcalloc(s->cta_count * s->cta_warps, sizeof(*held));
	uint32_t slots = active_ctas(config, s);

	*result = (struct model_result){ .pcs = xcalloc(s->pc_count, sizeof(*result->pcs)) };
	for (uint32_t i = 0; i < count; i++) {
		core_init(&cores[i], s, config, i, slots);
		cores[i].result = result;
		cores[i].watcher = watcher;
		cores[i].held = held;
		cores[i].next_cta = next_cta;
		cores[i].user = &assignment;
	}
	for (uint32_t slot = 0; slot < slots; slot++)
		for (uint32_t i = 0; i < count; i++)
			core_fill(&cores[i], slot);
	run_cores(cores, count);
	for (uint32_t i = 0; i < count; i++) {
		result->steps = cores[i].time > result->steps ? cores[i].time : result->steps;
		core_fini(&cores[i]);
	}
	free(cores);
	free(held);
	free(assignment.of);
}

void model_result_free(struct model_result *r)
{
	free(r->pcs);
	free(r->distances);
	free(r->distances_in_flight);
	*r = (struct model_result){ 0 };
}
