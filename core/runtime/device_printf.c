/* core/runtime/device_printf.c -- printf as kernels call it. Each conversion is taken apart, its argument
 * fetched by its size, and the host's printf given the same conversion and that value. */
#include "core/runtime/device_printf.h"
#include "sim/text/c_locale.h"
#include <stdlib.h>
#include <string.h>

#define WIDEST 4095 /* width and precision beyond are cut to it, as C promises no more for one conversion */

/* Of an argument; a word is as long as an address. */
enum length { LENGTH_NONE, LENGTH_CHAR, LENGTH_SHORT, LENGTH_LONG, LENGTH_LONG_DOUBLE, LENGTH_WORD };

struct conversion {
	char flags[8];
	int width, precision; /* -1: not given */
	bool width_is_argument, precision_is_argument;
	enum length length;
	char letter;
};

struct formatter {
	struct text *text;
	struct lane_memory *memory;
	addr arguments;
	int count;
	bool failed;
};

static int parse_number(const char **at, const char *end)
{
	int value = 0;

	for (; *at < end && **at >= '0' && **at <= '9'; ++*at)
		value = value > WIDEST ? value : 10 * value + (**at - '0');
	return value > WIDEST ? WIDEST : value;
}

static enum length parse_length(const char **at, const char *end)
{
	static const struct {
		const char *text;
		enum length length;
	} lengths[] = { { "hh", LENGTH_CHAR }, { "h", LENGTH_SHORT }, { "ll", LENGTH_LONG },
		{ "l", LENGTH_WORD }, { "j", LENGTH_LONG }, { "z", LENGTH_WORD }, { "t", LENGTH_WORD },
		{ "q", LENGTH_LONG }, { "L", LENGTH_LONG_DOUBLE } };

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		size_t size = strlen(lengths[i].text);

		if ((size_t)(end - *at) >= size && !memcmp(*at, lengths[i].text, size)) {
			*at += size;
			return lengths[i].length;
		}
	}
	return LENGTH_NONE;
}

/* The conversion after a '%'. Returns where it ends; the letter is 0 if it is no conversion. */
static const char *parse_conversion(struct conversion *c, const char *at, const char *end)
{
	size_t flags = 0;

	*c = (struct conversion){ .width = -1, .precision = -1 };
	for (; at < end && strchr("-+ #0", *at) && *at; at++)
		if (flags < sizeof(c->flags) - 1 && !strchr(c->flags, *at))
			c->flags[flags++] = *at;
	c->width_is_argument = at < end && *at == '*';
	if (c->width_is_argument)
		at++;
	else if (at < end && *at >= '1' && *at <= '9')
		c->width = parse_number(&at, end);
	if (at < end && *at == '.') {
		at++;
		c->precision_is_argument = at < end && *at == '*';
		if (c->precision_is_argument)
			at++;
		else
			c->precision = parse_number(&at, end);
	}
	c->length = parse_length(&at, end);
	if (at < end && *at && strchr("diouxXcfFeEgGaAsp", *at))
		c->letter = *at++;
	return at;
}

/* The next argument, of 4 or 8 bytes, with zeros above. */
static uint64_t next_argument(struct formatter *f, unsigned bytes)
{
	uint64_t value = 0;

	f->arguments = (f->arguments + bytes - 1) / bytes * bytes;
	if (!f->failed && !lane_memory_read(f->memory, f->arguments, &value, bytes))
		f->failed = true;
	f->arguments += bytes;
	f->count++;
	return value;
}

static unsigned word_bytes(const struct formatter *f)
{
	return f->memory->is_narrow ? 4 : 8;
}

static void take_sizes(struct formatter *f, struct conversion *c)
{
	if (c->width_is_argument) {
		int64_t width = (int32_t)next_argument(f, 4);

		if (width < 0 && !strchr(c->flags, '-'))
			strcat(c->flags, "-"); /* five flags at most */
		width = width < 0 ? -width : width;
		c->width = width > WIDEST ? WIDEST : (int)width;
	}
	if (c->precision_is_argument) {
		int32_t precision = (int32_t)next_argument(f, 4);

		c->precision = precision < 0 ? -1 : precision > WIDEST ? WIDEST : precision;
	}
}

static void append_string(struct formatter *f, const struct conversion *c)
{
	addr address = next_argument(f, word_bytes(f));
	uint64_t limit = c->precision < 0 ? UINT64_MAX : (uint64_t)c->precision, length = 6, pad;
	const char *string = "(null)";
	bool is_left = strchr(c->flags, '-') != NULL;

	if (address)
		string = f->failed ? NULL : lane_memory_string(f->memory, address, limit, &length);
	else if (limit < length)
		length = 0; /* as the GNU library does */
	if (!string) {
		f->failed = true;
		return;
	}
	pad = c->width > 0 && (uint64_t)c->width > length ? (uint64_t)c->width - length : 0;
	for (uint64_t i = 0; !is_left && i < pad; i++)
		text_append(f->text, " ", 1);
	text_append(f->text, string, length);
	for (uint64_t i = 0; is_left && i < pad; i++)
		text_append(f->text, " ", 1);
}

/* "%-08.3lld" of a conversion. */
static void spell_conversion(const struct conversion *c, const char *length, char *text, size_t size)
{
	char width[16] = "", precision[16] = "";

	if (c->width >= 0)
		snprintf(width, sizeof(width), "%d", c->width);
	if (c->precision >= 0)
		snprintf(precision, sizeof(precision), ".%d", c->precision);
	snprintf(text, size, "%%%s%s%s%s%c", c->flags, width, precision, length, c->letter);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static void append_number(struct formatter *f, const struct conversion *c)
{
	static const char *const lengths[] = { "", "hh", "h", "ll", "" };
	bool is_float = strchr("fFeEgGaA", c->letter) != NULL;
	bool is_wide = is_float || (c->letter == 'p' && word_bytes(f) == 8) ||
		(c->length == LENGTH_LONG && c->letter != 'c');
	uint64_t value = next_argument(f, is_wide ? 8 : 4);
	char format[64], buffer[WIDEST + 512];
	double number;
	int size;

	spell_conversion(
		c, is_float || strchr("cp", c->letter) ? "" : lengths[c->length], format, sizeof(format));
	memcpy(&number, &value, sizeof(number));
	if (is_float)
		size = snprintf(buffer, sizeof(buffer), format, number);
	else if (c->letter == 'p')
		size = snprintf(buffer, sizeof(buffer), format, (void *)(uintptr_t)value);
	else if (is_wide)
		size = snprintf(buffer, sizeof(buffer), format, (long long)value);
	else
		size = snprintf(buffer, sizeof(buffer), format, (int)value);
	if (size > 0)
		text_append(
			f->text, buffer, (size_t)size < sizeof(buffer) ? (size_t)size : sizeof(buffer) - 1);
}

#pragma GCC diagnostic pop

static void format_all(struct formatter *f, const char *at, const char *end)
{
	while (at < end) {
		const char *percent = memchr(at, '%', (size_t)(end - at)), *after;
		struct conversion c;

		text_append(f->text, at, (size_t)((percent ? percent : end) - at));
		if (!percent)
			return;
		after = parse_conversion(&c, percent + 1, end);
		if (percent + 1 < end && percent[1] == '%')
			after = percent + 2;
		if (!c.letter) { /* "%%" is one character; an unknown conversion is printed unchanged */
			text_append(f->text, percent,
				after == percent + 2 && after[-1] == '%' ? 1 : (size_t)(after - percent));
			at = after;
			continue;
		}
		if (c.length == LENGTH_WORD)
			c.length = word_bytes(f) == 8 ? LENGTH_LONG : LENGTH_NONE;
		take_sizes(f, &c);
		if (c.letter == 's')
			append_string(f, &c);
		else
			append_number(f, &c);
		at = after;
	}
}

int device_printf(struct text *text, struct lane_memory *memory, addr format, addr arguments)
{
	struct formatter f = { .text = text, .memory = memory, .arguments = arguments };
	uint64_t length;
	const char *string;
	locale_t before;

	if (!format)
		return -1;
	string = lane_memory_string(memory, format, UINT64_MAX, &length);
	if (!string)
		return -2;
	before = c_locale_enter();
	format_all(&f, string, string + length);
	c_locale_leave(before);
	return f.failed ? -2 : f.count;
}
