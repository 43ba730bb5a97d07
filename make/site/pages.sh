#!/bin/sh
# make/site/pages.sh WORK SITE FILE... -- some pages of Markdown as HTML.
set -eu
work=$1 site=$2
shift 2
for file; do
	[ -e "$file" ] && path=$file || path=$work/$file
	sh make/site/page.sh "$work" "$site" "$path" "$file"
done
