/* memsys/coalescer/single.c -- one intra-warp coalescer, as on the chip: the load/store unit itself serves
 * one memory instruction after the other (core/lsu/lsu_serve.c). */
#include "memsys/coalescer/coalescer.h"

const struct coalescer_class coalescer_single = {
	.name = "single",
	.help = "one intra-warp coalescer: the requests of one instruction after the other",
	.size = sizeof(struct coalescer),
	.state = policy_keeps_nothing,
};
