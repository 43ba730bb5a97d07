/* cli/launch/argument.h -- kernel arguments written on the command line:
 *
 *   u32=17  s32=-3  f32=1.5                    a scalar
 *   f32[1048576]=iota                          a buffer in device memory; the kernel gets its address
 *   f32[64,256]=zero                           the same, of two dimensions
 *   ... =zero  =const(3.5)  =random(7)  =file:in.bin (f32[]=file:in.bin: as many elements as the file has)
 *   npy:in.npy                                 type, shape and contents from NumPy's file
 *   bf16[]=npy:in.npy                          of a type as wide as the file's
 *   same:0                                     the buffer of argument 0
 */
#ifndef CLI_LAUNCH_ARGUMENT_H
#define CLI_LAUNCH_ARGUMENT_H

#include "cli/launch/element.h"
#include "frontend/ptx.h"
#include "memsys/memory.h"

enum argument_fill { FILL_ZERO, FILL_CONSTANT, FILL_IOTA, FILL_RANDOM, FILL_FILE, FILL_SAME };

struct argument {
	const char *text; /* as written */
	const struct element_type *type;
	uint64_t bits; /* a scalar's value; FILL_CONSTANT */
	bool is_buffer;
	uint64_t count;   /* elements of a buffer */
	char *shape;      /* "(64, 256)", "(1024,)": owned */
	char npy_code[4]; /* the type as NumPy's file had it; "": none */
	size_t same;      /* FILL_SAME: the argument, an earlier one */
	enum argument_fill fill;
	uint64_t seed;  /* FILL_RANDOM */
	char *contents; /* FILL_FILE: owned; freed once the buffer is filled */
	size_t skipped; /* bytes of it, before the elements */
	addr address;   /* of a buffer, once it is allocated */
};

/* Reads arguments[index], to which same:N may give an earlier buffer. false, with diagnostics, if text is no
 * argument. Reads the file of FILL_FILE. */
bool argument_parse(struct argument *arguments, size_t index, const char *text, struct diag_list *diags);
void argument_fini(struct argument *argument);

/* Number, kind and size of the arguments against the kernel's parameters; file names the PTX file in
 * messages. */
bool arguments_check(const struct argument *arguments, size_t count, const struct ptx_kernel *kernel,
	const char *file, struct diag_list *diags);

/* Allocates and fills the buffer of arguments[index]; nothing to do for a scalar. */
bool argument_location(
	struct argument *arguments, size_t index, struct device_memory *memory, struct diag_list *diags);
/* Puts values and addresses where the kernel reads them; block has kernel->param_bytes. */
void arguments_write(
	const struct argument *arguments, size_t count, const struct ptx_kernel *kernel, uint8_t *block);

#endif
