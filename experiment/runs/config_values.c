/* experiment/runs/config_values.c -- config.yaml unfolded to dotted keys, by libyaml's events. */
#include "experiment/runs/config_values.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <yaml.h>

enum { DEEPEST = 16, LONGEST = 512 };

struct reader {
	struct config_values *values;
	const char *path; /* of the file */
	struct diag_list *diags;
	yaml_parser_t parser;
	char key[LONGEST];    /* of where the reader is: "sm.l1d" */
	size_t ends[DEEPEST]; /* of its parts: 0, 2, 6 */
	unsigned depth;
	bool has_key; /* the last part of key waits for its value */
};

static bool complain_of_yaml(struct reader *r, yaml_mark_t mark, const char *what)
{
	struct diag_location location = {
		.file = r->path, .line = (uint32_t)mark.line + 1, .column = (uint32_t)mark.column + 1
	};

	diag_error(r->diags, &location, "%s", what);
	return false;
}

static void add_config_value(struct reader *r, const char *value)
{
	struct config_values *v = r->values;

	if (!(v->count & (v->count - 1)))
		v->items = xrealloc(v->items, (v->count ? 2 * v->count : 1) * sizeof(*v->items));
	v->items[v->count++] = (struct config_value_pair){ xstrdup(r->key), xstrdup(value) };
}

static bool scalar(struct reader *r, const yaml_event_t *e)
{
	const char *text = (const char *)e->data.scalar.value;
	size_t at = r->depth ? r->ends[r->depth - 1] : 0;

	if (!r->depth)
		return complain_of_yaml(r, e->start_mark, "expected parameters, as in config.yaml");
	if (r->has_key) {
		add_config_value(r, text);
	} else {
		if (at + strlen(text) + 2 > sizeof(r->key))
			return complain_of_yaml(r, e->start_mark, "too long a name");
		snprintf(r->key + at, sizeof(r->key) - at, "%s%s", at ? "." : "", text);
	}
	r->has_key = !r->has_key;
	return true;
}

static bool begin_node(struct reader *r, const yaml_event_t *e)
{
	if (r->depth && !r->has_key)
		return complain_of_yaml(r, e->start_mark, "expected a name");
	if (r->depth == DEEPEST)
		return complain_of_yaml(r, e->start_mark, "too deep");
	r->ends[r->depth] = r->depth ? strlen(r->key) : 0;
	r->depth++;
	r->has_key = false;
	return true;
}

static bool take_event(struct reader *r, const yaml_event_t *e)
{
	switch (e->type) {
	case YAML_SCALAR_EVENT:
		return scalar(r, e);
	case YAML_MAPPING_START_EVENT:
		return begin_node(r, e);
	case YAML_MAPPING_END_EVENT:
		r->depth--;
		r->has_key = false;
		return true;
	case YAML_SEQUENCE_START_EVENT:
	case YAML_ALIAS_EVENT:
		return complain_of_yaml(r, e->start_mark,
			"expected a value: a configuration that Lockstep wrote has neither lists nor "
			"references");
	default:
		return true;
	}
}

static bool read_events(struct reader *r)
{
	bool fine = true, is_over = false;
	yaml_event_t event;

	while (fine && !is_over) {
		if (!yaml_parser_parse(&r->parser, &event))
			return complain_of_yaml(
				r, r->parser.problem_mark, r->parser.problem ? r->parser.problem : "no YAML");
		fine = take_event(r, &event);
		is_over = event.type == YAML_STREAM_END_EVENT;
		yaml_event_delete(&event);
	}
	return fine;
}

bool config_values_read(struct config_values *values, const char *path, struct diag_list *diags)
{
	struct reader r = { .values = values, .path = path, .diags = diags };
	FILE *f = fopen(path, "r");
	bool fine;

	*values = (struct config_values){ 0 };
	if (!f) {
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		return false;
	}
	bug_if(!yaml_parser_initialize(&r.parser), "out of memory");
	yaml_parser_set_input_file(&r.parser, f);
	fine = read_events(&r);
	yaml_parser_delete(&r.parser);
	fclose(f);
	return fine;
}

void config_values_fini(struct config_values *values)
{
	for (size_t i = 0; i < values->count; i++) {
		free(values->items[i].key);
		free(values->items[i].value);
	}
	free(values->items);
	*values = (struct config_values){ 0 };
}

const char *config_values_find(const struct config_values *values, const char *key)
{
	for (size_t i = 0; i < values->count; i++)
		if (!strcmp(values->items[i].key, key))
			return values->items[i].value;
	return NULL;
}
