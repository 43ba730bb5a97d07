/* host/driver/memory/driver_guard.c -- host accesses to device memory, for --sanitize=memory: a GPU answers
 * them with SIGSEGV; here a device address is a host address, so that they would go unnoticed.
 *
 * The pages of device memory have a memory protection key (pkeys(7)), which is open in our threads and, in
 * the program's, during our calls. The kernel gives new threads the rights of the one that makes them, and
 * signal handlers none; so what a handler interrupts gets its own back. Pages that hold memory which the host
 * may access (pinned, managed) have no key, nor do those that were mapped anew (registered memory, cuMemMap).
 * Kernel calls of the program return EFAULT for closed memory, as for that of a GPU. */
#include "host/driver/driver.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define WRITE_ACCESS   2  /* bit of the page fault's error code */
#define REPORT_SECONDS 10 /* that the thread which dies waits for the report, at most */

static int key = -1; /* -1: none */
static pid_t owner;
static struct {
	addr address;
	bool is_write;
} found;
static sem_t wanted, done;

guard_rights guard_open(void)
{
	int before;

	if (key < 0)
		return PKEY_DISABLE_ACCESS;
	before = pkey_get(key);
	pkey_set(key, 0);
	return (guard_rights)before;
}

void guard_restore(guard_rights before)
{
	if (key >= 0)
		pkey_set(key, before);
}

void guard_close(void)
{
	guard_restore(PKEY_DISABLE_ACCESS);
}

/* -- pages -- */

static addr page_of(addr address)
{
	return address & ~((addr)sysconf(_SC_PAGESIZE) - 1);
}

static addr page_behind(addr address)
{
	return page_of(address + (addr)sysconf(_SC_PAGESIZE) - 1);
}

/* Where the kernel has no room for another range (vm.max_map_count) the whole memory is opened. */
static void protect_range(addr start, addr end, int with)
{
	if (start >= end || !pkey_mprotect(memory_host(start), end - start, PROT_READ | PROT_WRITE, with))
		return;
	driver_say("--sanitize=memory: accesses of the host to device memory are no longer looked for: %s",
		strerror(errno));
	pkey_mprotect(memory_host(DEVICE_BASE), memory_total(driver.memory), PROT_READ | PROT_WRITE, 0);
	key = -1;
}

void guard_permit(addr start, uint64_t bytes)
{
	if (key >= 0)
		protect_range(page_of(start), page_behind(start + bytes), 0);
}

/* Pages that it shares with others stay as they are. */
void guard_forbid(addr start, uint64_t bytes)
{
	if (key >= 0)
		protect_range(page_behind(start), page_of(start + bytes), key);
}

/* -- an access -- */

/* In a thread of ours: the one that made the access may have any lock but the driver's. */
static void *report_fault(void *unused)
{
	driver_thread_is_ours();
	while (sem_wait(&wanted) && errno == EINTR)
		;
	struct driver_call call = driver_enter(NEED_NOTHING);
	if (driver.session && !driver.is_closed) {
		sanitizer_host_access(session_sanitizer(driver.session), found.address, found.is_write);
		session_end_sanitizer(driver.session);
	}
	driver_leave(&call);
	sem_post(&done);
	return NULL;
}

/* In the handler of SIGSEGV: only what is async-signal-safe. The process ends when it has returned. */
static void examine_fault(const siginfo_t *info, const void *context)
{
	const ucontext_t *thread = context;
	struct timespec until;

	if (info->si_code != SEGV_PKUERR || (int)info->si_pkey != key || getpid() != owner)
		return;
	found.address = (addr)(uintptr_t)info->si_addr;
	found.is_write = thread->uc_mcontext.gregs[REG_ERR] & WRITE_ACCESS;
	sem_post(&wanted);
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += REPORT_SECONDS;
	while (sem_timedwait(&done, &until) && errno == EINTR)
		;
}

static bool start_reporter(void)
{
	sigset_t all, before;
	pthread_t thread;
	bool is_there;

	if (sem_init(&wanted, 0, 0) || sem_init(&done, 0, 0))
		return false;
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	is_there = !pthread_create(&thread, NULL, report_fault, NULL);
	if (is_there)
		pthread_detach(thread);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return is_there;
}

/* -- the run -- */

void guard_new(void)
{
	key = pkey_alloc(0, 0);
}

void guard_begin(bool is_wanted)
{
	if (is_wanted && key < 0)
		driver_say("--sanitize=memory: this host has no memory protection keys: accesses of the host "
			   "to device memory are not looked for");
	if (is_wanted && key >= 0 && start_reporter()) {
		owner = getpid();
		guard_forbid(DEVICE_BASE, memory_total(driver.memory));
		session_on_fault(examine_fault);
	} else if (key >= 0) {
		pkey_free(key);
		key = -1;
	}
}
