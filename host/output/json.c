/* host/output/json.c -- texts in JSON. */
#include "host/output/json.h"
#include <string.h>

/* Bytes of the UTF-8 character at c, 0 if there is none. */
static size_t utf8_length(const unsigned char *c, const unsigned char *end)
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

void json_bytes(const char *text, size_t length, FILE *stream)
{
	const unsigned char *c = (const unsigned char *)text, *end = c + length;

	fputc('"', stream);
	while (c < end) {
		size_t n = utf8_length(c, end);

		if (*c == '"' || *c == '\\')
			fprintf(stream, "\\%c", *c);
		else if (*c < 0x20 || !n)
			fprintf(stream, "\\u%04x", n ? *c : 0xfffd);
		else
			fwrite(c, 1, n, stream);
		c += n ? n : 1;
	}
	fputc('"', stream);
}

void json_string(const char *text, FILE *stream)
{
	json_bytes(text, strlen(text), stream);
}
