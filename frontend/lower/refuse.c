/* frontend/lower/refuse.c -- what is valid PTX and cannot be executed: told by name and place. Nothing with
 * it is accepted, or only the kernels that reach it are refused (ptx_lower_kernels). */
#include "frontend/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct diag_location diag_location_of(const struct lower *l, const struct ptx_location *location)
{
	return (struct diag_location){ l->module->file, l->module->text, l->module->text_size, location->line,
		location->column };
}

/* A function is lowered for each kernel that reaches it: whether this was said already. */
static bool is_told(const struct lower *l, const struct diag_location *where)
{
	for (uint32_t i = 0; i < l->refusal_count; i++) {
		const struct diag *d = &l->diags->items[l->refusals[i]];

		if (d->line == where->line && d->column == where->column && d->file && where->file &&
			!strcmp(d->file, where->file))
			return true;
	}
	return l->refusal_count == MOST_REFUSALS;
}

/* For a field of the kernel. */
static const char *placed(
	struct lower *l, const struct diag_location *where, const char *kind, const char *what)
{
	char text[1024];

	snprintf(text, sizeof text, "%s:%u:%u: %s%s", where->file, where->line, where->column, kind, what);
	return arena_copy(l->arena, text, strlen(text) + 1);
}

/* The kernel at hand cannot be launched; others can. */
static void refuse_kernel(
	struct lower *l, const struct diag_location *where, const char *format, va_list arguments)
{
	char why[512];
	size_t count;

	vsnprintf(why, sizeof why, format, arguments);
	if (!l->kernel->refusal)
		l->kernel->refusal = placed(l, where, "", why);
	if (is_told(l, where))
		return;
	count = l->diags->count;
	diag_add(l->diags, DIAG_WARNING, where, PTX_REFUSAL_HINT, "%s", why);
	if (l->diags->count > count) /* not only counted */
		l->refusals[l->refusal_count++] = count;
}

void lower_refuse(struct lower *l, const struct ptx_location *location, const char *format, ...)
{
	struct diag_location where = diag_location_of(l, location);
	va_list arguments;

	if (l->is_refused)
		return;
	l->is_refused = true;
	va_start(arguments, format);
	if (l->keeps_others && l->kernel)
		refuse_kernel(l, &where, format, arguments);
	else
		diag_addv(l->diags, DIAG_ERROR, &where, NULL, format, arguments);
	va_end(arguments);
}

void lower_warn(struct lower *l, const char *format, ...)
{
	struct diag_location where = diag_location_of(l, &l->insn->location);
	char what[512];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof what, format, arguments);
	va_end(arguments);
	diag_add(l->diags, DIAG_WARNING, &where, PTX_LAUNCH_HINT, "%s", what);
	if (!l->kernel->warning)
		l->kernel->warning = placed(l, &where, "warning: ", what);
}

void lower_refuse_function(struct lower *l, const struct ptx_location *location, const char *name)
{
	static const struct {
		const char *prefix, *why;
	} known[] = {
		{ "cudaLaunchDevice", "is in libcudadevrt, which is not linked to the module" },
		{ "cudaGetParameterBuffer", "is in libcudadevrt, which is not linked to the module" },
		{ "__cudaCDP2", "is in libcudadevrt, which is not linked to the module" },
		{ "cnp", "belongs to the device runtime before CUDA 12, which is not simulated" },
		{ "__cuda_syscall_", "of the device runtime is not simulated" },
	};

	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(name, known[i].prefix, strlen(known[i].prefix))) {
			lower_refuse(l, location, "'%s' %s", name, known[i].why);
			return;
		}
	if (!l->is_refused) { /* no program could be loaded with it */
		struct diag_location where = diag_location_of(l, location);

		diag_error(l->diags, &where, "'%s' is declared, but no module defines it", name);
	}
	l->is_refused = true;
}

/* Where an instruction's words stand in the source, and how long they are; 0: not found there. */
static size_t find_written_words(const struct lower *l, const char **words)
{
	const char *at = l->module->text, *end = at ? at + l->module->text_size : NULL;

	for (uint32_t line = 1; at && line < l->insn->location.line; line++) {
		at = memchr(at, '\n', (size_t)(end - at));
		at = at ? at + 1 : NULL;
	}
	if (!at || !l->insn->location.column || (size_t)(end - at) < l->insn->location.column)
		return 0;
	*words = at + l->insn->location.column - 1;
	for (at = *words; at < end && !strchr(" \t\r\n;/", *at); at++)
		;
	return (size_t)(at - *words);
}

/* The instruction with its modifiers: opcode.modifiers.space.vector.types. */
static void spell_instruction(const struct ptx_insn *insn, char *text, size_t size)
{
	size_t used = (size_t)snprintf(text, size, "%s", insn->opcode_name);

	for (uint32_t i = 0; i < insn->modifier_count && used < size; i++)
		used += (size_t)snprintf(
			text + used, size - used, ".%s", ptx_modifier_name(insn->modifiers[i]));
	if (insn->space != PTX_NO_SPACE && used < size)
		used += (size_t)snprintf(text + used, size - used, ".%s", ptx_space_name(insn->space));
	if (insn->vector > 1 && used < size)
		used += (size_t)snprintf(text + used, size - used, ".v%u", insn->vector);
	for (uint32_t i = 0; i < insn->type_count && used < size; i++)
		used += (size_t)snprintf(text + used, size - used, ".%s", ptx_type_name(insn->types[i]));
}

void lower_refuse_form(struct lower *l)
{
	char text[256];
	const char *words = NULL;
	size_t length = find_written_words(l, &words), opcode = strlen(l->insn->opcode_name);

	if (length >= opcode && length < sizeof text && !memcmp(words, l->insn->opcode_name, opcode))
		snprintf(text, sizeof text, "%.*s", (int)length, words);
	else
		spell_instruction(l->insn, text, sizeof text);
	lower_refuse(l, &l->insn->location, "'%s' is not executed yet", text);
}

/* If no kernel is left, what stands in the way is an error. */
void need_a_kernel(struct lower *l)
{
	for (uint32_t k = 0; k < l->image->kernel_count; k++)
		if (!l->image->kernels[k].refusal)
			return;
	for (uint32_t i = 0; i < l->refusal_count && l->image->kernel_count; i++) {
		struct diag *d = &l->diags->items[l->refusals[i]];

		d->kind = DIAG_ERROR;
		free(d->hint);
		d->hint = NULL;
		l->diags->warnings--;
		l->diags->errors++;
	}
}
