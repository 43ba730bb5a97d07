/* memsys/l2/l2_access.c -- look-up, miss, write-back, fill and atomics of an L2 slice.
 *
 * Lines are 128 bytes of four sectors. Masks record which bytes are valid and which are dirty. A store makes
 * its bytes valid and dirty without a fetch, even if they are only part of the line or of a sector. A read
 * needs whole sectors, an atomic the bytes that it accesses. If some are not valid, the sectors that contain
 * them, and those in between, are fetched in one packet; bytes written in the meantime are kept. A line with
 * fetches in flight is pinned until all their requests have been answered. A request whose missing sectors
 * are all in one fetch in flight merges with it. Otherwise it makes a fetch of its own, so that sectors in
 * flight may be fetched twice: rare where lanes read whole sectors, a third of all fetches in a stencil whose
 * tiles share sectors. l2.fetch = once fetches only the others; the request is answered with them, though the
 * earlier ones, asked for before, may come later. */
#include "memsys/l2/l2_internal.h"

static uint32_t port_time(const struct l2_slice *s, uint32_t bytes)
{
	uint32_t time = divided_by(bytes + s->config.port_bytes - 1, s->port_bytes);

	return time ? time : 1;
}

/* How long a store whose bytes take `time` occupies the port. */
static uint32_t store_time(const struct l2_slice *s, uint32_t time)
{
	return time < s->config.store_cycles ? s->config.store_cycles : time;
}

static void add_bytes(struct byte_mask *to, const struct packet *p)
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		to->sector[i] |= p->byte_mask[i];
}

/* ---- answering ---- */

enum l2_stall l2_answer_lacks(const struct l2_bank *b, const struct packet *p, cycles now)
{
	if (!p->is_internal && !delay_room(&b->done))
		return L2_REPLY_QUEUE;
	if (l2_port_free(b, p) > now)
		return L2_DATA_PORT;
	if (p->kind == PACKET_ATOMIC && b->units->atomic_free > now)
		return L2_ATOMIC_UNIT;
	return L2_STALL_NONE;
}

void l2_answer_at(struct l2_slice *s, struct l2_bank *b, struct packet *p, cycles ready, cycles now)
{
	b->last_ready = ready > b->last_ready ? ready : b->last_ready;
	if (b->last_ready < s->next_answer) /* then the bank's first */
		s->next_answer = b->last_ready;
	delay_push(&b->done, (struct delayed){ p, b->last_ready, now });
	s->answering |= UINT64_C(1) << (b - s->banks);
}

/* Whole cycles of the atomic unit for p, at least one: for its sectors, and for each further lane on one
 * word. */
static uint32_t atomic_time(struct l2_slice *s, const struct packet *p)
{
	uint32_t further = p->collisions > 1 ? p->collisions - 1u : 0;
	double each = p->is_float && s->config.atomic_float_cycles > 0 ? s->config.atomic_float_cycles
								       : s->config.atomic_collision_cycles;
	double time;

	s->stats.atomic_collisions += further;
	time = s->config.atomic_cycles * __builtin_popcount(l2_sectors_of(p)) + each * further;
	return time < 1 ? 1 : (uint32_t)(time + 0.5);
}

/* Occupies the data port for so many cycles in these directions (1 << L2_OUT, 1 << L2_IN), from now on
 * or, if it is busy, from when it becomes free. */
static void occupy_port(struct l2_slice *s, struct l2_bank *b, uint32_t directions, uint32_t time, cycles now)
{
	if (s->config.data_ports == L2_PORT_BOTH_WAYS)
		directions = 1u << L2_OUT | 1u << L2_IN;
	for (uint32_t i = 0; i < 2; i++)
		if (directions >> i & 1)
			b->units->port_free[i] =
				(b->units->port_free[i] > now ? b->units->port_free[i] : now) + time;
	s->stats.data_port_cycles += time;
}

/* Moves the bytes, performs the atomic and queues the answer. The packet no longer belongs to the caller.
 * in_dram: DRAM has the bytes of the store. */
static void answer(
	struct l2_slice *s, struct l2_bank *b, struct packet *p, uint32_t line, bool in_dram, cycles now)
{
	uint32_t time = port_time(s, p->bytes), busy = p->kind == PACKET_WRITE ? store_time(s, time) : time;
	cycles ready = now + s->config.hit_latency + time - 1;

	occupy_port(s, b,
		(uint32_t)(p->kind != PACKET_WRITE) << L2_OUT | (uint32_t)(p->kind != PACKET_READ) << L2_IN,
		busy, now);
	if (p->kind == PACKET_ATOMIC) {
		busy = atomic_time(s, p);
		b->units->atomic_free = now + busy;
		s->stats.atomic_unit_cycles += busy;
		ready += busy;
	}
	if (p->kind != PACKET_READ) {
		add_bytes(&s->tags.valid[line], p);
		if (!in_dram)
			add_bytes(&s->tags.dirty[line], p);
	}
	if (p->is_internal) {
		s->stats.posted++;
		packet_free(p);
		return;
	}
	l2_answer_at(s, b, p, ready, now);
}

/* ---- notification of the policies ---- */

void l2_tell_policies(struct l2_slice *s, const struct packet *p, enum l2_outcome outcome, cycles now)
{
	if (s->bypass)
		l2_bypass_looked_up(s->bypass, p, outcome, now);
	if (s->classifier && s->classifier->class->looked_up)
		s->classifier->class->looked_up(s->classifier, p, outcome, now);
	if (s->insertion && s->insertion->class->looked_up && outcome != L2_BYPASSED)
		s->insertion->class->looked_up(s->insertion, p, outcome, now);
}

/* A line is evicted by replacement. is_dirty: it is dirty, or was until its write-back just now. */
static void note_evicted(struct l2_slice *s, uint32_t line, bool is_dirty, cycles now)
{
	s->stats.evictions++;
	s->persisting.replaced += s->tags.persisting && s->tags.persists[line];
	if (listeners_any(&s->notification.listeners))
		l2_notify_evicted(s, line, is_dirty);
}

/* ---- to and from DRAM ---- */

/* Writes back the first run of adjacent dirty sectors of the victim, or the whole line; after the last run
 * the line is empty. */
static void write_back(struct l2_slice *s, struct l2_bank *b, uint32_t line, cycles now)
{
	struct byte_mask *dirty = &s->tags.dirty[line];
	addr local = s->tags.key[line], device = s->device_address[line];
	uint32_t bytes;

	if (s->config.write_back == L2_WRITE_LINE) {
		bytes = l2_write_whole(s, s->tags.valid[line].sector, local, device);
		*dirty = (struct byte_mask){ 0 };
	} else {
		bytes = l2_write_run(s, dirty->sector, local, device);
	}
	s->stats.write_backs++;
	s->stats.write_back_bytes += bytes;
	occupy_port(s, b, 1u << L2_OUT, port_time(s, bytes), now);
	if (byte_mask_sectors(dirty))
		return;
	note_evicted(s, line, true, now);
	tags_drop(&s->tags, line);
}

uint32_t l2_choose(struct l2_slice *s, addr key)
{
	bool ranks = s->insertion && s->insertion->class->ranks;

	return ranks ? insertion_victim(s->insertion, &s->tags, key) : tags_victim(&s->tags, key);
}

uint32_t l2_victim(struct l2_slice *s, addr key)
{
	return s->aside ? l2_victim_aside(s, key) : l2_choose(s, key);
}

/* Finds a line that can be given to key now: *line. A dirty victim is written back first, each run of its
 * dirty sectors in a cycle of its own. */
static enum l2_stall l2_find_line(struct l2_slice *s, struct l2_bank *b, addr key, uint32_t *line, cycles now)
{
	uint32_t victim = l2_victim(s, key);

	if (victim == TAGS_NONE)
		return L2_LINE_ALLOC;
	if (byte_mask_sectors(&s->tags.dirty[victim])) {
		if (!port_room(l2_write_port(s)))
			return L2_DRAM_QUEUE;
		write_back(s, b, victim, now);
		return L2_WRITE_BACK;
	}
	*line = victim;
	return L2_STALL_NONE;
}

/* Evicts what the line holds, which is not dirty, and inserts key for the request p. */
static void insert_line(struct l2_slice *s, uint32_t line, addr key, const struct packet *p, cycles now)
{
	struct insertion_choice choice = { TAGS_MRU, 0 };

	if (s->tags.key[line] != TAGS_FREE)
		note_evicted(s, line, false, now);
	if (listeners_any(&s->notification.listeners))
		l2_notify_allocated(s, line);
	if (s->insertion) {
		choice = s->insertion->class->place(s->insertion, p, now);
		s->insertion->line_tag[line] = choice.tag & (INSERTION_TAGS - 1);
	}
	if (s->across)
		s->across->is_copied[line] = false;
	if (s->property == ACCESS_STREAMING)
		choice.position = TAGS_LRU;
	tags_insert(&s->tags, line, key, choice.position);
	if (s->insertion && s->insertion->class->stamp)
		s->tags.used[line] = s->insertion->class->stamp(s->insertion, p, now);
	s->device_address[line] = p->address - (p->local - key);
	if (s->aside)
		l2_used_aside(s, line);
}

static uint32_t sectors_in_flight(const struct l2_slice *s, addr key)
{
	uint32_t sectors = 0;

	for (uint32_t e = mshr_find(&s->mshrs, key); e != MSHR_NONE; e = mshr_find_next(&s->mshrs, e))
		sectors |= s->mshrs.entries[e].sectors;
	return sectors;
}

static bool fetches_once(const struct l2_slice *s)
{
	return s->config.fetch == L2_FETCH_ONCE || s->config.fetch == L2_FETCH_PAIRS;
}

/* Of these sectors those that are not wholly valid. */
static uint32_t not_valid(const struct l2_slice *s, uint32_t line, uint32_t sectors)
{
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		if (s->tags.valid[line].sector[i] == UINT32_MAX)
			sectors &= ~(1u << i);
	return sectors;
}

/* The missing sectors or, by configuration, all that are not wholly valid, or those that are not in flight,
 * alone or, from DRAM, in pairs. */
static uint32_t sectors_to_fetch(const struct l2_slice *s, uint32_t line, uint32_t missing)
{
	addr key = s->tags.key[line];

	if (s->config.fetch == L2_FETCH_LINE)
		return not_valid(s, line, LINE_SECTORS_ALL);
	if (s->config.fetch == L2_FETCH_PAIRS && !(key & MAP_COPY))
		missing |= not_valid(s, line, l2_pairs_of(missing));
	return fetches_once(s) ? missing & ~sectors_in_flight(s, key) : missing;
}

/* The line is used by the request p. */
static void l2_touch(struct l2_slice *s, uint32_t line, const struct packet *p, cycles now)
{
	if (s->aside && !l2_used_aside(s, line))
		return;
	if (s->insertion && s->insertion->class->stamp)
		s->tags.used[line] = s->insertion->class->stamp(s->insertion, p, now);
	else
		tags_touch(&s->tags, line);
}

static void l2_fetch(struct l2_slice *s, struct packet *p, uint32_t line, uint32_t missing, cycles now)
{
	uint32_t wanted = sectors_to_fetch(s, line, missing);
	uint32_t first = (uint32_t)__builtin_ctz(wanted), last = 31 - (uint32_t)__builtin_clz(wanted);
	struct packet *read = l2_dram_packet(
		s, PACKET_READ, s->tags.key[line], s->device_address[line], first, last - first + 1, &p->by);
	uint32_t entry = mshr_reserve(&s->mshrs, s->tags.key[line], (union mshr_waiter){ .packet = p });

	s->mshrs.entries[entry].line = line;
	s->mshrs.entries[entry].sectors = (2u << last) - (1u << first);
	s->mshr_since[entry] = now;
	s->tags.pins[line]++;
	read->token = entry;
	read->warp_type = p->warp_type;
	read->warp_hit_ratio = p->warp_hit_ratio;
	s->notification.event.fetched = (uint8_t)s->mshrs.entries[entry].sectors;
	if (read->local & MAP_COPY) {
		s->across->fetches++;
		s->stats.far_fetches++;
		l2_send_across(s, read);
		return;
	}
	s->stats.fetches++;
	s->stats.fetch_bytes += read->bytes;
	port_push(l2_read_port(s, p), read);
}

/* Takes the head of the fill port: a read that bypassed the cache becomes an answer, the data of a line go to
 * its bank. */
static void take_fill(struct l2_slice *s, cycles now)
{
	struct packet *p = port_peek(&s->fill);
	struct mshr_entry *e;
	struct l2_bank *b;

	if (!p)
		return;
	if (l2_is_bypass_path(p)) {
		if (!delay_room(&l2_bypass_path(s)->done))
			return;
		s->bypass_reads--;
		l2_answer_at(s, l2_bypass_path(s), port_pop(&s->fill), now + 1, now);
		return;
	}
	e = &s->mshrs.entries[p->token];
	b = &s->banks[l2_bank_of(s, e->key)];
	if (b->draining != MSHR_NONE)
		return;
	b->draining = p->token;
	b->drained = 0;
	b->is_filled = true;
	s->draining |= UINT64_C(1) << (b - s->banks);
	for (uint32_t i = 0; i < e->waiters; i++)
		packet_inherit(mshr_waiters(&s->mshrs, b->draining)[i].packet, p);
	packet_free(port_pop(&s->fill));
	for (uint32_t i = 0; i < LINE_SECTORS; i++)
		if (e->sectors >> i & 1)
			s->tags.valid[e->line].sector[i] = UINT32_MAX;
	if (listeners_any(&s->notification.listeners))
		l2_notify_filled(s, e);
}

static void drain_bank(struct l2_slice *s, struct l2_bank *b, cycles now)
{
	struct mshr_entry *e = &s->mshrs.entries[b->draining];
	struct packet *p = mshr_waiters(&s->mshrs, b->draining)[b->drained].packet;

	if (l2_answer_lacks(b, p, now))
		return;
	answer(s, b, p, e->line, p->kind == PACKET_WRITE, now); /* store_and_fetch has sent it */
	if (++b->drained < e->waiters)
		return;
	sim_hist_add(&s->stats.merge_depth, e->waiters);
	s->stats.mshr_time += now - s->mshr_since[b->draining];
	s->tags.pins[e->line]--;
	if (e->key & MAP_COPY)
		s->across->fetches--;
	mshr_release(&s->mshrs, b->draining);
	b->draining = MSHR_NONE;
	s->draining &= ~(UINT64_C(1) << (b - s->banks));
}

void l2_drain(struct l2_slice *s, cycles now)
{
	take_fill(s, now);
	for (uint64_t left = s->draining; left;) {
		uint32_t bank = l2_next_bank(left, s->turn);

		left &= ~(UINT64_C(1) << bank);
		drain_bank(s, &s->banks[bank], now);
	}
}

/* ---- look-up ---- */

/* Sectors in which bytes that p needs are not valid. line: TAGS_NONE if the line is not present. */
static uint32_t missing_sectors(const struct l2_slice *s, const struct packet *p, uint32_t line)
{
	static const struct byte_mask nothing;
	const struct byte_mask *valid = line == TAGS_NONE ? &nothing : &s->tags.valid[line];
	uint32_t missing = 0, first = (uint32_t)(p->local % 128) / SECTOR_BYTES;
	uint32_t end = first + (p->bytes + SECTOR_BYTES - 1) / SECTOR_BYTES;
	bool has_mask = p->byte_mask[0] | p->byte_mask[1] | p->byte_mask[2] | p->byte_mask[3];
	bool by_mask = p->kind == PACKET_ATOMIC || has_mask; /* reads of single sectors have one too */

	bug_if(p->kind == PACKET_READ && end > LINE_SECTORS, "l2[%u]: a read across the end of a line",
		s->number);
	if (!by_mask && line == TAGS_NONE)
		return (1u << end) - (1u << first);
	if ((valid->sector[0] & valid->sector[1] & valid->sector[2] & valid->sector[3]) == UINT32_MAX)
		return 0;
	for (uint32_t i = 0; i < LINE_SECTORS; i++) {
		uint32_t needed = by_mask ? p->byte_mask[i] : i >= first && i < end ? UINT32_MAX : 0;

		missing |= (uint32_t)((needed & ~valid->sector[i]) != 0) << i;
	}
	return missing;
}

bool l2_would_hit(const struct l2_slice *s, const struct packet *p)
{
	uint32_t line = tags_find(&s->tags, tags_key(&s->tags, p->local));

	if (p->kind == PACKET_WRITE)
		return line != TAGS_NONE && !s->tags.pins[line];
	return !missing_sectors(s, p, line);
}

/* Merges with a fetch that brings all the missing sectors, or, if sectors are fetched once and several
 * fetches bring them together, with one of these. false: there is none. */
static bool try_merge(
	struct l2_slice *s, struct packet *p, addr key, uint32_t missing, enum l2_stall *stall, cycles now)
{
	bool found = false;
	bool any = fetches_once(s) && !(missing & ~sectors_in_flight(s, key));

	for (uint32_t e = mshr_find(&s->mshrs, key); e != MSHR_NONE; e = mshr_find_next(&s->mshrs, e)) {
		uint32_t brings = missing & s->mshrs.entries[e].sectors;

		if (any ? !brings : brings != missing)
			continue;
		found = true;
		*stall = L2_MSHR_MERGE_ENTRY;
		if (!mshr_can_merge(&s->mshrs, e))
			continue;
		mshr_merge(&s->mshrs, e, (union mshr_waiter){ .packet = p });
		l2_touch(s, s->mshrs.entries[e].line, p, now);
		if (s->raises)
			l2_notice_merge(s, e, p);
		*stall = L2_STALL_NONE;
		break;
	}
	return found;
}

static enum l2_stall l2_miss(
	struct l2_slice *s, struct l2_bank *b, struct packet *p, uint32_t line, uint32_t missing, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	bool is_partial = line != TAGS_NONE;
	enum l2_stall stall;

	if ((key & MAP_COPY) && (stall = l2_copy_lacks(s, key, is_partial)))
		return stall;
	if (!mshr_has_free(&s->mshrs))
		return L2_MSHR_ENTRY;
	if (!is_partial && (stall = l2_find_line(s, b, key, &line, now)))
		return stall;
	if (!port_room_beyond(l2_read_port(s, p), s->config.miss_places - 1))
		return L2_DRAM_QUEUE;
	l2_note_outcome(s, p, L2_MISS, now);
	if (is_partial)
		l2_touch(s, line, p, now);
	else
		insert_line(s, line, key, p, now);
	l2_fetch(s, p, line, missing, now);
	s->stats.misses++;
	s->stats.partial_misses += is_partial;
	return L2_STALL_NONE;
}

static enum l2_stall l2_look_up(struct l2_slice *s, struct l2_bank *b, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t line = tags_find(&s->tags, key), missing = missing_sectors(s, p, line);
	enum l2_stall stall;

	if (missing) {
		if (!try_merge(s, p, key, missing, &stall, now))
			return l2_miss(s, b, p, line, missing, now);
		if (stall)
			return stall;
		s->stats.merged++;
		l2_note_outcome(s, p, L2_MERGED, now);
		return L2_STALL_NONE;
	}
	stall = l2_answer_lacks(b, p, now);
	if (stall)
		return stall;
	l2_touch(s, line, p, now);
	s->stats.hits++;
	l2_note_outcome(s, p, L2_HIT, now);
	answer(s, b, p, line, false, now);
	return L2_STALL_NONE;
}

/* A store of an SM of this half to a line at home in the other: what is here stays valid, and it goes on. */
static enum l2_stall store_copy(struct l2_slice *s, struct l2_bank *b, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t line = tags_find(&s->tags, key);
	enum l2_stall stall;

	if (!port_room(&s->across->requests))
		return L2_DRAM_QUEUE;
	if (line != TAGS_NONE) {
		l2_touch(s, line, p, now);
	} else {
		stall = l2_find_line(s, b, key, &line, now);
		if (stall)
			return stall;
		insert_line(s, line, key, p, now);
	}
	add_bytes(&s->tags.valid[line], p);
	s->stats.stores++;
	s->stats.posted++; /* the other half answers */
	s->stats.far_stores++;
	l2_send_across(s, p);
	return L2_STALL_NONE;
}

/* A store whose line is not present, or is on its way, with l2.store_miss = fetch: its bytes go to DRAM, and
 * it is answered when the line has come. */
static enum l2_stall store_and_fetch(
	struct l2_slice *s, struct l2_bank *b, struct packet *p, uint32_t line, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t entry = mshr_find(&s->mshrs, key);
	enum l2_stall stall;

	if (entry != MSHR_NONE ? !mshr_can_merge(&s->mshrs, entry) : !mshr_has_free(&s->mshrs))
		return entry != MSHR_NONE ? L2_MSHR_MERGE_ENTRY : L2_MSHR_ENTRY;
	if (line == TAGS_NONE && (stall = l2_find_line(s, b, key, &line, now)))
		return stall;
	if (!port_room_beyond(l2_write_port(s), s->config.store_miss_places - 1) ||
		!port_room(l2_read_port(s, p)))
		return L2_DRAM_QUEUE;
	l2_note_outcome(s, p, L2_STORE_MISS, now);
	l2_write_whole(s, p->byte_mask, key, p->address - (p->local - key));
	s->stats.stores++;
	s->stats.store_writes++;
	if (entry != MSHR_NONE) {
		mshr_merge(&s->mshrs, entry, (union mshr_waiter){ .packet = p });
		l2_touch(s, line, p, now);
		return L2_STALL_NONE;
	}
	insert_line(s, line, key, p, now);
	l2_fetch(s, p, line, l2_sectors_of(p), now);
	s->stats.store_fetches++;
	return L2_STALL_NONE;
}

static enum l2_stall l2_store(struct l2_slice *s, struct l2_bank *b, struct packet *p, cycles now)
{
	addr key = tags_key(&s->tags, p->local);
	uint32_t line = tags_find(&s->tags, key);
	enum l2_stall stall;

	if (s->config.store_miss == L2_STORE_FETCHES && (line == TAGS_NONE || s->tags.pins[line]))
		return store_and_fetch(s, b, p, line, now);
	stall = l2_answer_lacks(b, p, now);
	if (stall)
		return stall;
	if (line != TAGS_NONE) {
		l2_touch(s, line, p, now);
		s->stats.store_hits++;
		l2_note_outcome(s, p, L2_STORE_HIT, now);
	} else {
		stall = l2_find_line(s, b, key, &line, now);
		if (stall)
			return stall;
		l2_note_outcome(s, p, L2_STORE_MISS, now);
		insert_line(s, line, key, p, now);
	}
	s->stats.stores++;
	answer(s, b, p, line, false, now);
	return L2_STALL_NONE;
}

enum l2_stall l2_access(struct l2_slice *s, struct l2_bank *b, struct packet *p, cycles now)
{
	enum packet_kind kind = p->kind; /* the packet may have been freed afterwards */
	uint32_t written =
		kind == PACKET_READ ? 0 : SECTOR_BYTES * (uint32_t)__builtin_popcount(l2_sectors_of(p));
	addr key = tags_key(&s->tags, p->local);
	bool is_copy = p->local & MAP_COPY, is_across = p->is_across;
	enum l2_stall stall;

	if (listeners_any(&s->notification.listeners))
		l2_notify_before(s, p);
	if (s->aside)
		s->property = set_aside_property(s->aside, p);
	stall = kind != PACKET_WRITE ? l2_look_up(s, b, p, now)
		: is_copy            ? store_copy(s, b, p, now)
				     : l2_store(s, b, p, now);
	if (listeners_any(&s->notification.listeners))
		l2_notify_after(s, b, stall);
	if (stall)
		return stall;
	if (s->across && !is_copy)
		l2_note_copy(s, key, kind, is_across);
	if (is_copy && kind == PACKET_WRITE)
		return L2_STALL_NONE; /* counted at home */
	s->stats.reads += kind == PACKET_READ;
	s->stats.atomics += kind == PACKET_ATOMIC;
	*(kind == PACKET_ATOMIC ? &s->stats.atomic_bytes : &s->stats.store_bytes) += written;
	return L2_STALL_NONE;
}
