/* core/sanitize/finding.c -- the table of findings. A place is its kind, the kernel's name, the file and line
 * of the instruction, and the line of the earlier access: it stays the same when the module is loaded again.
 */
#include "core/sanitize/finding.h"
#include "core/kernel/kernel_run.h"
#include "core/sanitize/sanitize.h"
#include "sim/base/xalloc.h"
#include <stdarg.h>
#include <string.h>

static const struct {
	uint32_t check;
	const char *name, *meaning;
} kinds[FINDING_KINDS] = {
#define KIND(id, check, name, meaning) { SANITIZE_##check, name, meaning },
#include "core/sanitize/kinds.def"
#undef KIND
};

static const char *const check_names[SANITIZE_CHECK_COUNT] = { "memory", "race", "init", "sync", "leak" };

uint32_t finding_check(enum finding_kind kind)
{
	return kinds[kind].check;
}

const char *finding_check_name(uint32_t check)
{
	return check_names[__builtin_ctz(check)];
}

const char *finding_name(enum finding_kind kind)
{
	return kinds[kind].name;
}

const char *finding_meaning(enum finding_kind kind)
{
	return kinds[kind].meaning;
}

static struct finding *add_finding(struct findings *all, size_t bucket, enum finding_kind kind)
{
	struct finding *f = xcalloc(1, sizeof(*f));

	if (all->count == all->capacity) {
		all->capacity = all->capacity ? 2 * all->capacity : 16;
		all->list = xrealloc(all->list, all->capacity * sizeof(*all->list));
	}
	all->list[all->count++] = f;
	f->kind = kind;
	f->count = 1;
	f->next = all->bucket[bucket];
	all->bucket[bucket] = f;
	return f;
}

static bool is_same_text(const char *a, const char *b)
{
	return a && b ? !strcmp(a, b) : a == b;
}

static bool is_at(const struct finding *f, const struct finding_event *e)
{
	const struct ptx_kernel *k = e->warp->cta->run->kernel;

	return f->kind == e->kind && f->here.line == e->uop->line &&
		f->other.line == (e->other ? e->other->line : 0) && is_same_text(f->kernel, k->name) &&
		is_same_text(f->here.file, ptx_kernel_module(k, e->uop)->file);
}

struct finding *finding_note(struct findings *all, const struct finding_event *e)
{
	const struct kernel_run *run = e->warp->cta->run;
	size_t bucket = (e->uop->line * 31u + (e->other ? e->other->line : 0) + e->kind * 97u) % 256;
	struct finding *f = all->bucket[bucket];

	while (f && !is_at(f, e))
		f = f->next;
	if (f) {
		f->count += f->serial != e->serial;
		f->serial = e->serial;
		return NULL;
	}
	f = add_finding(all, bucket, e->kind);
	f->serial = e->serial;
	f->kernel = xstrdup(run->kernel->name);
	f->launch = run->id;
	f->parent = run->launch->parent_kernel ? xstrdup(run->launch->parent_kernel) : NULL;
	memcpy(f->cta, e->warp->cta->id, sizeof(f->cta));
	place_fill(&f->here, run, e->uop, e->warp->index, e->lane);
	if (e->other)
		place_fill(&f->other, run, e->other, e->other_warp, e->other_lane);
	return f;
}

struct finding *finding_note_host(struct findings *all, enum finding_kind kind, uint64_t number)
{
	size_t bucket = (number * 31u + kind * 97u) % 256;
	struct finding *f = all->bucket[bucket];

	while (f && (f->kind != kind || f->kernel || f->number != number))
		f = f->next;
	if (f) {
		f->count++;
		return NULL;
	}
	f = add_finding(all, bucket, kind);
	f->number = number;
	return f;
}

void finding_access(struct finding *f, const char *space, addr address, uint32_t bytes)
{
	f->space = space;
	f->address = address;
	f->bytes = bytes;
}

void finding_detail(struct finding *f, const char *format, ...)
{
	va_list ap;

	free(f->detail);
	va_start(ap, format);
	if (vasprintf(&f->detail, format, ap) < 0)
		bug("out of memory");
	va_end(ap);
}

void findings_free(struct findings *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct finding *f = all->list[i];

		place_free(&f->here);
		place_free(&f->other);
		free(f->kernel);
		free(f->parent);
		free(f->detail);
		free(f);
	}
	free(all->list);
}
