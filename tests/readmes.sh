#!/bin/sh
# tests/readmes.sh BUILD -- the README of each source folder lists every file and folder in it exactly once,
# and nothing that does not exist; links in the pages of the documentation lead somewhere, and the files that
# they name exist.
. tests/lib.sh

# listed FOLDER: the names at the beginning of the README's items, one a line
listed() { sed -n '/^\* `/{ s/ - .*//; p; }' "$1/README.md" | grep -o '`[^`]*`' | tr -d '`'; }

# present FOLDER: its files, and its folders with a slash
present() {
	for path in "$1"/*; do
		case $path in
		*/README.md | *~) ;;
		*) if [ -d "$path" ]; then echo "${path##*/}/"; else echo "${path##*/}"; fi ;;
		esac
	done
}

for folder in $(find sim frontend dram interconnect memsys core host experiment cachemodel cli -type d | sort); do
	listed "$folder" 2>/dev/null | sort >"$out/listed"
	present "$folder" | sort >"$out/present"
	diff "$out/present" "$out/listed" >"$out/log" 2>&1
	expect "$folder/README.md lists its files, each once" [ ! -s "$out/log" ]
done

for page in *.md make/README.md docs/*.md docs/*/*.md docs/*/*/*.md sweeps/*.md; do
	grep -o '](\([^)#:]*\))' "$page" | sed 's/^](//; s/)$//' | sort -u >"$out/links"
	while read -r link; do
		expect "$page: the link to $link" [ -e "$(dirname "$page")/$link" ]
	done <"$out/links"
	grep -oE '`[a-z0-9_]+/[a-z0-9_/+-]+\.(c|h|def|y|sh|sql|yaml|md)`' "$page" |
		tr -d '`' | sort -u >"$out/files"
	while read -r file; do # mine.c: the example of a policy
		expect "$page: the file $file" [ -e "$file" -o "${file##*/}" = mine.c ]
	done <"$out/files"
done

# is_there KIND WORD...: one of what tests/readmes.awk prints
is_there() {
	case $1 in
	command) [ -s "$out/help.$2" ] || "$lockstep" "$2" --help >"$out/help.$2" ;;
	option)
		is_there command "$2" && { [ "$3" = --help ] || grep -qE -e "^ +(-[a-z], )?$3( |,|$)" "$out/help.$2"; }
		;;
	config) [ -e "$2" ] || [ -e "configs/$2.yaml" ] ;;
	path) # of a pattern the first file
		case $2 in build/*) [ -e "$build/${2#build/}" ] ;; *) [ -e "$2" ] ;; esac
		;;
	esac
}
for page in *.md make/README.md docs/*.md docs/*/*.md docs/*/*/*.md sweeps/*.md benchmarks/*.md benchmarks/*/README.md; do
	awk -f tests/readmes.awk "$page" | sed "s|^|$page |"
done >"$out/all"
awk '{ page = $1; $1 = "" } !seen[$0]++ { print page $0 }' "$out/all" >"$out/named" # each once
while read -r page words; do
	expect "$page: $words" is_there $words
done <"$out/named"
expect "the pages name many options" [ "$(grep -c ' option ' "$out/all")" -ge 100 ]

# README's first three lines, but for make: the program that nvcc makes of the example is right.
nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)
if [ -n "$nvcc" ] && ! sanitized; then
	awk '/^## /{ here = /Run your CUDA program/ } /^```/ { code = !code; next } here && code && $1 != "make"' README.md |
		sed "s|^nvcc |'$nvcc' |; s|build/bin/lockstep|$lockstep|; s|-o vectorAdd|-o $out/vectorAdd|
			s|-- ./vectorAdd|-q -o '' -- $out/vectorAdd|" >"$out/three"
	expect "README.md: the first lines" [ "$(wc -l <"$out/three")" = 2 ]
	answers 0 "^vectorAdd: 50000 sums are right" sh -e "$out/three"
else
	echo "note: readmes: skipped the program of README.md: there is no nvcc, or the build has sanitizers"
fi
finish
