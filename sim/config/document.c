/* sim/config/document.c -- libyaml's composed documents, asked with places. */
#include "sim/config/document.h"
#include "sim/base/xalloc.h"
#include <yaml.h>

#define DEEPEST 32

struct document {
	yaml_document_t yaml;
	const char *name, *text;
	size_t size;
};

static struct diag_location mark_location(
	const char *name, const char *text, size_t size, const yaml_mark_t *mark)
{
	return (struct diag_location){ name, text, size, (uint32_t)mark->line + 1,
		(uint32_t)mark->column + 1 };
}

static void print_syntax(
	const yaml_parser_t *p, const char *name, const char *text, size_t size, struct diag_list *diags)
{
	struct diag_location location = mark_location(name, text, size, &p->problem_mark);

	diag_error(diags, p->error == YAML_READER_ERROR ? NULL : &location, "%s%snot valid YAML: %s%s%s",
		p->error == YAML_READER_ERROR ? name : "", p->error == YAML_READER_ERROR ? ": " : "",
		p->problem ? p->problem : "unknown problem", p->context ? " " : "",
		p->context ? p->context : "");
}

static yaml_node_t *node_of(const struct document *d, doc_node node)
{
	return node ? yaml_document_get_node((yaml_document_t *)&d->yaml, node) : NULL;
}

struct key {
	const char *text;
	size_t index;
	bool is_second; /* or third, and so on */
};

static int compare_texts(const void *a, const void *b)
{
	const struct key *x = a, *y = b;
	int order = strcmp(x->text, y->text);

	return order ? order : x->index < y->index ? -1 : 1;
}

static int compare_indices(const void *a, const void *b)
{
	const struct key *x = a, *y = b;

	return x->index < y->index ? -1 : 1;
}

static bool check_keys(const struct document *d, doc_node mapping, struct diag_list *diags)
{
	for (size_t i = 0; i < doc_count(d, mapping); i++) {
		const char *key = doc_key(d, mapping, i);
		struct diag_location location = doc_location(d, doc_key_node(d, mapping, i));

		if (!key || !*key) {
			diag_error(diags, &location, "expected a name as key");
			return false;
		}
	}
	return true;
}

/* Keys must be texts, each only once. Sorted by text, equal ones stand side by side. */
static bool check_mapping(const struct document *d, doc_node mapping, struct diag_list *diags)
{
	size_t count = doc_count(d, mapping);
	struct key *keys;
	bool fine = true;

	if (!check_keys(d, mapping, diags))
		return false;
	keys = xcalloc(count + 1, sizeof(*keys));
	for (size_t i = 0; i < count; i++)
		keys[i] = (struct key){ doc_key(d, mapping, i), i, false };
	qsort(keys, count, sizeof(*keys), compare_texts);
	for (size_t i = 1; i < count; i++)
		keys[i].is_second = !strcmp(keys[i - 1].text, keys[i].text);
	qsort(keys, count, sizeof(*keys), compare_indices);
	for (size_t i = 0; i < count; i++) {
		struct diag_location location = doc_location(d, doc_key_node(d, mapping, i));

		fine &= !keys[i].is_second;
		if (keys[i].is_second && !diag_is_full(diags))
			diag_error(diags, &location, "key %s is given twice", keys[i].text);
	}
	free(keys);
	return fine;
}

/* Each node stands in one place: an alias would let it stand in several, or in itself. */
static bool check_aliases(const struct document *d, size_t nodes, struct diag_list *diags)
{
	unsigned char *seen = xcalloc(nodes + 1, 1);
	bool fine = true;

	for (doc_node n = 1; node_of(d, n) && fine; n++) {
		for (size_t i = 0; i < doc_count(d, n) && fine; i++) {
			doc_node child = doc_is_list(d, n) ? doc_item(d, n, i) : doc_value(d, n, i);
			struct diag_location location = doc_location(d, n);

			fine = !seen[child]++ && child != 1;
			if (!fine)
				diag_error(diags, &location, "aliases are not supported: write it out");
		}
	}
	free(seen);
	return fine;
}

static bool check_document(const struct document *d, struct diag_list *diags)
{
	size_t nodes = 0;
	bool fine = true;

	while (node_of(d, (doc_node)nodes + 1))
		nodes++;
	for (doc_node n = 1; node_of(d, n); n++) {
		struct diag_location location = doc_location(d, n);

		if (doc_text(d, n) && strlen(doc_text(d, n)) != node_of(d, n)->data.scalar.length) {
			diag_error(diags, &location, "a NUL character in a text");
			return false;
		}
		fine &= !doc_is_mapping(d, n) || check_mapping(d, n, diags);
	}
	return check_aliases(d, nodes, diags) && fine;
}

/* Nothing but the end may follow the document. */
static bool check_end(
	yaml_parser_t *p, const char *name, const char *text, size_t size, struct diag_list *diags)
{
	yaml_document_t second;
	yaml_node_t *root;

	if (!yaml_parser_load(p, &second)) {
		print_syntax(p, name, text, size, diags);
		return false;
	}
	root = yaml_document_get_root_node(&second);
	if (root) {
		struct diag_location location = mark_location(name, text, size, &root->start_mark);

		diag_error(diags, &location, "a second document begins: expected one");
	}
	yaml_document_delete(&second);
	return !root;
}

static void begin_parser(yaml_parser_t *p, const char *text, size_t size)
{
	bug_if(!yaml_parser_initialize(p), "out of memory");
	yaml_parser_set_encoding(p, YAML_UTF8_ENCODING);
	yaml_parser_set_input_string(p, (const unsigned char *)text, size);
}

/* libyaml takes time with the square of the depth: a file of 20 kB of brackets would keep it for seconds.
 * Syntax errors are not told here. */
static bool check_depth(const char *name, const char *text, size_t size, struct diag_list *diags)
{
	yaml_parser_t parser;
	yaml_event_t event;
	int depth = 0;
	bool goes_on = true;

	begin_parser(&parser, text, size);
	while (goes_on && depth <= DEEPEST && yaml_parser_parse(&parser, &event)) {
		depth += event.type == YAML_SEQUENCE_START_EVENT || event.type == YAML_MAPPING_START_EVENT;
		depth -= event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT;
		goes_on = event.type != YAML_STREAM_END_EVENT;
		if (depth > DEEPEST) {
			struct diag_location location = mark_location(name, text, size, &event.start_mark);

			diag_error(diags, &location,
				"lists and mappings stand in each other more than %d deep", DEEPEST);
		}
		yaml_event_delete(&event);
	}
	yaml_parser_delete(&parser);
	return depth <= DEEPEST;
}

struct document *document_parse(const char *name, const char *text, size_t size, struct diag_list *diags)
{
	struct document *d;
	yaml_parser_t parser;
	bool fine = false;

	if (!check_depth(name, text, size, diags))
		return NULL;
	d = xcalloc(1, sizeof(*d));
	*d = (struct document){ .name = name, .text = text, .size = size };
	begin_parser(&parser, text, size);
	if (!yaml_parser_load(&parser, &d->yaml))
		print_syntax(&parser, name, text, size, diags);
	else if (!yaml_document_get_root_node(&d->yaml))
		diag_error(diags, NULL, "%s is empty", name);
	else
		fine = check_end(&parser, name, text, size, diags) && check_document(d, diags);
	yaml_parser_delete(&parser);
	if (fine)
		return d;
	document_free(d);
	return NULL;
}

void document_free(struct document *d)
{
	if (!d)
		return;
	yaml_document_delete(&d->yaml);
	free(d);
}

doc_node document_root(const struct document *d)
{
	return 1;
}

bool doc_is_mapping(const struct document *d, doc_node node)
{
	const yaml_node_t *n = node_of(d, node);

	return n && n->type == YAML_MAPPING_NODE;
}

bool doc_is_list(const struct document *d, doc_node node)
{
	const yaml_node_t *n = node_of(d, node);

	return n && n->type == YAML_SEQUENCE_NODE;
}

const char *doc_text(const struct document *d, doc_node node)
{
	const yaml_node_t *n = node_of(d, node);

	return n && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : NULL;
}

size_t doc_count(const struct document *d, doc_node node)
{
	const yaml_node_t *n = node_of(d, node);

	if (n && n->type == YAML_SEQUENCE_NODE)
		return (size_t)(n->data.sequence.items.top - n->data.sequence.items.start);
	if (n && n->type == YAML_MAPPING_NODE)
		return (size_t)(n->data.mapping.pairs.top - n->data.mapping.pairs.start);
	return 0;
}

doc_node doc_get(const struct document *d, doc_node mapping, const char *key)
{
	if (!doc_is_mapping(d, mapping))
		return 0;
	for (size_t i = 0; i < doc_count(d, mapping); i++) {
		const char *name = doc_key(d, mapping, i);

		if (name && !strcmp(name, key))
			return doc_value(d, mapping, i);
	}
	return 0;
}

doc_node doc_item(const struct document *d, doc_node list, size_t index)
{
	return node_of(d, list)->data.sequence.items.start[index];
}

doc_node doc_key_node(const struct document *d, doc_node mapping, size_t index)
{
	return node_of(d, mapping)->data.mapping.pairs.start[index].key;
}

const char *doc_key(const struct document *d, doc_node mapping, size_t index)
{
	return doc_text(d, doc_key_node(d, mapping, index));
}

doc_node doc_value(const struct document *d, doc_node mapping, size_t index)
{
	return node_of(d, mapping)->data.mapping.pairs.start[index].value;
}

struct diag_location doc_location(const struct document *d, doc_node node)
{
	const yaml_node_t *n = node_of(d, node);

	return n ? mark_location(d->name, d->text, d->size, &n->start_mark)
		 : (struct diag_location){ .file = d->name };
}

bool doc_allow(const struct document *d, doc_node mapping, const char *const *keys, struct diag_list *diags)
{
	size_t count = 0;
	bool fine = true;

	while (keys[count])
		count++;
	for (size_t i = 0; doc_is_mapping(d, mapping) && i < doc_count(d, mapping) && !diag_is_full(diags);
		i++) {
		const char *key = doc_key(d, mapping, i), *nearest;
		struct diag_location location = doc_location(d, doc_key_node(d, mapping, i));
		bool known = false;

		for (size_t k = 0; k < count; k++)
			known |= !strcmp(keys[k], key);
		if (known)
			continue;
		nearest = diag_nearest(key, keys, count);
		diag_error(diags, &location, "unknown key %s%s%s%s", key, nearest ? "; did you mean " : "",
			nearest ? nearest : "", nearest ? "?" : "");
		fine = false;
	}
	return fine;
}
