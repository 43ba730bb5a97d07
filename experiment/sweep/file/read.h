/* experiment/sweep/file/read.h -- how the files of experiment/sweep_file*.c read a sweep file: texts and
 * numbers, or a message at their place. */
#ifndef EXPERIMENT_SWEEP_READ_H
#define EXPERIMENT_SWEEP_READ_H

#include "experiment/sweep/file/file.h"

struct sweep_reader {
	struct sweep_file *file;
	const struct document *d;
	struct diag_list *diags;
};

#define sweep_wrong(r, node, ...) \
	do { \
		struct diag_location wrong_ = doc_location((r)->d, node); \
		diag_error((r)->diags, &wrong_, __VA_ARGS__); \
	} while (0)

void sweep_texts_add(struct sweep_texts *to, const char *text, doc_node node);
void sweep_texts_free(struct sweep_texts *texts);

/* A text of one line, not empty; NULL with a message. what: the key, for messages. */
const char *sweep_read_text(struct sweep_reader *r, doc_node node, const char *what);
/* One text, or a list of them. */
void sweep_read_texts(struct sweep_reader *r, doc_node node, const char *what, struct sweep_texts *to);
/* As sweep_read_texts, each text once, and one at least. */
void sweep_read_set(struct sweep_reader *r, doc_node node, const char *what, struct sweep_texts *to);
/* A whole number, at least `least`; `otherwise` where there is no node, or with a message. */
uint32_t sweep_read_number(
	struct sweep_reader *r, doc_node node, const char *what, uint32_t least, uint32_t otherwise);

/* "path: value" of parameters; may_overlay: `config` may be among them. */
void sweep_read_changes(struct sweep_reader *r, doc_node node, bool may_overlay, struct sweep_changes *to);

/* What the points differ in, and the machine that they have in common (space.c): base, overlays, set,
 * factors, best, exclude, seeds, baseline. */
void sweep_read_space(struct sweep_reader *r, doc_node root);
void sweep_free_space(struct sweep_file *file);

/* Levels that stand for others (levels.c). The items of a key like swl-{1..4,8}, which the caller frees one
 * by one and all; NULL if it has no braces, or with a message. */
char **sweep_range_items(struct sweep_reader *r, doc_node key, size_t *count);
/* The text with `from` replaced by `to`, kept by the file; the text itself if it has none. */
const char *sweep_range_text(struct sweep_file *file, const char *text, const char *from, const char *to);
/* The section `best`: adds a level for each. */
void sweep_read_best(struct sweep_reader *r, doc_node node);

#endif
