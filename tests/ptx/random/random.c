/* tests/ptx/random/random.c -- random valid programs, each thread's registers compared with a plain scalar
 * evaluator.
 *
 *	random [--first SEED] [--count N] [--length N] [--emit FILE]
 *
 * Speaks the CUDA driver API, so the same programs run on the simulator and on a GPU. A program loads
 *registers of every kind from memory, executes random instructions (forms.def) under random guards, in nested
 *branches and loops whose course differs by lane, with loads and stores of all widths to the thread's own
 *bytes in local, shared and global memory, and stores all registers. NaNs count as equal whatever their
 *payload: no form passes the bits of a float on to an integer. */
#include "cuda.h"
#include <fenv.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS    96 /* three warps, the last ... */
#define LIVE       80 /* ... of which has 16 threads */
#define POOL       7  /* registers of a kind */
#define BYTES      64 /* memory of a thread in each space */
#define MOST_NODES 4096
#define MOST_DEPTH 5

union value {
	uint32_t u;
	int32_t s;
	uint64_t U;
	int64_t S;
	uint16_t w;
	int16_t x;
	float f;
	double g;
	bool p;
};

/* ---- what forms.def uses ---- */

#define ROUNDED(mode, expression) \
	({ \
		int before_ = fegetround(); \
		fesetround(mode); \
		__typeof__(expression) rounded_ = (expression); \
		__asm__ volatile("" : "+m"(rounded_)); \
		fesetround(before_); \
		rounded_; \
	})

static int32_t clamp32(int64_t v)
{
	return (int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}

static uint32_t count_ones(uint64_t v)
{
	uint32_t n = 0;

	for (; v; v >>= 1)
		n += v & 1;
	return n;
}

static uint32_t highest(uint64_t v)
{
	uint32_t n = UINT32_MAX;

	for (; v; v >>= 1)
		n++;
	return n;
}

static uint64_t reverse(uint64_t v)
{
	uint64_t r = 0;

	for (int i = 0; i < 64; i++)
		r |= (v >> i & 1) << (63 - i);
	return r;
}

/* bfe: bit by bit. */
static uint64_t extract(uint64_t v, uint32_t width, uint32_t position, uint32_t length, bool is_signed)
{
	uint32_t last, pos = position & 255, len = length & 255;
	uint64_t sign, result = 0;

	last = pos + len - 1 < width - 1 ? pos + len - 1 : width - 1;
	sign = is_signed && len ? v >> last & 1 : 0;
	for (uint32_t i = 0; i < width; i++)
		result |= (i < len && pos + i < width ? v >> (pos + i) & 1 : sign) << i;
	return result;
}

static uint64_t insert(uint64_t a, uint64_t b, uint32_t width, uint32_t position, uint32_t length)
{
	uint32_t pos = position & 255, len = length & 255;

	for (uint32_t i = 0; i < len && pos + i < width; i++)
		b = (b & ~(UINT64_C(1) << (pos + i))) | (a >> i & 1) << (pos + i);
	return b;
}

static uint32_t dot4(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int32_t sum = 0;

	for (int i = 0; i < 32; i += 8)
		sum += (a_signed ? (int8_t)(a >> i) : (int32_t)(uint8_t)(a >> i)) *
		       (b_signed ? (int8_t)(b >> i) : (int32_t)(uint8_t)(b >> i));
	return (uint32_t)sum;
}

static uint32_t dot2(uint32_t a, uint32_t b, bool a_signed, bool b_signed)
{
	int64_t sum = 0;

	for (int i = 0; i < 2; i++)
		sum += (int64_t)(a_signed ? (int16_t)(a >> 16 * i) : (int32_t)(uint16_t)(a >> 16 * i)) *
		       (b_signed ? (int8_t)(b >> 8 * i) : (int32_t)(uint8_t)(b >> 8 * i));
	return (uint32_t)sum;
}

static uint32_t permute(uint32_t a, uint32_t b, uint32_t c)
{
	uint64_t bytes = (uint64_t)b << 32 | a;
	uint32_t result = 0;

	for (int i = 0; i < 4; i++) {
		uint8_t byte = (uint8_t)(bytes >> 8 * (c >> 4 * i & 7));

		if (c >> 4 * i & 8)
			byte = byte & 0x80 ? 0xff : 0;
		result |= (uint32_t)byte << 8 * i;
	}
	return result;
}

static float flush(float v)
{
	return fpclassify(v) == FP_SUBNORMAL ? copysignf(0, v) : v;
}

static float saturate(float v)
{
	return v > 1 ? 1 : v > 0 ? v : 0;
}

static float smaller(float a, float b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a < b || (a == b && signbit(a)) ? a : b;
}

static double larger64(double a, double b)
{
	if (isnan(a) || isnan(b))
		return isnan(a) ? b : a;
	return a > b || (a == b && signbit(b)) ? a : b;
}

static int64_t to_integer(double v, int mode, int64_t low, int64_t high, int64_t nan)
{
	if (isnan(v))
		return nan;
	v = ROUNDED(mode, rint(v));
	return v < (double)low ? low : v > (double)high ? high : (int64_t)v;
}

/* ---- forms ---- */

#define FORM_NAME_(line) form_##line
#define FORM_NAME(line)  FORM_NAME_(line)
#define FORM(text, kinds, expression) \
	static void FORM_NAME(__LINE__)(union value * to, const union value *from) \
	{ \
		union value a = from[0], b = from[1], c = from[2], e = from[3], d = { .U = 0 }; \
		(void)a, (void)b, (void)c, (void)e; \
		expression; \
		*to = d; \
	}
#include "forms.def"
#undef FORM

static const struct form {
	const char *text, *kinds;
	void (*evaluate)(union value *to, const union value *from);
} forms[] = {
#define FORM(text, kinds, expression) { text, kinds, FORM_NAME(__LINE__) },
#include "forms.def"
#undef FORM
};
#define FORMS (sizeof(forms) / sizeof(*forms))

/* Kinds of registers: name, PTX type, bytes in memory. */
static const struct kind {
	char letter;
	const char *type;
	unsigned bytes;
} kinds[] = { { 'r', "b32", 4 }, { 'd', "b64", 8 }, { 'h', "b16", 2 }, { 'f', "f32", 4 }, { 'g', "f64", 8 },
	{ 'p', "pred", 1 } };
#define KINDS (sizeof(kinds) / sizeof(*kinds))

static unsigned kind_of(char letter)
{
	unsigned k = 0;

	while (kinds[k].letter != letter)
		k++;
	return k;
}

/* ---- the random numbers: the same on every machine ---- */

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

static union value draw_value(unsigned kind)
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

/* ---- programs ---- */

enum node_type { NODE_FORM, NODE_LOAD, NODE_STORE, NODE_IF, NODE_ELSE, NODE_LOOP, NODE_BREAK, NODE_END };
enum { SPACE_LOCAL, SPACE_SHARED, SPACE_GLOBAL, SPACE_GENERIC, SPACES };

struct operand {
	uint8_t kind, number;
	bool is_constant;
	uint32_t constant;
};

struct node {
	uint8_t type, space, bytes;
	bool guarded, guard_negated, is_signed;
	uint8_t guard;
	const struct form *form;
	struct operand to, from[4];
	uint32_t offset, trips; /* memory; loops */
	uint32_t other,
		label; /* IF, LOOP: its ELSE or END; ELSE: its END; END: its beginning; BREAK: its LOOP */
};

static struct node nodes[MOST_NODES];
static uint32_t node_count, label_count;

static struct operand draw_register(unsigned kind)
{
	return (struct operand){ .kind = (uint8_t)kind, .number = (uint8_t)draw(POOL) };
}

static struct node *add_node(enum node_type type)
{
	struct node *n = &nodes[node_count++];

	*n = (struct node){ .type = (uint8_t)type };
	return n;
}

static void draw_guard(struct node *n)
{
	n->guarded = draw(4) == 0;
	n->guard = (uint8_t)draw(POOL);
	n->guard_negated = draw(2);
}

static void add_form(void)
{
	struct node *n = add_node(NODE_FORM);
	const char *letter;

	n->form = &forms[draw(FORMS)];
	n->to = draw_register(kind_of(n->form->kinds[0]));
	for (letter = n->form->kinds + 1; *letter; letter++) {
		struct operand *o = &n->from[letter - n->form->kinds - 1];
		bool is_position = *letter == 'i';

		*o = draw_register(kind_of(is_position || *letter == 'R' ? 'r' : *letter));
		o->is_constant =
			is_position || (*letter == 'r' && letter > n->form->kinds + 1 && draw(5) == 0);
		o->constant = is_position ? draw(3) ? draw(40) : (uint32_t)(draw_bits() & 0xff)
					  : (uint32_t)draw_bits();
	}
	draw_guard(n);
}

/* A load or store of 1 to 8 bytes between a register and the thread's memory. Integers, f32 and f64 have
 * regions of their own, so that the payload of a NaN does not show. */
static void add_access(void)
{
	static const struct {
		uint8_t start, bytes;
	} region[] = { { 0, 32 }, { 0, 32 }, { 0, 32 }, { 32, 16 }, { 48, 16 } };
	static const char letters[] = "rdhfg";
	struct node *n = add_node(draw(2) ? NODE_LOAD : NODE_STORE);
	unsigned k = kind_of(letters[draw(5)]);

	n->to = draw_register(k);
	n->bytes = (uint8_t)kinds[k].bytes;
	while (kinds[k].letter != 'f' && kinds[k].letter != 'g' && n->bytes > 1 && draw(2))
		n->bytes /= 2;
	n->is_signed = draw(2);
	n->offset = region[k].start + draw(region[k].bytes / n->bytes) * n->bytes;
	n->space = (uint8_t)draw(SPACES);
	draw_guard(n);
}

static void add_block(uint32_t length, uint32_t depth, uint32_t loop);

static void add_if(uint32_t length, uint32_t depth, uint32_t loop)
{
	uint32_t start = node_count, middle;
	struct node *n = add_node(NODE_IF);

	n->guard = (uint8_t)draw(POOL);
	n->guard_negated = draw(2);
	n->label = label_count++;
	add_block(length / 2, depth + 1, loop);
	nodes[start].other = node_count;
	if (draw(2)) {
		middle = node_count;
		add_node(NODE_ELSE)->label = nodes[start].label;
		add_block(length / 2, depth + 1, loop);
		nodes[middle].other = node_count;
	}
	n = add_node(NODE_END);
	n->other = start;
	n->label = nodes[start].label;
}

static void add_loop(uint32_t length, uint32_t depth)
{
	uint32_t start = node_count;
	struct node *n = add_node(NODE_LOOP);

	n->trips = 1 + draw(4);
	n->label = label_count++;
	add_block(length / 2, depth + 1, start);
	nodes[start].other = node_count;
	n = add_node(NODE_END);
	n->other = start;
	n->label = nodes[start].label;
}

static void add_break(uint32_t loop)
{
	struct node *n = add_node(NODE_BREAK);

	n->guard = (uint8_t)draw(POOL);
	n->guard_negated = draw(2);
	n->other = loop;
	n->label = nodes[loop].label;
}

/* loop: the node of the loop around, UINT32_MAX if there is none. */
static void add_block(uint32_t length, uint32_t depth, uint32_t loop)
{
	for (uint32_t i = 0; i < length && node_count < MOST_NODES - 64; i++) {
		uint32_t what = draw(40);

		if (what == 0 && depth < MOST_DEPTH && length > 4)
			add_if(length, depth, loop);
		else if (what == 1 && depth < MOST_DEPTH && length > 4)
			add_loop(length, depth);
		else if (what == 2 && loop != UINT32_MAX)
			add_break(loop);
		else if (what < 7)
			add_access();
		else
			add_form();
	}
}

/* ---- a program as PTX ---- */

static void print_operand(FILE *out, const struct operand *o)
{
	if (o->is_constant)
		fprintf(out, ", %u", o->constant);
	else
		fprintf(out, ", %%%c%u", kinds[o->kind].letter, o->number);
}

static void print_guard(FILE *out, const struct node *n)
{
	if (n->guarded)
		fprintf(out, "@%s%%p%u ", n->guard_negated ? "!" : "", n->guard);
}

static void print_form(FILE *out, const struct node *n)
{
	const char *table = strchr(n->form->text, ' '); /* lop3: the look-up table comes last */

	print_guard(out, n);
	fprintf(out, "%.*s %%%c%u", table ? (int)(table - n->form->text) : (int)strlen(n->form->text),
		n->form->text, kinds[n->to.kind].letter, n->to.number);
	for (size_t i = 0; n->form->kinds[i + 1]; i++)
		print_operand(out, &n->from[i]);
	fprintf(out, "%s%s;\n", table ? "," : "", table ? table : "");
}

static void print_access(FILE *out, const struct node *n)
{
	static const char *const spaces[] = { ".local", ".shared", ".global", "" };
	static const char *const bases[] = { "%mine_local", "%mine_shared", "%mine_global", "%mine_generic" };
	char type[8];

	if (kinds[n->to.kind].letter == 'f' || kinds[n->to.kind].letter == 'g')
		snprintf(type, sizeof(type), "f%u", 8u * n->bytes);
	else
		snprintf(type, sizeof(type), "%c%u",
			n->type == NODE_STORE ? 'b'
			: n->is_signed        ? 's'
					      : 'u',
			8u * n->bytes);
	print_guard(out, n);
	if (n->type == NODE_LOAD)
		fprintf(out, "ld%s.%s %%%c%u, [%s+%u];\n", spaces[n->space], type, kinds[n->to.kind].letter,
			n->to.number, bases[n->space], n->offset);
	else
		fprintf(out, "st%s.%s [%s+%u], %%%c%u;\n", spaces[n->space], type, bases[n->space], n->offset,
			kinds[n->to.kind].letter, n->to.number);
}

static void print_node(FILE *out, const struct node *n)
{
	const char *inverse = n->guard_negated ? "" : "!", *straight = n->guard_negated ? "!" : "";

	switch ((enum node_type)n->type) {
	case NODE_FORM:
		print_form(out, n);
		break;
	case NODE_LOAD:
	case NODE_STORE:
		print_access(out, n);
		break;
	case NODE_IF:
		fprintf(out, "@%s%%p%u bra %s_%u;\n", inverse, n->guard,
			nodes[n->other].type == NODE_ELSE ? "$else" : "$end", n->label);
		break;
	case NODE_ELSE:
		fprintf(out, "bra $end_%u;\n$else_%u:\n", n->label, n->label);
		break;
	case NODE_LOOP:
		fprintf(out, "mov.u32 %%count%u, %u;\n$top_%u:\n", n->label, n->trips, n->label);
		break;
	case NODE_BREAK:
		fprintf(out, "@%s%%p%u bra $end_%u;\n", straight, n->guard, n->label);
		break;
	case NODE_END:
		if (nodes[n->other].type == NODE_LOOP)
			fprintf(out,
				"sub.u32 %%count%u, %%count%u, 1;\nsetp.ne.u32 %%again, %%count%u, "
				"0;\n@%%again bra $top_%u;\n",
				n->label, n->label, n->label, n->label);
		fprintf(out, "$end_%u:\n", n->label);
		break;
	}
}

#define ROW_BYTES (KINDS * POOL * 8) /* a thread's registers in memory: eight bytes each */

static void print_registers(FILE *out, bool is_load)
{
	for (unsigned k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < POOL; i++) {
			unsigned at = (k * POOL + i) * 8;
			bool is_predicate = kinds[k].letter == 'p';

			if (is_predicate && is_load)
				fprintf(out,
					"ld.global.u32 %%word, [%%in+%u];\nsetp.ne.u32 %%p%u, %%word, 0;\n",
					at, i);
			else if (is_predicate)
				fprintf(out,
					"selp.u32 %%word, 1, 0, %%p%u;\nst.global.u32 [%%out+%u], %%word;\n",
					i, at);
			else if (is_load)
				fprintf(out, "ld.global.%s %%%c%u, [%%in+%u];\n", kinds[k].type,
					kinds[k].letter, i, at);
			else
				fprintf(out, "st.global.%s [%%out+%u], %%%c%u;\n", kinds[k].type, at,
					kinds[k].letter, i);
		}
}

static void print_memory(FILE *out)
{
	static const char *const spaces[] = { "local", "shared", "global" };

	for (unsigned s = 0; s < 3; s++)
		for (unsigned i = 0; i < BYTES; i += 8)
			fprintf(out,
				"ld.%s.b64 %%word64, [%%mine_%s+%u];\nst.global.b64 [%%out+%zu], %%word64;\n",
				spaces[s], spaces[s], i, ROW_BYTES + s * BYTES + i);
}

#define OUT_BYTES (ROW_BYTES + 3 * BYTES)

static void print_program(FILE *out)
{
	fprintf(out, ".version 7.0\n.target sm_75\n.address_size 64\n.visible .entry random(.param .u64 in, "
		     ".param .u64 out, .param .u64 mine)\n{\n");
	for (unsigned k = 0; k < KINDS; k++)
		fprintf(out, ".reg .%s %%%c<%u>;\n", kinds[k].type, kinds[k].letter, POOL);
	fprintf(out,
		".reg .b32 %%word, %%thread, %%count<%u>;\n.reg .b64 %%word64, %%in, %%out, %%wide, "
		"%%mine_local, %%mine_shared, "
		"%%mine_global, %%mine_generic;\n.reg .pred %%again, %%outside;\n",
		label_count + 1);
	fprintf(out, ".local .align 8 .b8 own[%u];\n.shared .align 8 .b8 all[%u];\n", BYTES, BYTES * THREADS);
	fprintf(out, "mov.u32 %%thread, %%tid.x;\nsetp.ge.u32 %%outside, %%thread, %u;\n@%%outside exit;\n",
		LIVE);
	fprintf(out, "ld.param.u64 %%in, [in];\nmad.wide.u32 %%in, %%thread, %zu, %%in;\n", ROW_BYTES);
	fprintf(out, "ld.param.u64 %%out, [out];\nmad.wide.u32 %%out, %%thread, %zu, %%out;\n", OUT_BYTES);
	fprintf(out,
		"ld.param.u64 %%mine_global, [mine];\nmad.wide.u32 %%mine_global, %%thread, %u, "
		"%%mine_global;\n",
		BYTES);
	fprintf(out,
		"mov.u64 %%mine_local, own;\nmov.u64 %%wide, all;\nmad.wide.u32 %%mine_shared, %%thread, %u, "
		"%%wide;\n",
		BYTES);
	/* generic: shared or local memory by lane, so that one access falls into both */
	fprintf(out, "cvta.shared.u64 %%mine_generic, %%mine_shared;\nand.b32 %%word, %%thread, "
		     "3;\nsetp.eq.u32 %%again, %%word, 1;\n"
		     "@%%again cvta.local.u64 %%mine_generic, %%mine_local;\nsetp.eq.u32 %%again, %%word, "
		     "2;\n@%%again mov.u64 "
		     "%%mine_generic, %%mine_global;\n");
	for (unsigned i = 0; i < BYTES; i += 8)
		fprintf(out,
			"mov.b64 %%word64, %u;\nst.local.b64 [%%mine_local+%u], %%word64;\nst.shared.b64 "
			"[%%mine_shared+%u], "
			"%%word64;\nst.global.b64 [%%mine_global+%u], %%word64;\n",
			i * 77, i, i, i);
	print_registers(out, true);
	for (uint32_t i = 0; i < node_count; i++)
		print_node(out, &nodes[i]);
	print_registers(out, false);
	print_memory(out);
	fprintf(out, "ret;\n}\n");
}

/* ---- the evaluator: one thread ---- */

struct thread {
	union value registers[KINDS][POOL];
	uint8_t memory[3][BYTES];
	uint32_t trips[MOST_NODES];
	unsigned generic; /* which memory generic accesses mean */
};

static bool holds(const struct thread *t, const struct node *n)
{
	return t->registers[kind_of('p')][n->guard].p != n->guard_negated;
}

static void evaluate_form(struct thread *t, const struct node *n)
{
	union value from[4] = { { .U = 0 } };

	for (size_t i = 0; n->form->kinds[i + 1]; i++)
		if (n->from[i].is_constant)
			from[i].U = n->from[i].constant;
		else
			from[i] = t->registers[n->from[i].kind][n->from[i].number];
	n->form->evaluate(&t->registers[n->to.kind][n->to.number], from);
}

static void evaluate_access(struct thread *t, const struct node *n)
{
	uint8_t *place = t->memory[n->space == SPACE_GENERIC ? t->generic : n->space] + n->offset;
	union value *r = &t->registers[n->to.kind][n->to.number], v = { .U = 0 };
	unsigned unused = 64 - 8u * n->bytes, width = 64 - 8u * kinds[n->to.kind].bytes;

	if (n->type == NODE_STORE) {
		memcpy(place, r, n->bytes);
		return;
	}
	memcpy(&v, place, n->bytes);
	if (n->is_signed)
		v.S = (int64_t)(v.U << unused) >> unused;
	v.U = v.U << width >> width;
	*r = v;
}

/* The node after n. */
static uint32_t evaluate_node(struct thread *t, uint32_t at)
{
	const struct node *n = &nodes[at];

	switch ((enum node_type)n->type) {
	case NODE_FORM:
		if (!n->guarded || holds(t, n))
			evaluate_form(t, n);
		return at + 1;
	case NODE_LOAD:
	case NODE_STORE:
		if (!n->guarded || holds(t, n))
			evaluate_access(t, n);
		return at + 1;
	case NODE_IF:
		return holds(t, n) ? at + 1 : n->other + 1;
	case NODE_ELSE:
		return n->other + 1;
	case NODE_LOOP:
		t->trips[at] = n->trips;
		return at + 1;
	case NODE_BREAK:
		return holds(t, n) ? nodes[n->other].other + 1 : at + 1;
	case NODE_END:
		return nodes[n->other].type == NODE_LOOP && --t->trips[n->other] ? n->other + 1 : at + 1;
	}
	abort();
}

static void evaluate(struct thread *t, uint32_t tid)
{
	t->generic = tid % 4 == 1 ? SPACE_LOCAL : tid % 4 == 2 ? SPACE_GLOBAL : SPACE_SHARED;
	for (unsigned s = 0; s < 3; s++)
		for (uint64_t i = 0; i < BYTES; i += 8)
			memcpy(t->memory[s] + i, &(uint64_t){ i * 77 }, 8);
	for (uint32_t at = 0; at < node_count;)
		at = evaluate_node(t, at);
}

/* ---- comparison ---- */

static bool is_same(unsigned kind, union value expected, union value got)
{
	switch (kinds[kind].letter) {
	case 'f':
		return expected.u == got.u || (isnan(expected.f) && isnan(got.f));
	case 'g':
		return expected.U == got.U || (isnan(expected.g) && isnan(got.g));
	case 'p':
		return expected.p == (got.u != 0);
	case 'd':
		return expected.U == got.U;
	case 'h':
		return expected.w == got.w;
	default:
		return expected.u == got.u;
	}
}

/* Bytes 32 to 47 hold f32, 48 to 63 f64: see add_access. */
static bool is_memory_same(const uint8_t *expected, const uint8_t *got)
{
	for (unsigned i = 32; i < BYTES; i += i < 48 ? 4 : 8) {
		union value e = { .U = 0 }, g = { .U = 0 };
		unsigned bytes = i < 48 ? 4 : 8;

		memcpy(&e, expected + i, bytes);
		memcpy(&g, got + i, bytes);
		if (!is_same(kind_of(i < 48 ? 'f' : 'g'), e, g))
			return false;
	}
	return !memcmp(expected, got, 32);
}

static unsigned compare(uint64_t seed, uint32_t tid, const struct thread *t, const uint8_t *got)
{
	static const char *const spaces[] = { "local", "shared", "global" };
	unsigned wrong = 0;

	for (unsigned k = 0; k < KINDS; k++)
		for (unsigned i = 0; i < POOL; i++) {
			union value v;

			memcpy(&v, got + (k * POOL + i) * 8, 8);
			if (is_same(k, t->registers[k][i], v) || wrong++ > 3)
				continue;
			printf("seed %llu: thread %u: %%%c%u is %016llx, expected %016llx\n",
				(unsigned long long)seed, tid, kinds[k].letter, i, (unsigned long long)v.U,
				(unsigned long long)t->registers[k][i].U);
		}
	for (unsigned s = 0; s < 3; s++)
		if (!is_memory_same(t->memory[s], got + ROW_BYTES + s * BYTES) && !wrong++)
			printf("seed %llu: thread %u: its .%s memory differs\n", (unsigned long long)seed,
				tid, spaces[s]);
	return wrong;
}

/* ---- the run ---- */

static void must(CUresult result, const char *what)
{
	const char *name = "?";

	if (result == CUDA_SUCCESS)
		return;
	cuGetErrorName(result, &name);
	fprintf(stderr, "random: %s: %s\n", what, name);
	exit(2);
}

static char *make_program(uint64_t seed, uint32_t length)
{
	char *text;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	random_state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
	node_count = label_count = 0;
	for (int i = 0; i < 8; i++)
		draw(2);
	add_block(length, 0, UINT32_MAX);
	print_program(out);
	fclose(out);
	return text;
}

static void fill_inputs(struct thread *threads, uint8_t *in)
{
	for (uint32_t tid = 0; tid < THREADS; tid++)
		for (unsigned k = 0; k < KINDS; k++)
			for (unsigned i = 0; i < POOL; i++) {
				union value v = draw_value(k);

				threads[tid].registers[k][i] = v;
				if (kinds[k].letter == 'p')
					v = (union value){ .U = v.p };
				memcpy(in + tid * ROW_BYTES + (k * POOL + i) * 8, &v, 8);
			}
}

static unsigned run_seed(uint64_t seed, uint32_t length)
{
	static struct thread threads[THREADS];
	static uint8_t in[THREADS * ROW_BYTES], out[THREADS * OUT_BYTES];
	char *text = make_program(seed, length);
	CUdeviceptr d_in, d_out, d_mine;
	CUmodule module;
	CUfunction function;
	unsigned wrong = 0;

	fill_inputs(threads, in);
	must(cuModuleLoadData(&module, text), "cuModuleLoadData");
	must(cuModuleGetFunction(&function, module, "random"), "cuModuleGetFunction");
	must(cuMemAlloc(&d_in, sizeof(in)), "cuMemAlloc");
	must(cuMemAlloc(&d_out, sizeof(out)), "cuMemAlloc");
	must(cuMemAlloc(&d_mine, THREADS * BYTES), "cuMemAlloc");
	must(cuMemcpyHtoD(d_in, in, sizeof(in)), "cuMemcpyHtoD");
	must(cuMemsetD8(d_out, 0, sizeof(out)), "cuMemsetD8");
	must(cuLaunchKernel(
		     function, 1, 1, 1, THREADS, 1, 1, 0, NULL, (void *[]){ &d_in, &d_out, &d_mine }, NULL),
		"cuLaunchKernel");
	must(cuMemcpyDtoH(out, d_out, sizeof(out)), "cuMemcpyDtoH");
	for (uint32_t tid = 0; tid < LIVE; tid++) {
		evaluate(&threads[tid], tid);
		wrong += compare(seed, tid, &threads[tid], out + tid * OUT_BYTES);
	}
	cuMemFree(d_in);
	cuMemFree(d_out);
	cuMemFree(d_mine);
	cuModuleUnload(module);
	free(text);
	return wrong;
}

static void emit(const char *path, uint64_t seed, uint32_t length)
{
	char *text = make_program(seed, length);
	FILE *out = fopen(path, "w");

	if (!out || fputs(text, out) < 0 || fclose(out)) {
		perror(path);
		exit(2);
	}
	free(text);
}

int main(int argc, char **argv)
{
	uint64_t first = 1, count = 20, failed = 0;
	uint32_t length = 200;
	const char *path = NULL;
	CUdevice device;
	CUcontext context;

	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "--first"))
			first = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--count"))
			count = strtoull(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--length"))
			length = (uint32_t)strtoul(argv[i + 1], NULL, 10);
		else if (!strcmp(argv[i], "--emit"))
			path = argv[i + 1];
	}
	if (path) {
		emit(path, first, length);
		return 0;
	}
	must(cuInit(0), "cuInit");
	must(cuDeviceGet(&device, 0), "cuDeviceGet");
	must(cuCtxCreate(&context, 0, device), "cuCtxCreate");
	for (uint64_t seed = first; seed < first + count; seed++)
		failed += run_seed(seed, length) != 0;
	printf("%llu random programs, %llu wrong\n", (unsigned long long)count, (unsigned long long)failed);
	must(cuCtxDestroy(context), "cuCtxDestroy");
	return failed != 0;
}
