/* sim/config/document.h -- a YAML document with lists, each node with its place: what sweep files are read
 * through.
 *
 * libyaml composes the tree; here it gets questions with answers in diagnostics. Each node stands in one
 * place: aliases are refused. */
#ifndef SIM_CONFIG_DOCUMENT_H
#define SIM_CONFIG_DOCUMENT_H

#include "sim/base/diag.h"

struct document;
typedef int doc_node; /* 0: none */

/* From memory; name stands for the file in messages. Text must stay as long as the document. NULL, with
 * diagnostics, if it is no YAML, empty, or holds a key twice. */
struct document *document_parse(const char *name, const char *text, size_t size, struct diag_list *diags);
void document_free(struct document *document);
doc_node document_root(const struct document *document);

bool doc_is_mapping(const struct document *document, doc_node node);
bool doc_is_list(const struct document *document, doc_node node);
/* A scalar's text; NULL if it is none. */
const char *doc_text(const struct document *document, doc_node node);
/* The value of a key of a mapping; 0 if there is none. */
doc_node doc_get(const struct document *document, doc_node mapping, const char *key);
/* Of a list or a mapping. */
size_t doc_count(const struct document *document, doc_node node);
doc_node doc_item(const struct document *document, doc_node list, size_t index);
const char *doc_key(const struct document *document, doc_node mapping, size_t index);
doc_node doc_key_node(const struct document *document, doc_node mapping, size_t index);
doc_node doc_value(const struct document *document, doc_node mapping, size_t index);

/* Where a node stands, for diag_error. */
struct diag_location doc_location(const struct document *document, doc_node node);
/* An error for every key that is not in the NULL-terminated list, with the nearest one that is. What is no
 * mapping has no keys. */
bool doc_allow(
	const struct document *document, doc_node mapping, const char *const *keys, struct diag_list *diags);

#endif
