/* sim/base/types.h -- types for numbers with a unit, used everywhere; internal errors. */
#ifndef SIM_BASE_TYPES_H
#define SIM_BASE_TYPES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint64_t picoseconds; /* simulated time since the GPU was built */
typedef uint64_t cycles;      /* cycles of one clock domain since the GPU was built */
typedef uint64_t addr; /* a device address, or an offset into device memory: the variable's name says which */

#define SIM_NEVER UINT64_MAX

/* bug(): an internal error, never the user's mistake: prints file, line and the message, then aborts. */
_Noreturn void bug_at(const char *file, int line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
#define bug(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)
#define bug_if(condition, ...) \
	do { \
		if (__builtin_expect(!!(condition), 0)) \
			bug_at(__FILE__, __LINE__, __VA_ARGS__); \
	} while (0)

/* For tables that describe the fields of a struct. FIELD_OFFSET is offsetof, and the compiler stops with the
 * message unless the field has the wanted type; an array of unknown size (uint64_t[]) stands for any size. */
#define FIELD_OF(type, field) (((type *)0)->field)
#define FIELD_OFFSET(type, field, wanted, message) \
	(offsetof(type, field) + \
		CHECKED(__builtin_types_compatible_p(__typeof__(FIELD_OF(type, field)), wanted), message))
/* 0, in a constant expression, where a _Static_assert cannot stand. */
#define CHECKED(condition, message) \
	(0 * sizeof(struct { \
		_Static_assert(condition, message); \
		int unused; \
	}))

#endif
