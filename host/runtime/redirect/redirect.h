/* host/runtime/redirect/redirect.h -- inside liblockstep-redirect.so: the vendor's CUDA runtime in the
 * objects of a process (the program and its libraries), and jumps from it to ours. */
#ifndef HOST_RUNTIME_REDIRECT_REDIRECT_H
#define HOST_RUNTIME_REDIRECT_REDIRECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* -- functions of the runtime in an object (object.c) -- */

struct function {
	const char *name; /* in the mapped file */
	uintptr_t at;     /* in memory */
	size_t size;      /* in bytes */
	bool is_local;    /* nobody outside the object can call it by its name */
};
struct object {
	const unsigned char *file; /* mapped */
	size_t size;
	struct function *functions; /* by name */
	size_t count;
	bool is_ours; /* one of Lockstep's own libraries */
};

/* Finds them by the symbol table of the ELF file `path`, whose addresses `base` is added to. false: there are
 * none, or the file cannot be read. */
bool object_open(struct object *object, const char *path, uintptr_t base);
void object_close(struct object *object);
const struct function *object_find(const struct object *object, const char *name);
/* Where their code begins and ends, with room for a jump behind the last. */
void object_range(const struct object *object, uintptr_t *from, uintptr_t *to);
/* The bytes of a text occur in the file. */
bool object_contains(const struct object *object, const char *text);

/* -- jumps (jump.c) -- */

/* What a function jumps to. */
struct target {
	const void *_Atomic code; /* jump_resolve until it is known; must be first */
	const char *name;
	const char *library; /* of ours: the name of its file */
};

/* Between these two calls code of the range can be written, and not be executed. false: the system forbids
 * it. */
bool jumps_begin(uintptr_t from, uintptr_t to);
bool jumps_end(uintptr_t from, uintptr_t to);
/* The code at `at`, `size` bytes long, becomes a jump to target->code as it is at each call. false: there is
 * no room. */
bool jump_write(uintptr_t at, size_t size, struct target *target);
/* One instruction becomes a jump to code that is near; false if it is not. */
bool jump_write_near(uintptr_t at, const void *code);
extern const size_t jump_size; /* most bytes that a jump takes */

/* Code, and no C function: asks target_code where to go, with the arguments of the call as they are. Those
 * that are floating point are lost; no function of the runtime has one. */
extern const char jump_resolve[];

/* -- an object's calls (redirect.c) -- */

/* Sends them to our runtime if the vendor's is in the object. */
void redirect_object(const char *path, uintptr_t base);
/* The one of that name in a library of ours. */
struct target *target_of(const char *name, const char *library);
/* Calls of the vendor's compilers, if the object is one of them (compiler.c). */
void redirect_compiler(const struct object *object, const char *path);
/* The code of a target, when it is called first: loads our library, which must not be done while the process
 * starts or objects are being loaded. */
const void *target_code(struct target *target);

#endif
