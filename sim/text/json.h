/* sim/text/json.h -- texts in JSON. */
#ifndef SIM_TEXT_JSON_H
#define SIM_TEXT_JSON_H

#include <stddef.h>
#include <stdio.h>

/* Prints the text in quotes. It may be in any encoding: invalid UTF-8 becomes the replacement character. */
void json_bytes(const char *text, size_t length, FILE *stream);
void json_string(const char *text, FILE *stream);

#endif
