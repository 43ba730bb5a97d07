/* text.c -- the PTX of a kernel. Every kernel has the same parameters:
 *
 *	out      8 bytes for each thread, which its result goes to
 *	data     the memory of a stream in global memory, or its texture
 *	repeats  how often the lines are executed
 *	lanes    how many lanes of a warp are active
 *	x, y     operands: the bits of an integer or of a float
 *	gx, gy   the same for f64
 *	step     bytes that a stream goes on in a repetition
 *	mask     the footprint of a stream, less 1
 *	chunk    bytes from one warp to the next
 */
#include "energymicro.h"

unsigned chain_unroll(const struct family *f)
{
	unsigned lines = 0;

	while (lines < MOST_LINES && f->lines[lines])
		lines++;
	return f->unroll ? f->unroll : lines > 4 ? 1 : 8 / lines;
}

/* # stands for the chain, & for the next one, $ for the offset of the chain's word in a stream, ~ for a
 * number that no other line has. */
static void put(FILE *to, const char *line, unsigned chain, unsigned apart)
{
	static unsigned number;

	number++;
	fputc('\t', to);
	for (; *line; line++) {
		if (*line == '#')
			fprintf(to, "%u", chain);
		else if (*line == '~')
			fprintf(to, "%u", number);
		else if (*line == '&')
			fprintf(to, "%u", (chain + 1) % CHAINS);
		else if (*line == '$')
			fprintf(to, "%u", chain * apart);
		else
			fputc(*line, to);
	}
	fputc('\n', to);
}

static void put_all(FILE *to, const char *line, unsigned apart)
{
	for (unsigned c = 0; c < CHAINS; c++)
		put(to, line, c, apart);
}

static void put_head(FILE *to, const struct kernel *k, unsigned capability)
{
	const char *version = capability >= 80 ? "7.0" : capability >= 70 ? "6.0" : "3.1";

	fprintf(to, "// %s: %s, %s\n.version %s\n.target sm_%u\n.address_size 64\n", k->name,
		k->family->about, k->level->about, version,
		capability >= 80           ? 80
			: capability >= 70 ? 70
					   : 20);
	if (k->family->stream.space == SPACE_CONST) {
		uint32_t bytes = k->family->stream.footprint + STREAM_PADDING;

		fprintf(to, ".const .align 4 .u32 words[%u] = {", bytes / 4);
		for (uint32_t at = 0; at < bytes; at += 4)
			fprintf(to, "%s%u", at ? ", " : "", stream_word(&k->family->stream, at));
		fputs("};\n", to);
	}
	fprintf(to,
		".visible .entry %s(.param .u64 out, .param .u64 data, .param .u32 repeats, "
		".param .u32 lanes,\n\t.param .u32 x, .param .u32 y, .param .f64 gx, .param .f64 gy, "
		".param .u32 step, .param .u32 mask,\n\t.param .u32 chunk)\n{\n",
		k->name);
	fputs("\t.reg .pred %p<8>, %q, %never, %more;\n"
	      "\t.reg .b32 %r<8>, %s<8>, %t<8>, %a<8>, %b<8>, %c<8>, %x, %y, %repeats, %lanes, %thread, "
	      "%lane, %id, %minus;\n"
	      "\t.reg .b32 %step, %mask, %chunk, %offset, %last, %sum, %part;\n"
	      "\t.reg .f32 %f<8>, %u<8>, %v<8>, %w<8>, %fx, %fy;\n"
	      "\t.reg .f64 %g<8>, %gx, %gy;\n"
	      "\t.reg .b64 %d<8>, %out, %data, %at, %all;\n"
	      "\tld.param.u32 %repeats, [repeats];\n"
	      "\tld.param.u32 %lanes, [lanes];\n"
	      "\tmov.u32 %thread, %tid.x;\n"
	      "\tand.b32 %lane, %thread, 31;\n",
		to);
}

static void put_id(FILE *to)
{
	fputs("\tmov.u32 %s0, %ctaid.x;\n\tmov.u32 %s1, %ntid.x;\n\tmad.lo.u32 %id, %s0, %s1, %thread;\n",
		to);
}

static void put_result(FILE *to)
{
	fputs("\tld.param.u64 %out, [out];\n\tmul.wide.u32 %at, %id, 8;\n\tadd.u64 %out, %out, %at;\n"
	      "\tst.global.u64 [%out], %all;\n\tret;\n}\n",
		to);
}

static void put_leave(FILE *to)
{
	fputs("\tsetp.ge.u32 %q, %lane, %lanes;\n\t@%q exit;\n", to);
}

static void put_loop_end(FILE *to)
{
	fputs("\tsub.u32 %repeats, %repeats, 1;\n\tsetp.ne.u32 %more, %repeats, 0;\n\t@%more bra "
	      "REPEAT;\nOUT:\n",
		to);
}

/* -- chains -- */

/* Whether a line of the family has this register. */
static bool uses(const struct family *f, const char *name)
{
	bool is = false;

	for (unsigned l = 0; l < MOST_LINES && f->lines[l]; l++)
		is |= strstr(f->lines[l], name) != NULL;
	return is;
}

static void put_operands(FILE *to, const struct family *f)
{
	if (f->type == TYPE_F64)
		fputs("\tld.param.f64 %gx, [gx];\n\tld.param.f64 %gy, [gy];\n", to);
	else
		fputs("\tld.param.u32 %x, [x];\n\tld.param.u32 %y, [y];\n", to);
	if (uses(f, "%fx") || uses(f, "%fy"))
		fputs("\tmov.b32 %fx, %x;\n\tmov.b32 %fy, %y;\n", to);
	if (uses(f, "%minus")) /* both signs of a pair of f16 */
		fputs("\txor.b32 %minus, %y, -2147450880;\n", to);
	if (uses(f, "%q"))
		fputs("\tand.b32 %part, %lane, 1;\n\tsetp.ne.u32 %q, %part, 0;\n", to);
	if (uses(f, "%never"))
		fputs("\tsetp.eq.u32 %never, %repeats, 0;\n", to);
}

static void put_chain_begin(FILE *to, const struct family *f)
{
	float first = (float)f->first, apart = (float)f->apart;
	uint32_t first_bits, apart_bits;
	char line[96];

	memcpy(&first_bits, &first, 4);
	memcpy(&apart_bits, &apart, 4);
	put_leave(to);
	put_operands(to, f);
	put_all(to, "mad.lo.u32 %r#, %lane, 8, #;", 0);
	if (f->type == TYPE_U32) {
		snprintf(line, sizeof line, "mad.lo.u32 %%r#, %%r#, %u, %u;", (uint32_t)f->apart,
			(uint32_t)f->first);
		put_all(to, line, 0);
	} else {
		snprintf(line, sizeof line, "fma.rn.f32 %%f#, %%f#, 0f%08X, 0f%08X;", apart_bits, first_bits);
		put_all(to, "cvt.rn.f32.u32 %f#, %r#;", 0);
		put_all(to, line, 0);
	}
	if (f->type == TYPE_F64)
		put_all(to, "cvt.f64.f32 %g#, %f#;", 0);
	if (uses(f, "%u#")) {
		put_all(to, "mov.f32 %u#, %f#;", 0);
		put_all(to, "mov.f32 %v#, %f#;", 0);
		put_all(to, "mov.f32 %w#, %f#;", 0);
	}
	if (uses(f, "%p#"))
		put_all(to, "setp.ge.u32 %p#, %lane, 32;", 0);
	fputs("REPEAT:\n", to);
}

static const char *modern(const char *line)
{
	return strncmp(line, "vote.", 5) ? line : "vote.sync.ballot.b32 %s#, %p#, -1;";
}

static void put_chain_end(FILE *to, const struct family *f)
{
	static const char *const add[] = { "add.u32 %%r0, %%r0, %%r%u;", "add.rn.f32 %%f0, %%f0, %%f%u;",
		"add.rn.f64 %%g0, %%g0, %%g%u;" };

	fputs("\tmov.u32 %sum, 0;\n", to);
	for (unsigned c = 0; c < CHAINS; c++) {
		if (c) {
			fputc('\t', to);
			fprintf(to, add[f->type], c);
			fputc('\n', to);
		}
		if (uses(f, "%p#"))
			fprintf(to, "\tselp.u32 %%part, %u, 0, %%p%u;\n\tadd.u32 %%sum, %%sum, %%part;\n",
				1u << c, c);
	}
	if (f->type == TYPE_F64)
		fputs("\tmov.b64 %all, %g0;\n", to);
	else
		fprintf(to, "\tmov.b32 %%part, %%%s0;\n\tmov.b64 %%all, {%%part, %%sum};\n",
			f->type == TYPE_F32 ? "f" : "r");
	put_id(to);
}

static void put_chains(FILE *to, const struct family *f, unsigned capability)
{
	put_chain_begin(to, f);
	for (unsigned i = 0; i < chain_unroll(f); i++)
		for (unsigned l = 0; l < MOST_LINES && f->lines[l]; l++)
			put_all(to, capability >= 70 ? modern(f->lines[l]) : f->lines[l], 0);
	put_loop_end(to);
	put_chain_end(to, f);
}

/* -- streams -- */

static void put_shared_words(FILE *to, const struct stream *s)
{
	unsigned bytes = s->footprint + STREAM_PADDING;

	/* word i is i * 2654435761, as stream_word() has it */
	fprintf(to,
		"\t.shared .align 4 .u32 words[%u];\n"
		"\tmov.u64 %%data, words;\n\tshl.b32 %%offset, %%thread, 2;\n\tmov.u32 %%s1, %%ntid.x;\n"
		"FILL:\n"
		"\tcvt.u64.u32 %%at, %%offset;\n\tadd.u64 %%at, %%data, %%at;\n"
		"\tshr.u32 %%part, %%offset, 2;\n\tmul.lo.u32 %%part, %%part, 2654435761;\n"
		"\tst.shared.u32 [%%at], %%part;\n"
		"\tmad.lo.u32 %%offset, %%s1, 4, %%offset;\n\tsetp.lt.u32 %%more, %%offset, %u;\n"
		"\t@%%more bra FILL;\n\tbar.sync 0;\n",
		bytes / 4, bytes);
}

static void put_stream_begin(FILE *to, const struct stream *s)
{
	if (s->space == SPACE_SHARED)
		put_shared_words(to, s);
	else if (s->space == SPACE_CONST)
		fputs("\tmov.u64 %data, words;\n", to);
	put_leave(to);
	put_id(to);
	fputs("\tmov.u32 %sum, 0;\n\tld.param.u32 %step, [step];\n\tld.param.u32 %mask, [mask];\n"
	      "\tld.param.u32 %chunk, [chunk];\n",
		to);
	if (s->pairs)
		fputs("\tmov.f32 %fx, 0f00000000;\n", to);
	if (s->space == SPACE_GLOBAL || s->space == SPACE_TEXTURE)
		fputs("\tld.param.u64 %data, [data];\n", to);
	if (s->random) {
		put_all(to, "mad.lo.u32 %r#, %id, 8, #;", 0);
		put_all(to, "mul.lo.u32 %r#, %r#, 2654435761;", 0);
	}
	fprintf(to,
		"\tshr.u32 %%part, %%id, 5;\n\tmul.lo.u32 %%part, %%part, %%chunk;\n"
		"\tmad.lo.u32 %%offset, %%lane, %u, %%part;\n\tand.b32 %%offset, %%offset, %%mask;\n"
		"REPEAT:\n",
		s->stride);
}

static const char *address_of(const struct stream *s)
{
	if (s->space == SPACE_TEXTURE)
		return "[%data, {%s#}]";
	return s->random ? "[%d#]" : "[%at+$]";
}

static void put_random_addresses(FILE *to)
{
	put_all(to, "mad.lo.u32 %r#, %r#, 1664525, 1013904223;", 0);
	put_all(to, "shr.u32 %s#, %r#, 4;", 0);
	put_all(to, "and.b32 %s#, %s#, %mask;", 0);
	put_all(to, "and.b32 %s#, %s#, -4;", 0);
	put_all(to, "cvt.u64.u32 %d#, %s#;", 0);
	put_all(to, "add.u64 %d#, %data, %d#;", 0);
}

/* Of words of the chains, for the access. */
static void put_addresses(FILE *to, const struct stream *s)
{
	if (s->random) {
		put_random_addresses(to);
		return;
	}
	fputs("\tmov.u32 %last, %offset;\n", to);
	if (s->space == SPACE_TEXTURE) {
		fputs("\tshr.u32 %part, %offset, 2;\n", to);
		put_all(to, "add.u32 %s#, %part, $;", s->apart / 4);
	} else {
		fputs("\tcvt.u64.u32 %at, %offset;\n\tadd.u64 %at, %data, %at;\n", to);
	}
}

/* For the chains of pairs, which are the even ones. */
static void put_pairs(FILE *to, const char *line)
{
	for (unsigned c = 0; c < CHAINS; c += 2)
		put(to, line, c, 0);
}

static void put_steps(FILE *to, unsigned steps)
{
	unsigned unroll = steps < 32 ? steps : 32;

	while (steps % unroll)
		unroll--;
	fprintf(to, "\tmov.u32 %%part, %u;\nSTEPS:\n", steps / unroll);
	for (unsigned i = 0; i < unroll; i++)
		put_pairs(to, "fma.rn.f32 %f#, %f#, %t#, %u#;");
	fputs("\tsub.u32 %part, %part, 1;\n\tsetp.ne.u32 %q, %part, 0;\n\t@%q bra STEPS;\n", to);
}

static void put_chains_of_pairs(FILE *to, unsigned steps)
{
	put_pairs(to, "sub.rn.f32 %f#, %t#, %t&;");
	if (steps) {
		put_pairs(to, "neg.f32 %u#, %t&;");
		put_steps(to, steps);
	}
	put_pairs(to, "add.rn.f32 %fx, %fx, %f#;");
}

static void put_stream(FILE *to, const struct stream *s)
{
	char line[96];

	put_stream_begin(to, s);
	put_addresses(to, s);
	if (s->access == ACCESS_READ)
		snprintf(line, sizeof line,
			s->space == SPACE_TEXTURE ? "%s {%%t#, %%a#, %%b#, %%c#}, %s;" : "%s %%t#, %s;",
			s->op, address_of(s));
	else
		snprintf(line, sizeof line, "%s %s, %s;", s->op, address_of(s),
			s->access == ACCESS_ADD ? "1" : "%last");
	put_all(to, line, s->apart);
	if (s->pairs)
		put_chains_of_pairs(to, s->steps);
	else if (s->access == ACCESS_READ)
		put_all(to, "add.u32 %sum, %sum, %t#;", 0);
	if (!s->random)
		fputs("\tadd.u32 %offset, %offset, %step;\n\tand.b32 %offset, %offset, %mask;\n", to);
	put_loop_end(to);
	if (s->space == SPACE_SHARED && s->access == ACCESS_WRITE)
		fputs("\tld.shared.u32 %sum, [%at];\n", to);
	if (s->pairs)
		fputs("\tmov.b32 %sum, %fx;\n", to);
	fputs("\tcvt.u64.u32 %all, %sum;\n", to);
}

char *kernel_text(const struct kernel *k, unsigned capability)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	if (!to)
		bench_die("%s: out of memory", k->name);
	put_head(to, k, capability);
	if (k->family->stream.space)
		put_stream(to, &k->family->stream);
	else
		put_chains(to, k->family, capability);
	put_result(to);
	fclose(to);
	return text;
}
