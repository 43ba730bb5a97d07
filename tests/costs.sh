#!/bin/sh
# tests/costs.sh BUILD -- what a user may have many of costs time in proportion, not with the square: each
# case takes a second or so, and would take many minutes if every item were compared with every other.
. tests/lib.sh
# Seconds of processor time, which other processes do not change; no case takes a tenth, nor under the
# sanitizers.
limited() { (ulimit -t 120 && exec "$@"); }
part=1
! sanitized || full || part=10 # nothing there could be seen to grow that the other build does not show

compile many_allocations tests/host/memory/many_allocations.c
expect "a million allocations of device memory" limited env LOCKSTEP_OUT="$out/out" \
	LOCKSTEP_QUIET=1 LD_LIBRARY_PATH="$build/lib" "$out/many_allocations" $((1000000 / part))

awk -v n=$((400000 / part)) 'BEGIN { for (i = 0; i < n; i++) print "key" i ": 1" }' >"$out/keys.yaml"
answers 1 "unknown key key19" limited "$lockstep" config show -c "$out/keys.yaml"
answers 1 "unknown key key0" limited "$lockstep" sweep "$out/keys.yaml"

awk -v n=$((200000 / part)) 'BEGIN { for (i = 0; i < n; i++) printf "{a: "; print "" }' >"$out/braces.yaml"
answers 1 "nested too deeply: 64 levels are the limit" limited "$lockstep" config show -c "$out/braces.yaml"
awk -v n=$((200000 / part)) 'BEGIN { for (i = 0; i < n; i++) printf "{"; print "" }' >"$out/braces.yaml"
answers 1 "nested too deeply: 64 levels are the limit" limited "$lockstep" config show -c "$out/braces.yaml"

# calls NUMBER: a kernel with so many calls through registers, each of which may reach as many functions
calls() {
	awk -v n="$1" 'BEGIN {
		print ".version 7.0\n.target sm_50\n.address_size 64"
		for (i = 0; i < n; i++)
			print ".func (.param .b32 r) f" i "(.param .b32 a) { st.param.b32 [r], " i "; ret; }"
		printf ".global .u64 table[] = { f0"
		for (i = 1; i < n; i++) printf ", f" i
		print " };\n.visible .entry kernel(.param .u64 p) {\n.reg .b64 %d<2>; .reg .b32 %r; mov.u32 %r, 0;"
		print "ld.param.u64 %d0, [p];\ntype: .callprototype (.param .b32 _) _ (.param .b32 _);"
		for (i = 0; i < n; i++)
			print "{ .param .b32 a, r; ld.global.u64 %d1, [table+" 8 * i "]; st.param.b32 [a], %r;",
				"call (r), %d1, (a), type; ld.param.b32 %r, [r]; }"
		print "st.global.u32 [%d0], %r; ret; }"
	}'
}
calls $((20000 / part)) >"$out/calls.ptx"
answers 0 "$((20000 / part + 1)) basic blocks" limited "$lockstep" ptx "$out/calls.ptx"
finish
