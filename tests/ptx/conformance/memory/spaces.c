/* tests/ptx/conformance/memory/spaces.c -- the state spaces that a thread can write. */
#include "spaces.h"

#define GLOBAL "{ .reg .b64 %p; mov.b64 %p, %m; "
#define SHARED \
	"{ .shared .align 16 .b8 shared#[4096]; .reg .b64 %p; .reg .b32 %thread; mov.u32 %thread, %tid.x; " \
	"mul.wide.u32 %offset, %thread, 32; mov.u64 %p, shared#; add.u64 %p, %p, %offset; "
#define LOCAL "{ .local .align 16 .b8 local#[32]; .reg .b64 %p; mov.u64 %p, local#; "

const struct space spaces[SPACES] = {
	{ "global", ".global", "", GLOBAL, false },
	{ "shared", ".shared", "", SHARED, false },
	{ "local", ".local", "", LOCAL, false },
	{ "global", "", ", generic in global", GLOBAL "cvta.global.u64 %p, %p; ", true },
	{ "shared", "", ", generic in shared", SHARED "cvta.shared.u64 %p, %p; ", true },
	{ "local", "", ", generic in local", LOCAL "cvta.local.u64 %p, %p; ", true },
};
