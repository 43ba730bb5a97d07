/* host/runtime/redirect/object.c -- which functions of the CUDA runtime an ELF file defines. The vendor's
 * static runtime has them as local symbols, which are in the symbol table that `strip` removes; its shared
 * runtime exports them. So do its compilers. */
#include "host/runtime/redirect/redirect.h"

#include <elf.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct symbols {
	const Elf64_Sym *first;
	size_t count;
	const char *names;
	size_t names_size; /* its last byte is zero */
};

static bool is_inside_object(const struct object *o, uint64_t offset, uint64_t size)
{
	return offset <= o->size && size <= o->size - offset;
}

static bool take_symbols(
	const struct object *o, const Elf64_Shdr *s, const Elf64_Shdr *names, struct symbols *symbols)
{
	if (!is_inside_object(o, s->sh_offset, s->sh_size) ||
		!is_inside_object(o, names->sh_offset, names->sh_size) || !names->sh_size ||
		o->file[names->sh_offset + names->sh_size - 1])
		return false;
	*symbols = (struct symbols){
		.first = (const void *)(o->file + s->sh_offset),
		.count = s->sh_size / sizeof(Elf64_Sym),
		.names = (const char *)o->file + names->sh_offset,
		.names_size = names->sh_size,
	};
	return true;
}

/* The whole table, or what an object without one exports. */
static bool find_symbols(const struct object *o, struct symbols *symbols)
{
	const Elf64_Ehdr *head = (const void *)o->file;
	const Elf64_Shdr *sections;
	bool is_found = false;

	if (o->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
		head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof *sections ||
		!is_inside_object(o, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections))
		return false;
	sections = (const void *)(o->file + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i];

		if ((s->sh_type != SHT_SYMTAB && (s->sh_type != SHT_DYNSYM || is_found)) ||
			s->sh_link >= head->e_shnum)
			continue;
		is_found |= take_symbols(o, s, &sections[s->sh_link], symbols);
	}
	return is_found;
}

static bool name_begins_with(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Of the runtime, or of a compiler. */
static bool is_name_of_interest(const char *name)
{
	name += name_begins_with(name, "__") ? 2 : 0;
	return name_begins_with(name, "cuda") || name_begins_with(name, "nvrtcGet") ||
		name_begins_with(name, "nvJitLink");
}

static void take_functions(struct object *o, const struct symbols *symbols, uintptr_t base)
{
	for (size_t i = 0; i < symbols->count; i++) {
		const Elf64_Sym *s = &symbols->first[i];
		const char *name = s->st_name < symbols->names_size ? symbols->names + s->st_name : "";

		if (s->st_shndx == SHN_UNDEF || !s->st_value)
			continue;
		o->is_ours |=
			strcmp(name, "lockstep_runtime_version") == 0 || strcmp(name, "lockstep_replay") == 0;
		if (ELF64_ST_TYPE(s->st_info) != STT_FUNC || !is_name_of_interest(name))
			continue;
		if (!(o->count & (o->count - 1))) /* room for a power of two */
			o->functions =
				realloc(o->functions, (o->count ? 2 * o->count : 1) * sizeof *o->functions);
		if (!o->functions)
			abort();
		o->functions[o->count++] = (struct function){ name, base + s->st_value, s->st_size,
			ELF64_ST_BIND(s->st_info) == STB_LOCAL };
	}
}

static int names_by_text(const void *a, const void *b)
{
	return strcmp(((const struct function *)a)->name, ((const struct function *)b)->name);
}

static bool map_file(struct object *o, const char *path)
{
	int file = open(path, O_RDONLY | O_CLOEXEC);
	struct stat about;
	void *mapped = MAP_FAILED;

	if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0)
		mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (file >= 0)
		close(file);
	if (mapped == MAP_FAILED)
		return false;
	*o = (struct object){ .file = mapped, .size = (size_t)about.st_size };
	return true;
}

bool object_open(struct object *o, const char *path, uintptr_t base)
{
	struct symbols symbols = { 0 };

	if (!map_file(o, path))
		return false;
	if (find_symbols(o, &symbols))
		take_functions(o, &symbols, base);
	qsort(o->functions, o->count, sizeof *o->functions, names_by_text);
	if (o->count)
		return true;
	object_close(o);
	return false;
}

void object_close(struct object *o)
{
	free(o->functions);
	munmap((void *)o->file, o->size);
}

const struct function *object_find(const struct object *o, const char *name)
{
	const struct function key = { .name = name };

	return bsearch(&key, o->functions, o->count, sizeof key, names_by_text);
}

void object_range(const struct object *o, uintptr_t *from, uintptr_t *to)
{
	*from = UINTPTR_MAX;
	*to = 0;
	for (size_t i = 0; i < o->count; i++) {
		*from = o->functions[i].at < *from ? o->functions[i].at : *from;
		*to = o->functions[i].at + jump_size > *to ? o->functions[i].at + jump_size : *to;
	}
}

bool object_contains(const struct object *o, const char *text)
{
	return memmem(o->file, o->size, text, strlen(text));
}
