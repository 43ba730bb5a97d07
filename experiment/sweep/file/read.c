/* experiment/sweep/file/read.c -- texts and numbers of a sweep file. */
#include "experiment/sweep/file/read.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <errno.h>

void sweep_texts_add(struct sweep_texts *to, const char *text, doc_node node)
{
	to->items = xrealloc(to->items, (to->count + 1) * sizeof(*to->items));
	to->nodes = xrealloc(to->nodes, (to->count + 1) * sizeof(*to->nodes));
	to->items[to->count] = text;
	to->nodes[to->count++] = node;
}

void sweep_texts_free(struct sweep_texts *t)
{
	free(t->items);
	free(t->nodes);
}

const char *sweep_read_text(struct sweep_reader *r, doc_node node, const char *what)
{
	const char *text = doc_text(r->d, node);

	if (text && *text && !strchr(text, '\n'))
		return text;
	sweep_wrong(r, node, "%s: expected a text", what);
	return NULL;
}

void sweep_read_texts(struct sweep_reader *r, doc_node node, const char *what, struct sweep_texts *to)
{
	const char *text;

	if (!doc_is_list(r->d, node)) {
		text = sweep_read_text(r, node, what);
		if (text)
			sweep_texts_add(to, text, node);
		return;
	}
	for (size_t i = 0; i < doc_count(r->d, node); i++) {
		text = sweep_read_text(r, doc_item(r->d, node, i), what);
		if (text)
			sweep_texts_add(to, text, doc_item(r->d, node, i));
	}
}

void sweep_read_set(struct sweep_reader *r, doc_node node, const char *what, struct sweep_texts *to)
{
	size_t errors = r->diags->errors;

	sweep_read_texts(r, node, what, to);
	if (!to->count && r->diags->errors == errors)
		sweep_wrong(r, node, "%s: the list is empty", what);
	for (size_t i = 0; i < to->count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(to->items[k], to->items[i]))
				sweep_wrong(r, to->nodes[i], "%s: %s is given twice", what, to->items[i]);
}

uint32_t sweep_read_number(
	struct sweep_reader *r, doc_node node, const char *what, uint32_t least, uint32_t otherwise)
{
	const char *text = doc_text(r->d, node);
	uint64_t value;

	if (!node)
		return otherwise;
	/* a suffix behind a number of seconds or MiB would be taken for a unit */
	if (text && !text[strspn(text, "0123456789")] && number_parse(text, least, UINT32_MAX, &value))
		return (uint32_t)value;
	sweep_wrong(
		r, node, "%s: expected a whole number from %u%s", what, least, text ? number_hint(text) : "");
	return otherwise;
}
