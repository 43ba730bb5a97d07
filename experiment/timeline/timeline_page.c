/* experiment/timeline/timeline_page.c -- timelines as a page: see timeline_page.h. */
#include "experiment/timeline/timeline_page.h"
#include "core/observe/trace_events.h"
#include "experiment/files.h"
#include "experiment/report/text.h"
#include "host/trace/trace_input.h"
#include "sim/base/xalloc.h"
#include <errno.h>
#include <string.h>
#include <zlib.h>

#define BLOCK       65536
#define MOST_BYTES  (1 << 30)        /* of a timeline */
#define GZIP_WINDOW (MAX_WBITS + 16) /* zlib: with gzip's head and end */

static const unsigned char style[] = {
#include "timeline_page_css.h" /* page.css, a byte and a comma each */
	0
};
static const unsigned char script[] = {
#include "timeline_page_js.h" /* the scripts, in the order of make/products.mk */
	0
};

/* ---- reading ---- */

struct bytes {
	char *at;
	size_t size, capacity;
};

static char *room_for(struct bytes *b, size_t count)
{
	if (b->size + count + 1 > b->capacity) {
		b->capacity = 2 * (b->size + count + 1);
		b->at = xrealloc(b->at, b->capacity);
	}
	return b->at + b->size;
}

static bool read_gzip(const char *path, struct bytes *b)
{
	gzFile f = gzopen(path, "rb");
	int count = -1, error = Z_OK;

	while (f && (count = gzread(f, room_for(b, BLOCK), BLOCK)) > 0)
		b->size += (size_t)count;
	if (f)
		gzerror(f, &error);
	return f && gzclose(f) == Z_OK && count == 0 && error == Z_OK;
}

/* As it is, or a zstd stream. */
static bool read_plain(FILE *f, struct bytes *b)
{
	struct trace_input *input = trace_input_new(f);
	size_t count;
	bool fine;

	while ((count = trace_input_get(input, room_for(b, BLOCK), BLOCK)) > 0)
		b->size += count;
	fine = !trace_input_error(input);
	trace_input_free(input);
	return fine;
}

static bool read_timeline(const char *path, struct bytes *b, struct diag_list *diags)
{
	FILE *f = fopen(path, "rb");
	bool fine;
	int first;

	if (!f) {
		diag_error(diags, NULL, "%s cannot be read: %s", path, strerror(errno));
		return false;
	}
	first = getc(f);
	ungetc(first, f);
	fine = first == 0x1f ? read_gzip(path, b) : read_plain(f, b);
	fclose(f);
	*room_for(b, 0) = '\0';
	if (!fine)
		diag_error(
			diags, NULL, "%s: the compressed data are damaged, or the file is not whole", path);
	return fine;
}

static bool check_timeline(const char *path, const struct bytes *b, struct diag_list *diags)
{
	static const char head[] =
		"{\"displayTimeUnit\":\"ns\",\"otherData\":{\"format\":\"lockstep timeline ";
	int version = 0;

	if (strncmp(b->at, head, sizeof(head) - 1) != 0) {
		diag_error(diags, NULL, "%s is no timeline of Lockstep (lockstep run --timeline)", path);
		return false;
	}
	version = atoi(b->at + sizeof(head) - 1);
	if (version != TRACE_EVENTS_VERSION) {
		diag_error(diags, NULL, "%s is a timeline of version %d; this Lockstep reads version %d",
			path, version, TRACE_EVENTS_VERSION);
		return false;
	}
	if (b->size > MOST_BYTES) {
		diag_error(diags, NULL,
			"%s has %zu MiB of events, more than the %d that a browser can show: make "
			"it with a smaller --timeline-limit",
			path, b->size >> 20, MOST_BYTES >> 20);
		return false;
	}
	if (b->size < 3 || strcmp(b->at + b->size - 3, "}}\n") != 0) {
		diag_error(diags, NULL, "%s is not whole: the run was killed, or the file was cut", path);
		return false;
	}
	return true;
}

/* ---- writing ---- */

static void put_base64(const unsigned char *from, size_t size, FILE *f)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

	for (size_t i = 0; i < size; i += 3) {
		uint32_t rest = size - i < 3 ? (uint32_t)(size - i) : 3;
		uint32_t word = (uint32_t)from[i] << 16 | (rest > 1 ? (uint32_t)from[i + 1] << 8 : 0) |
			(rest > 2 ? from[i + 2] : 0);

		putc(digits[word >> 18], f);
		putc(digits[word >> 12 & 63], f);
		putc(rest > 1 ? digits[word >> 6 & 63] : '=', f);
		putc(rest > 2 ? digits[word & 63] : '=', f);
		if (i % 72 == 69)
			putc('\n', f);
	}
}

static void put_timeline(const struct bytes *b, FILE *f)
{
	z_stream z = { 0 };
	unsigned char *packed;
	size_t most;

	bug_if(deflateInit2(&z, 6, Z_DEFLATED, GZIP_WINDOW, 8, Z_DEFAULT_STRATEGY) != Z_OK,
		"zlib: no memory");
	most = deflateBound(&z, b->size);
	packed = xmalloc(most);
	z.next_in = (unsigned char *)b->at;
	z.avail_in = (uInt)b->size;
	z.next_out = packed;
	z.avail_out = (uInt)most;
	bug_if(deflate(&z, Z_FINISH) != Z_STREAM_END, "zlib: %s", z.msg ? z.msg : "error");
	fputs("<script type=\"application/gzip\">\n", f);
	put_base64(packed, z.total_out, f);
	fputs("\n</script>\n", f);
	deflateEnd(&z);
	free(packed);
}

static void put_head(char *const *files, size_t count, FILE *f)
{
	fputs("<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n"
	      "<meta charset=\"utf-8\"/>\n"
	      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>Timeline: ",
		f);
	print_xml(f, files[0]);
	fprintf(f,
		"</title>\n<style>\n%s</style>\n</head>\n<body "
		"data-state=\"reading\">\n<header><h1>Timeline: ",
		style);
	for (size_t i = 0; i < count; i++) {
		fputs(i ? " and " : "", f);
		print_xml(f, files[i]);
	}
	fputs("</h1>\n<div class=\"tools\">\n"
	      "<button data-key=\"+\" title=\"zoom in (w)\">+</button><button data-key=\"-\" "
	      "title=\"zoom out (s)\">\xe2\x88\x92</button><button data-key=\"0\" title=\"the whole run "
	      "(0)\">whole run</button>\n"
	      "<input id=\"search\" type=\"search\" placeholder=\"kernel, instruction, 0x\xe2\x80\xa6, "
	      "line 57\" aria-label=\"search\"/><span id=\"hits\" aria-live=\"polite\"></span>\n",
		f);
	if (count > 1)
		fputs("<label><input id=\"align\" type=\"checkbox\"/> first kernels begin together</label>\n",
			f);
	fputs("<span id=\"state\" aria-live=\"polite\">reading\xe2\x80\xa6</span> <span "
	      "id=\"left\"></span>\n"
	      "<span class=\"keys name\">drag or a d: move; ctrl-wheel or w s: zoom; wheel: scroll; n p: "
	      "next, previous; f or double click: zoom to; /: search, Enter: "
	      "next</span>\n</div></header>\n",
		f);
}

static void put_body(FILE *f)
{
	fputs("<main><canvas id=\"view\" tabindex=\"0\" role=\"img\" aria-label=\"tracks over time; what "
	      "is selected is said below\"></canvas></main>\n"
	      "<aside aria-label=\"power by place, PTX\"><section id=\"map\" hidden=\"hidden\" "
	      "aria-label=\"power by place\"><h2>Power by place</h2><label>window <input id=\"window\" "
	      "type=\"range\" min=\"0\" value=\"0\" title=\"at the left end: the mean of what is in "
	      "view\"/></label></section><p id=\"file\"></p><div id=\"source\" "
	      "tabindex=\"0\"><table><thead><tr><th>line</th><th>issued</th><th title=\"time of all "
	      "warps that waited before it\">waits, ns</th><th>PTX</th></tr></thead><tbody "
	      "id=\"lines\"></tbody></table></div></aside>\n"
	      "<footer><div id=\"about\" aria-live=\"polite\">Click on a slice for what is known of it, "
	      "on an SM for its CTAs, warps and requests.</div></footer>\n<div id=\"tip\" "
	      "hidden=\"hidden\"></div>\n",
		f);
}

bool timeline_page_make(
	const char *folder, char *const *files, size_t count, size_t *size, struct diag_list *diags)
{
	char *page = NULL, *path;
	FILE *f = open_memstream(&page, size);
	bool fine = true;

	bug_if(!f, "out of memory");
	put_head(files, count, f);
	put_body(f);
	for (size_t i = 0; fine && i < count; i++) {
		struct bytes b = { 0 };

		fine = read_timeline(files[i], &b, diags) && check_timeline(files[i], &b, diags);
		if (fine)
			put_timeline(&b, f);
		free(b.at);
	}
	fprintf(f, "<script>\n//<![CDATA[\n%s//]]>\n</script>\n</body>\n</html>\n", script);
	fclose(f);
	path = file_path(folder, "index.html");
	fine = fine && folder_make(folder, diags) && file_replace(path, page, *size, diags);
	free(path);
	free(page);
	return fine;
}
