/* core/kernel/carve_out.c -- sizes of shared memory in the array that it shares with the L1: reading and
 * choosing. */
#include "core/kernel/carve_out.h"
#include "sim/text/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool carve_outs_read(struct carve_outs *sizes, const char *list, char *message, size_t size)
{
	const char *at = list;

	*sizes = (struct carve_outs){ 0 };
	if (!strcmp(list, "none"))
		return true;
	while (*(at += strspn(at, " "))) {
		const char *end;
		uint64_t bytes = 0;

		if (number_read(at, &end, &bytes) != NUMBER_FITS || (*end && *end != ' ') ||
			bytes > 1048576) {
			snprintf(message, size,
				"\"%s\", character %zu: expected sizes up to 1024K, such as 0 8K 96K", list,
				(size_t)(at - list) + 1);
			return false;
		}
		if (sizes->count == CARVE_OUTS || (sizes->count && bytes <= sizes->bytes[sizes->count - 1])) {
			snprintf(message, size,
				"\"%s\", character %zu: expected at most %d sizes, each larger than the one "
				"before",
				list, (size_t)(at - list) + 1, CARVE_OUTS);
			return false;
		}
		sizes->bytes[sizes->count++] = (uint32_t)bytes;
		at = end;
	}
	return true;
}

bool carve_outs_check(const struct carve_outs *sizes, uint64_t l1_bytes, uint32_t way_bytes,
	uint32_t shared_bytes, char *message, size_t size)
{
	uint32_t largest = sizes->count ? sizes->bytes[sizes->count - 1] : shared_bytes;

	if (largest != shared_bytes) {
		snprintf(message, size, "the largest size is %" PRIu32 " bytes, sm.shared_bytes %" PRIu32,
			largest, shared_bytes);
		return false;
	}
	for (uint32_t i = 0; i < sizes->count; i++)
		if (sizes->bytes[i] % way_bytes || sizes->bytes[i] + (uint64_t)way_bytes > l1_bytes) {
			snprintf(message, size,
				"%" PRIu32 " bytes are no whole ways of %" PRIu32 " bytes that leave one of "
				"the %" PRIu64 " bytes of sm.l1d",
				sizes->bytes[i], way_bytes, l1_bytes);
			return false;
		}
	return true;
}

uint32_t carve_out_for(const struct carve_outs *sizes, uint32_t bytes, uint32_t percent)
{
	uint32_t i = 0, largest = sizes->bytes[sizes->count - 1];
	uint64_t preferred = (uint64_t)largest * (percent < 100 ? percent : 100) / 100;

	while (i < sizes->count - 1 && (sizes->bytes[i] < bytes || sizes->bytes[i] < preferred))
		i++;
	return sizes->bytes[i];
}
