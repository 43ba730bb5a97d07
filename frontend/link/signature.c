/* frontend/link/signature.c -- signatures of functions: the sizes of their results and parameters. Functions
 * of equal sizes can stand for each other where a register names the callee. */
#include "frontend/lower/lower.h"

static bool is_same_size(const struct ptx_var *a, const struct ptx_var *b)
{
	for (; a && b; a = a->next, b = b->next)
		if (a->bytes != b->bytes)
			return false;
	return !a && !b;
}

static uint32_t hash_sizes(uint32_t hash, const struct ptx_var *list)
{
	for (; list; list = list->next)
		hash = (hash ^ (uint32_t)list->bytes) * 0x01000193u;
	return (hash ^ hash >> 15) * 0x2c1b3c6du;
}

static uint32_t signature_hash(const struct ptx_function *f)
{
	return hash_sizes(hash_sizes(0x811c9dc5u, f->params), f->returns);
}

/* The slot of a signature, or the free one for it. */
static uint32_t *slot_of_signature(const struct program *p, const struct ptx_function *f)
{
	uint32_t mask = p->signature_slot_count - 1, at = signature_hash(f) & mask;

	for (;; at = (at + 1) & mask) {
		uint32_t number = p->signature_slots[at];
		const struct ptx_function *example = number ? p->signatures[number - 1].example : NULL;

		if (!example ||
			(is_same_size(example->params, f->params) &&
				is_same_size(example->returns, f->returns)))
			return &p->signature_slots[at];
	}
}

/* At most half of the slots are in use. */
static void make_signature_room(struct lower *l)
{
	struct program *p = l->program;

	if (2 * p->signature_count < p->signature_slot_count)
		return;
	p->signature_slot_count = p->signature_slot_count ? 2 * p->signature_slot_count : 64;
	p->signature_slots = arena_alloc(l->arena, p->signature_slot_count * sizeof *p->signature_slots);
	for (uint32_t s = 0; s < p->signature_count; s++)
		*slot_of_signature(p, p->signatures[s].example) = s + 1;
}

uint32_t signature_of(struct lower *l, const struct ptx_function *f)
{
	struct program *p = l->program;
	uint32_t *slot;

	make_signature_room(l);
	slot = slot_of_signature(p, f);
	if (!*slot) {
		p->signatures =
			arena_grow(l->arena, p->signatures, p->signature_count, sizeof *p->signatures);
		p->signatures[p->signature_count] = (struct signature){ .example = f };
		*slot = ++p->signature_count;
	}
	return *slot - 1;
}
