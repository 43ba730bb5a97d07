/* sim/config/config_yaml.c -- builds a tree of nodes with locations from YAML text, using the events of
 * libyaml.
 *
 * Only mappings and scalars are supported. A sequence, anchor, alias, tag or second document is
 * reported at its location, and reading continues behind it, so that one run reports several errors. */
#include "sim/config/config_internal.h"
#include <string.h>
#include <yaml.h>

struct loader {
	yaml_parser_t parser;
	yaml_event_t event; /* the current one; owned */
	struct config *config;
	const struct config_file *file;
	struct diag_list *diags;
	bool failed; /* an error was reported */
	bool broken; /* an error after which libyaml gives no more events */
};

static struct diag_location event_location(const struct loader *l)
{
	return config_text_location(
		l->file, (uint32_t)l->event.start_mark.line + 1, (uint32_t)l->event.start_mark.column + 1);
}

#define refuse(l, ...) \
	do { \
		struct diag_location refused_ = event_location(l); \
		(l)->failed = true; \
		diag_error((l)->diags, &refused_, __VA_ARGS__); \
	} while (0)

/* The location of an error: libyaml gives an offset for bytes that are not text, and a mark otherwise. */
static struct diag_location place_of_problem(const struct loader *l)
{
	const yaml_parser_t *p = &l->parser;
	struct diag_location location = { l->file->name, l->file->text, l->file->size, 1, 1 };

	if (p->error != YAML_READER_ERROR)
		return config_text_location(
			l->file, (uint32_t)p->problem_mark.line + 1, (uint32_t)p->problem_mark.column + 1);
	for (size_t i = 0; i < p->problem_offset && i < l->file->size; i++) {
		location.column++;
		if (l->file->text[i] == '\n') {
			location.line++;
			location.column = 1;
		}
	}
	return location;
}

static void syntax_error(struct loader *l)
{
	struct diag_location location = place_of_problem(l);
	const yaml_parser_t *p = &l->parser;

	l->failed = true;
	diag_error(l->diags, &location, "not valid YAML: %s%s%s", p->problem ? p->problem : "unknown problem",
		p->context ? " " : "", p->context ? p->context : "");
}

/* Moves to the next event; false after the last, with an event of type YAML_NO_EVENT. */
static bool next_yaml_event(struct loader *l)
{
	yaml_event_delete(&l->event);
	if (l->failed && diag_is_full(l->diags))
		l->broken = true;
	if (l->broken)
		return false;
	if (yaml_parser_parse(&l->parser, &l->event))
		return true;
	memset(&l->event, 0, sizeof(l->event));
	bug_if(l->parser.error == YAML_MEMORY_ERROR, "out of memory");
	l->broken = true;
	syntax_error(l);
	return false;
}

/* Reading ends here: libyaml takes time for each level at each token. */
static void refuse_depth(struct loader *l)
{
	refuse(l, "nested too deeply: %d levels are the limit", CONFIG_MAX_DEPTH);
	l->broken = true;
}

/* Skips a value, from its first event to its last. */
static void skip(struct loader *l)
{
	unsigned open = 0;

	do {
		yaml_event_type_t type = l->event.type;

		if (open > CONFIG_MAX_DEPTH)
			refuse_depth(l);
		else if (type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT)
			open++;
		else if (type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT)
			open--;
	} while (open && next_yaml_event(l));
}

static void refuse_decoration(struct loader *l, const yaml_char_t *anchor, const yaml_char_t *tag)
{
	if (anchor)
		refuse(l, "anchors are not supported: &%s", (const char *)anchor);
	if (tag)
		refuse(l, "tags are not supported: %s", (const char *)tag);
}

/* The text of the current scalar in the arena; NULL, with a diagnostic, if it contains characters that no
 * key or value may contain. */
static const char *scalar_text(struct loader *l)
{
	const char *text = (const char *)l->event.data.scalar.value;

	refuse_decoration(l, l->event.data.scalar.anchor, l->event.data.scalar.tag);
	if (strlen(text) != l->event.data.scalar.length) {
		refuse(l, "a NUL character in a text");
		return NULL;
	}
	return config_format(l->config, "%s", text);
}

static const char *key_text(struct loader *l)
{
	const char *key;

	if (l->event.type != YAML_SCALAR_EVENT) {
		refuse(l, "expected a name as key");
		return NULL;
	}
	key = scalar_text(l);
	if (key && !*key)
		refuse(l, "expected a name as key");
	else if (key && strchr(key, '.'))
		refuse(l, "key %s: write one level a line, without dots", key);
	else
		return key;
	return NULL;
}

static bool is_duplicate(struct loader *l, const struct config_node *section, const char *key)
{
	const struct config_node *first = config_child(section, key, strlen(key));
	struct diag_location location;
	char hint[48];

	if (!first)
		return false;
	location = event_location(l);
	snprintf(hint, sizeof(hint), "first on line %u", first->key_line);
	l->failed = true;
	diag_add(l->diags, DIAG_ERROR, &location, hint, "key %s is set twice",
		config_node_path(l->config, first));
	return true;
}

/* Adds the current event as a new key of section; NULL: its value must be skipped. */
static struct config_node *read_key(struct loader *l, struct config_node *section)
{
	const char *key = key_text(l);
	struct config_node *n;

	if (!key || is_duplicate(l, section, key)) {
		skip(l);
		return NULL;
	}
	n = config_alloc(l->config, sizeof(*n));
	n->key = key;
	n->file = l->file;
	n->key_line = n->line = (uint32_t)l->event.start_mark.line + 1;
	n->key_column = n->column = (uint32_t)l->event.start_mark.column + 1;
	config_append(section, n);
	return n;
}

static void read_mapping(struct loader *l, struct config_node *section, unsigned depth);

static void read_node_value(struct loader *l, struct config_node *n, unsigned depth)
{
	n->line = (uint32_t)l->event.start_mark.line + 1;
	n->column = (uint32_t)l->event.start_mark.column + 1;
	switch (l->event.type) {
	case YAML_SCALAR_EVENT:
		n->unquoted = l->event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
		n->value = scalar_text(l);
		return;
	case YAML_MAPPING_START_EVENT:
		refuse_decoration(l, l->event.data.mapping_start.anchor, l->event.data.mapping_start.tag);
		if (depth < CONFIG_MAX_DEPTH) {
			read_mapping(l, n, depth + 1);
			return;
		}
		refuse_depth(l);
		break;
	case YAML_SEQUENCE_START_EVENT:
		refuse(l, "%s: lists are not supported", config_node_path(l->config, n));
		break;
	case YAML_ALIAS_EVENT:
		refuse(l, "aliases are not supported: *%s", (const char *)l->event.data.alias.anchor);
		break;
	default:
		break;
	}
	skip(l);
}

/* Reads a mapping, from its start event to its end event. */
static void read_mapping(struct loader *l, struct config_node *section, unsigned depth)
{
	while (next_yaml_event(l) && l->event.type != YAML_MAPPING_END_EVENT) {
		struct config_node *n = read_key(l, section);

		if (!next_yaml_event(l))
			return;
		if (n)
			read_node_value(l, n, depth);
		else
			skip(l);
	}
}

static bool is_empty_scalar(const yaml_event_t *event)
{
	return event->type == YAML_SCALAR_EVENT && !event->data.scalar.length &&
		event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
}

static void read_document(struct loader *l, struct config_node *root)
{
	if (l->event.type == YAML_MAPPING_START_EVENT) {
		refuse_decoration(l, l->event.data.mapping_start.anchor, l->event.data.mapping_start.tag);
		read_mapping(l, root, 1);
	} else if (!is_empty_scalar(&l->event)) {
		refuse(l, "expected \"key: value\" lines");
		skip(l);
	}
}

/* Reads the stream: stream start; a document start, a value and a document end, or none; stream end. */
static void read_stream(struct loader *l, struct config_node *root)
{
	if (!next_yaml_event(l) || !next_yaml_event(l) || l->event.type == YAML_STREAM_END_EVENT ||
		!next_yaml_event(l))
		return;
	read_document(l, root);
	if (next_yaml_event(l) && next_yaml_event(l) && l->event.type != YAML_STREAM_END_EVENT)
		refuse(l, "a second document: one file holds one configuration");
}

struct config_node *config_parse(
	struct config *config, const struct config_file *file, struct diag_list *diags)
{
	struct loader l = { .config = config, .file = file, .diags = diags };
	struct config_node *root = config_alloc(config, sizeof(*root));

	bug_if(!yaml_parser_initialize(&l.parser), "out of memory");
	yaml_parser_set_encoding(&l.parser, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(&l.parser, (const unsigned char *)file->text, file->size);
	read_stream(&l, root);
	yaml_event_delete(&l.event);
	yaml_parser_delete(&l.parser);
	return l.failed ? NULL : root;
}
