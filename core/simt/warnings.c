/* core/simt/warnings.c -- warnings on doubtful use of barriers, of which hardware says nothing, and on
 * code. None of them is a fault. */
#include "core/simt/warnings.h"
#include "core/kernel/kernel_run.h"
#include <stdarg.h>
#include <string.h>

enum warning_kind { WARNING_DIVERGENT_BARRIER = 1, WARNING_BARRIER_LEFT, WARNING_CODE };

/* FNV-1a over the kernel's name, then the number: the same warning in another launch of the kernel is not
 * printed again. */
static uint64_t warning_key(const struct ptx_kernel *k, uint64_t number)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (const char *c = k->name; *c; c++)
		hash = (hash ^ (uint8_t)*c) * UINT64_C(0x100000001b3);
	return (hash ^ number) * UINT64_C(0x100000001b3);
}

static bool is_in(const struct warnings *n, uint64_t key)
{
	for (uint32_t i = 0; i < n->count; i++)
		if (n->seen[i] == key)
			return true;
	return n->count == WARNINGS_MOST;
}

/* Whether this is to be printed: it is new, and there is room. */
static bool is_new_warning(struct warnings *n, uint64_t key)
{
	if (!n || is_in(n, key) || (n->reported && is_in(n->reported, key)))
		return false;
	n->seen[n->count++] = key;
	return true;
}

/* Kernels count for all SMs, which may be several host threads'. */
static void count_warning(uint64_t *counter)
{
	__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED);
}

__attribute__((format(printf, 2, 3))) static void report_warning(struct warnings *n, const char *format, ...)
{
	size_t used = strlen(n->text);
	va_list ap;

	va_start(ap, format);
	vsnprintf(n->text + used, sizeof(n->text) - used, format, ap);
	va_end(ap);
}

void warn_divergent_barrier(const struct warp *w, const struct uop *u, lane_mask mask)
{
	struct kernel_run *run = w->cta->run;
	const struct ptx_kernel *k = run->kernel;
	struct warnings *warnings = w->cta->warnings;

	count_warning(&run->divergent_barriers);
	if (!is_new_warning(warnings, warning_key(k, (uint64_t)u->line << 8 | WARNING_DIVERGENT_BARRIER)))
		return;
	report_warning(warnings,
		"%s:%u: note: divergent barrier: %d of the warp's %d lanes come here, and the whole warp "
		"counts as "
		"arrived (kernel %s, CTA %u,%u,%u, warp %u)\n",
		k->module->file, u->line, __builtin_popcount(mask), __builtin_popcount(w->live), k->name,
		w->cta->id[0], w->cta->id[1], w->cta->id[2], w->index);
}

static void barrier_left(const struct cta *cta, uint32_t id)
{
	const struct barrier *b = &cta->barriers[id];
	struct kernel_run *run = cta->run;
	const struct ptx_kernel *k = run->kernel;

	count_warning(&run->barriers_left);
	if (!is_new_warning(cta->warnings, warning_key(k, (uint64_t)id << 8 | WARNING_BARRIER_LEFT)))
		return;
	report_warning(cta->warnings,
		"%s: note: missing barrier at exit: barrier %u was left with %u of %u threads arrived when "
		"the CTA ended "
		"(kernel %s, CTA %u,%u,%u)\n",
		k->module->file, id, b->arrived, b->needed, k->name, cta->id[0], cta->id[1], cta->id[2]);
}

void warn_barriers_left(const struct cta *cta)
{
	for (uint32_t i = 0; i < MAX_BARRIERS; i++)
		if (cta->barriers[i].arrived)
			barrier_left(cta, i);
}

void warn_code(struct warnings *warnings, const struct ptx_kernel *k)
{
	if (k->warning && is_new_warning(warnings, warning_key(k, WARNING_CODE)))
		report_warning(warnings, "%s (kernel %s)\n", k->warning, k->name);
}

void warnings_take(struct warnings *to, struct warnings *from)
{
	const char *line = from->text;

	for (uint32_t i = 0; i < from->count; i++) {
		size_t length = strcspn(line, "\n");

		length += line[length] == '\n';
		if (is_new_warning(to, from->seen[i]))
			report_warning(to, "%.*s", (int)length, line);
		line += length;
	}
	from->count = 0;
	from->text[0] = 0;
}

void warnings_flush(struct warnings *warnings, FILE *to)
{
	fputs(warnings->text, to);
	warnings->text[0] = 0;
}
