/* cli/launch/argument.c -- kernel arguments from text, checked against the kernel, placed in device memory.
 */
#include "cli/launch/argument.h"
#include "cli/launch/npy.h"
#include "cli/options.h"
#include "experiment/paths.h"
#include "sim/text/number.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdarg.h>

#define LARGEST_BUFFER (UINT64_C(1) << 40)

/* "--arg u8=300: error: ..." */
__attribute__((format(printf, 3, 4))) static bool complain_of_argument(
	const struct argument *a, struct diag_list *diags, const char *format, ...)
{
	struct diag_location location = { 0 };
	char *label;
	va_list ap;

	if (asprintf(&label, "--arg %s", a->text) < 0)
		bug("out of memory");
	location.file = label;
	va_start(ap, format);
	diag_addv(diags, DIAG_ERROR, &location, NULL, format, ap);
	va_end(ap);
	free(label);
	return false;
}

/* -- text -- */

static bool parse_type(struct argument *a, size_t length, struct diag_list *diags)
{
	char names[256] = "";

	a->type = element_type_named(a->text, length);
	if (a->type)
		return true;
	for (unsigned i = 0; i < element_type_count; i++)
		snprintf(names + strlen(names), sizeof(names) - strlen(names), "%s%s", i ? " " : "",
			element_types[i].name);
	return complain_of_argument(
		a, diags, "%.*s is no type; expected one of %s", (int)length, a->text, names);
}

static bool parse_value(struct argument *a, const char *text, struct diag_list *diags)
{
	char expected[128];

	return element_parse(a->type, text, &a->bits, expected, sizeof(expected)) ||
		complain_of_argument(a, diags, "'%s': %s", text, expected);
}

/* The text between the brackets of name(...); malloc'ed. NULL if text is not of that form. */
static char *in_brackets(const char *text, const char *name)
{
	size_t length = strlen(name), all = strlen(text);

	if (strncmp(text, name, length) != 0 || text[length] != '(' || text[all - 1] != ')')
		return NULL;
	return strndup(text + length + 1, all - length - 2);
}

static bool parse_call(struct argument *a, const char *text, bool *is_call, struct diag_list *diags)
{
	char *constant = in_brackets(text, "const"), *seed = in_brackets(text, "random");
	bool fine = true;

	*is_call = constant || seed;
	if (constant) {
		a->fill = FILL_CONSTANT;
		fine = parse_value(a, constant, diags);
	} else if (seed) {
		a->fill = FILL_RANDOM;
		if (!number_parse(seed, 0, UINT32_MAX, &a->seed))
			fine = complain_of_argument(
				a, diags, "'%s': expected a seed from 0 to %" PRIu32, seed, UINT32_MAX);
	}
	free(constant);
	free(seed);
	return fine;
}

/* "(1024,)"; malloc'ed. */
static char *row_shape(uint64_t count)
{
	char *shape;

	if (asprintf(&shape, "(%" PRIu64 ",)", count) < 0)
		bug("out of memory");
	return shape;
}

static bool read_contents(struct argument *a, const char *path, bool count_is_given, struct diag_list *diags)
{
	size_t size;

	a->fill = FILL_FILE;
	a->contents = paths_read(path, &size, diags);
	if (!a->contents)
		return false;
	if (!count_is_given) {
		a->count = size / a->type->bytes;
		a->shape = row_shape(a->count);
	}
	if (size == a->count * a->type->bytes && size)
		return true;
	if (count_is_given)
		return complain_of_argument(a, diags,
			"%s has %zu bytes, but %" PRIu64 " elements of %s take %" PRIu64, path, size,
			a->count, a->type->name, a->count * a->type->bytes);
	return complain_of_argument(a, diags, "%s has %zu bytes, which is not one or more elements of %s",
		path, size, a->type->name);
}

/* The file's type and shape, but for what is given in front of it. */
static bool read_npy(struct argument *a, const char *path, bool count_is_given, struct diag_list *diags)
{
	struct npy_array array;
	char message[256];
	size_t size;

	a->fill = FILL_FILE;
	a->contents = paths_read(path, &size, diags);
	if (!a->contents)
		return false;
	if (!npy_read(&array, a->contents, size, message, sizeof(message)))
		return complain_of_argument(a, diags, "%s: %s", path, message);
	if (count_is_given) {
		free(array.shape);
	} else {
		a->count = array.count;
		a->shape = array.shape;
	}
	if (!a->type)
		a->type = array.type;
	memcpy(a->npy_code, array.code, sizeof(a->npy_code));
	a->skipped = array.data;
	if (a->type->bytes == array.type->bytes && a->count == array.count)
		return true;
	return complain_of_argument(a, diags,
		"%s has %" PRIu64 " elements of %u byte%s, not %" PRIu64 " of %u", path, array.count,
		array.type->bytes, array.type->bytes == 1 ? "" : "s", a->count, a->type->bytes);
}

static bool read_file(struct argument *a, const char *text, bool count_is_given, struct diag_list *diags)
{
	bool is_raw = text[0] == 'f';

	return is_raw ? read_contents(a, text + strlen("file:"), count_is_given, diags)
		      : read_npy(a, text + strlen("npy:"), count_is_given, diags);
}

static bool parse_fill(struct argument *a, const char *text, bool count_is_given, struct diag_list *diags)
{
	bool is_call;

	if (strncmp(text, "file:", 5) == 0 || strncmp(text, "npy:", 4) == 0)
		return read_file(a, text, count_is_given, diags);
	if (!count_is_given)
		return complain_of_argument(
			a, diags, "[] takes its size from a file; else write %s[COUNT]", a->type->name);
	if (strcmp(text, "zero") == 0) {
		a->fill = FILL_ZERO;
		return true;
	}
	if (strcmp(text, "iota") == 0) {
		a->fill = FILL_IOTA;
		return true;
	}
	if (!parse_call(a, text, &is_call, diags))
		return false;
	return is_call ||
		complain_of_argument(a, diags,
			"'%s': expected zero, iota, const(VALUE), random(SEED), file:PATH or npy:PATH", text);
}

/* "64,256": the shape and the number of elements. */
static bool parse_shape(struct argument *a, const char *text)
{
	uint64_t most = LARGEST_BUFFER / a->type->bytes, n;
	char *list = xstrdup(text), *rest = list, *part;
	unsigned dimensions = 0;
	bool fine = true;
	size_t size;
	FILE *shape;

	shape = open_memstream(&a->shape, &size);
	bug_if(!shape, "out of memory");
	for (a->count = 1; fine && (part = strsep(&rest, ",")); dimensions++) {
		fine = number_parse(part, 1, most / a->count, &n);
		a->count *= fine ? n : 1;
		fprintf(shape, "%s%" PRIu64, dimensions ? ", " : "(", n);
	}
	fputs(dimensions == 1 ? ",)" : ")", shape);
	fclose(shape);
	free(list);
	return fine;
}

static bool parse_buffer(struct argument *a, const char *bracket, const char *equals, struct diag_list *diags)
{
	char *shape = strndup(bracket + 1, (size_t)(equals - bracket) - 1);
	size_t length = strlen(shape);
	bool fine = length && shape[length - 1] == ']';

	a->is_buffer = true;
	if (fine) {
		shape[length - 1] = 0;
		fine = length == 1 || parse_shape(a, shape);
	}
	if (!fine)
		complain_of_argument(
			a, diags, "expected a number of elements, as in %s[1024]=zero", a->type->name);
	free(shape);
	return fine && parse_fill(a, equals + 1, length > 1, diags);
}

static bool parse_same(struct argument *a, size_t index, const char *number, struct diag_list *diags)
{
	const struct argument *other = a - index;
	uint64_t n;

	if (!number_parse(number, 0, UINT32_MAX, &n) || n >= index || !other[n].is_buffer)
		return complain_of_argument(
			a, diags, "expected the number of an earlier argument that is a buffer");
	other += n;
	*a = (struct argument){ .text = a->text, .type = other->type, .is_buffer = true, .fill = FILL_SAME };
	a->same = n;
	a->count = other->count;
	a->shape = xstrdup(other->shape);
	memcpy(a->npy_code, other->npy_code, sizeof(a->npy_code));
	return true;
}

bool argument_parse(struct argument *arguments, size_t index, const char *text, struct diag_list *diags)
{
	struct argument *a = &arguments[index];
	size_t type = strcspn(text, "[=");
	const char *equals = strchr(text, '=');

	*a = (struct argument){ .text = text };
	if (strncmp(text, "npy:", 4) == 0) {
		a->is_buffer = true;
		return read_npy(a, text + 4, false, diags);
	}
	if (strncmp(text, "same:", 5) == 0)
		return parse_same(a, index, text + 5, diags);
	if (!equals)
		return complain_of_argument(a, diags,
			"expected TYPE=VALUE, as in u32=17, TYPE[COUNT]=CONTENTS, as in f32[1024]=iota, "
			"npy:PATH or same:N");
	if (!parse_type(a, type, diags))
		return false;
	return text[type] == '[' ? parse_buffer(a, text + type, equals, diags)
				 : parse_value(a, equals + 1, diags);
}

void argument_fini(struct argument *a)
{
	free(a->contents);
	free(a->shape);
	a->contents = a->shape = NULL;
}

/* -- against the kernel -- */

static const char *parameter_type(const struct ptx_param *p, char *text, size_t size)
{
	unsigned bytes = ptx_type_bits(p->type) / 8;

	if (bytes && p->size > bytes)
		snprintf(text, size, "%s[%u]", ptx_type_name(p->type), p->size / bytes);
	else
		snprintf(text, size, "%s", ptx_type_name(p->type));
	return text;
}

/* "u64 a, u64 b, u32 n"; malloc'ed. */
static char *signature(const struct ptx_kernel *kernel)
{
	char *text, type[32];
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	bug_if(!stream, "out of memory");
	for (uint32_t i = 0; i < kernel->param_count; i++)
		fprintf(stream, "%s%s %s", i ? ", " : "",
			parameter_type(&kernel->params[i], type, sizeof(type)), kernel->params[i].name);
	fclose(stream);
	return text;
}

static bool check_argument_count(
	size_t count, const struct ptx_kernel *kernel, const char *file, struct diag_list *diags)
{
	struct diag_location location = { .file = file };
	char *list;

	if (count == kernel->param_count)
		return true;
	list = signature(kernel);
	diag_error(diags, &location, "kernel %s takes %u parameter%s%s%s%s, but %zu %s given", kernel->name,
		kernel->param_count, kernel->param_count == 1 ? "" : "s", *list ? " (" : "", list,
		*list ? ")" : "", count, count == 1 ? "argument is" : "arguments are");
	free(list);
	return false;
}

static bool is_untyped(enum ptx_type type)
{
	return type >= PTX_B8 && type <= PTX_B128;
}

static bool check_one(
	const struct argument *a, const struct ptx_kernel *kernel, uint32_t index, struct diag_list *diags)
{
	const struct ptx_param *p = &kernel->params[index];
	bool is_float = a->type->kind == ELEMENT_FLOAT;
	char type[32];

	parameter_type(p, type, sizeof(type));
	if (a->is_buffer) {
		if (p->size == 8 && !ptx_type_is_float(p->type))
			return true;
		return complain_of_argument(a, diags,
			"argument %u is a buffer, but parameter %s of kernel %s is %s, no 64-bit address",
			index, p->name, kernel->name, type);
	}
	if (p->size != a->type->bytes)
		return complain_of_argument(a, diags,
			"argument %u has %u byte%s, but parameter %s of kernel %s is %s, %u byte%s", index,
			a->type->bytes, a->type->bytes == 1 ? "" : "s", p->name, kernel->name, type, p->size,
			p->size == 1 ? "" : "s");
	if (!is_untyped(p->type) && is_float != ptx_type_is_float(p->type))
		return complain_of_argument(a, diags,
			"argument %u is %s, but parameter %s of kernel %s is %s", index, a->type->name,
			p->name, kernel->name, type);
	return true;
}

bool arguments_check(const struct argument *arguments, size_t count, const struct ptx_kernel *kernel,
	const char *file, struct diag_list *diags)
{
	bool fine = check_argument_count(count, kernel, file, diags);

	for (uint32_t i = 0; fine && i < count; i++)
		fine = check_one(&arguments[i], kernel, i, diags);
	return fine;
}

/* -- device memory -- */

static void fill_array(struct argument *a)
{
	void *data = memory_host(a->address);

	switch (a->fill) {
	case FILL_ZERO:
		memset(data, 0, a->count * a->type->bytes);
		break;
	case FILL_CONSTANT:
		element_fill_constant(a->type, data, a->count, a->bits);
		break;
	case FILL_IOTA:
		element_fill_iota(a->type, data, a->count);
		break;
	case FILL_RANDOM:
		element_fill_random(a->type, data, a->count, a->seed);
		break;
	case FILL_FILE:
		memcpy(data, a->contents + a->skipped, a->count * a->type->bytes);
		free(a->contents);
		a->contents = NULL;
		break;
	case FILL_SAME:
		break;
	}
}

bool argument_location(
	struct argument *arguments, size_t index, struct device_memory *memory, struct diag_list *diags)
{
	struct argument *a = &arguments[index];
	uint64_t bytes;

	if (a->fill == FILL_SAME)
		a->address = arguments[a->same].address;
	if (!a->is_buffer || a->fill == FILL_SAME)
		return true;
	bytes = a->count * a->type->bytes;
	a->address = memory_allocate(memory, bytes, 256);
	if (!a->address)
		return complain_of_argument(a, diags,
			"no room for %" PRIu64 " bytes in device memory, %" PRIu64 " of %" PRIu64
			" bytes are free",
			bytes, memory_available(memory), memory_total(memory));
	fill_array(a);
	return true;
}

void arguments_write(
	const struct argument *arguments, size_t count, const struct ptx_kernel *kernel, uint8_t *block)
{
	for (size_t i = 0; i < count; i++) {
		const struct argument *a = &arguments[i];
		const struct ptx_param *p = &kernel->params[i];

		memcpy(block + p->offset, a->is_buffer ? &a->address : &a->bits, p->size);
	}
}
