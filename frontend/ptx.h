/* frontend/ptx.h -- libptx: from PTX text to a checked module, and from there to kernels of
 * micro-operations.
 *
 * Use: ptx_parse (text -> typed module with locations; syntax and semantics checked), then ptx_lower
 * (module -> image: one ptx_kernel for each .entry, ready to execute). Depends on no other part of the
 * simulator than sim/base/diag.h. */
#ifndef FRONTEND_PTX_H
#define FRONTEND_PTX_H

#include "frontend/module.h"
#include "frontend/uop.h"
#include "sim/base/diag.h"

/* Parses and checks one module. name is the name of the file in messages. Returns NULL if there were
 * errors; warnings may be added in both cases. The text is copied. ptx_module_free(NULL) is permitted. */
struct ptx_module *ptx_parse(const char *text, size_t size, const char *name, struct diag_list *diags);
void ptx_module_free(struct ptx_module *module);

/* A variable of the module that needs device memory when the image is loaded (.global, .const; .shared and
 * .local are laid out by libptx). The loader allocates them and then calls ptx_image_relocate. */
/* The properties that an initialiser gives a .texref or .samplerref; numbers in the order of PTX's
 * enumeration. */
struct ptx_sampler {
	uint8_t address[3]; /* 0 wrap 1 mirror 2 clamp_ogl 3 clamp_to_edge 4 clamp_to_border */
	uint8_t filter;     /* 0 nearest 1 linear */
	bool is_normalized, is_unnormalized; /* normalized_coords; force_unnormalized_coords */
};
struct ptx_symbol {
	const char *name;
	enum ptx_type type; /* PTX_TEXREF, PTX_SAMPLERREF, PTX_SURFREF: no memory, address is its handle */
	struct ptx_sampler sampler;
	enum ptx_space space; /* PTX_GLOBAL or PTX_CONST */
	uint64_t size, align;
	const uint8_t *data; /* size bytes of initial value, addresses in it not yet filled in; NULL: zeros */
	const struct ptx_init_reloc *relocs; /* addresses inside data */
	uint32_t reloc_count;
	bool is_extern, is_managed;
	uint64_t address; /* set by the loader */
};
struct ptx_init_reloc {
	uint64_t offset; /* where in data */
	uint32_t symbol; /* index into the image's symbols */
	int64_t addend;
	uint32_t bytes; /* 4 or 8; 1 for mask() bytes, see shift */
	uint32_t shift; /* bits to shift the address right before storing */
};

struct ptx_param {
	const char *name;
	uint32_t offset, size, align; /* bytes in the kernel's parameter block */
	enum ptx_type type;           /* element type; PTX_B8 with size > 1 for structs */
};

/* A value that the core writes into registers when a warp starts. */
struct ptx_preload {
	uint16_t row;  /* register row that receives it */
	uint16_t sreg; /* enum ptx_sreg; only those that never change while a warp lives */
};

/* A 64- or 32-bit value in the constant bank that depends on where the loader put a symbol. */
struct ptx_const_reloc {
	uint32_t row;
	uint32_t symbol;
	int64_t addend;
	bool wide; /* 64-bit lanes (two rows) */
};

/* A value in the constant bank that each launch gives anew: a parameter, the size of grid or CTA, or what
 * stands at a known place of .const memory when the kernel begins. Control operations do not read these. */
enum ptx_launch_kind { PTX_LAUNCH_PARAMETER, PTX_LAUNCH_REGISTER, PTX_LAUNCH_CONSTANT };
struct ptx_launch_value {
	uint32_t row;
	enum ptx_launch_kind kind;
	uint32_t which;  /* offset in the parameter block or in the symbol, or enum ptx_sreg */
	uint32_t symbol; /* constants: index into the image's symbols */
	bool wide;       /* 64-bit lanes (two rows) */
};

/* Bytes of a frame that a call passes on, counted from the frame's beginning. */
struct ptx_slot {
	uint32_t offset, bytes;
};

/* A function in a kernel's code: number 0 is the entry itself, whose frame begins at 0. Local memory holds a
 * frame for each function that is running: parameters, results, .local variables, .param variables of calls,
 * and the registers that recursive calls save. */
struct ptx_callee {
	const char *name;
	const struct ptx_module *module;
	uint32_t entry;     /* its first micro-operation; the functions stand in this order */
	uint32_t frame;     /* bytes, a multiple of 16 */
	uint32_t signature; /* equal for equal lists of sizes: what a call and its callee must share */
	struct ptx_slot *params, *returns;
	uint32_t param_count, return_count;
};

/* A register that a recursive call keeps for its caller. */
struct ptx_save {
	uint16_t location; /* first row, or predicate number */
	uint8_t bytes;     /* of a lane: 4, 8, 16; 0: a predicate (kept in 4) */
};

/* A place that calls. Arguments are copied from the caller's frame into the callee's, results back. */
struct ptx_call {
	uint32_t signature;
	struct ptx_slot *arguments, *results;
	uint32_t argument_count, result_count;
	struct ptx_save *saves; /* one after the other from saves_offset in the caller's frame */
	uint32_t save_count, saves_offset;
};

/* The address of function n of an image is PTX_CODE_WINDOW + n * PTX_CODE_STEP, in every kernel: a number for
 * calls, no memory is there. It fits 32 bits. */
#define PTX_CODE_WINDOW UINT64_C(0x40000000)
#define PTX_CODE_STEP   16u

/* One entry, ready to run. Rows are 128 bytes: 32 lanes of 32 bits (see uop.h). */
struct ptx_kernel {
	const char *name;
	const struct ptx_module *module;
	struct ptx_image *image;
	const char *refusal; /* it cannot be launched: "file:line:column: why", and has no code; NULL: it can
			      */
	const char *warning; /* for those who launch it: "file:line:column: what"; NULL: none */

	struct uop *uops;
	uint32_t uop_count;
	uint16_t *hazards;    /* see struct uop */
	uint8_t *hazard_rows; /* of each hazard: how many rows the register takes; 0 for a predicate */
	uint32_t *values;     /* of each hazard: which virtual register it is, since rows are used again; NULL
				 unless there are products of warpgroups (wgmma) */
	uint32_t value_count;
	uint16_t *extra;           /* operands beyond those in struct uop */
	uint32_t (*constants)[32]; /* the constant bank: constant_rows rows, 64-byte aligned */
	uint32_t constant_rows;
	struct ptx_const_reloc *relocs;
	uint32_t reloc_count;
	struct ptx_launch_value *launch_values;
	uint32_t launch_value_count;
	struct ptx_preload *preloads;
	uint32_t preload_count;

	uint32_t rows;            /* register rows a warp needs, preloaded ones included */
	uint32_t predicates;      /* predicate registers a warp needs, at most 4096 */
	uint32_t registers;       /* estimated 32-bit registers per thread, as ptxas would report */
	uint32_t pressure;        /* highest number of live 32-bit registers found */
	uint16_t *live_registers; /* of each micro-operation: 32-bit registers live there, of its function */
	uint16_t *live_predicates;
	uint32_t shared_bytes;  /* static; dynamic shared memory starts at the next multiple of dynamic_align
				 */
	uint32_t dynamic_align; /* 0 if the kernel uses no dynamic shared memory */
	uint32_t local_bytes;   /* per thread: the deepest chain of frames */
	uint32_t stack_align;   /* frames begin at multiples of it */
	uint32_t param_bytes;
	struct ptx_param *params;
	uint32_t param_count;
	uint32_t maxntid[3], reqntid[3], maxnreg, minnctapersm; /* 0: not given */
	uint32_t reqnctapercluster[3], maxclusterrank;          /* the same */
	bool is_explicit_cluster, blocks_are_clusters;
	uint32_t register_cap; /* of registers per thread, by who loads the module (CU_JIT_MAX_REGISTERS); 0:
				  none */
	uint32_t barriers;     /* barriers used: highest constant id + 1 */
	uint32_t block_count;  /* basic blocks */
	struct ptx_callee *functions; /* the entry, then each function that can be reached from it */
	uint32_t function_count;
	struct ptx_call *calls;
	uint32_t call_count;
	uint32_t *targets; /* micro-operations: the tables of brx */
	uint32_t target_count;
	uint32_t *numbered; /* index in functions[] by number in the image, 0: not part of this kernel; NULL
			       if the kernel calls through no register */
	uint32_t numbered_count;
	uint64_t address; /* that stands for it in device code: PTX_CODE_WINDOW and more */
	uint64_t code; /* where its instructions lie in memory, for whoever times fetching them; 0: not yet */
	bool uses_tensor_memory; /* tcgen05 */
	bool changes_registers;  /* setmaxnreg */
	uint16_t most_registers; /* that a setmaxnreg.inc asks for */
	bool needs_stack;        /* may recurse, or allocates: local_bytes does not count what that needs */
};

/* The function that a micro-operation belongs to: index in functions[]. */
uint32_t ptx_kernel_function(const struct ptx_kernel *kernel, uint32_t uop);
/* The module that its text is from. */
const struct ptx_module *ptx_kernel_module(const struct ptx_kernel *kernel, const struct uop *u);

struct ptx_image {
	struct ptx_module *module; /* the first; modules are owned by the caller of ptx_parse and must outlive
				      the image */
	struct ptx_kernel *kernels;
	uint32_t kernel_count;
	struct ptx_symbol *symbols;
	uint32_t symbol_count;
	bool has_narrow_addresses; /* it holds addresses of device memory in 32 bits (see uop.h) */
	void *arena;
};

/* The hint of a warning about what keeps kernels from being launched: launching one says the same. */
#define PTX_REFUSAL_HINT "nothing that reaches this can be launched"
/* Of a warning that is also ptx_kernel.warning. */
#define PTX_LAUNCH_HINT "a kernel that reaches this says so when it is launched"

/* Lowers every entry. Instructions that are valid PTX but cannot be executed are refused here by name and
 * place (several a run). NULL if there were errors. */
struct ptx_image *ptx_lower(struct ptx_module *module, struct diag_list *diags);
/* The same for several modules as one program: each name that is not a module's own stands for one
 * definition. A module takes part in one image at a time. count is at least 1; the list itself is not kept.
 */
struct ptx_image *ptx_lower_linked(struct ptx_module *const *modules, size_t count, struct diag_list *diags);

/* Which micro-operations a kernel gets: one or several for each PTX instruction, in the order of the text; or
 * those that a chip would issue once a compiler has translated the PTX for it (frontend/optimise), with the
 * same results. */
enum ptx_timed_code { PTX_AS_WRITTEN, PTX_SCHEDULED };
/* Whether products and sums without a rounding modifier are fused, as ptxas does it for the chip. */
enum ptx_contract { PTX_CONTRACT_NEVER, PTX_CONTRACT_CHIP };
struct ptx_lowering {
	uint32_t timed_code;     /* enum ptx_timed_code */
	uint32_t contract;       /* enum ptx_contract */
	uint32_t sm;             /* the chip: 10 * major + minor number of its compute capability */
	uint32_t most_registers; /* that a thread can have on it; 0: as many as on NVIDIA's of that number */
	uint32_t register_cap;   /* of kernels without directives of their own, by who loads; 0: none */
};
/* ptx_lower_linked for a chip; that one lowers as written. */
struct ptx_image *ptx_lower_as(struct ptx_module *const *modules, size_t count,
	const struct ptx_lowering *lowering, struct diag_list *diags);
/* For a program that launches some of the kernels: what cannot be executed is a warning, and only the kernels
 * that reach it are refused (ptx_kernel.refusal); but if these are all, it is an error. */
struct ptx_image *ptx_lower_kernels(struct ptx_module *const *modules, size_t count,
	const struct ptx_lowering *lowering, struct diag_list *diags);
void ptx_image_free(struct ptx_image *image);
/* After the loader has filled in symbols[i].address: patches the constant banks (initial data is the
 * loader's: it applies symbols[i].relocs to the memory it filled). */
void ptx_image_relocate(struct ptx_image *image);
/* Writes one value into all lanes of its row, or two rows, of a constant bank. */
void ptx_fill_row(uint32_t (*row)[32], uint64_t value, bool is_wide);
struct ptx_kernel *ptx_image_kernel(struct ptx_image *image, const char *name); /* NULL if there is none */
struct ptx_kernel *ptx_image_entry(struct ptx_image *image, uint64_t address);  /* by its address; NULL: none
										 */
struct ptx_symbol *ptx_image_symbol(struct ptx_image *image, const char *name);

/* Printers for the command line. */
void ptx_print_kernel(const struct ptx_kernel *kernel, FILE *stream); /* micro-operations, one a line */
/* Where each line of a module's text begins; the module must outlive it. */
struct ptx_lines;
struct ptx_lines *ptx_lines_new(const struct ptx_module *module);
void ptx_lines_free(struct ptx_lines *lines);
/* Live registers line by line; lines: of the kernel's module. */
void ptx_print_pressure(const struct ptx_kernel *kernel, const struct ptx_lines *lines, FILE *stream);
void ptx_print_cfg(const struct ptx_kernel *kernel, FILE *stream);    /* control flow as DOT */
void ptx_print_module(const struct ptx_module *module, FILE *stream); /* back as valid PTX */

#endif
