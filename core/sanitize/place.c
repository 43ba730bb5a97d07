/* core/sanitize/place.c -- an instruction in words: file, function, line, the line itself, what it was
 * compiled from (.loc), and the thread. */
#include "core/exec/lane_types.h"
#include "core/kernel/kernel_run.h"
#include "core/sanitize/finding.h"
#include "sim/base/xalloc.h"
#include <string.h>

static char *quote(const struct ptx_module *m, uint32_t number)
{
	const char *p = m->text;

	for (uint32_t line = 1; p && line < number; line++) {
		p = strchr(p, '\n');
		p = p ? p + 1 : NULL;
	}
	if (!p)
		return NULL;
	p += strspn(p, " \t");
	return strndup(p, strcspn(p, "\r\n"));
}

static const struct ptx_function *find_function(const struct ptx_module *m, const char *name)
{
	const struct ptx_function *f = m->functions;

	while (f && (!f->has_body || !f->name || strcmp(f->name, name)))
		f = f->next;
	return f;
}

/* The .loc before the first instruction of that line; NULL: there is none. */
static const struct ptx_remark *find_loc(const struct ptx_function *f, uint32_t line)
{
	const struct ptx_remark *next = f->remarks, *found = NULL;

	for (uint32_t i = 0; i < f->insn_count; i++) {
		for (; next && next->insn <= i; next = next->next)
			if (next->kind == PTX_LOC)
				found = next;
		if (f->insns[i].location.line == line)
			return found && found->number[1] ? found : NULL;
	}
	return NULL;
}

static char *source_path(const struct ptx_module *m, const char *function, uint32_t line)
{
	const struct ptx_function *f = find_function(m, function);
	const struct ptx_remark *location = f ? find_loc(f, line) : NULL, *file = m->remarks;
	char *text;

	if (!location)
		return NULL;
	while (file && (file->kind != PTX_FILE || file->number[0] != location->number[0]))
		file = file->next;
	if (!file || file->text[0] != '"')
		return NULL;
	if (asprintf(&text, "%.*s:%llu", (int)strcspn(file->text + 1, "\""), file->text + 1,
		    (unsigned long long)location->number[1]) < 0)
		bug("out of memory");
	return text;
}

void place_fill(struct finding_place *place, const struct kernel_run *run, const struct uop *u, uint32_t warp,
	uint32_t lane)
{
	const struct ptx_kernel *k = run->kernel;
	const struct ptx_module *m = ptx_kernel_module(k, u);
	uint32_t number = ptx_kernel_function(k, (uint32_t)(u - k->uops));
	const char *function = k->function_count ? k->functions[number].name : k->name;
	const uint32_t *b = run->launch->block;
	uint32_t thread = warp * WARP_SIZE + lane;

	place->file = xstrdup(m->file);
	place->function = number ? xstrdup(function) : NULL;
	place->line = u->line;
	place->quote = quote(m, u->line);
	place->source = source_path(m, function, u->line);
	place->thread[0] = thread % b[0];
	place->thread[1] = thread / b[0] % b[1];
	place->thread[2] = thread / b[0] / b[1];
}

void place_free(struct finding_place *place)
{
	free(place->file);
	free(place->function);
	free(place->quote);
	free(place->source);
}
