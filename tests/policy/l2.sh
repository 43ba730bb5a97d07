#!/bin/sh
# tests/policy/l2.sh BUILD -- adds an L2 bypass policy and an L2 insertion policy as docs/user/policies.md
# says, one file and one line each, and runs them on a tree of links.
. tests/lib.sh
. tests/policy/tree.sh

expect "the tree builds as it is" make -s -C "$tree" BUILD="$build" $products
touch "$tree/before"
add memsys/l2_bypass every_other l2_bypass
add memsys/insertion by_type insertion
cd "$tree" || exit 1

expect "it builds with make alone" make -s BUILD="$build" $products
compiled=$(compiled)
expect "nothing else was compiled: $compiled" [ "$compiled" = "memsys/insertion/by_type.o \
memsys/insertion/insertion.o memsys/l2_bypass/every_other.o memsys/l2_bypass/l2_bypass.o " ]
expect "list names the bypass policy" \
	prints "$lockstep list" 'every_other .*one request in so many.*a test of the README'
expect "list names the insertion policy" prints "$lockstep list" 'by_type .*type 1 go last'
expect "the manual has the bypass policy's parameter" \
	prints "$lockstep config doc | grep -A 9 l2.bypass.every_other" 'one_in.*2'
refuses 'by_type orders lines' "$lockstep" run -q -o "" --set l2.insertion.policy=by_type --set l2.ways=64 \
	-- "$build/bench/polybench/atax" 130 70

for what in l2.bypass.policy=wbyp l2.insertion.policy=wip l2.insertion.policy=wip_rank \
	dram.scheduler.policy=wms; do
	refuses "it decides by warp types, but l2.warp_type.policy = none" "$lockstep" run -q -o "" \
		--set $what -- "$build/bench/polybench/atax" 130 70
done

under() {
	label=$1
	shift
	for program in $six; do
		verify "$program under $label" run "$@" -- "$build/bench/$program" $(size_of "$program")
		expect "$program under $label: what goes in comes out" conserves run
	done
}
policies="--set l2.bypass.policy=every_other --set l2.insertion.policy=by_type"
under "no policy"
under "both" $policies
expect "the bypass policy's statistics are there and count" counts l2.bypass.every_other.shadow_hits
expect "the insertion policy's statistic is there and counts" counts l2.insertion.by_type.favoured
expect "requests bypassed" counts l2.bypassed
under "both, every queue of size 1" -c tests/configs/torture.yaml $policies
under "both, five banks, whole lines" $policies --set l2.banks=5 --set l2.fetch=line \
	--set l2.arbitration=oldest \
	--set l2.units=slice --set l2.bypass.every_other.one_in=1 --set l2.lookup_cycles=3 \
		--set l2.bank_ports=2
under "bip" --set l2.insertion.policy=bip --set l2.ways=2
finish
