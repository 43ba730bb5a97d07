/* core/exec/exec.c -- which vector level this machine runs, and the commit of recorded writes. */
#include "core/exec/device_fault.h"
#include "core/exec/exec.h"
#include "core/exec/levels.h"
#include "core/exec/write.h"
#include "sim/event/host_time.h"
#include <stdio.h>
#include <stdlib.h>

struct level {
	const char *name;
	const exec_function *table;
	bool (*is_supported)(void);
};

static bool runs_anywhere(void)
{
	return true;
}

#ifdef EXEC_HAS_v3
static bool has_v3(void)
{
	/* by name: not every compiler knows the levels here */
	return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
		__builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma") &&
		__builtin_cpu_supports("popcnt");
}
#endif

#ifdef EXEC_HAS_v4
static bool has_v4(void)
{
	return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
		__builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
		__builtin_cpu_supports("avx512vl");
}
#endif

/* Best first; base runs everywhere. */
static const struct level levels[] = {
#ifdef EXEC_HAS_v4
	{ "v4", exec_table_v4, has_v4 },
#endif
#ifdef EXEC_HAS_v3
	{ "v3", exec_table_v3, has_v3 },
#endif
	{ "base", exec_table_base, runs_anywhere },
};
#define LEVELS (sizeof(levels) / sizeof(levels[0]))

/* The level of that name, NULL if there is none or this machine cannot run it. */
static const struct level *find_level(const char *name)
{
	for (size_t i = 0; i < LEVELS; i++)
		if (!strcmp(levels[i].name, name))
			return levels[i].is_supported() ? &levels[i] : NULL;
	return NULL;
}

bool exec_is_level(const char *name)
{
	static const char *const names[] = { "base", "v3", "v4" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

static const struct level *choose_vector_level(void)
{
	const char *wish = getenv("LOCKSTEP_VECTOR");
	const struct level *wished = wish ? find_level(wish) : NULL;

	if (wished)
		return wished;
	for (size_t i = 0; i < LEVELS; i++)
		if (levels[i].is_supported())
			return &levels[i];
	return &levels[LEVELS - 1];
}

/* The same functions, with their time counted (sim/event/host_time.h): one for each code, since an entry may
 * be called for another's uop. */
static inline void execute_timed(enum uop_code code, struct exec *x, const struct uop *u, lane_mask active)
{
	static const exec_function *usual;
	enum host_phase before = host_time_change(HOST_EXECUTE);

	if (!usual)
		usual = choose_vector_level()->table;
	usual[code](x, u, active);
	host_time_change(before);
}

#define UOP(id, shape, meaning) \
	static void timed_##id(struct exec *x, const struct uop *u, lane_mask active) \
	{ \
		execute_timed(UOP_##id, x, u, active); \
	}
#include "frontend/uops.def"
#undef UOP

static const exec_function timed_table[UOP_CODE_COUNT] = {
#define UOP(id, shape, meaning) [UOP_##id] = UOP_##id < UOP_BRA ? timed_##id : NULL,
#include "frontend/uops.def"
#undef UOP
};

static const exec_function *watching; /* NULL: nobody */

void exec_watch(const exec_function *table)
{
	watching = table;
}

bool exec_is_watched(void)
{
	return watching;
}

const exec_function *exec_table(void)
{
	if (watching)
		return watching;
	return host_time_is_on ? timed_table : choose_vector_level()->table;
}

/* Each lane in turn, up to the first that fails. */
static void apply_mbarriers(struct exec *x, const struct exec_write *w)
{
	struct device_fault *fault = x->fault;
	const char *wrong = NULL;
	unsigned l = 0;

	for (lane_mask rest = x->faulted ? 0 : w->mask; rest && !wrong; rest &= rest - 1) {
		l = first_lane(rest);
		wrong = apply_mbarrier_lane(w, l);
	}
	if (!wrong)
		return;
	x->faulted = true;
	fault->kind = FAULT_ILLEGAL_INSTRUCTION;
	fault->line = w->uop->line;
	fault->lane = l;
	snprintf(fault->detail, sizeof(fault->detail), "%s", wrong);
	if (x->explain)
		x->explain(fault, w->warp, w->uop);
}

void exec_apply(struct exec *x, const struct exec_write *w)
{
	const struct view device = { 0, 0 };

	if (w->uop->code == UOP_SYSCALL)
		x->serve(x, w);
	else if (w->uop->code == UOP_SUST)
		apply_texels(w);
	else if (w->uop->code == UOP_ATOM || w->uop->code == UOP_SURED)
		apply_atomic(w, device, true);
	else if (w->uop->code == UOP_LD)
		apply_load(w);
	else if (w->uop->code == UOP_MBARRIER || w->uop->code == UOP_ASYNC_WRITE)
		apply_mbarriers(x, w);
	else
		apply_store(w, device);
}

void exec_commit(struct exec *x)
{
	for (uint32_t i = 0; i < x->write_count; i++)
		exec_apply(x, &x->writes[i]);
	x->write_count = 0;
}
