/* host/driver/driver_state.c -- the library's life: the lock around every call, the session from cuInit to
 * the process's end. */
#include "host/driver/recording/recorder.h"
#include "sim/base/environment.h"
#include "sim/files/descriptor.h"

#include <dlfcn.h>
#include <sysexits.h>
#include <unistd.h>

struct driver driver;

static pthread_mutex_t lock;
static unsigned depth; /* how often the thread that has the lock has taken it */
static pthread_once_t once = PTHREAD_ONCE_INIT;
static locale_t c_locale;
static __thread locale_t program_locale; /* valid inside a call */
static pid_t owner;                      /* the process of the session */
static bool is_exiting;
static int exit_status; /* valid if is_exiting */
static bool is_lost;    /* what `lockstep run` was told */
static bool is_forked;  /* a child of the process that called cuInit: it has no device, as on a chip */

/* Recursive, because exit() inside a call comes back here. */
static void init_once(void)
{
	pthread_mutexattr_t attributes;

	pthread_mutexattr_init(&attributes);
	pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&lock, &attributes);
	pthread_mutexattr_destroy(&attributes);
	c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	bug_if(!c_locale, "no C locale");
}

locale_t driver_locale_enter(void)
{
	locale_t before = uselocale(c_locale);

	if (before != c_locale)
		program_locale = before;
	return before;
}

locale_t driver_locale_of_program(void)
{
	return uselocale(program_locale);
}

void driver_locale_leave(locale_t before)
{
	uselocale(before);
}

pthread_mutex_t *driver_lock(void)
{
	return &lock;
}

bool driver_lock_within(long milliseconds)
{
	struct timespec until;

	pthread_once(&once, init_once);
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += milliseconds * 1000000;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return !pthread_mutex_clocklock(&lock, CLOCK_MONOTONIC, &until);
}

static CUresult check_need(enum driver_need need)
{
	if (driver.is_closed)
		return CUDA_ERROR_DEINITIALIZED;
	if (need >= NEED_INIT && !driver.session)
		return CUDA_ERROR_NOT_INITIALIZED;
	if (need < NEED_CONTEXT)
		return CUDA_SUCCESS;
	CUcontext context = context_current();
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	if (!handle_find(HANDLE_CONTEXT, context))
		return CUDA_ERROR_CONTEXT_IS_DESTROYED;
	if (!context->fault) { /* the program has noticed, and works in another context */
		free(driver.fault_ignored);
		driver.fault_ignored = NULL;
	}
	return context->fault;
}

struct driver_call driver_enter(enum driver_need need)
{
	if (is_forked) /* whoever had the lock is not in this process */
		return (struct driver_call){ .error = CUDA_ERROR_NOT_INITIALIZED };
	if (need != NEED_NOTHING && queue_is_calling())
		return (struct driver_call){ .error = CUDA_ERROR_NOT_PERMITTED };
	int cancel_state;
	pthread_testcancel(); /* here, and nowhere in the call */
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &cancel_state);
	pthread_once(&once, init_once);
	turn_arrive();
	pthread_mutex_lock(&lock);
	depth++;
	turn_take();
	return (struct driver_call){ .error = check_need(need),
		.is_locked = true,
		.before = driver_locale_enter(),
		.cancel_state = cancel_state,
		.rights = guard_open() };
}

void driver_leave(struct driver_call *call)
{
	if (!call->is_locked)
		return;
	guard_restore(call->rights);
	driver_locale_leave(call->before);
	turn_leave();
	depth--;
	pthread_mutex_unlock(&lock);
	pthread_setcancelstate(call->cancel_state, NULL);
}

/* In the process of a branch (host/branch), whose only thread this is: the lock, which it has, knows the
 * parent's thread. */
static void branched(struct session *session)
{
	owner = getpid();
	driver.session = session;
	driver.gpu = session_gpu(session);
	device_calls_begin();
	driver_threads_forked();
	init_once();
	for (unsigned i = 0; i < depth; i++)
		pthread_mutex_lock(&lock);
	driver_watch_interrupts();
}

/* What the program gives to exit(), which is on the way from then on. */
static void exit_note(int status, void *unused)
{
	is_exiting = true;
	exit_status = status;
}

static void forked(void)
{
	is_forked = !session_is_branching() && (driver.session || driver.is_closed);
}

/* `lockstep run` has preloaded its library, and of what else it said nothing is left. */
static void look_for_options(void)
{
	is_lost = dlsym(RTLD_DEFAULT, "lockstep_redirects") && !environment_get("LOCKSTEP_COMMAND");
	if (is_lost)
		driver_say("the options of `lockstep run` are lost, because the program has overwritten its "
			   "environment: default values are used (exit status %d)",
			EX_IOERR);
}

/* Of a program that ends with 0 although it has computed nothing right. One that was not started by `lockstep
 * run` keeps its status: it knows nothing of us. */
static int ignored_status(void)
{
	if (!environment_get("LOCKSTEP_COMMAND") || !is_exiting || exit_status)
		return 0;
	if (driver.fault_ignored)
		driver_say("the program ended with 0 although kernel %s ended with a fault: exit status %d",
			driver.fault_ignored, EX_SOFTWARE);
	else if (driver.launches_refused && !driver.launches_started)
		driver_say("the program ended with 0 although no kernel has run, and %llu launch%s refused: "
			   "exit "
			   "status %d",
			(unsigned long long)driver.launches_refused,
			driver.launches_refused == 1 ? " was" : "es were", EX_SOFTWARE);
	else
		return 0;
	return EX_SOFTWARE;
}

/* The exit status that the process is to have instead of the program's own; 0: none. */
static int close_session(void)
{
	if (session_interrupted())
		recorder_discard();
	bool is_recorded = recorder_close();
	int status = session_end_sanitizer(driver.session);

	driver.is_closed = true;
	if (driver.event_times_read && session_is_functional(driver.session) &&
		!gpu_functional_time(driver.gpu))
		driver_say(
			"the program read times of events, which are 0 without timing: what it computes from "
			"them has no meaning (--set functional.clock=peak gives them a length)");
	if (!status)
		status = ignored_status();
	if (!session_close(driver.session) || !is_recorded) {
		driver_say("the results of this run are incomplete (exit status %d)", EX_IOERR);
		if (!status && is_exiting && !exit_status)
			status = EX_IOERR;
	}
	if (is_lost && !status && is_exiting && !exit_status)
		status = EX_IOERR;
	driver_say_counts();
	free(driver.fault_ignored);
	driver.session = NULL;
	driver.gpu = NULL;
	driver.memory = NULL;
	return status;
}

/* At the end of the process: runs what is still queued, writes the results. The caller has the lock, which is
 * given back. Returns the exit status that the process is to have instead of the program's own; 0: none. */
static int end_session(void)
{
	int status;

	depth++;
	guard_open();
	locale_t before = driver_locale_enter();
	if (queue_is_calling())
		recorder_refuse("the program ended in a function that a stream ran");
	else
		queue_finish();
	status = close_session();
	driver_locale_leave(before);
	depth--;
	pthread_mutex_unlock(&lock);
	return status;
}

/* Other libraries' destructors do not run after it if the exit status is not the program's. Also at
 * quick_exit().
 */
__attribute__((destructor)) static void driver_end(void)
{
	int status;

	if (!driver.session || driver.is_closed || is_forked)
		return;
	pthread_mutex_lock(&lock);
	status = end_session();
	if (status) {
		fflush(NULL);
		_exit(status);
	}
}

/* At _exit(), of which host/runtime/redirect/leave.c tells us, unless a thread is in a call. The process may
 * also be one that shares our memory for a while (vfork). */
static int leave_driver(int status)
{
	int other;

	if (!driver.session || driver.is_closed || is_forked || getpid() != owner ||
		pthread_mutex_trylock(&lock))
		return status;
	exit_note(status, NULL);
	other = end_session();
	return other ? other : status;
}

static void watch_ends(void)
{
	int (**at_leave)(int status) = dlsym(RTLD_DEFAULT, "lockstep_leave");

	owner = getpid();
	on_exit(exit_note, NULL);
	at_quick_exit(driver_end);
	if (at_leave)
		*at_leave = leave_driver;
}

static bool open_recorder(const struct session_options *options, struct diag_list *diags)
{
	char *path = session_file(driver.session, options->record);
	bool is_open = recorder_open(path, options->record_kernels, diags);

	free(path);
	return is_open;
}

CUresult driver_start(void)
{
	static bool is_refused; /* the errors were printed: once is enough */
	struct session_options options;
	struct diag_list diags;

	if (driver.session)
		return CUDA_SUCCESS;
	if (is_refused)
		return CUDA_ERROR_INVALID_VALUE;
	look_for_options();
	descriptors_open_standard();
	session_options_from_environment(&options);
	diag_init(&diags);
	if (options.sanitize)
		guard_new();
	driver_threads_begin();
	driver.session = session_new(&options, &diags);
	driver_threads_end();
	if (driver.session && options.record && !open_recorder(&options, &diags)) {
		session_close(driver.session);
		driver.session = NULL;
	}
	diag_print(&diags, stderr);
	diag_fini(&diags);
	is_refused = !driver.session;
	if (is_refused)
		return CUDA_ERROR_INVALID_VALUE;
	driver.gpu = session_gpu(driver.session);
	device_calls_begin();
	driver.memory = gpu_memory(driver.gpu);
	compiler_check();
	pthread_atfork(NULL, NULL, forked);
	watch_ends();
	session_on_branch(branched);
	guard_begin(
		!driver.is_replay && sanitizer_looks_for(session_sanitizer(driver.session), SANITIZE_MEMORY));
	driver_watch_interrupts();
	return CUDA_SUCCESS;
}

void driver_close(void)
{
	close_session();
}
