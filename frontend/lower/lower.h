/* frontend/lower/lower.h -- internal to the lowering: what its files share.
 *
 * How an entry is lowered: each PTX instruction becomes one or several drafts (lower_*.c), whose operands
 * are references to virtual registers. Control flow, liveness and allocation number the registers.
 * assemble.c turns drafts into micro-operations. What cannot be executed is refused with its name and
 * location. */
#ifndef FRONTEND_LOWER_LOWER_H
#define FRONTEND_LOWER_LOWER_H

#include "frontend/allocate/allocate.h"
#include "frontend/parse/arena.h"
#include "frontend/lower/constant_bank.h"
#include "frontend/module.h"
#include "frontend/tables/opcode.h"
#include "frontend/ptx.h"
#include "frontend/uop.h"

/* A reference to an operand: a virtual register (its number), or one of these. */
typedef uint32_t ref;
#define REF_NONE     0xffffffffu
#define REF_CONSTANT 0x80000000u /* + row of the constant bank; for predicates + 0 (false) or 1 (true) */
#define REF_PRELOAD  0x40000000u /* + enum ptx_sreg */
#define REF_KIND     0xc0000000u

struct draft {
	struct uop uop; /* everything but registers, branch indices and hazards */
	ref dst[4], src[4];
	ref *extra;        /* further operands: uop.extra_sources of them, then uop.extra_dests */
	ref guard;         /* predicate register or REF_NONE */
	bool is_early;     /* writes results before it has read all operands */
	bool may_contract; /* mul, add, sub: no rounding is written, so that they may be fused */
	bool is_rolled;    /* of a block that the program forbids to unroll */
	bool is_whole; /* under a guard, and so is whoever reads its results: nobody reads what other lanes
			  hold */
};

struct vreg {
	uint8_t bits; /* 0: predicate; else 8 .. 128 */
};

/* Number of rows that a register occupies; 0 for predicates, which are in a file of their own. */
static inline uint8_t rows_of(unsigned bits)
{
	return (uint8_t)((bits + 31) / 32);
}

/* A function with a body, once per image. */
struct image_function {
	struct ptx_function *function;
	struct ptx_module *module;
	bool is_address_taken;
	bool is_lowered;                       /* some entry can reach it */
	uint32_t unit;                         /* in the kernel that is being lowered; 0: not part of it */
	struct image_function *next_candidate; /* of the same signature, with its address taken too */
};

/* Functions whose results and parameters have the same sizes: what a call through a register may reach. */
struct signature {
	const struct ptx_function *example;
	struct image_function *candidates, *last_candidate; /* in the order of their numbers */
	uint32_t node; /* of the call graph of the kernel that is being lowered; 0: not part of it */
};

/* Everything that the modules of one image declare: definitions are found here by name. */
struct program {
	struct ptx_module *const *modules;
	size_t module_count;
	struct image_function *functions; /* function->user points to its entry */
	uint32_t function_count;
	struct signature *signatures;
	uint32_t signature_count;
	uint32_t *signature_slots; /* a hash table of numbers + 1 */
	uint32_t signature_slot_count;
};

/* A node of a kernel's call graph: a unit, or the functions of one signature. A call through a register leads
 * to the latter, and from there to each of them, so that n calls and m functions make n + m edges. */
#define NO_UNIT UINT32_MAX

struct call_node {
	uint32_t unit;
	uint32_t *callees; /* nodes */
	uint32_t callee_count;
	uint32_t component; /* of mutually recursive functions: callees have lower numbers than callers */
	uint32_t added_by;  /* the last node that it was made a callee of, + 1 */
};

/* A function as part of a kernel's code; number 0 is the entry. Between lowering and assembly, it stores
 * the fields of struct lower that belong to one function. */
struct unit {
	const struct ptx_function *function;
	struct ptx_module *module;
	struct draft *drafts;
	uint32_t draft_count;
	uint32_t *first_draft;
	struct vreg *vregs;
	uint32_t vreg_count;
	struct ptx_call *calls; /* the calls as they will be in the kernel */
	uint32_t call_count;
	uint32_t *targets; /* of brx: instructions, then drafts */
	uint32_t target_count;
	uint32_t frame, deepest, frame_align; /* bytes; deepest: with what calls need for a while */
	uint32_t node;                        /* of the call graph */
	/* assembly */
	const struct cfg *cfg;
	const struct liveness *live;
	const struct allocation *rows, *predicates;
	const uint16_t *live_registers, *live_predicates; /* at each draft */
	uint32_t *placed;                                 /* place_banks: the kernel's row of each register */
	uint32_t first_row, first_predicate, first_uop, first_call, first_target, first_value;
	uint32_t registers, kept, pressure; /* kept: the largest number of registers that are live across a
					       call */
};

/* The sum of offsets, modulo 2^64 as addresses are. */
static inline int64_t sum_of_offsets(int64_t a, int64_t b)
{
	return (int64_t)((uint64_t)a + (uint64_t)b);
}

#define MOST_REFUSALS 20 /* messages: further ones are left out */

struct lower {
	struct program *program;
	struct unit *units; /* of the kernel */
	uint32_t unit_count;
	struct call_node *nodes; /* node 0 is the entry */
	uint32_t node_count, component_count;
	uint32_t *node_order; /* callers before callees, members of a component side by side */
	uint32_t unit;        /* being lowered or assembled */
	bool reserves_shared; /* the kernel reads %reserved_smem_offset_* */
	const struct ptx_lowering *lowering;
	struct ptx_image *image;
	struct ptx_module *module;
	struct diag_list *diags;
	struct ptx_arena *arena;   /* the image's */
	struct ptx_arena *scratch; /* the entry's, freed after it */
	struct ptx_kernel *kernel;
	const struct ptx_function *function;
	const struct ptx_insn *insn;    /* being lowered */
	uint32_t used_modifiers;        /* bit i: modifier i of it has been understood */
	bool is_refused;                /* it has already been refused */
	bool keeps_others;              /* kernels but those that reach what is refused (ptx_lower_kernels) */
	size_t refusals[MOST_REFUSALS]; /* messages of what is refused, by their number, if others are kept */
	uint32_t refusal_count;

	struct draft *drafts;
	uint32_t draft_count, draft_capacity;
	uint32_t *first_draft; /* of each instruction; one more at the end */
	struct vreg *vregs;
	uint32_t vreg_count, vreg_capacity;
	bool *other_reads;    /* by register: read by more than wmma.mma; NULL until lower_matrix.c asks */
	ref carry;            /* CC.CF, REF_NONE until used */
	uint64_t initialised; /* bytes of initial data so far */
	struct bank bank;
};

typedef void lower_function(struct lower *l);

/* refuse.c */
void need_a_kernel(struct lower *l); /* if none is left, what stands in the way is an error */
void lower_refuse(struct lower *l, const struct ptx_location *location, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Refuses a reference to a function that no module defines. */
void lower_refuse_function(struct lower *l, const struct ptx_location *location, const char *name);
/* A warning about the instruction; the first one of a kernel is also ptx_kernel.warning. */
void lower_warn(struct lower *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
void lower_refuse_form(struct lower *l); /* "'fma.rn.relu.f16' is not executed yet" */
/* lower_compare.c: the comparison that the instruction's modifiers name; false: none. */
bool find_comparison(struct lower *l, uint8_t *compare);
/* lower.c */
bool has_modifier(struct lower *l, unsigned modifier);                       /* and marks it as understood */
void allow_modifiers(struct lower *l, const uint16_t *list, uint32_t count); /* those without effect here */
struct draft *emit(struct lower *l, unsigned code); /* with the instruction's guard; unit and class by code */
/* Adds room for more than four operands, all REF_NONE, and returns d->extra, sources first. The pointer d
 * is valid until the next emit. */
ref *add_extras(struct lower *l, struct draft *d, uint32_t sources, uint32_t dests);
ref new_vreg(struct lower *l, unsigned bits);

/* lower_operand.c: operands of the current instruction as references. bits: 16, 32 or 64, the width at
 * which the operation reads; wider registers are truncated, narrower ones zero-extended. */
const struct ptx_operand *operand(const struct lower *l, uint32_t index); /* an empty one if there are fewer
									   */
ref source(struct lower *l, const struct ptx_operand *o, unsigned bits, bool is_float);
ref source_register(struct lower *l, const struct ptx_operand *o); /* as wide as it is */
ref register_number(const struct ptx_operand *o);                  /* of an operand that is a register */
ref predicate_source(struct lower *l, const struct ptx_operand *o, bool *negated);
ref destination(struct lower *l, const struct ptx_operand *o);           /* REF_NONE for a sink */
ref result(struct lower *l, const struct ptx_operand *o, unsigned bits); /* a sink becomes a scratch register
									  */
unsigned bits_of(const struct lower *l, ref r);
ref constant_ref(struct lower *l, uint64_t value, unsigned bits);
bool constant_operand(const struct ptx_operand *o, uint64_t *value);
uint64_t value_bits(const struct ptx_value *value, unsigned bits, bool is_float);
uint64_t variable_offset(const struct ptx_var *v); /* shared, local, param: in its block */
bool is_kernel_parameter(const struct lower *l, const struct ptx_var *v);

/* timing.c */
unsigned uop_unit_of(unsigned code);
unsigned uop_class_of(unsigned code);

/* lower_int.c */
bool lower_arithmetic(struct lower *l); /* from the table of one-type forms; false: not in it */
struct draft *emit_form(
	struct lower *l, unsigned code, uint32_t sources, const uint8_t *bits, unsigned result_bits);
uint8_t rounding_modifier(struct lower *l); /* .rz, .rm, .rp: enum uop_round; else to nearest */
void float_modifiers(struct lower *l, struct draft *d, unsigned type);
lower_function lower_add_sub, lower_mul, lower_mad, lower_mul24, lower_carry, lower_prmt, lower_lop3,
	lower_shf, lower_bfind, lower_dp;

/* lower_half.c: halves, packed or not, and f32 forms beyond two operands of one type; false: it is none */
bool lower_packed(struct lower *l);
bool type_is_half(unsigned type); /* f16 bf16 f16x2 bf16x2 */

/* lower_format.c */
lower_function lower_format, lower_cvt_pack;
ref widen_half(struct lower *l, ref from, unsigned from_type); /* f16 or bf16 as f32, exactly */
ref convert_format(
	struct lower *l, ref to, unsigned type, ref from, unsigned from_type, uint8_t round, uint8_t mods);
/* lower_address.c */
lower_function lower_cvta, lower_isspacep, lower_mapa, lower_getctarank;
void accept_narrow(struct lower *l, const struct ptx_operand *o); /* a 32-bit address of device memory, if the
								      module may have any */

/* lower_video.c */
lower_function lower_video;

/* lower_fields.c */
lower_function lower_fns, lower_bmsk;
bool lower_pairs(struct lower *l); /* .u16x2, .s16x2 and .relu of integers; false: none of these */

/* lower_fp.c, lower_compare.c */
lower_function lower_float, lower_div, lower_testp;
lower_function lower_setp, lower_set, lower_selp, lower_slct, lower_logic;
void move_predicate(struct lower *l, bool invert);

/* lower_mov.c, lower_cvt.c, lower_mem.c */
lower_function lower_mov, lower_cvt;
void cut_to_register(struct lower *l, ref to, ref from);    /* a 32-bit row into a register of 8 or 16 bits */
void lower_async_write(struct lower *l, uint8_t operation); /* st.async, red.async: enum uop_atomic */
lower_function lower_ld, lower_st, lower_atom, lower_prefetch, lower_cache_line, lower_createpolicy;

/* lower_texture.c, lower_surface.c */
lower_function lower_tex, lower_surface, lower_query, lower_istypep;

/* lower_data.c */
#define MOST_ELEMENTS 8
/* The destinations of a load: `to` in the micro-operation, `final` after conversion; REF_NONE for sinks. */
struct loaded {
	ref to[MOST_ELEMENTS], final[MOST_ELEMENTS];
	uint32_t count;
	uint8_t reg_bytes; /* of every `to` */
	bool is_extended;  /* some register is wider than the type */
};
/* The elements of braces or of a vector register, or the operand itself; 0: too many (refused). */
uint32_t data_elements(struct lower *l, const struct ptx_operand *o, struct ptx_operand *list);
ref wide_source(struct lower *l, const struct ptx_operand *o);                        /* 128 bits */
bool load_targets(struct lower *l, const struct ptx_operand *data, struct loaded *a); /* false: refused */
void set_results(struct lower *l, struct draft *d, const struct loaded *a);
void finish_loads(struct lower *l, const struct loaded *a); /* to be called after the load itself */
uint32_t store_sources(struct lower *l, const struct ptx_operand *data, ref *from); /* 0: refused */
void set_stored(struct lower *l, struct draft *d, const ref *from, uint32_t count);

/* lower_control.c, lower_barrier.c, lower_warp.c */
lower_function lower_bra, lower_brx, lower_exit, lower_trap, lower_brkpt, lower_nanosleep, lower_nop,
	lower_griddepcontrol, lower_setmaxnreg, lower_multimem;
lower_function lower_bar, lower_membar;
void lower_release(struct lower *l); /* before the access of the instruction */
void lower_acquire(struct lower *l); /* and behind it */
lower_function lower_vote, lower_shfl, lower_activemask, lower_match, lower_redux, lower_elect,
	lower_warp_sync;

/* lower_call.c */
lower_function lower_call, lower_ret, lower_alloca, lower_stack;
void load_formals(struct lower *l);      /* parameters in registers, at a function's beginning */
void emit_return(struct lower *l);       /* or the exit of an entry */
void mark_param_access(struct draft *d); /* an access to .param memory of calls, which does not count as a
					    load or store of the machine */

/* link.c */
void link_program(struct lower *l); /* fills in the modules' definitions */

/* callgraph.c */
void program_init(struct lower *l, struct ptx_module *const *modules, size_t count);
/* The units of the kernel and how they call each other. */
void call_graph(struct lower *l, const struct ptx_function *entry);
const struct call_node *node_of_unit(const struct lower *l, uint32_t unit);
bool is_last_member(const struct lower *l, uint32_t index); /* node_order[index], of its component */
/* The function with a body to which a declaration refers; NULL: no module defines it. */
struct ptx_function *definition_of(const struct lower *l, const struct ptx_function *f);
uint64_t code_address(const struct lower *l, const struct ptx_function *definition);
const struct ptx_operand *call_target(const struct ptx_insn *insn); /* the operand of a call that names the
								       function */
/* The type of the callee: the function itself, a prototype, or one of a list of targets; NULL: unknown. */
const struct ptx_function *called_type(struct lower *l, const struct ptx_insn *insn);

/* signature.c: the number of the signature in program.signatures */
uint32_t signature_of(struct lower *l, const struct ptx_function *f);

/* frame.c: the layout of a function's frame */
/* thread_variables.c: .local and .reg at module level */
void place_thread_variables(struct lower *l);
void load_thread_registers(struct lower *l, const struct ptx_insn *insn);  /* those that it names */
void store_thread_registers(struct lower *l, const struct ptx_insn *insn); /* those that it may have written
									    */

void layout_frame(struct lower *l);
uint32_t frame_slot(struct lower *l, uint64_t bytes, uint64_t align); /* reserves room in the frame; returns
									 its offset */
/* The last parameter of a function, without a size: a variable list of arguments. The frame has the address
 * in local memory of the caller's variable, which is what is passed. */
#define ARGUMENT_LIST_BYTES 4
bool is_argument_list(const struct ptx_var *v);
uint64_t frame_bytes(const struct ptx_var *v); /* that a variable takes in the frame */
/* lower_call.c: that address, in a register of 32 bits. */
ref argument_list_address(struct lower *l, const struct ptx_var *v);
/* Whether its offset counts from where the thread's local memory begins: of an entry and of module level. */
bool is_frame_absolute(const struct lower *l, const struct ptx_var *v);
bool is_in_frame(const struct lower *l, const struct ptx_var *v); /* .local, or .param of functions and calls
								   */

/* unit.c */
void unit_load(struct lower *l, uint32_t unit);
void unit_store(struct lower *l);
bool place_units(struct lower *l);        /* rows, predicates and frames of all units; false: refused */
void describe_functions(struct lower *l); /* functions, calls and tables of the kernel */

/* The address operand of a memory instruction, with the space that the instruction names. False: refused. */
struct address {
	ref base; /* REF_NONE: absolute */
	int64_t offset;
	bool is_narrow; /* a 32-bit base register */
	bool is_framed; /* the offset counts from the function's frame */
	bool is_param;  /* a parameter of a function or call */
	uint8_t space;
};
bool lower_find_address(struct lower *l, const struct ptx_operand *o, struct address *address);

/* lower_matrix.c, lower_wmma.c */
struct matrix_form;
void lower_matrix_transfer(struct lower *l, const struct matrix_form *f); /* wmma.load, wmma.store */
/* The first `count` elements of operand `index`: registers, or constants of that type. */
void lower_matrix_sources(struct lower *l, uint32_t index, unsigned count, unsigned type, ref *list);
lower_function lower_mma, lower_wmma, lower_ldmatrix, lower_stmatrix, lower_movmatrix;
ref lower_metadata(struct lower *l, const struct ptx_operand *o); /* a register, which may stand in braces */
lower_function lower_wgmma, lower_tcgen05;

/* lower_async.c, lower_bulk.c */
lower_function lower_cp, lower_mbarrier, lower_bulk, lower_tensormap, lower_launch_control;

/* layout.c */
struct ptx_sampler reference_sampler(const struct ptx_var *v); /* reference.c */
void layout_params(struct lower *l);
void layout_shared(struct lower *l); /* shared variables of the entry and the functions that it reaches */
void image_symbols(struct lower *l); /* once per image */
/* Scheduled code loads so many bytes of .const memory at once. */
#define CONSTANT_PAIR 8u
uint32_t symbol_index(const struct ptx_var *v);

/* row_banks.c: has_banks: whether rows of the functions must be assigned by size; place_banks assigns
 * them, with units and components as in unit.c. Afterwards the numbers are rows of the kernel and
 * first_row is 0. */
bool has_banks(const struct lower *l);
void place_banks(struct lower *l);

/* assemble.c */
void assemble(struct lower *l);

/* loops.c: sets the enum uop_loop of the function's branches that close loops. */
void mark_loops(struct lower *l, const struct unit *unit);

#endif
