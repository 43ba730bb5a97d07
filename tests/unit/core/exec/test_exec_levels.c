/* Properties of every arithmetic operation: equal on all vector levels, inactive lanes untouched, free
 * overlap of destination and sources. */
#include "tests/unit/core/exec_rig.h"
#include "frontend/module.h"

static const char *const shapes[] = {
#define UOP(id, shape, meaning) [UOP_##id] = shape,
#include "frontend/uops.def"
#undef UOP
};
static const char *const names[] = {
#define UOP(id, shape, meaning) [UOP_##id] = #id,
#include "frontend/uops.def"
#undef UOP
};

static bool is_arithmetic(unsigned code)
{
	return code < UOP_BRA && shapes[code][0] && !strchr(shapes[code], 'M') && code != UOP_LD_PARAM &&
		code != UOP_MOV_SREG && code != UOP_SYSCALL;
}

static bool has_predicate_sources(unsigned code)
{
	return strchr(shapes[code], 'p');
}

/* What formats and narrow integers the operations for them are run with. */
static void choose_formats(struct uop *u, uint64_t random)
{
	static const uint8_t halves[] = { PTX_F16, PTX_BF16, PTX_F16X2, PTX_BF16X2 };
	static const uint8_t narrow[] = { PTX_U2, PTX_S2, PTX_U4, PTX_S4, PTX_U8, PTX_S8, PTX_U16, PTX_S16 };
	static const uint8_t pairs[][2] = { { PTX_F16, PTX_F64 }, { PTX_BF16, PTX_F32 }, { PTX_F16, PTX_S64 },
		{ PTX_BF16, PTX_U64 }, { PTX_F16, PTX_U32 }, { PTX_TF32, PTX_F32 }, { PTX_F32, PTX_BF16 },
		{ PTX_BF16X2, PTX_F32 }, { PTX_E4M3X2, PTX_F16X2 }, { PTX_E5M2X2, PTX_F32 },
		{ PTX_F16X2, PTX_E5M2X2 }, { PTX_E2M1X2, PTX_F32 }, { PTX_F16X2, PTX_E2M1X2 },
		{ PTX_E3M2X2, PTX_F32 }, { PTX_UE8M0X2, PTX_BF16X2 }, { PTX_BF16X2, PTX_UE8M0X2 } };
	const char *name = names[u->code];
	const uint8_t *pair = pairs[random % (sizeof(pairs) / sizeof(pairs[0]))];

	if (strlen(name) > 5 && !strcmp(name + strlen(name) - 5, "_HALF"))
		u->type = halves[random & 3];
	if (u->code == UOP_CVT_PACK)
		u->type = narrow[random & 7];
	if (u->code == UOP_CVT_FORMAT) {
		u->type = pair[0], u->compare = pair[1];
		u->round = u->type == PTX_BF16X2 && u->compare == PTX_F32 ? ROUND_RS
									  : (uint8_t)(random >> 8) % 5;
		u->mods |= random >> 16 & (MOD_RELU | MOD_SATFINITE);
		if (u->type == PTX_UE8M0X2)
			u->mods = (uint8_t)(u->mods & ~MOD_RELU);
	}
}

/* Sources in rows 0-1, 2-3, 4-5, 6-7; destinations in 16, 18, 20, 22; predicates 0-2 and 8-9. */
static struct uop random_uop(unsigned code, uint64_t *state)
{
	static const uint8_t integers[] = { PTX_U8, PTX_S8, PTX_U16, PTX_S16, PTX_U32, PTX_S32, PTX_U64,
		PTX_S64 };
	struct uop u = {
		.code = (uint16_t)code, .dst = { 16, 18, 20, 22 }, .src = { 0, 2, 4, 6 }, .bytes = 4
	};
	uint64_t random = rig_random(state);
	const char *shape = shapes[code];

	u.mods = random & (MOD_FTZ | MOD_SAT | MOD_NEGATE_C | MOD_HI);
	u.round = random >> 8 & 3;
	u.compare = (uint8_t)((random >> 16) % 14);
	u.combine = random >> 24 & 3;
	u.imm = (int64_t)((random >> 32) % 4);
	u.reg_bytes = random >> 40 & 1 ? 8 : 4;
	u.type = integers[random >> 48 & 7];
	if (code == UOP_CVT_INT)
		u.compare = integers[random >> 52 & 7];
	if (code == UOP_REDUX_B32 || code == UOP_REDUX_F32)
		u.compare = (const uint8_t[]){ ATOM_ADD, ATOM_MIN, ATOM_MAX, ATOM_AND, ATOM_OR,
			ATOM_XOR }[u.compare % 6];
	choose_formats(&u, random >> 36);
	if (code == UOP_LOP3_B32)
		u.imm = (uint8_t)(random >> 32);
	if (shape[0] == 'P')
		u.dst[0] = 8, u.dst[1] = 9;
	else if (shape[1] == 'P' || strchr(shape, 'P'))
		u.dst[1] = 9;
	if (has_predicate_sources(code)) {
		bool third = strchr(shape, 'A');

		for (unsigned n = third ? 2 : 0; n < 3; n++)
			u.src[n] = (uint16_t)n;
	}
	return u;
}

static void fill(struct rig *r, uint64_t *state, bool doubles)
{
	rig_init(r);
	for (unsigned row = 0; row < 64; row++)
		for (unsigned l = 0; l < 32; l++)
			r->registers[row][l] = rig_word(state);
	for (unsigned row = 0; doubles && row < 8; row += 2)
		for (unsigned l = 0; l < 32; l++)
			rig_set(r, row, 8, l, rig_double(state));
	for (unsigned n = 0; n < 16; n++)
		r->predicates[n] = (uint32_t)rig_random(state);
}

static void copy(struct rig *to, const struct rig *from)
{
	rig_init(to);
	memcpy(to->registers, from->registers, sizeof(to->registers));
	memcpy(to->predicates, from->predicates, sizeof(to->predicates));
}

Test(exec, gives_the_same_bits_on_every_level_and_leaves_inactive_lanes)
{
	static struct rig start, first, r;
	uint64_t state = 42;

	for (unsigned code = 0; code < UOP_BRA; code++)
		for (unsigned round = 0; is_arithmetic(code) && round < 60; round++) {
			struct uop u = random_uop(code, &state);
			lane_mask active = round % 3 ? (uint32_t)rig_random(&state) : UINT32_MAX;
			bool is_first = true;

			fill(&start, &state, round & 1);
			for_each_level(table)
			{
				copy(&r, &start);
				rig_run(&r, table, &u, active);
				if (is_first)
					copy(&first, &r);
				is_first = false;
				cr_assert(!memcmp(r.registers, first.registers, sizeof(r.registers)) &&
						!memcmp(r.predicates, first.predicates, sizeof(r.predicates)),
					"%s differs at level %u, mods %u round %u", names[code], level_,
					u.mods, u.round);
			}
			for (unsigned n = 0; n < 16; n++)
				cr_assert(!((first.predicates[n] ^ start.predicates[n]) & ~active), "%s",
					names[code]);
			for (unsigned l = 0; l < 32; l++)
				for (unsigned row = 0; !(active >> l & 1) && row < 64; row++) {
					/* inactive as a 32-bit row, or as half of a 64-bit one */
					bool same = first.registers[row][l] == start.registers[row][l];
					bool pair = active >> ((row & 1) * 16 + l / 2) & 1;

					cr_assert(same || pair, "%s writes lane %u", names[code], l);
				}
		}
}

Test(exec, lets_the_destination_overlap_the_sources)
{
	static struct rig start, apart, r;
	uint64_t state = 7;

	for (unsigned code = 0; code < UOP_BRA; code++)
		for (unsigned round = 0; is_arithmetic(code) && round < 8 * 6; round++) {
			struct uop u = random_uop(code, &state), v;
			lane_mask active = round & 1 ? (uint32_t)rig_random(&state) : UINT32_MAX;

			if (shapes[code][0] != 'D' || shapes[code][1] == 'D')
				continue;
			fill(&start, &state, round & 2);
			v = u;
			v.dst[0] = (uint16_t)(round >> 2 & 7);
			/* what is beneath must agree, for the inactive lanes */
			memcpy(start.registers[16], start.registers[v.dst[0]],
				2 * sizeof(start.registers[0]));
			for_each_level(table)
			{
				copy(&apart, &start);
				rig_run(&apart, table, &u, active);
				copy(&r, &start);
				rig_run(&r, table, &v, active);
				cr_assert(!memcmp(r.registers[v.dst[0]], apart.registers[16],
						  2 * sizeof(r.registers[0])),
					"%s into row %u, level %u", names[code], v.dst[0], level_);
			}
		}
}

Test(exec, takes_constants_for_sources)
{
	static struct rig r;

	for_each_level(table)
	{
		struct uop u = U(ADD_B64, .dst = { 4 }, .src = { 0, UOP_CONSTANT | 2 });

		rig_init(&r);
		for (unsigned l = 0; l < 32; l++) {
			uint64_t constant = UINT64_C(0x100000001);

			rig_set(&r, 0, 8, l, l);
			memcpy((uint8_t *)r.constants[2] + 8 * l, &constant, 8);
		}
		rig_run(&r, table, &u, UINT32_MAX);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(rig_get(&r, 4, 8, l), UINT64_C(0x100000001) + l);
	}
}

Test(exec, chooses_a_level_and_survives_a_bad_wish)
{
	setenv("LOCKSTEP_VECTOR", "base", 1);
	cr_assert_eq(exec_table(), exec_table_for("base"));
	setenv("LOCKSTEP_VECTOR", "v17", 1);
	cr_assert_neq(exec_table(), NULL);
	cr_assert_eq(exec_table_for("v17"), NULL);
	unsetenv("LOCKSTEP_VECTOR");
	cr_assert(
		exec_table() == rig_level(0) || exec_table() == rig_level(1) || exec_table() == rig_level(2));
}

Test(exec, has_a_function_for_all_but_control)
{
	for_each_level(table) for (unsigned code = 0; code < UOP_CODE_COUNT; code++)
		cr_assert_eq(table[code] != NULL, code < UOP_BRA, "%s", names[code]);
}
