/* tests/cli/descriptors.c -- a program that closes descriptors of others: PTX-FILE WHAT OWN-FILE. Between two
 * launches it
 *
 *     few      closes 3 to 63, and opens its own file as often
 *     all      closes all from 3 on
 *     taken    has its own file under every number that is open
 *     removed  removes stats.txt.part, the path of which is OWN-FILE
 *     none     does nothing
 *
 * What it writes into its own file is "mine" and a line end, for each number. */
#include "cuda.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static CUfunction brief;
static CUdeviceptr counter;

static int launch(void)
{
	void *parameters[] = { &counter };

	return cuLaunchKernel(brief, 1, 1, 1, 32, 1, 1, 0, NULL, parameters, NULL) || cuCtxSynchronize();
}

static int mine(const char *path)
{
	return open(path, O_WRONLY | O_CREAT | O_APPEND, 0666);
}

static void few(const char *path)
{
	for (int i = 3; i < 64; i++)
		close(i);
	for (int i = 3; i < 64; i++)
		if (mine(path) != i || write(i, "mine\n", 5) != 5)
			exit(4);
}

/* Also behind those that are open: what takes such a number later is ours, too. */
static void taken(const char *path)
{
	int own = mine(path), numbers[256], count = 0;
	DIR *open_ones = opendir("/proc/self/fd");

	for (struct dirent *entry; (entry = readdir(open_ones)) && count < 256;) {
		int number = atoi(entry->d_name);

		if (number > 2 && number != own && number != dirfd(open_ones))
			numbers[count++] = number;
	}
	closedir(open_ones);
	for (int i = 0; i < count; i++)
		if (dup2(own, numbers[i]) < 0 || write(numbers[i], "mine\n", 5) != 5)
			exit(4);
}

int main(int argc, char **argv)
{
	CUcontext context;
	CUmodule module;

	if (argc != 4 || cuInit(0) || cuCtxCreate(&context, 0, 0) || cuModuleLoad(&module, argv[1]) ||
		cuModuleGetFunction(&brief, module, "brief") || cuMemAlloc(&counter, 8) || launch())
		return 3;
	if (!strcmp(argv[2], "few"))
		few(argv[3]);
	if (!strcmp(argv[2], "all"))
		closefrom(3);
	if (!strcmp(argv[2], "taken"))
		taken(argv[3]);
	if (!strcmp(argv[2], "removed") && unlink(argv[3]))
		return 4;
	if (launch())
		return 3;
	puts("fine");
	return 0;
}
