/* sim/text/utf8.c -- UTF-8 in texts of other people. */
#include "sim/text/utf8.h"

size_t utf8_length(const unsigned char *c, const unsigned char *end)
{
	size_t length = *c < 0x80         ? 1
		: *c >= 0xc2 && *c < 0xe0 ? 2
		: *c >= 0xe0 && *c < 0xf0 ? 3
		: *c >= 0xf0 && *c < 0xf5 ? 4
					  : 0;

	if (length > (size_t)(end - c))
		return 0;
	for (size_t i = 1; i < length; i++)
		if (c[i] >> 6 != 2)
			return 0;
	if ((*c == 0xe0 && c[1] < 0xa0) || (*c == 0xed && c[1] > 0x9f) || (*c == 0xf0 && c[1] < 0x90) ||
		(*c == 0xf4 && c[1] > 0x8f))
		return 0; /* too long a form, a surrogate, beyond the last character */
	return length;
}
