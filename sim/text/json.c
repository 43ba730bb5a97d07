/* sim/text/json.c -- texts in JSON. */
#include "sim/text/json.h"
#include "sim/text/utf8.h"
#include <string.h>

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
