/* tests/hopper/named_barriers.c -- barriers 0 to 15, named by a register. */
#include "hopper.h"

enum { THREADS = 256 };

static void try_pairs(CUmodule module)
{
	CUdeviceptr out = hopper_memory(NULL, 4 * THREADS);
	uint32_t got[THREADS / 2];

	must(hopper_launch(hopper_kernel(module, "pairs"), 1, 1, THREADS, 0, (void *[]){ &out }), "pairs");
	hopper_read(got, out, sizeof(got));
	for (unsigned t = 0; t < THREADS / 2; t++)
		expect(got[t] == 7 * (t + 128) + 3, "pairs: thread %u of the other warp stored %u, not %u", t,
			got[t], 7 * (t + 128) + 3);
}

static void try_turns(CUmodule module)
{
	CUdeviceptr out = hopper_memory(NULL, 4 * THREADS);
	uint32_t got[THREADS], want = 0;

	must(hopper_launch(hopper_kernel(module, "turns"), 1, 1, THREADS, 0, (void *[]){ &out }), "turns");
	hopper_read(got, out, sizeof(got));
	for (unsigned b = 0; b < 16; b++)
		want = 3 * want + (THREADS - b) + (b % 2 ? 0 : b);
	for (unsigned t = 0; t < THREADS; t++)
		expect(got[t] == want, "turns: thread %u has %u, not %u", t, got[t], want);
}

int main(int argc, char **argv)
{
	CUmodule module = hopper_start(argc, argv, "named_barriers");

	try_pairs(module);
	try_turns(module);
	fact(50, "named barriers by a register, each with its own count; bar.arrive does not wait");
	forms(3);
	return hopper_end();
}
