#!/bin/sh
# tests/report.sh BUILD -- lockstep report: numbers are the database's, the page is well-formed, the same each
# time and fit to be read (looked at by a headless Chromium: nothing overlaps, no errors), and bad input is
# told so.
. tests/lib.sh
lockstep=$(realpath "$lockstep")

if ! command -v sqlite3 >/dev/null || ! command -v gnuplot >/dev/null; then
	skip_all "report: sqlite3 or gnuplot is not installed"
fi
db=$out/sample.db
sqlite3 "$db" <experiment/store.sql && sqlite3 "$db" <tests/report/sample.sql ||
	{ not_ok "the sample database"; finish; }
cp "$db" "$out/whole.db"

answers 0 "276 points (270 done, 2 failed, 4 not run), 11 figures, 13 tables" \
	"$lockstep" report "$db" -o "$out/r"

# -- least values: of each workload and of the mean, in the table and as marks --
printf 'report:\n  - {figure: minimum, values: [gpu.cycles, mpki]}\n' >"$out/minimum.yaml"
answers 0 "1 figures, 5 tables" "$lockstep" report "$db" -o "$out/min" --no-png --figures "$out/minimum.yaml"
python3 - "$out/min/tables"/01-minimum-values-1.csv "$out/min/figures"/01-minimum-values-1.dat >"$out/log" 2>&1 <<'END' &&
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
blocks = [[tuple(map(float, l.split())) for l in b.splitlines() if l and l[0] != "#" and "NaN" not in l]
	for b in open(sys.argv[2]).read().split("\n\n\n")]
lines = 0
for i, row in enumerate(rows[1:]):
	values = {rows[0][c]: float(row[c]) for c in range(2, len(row)) if row[c]}
	if values:
		assert values[row[1]] == min(values.values()), row
		(x, y), = blocks[2 * i + 1]
		assert abs(y - min(values.values())) < 1e-8 * y and (x, y) in blocks[2 * i], row
		lines += 1
assert lines > 20 and "mean" in rows[-1][0], lines
END
	ok || { not_ok "least values"; cat "$out/log"; }
grep -q 'lines are least at an end' "$out/min/index.html" && ok || not_ok "a minimum at an end is said"

# -- the same bytes again, and nothing of this machine's clock --
cp -r "$out/r" "$out/first"
answers 0 "11 figures" "$lockstep" report "$db" -o "$out/r"
diff -r "$out/first" "$out/r" >"$out/log" && ok ||
	{ not_ok "the same database gives other bytes"; head -n 3 "$out/log"; }
answers 0 "11 figures" "$lockstep" report "$db" -o "$out/svg" --no-png
[ -z "$(find "$out/svg" -name '*.png')" ] && cmp -s "$out/svg/index.html" "$out/r/index.html" && ok ||
	not_ok "--no-png"

# -- numbers: tables have what the database has --
# same WHAT FILE SQL: lines of "workload,configuration,value" of a table, and of the query
same() {
	sqlite3 -separator , "$db" "$3" | sort >"$out/want"
	tr -d '"' <"$2" | sort >"$out/got"
	if [ -s "$out/want" ] && awk -F, 'NR == FNR { want[$1 "," $2] = $3; n++; next }
		{
			key = $1 "," $2
			d = $3 - want[key]
			if (!(key in want) || d > 1e-12 * $3 || d < -1e-12 * $3 ||
				($3 == "") != (want[key] == "")) {
				print "  " key ": " $3 ", in the database " want[key]
				bad = 1
			}
			m++
		}
		END { if (m != n) { print "  " m " numbers, in the database " n; bad = 1 } exit bad }' \
		"$out/want" "$out/got" >"$out/log"
	then ok; else not_ok "$1"; head -n 4 "$out/log"; fi
}
name="replace(iif(w.workload LIKE '%atax', w.workload || ' ' || w.size, w.workload), char(34), '')"
level="(SELECT group_concat(level, ' ') FROM (SELECT level FROM point_levels l JOIN levels f
	USING (sweep, factor, level) WHERE l.number = w.number ORDER BY f.position))"
awk -F, 'NR > 1 { print $1 "," $2 "," $3 }' "$out/r/tables/10-table-values.csv" >"$out/cycles"
speedup=$out/r/tables/01-bars-speedup
grep -q '^"beta/a ""quoted"" # name",' "$speedup.csv" && ok || not_ok "a name with quotes"
same "the table's gpu.cycles" "$out/cycles" "SELECT $name, $level AS c, avg(value) FROM points w
	LEFT JOIN results r ON r.job = w.number AND statistic = 1 GROUP BY 1, 2"
awk -F, 'NR == 1 { for (i = 2; i <= NF; i++) c[i] = $i; next }
	!/^[a-z]+ mean/ { for (i = 2; i <= NF; i++) print $1 "," c[i] "," $i }' "$speedup.csv" \
	>"$out/speedups"
same "the table's speedup" "$out/speedups" "SELECT $name, $level AS c, avg(value) FROM points w
	LEFT JOIN derived_results r ON r.number = w.number AND name = 'speedup' GROUP BY 1, 2"
# the mean at the foot: over the workloads that have all
awk -F, 'NR > 1 && !/^[a-z]+ mean/ {
		whole = 1
		for (i = 2; i <= NF; i++)
			if ($i == "") whole = 0
		if (whole) {
			n++
			for (i = 2; i <= NF; i++) sum[i] += log($i)
		}
	}
	/^[a-z]+ mean/ {
		if ($1 != "geometric mean of " n) { print "  " $1 ", not of " n; bad = 1 }
		for (i = 2; i <= NF; i++) {
			d = $i / exp(sum[i] / n) - 1
			if (d > 1e-9 || d < -1e-9) bad = 1
		}
		seen = 1
	}
	END { exit bad || !seen }' "$speedup.csv" >"$out/log" && ok || { not_ok "the means"; cat "$out/log"; }
# a missing point is a gap in the data for gnuplot, never 0
[ "$(awk '/^"a-rather-long-name-23"|^"it/ { print $NF }' "$out/r/figures"/01-bars-speedup-*.dat \
	"$out/r/figures"/01-bars-speedup.dat 2>/dev/null | sort -u)" = NaN ] && ok || not_ok "missing points"
grep -q '^\\toprule' "$speedup.tex" &&
	grep -q "it's \$<\$mine\$>\$ \\\\& 100\\\\%\\\\_" "$speedup.tex" && ok || not_ok "LaTeX"

# -- the page --
page=$out/r/index.html
grep -q "This sweep is not finished: 4 of 276" "$page" && ok || not_ok "that the sweep is not finished"
! grep -qE '(src|href)="(https?:|//)' "$page" && ok || not_ok "the page loads from elsewhere"
if command -v xmllint >/dev/null; then
	xmllint --noout "$page" "$out/r/figures"/*.svg >"$out/log" 2>&1 && ok ||
		{ not_ok "the page is not well-formed"; head -n 4 "$out/log"; }
else
	echo "note: report: xmllint is not installed: not checked whether pages are well-formed"
fi
[ "$(wc -c <"$page")" -lt 5000000 ] && ok || not_ok "the page has more than 5 MB"
[ "$(head -c 8 "$out/r/figures/04-heat-speedup.png" | od -An -tx1 | tr -d ' \n')" = 89504e470d0a1a0a ] &&
	ok || not_ok "PNG"

# browse FOLDER WIDTH SCRIPT: the page with a script behind its own, in Chromium; the script's opinion is in
# attributes of <html>, which go to $out/opinion
browse() {
	{ sed '1,/<head>/!d' "$1/index.html"
	  echo '<script>window.lookErrors = []; window.addEventListener("error", function (e) {'
	  echo 'lookErrors.push(e.message || "something did not load"); }, true);</script>'
	  sed '1,/<head>/d; /<\/body>/,$d' "$1/index.html"
	  echo '<script>'; cat "$3"; echo '</script></body></html>'; } >"$1/look.html"
	timeout 1200 "$chromium" --no-sandbox --headless --disable-gpu --user-data-dir="$out/chromium" \
		--window-size="$2,768" --virtual-time-budget=30000 --enable-logging=stderr \
		--dump-dom "file://$1/look.html" >"$out/dom" 2>"$out/chromium.log"
	tr '\n' '\r' <"$out/dom" | grep -o '<html[^>]*>' | tr '\r' '\n' >"$out/opinion"
}
# in_order PATTERN WHAT: the script ran to its end, found nothing, and the opinion has the pattern
in_order() {
	if grep -q 'data-script="ran"' "$out/opinion" && grep -q 'data-errors=""' "$out/opinion" &&
		grep -q 'data-found=""' "$out/opinion" && grep -q "$1" "$out/opinion" &&
		! grep -q CONSOLE "$out/chromium.log"; then
		ok
	else
		not_ok "$2"
		head -n 12 "$out/opinion"
		grep CONSOLE "$out/chromium.log" | head -n 3
	fi
}
# look FOLDER WIDTH [empty]: Chromium's opinion of the page; empty: without a figure
look() {
	browse "$1" "$2" tests/report/look.js
	in_order "data-texts=\"$([ $# = 3 ] || echo '[1-9]')" "the page in Chromium, $2 pixels wide"
}
# work FOLDER WIDTH: the page is operated, by pointer and keys
work() {
	browse "$1" "$2" tests/report/work.js
	in_order 'data-worked="[1-9]' "work with the page, $2 pixels wide"
}
# choose FOLDER CHOICE FILE: chooses on the page, and writes the numbers of its tables into the file
choose() {
	{ echo "var wanted = $2;"; cat tests/report/choose.js; } >"$out/choose.js"
	browse "$1" 1366 "$out/choose.js"
	sed -n '/<pre id="numbers"/,/<\/pre>/p' "$out/dom" | grep '|' >"$3"
}
# same_numbers FILE FILE WHAT: the same places; numbers differ in the last digits at most, texts not at all
same_numbers() {
	if [ -s "$1" ] && awk -F'|' 'NR == FNR { want[$1 "|" $2 "|" $3] = $4; n++; next }
		{
			w = want[$1 "|" $2 "|" $3]
			d = $4 == w ? 0 : $4 ~ /^-?[0-9]/ && w ~ /^-?[0-9]/ ? $4 / (w + ! w) - ! ! w : 1
			if (d > 1e-12 || d < -1e-12) { print "  " $0 ", expected " w; bad = 1 }
			m++
		}
		END { if (m != n) print "  " m " numbers, expected " n; exit bad || m != n }' "$2" "$1" \
		>"$out/log"
	then ok; else not_ok "$3"; head -n 6 "$out/log"; fi
}
chromium=$(command -v chromium || command -v chromium-browser || true)
case $build in *address*) chromium= ;; esac # the pages are those of the plain build
if [ -n "$chromium" ]; then
	wide="1366 1920"
	! among_all || [ $((SLOT % 5)) = 0 ] || wide= # a second of processor time for each page
	for width in 500 $wide; do look "$out/r" $width; done
	! grep -q '<title>broken' "$out/dom" && ok || not_ok "a message of a job runs as a script"
	for width in 500 ${wide:+1366}; do work "$out/r" $width; done
	# a baseline that is chosen on the page gives the numbers of a report that was made with it
	answers 0 "11 figures" "$lockstep" report "$db" -o "$out/gto" --baseline policy=gto,l1=48K --no-png
	choose "$out/r" '{baseline: {policy: "gto", l1: "48K"}}' "$out/chosen"
	in_order 'data-bars="[1-9]' "another baseline on the page"
	choose "$out/gto" '{}' "$out/made"
	same_numbers "$out/chosen" "$out/made" "another baseline on the page and of the report"
	# of each configuration the one with the same L1; a report that was made with a baseline takes another
	answers 0 "11 figures" "$lockstep" report "$db" -o "$out/own" --baseline policy=gto --no-png
	choose "$out/own" '{}' "$out/made"
	choose "$out/gto" '{baseline: {policy: "gto", l1: ""}}' "$out/chosen"
	same_numbers "$out/chosen" "$out/made" "a baseline of each level's own"
	# another value and mean: as a report whose file asks for them
	cp "$out/whole.db" "$out/other.db"
	sqlite3 "$out/other.db" "UPDATE sweeps SET text = replace(replace(replace(text,
		'mean: harmonic', 'mean: geometric'), 'value: delta', 'value: gpu.ipc, normalise: true'),
		'{figure: heat, value: mpki}', '{figure: heat, value: gpu.cycles, mean: harmonic}')"
	answers 0 "11 figures" "$lockstep" report "$out/other.db" -o "$out/other" --no-png
	choose "$out/other" '{}' "$out/made"
	choose "$out/r" '{figures: {"f02-bars-gpu-cycles": {mean: "geometric"},
		"f03-bars-delta": {value: "gpu.ipc", normalise: true},
		"f05-heat-mpki": {value: "gpu.cycles", mean: "harmonic"}}}' "$out/chosen"
	in_order 'data-bars="[1-9]' "other values on the page"
	same_numbers "$out/chosen" "$out/made" "other values and means on the page and of the report"
	# what the browser drew is looked at as well
	{ echo 'var wanted = {baseline: {policy: "gto", l1: "48K"}, figures: {
		"f05-heat-mpki": {value: "gpu.cycles", normalise: true}}};'
	  cat tests/report/choose.js tests/report/look.js; } >"$out/both.js"
	for width in ${wide:-1366} ${wide:+500}; do
		browse "$out/r" $width "$out/both.js"
		in_order 'data-texts="[1-9]' "drawings of the browser, $width pixels wide"
	done
	# the look itself finds something: a page with a text over another, and one that is too wide
	mkdir "$out/bad"
	texts='<text x="0" y="9">one<\/text><text x="3" y="9">two<\/text>'
	sed "s/<figcaption>/<svg width=\"1500\" height=\"20\">$texts<\/svg>&/
		s/max-width: 100%; height: auto//" "$page" >"$out/bad/index.html"
	(look "$out/bad" 1366; [ "$failed" != 0 ]) >"$out/log" && grep -q "lies over" "$out/opinion" &&
		grep -q "wide, the window" "$out/opinion" && ok ||
		{ not_ok "what the look should find"; cat "$out/log"; }
else
	echo "note: report: skipped the look at pages: chromium is not installed, or the build has sanitizers"
fi

# -- options --
answers 0 "speed-up & <so> on" "$lockstep" report "$db" --print -o "$out/never"
# means of what is missing are no numbers; the two tables alone are printed
if grep -q "^all of them  *-  *-  *-  *1 of 23 missing" "$out/log" &&
	[ "$(grep -c '^alpha/mvt ' "$out/log")" = 6 ] && [ ! -e "$out/never" ]; then
	ok
else
	not_ok "--print"
	head -n 5 "$out/log"
fi
answers 0 "4 figures" "$lockstep" report "$db" -o "$out/v" --value gpu.ipc --value mpki \
	--baseline policy=gto --no-png
grep -q "gpu.ipc over the baseline" "$out/v/index.html" && ok || not_ok "--value with a baseline"
# several bases are a factor
cp "$db" "$out/bases.db"
sqlite3 "$out/bases.db" "UPDATE points SET base = 'another' WHERE number % 12 > 6 OR number % 12 = 0"
answers 0 "2 figures" "$lockstep" report "$out/bases.db" -o "$out/b" --value gpu.ipc \
	--baseline base=gtx480,policy=lrr --no-png
grep -q "another a_long_policy's &lt;name&gt; 48K" "$out/b/index.html" &&
	grep -q "The baseline is base gtx480, policy lrr" "$out/b/index.html" && ok ||
	not_ok "bases as a factor"
# the default figures, of one point and of none that is done
sqlite3 "$db" "UPDATE sweeps SET text = 'baseline: {policy: lrr, l1: 16K}'"
answers 0 "figures" "$lockstep" report "$db" -o "$out/d" --no-png
[ -z "$chromium" ] || look "$out/d" 1366
cp "$db" "$out/one.db"
sqlite3 "$out/one.db" "DELETE FROM points WHERE number > 1; UPDATE sweeps SET text = ''"
answers 0 "1 points (1 done" "$lockstep" report "$out/one.db" -o "$out/one" --no-png
[ -z "$chromium" ] || look "$out/one" 1366
sqlite3 "$out/one.db" "UPDATE jobs SET state = 'open';
	DELETE FROM results; DELETE FROM derived_results; DELETE FROM series"
answers 0 "1 points (0 done" "$lockstep" report "$out/one.db" -o "$out/none" --no-png
[ -z "$chromium" ] || look "$out/none" 1366 empty

# -- a sweep that is not finished shows what is there; labels of users may have slashes; another beginning of
# the axis; intervals of what was sampled --
cp "$db" "$out/part.db"
sqlite3 "$out/part.db" "
	UPDATE jobs SET state = 'open' WHERE id IN (SELECT job FROM points WHERE workload NOT LIKE '%/mvt');
	UPDATE sweeps SET text = 'workloads: [{program: mvt, label: my/own/mvt}]';
	UPDATE points SET workload = 'my/own/mvt', size = '--all' WHERE workload = (
		SELECT min(workload) FROM points WHERE workload LIKE '%/mvt');
	INSERT INTO statistics SELECT max(id) + 1, 'gpu.cycles::low95', 'cycles', 'low' FROM statistics;
	INSERT INTO statistics SELECT max(id) + 1, 'gpu.cycles::high95', 'cycles', 'high' FROM statistics;
	INSERT INTO results SELECT job, (SELECT id FROM statistics WHERE name = 'gpu.cycles::low95'),
		value * 0.9 FROM results WHERE statistic = (SELECT id FROM statistics WHERE name = 'gpu.cycles');
	INSERT INTO results SELECT job, (SELECT id FROM statistics WHERE name = 'gpu.cycles::high95'),
		value * 1.1 FROM results WHERE statistic = (SELECT id FROM statistics WHERE name = 'gpu.cycles')"
printf 'report: [{figure: bars, value: gpu.cycles, from: 0.5}]\n' >"$out/from.yaml"
answers 0 "1 figures" "$lockstep" report "$out/part.db" -o "$out/part" --no-png --figures "$out/from.yaml"
expect "an unfinished sweep: what has not run is left out" \
	grep -q ' [1-9][0-9]* that have not run yet are left out' "$out/part/index.html"
expect "a label with slashes is one label" grep -q '"\?my/own/mvt' "$out/part/figures"/01-*.dat
expect "where the axis begins: said" grep -q 'axis begins at 0.50*, not at 0' "$out/part/index.html"
expect "where the axis begins: drawn" grep -q '^set yrange .0.5:' "$out/part/figures"/01-*.gp
expect "intervals: in the data" grep -q '# 95 % intervals' "$out/part/figures"/01-*.dat
expect "intervals: said" grep -q 'Lines across the ends of bars are 95 % intervals' "$out/part/index.html"
[ -z "$chromium" ] || look "$out/part" 1366
printf 'report: [{figure: bars, value: gpu.cycles, from: low}]\n' >"$out/from.yaml"
refuses 'expected the number at which the axis begins' \
	"$lockstep" report "$out/part.db" -o "$out/x" --figures "$out/from.yaml"
printf 'report: [{figure: heat, value: gpu.cycles, from: 1}]\n' >"$out/from.yaml"
refuses 'only the axis of bars' "$lockstep" report "$out/part.db" -o "$out/x" --figures "$out/from.yaml"

# -- more columns than there is room for --
sqlite3 "$out/wide.db" <experiment/store.sql && sqlite3 "$out/wide.db" <tests/report/wide.sql
answers 0 "480 points (480 done, 0 failed, 0 not run), 7 figures" \
	"$lockstep" report "$out/wide.db" -o "$out/wide" --no-png
! command -v xmllint >/dev/null ||
	expect "its figures are well-formed" xmllint --noout "$out/wide/index.html" "$out/wide/figures"/*.svg

# -- every text of a database that others made: none is markup, a formula or a command --
long='=1+1</code></pre></title></svg><script>document.title="broken"</script>'
short='=<b>&"]]>`touch ran`'
cp "$db" "$out/others.db"
spoil() { # spoil TEXT COLUMN...: the text before what is in these columns, and what is no UTF-8
	text=$1
	shift
	for column in "$@"; do
		echo "UPDATE ${column%.*} SET ${column#*.} = '$text' || char(27, 13) || CAST(x'ff' AS TEXT) ||
			${column#*.};"
	done
}
{ echo "UPDATE sweeps SET text = '';"
  spoil "$long" sweeps.name sweeps.path levels.changes configs.hash configs.text builds.hash builds.version \
	builds.build jobs.config jobs.build jobs.command jobs.message statistics.help attempts.message attempts.host
  spoil "$short" levels.factor levels.level points.workload points.size points.base point_levels.factor \
	point_levels.level statistics.unit derived.name derived.unit derived_results.name
} | sqlite3 "$out/others.db"
(cd "$out" && answers 0 "270 done, 2 failed" "$lockstep" report others.db -o others --no-png --value gpu.ipc
	[ "$failed" = 0 ]) && ok || not_ok "a database with markup in every text"
others=$out/others
! command -v xmllint >/dev/null || xmllint --noout "$others/index.html" "$others/figures"/*.svg >"$out/log" 2>&1 && ok ||
	{ not_ok "the page is not well-formed"; head -n 4 "$out/log"; }
! grep -q '<script>document' "$others/index.html" "$others/figures"/*.svg && ok || not_ok "a text of the database is markup"
! grep -qE '(^|,)"?[=@]' "$others/tables"/*.csv && grep -q "'=1+1" "$others/tables/points.csv" && ok ||
	not_ok "a text of the database is a formula"
[ ! -e "$others/figures/ran" ] && ok || not_ok "a text of the database is a command of gnuplot"

# -- printed numbers: verdicts on values chosen by hand, each kind of row (tests/report/printed.yaml) --
printed=$out/printed.db
sqlite3 "$printed" <experiment/store.sql && sqlite3 "$printed" <tests/report/printed.sql ||
	{ not_ok "the database of printed numbers"; finish; }
answers 0 "printed: 22 numbers, 13 in direction, 8 within 25 % of the gain, 2 not checked" \
	"$lockstep" report "$printed" --print --figures tests/report/printed.yaml
while read -r what verdict; do
	grep -Eq "^$what  .*[0-9r-]  +$verdict(  |$)" "$out/log" && ok || not_ok "verdict of $what: $verdict"
done <<-EOF
	g-within within 25 %
	g-direction in direction
	g-against against
	g-none not equal
	g-missing not checked
	c-within within 25 %
	c-direction in direction
	c-against against
	v-within within 25 %
	v-off not within 25 %
	v-as-change in direction
	v-warps within 25 %
	b-least-met bound met
	b-least-missed bound missed, in direction
	b-least-against bound missed
	b-most-missed bound missed
	b-most-met bound met
	b-up-met bound met
	b-up-missed bound missed, in direction
	b-up-against bound missed
	b-never-below bound met
	w-higher in direction
	w-lower against
	w-missing not checked
EOF
grep -q "^stated in words: 5 statements, 1 as stated, 2 not checked" "$out/log" && ok ||
	not_ok "statements in words"
grep -q "^g-direction  *3.000  *3.7  *0.741 " "$out/log" &&
	grep -q " at least -80  *0.750 " "$out/log" && ok || not_ok "gains over printed gains"
answers 0 "| u-number | - | 7 | - | not checked: no such cache |  | 4 .| 5 |" \
	"$lockstep" report "$printed" --print --format markdown --figures tests/report/printed.yaml
grep -q "^### Each kind of row" "$out/log" && grep -q "^|---|---:|---:|---:|---|---|---|" "$out/log" && ok ||
	not_ok "Markdown"
# several databases: one total; the second has two numbers of its own
answers 0 "printed: 3 numbers, 3 in direction, 0 within 25 % of the gain, 0 not checked" \
	"$lockstep" report "$printed" "$out/whole.db" --print
answers 2 "a page is of one database" "$lockstep" report "$printed" "$db" -o "$out/e"
answers 2 "expected text or markdown" "$lockstep" report "$printed" --print --format tex
answers 0 "1 figures" "$lockstep" report "$printed" -o "$out/p" --figures tests/report/printed.yaml --no-png
grep -q "22 numbers are printed: 13 in direction, 8 within 25 % of the gain, 2 not checked" \
	"$out/p/index.html" && ok || not_ok "counts on the page"
# runs that a limit cut: of x, half of a kernel on none and 80 % on fast; of y, the same share but for 0.5 %
cp "$printed" "$out/cut.db"
sqlite3 "$out/cut.db" "INSERT INTO statistics VALUES (10, 'kernels.timed_share::whole', 'ratio', ''),
	(11, 'kernels.timed_share::part', 'ratio', '');
	INSERT INTO results VALUES (1, 10, 1), (2, 10, 1), (3, 10, 1), (4, 10, 1),
	(1, 11, 0.5), (2, 11, 0.4), (3, 11, 0.8), (4, 11, 0.405);"
printf '%s\n' 'report:' '  - {figure: table, values: [gpu.cycles], only: {machine: [none, fast]}}' \
	'  - {figure: table, values: [gpu.cycles], workloads: y, only: {machine: [none, fast]}}' \
	'  - {figure: printed, value: speedup, only: {machine: fast}, rows: [{what: both},' \
	'    {what: only y, workloads: y}]}' >"$out/cut.yaml"
cut_says() { grep -q "$1" "$out/log" && ok || not_ok "runs that were cut: $1"; }
shares="part 50.0 to 80.0 %"
differ="Configurations timed different shares, so that their values do not compare"
answers 0 "timed: suite/x: $shares; suite/y: part 40.0 %. $differ: suite/x: $shares.$" \
	"$lockstep" report "$out/cut.db" --print --figures "$out/cut.yaml"
cut_says "instructions was timed: suite/y: part 40.0 %.$"
cut_says "^both .*geometric mean of 2, 2 cut (shares differ in 1) "
cut_says "^only y .*one, 1 cut  "
sqlite3 "$out/cut.db" "UPDATE results SET value = 1 WHERE statistic = 11"
answers 0 "^both .*geometric mean of 2  " \
	"$lockstep" report "$out/cut.db" --print --figures "$out/cut.yaml"
! grep -q "A limit cut runs" "$out/log" && ok || not_ok "a note on runs that were timed wholly"
# a statistic that no point has yet is missing; if all have run, it is a mistake
rows() {
	printf 'report:\n  - {figure: printed, only: {machine: fast}, rows: [%s]}\n' "$1" >"$out/rows.yaml"
}
rows '{what: soon, value: sm.later, printed: 3}'
answers 0 "printed: 1 numbers, 0 in direction, 0 within 25 % of the gain, 1 not checked" \
	"$lockstep" report "$printed" --print --figures "$out/rows.yaml"
# refused ROW TEXT
refused() { rows "$1"; answers 1 "$2" "$lockstep" report "$printed" --print --figures "$out/rows.yaml"; }
refused '{what: x, value: speedup, printed: many}' "printed: expected a number, or higher, lower or equal"
refused '{what: x, value: rate, printed: higher}' "higher, lower or equal to what?"
refused '{what: x, value: speedup, printed: higher, bound: at_least}' "expected a printed number"
refused '{what: x, value: speedup, printed: 2, bound: at_leas}' "did you mean at_least?"
refused '{what: x, value: rate, printed: 2, quantity: chang}' "did you mean change?"
refused '{what: x, printed: 2, unchecked: ""}' "the reason why"
sqlite3 "$printed" "UPDATE jobs SET state = 'done'"
refused '{what: x, value: sm.later, printed: 3}' "no statistic or derived value 'sm.later'"

# -- what is wrong is said --
answers 1 "nosuch.db cannot be read" "$lockstep" report "$out/nosuch.db"
answers 1 "is not a database" "$lockstep" report Makefile
answers 2 "too few operands" "$lockstep" report
answers 1 "did you mean speedup?" "$lockstep" report "$db" --value spedup -o "$out/e"
answers 1 "no factor 'polici'; did you mean policy?" \
	"$lockstep" report "$db" --baseline polici=lrr -o "$out/e"
answers 1 "did you mean gto?" "$lockstep" report "$db" --baseline policy=gt -o "$out/e"
answers 1 "has no sweep 'x'" "$lockstep" report "$db" --sweep x -o "$out/e"
: >"$out/file"
answers 1 "Not a directory" "$lockstep" report "$db" -o "$out/file/x"
answers 1 "the report needs a folder" "$lockstep" report "$db" -o ""
PATH=/nonexistent "$lockstep" report "$db" -o "$out/e" >"$out/log" 2>&1
[ $? = 1 ] && grep -q "apt-get install gnuplot-nox" "$out/log" && ok || not_ok "no gnuplot"
mkdir "$out/false"
printf '#!/bin/sh\necho "warning: something" >&2\n' >"$out/false/gnuplot"
chmod +x "$out/false/gnuplot"
PATH=$out/false:$PATH "$lockstep" report "$db" -o "$out/e2" >"$out/log" 2>&1
[ $? = 1 ] && grep -q "gnuplot could not draw .*warning: something" "$out/log" && ok ||
	not_ok "a gnuplot that complains"
printf '#!/bin/sh\nexit 0\n' >"$out/false/gnuplot"
PATH=$out/false:$PATH "$lockstep" report "$db" -o "$out/e3" >"$out/log" 2>&1
[ $? = 1 ] && grep -q "is not whole: is the disk full?" "$out/log" && ok ||
	not_ok "a drawing that is not there"
# a file that cannot be written whole: there is no report, and what was there stays
mkdir "$out/full"
echo before >"$out/full/index.html"
answers 1 "cannot be written: File too large" \
	sh -c 'trap "" XFSZ; ulimit -f 20; exec "$@"' - "$lockstep" report "$db" -o "$out/full"
expect "what was there stays" [ "$(ls -A "$out/full"; cat "$out/full/index.html")" = "index.html
before" ]

# a signal while gnuplot draws: no report, no process; a report that was there stays
is_gone() {
	[ ! -e "/proc/$1/stat" ] || { read -r _ _ state _ <"/proc/$1/stat" && [ "$state" = Z ]; }
}
# interrupted SIGNAL STATUS FOLDER
interrupted() {
	rm -f "$out/drawing"
	env --default-signal=INT,TERM,HUP env "PATH=$out/false:$PATH" "$lockstep" report "$db" -o "$3" \
		>"$out/log" 2>&1 &
	process=$! tries=0
	until [ -s "$out/drawing" ] || [ $tries = 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
	kill -"$1" $process
	wait $process
	status=$?
	expect "a report ends with $2 ($status)" [ $status = "$2" ]
	for drawing in $(cat "$out/drawing"); do expect "its gnuplot has ended" is_gone "$drawing"; done
}
printf '#!/bin/sh\necho $$ >>"%s"\nexec sleep 100000\n' "$out/drawing" >"$out/false/gnuplot"
interrupted TERM 143 "$out/half"
expect "there is no folder" [ ! -e "$out/half" ]
interrupted INT 130 "$out/full"
interrupted HUP 129 "$out/full"
expect "what was there stays" [ "$(ls -A "$out/full"; cat "$out/full/index.html")" = "index.html
before" ]

cp "$db" "$out/new.db"; sqlite3 "$out/new.db" "PRAGMA user_version = 99"
answers 1 "schema version 99" "$lockstep" report "$out/new.db" -o "$out/e"
# wrong REPORT TEXT: a report section that is wrong, and what is said of it
wrong() { sqlite3 "$db" "UPDATE sweeps SET text = 'report:
  - $1'"; answers 1 "$2" "$lockstep" report "$db" -o "$out/e"; }
wrong '{figure: pie, value: mpki}' "there is no kind of figure 'pie'; there are bars"
wrong '{figure: bars, value: mpkii}' \
	"sample.yaml:2:5: error: the database has no statistic or derived value 'mpkii'; did you mean mpki?"
wrong '{figure: bars, valeu: mpki}' "value"
wrong '{figure: bars}' "a figure of kind bars shows 1 value, not 0"
wrong '{figure: scatter, x: mpki}' "a figure of kind scatter shows 2 values, not 1"
wrong '{figure: bars, value: mpki, workloads: [alpa]}' "did you mean alpha?"
wrong '{figure: bars, value: mpki, only: {policy: ggo}}' "did you mean gto?"
wrong '{figure: bars, value: mpki, only: {polic: gto}}' "did you mean policy?"
wrong '{figure: bars, value: mpki, mean: geometrical}' "did you mean geometric?"
wrong '{figure: bars, value: mpki, normalise: true}' "the sweep has no baseline"
wrong '{figure: stacked, values: "sm.slot::*"}' "no statistic that"
wrong '{figure: curves, value: mpki}' "the sweep has no curves of"
wrong '{figure: minimum}' "a figure of kind minimum shows at least 1 value, not 0"
wrong 'bars' "expected a figure"
wrong '{figure: bars, value: mpki, rows: [{what: x}]}' "a figure of kind bars has no rows"
wrong '{figure: printed, rows: []}' "sample.yaml:2:5: error: a figure of kind printed has rows"
answers 1 "the report has no figure of the kinds table and printed to print" \
	"$lockstep" report "$db" --value mpki --print
finish
