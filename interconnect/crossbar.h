/* interconnect/crossbar.h -- what the files of the crossbar share: crossbar.c (queues, links, the cycle),
 * islip.c. */
#ifndef INTERCONNECT_CROSSBAR_H
#define INTERCONNECT_CROSSBAR_H

#include "interconnect/network_internal.h"

struct crossbar_input {
	cycles busy_until; /* may send again */
	uint32_t sorted;   /* virtual output queues: so many of its port's packets are in them */
	uint32_t last;     /* iSLIP: output accepted last, in the first round */
};

/* An input's queue of packets for one output (virtual output queues), or for all. */
struct crossbar_queue {
	cycles since;       /* its first packet began to ask */
	uint64_t full_mark; /* its output's cycles_full then */
};

/* In a cache line of the host's each. */
struct crossbar_output {
	_Alignas(64) struct input_set wanting; /* inputs of which a first packet asks for it */
	cycles busy_until;
	cycles full_since;    /* free, asked and without room since; SIM_NEVER: it is not */
	uint64_t cycles_full; /* the same, finished intervals */
};

struct crossbar {
	struct network base;      /* first */
	struct input_set asked;   /* outputs that some packet asks for */
	struct input_set sending; /* inputs busy, or about to look at their next head; without virtual output
				     queues only those that are held */
	struct input_set held;    /* of these, the inputs with packets that wait for that */
	struct input_set asking;  /* inputs whose head asks; without virtual output queues */
	cycles next_sent;         /* the first of the sending inputs has sent; SIM_NEVER: there are none */
	cycles busy_until;        /* the last of the outputs' */
	struct crossbar_input *input;
	struct crossbar_output *output;
	struct crossbar_queue *queue; /* by input, or by output and input */
	uint32_t *last;      /* by output: input granted last (iSLIP: and accepted, in the first round) */
	picoseconds *issued; /* of the first packet of each queue: for the arbiter that asks for its age */
	uint32_t *length;    /* virtual output queues: packets in each */
};

/* Whether the output can take a packet; if it lacks only room, that is counted from now on. */
bool crossbar_is_free(struct crossbar *crossbar, uint32_t output, cycles now);
/* The input's first packet for the output goes; both are free. */
void crossbar_grant(struct crossbar *crossbar, uint32_t output, uint32_t input, cycles now);
/* iSLIP: one cycle's matching of free inputs and outputs. */
void islip_match(struct crossbar *crossbar, cycles now);

#endif
