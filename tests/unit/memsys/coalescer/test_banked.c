/* The coalescer banked, between instructions that are written down and a small L1: which line is looked up in
 * which cycle, and with what outcome.
 *
 * Lines are named by their numbers; the cache has 8 sets, and line n is in set n modulo 8, so that with 4
 * banks its bank is n modulo 4. A log reads "0:5h 6h 1m|1:9+": in cycle 0 the lines 5 and 6 hit, and line 1
 * misses; in cycle 1 line 9 merges. Other outcomes: s (sent), ! (refused). */
#include "memsys/coalescer/coalescer.h"
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

static struct config *config;
static struct coalescer *prototype, *c;
static struct cache *cache;
static struct packet_pool pool;
static struct port out;
static struct stat_tree *stats;
static uint32_t tokens[64];

static char text[4096];
static cycles logged;     /* the cycle of the last entry of text */
static cycles clock_now;  /* of the next tick */
static uint32_t offers;   /* in the last tick */
static uint32_t others;   /* of these, not hits */
static uint32_t banks_of; /* mask of the ports used in the last tick */
static bool past;         /* reads are sent past the L1 by a bypass policy */
static bool released;     /* what a refused request lacked may be there */
static uint32_t taken_lines;
static uint32_t taken[64][32]; /* by instruction and line: how often */

static const struct partition_map map = { .partitions = 1, .interleave = 256 };

static void note(uint32_t line, char outcome)
{
	size_t length = strlen(text);
	bool is_new = logged != clock_now || !length;

	if (is_new)
		snprintf(text + length, sizeof(text) - length, "%s%d:%u%c", length ? "|" : "", (int)clock_now,
			line, outcome);
	else
		snprintf(text + length, sizeof(text) - length, " %u%c", line, outcome);
	logged = clock_now;
}

static enum cache_outcome offer(void *owner, uint32_t port, struct buffered_request *r, cycles now)
{
	static const char names[CACHE_OUTCOME_COUNT] = {
		[CACHE_HIT] = 'h', [CACHE_MISS] = 'm', [CACHE_MERGED] = '+', [CACHE_SENT] = 's'
	};
	struct cache_request copy = r->request;
	enum cache_outcome outcome;
	uint32_t line = (uint32_t)(copy.line / 128);

	cr_assert_null(owner);
	cr_assert_eq(now, clock_now);
	cr_assert_not(banks_of >> port & 1, "a bank has a line a cycle");
	copy.uncached |= past;
	outcome = cache_access(cache, &copy, 1);
	if (strlen(text) < sizeof(text) - 64)
		note(line, names[outcome] ? names[outcome] : '!');
	banks_of |= 1u << port;
	offers++;
	others += outcome != CACHE_HIT;
	if (!cache_is_failure(outcome) && r->op < 64)
		taken[r->op][__builtin_ctz(r->request.by.lanes)]++;
	taken_lines += !cache_is_failure(outcome);
	return outcome;
}

static bool may_retry(void *owner, uint32_t port, cycles now)
{
	(void)owner;
	(void)port;
	(void)now;
	return released;
}

static timestamp time_of(void *owner)
{
	(void)owner;
	return 1;
}

static const struct coalescer_services services = { offer, may_retry, time_of, NULL };

/* Ways of the 8 sets; banks. */
static void build(uint32_t ways, const char *banks)
{
	struct cache_config l1 = { .enabled = true,
		.sets = 8,
		.ways = ways,
		.line = 128,
		.mshrs = 32,
		.mshr_merge = 8,
		.miss_queue = 64,
		.hit_latency = 1 };
	struct diag_list diags;
	char set[64];

	diag_init(&diags);
	config = config_new();
	snprintf(set, sizeof(set), "c.banked.banks=%s", banks);
	cr_assert(config_set(config, "c.policy=banked", &diags) && config_set(config, set, &diags));
	prototype = policy_read(&coalescer_interface, config, "c", &diags);
	cr_assert_eq(diags.errors, 0);
	diag_fini(&diags);
	packet_pool_init(&pool);
	port_init(&out, l1.miss_queue, NULL, NULL);
	stats = stat_tree_new();
	cache = cache_new(&l1, &map, &out, &pool, 0, UNIT_L1_DATA, stats, "sm.l1d");
	c = coalescer_new(prototype);
	c->l1 = cache;
	c->services = &services;
	policy_start(&coalescer_interface, c, stats, "sm.coalescer", 0);
	text[0] = 0;
	clock_now = taken_lines = 0;
	past = released = false;
	memset(taken, 0, sizeof(taken));
}

/* The oldest request returns. */
static void reply(void)
{
	struct packet *p = port_pop(&out);

	if (p->kind == PACKET_READ && !p->uncached)
		cache_fill(cache, p, tokens);
	packet_free(p);
}

static void destroy(void)
{
	while (!port_is_empty(&out))
		reply();
	coalescer_free(c);
	policy_prototype_free(prototype);
	config_free(config);
	cache_free(cache);
	stat_tree_free(stats);
	port_fini(&out);
	packet_pool_fini(&pool);
}

static uint64_t count(const char *name)
{
	char full[64];

	snprintf(full, sizeof(full), "sm.coalescer.banked.%s", name);
	return (uint64_t)stat_value(stats, NULL, full);
}

/* These lines are in the cache. */
static void have(uint32_t number, ...)
{
	va_list lines;

	va_start(lines, number);
	for (uint32_t i = 0; i < number; i++) {
		struct cache_request r = {
			.kind = PACKET_READ, .bytes = 128, .line = (addr)va_arg(lines, int) * 128
		};

		cr_assert_eq(cache_access(cache, &r, 1), CACHE_MISS);
		reply();
	}
	va_end(lines);
}

static void enter_lines(
	uint32_t op, uint8_t kind, cycles ready, uint32_t more_cycles, uint32_t number, const uint32_t *lines)
{
	struct line_request line[32];
	struct buffered_request r = { .request = { .kind = kind, .bytes = 128 }, .op = op };

	for (uint32_t i = 0; i < number; i++)
		line[i] = (struct line_request){ .line = (addr)lines[i] * 128, .lanes = 1u << i };
	c->class->accept(c,
		&(struct coalescer_instruction){ .op = op,
			.kind = kind == PACKET_READ ? COALESCER_LOAD : COALESCER_STORE,
			.ready = ready,
			.more_cycles = more_cycles,
			.count = number,
			.lines = line,
			.request = &r,
			.bytes = 4 },
		clock_now);
}

/* An instruction with these lines enters, as number op. */
static void enter(uint32_t op, uint8_t kind, uint32_t number, ...)
{
	uint32_t lines[32];
	va_list list;

	va_start(list, number);
	for (uint32_t i = 0; i < number; i++)
		lines[i] = (uint32_t)va_arg(list, int);
	va_end(list);
	enter_lines(op, kind, 0, 0, number, lines);
}

static void tick(void)
{
	offers = others = banks_of = 0;
	c->class->tick(c, clock_now);
	clock_now++;
}

static void ticks(uint32_t number)
{
	while (number--)
		tick();
}

#define is_log(expected) cr_assert_str_eq(text, expected, "log: %s", text)

Test(banked, hits_in_all_banks_are_served_in_one_cycle)
{
	build(2, "4");
	have(4, 0, 1, 2, 7);
	enter(1, PACKET_READ, 4, 7, 0, 2, 1);
	tick();
	is_log("0:7h 0h 2h 1h");
	cr_assert_eq(c->class->next(c, 0), SIM_NEVER, "it is empty");
	cr_assert_eq(count("lookups"), 4);
	cr_assert_eq(count("lookup_cycles"), 1);
	destroy();
}

Test(banked, lines_of_one_bank_take_turns)
{
	build(2, "4");
	have(4, 0, 4, 8, 1);
	enter(1, PACKET_READ, 4, 4, 0, 1, 8);
	ticks(4);
	is_log("0:4h 1h|1:0h|2:8h");
	cr_assert_eq(count("bank_conflicts"), 2);
	destroy();
}

/* Cycle 0: the banks look up 0, 1, 2 and 3. Line 2 hits, and of the others the first lane's has its turn. In
 * cycle 1 the bank of line 0 looks up 4, which hits, and of 1 and 3 the first has its turn. */
Test(banked, one_miss_a_cycle_and_hits_beside_it)
{
	build(2, "4");
	have(2, 2, 4);
	enter(1, PACKET_READ, 5, 0, 1, 2, 3, 4);
	ticks(4);
	is_log("0:2h 0m|1:4h 1m|2:3m");
	cr_assert_eq(count("lookups"), 4 + 3 + 1);
	cr_assert_eq(count("second_miss_cycles"), 2);
	destroy();
}

Test(banked, a_merge_with_an_mshr_counts_as_a_miss)
{
	build(2, "4");
	enter(1, PACKET_READ, 2, 0, 1);
	enter(2, PACKET_READ, 2, 0, 1);
	ticks(5);
	is_log("0:0m|1:1m|2:0+|3:1+");
	destroy();
}

Test(banked, stores_go_one_a_cycle)
{
	build(2, "4");
	have(2, 0, 1);
	enter(1, PACKET_WRITE, 3, 0, 1, 2);
	ticks(4);
	is_log("0:0s|1:1s|2:2s");
	destroy();
}

Test(banked, the_next_instruction_waits_for_the_last_line_though_banks_are_idle)
{
	build(2, "4");
	have(2, 2, 3);
	enter(1, PACKET_READ, 2, 0, 4);
	enter(2, PACKET_READ, 2, 2, 3);
	ticks(4);
	is_log("0:0m|1:4m|2:2h 3h");
	destroy();
}

/* With one way, line 8 finds its set reserved for line 0. The bank waits, also with line 4 behind it, and the
 * others go on; it sleeps when they have nothing left. */
Test(banked, a_bank_whose_line_is_refused_waits_and_the_others_go_on)
{
	build(1, "4");
	enter(1, PACKET_READ, 1, 0);
	tick();
	enter(2, PACKET_READ, 4, 8, 4, 1, 2);
	ticks(3);
	is_log("0:0m|1:8!|2:1m|3:2m");
	cr_assert_eq(c->class->next(c, 3), SIM_NEVER);
	ticks(2);
	cr_assert_eq(offers, 0);
	reply();
	released = true;
	ticks(3);
	is_log("0:0m|1:8!|2:1m|3:2m|6:8m|7:4m");
	destroy();
}

Test(banked, a_load_that_a_bypass_policy_sends_on_is_the_miss_of_its_cycle)
{
	build(2, "4");
	have(2, 0, 1);
	past = true;
	enter(1, PACKET_READ, 3, 0, 1, 2);
	ticks(3);
	is_log("0:0s|1:1s|2:2s");
	destroy();
}

Test(banked, an_instruction_starts_when_its_addresses_are_ready_and_may_keep_the_units_busy)
{
	const uint32_t line = 0;

	build(2, "4");
	have(1, 0);
	enter_lines(1, PACKET_READ, 3, 2, 1, &line);
	enter_lines(2, PACKET_READ, 3, 0, 1, &line);
	cr_assert_eq(c->class->next(c, 0), 3);
	ticks(4);
	cr_assert_eq(c->class->next(c, 3), 6, "two cycles more");
	ticks(4);
	is_log("3:0h|6:0h");
	destroy();
}

Test(banked, the_gates_close_when_the_queue_is_full)
{
	build(2, "4");
	for (uint32_t i = 0; i < 4; i++) {
		cr_assert_eq(c->gates.load & c->gates.store & c->gates.room, UINT64_MAX);
		enter(i, PACKET_READ, 1, (int)i);
	}
	cr_assert_eq(c->gates.load | c->gates.store | c->gates.room, 0);
	cr_assert_eq(c->gates.fence, UINT64_MAX);
	enter(4, PACKET_READ, 1, 4); /* another part of the last instruction */
	ticks(2);
	cr_assert_eq(c->gates.load, UINT64_MAX);
	destroy();
}

Test(banked, banks_must_be_a_power_of_two_that_divides_the_sets)
{
	static const struct {
		const char *banks;
		bool fits;
	} cases[] = { { "1", true }, { "8", true }, { "3", false }, { "16", false } };

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct cache_config l1 = { .sets = 8 };

		build(1, cases[i].banks);
		cr_assert_eq(c->class->why_not(prototype, &l1) == NULL, cases[i].fits, "%s", cases[i].banks);
		destroy();
	}
}

/* One cycle against the rules: at most one request that is no hit, and none where `next` promised rest. */
static void check_tick(cycles promised)
{
	released = rand() % 4 == 0;
	tick();
	cr_assert_leq(others, 1);
	cr_assert(!offers || released || promised < clock_now, "it acts in cycle %d, promised for %d",
		(int)clock_now - 1, (int)promised);
	if (!port_is_empty(&out) && rand() % 3 == 0)
		reply();
}

Test(banked, random_instructions_are_taken_line_by_line_once)
{
	static const char *const sizes[] = { "1", "2", "8" };

	srand(5);
	for (int round = 0; round < 60; round++) {
		uint32_t lines[64], entered = 0, total = 0;

		build(1 + (uint32_t)round % 3, sizes[round % 3]);
		while (entered < 64 || taken_lines < total) {
			cycles promised = clock_now ? c->class->next(c, clock_now - 1) : SIM_NEVER;

			if (entered < 64 && c->gates.room && rand() % 4 == 0) {
				uint32_t line[32];

				lines[entered] = 1 + (uint32_t)rand() % 32;
				for (uint32_t i = 0; i < lines[entered]; i++)
					line[i] = (uint32_t)rand() % 40;
				enter_lines(entered, rand() % 6 ? PACKET_READ : PACKET_WRITE, clock_now, 0,
					lines[entered], line);
				total += lines[entered++];
				promised = clock_now;
			}
			check_tick(promised);
			cr_assert_lt(clock_now, 100000, "it hangs");
		}
		for (uint32_t op = 0; op < 64; op++)
			for (uint32_t i = 0; i < 32; i++)
				cr_assert_eq(taken[op][i], i < lines[op], "instruction %u, line %u", op, i);
		destroy();
	}
}
