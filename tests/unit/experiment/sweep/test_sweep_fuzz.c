/* tests/unit/experiment/sweep/test_sweep_fuzz.c -- thousands of mutations of a good sweep file: each is
 * read, or refused with a reason. */
#include "experiment/sweep/derived/formula.h"
#include "experiment/sweep/file/file.h"
#include "sim/base/random.h"
#include "tests/unit/experiment/rig.h"
#include "tests/unit/hang_guard.h"

TestSuite(sweep_fuzz, .init = rig_start, .fini = rig_stop);

static const char good[] =
	"name: schedulers-l1\nworkloads: [polybench, {name: polybench/gemm, size: small}, {name: "
	"rodinia/bfs, arguments: [128, 'a b']},\n"
	"  {label: mine, program: ./mine, arguments: [1000], inputs: [mine.ptx]}]\nsize: tiny\nbase: "
	"[gtx480, gtx470]\noverlays: [o.yaml]\n"
	"set: {gpu.timing_limit.instructions: 10M}\nfactors:\n  scheduler:\n    lrr: {sm.scheduler.policy: "
	"lrr}\n    "
	"gto: {sm.scheduler.policy: gto}\n"
	"    \"swl-{1..3,8}\": {sm.limiter.policy: swl, sm.limiter.swl.warps: \"{}\"}\n"
	"  l1:\n    16K: {}\n    48K: {config: gtx480-l1-48k}\n"
	"best: {top: {of: {scheduler: [gto, \"swl-*\"]}, by: gpu.cycles, least: true}}\nexclude:\n  - "
	"{scheduler: gto, l1: 48K}\n  - "
	"{workload: [rodinia/nw], l1: 48K}\n"
	"seeds: [1, 2, 3]\nlimits: {time: 600, memory: 2000, retries: 2}\nseries: "
	"1000:gpu.ipc,sm.l1d.miss_rate\n"
	"baseline: {scheduler: lrr, l1: 16K}\nderived:\n  speedup: {value: base(gpu.cycles) / gpu.cycles, "
	"unit: times, mean: geometric}\n"
	"  mpki: {value: 1000 * sm.l1d.misses / gpu.thread_instructions, unit: misses, mean: arithmetic}\n"
	"report:\n  - {figure: bars, value: speedup, title: \"Speed-up\"}\n";

static const char *const pieces[] = { "[", "]", "{", "}", ": ", ", ", "- ", "\n", "\n  ", "\"", "'", "#",
	"&a ", "*a", "!!int ", "? ", "| ", "> ", "--- ", "...\n", "%YAML 9.9\n", "\t", "\\0", "\xff",
	"\xc3\xa4", "~", "null", "-1", "99999999999999999999", "1e9", "base", "(", "select", "::", "." };

/* A place, and how many bytes from there. */
static size_t change(struct sim_random *random, char *text, size_t size, size_t room)
{
	size_t from = sim_random_below(random, (uint32_t)size + 1),
	       most = size - from < 40 ? size - from : 40,
	       length = sim_random_below(random, (uint32_t)most + 1), to;
	const char *piece = pieces[sim_random_below(random, sizeof(pieces) / sizeof(*pieces))];

	switch (sim_random_below(random, 5)) {
	case 0: /* taken out */
		memmove(text + from, text + from + length, size - from - length);
		return size - length;
	case 1: /* twice there */
		if (size + length > room)
			return size;
		memmove(text + from + length, text + from, size - from);
		return size + length;
	case 2: /* another byte */
		if (from < size)
			text[from] = (char)sim_random_below(random, 256);
		return size;
	case 3: /* a piece of YAML */
		if (size + strlen(piece) > room)
			return size;
		memmove(text + from + strlen(piece), text + from, size - from);
		memcpy(text + from, piece, strlen(piece));
		return size + strlen(piece);
	default: /* written over by what stands elsewhere */
		to = sim_random_below(random, (uint32_t)(size - length) + 1);
		memmove(text + to, text + from, length);
		return size;
	}
}

static size_t mutate(struct sim_random *random, char *text, size_t room)
{
	size_t size = strlen(good), changes = 1 + sim_random_below(random, 4);

	memcpy(text, good, size);
	while (changes--)
		size = change(random, text, size, room);
	return size;
}

/* What was read must be fit to be used. */
static void look_at(const struct sweep_file *f)
{
	cr_assert(f->name && *f->name && f->item_count && f->bases.count && f->size);
	for (size_t i = 0; i < f->item_count; i++)
		cr_assert(!f->items[i].word != !f->items[i].program);
	for (size_t i = 0; i < f->factor_count; i++)
		cr_assert(f->factors[i].count > 0);
	for (size_t i = 0; i < f->exclude_count; i++)
		cr_assert(f->excludes[i].keys.count > 0);
	for (size_t i = 0; i < f->baseline.keys.count; i++)
		cr_assert_eq(f->baseline.values[i].count, 1);
	for (size_t i = 0; i < f->derived_count; i++)
		cr_assert(f->derived[i].formula && formula_can_name(f->derived[i].name));
}

Test(sweep_fuzz, every_mutation_is_read_or_refused_with_a_reason, HANG_GUARD)
{
	enum { COUNT = 5000, ROOM = 4096 };
	struct sim_random *random = sim_random_new(1, 8);
	char text[ROOM];
	int accepted = 0;

	for (int i = 0; i < COUNT; i++) {
		size_t size = mutate(random, text, ROOM);
		struct sweep_file *f;

		put_bytes("s.yaml", text, size);
		f = sweep_file_read(at("s.yaml"), &diags);
		cr_assert_eq(f != NULL, diags.errors == 0, "mutation %d: %.*s", i, (int)size, text);
		if (f)
			look_at(f);
		accepted += f != NULL;
		sweep_file_free(f);
		diag_fini(&diags);
		diag_init(&diags);
	}
	sim_random_free(random);
	cr_expect(
		accepted > COUNT / 50 && accepted < COUNT - COUNT / 50, "%d of %d accepted", accepted, COUNT);
}

/* Of the pieces that formulas and SQL are made of; what is accepted gives a value or none. */
Test(sweep_fuzz, every_formula_is_taken_or_refused_with_a_reason, HANG_GUARD)
{
	static const char *const words[] = { "a.b", "x::2-3", "d", "base(", "(", ")", "1", "2.5", "1e3", "+",
		"-", "*", "/", "--", "/*", "*/", "<", ">=", "=", "!=", "min(", "iif(", "sqrt(", ",", "case",
		"when", "then", "else", "end", "and", "or", "not", "null", "is", "select", "from", "jobs",
		";", "'", " ", "max" };
	static const char *const derived[] = { "d", NULL };
	static const double values[64] = { 3, 0, -1, 5 };
	struct sim_random *random = sim_random_new(1, 9);
	int accepted = 0;
	sqlite3 *db;

	cr_assert_eq(sqlite3_open(":memory:", &db), SQLITE_OK);
	for (int i = 0; i < 20000; i++) {
		char text[256] = "", message[256];
		struct formula f;

		for (uint32_t k = 1 + sim_random_below(random, 9); k--;)
			strcat(text, words[sim_random_below(random, sizeof(words) / sizeof(*words))]);
		if (!formula_parse(&f, db, text, derived, message, sizeof(message))) {
			cr_assert(*message, "%s", text);
			continue;
		}
		formula_value(&f, values);
		formula_free(&f);
		accepted++;
	}
	cr_expect_gt(accepted, 200);
	cr_expect_eq(sqlite3_close(db), SQLITE_OK);
	sim_random_free(random);
}
