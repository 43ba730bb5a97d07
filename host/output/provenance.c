/* host/output/provenance.c -- where a file of results comes from. */
#include "host/output/provenance.h"
#include "sim/text/json.h"
#include "sim/base/build_id.h"
#include "sim/config/config.h"
#include <inttypes.h>

void provenance_text(const struct provenance *p, bool is_interrupted, FILE *stream)
{
	fprintf(stream,
		"# lockstep " LOCKSTEP_VERSION ", build %s, seed %" PRIu64 "\n# command: ", build_id(),
		p->seed);
	config_print_comment(p->command ? p->command : "", stream);
	fputc('\n', stream);
	for (unsigned i = 0; i < p->note_count; i++)
		fprintf(stream, PROVENANCE_NOTE "%s\n", p->notes[i]);
	if (is_interrupted)
		fputs("# interrupted: of the run up to then\n", stream);
}

void provenance_json(const struct provenance *p, FILE *stream)
{
	fprintf(stream,
		"  \"version\": \"" LOCKSTEP_VERSION "\",\n  \"build\": \"%s\",\n  \"seed\": %" PRIu64
		",\n  \"command\": ",
		build_id(), p->seed);
	json_string(p->command ? p->command : "", stream);
	fputs(",\n", stream);
}
