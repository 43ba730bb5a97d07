/* energymicro -- kernels that exercise one component of the chip each, at several rates, so that an energy
 * model can be fitted to the power that they take. */
#include "energymicro.h"
#include <fnmatch.h>
#include <time.h>

enum { LARGEST = 1 << 28, NOT_ON_THIS_DEVICE = 3 };

struct request {
	const char *only; /* a pattern of names, or NULL */
	unsigned repeat, broken;
	double seconds; /* that each kernel is to take; 0: one launch */
	bool list, text;
	char **names; /* argc of them */
	int count;
};

/* -- the command line -- */

static void usage(void)
{
	puts("usage: energymicro [OPTION]... [KERNEL]...\n"
	     "Kernels that exercise one component of the chip each, at several rates (default: all but "
	     "roofline_*).\n\n"
	     "  --list             names, and what they do\n"
	     "  --only PATTERN     kernels whose name matches, as in --only 'dram_*'\n"
	     "  --repeat N         do N times as much in each launch (default 1, for a simulator)\n"
	     "  --seconds S        launch each kernel for S seconds, and print when that began and ended\n"
	     "  --ptx              print the PTX of the kernels for this device\n"
	     "  --break-reference N  spoil the reference of comparison N: the program must then fail\n"
	     "  --help             this text\n\n"
	     "The exit status is 0 if all results are right, 1 if not, 2 for a wrong command line, and 3 if "
	     "this\ndevice has none of the kernels.");
}

static _Noreturn void wrong(const char *what, const char *why)
{
	fprintf(stderr, "energymicro: %s: %s\n", what, why);
	exit(2);
}

static double number(const char *option, const char *text, double most)
{
	char *end = NULL;
	double value = text ? strtod(text, &end) : 0;

	if (!text || end == text || *end || !(value > 0) || value > most)
		wrong(option, "a number above 0 was expected");
	return value;
}

static struct request arguments(int argc, char **argv)
{
	struct request q = { .repeat = 1, .names = bench_alloc((size_t)argc, sizeof *q.names) };

	for (int i = 1; i < argc; i++) {
		const char *option = argv[i];

		if (!strcmp(option, "--help") || !strcmp(option, "-h")) {
			usage();
			exit(0);
		}
		if (!strcmp(option, "--list"))
			q.list = true;
		else if (!strcmp(option, "--ptx"))
			q.text = true;
		else if (!strcmp(option, "--repeat"))
			q.repeat = (unsigned)number(option, argv[++i], 1e6);
		else if (!strcmp(option, "--seconds"))
			q.seconds = number(option, argv[++i], 1e6);
		else if (!strcmp(option, "--break-reference"))
			q.broken = (unsigned)number(option, argv[++i], 1e6);
		else if (!strcmp(option, "--only") && argv[i + 1])
			q.only = argv[++i];
		else if (*option == '-')
			wrong(option, "no such option, or its value is missing; --help shows them");
		else
			q.names[q.count++] = argv[i];
	}
	return q;
}

static bool is_asked_for(const struct request *q, const struct kernel *k)
{
	bool named = !q->count && (!k->family->is_apart || q->only);

	for (int i = 0; i < q->count; i++)
		named |= !strcmp(q->names[i], k->name);
	return named && (!q->only || !fnmatch(q->only, k->name, 0));
}

static void check_names(const struct request *q, const struct kernel *all, size_t count)
{
	for (int i = 0; i < q->count; i++) {
		bool is = false;

		for (size_t j = 0; j < count; j++)
			is |= !strcmp(all[j].name, q->names[i]);
		if (!is)
			wrong(q->names[i], "no such kernel; --list shows them");
	}
}

static void print_kernel(const struct kernel *k)
{
	printf("%-24s %s; %s", k->name, k->family->about, k->level->about);
	if (k->family->needs)
		printf(" (compute capability %u.%u)", k->family->needs / 10, k->family->needs % 10);
	putchar('\n');
}

/* -- the device -- */

struct device {
	struct bench bench;
	unsigned sms, threads_per_sm, capability;
};

static unsigned attribute(const struct bench *b, CUdevice_attribute which)
{
	int value = 0;

	CHECK(cuDeviceGetAttribute(&value, which, b->device));
	return (unsigned)value;
}

static void begin(struct device *d, const struct request *q)
{
	struct bench *b = &d->bench;

	*d = (struct device){ .bench = { .name = "energymicro", .broken = q->broken } };
	CHECK(cuInit(0));
	CHECK(cuDeviceGet(&b->device, 0));
	CHECK(cuDevicePrimaryCtxRetain(&b->context, b->device));
	CHECK(cuCtxSetCurrent(b->context));
	CHECK(cuEventCreate(&b->start, CU_EVENT_DEFAULT));
	CHECK(cuEventCreate(&b->stop, CU_EVENT_DEFAULT));
	d->sms = attribute(b, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
	d->threads_per_sm = attribute(b, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
	d->capability = 10 * attribute(b, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
		attribute(b, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

static CUmodule load(const struct kernel *k, const char *text)
{
	static char errors[8192];
	CUjit_option option[] = { CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES };
	void *value[] = { errors, (void *)(uintptr_t)sizeof errors };
	CUmodule module;
	CUresult result = cuModuleLoadDataEx(&module, text, 2, option, value);

	if (result != CUDA_SUCCESS)
		fprintf(stderr, "%s was not accepted:\n%.*s\n", k->name, (int)sizeof errors, errors);
	bench_check(result, "cuModuleLoadDataEx", __FILE__, __LINE__);
	return module;
}

/* -- a kernel -- */

static uint32_t power_of_two(uint64_t least)
{
	uint32_t value = 1;

	while (value < least && value < LARGEST)
		value *= 2;
	return value;
}

/* At a level with fewer warps each does more, but not in proportion: few warps wait for their own results. */
static struct shape shape_of(const struct kernel *k, const struct device *d, unsigned repeat)
{
	const struct level *l = k->level;
	const struct family *f = k->family;
	unsigned per_sm = l->fills ? d->threads_per_sm / l->threads : 1;
	unsigned sms = l->part ? (d->sms + l->part - 1) / l->part : 1;
	unsigned fewer = d->threads_per_sm / (per_sm * l->threads);
	struct shape s = { .ctas = per_sm * sms, .threads = l->threads, .lanes = l->lanes };

	s.repeats = (f->repeats                       ? f->repeats
				    : f->stream.space ? 24
						      : 12) *
		(fewer < 24 ? fewer : 24) * repeat;
	s.chunk = f->stream.stride > 4 ? WARP * f->stream.stride : CHAINS * 128;
	s.step = s.chunk * s.ctas * (s.threads / WARP);
	if (f->stream.space && f->stream.space != SPACE_GLOBAL)
		s.step = s.chunk * 5;
	s.mask = f->stream.footprint ? f->stream.footprint - 1
				     : power_of_two((uint64_t)s.step * s.repeats) - 1;
	return s;
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_REALTIME, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct memory {
	CUdeviceptr data, out;
	CUtexObject texture; /* 0: the kernel reads data itself */
	CUdeviceptr other; /* as much, for the launch that warms up; `data` if it is to find the same there */
	uint32_t *words;   /* that data begins with; NULL: it is set to 0 */
	size_t bytes, threads;
};

/* What a launch reads from DRAM must not be in the caches before. */
static bool is_for_dram(const struct stream *s)
{
	return s->space == SPACE_GLOBAL && (s->random || !s->footprint);
}

static void set_memory(const struct memory *m)
{
	CHECK(cuMemsetD8(m->out, 0xff, m->threads * 8));
	if (m->words)
		CHECK(cuMemcpyHtoD(m->data, m->words, m->bytes));
	else
		CHECK(cuMemsetD32(m->data, 0, m->bytes / 4));
}

static void launch(
	struct device *d, const struct kernel *k, const struct shape *s, struct memory *m, CUdeviceptr data)
{
	const struct family *f = k->family;
	uint32_t x = operand_bits(f, f->x), y = operand_bits(f, f->y);
	double gx = f->x, gy = f->y;
	unsigned repeats = s->repeats, lanes = s->lanes;
	uint32_t step = s->step, mask = s->mask, chunk = s->chunk;

	bench_launch(&d->bench, k->name, DIM(s->ctas), DIM(s->threads),
		ARGS(&m->out, m->texture ? (void *)&m->texture : (void *)&data, &repeats, &lanes, &x, &y, &gx,
			&gy, &step, &mask, &chunk));
}

/* A short launch first, so that instructions, and what fits, are in the caches; then the one that counts.
 * DRAM is written when a full cache has no room: the first launch must fill it. */
static void measure(struct device *d, const struct kernel *k, const struct request *q, const struct shape *s,
	struct memory *m)
{
	struct shape warm_up = *s;
	unsigned long launches = 0;
	double start;

	if (!is_for_dram(&k->family->stream)) {
		unsigned all = s->step ? s->mask / s->step + 1 : 1; /* go once through the footprint */

		warm_up.repeats = s->repeats / 4 > all ? s->repeats / 4 : all;
	}
	launch(d, k, &warm_up, m, m->other);
	CHECK(cuCtxSynchronize());
	set_memory(m);
	start = now();
	do {
		/* what atomics add would depend on how often */
		if (launches && k->family->stream.access == ACCESS_ADD)
			set_memory(m);
		bench_start(&d->bench);
		launch(d, k, s, m, m->data);
		bench_stop(&d->bench);
		launches++;
	} while (now() - start < q->seconds);
	if (q->seconds > 0)
		printf("%s: began %.3f ended %.3f launches %lu\n", k->name, start, now(), launches);
}

static void check_results(
	struct device *d, const struct kernel *k, const struct shape *s, const struct memory *m)
{
	enum type type = k->family->type;
	uint64_t *want = bench_alloc(m->threads, sizeof *want), *got = bench_alloc(m->threads, sizeof *got);

	memset(want, 0xff, m->threads * sizeof *want);
	reference_results(k, s, want);
	bench_read(got, m->out, m->threads, sizeof *got);
	if (k->family->tolerance > 0 && type == TYPE_F32) {
		size_t n = 0;
		float *near = bench_alloc(m->threads, sizeof *near),
		      *of = bench_alloc(m->threads, sizeof *of);

		for (size_t i = 0; i < m->threads; i++) {
			if (i % WARP >= s->lanes)
				continue;
			memcpy(&near[n], &got[i], sizeof *near);
			memcpy(&of[n++], &want[i], sizeof *of);
		}
		bench_near_f32(&d->bench, k->name, near, of, n, reference_tolerance(k, s),
			CHAINS * k->family->scale);
		free(near);
		free(of);
	} else {
		bench_expect_u64(&d->bench, k->name, got, want, m->threads);
	}
	free(want);
	free(got);
}

static void check_memory(struct device *d, const struct kernel *k, const struct shape *s, struct memory *m)
{
	uint32_t *got = bench_alloc(m->bytes / 4, 4), *want = bench_alloc(m->bytes / 4, 4);

	reference_memory(k, s, want);
	bench_read(got, m->data, m->bytes / 4, 4);
	bench_expect_u32(&d->bench, k->name, got, want, m->bytes / 4);
	free(got);
	free(want);
}

static CUtexObject texture_of(const struct memory *m)
{
	CUDA_RESOURCE_DESC words = { .resType = CU_RESOURCE_TYPE_LINEAR,
		.res.linear = { .devPtr = m->data,
			.format = CU_AD_FORMAT_UNSIGNED_INT32,
			.numChannels = 1,
			.sizeInBytes = m->bytes } };
	CUDA_TEXTURE_DESC how = { .flags = CU_TRSF_READ_AS_INTEGER };
	CUtexObject texture;

	CHECK(cuTexObjectCreate(&texture, &words, &how, NULL));
	return texture;
}

static void run(struct device *d, const struct kernel *k, const struct request *q)
{
	const struct stream *stream = &k->family->stream;
	struct shape s = shape_of(k, d, q->repeat);
	struct memory m = { .threads = (size_t)s.ctas * s.threads, .bytes = STREAM_PADDING };
	char *text = kernel_text(k, d->capability);

	d->bench.module = load(k, text);
	if (stream->space == SPACE_GLOBAL || stream->space == SPACE_TEXTURE)
		m.bytes += s.mask + 1;
	m.out = bench_device_alloc(m.threads, 8);
	m.data = bench_device_alloc(m.bytes, 1);
	m.other = is_for_dram(stream) ? bench_device_alloc(m.bytes, 1) : m.data;
	if (stream->access == ACCESS_READ) {
		m.words = bench_alloc(m.bytes / 4, 4);
		for (uint32_t at = 0; at < m.bytes; at += 4)
			m.words[at / 4] = stream_word(stream, at);
	}
	m.texture = stream->space == SPACE_TEXTURE ? texture_of(&m) : 0;
	set_memory(&m);
	measure(d, k, q, &s, &m);
	check_results(d, k, &s, &m);
	if (stream->space == SPACE_GLOBAL && stream->access != ACCESS_READ)
		check_memory(d, k, &s, &m);
	if (m.texture)
		CHECK(cuTexObjectDestroy(m.texture));
	if (m.other != m.data)
		CHECK(cuMemFree(m.other));
	CHECK(cuMemFree(m.out));
	CHECK(cuMemFree(m.data));
	CHECK(cuModuleUnload(d->bench.module));
	free(m.words);
	free(text);
}

/* -- the program -- */

static int end(struct device *d, size_t ran)
{
	struct bench *b = &d->bench;

	if (b->broken > b->comparisons && ran)
		wrong("--break-reference", "there are not so many comparisons");
	CHECK(cuEventDestroy(b->start));
	CHECK(cuEventDestroy(b->stop));
	CHECK(cuDevicePrimaryCtxRelease(b->device));
	if (!ran) {
		fprintf(stderr, "energymicro: this device has none of these kernels\n");
		return NOT_ON_THIS_DEVICE;
	}
	printf("energymicro: %zu kernels, %llu values compared: %s%s\n", ran, b->compared,
		*b->failure ? "FAIL: " : "PASS", b->failure);
	return *b->failure ? 1 : 0;
}

int main(int argc, char **argv)
{
	struct request q = arguments(argc, argv);
	struct kernel *all;
	size_t count = kernel_list(&all), ran = 0, asked = 0;
	struct device d;
	int status = 0;

	check_names(&q, all, count);
	for (size_t i = 0; i < count; i++)
		asked += is_asked_for(&q, &all[i]);
	if (!asked)
		wrong(q.only, "no kernel has such a name; --list shows them");
	if (!q.list)
		begin(&d, &q);
	for (size_t i = 0; i < count; i++) {
		if (!is_asked_for(&q, &all[i]))
			continue;
		if (q.list) {
			print_kernel(&all[i]);
		} else if (d.capability >= all[i].family->needs) {
			ran++;
			if (q.text) {
				char *text = kernel_text(&all[i], d.capability);

				fputs(text, stdout);
				free(text);
			} else {
				run(&d, &all[i], &q);
			}
		}
	}
	if (!q.list && !q.text)
		status = end(&d, ran);
	free(all);
	free(q.names);
	return status;
}
