#!/bin/sh
# tests/policy/dram.sh BUILD -- adds the DRAM scheduler of docs/user/policies.md as that says, one file and
# one line, and runs it on a tree of links, with every command checked.
. tests/lib.sh
. tests/policy/tree.sh

expect "the tree builds as it is" make -s -C "$tree" BUILD="$build" $products
mkdir "$out/page.d"
awk '/^```c$/ { on = 1; next } /^```$/ { if (on) exit } on' docs/user/policies.md >"$out/page.d/bliss.c"
expect "the page has it" grep -q '^const struct dram_sched_class dram_sched_bliss' "$out/page.d/bliss.c"
code=$(grep -cvE '^ *$|^ ?[/ ]\*|^#include' "$out/page.d/bliss.c")
touch "$tree/before"
add dram/sched bliss sched "$out/page.d"
cd "$tree" || exit 1
expect "it builds with make alone" make -s BUILD="$build" $products
compiled=$(compiled)
expect "nothing else was compiled: $compiled" [ "$compiled" = "dram/sched/bliss.o dram/sched/sched.o " ]
expect "list names it" prints "$lockstep list" 'bliss .*several times in a row.*ICCD 2014'
under() {
	label=$1
	shift
	for program in $six; do
		verify "$program under $label" run --set dram.scheduler.policy=bliss --set dram.check=true "$@" \
			-- "$build/bench/$program" $(size_of "$program")
		expect "$program under $label: what goes in comes out" conserves run
	done
}
under "it"
under "it, every queue of size 1" -c tests/configs/torture.yaml
under "it, reads and writes in one queue" --set dram.write_queue=0
echo "note: policy/dram: $code lines of code"
finish
