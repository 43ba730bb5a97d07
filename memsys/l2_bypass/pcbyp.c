/* memsys/l2_bypass/pcbyp.c -- PC-Byp: requests of instructions whose requests mostly miss bypass.
 *
 * The comparator of MeDiC (Ausavarungnirun et al., PACT 2015): a table, indexed by a hash of the PC, counts
 * requests and those of them that hit: in the shadow directory, so that an instruction that bypasses can
 * still be seen to recover. After `warmup` requests of an entry, those of a hit ratio below `threshold`
 * bypass. Two PCs can fall on one entry, which then decides for both by their common ratio; the paper names
 * this as the weakness of the policy. Its table is not described. The released simulator's has a range of
 * 65535, where no two PCs meet; the default here is the size of a prediction table that hardware would have.
 *
 * The index of a micro-operation is only unique in its kernel: the PC is made of it and of the kernel's name.
 * Requests that serve no warp (instruction fetches, write-backs) are not counted and never bypass. */
#include "memsys/l2_bypass/l2_bypass.h"
#include "memsys/l2/l2_warp_of.h"

/* Launches whose kernels are remembered: more than can run at once. */
#define LAUNCHES 256

struct pc_entry {
	uint64_t requests, hits;
	uint64_t last; /* the PC that used it last */
	bool is_shared;
};

struct launched {
	uint32_t launch;
	uint64_t kernel; /* its name, as a number */
};

enum pc_cause { PC_NO_WARP, PC_WARMUP, PC_KEEP, PC_BYPASS, PC_CAUSES };
static const char *const cause_names[] = { "no_warp", "warmup", "keep", "bypass", NULL };

struct pcbyp {
	struct l2_bypass base;
	uint32_t entries, warmup; /* parameters */
	double threshold;
	bool with_warp;
	/* state */
	struct pc_entry *table;
	struct launched launched[LAUNCHES]; /* by launch modulo LAUNCHES */
	/* statistics */
	uint64_t decisions[PC_CAUSES];
	uint64_t collisions, entries_used, entries_shared;
};

static void pcbyp_init(void *policy)
{
	struct pcbyp *t = policy;

	t->table = xcalloc(t->entries, sizeof(*t->table));
}

static void pcbyp_fini(void *policy)
{
	free(((struct pcbyp *)policy)->table);
}

/* ---- the PC ---- */

static uint64_t mix_pc(uint64_t z)
{
	z *= UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 32) * UINT64_C(0xd6e8feb86659fd93);
	return z ^ z >> 32;
}

static void pcbyp_kernel_started(void *policy, const char *name, uint64_t launch, cycles now)
{
	struct launched *l = &((struct pcbyp *)policy)->launched[launch % LAUNCHES];

	*l = (struct launched){ .launch = (uint32_t)launch };
	for (; *name; name++)
		l->kernel = mix_pc(l->kernel + (unsigned char)*name);
}

/* A number for the PC, and with_warp for the warp too: two are different, but by a coincidence of 1 in 2^64.
 */
static uint64_t pc_of(const struct pcbyp *t, const struct requester *by, uint32_t warp)
{
	const struct launched *l = &t->launched[by->launch % LAUNCHES];
	uint64_t pc = (l->launch == by->launch ? l->kernel : 0) + by->uop_index;

	return mix_pc(t->with_warp ? pc + ((uint64_t)warp << 32) : pc);
}

static struct pc_entry *pcbyp_entry(const struct pcbyp *t, uint64_t pc)
{
	return &t->table[(pc >> 32) * t->entries >> 32];
}

/* ---- the policy ---- */

static enum pc_cause cause_for(const struct pcbyp *t, const struct pc_entry *e)
{
	if (e->requests <= t->warmup)
		return PC_WARMUP;
	return (double)e->hits / (double)e->requests < t->threshold ? PC_BYPASS : PC_KEEP;
}

static bool pcbyp_decide(struct l2_bypass *b, struct packet *p, cycles now)
{
	struct pcbyp *t = (struct pcbyp *)b;
	uint32_t warp = l2_warp_of(b->machine, &p->by);
	enum pc_cause cause =
		warp == L2_NO_WARP ? PC_NO_WARP : cause_for(t, pcbyp_entry(t, pc_of(t, &p->by, warp)));

	t->decisions[cause]++;
	return cause == PC_BYPASS;
}

static void pcbyp_looked_up(
	struct l2_bypass *b, const struct packet *p, enum l2_outcome outcome, bool shadow_hit, cycles now)
{
	struct pcbyp *t = (struct pcbyp *)b;
	uint32_t warp = l2_warp_of(b->machine, &p->by);
	struct pc_entry *e;
	uint64_t pc;

	if (warp == L2_NO_WARP)
		return;
	pc = pc_of(t, &p->by, warp);
	e = pcbyp_entry(t, pc);
	if (!e->requests++) {
		t->entries_used++;
	} else if (e->last != pc) {
		t->collisions++;
		t->entries_shared += !e->is_shared;
		e->is_shared = true;
	}
	e->last = pc;
	e->hits += shadow_hit;
}

static const struct sim_param pcbyp_params[] = {
	SIM_U32(struct pcbyp, entries, 128, 1, 1 << 24, "entries",
		"size of the table, of each slice (our choice; MeDiC's released simulator, "
		"CMU-SAFARI/MeDiC: a range of 65535)"),
	SIM_F64(struct pcbyp, threshold, 0.20, 0, 1, "",
		"hit ratio below which an entry's requests bypass (our choice: that of mostly-miss warps)"),
	SIM_U32(struct pcbyp, warmup, 100, 0, UINT32_MAX, "requests",
		"requests of an entry up to which none bypasses (MeDiC's released simulator, "
		"CMU-SAFARI/MeDiC, l2_warmup: 100)"),
	SIM_BOOL(struct pcbyp, with_warp, false,
		"index the table by a hash of PC and warp (a variant of MeDiC's released simulator, "
		"CMU-SAFARI/MeDiC)"),
	SIM_END,
};

static const struct sim_stat pcbyp_stats[] = {
	SIM_VECTOR(struct pcbyp, decisions, cause_names, "requests",
		"requests by what decided: they serve no warp; their entry has had too few requests; hits "
		"often enough; or does not, and they are to bypass"),
	SIM_COUNT(struct pcbyp, collisions, "requests",
		"requests whose entry another PC (or warp, with with_warp) used last"),
	SIM_COUNT(struct pcbyp, entries_used, "entries", "entries of the table that were ever used"),
	SIM_COUNT(struct pcbyp, entries_shared, "entries", "entries that two PCs or more have used"),
	SIM_STAT_END,
};

const struct l2_bypass_class l2_bypass_pcbyp = {
	.name = "pcbyp",
	.help = "PC-Byp: requests of instructions whose requests mostly miss",
	.source = "comparator of MeDiC (Ausavarungnirun et al., PACT 2015)",
	.size = sizeof(struct pcbyp),
	.params = pcbyp_params,
	.stats = pcbyp_stats,
	.init = pcbyp_init,
	.kernel_started = pcbyp_kernel_started,
	.fini = pcbyp_fini,
	.wants_shadow = true,
	.decide = pcbyp_decide,
	.looked_up = pcbyp_looked_up,
};
