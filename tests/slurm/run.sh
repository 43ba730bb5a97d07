#!/bin/sh
# tests/slurm/run.sh BUILD -- the Slurm engine against a real slurmctld and slurmd on this machine: jobs are submitted, watched, collected,
# adopted and cancelled; they are killed, stopped and lost in every way, and so are the sweep and the controller. Then whole sweeps.
# FULL=1: more jobs, more kills. SEED=N: other moments. Runs in the repository root.
set -u
build=${1:?usage: tests/slurm/run.sh BUILD}
lockstep=$(realpath "$build/bin/lockstep")
out=$(mktemp -d) || exit 1
mkdir "$out/cluster" "$out/work"
trap 'sh tests/slurm/cluster.sh stop "$out/cluster"; rm -rf "$out"' EXIT
trap 'exit 1' HUP INT TERM
passed=0 failed=0

ok() { passed=$((passed + 1)); echo "ok $1"; }
not_ok() { failed=$((failed + 1)); echo "not ok $1"; tail -n 12 "$out/log"; }
expect() { name=$1; shift; if "$@" >>"$out/log" 2>&1; then ok "$name"; else not_ok "$name"; fi; }
: >"$out/log"

why=$(sh tests/slurm/cluster.sh start "$out/cluster")
case $? in
0) ;;
77) echo "skipped: Slurm: $why"; echo "0 passed, 0 failed"; exit 0 ;;
*) echo "not ok the cluster: $why"; echo "0 passed, 1 failed"; exit 1 ;;
esac
export SLURM_CONF="$out/cluster/slurm.conf"

# shellcheck disable=SC2086
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -I. tests/slurm/drive.c -o "$out/drive" ${SANITIZE:-} -L"$build/lib" -llockstep -Wl,-rpath,"$(realpath "$build/lib")" ||
	{ echo "0 passed, 1 failed"; exit 1; }

# drive LOG WORK ARGUMENT...: with options before LOG's place taken from $options
drive() { to=$1 work=$out/work/$2; shift 2; mkdir -p "$work"; "$out/drive" ${options:-} "$lockstep" "$work" "$@" >"$out/$to" 2>&1; }
says() { cat "$out/$1" >>"$out/log"; [ "$(grep -cE "$2" "$out/$1")" = "${3:-1}" ]; }
# until COMMAND... succeeds, for some seconds
within() { tries=$(($1 * 10)); shift; until "$@" >/dev/null 2>&1; do tries=$((tries - 1)); [ "$tries" -gt 0 ] || return 1; sleep 0.1; done; }
queue() { squeue --noheader --array --format='%F_%K %T' "$@"; }
# the array that a note in WORK/JOB's folder names, as Slurm's number
array_of() { read -r id task <"$out/work/$1/slurm" && squeue --noheader --format='%F %j' | awk -v id="$id" '$2 ~ id "$" { print $1; exit }'; }
empty() { [ -z "$(queue)" ]; }
gone() { [ ! -e "$1" ]; }
pid_of() { pgrep -fx "$lockstep job $out/work/$1"; }

# -- jobs that end in their own way, or are ended. All of these run beside each other, as they mostly wait.
options="" drive stopped stopped prepare submit wait close : cancelled killed program late 'exec sleep 60' &
stopped=$!
options="-t 1" drive time time prepare submit wait close : slow 'exec sleep 60' &
time=$!
options="-m 40" drive memory memory prepare submit wait close : fat 'x=$(head -c 100000000 /dev/zero | tr "\0" a); sleep 60' &
memory=$!
options="-o --mem=40M" drive slurm-memory slurm-memory prepare submit wait close : fat 'x=$(head -c 100000000 /dev/zero | tr "\0" a); sleep 60' &
slurm_memory=$!
within 20 pid_of stopped/cancelled && within 20 pid_of stopped/killed && within 20 pid_of stopped/program && within 20 pid_of stopped/late
array=$(array_of stopped/killed)
scancel "${array}_0"
kill -9 "$(pid_of stopped/killed)"
pkill -9 -P "$(pid_of stopped/program)"
scontrol update JobId="${array}_3" EndTime=now+1

# -- a sweep process that is killed, once its jobs wait and run: another one adopts them
options="-j 4" drive killed adopted prepare submit wait : 'job*8' 'sleep 2; echo >>times; exit 3' &
killed=$!
within 20 pid_of adopted/job0
kill -9 "$killed"; wait "$killed" 2>/dev/null
options="-j 4" drive adopted adopted adopt wait close : 'job*8' 'none' &
adopted=$!

wait $stopped $time $memory $slurm_memory $adopted
expect "cancelled in Slurm" says stopped '^cancelled killed [0-9]* cancelled in Slurm \(.*, CANCELLED\)$'
expect "lockstep job killed" says stopped "^killed lost 137 'lockstep job' was ended by signal 9 .*log.txt\)$"
expect "the program killed" says stopped '^program killed 137 ended by signal 9'
expect "Slurm's time limit" says stopped "^late timeout [0-9]* stopped by Slurm after the array's time limit"
expect "each is named once" says stopped . 4
expect "the job's time limit" says time '^slow timeout 137 stopped after its limit of 1 s$'
expect "the job's limit of memory" says memory '^fat memory 137 stopped: it held more than its limit of 40 MiB$'
expect "Slurm's limit of memory" says slurm-memory "^fat lost 137 'lockstep job' was ended by signal 9"
expect "jobs of a killed process are adopted" says adopted '^adopted 8$'
expect "and collected" says adopted '^job[0-7] failed 3 exit status 3: no word on why$' 8
expect "no folder of theirs is left" gone "$out/work/adopted/.slurm"
expect "nothing is left in the queue" empty

# -- more tasks than an array may have (MaxArraySize=101 here), all at once
drive many many prepare submit wait close : "job*${FULL:+2}30" 'exit 0'
expect "several arrays: all end" says many '^job[0-9]* done 0 $' "${FULL:+2}30"

echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
