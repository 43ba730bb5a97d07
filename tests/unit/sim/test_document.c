/* tests/unit/sim/test_document.c -- YAML documents: places, lists, and what is refused. */
#include "sim/config/document.h"
#include "tests/unit/experiment/rig.h"

TestSuite(document, .init = rig_start, .fini = rig_stop);

static struct document *parse(const char *text)
{
	return document_parse("f.yaml", text, strlen(text), &diags);
}

static void expect_refused(const char *text, const char *told)
{
	struct document *d = parse(text);

	cr_expect_null(d, "accepted: %s", text);
	document_free(d);
	expect_told(told);
}

Test(document, nodes_have_kinds_values_and_places)
{
	struct document *d = parse("a: 1\nlist:\n  - x\n  - {k: [v, w], e: }\n");
	doc_node root = document_root(d), list, inner;
	struct diag_location location;

	cr_assert_not_null(d);
	cr_expect(doc_is_mapping(d, root));
	cr_expect_eq(doc_count(d, root), 2);
	cr_expect_str_eq(doc_text(d, doc_get(d, root, "a")), "1");
	cr_expect_eq(doc_get(d, root, "b"), 0);
	list = doc_get(d, root, "list");
	cr_expect(doc_is_list(d, list));
	cr_expect_null(doc_text(d, list));
	cr_expect_eq(doc_count(d, list), 2);
	cr_expect_str_eq(doc_text(d, doc_item(d, list, 0)), "x");
	inner = doc_item(d, list, 1);
	cr_expect_str_eq(doc_key(d, inner, 0), "k");
	cr_expect_eq(doc_count(d, doc_value(d, inner, 0)), 2);
	cr_expect_str_eq(doc_text(d, doc_get(d, inner, "e")), "");
	location = doc_location(d, doc_item(d, doc_get(d, inner, "k"), 1));
	cr_expect_eq(location.line, 4);
	cr_expect_eq(location.column, 13);
	cr_expect_str_eq(location.file, "f.yaml");
	document_free(d);
	expect_told("");
}

Test(document, questions_to_the_wrong_kind_of_node_are_answered_with_nothing)
{
	struct document *d = parse("[a, b, c]");
	static const char *const keys[] = { "x", NULL };

	cr_expect_eq(doc_get(d, document_root(d), "a"), 0);
	cr_expect_eq(doc_get(d, 0, "a"), 0);
	cr_expect_eq(doc_count(d, 0), 0);
	cr_expect_null(doc_text(d, 0));
	cr_expect_not(doc_is_list(d, 0));
	cr_expect(doc_allow(d, document_root(d), keys, &diags));
	cr_expect(doc_allow(d, 0, keys, &diags));
	cr_expect_eq(doc_location(d, 0).line, 0);
	document_free(d);
}

Test(document, unknown_keys_are_told_with_the_nearest)
{
	static const char *const keys[] = { "workloads", "base", NULL };
	struct document *d = parse("workload: 1\nbase: 2\nzzz: 3\n");

	cr_expect_not(doc_allow(d, document_root(d), keys, &diags));
	expect_told("1:1 unknown key workload; did you mean workloads?\n3:1 unknown key zzz\n");
	document_free(d);
}

Test(document, keys_given_twice_are_refused_at_every_depth)
{
	expect_refused("a: 1\nb: 2\na: 3\n", "3:1 key a is given twice\n");
	expect_refused("x: [{k: 1, k: 2}]\n", "1:12 key k is given twice\n");
}

Test(document, aliases_are_refused_and_anchors_alone_do_no_harm)
{
	struct document *d = parse("a: &x 1\nb: 2\n");

	cr_expect_not_null(d);
	document_free(d);
	expect_refused("a: &x {k: 1}\nb: *x\n", "1:1 aliases are not supported: write it out\n");
	expect_refused("a: &x [*x]\n", "1:4 aliases are not supported: write it out\n");
	expect_refused("&x [*x]\n", "1:1 aliases are not supported: write it out\n");
	expect_refused("a: *nobody\n", "1:4 not valid YAML: found undefined alias\n");
}

Test(document, keys_must_be_names)
{
	expect_refused("{[a]: 1}\n", "1:2 expected a name as key\n");
	expect_refused("\"\": 1\n", "1:1 expected a name as key\n");
}

Test(document, what_is_no_single_document_is_refused)
{
	expect_refused("", "0:0 f.yaml is empty\n");
	expect_refused("# nothing\n", "0:0 f.yaml is empty\n");
	expect_refused("a: 1\n---\nb: 2\n", "3:1 a second document begins: expected one\n");
	expect_refused("a: 1\n--- {\n",
		"3:1 not valid YAML: did not find expected node content while parsing a flow node\n");
}

Test(document, broken_yaml_is_told_at_its_place)
{
	expect_refused("a: [1, 2\nb: 3\n",
		"2:2 not valid YAML: did not find expected ',' or ']' while parsing a flow sequence\n");
	expect_refused("a: 'x\n",
		"2:1 not valid YAML: found unexpected end of stream while scanning a quoted scalar\n");
	expect_refused("a:\n\t- 1\n",
		"2:1 not valid YAML: found character that cannot start any token while "
		"scanning for the next token\n");
	expect_refused("a: \xff\n", "0:0 f.yaml: not valid YAML: invalid leading UTF-8 octet\n");
}

Test(document, nul_characters_are_refused_however_they_are_written)
{
	static const char raw[] = "a: 1\0 2\n";

	expect_refused("a: \"x\\0y\"\n", "1:4 a NUL character in a text\n");
	expect_refused("\"x\\0y\": 1\n", "1:1 a NUL character in a text\n");
	cr_expect_null(document_parse("f.yaml", raw, sizeof(raw) - 1, &diags));
	expect_told("0:0 f.yaml: not valid YAML: control characters are not allowed\n");
}

/* As many brackets as a file of hostile intent has. */
Test(document, deep_nesting_ends_in_a_message)
{
	enum { DEPTH = 20000 };
	char *text = xmalloc(DEPTH + 1);

	memset(text, '[', DEPTH);
	text[DEPTH] = 0;
	cr_expect_null(parse(text));
	expect_told("1:33 lists and mappings stand in each other more than 32 deep\n");
	free(text);
}
