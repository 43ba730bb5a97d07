/* frontend/optimise/list_scheduling.h -- internal to the ordering of a block: its instructions as a graph. */
#ifndef FRONTEND_OPTIMISE_LIST_SCHEDULING_H
#define FRONTEND_OPTIMISE_LIST_SCHEDULING_H

#include "frontend/optimise/optimise.h"

/* What one instruction writes into one register, or what the block finds there. */
struct block_value {
	uint32_t reads; /* by instructions of the block that have not issued yet */
	uint8_t weight; /* 32-bit registers */
	bool is_kept;   /* read behind the block */
};

struct block_op {
	uint32_t draft;
	uint32_t first, reads, writes; /* operands[first ..]: values read, then written */
	uint32_t edges;                /* 1 + index of the first; 0: none */
	uint32_t waits;                /* for so many that have not issued */
	uint64_t ready;                /* cycle in which its operands are there */
	bool is_issued;
};

struct block_edge {
	uint32_t to, next; /* next: as block_op.edges */
	uint32_t latency;
};

struct block_graph {
	struct code *code;
	const uint8_t *size; /* of each register, in those of a thread */
	struct block_op *ops;
	uint32_t op_count;
	struct block_value *values;
	uint32_t value_count, value_room;
	uint32_t *operands;
	uint32_t operand_count, operand_room;
	struct block_edge *edges;
	uint32_t edge_count, edge_room;
	/* of each register, of the block in hand: */
	uint32_t *value;  /* 1 + the value that it holds */
	uint32_t *writer; /* 1 + the instruction that wrote it */
	uint32_t *reader; /* 1 + index in `read_by` of the last that reads it since */
	struct reader {
		uint32_t op, next;
	} * read_by;
	uint32_t read_by_count, read_by_room;
	uint32_t *touched;
	uint32_t touched_count;
};

/* dependence_graph.c: the graph of a block. live: of the drafts as the code was taken. */
struct block_graph *block_graph_new(struct code *code, const uint8_t *size);
void block_graph_read(struct block_graph *g, uint32_t block, const struct liveness *live);

#endif
