/* tests/ptx/random/random.h -- random programs: what the generator makes, the printer writes down as PTX and
 * the evaluator computes. */
#ifndef RANDOM_H
#define RANDOM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define THREADS        96 /* three warps, the last ... */
#define LIVE           80 /* ... of which has 16 threads */
#define WARP           32
#define POOL           7  /* registers of a kind */
#define BYTES          64 /* memory of a thread in each space */
#define MOST_NODES     4096
#define MOST_DEPTH     5
#define MOST_FUNCTIONS 4

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

/* An instruction, or a few: see forms.def. */
struct form {
	const char *text, *kinds;
	void (*evaluate)(union value *to, const union value *from);
};
extern const struct form forms[];
extern const uint32_t form_count;

/* An operation on whole warps: see warp.def. from: of lane 0 .. 31; members: the lanes that take part. */
struct warp_form {
	const char *text, *kinds;
	void (*evaluate)(union value *to, const union value (*from)[WARP], uint32_t lane, uint32_t members);
};
extern const struct warp_form warp_forms[];
extern const uint32_t warp_form_count;

/* 64 bytes in constant memory, and the same as a parameter: words of 32 bits. */
#define TABLE_WORDS 16
uint32_t table_word(uint32_t index);

/* Kinds of registers: name, PTX type, bytes in memory. */
struct kind {
	char letter;
	const char *type;
	unsigned bytes;
};
#define KINDS 6
extern const struct kind kinds[KINDS];
unsigned kind_of(char letter);

enum node_type {
	NODE_FORM,
	NODE_WARP,
	NODE_LOAD,
	NODE_STORE,
	NODE_ATOMIC,
	NODE_IF,
	NODE_ELSE,
	NODE_LOOP,
	NODE_BREAK,
	NODE_CONTINUE,
	NODE_SWITCH,
	NODE_CASE,
	NODE_END,
	NODE_EXIT, /* of a thread, or from a function */
	NODE_CALL,
	NODE_RETURN, /* the end of a function */
};
enum { SPACE_LOCAL, SPACE_SHARED, SPACE_GLOBAL, SPACE_GENERIC, SPACES };
enum {
	ATOM_ADD,
	ATOM_MIN,
	ATOM_MAX,
	ATOM_AND,
	ATOM_OR,
	ATOM_XOR,
	ATOM_EXCH,
	ATOM_INC,
	ATOM_DEC,
	ATOM_CAS,
	ATOMS
};

struct operand {
	uint8_t kind, number;
	bool is_constant;
	uint32_t constant;
};

struct node {
	uint8_t type, space, bytes;
	uint8_t vector; /* elements of a load or store */
	uint8_t atom;
	bool guarded, guard_negated, is_signed, is_reduction, falls_through;
	uint8_t guard;
	const struct form *form;
	const struct warp_form *warp;
	struct operand to, from[4];
	uint32_t offset, trips; /* memory; loops */
	/* IF, LOOP: its ELSE or END; ELSE: its END; END: its beginning; BREAK, CONTINUE: its LOOP; SWITCH,
	 * CASE: the next CASE or END; CALL: the function, and the other one that the guard may choose */
	uint32_t other, another, label;
	uint32_t cases, number; /* SWITCH: how many; CASE: which, and other's END through `another` */
};

/* Functions take an integer of 32 bits, one of 64 and how deep they may still call, and return 32 bits. */
struct function {
	uint32_t begin, end; /* nodes */
};

struct program {
	struct node nodes[MOST_NODES];
	uint32_t maxnreg; /* of the kernel; 0: not given */
	bool for_card;    /* without what drivers are known to compile otherwise than the ISA says */
	uint32_t node_count, label_count;
	struct function functions[MOST_FUNCTIONS];
	uint32_t function_count, begin; /* begin: of the entry */
};
extern struct program program;

/* generate.c: the random numbers are the same on every machine. */
union value draw_value(unsigned kind);
void generate_program(uint64_t seed, uint32_t length);

/* print.c, print_program.c: a thread's registers in memory, eight bytes each, then its memories */
#define ROW_BYTES (KINDS * POOL * 8)
#define OUT_BYTES (ROW_BYTES + 3 * BYTES)
extern const char *const space_name[SPACES], *const place_of_space[SPACES]; /* ".local"; "%mine_local" */
void print_node(FILE *out, const struct node *n, bool in_function);
void print_program(FILE *out);

/* evaluate.c */
struct frame {
	union value registers[KINDS][POOL];
	uint8_t own[BYTES]; /* of a function: its local memory */
	uint32_t trips[MOST_NODES];
};
struct thread {
	struct frame frame; /* of the entry */
	uint8_t memory[3][BYTES];
	unsigned generic; /* which memory generic accesses mean */
	uint32_t at;
	bool exited;
};
/* Runs the program for all threads that live; their registers hold what they begin with. */
void evaluate_program(struct thread *threads);

#endif
