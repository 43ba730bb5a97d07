/* frontend/tables/names.c -- interned words and the language's own vocabulary.
 *
 * The table is a chained hash over the spelling. It starts with every directive, type, state space, opcode,
 * modifier and special register in it, so that the scanner and the decoder of instruction words need one
 * look-up a word. */
#include "frontend/tables/names.h"
#include "frontend/parse/arena.h"
#include "frontend/module.h"
#include "frontend/tables/opcode.h"
#include "frontend/parse/parser.h"
#include "ptx_grammar.h"
#include <stdlib.h>
#include <string.h>

#define FIRST_BUCKETS 4096u

/* clang-format off */
static const struct { const char *spelling; int token, value; } directives[] = {
	{ ".version", T_VERSION, 0 }, { ".target", T_TARGET, 0 }, { ".address_size", T_ADDRESS_SIZE, 0 },
	{ ".entry", T_ENTRY, 0 }, { ".func", T_FUNC, 0 }, { ".align", T_ALIGN, 0 }, { ".ptr", T_PTR, 0 },
	{ ".attribute", T_ATTRIBUTE, 0 }, { ".managed", T_MANAGED, 0 }, { ".unified", T_UNIFIED, 0 },
	{ ".alias", T_ALIAS, 0 }, { ".pragma", T_PRAGMA, 0 }, { ".loc", T_LOC, 0 }, { ".file", T_FILE_, 0 },
	{ ".branchtargets", T_BRANCHTARGETS, 0 }, { ".calltargets", T_CALLTARGETS, 0 },
	{ ".callprototype", T_CALLPROTOTYPE, 0 },
	{ ".extern", T_LINKAGE, PTX_EXTERN }, { ".visible", T_LINKAGE, PTX_VISIBLE },
	{ ".weak", T_LINKAGE, PTX_WEAK }, { ".common", T_LINKAGE, PTX_COMMON },
	{ ".maxntid", T_LIMIT, LIMIT_MAXNTID }, { ".reqntid", T_LIMIT, LIMIT_REQNTID },
	{ ".maxnreg", T_LIMIT, LIMIT_MAXNREG }, { ".minnctapersm", T_LIMIT, LIMIT_MINNCTAPERSM },
	{ ".maxnctapersm", T_LIMIT, LIMIT_MAXNCTAPERSM }, { ".noreturn", T_LIMIT, LIMIT_NORETURN },
	{ ".reqnctapercluster", T_LIMIT, LIMIT_REQNCTAPERCLUSTER },
	{ ".maxclusterrank", T_LIMIT, LIMIT_MAXCLUSTERRANK },
	{ ".blocksareclusters", T_LIMIT, LIMIT_BLOCKSARECLUSTERS },
	{ ".explicitcluster", T_LIMIT, LIMIT_EXPLICITCLUSTER },
	{ ".abi_preserve", T_LIMIT, LIMIT_ABI_PRESERVE },
	{ ".abi_preserve_control", T_LIMIT, LIMIT_ABI_PRESERVE_CONTROL },
	{ ".section", 0, 0 },   /* the scanner's; here for hints */
};
/* clang-format on */

static const char *const opcode_spellings[] = {
#define OPCODE(id, spelling, ...) spelling,
#include "frontend/tables/opcodes.def"
#undef OPCODE
};

static const char *const modifier_spellings[] = {
#define MODIFIER(id, spelling) spelling,
#include "frontend/tables/modifiers.def"
#undef MODIFIER
};

static const char *const sreg_spellings[] = {
#define SREG(id, spelling, type, is_fixed) spelling,
#include "frontend/tables/sregs.def"
#undef SREG
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t hash_text(const char *text, size_t length)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < length; i++)
		hash = (hash ^ (unsigned char)text[i]) * 16777619u;
	return hash ^ hash >> 15;
}

static struct ptx_name **make_buckets(uint32_t count)
{
	struct ptx_name **buckets = calloc(count, sizeof(*buckets));

	if (!buckets)
		abort();
	return buckets;
}

static void double_buckets(struct ptx_names *names)
{
	uint32_t count = names->bucket_count * 2;
	struct ptx_name **buckets = make_buckets(count), *next;

	for (uint32_t i = 0; i < names->bucket_count; i++)
		for (struct ptx_name *name = names->buckets[i]; name; name = next) {
			next = name->next;
			name->next = buckets[name->hash & (count - 1)];
			buckets[name->hash & (count - 1)] = name;
		}
	free(names->buckets);
	names->buckets = buckets;
	names->bucket_count = count;
}

static struct ptx_name *look_up_name(
	const struct ptx_names *names, const char *text, size_t length, uint32_t hash)
{
	struct ptx_name *name = names->buckets[hash & (names->bucket_count - 1)];

	while (name && (name->hash != hash || name->length != length || memcmp(name->text, text, length)))
		name = name->next;
	return name;
}

struct ptx_name *names_find(const struct ptx_names *names, const char *text, size_t length)
{
	return look_up_name(names, text, length, hash_text(text, length));
}

struct ptx_name *names_intern(struct ptx_names *names, const char *text, size_t length)
{
	uint32_t hash = hash_text(text, length);
	struct ptx_name *name = look_up_name(names, text, length, hash), **bucket;

	if (name)
		return name;
	if (names->count++ >= names->bucket_count)
		double_buckets(names);
	name = arena_alloc(names->arena, sizeof(*name) + length + 1);
	name->hash = hash;
	name->length = (uint32_t)length;
	memcpy(name->text, text, length);
	bucket = &names->buckets[hash & (names->bucket_count - 1)];
	name->next = *bucket;
	*bucket = name;
	return name;
}

struct ptx_name *name_of(const char *text)
{
	return (struct ptx_name *)(text - offsetof(struct ptx_name, text));
}

/* The entry of ".word". */
static struct ptx_name *dotted(struct ptx_names *names, const char *word)
{
	char text[64] = ".";

	strncat(text, word, sizeof(text) - 2);
	return names_intern(names, text, strlen(text));
}

static struct ptx_name *suffix(struct ptx_names *names, const char *word, enum ptx_role role, unsigned value)
{
	struct ptx_name *name = dotted(names, word);

	name->role = role;
	name->role_value = (uint16_t)value;
	return name;
}

static void add_types_and_spaces(struct ptx_names *names)
{
	static const char *const vectors[] = { "v2", "v4", "v8" };
	struct ptx_name *name;

	for (unsigned type = PTX_PRED; type < PTX_TYPE_COUNT; type++) {
		name = suffix(names, ptx_type_name(type), ROLE_TYPE, type);
		name->token = T_TYPE;
		name->value = (int16_t)type;
	}
	for (unsigned space = PTX_REG; space <= PTX_TEX; space++) {
		name = suffix(names, ptx_space_name(space), ROLE_SPACE, space);
		name->token = T_SPACE;
		name->value = (int16_t)space;
	}
	for (unsigned i = 0; i < COUNT(vectors); i++) {
		name = suffix(names, vectors[i], ROLE_VECTOR, 2u << i);
		name->token = T_VECTOR;
		name->value = (int16_t)(2 << i);
	}
}

/* Types of the references double as modifiers (istypep.texref), and there the type wins: skip those. */
static void add_modifiers(struct ptx_names *names)
{
	for (unsigned i = 0; i < PTX_MODIFIER_COUNT; i++) {
		struct ptx_name *name = dotted(names, modifier_spellings[i]);

		if (name->role)
			continue;
		name->role = ROLE_MODIFIER;
		name->role_value = (uint16_t)i;
		if (i == PTX_MOD_SHARED_CTA || i == PTX_MOD_SHARED_CLUSTER)
			name->role_space = PTX_SHARED;
		if (i == PTX_MOD_PARAM_ENTRY || i == PTX_MOD_PARAM_FUNC)
			name->role_space = PTX_PARAM;
		if (name->role_space) {
			name->token = T_SPACE;
			name->value = name->role_space;
		}
	}
}

void names_init(struct ptx_names *names, struct ptx_arena *arena)
{
	names->arena = arena;
	names->count = 0;
	names->bucket_count = FIRST_BUCKETS;
	names->buckets = make_buckets(FIRST_BUCKETS);
	for (unsigned i = 0; i < COUNT(directives); i++) {
		struct ptx_name *name =
			names_intern(names, directives[i].spelling, strlen(directives[i].spelling));

		name->token = (int16_t)directives[i].token;
		name->value = (int16_t)directives[i].value;
	}
	add_types_and_spaces(names);
	add_modifiers(names);
	for (unsigned i = 0; i < PTX_OPCODE_COUNT; i++)
		names_intern(names, opcode_spellings[i], strlen(opcode_spellings[i]))->opcode =
			(uint16_t)(i + 1);
	for (unsigned i = 0; i < PTX_SREG_COUNT; i++)
		names_intern(names, sreg_spellings[i], strlen(sreg_spellings[i]))->sreg = (uint16_t)(i + 1);
}

void names_fini(struct ptx_names *names)
{
	free(names->buckets);
	names->buckets = NULL;
}

const char *nearest_opcode(const char *text)
{
	return diag_nearest(text, opcode_spellings, COUNT(opcode_spellings));
}

const char *nearest_modifier(const char *text)
{
	const char *candidates[PTX_MODIFIER_COUNT + PTX_TYPE_COUNT + PTX_TEX + 1];
	size_t count = 0;

	for (unsigned i = PTX_PRED; i < PTX_TYPE_COUNT; i++)
		candidates[count++] = ptx_type_name(i);
	for (unsigned i = PTX_CONST; i <= PTX_TEX; i++)
		candidates[count++] = ptx_space_name(i);
	for (unsigned i = 0; i < PTX_MODIFIER_COUNT; i++)
		candidates[count++] = modifier_spellings[i];
	return diag_nearest(text, candidates, count);
}

const char *nearest_directive(const char *text)
{
	static const char *const others[] = { ".reg", ".const", ".global", ".local", ".param", ".shared",
		".tex" };
	const char *candidates[COUNT(directives) + COUNT(others) + PTX_TYPE_COUNT];
	char types[PTX_TYPE_COUNT][16];
	size_t count = 0;
	const char *nearest;

	for (unsigned i = 0; i < COUNT(directives); i++)
		candidates[count++] = directives[i].spelling;
	for (unsigned i = 0; i < COUNT(others); i++)
		candidates[count++] = others[i];
	for (unsigned i = PTX_PRED; i < PTX_TYPE_COUNT; i++) {
		strcpy(types[i], ".");
		strncat(types[i], ptx_type_name(i), sizeof(types[i]) - 2);
		candidates[count++] = types[i];
	}
	nearest = diag_nearest(text, candidates, count);
	for (unsigned i = PTX_PRED; nearest && i < PTX_TYPE_COUNT; i++)
		if (nearest == types[i])
			return ptx_type_name(i); /* outlives this function; the caller adds the dot */
	return nearest;
}

const char *nearest_sreg(const char *text)
{
	return diag_nearest(text, sreg_spellings, COUNT(sreg_spellings));
}
