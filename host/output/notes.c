/* host/output/notes.c -- what a run's statistics depend on beside its configuration and program: lines at the
 * top of the files that are still to be written, inserted at the top of stats.txt, and "notes" in stats.json.
 */
#include "sim/text/json.h"
#include "host/session/session_internal.h"

/* Moves what follows a place in the file. A pipe has the line where it comes. */
static long insert_line(FILE *f, long place, const char *line)
{
	long end = ftell(f);
	size_t size = end > place ? (size_t)(end - place) : 0;
	char *rest = xmalloc(size + 1);

	if (place >= 0 && end >= 0 && !fseek(f, place, SEEK_SET)) {
		size = fread(rest, 1, size, f);
		fseek(f, place, SEEK_SET);
	} else {
		size = 0;
	}
	fputs(line, f);
	fwrite(rest, 1, size, f);
	free(rest);
	return place + (long)strlen(line);
}

bool session_note(struct session *s, const char *text)
{
	struct provenance *p = &s->provenance;
	char line[512];

	for (unsigned i = 0; i < p->note_count; i++)
		if (!strcmp(p->notes[i], text))
			return false;
	if (p->note_count == PROVENANCE_NOTES)
		return false;
	p->notes[p->note_count++] = xstrdup(text);
	if (!s->output.folder)
		return true;
	snprintf(line, sizeof line, PROVENANCE_NOTE "%s\n", text);
	s->output.text_head = insert_line(s->output.text, s->output.text_head, line);
	if (s->output.text_tail >= 0)
		s->output.text_tail += (long)strlen(line);
	return true;
}

void notes_free(struct session *s)
{
	while (s->provenance.note_count)
		free(s->provenance.notes[--s->provenance.note_count]);
}

void notes_json(const struct session *s, FILE *f)
{
	const struct provenance *p = &s->provenance;

	for (unsigned i = 0; i < p->note_count; i++) {
		fputs(i ? ", " : "", f);
		json_string(p->notes[i], f);
	}
}
