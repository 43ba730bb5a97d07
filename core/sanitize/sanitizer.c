/* core/sanitize/sanitizer.c -- the sanitizer's life: the names of its checks, and its place under the
 * machine.
 */
#include "core/sanitize/sanitize_internal.h"
#include "sim/base/xalloc.h"
#include <string.h>

static uint32_t check_named(const char *name, size_t length)
{
	if (length == 3 && !strncmp(name, "all", 3))
		return (1u << SANITIZE_CHECK_COUNT) - 1;
	for (uint32_t i = 0; i < SANITIZE_CHECK_COUNT; i++)
		if (strlen(finding_check_name(1u << i)) == length &&
			!strncmp(finding_check_name(1u << i), name, length))
			return 1u << i;
	return 0;
}

bool sanitize_parse(const char *text, uint32_t *checks, struct diag_list *diags)
{
	*checks = 0;
	while (*text) {
		size_t length = strcspn(text, ",");
		uint32_t check = check_named(text, length);

		if (!check) {
			diag_error(diags, NULL,
				"--sanitize %.*s: expected memory, race, init, sync, leak or all, separated "
				"by "
				"commas",
				(int)length, text);
			return false;
		}
		*checks |= check;
		text += length + (text[length] == ',');
	}
	if (!*checks)
		diag_error(diags, NULL,
			"--sanitize: expected memory, race, init, sync, leak or all, separated by commas");
	return *checks;
}

struct sanitizer *sanitizer_new(uint32_t checks)
{
	struct sanitizer *s = xcalloc(1, sizeof(*s));

	s->checks = checks;
	accesses_hook();
	exec_watch(sanitize_table);
	control_watch(sanitize_control);
	return s;
}

uint64_t sanitizer_count(const struct sanitizer *s, uint64_t *sum)
{
	*sum = 0;
	for (size_t i = 0; i < s->findings.count; i++)
		*sum += s->findings.list[i]->count;
	return s->findings.count;
}

void sanitizer_free(struct sanitizer *s)
{
	if (!s)
		return;
	exec_watch(NULL);
	control_watch(NULL);
	shadows_free(s);
	heap_fini(s);
	unwritten_free(&s->unwritten);
	free(s->allocations);
	findings_free(&s->findings);
	free(s);
}

bool sanitizer_looks_for(const struct sanitizer *s, enum sanitize_check check)
{
	return s && s->checks & check;
}
