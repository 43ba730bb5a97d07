/* tests/fuzz/fuzz_ptx.c -- libFuzzer on libptx: scanner, grammar, checks, printer and the lowering behind
 * them, and on the execution of what comes out (hold.h says what must hold), of texts that mutate.h changes.
 */
#include "tests/fuzz/hold.h"
#include "tests/fuzz/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
	uint8_t *out, size_t max_size, unsigned seed);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	hold((const char *)data, size);
	return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	return mutate(data, size, max_size, seed);
}

/* Some lines of the other text within this one. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other, size_t other_size,
	uint8_t *out, size_t max_size, unsigned seed)
{
	size_t start, end, from, to, last;

	if (!size || !other_size || size > max_size)
		return 0;
	memcpy(out, data, size);
	find_line(out, size, next_random(&seed) % size, &start, &end);
	find_line(other, other_size, next_random(&seed) % other_size, &from, &to);
	for (unsigned more = next_random(&seed) % 4; more && to < other_size; more--)
		find_line(other, other_size, to, &last, &to);
	return splice(
		out, size, max_size, start, next_random(&seed) % 2 ? start : end, other + from, to - from);
}
