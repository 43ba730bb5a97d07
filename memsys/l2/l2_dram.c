/* memsys/l2/l2_dram.c -- packets from an L2 slice to its DRAM channel.
 *
 * A packet concerns adjacent 32-byte sectors of one line. Its local address is that of the first and `bytes`
 * covers all of them, so that the channel transfers just the bursts that contain them. Dirty sectors with
 * clean ones between them are sent in several packets. */
#include "memsys/l2/l2_internal.h"

struct packet *l2_dram_packet(struct l2_slice *s, enum packet_kind kind, addr local, addr device,
	uint32_t first_sector, uint32_t sectors, const struct requester *by)
{
	struct packet *p = packet_new(&s->pool);

	p->kind = (uint8_t)kind;
	p->local = local + first_sector * SECTOR_BYTES;
	p->address = device + first_sector * SECTOR_BYTES;
	p->bytes = (uint16_t)(sectors * SECTOR_BYTES);
	p->is_internal = true;
	p->by = by ? *by : (struct requester){ .sm = REQUESTER_NO_SM };
	p->slice = s->number;
	p->sent = p->stamp = sim_now(s->component.sim);
	return p;
}

/* A write of the bytes in the mask, of the sectors from `first` to before `end`. Returns the bytes of these.
 */
static uint32_t send_write(
	struct l2_slice *s, const uint32_t *byte_mask, addr local, addr device, uint32_t first, uint32_t end)
{
	struct packet *p = l2_dram_packet(s, PACKET_WRITE, local, device, first, end - first, NULL);

	for (uint32_t i = first; i < end; i++)
		p->byte_mask[i] = byte_mask[i];
	port_push(l2_write_port(s), p);
	return (end - first) * SECTOR_BYTES;
}

static uint32_t first_sector(const uint32_t *byte_mask)
{
	uint32_t first = 0;

	while (first < LINE_SECTORS && !byte_mask[first])
		first++;
	bug_if(first == LINE_SECTORS, "a write to DRAM without bytes");
	return first;
}

uint32_t l2_write_run(struct l2_slice *s, uint32_t *byte_mask, addr local, addr device)
{
	uint32_t first = first_sector(byte_mask), end = first, bytes;

	while (end < LINE_SECTORS && byte_mask[end])
		end++;
	bytes = send_write(s, byte_mask, local, device, first, end);
	for (uint32_t i = first; i < end; i++)
		byte_mask[i] = 0;
	return bytes;
}

uint32_t l2_write_whole(struct l2_slice *s, const uint32_t *byte_mask, addr local, addr device)
{
	uint32_t end = LINE_SECTORS, first = first_sector(byte_mask);

	while (!byte_mask[end - 1])
		end--;
	return send_write(s, byte_mask, local, device, first, end);
}

void l2_notice_merge(struct l2_slice *s, uint32_t entry, const struct packet *request)
{
	const union mshr_waiter *waiters = mshr_waiters(&s->mshrs, entry);
	const struct mshr_entry *e = &s->mshrs.entries[entry];
	struct packet *notice;

	if (s->dram_input(s->input_context, request))
		return;
	for (uint32_t i = 0; i + 1 < e->waiters; i++) /* the last is the request */
		if (!s->dram_input(s->input_context, waiters[i].packet))
			return;
	if (s->dram[0].count >= s->dram[0].limit) {
		s->stats.raise_dropped++;
		return;
	}
	notice = l2_dram_packet(s, PACKET_RAISE, e->key, s->device_address[e->line], 0, 1, &request->by);
	notice->token = entry;
	notice->warp_type = request->warp_type;
	s->stats.raise_notices++;
	port_push(&s->dram[0], notice);
}
