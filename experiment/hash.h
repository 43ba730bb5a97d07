/* experiment/hash.h -- 128-bit hashes of texts and files (XXH3, Collet), which name jobs, programs and
 * configurations. They tell contents apart that differ by chance; they are no protection against somebody who
 * wants two to agree. */
#ifndef EXPERIMENT_HASH_H
#define EXPERIMENT_HASH_H

#include "sim/base/diag.h"
#include <xxhash.h>

enum { HASH_TEXT = 33 };
struct hash {
	char text[HASH_TEXT]; /* 32 hexadecimal digits */
};

struct hasher {
	XXH3_state_t *state;
};
void hasher_init(struct hasher *hasher);
/* What is added is told apart from what follows: "a","bc" and "ab","c" differ. */
void hasher_add_text(struct hasher *hasher, const char *text);
/* A file's content. false, with a diagnostic, if it cannot be read. */
bool hasher_add_file(struct hasher *hasher, const char *path, struct diag_list *diags);
/* The hash; the hasher is finished. */
struct hash hasher_end(struct hasher *hasher);

struct hash hash_of_text(const char *text);

#endif
