/* tests/process/pair.c -- two libraries whose kernels have the same name: `pair A B` loads both, uses them in
 * turn, unloads one, and loads it again. `pair A`: A is loaded into a namespace of its own. */
#include <dlfcn.h>
#include <stdio.h>

static void *load(const char *path, int is_apart)
{
	void *library = is_apart ? dlmopen(LM_ID_NEWLM, path, RTLD_NOW) : dlopen(path, RTLD_NOW | RTLD_LOCAL);

	if (!library)
		puts(dlerror());
	return library;
}

static int use(void *library)
{
	int r = library ? ((int (*)(void))dlsym(library, "work"))() : -3;

	printf("work: %s %d\n", r ? "BAD" : "OK", r);
	fflush(stdout);
	return r;
}

int main(int argc, char **argv)
{
	void *a = load(argv[1], argc == 2), *b = argc == 3 ? load(argv[2], 0) : NULL;
	int r = use(a);

	if (!b)
		return r;
	r |= use(b) | use(a) | dlclose(a) | use(b);
	return r | use(load(argv[1], 0)) | use(b);
}
