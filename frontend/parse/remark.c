/* frontend/parse/remark.c -- what has no effect on execution but belongs to the module: pragmas, source files
 * and places, debug sections. Kept in order, so that a module can be printed back whole. */
#include "frontend/parse/parser.h"
#include <string.h>

static struct ptx_remark *add_remark(struct ptx_parser *p, enum ptx_remark_kind kind)
{
	struct ptx_remark *remark = arena_new_of(p->arena, struct ptx_remark);

	remark->kind = kind;
	if (p->function) {
		remark->insn = p->function->insn_count;
		*p->remarks_end = remark;
		p->remarks_end = &remark->next;
	} else {
		*p->module_remarks_end = remark;
		p->module_remarks_end = &remark->next;
	}
	return remark;
}

/* A pragma that has a meaning, and where it may stand: in a module (and a function's head), in a function. */
static const struct pragma {
	const char *word; /* the first one */
	bool takes_more;
	bool is_for_module, is_for_body;
	uint8_t version;
} pragmas[] = {
	{ "nounroll", false, true, true, 20 },
	{ "abi_param_reg", true, true, false, 90 },
	{ "used_bytes_mask", true, false, true, 83 },
	{ "enable_smem_spilling", false, false, true, 90 },
	{ "frequency", true, false, true, 90 },
};

/* text: with its quotes */
static const struct pragma *find_pragma(const char *text)
{
	for (size_t i = 0; i < sizeof pragmas / sizeof *pragmas; i++) {
		size_t length = strlen(pragmas[i].word);

		if (!strncmp(text + 1, pragmas[i].word, length) &&
			(text[1 + length] == '"' || (text[1 + length] == ' ' && pragmas[i].takes_more)))
			return &pragmas[i];
	}
	return NULL;
}

static void check_pragma(struct ptx_parser *p, struct ptx_location location, const char *text)
{
	bool is_in_body = p->function && p->function->has_body;
	const struct pragma *pragma = find_pragma(text);

	if (!pragma && p->function)
		parse_warning(p, location, NULL, "the pragma %.80s is not known and has no effect", text);
	else if (!pragma)
		parse_error(p, location, NULL, "the pragma %.80s is not known", text);
	else if (is_in_body ? !pragma->is_for_body : !pragma->is_for_module)
		parse_error(p, location, NULL, "the pragma %.80s stands %s", text,
			is_in_body ? "before a function's body" : "in a function's body only");
	else if (pragma->takes_more && text[1 + strlen(pragma->word)] == '"')
		parse_error(p, location, NULL, "the pragma %.80s needs an argument", text);
	else
		needs_version(p, location, pragma->word, pragma->version);
}

void add_pragma(struct ptx_parser *p, struct ptx_location location, const struct node *strings)
{
	enum ptx_remark_kind kind = p->function && !p->function->has_body ? PTX_HEAD_PRAGMA : PTX_PRAGMA;

	if (!needs_version(p, location, ".pragma", 20))
		return;
	for (const struct node *node = strings; node; node = node->next) {
		check_pragma(p, node->operand.location, node->operand.name);
		add_remark(p, kind)->text = node->operand.name;
	}
}

/* .file INDEX "NAME" [, TIME, SIZE] */
void add_file(struct ptx_parser *p, struct ptx_location location, uint64_t index, const struct ptx_name *name,
	const uint64_t *rest, int count)
{
	struct ptx_remark *remark;

	if (count && !needs_version(p, location, "a time and a size of a file", 32))
		return;
	remark = add_remark(p, PTX_FILE);
	remark->number[0] = index;
	remark->text = name->text;
	for (int i = 0; i < count; i++)
		remark->number[1 + i] = rest[i];
	remark->count = (uint8_t)(1 + count);
}

/* .loc FILE LINE COLUMN [, function_name LABEL[+OFFSET], inlined_at FILE LINE COLUMN] */
void add_loc(
	struct ptx_parser *p, struct ptx_location location, uint64_t file, uint64_t line, uint64_t column)
{
	struct ptx_remark *remark = add_remark(p, PTX_LOC);

	remark->number[0] = file;
	remark->number[1] = line;
	remark->number[2] = column;
	remark->count = 3;
	p->last_loc = remark;
}

void add_inlined(struct ptx_parser *p, const struct loc_words *words, const struct ptx_name *label,
	uint64_t offset, const uint64_t at[3])
{
	struct ptx_remark *remark = p->last_loc;

	if (strcmp(words->first->text, "function_name"))
		parse_error(p, words->first_location, "function_name",
			"expected 'function_name', not '%.80s'", words->first->text);
	else if (strcmp(words->second->text, "inlined_at"))
		parse_error(p, words->second_location, "inlined_at", "expected 'inlined_at', not '%.80s'",
			words->second->text);
	else if (needs_version(p, words->first_location, "function_name", 72)) {
		remark->text = label->text;
		for (int i = 0; i < 3; i++)
			remark->number[3 + i] = at[i];
		remark->number[6] = offset;
		remark->count = 7;
	}
}

void add_text(struct ptx_parser *p, struct ptx_location location, int kind, const struct ptx_text *text)
{
	if (kind == PTX_SECTION && !needs_version(p, location, ".section", 20))
		return;
	if (kind == PTX_DWARF && is_gone(p, location, "@@DWARF", 20))
		return;
	if (kind == PTX_SECTION && !p->is_section_wrong)
		check_section(p, location, text);
	add_remark(p, (enum ptx_remark_kind)kind)->text = arena_string(p->arena, text->start, text->length);
}
