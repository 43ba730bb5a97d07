/* tests/host/launches/many_launches.c -- launches of two kernels that hardly do anything: launches N [M]: N
 * of `empty`, and every M-th time one of `few` behind it, which has two CTAs. Prints the bytes that the
 * process has written since the first launch, as Linux counts them. */
#include "../ok.h"

static const char text[] = ".version 3.0\n.target sm_20\n.address_size 64\n"
			   ".visible .entry empty()\n{\n\tret;\n}\n"
			   ".visible .entry few()\n{\n\tbar.sync 0;\n\tret;\n}\n";

/* 0: the system does not say. */
static unsigned long long bytes_written(void)
{
	FILE *f = fopen("/proc/self/io", "r");
	unsigned long long written = 0;
	char line[64];

	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "wchar: %llu", &written) == 1)
			break;
	if (f)
		fclose(f);
	return written;
}

int main(int argc, char **argv)
{
	int launches = argc > 1 ? atoi(argv[1]) : 1, every = argc > 2 ? atoi(argv[2]) : 0;
	unsigned long long before;
	CUdevice device;
	CUcontext context;
	CUmodule module;
	CUfunction empty, few;

	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	OK(cuCtxCreate(&context, 0, device));
	OK(cuModuleLoadData(&module, text));
	OK(cuModuleGetFunction(&empty, module, "empty"));
	OK(cuModuleGetFunction(&few, module, "few"));
	before = bytes_written();
	for (int i = 1; i <= launches; i++) {
		OK(cuLaunchKernel(empty, 1, 1, 1, 32, 1, 1, 0, 0, NULL, NULL));
		if (every && i % every == 0)
			OK(cuLaunchKernel(few, 2, 1, 1, 64, 1, 1, 0, 0, NULL, NULL));
	}
	OK(cuCtxSynchronize());
	printf("written: %llu\n", bytes_written() - before);
	return 0;
}
