/* host/output/line_profile.c -- the profile of a run: its kernels, and their counters from micro-operations
 * to lines. */
#include "host/output/line_profile.h"
#include "sim/text/c_locale.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"

struct profile *profile_new(void)
{
	struct profile *p = xcalloc(1, sizeof(*p));

	p->end = &p->kernels;
	return p;
}

struct profile *profile_open(
	const char *folder, const struct provenance *provenance, bool is_functional, struct diag_list *diags)
{
	struct profile *p = profile_new();

	p->provenance = *provenance;
	p->is_functional = is_functional;
	p->text = whole_file_open_in(folder, "profile.txt", "w", diags);
	p->json = whole_file_open_in(folder, "profile.json", "w", diags);
	if (p->text && p->json)
		return p;
	whole_file_discard(p->text);
	whole_file_discard(p->json);
	profile_free(p);
	return NULL;
}

/* -- kernels -- */

static bool is_same_function(const struct profile_function *f, const struct ptx_callee *callee)
{
	return !strcmp(f->name, callee->name) && !strcmp(f->source->file, callee->module->file) &&
		f->source->size == callee->module->text_size &&
		!memcmp(f->source->text, callee->module->text, f->source->size);
}

/* The same code, loaded once more. */
static bool is_same_kernel(const struct profile_kernel *k, const struct ptx_kernel *kernel)
{
	if (strcmp(k->name, kernel->name) || k->uop_count != kernel->uop_count ||
		k->function_count != kernel->function_count)
		return false;
	for (uint32_t i = 0; i < k->function_count; i++)
		if (!is_same_function(&k->functions[i], &kernel->functions[i]))
			return false;
	return true;
}

static struct profile_kernel *add_kernel(struct profile *p, const struct ptx_kernel *kernel)
{
	struct profile_kernel *k = xcalloc(1, sizeof(*k));

	k->name = xstrdup(kernel->name);
	k->counts = xcalloc(line_counts_size(kernel), sizeof(*k->counts));
	profile_map_lines(p, k, kernel);
	*p->end = k;
	p->end = &k->next;
	return k;
}

static struct profile_kernel *find_kernel(struct profile *p, const struct ptx_kernel *kernel)
{
	struct profile_known *l;
	struct profile_kernel *k;

	for (l = p->known; l; l = l->next)
		if (l->kernel == kernel)
			return l->counted;
	for (k = p->kernels; k && !is_same_kernel(k, kernel);)
		k = k->next;
	l = xcalloc(1, sizeof(*l));
	*l = (struct profile_known){ p->known, kernel, k ? k : add_kernel(p, kernel) };
	p->known = l;
	return l->counted;
}

struct line_counts *profile_counts(struct profile *profile, const struct ptx_kernel *kernel)
{
	return find_kernel(profile, kernel)->counts;
}

void profile_launched(
	struct profile *profile, const struct ptx_kernel *kernel, const struct launch_result *result)
{
	struct profile_kernel *k = find_kernel(profile, kernel);

	k->launches++;
	k->unfinished += result->outcome != GPU_DONE;
	k->ctas += result->ctas;
	k->cycles += result->core_cycles;
}

void profile_forget(struct profile *profile, const struct ptx_image *image)
{
	struct profile_known **at = &profile->known;

	while (*at) {
		struct profile_known *l = *at;

		if (l->kernel->image != image) {
			at = &l->next;
			continue;
		}
		*at = l->next;
		free(l);
	}
}

/* -- adding up -- */

void profile_add_up(struct profile_kernel *k)
{
	memset(&k->total, 0, sizeof(k->total));
	for (uint32_t i = 0; i <= k->line_count; i++)
		memset(&k->lines[i].counts, 0, sizeof(k->lines[i].counts));
	for (uint32_t i = 0; i <= k->uop_count; i++)
		line_counts_add(&k->lines[k->line_of[i]].counts, &k->counts[i], k->line_of);
	for (uint32_t i = 0; i < k->line_count; i++)
		line_counts_add(&k->total, &k->lines[i].counts, NULL);
	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		k->slots[i] = k->total.slots[i] + k->lines[k->line_count].counts.slots[i];
}

uint64_t profile_lost(const struct line_counts *counts)
{
	uint64_t lost = 0;

	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		lost += i == SLOT_issued ? 0 : counts->slots[i];
	return lost;
}

uint32_t profile_causes(const struct line_counts *counts, enum slot_cause order[SLOT_COUNT])
{
	uint32_t count = 0;

	for (uint32_t cause = 0; cause < SLOT_COUNT; cause++) {
		uint32_t at = count;

		if (cause == SLOT_issued || !counts->slots[cause])
			continue;
		for (count++; at && counts->slots[order[at - 1]] < counts->slots[cause]; at--)
			order[at] = order[at - 1];
		order[at] = cause;
	}
	return count;
}

/* -- the end -- */

static void free_kernel(struct profile_kernel *k)
{
	for (uint32_t i = 0; i < k->function_count; i++)
		free(k->functions[i].name);
	for (uint32_t i = 0; i < k->origin_count; i++)
		free(k->origins[i]);
	free(k->name);
	free(k->functions);
	free(k->lines);
	free(k->origins);
	free(k->line_of);
	free(k->counts);
	free(k);
}

void profile_free(struct profile *p)
{
	for (struct profile_kernel *k = p->kernels, *next; k; k = next) {
		next = k->next;
		free_kernel(k);
	}
	for (struct profile_source *s = p->sources, *next; s; s = next) {
		next = s->next;
		profile_source_free(s);
	}
	for (struct profile_known *l = p->known, *next; l; l = next) {
		next = l->next;
		free(l);
	}
	free(p);
}

bool profile_close(struct profile *p)
{
	locale_t before = c_locale_enter();
	bool is_written;

	provenance_text(&p->provenance, p->is_interrupted, p->text);
	for (struct profile_kernel *k = p->kernels; k; k = k->next) {
		profile_add_up(k);
		profile_print_text(k, p->text);
	}
	profile_print_json(p, p->json);
	c_locale_leave(before);
	is_written = whole_file_close(p->text);
	is_written &= whole_file_close(p->json);
	profile_free(p);
	return is_written;
}
