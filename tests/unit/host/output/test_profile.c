/* tests/unit/host/output/test_profile.c -- the profile's lines: whose they are, what they were compiled
 * from, and what is said of them. Counters are made up here; that the core counts rightly is tested in
 * tests/unit/core. */
#include "host/output/line_profile.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#define HEADER ".version 7.2\n.target sm_75\n.address_size 64\n"

/* Lines 7 to 18, 20 to 24; a helper that both call at 25 to 28. */
static const char two_kernels[] = HEADER ".file 1 \"/a/b/first.cu\"\n.file 2 \"inlined.h\", 1, 2\n"
					 ".func helper;\n"
					 ".visible .entry one()\n{\n.reg .b32 %r<3>;\n// a comment }\n.loc 1 "
					 "42 7\nmov.u32 %r0, 1; mov.u32 %r1, 2;\nLABEL:\n"
					 ".loc 2 7 1\nadd.u32 %r2, %r0, %r1;\ncall helper;\nret;\n}\n"
					 "\n"
					 ".visible .entry two()\n{\n\tcall helper;\n\tret;\n}\n"
					 ".func helper\n{\n\tret;\n}\n";

struct rig {
	struct diag_list diags;
	struct ptx_module *module;
	struct ptx_image *image;
};

static struct rig load(const char *text, const char *name)
{
	struct rig r;

	diag_init(&r.diags);
	r.module = ptx_parse(text, strlen(text), name, &r.diags);
	r.image = r.module ? ptx_lower(r.module, &r.diags) : NULL;
	if (!r.image)
		diag_print(&r.diags, stderr);
	cr_assert(r.image);
	return r;
}

static void unload(struct profile *p, struct rig *r)
{
	profile_forget(p, r->image);
	ptx_image_free(r->image);
	ptx_module_free(r->module);
	diag_fini(&r->diags);
}

static struct line_counts *counts_of(struct profile *p, struct rig *r, const char *kernel)
{
	return profile_counts(p, ptx_image_kernel(r->image, kernel));
}

static struct profile_line *line(struct profile_kernel *k, uint32_t number)
{
	for (uint32_t i = 0; i < k->line_count; i++)
		if (k->lines[i].number == number)
			return &k->lines[i];
	cr_assert(false, "no line %u", number);
	return NULL;
}

/* The micro-operation of a line. */
static uint32_t uop_of(const struct profile_kernel *k, uint32_t number)
{
	for (uint32_t i = 0; i < k->uop_count; i++)
		if (k->lines[k->line_of[i]].number == number)
			return i;
	cr_assert(false, "line %u has no micro-operation", number);
	return 0;
}

static bool is_text(const struct profile_kernel *k, uint32_t number, const char *text)
{
	size_t length;
	const char *at = profile_source_line(k->functions[0].source, number, &length);

	return length == strlen(text) && !memcmp(at, text, length);
}

static char *printed(void (*print)(const struct profile_kernel *, FILE *), const struct profile_kernel *k)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	print(k, f);
	fclose(f);
	return text;
}

Test(profile_lines, of_each_function_from_its_head_to_its_brace)
{
	struct profile *p = profile_new();
	struct rig r = load(two_kernels, "two.ptx");
	struct profile_kernel *one, *two;

	counts_of(p, &r, "one");
	counts_of(p, &r, "two");
	one = p->kernels;
	two = one->next;
	cr_assert(one && two && !two->next);
	cr_assert_str_eq(one->name, "one");
	cr_assert(one->function_count == 2 && two->function_count == 2);
	cr_assert_eq(one->functions[0].first, 7);
	cr_assert_eq(one->functions[0].last, 18);
	cr_assert_eq(two->functions[0].first, 20);
	cr_assert_eq(two->functions[0].last, 24);
	cr_assert_str_eq(two->functions[1].name, "helper");
	cr_assert_eq(two->functions[1].first, 25);
	cr_assert_eq(two->functions[1].last, 28);
	cr_assert_eq(two->line_count, 5 + 4);
	cr_assert_eq(one->functions[0].source, two->functions[1].source, "the text is kept once");
	cr_assert(is_text(one, 7, ".visible .entry one()") && is_text(one, 18, "}") &&
		is_text(one, 10, "// a comment }"));
	unload(p, &r);
	profile_free(p);
}

Test(profile_lines, add_up_their_micro_operations)
{
	struct profile *p = profile_new();
	struct rig r = load(two_kernels, "two.ptx");
	struct line_counts *counts = counts_of(p, &r, "one");
	struct profile_kernel *k = p->kernels;
	uint64_t sum = 0;

	for (uint32_t i = 0; i <= k->uop_count; i++) {
		counts[i].executions = i + 1;
		sum += i < k->uop_count ? i + 1 : 0;
	}
	profile_add_up(k);
	cr_assert_eq(line(k, 12)->uops, 2);
	cr_assert_eq(line(k, 12)->counts.executions, 1 + 2);
	cr_assert_eq(line(k, 13)->uops, 0);
	cr_assert_eq(k->total.executions, sum);
	profile_add_up(k);
	cr_assert_eq(k->total.executions, sum, "once more gives the same");
	unload(p, &r);
	profile_free(p);
}

Test(profile_lines, know_what_they_were_compiled_from)
{
	struct profile *p = profile_new();
	struct rig r = load(two_kernels, "two.ptx");

	counts_of(p, &r, "one");
	cr_assert_str_eq(line(p->kernels, 12)->origin, "/a/b/first.cu");
	cr_assert_eq(line(p->kernels, 12)->origin_line, 42);
	cr_assert_str_eq(line(p->kernels, 15)->origin, "inlined.h");
	cr_assert_eq(line(p->kernels, 15)->origin_line, 7);
	cr_assert_null(line(p->kernels, 8)->origin);
	cr_assert_null(line(p->kernels, 27)->origin, "a function without .loc");
	unload(p, &r);
	profile_free(p);
}

Test(profile_lines, of_a_file_without_a_last_line_end_and_with_carriage_returns)
{
	struct profile *p = profile_new();
	struct rig r =
		load(".version 7.2\r\n.target sm_75\r\n.visible .entry k()\r\n{\r\n\r\nret; }", "dos.ptx");

	counts_of(p, &r, "k");
	cr_assert_eq(p->kernels->functions[0].last, 6);
	cr_assert(is_text(p->kernels, 4, "{") && is_text(p->kernels, 5, "") &&
		is_text(p->kernels, 6, "ret; }"));
	cr_assert(is_text(p->kernels, 0, "") && is_text(p->kernels, 7, ""), "there are no such lines");
	unload(p, &r);
	profile_free(p);
}

Test(profile_kernels, are_the_same_when_loaded_again)
{
	struct profile *p = profile_new();
	struct rig first = load(two_kernels, "two.ptx"), second = load(two_kernels, "two.ptx"),
		   other = load(two_kernels, "three.ptx");
	struct line_counts *counts = counts_of(p, &first, "one");

	cr_assert_eq(counts_of(p, &second, "one"), counts, "loaded twice");
	cr_assert_neq(counts_of(p, &other, "one"), counts, "another module");
	cr_assert_neq(counts_of(p, &first, "two"), counts);
	unload(p, &first);
	unload(p, &second);
	first = load(two_kernels, "two.ptx");
	cr_assert_eq(counts_of(p, &first, "one"), counts, "loaded again");
	unload(p, &first);
	unload(p, &other);
	profile_free(p);
}

Test(profile_kernels, count_their_launches)
{
	struct profile *p = profile_new();
	struct rig r = load(two_kernels, "two.ptx");
	struct launch_result done = { .outcome = GPU_DONE, .ctas = 3, .core_cycles = 100 },
			     fault = { .outcome = GPU_FAULT, .ctas = 1 };

	profile_launched(p, &r.image->kernels[0], &done);
	profile_launched(p, &r.image->kernels[0], &fault);
	cr_assert(p->kernels->launches == 2 && p->kernels->unfinished == 1 && p->kernels->ctas == 4 &&
		p->kernels->cycles == 100);
	unload(p, &r);
	profile_free(p);
}

/* A loop that waits for memory. */
static const char load_and_add[] =
	HEADER ".visible .entry k(.param .u64 p)\n{\n.reg .f32 %f<3>;\n.reg .b64 %d;\n"
	       "ld.param.u64 %d, [p];\n"
	       "LOOP: ld.global.f32 %f0, [%d];\n"
	       "add.f32 %f1, %f0, %f0;\n"
	       "bra LOOP;\n"
	       "ret;\n}\n";

/* text: of which line 9 loads, and line 10 waits for that. */
static struct profile *profile_of(const char *text, struct rig *r)
{
	struct profile *p = profile_new();
	struct line_counts *counts;
	struct profile_kernel *k;

	*r = load(text, "load.ptx");
	counts = counts_of(p, r, "k");
	k = p->kernels;
	counts[uop_of(k, 9)] = (struct line_counts){ .executions = 100,
		.lanes = 1000,
		.l1_hits = 1,
		.l1_misses = 199,
		.l1_merged = 200,
		.accesses = 100,
		.requests = 400,
		.loads = 100,
		.latency = 41200,
		.attributed = 600 };
	counts[uop_of(k, 9)].slots[SLOT_issued] = 100;
	counts[uop_of(k, 9)].slots[SLOT_ldst_busy] = 200;
	counts[uop_of(k, 10)] = (struct line_counts){ .executions = 100, .lanes = 3200 };
	counts[uop_of(k, 10)].slots[SLOT_issued] = 100;
	counts[uop_of(k, 10)].slots[SLOT_l1_miss] = 570;
	counts[uop_of(k, 10)].slots[SLOT_l1_hit] = 30;
	line_counts_wait(&counts[uop_of(k, 10)], uop_of(k, 9), 600);
	counts[k->uop_count].slots[SLOT_no_warp] = 1000;
	profile_add_up(k);
	return p;
}

static struct profile *profile_of_a_load(struct rig *r)
{
	return profile_of(load_and_add, r);
}

Test(profile_hints, name_the_line_whose_result_is_awaited)
{
	struct rig r;
	struct profile *p = profile_of_a_load(&r);
	char *text = printed(profile_print_hints, p->kernels);

	cr_assert(strstr(text,
			  "\nline 10: 75 % of the lost slots: waits for the result of line 9 "
			  "(ld.global.f32: L1 hit rate 0 %, "
			  "4.0 line requests per access, latency 412 cycles)\n"),
		"%s", text);
	cr_assert(strstr(text,
			  "\nline 9: 25 % of the lost slots: ready, but the load/store unit has no room "
			  "(ld.global.f32: L1 hit "
			  "rate 0 %, 4.0 line requests per access, latency 412 cycles); 10.0 of 32 "
			  "lanes active\n"),
		"%s", text);
	cr_assert(
		strstr(text, "\nno line: 50 % of the kernel's slots: the scheduler has no warp"), "%s", text);
	cr_assert(strstr(text, "\n   75.00     30.00      10  l1_miss 95 %     add.f32 %f1, %f0, %f0;\n"),
		"%s", text);
	free(text);
	unload(p, &r);
	profile_free(p);
}

Test(profile_hints, know_labels_from_the_colons_of_a_name)
{
	static const char *const loads[] = { "ld.shared::cta.f32 %f0, [at];",
		"@%q ld.shared::cta.f32 %f0, [at];", "LOOP:@!%q ld.shared::cta.f32 %f0, [at];",
		"A: LOOP: {ld.shared::cta.f32 %f0, [at]; }" };

	for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
		struct rig r;
		struct profile *p;
		char text[400], *said;

		snprintf(text, sizeof text,
			".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
			".reg .f32 %%f<3>; .shared .f32 at;\n.reg .pred %%q;\nsetp.ne.u32 %%q, 1, 2;\n%s\n"
			"add.f32 %%f1, %%f0, %%f0;\nst.shared.f32 [at], %%f1;\nret;\n}\n",
			loads[i]);
		p = profile_of(text, &r);
		said = printed(profile_print_hints, p->kernels);
		cr_expect(strstr(said, "waits for the result of line 9 (ld.shared::cta.f32: "), "%s", said);
		free(said);
		unload(p, &r);
		profile_free(p);
	}
}

Test(profile_hints, are_none_where_nothing_was_lost)
{
	struct profile *p = profile_new();
	struct rig r = load(two_kernels, "two.ptx");
	char *text;

	counts_of(p, &r, "one");
	profile_add_up(p->kernels);
	text = printed(profile_print_hints, p->kernels);
	cr_assert_str_empty(text);
	free(text);
	unload(p, &r);
	profile_free(p);
}

Test(profile_text, stands_beside_the_source)
{
	struct rig r;
	struct profile *p = profile_of_a_load(&r);
	char *text = printed(profile_print_text, p->kernels);

	cr_assert(strstr(text, "\nissue slots: 2000\n   10.0 %  issued "), "%s", text);
	cr_assert(strstr(text,
			  "  ld.param.u64 %d, [p];\n"
			  " 25.00     75.00         100   10.0  ldst_busy 100 %       0.2     4.00      "
			  "412       9  LOOP: ld.global.f32 %f0, [%d];\n"
			  " 75.00                   100   32.0  l1_miss 95 %                            "
			  "         10  add.f32 %f1, %f0, %f0;\n"),
		"%s", text);
	free(text);
	unload(p, &r);
	profile_free(p);
}

Test(profile_causes, come_most_first)
{
	struct line_counts c = { 0 };
	enum slot_cause order[SLOT_COUNT];
	char text[64];

	cr_assert_eq(profile_causes(&c, order), 0);
	profile_format_causes(&c, text, sizeof(text));
	cr_assert_str_empty(text);
	c.slots[SLOT_issued] = 1000;
	c.slots[SLOT_barrier] = 30;
	c.slots[SLOT_sp_busy] = 60;
	c.slots[SLOT_l1_miss] = 60;
	cr_assert_eq(profile_causes(&c, order), 3);
	cr_assert(order[0] == SLOT_sp_busy && order[1] == SLOT_l1_miss && order[2] == SLOT_barrier);
	profile_format_causes(&c, text, sizeof(text));
	cr_assert_str_eq(text, "sp_busy 40 %, l1_miss 40 %");
	cr_assert_eq(profile_lost(&c), 150);
}

/* No cell of the listing is cut off. */
Test(profile_causes, fit_their_cell)
{
	size_t longest = 0;

	for (uint32_t i = 0; i < SLOT_COUNT; i++)
		longest = strlen(slot_names[i]) > longest ? strlen(slot_names[i]) : longest;
	cr_assert_lt(2 * longest + strlen(" 100 %, ") + strlen(" 100 %"), 64);
}

static char *json_of(const struct profile *p)
{
	char *text;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	profile_print_json(p, f);
	fclose(f);
	return text;
}

Test(profile_json, holds_the_numbers)
{
	struct rig r;
	struct profile *p = profile_of_a_load(&r);
	char *text = json_of(p);

	cr_assert(strstr(text,
			  "{\"function\": 0, \"line\": 10, \"text\": \"add.f32 %f1, %f0, %f0;\", "
			  "\"executions\": 100, \"threads\": 3200, "
			  "\"slots\": {\"issued\": 100, \"l1_hit\": 30, \"l1_miss\": 570}, "
			  "\"waits_for\": [{\"function\": 0, \"line\": 9, "
			  "\"slots\": 600}]}"),
		"%s", text);
	cr_assert(strstr(text, "\"slots_of_no_line\": {\"no_warp\": 1000}"), "%s", text);
	free(text);
	unload(p, &r);
	profile_free(p);
}

Test(profile_json, escapes_what_is_no_utf8)
{
	struct profile *p = profile_new();
	struct rig r = load(HEADER ".visible .entry k()\n{\nret; // \"\\ \t\xc3\xa4 \xe4 \xe2\x82\xac "
				   "\xc0\xaf \xed\xa0\x80 \xf0\x9f\x98\x80 \xf0\x9f\n}\n",
		"latin.ptx");
	char *text;

	counts_of(p, &r, "k");
	profile_add_up(p->kernels);
	text = json_of(p);
	cr_assert(strstr(text,
			  "\"ret; // \\\"\\\\ \\u0009\xc3\xa4 \\ufffd \xe2\x82\xac \\ufffd\\ufffd "
			  "\\ufffd\\ufffd\\ufffd \xf0\x9f\x98\x80 "
			  "\\ufffd\\ufffd\""),
		"%s", text);
	free(text);
	unload(p, &r);
	profile_free(p);
}

Test(profile_json, of_nothing_is_a_document)
{
	struct profile *p = profile_new();
	char *text = json_of(p);

	cr_assert(strstr(text, "\"kernels\": [\n  ]\n}\n"), "%s", text);
	free(text);
	profile_free(p);
}
