/* sim/config/config_value.c -- converts between scalars and declared parameters: numbers, truth values,
 * choices, texts. */
#include "sim/config/config_internal.h"
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define TWO_TO_64 18446744073709551616.0

static bool is_whole_parameter(const struct sim_param *p)
{
	return p->type == SIM_PARAM_U32 || p->type == SIM_PARAM_U64;
}

/* A default or limit of an integer parameter; tables store them as double, in which UINT64_MAX is 2^64. */
static uint64_t to_whole(double number)
{
	if (!(number > 0))
		return 0;
	return number >= TWO_TO_64 ? UINT64_MAX : (uint64_t)number;
}

/* -- from text -- */

static enum number_fit parse_bool(const char *text, uint64_t *whole)
{
	static const char *const words[] = { "false", "true", "no", "yes", "off", "on" };

	for (unsigned i = 0; i < 6; i++) {
		if (!strcasecmp(text, words[i])) {
			*whole = i % 2;
			return NUMBER_FITS;
		}
	}
	return NUMBER_WRONG_FORM;
}

static enum number_fit parse_choice(const char *text, const char *const *names, uint64_t *whole)
{
	for (*whole = 0; names[*whole]; ++*whole) {
		if (!strcmp(text, names[*whole]))
			return NUMBER_FITS;
	}
	return NUMBER_WRONG_FORM;
}

static enum number_fit parse_text(
	const struct sim_param *p, const struct config_node *node, const char **text)
{
	*text = config_is_nothing(node) ? NULL : node->value;
	return *text || !p->text ? NUMBER_FITS : NUMBER_WRONG_FORM;
}

enum number_fit config_value_parse(
	const struct sim_param *p, const struct config_node *node, struct config_value *value)
{
	enum number_fit fit = NUMBER_WRONG_FORM;
	long double number = 0;
	const char *end;

	*value = (struct config_value){ .from = node };
	switch (p->type) {
	case SIM_PARAM_U32:
	case SIM_PARAM_U64:
		fit = number_read(node->value, &end, &value->whole);
		fit = *end ? NUMBER_WRONG_FORM : fit;
		number = value->whole;
		break;
	case SIM_PARAM_F64:
		fit = number_real(node->value, &value->real);
		number = value->real;
		break;
	case SIM_PARAM_BOOL:
		return parse_bool(node->value, &value->whole);
	case SIM_PARAM_ENUM:
		return parse_choice(node->value, p->names, &value->whole);
	case SIM_PARAM_STRING:
		return parse_text(p, node, &value->text);
	case SIM_PARAM_END:
		break;
	}
	if (fit == NUMBER_FITS && !(number >= p->minimum && number <= p->maximum))
		return NUMBER_OUT_OF_RANGE;
	return fit;
}

struct config_value config_value_default(const struct sim_param *p)
{
	return (struct config_value){ .whole = to_whole(p->number), .real = p->number, .text = p->text };
}

void config_value_store(const struct sim_param *p, const struct config_value *value, void *object)
{
	void *field = (char *)object + p->offset;

	switch (p->type) {
	case SIM_PARAM_U32:
	case SIM_PARAM_ENUM:
		*(uint32_t *)field = (uint32_t)value->whole;
		break;
	case SIM_PARAM_U64:
		*(uint64_t *)field = value->whole;
		break;
	case SIM_PARAM_F64:
		*(double *)field = value->real;
		break;
	case SIM_PARAM_BOOL:
		*(bool *)field = value->whole;
		break;
	case SIM_PARAM_STRING:
		*(const char **)field = value->text;
		break;
	case SIM_PARAM_END:
		break;
	}
}

/* -- to text -- */

/* The shortest decimal number that is read back as the same value. */
static const char *show_real(struct config *config, double number)
{
	char text[40];

	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	return config_format(config, "%s", text);
}

static const char *show_number(struct config *config, const struct sim_param *p, double number)
{
	if (is_whole_parameter(p))
		return config_format(config, "%" PRIu64, to_whole(number));
	return show_real(config, number);
}

const char *config_show_value(
	struct config *config, const struct sim_param *p, const struct config_value *value)
{
	switch (p->type) {
	case SIM_PARAM_U32:
	case SIM_PARAM_U64:
		return config_format(config, "%" PRIu64, value->whole);
	case SIM_PARAM_F64:
		return show_real(config, value->real);
	case SIM_PARAM_BOOL:
		return value->whole ? "true" : "false";
	case SIM_PARAM_ENUM:
		return p->names[value->whole];
	default:
		return value->text ? value->text : "none";
	}
}

static const char *show_choices(struct config *config, const char *const *names)
{
	const char *list = names[0] ? names[0] : "";

	for (size_t i = 1; names[0] && names[i]; i++)
		list = config_format(config, "%s, %s", list, names[i]);
	return list;
}

const char *config_show_range(struct config *config, const struct sim_param *p)
{
	switch (p->type) {
	case SIM_PARAM_BOOL:
		return "true or false";
	case SIM_PARAM_ENUM:
		return show_choices(config, p->names);
	case SIM_PARAM_STRING:
		return "a text";
	default:
		return config_format(config, "%s to %s", show_number(config, p, p->minimum),
			show_number(config, p, p->maximum));
	}
}

/* -- the table itself -- */

static uint64_t count_enum_names(const char *const *names)
{
	uint64_t count = 0;

	while (names && names[count])
		count++;
	return count;
}

void config_check_table(const char *path, const struct sim_param *table)
{
	for (const struct sim_param *p = table; p->type != SIM_PARAM_END; p++) {
		bool number = is_whole_parameter(p) || p->type == SIM_PARAM_F64;

		bug_if(strchr(p->name, '.'), "parameter %s of \"%s\": a name has no dots", p->name, path);
		bug_if(!*path && !strcmp(p->name, "base"), "base at the top names the file underneath");
		bug_if(number && !isfinite(p->number), "parameter %s of \"%s\": its default is not finite",
			p->name, path);
		bug_if(number && !(p->number >= p->minimum && p->number <= p->maximum),
			"parameter %s of \"%s\": its default is out of its range", p->name, path);
		bug_if(p->type == SIM_PARAM_U32 && p->maximum > UINT32_MAX,
			"parameter %s of \"%s\": its maximum does not fit 32 bits", p->name, path);
		bug_if(p->type == SIM_PARAM_ENUM &&
				!(p->number >= 0 && to_whole(p->number) < count_enum_names(p->names)),
			"parameter %s of \"%s\": its default is none of its choices", p->name, path);
	}
}
