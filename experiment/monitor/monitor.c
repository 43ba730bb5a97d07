/* experiment/monitor/monitor.c -- the server: see monitor.h. */
#include "experiment/monitor/monitor.h"
#include "sim/base/xalloc.h"
#include "sim/text/number.h"
#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <signal.h>
#include <string.h>
#include <sys/random.h>

#define TOKEN_BYTES 16

static const unsigned char page[] = {
#include "monitor_page_html.h" /* page.html, a byte and a comma each */
	0
};

struct monitor {
	struct MHD_Daemon *daemon;
	struct monitor_subject subject;
	char token[2 * TOKEN_BYTES + 1];
};

/* ---- answers ---- */

static enum MHD_Result answer(
	struct MHD_Connection *c, unsigned status, const char *type, char *text, size_t size)
{
	struct MHD_Response *r = MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_COPY);
	enum MHD_Result result;

	MHD_add_response_header(r, "Content-Type", type);
	MHD_add_response_header(r, "Cache-Control", "no-store");
	MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
	MHD_add_response_header(r, "Content-Security-Policy",
		"default-src 'none'; connect-src 'self'; script-src 'unsafe-inline'; style-src "
		"'unsafe-inline'");
	MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
	result = MHD_queue_response(c, status, r);
	MHD_destroy_response(r);
	return result;
}

static enum MHD_Result refuse(struct MHD_Connection *c, unsigned status)
{
	static char nothing[] = "no\n";

	return answer(c, status, "text/plain", nothing, sizeof(nothing) - 1);
}

static enum MHD_Result answer_state(struct monitor *m, struct MHD_Connection *c)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	enum MHD_Result result;

	bug_if(!f, "out of memory");
	m->subject.print(m->subject.user, f);
	fclose(f);
	result = answer(c, MHD_HTTP_OK, "application/json", text, size);
	free(text);
	return result;
}

static enum MHD_Result answer_text(struct monitor *m, struct MHD_Connection *c, const char *name)
{
	char *text = m->subject.text ? m->subject.text(m->subject.user, name) : NULL;
	enum MHD_Result result;

	if (!text)
		return refuse(c, MHD_HTTP_NOT_FOUND);
	result = answer(c, MHD_HTTP_OK, "text/plain; charset=utf-8", text, strlen(text));
	free(text);
	return result;
}

/* The token's characters are compared without regard to how many are right. */
static const char *behind_token(const struct monitor *m, const char *url)
{
	unsigned char differs = 0;
	size_t length = strlen(m->token);

	if (url[0] != '/' || strlen(url) < length + 2 || url[length + 1] != '/')
		return NULL;
	for (size_t i = 0; i < length; i++)
		differs |= (unsigned char)(url[i + 1] ^ m->token[i]);
	return differs ? NULL : url + length + 2;
}

static enum MHD_Result serve(void *user, struct MHD_Connection *c, const char *url, const char *method,
	const char *version, const char *data, size_t *size, void **state)
{
	struct monitor *m = user;
	const char *what = behind_token(m, url);

	if (!what)
		return refuse(c, MHD_HTTP_FORBIDDEN);
	if (!strcmp(method, "POST")) {
		if (!*state) { /* the head has come; the body, which is empty, is next */
			*state = m;
			return MHD_YES;
		}
		if (*size) {
			*size = 0;
			return MHD_YES;
		}
		return refuse(c,
			m->subject.command(m->subject.user, what) ? MHD_HTTP_NO_CONTENT : MHD_HTTP_CONFLICT);
	}
	if (strcmp(method, "GET") != 0)
		return refuse(c, MHD_HTTP_METHOD_NOT_ALLOWED);
	if (!*what)
		return answer(c, MHD_HTTP_OK, "text/html; charset=utf-8", (char *)(uintptr_t)page,
			sizeof(page) - 1);
	if (!strcmp(what, "state"))
		return answer_state(m, c);
	return strncmp(what, "text/", 5) ? refuse(c, MHD_HTTP_NOT_FOUND) : answer_text(m, c, what + 5);
}

/* ---- the server ---- */

static bool make_token(char *token)
{
	unsigned char bytes[TOKEN_BYTES];

	if (getrandom(bytes, sizeof(bytes), 0) != sizeof(bytes))
		return false;
	for (size_t i = 0; i < sizeof(bytes); i++)
		sprintf(token + 2 * i, "%02x", bytes[i]);
	return true;
}

/* Its threads take no signals, which are for ours. */
static struct MHD_Daemon *start_daemon(struct monitor *m, uint16_t port)
{
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(port) };
	struct MHD_Daemon *daemon;
	sigset_t all, before;

	at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, &before);
	daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD, port, NULL, NULL, serve, m,
		MHD_OPTION_SOCK_ADDR, &at, MHD_OPTION_CONNECTION_LIMIT, 16u, MHD_OPTION_CONNECTION_TIMEOUT,
		30u, MHD_OPTION_END);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return daemon;
}

struct monitor *monitor_start(
	const char *port, const struct monitor_subject *subject, struct diag_list *diags)
{
	struct monitor *m = xcalloc(1, sizeof(*m));
	uint64_t number;

	m->subject = *subject;
	if (!number_parse(port, 0, UINT16_MAX, &number)) {
		diag_error(diags, NULL,
			"--monitor %.48s: expected a port from 1 to 65535, or 0 for any that is free", port);
	} else if (!make_token(m->token)) {
		diag_error(diags, NULL, "--monitor: the system gives no random numbers: %s", strerror(errno));
	} else if (!(m->daemon = start_daemon(m, (uint16_t)number))) {
		diag_error(diags, NULL, "--monitor %s: nothing can listen at that port: %s", port,
			strerror(errno));
	} else {
		fprintf(stderr, "lockstep: monitor: http://127.0.0.1:%u/%s/\n",
			(unsigned)MHD_get_daemon_info(m->daemon, MHD_DAEMON_INFO_BIND_PORT)->port, m->token);
		return m;
	}
	free(m);
	return NULL;
}

void monitor_stop(struct monitor *m)
{
	if (!m)
		return;
	MHD_stop_daemon(m->daemon);
	free(m);
}
