/* energymicro.h -- what the files of the energy micro-benchmarks share.
 *
 * A kernel is a family, which says what is executed, at a level, which says how much of the chip takes part.
 * Its name is that of the family, an underscore, and that of the level: "fp_fma_full". The text of a kernel
 * is made when the program runs (text.c), for the device that it finds.
 *
 * There are two kinds of families. The lines of a chain family compute; each is executed by CHAINS chains in
 * turn, which depend on nothing but themselves. A stream family accesses memory, CHAINS words a repetition
 * and lane, through an offset that goes on with each repetition and wraps around at the footprint. */
#ifndef ENERGYMICRO_H
#define ENERGYMICRO_H

#include "bench.h"

enum { WARP = 32, CHAINS = 8, CTA = 256, MOST_LINES = 8 };

/* -- chains -- */

/* The registers of a lane, by their names in the PTX text. */
struct lane {
	uint32_t r[CHAINS], s[CHAINS], x, y;
	float f[CHAINS], fx, fy;
	double g[CHAINS], gx, gy;
	bool p[CHAINS];
};

struct warp {
	struct lane lane[WARP];
	unsigned lanes; /* that are active: the first ones */
};

enum type { TYPE_U32, TYPE_F32, TYPE_F64 };

/* What line `line` does to chain `chain` of lane `lane`, in the reference. Lines are executed one after the
 * other by all chains, and each by all lanes before the next. */
typedef void step_function(struct warp *w, unsigned lane, unsigned chain, unsigned line);

/* -- streams -- */

enum space { SPACE_NONE, SPACE_SHARED, SPACE_CONST, SPACE_TEXTURE, SPACE_GLOBAL };
enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_ADD };

struct stream {
	enum space space; /* SPACE_NONE: the family has no stream */
	enum access access;
	const char *op;     /* "ld.global.cg.u32" */
	unsigned stride;    /* bytes from one lane to the next */
	unsigned apart;     /* bytes from one word of a lane to its next */
	unsigned footprint; /* bytes, a power of two; 0: as much as the kernel goes through */
	bool random;        /* each word at a random offset */
	/* The words are f32, of which each two in turn, a and b, begin a chain v = a - b of so many steps v =
	 * v * a - b. */
	bool pairs;
	unsigned steps;
};

/* -- families -- */

struct family {
	const char *name, *about;
	const char *lines[MOST_LINES]; /* # stands for the chain, & for the next one */
	step_function *step;
	enum type type;         /* of the operands and of the result */
	double x, y;            /* operands */
	bool operands_are_bits; /* x and y are integers, whatever the type */
	double first;     /* that a chain begins with; chain c of lane l: first + (c + l * CHAINS) * apart */
	double apart;     /* a difference, of chains and lanes */
	double tolerance; /* of a step, relative to `scale`; 0: the result is exact */
	double scale;
	bool contracts;     /* a step takes over at most half of the error before it */
	unsigned repeats;   /* of the level `full`; 0: as most */
	unsigned unroll;    /* how often the lines stand in the loop; 0: as in most */
	unsigned needs;     /* compute capability, 10 * major + minor; 0: any */
	bool is_apart;      /* runs only if it is asked for */
	const char *levels; /* names, separated by blanks; NULL: those of most */
	struct stream stream;
};

struct level {
	const char *name, *about;
	unsigned threads; /* of a CTA */
	unsigned lanes;   /* that are active in each warp */
	bool fills;       /* as many CTAs as an SM holds; otherwise one */
	unsigned part;    /* one of so many SMs takes part; 0: a single SM */
};

struct kernel {
	const struct family *family;
	const struct level *level;
	char name[48];
};

extern const struct family families[];
extern const size_t family_count;

/* All kernels, in the order of families. */
size_t kernel_list(struct kernel **kernels);

/* -- a launch -- */

struct shape {
	unsigned ctas, threads, lanes, repeats;
	uint32_t step, mask; /* of a stream: bytes to the next repetition, footprint - 1 */
	unsigned chunk;      /* bytes from one warp to the next */
};

/* The PTX of a kernel; malloc'ed. capability: of the device, 10 * major + minor. */
char *kernel_text(const struct kernel *k, unsigned capability);

/* The word that is at a byte offset of a stream's memory before the launch. */
uint32_t stream_word(const struct stream *s, uint32_t offset);
uint32_t stream_random(uint32_t state);
enum { STREAM_PADDING = 1024 }; /* bytes behind the footprint that the last words of a lane reach */

/* The operands of a chain family, as bits. */
uint32_t operand_bits(const struct family *f, double operand);
/* What every thread of the launch writes, in want[threads of the grid]. */
void reference_results(const struct kernel *k, const struct shape *s, uint64_t *want);
/* What is in the memory of a stream behind the launch, in words[bytes / 4], which has what was there. */
void reference_memory(const struct kernel *k, const struct shape *s, uint32_t *words);
/* How far a result of floating point may be off, in units of max(|want|, 1). */
double reference_tolerance(const struct kernel *k, const struct shape *s);
/* Steps that a chain takes in one repetition. */
unsigned chain_unroll(const struct family *f);

#endif
