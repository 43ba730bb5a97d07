/* The named samples, or all: "name: ok" for each, then PASS. */
#include "samples.h"

sample *sample::all;

int main(int argc, char **argv)
{
	int ran = 0;

	for (sample *s = sample::all; s; s = s->next) {
		bool wanted = argc < 2;
		for (int i = 1; i < argc; i++)
			wanted |= !strcmp(argv[i], s->name);
		if (!wanted)
			continue;
		if (argc == 2 && !strcmp(argv[1], "--list"))
			continue;
		s->run();
		CUDA(cudaGetLastError());
		CUDA(cudaDeviceSynchronize());
		printf("%s: ok\n", s->name);
		fflush(stdout);
		ran++;
	}
	if (argc == 2 && !strcmp(argv[1], "--list")) {
		for (sample *s = sample::all; s; s = s->next)
			puts(s->name);
		return 0;
	}
	CHECK(ran > 0);
	puts("PASS");
	return 0;
}
