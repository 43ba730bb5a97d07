/* tests/ptx/conformance/suite/conform.h -- the interface between the PTX conformance suite and its tables of
 * forms.
 *
 * A form is an instruction with its modifiers and types. For every form the suite writes an entry that loads
 * the operands of one tuple per thread, executes the instruction and stores its results. It launches the
 * entry through the CUDA driver API over all tuples (edge values of the operand types crossed with each
 * other, then pseudo-random ones) and compares with a reference in C that is written from the rules of the
 * PTX ISA. The program uses nothing of the simulator, so that it also runs on a GPU.
 *
 * To add a form, call form_add() in a table's function:
 *
 *   form_add(ref_add, OUT(S32), IN(S32, S32), "add.s32");
 *
 * - The name is the instruction as it is written, unique in the suite. What follows the first space is a
 *   remark. Without a body, the instruction is the name up to that space, with the operands in order:
 *   add.s32 %r, %a, %b. Two outputs that are predicates are written %r|%s.
 * - ref_add(f, in, out) receives the operands as 64-bit words (upper bits zero) and writes the expected
 *   results. It returns false if the ISA leaves the result undefined for these operands; the tuple is then
 * not compared. What distinguishes the forms of one reference is in f->tag[], or is read from f->in[] and
 * f->out[].
 * - A form of more than one instruction has a body, form_body(f, "..."): statements in which inputs are
 *   %a %b %c %d %e %f and outputs %r %s %t %u %v %w, registers of the bit type of the operand's width
 *   (predicates: .pred; 8-bit types: .b16 with arbitrary bits in the upper byte of inputs). %i is the number
 * of the thread, %lane its lane, %m the address of 64 bytes of global memory that belong to the thread and
 * are zero. Each # is replaced by the form's number, so that names at module scope, form_prelude(f, "..."),
 * are unique (x#). Declare further registers and shared memory in braces in the body.
 * - Operand values come from values_of(type); f->values[k] = &list takes operand k from another list.
 * - Results are compared bit by bit; f->compare[k] chooses another comparison, with f->bound[k].
 * - Instructions that read other lanes have f->reference_all instead of a reference: it receives all tuples
 * at once. Thread t of the grid has tuple t, with f->block threads to a CTA. The number of tuples is a
 * multiple of f->block.
 * - f->property(f, tuples) checks the results together, once each has been found right (monotonicity).
 * - f->version and f->target are the PTX version and target that the form requires; by default 8.0 and sm_75.
 * - f->fault is the error with which the launch must end; such forms run in a process of their own.
 *
 * To add a table, add a file with `void x_forms(void)` and a line in tables.def. */
#ifndef CONFORM_H
#define CONFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FORM_INS = 6, FORM_OUTS = 6, FORM_TAGS = 6, FORM_MEMORY = 64 };

/* Operand types. COUNT is a 32-bit operand whose small values matter: shift counts, positions, lengths,
 * selectors. */
enum type {
	NONE,
	PRED,
	U8,
	S8,
	B8,
	U16,
	S16,
	B16,
	F16,
	BF16,
	U32,
	S32,
	B32,
	F32,
	TF32,
	F16X2,
	BF16X2,
	U16X2,
	S16X2,
	COUNT,
	U64,
	S64,
	B64,
	F64,
	F32X2,
	TYPE_COUNT
};

/* How a result is compared with the reference's. For the bounded comparisons the reference writes the true
 * value as the bits of a double (bits_of_f64), whatever the type of the result: a NaN requires a NaN, an
 * infinity that infinity, and a result equal to the true value rounded to its type is always right. */
enum compare {
	COMPARE_BITS, /* all bits */
	COMPARE_NAN,  /* all bits; but where the reference has a NaN, any NaN (each half of a packed type) */
	COMPARE_ULP,  /* within f->bound[k] units in the last place of the result's type; a zero has the right
			 sign */
	COMPARE_REL,  /* within f->bound[k] times the true value; a zero has the right sign */
	COMPARE_ABS,  /* within f->bound[k] */
};

/* A table's own list of operand values. is_closed: random tuples take values from the list too. */
struct values {
	const uint64_t *list;
	uint32_t count;
	bool is_closed;
};

struct form;

/* All tuples of a form. in[k][t], want[k][t], got[k][t]: operand or result k of tuple t. */
struct tuples {
	uint32_t count;
	uint64_t *in[FORM_INS], *want[FORM_OUTS], *got[FORM_OUTS];
	bool *is_open; /* is_open[t]: not compared */
};

typedef bool reference_function(const struct form *f, const uint64_t *in, uint64_t *out);

struct form {
	/* given to form_add */
	char *name;
	reference_function *reference;
	enum type out[FORM_OUTS], in[FORM_INS];
	uint32_t outs, ins;
	/* may be set afterwards */
	char *body, *prelude;                  /* through form_body, form_prelude */
	int64_t tag[FORM_TAGS];                /* for the table */
	const void *data;                      /* for the table */
	const struct values *values[FORM_INS]; /* NULL: values_of(in[k]) */
	enum compare compare[FORM_OUTS];
	double bound[FORM_OUTS];
	void (*reference_all)(const struct form *f, struct tuples *t); /* instead of reference; may set
									  is_open */
	const char *(*property)(const struct form *f, const struct tuples *t); /* NULL, or what is wrong */
	unsigned version;                                                      /* 80: .version 8.0 */
	const char *target;                                                    /* "sm_75" */
	uint32_t block;                                                        /* threads of a CTA */
	uint32_t samples; /* tuples of edge values at most, and again a quarter of random ones */
	int fault;        /* a CUresult; 0: none */
	/* set by the suite */
	uint32_t table;
	uint32_t number;
	struct form *next;
};

#define OUT(...) ((const enum type[]){ __VA_ARGS__, NONE })
#define IN(...)  ((const enum type[]){ __VA_ARGS__, NONE })
#define NO_INPUT ((const enum type[]){ NONE })

/* A new form of the table whose function is running; its name is made as by printf. The suite owns it. */
struct form *form_add(reference_function *reference, const enum type *out, const enum type *in,
	const char *format, ...) __attribute__((format(printf, 4, 5)));
struct form *form_body(struct form *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
struct form *form_prelude(struct form *f, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* -- types and values -- */

const char *type_name(enum type type); /* "s32"; COUNT is "u32" */
unsigned type_bits(enum type type);    /* 1 for predicates */
bool type_is_signed(enum type type);
uint64_t type_mask(enum type type); /* the low type_bits bits */
const struct values *values_of(enum type type);

/* The low bits of a word as a signed or unsigned number of that many bits (1 to 64). */
int64_t sign_extend(uint64_t word, unsigned bits);
uint64_t zero_extend(uint64_t word, unsigned bits);
/* The operand as a number: sign_extend or zero_extend by its type. Exact for every integer type. */
__int128 number_of(enum type type, uint64_t word);

float f32_of(uint64_t bits);
double f64_of(uint64_t bits);
uint64_t bits_of_f32(float value);
uint64_t bits_of_f64(double value);
/* The value of a F16, BF16, TF32, F32 or F64, exactly. */
double value_of(enum type type, uint64_t bits);
bool is_nan(enum type type, uint64_t bits);
/* The bits of the F16 or BF16 nearest to a value, ties to even; any NaN is 0x7fff. In the rounding mode
 * FE_TONEAREST. */
uint64_t round_to(enum type type, double value);

/* A pseudo-random word; the same sequence for the same start. */
uint64_t random_word(uint64_t *state);

/* The tables' functions: tables.def. */
#define TABLE(name) void name##_forms(void);
#include "tables.def"
#undef TABLE

#endif
