/* core/runtime/services.h -- what the system does for kernels: device memory (malloc, free), printing
 * (vprintf), assertions.
 *
 * All SMs share these, so they take effect in the commit phase, in SM order, like atomics. */
#ifndef CORE_RUNTIME_SERVICES_H
#define CORE_RUNTIME_SERVICES_H

#include "core/exec/exec.h"
#include "core/runtime/lane_memory.h"
#include <stdio.h>

struct services;

#define SERVICES_HEAP_BYTES   (UINT64_C(8) << 20) /* unless set otherwise, as on the chips */
#define SERVICES_OUTPUT_BYTES (UINT64_C(1) << 20)

/* Nothing is taken from the device before a kernel asks for it. */
struct services *services_new(struct device_memory *memory);
void services_free(struct services *s); /* NULL is allowed */

/* The sizes of the heap and of the buffer for what is printed; false once a kernel has used it. */
bool services_set_heap(struct services *s, uint64_t bytes);
bool services_has_heap(const struct services *s); /* one has */
bool services_set_output(struct services *s, uint64_t bytes);

/* Somebody who wants to hear of the heap from which kernels allocate: when it has been made, and of each
 * object that is given out or taken back. */
struct heap_listener {
	void (*made)(void *user, addr base, uint64_t bytes);
	void (*allocated)(void *user, addr object, uint64_t bytes);
	void (*released)(void *user, addr object);
	void *user;
};
/* Before the first kernel allocates; the listener is the caller's. */
void services_listen(struct services *s, const struct heap_listener *listener);

/* A system call that whoever starts kernels answers: launches by kernels, and questions about the device. */
struct device_call {
	unsigned which; /* enum ptx_syscall */
	const struct kernel_run *run;
	uint64_t cta, thread;       /* who calls: its CTA in the grid, and its thread in the CTA */
	const uint64_t *arguments;  /* as frontend/syscalls.def has them; a block takes three */
	struct lane_memory *memory; /* as the thread sees it */
};
typedef uint64_t (*device_call_function)(void *user, const struct device_call *call);
/* What answers them; NULL, as at first: they are faults. Where it leaves memory->wrong set, the call has the
 * fault of an access there. */
void services_answer(struct services *s, device_call_function answer, void *user);

/* Applies a recorded SYSCALL, lane by lane, and writes its results to the warp's rows. A fault goes to
 * x->fault, explained; after one nothing is done any more. */
void services_apply(struct exec *x, const struct exec_write *w);

/* Writes what kernels have printed since the last time, in order. */
void services_flush(struct services *s, FILE *out, FILE *error);

#endif
