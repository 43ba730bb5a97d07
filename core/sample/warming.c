/* core/sample/warming.c -- from the lanes' addresses to the tags of the L2, without time. */
#include "core/sample/warming.h"
#include "core/functional/execution_listener.h"
#include "core/chip/address_map.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/sm/memory_access.h"
#include "memsys/coalesce.h"
#include "memsys/l1/cache_filter.h"
#include "memsys/l2/l2.h"
#include "memsys/memory.h"
#include "sim/base/xalloc.h"

#define ALL_SECTORS 0xfu

struct warming {
	struct chip *chip;
	struct cache_filter **filter; /* by SM */
	struct execution_listener listener;
	bool counts; /* lines, and touches none */
	uint64_t lines;
	uint64_t launch; /* of which the filters hold lines */
};

static uint32_t request_sectors(const struct line_request *r, bool with_bytes)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; with_bytes && i < 4; i++)
		sectors |= (uint32_t)(r->byte_mask[i] != 0) << i;
	return with_bytes ? sectors : ALL_SECTORS;
}

static uint32_t whole_sectors(const struct line_request *r)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < 4; i++)
		sectors |= (uint32_t)(r->byte_mask[i] == UINT32_MAX) << i;
	return sectors;
}

/* Whether what is at home in the slice is at home in the other half of the L2 than the SM's. */
static bool is_far(const struct warming *w, uint32_t sm, uint32_t slice)
{
	return w->chip->l2->halves && (slice & 1) != address_map_half(w->chip->config, sm);
}

static void load_line(struct warming *w, uint32_t sm, const struct memory_access *a,
	const struct line_request *r, addr offset)
{
	struct cache_filter *filter = w->filter[sm];
	uint32_t sectors = request_sectors(r, a->with_bytes);
	addr local;

	if (a->request.discards)
		cache_filter_drop(filter, offset);
	if (!a->request.uncached)
		sectors = cache_filter_load(filter, offset, sectors, a->request.evict_first);
	if (sectors) {
		uint32_t slice = map_partition(&w->chip->map, offset, &local);
		struct l2_slice *home = w->chip->slices[slice];

		if (is_far(w, sm, slice))
			l2_warm_read_far(w->chip->slices[slice ^ 1], home, local, offset, sectors);
		else
			l2_warm_read(home, local, offset, sectors);
	}
}

static void store_line(struct warming *w, uint32_t sm, const struct memory_access *a,
	const struct line_request *r, addr offset)
{
	addr local;
	uint32_t slice = map_partition(&w->chip->map, offset, &local);
	bool is_atomic = a->request.kind == PACKET_ATOMIC;
	struct l2_slice *home = w->chip->slices[slice];

	if (is_atomic)
		cache_filter_drop(w->filter[sm], offset);
	else
		cache_filter_store(w->filter[sm], offset, whole_sectors(r));
	if (!is_atomic && is_far(w, sm, slice)) {
		l2_warm_write_far(w->chip->slices[slice ^ 1], home, local, offset, r->byte_mask);
		return;
	}
	l2_warm_write(home, local, offset, r->byte_mask, is_atomic);
	if (w->chip->l2->halves)
		l2_warm_drop_copy(home, w->chip->slices[slice ^ 1], local);
}

/* The lines of an access to global memory; how many they are. */
static uint32_t lines_of(const struct exec *x, lane_mask active, bool has_pattern,
	const struct memory_access *a, struct line_request *lines)
{
	if (has_pattern)
		return coalesce_pattern(x->address, active, a->bytes, a->line, a->with_bytes,
			(struct lane_pattern){ x->differ, x->follows }, lines);
	return coalesce(x->address, active, a->bytes, a->line, a->with_bytes, lines);
}

static void touch_l2_lines(struct warming *w, uint32_t sm, const struct memory_access *a,
	const struct line_request *lines, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		addr offset = lines[i].line - DEVICE_BASE;

		if (a->request.kind == PACKET_READ)
			load_line(w, sm, a, &lines[i], offset);
		else
			store_line(w, sm, a, &lines[i], offset);
	}
}

static void global_access(struct warming *w, uint32_t sm, const struct uop *u, const struct exec *x,
	lane_mask active, bool has_pattern)
{
	struct memory_access a = memory_access_of(w->chip->sms[0], u, SPACE_GLOBAL);
	struct line_request lines[MAX_LINE_REQUESTS];
	uint32_t count = lines_of(x, active, has_pattern, &a, lines);

	if (!w->counts)
		touch_l2_lines(w, sm, &a, lines, count);
	else if (!access_is_through_texture(w->chip->sm, u, x->space))
		w->lines += count;
}

/* Textures count as loads through the L1. */
static void texels(struct warming *w, uint32_t sm, const struct uop *u, const struct exec *x)
{
	struct memory_access a = memory_access_of(w->chip->sms[0], u, SPACE_GLOBAL);
	uint32_t bytes = a.request.kind == PACKET_READ ? 1 : x->texel_bytes;
	struct line_request lines[MAX_LINE_REQUESTS];
	addr address[WARP_SIZE];

	a.with_bytes = true;
	for (uint32_t set = 0; set < 4; set++) {
		if (!x->texel_mask[set])
			continue;
		for (uint32_t lane = 0; lane < WARP_SIZE; lane++)
			address[lane] = x->texel[set][lane] & ~(addr)(bytes - 1);
		touch_l2_lines(
			w, sm, &a, lines, coalesce(address, x->texel_mask[set], bytes, a.line, true, lines));
	}
}

static void warm_executed(
	void *user, const struct warp *warp, const struct uop *u, const struct exec *x, lane_mask mask)
{
	struct warming *w = user;
	uint32_t sm = (uint32_t)(warp->cta->linear % w->chip->config->sms);

	switch (u->code) {
	case UOP_LD:
	case UOP_PREFETCH:
	case UOP_ST:
	case UOP_ATOM:
		if (x->space == SPACE_GLOBAL)
			global_access(w, sm, u, x, mask, true);
		else if (x->space == SPACE_GENERIC && x->space_mask[0])
			global_access(w, sm, u, x, x->space_mask[0], false);
		break;
	case UOP_CP_ASYNC:
		if (x->space_mask[0])
			global_access(w, sm, u, x, x->space_mask[0], false);
		break;
	case UOP_TEX:
	case UOP_TLD4:
	case UOP_SULD:
	case UOP_SUST:
	case UOP_SURED:
		if (!w->counts) /* they are no lines of sm.line_requests */
			texels(w, sm, u, x);
		break;
	default:
		break;
	}
}

const struct execution_listener *warming_counts(struct warming *w)
{
	w->counts = true;
	w->lines = 0;
	return &w->listener;
}

uint64_t warming_lines(const struct warming *w)
{
	return w->lines;
}

struct warming *warming_new(struct chip *chip)
{
	struct warming *w = xcalloc(1, sizeof(*w));

	w->chip = chip;
	w->listener = (struct execution_listener){ .executed = warm_executed, .user = w };
	w->filter = xcalloc(chip->config->sms, sizeof(struct cache_filter *));
	for (uint32_t i = 0; i < chip->config->sms; i++)
		w->filter[i] = cache_filter_new(chip->l1d);
	return w;
}

void warming_free(struct warming *w)
{
	if (!w)
		return;
	for (uint32_t i = 0; i < w->chip->config->sms; i++)
		cache_filter_free(w->filter[i]);
	free(w->filter);
	free(w);
}

bool warming_is_possible(const struct warming *w)
{
	bool possible = w;

	for (uint32_t i = 0; possible && i < w->chip->config->partitions; i++)
		possible = l2_may_warm(w->chip->slices[i]);
	return possible;
}

/* What its L1s hold is forgotten. */
static void warming_forget(struct warming *w)
{
	for (uint32_t i = 0; i < w->chip->config->sms; i++)
		cache_filter_clear(w->filter[i]);
}

const struct execution_listener *warming_of(struct warming *w, const struct kernel_run *run)
{
	if (!warming_is_possible(w))
		return NULL;
	if (w->launch != run->id)
		warming_forget(w);
	w->launch = run->id;
	w->counts = false;
	return &w->listener;
}
