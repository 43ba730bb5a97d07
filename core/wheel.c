/* core/wheel.c -- the wheel of an SM: results, fetches and sleeps that are due at a known cycle, in a ring of lists. */
#include "core/gpu_internal.h"
#include "core/sm.h"
#include "sim/xalloc.h"

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
void sm_sleep(struct sm *sm, uint32_t slot, uint32_t nanoseconds, cycles now)
{
	double each = sm->gpu->config.gpu.core_mhz / 1000; /* cycles a nanosecond */

	sm->warps[slot].state = WARP_ASLEEP;
	sm_schedule(sm, now + 1 + (cycles)(nanoseconds * each), WHEEL_AWAKE, slot, 0);
}

static void wake_up(struct sm *sm, uint32_t slot)
{
	sm->warps[slot].state = WARP_RUNNING;
	sm_renew(sm, slot);
}

static inline void happen(struct sm *sm, const struct wheel_entry *e, cycles now)
{
	if (__builtin_expect(e->kind == WHEEL_RESULT, 1)) {
		sm_write_back(sm, e->slot, e->value, now);
		return;
	}
	switch ((enum wheel_kind)e->kind) {
	case WHEEL_RESULT:
		break;
	case WHEEL_WRITTEN:
		sm_release(sm, e->slot, e->value);
		break;
	case WHEEL_FETCHED:
		fetch_arrived(sm, e->slot, e->value);
		break;
	case WHEEL_MEMORY:
		lsu_complete(sm, e->value, now);
		break;
	case WHEEL_AWAKE:
		wake_up(sm, e->slot);
		break;
	}
}

void wheel_run(struct sm *sm, cycles now)
{
	uint32_t at = (uint32_t)now & WHEEL_MASK, i = sm->wheel[at].first, next;

	sm->wheel_now = now;
	if (!i)
		return;
	sm->wheel[at] = (struct wheel_cycle){ 0 };
	sm->wheel_busy[at / 64] &= ~(UINT64_C(1) << (at % 64));
	for (; i; i = next) {
		struct wheel_entry e = sm->entries[i];

		next = e.next;
		sm->entries[i].next = (uint16_t)sm->free_entry;
		sm->free_entry = i;
		if (__builtin_expect(e.turns != 0, 0))
			sm_schedule(sm, now + (cycles)e.turns * WHEEL_SIZE, e.kind, e.slot, e.value);
		else
			happen(sm, &e, now);
	}
}

void wheel_forget(struct sm *sm, uint32_t slot, enum wheel_kind kind)
{
	for (uint32_t at = 0; at < WHEEL_SIZE; at++)
		for (uint16_t *link = &sm->wheel[at].first, i; (i = *link); link = &sm->entries[i].next) {
			if (sm->entries[i].slot != slot || sm->entries[i].kind != kind)
				continue;
			*link = sm->entries[i].next;
			sm->entries[i].next = (uint16_t)sm->free_entry;
			sm->free_entry = i;
			if (!sm->wheel[at].first)
				sm->wheel_busy[at / 64] &= ~(UINT64_C(1) << (at % 64));
			return;
		}
	bug("SM %u: slot %u has nothing due that could be forgotten", sm->number, slot);
}

void wheel_init(struct sm *sm)
{
	sm->entry_count = 4 * WHEEL_SIZE; /* fits in 16 bits */
	sm->entries = xcalloc(sm->entry_count, sizeof(*sm->entries));
	for (uint32_t i = sm->entry_count - 1; i; i--) {
		sm->entries[i].next = (uint16_t)sm->free_entry;
		sm->free_entry = i;
	}
}
