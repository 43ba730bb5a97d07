/* frontend/parse/attributes.c -- what stands before the names of a declaration: linkage, state space,
 * alignment, vector width, type. Which may stand twice, and in which order, is what the vendor's assembler
 * enforces. */
#include "frontend/parse/parser.h"
#include <string.h>

#define LARGEST_ALIGNMENT (1u << 20)

void declaration_begin(struct ptx_parser *p, struct ptx_location location, int linkage, int space)
{
	memset(&p->declaration, 0, sizeof(p->declaration));
	p->declaration.linkage = (enum ptx_linkage)linkage;
	p->declaration.space = (enum ptx_space)space;
	p->declaration.vector = 1;
	p->declaration.location = location;
}

void declaration_check_managed(struct ptx_parser *p, struct ptx_location location)
{
	if (p->declaration.is_managed && p->declaration.space != PTX_GLOBAL)
		parse_error(p, location, NULL, "'.managed' is for variables in .global");
}

void declaration_place(struct ptx_parser *p, struct ptx_location location, int space)
{
	p->declaration.space = (enum ptx_space)space;
	p->declaration.location = location;
	declaration_check_managed(p, location);
}

int linkage_join(struct ptx_parser *p, struct ptx_location location, int before, int linkage)
{
	if (before != PTX_NO_LINKAGE)
		parse_error(p, location, NULL, "a second linkage directive");
	if (linkage == PTX_WEAK)
		needs_version(p, location, ".weak", 31);
	if (linkage == PTX_COMMON)
		needs_version(p, location, ".common", 50);
	return linkage;
}

void declaration_type(struct ptx_parser *p, struct ptx_location location, int type)
{
	if (p->declaration.type != PTX_NO_TYPE)
		parse_error(p, location, NULL, "a second type");
	p->declaration.type = (enum ptx_type)type;
}

/* That of a pointer parameter's target stands behind .ptr. */
void declaration_space(struct ptx_parser *p, struct ptx_location location, int space)
{
	struct declaration *d = &p->declaration;

	if (!d->is_pointer)
		parse_error(p, location, NULL, "a second state space");
	else if (d->pointer_space != PTX_NO_SPACE)
		parse_error(p, location, NULL, "a second state space of the pointer");
	d->pointer_space = (enum ptx_space)space;
}

void declaration_vector(struct ptx_parser *p, struct ptx_location location, int vector)
{
	struct declaration *d = &p->declaration;

	if (d->vector > 1)
		parse_error(p, location, NULL, "a second vector width");
	else if (d->type != PTX_NO_TYPE)
		parse_error(p, location, NULL, "the vector width stands before the type");
	d->vector = (unsigned)vector;
}

void declaration_managed(struct ptx_parser *p, struct ptx_location location)
{
	if (!needs_version(p, location, ".attribute", 40) || !needs_target(p, location, ".managed", 30, 0))
		return;
	p->declaration.is_managed = true;
	if (p->declaration.space != PTX_NO_SPACE) /* else it follows */
		declaration_check_managed(p, location);
}

void declaration_unified(struct ptx_parser *p, struct ptx_location location, uint64_t first, uint64_t second)
{
	const uint64_t numbers[] = { first, second };

	if (needs(p, location, ".unified", 80, 90))
		p->declaration.unified = arena_copy(p->arena, numbers, sizeof(numbers));
}

void declaration_pointer(struct ptx_parser *p, struct ptx_location location)
{
	if (needs_version(p, location, ".ptr", 22) && (!p->function || !p->function->is_entry))
		parse_error(p, location, NULL, "'.ptr' is for parameters of an entry");
	if (p->declaration.is_pointer)
		parse_error(p, location, NULL, "a second '.ptr'");
	else if (p->declaration.type == PTX_NO_TYPE)
		parse_error(p, location, NULL, "'.ptr' stands behind the type");
	p->declaration.is_pointer = true;
}

void declaration_align(struct ptx_parser *p, struct ptx_location location, uint64_t align)
{
	if (!align || align & (align - 1) || align > LARGEST_ALIGNMENT)
		parse_error(p, location, NULL, "an alignment must be a power of two, at most %u",
			LARGEST_ALIGNMENT);
	else if (p->declaration.pointer_align)
		parse_error(p, location, NULL, "a second alignment of the pointer");
	else if (p->declaration.is_pointer)
		p->declaration.pointer_align = (unsigned)align;
	else if (p->declaration.type != PTX_NO_TYPE && p->declaration.space != PTX_PARAM)
		parse_error(p, location, NULL, "'.align' stands before the type");
	else
		p->declaration.align = align;
}
