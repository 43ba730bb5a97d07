/* core/energy/activity.c -- activity by kind, from the counts of micro-operations. */
#include "core/energy/activity.h"
#include "core/diagnose/profile.h"
#include "core/chip/chip.h"
#include "core/kernel/kernel_run.h"
#include "core/lsu/bulk_engine.h"
#include "core/sm/sm.h"
#include "sim/base/xalloc.h"

/* Of a micro-operation, as long as its kernel runs. */
struct uop_activity {
	uint8_t class;        /* enum instruction_class */
	uint8_t is_collected; /* its operands go through an operand collector */
	uint16_t rows_read, rows_written;
	uint32_t products; /* multiply-adds of a matrix product */
	uint8_t product_type;
};

/* Of each SM. */
struct activity {
	struct activity_counts *now;   /* up to date as of the last activity_account */
	struct activity_counts *ended; /* of kernels that have ended */
	struct chip *chip;
};

static const char *const direction_names[] = { "read", "written", NULL };

#define COUNT(field, unit, help) SIM_COUNT(struct activity_counts, field, unit, help)
#define VECTOR(field, names, unit, help) \
	{ \
		SIM_STAT_VECTOR, #field, offsetof(struct activity_counts, field), names, 0, unit, help \
	}

static const struct sim_stat activity_stats[] = {
	VECTOR(warp_instructions, instruction_class_names, "instructions",
		"warp instructions by energy class, including instructions whose guard was false in every "
		"lane"),
	VECTOR(thread_instructions, instruction_class_names, "instructions",
		"thread instructions by energy class: the lanes that executed them"),
	VECTOR(register_rows, direction_names, "rows",
		"rows of 32 registers of 32 bits that warp instructions read and wrote"),
	VECTOR(register_lanes, direction_names, "registers",
		"registers of 32 bits that thread instructions read and wrote"),
	COUNT(collector_accesses, "instructions", "warp instructions that took an operand collector"),
	VECTOR(shared_words, direction_names, "words",
		"32-bit words of shared memory that lanes accessed; an atomic reads and writes its own"),
	VECTOR(active_sm_cycles, static_category_names, "cycles",
		"SM cycles with warps, by the units for which the kernel of the warps has instructions (the "
		"last unit of this list); an SM of whose schedulers only a part has warps counts in that "
		"part"),
	VECTOR(lane_cycles, static_category_names, "cycles",
		"SM cycles with warps times the mean number of active lanes of the kernel's warp "
		"instructions beyond the first, by the units of active_sm_cycles"),
	COUNT(idle_sm_cycles, "cycles", "SM cycles without warps while a kernel was under way"),
	COUNT(silent_sm_cycles, "cycles",
		"SM cycles in which no lane was active: no scheduler issued, while a kernel was under way"),
	VECTOR(tensor_products, tensor_type_names, "multiply-adds",
		"multiply-adds of matrix products (mma, wmma.mma, wgmma, tcgen05.mma) by the type of A and "
		"B; bf16 counts as f16, floats of 6 and 4 bits that stand in bytes as fp8"),
	SIM_STAT_END,
};

struct activity *activity_new(struct chip *chip, struct stat_tree *stats)
{
	struct activity *a = xcalloc(1, sizeof(*a));
	uint32_t sms = chip->config->sms;

	a->chip = chip;
	a->now = xcalloc(sms, sizeof(*a->now));
	a->ended = xcalloc(sms, sizeof(*a->ended));
	for (uint32_t i = 0; i < sms; i++)
		stat_register(stats, "activity", (int)i, activity_stats, &a->now[i], sizeof(a->now[i]));
	return a;
}

void activity_free(struct activity *a)
{
	if (!a)
		return;
	free(a->now);
	free(a->ended);
	free(a);
}

/* ---- kernels ---- */

static uint16_t rows_of(const struct ptx_kernel *k, uint32_t from, uint32_t count)
{
	uint32_t rows = 0;

	for (uint32_t i = from; i < from + count; i++)
		rows += k->hazard_rows[i];
	return (uint16_t)rows;
}

static struct uop_activity *describe_activity(const struct ptx_kernel *k)
{
	struct uop_activity *all = xcalloc((size_t)k->uop_count + 1, sizeof(*all));

	for (uint32_t i = 0; i < k->uop_count; i++) {
		const struct uop *u = &k->uops[i];

		enum tensor_type type = TENSOR_TYPE_f16;

		all[i] = (struct uop_activity){ (uint8_t)instruction_class_of(u), u->unit != UNIT_CONTROL,
			rows_of(k, u->hazards, u->reads), rows_of(k, u->hazards + u->reads, u->writes),
			(uint32_t)tensor_products_of_uop(u, &type), 0 };
		all[i].product_type = (uint8_t)type;
	}
	return all;
}

void activity_kernel_started(const struct activity *a, struct kernel_run *run, uint32_t sms)
{
	if (!a && !run->profile)
		return;
	for (uint32_t i = 0; i < sms; i++)
		run->on_sm[i].by_uop =
			xcalloc((size_t)run->kernel->uop_count + 1, sizeof(*run->on_sm[i].by_uop));
	if (!a)
		return;
	run->activity = describe_activity(run->kernel);
	run->static_category = (uint8_t)static_category_of(run->kernel);
}

void activity_kernel_free(struct kernel_run *run, uint32_t sms)
{
	for (uint32_t i = 0; run->on_sm && i < sms; i++)
		free(run->on_sm[i].by_uop);
	free(run->activity);
	run->activity = NULL;
}

static struct uop_count uop_counts(const struct kernel_run *run, uint32_t uop, uint32_t sms)
{
	struct uop_count sum = { 0, 0 };

	for (uint32_t i = 0; i < sms; i++) {
		sum.executions += run->on_sm[i].by_uop[uop].executions;
		sum.lanes += run->on_sm[i].by_uop[uop].lanes;
	}
	return sum;
}

static void add_uop(struct activity_counts *to, const struct uop_activity *u, struct uop_count n)
{
	to->warp_instructions[u->class] += n.executions;
	to->thread_instructions[u->class] += n.lanes;
	to->register_rows[ACTIVITY_READ] += u->rows_read * n.executions;
	to->register_rows[ACTIVITY_WRITTEN] += u->rows_written * n.executions;
	to->register_lanes[ACTIVITY_READ] += u->rows_read * n.lanes;
	to->register_lanes[ACTIVITY_WRITTEN] += u->rows_written * n.lanes;
	to->collector_accesses += u->is_collected * n.executions;
	to->tensor_products[u->product_type] += u->products * n.executions;
}

/* Scheduler slots of the kernel's warps on an SM, whatever became of them. */
static uint64_t slots_of(const struct kernel_on_sm *on_sm)
{
	uint64_t slots = 0;

	for (uint32_t cause = 0; cause < SLOT_COUNT; cause++)
		slots += on_sm->stats.issue_slots[cause];
	return slots;
}

/* What the kernel's instructions did on each SM. Returns how many were executed, and in how many lanes. */
static struct uop_count add_uops(struct activity_counts *to, const struct kernel_run *run, uint32_t sms)
{
	struct uop_count sum = { 0, 0 };

	for (uint32_t sm = 0; sm < sms; sm++)
		for (uint32_t i = 0; i < run->kernel->uop_count; i++) {
			struct uop_count n = run->on_sm[sm].by_uop[i];

			if (!n.executions)
				continue;
			add_uop(&to[sm], &run->activity[i], n);
			sum.executions += n.executions;
			sum.lanes += n.lanes;
		}
	return sum;
}

/* The mean number of lanes is that of the kernel so far. Within a short window in which it falls, lane_cycles
 * may fall. */
static void add_run(struct activity_counts *to, const struct kernel_run *run, const struct chip *chip)
{
	struct uop_count sum;

	if (!run->activity)
		return;
	sum = add_uops(to, run, chip->config->sms);
	for (uint32_t i = 0; i < chip->config->sms; i++) {
		uint64_t active = slots_of(&run->on_sm[i]) / chip->sm->schedulers;

		to[i].active_sm_cycles[run->static_category] += active;
		if (sum.lanes > sum.executions)
			to[i].lane_cycles[run->static_category] +=
				(uint64_t)((double)active * ((double)sum.lanes / (double)sum.executions - 1));
	}
}

/* ---- the machine ---- */

/* What an SM counts on its own. */
static void count_sm(struct activity_counts *to, const struct sm *sm, uint64_t all)
{
	uint64_t active = 0, issued = sm->stats.issue_cycles;

	for (uint32_t i = 0; i < STATIC_CATEGORIES; i++)
		active += to->active_sm_cycles[i];
	to->shared_words[ACTIVITY_READ] = sm->stats.shared_words[ACTIVITY_READ];
	to->shared_words[ACTIVITY_WRITTEN] = sm->stats.shared_words[ACTIVITY_WRITTEN];
	for (unsigned type = 0; type < TENSOR_TYPES; type++)
		to->tensor_products[type] += sm->state.bulk->tensor.products[type];
	to->idle_sm_cycles = all > active ? all - active : 0;
	to->silent_sm_cycles = all > issued ? all - issued : 0;
}

void activity_account(struct activity *a)
{
	uint32_t sms;

	if (!a)
		return;
	sms = a->chip->config->sms;
	memcpy(a->now, a->ended, sms * sizeof(*a->now));
	for (uint32_t i = 0; i < a->chip->run_count; i++)
		add_run(a->now, a->chip->runs[i], a->chip);
	for (uint32_t i = 0; i < sms; i++)
		count_sm(&a->now[i], a->chip->sms[i], a->chip->stats.cycles);
}

static void add_to_profile(const struct kernel_run *run, uint32_t sms)
{
	for (uint32_t i = 0; i < run->kernel->uop_count; i++) {
		struct uop_count n = uop_counts(run, i, sms);

		run->profile[i].executions += n.executions;
		run->profile[i].lanes += n.lanes;
	}
}

void activity_kernel_ended(struct activity *a, const struct kernel_run *run, uint32_t sms)
{
	if (!run->on_sm || !run->on_sm[0].by_uop)
		return;
	if (run->profile)
		add_to_profile(run, sms);
	if (a)
		add_run(a->ended, run, a->chip);
}
