/* core/chip/gpcs.c -- see gpcs.h. */
#include "core/chip/gpcs.h"
#include "sim/text/number.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool read_sizes(struct gpcs *g, const char *list, char *message, size_t size)
{
	const char *at = list;

	while (*(at += strspn(at, " "))) {
		const char *end;
		uint64_t sms = 0;

		if (number_read(at, &end, &sms) != NUMBER_FITS || (*end && *end != ' ') || !sms ||
			sms > NETWORK_MAX_PORTS || g->count == GPCS_MOST) {
			snprintf(message, size,
				"\"%s\", character %zu: expected at most %d numbers of SMs, such as 18 16 16",
				list, (size_t)(at - list) + 1, GPCS_MOST);
			return false;
		}
		g->size[g->count++] = (uint32_t)sms;
		at = end;
	}
	return true;
}

/* Two SMs of each GPC in turn. */
static void number_sms(struct gpcs *g, uint32_t sms)
{
	uint32_t given[GPCS_MOST] = { 0 }, number = 0;

	while (number < sms)
		for (uint32_t i = 0, first = 0; i < g->count; first += g->size[i++])
			for (int n = 0; n < 2 && given[i] < g->size[i]; n++)
				g->sms[first + given[i]++] = (uint16_t)number++;
}

bool gpcs_read(struct gpcs *g, const char *list, uint32_t sms, char *message, size_t size)
{
	uint32_t left = sms;

	*g = (struct gpcs){ 0 };
	if (!strcmp(list, "none")) {
		g->size[g->count++] = sms;
	} else if (!read_sizes(g, list, message, size)) {
		return false;
	}
	for (uint32_t i = 0; i < g->count; i++) {
		g->size[i] = g->size[i] < left ? g->size[i] : left;
		left -= g->size[i];
	}
	if (left) {
		snprintf(message, size, "\"%s\": %" PRIu32 " of the %" PRIu32 " SMs are in none", list, left,
			sms);
		return false;
	}
	number_sms(g, sms);
	return true;
}

uint32_t gpcs_clusters(const struct gpcs *g, uint32_t ctas_on_sm, uint32_t cluster_ctas)
{
	uint32_t clusters = 0;

	for (uint32_t i = 0; i < g->count; i++)
		clusters += g->size[i] * ctas_on_sm / cluster_ctas;
	return clusters;
}
