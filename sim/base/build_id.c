/* sim/base/build_id.c -- finds the note that `ld --build-id` writes into an object, among the program
 * headers of the object that contains this code (ELF specification, "Note Section"; GNU property
 * NT_GNU_BUILD_ID). */
#include "sim/base/build_id.h"
#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { SHOWN_BYTES = 8 };

static char text[2 * SHOWN_BYTES + 1] = "none";

static bool object_holds(const struct dl_phdr_info *object, uintptr_t address)
{
	for (int i = 0; i < object->dlpi_phnum; i++) {
		const ElfW(Phdr) *p = &object->dlpi_phdr[i];

		if (p->p_type == PT_LOAD && address - (object->dlpi_addr + p->p_vaddr) < p->p_memsz)
			return true;
	}
	return false;
}

static size_t aligned(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

/* Looks for the build id among size bytes of notes. */
static void read_notes(const unsigned char *at, size_t size)
{
	ElfW(Nhdr) note;

	while (size >= sizeof(note)) {
		memcpy(&note, at, sizeof(note));
		size_t name = aligned(note.n_namesz), all = sizeof(note) + name + aligned(note.n_descsz);

		if (all > size)
			return;
		if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 &&
			!memcmp(at + sizeof(note), "GNU", 4)) {
			for (size_t i = 0; i < SHOWN_BYTES && i < note.n_descsz; i++)
				snprintf(text + 2 * i, 3, "%02x", at[sizeof(note) + name + i]);
			return;
		}
		at += all;
		size -= all;
	}
}

static int look_at_object(struct dl_phdr_info *object, size_t size, void *own)
{
	if (!object_holds(object, (uintptr_t)own))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_NOTE)
			read_notes((const unsigned char *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr),
				object->dlpi_phdr[i].p_memsz);
	return 1;
}

static void find_build_id(void)
{
	dl_iterate_phdr(look_at_object, text);
}

const char *build_id(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, find_build_id);
	return text;
}
