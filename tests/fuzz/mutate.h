/* tests/fuzz/mutate.h -- PTX changed at random by words and lines, so that most of it gets past the scanner.
 */
#ifndef FUZZ_MUTATE_H
#define FUZZ_MUTATE_H

#include <ctype.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Changes any bytes: libFuzzer's, or that of the program which includes this. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

static const char *const words[] = {
#define OPCODE(id, spelling, ...) spelling,
#include "frontend/tables/opcodes.def"
#undef OPCODE
#define MODIFIER(id, spelling) "." spelling,
#include "frontend/tables/modifiers.def"
#undef MODIFIER
#define SREG(id, spelling, type, is_fixed) spelling,
#include "frontend/tables/sregs.def"
#undef SREG
	".b8",
	".b16",
	".b32",
	".b64",
	".b128",
	".u8",
	".u16",
	".u32",
	".u64",
	".s8",
	".s16",
	".s32",
	".s64",
	".f16",
	".f16x2",
	".bf16",
	".bf16x2",
	".f32",
	".f64",
	".pred",
	".v2",
	".v4",
	".v8",
	".global",
	".shared",
	".local",
	".const",
	".param",
	".reg",
	".tex",
	".entry",
	".func",
	".visible",
	".extern",
	".weak",
	".common",
	".align",
	".maxntid",
	".reqntid",
	".branchtargets",
	".callprototype",
	".calltargets",
	"generic",
	"mask",
	"WARP_SZ",
	"0x7fffffff",
	"0x8000000000000000",
	"0f7F800000",
	"0d7FF0000000000000",
	"-1",
	"0",
	"1",
	"255",
	"4294967295U",
	"{",
	"}",
	"(",
	")",
	"[",
	"]",
	"+",
	"-",
	"*",
	"/",
	"%",
	"<<",
	">>",
	"?",
	":",
	"!",
	"~",
	"|",
	"&",
	"^",
	"=",
	"_",
	",",
	";",
	"@",
	"@!",
	"//",
	"/*",
	"\"",
	"\n",
};

static unsigned next_random(unsigned *state)
{
	*state = *state * 1103515245u + 12345u;
	return *state >> 8;
}

static bool is_word(int c)
{
	return isalnum(c) || c == '_' || c == '$' || c == '%';
}

/* The word or single character at a random place: its start and end. */
static void find_token(const uint8_t *data, size_t size, size_t at, size_t *start, size_t *end)
{
	*start = at;
	*end = at + 1;
	if (!is_word(data[at]))
		return;
	while (*start && is_word(data[*start - 1]))
		--*start;
	if (*start && data[*start - 1] == '.')
		--*start;
	while (*end < size && is_word(data[*end]))
		++*end;
}

static void find_line(const uint8_t *data, size_t size, size_t at, size_t *start, size_t *end)
{
	*start = *end = at;
	while (*start && data[*start - 1] != '\n')
		--*start;
	while (*end < size && data[*end] != '\n')
		++*end;
	*end += *end < size;
}

/* Replaces data[start..end) by text; the new size, or the old one if there is no room. */
static size_t splice(uint8_t *data, size_t size, size_t max_size, size_t start, size_t end, const void *text,
	size_t length)
{
	if (size - (end - start) + length > max_size)
		return size;
	memmove(data + start + length, data + end, size - end);
	memcpy(data + start, text, length);
	return size - (end - start) + length;
}

/* One change; the new size. */
static size_t mutate(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
	size_t start, end, from, to, length;
	unsigned what = next_random(&seed) % 10;
	uint8_t copy[512];
	const char *word;

	if (size < 8 || what == 0)
		return LLVMFuzzerMutate(data, size, max_size);
	find_token(data, size, next_random(&seed) % size, &start, &end);
	if (what < 4) { /* a word of the language */
		word = words[next_random(&seed) % (sizeof words / sizeof *words)];
		return splice(data, size, max_size, start, end, word, strlen(word));
	}
	if (what < 7) /* a word of this text */
		find_token(data, size, next_random(&seed) % size, &from, &to);
	else
		find_line(data, size, next_random(&seed) % size, &from, &to);
	if (what >= 8) /* a line before another, or in its place */
		find_line(data, size, start, &start, &end);
	if (what == 8)
		end = start;
	length = to - from < sizeof copy ? to - from : sizeof copy;
	memcpy(copy, data + from, length);
	return splice(data, size, max_size, start, end, copy, length);
}

#endif
