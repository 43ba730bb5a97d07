/* tests/runtime/closed.c -- a library like the vendor's, whose runtime library asks the driver for what the
 * API does not show (with -DLIBRARY), and a program that uses it. */
#ifdef LIBRARY
int cuGetExportTable(const void **table, const void *id);
int closed_call(void);

int closed_call(void)
{
	const void *table;

	return cuGetExportTable(&table, "0123456789abcdef");
}
#else
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
	int (*call)(void) = library ? (int (*)(void))dlsym(library, "closed_call") : 0;

	printf("%d\n", call ? call() : -1);
	return 0;
}
#endif
