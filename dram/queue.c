/* dram/queue.c -- maintains the lists in constant time, except for the requests of one bank when its open
 * row changes. */
#include "dram/queue.h"
#include "sim/base/xalloc.h"

static void fill_free(struct dram_queue *q, int direction, struct dram_request *first, uint32_t n)
{
	q->capacity[direction] = n;
	for (uint32_t i = n; i-- > 0;) {
		first[i].younger = q->free[direction];
		q->free[direction] = &first[i];
	}
}

void dram_queue_init(struct dram_queue *q, const uint32_t read_places[DRAM_INPUTS], uint32_t writes,
	uint32_t priorities, const struct dram_device *device)
{
	uint32_t buckets = 1, reads = 0;

	*q = (struct dram_queue){ .device = device, .priorities = priorities, .is_shared = !writes };
	for (uint32_t i = 0; i < DRAM_INPUTS; i++) {
		reads += q->read_places[i] = read_places[i];
		q->write_input = read_places[i] ? (uint8_t)i : q->write_input;
	}
	writes = writes ? writes : read_places[q->write_input];
	q->request = xcalloc_lines((reads + writes) * sizeof(*q->request));
	fill_free(q, DRAM_READS, q->request, reads);
	fill_free(q, DRAM_WRITES, q->request + reads, writes);
	while (buckets < 2 * (reads + writes))
		buckets *= 2;
	q->bucket = xcalloc(buckets, sizeof(struct dram_request *));
	q->bucket_mask = buckets - 1;
}

void dram_queue_fini(struct dram_queue *q)
{
	for (int d = 0; d < DRAM_DIRECTIONS; d++)
		for (struct dram_request *r = q->oldest[d]; r; r = r->younger)
			packet_free(r->packet);
	free(q->request);
	free(q->bucket);
	*q = (struct dram_queue){ 0 };
}

/* ---- requests by line ---- */

static struct dram_request **bucket_of(const struct dram_queue *q, addr line)
{
	return &q->bucket[(line ^ line >> 8) & q->bucket_mask];
}

/* The bytes of a line that a packet reads or writes. byte_mask, if there is one, counts from the beginning
 * of the line. */
static struct dram_bytes bytes_of(const struct packet *p)
{
	uint32_t first = p->local % 128;
	unsigned __int128 all =
		(p->bytes < 128 ? ((unsigned __int128)1 << p->bytes) - 1 : ~(unsigned __int128)0) << first;
	struct dram_bytes bytes = { { (uint64_t)all, (uint64_t)(all >> 64) } };
	struct dram_bytes mask = { { p->byte_mask[0] | (uint64_t)p->byte_mask[1] << 32,
		p->byte_mask[2] | (uint64_t)p->byte_mask[3] << 32 } };

	return mask.word[0] | mask.word[1] ? mask : bytes;
}

enum dram_overlap dram_queue_written(const struct dram_queue *q, const struct packet *read)
{
	enum dram_overlap overlap = DRAM_APART;
	struct dram_bytes want;
	addr line = read->local / 128;

	for (const struct dram_request *r = *bucket_of(q, line); r; r = r->same_bucket) {
		struct dram_bytes has;

		if (r->line != line || r->direction != DRAM_WRITES)
			continue;
		want = bytes_of(read);
		has = bytes_of(r->packet);
		if (!(want.word[0] & ~has.word[0]) && !(want.word[1] & ~has.word[1]))
			return DRAM_COVERED;
		if ((want.word[0] & has.word[0]) | (want.word[1] & has.word[1]))
			overlap = DRAM_PARTLY;
	}
	return overlap;
}

bool dram_packets_overlap(const struct packet *a, const struct packet *b)
{
	struct dram_bytes x, y;

	if (a->local / 128 != b->local / 128)
		return false;
	x = bytes_of(a);
	y = bytes_of(b);
	return (x.word[0] & y.word[0]) | (x.word[1] & y.word[1]);
}

bool dram_queue_is_read(const struct dram_queue *q, const struct packet *write)
{
	addr line = write->local / 128;

	for (const struct dram_request *r = *bucket_of(q, line); r; r = r->same_bucket)
		if (r->line == line && r->direction == DRAM_READS && dram_packets_overlap(write, r->packet))
			return true;
	return false;
}

static void forget_line(struct dram_queue *q, const struct dram_request *r)
{
	struct dram_request **link = bucket_of(q, r->line);

	while (*link != r)
		link = &(*link)->same_bucket;
	*link = r->same_bucket;
}

/* ---- lists ---- */

static void set_hit(struct dram_set *s, uint32_t bank, struct dram_request *hit)
{
	uint64_t bit = UINT64_C(1) << bank;

	s->bank[bank].hit = hit;
	s->hits = hit ? s->hits | bit : s->hits & ~bit;
}

static struct dram_request *first_hit(const struct dram_queue *q, struct dram_request *from, uint32_t bank)
{
	uint64_t row = q->device->bank[bank].open_row;

	while (from && from->row != row)
		from = from->bank_younger;
	return from;
}

void dram_queue_row_changed(struct dram_queue *q, uint32_t bank)
{
	for (int d = 0; d < DRAM_DIRECTIONS; d++)
		for (uint32_t p = 0; p < q->priorities; p++)
			set_hit(&q->set[d][p], bank, first_hit(q, q->set[d][p].bank[bank].oldest, bank));
}

struct dram_request *dram_queue_add(struct dram_queue *q, struct packet *packet,
	struct dram_location location, uint32_t input, uint32_t priority, cycles now)
{
	uint8_t d = packet->kind == PACKET_WRITE ? DRAM_WRITES : DRAM_READS;
	struct dram_request *r = q->free[d];
	struct dram_set *s = &q->set[d][priority];
	struct dram_bank_queue *b = &s->bank[location.bank];
	uint32_t burst = q->device->timing.burst_bytes, last = location.column + packet->bytes - 1;
	addr line = packet->local / 128;

	q->free[d] = r->younger;
	*r = (struct dram_request){ .packet = packet,
		.row = location.row,
		.bank = (uint8_t)location.bank,
		.column = location.column & ~(burst - 1),
		.direction = d,
		.priority = (uint8_t)priority,
		.input = (uint8_t)input,
		.bursts = (uint8_t)(last / burst - location.column / burst + 1),
		.arrived = now,
		.order = q->next_order++,
		.older = q->youngest[d],
		.bank_older = b->youngest,
		.line = line,
		.same_bucket = *bucket_of(q, line) };
	*(q->youngest[d] ? &q->youngest[d]->younger : &q->oldest[d]) = r;
	*(b->youngest ? &b->youngest->bank_younger : &b->oldest) = r;
	*bucket_of(q, line) = q->youngest[d] = b->youngest = r;
	q->count[d]++;
	q->read_places[input] -= d == DRAM_READS || q->is_shared;
	q->banks_waiting += !q->of_bank[location.bank]++;
	s->waiting |= UINT64_C(1) << location.bank;
	if (!b->hit && q->device->bank[location.bank].open_row == location.row)
		set_hit(s, location.bank, r);
	return r;
}

static inline __attribute__((always_inline)) void leave_set(struct dram_queue *q, struct dram_request *r)
{
	struct dram_set *s = &q->set[r->direction][r->priority];
	struct dram_bank_queue *b = &s->bank[r->bank];

	*(r->bank_older ? &r->bank_older->bank_younger : &b->oldest) = r->bank_younger;
	*(r->bank_younger ? &r->bank_younger->bank_older : &b->youngest) = r->bank_older;
	if (!b->oldest)
		s->waiting &= ~(UINT64_C(1) << r->bank);
	if (b->hit == r)
		set_hit(s, r->bank, first_hit(q, r->bank_younger, r->bank));
}

void dram_queue_remove(struct dram_queue *q, struct dram_request *r)
{
	uint8_t d = r->direction;

	*(r->older ? &r->older->younger : &q->oldest[d]) = r->younger;
	*(r->younger ? &r->younger->older : &q->youngest[d]) = r->older;
	forget_line(q, r);
	q->count[d]--;
	q->read_places[r->input] += d == DRAM_READS || q->is_shared;
	q->banks_waiting -= !--q->of_bank[r->bank];
	leave_set(q, r);
	r->younger = q->free[d];
	q->free[d] = r;
}

void dram_queue_move(struct dram_queue *q, struct dram_request *r, uint32_t input, uint32_t priority)
{
	struct dram_set *s = &q->set[DRAM_READS][priority];
	struct dram_bank_queue *b = &s->bank[r->bank];
	struct dram_request *older = b->youngest;

	leave_set(q, r);
	q->read_places[r->input]++;
	q->read_places[input]--;
	r->input = (uint8_t)input;
	r->priority = (uint8_t)priority;
	while (older && older->order > r->order)
		older = older->bank_older;
	r->bank_older = older;
	r->bank_younger = older ? older->bank_younger : b->oldest;
	*(r->bank_older ? &r->bank_older->bank_younger : &b->oldest) = r;
	*(r->bank_younger ? &r->bank_younger->bank_older : &b->youngest) = r;
	s->waiting |= UINT64_C(1) << r->bank;
	set_hit(s, r->bank, first_hit(q, b->oldest, r->bank));
}
