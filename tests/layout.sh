#!/bin/sh
# tests/layout.sh [check] -- how the sources are laid out, in figures that can be watched: files per folder,
# the longest files, long lines, includes against the direction of the layers, and pairs of files that share
# six or more lines. With `check` it fails where clang-format would change a file, an include points upward or
# a comment names a file that is not there.
#
# The last line reads:
# layout: most N files in a folder, N % of files over 400 lines, N lines over 110 columns, N upward includes,
#   N mutual pairs in core, N users of private headers
set -u
cd "$(dirname "$0")/.." || exit 1
mode=${1:-show}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
status=0

files() {
	git ls-files 2>/dev/null ||
		find . -type f -not -path './build*' -not -path './.git/*' | sed 's|^\./||'
}

# host/cuda.h has the names and the layout of NVIDIA's API; expected outputs and programs in PTX are data,
# not sources.
files | while read -r f; do [ -f "$f" ] && echo "$f"; done >"$work/all"
grep -E '\.(c|h|def|l|y)$' "$work/all" | grep -v '^host/cuda\.h$' >"$work/code"
grep -E '\.(sh|awk|sql|js|css|mk)$|^Makefile$' "$work/all" >"$work/scripts"
grep -E '\.(md|yaml)$' "$work/all" >"$work/prose"

echo "files in a folder, the fullest ten (sources and scripts):"
cat "$work/code" "$work/scripts" | sed 's|/[^/]*$||; /\//!{/^Makefile$/d;}' | sort | uniq -c |
	sort -k1,1nr -k2 >"$work/folders"
head -n 10 "$work/folders"
most=$(awk '{ print $1; exit }' "$work/folders")

echo "lines in a file, the longest ten:"
cat "$work/code" "$work/scripts" | xargs wc -l | awk '$2 != "total"' | sort -k1,1nr -k2 >"$work/lengths"
head -n 10 "$work/lengths"
long=$(awk '$1 > 400 { n++ } END { printf "%.1f", 100 * n / NR }' "$work/lengths")

# A row of a table in Markdown and an address cannot be broken.
echo "lines over 110 columns, by file, the first ten:"
cat "$work/code" "$work/scripts" "$work/prose" | xargs awk '
	{ text = $0; gsub(/[\200-\277]/, "", text); tabs = gsub(/\t/, "", text) }
	length(text) + 8 * tabs > 110 && !(FILENAME ~ /\.md$/ && /^ *\||https?:/) { n[FILENAME]++ }
	END { for (f in n) print n[f], f }' | sort -k1,1nr -k2 >"$work/wide"
head -n 10 "$work/wide"
wide=$(awk '{ n += $1 } END { print n + 0 }' "$work/wide")

# The layers, the lowest first. A folder includes those of lower rank and itself; those of one rank do not
# know each other. The folders of core are layers, too. The front end, which is a library of its own, knows of
# the rest only the messages (sim/base/diag.h).
echo "includes against the direction of the layers:"
grep -E '\.(c|h|l|y)$' "$work/code" |
	grep -E '^(sim|frontend|dram|interconnect|memsys|core|host|experiment|cachemodel|cli)/' |
	xargs grep -HE '^#include "[a-z_0-9]+/' | awk '
	BEGIN {
		split("sim/base 1 sim/text 2 sim/files 2 sim/config 3 sim/stats 3 sim/event 3 sim/policy 4 " \
			"frontend 5 dram 5 interconnect 5 memsys 5 " \
			"core/exec 11 core/kernel 12 core/simt 13 core/diagnose 14 " \
			"core/runtime 15 core/functional 16 core/sanitize 17 core/sched 18 core/dispatch 18 " \
			"core/limiter 19 core/sm 20 core/issue 21 core/lsu 22 core/pipeline 23 core/chip 24 " \
			"core/energy 25 core/observe 25 core/sample 25 core/lookahead 25 core/gpu 26 host 30 experiment 31 " \
			"cachemodel 31 cli 32", w, " ")
		for (i = 1; i in w; i += 2) rank[w[i]] = w[i + 1]
	}
	function room(path,  part) {
		split(path, part, "/")
		return part[1] == "sim" || part[1] == "core" ? part[1] "/" part[2] : part[1]
	}
	{
		colon = index($0, ":"); from = substr($0, 1, colon - 1)
		split(substr($0, colon + 1), quoted, "\""); to = quoted[2]
		a = room(from); b = room(to)
		if (a == b || !(a in rank)) next
		fine = b in rank && rank[b] < rank[a]
		if (a == "frontend") fine = to == "sim/base/diag.h"
		if (!fine) print "  " from " includes " to
	}' >"$work/upward"
cat "$work/upward"
# Folders of core that include each other, and files that include another folder's NAME_internal.h
grep -E '^core/.*\.[ch]$' "$work/code" | xargs grep -HE '^#include "core/' | awk -F '[:"]' '
	{
		split($1, a, "/"); split($3, b, "/")
		if ($3 ~ /_internal\.h$/ && a[2] != b[2]) print "private", $1, $3
		if (a[2] != b[2] && !((a[2], b[2]) in seen)) {
			seen[a[2], b[2]] = 1
			if ((b[2], a[2]) in seen) print "mutual", a[2], b[2]
		}
	}' >"$work/core"
sed 's/^/  /' "$work/core"
mutual=$(grep -c '^mutual' "$work/core")
private=$(grep -c '^private' "$work/core")
upward=$(wc -l <"$work/upward" | tr -d ' ')

# Six consecutive lines of code that stand in two files, to the letter; and ten that are alike but for names,
# numbers and texts. Blank lines, comments, includes and lone brackets do not count; nor do ten lines of
# fewer than six shapes, which are rows of a table.
cat >"$work/pairs.awk" <<'END'
FNR == 1 { n = 0 }
{ $1 = $1; text = $0 }
text == "" || text ~ /^[{}();, ]*$/ { next }
text ~ /^(\/\*|\*|\/\/|#include|#ifndef|#define [A-Z_0-9]+_H$|#endif)/ { next }
shape {
	gsub(/"([^"\\]|\\.)*"/, "\"\"", text)
	gsub(/[A-Za-z_][A-Za-z_0-9]*/, "a", text)
	gsub(/[0-9][0-9a-zA-Z.]*/, "0", text)
}
{
	last[n++ % most] = text
	if (n < most) next
	key = ""; kinds = 0
	for (i = 0; i < most; i++) {
		line = last[(n + i) % most]
		if (seen[line] != FILENAME FNR) kinds++
		seen[line] = FILENAME FNR
		key = key "\n" line
	}
	if (kinds < 6) next
	if (!(key in first)) first[key] = FILENAME
	else if (first[key] != FILENAME) shared[first[key] "  " FILENAME]++
}
END { for (p in shared) print shared[p], p }
END
pairs() { # TITLE OPTIONS...
	title=$1; shift
	xargs awk "$@" -f "$work/pairs.awk" <"$work/code" | sort -k1,1nr -k2 >"$work/pairs"
	echo "pairs of files that share $title: $(wc -l <"$work/pairs" | tr -d ' '), of which the first five:"
	head -n 5 "$work/pairs"
}
pairs "six or more lines" -v most=6 -v shape=0
pairs "ten or more lines but for their names" -v most=10 -v shape=1

# Names of files in comments: each must be a file of ours, or the end of its path. A first line `/* PATH -- `
# must name its own file. Names of placeholders (NAME.c) are none, nor are made files (build/).
cat >"$work/named.awk" <<'END'
BEGIN {
	split("cuda_occupancy.h gpu-cache.h link.h linux/magic.h mt19937ar.c sysexits.h", foreign, " ")
	for (i in foreign) known[foreign[i]] # others' files
}
FILENAME == files {
	for (path = $0; ; path = substr(path, index(path, "/") + 1)) {
		known[path]
		if (!index(path, "/")) next
	}
}
FNR == 1 { inside = 0 }
FNR == 1 && /^\/\* [^ ]+\/[^ ]+\.[chdefly]+ -- / && $2 != FILENAME {
	print FILENAME ": says that it is " $2
}
{
	rest = $0; text = ""
	for (;;) { # what of the line is comment
		if (inside) {
			end = index(rest, "*/")
			text = text " " (end ? substr(rest, 1, end - 1) : rest)
			if (!end) break
			inside = 0; rest = substr(rest, end + 2)
		} else if ((start = index(rest, "/*")) > 0) {
			inside = 1; rest = substr(rest, start + 2)
		} else break
	}
	while (match(text, /[A-Za-z0-9_.+\/-]*[A-Za-z0-9_+-]\.(c|h|def|l|y|sh|awk)/)) {
		name = substr(text, RSTART, RLENGTH); next_one = substr(text, RSTART + RLENGTH, 1)
		text = substr(text, RSTART + RLENGTH)
		if (next_one ~ /[A-Za-z0-9_(]/ || name ~ /[A-Z][A-Z]|^build\//) continue
		if (!(name in known)) print FILENAME ":" FNR ": " name
	}
}
END
missing() { # LIST: what comments of the files in the list name that is not there
	xargs awk -v files="$work/all" -f "$work/named.awk" "$work/all" <"$1"
}
echo "files that comments name and that are not there:"
missing "$work/code" >"$work/gone"
sed 's/^/  /' "$work/gone"

if [ "$mode" = check ]; then
	# Another version of clang-format lays some things out otherwise: only the one that the sources were
	# made with can judge.
	format=$(command -v clang-format-14 || echo clang-format)
	version=$($format --version 2>/dev/null | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
	if [ "$version" = 14 ]; then
		if ! grep -E '\.[ch]$' "$work/code" |
			xargs -P 2 -n 50 "$format" --dry-run -Werror 2>"$work/format"; then
			status=1
			echo "not ok: 'make format' would change these files:"
			sed -n 's/^\([^:]*\):[0-9]*:[0-9]*: error:.*/  \1/p' "$work/format" | sort -u
		fi
	else
		echo "note: the layout of the sources is checked only where clang-format 14 is installed"
	fi
	[ "$upward" = 0 ] || { status=1; echo "not ok: an include points upward"; }
	[ "$mutual" = 0 ] || { status=1; echo "not ok: folders of core include each other"; }
	[ ! -s "$work/gone" ] || { status=1; echo "not ok: a comment names a file that is not there"; }
	# the last check can fail
	echo "$work/probe.c" >"$work/probe"
	printf '/* sim/base/bug.c -- see layout.sh,\n * tests/no_such_file.c */ int code; /* lib.sh */\n' >"$work/probe.c"
	[ "$(missing "$work/probe" | grep -c 'says that it is\|:2: tests/no_such_file\.c$')" = 2 ] ||
		{ status=1; echo "not ok: a missing file's name is not noticed"; }
	[ "$private" = 0 ] || { status=1; echo "not ok: a private header is used outside its folder"; }
fi
echo "layout: most $most files in a folder, $long % of files over 400 lines," \
	"$wide lines over 110 columns, $upward upward includes," \
	"$mutual mutual pairs in core, $private users of private headers"
exit $status
