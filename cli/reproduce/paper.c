/* cli/reproduce/paper.c -- claims of a paper: read, counted. */
#include "cli/reproduce/paper.h"
#include "sim/base/xalloc.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool claim_differs(const struct report_claim *c)
{
	return claim_is_printed(c) && !isnan(c->measured) && !verdict_of(&c->printed, c->measured).is_within;
}

static bool read_sweep(struct paper *p, struct paper_source *source, struct diag_list *diags)
{
	struct report_options options = { .folder = "", .claims = &p->claims };
	struct store *store = store_open(source->path, STORE_READ, diags);
	bool fine = store && report_make(store, &options, &source->made, diags);

	store_close(store);
	return fine;
}

bool paper_read(struct paper *p, const char *path, struct diag_list *diags)
{
	const char *dot = strrchr(path, '.');
	struct paper_source *source;
	bool fine;

	p->sources = xrealloc(p->sources, (p->source_count + 1) * sizeof(*p->sources));
	source = &p->sources[p->source_count++];
	*source = (struct paper_source){
		.path = path, .is_sweep = !dot || strcmp(dot, ".csv") != 0, .first = p->claims.count
	};
	fine = source->is_sweep ? read_sweep(p, source, diags) : report_claims_read(&p->claims, path, diags);
	source->count = p->claims.count - source->first;
	return fine;
}

static void count_claim(struct paper_counts *n, const struct report_claim *c)
{
	struct verdict v = verdict_of(&c->printed, c->measured);
	bool is_number = c->printed.word == WORD_NONE;

	n->claims++;
	n->in_direction += v.is_in_direction;
	n->unchecked += isnan(c->measured) ? 1 : 0;
	n->numbers += is_number;
	n->numbers_unchecked += is_number && isnan(c->measured);
	n->within += is_number && v.is_within;
	n->differing += claim_differs(c);
	n->unexplained += claim_differs(c) && !c->why;
}

struct paper_counts paper_count(const struct paper *p)
{
	struct paper_counts counts = { 0 };

	for (size_t i = 0; i < p->claims.count; i++)
		if (claim_is_printed(&p->claims.items[i]))
			count_claim(&counts, &p->claims.items[i]);
	return counts;
}

void paper_counts_add(struct paper_counts *to, const struct paper_counts *more)
{
	to->claims += more->claims;
	to->in_direction += more->in_direction;
	to->unchecked += more->unchecked;
	to->numbers += more->numbers;
	to->numbers_unchecked += more->numbers_unchecked;
	to->within += more->within;
	to->differing += more->differing;
	to->unexplained += more->unexplained;
}

void paper_fini(struct paper *p)
{
	report_claims_fini(&p->claims);
	free(p->sources);
}
