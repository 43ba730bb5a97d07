/* frontend/parse/header.c -- the head of a module (.version, .target, .address_size) and which of them go
 * together; whether something is new enough for it. Versions are written as numbers: 31 is PTX ISA 3.1. Which
 * chip came with which version is what the vendor's assembler enforces. */
#include "frontend/parse/parser.h"
#include <stdlib.h>
#include <string.h>

#define NEWEST 90 /* the ISA that this reader was written for */

static const uint8_t versions[] = { 10, 11, 12, 13, 14, 15, 20, 21, 22, 23, 30, 31, 32, 40, 41, 42, 43, 50,
	51, 60, 61, 62, 63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87, 88,
	90 };

/* The version that knows sm_N, sm_Na and sm_Nf; 0: there is no such target. */
static const struct chip {
	uint8_t sm, general, specific, family;
} chips[] = {
	{ 10, 10, 0, 0 },
	{ 11, 10, 0, 0 },
	{ 12, 12, 0, 0 },
	{ 13, 12, 0, 0 },
	{ 20, 20, 0, 0 },
	{ 21, 20, 0, 0 },
	{ 30, 30, 0, 0 },
	{ 32, 40, 0, 0 },
	{ 35, 31, 0, 0 },
	{ 37, 41, 0, 0 },
	{ 50, 40, 0, 0 },
	{ 52, 41, 0, 0 },
	{ 53, 42, 0, 0 },
	{ 60, 50, 0, 0 },
	{ 61, 50, 0, 0 },
	{ 62, 50, 0, 0 },
	{ 70, 51, 0, 0 },
	{ 72, 61, 0, 0 },
	{ 75, 63, 0, 0 },
	{ 80, 70, 0, 0 },
	{ 82, 62, 0, 0 },
	{ 86, 71, 0, 0 },
	{ 87, 74, 0, 0 },
	{ 88, 73, 0, 0 },
	{ 89, 78, 0, 0 },
	{ 90, 78, 80, 0 },
	{ 100, 86, 86, 88 },
	{ 101, 86, 86, 88 },
	{ 103, 88, 88, 88 },
	{ 110, 90, 90, 90 },
	{ 120, 87, 87, 88 },
	{ 121, 88, 88, 88 },
};

static unsigned version_of(const struct ptx_parser *p)
{
	return p->module->version_major * 10 + p->module->version_minor;
}

bool is_older(const struct ptx_parser *p, unsigned version)
{
	return version_of(p) < version;
}

bool needs_version(struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version)
{
	if (!p->has_version || !is_older(p, version))
		return true;
	parse_error(p, location, NULL, "'%.100s' needs PTX ISA %u.%u or later (this module: %u.%u)", what,
		version / 10, version % 10, p->module->version_major, p->module->version_minor);
	return false;
}

bool needs_target(
	struct ptx_parser *p, struct ptx_location location, const char *what, unsigned sm, char suffix)
{
	const struct ptx_module *m = p->module;
	bool has_suffix = !suffix || m->target_suffix == suffix || (suffix == 'f' && m->target_suffix == 'a');

	if (!p->has_target || (m->sm >= sm && (has_suffix || (suffix == 'f' && m->sm >= sm + 10))))
		return true;
	if (suffix)
		parse_error(p, location, NULL, "'%.100s' needs .target sm_%u%c (this module: %s)", what, sm,
			suffix, m->target);
	else
		parse_error(p, location, NULL, "'%.100s' needs .target sm_%u or later (this module: %s)",
			what, sm, m->target);
	return false;
}

bool needs(
	struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version, unsigned sm)
{
	return needs_version(p, location, what, version) && needs_target(p, location, what, sm, 0);
}

bool is_gone(struct ptx_parser *p, struct ptx_location location, const char *what, unsigned version)
{
	if (!p->has_version || is_older(p, version))
		return false;
	parse_error(p, location, NULL, "'%.100s' went away with PTX ISA %u.%u (this module: %u.%u)", what,
		version / 10, version % 10, p->module->version_major, p->module->version_minor);
	return true;
}

/* Whether anything but the header was read. */
static bool is_late(const struct ptx_parser *p)
{
	return p->function_count || p->module->variables;
}

void set_version(struct ptx_parser *p, struct ptx_location location, unsigned major, unsigned minor)
{
	unsigned version = major * 10 + minor;
	bool is_known = minor < 10 && version <= NEWEST && memchr(versions, (int)version, sizeof(versions));

	if (p->has_version)
		parse_error(p, location, NULL, "a second '.version'");
	else if (is_late(p))
		parse_error(p, location, NULL, "'.version' must come first");
	p->has_version = true;
	p->module->version_major = major;
	p->module->version_minor = minor;
	if (minor < 10 && major < 10 && version > NEWEST)
		parse_warning(p, location, NULL,
			"PTX version %u.%u is newer than what this reader was written for (%u.%u)", major,
			minor, NEWEST / 10, NEWEST % 10);
	else if (!is_known)
		parse_error(p, location, NULL, "there is no PTX version %u.%u", major, minor);
}

static const struct chip *find_chip(unsigned sm)
{
	for (size_t i = 0; i < sizeof(chips) / sizeof(chips[0]); i++)
		if (chips[i].sm == sm)
			return &chips[i];
	return NULL;
}

static void unknown_target(struct ptx_parser *p, struct ptx_location location, const char *word)
{
	parse_error(p, location, "sm_20, sm_75, debug, map_f64_to_f32, texmode_independent ...",
		"unknown target '%.80s'", word);
}

/* sm_90, sm_90a, sm_100f */
static void set_chip(struct ptx_parser *p, struct ptx_location location, const char *word)
{
	char *end;
	unsigned sm = (unsigned)strtoul(word + 3, &end, 10), version;
	const struct chip *chip = find_chip(sm);

	p->has_target = true;
	p->module->target = word;
	p->module->sm = sm;
	p->module->target_suffix = *end;
	if (!chip || strlen(end) > 1) {
		unknown_target(p, location, word);
		return;
	}
	version = !*end ? chip->general : *end == 'a' ? chip->specific : *end == 'f' ? chip->family : 0;
	if (version)
		needs_version(p, location, word, version);
	else
		unknown_target(p, location, word);
}

static void set_texture_mode(struct ptx_parser *p, struct ptx_location location, const char *word)
{
	if (strcmp(word, "texmode_unified") && strcmp(word, "texmode_independent"))
		unknown_target(p, location, word);
	else if (p->module->texmode && strcmp(p->module->texmode, word))
		parse_error(p, location, NULL, "'%s' and '%s' exclude each other", p->module->texmode, word);
	else if (needs_version(p, location, word, 15)) {
		p->module->texmode = word;
		p->module->is_independent = !strcmp(word, "texmode_independent");
	}
}

void set_target(struct ptx_parser *p, struct ptx_location location, struct ptx_name *word, bool is_first)
{
	if (is_first && p->has_target)
		parse_error(p, location, NULL, "a second '.target'");
	if (!strncmp(word->text, "sm_", 3))
		set_chip(p, location, word->text);
	else if (!strcmp(word->text, "debug"))
		p->module->target_debug = true;
	else if (!strcmp(word->text, "map_f64_to_f32"))
		p->module->target_map_f64 = true;
	else if (!strncmp(word->text, "texmode_", 8))
		set_texture_mode(p, location, word->text);
	else
		unknown_target(p, location, word->text);
	if (is_first && !p->saw_version && !p->module->target_debug)
		parse_error(p, location, NULL, "'.version' must come before '.target'");
}

void target_end(struct ptx_parser *p, struct ptx_location location)
{
	if (p->module->target_map_f64 && p->module->sm >= 13)
		parse_error(p, location, NULL,
			"'map_f64_to_f32' is for chips without .f64: sm_10 to sm_12 (this module: %s)",
			p->module->target);
}

void set_address_size(struct ptx_parser *p, struct ptx_location location, uint64_t bits)
{
	if (bits != 32 && bits != 64) {
		parse_error(p, location, NULL, "the address size is 32 or 64");
		return;
	}
	if (p->has_address_size)
		parse_error(p, location, NULL, "a second '.address_size'");
	else if (is_late(p))
		parse_error(p, location, NULL, "'.address_size' belongs to the head of the module");
	else
		needs_version(p, location, ".address_size", 23);
	p->has_address_size = true;
	p->module->address_bits = (unsigned)bits;
	p->module->has_narrow_addresses = bits == 32;
}

static bool is_same_list(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes || a->space != b->space)
			return false;
	return !a && !b;
}

bool is_same_signature(const struct ptx_function *a, const struct ptx_function *b)
{
	return is_same_list(a->params, b->params) && is_same_list(a->returns, b->returns);
}

void add_alias(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *alias, struct ptx_name *target)
{
	struct alias *a;

	if (!needs(p, location, ".alias", 63, 30))
		return;
	if (!target->function || target->function->is_entry) {
		parse_error(
			p, location, NULL, "'%.200s' is no function that was declared before", target->text);
		return;
	}
	if (!alias->function || alias->function->is_entry) {
		parse_error(p, location, ".func g();", "'%.200s' must be declared as a function first",
			alias->text);
		return;
	}
	a = arena_new_of(p->arena, struct alias);
	*a = (struct alias){ p->aliases, alias, target, location };
	p->aliases = a;
}

static bool is_same_size(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes)
			return false;
	return !a && !b;
}

/* An alias is a second name of a function: calls go straight to the target. Its own declaration tells other
 * modules. */
void resolve_aliases(struct ptx_parser *p)
{
	for (const struct alias *a = p->aliases; a; a = a->next) {
		struct ptx_function *declared = a->alias->function, *target = a->target->function;

		if (declared && (declared->has_body || declared->is_entry))
			parse_error(p, a->location, NULL, "'%.200s' is defined on line %u", a->alias->text,
				declared->location.line);
		else if (declared &&
			(!is_same_size(declared->params, target->params) ||
				!is_same_size(declared->returns, target->returns)))
			parse_error(p, a->location, NULL, "'%.200s' is not declared as '%.200s' is",
				a->alias->text, a->target->text);
		else if (declared)
			declared->aliasee = target;
		a->alias->function = target;
	}
}
