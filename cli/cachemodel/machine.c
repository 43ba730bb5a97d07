/* cli/cachemodel/machine.c -- the model of the configured machine's L1. */
#include "cli/cachemodel/cachemodel.h"
#include "memsys/index/index.h"
#include "sim/base/xalloc.h"
#include "sim/config/config.h"

static bool *switch_of(struct model_config *m, const char *name)
{
	const struct {
		const char *name;
		bool *is_on;
	} switches[] = { { "latencies", &m->latencies }, { "associativity", &m->associativity },
		{ "mshrs", &m->mshr_limit }, { "divergence", &m->divergence }, { "clipping", &m->clipping } };

	for (size_t i = 0; i < sizeof(switches) / sizeof(*switches); i++)
		if (strcmp(name, switches[i].name) == 0)
			return switches[i].is_on;
	return NULL;
}

static void turn_off(struct model_config *m, const struct option_list *without, struct diag_list *diags)
{
	for (size_t i = 0; i < without->count; i++) {
		bool *is_on = switch_of(m, without->items[i]);

		if (is_on)
			*is_on = false;
		else
			diag_error(diags, NULL,
				"--without %s: latencies, associativity, mshrs, divergence or clipping was "
				"expected",
				without->items[i]);
	}
}

static void take_cache(struct cachemodel_machine *m, struct diag_list *diags)
{
	const struct cache_config *l1 = &m->machine.l1d;
	struct model_config *model = &m->model;

	if (!l1->enabled)
		diag_error(diags, NULL,
			"the cache model needs an L1, and this configuration has none (sm.l1d.enabled)");
	if (l1->sectors > 1)
		diag_error(diags, NULL,
			"the cache model knows no sectors (sm.l1d.sectors: %u); set it to 1 to model whole "
			"lines",
			l1->sectors);
	model->sets = l1->sets;
	model->ways = l1->ways;
	model->line_bytes = l1->line;
	model->mshrs = l1->mshrs;
	model->mshrs_per_warp = l1->mshrs_per_warp;
	model->cores = m->machine.gpu.sms;
	if (model->modelled_cores > model->cores)
		model->modelled_cores = model->cores;
	sm_limits_from(&m->machine.sm, &m->limits);
	model->limits = &m->limits;
	m->index = index_new(l1->index, l1->index_prototype, l1->sets);
	model->index = m->index;
}

struct cachemodel_machine *cachemodel_machine_new(
	const struct machine_options *options, const struct option_list *without, struct diag_list *diags)
{
	struct cachemodel_machine *m = xcalloc(1, sizeof(*m));

	m->config = machine_load(options, diags);
	if (!m->config) {
		free(m);
		return NULL;
	}
	machine_config_read(&m->machine, m->config, diags);
	config_read(m->config, "cachemodel", model_params, &m->model, diags);
	config_check_unknown(m->config, diags);
	if (!diags->errors) {
		take_cache(m, diags);
		turn_off(&m->model, without, diags);
	}
	if (!diags->errors)
		return m;
	cachemodel_machine_free(m);
	return NULL;
}

void cachemodel_machine_free(struct cachemodel_machine *m)
{
	free(m->index);
	machine_config_fini(&m->machine);
	config_free(m->config);
	free(m);
}

struct machine_options cachemodel_for_simulator(const struct machine_options *options)
{
	struct machine_options o = *options;

	o.sets.items = xcalloc(options->sets.count + 1, sizeof(*o.sets.items));
	o.sets.count = 0;
	for (size_t i = 0; i < options->sets.count; i++)
		if (strncmp(options->sets.items[i], "cachemodel.", strlen("cachemodel.")) != 0)
			o.sets.items[o.sets.count++] = options->sets.items[i];
	return o;
}
