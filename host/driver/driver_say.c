/* host/driver/driver_say.c -- lines on stderr for the user: each is said once, and at the end of the run how
 * often it would have been. */
#include "host/driver/driver.h"
#include "sim/text/terminal.h"

#include <stdarg.h>

#define MOST 64 /* different lines that are remembered; further ones are said each time */

static struct {
	char *text;
	uint64_t times;
} said[MOST];

static bool is_new_line(const char *line)
{
	size_t i = 0;

	for (; i < MOST && said[i].text; i++)
		if (!strcmp(said[i].text, line))
			return said[i].times++ == 0;
	if (i < MOST) {
		said[i].text = xstrdup(line);
		said[i].times = 1;
	}
	return true;
}

void driver_say(const char *format, ...)
{
	char text[1024], line[1040];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (!is_new_line(text))
		return;
	snprintf(line, sizeof line, "lockstep: %s", text);
	terminal_print_lines(stderr, line);
}

void driver_note(const char *line)
{
	if (session_note(driver.session, line))
		driver_say("%s", line);
}

void driver_say_counts(void)
{
	for (size_t i = 0; i < MOST && said[i].text; i++) {
		if (said[i].times > 1)
			fprintf(stderr, "lockstep: %llu times: %s\n", (unsigned long long)said[i].times,
				said[i].text);
		free(said[i].text);
		said[i].text = NULL;
	}
}
