/* host/driver/threads/driver_thread.c -- the list of the threads of the process.
 *
 * A thread enters itself at its first call, before it has the lock; others that exist are entered when they
 * are looked for. Threads that have ended are removed. */
#include "host/driver/threads/threads.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct thread *_Atomic first;
static __thread struct thread *self;
static unsigned ours;

struct thread *thread_first(void)
{
	return atomic_load(&first);
}

static struct thread *thread_new(pid_t tid, bool is_own)
{
	struct thread *t = xcalloc(1, sizeof *t);

	t->tid = tid;
	t->is_own = is_own;
	t->rank = UINT32_MAX;
	t->next = atomic_load(&first);
	while (!atomic_compare_exchange_weak(&first, &t->next, t))
		;
	return t;
}

static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void make_key(void)
{
	pthread_key_create(&key, thread_ends);
}

/* An entry that others have made for the thread is behind this one, and goes at the next renewal. */
struct thread *thread_self(void)
{
	if (!self) {
		self = thread_new(look_self(), true);
		pthread_once(&key_once, make_key);
		pthread_setspecific(key, self);
	}
	return self;
}

static struct thread *thread_of(pid_t tid)
{
	for (struct thread *t = thread_first(); t; t = t->next)
		if (t->tid == tid)
			return t;
	return thread_new(tid, false);
}

/* -- the list brought up to date -- */

static bool is_alive(pid_t tid)
{
	return !syscall(SYS_tgkill, getpid(), tid, 0) || errno != ESRCH;
}

/* Another entry stands for the same thread. */
static bool is_double(const struct thread *entry)
{
	for (const struct thread *t = thread_first(); t; t = t->next)
		if (t->is_seen && t->tid == entry->tid)
			return true;
	return false;
}

/* The first entry stays until others are pushed in front of it; one that a thread has made for itself, which
 * may be newer than the look at all threads, as long as the thread lives. */
static void remove_ended(void)
{
	struct thread *head = thread_first(), *t, **link = head ? &head->next : NULL;

	while (link && (t = *link)) {
		if (t->is_seen || ((t->is_own || !is_double(t)) && is_alive(t->tid))) {
			link = &t->next;
			continue;
		}
		*link = t->next;
		free(t);
	}
}

void threads_renew(void)
{
	const pid_t *tids;
	unsigned count = look_for_all(&tids);

	for (struct thread *t = thread_first(); t; t = t->next)
		t->is_seen = false;
	for (unsigned i = 0; i < count; i++) {
		struct thread *t = thread_of(tids[i]);

		t->is_seen = true;
		t->rank = i;
	}
	remove_ended();
}

/* -- threads of our own -- */

void driver_thread_is_ours(void)
{
	thread_self()->is_ours = true;
	__atomic_fetch_add(&ours, 1, __ATOMIC_RELAXED);
	guard_open();
}

bool driver_thread_of_ours(void)
{
	return thread_self()->is_ours;
}

static pid_t *before;
static unsigned before_count;

void driver_threads_begin(void)
{
	const pid_t *tids;

	before_count = look_for_all(&tids);
	before = xmalloc((before_count + 1) * sizeof *before);
	memcpy(before, tids, before_count * sizeof *before);
}

static bool was_before(pid_t tid)
{
	for (unsigned i = 0; i < before_count; i++)
		if (before[i] == tid)
			return true;
	return false;
}

void driver_threads_end(void)
{
	const pid_t *tids;
	unsigned count = look_for_all(&tids);

	for (unsigned i = 0; i < count; i++) {
		if (was_before(tids[i]))
			continue;
		thread_of(tids[i])->is_ours = true;
		__atomic_fetch_add(&ours, 1, __ATOMIC_RELAXED);
	}
	free(before);
	before = NULL;
}

void driver_threads_forked(void)
{
	struct thread *t = thread_self(), *other = thread_first(), *next;

	for (; other; other = next) {
		next = other->next;
		if (other != t)
			free(other);
	}
	t->tid = look_self();
	t->next = NULL;
	atomic_store(&first, t);
	ours = 0;
}

bool threads_are_one(void)
{
	return look_count() == 1 + __atomic_load_n(&ours, __ATOMIC_RELAXED);
}
