/* memsys/listener.c -- the list of a cache's listeners, and their notification. */
#include "memsys/listener.h"
#include "sim/base/xalloc.h"

bool listener_of_policy(struct cache_listener *listener, void *policy, const struct cache_hooks *hooks)
{
	*listener = (struct cache_listener){ .user = policy,
		.accessed = hooks->accessed,
		.filled = hooks->filled,
		.evicted = hooks->evicted };
	return hooks->accessed || hooks->filled || hooks->evicted;
}

void listeners_add(struct listeners *l, struct cache_listener *listener, uint32_t lines)
{
	struct cache_listener **last = &l->first;

	while (*last)
		last = &(*last)->next;
	*last = listener;
	listener->next = NULL;
	if (!l->owner)
		l->owner = xcalloc(lines, sizeof(*l->owner));
}

void listeners_fini(struct listeners *l)
{
	free(l->owner);
	*l = (struct listeners){ 0 };
}

void listeners_accessed(const struct listeners *l, const struct access_event *event)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->accessed)
			i->accessed(i->user, event);
}

void listeners_filled(const struct listeners *l, const struct fill_event *event)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->filled)
			i->filled(i->user, event);
}

void listeners_evicted(const struct listeners *l, struct eviction_event *event)
{
	event->owner = l->owner[event->line_index];
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->evicted)
			i->evicted(i->user, event);
}

void listeners_served(
	const struct listeners *l, const struct requester *by, cycles waited, picoseconds since_sent)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->served)
			i->served(i->user, by, waited, since_sent);
}

void listeners_repeated(const struct listeners *l, uint8_t refusal, cycles repeated)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->repeated)
			i->repeated(i->user, refusal, repeated);
}

void listeners_invalidated(const struct listeners *l, picoseconds now)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->invalidated)
			i->invalidated(i->user, now);
}

void listeners_kept(const struct listeners *l, addr line)
{
	for (const struct cache_listener *i = l->first; i; i = i->next)
		if (i->kept)
			i->kept(i->user, line);
}
