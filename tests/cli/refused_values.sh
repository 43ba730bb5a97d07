#!/bin/sh
# tests/cli/refused_values.sh BUILD -- values of options and variables that cannot be: refused before the
# program is started, with the cause and exit status 2; places that cannot be written: 1.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
cd "$out" || exit 1
: >file

# started: whether the program was started, which leaves a mark
started() {
	set -- "$lockstep" run -q -o o "$@" -- sh -c 'touch mark'
	"$@" >log 2>&1
	status=$?
	[ -e mark ] || return 1
	rm mark
}
# refused STATUS TEXT OPTION...: the program is not started
refused() {
	wanted=$1 text=$2
	shift 2
	if started "$@"; then
		not_ok "the program was started: $*"
	elif [ $status = "$wanted" ] && grep -qF -e "$text" log; then
		ok
	else
		not_ok "$*: exit status $status, expected $wanted and \"$text\""
		head -n 5 log
	fi
}
# with VARIABLE=VALUE TEXT
with() {
	text=$2
	export "$1"
	refused 2 "$text"
	unset "${1%%=*}"
}
expect "a program that is started" started

# One rule for numbers: no zeros in front, no other signs and letters.
zeros="010 has zeros in front"
refused 2 "--threads 010: expected a number of host threads from 1 to 64 ($zeros)" --threads 010
refused 2 "--threads abc: expected" --threads abc
refused 2 "--kernels 010: expected a number of launches, or all ($zeros)" --kernels 010
refused 2 "--error-exitcode 010: expected an exit status from 0 to 255 ($zeros)" --sanitize=all --error-exitcode 010
refused 2 "--max-ctas 010: expected a number" --max-ctas 010
refused 2 "($zeros)" --seed 010
refused 2 "sm.l1d.ways = 010: expected a whole number, 1 to " -s sm.l1d.ways=010
refused 2 "($zeros)" -s sm.l1d.ways=010
refused 2 "gpu.core_mhz = 0700.5: expected a number" -s gpu.core_mhz=0700.5
refused 2 "--sample error=03%: expected" --sample error=03%
printf 'sm: {l1d: {ways: 010}}\n' >zeros.yaml
refused 1 "zeros.yaml:1:18: error: sm.l1d.ways = 010: expected a whole number" -c zeros.yaml
refused 2 "--series 0:gpu.ipc: expected N:NAMES" --series 0:gpu.ipc
refused 2 "--series 010:gpu.ipc: expected N:NAMES" --series 010:gpu.ipc
refused 2 "--series -5:gpu.ipc: expected N:NAMES" --series -5:gpu.ipc
refused 2 "--series gpu.ipc: expected N:NAMES" --series gpu.ipc
expect "0x10, 1K and 0 are numbers" started --threads 0x1 --kernels 0 --max-ctas 1K -s sm.l1d.ways=0x4 \
	--series 1K:gpu.ipc
printf 'workloads: all\nsize: tiny\nseeds: [01]\n' >seeds.yaml
answers 1 "seeds.yaml:3:" "$lockstep" sweep -n seeds.yaml
answers 2 "(05 has zeros in front)" "$lockstep" sweep -n seeds.yaml -j 05
answers 2 "expected an address" "$lockstep" config map 010

# Points and branches.
gto=sm.scheduler.policy=gto
refused 2 "--at foo:1: expected kernel:N" --at foo:1 --then $gto
refused 2 "--at kernel:01: expected kernel:N" --at kernel:01 --then $gto
refused 2 "--at cycle:0: expected" --at cycle:0 --then $gto
refused 2 "--at says where, and --then, --branch or --save what is to happen" --at kernel:1
refused 2 "--branch-jobs x: expected a number from 1 to 1000" --branch-jobs x --at kernel:1 --branch a:$gto
for name in stats.txt series.csv .. . a/b a.b ''; do
	refused 2 "a name has letters, digits, _ and -" --at kernel:1 --branch "$name:$gto"
done
mkdir -p o/folder
: >o/taken
refused 2 "o/taken is a file, where the branch would have its folder" --at kernel:1 --branch taken:$gto
expect "a branch into a folder of before" started --at kernel:1 --branch folder:$gto
refused 2 "--branch a: sm.l1d.ways cannot change" --at cycle:5 --branch a:sm.l1d.ways=8

# The environment.
with LOCKSTEP_THREADS=abc "LOCKSTEP_THREADS=abc in the environment: expected a number of host threads from 1 to 64"
with LOCKSTEP_THREADS=010 "($zeros)"
with LOCKSTEP_PATIENCE=abc "LOCKSTEP_PATIENCE=abc in the environment: expected a number of seconds above 0"
with LOCKSTEP_PATIENCE=-1 "LOCKSTEP_PATIENCE=-1 in the environment"
with LOCKSTEP_PATIENCE=0,5 "LOCKSTEP_PATIENCE=0,5 in the environment"
with LOCKSTEP_VECTOR=v9 "LOCKSTEP_VECTOR=v9 in the environment: expected base, v3 or v4"
with LOCKSTEP_THREAD_POOL=x "LOCKSTEP_THREAD_POOL=x in the environment: expected never-rests"
with LOCKSTEP_QUIET=yes "LOCKSTEP_QUIET=yes in the environment: expected 0 or 1"
LOCKSTEP_PATIENCE=0.05 LOCKSTEP_THREADS=2 expect "values that can be" started

# Places.
refused 1 "output folder file cannot be made, or written into: Not a directory" -o file
refused 1 "output folder /proc/self/x/y cannot be made, or written into: " -o /proc/self/x/y
answers 1 "nowhere/x.rec cannot be written: No such file" "$lockstep" record -o nowhere/x.rec -- sh -c 'touch mark'
answers 1 "o cannot be written: Is a directory" "$lockstep" trace -o o -- sh -c 'touch mark'
expect "the program is not started" test ! -e mark
expect "nothing is left of the trials" sh -c '[ -z "$(find . -name ".lockstep*")" ]'
if command -v sqlite3 >/dev/null; then
	sqlite3 r.db <"$OLDPWD/experiment/store.sql"
	sqlite3 r.db <"$OLDPWD/tests/report/printed.sql"
	answers 1 "/proc/self/x" "$lockstep" report r.db -o /proc/self/x
	grep -q "cannot be made" log
	answers 1 "file is no folder\|Not a directory" "$lockstep" report r.db -o file
fi
finish
