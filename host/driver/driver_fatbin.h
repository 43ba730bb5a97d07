/* host/driver/driver_fatbin.h -- fat binaries: PTX and machine code for several architectures, as nvcc makes
 * them. */
#ifndef HOST_DRIVER_DRIVER_FATBIN_H
#define HOST_DRIVER_DRIVER_FATBIN_H

#include "host/driver/driver.h"

enum image_kind { IMAGE_TEXT, IMAGE_CUBIN, IMAGE_FATBIN };
/* What a module image seems to be; its first byte must be readable, and 4 if it is not that of a text. */
enum image_kind image_kind(const void *image);

#define FATBIN_UNKNOWN SIZE_MAX
/* The PTX in a fat binary that suits the chip, malloc'ed and zero-terminated, and its length. room: bytes
 * that can be read, or FATBIN_UNKNOWN: then the image may also be a wrapper that points to the fat binary. If
 * it is damaged or has no PTX: an error, with a message that begins with the call's name. */
CUresult fatbin_text(const void *image, size_t room, const char *call, char **text, size_t *size);

/* Expands a block of LZ4 (without a frame) to exactly size bytes; false if it is damaged. */
bool lz4_expand(const uint8_t *block, size_t length, uint8_t *to, size_t size);

#endif
