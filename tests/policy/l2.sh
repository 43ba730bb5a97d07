#!/bin/sh
# tests/policy/l2.sh BUILD -- adds an L2 bypass policy and an L2 insertion policy as docs/policies.md says, one file and one line each, and runs them.
# Runs in the repository root, which it leaves alone: it works on a tree of links with a copy of what BUILD has compiled.
set -u
build=${1:?usage: tests/policy/l2.sh BUILD}
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

# add SLOT FILE LINE: the two steps of docs/policies.md; the line must be that of the page with another name
add() {
	check "docs/policies.md has the line for $1" grep -q "\`$3(mine)\` to \`memsys/$1/$1.def\`" docs/policies.md
	cp "tests/policy/$2.c" "$tree/memsys/$1/$2.c"
	cp "memsys/$1/$1.def" "$tree/def" && rm "$tree/memsys/$1/$1.def" && mv "$tree/def" "$tree/memsys/$1/$1.def"
	echo "$3($2)" >>"$tree/memsys/$1/$1.def"
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
add l2_bypass every_other L2_BYPASS
add insertion by_type INSERTION
cd "$tree" || exit 1
lockstep=$build/bin/lockstep

check "it builds with make alone" make -s BUILD="$build" "$build/bin/lockstep" $benches
compiled=$(find "$build/obj/core" "$build/obj/cli" "$build/obj/sim" "$build/obj/memsys" -name '*.o' -newer before | sed "s|$build/obj/||" | sort | tr '\n' ' ')
check "nothing else was compiled: $compiled" [ "$compiled" = "memsys/insertion/by_type.o memsys/insertion/insertion.o \
memsys/l2_bypass/every_other.o memsys/l2_bypass/l2_bypass.o " ]
check "list names the bypass policy" sh -c "$lockstep list | grep -q 'every_other .*one request in so many.*a test of the README'"
check "list names the insertion policy" sh -c "$lockstep list | grep -q 'by_type .*type 1 go last'"
check "the manual has the bypass policy's parameter" sh -c "$lockstep config doc | grep -A 9 'l2.bypass.every_other' | grep -q 'one_in.*2'"
check "ranks with an LRU that keeps no ages are refused" sh -c "! $lockstep run -q -o '' --set l2.insertion.policy=by_type --set l2.ways=64 \
	-- $build/bench/polybench/atax 130 70 && $lockstep run -q -o '' --set l2.insertion.policy=by_type --set l2.ways=64 -- $build/bench/polybench/atax 130 70 2>&1 |
	grep -q 'by_type ranks lines'"

under() {
	label=$1; shift
	for b in sdk/vectoradd:10007 polybench/gemm:40 "polybench/atax:130 70" sdk/reduction:5003 rodinia/bfs:700 sdk/histogram:6001; do
		args=${b#*:}; b=${b%%:*}
		check "$b under $label" sh -c "$lockstep run -q -o out $* -- $build/bench/$b $args | grep PASS"
		check "$b under $label: what goes in comes out" awk -f tests/memory/conserve.awk out/config.yaml out/stats.txt
	done
}
policies="--set l2.bypass.policy=every_other --set l2.insertion.policy=by_type"
under "no policy"
under "both" $policies
check "the bypass policy's statistics are there and count" awk '$1 == "l2.bypass.every_other.shadow_hits" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "the insertion policy's statistic is there and counts" awk '$1 == "l2.insertion.by_type.favoured" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
check "requests bypassed" awk '$1 == "l2.bypassed" && $2 > 0 { n++ } END { exit !n }' out/stats.txt
under "both, every queue of size 1" -c tests/configs/torture.yaml $policies
under "both, five banks, whole lines" $policies --set l2.banks=5 --set l2.fetch=line --set l2.arbitration=oldest --set l2.units=slice \
	--set l2.bypass.every_other.one_in=1 --set l2.lookup_cycles=3 --set l2.bank_ports=2
under "bip" --set l2.insertion.policy=bip --set l2.ways=2

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
