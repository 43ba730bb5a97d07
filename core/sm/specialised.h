/* core/sm/specialised.h -- what most machines have alike (specialised.def), read by name: sm_has_gates(sm).
 * A file that is compiled with SM_SPECIALISED 1 (as Fermi's) or 2 (as Volta's) is for SMs that have these
 * values, and reads constants. */
#ifndef CORE_SM_SPECIALISED_H
#define CORE_SM_SPECIALISED_H

#ifndef SM_SPECIALISED
#define SM_SPECIALISED 0
#endif

#if SM_SPECIALISED == 1
#define SPECIALISED_READ(name, type, what, fermi, volta) fermi
#elif SM_SPECIALISED == 2
#define SPECIALISED_READ(name, type, what, fermi, volta) volta
#else
#define SPECIALISED_READ(name, type, what, fermi, volta) what
#endif

#define SPECIALISED(name, type, ...) \
	static inline type sm_##name(const struct sm *sm) \
	{ \
		(void)sm; \
		return SPECIALISED_READ(name, type, __VA_ARGS__); \
	}
#include "core/sm/specialised.def"
#undef SPECIALISED

#endif
