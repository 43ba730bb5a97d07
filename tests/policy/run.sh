#!/bin/sh
# tests/policy/run.sh BUILD -- adds a warp scheduler and a warp limiter as the README says, one file and one line each, and runs them.
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

# add SLOT FILE LINE: step 1 and step 2 of the README; the line must be the README's with another name
add() {
	name=${2%.c}
	check "the README has the line for $1" grep -q "\`$3(mine)\` to \`core/$1/$4.def\`" README.md
	cp "tests/policy/$2" "$tree/core/$1/$2"
	cp "core/$1/$4.def" "$tree/def" && rm "$tree/core/$1/$4.def" && mv "$tree/def" "$tree/core/$1/$4.def"
	echo "$3($name)" >>"$tree/core/$1/$4.def"
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

check "the tree builds as it is" make -s -C "$tree" BUILD="$build" "$build/bin/lockstep" "$build/bench/atax"
touch "$tree/before"
add sched youngest.c SCHED sched
add limiter share.c LIMITER limiter
cd "$tree" || exit 1
lockstep=$build/bin/lockstep

check "it builds with make alone" make -s BUILD="$build" "$build/bin/lockstep" "$build/bench/atax"
check "list names the scheduler" sh -c "$lockstep list | grep -q 'youngest .*the youngest ready warp.*a test of the README'"
check "list names the limiter" sh -c "$lockstep list | grep -q 'share .*a share of the warps issues'"
check "the manual has the scheduler's parameter" sh -c "$lockstep config doc | grep -A 9 'sm.scheduler.youngest' | grep -q 'turns.*10'"
check "the manual has the limiter's parameter" sh -c "$lockstep config doc | grep -A 9 'sm.limiter.share' | grep -q 'percent.*50'"
check "a benchmark passes under them" sh -c "$lockstep run -q -o out --set sm.scheduler.policy=youngest --set sm.scheduler.youngest.turns=3 \
	--set sm.limiter.policy=share -- $build/bench/atax 130 70 | grep PASS"
check "a misspelt parameter is named" sh -c "! $lockstep run -q -o '' --set sm.scheduler.youngest.turn=3 -- $build/bench/atax 130 70 2>&1 |
	grep -q 'PASS'; $lockstep run -q -o '' --set sm.scheduler.youngest.turn=3 -- $build/bench/atax 130 70 2>&1 | grep -q 'turns'"
check "config.yaml has the value set" grep -q '^ *turns: 3 ' out/config.yaml
check "the scheduler's statistic is there and counts" awk '$1 == "sm.scheduler.youngest.oldest_turns" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "the limiter's statistic is there and counts" awk '$1 == "sm.limiter.share.narrowed" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
# all that was compiled: the two files, and the two lists
compiled=$(find "$build/obj/core" "$build/obj/cli" "$build/obj/sim" -name '*.o' -newer before | sed "s|$build/obj/||" | sort | tr '\n' ' ')
check "nothing else was compiled: $compiled" [ "$compiled" = "core/limiter/limiter.o core/limiter/share.o core/sched/sched.o core/sched/youngest.o " ]

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
