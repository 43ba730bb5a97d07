#!/bin/sh
# make/site/build.sh BUILD [SITE] -- the documentation as a site without a server (default: BUILD/site): each
# page of Markdown, and pages of the command's own words: help, parameters, statistics, policies, instruction
# forms of PTX. Needs pandoc. The last line of the output counts pages and links, and those that lead nowhere;
# these are listed before it. SITE_PAGES: these pages of Markdown alone, to which others are text.
set -eu
build=$1 to=${2:-$1/site}
here=make/site
lockstep=$build/bin/lockstep
work=$to.work site=$to.new
command -v pandoc >/dev/null 2>&1 || { echo "make docs needs pandoc (apt-get install pandoc)" >&2; exit 1; }
rm -rf "$work" "$site"
mkdir -p "$work/reference" "$site/reference/ptx"

# ---- pages: FILE <tab> PAGE, where FILE is Markdown here or in $work ----

pages() {
	[ -z "${SITE_PAGES:-}" ] || { printf '%s\n' $SITE_PAGES; return; }
	ls *.md tests/README.md
	find docs sweeps -name '*.md'
	find benchmarks cachemodel cli core dram experiment frontend host interconnect make memsys python sim \
		-name README.md
}
pages | sort -u >"$work/repository"
sh $here/reference.sh "$lockstep" "$work/reference" "$work/forms"
{ cat "$work/repository"; (cd "$work" && find reference -name '*.md'); } | sort |
	awk '{ page = $0; sub(/README\.md$/, "index.md", page); sub(/\.md$/, ".html", page)
		print $0 "\t" page }' >"$work/pages"

# the first heading of each is its title
cut -f 1 "$work/pages" | while read -r file; do
	[ -e "$file" ] && path=$file || path=$work/$file
	sed -n '/^# /{ s/^# //; s/`//g; p; q; }' "$path" | sed "s|^|$file	|"
done >"$work/titles"

# ---- Markdown to HTML ----

mkdir -p "$work/index" "$work/wanted"
export SITE_WORK="$work"
cut -f 1 "$work/pages" | xargs -P "$(nproc)" -n 8 sh $here/pages.sh "$work" "$site"

# ---- what links lead to that is no Markdown: pictures as they are, other files and folders as text ----

# a page without text, for what needs no pandoc
pandoc -f gfm -t html5 --template $here/page.html -V root=@ROOT@ -M pagetitle=@TITLE@ -o "$work/shell" /dev/null
cat "$work"/wanted/* 2>/dev/null | sort -u | while read -r path; do
	mkdir -p "$site/$(dirname "$path")"
	case $path in
	*.svg | *.png) cp "$path" "$site/$path"; continue ;;
	esac
	if [ -d "$path" ]; then ls -p "$path"; else cat "$path"; fi |
		awk -f $here/text.awk -v path="$path" "$work/shell" - >"$site/$path.html"
done

# ---- instruction forms, of which there are tens of thousands ----

for opcode in $(cut -f 1 "$work/forms/opcodes"); do
	printf 'reference/ptx/%s.md\tForms of %s\n' "$opcode" "$opcode" >>"$work/titles"
	printf '["reference/ptx/%s.html","Forms of %s","","%s"],\n' "$opcode" "$opcode" "$opcode" \
		>>"$work/index/forms"
done
forms=$work/forms
awk -f $here/forms.awk -v site="$site" "$work/shell" "$forms/opcodes" "$forms/refused" "$forms/valid"

# ---- navigation, search, and whether every link leads somewhere ----

sed 's|](|\n](|g' docs/README.md docs/*/README.md | sed -n 's/^](\([^)#]*\).*/\1/p' >"$work/order"
awk -f $here/navigation.awk "$work/titles" "$work/order" "$work/pages" >"$work/navigation"
find "$site" -name '*.html' | sort >"$work/made"
xargs awk -f $here/navigate.awk -v site="$site" "$work/navigation" <"$work/made"
{ echo 'var searchIndex = ['; cat "$work"/index/*; echo '];'; } >"$site/search-index.js"
cp $here/site.css $here/search.js "$site/"
status=0
xargs awk -f $here/links.awk -v site="$site" <"$work/made" || status=1
rm -rf "$to" "$work"
mv "$site" "$to"
exit $status
