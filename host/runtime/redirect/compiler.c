/* host/runtime/redirect/compiler.c -- the vendor's compilers for running programs. What libnvrtc makes for a
 * chip (sm_NN) is machine code, and it keeps the PTX of which it made that: who asks for the one gets the
 * other. libnvJitLink makes machine code of PTX: our driver library links PTX in its place. */
#include "host/runtime/redirect/redirect.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The function itself goes on: the target is known from the start. */
static void send(const struct object *o, const char *path, const char *name, const char *to)
{
	static struct target targets[16];
	static unsigned used;
	const struct function *from = object_find(o, name), *code = object_find(o, to);

	if (!from || !code || used == sizeof targets / sizeof *targets)
		return;
	targets[used] = (struct target){ .code = (const void *)code->at, .name = to };
	if (!jump_write(from->at, from->size, &targets[used++]))
		fprintf(stderr, "lockstep: %s in %s cannot be redirected\n", name, path);
}

/* "nvJitLinkCreate" of "__nvJitLinkCreate_13_0"; false: it is no such name. */
static bool name_without_version(const char *name, char *plain, size_t size)
{
	size_t length;

	name += strncmp(name, "__", 2) ? 0 : 2;
	length = strlen(name);
	if (strncmp(name, "nvJitLink", 9) || !isupper((unsigned char)name[9]) || length >= size)
		return false;
	while (length && (isdigit((unsigned char)name[length - 1]) || name[length - 1] == '_'))
		length--;
	memcpy(plain, name, length);
	plain[length] = '\0';
	return strcmp(plain, "nvJitLinkAPI") != 0;
}

#define ALIGNED 16 /* bytes from one of its functions to the next, at least: they are short */

/* The bytes of a function, with those that fill up the place to the next. */
static size_t room_of(const struct function *f)
{
	const unsigned char *behind = (const unsigned char *)(f->at + f->size);
	bool is_filled =
		f->size < ALIGNED && f->at % ALIGNED == 0 && strchr("\x66\x90\x0f\xcc", *behind) && *behind;

	return is_filled ? ALIGNED : f->size;
}

static void send_links(const struct object *o, const char *path)
{
	char plain[64];

	for (size_t i = 0; i < o->count; i++) {
		const struct function *f = &o->functions[i];

		if (name_without_version(f->name, plain, sizeof plain) &&
			!jump_write(f->at, room_of(f), target_of(plain, "libcuda.so.1")))
			fprintf(stderr, "lockstep: %s in %s cannot be redirected\n", f->name, path);
	}
}

void redirect_compiler(const struct object *o, const char *path)
{
	uintptr_t from, to;

	if (o->is_ours || (!object_find(o, "nvrtcGetCUBIN") && !object_find(o, "nvJitLinkCreate")))
		return;
	object_range(o, &from, &to);
	if (!jumps_begin(from, to)) {
		fprintf(stderr, "lockstep: %s cannot be redirected: its code cannot be changed\n", path);
		return;
	}
	send(o, path, "nvrtcGetCUBIN", "nvrtcGetPTX");
	send(o, path, "nvrtcGetCUBINSize", "nvrtcGetPTXSize");
	send_links(o, path);
	jumps_end(from, to);
}
