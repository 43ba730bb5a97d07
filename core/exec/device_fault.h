/* core/exec/device_fault.h -- what a kernel did wrong, where, and the text that explains it. */
#ifndef CORE_EXEC_DEVICE_FAULT_H
#define CORE_EXEC_DEVICE_FAULT_H

#include "memsys/memory.h"

/* Kinds map to CUDA error codes in host/. */
enum fault_kind {
	FAULT_NONE,
	FAULT_OUT_OF_BOUNDS,
	FAULT_MISALIGNED,
	FAULT_ILLEGAL_INSTRUCTION,
	FAULT_TRAP,
	FAULT_BARRIER_DEADLOCK,
	FAULT_SHARED_OUT_OF_BOUNDS,
	FAULT_LOCAL_OUT_OF_BOUNDS,
	FAULT_STACK_OVERFLOW,
	FAULT_HANG,
	FAULT_ASSERT,
	FAULT_NO_TEXTURE,
	FAULT_UNBOUND_TEXTURE,
	FAULT_FREED_TEXTURE,
	FAULT_NO_CUBE,
	FAULT_SURFACE_OUT_OF_BOUNDS,
	FAULT_SURFACE_MISALIGNED,
	FAULT_INVALID_PC,
	FAULT_ADDRESS_SPACE,
	FAULT_CLUSTER_MEMORY,
	FAULT_TENSOR_MEMORY,
};
struct device_fault {
	enum fault_kind kind;
	const char *kernel;        /* borrowed from the kernel */
	const char *parent_kernel; /* the same of the kernel that has launched it; NULL: the host has */
	uint64_t parent;           /* the number of that launch */
	const char *file;          /* PTX file */
	uint32_t line;             /* PTX line */
	uint16_t code;             /* enum uop_code of the instruction; 0 if there is none */
	uint32_t cta[3], thread[3];
	uint32_t lane;
	bool is_store;
	addr address;           /* textures and surfaces: the handle */
	int32_t coordinates[3]; /* surfaces: byte (or texel) in the row, row, slice */
	uint32_t bytes;
	struct memory_range nearest; /* out of bounds: the nearest allocation */
	bool is_in_page;             /* a GPU would not notice it (memory_set_page) */
	char detail[256];            /* what is wrong, if the kind does not say it all; else empty */
	char text[6144];             /* the whole explanation, made by the core */
};

/* Out of bounds in device memory: what is allocated there. */
static inline void fault_find_nearest(
	struct device_fault *fault, const struct device_memory *memory, addr address)
{
	fault->nearest = memory_nearest(memory, address);
	fault->is_in_page = memory_is_in_page(memory, address);
}

#endif
