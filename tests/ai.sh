#!/bin/sh
# tests/ai.sh BUILD [PROGRAM...] -- the programs of benchmarks/ai at the size tiny, each on the chip that it is
# for, in six ways: functional, timed with the PTX as written and with scheduled code, with two
# threads of the host, sampled, and under the sanitizer, which must find nothing.
# Each verifies its results. Every tenth has its turn with the commit; FULL=1 or names: all of them.
. tests/lib.sh
[ $# -gt 0 ] && shift
programs=$* place=0

# ai_run LABEL PROGRAM OPTION...: one way of running it
ai_run() {
	label=$1 program=$2
	shift 2
	if timeout 600 "$lockstep" run -q -c "$chip" -o "" "$@" -- "$build/bench/ai/$program" --size tiny \
		>"$out/log" 2>&1 && grep -q ': PASS$' "$out/log"; then
		ok
	else
		not_ok "ai/$program, $label"
		log_tail 8
		right=no
	fi
}

if [ -z "$programs" ]; then
	for file in benchmarks/ai/*/host.c; do
		place=$((place + 1))
		! full && [ $(((place + SLOT) % 10)) != 0 ] || programs="$programs $(basename "${file%/host.c}")"
	done
fi
pass=0 fail=0
for program in $programs; do
	right=yes chip=$(sed -n 's/.*\.chip = "\(.*\)",.*/\1/p' "benchmarks/ai/$program/host.c")
	ai_run functional "$program" --functional
	ai_run "timed, as written" "$program" -s frontend.timed_code=ptx
	ai_run "timed, scheduled, roles observed" "$program" -s frontend.timed_code=scheduled -s observe.roles=true
	ai_run "timed, two threads of the host" "$program" --threads 2
	ai_run sampled "$program" --sample error=10%
	ai_run "under the sanitizer" "$program" --sanitize all
	if [ $right = yes ]; then pass=$((pass + 1)); else fail=$((fail + 1)); fi
done
echo "ai: $pass programs verify in six ways, $fail do not"
finish
