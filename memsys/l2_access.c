/* memsys/l2_access.c -- look-up, miss, write-back, fill and atomics of an L2 slice.
 *
 * Lines are 128 bytes of four sectors. Masks say which bytes are valid and which are dirty. A store makes its bytes
 * valid and dirty, without a fetch, even if only part of the line or of a sector. A read needs whole sectors, an atomic the
 * bytes that it touches; if any are not valid, the sectors that lack them (with those in between) are fetched in
 * one packet, and bytes written in the meantime stay. A line with fetches under way is pinned until all their
 * requests have been answered. A request whose missing sectors are all in one fetch under way merges with it;
 * otherwise it makes a fetch of its own (sectors that are on their way already may then come twice: rare, and simpler
 * than waiting for two fetches). */
#include "memsys/l2_internal.h"

#define SECTOR_BYTES 32u

static uint32_t port_time(const struct l2_slice *s, uint32_t bytes)
{
	uint32_t time = (bytes + s->config.port_bytes - 1) / s->config.port_bytes;

	return time ? time : 1;
}

static struct byte_mask mask_of(const struct packet *p)
{
	return (struct byte_mask){ { p->byte_mask[0], p->byte_mask[1], p->byte_mask[2], p->byte_mask[3] } };
}

static uint32_t sectors_of(const struct packet *p)
{
	struct byte_mask mask = mask_of(p);

	return byte_mask_sectors(&mask);
}

static void add_bytes(struct byte_mask *to, const struct packet *p)
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		to->sector[i] |= p->byte_mask[i];
}

/* ---- answering ---- */

enum l2_stall l2_answer_lacks(const struct l2_slice *s, const struct packet *p, cycles now)
{
	if (p->source != PACKET_NO_SOURCE && !delay_room(&s->done))
		return L2_REPLY_QUEUE;
	if (s->port_free > now)
		return L2_DATA_PORT;
	if (p->kind == PACKET_ATOMIC && s->atomic_free > now)
		return L2_ATOMIC_UNIT;
	return L2_STALL_NONE;
}

/* The bytes move, the atomic is performed, the reply is on its way. The packet is no longer the caller's. */
static void answer(struct l2_slice *s, struct packet *p, uint32_t line, cycles now)
{
	uint32_t time = port_time(s, p->bytes);
	cycles ready = now + s->config.hit_latency + time - 1;

	s->port_free = now + time;
	s->stats.data_port_cycles += time;
	if (p->kind == PACKET_ATOMIC) {
		uint32_t busy = s->config.atomic_cycles * (uint32_t)__builtin_popcount(sectors_of(p));

		s->atomic_free = now + busy;
		s->stats.atomic_unit_cycles += busy;
		ready += busy;
	}
	if (p->kind != PACKET_READ) {
		add_bytes(&s->tags.valid[line], p);
		add_bytes(&s->tags.dirty[line], p);
	}
	if (p->source == PACKET_NO_SOURCE) {
		packet_free(p);
		return;
	}
	s->last_ready = ready > s->last_ready ? ready : s->last_ready;
	delay_push(&s->done, (struct delayed){ p, s->last_ready, now });
}

/* ---- to and from DRAM ---- */

static struct packet *dram_packet(struct l2_slice *s, enum packet_kind kind, uint32_t line, uint32_t first_sector,
	uint32_t sectors)
{
	struct packet *p = packet_new(&s->pool);

	p->kind = (uint8_t)kind;
	p->local = s->tags.key[line] + first_sector * SECTOR_BYTES;
	p->address = s->device_address[line] + first_sector * SECTOR_BYTES;
	p->bytes = (uint16_t)(sectors * SECTOR_BYTES);
	p->source = PACKET_NO_SOURCE;
	p->slice = s->number;
	p->issued = p->stamp = sim_now(s->component.sim);
	return p;
}

/* The victim's dirty sectors, in one packet; the line is empty afterwards. */
static void write_back(struct l2_slice *s, uint32_t line, cycles now)
{
	struct byte_mask *dirty = &s->tags.dirty[line];
	uint32_t sectors = byte_mask_sectors(dirty), first = (uint32_t)__builtin_ctz(sectors);
	struct packet *p = dram_packet(s, PACKET_WRITE, line, first, (uint32_t)__builtin_popcount(sectors));
	uint32_t time = port_time(s, p->bytes);

	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		p->byte_mask[i] = dirty->sector[i];
	s->stats.write_backs++;
	s->stats.write_back_bytes += p->bytes;
	s->port_free = (s->port_free > now ? s->port_free : now) + time;
	s->stats.data_port_cycles += time;
	port_push(&s->dram, p);
	tags_drop(&s->tags, line);
}

/* Finds a line that key can have at once: *line. A dirty victim leaves first, in a cycle of its own. */
static enum l2_stall find_room(struct l2_slice *s, addr key, uint32_t *line, cycles now)
{
	uint32_t victim = tags_victim(&s->tags, key);

	if (victim == TAGS_NONE)
		return L2_LINE_ALLOC;
	if (byte_mask_sectors(&s->tags.dirty[victim])) {
		if (!port_room(&s->dram))
			return L2_DRAM_QUEUE;
		write_back(s, victim, now);
		s->stats.evictions++;
		return L2_WRITE_BACK;
	}
	*line = victim;
	return L2_STALL_NONE;
}

static void take(struct l2_slice *s, uint32_t line, addr key, const struct packet *p)
{
	s->stats.evictions += s->tags.key[line] != TAGS_FREE;
	tags_take(&s->tags, line, key);
	s->device_address[line] = p->address - (p->local - key);
}

static void fetch(struct l2_slice *s, struct packet *p, uint32_t line, uint32_t missing)
{
	uint32_t first = (uint32_t)__builtin_ctz(missing), last = 31 - (uint32_t)__builtin_clz(missing);
	struct packet *read = dram_packet(s, PACKET_READ, line, first, last - first + 1);
	uint32_t entry = mshr_reserve(&s->mshrs, s->tags.key[line], (union mshr_waiter){ .packet = p });

	s->mshrs.entries[entry].line = line;
	s->mshrs.entries[entry].sectors = (2u << last) - (1u << first);
	s->tags.pins[line]++;
	read->token = entry;
	read->warp = p->warp;
	read->warp_type = p->warp_type;
	read->cta = p->cta;
	read->pc = p->pc;
	s->stats.fetches++;
	s->stats.fetch_bytes += read->bytes;
	port_push(&s->dram, read);
}

void l2_drain(struct l2_slice *s, cycles now)
{
	struct mshr_entry *e;
	struct packet *p;

	if (s->draining == MSHR_NONE) {
		if (port_is_empty(&s->fill))
			return;
		p = port_pop(&s->fill);
		s->draining = p->token;
		s->drained = 0;
		packet_free(p);
		e = &s->mshrs.entries[s->draining];
		for (uint32_t i = 0; i < LINE_SECTORS; i++)
			if (e->sectors >> i & 1)
				s->tags.valid[e->line].sector[i] = UINT32_MAX;
	}
	e = &s->mshrs.entries[s->draining];
	p = mshr_waiters(&s->mshrs, s->draining)[s->drained].packet;
	if (l2_answer_lacks(s, p, now))
		return;
	answer(s, p, e->line, now);
	if (++s->drained < e->waiters)
		return;
	sim_hist_add(&s->stats.merge_depth, e->waiters);
	s->tags.pins[e->line]--;
	mshr_release(&s->mshrs, s->draining);
	s->draining = MSHR_NONE;
}

/* ---- look-up ---- */

/* Sectors that p needs and that are not, or not sufficiently, valid. line: TAGS_NONE if there is none. */
static uint32_t missing_sectors(const struct l2_slice *s, const struct packet *p, uint32_t line)
{
	uint32_t missing = 0, first = (uint32_t)(p->local % 128) / SECTOR_BYTES;
	uint32_t end = first + (p->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;

	bool has_mask = p->byte_mask[0] | p->byte_mask[1] | p->byte_mask[2] | p->byte_mask[3];

	bug_if(p->kind == PACKET_READ && end > LINE_SECTORS, "l2[%u]: a read across the end of a line", s->number);
	for (uint32_t i = 0; i < LINE_SECTORS; i++) {
		uint32_t valid = line == TAGS_NONE ? 0 : s->tags.valid[line].sector[i];
		bool by_mask = p->kind == PACKET_ATOMIC || has_mask; /* reads of single sectors have one too */
		uint32_t needed = by_mask ? p->byte_mask[i] : i >= first && i < end ? UINT32_MAX : 0;

		missing |= (uint32_t)((needed & ~valid) != 0) << i;
	}
	return missing;
}

/* Merges with a fetch that brings all the missing sectors. false: there is none. */
static bool try_merge(struct l2_slice *s, struct packet *p, addr key, uint32_t missing, enum l2_stall *stall)
{
	bool found = false;

	for (uint32_t e = mshr_find(&s->mshrs, key); e != MSHR_NONE; e = mshr_find_next(&s->mshrs, e)) {
		if (missing & ~s->mshrs.entries[e].sectors)
			continue;
		found = true;
		*stall = L2_MSHR_MERGE_ENTRY;
		if (!mshr_can_merge(&s->mshrs, e))
			continue;
		mshr_merge(&s->mshrs, e, (union mshr_waiter){ .packet = p });
		tags_touch(&s->tags, s->mshrs.entries[e].line);
		*stall = L2_STALL_NONE;
		break;
	}
	return found;
}

static enum l2_stall miss(struct l2_slice *s, struct packet *p, addr key, uint32_t line, uint32_t missing, cycles now)
{
	bool is_partial = line != TAGS_NONE;
	enum l2_stall stall;

	if (!mshr_has_free(&s->mshrs))
		return L2_MSHR_ENTRY;
	if (!is_partial && (stall = find_room(s, key, &line, now)))
		return stall;
	if (!port_room(&s->dram))
		return L2_DRAM_QUEUE;
	if (is_partial)
		tags_touch(&s->tags, line);
	else
		take(s, line, key, p);
	fetch(s, p, line, missing);
	s->stats.misses++;
	s->stats.partial_misses += is_partial;
	return L2_STALL_NONE;
}

static enum l2_stall look_up(struct l2_slice *s, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t line = tags_find(&s->tags, key), missing = missing_sectors(s, p, line);
	enum l2_stall stall;

	if (missing) {
		if (!try_merge(s, p, key, missing, &stall))
			return miss(s, p, key, line, missing, now);
		s->stats.merged += !stall;
		return stall;
	}
	stall = l2_answer_lacks(s, p, now);
	if (stall)
		return stall;
	tags_touch(&s->tags, line);
	s->stats.hits++;
	answer(s, p, line, now);
	return L2_STALL_NONE;
}

static enum l2_stall store(struct l2_slice *s, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t line = tags_find(&s->tags, key);
	enum l2_stall stall = l2_answer_lacks(s, p, now);

	if (stall)
		return stall;
	if (line != TAGS_NONE) {
		tags_touch(&s->tags, line);
		s->stats.store_hits++;
	} else {
		stall = find_room(s, key, &line, now);
		if (stall)
			return stall;
		take(s, line, key, p);
	}
	s->stats.stores++;
	answer(s, p, line, now);
	return L2_STALL_NONE;
}

enum l2_stall l2_access(struct l2_slice *s, struct packet *p, cycles now)
{
	enum packet_kind kind = p->kind;        /* the packet may be gone afterwards */
	enum l2_stall stall = kind == PACKET_WRITE ? store(s, p, now) : look_up(s, p, now);

	if (stall)
		return stall;
	s->stats.reads += kind == PACKET_READ;
	s->stats.atomics += kind == PACKET_ATOMIC;
	return L2_STALL_NONE;
}
