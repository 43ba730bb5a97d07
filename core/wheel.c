/* core/wheel.c -- the wheel of an SM: results, fetches and sleeps that are due at a known cycle, in a ring of lists. */
#include "core/gpu_internal.h"
#include "core/sm.h"
#include "sim/xalloc.h"

#define WHEEL_MASK (WHEEL_SIZE - 1)

void sm_schedule(struct sm *sm, cycles when, enum wheel_kind kind, uint32_t slot, uint32_t value)
{
	uint32_t at = (uint32_t)when & WHEEL_MASK, i = sm->free_entry;
	struct wheel_entry *e = &sm->entries[i];

	bug_if(!i, "SM %u: more results due than the wheel can hold", sm->number);
	sm->free_entry = e->next;
	*e = (struct wheel_entry){ sm->wheel[at], (uint16_t)kind, (uint16_t)slot, value };
	sm->wheel[at] = i;
	sm->wheel_busy[at / 64] |= UINT64_C(1) << (at % 64);
}

cycles wheel_next(const struct sm *sm, cycles now)
{
	uint32_t from = (uint32_t)(now + 1) & WHEEL_MASK, word = from / 64;
	uint64_t bits = sm->wheel_busy[word] & (~UINT64_C(0) << (from % 64));

	for (uint32_t i = 0; i <= WHEEL_SIZE / 64; i++) {
		if (bits) {
			uint32_t at = word * 64 + (uint32_t)__builtin_ctzll(bits);

			return now + 1 + ((at - from) & WHEEL_MASK);
		}
		word = (word + 1) % (WHEEL_SIZE / 64);
		bits = sm->wheel_busy[word];
	}
	return SIM_NEVER;
}

/* The wheel turns once in WHEEL_SIZE cycles; a longer sleep goes round several times. */
static void sleep_on(struct sm *sm, uint32_t slot, cycles now)
{
	cycles left = sm->timing[slot].awake - now;

	sm_schedule(sm, now + (left < WHEEL_SIZE ? left : WHEEL_SIZE - 1), WHEEL_AWAKE, slot, 0);
}

static void wake_up(struct sm *sm, uint32_t slot, cycles now)
{
	if (now < sm->timing[slot].awake) {
		sleep_on(sm, slot, now);
		return;
	}
	sm->warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now)
{
	double each = sm->gpu->config.gpu.core_mhz / 1000; /* cycles a nanosecond */

	sm->warps[slot].state = WARP_ASLEEP;
	sm->timing[slot].awake = now + 1 + (cycles)(nanoseconds * each);
	sleep_on(sm, slot, now);
}

void wheel_run(struct sm *sm, cycles now)
{
	uint32_t at = (uint32_t)now & WHEEL_MASK, i = sm->wheel[at], next;

	if (!i)
		return;
	sm->wheel[at] = 0;
	sm->wheel_busy[at / 64] &= ~(UINT64_C(1) << (at % 64));
	for (; i; i = next) {
		struct wheel_entry e = sm->entries[i];

		next = e.next;
		sm->entries[i].next = sm->free_entry;
		sm->free_entry = i;
		if (e.kind == WHEEL_RESULT)
			sm_release(sm, e.slot, e.value);
		else if (e.kind == WHEEL_FETCHED)
			fetch_arrived(sm, e.slot, e.value);
		else if (e.kind == WHEEL_AWAKE)
			wake_up(sm, e.slot, now);
		else
			lsu_complete(sm, e.value, now);
	}
}

void wheel_init(struct sm *sm)
{
	sm->entry_count = 4 * WHEEL_SIZE;
	sm->entries = xcalloc(sm->entry_count, sizeof(*sm->entries));
	for (uint32_t i = sm->entry_count - 1; i; i--) {
		sm->entries[i].next = sm->free_entry;
		sm->free_entry = i;
	}
}
