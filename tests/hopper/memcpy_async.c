/* tests/hopper/memcpy_async.c -- cuda::memcpy_async of groups and threads with cuda::barrier, as nvcc 13
 * compiles memcpy_async.cu for sm_90: bulk copies where size and alignment permit. */
#include "hopper.h"
#include <stdlib.h>

static void try_tiles(CUmodule module)
{
	enum { CTAS = 4, EACH = 1024, COUNT = CTAS * 3 * EACH };
	static int in[COUNT], got[COUNT];
	CUdeviceptr from, to = hopper_memory(NULL, sizeof(got));
	int each = EACH;

	for (int i = 0; i < COUNT; i++)
		in[i] = i * 7 - 3;
	from = hopper_memory(in, sizeof(in));
	must(hopper_launch(
		     hopper_kernel(module, "tile"), CTAS, 1, 128, 4 * EACH, (void *[]){ &to, &from, &each }),
		"tile");
	hopper_read(got, to, sizeof(got));
	for (int i = 0; i < COUNT; i++)
		if (!expect(got[i] == in[i] + 1, "tile: element %d is %d, not %d", i, got[i], in[i] + 1))
			break;
}

static void try_any(CUmodule module)
{
	static const int cases[][2] = { { 4096, 0 }, { 4096, 16 }, { 4096, 8 }, { 100, 4 }, { 1000, 1 },
		{ 48, 32 }, { 17, 16 }, { 1, 5 }, { 2048, 2 } };
	static char in[8192], got[8192];
	CUdeviceptr from, to = hopper_memory(NULL, sizeof(got));

	for (int i = 0; i < 8192; i++)
		in[i] = (char)(i * 31 + i / 256);
	from = hopper_memory(in, sizeof(in));
	for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
		int bytes = cases[c][0], start = cases[c][1];

		must(hopper_launch(hopper_kernel(module, "any"), 1, 1, 96, 4096,
			     (void *[]){ &to, &from, &bytes, &start }),
			"any");
		hopper_read(got, to, sizeof(got));
		for (int i = 0; i < bytes; i++)
			if (!expect(got[i] == in[start + i], "any: %d bytes from %d: byte %d", bytes, start,
				    i))
				break;
	}
}

static void try_threads(CUmodule module)
{
	double in[256], got[128];
	CUdeviceptr from, to = hopper_memory(NULL, sizeof(got));

	for (int i = 0; i < 256; i++)
		in[i] = i * 0.5;
	from = hopper_memory(in, sizeof(in));
	must(hopper_launch(hopper_kernel(module, "by_thread"), 1, 1, 128, 0, (void *[]){ &to, &from }),
		"by_thread");
	hopper_read(got, to, sizeof(got));
	for (int i = 0; i < 128; i++)
		expect(got[i] == in[255 - i], "by_thread: element %d", i);
}

int main(int argc, char **argv)
{
	CUmodule module = hopper_start(argc, argv, "memcpy_async");

	try_tiles(module);
	try_any(module);
	try_threads(module);
	forms(3);
	return hopper_end();
}
