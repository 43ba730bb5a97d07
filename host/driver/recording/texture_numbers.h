/* host/driver/recording/texture_numbers.h -- a descriptor as numbers, and back. */
#ifndef HOST_DRIVER_RECORDING_TEXTURE_NUMBERS_H
#define HOST_DRIVER_RECORDING_TEXTURE_NUMBERS_H

#include "memsys/texture/texture.h"

#define TEXTURE_NUMBERS (12 + 6 * TEXTURE_LEVELS + 15)

void texture_to_numbers(const struct texture *texture, uint64_t numbers[TEXTURE_NUMBERS]);
/* false: no texture has such a descriptor. One whose memory is not there is not bound. */
bool texture_from_numbers(
	const struct device_memory *memory, struct texture *texture, const uint64_t numbers[TEXTURE_NUMBERS]);

#endif
