/* core/sanitize/report.c -- findings in words, in short, and as rows for programs; by check, then by place,
 * so that the order does not depend on which was found first. */
#include "core/sanitize/sanitize_internal.h"
#include "sim/text/csv.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <string.h>

#define PRINTED_MOST 20 /* on the terminal */

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_findings(const void *left, const void *right)
{
	const struct finding *a = *(struct finding *const *)left, *b = *(struct finding *const *)right;
	uint32_t check_a = finding_check(a->kind), check_b = finding_check(b->kind);
	int order = compare_texts(a->here.file, b->here.file);

	if (check_a != check_b)
		return check_a < check_b ? -1 : 1;
	if (order || (order = compare_texts(a->kernel, b->kernel)))
		return order;
	if (a->here.line != b->here.line)
		return a->here.line < b->here.line ? -1 : 1;
	if (a->other.line != b->other.line)
		return a->other.line < b->other.line ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	return a->number < b->number ? -1 : a->number > b->number;
}

/* malloc'ed */
static struct finding **sorted(const struct sanitizer *s)
{
	size_t count = s->findings.count;
	struct finding **list = xcalloc(count + 1, sizeof(*list));

	if (count)
		memcpy(list, s->findings.list, count * sizeof(*list));
	qsort(list, count, sizeof(*list), compare_findings);
	return list;
}

/* ---- in words ---- */

static void print_dim(FILE *to, const uint32_t dim[3])
{
	fprintf(to, "%u,%u,%u", dim[0], dim[1], dim[2]);
}

static void print_place(const struct finding_place *p, FILE *to)
{
	if (p->source)
		fprintf(to, " (%s)", p->source);
	if (p->function)
		fprintf(to, " in function %s", p->function);
	fputs(", thread ", to);
	print_dim(to, p->thread);
	if (p->quote)
		fprintf(to, "\n    %4u | %s", p->line, p->quote);
	fputc('\n', to);
}

static void print_access(const struct finding *f, FILE *to)
{
	if (f->space)
		fprintf(to, ": %u bytes, 0x%" PRIx64 " in %s memory", f->bytes, f->address, f->space);
}

static void print_finding_head(const struct finding *f, FILE *to)
{
	if (f->here.file)
		fprintf(to, "%s:%u: ", f->here.file, f->here.line);
	fprintf(to, "%s: %s", finding_check_name(finding_check(f->kind)), finding_meaning(f->kind));
	print_access(f, to);
}

static void finding_text(const struct finding *f, FILE *to)
{
	print_finding_head(f, to);
	fputc('\n', to);
	if (f->detail)
		fprintf(to, "  %s\n", f->detail);
	if (f->kernel) {
		fprintf(to, "  kernel %s, launch %" PRIu64 ", CTA ", f->kernel, f->launch);
		print_dim(to, f->cta);
		print_place(&f->here, to);
	}
	if (f->parent)
		fprintf(to, "  launched by kernel %s\n", f->parent);
	if (f->other.line) {
		fprintf(to, "  the earlier access: %s:%u", f->other.file, f->other.line);
		print_place(&f->other, to);
	}
	fprintf(to, "  %" PRIu64 " %s\n\n", f->count, f->count == 1 ? "time" : "times");
}

static void finding_short(const struct finding *f, FILE *to)
{
	print_finding_head(f, to);
	if (f->kernel) {
		fprintf(to, " (kernel %s, CTA ", f->kernel);
		print_dim(to, f->cta);
		fputs(", thread ", to);
		print_dim(to, f->here.thread);
		fputc(')', to);
	}
	if (f->other.line) {
		fprintf(to, "; the other access: line %u, thread ", f->other.line);
		print_dim(to, f->other.thread);
	}
	if (f->detail)
		fprintf(to, ": %s", f->detail);
	if (f->count > 1)
		fprintf(to, ", %" PRIu64 " times", f->count);
	fputc('\n', to);
}

/* ---- rows ---- */

static const char csv_head[] = "check,kind,count,kernel,file,line,source,function,launch,cta,thread,space,"
			       "address,bytes,other_file,other_line,other_source,other_thread,detail\n";

static void put_text(const char *text, FILE *to)
{
	fputc(',', to);
	csv_put(to, text ? text : "");
}

static void put_dim(const uint32_t dim[3], bool is_known, FILE *to)
{
	if (is_known)
		fprintf(to, ",%u %u %u", dim[0], dim[1], dim[2]);
	else
		fputc(',', to);
}

static void put_number(const char *format, uint64_t number, bool is_known, FILE *to)
{
	fputc(',', to);
	if (is_known)
		fprintf(to, strcmp(format, "hex") ? "%" PRIu64 : "0x%" PRIx64, number);
}

static void finding_csv(const struct finding *f, FILE *to)
{
	fprintf(to, "%s,%s,%" PRIu64, finding_check_name(finding_check(f->kind)), finding_name(f->kind),
		f->count);
	put_text(f->kernel, to);
	put_text(f->here.file, to);
	put_number("", f->here.line, f->here.line, to);
	put_text(f->here.source, to);
	put_text(f->here.function, to);
	put_number("", f->launch, f->kernel, to);
	put_dim(f->cta, f->kernel, to);
	put_dim(f->here.thread, f->kernel, to);
	put_text(f->space, to);
	put_number("hex", f->address, f->space, to);
	put_number("", f->bytes, f->space, to);
	put_text(f->other.file, to);
	put_number("", f->other.line, f->other.line, to);
	put_text(f->other.source, to);
	put_dim(f->other.thread, f->other.line, to);
	put_text(f->detail, to);
	fputc('\n', to);
}

/* ---- files and terminal ---- */

/* "3 findings: race 2, init 1" */
static void print_finding_counts(const struct sanitizer *s, FILE *to)
{
	uint64_t of[SANITIZE_CHECK_COUNT] = { 0 };
	const char *separator = ": ";

	for (size_t i = 0; i < s->findings.count; i++)
		of[__builtin_ctz(finding_check(s->findings.list[i]->kind))]++;
	fprintf(to, "%zu finding%s", s->findings.count, s->findings.count == 1 ? "" : "s");
	for (uint32_t i = 0; i < SANITIZE_CHECK_COUNT; i++) {
		if (!(s->checks >> i & 1))
			continue;
		fprintf(to, "%s%s %" PRIu64, separator, finding_check_name(1u << i), of[i]);
		separator = ", ";
	}
	fputc('\n', to);
	if (grids_forgotten(s))
		fprintf(to,
			"lockstep: sanitizer: for want of memory, races between CTAs were not looked for in "
			"%" PRIu64 " MB of device memory that was accessed long before\n",
			(grids_forgotten(s) >> 20) + 1);
}

static void write_text(const struct sanitizer *s, struct finding *const *list, FILE *to)
{
	for (size_t i = 0; i < s->findings.count; i++)
		finding_text(list[i], to);
	print_finding_counts(s, to);
}

static void write_findings_csv(const struct sanitizer *s, struct finding *const *list, FILE *to)
{
	fputs(csv_head, to);
	for (size_t i = 0; i < s->findings.count; i++)
		finding_csv(list[i], to);
}

bool sanitizer_write(const struct sanitizer *s, const char *folder)
{
	struct finding **list = sorted(s);
	struct diag_list diags;

	diag_init(&diags);
	FILE *text = whole_file_open_in(folder, "sanitize.txt", "w", &diags),
	     *csv = whole_file_open_in(folder, "sanitize.csv", "w", &diags);
	diag_fini(&diags);

	if (text)
		write_text(s, list, text);
	if (csv)
		write_findings_csv(s, list, csv);
	free(list);
	return whole_file_close(text) & whole_file_close(csv) & (text && csv);
}

void sanitizer_print(const struct sanitizer *s, const char *folder, FILE *to)
{
	struct finding **list = sorted(s);
	size_t count = s->findings.count, shown = count < PRINTED_MOST ? count : PRINTED_MOST;

	for (size_t i = 0; i < shown; i++)
		finding_short(list[i], to);
	if (count > shown)
		fprintf(to, "... and %zu more\n", count - shown);
	fputs("lockstep: sanitizer: ", to);
	if (folder && count)
		fprintf(to, "see %s/sanitize.txt; ", folder);
	print_finding_counts(s, to);
	free(list);
}
