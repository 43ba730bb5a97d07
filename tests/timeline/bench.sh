#!/bin/sh
# tests/timeline/bench.sh BUILD -- how long the page of a timeline with more than a million events takes to
# read and to draw in Chromium: the time of a browser that draws the whole run 200 times, less that of one that
# draws it once. For people, in `make bench`: no verdict depends on it.
build=${1:-build}
chromium=$(command -v chromium || command -v chromium-browser) || { echo "timeline: no Chromium"; exit 0; }
out=$(mktemp -d) || exit 1
trap 'rm -rf "$out"' EXIT
"$build/bin/lockstep" run -q -o "" --timeline "$out/big.json" --timeline-detail sm=0-14 -- \
	build/bench/polybench/gemm 128 >"$out/log" 2>&1 &&
	"$build/bin/lockstep" report --timeline "$out/big.json" -o "$out" >"$out/log" 2>&1 ||
	{ cat "$out/log"; exit 1; }
events=$(grep -c '^{"ph"' "$out/big.json")

# seconds DRAWS: of the browser that draws so often
seconds() {
	{ sed '/<\/body>/,$d' "$out/index.html"
	  echo '<script>(async () => { while (document.body.dataset.state === "reading")'
	  echo 'await new Promise((done) => setTimeout(done, 1));'
	  echo 'for (const row of view.rows.filter((r) => r.kind === "process")) view.open.add(row.key);'
	  echo "view.layOut(); for (let i = 0; i < $1; i++) { view.scrollTo(i * 10); view.drawNow(); }"
	  echo 'document.body.dataset.state = "drawn"; })();</script></body></html>'; } >"$out/look.html"
	begin=$(date +%s.%N)
	"$chromium" --no-sandbox --headless --disable-gpu --user-data-dir="$out/chromium" \
		--window-size=1920,1080 --virtual-time-budget=40000000 --dump-dom "file://$out/look.html" \
		2>"$out/log" | grep -q 'data-state="drawn"' ||
		{ echo "timeline: the page was not drawn" >&2; exit 1; }
	end=$(date +%s.%N)
	echo "$begin $end" | awk '{ print $2 - $1 }'
}
seconds 1 >"$out/first" # the browser's own files are there from here on
once=$(seconds 1) often=$(seconds 201)
echo "$events $once $often" | awk '{
	printf "timeline: %d events: the browser reads and draws them in %.1f s; each " \
	"further drawing of all tracks takes %.1f ms\n", $1, $2, 1000 * ($3 - $2) / 200 }'
