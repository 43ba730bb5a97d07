#!/bin/sh
# tests/release/site.sh [BUILD] -- a part of the site of `make docs`: every parameter, statistic, command and
# instruction form has its place, links lead somewhere, and the search finds what is there (in Chromium).
. tests/lib.sh
sanitized && skip_all "the site is made by the plain build"
command -v pandoc >/dev/null 2>&1 || skip_all "there is no pandoc (apt-get install pandoc)"

site=$out/site
SITE_PAGES="README.md docs/user/ptx.md" sh make/site/build.sh "$build" "$site" >"$out/log" 2>&1
expect "no link is broken" grep -q '^site: [0-9]* pages, [0-9]* links, 0 broken' "$out/log"

# counted NAME NUMBER FILE PATTERN
counted() { expect "$1: $2" [ "$2" -gt 10 -a "$(grep -c -e "$4" "$site/$3")" = "$2" ]; }
counted parameters "$("$lockstep" config show | grep -c '#')" reference/parameters.html '^<h3 id='
counted statistics "$(COLUMNS=1000 "$lockstep" list stats |
	awk '/^[^ ]/ { head = 1; next } NF && !head { n++ } { head = 0 } END { print n }')" reference/statistics.html '^<h3 id='
counted commands "$("$lockstep" --help | grep -c '^  [a-z][a-z]*   *[a-z]')" \
	reference/commands/index.html '^<li>.*lockstep [a-z]*</a> - '
counted "options of run" "$("$lockstep" run --help | grep -c '^  \(-[a-zA-Z], \|    \)--')" \
	reference/commands/run.html '^<li><code>-'
"$lockstep" ptx --coverage | awk '$1 == "total" { print $3, $4 }' >"$out/forms"
cat "$site"/reference/ptx/*.html | sed 's/^<pre class="forms">//' |
	awk '/^executed / { e++ } /^<b>refused/ { r++ } END { print e, r }' >"$out/listed"
expect "forms: $(cat "$out/forms"), listed: $(cat "$out/listed")" cmp "$out/forms" "$out/listed"
expect "a link to Markdown is one to a page" grep -q 'href="docs/user/ptx.html"' "$site/index.html"
expect "the page that is open is marked" \
	grep -q 'href="../../docs/user/ptx.html" aria-current="page"' "$site/docs/user/ptx.html"

# The check of links finds what is broken.
mkdir "$out/broken"
printf '<a href="b.html#there">\n<a href="b.html#gone">\n<a href="c.html">\n<a href="https://example.org/">\n' \
	>"$out/broken/a.html"
printf '<h2 id="there">\n<a href="./a.html">\n' >"$out/broken/b.html"
answers 1 "^site: 2 pages, 4 links, 2 broken (and 1 links" \
	awk -f make/site/links.awk -v site="$out/broken" "$out/broken/a.html" "$out/broken/b.html"

if command -v chromium >/dev/null 2>&1; then
	# search WORDS: the page when somebody has searched for them
	search() {
		HOME=$out timeout 120 chromium --headless --no-sandbox --disable-gpu \
			--user-data-dir="$out/chromium" --virtual-time-budget=5000 --dump-dom \
			"file://$site/docs/user/ptx.html?q=$1" 2>/dev/null >"$out/dom"
	}
	search l1d+ways
	sed -n 's/.*<div id="found"[^>]*>.*<ol><li><a href="\([^"]*\)".*/\1/p' "$out/dom" >"$out/first"
	expect "the search finds a parameter first: $(cat "$out/first")" \
		grep -q '/reference/parameters.html#sml1dways$' "$out/first"
	search no+such+wordings
	expect "or says that there is nothing" grep -q 'No part has all these words' "$out/dom"
else
	echo "note: $0: there is no chromium: the search was not tested"
fi
finish
