/* sim/text/c_locale.h -- numbers are read and written with a decimal point, whatever locale the host
 * program has chosen (liblockstep also runs inside other programs, as libcuda). */
#ifndef SIM_TEXT_C_LOCALE_H
#define SIM_TEXT_C_LOCALE_H

#include "sim/base/types.h"
#include <locale.h>

/* Switches the calling thread to the C locale; pass the result to c_locale_leave(). */
static inline locale_t c_locale_enter(void)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);

	bug_if(!c, "no C locale");
	return uselocale(c);
}

static inline void c_locale_leave(locale_t before)
{
	freelocale(uselocale(before));
}

#endif
