/* memsys/bypass/bypass.c -- the policy interface of L1 bypass, and what all policies share. */
#include "memsys/bypass/bypass.h"
#include "memsys/tags.h"

#define POLICY_INTERFACE bypass
#define POLICY_LIST      "memsys/bypass/bypass.def"
#include "sim/policy/table.h"

#define COUNT(field, unit, help) SIM_COUNT_AS(struct bypass, stats.field, #field, unit, help)

static const struct sim_stat base_stats[] = {
	COUNT(asked, "requests", "reads about which the bypass policy was asked and which have left"),
	COUNT(before, "requests", "reads that bypassed the L1 without a look-up"),
	COUNT(after, "requests", "reads that bypassed the L1 because it had refused them"),
	COUNT(refused_twice, "cycles",
		"cycles in which the bypass path also had no room for a refused read, counted in the L1's "
		"fails under both reasons"),
	SIM_STAT_END,
};

static const char *const reply_names[] = { "segments", "line", NULL };
enum reply { REPLY_SEGMENTS, REPLY_LINE };

static const struct sim_param shared_params[] = {
	SIM_ENUM(struct bypass, reply, REPLY_SEGMENTS, reply_names,
		"what a read that bypasses the L1 asks the L2 for: the aligned 32, 64 or 128 bytes that its "
		"lanes touch (segments; GPGPU-Sim 3.2, which widens only misses to the line), or the whole "
		"line"),
	SIM_U32(struct bypass, network_entries, 0, 0, 4096, "packets",
		"further places behind the miss queue, for reads that bypass the L1: with 0 a full miss "
		"queue stops them too, and no policy is asked then (how hardware would do it is unknown)"),
	SIM_END,
};

static const struct sim_param choice_params[] = {
	POLICY_CHOICE(bypass, none, "policy that decides which reads bypass the L1"),
	SIM_END,
};

const struct policy_interface bypass_interface = {
	.title = "L1 bypass",
	.keys = "sm.bypass.policy, and of reads that the L1 refuses sm.stall_bypass.policy",
	POLICY_TABLES(bypass),
	.choice = choice_params,
	.params = shared_params,
	.stats = base_stats,
	.size = sizeof(struct bypass),
};

struct bypass *bypass_new(const struct bypass *prototype, uint32_t sm, struct cache *l1,
	struct stat_tree *stats, const char *group)
{
	struct bypass *b;

	if (!prototype->class->before && !prototype->class->refused)
		return NULL;
	b = policy_new(prototype);
	b->sm = sm;
	b->l1 = l1;
	b->lines = cache_lines(l1);
	policy_start(&bypass_interface, b, stats, group, (int)sm);
	if (listener_of_policy(&b->listener, b, &b->class->l1))
		cache_listen(l1, &b->listener);
	return b;
}

/* ---- what every read that bypasses does ---- */

/* The smallest aligned run of 1, 2 or 4 sectors that contains these; of none, for lack of a byte mask, all.
 */
static uint32_t segment_of(uint32_t sectors)
{
	if (!sectors)
		return LINE_SECTORS_ALL;
	if (!(sectors & (sectors - 1)))
		return sectors;
	return !(sectors & 0xc) ? 0x3 : !(sectors & 0x3) ? 0xc : LINE_SECTORS_ALL;
}

void bypass_reply(const struct bypass *b, struct cache_request *r)
{
	uint32_t sectors = LINE_SECTORS_ALL, count = 0;

	if (b->reply == REPLY_SEGMENTS)
		sectors = segment_of(byte_mask_sectors(&(struct byte_mask){
			{ r->byte_mask[0], r->byte_mask[1], r->byte_mask[2], r->byte_mask[3] } }));
	for (uint32_t i = 0; i < LINE_SECTORS; i++) {
		r->byte_mask[i] = sectors >> i & 1 ? UINT32_MAX : 0;
		count += sectors >> i & 1;
	}
	r->bytes = (uint16_t)(32 * count);
}

static uint32_t network_entries(const struct bypass *b)
{
	return b->class->before || b->class->refused ? b->network_entries : 0;
}

uint32_t bypass_network_entries(const struct bypass *first, const struct bypass *second)
{
	uint32_t a = network_entries(first), b = network_entries(second);

	return a > b ? a : b;
}
