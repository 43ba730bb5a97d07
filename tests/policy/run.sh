#!/bin/sh
# tests/policy/run.sh BUILD -- adds a warp scheduler, a warp limiter, a request buffer and an L1 bypass policy
# as docs/policies.md says, one file and one line each, and runs them.
# Runs in the repository root, which it leaves alone: it works on a tree of links with a copy of what BUILD has compiled.
set -u
build=${1:?usage: tests/policy/run.sh BUILD}
passed=0 failed=0

if [ -n "${SANITIZE:-}" ]; then
	echo "policy: skipped under the sanitizers (they would rebuild everything)"
	echo "0 passed, 0 failed"
	exit 0
fi
tree=$(mktemp -d) || exit 1
trap 'rm -rf "$tree"' EXIT

check() {
	what=$1; shift
	if "$@" >"$tree/log" 2>&1; then passed=$((passed + 1)); echo "ok $what"
	else failed=$((failed + 1)); echo "not ok $what"; tail -n 5 "$tree/log"; fi
}

# add SLOT FILE LINE LIST: step 1 and step 2 of docs/policies.md; the line must be that of the page with another name
add() {
	name=${2%.c}
	check "docs/policies.md has the line for $1" grep -q "\`$3(mine)\` to \`$1/$4.def\`" docs/policies.md
	cp "tests/policy/$2" "$tree/$1/$2"
	cp "$1/$4.def" "$tree/def" && rm "$tree/$1/$4.def" && mv "$tree/def" "$tree/$1/$4.def"
	echo "$3($name)" >>"$tree/$1/$4.def"
}

# same sources by link, same objects by copy (with their times, so that make builds only what has changed)
for f in *; do
	case $f in build*) continue ;; esac
	cp -rs "$PWD/$f" "$tree/$f"
done
mkdir -p "$tree/$build/obj"
for f in "$build"/obj/*; do
	case $f in */tests) continue ;; esac
	cp -a "$f" "$tree/$build/obj/"
done
cp -a "$build/gen" "$build/lib" "$tree/$build/"

benches=; for b in sdk/vectoradd polybench/gemm polybench/atax sdk/reduction rodinia/bfs sdk/histogram; do benches="$benches $build/bench/$b"; done
check "the tree builds as it is" make -s -C "$tree" BUILD="$build" "$build/bin/lockstep" $benches
touch "$tree/before"
add core/sched youngest.c SCHED sched
add core/limiter share.c LIMITER limiter
add memsys/request_buffer fifo.c REQUEST_BUFFER request_buffer
add memsys/bypass impatient.c BYPASS bypass
cd "$tree" || exit 1
lockstep=$build/bin/lockstep

check "it builds with make alone" make -s BUILD="$build" "$build/bin/lockstep" $benches
check "list names the scheduler" sh -c "$lockstep list | grep -q 'youngest .*the youngest ready warp.*a test of the README'"
check "list names the limiter" sh -c "$lockstep list | grep -q 'share .*a share of the warps issues'"
check "the manual has the scheduler's parameter" sh -c "$lockstep config doc | grep -A 9 'sm.scheduler.youngest' | grep -q 'turns.*10'"
check "the manual has the limiter's parameter" sh -c "$lockstep config doc | grep -A 9 'sm.limiter.share' | grep -q 'percent.*50'"
check "a benchmark passes under them" sh -c "$lockstep run -q -o out --set sm.scheduler.policy=youngest --set sm.scheduler.youngest.turns=3 \
	--set sm.limiter.policy=share -- $build/bench/polybench/atax 130 70 | grep PASS"
check "a misspelt parameter is named" sh -c "! $lockstep run -q -o '' --set sm.scheduler.youngest.turn=3 -- $build/bench/polybench/atax 130 70 2>&1 |
	grep -q 'PASS'; $lockstep run -q -o '' --set sm.scheduler.youngest.turn=3 -- $build/bench/polybench/atax 130 70 2>&1 | grep -q 'turns'"
check "config.yaml has the value set" grep -q '^ *turns: 3 ' out/config.yaml
check "the scheduler's statistic is there and counts" awk '$1 == "sm.scheduler.youngest.oldest_turns" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "the limiter's statistic is there and counts" awk '$1 == "sm.limiter.share.narrowed" && $2 > 0 { n++ } END { exit !n }' out/stats.txt

# the request buffer and the bypass policy: every small benchmark computes the same, and what enters leaves
check "list names the request buffer" sh -c "$lockstep list | grep -q 'fifo .*one queue of reads.*a test of the README'"
check "list names the bypass policy" sh -c "$lockstep list | grep -q 'impatient .*past the L1 when it refuses'"
sums() {
	awk '/Begin Simulation Statistics/ { t = /total/; next } t { v[$1] = $2 }
		function same(what, a, b) { if (a != b) { print what ": " a " and " b; bad = 1 } }
		END {
			if ("sm.request_buffer.entered" in v) {
				same("entered = left", v["sm.request_buffer.entered"], v["sm.request_buffer.left"])
				same("all by the buffer", v["sm.line_requests"], v["sm.request_buffer.entered"] + v["sm.request_buffer.passed"])
				if (!v["sm.request_buffer.entered"] || !v["sm.request_buffer.passed"]) { print "nothing entered or passed"; bad = 1 }
			}
			if ("sm.bypass.asked" in v) same("bypassed", v["sm.l1d.bypassed"], v["sm.bypass.before"] + v["sm.bypass.after"])
			exit bad
		}' "$1/stats.txt"
}
under() {
	label=$1; shift
	for b in sdk/vectoradd:10007 polybench/gemm:40 "polybench/atax:130 70" sdk/reduction:5003 rodinia/bfs:700 sdk/histogram:6001; do
		args=${b#*:}; b=${b%%:*}
		check "$b under $label" sh -c "$lockstep run -q -o out $* -- $build/bench/$b $args | grep PASS"
		check "$b under $label: what goes in comes out" awk -f tests/memory/conserve.awk out/config.yaml out/stats.txt
		check "$b under $label: by the buffer, or past the L1" sums out
	done
}
fifo="--set sm.lsu_replay=false --set sm.request_buffer.policy=fifo"
impatient="--set sm.bypass.policy=impatient"
under "fifo" $fifo
under "fifo of one request" $fifo --set sm.request_buffer.fifo.entries=1 --set sm.request_buffer.fifo.latency=40
under "fifo, every queue of size 1" -c tests/configs/torture.yaml $fifo --set sm.request_buffer.fifo.entries=1
under "impatient" $impatient --set sm.bypass.impatient.every=3
under "impatient, every queue of size 1" -c tests/configs/torture.yaml $impatient
under "both" $fifo $impatient --set sm.l1d.index=linear --set sm.l1d.sets=1 --set sm.l1d.ways=1
check "the buffer's statistic is there and counts" awk '$1 == "sm.request_buffer.fifo.behind_others" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "the bypass policy's statistic is there and counts" awk '$1 == "sm.bypass.impatient.no_line" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "a misspelt parameter of the buffer is named" sh -c "$lockstep run -q -o '' --set sm.request_buffer.fifo.entry=3 -- $build/bench/polybench/atax 130 70 2>&1 |
	grep -q 'entries'"

# all that was compiled: the four files, and the four lists
compiled=$(find "$build/obj/core" "$build/obj/cli" "$build/obj/sim" "$build/obj/memsys" -name '*.o' -newer before | sed "s|$build/obj/||" | sort | tr '\n' ' ')
check "nothing else was compiled: $compiled" [ "$compiled" = "core/limiter/limiter.o core/limiter/share.o core/sched/sched.o core/sched/youngest.o \
memsys/bypass/bypass.o memsys/bypass/impatient.o memsys/request_buffer/fifo.o memsys/request_buffer/request_buffer.o " ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
