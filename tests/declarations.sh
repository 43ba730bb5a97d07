#!/bin/sh
# tests/declarations.sh [BUILD] -- the compiler refuses wrong rows of parameter and statistic tables, each
# with a message that says what the macro wants. The right rows beside them show that nothing else is refused.
# The descriptions in these tables stand alone (declarations.awk).
. tests/lib.sh

# Only the rows differ: parameters for param_row, statistics for stat_row.
param_row() { source_of "static const struct sim_param table[] = { $1, SIM_END };"; }
stat_row() { source_of "static const struct sim_stat table[] = { $1, SIM_STAT_END };"; }
source_of() {
	cat >"$out/table.c" <<-END
		#include "sim/config/param.h"
		#include "sim/stats/stat.h"
		struct part { uint64_t count; };
		struct s {
			bool truth; int whole; uint32_t u32, four[4]; uint64_t u64, three[3], twice[2][3]; double f64; float f32;
			char *writable; const char *text; struct sim_histogram histogram; struct part part;
		};
		static const char *const names[] = { "a", "b", "c", NULL };
		double ratio(const void *object);
		double of_struct(const struct s *object);
		float single(const void *object);
		$1
		const void *use(void) { return names[0] ? table : 0; }
	END
}
compiles() { ${CC:-gcc} -std=gnu11 -Wall -Wextra -Werror -I. -fsyntax-only "$out/table.c"; }

while read -r kind row; do
	"$kind" "$row"
	expect "$row" compiles
done <<'END'
param_row SIM_BOOL(struct s, truth, true, "help")
param_row SIM_U32(struct s, u32, 1, 0, UINT32_MAX, "lines", "help")
param_row SIM_U32_AS(struct s, four[2], "second", 1, 0, 9, "lines", "help")
param_row SIM_U64(struct s, u64, 1, 0, 1e18, "bytes", "help")
param_row SIM_F64(struct s, f64, 0.5, 0, 1, "", "help")
param_row SIM_ENUM(struct s, u32, 0, names, "help")
param_row SIM_STRING(struct s, text, "", "help")
stat_row SIM_COUNT(struct s, u64, "cycles", "help")
stat_row SIM_COUNT_AS(struct s, part.count, "count", "cycles", "help")
stat_row SIM_VECTOR(struct s, three, names, "cycles", "help")
stat_row SIM_VECTOR_AS(struct s, twice[1], "second", names, "cycles", "help")
stat_row SIM_HIST(struct s, histogram, "cycles", "help")
stat_row SIM_FORMULA("ratio", ratio, "", "help")
END

wanted() { refuses "static assertion failed: \"$1" compiles; }
while IFS='|' read -r kind message row; do
	"$kind" "$row"
	wanted "$message"
done <<'END'
param_row|SIM_BOOL fills a field of type bool|SIM_BOOL(struct s, u32, true, "help")
param_row|SIM_BOOL fills a field of type bool|SIM_BOOL(struct s, whole, true, "help")
param_row|SIM_U32 fills a field of type uint32_t|SIM_U32(struct s, truth, 1, 0, 1, "", "help")
param_row|SIM_U32 fills a field of type uint32_t|SIM_U32(struct s, u64, 1, 0, 1, "", "help")
param_row|SIM_U32 fills a field of type uint32_t|SIM_U32(struct s, whole, 1, 0, 1, "", "help")
param_row|SIM_U32 fills a field of type uint32_t|SIM_U32(struct s, four, 1, 0, 1, "", "help")
param_row|SIM_U32 fills a field of type uint32_t|SIM_U32_AS(struct s, twice[1][2], "n", 1, 0, 1, "", "help")
param_row|SIM_U64 fills a field of type uint64_t|SIM_U64(struct s, u32, 1, 0, 1, "", "help")
param_row|SIM_F64 fills a field of type double|SIM_F64(struct s, f32, 1, 0, 1, "", "help")
param_row|SIM_F64 fills a field of type double|SIM_F64(struct s, u64, 1, 0, 1, "", "help")
param_row|SIM_ENUM fills a field of type uint32_t|SIM_ENUM(struct s, truth, 0, names, "help")
param_row|SIM_STRING fills a field of type const char *|SIM_STRING(struct s, writable, "", "help")
stat_row|SIM_COUNT prints a field of type uint64_t|SIM_COUNT(struct s, u32, "", "help")
stat_row|SIM_COUNT prints a field of type uint64_t|SIM_COUNT(struct s, f64, "", "help")
stat_row|SIM_COUNT prints a field of type uint64_t|SIM_COUNT(struct s, three, "", "help")
stat_row|SIM_VECTOR prints a field of type uint64_t[]|SIM_VECTOR(struct s, u64, names, "", "help")
stat_row|SIM_VECTOR prints a field of type uint64_t[]|SIM_VECTOR(struct s, four, names, "", "help")
stat_row|SIM_VECTOR wants a name for each element|SIM_VECTOR(struct s, three, names + 1, "", "help")
stat_row|SIM_VECTOR_PART has more names than|SIM_VECTOR_PART(struct s, three, 1, "n", names, "", "help")
stat_row|SIM_HIST prints a field of type struct sim_histogram|SIM_HIST(struct s, three, "", "help")
stat_row|SIM_FORMULA wants a function double (const void *)|SIM_FORMULA("n", of_struct, "", "help")
stat_row|SIM_FORMULA wants a function double (const void *)|SIM_FORMULA("n", single, "", "help")
END

# one name too few, and one too many
for names in '"a", "b"' '"a", "b", "c", "d"'; do
	stat_row 'SIM_VECTOR(struct s, three, names, "", "help")'
	sed -i "s/{ \"a\", \"b\", \"c\", NULL }/{ $names, NULL }/" "$out/table.c"
	wanted "SIM_VECTOR wants a name for each element"
done

# Descriptions stand alone: those of the tables, and what the command prints of them
stand_alone() {
	git ls-files '*.c' '*.h' '*.def' 2>/dev/null | grep -v '^tests/' | xargs grep -l 'SIM_[A-Z0-9_]*(' |
		xargs awk -f tests/declarations.awk >"$out/found"
	[ ! -s "$out/found" ] || cat "$out/found"
	[ ! -s "$out/found" ]
}
! git rev-parse -q --verify HEAD >/dev/null 2>&1 || expect "descriptions stand alone" stand_alone
for words in "config doc" "list stats"; do
	expect "lockstep $words: descriptions stand alone" \
		sh -c "COLUMNS=10000 '$lockstep' $words >'$out/printed' && ! grep -wiE 'those|such|of these|the same|so many' '$out/printed'"
done
# A table that is wrong on purpose
for text in "those of the misses" "lines of Such a warp" "of these, hits" "the same of stores" "emptied after so many requests"; do
	printf '\tSIM_COUNT(struct s, u64, "cycles",\n\t\t"%s"),\n' "$text" >"$out/table.c"
	expect "refused: $text" [ -n "$(awk -f tests/declarations.awk "$out/table.c")" ]
done
finish
