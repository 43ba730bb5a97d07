#!/bin/sh
# tests/monitor.sh BUILD -- lockstep run --monitor and sweep --monitor: monitor.py operates what their pages
# ask the server for; in Chromium, where there is one, the page itself shows a run.
. tests/lib.sh
command -v python3 >/dev/null || skip_all "monitor.sh (no python3)"

# operate LABEL COMMAND...: each check of monitor.py is one of ours
operate() {
	label=$1
	shift
	timeout 1200 python3 tests/monitor.py "$@" >"$out/said" 2>&1
	while read -r line; do
		case $line in
		"ok: "*) ok ;;
		*) not_ok "$label: $line" ;;
		esac
	done <"$out/said"
}
operate "a run" "$lockstep" run --monitor 0 -o "$out/run" -- "$build/bench/polybench/gemm" 1024
expect "the results are there" [ -s "$out/run/stats.txt" ]
left=$(find "${TMPDIR:-/tmp}" -maxdepth 2 -name 'monitor.[0-9]*' -newer "$out/said" 2>/dev/null)
expect "nothing private is left" [ -z "$left" ]

# the page in a browser
chromium=$(command -v chromium || command -v chromium-browser || true)
if [ -n "$chromium" ] && ! sanitized; then
	"$lockstep" run --monitor 0 -o "$out/seen" -- "$build/bench/polybench/gemm" 1024 >"$out/watched" 2>&1 &
	run=$!
	while ! grep -q monitor: "$out/watched" && kill -0 $run 2>/dev/null; do sleep 0.1; done
	address=$(sed -n 's/^lockstep: monitor: //p' "$out/watched")
	for try in 1 2 3 4 5 6; do
		timeout 300 "$chromium" --no-sandbox --headless --disable-gpu \
			--user-data-dir="$out/chromium" --enable-logging=stderr --virtual-time-budget=4000 --dump-dom "$address" \
			>"$out/dom" 2>"$out/chromium.log"
		! grep -q 'L1 MSHRs' "$out/dom" || break
		sleep 1
	done
	expect "the page shows queues" grep -q 'L1 MSHRs' "$out/dom"
	expect "the page shows what warps wait for" grep -q 'warps wait for' "$out/dom"
	expect "the page has no errors" [ -z "$(grep CONSOLE "$out/chromium.log" | grep -v favicon)" ]
	kill $run
	wait $run
fi

# a program of the user's that fails, and one that takes long
printf '#!/bin/sh\necho "it says why"\nexit 3\n' >"$out/fails"
printf '#!/bin/sh\nexec sleep 300\n' >"$out/sleeps"
chmod +x "$out/fails" "$out/sleeps"
cat >"$out/failing.yaml" <<END
workloads: [{program: $out/fails}, {program: $out/sleeps}]
limits: {retries: 0}
END
operate "a sweep" "$lockstep" sweep --monitor 0 -q -j 2 -o "$out/failing.db" --work "$out/work" \
	"$out/failing.yaml"

refuses 'expected a port' "$lockstep" run --monitor x -o "" -- "$build/bench/polybench/gemm" 64
refuses 'expected a port' "$lockstep" run --monitor 70000 -o "" -- "$build/bench/polybench/gemm" 64
finish
