/* dram/queue.c -- keeping the lists: O(1), but for the requests of one bank when its row changes. */
#include "dram/queue.h"
#include "sim/xalloc.h"

void dram_queue_init(struct dram_queue *q, uint32_t capacity, const struct dram_device *device)
{
	*q = (struct dram_queue){ .device = device, .capacity = capacity };
	q->request = xcalloc(capacity, sizeof(*q->request));
	for (uint32_t i = capacity; i-- > 0;) {
		q->request[i].younger = q->free;
		q->free = &q->request[i];
	}
}

void dram_queue_fini(struct dram_queue *q)
{
	for (struct dram_request *r = q->oldest; r; r = r->younger)
		packet_free(r->packet);
	free(q->request);
	*q = (struct dram_queue){ 0 };
}

static void set_hit(struct dram_queue *q, uint32_t bank, int direction, struct dram_request *hit)
{
	uint64_t bit = UINT64_C(1) << bank;

	q->bank[bank][direction].hit = hit;
	q->hits[direction] = hit ? q->hits[direction] | bit : q->hits[direction] & ~bit;
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
		set_hit(q, bank, d, first_hit(q, q->bank[bank][d].oldest, bank));
}

void dram_queue_add(struct dram_queue *q, struct packet *packet, struct dram_place place, uint32_t bursts, cycles now)
{
	struct dram_request *r = q->free;
	uint8_t direction = packet->kind == PACKET_WRITE ? DRAM_WRITES : DRAM_READS;
	struct dram_bank_queue *b = &q->bank[place.bank][direction];

	q->free = r->younger;
	*r = (struct dram_request){ .packet = packet, .row = place.row, .bank = place.bank, .direction = direction,
		.bursts = (uint8_t)bursts, .arrived = now, .order = q->next_order++,
		.older = q->youngest, .bank_older = b->youngest };
	*(q->youngest ? &q->youngest->younger : &q->oldest) = r;
	*(b->youngest ? &b->youngest->bank_younger : &b->oldest) = r;
	q->youngest = b->youngest = r;
	q->count[direction]++;
	q->waiting[direction] |= UINT64_C(1) << place.bank;
	if (!b->hit && q->device->bank[place.bank].open_row == place.row)
		set_hit(q, place.bank, direction, r);
}

void dram_queue_remove(struct dram_queue *q, struct dram_request *r)
{
	struct dram_bank_queue *b = &q->bank[r->bank][r->direction];

	*(r->older ? &r->older->younger : &q->oldest) = r->younger;
	*(r->younger ? &r->younger->older : &q->youngest) = r->older;
	*(r->bank_older ? &r->bank_older->bank_younger : &b->oldest) = r->bank_younger;
	*(r->bank_younger ? &r->bank_younger->bank_older : &b->youngest) = r->bank_older;
	q->count[r->direction]--;
	if (!b->oldest)
		q->waiting[r->direction] &= ~(UINT64_C(1) << r->bank);
	if (b->hit == r)
		set_hit(q, r->bank, r->direction, first_hit(q, r->bank_younger, r->bank));
	r->younger = q->free;
	q->free = r;
}
