/* sim/text/utf8.h -- UTF-8 in texts of other people. */
#ifndef SIM_TEXT_UTF8_H
#define SIM_TEXT_UTF8_H

#include <stddef.h>

/* Bytes of the character at c, which lies before end; 0: the bytes are none. */
size_t utf8_length(const unsigned char *c, const unsigned char *end);

#endif
