/* cli/launch/results.c -- buffers printed, summed and saved after a launch. */
#include "cli/launch/npy.h"
#include "cli/launch/results.h"
#include "sim/text/number.h"
#include "sim/files/whole_file.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>

#define ELEMENTS_A_LINE 8

static const char *const option_names[] = { "--print", "--sum", "--save" };
static const char *const option_forms[] = { "N or N:COUNT", "N", "N:FILE" };

/* -- reading -- */

static void complain_of_result(
	enum result_kind kind, const char *text, const char *sentence, struct diag_list *diags)
{
	struct diag_location location = { 0 };
	char *label;

	if (asprintf(&label, "%s %s", option_names[kind], text) < 0)
		bug("out of memory");
	location.file = label;
	diag_error(diags, &location, "%s", sentence);
	free(label);
}

/* What follows the colon; NULL if there is none. */
static bool parse_tail(struct result *r, const char *tail)
{
	switch (r->kind) {
	case RESULT_PRINT:
		return !tail || number_parse(tail, 1, UINT64_MAX, &r->count);
	case RESULT_SUM:
		return !tail;
	case RESULT_SAVE:
		r->path = tail;
		return tail && *tail;
	}
	return false;
}

static bool parse_result(struct result *r, const char *text)
{
	const char *colon = strchr(text, ':');
	char *number = strndup(text, strcspn(text, ":"));
	uint64_t value = 0;
	bool fine = number_parse(number, 0, UINT32_MAX, &value) && parse_tail(r, colon ? colon + 1 : NULL);

	r->argument = (uint32_t)value;
	free(number);
	return fine;
}

static void add_result(struct result_list *list, struct result r, const char *text,
	const struct argument *arguments, size_t argument_count, struct diag_list *diags)
{
	char sentence[128];

	if (!parse_result(&r, text)) {
		snprintf(sentence, sizeof(sentence), "expected %s", option_forms[r.kind]);
		complain_of_result(r.kind, text, sentence, diags);
	} else if (r.argument >= argument_count) {
		snprintf(sentence, sizeof(sentence), "there is no argument %u: %zu given, counted from 0",
			r.argument, argument_count);
		complain_of_result(r.kind, text, sentence, diags);
	} else if (!arguments[r.argument].is_buffer) {
		snprintf(sentence, sizeof(sentence), "argument %u is a scalar, not a buffer", r.argument);
		complain_of_result(r.kind, text, sentence, diags);
	} else {
		if (!r.count || r.count > arguments[r.argument].count)
			r.count = arguments[r.argument].count;
		list->items = xrealloc(list->items, (list->count + 1) * sizeof(*list->items));
		list->items[list->count++] = r;
	}
}

void results_add(struct result_list *list, enum result_kind kind, const struct option_list *texts,
	const struct argument *arguments, size_t argument_count, struct diag_list *diags)
{
	for (size_t i = 0; i < texts->count; i++)
		add_result(list, (struct result){ .kind = kind }, texts->items[i], arguments, argument_count,
			diags);
}

void results_fini(struct result_list *list)
{
	free(list->items);
	*list = (struct result_list){ 0 };
}

/* -- reporting -- */

static void print_elements(const struct result *r, const struct argument *a)
{
	const void *data = memory_host(a->address);

	printf("argument %u, %s[%" PRIu64 "]:\n", r->argument, a->type->name, a->count);
	for (uint64_t i = 0; i < r->count; i++) {
		if (i % ELEMENTS_A_LINE == 0)
			printf("%s%8" PRIu64 ":", i ? "\n" : "", i);
		putchar(' ');
		element_print(a->type, element_get(a->type, data, i), stdout);
	}
	putchar('\n');
}

static void print_array_sum(const struct result *r, const struct argument *a)
{
	printf("argument %u, %s[%" PRIu64 "]: sum ", r->argument, a->type->name, a->count);
	element_print_sum(a->type, memory_host(a->address), a->count, stdout);
	putchar('\n');
}

static bool save_array(const struct result *r, const struct argument *a, struct diag_list *diags)
{
	FILE *stream = whole_file_open(r->path, "wb", diags);
	const char *ending = strrchr(r->path, '.');
	const void *data = memory_host(a->address);

	if (stream && ending && strcmp(ending, ".npy") == 0)
		npy_write(stream, a->type, a->npy_code, a->shape, data, a->count);
	else if (stream)
		fwrite(data, a->type->bytes, a->count, stream);
	return stream && whole_file_close(stream);
}

bool results_report(const struct result_list *list, const struct argument *arguments, struct diag_list *diags)
{
	bool fine = true;

	for (size_t i = 0; i < list->count; i++) {
		const struct result *r = &list->items[i];
		const struct argument *a = &arguments[r->argument];

		if (r->kind == RESULT_PRINT)
			print_elements(r, a);
		else if (r->kind == RESULT_SUM)
			print_array_sum(r, a);
		else
			fine &= save_array(r, a, diags);
	}
	return fine;
}
