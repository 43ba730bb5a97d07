/* experiment/report/figure/gnuplot.c -- gnuplot draws the panels, several at a time; what it made is looked
 * at. */
#include "experiment/report/internal.h"
#include "experiment/files.h"
#include "experiment/process.h"
#include "experiment/stop.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

struct drawing {
	const char *name, *format;
	pid_t process;
	FILE *log; /* what gnuplot says: nothing, if all is well */
	int status;
};

#define LOOK_US 2000 /* microseconds from one look at a gnuplot that draws to the next */

/* In the child. */
static void become_gnuplot(const char *folder, const struct drawing *d, pid_t parent)
{
	char *format = NULL, *script = NULL;

	if (asprintf(&format, "format='%s'", d->format) < 0 || asprintf(&script, "%s.gp", d->name) < 0 ||
		chdir(folder))
		_exit(126);
	process_die_with(parent);
	dup2(fileno(d->log), STDOUT_FILENO);
	dup2(fileno(d->log), STDERR_FILENO);
	setenv("LC_ALL", "C.UTF-8", 1);
	unsetenv("GNUPLOT_FONTPATH");
	execlp("gnuplot", "gnuplot", "-d", "-e", format, script, (char *)NULL);
	_exit(127);
}

static bool start_gnuplot(const char *folder, struct drawing *d, struct diag_list *diags)
{
	pid_t self = getpid();

	d->log = tmpfile();
	fflush(NULL);
	d->process = d->log ? fork() : -1;
	if (d->process == 0)
		become_gnuplot(folder, d, self);
	if (d->process < 0)
		diag_error(diags, NULL, "gnuplot cannot be started: %s", strerror(errno));
	return d->process > 0;
}

/* The last line of what it said: where and why; NULL if it said nothing. */
static const char *complaint(struct drawing *d, char *said, size_t size)
{
	char line[300];
	bool any = false;

	rewind(d->log);
	while (fgets(line, sizeof(line), d->log)) {
		line[strcspn(line, "\n")] = 0;
		if (!line[strspn(line, " \t^")])
			continue;
		snprintf(said, size, "%s", line);
		any = true;
	}
	return any ? said : NULL;
}

/* A drawing that a full disk cut short must not pass for one. */
static bool is_drawing_whole(const char *path)
{
	static const char svg[] = "</svg>", png[] = "IEND\xae\x42\x60\x82";
	size_t size = 0;
	char *text = file_read(path, &size);
	bool whole = text && size > 32 &&
		(memmem(text + size - 16, 16, svg, sizeof(svg) - 1) ||
			memmem(text + size - 16, 16, png, sizeof(png) - 1));

	free(text);
	return whole;
}

static bool check_drawing(const struct report *r, struct drawing *d, struct diag_list *diags)
{
	char line[300], *name = NULL, *path, *hidden;
	const char *said = complaint(d, line, sizeof(line));
	bool fine;

	if (asprintf(&name, "figures/%s.%s", d->name, d->format) < 0)
		bug("out of memory");
	path = file_path(r->options->folder, name);
	hidden = file_path(r->folder, name);
	fine = WIFEXITED(d->status) && WEXITSTATUS(d->status) == 0 && !said;
	if (WIFEXITED(d->status) && WEXITSTATUS(d->status) == 127)
		diag_error(diags, NULL,
			"gnuplot, which draws the figures, is not installed (Debian: apt-get install "
			"gnuplot-nox)");
	else if (!fine)
		diag_error(diags, NULL, "gnuplot could not draw %s: %s", path,
			said ? said : "it ended without a message");
	else if (!is_drawing_whole(hidden)) {
		diag_error(diags, NULL, "%s is not whole: is the disk full?", path);
		fine = false;
	}
	free(hidden);
	free(path);
	free(name);
	return fine;
}

/* Waits for the next of ours to end; a signal that ends the report ends it. */
static void wait_for_gnuplot(struct drawing *d)
{
	int status = 0;
	pid_t ended;

	do {
		if (stop_signal())
			kill(d->process, SIGKILL);
		ended = waitpid(d->process, &status, WNOHANG);
		if (!ended)
			usleep(LOOK_US);
	} while (!ended || (ended < 0 && errno == EINTR));
	d->status = ended < 0 ? -1 : status;
}

/* The first that fails ends it: the others would fail as it did. */
static bool draw_all(const struct report *r, struct drawing *drawings, size_t count, struct diag_list *diags)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	size_t at_once = processors > 1 ? (size_t)processors : 1, started = 0, looked_at = 0;
	char *folder = file_path(r->folder, "figures");
	bool fine = true;

	while (looked_at < started || (fine && started < count)) {
		if (fine && started < count && started - looked_at < at_once) {
			fine = !stop_signal() && start_gnuplot(folder, &drawings[started], diags);
			started += fine;
			continue;
		}
		wait_for_gnuplot(&drawings[looked_at]);
		fine = fine && !stop_signal();
		if (fine)
			fine = check_drawing(r, &drawings[looked_at], diags);
		looked_at++;
	}
	for (size_t i = 0; i < count; i++)
		if (drawings[i].log)
			fclose(drawings[i].log);
	free(folder);
	return fine;
}

static bool read_svgs(struct report *r, const struct drawing *drawings, size_t count, struct diag_list *diags)
{
	size_t n = 0;

	r->svg = keep_alloc(&r->data->keeper, (count + 1) * sizeof(*r->svg));
	for (size_t i = 0; i < count; i++) {
		char *path, *text;

		if (strcmp(drawings[i].format, "svg") != 0)
			continue;
		path = file_path(r->folder, keep_print(&r->data->keeper, "figures/%s.svg", drawings[i].name));
		text = file_read(path, NULL);
		if (!text)
			diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		free(path);
		if (!text)
			return false;
		r->svg[n++] = keep(&r->data->keeper, text);
	}
	return true;
}

bool report_draw(struct report *r, struct diag_list *diags)
{
	size_t panels = 0, n = 0;
	struct drawing *drawings;
	bool fine;

	for (size_t i = 0; i < r->figure_count; i++)
		panels += r->figures[i].panel_count;
	drawings = xcalloc(2 * panels, sizeof(*drawings));
	for (size_t i = 0; i < r->figure_count; i++)
		for (size_t p = 0; p < r->figures[i].panel_count; p++) {
			drawings[n++] =
				(struct drawing){ .name = r->figures[i].panels[p]->name, .format = "svg" };
			if (!r->options->no_png)
				drawings[n++] = (struct drawing){ .name = r->figures[i].panels[p]->name,
					.format = "png" };
		}
	fine = draw_all(r, drawings, n, diags) && read_svgs(r, drawings, n, diags);
	free(drawings);
	return fine;
}
