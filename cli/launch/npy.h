/* cli/launch/npy.h -- NumPy's files of one array, as numpy.save writes them: versions 1 to 3 of the format,
 * in C order, little-endian, with one of the types that a kernel argument can have (bool is u8; '|V2', as
 * which bfloat16 of ml_dtypes is saved, is b16). */
#ifndef CLI_LAUNCH_NPY_H
#define CLI_LAUNCH_NPY_H

#include "cli/launch/element.h"

struct npy_array {
	const struct element_type *type;
	char code[4];   /* the type as the file has it, without byte order: "f4" */
	char *shape;    /* "(3, 4)", malloc'ed */
	uint64_t count; /* of elements */
	size_t data;    /* offset of the elements in the file */
};

/* The head of a whole file, whose size must be that of the array. false if it cannot be taken; then
 * message[size] holds a sentence with the place in the file. */
bool npy_read(struct npy_array *array, const char *file, size_t file_size, char *message, size_t size);

/* A head of version 1 and the elements. code: of a file that was read, or "" for the type's own. */
void npy_write(FILE *stream, const struct element_type *type, const char *code, const char *shape,
	const void *data, uint64_t count);

#endif
