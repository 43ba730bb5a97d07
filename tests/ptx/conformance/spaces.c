/* tests/ptx/conformance/spaces.c -- the state spaces that a thread can write. */
#include "spaces.h"

#define GLOBAL "\t{\n\t.reg .b64 %p;\n\tmov.b64 %p, %m;\n"
#define SHARED \
	"\t{\n\t.shared .align 16 .b8 shared#[4096];\n\t.reg .b64 %p;\n\t.reg .b32 %thread;\n\tmov.u32 " \
	"%thread, " \
	"%tid.x;\n" \
	"\tmul.wide.u32 %offset, %thread, 32;\n\tmov.u64 %p, shared#;\n\tadd.u64 %p, %p, %offset;\n"
#define LOCAL "\t{\n\t.local .align 16 .b8 local#[32];\n\t.reg .b64 %p;\n\tmov.u64 %p, local#;\n"

const struct space spaces[SPACES] = {
	{ "global", ".global", "", GLOBAL, false },
	{ "shared", ".shared", "", SHARED, false },
	{ "local", ".local", "", LOCAL, false },
	{ "global", "", ", generic in global", GLOBAL "\tcvta.global.u64 %p, %p;\n", true },
	{ "shared", "", ", generic in shared", SHARED "\tcvta.shared.u64 %p, %p;\n", true },
	{ "local", "", ", generic in local", LOCAL "\tcvta.local.u64 %p, %p;\n", true },
};
