/* host/runtime/redirect/watch.c -- liblockstep-redirect.so, for objects with the vendor's runtime in them
 * (nvcc's default links it into programs and libraries). `lockstep run` preloads it. It sees every object of
 * the process before the object's constructors run, which call the runtime already:
 *
 * - those that are there from the start, because it is initialised before all others (-z initfirst);
 * - those that the program loads later, because it makes the function jump here that the dynamic linker calls
 *   for debuggers when it has mapped objects (r_debug in <link.h>). No constructor has run then, nor has the
 *   object been relocated. */
#include "host/runtime/redirect/redirect.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The objects that were there at the last look. Another one may come to the place of one that went. */
struct known {
	const struct link_map *map;
	uintptr_t base;
};
static struct known *known;
static size_t known_count;

/* Tells libcuda that the runtimes of this process are redirected, where they can be. */
extern const bool lockstep_redirects;
const bool lockstep_redirects = true;

/* They stay in the same order: *next, where the one before was found, is right nearly always. */
static bool is_object_known(const struct link_map *map, size_t *next)
{
	for (size_t i = 0; i < known_count; i++) {
		size_t at = (*next + i) % known_count;

		if (known[at].map == map && known[at].base == map->l_addr) {
			*next = at + 1;
			return true;
		}
	}
	return false;
}

/* The program itself has no name; what has no file has one without a folder. */
static void redirect_map(const struct link_map *map)
{
	if (map == _r_debug.r_map)
		redirect_object("/proc/self/exe", map->l_addr);
	else if (strchr(map->l_name, '/'))
		redirect_object(map->l_name, map->l_addr);
}

static void append_known(struct known **list, size_t *count, const struct link_map *map)
{
	struct known *longer = realloc(*list, (*count + 1) * sizeof *longer);

	if (!longer)
		abort();
	longer[(*count)++] = (struct known){ map, map->l_addr };
	*list = longer;
}

/* The objects of each namespace (dlmopen), of which older dynamic linkers tell the first alone. */
static const struct r_debug *next_namespace(const struct r_debug *space)
{
	const struct {
		struct r_debug base;
		const struct r_debug *next;
	} *extended = (const void *)space; /* r_debug_extended of newer headers */

	return _r_debug.r_version >= 2 ? extended->next : NULL;
}

static void look_for_objects(void)
{
	struct known *now = NULL;
	size_t count = 0, next = 0;

	for (const struct r_debug *space = &_r_debug; space; space = next_namespace(space))
		for (const struct link_map *map = space->r_map; map; map = map->l_next) {
			if (!is_object_known(map, &next)) {
				if (space->r_state != RT_CONSISTENT) /* not whole yet */
					continue;
				redirect_map(map);
			}
			append_known(&now, &count, map);
		}
	free(known);
	known = now;
	known_count = count;
}

static void watch_linker(void)
{
	uintptr_t at = (uintptr_t)_r_debug.r_brk;

	if (at && jumps_begin(at, at + jump_size)) {
		bool is_written = jump_write_near(at, (const void *)look_for_objects);

		if (jumps_end(at, at + jump_size) && is_written)
			return;
	}
	fputs("lockstep: the dynamic linker cannot be watched: libraries that the program loads later cannot "
	      "have the CUDA runtime linked into them\n",
		stderr);
}

__attribute__((constructor)) static void start_watching(void)
{
	watch_linker();
	look_for_objects();
}
