#!/bin/sh
# tests/cli/diff.sh BUILD -- lockstep diff word for word on two made-up runs (runs/), on broken files, and on
# real runs; what every output says of where it comes from: version, build, seed, command. Runs in the
# repository root. expected/diff-NAME.txt holds output and exit status of each case; RECORD=1 writes them
# anew.
. tests/lib.sh
here=tests/cli


# check NAME ARGUMENT...: lockstep diff ARGUMENT..., word for word
check() {
	name=diff-$1; shift
	word_for_word "$name" "$lockstep" diff "$@"
}

base=$here/runs/base other=$here/runs/other
check same $base $base
check total $base $other
check back $other $base/stats.txt
check kernels $base $other --kernels
check launches $base $other --launches
check instances $base $other --instances --by name
check order-change $base $other --by change
check order-file $base $other --by file --all
check threshold $base $other --threshold 12
check threshold-none $base $other --threshold 1000 --only gpu.ipc
check only $base $other --only 'sm.issue_slots,gpu.ip?' --only 'sm[0].*'
check only-wrong $base $other --only gpu.ipx,gpu.cycles,nothing
check csv $base $other --csv
check csv-kernels $base $other --csv --kernels --only gpu.cycles
check csv-launches $base $other --csv --launches --only gpu.cycles
check no-total $base $here/runs/killed
check no-total-launches $base $here/runs/killed --launches
check no-total-kernels $base $here/runs/killed --kernels
check usage-kernels $base $other --kernels --launches
COLUMNS=110
check help --help
COLUMNS=1000
check usage-order $base $other --by size
check usage-threshold $base $other --threshold -1
check usage-only $base $other --only ,
check usage-one $base

# what is no run, or a broken one: the place, and status 2
mkdir "$out/empty" "$out/odd"
: >"$out/none"
sed '/gpu.ipc/s/#/%/' $base/stats.txt >"$out/line"
head -c 3000 $base/stats.txt >"$out/short"
cat $base/stats.txt $base/stats.txt >"$out/double"
cp $base/stats.txt "$out/odd/"; printf 'gpu:\n  sms: [2\n' >"$out/odd/config.yaml"
sed 's/^gpu.ipc /gpu.cycles /' $base/stats.txt >"$out/twice"
for file in missing empty none line short double odd twice; do check "broken-$file" $base "$out/$file"; done
check broken-first $base/config.yaml $base

# ---- real runs ----

run() { "$lockstep" run -q -o "$@" >"$out/log" 2>&1 || { not_ok "run $*"; cat "$out/log"; }; }
run "$out/a" --stats-launches all -- "$build/bench/polybench/atax" 130 70
run "$out/b" --stats-launches 1 --profile --host-profile --set dram.trace=true -- "$build/bench/polybench/atax" 130 70
run "$out/c" --seed 5 --set sm.l1d.replace=random --set sm.scheduler.policy=lrr \
	-- "$build/bench/polybench/atax" 130 70
run "$out/d" --seed 6 --set sm.l1d.replace=random --set sm.scheduler.policy=lrr \
	-- "$build/bench/polybench/atax" 130 70
run "$out/e" -c "$out/c/config.yaml" -- "$build/bench/polybench/atax" 130 70
status() {
	wanted=$1; shift
	"$lockstep" diff "$@" >"$out/said" 2>&1
	[ $? = "$wanted" ] || { cat "$out/said"; false; }
}
expect "the same run" status 0 "$out/a" "$out/b" --instances
expect "the same run, kernel by kernel" status 0 "$out/a" "$out/b" --kernels --instances
expect "the same kernels: both are counted" grep -q '^2 kernels in both: 0 differ; 0 only in one$' "$out/said"
expect "the same run, launch by launch" status 0 "$out/a" "$out/b" --launches --instances
expect "the same launches: both are counted" grep -q '^2 launches in both: 0 differ; 0 only in one$' "$out/said"
expect "a run without launches of their own" status 2 "$out/a" "$out/c" --launches
expect "it says how to get them" grep -q 'stats.txt has no statistics of launches: run it with --stats-launches all$' \
	"$out/said"
expect "another policy" status 1 "$out/a" "$out/c"
expect "another policy: it says so" grep -q '^  sm.scheduler.policy  *gto  *lrr$' "$out/said"
expect "another seed" status 1 "$out/c" "$out/d"
[ "$(sed -n '/^configuration/,/^$/p' "$out/said" | tr -s ' ')" = "configuration:
 gpu.seed 5 6" ] && ok || not_ok "only the seed differs in the configuration"
expect "the configuration that was written gives the same run" status 0 "$out/c" "$out/e"
expect "all that awk finds different is in the table" sh -c '
	awk "FNR == 1 { file++; t = 0 } /Begin Sim/ { t = /total of|streams/; next }
		!t || /^-|^\$|\[/ { next }
		file == 1 { a[\$1] = \$2; next } (\$1 in a) && a[\$1] != \$2 { print \$1 }" \
		"$1/a/stats.txt" "$1/c/stats.txt" | sort >"$1/want"
	"$2" diff "$1/a" "$1/c" --csv |
		awk -F, "NR > 1 && \$3 != \"\" && \$4 != \"\" { print \$2 }" | sort >"$1/got"
	[ -s "$1/want" ] && diff "$1/want" "$1/got"' - "$out" "$lockstep"

# ---- where outputs come from ----

"$lockstep" --version >"$out/version"
id=$(sed -n 's/^build  *//p' "$out/version")
if command -v readelf >/dev/null; then
	expect "the build id is the library's" [ "$(readelf -n "$build/lib/liblockstep.so" |
		sed -n 's/.*Build ID: \(.\{16\}\).*/\1/p')" = "$id" ]
fi
expect "--version says compiler and flags" sh -c 'grep -q "^lockstep $(cat VERSION)$" "$1" &&
	grep -q "^compiler  ." "$1" && grep -q "^flags .*-ffp-contract=off" "$1"' - "$out/version"
head="# lockstep $(cat VERSION), build $id, seed"
options="--stats-launches 1 --profile --host-profile --set dram.trace=true"
for file in stats.txt latency.txt config.yaml profile.txt host.txt dram-trace.txt; do
	expect "$file says where it comes from" [ "$(head -n 2 "$out/b/$file")" = "$head 1
# command: lockstep run -q -o $out/b $options -- $build/bench/polybench/atax 130 70" ]
done
for file in stats.json profile.json; do
	expect "$file says where it comes from" sh -c 'grep -q "^  \"build\": \"$2\",$" "$1" &&
		grep -q "^  \"seed\": 1,$" "$1" && grep -q "^  \"command\": \"lockstep run " "$1" &&
		grep -q "^  \"version\": \"$(cat VERSION)\",$" "$1"' - "$out/b/$file" "$id"
done
seed=$(sed -n 's/^  seed: \([0-9]*\) .*/\1/p' "$out/c/config.yaml")
expect "--seed is the configuration's" [ "$seed $(head -n 1 "$out/c/stats.txt")" = "5 $head 5" ]
expect "--seed of launch" sh -c '"$1" launch tests/cli/ptx/endless.ptx brief --grid 1 --block 32 \
	--arg "u32[2]=zero" --seed 9 -q -o "$2/l" &&
	head -n 1 "$2/l/stats.txt" | grep -q "seed 9$"' - "$lockstep" "$out"
few "$out" sdk/vectoradd
expect "--seed of bench" sh -c '"$1" bench run sdk/vectoradd --size tiny --seed 11 -o "$2/n" &&
	head -n 2 "$2/n/sdk/vectoradd/stats.txt" | paste -sd " " |
	grep -q "seed 11 .* --seed 11$"' - "$out/few/bin/lockstep" "$out"
for seed in 4294967296 -1 x; do
	expect "--seed $seed is refused" \
		sh -c '"$1" run --seed "$2" -o "" -- /bin/true; [ $? != 0 ]' - "$lockstep" "$seed"
	expect "--seed $seed is refused by bench" \
		sh -c '"$1" bench run sdk/vectoradd --seed "$2" -o ""; [ $? = 2 ]' - \
		"$out/few/bin/lockstep" "$seed"
done

finish
