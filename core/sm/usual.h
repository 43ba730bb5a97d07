/* core/sm/usual.h -- what most machines have alike (usual.def), read by name: sm_has_gates(sm). A file that
 * is compiled with SM_USUAL 1 (as Fermi's) or 2 (as Volta's) is for SMs that have these values, and reads
 * constants. */
#ifndef CORE_SM_USUAL_H
#define CORE_SM_USUAL_H

#ifndef SM_USUAL
#define SM_USUAL 0
#endif

#if SM_USUAL == 1
#define USUAL_READ(name, type, what, fermi, volta) fermi
#elif SM_USUAL == 2
#define USUAL_READ(name, type, what, fermi, volta) volta
#else
#define USUAL_READ(name, type, what, fermi, volta) what
#endif

#define USUAL(name, type, ...) \
	static inline type sm_##name(const struct sm *sm) \
	{ \
		(void)sm; \
		return USUAL_READ(name, type, __VA_ARGS__); \
	}
#include "core/sm/usual.def"
#undef USUAL

#endif
