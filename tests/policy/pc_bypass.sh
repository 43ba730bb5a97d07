#!/bin/sh
# tests/policy/pc_bypass.sh BUILD -- docs/examples/pc_bypass.c as a plug-in, as docs/user/add-a-policy.md
# says: it learns from evictions, bypasses, and changes no result. What cannot be loaded is refused with a
# reason.
. tests/lib.sh

prints() { sh -c "$1" | grep -q -e "$2"; }
counts() { awk -v name="$1" '$1 == name && $2 > 0 { n++ } END { exit !n }' "$out/run/stats.txt"; }
expect "the example has fewer than 65 lines" [ "$(wc -l <docs/examples/pc_bypass.c)" -lt 65 ]
awk '/^```c/ { code = 1; next } /^```/ { code = 0 } code' docs/user/add-a-policy.md >"$out/page.c"
sed '1,/\*\/$/d; /^$/d' docs/examples/pc_bypass.c >"$out/example.c"
expect "the page shows the whole example" cmp "$out/page.c" "$out/example.c"

# plugin NAME SED-SCRIPT: the example with changes as $out/NAME.so
plugin() {
	sed "$2" docs/examples/pc_bypass.c >"$out/$1.c"
	cc -shared -fPIC -O2 -Wall -Wextra -Werror -Wno-unused-parameter -I. -o "$out/$1.so" "$out/$1.c" \
		>"$out/log" 2>&1
	expect "$1 compiles without a warning" [ $? = 0 -a ! -s "$out/log" ] || log_tail
}
plugin pc_bypass ''
file=$out/pc_bypass.so
lockstep_list="$lockstep list --plugin $file"

# refused TEXT FILE: with a message that has the text
atax="$build/bench/polybench/atax 130 70"
refused() {
	"$lockstep" run -q -o "" --plugin "$2" -- $atax >"$out/log" 2>&1
	expect "refused: $1" [ $? = 2 ] || log_tail
	expect "the reason: $1" grep -q "$1" "$out/log" || log_tail
}
plugin named 's/"pc_bypass"/"stream"/'
refused "there is a policy of this name already" "$out/named.so"
plugin endless 's/^LOCKSTEP_PLUGIN.*//'
refused "does not end with LOCKSTEP_PLUGIN" "$out/endless.so"
plugin old 's/^LOCKSTEP_PLUGIN/#undef LOCKSTEP_PLUGIN_VERSION\n#define LOCKSTEP_PLUGIN_VERSION 999\n&/'
refused "version 999 of the interface" "$out/old.so"
plugin small 's/^LOCKSTEP_PLUGIN.*/LOCKSTEP_PLUGIN({ "bypass", \&bypass_pc_bypass.policy, 8 });/'
refused "compiled with other headers" "$out/small.so"
plugin strange 's/^LOCKSTEP_PLUGIN.*/LOCKSTEP_PLUGIN({ "nothing", \&bypass_pc_bypass.policy, 8 });/'
refused "there is no such interface" "$out/strange.so"
refused "No such file" "$out/nothing.so"
echo text >"$out/text.so"
refused "text.so" "$out/text.so"
plugin other 's/pc_bypass/another/g'
expect "two plug-ins" prints "$lockstep_list --plugin $out/other.so | grep -c -e '^  pc_bypass ' -e '^  another '" 2
expect "the same plug-in twice" prints "$lockstep_list --plugin $file | grep -c '^  pc_bypass '" 1

# In YAML its path is relative to the file; in a sweep its content is part of a job.
mkdir "$out/there"
cp "$file" "$out/there/mine.so"
printf 'base: gtx480\nplugins: {files: mine.so}\nsm: {bypass: {policy: pc_bypass}}\n' >"$out/there/mine.yaml"
expect "a configuration names it" prints "$lockstep config show -c $out/there/mine.yaml" 'policy: pc_bypass'
cat >"$out/there/mine.sweep.yaml" <<'END'
workloads: [{name: polybench/atax, arguments: [64, 64]}]
base: mine.yaml
END
sweep() { "$lockstep" sweep "$out/there/mine.sweep.yaml" -o "$out/mine.db" -q >"$out/log" 2>&1; }
expect "a sweep runs it" sweep || log_tail
before=$("$lockstep" sweep --facts "$out/mine.db" | cksum)
expect "the same sweep again has the same jobs" sweep
expect "... to the last digit" [ "$("$lockstep" sweep --facts "$out/mine.db" | cksum)" = "$before" ]
sed 's/12, 1, 15/3, 1, 15/' docs/examples/pc_bypass.c >"$out/changed.c"
cc -shared -fPIC -O2 -I. -o "$out/there/mine.so" "$out/changed.c"
expect "with another plug-in of this name it runs" sweep
expect "... and is another job" [ "$("$lockstep" sweep --facts "$out/mine.db" | cksum)" != "$before" ]

expect "list names it" prints "$lockstep_list" 'pc_bypass .*lines are evicted before they are hit'
expect "the manual has its parameter" \
	prints "$lockstep config doc --plugin $file | grep -A 9 sm.bypass.pc_bypass" 'threshold.*12.*1 to 15'
refuses 'threshold' "$lockstep" run -q -o "" --plugin "$file" \
	--set sm.bypass.pc_bypass.thresholds=3 -- $atax

# a plug-in that dies is not said to be the program
if ! sanitized; then
	plugin dies 's/^static bool before(.*/&\n{ (void)b, (void)r, (void)now; __builtin_trap(); }\nstatic bool unused(struct bypass *b, const struct cache_request *r, cycles now) __attribute__((unused));\nstatic bool unused(struct bypass *b, const struct cache_request *r, cycles now)/'
	"$lockstep" run -q -o "$out/dies" --plugin "$out/dies.so" --set sm.bypass.policy=pc_bypass -- $atax >"$out/log" 2>&1
	expect "the signal of a plug-in" [ $? = 132 ] || log_tail
	expect "it is named, too" grep -q '^lockstep: the program, or a plug-in, ended with the signal SIGILL: ' "$out/log" || log_tail
fi

# programs verify their results; under each machine some lines die unhit, and something bypasses
under() {
	label=$1
	shift
	for program in $six; do
		verify "$program under $label" run --plugin "$file" "$@" --set sm.bypass.policy=pc_bypass -- \
			"$build/bench/$program" $(size_of "$program")
		expect "$program under $label: what goes in comes out" conserves run
	done
}
under "the example"
under "the example, every queue of size 1" -c tests/configs/torture.yaml
small="--set sm.l1d.index=linear --set sm.l1d.sets=4 --set sm.l1d.ways=2"
under "the example, a small L1" $small --set sm.bypass.pc_bypass.threshold=2
verify "atax, whose rows do not stay" run --plugin "$file" $small --set sm.bypass.policy=pc_bypass -- \
	"$build/bench/polybench/atax" 512
expect "lines were evicted before they were hit" counts sm.bypass.pc_bypass.dead
expect "reads bypassed" counts sm.bypass.before
verify "the same beside another policy for refused reads" run --plugin "$file" $small --set sm.bypass.policy=pc_bypass \
	--set sm.stall_bypass.policy=stalls -- "$build/bench/polybench/atax" 130 70
verify "the example on two host threads" run --plugin "$file" $small --threads 2 --set sm.bypass.policy=pc_bypass -- \
	"$build/bench/polybench/atax" 512

finish
