#!/bin/sh
# tests/policy/pc_bypass.sh BUILD -- adds docs/examples/pc_bypass.c as docs/add-a-policy.md says, and runs it:
# it learns from evictions, bypasses, and changes no result.
. tests/lib.sh
. tests/policy/tree.sh

expect "the example has fewer than 60 lines" [ "$(wc -l <docs/examples/pc_bypass.c)" -lt 60 ]
awk '/^```c/ { code = 1; next } /^```/ { code = 0 } code' docs/add-a-policy.md >"$out/page.c"
sed '1,/\*\/$/d; /^$/d' docs/examples/pc_bypass.c >"$out/example.c"
expect "the page shows the whole example" cmp "$out/page.c" "$out/example.c"
expect "the tree builds as it is" make -s -C "$tree" BUILD="$build" $products
touch "$tree/before"
add memsys/bypass pc_bypass bypass docs/examples
cd "$tree" || exit 1

make -s BUILD="$build" $products >"$out/log" 2>&1
expect "it builds with make alone, without a warning" [ $? = 0 -a ! -s "$out/log" ]
compiled=$(compiled)
expect "nothing else was compiled: $compiled" \
	[ "$compiled" = "memsys/bypass/bypass.o memsys/bypass/pc_bypass.o " ]
expect "list names it" prints "$lockstep list" 'pc_bypass .*lines are evicted before they are hit'
expect "the manual has its parameter" \
	prints "$lockstep config doc | grep -A 9 sm.bypass.pc_bypass" 'threshold.*12.*1 to 15'
refuses 'threshold' "$lockstep" run -q -o "" --set sm.bypass.pc_bypass.thresholds=3 \
	-- "$build/bench/polybench/atax" 130 70

# programs verify their results; under each machine some lines die unhit, and something bypasses
under() {
	label=$1
	shift
	for program in $six; do
		verify "$program under $label" run "$@" --set sm.bypass.policy=pc_bypass -- \
			"$build/bench/$program" $(size_of "$program")
		expect "$program under $label: what goes in comes out" conserves run
	done
}
under "the example"
under "the example, every queue of size 1" -c tests/configs/torture.yaml
small="--set sm.l1d.index=linear --set sm.l1d.sets=4 --set sm.l1d.ways=2"
under "the example, a small L1" $small --set sm.bypass.pc_bypass.threshold=2
verify "atax, whose rows do not stay" run $small --set sm.bypass.policy=pc_bypass -- \
	"$build/bench/polybench/atax" 512
expect "lines were evicted before they were hit" counts sm.bypass.pc_bypass.dead
expect "reads bypassed" counts sm.bypass.before
verify "the same beside another policy for refused reads" run $small --set sm.bypass.policy=pc_bypass \
	--set sm.stall_bypass.policy=stalls -- "$build/bench/polybench/atax" 130 70
verify "the example on two host threads" run $small --threads 2 --set sm.bypass.policy=pc_bypass -- \
	"$build/bench/polybench/atax" 512

finish
