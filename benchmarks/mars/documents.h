/* documents.h -- what the MapReduce benchmarks read: HTML, web logs and view counts, generated; the same on
 * every machine.
 *
 * Pages are numbered and a page's address follows from its number, so that two pages share some of its
 * beginning. Which page comes next is "uniform" (all alike) or "skewed" (bench_random_skewed(): popularity
 * falls off like Zipf's law with exponent 1). */
#ifndef DOCUMENTS_H
#define DOCUMENTS_H

#include "bench.h"

/* Text in lines. line[2 * i] says where line i begins, line[2 * i + 1] how many bytes it has, without its
 * newline. */
struct documents {
	size_t bytes, lines;
	uint8_t *text;
	int32_t *line;
};

enum {
	DOCUMENTS_WORD = 8,       /* bytes of the longest word */
	DOCUMENTS_URL = 64,       /* of the longest address, with a zero */
	DOCUMENTS_LINE = 640,     /* of the longest line */
	DOCUMENTS_MOST = 3 << 20, /* lines: their bytes must fit 31 bits */
};

static inline void documents_init(struct bench *b, struct documents *d, size_t lines)
{
	*d = (struct documents){ .lines = lines };
	d->text = bench_host(b, lines, DOCUMENTS_LINE);
	d->line = bench_host(b, lines, 2 * sizeof *d->line);
}

__attribute__((format(printf, 2, 3))) static inline void documents_print(
	struct documents *d, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	d->bytes += (size_t)vsprintf((char *)d->text + d->bytes, format, args);
	va_end(args);
}

/* A number as a word: the same for the same number. */
static inline const char *documents_word(char word[DOCUMENTS_WORD + 1], uint32_t number)
{
	static const char consonants[] = "bdfgklmnprstvz", vowels[] = "aeiou";
	size_t n = 0;

	do {
		word[n++] = consonants[number % 14];
		number /= 14;
		word[n++] = vowels[number % 5];
		number /= 5;
	} while (number && n < DOCUMENTS_WORD);
	word[n] = '\0';
	return word;
}

/* 16 pages a site, a directory each 4. */
static inline const char *documents_url(char url[DOCUMENTS_URL], uint64_t page)
{
	char site[DOCUMENTS_WORD + 1], path[DOCUMENTS_WORD + 1];

	snprintf(url, DOCUMENTS_URL, "http://www.%s.com/%s/%x.html",
		documents_word(site, (uint32_t)(page / 16 * 7919 % 1000003)),
		documents_word(path, (uint32_t)(page / 4 % 211)), (unsigned)page);
	return url;
}

static inline uint64_t documents_page(const char *popularity, size_t pages, uint32_t *seed)
{
	return strcmp(popularity, "skewed") ? bench_random_below(seed, pages)
					    : bench_random_skewed(seed, pages);
}

static inline void documents_link(
	struct documents *d, const char *word, const char *popularity, size_t pages, uint32_t *seed)
{
	char url[DOCUMENTS_URL];

	documents_url(url, documents_page(popularity, pages, seed));
	documents_print(d, "<a href=\"%s\">%s</a> ", url, word);
}

/* A piece of HTML: mostly a word, one in 48 a link, some that only begin like one. */
static inline void documents_piece(struct documents *d, const char *popularity, size_t pages, uint32_t *seed)
{
	char word[DOCUMENTS_WORD + 1];

	documents_word(word, (uint32_t)bench_random_skewed(seed, 50000));
	switch (bench_random_below(seed, 48)) {
	case 0:
		documents_link(d, word, popularity, pages, seed);
		break;
	case 1:
		documents_print(d, "<a name=\"%s\"></a>", word);
		break;
	case 2:
		documents_print(d, "<b>%s</b><br>", word);
		break;
	case 3: /* without quotes: not looked for */
		documents_print(d, "<a href=%s>%s</a> ", word, word);
		break;
	default:
		documents_print(d, "%s ", word);
	}
}

/* Lines of 8 to 39 pieces; every 64th is cut short within a link. The first has a whole one, so that there is
 * one. */
static inline void documents_html(struct bench *b, struct documents *d, size_t lines, size_t pages,
	const char *popularity, uint32_t *seed)
{
	char url[DOCUMENTS_URL];

	documents_init(b, d, lines);
	for (size_t i = 0; i < lines; i++) {
		size_t from = d->bytes, pieces = 8 + bench_random_below(seed, 32);

		if (i == 0)
			documents_link(d, "first", popularity, pages, seed);
		while (pieces-- && d->bytes - from < DOCUMENTS_LINE - 3 * DOCUMENTS_URL)
			documents_piece(d, popularity, pages, seed);
		if (i % 64 == 63)
			documents_print(d, "<a href=\"%.*s", (int)bench_random_below(seed, 16),
				documents_url(url, documents_page(popularity, pages, seed)));
		d->line[2 * i] = (int32_t)from;
		d->line[2 * i + 1] = (int32_t)(d->bytes - from);
		documents_print(d, "\n");
	}
}

/* A log: address, visitor's IP address, cookie, with tabs between. One entry in four is one of the 64 before
 * it once more. */
static inline void documents_log(struct bench *b, struct documents *d, size_t lines, size_t pages,
	const char *popularity, uint32_t *seed)
{
	char url[DOCUMENTS_URL], cookie[DOCUMENTS_WORD + 1];

	documents_init(b, d, lines);
	for (size_t i = 0; i < lines; i++) {
		int32_t from = (int32_t)d->bytes;

		if (i && !bench_random_below(seed, 4)) {
			const int32_t *again =
				&d->line[2 * (i - 1 - bench_random_below(seed, i < 64 ? i : 64))];
			documents_print(d, "%.*s", again[1], (const char *)d->text + again[0]);
		} else {
			uint32_t visitor = (uint32_t)bench_random_below(seed, lines / 4 + 1);
			documents_print(d, "%s\t10.%u.%u.%u\t%s",
				documents_url(url, documents_page(popularity, pages, seed)),
				visitor >> 16 & 255, visitor >> 8 & 255, visitor & 255,
				documents_word(cookie, visitor * 2654435761u));
		}
		d->line[2 * i] = from;
		d->line[2 * i + 1] = (int32_t)d->bytes - from;
		documents_print(d, "\n");
	}
}

/* Each page once, in the order of their numbers: address, tab, how often it was seen (1 to a million). */
static inline void documents_views(
	struct bench *b, struct documents *d, size_t pages, const char *popularity, uint32_t *seed)
{
	char url[DOCUMENTS_URL];

	documents_init(b, d, pages);
	for (size_t i = 0; i < pages; i++) {
		int32_t from = (int32_t)d->bytes;

		documents_print(d, "%s\t%u", documents_url(url, i),
			1 + (unsigned)documents_page(popularity, 1000000, seed));
		d->line[2 * i] = from;
		d->line[2 * i + 1] = (int32_t)d->bytes - from;
		documents_print(d, "\n");
	}
}

#endif
