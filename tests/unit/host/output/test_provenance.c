/* Where results come from, at the top of texts and in JSON; the build id. */
#include "sim/text/json.h"
#include "host/output/provenance.h"
#include "sim/base/build_id.h"
#include "sim/config/config.h"
#include "sim/base/xalloc.h"
#include <criterion/criterion.h>

static char text[4096];

static const char *printed(const struct provenance *p, bool is_interrupted, bool is_json)
{
	FILE *f = fmemopen(text, sizeof text, "w");

	if (is_json)
		provenance_json(p, f);
	else
		provenance_text(p, is_interrupted, f);
	fclose(f);
	return text;
}

Test(provenance, the_build_id_is_16_digits_or_none_and_stays)
{
	const char *id = build_id();

	cr_expect(
		!strcmp(id, "none") || (strlen(id) == 16 && strspn(id, "0123456789abcdef") == 16), "%s", id);
	cr_expect_eq(build_id(), id);
}

Test(provenance, comments_have_version_build_seed_command_and_interruption)
{
	const struct provenance p = { .command = "lockstep run -- ./a", .seed = 42 };
	char expected[256];

	snprintf(expected, sizeof expected,
		"# lockstep " LOCKSTEP_VERSION ", build %s, seed 42\n# command: lockstep run -- ./a\n",
		build_id());
	cr_expect_str_eq(printed(&p, false, false), expected);
	strcat(expected, "# interrupted: of the run up to then\n");
	cr_expect_str_eq(printed(&p, true, false), expected);
	cr_expect(strstr(printed(&(struct provenance){ .seed = 0 }, false, false), "seed 0\n# command: \n"));
}

/* A comment stays one line, and YAML can read it, whatever was typed. */
Test(provenance, a_command_in_any_characters)
{
	const struct provenance p = {
		.command = "a\nb: c\r\x01 \xff\xfe \xc2\x85 \xe2\x80\xa8 \xef\xbb\xbf \xc3\xa9\t.", .seed = 1
	};
	struct config *config = config_new();
	struct diag_list diags;

	diag_init(&diags);
	cr_expect(strstr(printed(&p, false, false), "# command: a?b: c?? ?? ? ? ? \xc3\xa9?.\n"), "%s", text);
	strcat(text, "gpu:\n  sms: 3\n");
	cr_expect(
		config_load_text(config, "x", text, &diags), "%s", diags.count ? diags.items[0].message : "");
	diag_fini(&diags);
	config_free(config);
}

Test(provenance, json_has_version_build_seed_and_the_command_escaped)
{
	const struct provenance p = { .command = "say \"\\\" \xff\n", .seed = 7 };
	char expected[256];

	snprintf(expected, sizeof expected,
		"  \"version\": \"" LOCKSTEP_VERSION "\",\n  \"build\": \"%s\",\n  \"seed\": 7,\n  "
		"\"command\": \"say \\\"\\\\\\\" \\ufffd\\u000a\",\n",
		build_id());
	cr_expect_str_eq(printed(&p, false, true), expected, "%s", text);
}
