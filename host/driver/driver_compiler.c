/* host/driver/driver_compiler.c -- a program that compiles its kernels with the vendor's libnvrtc for the
 * chip that it finds: the library refuses chips that are too old for it. */
#include "host/driver/driver.h"

#include <dlfcn.h>

/* The oldest chip for which it makes code, as in sm_75; 0: it is not in the process, or does not say. */
static unsigned oldest_chip(void)
{
	int (*count_of)(int *count), (*chips_of)(int *chips);
	int count = 0, oldest = 0;

	*(void **)&count_of = dlsym(RTLD_DEFAULT, "nvrtcGetNumSupportedArchs");
	*(void **)&chips_of = dlsym(RTLD_DEFAULT, "nvrtcGetSupportedArchs");
	if (!count_of || !chips_of || count_of(&count) || count <= 0)
		return 0;
	int *chips = xcalloc((size_t)count, sizeof *chips);
	if (!chips_of(chips))
		oldest = chips[0];
	for (int i = 1; i < count; i++)
		oldest = chips[i] < oldest ? chips[i] : oldest;
	free(chips);
	return (unsigned)oldest;
}

void compiler_check(void)
{
	unsigned oldest = oldest_chip();

	if (oldest)
		session_say_compiler(driver.session, "libnvrtc", oldest);
}
