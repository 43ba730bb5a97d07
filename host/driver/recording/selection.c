/* host/driver/recording/selection.c -- names, numbers and ranges, separated by commas. */
#include "host/driver/recording/selection.h"
#include "sim/text/number.h"

#include <ctype.h>
#include <string.h>

static bool is_launch_in_range(const char *item, size_t length, uint64_t launch)
{
	const char *end;
	uint64_t first, last;

	if (!isdigit((unsigned char)*item) || number_read(item, &end, &first) != NUMBER_FITS)
		return false;
	last = first;
	if (*end == '-' && number_read(end + 1, &end, &last) != NUMBER_FITS)
		return false;
	return end == item + length && first <= launch && launch <= last;
}

bool selection_has(const char *selection, const char *kernel, uint64_t launch)
{
	for (const char *item = selection;; item++) {
		size_t length = strcspn(item, ",");

		if ((strlen(kernel) == length && memcmp(kernel, item, length) == 0) ||
			is_launch_in_range(item, length, launch))
			return true;
		item += length;
		if (!*item)
			return false;
	}
}
