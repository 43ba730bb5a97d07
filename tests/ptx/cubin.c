/* tests/ptx/cubin.c -- cubin FILE: the instructions of each kernel of a cubin for sm_75 to sm_90 by class, on
 * one line: KERNEL memory control f32 f64 special integer registers KERNEL ... cubin FILE -m: products, sums
 * and multiply-adds of f32 and f64 alone: KERNEL products sums multiply-adds KERNEL ...
 *
 * An instruction has 16 bytes, its opcode stands in the lowest 12 bits of the first word: 9 for the
 * operation, 3 for the form of its operands. The padding behind a kernel's last instruction does not count,
 * nor do the subroutines that ptxas puts into its section, whose symbols begin with $. */
#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum class { MEMORY, CONTROL, F32, F64, SPECIAL, INTEGER, CLASSES };

#define NOP 0x118u
#define BRA 0x147u

/* What is none of the others is an integer instruction, moves and uniform ones included. */
static enum class class_of(unsigned operation)
{
	static const uint16_t lists[CLASSES][32] = {
		/* LD LDG LDL LDS ST STG STL STS SHFL, ATOM ATOMG ATOMS and their CAS, RED */
		[MEMORY] = { 0x180, 0x181, 0x183, 0x184, 0x185, 0x186, 0x187, 0x188, 0x189, 0x18a, 0x18b, 0x18c,
			0x18d, 0x18e, 0x1a8, 0x1a9, 0x1ab },
		/* NOP BAR MEMBAR BMOV BSYNC BREAK CALL BSSY BRA WARPSYNC BRX EXIT RET NANOSLEEP */
		[CONTROL] = { NOP, 0x11d, 0x192, 0x155, 0x156, 0x141, 0x142, 0x143, 0x144, 0x145, BRA, 0x148, 0x149, 0x14d,
			0x14e, 0x150, 0x15d },
		/* FSEL FMNMX FSET FSETP FMUL FADD FFMA, halves */
		[F32] = { 0x008, 0x009, 0x00a, 0x00b, 0x020, 0x021, 0x023, 0x030, 0x031, 0x032 },
		/* DMUL DADD DSETP DFMA */
		[F64] = { 0x028, 0x029, 0x02a, 0x02b },
		/* FCHK F2F F2I I2F FRND MUFU POPC FLO BREV and their 64-bit forms */
		[SPECIAL] = { 0x100, 0x101, 0x102, 0x104, 0x105, 0x106, 0x107, 0x108, 0x109, 0x110, 0x111, 0x112, 0x113 },
	};

	for (int c = 0; c < INTEGER; c++)
		for (int i = 0; i < 32 && lists[c][i]; i++)
			if (lists[c][i] == operation)
				return (enum class)c;
	return INTEGER;
}

struct file {
	const uint8_t *data;
	const Elf64_Ehdr *header;
	const Elf64_Shdr *sections;
};

static const char *string(const struct file *f, uint32_t section, uint32_t offset)
{
	return (const char *)f->data + f->sections[section].sh_offset + offset;
}

static int is_subroutine(const struct file *f, uint32_t section, uint64_t offset)
{
	for (uint32_t s = 0; s < f->header->e_shnum; s++) {
		const Elf64_Shdr *table = &f->sections[s];
		const Elf64_Sym *symbols = (const Elf64_Sym *)(const void *)(f->data + table->sh_offset);

		if (table->sh_type != SHT_SYMTAB)
			continue;
		for (uint64_t i = 0; i < table->sh_size / sizeof *symbols; i++)
			if (ELF64_ST_TYPE(symbols[i].st_info) == STT_FUNC && symbols[i].st_shndx == section &&
				*string(f, table->sh_link, symbols[i].st_name) == '$' &&
				offset >= symbols[i].st_value &&
				offset < symbols[i].st_value + symbols[i].st_size)
				return 1;
	}
	return 0;
}

/* Registers of a thread of the kernel: in its section's header up to sm_89; later in .nv.info, where an entry
 * has a format (4: of any length), an attribute (0x2f: registers), a length, and here a symbol and the
 * number. */
static unsigned registers_of(const struct file *f, uint32_t text, const char *kernel)
{
	if (f->sections[text].sh_info >> 24)
		return f->sections[text].sh_info >> 24;
	for (uint32_t s = 0; s < f->header->e_shnum; s++) {
		const Elf64_Shdr *info = &f->sections[s];
		const uint8_t *at = f->data + info->sh_offset, *end = at + info->sh_size;

		if (strcmp(string(f, f->header->e_shstrndx, info->sh_name), ".nv.info"))
			continue;
		while (at + 12 <= end) {
			const Elf64_Shdr *table = &f->sections[info->sh_link];
			const Elf64_Sym *symbols =
				(const Elf64_Sym *)(const void *)(f->data + table->sh_offset);
			uint32_t length = at[0] == 4 ? at[2] | (uint32_t)at[3] << 8 : 0, pair[2];

			memcpy(pair, at + 4, sizeof pair);
			if (at[0] == 4 && at[1] == 0x2f && pair[0] < table->sh_size / sizeof *symbols &&
				!strcmp(string(f, table->sh_link, symbols[pair[0]].st_name), kernel))
				return pair[1];
			at += 4 + length;
		}
	}
	return 0;
}

static void print_arithmetic(const struct file *f, uint32_t section, const char *name)
{
	static const uint16_t operations[3][2] = { { 0x020, 0x028 }, { 0x021, 0x029 }, { 0x023, 0x02b } };
	const Elf64_Shdr *text = &f->sections[section];
	unsigned counts[3] = { 0 };

	for (uint64_t offset = 0; offset < text->sh_size; offset += 16) {
		uint64_t word;

		memcpy(&word, f->data + text->sh_offset + offset, 8);
		for (int i = 0; i < 3; i++)
			counts[i] += (word & 0x1ff) == operations[i][0] || (word & 0x1ff) == operations[i][1];
	}
	printf("%s %u %u %u ", name, counts[0], counts[1], counts[2]);
}

static void print_kernel(const struct file *f, uint32_t section, const char *name)
{
	const Elf64_Shdr *text = &f->sections[section];
	unsigned counts[CLASSES] = { 0 }, *padding = calloc(text->sh_size / 16 + 1, sizeof *padding), n = 0;

	for (uint64_t offset = 0; offset < text->sh_size; offset += 16) {
		uint64_t word;

		memcpy(&word, f->data + text->sh_offset + offset, 8);
		if (!is_subroutine(f, section, offset))
			padding[n++] = word & 0x1ff;
	}
	while (n && padding[n - 1] == NOP)
		n--;
	n -= n && padding[n - 1] == BRA;
	for (unsigned i = 0; i < n; i++)
		counts[class_of(padding[i])]++;
	printf("%s", name);
	for (int c = 0; c < CLASSES; c++)
		printf(" %u", counts[c]);
	printf(" %u ", registers_of(f, section, name));
	free(padding);
}

int main(int argc, char **argv)
{
	FILE *stream = argc > 1 ? fopen(argv[1], "rb") : NULL;
	struct file f;
	uint8_t *data;
	long size;

	if (!stream || fseek(stream, 0, SEEK_END) || (size = ftell(stream)) < (long)sizeof(Elf64_Ehdr))
		return 1;
	rewind(stream);
	data = malloc((size_t)size);
	if (!data || fread(data, 1, (size_t)size, stream) != (size_t)size)
		return 1;
	fclose(stream);
	f.data = data;
	f.header = (const Elf64_Ehdr *)(void *)data;
	f.sections = (const Elf64_Shdr *)(const void *)(data + f.header->e_shoff);
	for (uint32_t s = 0; s < f.header->e_shnum; s++) {
		const char *name = string(&f, f.header->e_shstrndx, f.sections[s].sh_name);

		if (!strncmp(name, ".text.", 6))
			(argc > 2 ? print_arithmetic : print_kernel)(&f, s, name + 6);
	}
	putchar('\n');
	free(data);
	return 0;
}
