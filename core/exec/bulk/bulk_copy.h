/* core/exec/bulk/bulk_copy.h -- a bulk copy: bytes in a row, or a box of a tensor, between global memory and
 * the shared memory of a cluster's CTAs.
 *
 * It is done in two steps. The source is read into bytes in a row, as they lie in shared memory without
 * swizzle, whatever the tensor does not hold being filled; then they are written, and the mbarrier is told.
 * Without timing both happen when the instruction executes. With timing the copy is taken up by the SM, which
 * does the steps when their time has come (core/lsu/bulk_engine.h). */
#ifndef CORE_EXEC_BULK_BULK_COPY_H
#define CORE_EXEC_BULK_BULK_COPY_H

#include "core/exec/bulk/tensor_map.h"
#include "core/exec/cluster_memory.h"
#include "core/exec/tensor/tensor_operation.h"
#include "frontend/tables/bulk.h"
#include "sim/base/types.h"

struct warp;

/* Of a machine: takes the next cluster of the warp's launch off its queue, if one is left, as an answer: the
 * coordinates of its first CTA and 1, or zeros. */
struct launch_control {
	void (*cancel)(void *machine, const struct warp *warp, uint32_t answer[4]);
	void *machine;
};
#define CANCEL_BYTES 16

struct bulk_copy {
	const struct launch_control *control;
	struct bulk_form form;
	const struct uop *uop;
	const struct warp *warp;
	uint8_t lane;
	uint8_t type; /* enum ptx_type of a reduction's elements */
	/* device addresses, or those of .shared::cluster (cluster_memory.h); of a tensor's side: nothing */
	addr from, to, barrier;
	uint32_t bytes;     /* of the whole box; what an mbarrier is told */
	uint16_t ctas;      /* multicast: by rank */
	uint16_t byte_mask; /* of each 16 bytes */
	int32_t at[TENSOR_DIMS];
	uint16_t offset[3]; /* im2col */
	struct tensor_map map;
	struct cluster_seat seat;
	uint8_t *shared; /* of the CTA that executes */
	uint32_t shared_bytes;
	struct tensor_operation tensor; /* BULK_TENSOR */
};

/* Bytes of a tensor copy's box in shared memory. */
uint32_t bulk_box_bytes(const struct bulk_copy *copy);
/* The elements of a tensor that it touches: calls `holds` for each run of bytes until it is false. */
typedef bool bulk_range(void *user, addr address, uint32_t bytes);
bool bulk_each_range(const struct bulk_copy *copy, bulk_range *holds, void *user);
/* The steps. bytes: copy->bytes of them. What is wrong by then, or NULL: a CTA that has exited, an mbarrier
 * that cannot be told. */
const char *bulk_read(const struct bulk_copy *copy, uint8_t *bytes);
const char *bulk_write(const struct bulk_copy *copy, const uint8_t *bytes);

/* The mbarrier that is told of what lands in the CTA of that rank (multicast): the CTA's own or, with
 * .cta_group::2, that of its pair's CTA whose rank is as even or odd as that of the CTA named. */
addr bulk_barrier(const struct bulk_copy *copy, uint32_t rank);

/* Where granule i of the bytes, 16 of them, lies in the shared memory of a CTA. */
uint32_t bulk_granule(const struct bulk_copy *copy, addr start, uint32_t i);

/* Where an address of .shared::cluster lies; NULL: the CTA is not there (any more). */
uint8_t *bulk_shared(const struct bulk_copy *copy, addr address, uint32_t bytes);

/* The copies that an instruction has asked for. */
struct bulk_queue {
	struct launch_control control;
	struct bulk_copy *copies;
	uint32_t count, capacity;
	bool is_timed;  /* they wait here; else they are performed at once */
	bool keeps;     /* and kept, for who looks at the instruction */
	uint8_t *bytes; /* room for one of them */
	uint32_t size;
	uint64_t performed, moved; /* without timing: copies, and their bytes */
};
struct bulk_copy *bulk_queue_add(struct bulk_queue *queue);
uint8_t *bulk_queue_room(struct bulk_queue *queue, uint32_t bytes);
void bulk_queue_fini(struct bulk_queue *queue);

#endif
