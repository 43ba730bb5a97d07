/* tests/unit/frontend/parse/test_parse_files.c -- every PTX file of the tree: printed and read again it is
 * the same module, and damaged at random it never crashes the parser. FUZZ=n: so many damaged copies of
 * each file. */
#include "tests/unit/frontend/parse_rig.h"
#include "tests/unit/hang_guard.h"
#include "tests/unit/part.h"
#include <glob.h>

TestSuite(parse_files, .init = set_up, .fini = tear_down);

static const char *const patterns[] = { "benchmarks/*/kernel.ptx", "benchmarks/*/*/kernel.ptx",
	"benchmarks/peer/ptx/*.ptx", "tests/ptx/*.ptx", "tests/ptx/valid/*.ptx" };

static char *read_file(const char *path, size_t *size)
{
	FILE *file = fopen(path, "rb");
	char *text;

	cr_assert(file, "%s", path);
	fseek(file, 0, SEEK_END);
	*size = (size_t)ftell(file);
	rewind(file);
	text = malloc(*size + 1);
	cr_assert_eq(fread(text, 1, *size, file), *size);
	text[*size] = 0;
	fclose(file);
	return text;
}

static void each_file(void (*test)(const char *path, const char *text, size_t size))
{
	glob_t found = { 0 };

	for (size_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++)
		glob(patterns[i], i ? GLOB_APPEND : 0, NULL, &found);
	cr_assert_gt(found.gl_pathc, 0, "run from the root of the repository");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		size_t size;
		char *text = read_file(found.gl_pathv[i], &size);

		test(found.gl_pathv[i], text, size);
		free(text);
	}
	globfree(&found);
}

static char *print(const struct ptx_module *m)
{
	char *text;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	ptx_print_module(m, stream);
	fclose(stream);
	return text;
}

static uint32_t count_functions(const struct ptx_module *m, uint32_t *insns)
{
	uint32_t count = 0;

	*insns = 0;
	for (const struct ptx_function *f = m->functions; f; f = f->next, count++)
		*insns += f->insn_count;
	return count;
}

static void check_round_trip(const char *path, const char *text, size_t size)
{
	struct ptx_module *first = ptx_parse(text, size, path, &diags), *second;
	uint32_t insns[2];
	char *printed, *again;

	if (!first)
		diag_print(&diags, stderr);
	cr_assert(first, "%s is refused", path);
	printed = print(first);
	second = ptx_parse(printed, strlen(printed), "printed", &diags);
	if (!second)
		diag_print(&diags, stderr);
	cr_assert(second, "%s: what was printed is refused", path);
	again = print(second);
	cr_expect_str_eq(printed, again, "%s", path);
	cr_expect_eq(count_functions(first, &insns[0]), count_functions(second, &insns[1]));
	cr_expect_eq(insns[0], insns[1]);
	free(printed);
	free(again);
	ptx_module_free(first);
	ptx_module_free(second);
}

Test(parse_files, what_is_printed_is_read_as_the_same_module)
{
	each_file(check_round_trip);
}

Test(parse_files, names_of_flattened_scopes_are_told_apart)
{
	char *printed;

	accept_module(".shared .u32 x;\n.entry k() { .reg .u32 a; .reg .b32 %r<3>; { .reg .u32 a; .reg .b32 "
		      "%r<3>; .reg .u64 x;\n"
		      "mov.u32 a, %r1; L: bra L; } { .reg .u32 %r1; mov.u32 a, %r1; L: bra L; } mov.u32 %r2, "
		      "x; ret; }");
	printed = print(module);
	check_round_trip("scopes", printed, strlen(printed));
	cr_expect(strstr(printed, "mov.u32 a__2_v, %r__2_1;"), "%s", printed);
	cr_expect(strstr(printed, "mov.u32 %r2, x;"), "%s", printed);
	free(printed);
}

static uint64_t random_state;

static uint32_t random_below(uint32_t limit)
{
	random_state = random_state * 6364136223846793005u + 1442695040888963407u;
	return (uint32_t)(random_state >> 33) % limit;
}

/* One damage: a byte changed, dropped or doubled, the end cut off, or two words exchanged. */
static size_t damage(char *text, size_t size)
{
	static const char bytes[] = "{}()[];:,.@!%$_+-<>|=\"/*0123456789xfdUabrst \n\t\0\x80\xff";
	size_t at = random_below((uint32_t)size), other = random_below((uint32_t)size),
	       length = 1 + random_below(12);

	switch (random_below(6)) {
	case 0:
		return at + 1;
	case 1:
		memmove(text + at, text + at + 1, size - at - 1);
		return size - 1;
	case 2:
		if (at + length < size && other + length < size)
			memmove(text + at, text + other, length);
		return size;
	case 3:
		text[at] = (char)random_below(256);
		return size;
	default:
		text[at] = bytes[random_below(sizeof bytes)];
		return size;
	}
}

static uint32_t rounds;

static void parse_damaged(const char *path, const char *text, size_t size)
{
	char *copy = malloc(size);

	random_state = size + ((uint64_t)slot_of_commit() << 32);
	for (uint32_t i = 0; i < (size > 10000 ? rounds / 20 : rounds); i++) {
		size_t left = size;
		uint32_t count = 1 + random_below(4);
		struct diag_list list;

		memcpy(copy, text, size);
		while (count-- && left > 1)
			left = damage(copy, left);
		diag_init(&list);
		ptx_module_free(ptx_parse(copy, left, path, &list));
		diag_fini(&list);
	}
	free(copy);
}

Test(parse_files, damaged_texts_never_crash_the_parser, HANG_GUARD)
{
	rounds = 200 / one_in_or(10, 2);
	if (getenv("FUZZ"))
		rounds = (uint32_t)atoi(getenv("FUZZ"));
	each_file(parse_damaged);
}
