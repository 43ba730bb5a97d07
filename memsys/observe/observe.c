/* memsys/observe/observe.c -- the observer of a cache: keeps records of its lines by the events that it
 * receives, and has misses and hits classified.
 *
 * What counts as a touch: loads that the cache served or fetched, and stores and atomics whose bytes it
 * keeps. Loads that bypass it, and refused requests, change nothing. A store that it does not keep drops the
 * line everywhere, but where the watched cache keeps a line in flight under the store (memsys/l1/cache.c), so
 * do the others. */
#include "memsys/observe/observe.h"
#include "memsys/observe/observer.h"
#include "sim/event/packet.h"
#include "sim/base/xalloc.h"

const struct sim_param observe_params[] = {
	SIM_BOOL(struct observe_config, miss_classes, 0,
		"classify misses of L1 and L2: compulsory, capacity, conflict (Hill and Smith 1989)"),
	SIM_BOOL(struct observe_config, contention, 0,
		"classify misses of L1 and L2 by who had evicted the line: the warp itself, its CTA, "
		"another CTA (MRPB, HPCA 2014, Figure 4)"),
	SIM_BOOL(struct observe_config, locality, 0,
		"classify hits of L1 and L2 by who accessed the line last, and compare with unlimited caches "
		"(DWT-CS, GPGPU-8 2015, Figure 3)"),
	SIM_END
};

bool observe_any(const struct observe_config *c)
{
	return c->miss_classes || c->contention || c->locality;
}

/* Sectors that are written to the last byte. */
static uint8_t whole_sectors(const struct access_event *e)
{
	uint32_t sectors = 0;

	for (uint32_t i = 0; i < 4; i++)
		sectors |= (uint32_t)(e->byte_mask[i] == UINT32_MAX) << i;
	return (uint8_t)sectors;
}

static void began_fetch(struct line_record *r, const struct access_event *e)
{
	r->coming |= e->fetched;
	r->fetches++;
}

static void observe_store(struct cache_observer *o, const struct access_event *e)
{
	struct line_record *r = line_of(&o->lines, e->line);
	uint8_t whole = whole_sectors(e);

	if (e->fetched) /* its line comes, too, but no load has missed */
		began_fetch(r, e);
	r->seen |= whole;
	full_use(&o->lines, r, whole);
	if (o->config.locality)
		locality_written(o, r, e);
}

static void dropped(struct cache_observer *o, const struct access_event *e)
{
	struct line_record *r = line_find(&o->lines, e->line);

	if (!r || r->fetches)
		return;
	full_drop(&o->lines, r);
	locality_dropped(r);
}

static void missed(struct cache_observer *o, struct line_record *r, const struct access_event *e)
{
	uint8_t missing = e->fetched & e->sectors & (uint8_t)~r->coming;

	if (o->config.miss_classes)
		count_miss_class(o, r, missing);
	if (o->config.contention)
		count_contention(o, r, missing, &e->by);
	began_fetch(r, e);
}

/* Sectors of which the cache has every byte after this request: an atomic that hits proves only that its own
 * bytes are valid. */
static uint8_t sectors_had(const struct access_event *e)
{
	if (e->outcome == ACCESS_MISS)
		return e->fetched;
	if (e->outcome != ACCESS_HIT)
		return 0;
	return asks_for_bytes(e) ? whole_sectors(e) : e->sectors;
}

static void observe_load(struct cache_observer *o, const struct access_event *e)
{
	struct line_record *r = line_of(&o->lines, e->line);
	uint8_t had = sectors_had(e);

	if (o->config.locality)
		locality_load(o, r, e);
	if (e->outcome == ACCESS_MISS)
		missed(o, r, e);
	r->seen |= had;
	/* A cache that takes lines when they come has none for a miss yet. */
	if (e->outcome == ACCESS_HIT || r->is_in_full || e->line_index != NO_LINE_INDEX)
		full_use(&o->lines, r, had);
}

static void observe_access(void *user, const struct access_event *e)
{
	struct cache_observer *o = user;

	switch (e->outcome) {
	case ACCESS_HIT:
	case ACCESS_MISS:
	case ACCESS_MERGED:
		observe_load(o, e);
		break;
	case ACCESS_STORE:
	case ACCESS_BYPASSED:
		if (e->is_written)
			observe_store(o, e);
		else if (e->kind != PACKET_READ)
			dropped(o, e);
		break;
	default:
		break;
	}
}

static void on_fill(void *user, const struct fill_event *e)
{
	struct cache_observer *o = user;
	struct line_record *r = line_of(&o->lines, e->line);

	bug_if(!r->fetches, "a fill that nothing has asked for");
	r->fetches--;
	r->coming &= (uint8_t)~e->sectors;
	if (!r->is_in_full)
		full_use(&o->lines, r, e->sectors);
	if (o->config.locality)
		locality_filled(o, r, e->sectors);
}

static void on_eviction(void *user, const struct eviction_event *e)
{
	struct cache_observer *o = user;
	struct line_record *r = line_of(&o->lines, e->line);

	r->cause = e->cause;
	r->evictor = e->by;
	if (o->config.contention)
		count_eviction(o, e);
}

static void on_kept(void *user, addr line)
{
	struct cache_observer *o = user;
	struct line_record *r = line_find(&o->lines, line);

	if (!r)
		return;
	r->kept = o->generation + 1;
	if (r->generation == o->generation)
		r->generation = o->generation + 1;
}

static void on_invalidation(void *user, picoseconds now)
{
	struct cache_observer *o = user;

	o->generation++;
	full_drop_all(&o->lines, o->generation);
}

/* ---- construction ---- */

struct cache_observer *cache_observer_new(const struct observe_config *config, uint32_t lines,
	const char *group, int index, struct stat_tree *stats)
{
	struct cache_observer *o = xcalloc(1, sizeof(*o));
	bool is_l1 = !strcmp(group, "observe.l1");

	o->config = *config;
	o->listener = (struct cache_listener){ .user = o,
		.accessed = observe_access,
		.filled = on_fill,
		.evicted = on_eviction,
		.kept = on_kept,
		.invalidated = on_invalidation };
	line_table_init(&o->lines, lines);
	if (config->miss_classes)
		stat_register(stats, group, index, miss_class_stats, &o->stats, sizeof(o->stats));
	if (config->contention)
		stat_register(stats, group, index, is_l1 ? contention_stats : contention_l2_stats, &o->stats,
			sizeof(o->stats));
	if (config->locality)
		stat_register(stats, group, index, locality_stats, &o->stats, sizeof(o->stats));
	return o;
}

void cache_observer_free(struct cache_observer *o)
{
	if (!o)
		return;
	line_table_fini(&o->lines);
	free(o);
}

struct cache_listener *cache_observer_listener(struct cache_observer *o)
{
	return &o->listener;
}

void cache_observer_account(struct cache_observer *o, uint64_t instructions)
{
	o->stats.instructions = instructions;
}
