#!/bin/sh
# tests/look.sh BUILD -- ways to look inside a run: timelines by every rule of their format and against
# stats.txt (tests/timeline/check.py); their page, in Chromium where there is one; a plug-in by the line of
# docs/user/policies.md in a folder of its own. FULL=1: pages at three widths.
. tests/lib.sh
command -v python3 >/dev/null || skip_all "look.sh (no python3)"
timelines=0 pages=0 plugins=0 examples=0
gemm="$build/bench/polybench/gemm 64"

# timeline NAME OPTION... -- PROGRAM...: the run's file $out/NAME.json and results $out/NAME
timeline() {
	name=$1
	shift
	"$lockstep" run -q -o "$out/$name" --timeline "$out/$name.json" "$@" >"$out/log" 2>&1
}
# obeys LABEL NAME [whole]: the rules, and the sums
obeys() {
	if python3 tests/timeline/check.py "$out/$2.json" "$out/$2/stats.txt" ${3:-} >"$out/rules"; then
		ok
		timelines=$((timelines + 1))
	else
		not_ok "$1"
		sort "$out/rules" | uniq -c | head -n 5
	fi
}
# events NAME: the file without the line that has the command
events() { tail -n +2 "$out/$1.json"; }

all="--timeline-detail sm=0-14 --set observe.roles=true"
timeline gemm $all -- $gemm
obeys "gemm, with all warps: rules and sums" gemm whole
timeline plain -- $gemm
obeys "gemm without detail" plain
"$lockstep" run -q -o "$out/without" -- $gemm >"$out/log" 2>&1
grep -v '^#' "$out/plain/stats.txt" >"$out/a"
grep -v '^#' "$out/without/stats.txt" >"$out/b"
expect "statistics are the same with a timeline and without" cmp "$out/a" "$out/b"
timeline bfs --threads 2 -- "$build/bench/rodinia/bfs" 1024
obeys "bfs on two host threads" bfs
timeline more --set observe.timeline.statistics=sm.warp_instructions,sm.issue_slots,dram.bytes -- $gemm
obeys "other counters" more
timeline bfs1 -- "$build/bench/rodinia/bfs" 1024
events bfs >"$out/a"
events bfs1 >"$out/b"
expect "two host threads: the same events" cmp "$out/a" "$out/b"
timeline wide -c h200 --set gpu.sms=12 --set gpu.gpcs=none --set observe.roles=true \
	--timeline-detail sm=0-11 -- $gemm
obeys "gemm on an H200 of 12 SMs, with all warps" wide whole
timeline cluster -c h200 --set gpu.sms=12 --set gpu.gpcs=none --set observe.roles=true \
	--timeline-detail sm=0-11 -- "$build/bench/ai/gemm-cluster" --size tiny
obeys "clusters and bulk copies, with all warps" cluster whole
timeline tensor -c b200 --set gpu.sms=8 --set gpu.gpcs=none --set observe.roles=true \
	--timeline-detail sm=0-7 -- "$build/bench/ai/gemm-tcgen05" --size tiny
obeys "products in tensor memory, with all warps" tensor whole
expect "each of thousands of requests at a time is there" grep -q '"left_out":{}' "$out/tensor.json"
timeline idle -c b200 --set gpu.sms=8 --set gpu.gpcs=none -- "$build/bench/ai/attention-tcgen05" --size tiny
obeys "counters of windows without an event" idle
timeline cut $all --timeline-limit 3000 -- $gemm
obeys "beyond the limit no arrow begins" cut
timeline limited --set gpu.timing_limit.ctas=4 -- $gemm
expect "a kernel whose timing is limited" grep -q '"cat":"cta"' "$out/limited.json"

# streams, events, functions of the host
compile program tests/timeline/streams.c
timeline streams -- "$out/program"
obeys "two streams" streams
expect "an arrow between them" [ "$(grep -c '"ph":"s".*"cat":"dependency"' "$out/streams.json")" = 1 ]
expect "the host's function" grep -q '"name":"host function"' "$out/streams.json"
expect "the event" grep -q '"name":"event wait"' "$out/streams.json"

# energy, where a model is
timeline energy --energy gtx480 -- $gemm
expect "power is among the counters" grep -q '"name":"energy.watts"' "$out/energy.json"
timeline power --energy gtx480 --timeline-detail power,sm=0 -- $gemm
obeys "gemm with power by place" power
expect "the power of all SMs is a counter" grep -q '"name":"sm\[\*\].energy.watts","args":{"0":[0-9.]*,.*"14":' \
	"$out/power.json"
expect "places have the power of the machine" python3 tests/timeline/power.py "$out/power.json"
refuses 'power needs an energy model' "$lockstep" run --timeline "$out/x.json" --timeline-detail power -- $gemm

# compressed
"$lockstep" run -q -o "" --timeline "$out/gemm.json.gz" $all -- $gemm >"$out/log" 2>&1
gzip -dc "$out/gemm.json.gz" | tail -n +2 >"$out/a"
events gemm >"$out/b"
expect ".gz: the same events" cmp "$out/a" "$out/b"
"$lockstep" run -q -o "" --timeline "$out/gemm.json.zst" $all -- $gemm >"$out/log" 2>&1
expect ".zst: a zstd stream" [ "$(od -An -tx1 -N4 "$out/gemm.json.zst" | tr -d ' ')" = 28b52ffd ]

# bounds and mistakes
timeline short --timeline-limit 5 $all -- $gemm
expect "beyond the limit: said" \
	grep -q 'first 5 events of CTAs; 11 more were left out (--timeline-limit)' "$out/log"
expect "beyond the limit: in the file" grep -q '"left_out":{.*"CTAs":11' "$out/short.json"
expect "beyond the limit: still whole" python3 -m json.tool "$out/short.json" /dev/null
timeline early --timeline-detail sm=0,cycles=1:2 -- $gemm
expect "detail where nothing was: said" grep -q 'no warp was on these SMs in these cycles' "$out/log"
refuses 'timeline is of a run with timing' "$lockstep" run -f --timeline "$out/x.json" -- $gemm
refuses 'expected sm=N or sm=N-M' "$lockstep" run --timeline "$out/x.json" --timeline-detail sm=a -- $gemm
refuses 'expected sm=N or sm=N-M' \
	"$lockstep" run --timeline "$out/x.json" --timeline-detail sm=0,cycles=9:3 -- $gemm
refuses 'machine has SMs 0 to 14' "$lockstep" run --timeline "$out/x.json" --timeline-detail sm=15 -- $gemm
refuses 'there is no statistic gpu.ipx' \
	"$lockstep" run --timeline "$out/x.json" --set observe.timeline.statistics=gpu.ipx -- $gemm
refuses 'cannot be written' "$lockstep" run --timeline "$out/no/x.json" -- $gemm
expect "no file is left of what was refused" [ ! -e "$out/x.json" ]

# replay and launch have it, too
"$lockstep" record -q -o "$out/gemm.rec" -- $gemm >"$out/log" 2>&1
"$lockstep" replay -q -o "" --timeline "$out/replay.json" "$out/gemm.rec" >"$out/log" 2>&1
events replay | grep '"ph":"X"' >"$out/a"
events plain | grep '"ph":"X"' >"$out/b"
expect "a replay has the same events" cmp "$out/a" "$out/b"

# ---- pages ----

page() { "$lockstep" report --timeline -o "$out/$1" "$2" ${3:+"$3"} >"$out/log" 2>&1; }
page one "$out/gemm.json.zst"
expect "the page of one" grep -q 'index.html: [0-9]* KB' "$out/log"
page power "$out/power.json"
page two "$out/plain.json" "$out/bfs.json"
expect "the page of two" grep -q 'Timeline: .*plain.json and ' "$out/two/index.html"
head -c 20000 "$out/gemm.json" >"$out/cut.json"
head -c 3000 "$out/gemm.json.gz" >"$out/cut.json.gz"
sed '1s/timeline 1/timeline 9/' "$out/plain.json" >"$out/new.json"
refuses 'is not whole' "$lockstep" report --timeline -o "$out/x" "$out/cut.json"
refuses 'damaged, or the file is not whole' "$lockstep" report --timeline -o "$out/x" "$out/cut.json.gz"
refuses 'is a timeline of version 9' "$lockstep" report --timeline -o "$out/x" "$out/new.json"
refuses 'is no timeline of Lockstep' "$lockstep" report --timeline -o "$out/x" README.md
refuses 'cannot be read' "$lockstep" report --timeline -o "$out/x" "$out/nothing.json"
refuses 'one timeline, or two' "$lockstep" report --timeline -o "$out/x" a b c
refuses 'goes with -o alone' "$lockstep" report --timeline --print "$out/plain.json"

chromium=$(command -v chromium || command -v chromium-browser || true)
# browse NAME WIDTH HEIGHT: tests/timeline/look.js finds nothing wrong in the page. On a busy host the browser
# may end before the script, which says nothing of the page: then it is started again.
browse() {
	{ echo '<!DOCTYPE html><html><head><script>window.lookErrors = [];'
	  echo 'addEventListener("error", (e) => lookErrors.push(e.message));</script>'
	  sed '1,/<head>/d; /<\/body>/,$d' "$out/$1/index.html"
	  echo '<script>'; cat tests/timeline/look.js; echo '</script></body></html>'; } >"$out/$1/look.html"
	for try in 1 2 3 4 5 6; do
		timeout 1200 "$chromium" --no-sandbox --headless --disable-gpu \
			--user-data-dir="$out/chromium" --window-size="$2,$3" --virtual-time-budget=4000000 --enable-logging=stderr \
			--dump-dom "file://$out/$1/look.html" >"$out/dom" 2>"$out/chromium.log"
		tr '\n' '\r' <"$out/dom" | grep -o '<html[^>]*>' >"$out/opinion"
		! grep -q 'data-script="ran"' "$out/opinion" || break
	done
	if grep -q 'data-script="ran"' "$out/opinion" && grep -q 'data-errors=""' "$out/opinion" &&
		grep -q 'data-found=""' "$out/opinion" && ! grep -q CONSOLE "$out/chromium.log"; then
		ok
		pages=$((pages + 1))
	else
		not_ok "the page $1 at $2 pixels"
		head -c 1500 "$out/opinion"
		grep CONSOLE "$out/chromium.log" | head -n 3
	fi
}
if [ -z "$chromium" ] || sanitized; then
	echo "note: look: skipped the look at pages: chromium is not installed, or the build has sanitizers"
elif full; then
	for size in "1366 768" "1920 1080" "390 844"; do
		browse one $size
		browse two $size
		browse power $size
	done
else
	browse one 390 844
	browse two 1366 768
	browse power 390 844
fi

# ---- plug-ins: the line of docs/user/policies.md, in a folder of its own ----
mkdir "$out/mine"
cp docs/examples/pc_bypass.c "$out/mine/mine.c"
line=$(grep -m 1 '^cc -shared' docs/user/policies.md | sed "s| -I\\.| -I$PWD|")
if (cd "$out/mine" && eval "$line ${SANITIZE:-}") >"$out/log" 2>&1 && "$lockstep" run -q -o "$out/plugged" \
	--plugin "$out/mine/mine.so" --set sm.bypass.policy=pc_bypass -- $gemm >"$out/log" 2>&1 &&
	grep -q '^sm.bypass.pc_bypass' "$out/plugged/stats.txt"; then
	ok
	plugins=1
else
	not_ok "a plug-in by the line of docs/user/policies.md"
	log_tail
fi

# the same of an observer, which must change nothing
line=$(grep '^cc -shared.*shared_lines' docs/user/policies.md | sed "s| -I\\.| -I$PWD|; s|docs/|$PWD/docs/|")
if (cd "$out/mine" && eval "$line ${SANITIZE:-}") >"$out/log" 2>&1 && "$lockstep" run -q -o "$out/observed" \
	--plugin "$out/mine/shared_lines.so" --set observe.observer.policy=shared_lines -- $gemm \
	>"$out/log" 2>&1; then
	grep -v -e '^#' -e '^observe' "$out/observed/stats.txt" >"$out/a"
	grep -v '^#' "$out/without/stats.txt" >"$out/b"
	expect "an observer changes no statistic" cmp "$out/a" "$out/b"
	expect "an observer counts" \
		grep -q '^observe.observer.l2.shared_lines.other_sm  *[1-9]' "$out/observed/stats.txt"
	plugins=$((plugins + 1))
else
	not_ok "an observer by the lines of docs/user/policies.md"
	log_tail
fi

# ---- Python: the example of docs/user/timeline.md ----
awk '/^```python/ { on = 1; next } /^```/ { on = 0 } on' docs/user/timeline.md >"$out/example.py"
awk '/^```text/ { on = 1; next } /^```/ { on = 0 } on' docs/user/timeline.md >"$out/said"
mkdir "$out/python"
ln -s "$(realpath "$build")" "$out/python/build"
(cd "$out/python" && PYTHONPATH=$OLDPWD/python LOCKSTEP=$(realpath "$OLDPWD/$lockstep") \
	PYTHONDONTWRITEBYTECODE=1 python3 ../example.py) >"$out/log" 2>&1
if cmp -s "$out/log" "$out/said"; then
	ok
	examples=1
else
	not_ok "the example of docs/user/timeline.md"
	log_tail
fi

echo "look: $timelines timelines, $pages pages, $plugins plug-ins, $examples Python examples, $failed fail"
finish
