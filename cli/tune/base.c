/* cli/tune/base.c -- the configuration from which comes what no probe tells: of those that come with Lockstep
 * the one whose compute capability is nearest, and of these the one whose number of SMs is nearest. Of
 * machines that are alike in both, the one with the shortest name: variants are called after what they are
 * variants of. */
#include "cli/tune/tune.h"
#include "cli/machine.h"
#include "experiment/paths.h"
#include "sim/base/xalloc.h"
#include "sim/text/number.h"
#include <math.h>
#include <string.h>

static char *read_values(const char *name, struct diag_list *diags)
{
	struct machine_options options = { .configs = { .items = &name, .count = 1 } };
	struct machine_config machine;
	struct config *config = machine_configure(&options, &machine, diags);
	char *text = NULL;
	size_t size;
	FILE *to;

	if (!config)
		return NULL;
	to = open_memstream(&text, &size);
	bug_if(!to, "out of memory");
	putc('\n', to); /* find_value looks for lines by the character before them */
	config_print_flat(config, to);
	fclose(to);
	machine_config_fini(&machine);
	config_free(config);
	return text;
}

/* Behind "path = "; NULL. */
static const char *find_value(const char *values, const char *path)
{
	char key[96];
	const char *at;

	snprintf(key, sizeof(key), "\n%s = ", path);
	at = strstr(values, key);
	return at ? at + strlen(key) : NULL;
}

const char *base_text(struct tune *t, const char *path)
{
	const char *at = find_value(t->values, path);

	return at ? keep_print(&t->keeper, "%.*s", (int)strcspn(at, "\n"), at) : NULL;
}

static double value_of(const char *values, const char *path)
{
	const char *at = find_value(values, path);

	return at ? strtod(at, NULL) : 0;
}

double base_number(const struct tune *t, const char *path)
{
	return value_of(t->values, path);
}

/* How unlike a machine is to the card; lower is nearer. */
static double distance_of(const struct tune *t, const char *values)
{
	const struct tune_row *major = tune_rows_find(&t->rows, "device compute capability major");
	const struct tune_row *minor = tune_rows_find(&t->rows, "device compute capability minor");
	const struct tune_row *sms = tune_rows_find(&t->rows, "device SMs");
	double generations = fabs(value_of(values, "gpu.compute_major") - major->value);
	double steps = minor ? fabs(value_of(values, "gpu.compute_minor") - minor->value) : 0;
	double ratio = sms ? fabs(log2(value_of(values, "gpu.sms") / sms->value)) : 0;

	return 1e4 * generations + 1e2 * steps + ratio;
}

static bool choose_base(struct tune *t, struct diag_list *diags)
{
	char *folder = paths_configs();
	size_t count;
	char **names = paths_list(folder, ".yaml", &count);
	double nearest = INFINITY;

	if (!tune_rows_find(&t->rows, "device compute capability major"))
		diag_error(diags, NULL,
			"the results have no row \"device compute capability major\", by which a "
			"configuration of "
			"the same generation is chosen; --base names one");
	for (size_t i = 0; i < count && !diags->errors; i++) {
		char *values = names[i][0] == '+' ? NULL : read_values(names[i], diags);
		double distance = values ? distance_of(t, values) : INFINITY;
		bool is_shorter = t->base && strlen(names[i]) < strlen(t->base);

		if (distance < nearest || (distance == nearest && is_shorter && distance < INFINITY)) {
			nearest = distance;
			t->base = keep_copy(&t->keeper, names[i]);
		}
		free(values);
	}
	paths_list_free(names, count);
	free(folder);
	return t->base;
}

bool base_read(struct tune *t, struct diag_list *diags)
{
	if (!t->base && !choose_base(t, diags))
		return false;
	t->values = read_values(t->base, diags);
	return t->values;
}
