/* tests/ptx/random/generate.c -- random programs, as nodes: functions, then the entry. */
#include "random.h"
#include <math.h>
#include <string.h>

struct program program;

const struct kind kinds[KINDS] = { { 'r', "b32", 4 }, { 'd', "b64", 8 }, { 'h', "b16", 2 }, { 'f', "f32", 4 },
	{ 'g', "f64", 8 }, { 'p', "pred", 1 } };

unsigned kind_of(char letter)
{
	unsigned k = 0;

	while (kinds[k].letter != letter)
		k++;
	return k;
}

static uint64_t random_state;

static uint32_t draw(uint32_t below)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 32) % below;
}

static uint64_t draw_bits(void)
{
	static const uint64_t edges[] = { 0, 1, 2, 31, 32, 33, 63, 64, 255, 0x7f, 0x80, 0x7fff, 0x8000,
		0xffff, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fffffffffffffff, 0x8000000000000000,
		UINT64_MAX, 0x5555555555555555 };

	if (draw(3) == 0)
		return edges[draw(sizeof(edges) / sizeof(*edges))];
	return ((uint64_t)draw(UINT32_MAX) << 32 | draw(UINT32_MAX)) >> (draw(4) ? 0 : draw(64));
}

union value draw_value(unsigned kind)
{
	static const float edges[] = { 0.0f, -0.0f, 1.0f, -1.0f, 0.5f, 1.5f, 2.5f, -2.5f, INFINITY, -INFINITY,
		NAN, 1e-45f, -1e-39f, 1.17549435e-38f, 3.4028235e38f, 16777217.0f, 2147483648.0f,
		-2147483648.0f, 4294967295.0f, 255.5f };
	union value v = { .U = 0 };
	float f = draw(3) ? (float)((int32_t)draw(UINT32_MAX)) / (float)(1u << draw(31)) : edges[draw(20)];

	switch (kinds[kind].letter) {
	case 'f':
		v.f = f;
		break;
	case 'g':
		v.g = draw(4) ? (double)f * 1.1 : (double)f;
		if (draw(12) == 0)
			v.U = draw_bits();
		break;
	case 'p':
		v.p = draw(2);
		break;
	default:
		v.U = draw_bits();
		v.U &= kinds[kind].bytes == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * kinds[kind].bytes) - 1;
	}
	return v;
}

/* Where a block stands. */
struct around {
	uint32_t depth, loop; /* loop: its node, UINT32_MAX if there is none */
	bool in_function;
};

static bool has_exits; /* threads may exit early; then there are no operations on whole warps */

static struct operand draw_register(unsigned kind)
{
	return (struct operand){ .kind = (uint8_t)kind, .number = (uint8_t)draw(POOL) };
}

static struct node *add_node(enum node_type type)
{
	struct node *n = &program.nodes[program.node_count++];

	*n = (struct node){ .type = (uint8_t)type, .vector = 1 };
	return n;
}

static void draw_condition(struct node *n)
{
	n->guard = (uint8_t)draw(POOL);
	n->guard_negated = draw(2);
}

static void draw_guard(struct node *n)
{
	n->guarded = draw(4) == 0;
	draw_condition(n);
}

static void draw_operands(struct node *n, const char *letters)
{
	n->to = draw_register(kind_of(letters[0]));
	for (const char *letter = letters + 1; *letter; letter++) {
		struct operand *o = &n->from[letter - letters - 1];
		bool is_position = *letter == 'i';

		*o = draw_register(kind_of(is_position || *letter == 'R' ? 'r' : *letter));
		o->is_constant = is_position || (*letter == 'r' && letter > letters + 1 && draw(5) == 0);
		o->constant = is_position ? draw(3) ? draw(40) : (uint32_t)(draw_bits() & 0xff)
					  : (uint32_t)draw_bits();
	}
}

/* Drivers (580.159, and ptxas 13.0) compile some instructions otherwise than the ISA says. Of testp and of
 * set to f32 only a part gets the guard; of constants as positions and lengths of bit fields only some bits
 * count; the least of a half and itself is that half, even if it is no number; and the difference of two sums
 * with the same operand is that of their constants, even if it saturates. */
static void avoid_oddities(struct node *n)
{
	const char *text = n->form->text;
	bool is_wide = strstr(text, "64");

	if (!strncmp(text, "testp", 5) || !strncmp(text, "set.eq.f32", 10))
		n->guarded = false;
	for (size_t i = 0; n->form->kinds[i + 1]; i++)
		if (!strncmp(text, "bf", 2) && n->from[i].is_constant)
			n->from[i].constant %= is_wide ? 64 : 32;
	if (!strncmp(text, "min", 3) || !strncmp(text, "max", 3))
		n->from[1].number =
			(uint8_t)((n->from[0].number + 1 + n->from[1].number % (POOL - 1)) % POOL);
}

static void add_form(bool in_function)
{
	struct node *n = add_node(NODE_FORM);

	do
		n->form = &forms[draw(form_count)];
	while (in_function && strstr(n->form->text, "%mine"));
	draw_operands(n, n->form->kinds);
	draw_guard(n);
	if (program.for_card)
		avoid_oddities(n);
}

static void add_warp(void)
{
	struct node *n = add_node(NODE_WARP);

	n->warp = &warp_forms[draw(warp_form_count)];
	draw_operands(n, n->warp->kinds);
}

/* A load or store of one to four elements of 1 to 8 bytes between registers and the thread's memory.
 * Integers, f32 and f64 have regions of their own, so that the payload of a NaN does not show. */
static void add_access(bool in_function)
{
	static const struct {
		uint8_t start, bytes;
	} region[] = { { 0, 32 }, { 0, 32 }, { 0, 32 }, { 32, 16 }, { 48, 16 } };
	static const char letters[] = "rdhfg";
	struct node *n = add_node(draw(2) ? NODE_LOAD : NODE_STORE);
	unsigned k = kind_of(letters[draw(5)]), size;

	n->to = draw_register(k);
	n->bytes = (uint8_t)kinds[k].bytes;
	while (kinds[k].letter != 'f' && kinds[k].letter != 'g' && n->bytes > 1 && draw(2))
		n->bytes /= 2;
	while (n->vector < 4 && n->bytes * n->vector < 16 && draw(3) == 0)
		n->vector *= 2;
	size = (unsigned)n->bytes * n->vector;
	n->is_signed = draw(2);
	n->offset = region[k].start + draw(region[k].bytes / size) * size;
	n->space = (uint8_t)(!in_function ? draw(SPACES) : draw(2) ? SPACE_LOCAL : SPACE_GENERIC);
	draw_guard(n);
}

static void add_atomic(void)
{
	struct node *n = add_node(NODE_ATOMIC);
	bool is_wide;

	n->atom = (uint8_t)draw(ATOMS);
	is_wide = n->atom != ATOM_INC && n->atom != ATOM_DEC && draw(2);
	n->is_signed = draw(2);
	n->is_reduction = n->atom != ATOM_EXCH && n->atom != ATOM_CAS && draw(3) == 0;
	n->bytes = is_wide ? 8 : 4;
	n->to = draw_register(kind_of(is_wide ? 'd' : 'r'));
	n->from[0] = draw_register(n->to.kind);
	n->from[1] = draw_register(n->to.kind);
	n->offset = draw(32u / n->bytes) * n->bytes;
	n->space = draw(2) ? SPACE_SHARED : SPACE_GLOBAL;
	draw_guard(n);
}

static void add_block(uint32_t length, struct around around);

static struct around deeper(struct around around)
{
	around.depth++;
	return around;
}

static void add_end(uint32_t start)
{
	struct node *n = add_node(NODE_END);

	n->other = start;
	n->label = program.nodes[start].label;
}

static void add_if(uint32_t length, struct around around)
{
	uint32_t start = program.node_count, middle;
	struct node *n = add_node(NODE_IF);

	draw_condition(n);
	n->label = program.label_count++;
	add_block(length / 2, deeper(around));
	program.nodes[start].other = program.node_count;
	if (draw(2)) {
		middle = program.node_count;
		add_node(NODE_ELSE)->label = program.nodes[start].label;
		add_block(length / 2, deeper(around));
		program.nodes[middle].other = program.node_count;
	}
	add_end(start);
}

static void add_loop(uint32_t length, struct around around)
{
	uint32_t start = program.node_count;
	struct node *n = add_node(NODE_LOOP);

	n->trips = 1 + draw(4);
	n->label = program.label_count++;
	around.loop = start;
	add_block(length / 2, deeper(around));
	program.nodes[start].other = program.node_count;
	add_end(start);
}

static void add_leave(enum node_type type, uint32_t loop)
{
	struct node *n = add_node(type);

	draw_condition(n);
	n->other = loop;
	n->label = program.nodes[loop].label;
}

static void add_switch(uint32_t length, struct around around)
{
	uint32_t start = program.node_count, before = start, cases = draw(2) ? 4 : 2;
	struct node *n = add_node(NODE_SWITCH);

	n->label = program.label_count++;
	n->cases = cases;
	n->from[0] = draw_register(kind_of('r'));
	for (uint32_t i = 0; i < cases; i++) {
		program.nodes[before].other = program.node_count;
		before = program.node_count;
		n = add_node(NODE_CASE);
		n->label = program.nodes[start].label;
		n->number = i;
		n->falls_through = draw(4) == 0;
		add_block(length / cases, deeper(around));
	}
	for (uint32_t i = program.nodes[start].other; program.nodes[i].other; i = program.nodes[i].other)
		program.nodes[i].another = program.node_count;
	program.nodes[before].another = program.node_count;
	add_end(start);
}

/* From a function: to one that stands before it, or to itself. */
static void add_call(struct around around)
{
	struct node *n = add_node(NODE_CALL);
	uint32_t count = program.function_count + around.in_function;

	n->label = program.label_count++;
	n->other = draw(count);
	n->another = draw(3) ? n->other : draw(count);
	n->to = draw_register(kind_of('r'));
	n->from[0] = draw_register(kind_of('r'));
	n->from[1] = draw_register(kind_of('d'));
	n->from[2] = draw_register(kind_of('p'));
	n->trips = around.in_function ? 0 : draw(4);
	draw_guard(n);
}

static void add_exit(struct around around)
{
	struct node *n = add_node(NODE_EXIT);

	draw_condition(n);
	n->number = has_exits && (!around.in_function || draw(2)); /* not 0: the thread ends */
}

static bool add_flow(uint32_t what, uint32_t length, struct around around)
{
	bool has_room = around.depth < MOST_DEPTH && length > 4;

	if (what == 0 && has_room)
		add_if(length, around);
	else if (what == 1 && has_room)
		add_loop(length, around);
	else if (what == 2 && has_room)
		add_switch(length, around);
	else if (what == 3 && around.loop != UINT32_MAX)
		add_leave(draw(2) ? NODE_BREAK : NODE_CONTINUE, around.loop);
	else if (what == 4 && around.depth < 2 && (program.function_count || around.in_function))
		add_call(around);
	else if (what == 5 && draw(around.in_function ? 2 : 6) == 0 && (has_exits || around.in_function))
		add_exit(around);
	else
		return false;
	return true;
}

static void add_block(uint32_t length, struct around around)
{
	for (uint32_t i = 0; i < length && program.node_count < MOST_NODES - 64; i++) {
		uint32_t what = draw(64);

		if (add_flow(what, length, around))
			continue;
		if (what >= 6 && what < 14)
			add_access(around.in_function);
		else if (what == 14 && !around.in_function)
			add_atomic();
		else if (what < 18 && !around.in_function && !around.depth && !has_exits)
			add_warp();
		else
			add_form(around.in_function);
	}
}

static void add_function(void)
{
	struct function *f = &program.functions[program.function_count];

	f->begin = program.node_count;
	add_block(4 + draw(20), (struct around){ 1, UINT32_MAX, true });
	add_node(NODE_RETURN);
	f->end = program.node_count;
	program.function_count++;
}

void generate_program(uint64_t seed, uint32_t length)
{
	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	program.node_count = program.label_count = program.function_count = 0;
	for (int i = 0; i < 8; i++)
		draw(2);
	has_exits = draw(4) == 0;
	for (uint32_t i = draw(MOST_FUNCTIONS + 1); i > 0; i--)
		add_function();
	program.begin = program.node_count;
	add_block(length, (struct around){ 0, UINT32_MAX, false });
}
