/* host/output/line_profile_source.c -- lines of a profile: the texts of modules, which lines are whose, and
 * what they were compiled from (.loc). */
#include "host/output/line_profile.h"
#include "sim/base/xalloc.h"

/* -- texts -- */

static void cut_lines(struct profile_source *s)
{
	uint32_t count = 1;

	for (size_t i = 0; i < s->size; i++)
		count += s->text[i] == '\n';
	s->lines = xcalloc((size_t)count + 1, sizeof(*s->lines));
	s->lines[s->line_count++] = s->text;
	for (size_t i = 0; i < s->size; i++)
		if (s->text[i] == '\n')
			s->lines[s->line_count++] = s->text + i + 1;
	s->lines[s->line_count] = s->text + s->size + 1;
}

static bool is_text_of(const struct profile_source *s, const struct ptx_module *m)
{
	return s->size == m->text_size && !strcmp(s->file, m->file) && !memcmp(s->text, m->text, s->size);
}

const struct profile_source *profile_source(struct profile *profile, const struct ptx_module *module)
{
	struct profile_source *s;

	for (s = profile->sources; s; s = s->next)
		if (is_text_of(s, module))
			return s;
	s = xcalloc(1, sizeof(*s));
	s->file = xstrdup(module->file);
	s->size = module->text_size;
	s->text = xcalloc(s->size + 1, 1);
	memcpy(s->text, module->text, s->size);
	cut_lines(s);
	s->next = profile->sources;
	profile->sources = s;
	return s;
}

void profile_source_free(struct profile_source *source)
{
	free(source->file);
	free(source->text);
	free(source->lines);
	free(source);
}

const char *profile_source_line(const struct profile_source *source, uint32_t number, size_t *length)
{
	*length = 0;
	if (!number || number > source->line_count)
		return "";
	*length = (size_t)(source->lines[number] - source->lines[number - 1]) - 1;
	if (*length && source->lines[number - 1][*length - 1] == '\r')
		--*length;
	return source->lines[number - 1];
}

/* -- what lines were compiled from -- */

/* The name that .file gives to a number, without its quotation marks. */
static char *file_name(const struct ptx_module *module, uint64_t index)
{
	const struct ptx_remark *r = module->remarks;
	char number[32];

	while (r && (r->kind != PTX_FILE || r->number[0] != index))
		r = r->next;
	if (r && r->text[0] == '"')
		return strndup(r->text + 1, strcspn(r->text + 1, "\""));
	snprintf(number, sizeof(number), "file %llu", (unsigned long long)index);
	return xstrdup(r ? r->text : number);
}

static const char *origin_name(struct profile_kernel *k, const struct ptx_module *module, uint64_t index)
{
	char *name = file_name(module, index);

	for (uint32_t i = 0; i < k->origin_count; i++)
		if (!strcmp(k->origins[i], name)) {
			free(name);
			return k->origins[i];
		}
	k->origins = xrealloc(k->origins, (k->origin_count + 1) * sizeof(*k->origins));
	return k->origins[k->origin_count++] = name;
}

/* A .loc holds for the instructions behind it up to the next; of several on one line the first one counts. */
static void set_origins(struct profile_kernel *k, const struct profile_function *f,
	const struct ptx_module *module, const struct ptx_function *function)
{
	const struct ptx_remark *next = function->remarks, *loc = NULL;

	for (uint32_t i = 0; i < function->insn_count; i++) {
		uint32_t number = function->insns[i].location.line;
		struct profile_line *line;

		for (; next && next->insn <= i; next = next->next)
			if (next->kind == PTX_LOC)
				loc = next;
		if (!loc || !loc->number[1] || number < f->first || number > f->last)
			continue;
		line = &k->lines[f->start + number - f->first];
		if (line->origin)
			continue;
		line->origin = origin_name(k, module, loc->number[0]);
		line->origin_line = (uint32_t)loc->number[1];
	}
}

/* -- functions and their lines -- */

static const struct ptx_function *find_function(const struct ptx_callee *callee)
{
	const struct ptx_function *f = callee->module->functions;

	while (f && (!f->has_body || !f->name || strcmp(f->name, callee->name)))
		f = f->next;
	return f;
}

static uint32_t end_of_function(const struct ptx_kernel *kernel, uint32_t function)
{
	return function + 1 < kernel->function_count ? kernel->functions[function + 1].entry
						     : kernel->uop_count;
}

/* From the head to the brace at the end; from the first instruction to the last one, if the function is not
 * found. */
static void set_extent(struct profile_function *f, const struct ptx_kernel *kernel, uint32_t number,
	const struct ptx_function *function)
{
	f->first = function ? function->location.line : UINT32_MAX;
	f->last = function ? function->last_line : 0;
	for (uint32_t i = kernel->functions[number].entry; i < end_of_function(kernel, number); i++) {
		uint32_t line = kernel->uops[i].line;

		f->first = line < f->first ? line : f->first;
		f->last = line > f->last ? line : f->last;
	}
}

static void add_lines(struct profile_kernel *k, uint32_t function)
{
	struct profile_function *f = &k->functions[function];
	uint32_t count = f->last >= f->first ? f->last - f->first + 1 : 0;

	f->start = k->line_count;
	k->lines = xrealloc(k->lines, ((size_t)k->line_count + count + 1) * sizeof(*k->lines));
	memset(k->lines + k->line_count, 0, ((size_t)count + 1) * sizeof(*k->lines));
	for (uint32_t i = 0; i < count; i++, k->line_count++) {
		k->lines[k->line_count].function = function;
		k->lines[k->line_count].number = f->first + i;
	}
}

static void map_function(
	struct profile *profile, struct profile_kernel *k, const struct ptx_kernel *kernel, uint32_t number)
{
	const struct ptx_callee *callee = &kernel->functions[number];
	const struct ptx_function *function = find_function(callee);
	struct profile_function *f = &k->functions[number];

	f->name = xstrdup(callee->name);
	f->source = profile_source(profile, callee->module);
	set_extent(f, kernel, number, function);
	add_lines(k, number);
	for (uint32_t i = callee->entry; i < end_of_function(kernel, number); i++) {
		k->line_of[i] = f->start + kernel->uops[i].line - f->first;
		k->lines[k->line_of[i]].uops++;
	}
	if (function)
		set_origins(k, f, callee->module, function);
}

void profile_map_lines(struct profile *profile, struct profile_kernel *k, const struct ptx_kernel *kernel)
{
	k->uop_count = kernel->uop_count;
	k->line_of = xcalloc((size_t)k->uop_count + 1, sizeof(*k->line_of));
	k->function_count = kernel->function_count;
	k->functions = xcalloc(k->function_count, sizeof(*k->functions));
	for (uint32_t i = 0; i < k->function_count; i++)
		map_function(profile, k, kernel, i);
	k->line_of[k->uop_count] = k->line_count;
}
