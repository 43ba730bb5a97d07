/* core/sanitize/sanitize.h -- finds faults of the program that a GPU lets pass: `--sanitize`.
 *
 * The sanitizer replaces the tables of functions that execute instructions (core/exec/exec.h,
 * core/simt/control.h) by others, which look at an instruction's addresses after it has been executed and
 * keep shadow memory: for shared memory who accessed each byte last, for local and device memory what has
 * been written. It only looks, so that results and statistics stay as they are; without it, not an
 * instruction is added. One host thread executes all SMs while it is on, since they share the findings. */
#ifndef CORE_SANITIZE_SANITIZE_H
#define CORE_SANITIZE_SANITIZE_H

#include "sim/base/diag.h"
#include "sim/base/types.h"

enum sanitize_check {
	SANITIZE_MEMORY = 1, /* accesses outside objects; invalid and double free */
	SANITIZE_RACE = 2,   /* shared memory: accesses that no barrier orders; device memory: of two CTAs */
	SANITIZE_INIT = 4,   /* reads of memory that nobody has written */
	SANITIZE_SYNC = 8,   /* barriers and warp-level operations */
	SANITIZE_LEAK = 16,  /* allocations alive at the end */
};
#define SANITIZE_CHECK_COUNT 5

struct device_fault;
struct device_memory;
struct launch;
struct sanitizer;

/* Reads "race,init" or "all"; false, with diagnostics, if a name is not one of a check. */
bool sanitize_parse(const char *text, uint32_t *checks, struct diag_list *diags);

/* From now on machines that are built execute instructions under a sanitizer's eyes. One at a time; ends with
 * sanitizer_free. */
struct sanitizer *sanitizer_new(uint32_t checks);

/* The fault that has stopped the machine becomes a finding, if its check is on. */
void sanitizer_fault(struct sanitizer *sanitizer, const struct device_fault *fault, uint64_t launch);

/* Device memory, from the host's side; to be called when it happens, not when it is asked for. is_device: the
 * host cannot write to it directly. refused_free: the address that a call could not free. copied: from device
 * memory to device memory or to the host's. */
void sanitizer_allocated(struct sanitizer *sanitizer, addr start, uint64_t bytes, bool is_device);
void sanitizer_freed(struct sanitizer *sanitizer, addr start);
void sanitizer_refused_free(struct sanitizer *sanitizer, addr start, const char *call);
void sanitizer_written(struct sanitizer *sanitizer, addr start, uint64_t bytes);
void sanitizer_copied(struct sanitizer *sanitizer, addr to, addr from, uint64_t bytes);

/* The host has accessed memory of the device that it cannot access. */
void sanitizer_host_access(struct sanitizer *sanitizer, addr address, bool is_write);

/* Whether a check is on; NULL: none is. */
bool sanitizer_looks_for(const struct sanitizer *sanitizer, enum sanitize_check check);

/* The program has come to its end without a fault: what is not freed yet is a leak. */
void sanitizer_look_for_leaks(struct sanitizer *sanitizer);

/* How many places have been found; sum: how often altogether. */
uint64_t sanitizer_count(const struct sanitizer *sanitizer, uint64_t *sum);
/* All findings in words, and a line each for programs. False if they cannot be written. */
bool sanitizer_write(const struct sanitizer *sanitizer, const char *folder);
/* The first of them in short, and a line that adds up. folder: where the rest stands; NULL: nowhere. */
void sanitizer_print(const struct sanitizer *sanitizer, const char *folder, FILE *to);

void sanitizer_free(struct sanitizer *sanitizer);

#endif
