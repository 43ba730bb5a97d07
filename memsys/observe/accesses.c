/* memsys/observe/accesses.c -- accesses by type and outcome.
 *
 * An access hits if its line (at the L2: its sector) is there; hit_reserved: it is on its way; sector_miss:
 * the line was there or on its way, but not the bytes; miss: neither. Of a request of several sectors to an
 * absent line of the L2 the first is a miss and the others sector misses, since the first takes the line. A
 * reservation failure is a cycle in which the L1 refused a request because a line, an MSHR, room in an MSHR
 * or an entry of the miss queue was missing. */
#include "memsys/observe/accesses.h"
#include "memsys/l1/cache.h"
#include "sim/base/xalloc.h"

enum access_type {
	GLOBAL_READ,
	LOCAL_READ,
	CONSTANT_READ,
	TEXTURE_READ,
	INSTRUCTION_READ,
	GLOBAL_WRITE,
	LOCAL_WRITE,
	WRITE_BACK,
	TYPES
};
enum access_status { HIT, HIT_RESERVED, MISS, SECTOR_MISS, RESERVATION_FAIL, STATUSES };

static const char *const status_names[] = { "hit", "hit_reserved", "miss", "sector_miss", "reservation_fail",
	NULL };
static const char *const sector_names[] = { "hit", "hit_reserved", "miss", "sector_miss",
	NULL }; /* refusals at the L2: l2.stalls */
static const char *const type_names[] = { "global_read", "local_read", "constant_read", "texture_read",
	"instruction_read", "global_write", "local_write", "write_back", NULL };

struct access_counts {
	uint64_t by[TYPES][STATUSES];
	uint64_t requests[TYPES];
	uint64_t load_lanes, store_lanes;
};

struct access_observer {
	struct cache_listener listener;
	enum access_level level;
	enum access_type refused; /* the type of what was refused last */
	struct access_counts counts;
};

#define BY(type, name, text) \
	SIM_VECTOR_AS(struct access_counts, by[type], name, status_names, "requests", text)
#define SECTORS(type, name, text) \
	SIM_VECTOR_PART(struct access_counts, by[type], 0, name, sector_names, "sectors", text)

static const struct sim_stat l1_stats[] = {
	BY(GLOBAL_READ, "global_read", "loads of global memory that the L1 looked up"),
	BY(LOCAL_READ, "local_read", "loads of local memory that the L1 looked up"),
	BY(GLOBAL_WRITE, "global_write",
		"stores to global memory that the L1 looked up; all of them are sent to the L2"),
	BY(LOCAL_WRITE, "local_write", "stores to local memory that the L1 looked up"),
	SIM_COUNT(struct access_counts, load_lanes, "lanes",
		"thread instructions (lanes) of loads and atomics of global and local memory"),
	SIM_COUNT(struct access_counts, store_lanes, "lanes",
		"thread instructions (lanes) of stores to global and local memory"),
	SIM_STAT_END,
};

static const struct sim_stat l2_stats[] = {
	SECTORS(GLOBAL_READ, "global_read",
		"sectors of global memory read by loads, atomics and bulk copies"),
	SECTORS(LOCAL_READ, "local_read", "sectors of local memory read by loads"),
	SECTORS(CONSTANT_READ, "constant_read", "sectors requested by constant caches"),
	SECTORS(TEXTURE_READ, "texture_read", "sectors requested by texture caches"),
	SECTORS(INSTRUCTION_READ, "instruction_read", "sectors requested by instruction caches"),
	SECTORS(GLOBAL_WRITE, "global_write", "sectors of global memory written by stores and bulk copies"),
	SECTORS(LOCAL_WRITE, "local_write", "sectors of local memory written by stores"),
	SECTORS(WRITE_BACK, "write_back", "sectors written back by L1s"),
	SIM_VECTOR(struct access_counts, requests, type_names, "requests",
		"requests that were sent to the L2, by type"),
	SIM_STAT_END,
};

static enum access_type access_type_of(const struct access_event *e)
{
	static const uint8_t reads[] = { [UNIT_L1_DATA] = GLOBAL_READ,
		[UNIT_L1_CONST] = CONSTANT_READ,
		[UNIT_L1_INST] = INSTRUCTION_READ,
		[UNIT_L1_TEX] = TEXTURE_READ,
		[UNIT_L0_CONST] = CONSTANT_READ,
		[UNIT_BULK] = GLOBAL_READ };

	if (e->is_write_back)
		return WRITE_BACK;
	if (e->is_local)
		return e->kind == PACKET_WRITE ? LOCAL_WRITE : LOCAL_READ;
	return e->kind == PACKET_WRITE ? GLOBAL_WRITE : (enum access_type)reads[e->unit];
}

static enum access_status status_of(const struct access_event *e)
{
	switch (e->outcome) {
	case ACCESS_HIT:
		return HIT;
	case ACCESS_MERGED:
		return HIT_RESERVED;
	case ACCESS_STORE:
		return !e->is_found ? MISS : e->is_in_flight ? HIT_RESERVED : HIT;
	default:
		return e->is_found ? SECTOR_MISS : MISS;
	}
}

/* ---- L1 ---- */

static void refused(struct access_observer *o, const struct access_event *e)
{
	if (cache_is_brief(e->refusal))
		return;
	o->refused = access_type_of(e);
	o->counts.by[o->refused][RESERVATION_FAIL]++;
}

static void l1_accessed(void *user, const struct access_event *e)
{
	struct access_observer *o = user;
	uint32_t lanes = (uint32_t)__builtin_popcount(e->by.lanes);

	if (e->outcome == ACCESS_REFUSED) {
		refused(o, e);
		return;
	}
	*(e->kind == PACKET_WRITE ? &o->counts.store_lanes : &o->counts.load_lanes) += lanes;
	if (e->outcome != ACCESS_BYPASSED && !e->is_coalesced)
		o->counts.by[access_type_of(e)][status_of(e)]++;
}

/* Further cycles in which the L1 refuses the request that it refused last. */
static void l1_repeated(void *user, uint8_t refusal, cycles repeated)
{
	struct access_observer *o = user;

	if (!cache_is_brief(refusal))
		o->counts.by[o->refused][RESERVATION_FAIL] += repeated;
}

/* ---- L2 ---- */

static void count_sectors(uint64_t by[STATUSES], const struct access_event *e)
{
	uint32_t sectors = (uint32_t)__builtin_popcount(e->sectors), fetched = sectors;
	enum access_status status = status_of(e);

	if (e->outcome == ACCESS_MISS)
		fetched = (uint32_t)__builtin_popcount(e->sectors & e->fetched);
	if (status == MISS && fetched) {
		by[MISS]++;
		by[SECTOR_MISS] += fetched - 1;
	} else {
		by[status] += fetched;
	}
	by[HIT] += sectors - fetched;
}

static void l2_accessed(void *user, const struct access_event *e)
{
	struct access_observer *o = user;
	enum access_type type = access_type_of(e);

	if (e->outcome == ACCESS_REFUSED)
		return;
	o->counts.requests[type]++;
	if (e->outcome != ACCESS_BYPASSED && !e->is_bypass)
		count_sectors(o->counts.by[type], e);
}

/* ---- construction ---- */

struct access_observer *access_observer_new(enum access_level level, int index, struct stat_tree *stats)
{
	struct access_observer *o = xcalloc(1, sizeof(*o));
	bool is_l1 = level == ACCESS_L1;

	o->level = level;
	o->listener = (struct cache_listener){ .user = o,
		.accessed = is_l1 ? l1_accessed : l2_accessed,
		.repeated = is_l1 ? l1_repeated : NULL };
	stat_register(stats, is_l1 ? "observe.l1d" : "observe.l2", index, is_l1 ? l1_stats : l2_stats,
		&o->counts, sizeof(o->counts));
	return o;
}

void access_observer_free(struct access_observer *o)
{
	free(o);
}

struct cache_listener *access_observer_listener(struct access_observer *o)
{
	return &o->listener;
}
