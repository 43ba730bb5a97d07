/* host/runtime/redirect.c -- liblockstep-redirect.so, for programs with the vendor's runtime linked into them
 * (nvcc's default). `lockstep run` preloads it: before the program's constructors run, each cuda* function in
 * the program is made to jump to that of our libcudart, so that the code behind it is never executed. Which
 * they are, the program's symbol table says; a program without one (stripped) is left alone, and told about.
 * x86-64 and AArch64. Other programs are left as they are. */

#include <dlfcn.h>
#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct program {
	const unsigned char *file; /* mapped */
	size_t size;
	uintptr_t base; /* what is added to its addresses */
	const Elf64_Sym *symbols;
	size_t symbol_count;
	const char *names;
	size_t names_size;
};

/* -- the program's symbols -- */

static bool is_inside(const struct program *p, uint64_t offset, uint64_t size)
{
	return offset <= p->size && size <= p->size - offset;
}

static bool find_symbols(struct program *p)
{
	const Elf64_Ehdr *head = (const void *)p->file;
	const Elf64_Shdr *sections;

	if (p->size < sizeof *head || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
		head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_shentsize != sizeof *sections ||
		!is_inside(p, head->e_shoff, (uint64_t)head->e_shnum * sizeof *sections))
		return false;
	sections = (const void *)(p->file + head->e_shoff);
	for (unsigned i = 0; i < head->e_shnum; i++) {
		const Elf64_Shdr *s = &sections[i], *names;

		if (s->sh_type != SHT_SYMTAB || s->sh_link >= head->e_shnum ||
			!is_inside(p, s->sh_offset, s->sh_size))
			continue;
		names = &sections[s->sh_link];
		if (!is_inside(p, names->sh_offset, names->sh_size) || !names->sh_size ||
			p->file[names->sh_offset + names->sh_size - 1])
			continue;
		p->symbols = (const void *)(p->file + s->sh_offset);
		p->symbol_count = s->sh_size / sizeof *p->symbols;
		p->names = (const char *)p->file + names->sh_offset;
		p->names_size = names->sh_size;
		return true;
	}
	return false;
}

static const char *name_of(const struct program *p, const Elf64_Sym *s)
{
	return s->st_name < p->names_size ? p->names + s->st_name : "";
}

static bool is_runtime_function(const struct program *p, const Elf64_Sym *s)
{
	const char *name = name_of(p, s);

	return ELF64_ST_TYPE(s->st_info) == STT_FUNC && s->st_shndx != SHN_UNDEF && s->st_value &&
		(strncmp(name, "cuda", 4) == 0 || strncmp(name, "__cuda", 6) == 0);
}

static bool has(const struct program *p, const char *name)
{
	for (size_t i = 0; i < p->symbol_count; i++)
		if (is_runtime_function(p, &p->symbols[i]) && strcmp(name_of(p, &p->symbols[i]), name) == 0)
			return true;
	return false;
}

/* By functions that came or went with a version. */
static int version_of(const struct program *p)
{
	return has(p, "cudaGetDeviceProperties_v2") ? 12000
		: has(p, "cudaLogsCurrent")         ? 13000
		: has(p, "cudaMallocAsync")         ? 11020
		: has(p, "cudaStreamGetAttribute")  ? 11000
						    : 10020;
}

/* -- jumping -- */

#if defined(__x86_64__)
/* movabs $target, %r11; jmp *%r11 */
#define JUMP_SIZE 13
static void write_jump(unsigned char *to, const void *target)
{
	const unsigned char code[JUMP_SIZE] = { 0x49, 0xbb, [10] = 0x41, 0xff, 0xe3 };

	memcpy(to, code, JUMP_SIZE);
	memcpy(to + 2, &target, 8);
}
#elif defined(__aarch64__)
/* ldr x16, 8 bytes on; br x16; the address */
#define JUMP_SIZE 16
static void write_jump(unsigned char *to, const void *target)
{
	const uint32_t code[2] = { 0x58000050, 0xd61f0200 };

	memcpy(to, code, 8);
	memcpy(to + 8, &target, 8);
	__builtin___clear_cache((char *)to, (char *)to + JUMP_SIZE);
}
#else
#define JUMP_SIZE SIZE_MAX
static void write_jump(unsigned char *to, const void *target)
{
	(void)to, (void)target;
}
#endif

static void *page_of(uintptr_t address)
{
	return (void *)(address & ~((uintptr_t)sysconf(_SC_PAGESIZE) - 1));
}

/* Some systems forbid memory that can be written and executed: first the one, then the other. */
static bool protect(uintptr_t from, size_t size, int protection)
{
	char *first = page_of(from);

	return mprotect(first, from + size - (uintptr_t)first, protection) == 0;
}

static bool redirect(const struct program *p, const Elf64_Sym *s, const void *target)
{
	uintptr_t at = p->base + s->st_value;

	/* functions begin at multiples of 16: what is behind a shorter one is not used */
	if ((at % 16 || JUMP_SIZE > 16) && s->st_size < JUMP_SIZE)
		return false;
	if (!protect(at, JUMP_SIZE, PROT_READ | PROT_WRITE))
		return false;
	write_jump((unsigned char *)at, target);
	return protect(at, JUMP_SIZE, PROT_READ | PROT_EXEC);
}

enum { NOT_SUPPORTED = 801 }; /* cudaErrorNotSupported */

static int unknown_function(void)
{
	static bool is_said;

	if (!is_said)
		fputs("lockstep: the program called a function of the CUDA runtime that is not supported\n",
			stderr);
	is_said = true;
	return NOT_SUPPORTED;
}

static void redirect_all(const struct program *p, void *library)
{
	for (size_t i = 0; i < p->symbol_count; i++) {
		const Elf64_Sym *s = &p->symbols[i];
		const char *name = name_of(p, s);
		const void *target;

		/* nvcc's stubs are the program's own, and begin like that, too */
		if (!is_runtime_function(p, s) || strncmp(name, "__cudaRegisterLinkedBinary", 26) == 0 ||
			strcmp(name, "__cudaUnregisterBinaryUtil") == 0)
			continue;
		target = dlsym(library, name);
		if (!target && strncmp(name, "__cuda", 6) == 0)
			continue;
		if (!redirect(p, s, target ? target : (const void *)unknown_function))
			fprintf(stderr, "lockstep: %s in the program cannot be redirected\n", name);
	}
}

/* -- at the start of the process -- */

/* The first object is the program itself. */
static int take_base(struct dl_phdr_info *info, size_t size, void *base)
{
	(void)size;
	*(uintptr_t *)base = info->dlpi_addr;
	return 1;
}

static bool map_program(struct program *p)
{
	int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat about;
	void *mapped = MAP_FAILED;

	if (file >= 0 && fstat(file, &about) == 0 && about.st_size > 0)
		mapped = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, file, 0);
	if (file >= 0)
		close(file);
	if (mapped == MAP_FAILED)
		return false;
	p->file = mapped;
	p->size = (size_t)about.st_size;
	return true;
}

static int is_runtime(struct dl_phdr_info *info, size_t size, void *unused)
{
	(void)size, (void)unused;
	return info->dlpi_name && strstr(info->dlpi_name, "/libcudart.so");
}

/* Whether it holds kernels, and no shared runtime is there that it could call. */
static bool looks_linked(const struct program *p)
{
	static const char section[] = ".nv_fatbin";

	return memmem(p->file, p->size, section, sizeof section) && !dl_iterate_phdr(is_runtime, NULL);
}

/* Our libcudart, which lies beside this library. */
static void *open_runtime(void)
{
	char path[PATH_MAX + 32];
	Dl_info self;
	void *library;

	if (!dladdr((const void *)open_runtime, &self) || !realpath(self.dli_fname, path))
		return NULL;
	strcpy(strrchr(path, '/') + 1, "libcudart.so.13");
	library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!library)
		fprintf(stderr, "lockstep: %s\n", dlerror());
	return library;
}

static void redirect_program(const struct program *p)
{
	void *library = open_runtime();
	void (*set_version)(int version);

	if (!library)
		return;
	set_version = (void (*)(int))(uintptr_t)dlsym(library, "lockstep_set_runtime_version");
	if (set_version)
		set_version(version_of(p));
	redirect_all(p, library);
}

__attribute__((constructor)) static void start(void)
{
	struct program p = { 0 };

	if (!map_program(&p))
		return;
	dl_iterate_phdr(take_base, &p.base);
	if (find_symbols(&p) && has(&p, "__cudaRegisterFatBinary")) {
		redirect_program(&p);
	} else if (looks_linked(&p)) {
		fputs("lockstep: the program has the CUDA runtime linked into it and no symbol table, so "
		      "that its "
		      "calls cannot be redirected: link it with -cudart shared (NVCC_APPEND_FLAGS does it, "
		      "too), "
		      "or do not strip it\n",
			stderr);
		_exit(EXIT_FAILURE); /* it would not get past its first call */
	}
	munmap((void *)p.file, p.size);
}
