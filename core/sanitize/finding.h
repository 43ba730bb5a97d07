/* core/sanitize/finding.h -- what has been found, once for each place in the program, with a count. */
#ifndef CORE_SANITIZE_FINDING_H
#define CORE_SANITIZE_FINDING_H

#include "core/simt/warp.h"
#include <stdio.h>

enum finding_kind {
#define KIND(id, check, name, meaning) FINDING_##id,
#include "core/sanitize/kinds.def"
#undef KIND
	FINDING_KINDS
};

/* An instruction of a kernel. Texts are the finding's own: modules may be unloaded before the end. */
struct finding_place {
	char *file, *function; /* NULL: none */
	uint32_t line;         /* of the PTX; 0: none */
	char *quote;           /* that line; NULL: none */
	char *source;          /* what it was compiled from, FILE:LINE; NULL: not known */
	uint32_t thread[3];    /* of the first time */
};

struct finding {
	enum finding_kind kind;
	uint64_t number;            /* of host findings: what distinguishes them */
	char *kernel;               /* NULL: found on the host's side */
	struct finding_place here;  /* the access, or the operation */
	struct finding_place other; /* the earlier access; its line is 0: there is none */
	uint64_t count;             /* how many instructions of warps */
	uint64_t serial;            /* the last of them */
	/* the first time: */
	uint64_t launch;
	char *parent; /* the kernel that has launched it; NULL: the host has */
	uint32_t cta[3];
	const char *space; /* NULL: no address */
	addr address;
	uint32_t bytes;
	char *detail; /* a sentence more, or NULL */
	struct finding *next;
};

struct findings {
	struct finding **list; /* in the order in which they were found */
	size_t count, capacity;
	struct finding *bucket[256];
};

/* A place by the program's own numbers. */
struct finding_event {
	enum finding_kind kind;
	uint64_t serial; /* of the instruction: what it has found twice counts once */
	const struct warp *warp;
	const struct uop *uop;
	uint32_t lane;
	const struct uop *other; /* NULL: none */
	uint32_t other_warp, other_lane;
};

/* Counts; the finding if it is new, so that the rest can be filled in, else NULL. */
struct finding *finding_note(struct findings *findings, const struct finding_event *event);
/* The same for the host's side: the finding with that number. */
struct finding *finding_note_host(struct findings *findings, enum finding_kind kind, uint64_t number);
void finding_access(struct finding *finding, const char *space, addr address, uint32_t bytes);
void finding_detail(struct finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint32_t finding_check(enum finding_kind kind);
const char *finding_check_name(uint32_t check); /* memory, race ... */
const char *finding_name(enum finding_kind kind);
const char *finding_meaning(enum finding_kind kind);

void findings_free(struct findings *findings);

/* place.c: an instruction in words. */
void place_fill(struct finding_place *place, const struct kernel_run *run, const struct uop *u, uint32_t warp,
	uint32_t lane);
void place_free(struct finding_place *place);

#endif
