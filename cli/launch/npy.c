/* cli/launch/npy.c -- NumPy's files: a mark of six bytes, the version, the length of the head, the head (a
 * dictionary in Python's notation, with the keys descr, fortran_order and shape), the elements. */
#include "cli/launch/npy.h"
#include "sim/base/diag.h"
#include "sim/base/xalloc.h"
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#define MARK        "\x93NUMPY"
#define MARK_LENGTH 6
#define ALIGNMENT   64 /* of the elements in a file */
#define MOST_BYTES  (UINT64_C(1) << 40)

/* What a kernel argument is called and what NumPy calls it; the first of each type is written. */
static const struct npy_name {
	const char *code, *type;
} npy_names[] = {
	{ "u1", "u8" },
	{ "u2", "u16" },
	{ "u4", "u32" },
	{ "u8", "u64" },
	{ "i1", "s8" },
	{ "i2", "s16" },
	{ "i4", "s32" },
	{ "i8", "s64" },
	{ "f2", "f16" },
	{ "f4", "f32" },
	{ "f8", "f64" },
	{ "u1", "b8" },
	{ "u2", "b16" },
	{ "u4", "b32" },
	{ "u8", "b64" },
	{ "u2", "bf16" },
	{ "b1", "u8" },
	{ "V1", "b8" },
	{ "V2", "b16" },
	{ "V4", "b32" },
	{ "V8", "b64" },
};
#define NAME_COUNT (sizeof(npy_names) / sizeof(*npy_names))

/* Where in the head one is. */
struct npy_reader {
	const char *file;
	size_t at, end; /* of the head */
	char *message;
	size_t size;
};

__attribute__((format(printf, 2, 3))) static bool complain_of_npy(
	struct npy_reader *r, const char *format, ...)
{
	int length = snprintf(r->message, r->size, "byte %zu: ", r->at);
	va_list ap;

	va_start(ap, format);
	vsnprintf(r->message + length, r->size - (size_t)length, format, ap);
	va_end(ap);
	return false;
}

/* -- Python's notation -- */

/* What follows blanks; 0 at the end of the head. */
static char npy_peek(struct npy_reader *r)
{
	while (r->at < r->end && strchr(" \t\n\r", r->file[r->at]))
		r->at++;
	return r->at < r->end ? r->file[r->at] : 0;
}

static bool npy_take(struct npy_reader *r, char wanted)
{
	if (npy_peek(r) != wanted)
		return false;
	r->at++;
	return true;
}

static bool npy_want(struct npy_reader *r, char wanted)
{
	return npy_take(r, wanted) || complain_of_npy(r, "expected '%c' in the head", wanted);
}

/* A word in quotes, or one of letters: *length characters at the result. NULL with a message. */
static const char *npy_word(struct npy_reader *r, size_t *length)
{
	char quote = npy_peek(r);
	const char *word = r->file + r->at, *end;

	if (quote == '\'' || quote == '"') {
		end = memchr(++word, quote, r->end - r->at - 1);
		*length = end ? (size_t)(end - word) : 0;
		r->at += *length + 2;
	} else {
		for (end = word; end < r->file + r->end && *end >= 'A' && *end <= 'z';)
			end++;
		*length = (size_t)(end - word);
		r->at += *length;
	}
	if (end && *length)
		return word;
	r->at = (size_t)(word - r->file);
	complain_of_npy(r, "expected a word in the head");
	return NULL;
}

static bool npy_number(struct npy_reader *r, uint64_t *value)
{
	size_t start = (npy_peek(r), r->at);

	for (*value = 0; r->at < r->end && r->file[r->at] >= '0' && r->file[r->at] <= '9'; r->at++) {
		*value = *value * 10 + (uint64_t)(r->file[r->at] - '0');
		if (*value > MOST_BYTES)
			return complain_of_npy(r, "a dimension above %" PRIu64, MOST_BYTES);
	}
	if (r->at == start)
		return complain_of_npy(r, "expected a number or ')' in the shape");
	if (r->at < r->end && r->file[r->at] == 'L') /* of Python 2 */
		r->at++;
	return true;
}

/* -- the three entries -- */

static const struct npy_name *npy_name_of(const char *code)
{
	for (size_t i = 0; i < NAME_COUNT; i++)
		if (strcmp(npy_names[i].code, code) == 0)
			return &npy_names[i];
	return NULL;
}

static bool read_descr(struct npy_reader *r, struct npy_array *array)
{
	const struct npy_name *name;
	const char *word;
	size_t length, start = (npy_peek(r), r->at);

	if (npy_peek(r) == '[')
		return complain_of_npy(r, "an array of structures; save each field by itself");
	word = npy_word(r, &length);
	if (!word)
		return false;
	r->at = start;
	if (word[0] == '>' && length > 2 && word[2] != '1')
		return complain_of_npy(r, "type '%.*s' is big-endian; expected '<%.*s'", (int)length, word,
			(int)length - 1, word + 1);
	snprintf(array->code, sizeof(array->code), "%.*s", length < 5 ? (int)length - 1 : 0, word + 1);
	name = strchr("<>|=", word[0]) ? npy_name_of(array->code) : NULL;
	if (!name)
		return complain_of_npy(r,
			"type '%.*s'; expected one of f2 f4 f8, i1 i2 i4 i8, u1 u2 u4 u8, b1, V1 V2 V4 V8",
			(int)length, word);
	array->type = element_type_named(name->type, strlen(name->type));
	r->at = start + length + 2;
	return true;
}

static bool read_order(struct npy_reader *r, bool *is_fortran)
{
	size_t length, start = (npy_peek(r), r->at);
	const char *word = npy_word(r, &length);

	if (!word)
		return false;
	*is_fortran = length == 4 && memcmp(word, "True", 4) == 0;
	if (*is_fortran || (length == 5 && memcmp(word, "False", 5) == 0))
		return true;
	r->at = start;
	return complain_of_npy(r, "expected True or False for fortran_order");
}

/* Writes the shape and says how many dimensions have more than one index. */
static bool read_dimensions(struct npy_reader *r, struct npy_array *array, FILE *shape, unsigned *wide)
{
	unsigned count = 0;
	uint64_t n;

	if (!npy_want(r, '('))
		return false;
	array->count = 1;
	while (!npy_take(r, ')')) {
		if (!npy_number(r, &n))
			return false;
		if (n && array->count > MOST_BYTES / n)
			return complain_of_npy(r, "the array is too large");
		array->count *= n;
		*wide += n > 1;
		fprintf(shape, "%s%" PRIu64, count++ ? ", " : "(", n);
		if (!npy_take(r, ',') && npy_peek(r) != ')')
			return npy_want(r, ')');
	}
	fputs(count == 0 ? "()" : count == 1 ? ",)" : ")", shape);
	return true;
}

static bool read_shape(struct npy_reader *r, struct npy_array *array, unsigned *wide)
{
	size_t size;
	FILE *shape;
	bool fine;

	free(array->shape);
	*wide = 0;
	shape = open_memstream(&array->shape, &size);
	bug_if(!shape, "out of memory");
	fine = read_dimensions(r, array, shape, wide);
	fclose(shape);
	return fine;
}

/* -- the head -- */

static bool read_entry(struct npy_reader *r, struct npy_array *array, bool *is_fortran, unsigned *wide)
{
	size_t length, start = (npy_peek(r), r->at);
	const char *key = npy_word(r, &length);

	if (!key || !npy_want(r, ':'))
		return false;
	if (length == 5 && memcmp(key, "descr", 5) == 0)
		return read_descr(r, array);
	if (length == 13 && memcmp(key, "fortran_order", 13) == 0)
		return read_order(r, is_fortran);
	if (length == 5 && memcmp(key, "shape", 5) == 0)
		return read_shape(r, array, wide);
	r->at = start;
	return complain_of_npy(
		r, "unknown key '%.*s'; expected descr, fortran_order, shape", (int)length, key);
}

static bool read_dictionary(struct npy_reader *r, struct npy_array *array)
{
	bool is_fortran = false;
	unsigned wide = 0;

	if (!npy_want(r, '{'))
		return false;
	while (!npy_take(r, '}')) {
		if (!read_entry(r, array, &is_fortran, &wide))
			return false;
		if (!npy_take(r, ',') && npy_peek(r) != '}')
			return npy_want(r, '}');
	}
	if (!array->type || !array->shape)
		return complain_of_npy(r, "the head has no %s", array->type ? "shape" : "descr");
	if (is_fortran && wide > 1)
		return complain_of_npy(r, "the array is in Fortran order; save numpy.ascontiguousarray(a)");
	return true;
}

/* Mark, version and length: r is set to the head. */
static bool find_head(struct npy_reader *r, size_t file_size)
{
	size_t field, length = 0;
	unsigned version;

	if (file_size < MARK_LENGTH + 2 || memcmp(r->file, MARK, MARK_LENGTH) != 0)
		return complain_of_npy(r, "no .npy file: it does not begin with \\x93NUMPY");
	r->at = MARK_LENGTH;
	version = (uint8_t)r->file[r->at];
	if (version < 1 || version > 3)
		return complain_of_npy(r, "version %u of the format; expected 1 to 3", version);
	r->at += 2;
	field = version == 1 ? 2 : 4;
	if (file_size >= r->at + field)
		memcpy(&length, r->file + r->at, field);
	if (!length || length > file_size - r->at - field)
		return complain_of_npy(r, "the file is cut off in its head");
	r->at += field;
	r->end = r->at + length;
	return true;
}

bool npy_read(struct npy_array *array, const char *file, size_t file_size, char *message, size_t size)
{
	struct npy_reader r = { file, 0, 0, message, size };
	bool fine = find_head(&r, file_size);
	uint64_t bytes;

	*array = (struct npy_array){ .data = r.end };
	fine = fine && read_dictionary(&r, array);
	if (fine) {
		r.at = r.end;
		bytes = array->count * array->type->bytes;
		if (!bytes)
			fine = complain_of_npy(&r, "shape %s has no elements", array->shape);
		else if (file_size - r.end != bytes)
			fine = complain_of_npy(&r, "%zu bytes follow, but shape %s of %s takes %" PRIu64,
				file_size - r.end, array->shape, array->code, bytes);
	}
	if (!fine) {
		free(array->shape);
		array->shape = NULL;
	}
	return fine;
}

/* -- writing -- */

void npy_write(FILE *stream, const struct element_type *type, const char *code, const char *shape,
	const void *data, uint64_t count)
{
	char *head;
	int length;

	for (size_t i = 0; i < NAME_COUNT && !*code; i++)
		if (strcmp(npy_names[i].type, type->name) == 0)
			code = npy_names[i].code;
	length = asprintf(&head, "{'descr': '%c%s', 'fortran_order': False, 'shape': %s, }",
		type->bytes == 1 || *code == 'V' ? '|' : '<', code, shape);
	bug_if(length < 0, "out of memory");
	/* mark, version and length take ten bytes, a newline one; the elements begin at a multiple of 64 */
	length += (ALIGNMENT - (length + 11) % ALIGNMENT) % ALIGNMENT;
	fprintf(stream, "%s%c%c%c%c", MARK, 1, 0, (length + 1) & 0xff, (length + 1) >> 8);
	fprintf(stream, "%-*s\n", length, head);
	fwrite(data, type->bytes, count, stream);
	free(head);
}
