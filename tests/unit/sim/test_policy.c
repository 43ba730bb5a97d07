/* tests/unit/sim/test_policy.c -- the frame of policies (sim/policy), with an interface of its own. */
#include "sim/policy/policy.h"
#include <criterion/criterion.h>
#include <math.h>

/* ---- the interface "toy": class plain is nothing, keen has everything ---- */

struct toy_class;

struct toy {
	const struct toy_class *class;
	uint32_t weight; /* parameter of the interface */
	uint64_t asked;  /* statistic of the interface */
};

struct toy_class {
	POLICY_CLASS;
	uint32_t (*decide)(struct toy *t);
};

#define POLICY_INTERFACE toy
#define POLICY_LIST      "tests/unit/sim/toys.def"
#include "sim/policy/table.h"

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(toy, keen, "which toy"),
	SIM_END,
};
static const struct sim_param base_params[] = {
	SIM_U32(struct toy, weight, 7, 1, 100, "grams", "of a toy"),
	SIM_END,
};
static const struct sim_stat base_stats[] = {
	SIM_COUNT(struct toy, asked, "times", "times that it was asked"),
	SIM_STAT_END,
};

static const struct policy_interface toys = {
	.title = "toys",
	.keys = "box.toy",
	.classes = toy_classes,
	.choice = choice_params,
	.params = base_params,
	.stats = base_stats,
	.size = sizeof(struct toy),
};

struct keen {
	struct toy base;
	uint32_t step;      /* parameter */
	uint64_t decisions; /* statistic */
	uint32_t *memory;
	char kernel[8];
};

static int allocated;

static void keen_init(void *policy)
{
	struct keen *k = policy;

	allocated++;
	k->memory = xcalloc(1, sizeof(*k->memory));
	*k->memory = k->step; /* parameters are there */
}

static void keen_kernel_started(void *policy, const char *name, uint64_t launch, cycles now)
{
	snprintf(((struct keen *)policy)->kernel, 8, "%s%d%d", name, (int)launch, (int)now);
}

static void keen_fini(void *policy)
{
	allocated--;
	free(((struct keen *)policy)->memory);
}

static uint32_t keen_decide(struct toy *t)
{
	struct keen *k = (struct keen *)t;

	k->decisions++;
	return *k->memory += k->step;
}

static const struct sim_param keen_params[] = {
	SIM_U32(struct keen, step, 3, 1, 10, "steps", "at a time"),
	SIM_END,
};
static const struct sim_stat keen_stats[] = {
	SIM_COUNT(struct keen, decisions, "decisions", "decisions made"),
	SIM_STAT_END,
};

const struct toy_class toy_plain = { .name = "plain", .size = sizeof(struct toy) };
const struct toy_class toy_keen = {
	.name = "keen",
	.help = "goes on",
	.source = "a test",
	.size = sizeof(struct keen),
	.params = keen_params,
	.stats = keen_stats,
	.init = keen_init,
	.kernel_started = keen_kernel_started,
	.fini = keen_fini,
	.decide = keen_decide,
};
/* In no list. */
static const struct toy_class stranger = {
	.name = "stranger",
	.size = sizeof(struct keen),
	.params = keen_params,
};

/* ---- reading ---- */

static struct diag_list diags;

/* The prototype that the configuration gives. */
static void *read_toy(const char *text)
{
	struct config *config = config_new();
	void *prototype;

	diag_init(&diags);
	cr_assert(config_load_text(config, "a.yaml", text, &diags));
	prototype = policy_read(&toys, config, "box", &diags);
	config_check_unknown(config, &diags);
	config_free(config);
	return prototype;
}

static void expect_error(const char *text, const char *message)
{
	void *prototype = read_toy(text);
	char *said = diag_render(&diags, DIAG_ERROR);

	cr_expect(strstr(said, message), "expected %s, got:\n%s", message, said);
	free(said);
	policy_prototype_free(prototype);
	diag_fini(&diags);
}

static void expect_no_error(void)
{
	cr_expect_eq(diags.errors, 0);
	diag_fini(&diags);
}

Test(policy, the_configuration_chooses_the_class_and_its_parameters)
{
	struct keen *k = read_toy("box:\n  policy: keen\n  weight: 9\n  keen:\n    step: 5\n");

	cr_expect_eq((const void *)k->base.class, &toy_keen);
	cr_expect_eq(k->base.weight, 9);
	cr_expect_eq(k->step, 5);
	expect_no_error();
	policy_prototype_free(k);
}

Test(policy, without_configuration_the_default_class_has_its_defaults)
{
	struct keen *k = read_toy("");

	cr_expect_eq((const void *)k->base.class, &toy_keen, "the second in the list, as POLICY_CHOICE says");
	cr_expect_eq(k->base.weight, 7);
	cr_expect_eq(k->step, 3);
	expect_no_error();
	policy_prototype_free(k);
}

Test(policy, a_class_without_parameters_needs_no_section)
{
	struct toy *t = read_toy("box:\n  policy: plain\n");

	cr_expect_eq((const void *)t->class, &toy_plain);
	cr_expect_eq(t->weight, 7);
	expect_no_error();
	policy_prototype_free(t);
}

Test(policy, an_unknown_name_is_answered_with_the_nearest)
{
	expect_error("box:\n  policy: ken\n", "box.policy = ken: expected one of plain, keen");
	expect_error("box:\n  policy: ken\n", "did you mean keen?");
}

Test(policy, parameters_of_classes_that_were_not_chosen_are_checked)
{
	expect_error("box:\n  policy: plain\n  keen:\n    step: 11\n",
		"box.keen.step = 11: expected 1 to 10 steps");
	expect_error("box:\n  policy: plain\n  keen:\n    stop: 2\n", "did you mean box.keen.step?");
}

Test(policy, parameters_of_the_interface_are_checked)
{
	expect_error("box:\n  weight: 0\n", "box.weight = 0: expected 1 to 100 grams");
}

Test(policy, another_parameter_may_choose_the_class)
{
	struct config *config = config_new();
	struct keen *k;

	diag_init(&diags);
	cr_assert(config_set(config, "box.keen.step=4", &diags));
	k = policy_read_chosen(&toys, config, "box", toy_at_keen, &diags);
	cr_expect_eq(k->step, 4);
	policy_prototype_free(k);
	k = policy_read_chosen(&toys, config, "box", toy_at_plain, &diags);
	cr_expect_eq((const void *)k->base.class, &toy_plain);
	policy_prototype_free(k);
	config_free(config);
	expect_no_error();
}

Test(policy, a_class_in_no_list_has_its_defaults)
{
	struct keen *k = policy_blank(&toys, &stranger.policy);

	cr_expect_eq((const void *)k->base.class, &stranger);
	cr_expect_eq(k->step, 3);
	cr_expect_eq(k->base.weight, 7);
	policy_prototype_free(k);
}

/* ---- objects ---- */

Test(policy, each_object_is_a_copy_with_a_life_of_its_own)
{
	struct keen *prototype = policy_blank(&toys, &toy_keen.policy), *a, *b;

	prototype->step = 5;
	a = policy_new(prototype);
	b = policy_new(prototype);
	policy_prototype_free(prototype);
	cr_expect_eq(allocated, 0, "a prototype and its copies have nothing");
	policy_start(&toys, a, NULL, "", 0);
	policy_start(&toys, b, NULL, "", 0);
	cr_expect_eq(allocated, 2);
	cr_expect_eq(toy_keen.decide(&a->base), 10);
	cr_expect_eq(toy_keen.decide(&a->base), 15);
	cr_expect_eq(toy_keen.decide(&b->base), 10);
	policy_free(a);
	cr_expect_eq(allocated, 1);
	policy_free(b);
	cr_expect_eq(allocated, 0);
	policy_free(NULL);
}

Test(policy, without_prototype_an_object_has_the_defaults)
{
	struct keen *k = policy_new_chosen(&toys, toy_at_keen, NULL);

	cr_expect_eq((const void *)k->base.class, &toy_keen);
	cr_expect_eq(k->step, 3);
	policy_prototype_free(k); /* not started: nothing to end */
}

Test(policy, a_kernel_is_announced_to_classes_that_ask_for_it)
{
	struct keen *k = policy_new_chosen(&toys, toy_at_keen, NULL);
	struct toy *t = policy_new_chosen(&toys, toy_at_plain, NULL);

	policy_start(&toys, k, NULL, "", 0);
	policy_start(&toys, t, NULL, "", 0);
	policy_kernel_started(k, "abc", 2, 9);
	policy_kernel_started(t, "abc", 2, 9);
	policy_kernel_started(NULL, "abc", 2, 9);
	cr_expect_str_eq(k->kernel, "abc29");
	policy_free(k);
	policy_free(t);
}

Test(policy, statistics_of_the_interface_and_of_the_class_are_registered)
{
	struct stat_tree *tree = stat_tree_new();
	struct keen *k[2];

	for (int i = 0; i < 2; i++) {
		k[i] = policy_new_chosen(&toys, toy_at_keen, NULL);
		policy_start(&toys, k[i], tree, "box.toy", i);
		k[i]->base.asked = 10;
	}
	toy_keen.decide(&k[0]->base);
	cr_expect_eq(stat_value(tree, NULL, "box.toy.asked"), 20);
	cr_expect_eq(stat_value(tree, NULL, "box.toy.keen.decisions"), 1);
	cr_expect_eq(stat_value(tree, NULL, "box[1].toy.keen.decisions"), 0);
	cr_expect(isnan(stat_value(tree, NULL, "box.toy.plain.decisions")));
	stat_tree_free(tree);
	policy_free(k[0]);
	policy_free(k[1]);
}

static const struct policy_storage keen_storage[] = {
	STORED_ENTRIES(struct keen, step, 12, "toy box", "a step", "a test"),
	STORED(3, "toy", "a colour", "a test"),
	STORED_LOGIC("toy", "a spring", "a test"),
	STORED_END,
};

Test(policy, storage_is_bits_times_the_parameter_that_says_how_many)
{
	struct keen *k = policy_blank(&toys, &toy_keen.policy);

	k->step = 5;
	cr_assert_eq(policy_storage_bits(&keen_storage[0], k), 60);
	cr_assert_eq(policy_storage_bits(&keen_storage[1], k), 3);
	cr_assert_eq(policy_storage_bits(&keen_storage[2], k), 0);
	policy_prototype_free(k);
}
