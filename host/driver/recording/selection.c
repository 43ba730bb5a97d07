/* host/driver/recording/selection.c -- names, numbers and ranges, separated by commas. */
#include "host/driver/recording/selection.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool is_in_range(const char *item, size_t length, uint64_t launch)
{
	char *end;
	uint64_t first = strtoull(item, &end, 10), last = first;

	if (!isdigit((unsigned char)*item))
		return false;
	if (*end == '-')
		last = strtoull(end + 1, &end, 10);
	return end == item + length && first <= launch && launch <= last;
}

bool selection_has(const char *selection, const char *kernel, uint64_t launch)
{
	for (const char *item = selection;; item++) {
		size_t length = strcspn(item, ",");

		if ((strlen(kernel) == length && memcmp(kernel, item, length) == 0) ||
			is_in_range(item, length, launch))
			return true;
		item += length;
		if (!*item)
			return false;
	}
}
