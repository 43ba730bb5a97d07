/* arguments.c -- the command line of a benchmark, from its struct bench_program. */
#include "bench.h"

static const char *const presets[] = { "tiny", "small", "repro", "paper" };

static size_t preset_size(const struct bench_program *p, size_t i, unsigned preset)
{
	return p->sizes[i].preset[preset] ? p->sizes[i].preset[preset] : p->sizes[0].preset[preset];
}

static void usage(const struct bench *b)
{
	const struct bench_program *p = b->program;

	printf("usage: %s [--size tiny|small|repro|paper] [--seed N] [--ptx FILE]", b->name);
	for (size_t i = 0; i < BENCH_CHOICES && p->choices[i].name; i++)
		printf(" [--%s %s]", p->choices[i].name, p->choices[i].values);
	for (size_t i = 0; i < BENCH_SIZES && p->sizes[i].name; i++)
		printf(" [%s", p->sizes[i].name);
	for (size_t i = 0; i < BENCH_SIZES && p->sizes[i].name; i++)
		putchar(']');
	printf("\n%s\n(%s)\n\n", p->help, p->source);
	for (size_t i = 0; i < BENCH_SIZES && p->sizes[i].name; i++) {
		const struct bench_size *s = &p->sizes[i];
		printf("  %-18s %s, %zu to %zu", s->name, s->help, s->least ? s->least : 1, s->max);
		if (s->multiple > 1)
			printf(", a multiple of %zu", s->multiple);
		printf(" (tiny %zu, small %zu, repro %zu, paper %zu)\n", preset_size(p, i, BENCH_TINY),
			preset_size(p, i, BENCH_SMALL), preset_size(p, i, BENCH_REPRO),
			preset_size(p, i, BENCH_PAPER));
	}
	for (size_t i = 0; i < BENCH_CHOICES && p->choices[i].name; i++)
		printf("  --%-16s %s: %s (default %s)\n", p->choices[i].name, p->choices[i].help,
			p->choices[i].values, p->choices[i].preset);
	printf("  %-18s all sizes together (default small); a size given overrides it\n", "--size NAME");
	printf("  %-18s where random input begins (default %u)\n", "--seed N", BENCH_SEED);
	printf("  %-18s the kernels (default %s)\n", "--ptx FILE", b->ptx);
	printf("  %-18s what the program is, for other programs\n", "--describe");
	printf("  %-18s spoil the reference of comparison N: the program must then fail\n",
		"--break-reference N");
	printf("  %-18s this text\n", "--help");
	printf("\nA size may end in K (times 1024) or M (times 1048576).\n");
}

/* For programs: a key and its text a line; sizes with tiny, small, repro, paper and the most. */
static void describe(const struct bench *b)
{
	const struct bench_program *p = b->program;

	printf("suite: %.*s\nname: %s\nhelp: %s\nsource: %s\ntags: %s\n", (int)strcspn(b->folder, "/"),
		b->folder, b->name, p->help, p->source, p->tags);
	for (size_t i = 0; i < BENCH_SIZES && p->sizes[i].name; i++)
		printf("size: %s %zu %zu %zu %zu %zu %s\n", p->sizes[i].name, preset_size(p, i, BENCH_TINY),
			preset_size(p, i, BENCH_SMALL), preset_size(p, i, BENCH_REPRO),
			preset_size(p, i, BENCH_PAPER), p->sizes[i].max, p->sizes[i].help);
	for (size_t i = 0; i < BENCH_CHOICES && p->choices[i].name; i++)
		printf("choice: %s %s %s %s\n", p->choices[i].name, p->choices[i].values,
			p->choices[i].preset, p->choices[i].help);
	if (p->chip)
		printf("chip: %s\n", p->chip);
	printf("repro: %s\nrepro-limit: %llu\nlimit: %llu\nptx: %s\n", p->repro, p->repro_limit, p->limit,
		b->ptx);
}

void bench_wrong(const struct bench *b, const char *format, ...)
{
	va_list args;

	fprintf(stderr, "%s: ", b->name);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	exit(2);
}

/* A number from least to max, K and M allowed. */
static size_t number(const struct bench *b, const char *what, const char *text, size_t least, size_t max)
{
	char *end = (char *)text;
	unsigned long long value = 0;
	unsigned shift;

	errno = 0;
	if (text[0] >= '0' && text[0] <= '9')
		value = strtoull(text, &end, 10);
	shift = *end == 'K' ? 10 : *end == 'M' ? 20 : 0;
	if (end == text || end[shift != 0] || errno || value > max >> shift || value << shift < least)
		bench_wrong(b, "%s = %s: expected a number from %zu to %zu", what, text, least, max);
	return (size_t)value << shift;
}

/* The value, if it is one of the choice's. */
static const char *choose(const struct bench *b, const struct bench_choice *c, const char *text)
{
	size_t length = strlen(text);

	for (const char *v = c->values; *v; v += strcspn(v, "|"), v += *v == '|') {
		size_t n = strcspn(v, "|");
		if ((n == length && !strncmp(v, text, n)) || (*v >= 'A' && *v <= 'Z'))
			return text;
	}
	bench_wrong(b, "--%s %s: expected %s", c->name, text, c->values);
}

/* Takes the option argv[*i], and its value behind it; false: there is no such option. */
static bool option(struct bench *b, int argc, char **argv, int *i, unsigned *preset)
{
	const struct bench_program *p = b->program;
	const char *option = argv[*i] + 2, *value = *i + 1 < argc ? argv[*i + 1] : NULL;
	const struct bench_choice *choice = p->choices;

	while (choice < p->choices + BENCH_CHOICES && choice->name && strcmp(choice->name, option))
		choice++;
	if (choice == p->choices + BENCH_CHOICES || !choice->name)
		choice = NULL;
	if (!choice && strcmp(option, "size") && strcmp(option, "seed") && strcmp(option, "ptx") &&
		strcmp(option, "break-reference"))
		return false;
	if (!value)
		bench_wrong(b, "--%s: a value is missing", option);
	++*i;
	if (choice) {
		b->choice[choice - p->choices] = choose(b, choice, value);
	} else if (!strcmp(option, "ptx")) {
		b->ptx = value;
	} else if (!strcmp(option, "seed")) {
		b->seed = (uint32_t)number(b, "--seed", value, 0, UINT32_MAX);
	} else if (!strcmp(option, "break-reference")) {
		b->broken = (unsigned)number(b, "--break-reference", value, 1, 1000);
	} else {
		for (*preset = 0; strcmp(presets[*preset], value);)
			if (++*preset == BENCH_PRESETS)
				bench_wrong(b, "--size %s: expected tiny, small, repro or paper", value);
	}
	return true;
}

void bench_arguments(struct bench *b, int argc, char **argv)
{
	const struct bench_program *p = b->program;
	unsigned preset = BENCH_SMALL;
	size_t given = 0, sizes = 0;

	while (sizes < BENCH_SIZES && p->sizes[sizes].name)
		sizes++;
	for (size_t i = 0; i < BENCH_CHOICES && p->choices[i].name; i++)
		b->choice[i] = p->choices[i].preset;
	for (int i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
			usage(b);
			exit(0);
		}
		if (!strcmp(argv[i], "--describe")) {
			describe(b);
			exit(0);
		}
	}
	for (int i = 1; i < argc; i++) {
		if (!strncmp(argv[i], "--", 2)) {
			if (!option(b, argc, argv, &i, &preset))
				bench_wrong(b, "%s: no such option; --help shows them", argv[i]);
		} else if (given == sizes) {
			bench_wrong(b, "%s: more arguments than sizes; --help shows them", argv[i]);
		} else {
			const struct bench_size *s = &p->sizes[given];
			b->size[given++] = number(b, s->name, argv[i], s->least ? s->least : 1, s->max);
		}
	}
	for (size_t i = 0; i < sizes; i++) {
		if (i >= given) /* a size that is as the first follows the first that was given */
			b->size[i] =
				given && !p->sizes[i].preset[preset] ? b->size[0] : preset_size(p, i, preset);
		if (p->sizes[i].multiple && b->size[i] % p->sizes[i].multiple)
			bench_wrong(b, "%s = %zu: expected a multiple of %zu", p->sizes[i].name, b->size[i],
				p->sizes[i].multiple);
	}
}
