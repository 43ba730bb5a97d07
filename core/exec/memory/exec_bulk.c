/* core/exec/memory/exec_bulk.c -- bulk and tensor copies: their operands are read and checked here; what is
 * wrong with them is a fault of the thread. core/exec/bulk moves the data. st.bulk, which is done at once;
 * instructions on tensor maps. */
#include "core/exec/access.h"
#include "core/exec/bulk/bulk_copy.h"
#include <stdlib.h>

/* ---- operands ---- */

static uint16_t operand_row(const struct exec *x, const struct uop *u, unsigned which)
{
	return x->extra[u->extra + which];
}

/* A row of 32 bits in a lane; 0 if there is no such operand. */
static uint32_t word_of(const struct exec *x, const struct uop *u, unsigned which, unsigned lane)
{
	uint16_t row = operand_row(x, u, which);

	return row == UOP_NONE ? 0 : ((const ROW_U32 *)source_row(x, row))[lane];
}

static addr address_of(
	const struct exec *x, const struct uop *u, const struct bulk_form *f, unsigned which, unsigned lane)
{
	return lane_address(x, operand_row(x, u, which), f->narrow >> which & 1, lane, 0);
}

/* ---- tensor maps ---- */

/* The bytes of a tensor map, for reading: in global memory, constants among it, or among the parameters. NULL
 * after a fault. */
static const uint8_t *find_map(struct exec *x, const struct uop *u, unsigned lane, addr address)
{
	if (address - PARAM_WINDOW < WINDOW_SIZE) {
		addr offset = address - PARAM_WINDOW;

		if (offset % TENSOR_MAP_ALIGN == 0 && offset <= x->param_bytes &&
			TENSOR_MAP_BYTES <= x->param_bytes - offset)
			return x->params + offset;
		fault_access(x, u, offset % TENSOR_MAP_ALIGN ? FAULT_MISALIGNED : FAULT_OUT_OF_BOUNDS, lane,
			address, TENSOR_MAP_BYTES, false);
		x->fault->nearest = (struct memory_range){ PARAM_WINDOW, PARAM_WINDOW + x->param_bytes };
		return NULL;
	}
	return global_holds(x, u, lane, address, TENSOR_MAP_BYTES, TENSOR_MAP_ALIGN) ? memory_host(address)
										     : NULL;
}

static bool has_rest(const uint8_t *bytes)
{
	for (unsigned i = sizeof(struct tensor_map); i < TENSOR_MAP_BYTES; i++)
		if (bytes[i])
			return true;
	return false;
}

/* Why the map does not suit the instruction; NULL: it does. */
static const char *mismatch(const struct bulk_copy *c)
{
	bool is_im2col = c->form.mode >= TENSOR_IM2COL;
	unsigned kind = c->form.mode == TENSOR_IM2COL_W ? MAP_IM2COL_WIDE
		: c->form.mode == TENSOR_IM2COL_W_128   ? MAP_IM2COL_WIDE_128
		: is_im2col                             ? MAP_IM2COL
							: MAP_TILED;

	if (c->map.rank + 1 != c->form.rank)
		return "the tensor map has another number of dimensions than the instruction";
	if (kind != c->map.kind)
		return kind == MAP_IM2COL_WIDE        ? "the tensor map is not one of im2col::w"
			: kind == MAP_IM2COL_WIDE_128 ? "the tensor map is not one of im2col::w::128"
			: is_im2col                   ? "the tensor map is not one of im2col"
						      : "the tensor map is one of im2col, not of tiles";
	if (kind >= MAP_IM2COL_WIDE &&
		(c->offset[0] >= (kind == MAP_IM2COL_WIDE ? 512 : 32) || c->offset[1] >= 32))
		return "wHalo of im2col::w is below 512, of im2col::w::128 below 32, and wOffset below 32";
	if (c->form.kind == BULK_REDUCES && tensor_element(c->map.type)->type == PTX_NO_TYPE)
		return "the tensor map's type has no reductions";
	return NULL;
}

static bool read_map(struct exec *x, const struct uop *u, struct bulk_copy *c, addr address)
{
	const uint8_t *bytes = find_map(x, u, c->lane, address);
	const char *wrong;

	if (!bytes)
		return false;
	memcpy(&c->map, bytes, sizeof(c->map));
	wrong = tensor_map_fault(&c->map, has_rest(bytes));
	wrong = wrong ? wrong : mismatch(c);
	if (wrong)
		fault_because(x, u, c->lane, wrong);
	return !wrong;
}

struct range_check {
	struct exec *x;
	const struct uop *u;
	unsigned lane;
};

static bool range_holds(void *user, addr address, uint32_t bytes)
{
	const struct range_check *check = user;

	return global_holds(check->x, check->u, check->lane, address, bytes, 1);
}

/* Reductions exist for some types: PTX ISA, cp.reduce.async.bulk.tensor. */
static bool is_reduced(unsigned operation, unsigned type)
{
	bool is_integer = type >= PTX_U32 && type <= PTX_S64;

	switch (operation) {
	case ATOM_ADD:
		return type != PTX_S64;
	case ATOM_MIN:
	case ATOM_MAX:
		return type != PTX_F32 && type != PTX_F64;
	case ATOM_INC:
	case ATOM_DEC:
		return type == PTX_U32;
	default:
		return is_integer;
	}
}

static bool check_tensor(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	struct range_check check = { x, u, c->lane };
	unsigned side = c->form.from == BULK_GLOBAL ? BULK_FROM : BULK_TO;

	for (unsigned i = 0; i < TENSOR_DIMS; i++)
		c->at[i] = (int32_t)word_of(x, u, BULK_AT + i, c->lane);
	for (unsigned i = 0; i < 3; i++)
		c->offset[i] = (uint16_t)word_of(x, u, BULK_OFFSET + i, c->lane);
	if (!read_map(x, u, c, address_of(x, u, &c->form, side, c->lane)))
		return false;
	c->bytes = bulk_box_bytes(c);
	c->type = tensor_element(c->map.type)->type;
	if (c->form.kind == BULK_REDUCES && !is_reduced(c->form.operation, c->type)) {
		fault_because(x, u, c->lane, "the reduction is not defined for the tensor map's type");
		return false;
	}
	if (c->form.kind == BULK_PREFETCHES)
		return true;
	if (bulk_each_range(c, range_holds, &check))
		return true;
	x->fault->is_store = c->form.to == BULK_GLOBAL;
	return false;
}

/* ---- bytes in a row ---- */

static bool check_bytes(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	unsigned side = c->form.from == BULK_GLOBAL ? BULK_FROM : BULK_TO;
	addr address = address_of(x, u, &c->form, side, c->lane);

	c->bytes = word_of(x, u, BULK_BYTES, c->lane);
	if (c->bytes % 16) {
		fault_because(x, u, c->lane, "a bulk copy is of a multiple of 16 bytes");
		return false;
	}
	if (c->form.from != BULK_GLOBAL && c->form.to != BULK_GLOBAL)
		return true;
	if (side == BULK_FROM)
		c->from = address;
	else
		c->to = address;
	if (c->form.kind == BULK_PREFETCHES || !c->bytes)
		return true;
	if (global_holds(x, u, c->lane, address, c->bytes, 16))
		return true;
	x->fault->is_store = side == BULK_TO;
	return false;
}

/* ---- sides in shared memory ---- */

/* Bytes that a box may touch: the swizzle moves granules within 128 bytes. */
static uint32_t span_of(const struct bulk_copy *c)
{
	return c->form.mode && c->map.swizzle ? (c->bytes + 127) / 128 * 128 : c->bytes;
}

static addr in_cta(addr address, unsigned rank)
{
	return (addr)(rank + 1) << CLUSTER_RANK_SHIFT | (address & CLUSTER_OFFSET);
}

static bool check_place(struct exec *x, const struct uop *u, const struct bulk_copy *c, addr to, addr barrier)
{
	unsigned align = c->form.mode ? 128 : 16;

	return shared_location(x, u, c->lane, to, false, span_of(c), align, true) &&
		(c->form.to == BULK_GLOBAL || shared_location(x, u, c->lane, barrier, false, 8, 8, true));
}

static bool check_destination(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	addr window = c->form.kind == BULK_CANCELS && c->form.is_generic ? SHARED_WINDOW : 0;
	unsigned ctas = c->seat.memory ? c->seat.memory->ctas : 1;

	c->to = address_of(x, u, &c->form, BULK_TO, c->lane) - window;
	c->barrier = address_of(x, u, &c->form, BULK_BARRIER, c->lane) - window;
	if (c->form.to == BULK_CTA && (c->to >> CLUSTER_RANK_SHIFT || c->barrier >> CLUSTER_RANK_SHIFT)) {
		fault_access(x, u, FAULT_SHARED_OUT_OF_BOUNDS, c->lane, c->to, c->bytes, true);
		return false;
	}
	if (!(c->form.flags & BULK_MULTICAST))
		return check_place(x, u, c, c->to, c->barrier);
	c->ctas = c->form.kind == BULK_CANCELS ? (uint16_t)((1u << ctas) - 1)
					       : (uint16_t)word_of(x, u, BULK_CTAS, c->lane);
	if (c->ctas >> ctas) {
		fault_because(x, u, c->lane, "the mask names a CTA that the cluster does not have");
		return false;
	}
	for (uint32_t left = c->ctas; left; left &= left - 1) {
		unsigned rank = (unsigned)__builtin_ctz(left);

		if (!check_place(x, u, c, in_cta(c->to, rank), bulk_barrier(c, rank)))
			return false;
	}
	return true;
}

static bool check_source(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	unsigned align = c->form.mode ? 128 : 16;

	c->from = address_of(x, u, &c->form, BULK_FROM, c->lane);
	if (c->from >> CLUSTER_RANK_SHIFT) {
		fault_access(x, u, FAULT_SHARED_OUT_OF_BOUNDS, c->lane, c->from, c->bytes, false);
		return false;
	}
	return shared_location(x, u, c->lane, c->from, false, span_of(c), align, false);
}

/* ---- whole ---- */

static bool check_copy(struct exec *x, const struct uop *u, struct bulk_copy *c)
{
	if (c->form.kind == BULK_CANCELS) {
		c->bytes = CANCEL_BYTES;
		c->control = &x->bulk->control;
		return check_destination(x, u, c);
	}
	if (!(c->form.mode ? check_tensor(x, u, c) : check_bytes(x, u, c)))
		return false;
	c->byte_mask = (uint16_t)word_of(x, u, BULK_MASK, c->lane);
	if (c->form.kind == BULK_PREFETCHES)
		return true;
	if (c->form.to != BULK_GLOBAL && !check_destination(x, u, c))
		return false;
	return c->form.from == BULK_GLOBAL || check_source(x, u, c);
}

static void perform_now(struct exec *x, const struct uop *u, const struct bulk_copy *c)
{
	uint8_t *bytes = bulk_queue_room(x->bulk, c->bytes);
	const char *wrong = bulk_read(c, bytes);

	wrong = wrong ? wrong : bulk_write(c, bytes);
	x->bulk->performed++;
	x->bulk->moved += c->bytes;
	if (wrong)
		fault_because(x, u, c->lane, wrong);
}

EXEC(BULK)
{
	x->space = SPACE_PARAM;
	for_each_lane (l, active) {
		struct bulk_copy c = { .uop = u,
			.warp = x->warp,
			.lane = (uint8_t)l,
			.type = u->type,
			.seat = cluster_seat(x),
			.shared = x->shared,
			.shared_bytes = x->shared_bytes };

		memcpy(&c.form, &u->imm, sizeof(c.form));
		if (!check_copy(x, u, &c))
			return;
		if (c.form.kind == BULK_PREFETCHES && !x->bulk->is_timed)
			continue;
		if (x->bulk->is_timed || x->bulk->keeps)
			*bulk_queue_add(x->bulk) = c;
		if (!x->bulk->is_timed)
			perform_now(x, u, &c);
		if (x->faulted)
			return;
	}
}

/* Bytes in a row, which may be many more than a warp's registers hold. */
EXEC(ST_BULK)
{
	x->space = SPACE_SHARED;
	for_each_lane (l, active) {
		addr address = lane_address(x, u->src[0], u->mods & MOD_SAT, l, (uint64_t)u->imm);
		const void *row = source_row(x, u->src[1]);
		uint64_t bytes = u->reg_bytes == 8 ? ((const ROW_U64 *)row)[l] : ((const ROW_U32 *)row)[l];
		uint8_t *place;

		if (bytes % 8 || bytes > UINT32_MAX) {
			fault_because(x, u, l, "st.bulk writes a multiple of 8 bytes");
			return;
		}
		place = shared_location(
			x, u, l, address, u->space == SPACE_GENERIC, (unsigned)bytes, 8, true);
		if (!place)
			return;
		memset(place, 0, bytes);
	}
}

/* ---- instructions on tensor maps ---- */

/* 128 bytes that may be written; NULL after a fault. */
static uint8_t *map_location(struct exec *x, const struct uop *u, unsigned lane, addr address)
{
	bool is_shared = u->space == SPACE_SHARED ||
		(u->space == SPACE_GENERIC && address - SHARED_WINDOW < WINDOW_SIZE);

	if (is_shared)
		return shared_location(x, u, lane, address, u->space == SPACE_GENERIC, TENSOR_MAP_BYTES,
			TENSOR_MAP_ALIGN, true);
	if (global_holds(x, u, lane, address, TENSOR_MAP_BYTES, TENSOR_MAP_ALIGN))
		return memory_host(address);
	x->fault->is_store = true;
	return NULL;
}

static bool replace_field(struct exec *x, const struct uop *u, unsigned lane, addr address)
{
	uint8_t *bytes = map_location(x, u, lane, address);
	uint64_t value = u->reg_bytes == 8 ? ((const ROW_U64 *)source_row(x, u->src[1]))[lane]
					   : ((const ROW_U32 *)source_row(x, u->src[1]))[lane];
	struct tensor_map map;
	const char *wrong;

	if (!bytes)
		return false;
	memcpy(&map, bytes, sizeof(map));
	wrong = tensor_map_replace(&map, u->imm & 15, (unsigned)(u->imm >> 4), value);
	memcpy(bytes, &map, sizeof(map));
	if (wrong)
		fault_because(x, u, lane, wrong);
	return !wrong;
}

static bool copy_map(struct exec *x, const struct uop *u, unsigned lane, addr to)
{
	addr from = lane_address(x, u->src[1], u->mods & MOD_HI, lane, 0);
	const uint8_t *source =
		shared_location(x, u, lane, from, false, TENSOR_MAP_BYTES, TENSOR_MAP_ALIGN, false);
	uint8_t *bytes = source ? map_location(x, u, lane, to) : NULL;

	if (bytes)
		memcpy(bytes, source, TENSOR_MAP_BYTES);
	return bytes;
}

EXEC(TENSORMAP)
{
	bool is_copy = u->imm == TENSORMAP_COPY;

	if (is_copy && !is_whole_warp(x, u, active))
		return;
	for_each_lane (l, active) {
		addr address = lane_address(x, u->src[0], u->mods & MOD_SAT, l, 0);

		if (!(is_copy ? copy_map(x, u, l, address) : replace_field(x, u, l, address)))
			return;
	}
	x->space = SPACE_PARAM;
}
