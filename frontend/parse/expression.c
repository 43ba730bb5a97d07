/* frontend/parse/expression.c -- operands as expressions: constants are folded as they are read, with C's
 * precedence over signed and unsigned 64-bit integers or doubles; a name may carry an offset (`table+8`), a
 * sign, or stand in a pair. */
#include "frontend/parse/parser.h"
#include "ptx_grammar.h"
#include <string.h>

struct node *node_new(struct ptx_parser *p, struct ptx_location location, enum ptx_operand_kind kind)
{
	struct node *node = arena_new_of(p->scratch, struct node);

	node->operand.kind = kind;
	node->operand.component = -1;
	node->operand.location = location;
	node->last = node;
	node->list_count = 1;
	return node;
}

struct node *node_value(struct ptx_parser *p, struct ptx_location location, struct ptx_value value)
{
	struct node *node = node_new(p, location, PTX_OP_VALUE);

	node->operand.value = value;
	return node;
}

struct node *node_name(struct ptx_parser *p, struct ptx_location location, struct ptx_name *name)
{
	struct node *node = node_new(p, location, PTX_OP_NAME);

	node->operand.name = name->text;
	if (name->text[0] == 'W' && !strcmp(name->text, "WARP_SZ")) { /* a constant like any other */
		node->operand.kind = PTX_OP_VALUE;
		node->operand.name = NULL;
		node->operand.value = (struct ptx_value){ PTX_INT, 32 };
	}
	return node;
}

static bool is_float_value(struct ptx_value v)
{
	return v.kind == PTX_FLOAT32_BITS || v.kind == PTX_FLOAT64_BITS;
}

static double as_double(struct ptx_value v)
{
	double wide;
	float narrow;
	uint32_t bits = (uint32_t)v.bits;

	if (v.kind == PTX_FLOAT32_BITS) {
		memcpy(&narrow, &bits, sizeof(narrow));
		return narrow;
	}
	if (v.kind == PTX_INT)
		return (double)(int64_t)v.bits;
	if (v.kind == PTX_UINT)
		return (double)v.bits;
	memcpy(&wide, &v.bits, sizeof(wide));
	return wide;
}

static struct ptx_value from_double(double number)
{
	struct ptx_value v = { PTX_FLOAT64_BITS, 0 };

	memcpy(&v.bits, &number, sizeof(number));
	return v;
}

static struct ptx_value truth_value(bool is_true)
{
	return (struct ptx_value){ PTX_INT, is_true };
}

static bool is_true(struct ptx_value v)
{
	return is_float_value(v) ? as_double(v) != 0 : v.bits != 0;
}

static struct ptx_value negate(struct ptx_value v)
{
	if (v.kind == PTX_FLOAT32_BITS)
		v.bits ^= UINT64_C(1) << 31;
	else if (v.kind == PTX_FLOAT64_BITS)
		v.bits ^= UINT64_C(1) << 63;
	else
		v.bits = -v.bits;
	if (v.kind == PTX_UINT && v.bits == UINT64_C(1) << 63)
		v.kind = PTX_INT; /* -9223372036854775808 */
	return v;
}

struct node *node_unary(struct ptx_parser *p, struct ptx_location location, int operator, struct node * a)
{
	struct ptx_operand *o = &a->operand;

	o->location = location;
	if (o->kind == PTX_OP_NAME && (operator== '!' || operator== '-') && !o->negated && !o->value.bits) {
		o->negated = true;
		return a;
	}
	if (o->kind != PTX_OP_VALUE) {
		parse_error(p, location, NULL, "'%c' needs a constant", operator);
		return node_value(p, location, truth_value(false));
	}
	if (operator== '-')
		o->value = negate(o->value);
	else if (operator== '!' && is_float_value(o->value))
		parse_error(p, location, NULL, "'!' needs an integer");
	else if (operator== '!')
		o->value = truth_value(!is_true(o->value));
	else if (operator== '~' && !is_float_value(o->value))
		o->value.bits = ~o->value.bits;
	else if (operator== '~')
		parse_error(p, location, NULL, "'~' needs an integer");
	return a;
}

/* clang-format off */
static bool fold_float(int operator, double a, double b, struct ptx_value *result)
{
	switch (operator) {
	case '+': *result = from_double(a + b); return true;
	case '-': *result = from_double(a - b); return true;
	case '*': *result = from_double(a * b); return true;
	case '/': *result = from_double(a / b); return true;
	case '<': *result = truth_value(a < b); return true;
	case '>': *result = truth_value(a > b); return true;
	case T_LE: *result = truth_value(a <= b); return true;
	case T_GE: *result = truth_value(a >= b); return true;
	case T_EQ: *result = truth_value(a == b); return true;
	case T_NE: *result = truth_value(a != b); return true;
	default: return false;
	}
}

/* clang-format on */
/* Division and remainder; INT64_MIN / -1 wraps. */
static uint64_t divide_wrapping(bool is_signed, bool remainder, uint64_t a, uint64_t b)
{
	if (!is_signed)
		return remainder ? a % b : a / b;
	if (b == UINT64_MAX)
		return remainder ? 0 : -a;
	return (uint64_t)(remainder ? (int64_t)a % (int64_t)b : (int64_t)a / (int64_t)b);
}

static bool less(bool is_signed, uint64_t a, uint64_t b)
{
	return is_signed ? (int64_t)a < (int64_t)b : a < b;
}

static uint64_t shift_right(bool is_signed, uint64_t a, uint64_t count)
{
	bool fill = is_signed && a >> 63;

	if (count > 63)
		return fill ? UINT64_MAX : 0;
	return fill ? ~(~a >> count) : a >> count;
}

/* clang-format off */
/* Both are integers; the result is signed if both are, except that a shift asks only its left side. */
static struct ptx_value fold_integer(int operator, struct ptx_value x, struct ptx_value y)
{
	bool is_signed = x.kind == PTX_INT && y.kind == PTX_INT;
	uint64_t a = x.bits, b = y.bits, bits = 0;

	switch (operator) {
	case '+': bits = a + b; break;
	case '-': bits = a - b; break;
	case '*': bits = a * b; break;
	case '/': bits = divide_wrapping(is_signed, false, a, b); break;
	case '%': bits = divide_wrapping(is_signed, true, a, b); break;
	case '&': bits = a & b; break;
	case '|': bits = a | b; break;
	case '^': bits = a ^ b; break;
	case T_SHL: return (struct ptx_value){ x.kind, b > 63 ? 0 : a << b };
	case T_SHR: return (struct ptx_value){ x.kind, shift_right(x.kind == PTX_INT, a, b) };
	case '<': return truth_value(less(is_signed, a, b));
	case '>': return truth_value(less(is_signed, b, a));
	case T_LE: return truth_value(!less(is_signed, b, a));
	case T_GE: return truth_value(!less(is_signed, a, b));
	case T_EQ: return truth_value(a == b);
	case T_NE: return truth_value(a != b);
	default: break;
	}
	return (struct ptx_value){ is_signed ? PTX_INT : PTX_UINT, bits };
}

/* clang-format on */
static struct node *fold_operator(
	struct ptx_parser *p, struct ptx_location location, int operator, struct node * a, struct node *b)
{
	struct ptx_value x = a->operand.value, y = b->operand.value;

	if (operator== T_ANDAND || operator== T_OROR) {
		a->operand.value = truth_value(operator== T_ANDAND ? is_true(x) && is_true(y)
								   : is_true(x) || is_true(y));
	} else if (is_float_value(x) || is_float_value(y)) {
		if (!fold_float(operator, as_double(x), as_double(y), &a->operand.value))
			parse_error(p, location, NULL, "this operator needs integers");
	} else if ((operator== '/' || operator== '%') && !y.bits) {
		parse_error(p, location, NULL, "division by zero in a constant expression");
	} else {
		a->operand.value = fold_integer(operator, x, y);
	}
	return a;
}

static bool is_pair_half(const struct node *node)
{
	return node->operand.kind == PTX_OP_NAME || node->operand.kind == PTX_OP_SINK;
}

struct node *node_pair(struct ptx_parser *p, struct node *a, struct node *b)
{
	a->last = a;
	return node_list(p, a->operand.location, PTX_OP_PAIR, node_append(a, b));
}

/* name + constant. `constant + name` and `name - constant` are no PTX; the latter is written name+-constant.
 */
static struct node *add_offset(
	struct ptx_parser *p, struct ptx_location location, int operator, struct node * a, struct node *b)
{
	struct node *name = a->operand.kind == PTX_OP_NAME ? a : b, *value = name == a ? b : a;

	if (name == b && operator== '+') {
		parse_error(p, location, NULL, "the name stands before '+' and its constant");
	} else if (operator== '-') {
		parse_error(p, location, "write '+-' for a negative offset", "'-' behind a name");
	} else if (is_float_value(value->operand.value)) {
		parse_error(p, value->operand.location, NULL, "an offset must be an integer");
	} else {
		name->operand.value.bits += value->operand.value.bits;
	}
	return name;
}

struct node *node_binary(
	struct ptx_parser *p, struct ptx_location location, int operator, struct node * a, struct node *b)
{
	bool a_is_value = a->operand.kind == PTX_OP_VALUE, b_is_value = b->operand.kind == PTX_OP_VALUE;

	if (a_is_value && b_is_value)
		return fold_operator(p, location, operator, a, b);
	if (operator== '|' && is_pair_half(a) && is_pair_half(b))
		return node_pair(p, a, b);
	if ((operator== '+' &&(a_is_value || b_is_value)) || (operator== '-' && b_is_value))
		if (a->operand.kind == PTX_OP_NAME || b->operand.kind == PTX_OP_NAME)
			return add_offset(p, location, operator, a, b);
	parse_error(
		p, location, NULL, "only constants can be computed with; a name takes '+' and a constant");
	return a;
}

struct node *node_choice(struct ptx_parser *p, struct node *condition, struct node *a, struct node *b)
{
	if (condition->operand.kind != PTX_OP_VALUE)
		parse_error(p, condition->operand.location, NULL, "a condition must be a constant");
	return is_true(condition->operand.value) ? a : b;
}

struct node *node_cast(struct ptx_parser *p, struct ptx_location location, int type, struct node *a)
{
	struct ptx_value *v = &a->operand.value;

	if (type != PTX_S64 && type != PTX_U64)
		parse_error(p, location, NULL, "a constant can be cast to .s64 or .u64 only");
	else if (a->operand.kind != PTX_OP_VALUE || is_float_value(*v))
		parse_error(p, a->operand.location, NULL, "a cast needs an integer constant");
	else
		v->kind = type == PTX_S64 ? PTX_INT : PTX_UINT;
	return a;
}

struct node *node_apply(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *argument)
{
	if (strcmp(name->text, "generic") || argument->operand.kind != PTX_OP_NAME ||
		argument->operand.value.bits)
		parse_error(p, location, NULL, "only 'generic(variable)' can stand here");
	argument->is_generic = true;
	return argument;
}

struct node *node_mask(
	struct ptx_parser *p, struct ptx_location location, struct ptx_value mask, struct node *argument)
{
	uint64_t byte = mask.bits ? mask.bits >> (__builtin_ctzll(mask.bits) & ~7) : 0;

	if (byte != 0xff)
		parse_error(p, location, NULL, "a mask must select one byte: 0xff, 0xff00, 0xff0000 ...");
	argument->mask = mask.bits;
	return argument;
}

struct node *node_parenthesised(struct ptx_parser *p, struct ptx_location location, struct node *a)
{
	if (a->operand.kind != PTX_OP_VALUE)
		parse_error(p, location, NULL, "only constants can stand in parentheses here");
	return a;
}

/* table[3]: counted in elements; the size of one is known when the name is (see add_operand). */
struct node *node_element(
	struct ptx_parser *p, struct ptx_location location, struct ptx_name *name, struct node *index)
{
	struct node *node = node_name(p, location, name);
	uint32_t ignored;
	const struct ptx_var *variable = find_variable(p, name, &ignored);

	node->operand.is_element = true;
	if (index->operand.kind != PTX_OP_VALUE || is_float_value(index->operand.value))
		parse_error(p, index->operand.location, NULL, "an index must be an integer constant");
	else if (!variable || variable->space == PTX_REG)
		parse_error(p, location, NULL, "'%.200s' is no array", name->text);
	else
		node->operand.value.bits = index->operand.value.bits * variable->vector *
			((ptx_type_bits(variable->type) + 7) / 8);
	return node;
}
