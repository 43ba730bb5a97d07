#!/bin/sh
# make/site/page.sh WORK SITE PATH FILE -- the Markdown in PATH, which is FILE in the site.
set -eu
work=$1 site=$2 path=$3 file=$4
page=$(awk -F '\t' -v file="$file" '$1 == file { print $2; exit }' "$work/pages")
mkdir -p "$site/$(dirname "$page")"
root=$(dirname "$page" | sed 's|[^/]*|..|g; s|^\.\.$|&|')
case $page in */*) ;; *) root=. ;; esac
SITE_FILE=$file SITE_PAGE=$page pandoc -f gfm -t html5 --no-highlight --toc --toc-depth=3 --wrap=preserve \
	--template make/site/page.html --lua-filter make/site/page.lua -V "root=$root" \
	-M "pagetitle=$(awk -F '\t' -v file="$file" '$1 == file { print $2; exit }' "$work/titles")" \
	-o "$site/$page" "$path"
