#!/bin/sh
# tests/slurm/run.sh BUILD -- the Slurm engine against a real slurmctld and slurmd on this machine: jobs are
# submitted, watched, collected, adopted and cancelled; they are killed, stopped and lost in every way, and so
# are the sweep and the controller. Then whole sweeps. FULL=1: more jobs, more kills. SEED=N: other moments.
# Runs in the repository root.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
mkdir "$out/cluster" "$out/work"
clean_up() {
	ours=$(pgrep -f "$out/") && kill -9 $ours # engines and sweeps; no other command names this folder
	sh tests/slurm/cluster.sh stop "$out/cluster"
}
if [ -n "${FULL:-}" ]; then seeds="1, 2, 3, 4, 5, 6, 7, 8, 9" points=216 kills=12 many=230; else seeds=1 \
	points=24 kills=2 many=30; fi

why=$(sh tests/slurm/cluster.sh start "$out/cluster")
case $? in
0) ;;
77) skip_all "Slurm: $why" ;;
*)
	not_ok "the cluster: $why"
	finish
	;;
esac
export SLURM_CONF="$out/cluster/slurm.conf"

o=$build/obj/experiment
# shellcheck disable=SC2086
${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -Wall -I. tests/slurm/drive.c "$o"/engine/*.o "$o/capture.o" \
	"$o/files.o" "$o/hash.o" "$o/process.o" "$o/paths.o" "$o/linker_path.o" \
	-o "$out/drive" ${SANITIZE:-} -L"$build/lib" -llockstep -Wl,-rpath,"$(realpath "$build/lib")" \
		-lxxhash \
		-lm &&
	${CC:-gcc} -O1 -Wall tests/query.c -o "$out/query" -lsqlite3 || {
	not_ok "the programs of this test cannot be compiled"
	finish
}

# drive LOG WORK ARGUMENT...: a driver with $options; what it says goes to LOG
drive() { to=$1 work=$out/work/$2; shift 2; mkdir \
	-p "$work"; ${exec:-} "$out/drive" ${options:-} "$lockstep" "$work" "$@" >"$out/$to" 2>&1; }
says() {
	cat "$out/$1"
	[ "$(grep -cE "$2" "$out/$1")" = "${3:-1}" ]
}
# until COMMAND... succeeds, for so many seconds at most
within() { tries=$(($1 * 10)); shift; until "$@" >/dev/null 2>&1; do tries=$((tries - 1)); [ "$tries" \
	-gt 0 ] || return 1; sleep 0.1; done; }
queue() { squeue --noheader --array --format='%F_%K %T' "$@"; }
# the array that a note in WORK/JOB's folder names, as Slurm's number
array_of() { read -r id task <"$out/work/$1/slurm" && squeue --noheader --format='%F %j' |
	awk -v id="$id" '$2 ~ id "$" { print $1; exit }'; }
empty() { [ -z "$(queue)" ]; }
gone() { [ ! -e "$1" ]; }
pid_of() { pgrep -fx "$lockstep job $out/work/$1"; }

# -- jobs that end in their own way, or are ended. All of these run beside each other, as they mostly wait.
late=
if [ -n "${FULL:-}" ]; then # Slurm looks at its limits of time every 30 s: this one ends among the sweeps below
	options="" drive late late prepare submit wait close : late 'exec sleep 100' &
	late=$!
	within 600 pid_of late/late && scontrol update JobId="$(array_of late/late)_0" EndTime=now+1
fi
options="" drive stopped stopped prepare submit wait close : cancelled killed program 'exec sleep 60' &
stopped=$!
options="-t 1" drive time time prepare submit wait close : slow 'exec sleep 60' &
time=$!
# grows to 60 MiB in small steps, so that Slurm, which is asked for 86, has no part in it
options="-m 20" drive memory memory prepare submit wait close : fat \
	'exec awk "BEGIN { s = sprintf(\"%8000s\", \"\"); while (length(s) < 1000000) s = s s; while (n < 50) t[n++] = s n; while (1) n++ }"' &
memory=$!
options="-o --mem=40M" drive slurm-memory slurm-memory prepare submit wait close : fat \
	'x=$(head -c 100000000 /dev/zero | tr "\0" a); sleep 60' &
slurm_memory=$!
within 600 pid_of stopped/cancelled && within 600 pid_of stopped/killed && within 600 pid_of stopped/program
array=$(array_of stopped/killed)
scancel "${array}_0"
kill -9 "$(pid_of stopped/killed)"
pkill -9 -P "$(pid_of stopped/program)"

# -- a sweep process that is killed, once its jobs wait and run: another one adopts them
exec=exec options="-j 4" drive killed adopted prepare submit wait : 'job*6' 'sleep 1.5; exit 3' &
killed=$!
within 600 pid_of adopted/job0
kill -9 "$killed"; wait "$killed" 2>/dev/null
options="-j 4" drive adopted adopted adopt wait close : 'job*6' 'none' &
adopted=$!

wait $stopped $time $memory $slurm_memory $adopted
expect "cancelled in Slurm" says stopped '^cancelled killed [0-9]* cancelled in Slurm \(.*, CANCELLED\)$'
expect "lockstep job killed" says stopped "^killed lost 137 'lockstep job' was ended by signal 9 .*log.txt\)$"
expect "the program killed" says stopped '^program killed 137 ended by signal 9'
expect "each is named once" says stopped . 3
expect "the job's time limit" says time '^slow timeout 137 stopped after its limit of 1 s$'
expect "the job's limit of memory" says memory \
	'^fat memory 137 stopped: it held more than its limit of 20 MiB$'
expect "Slurm's limit of memory" says slurm-memory "^fat lost 137 'lockstep job' was ended by signal 9"
expect "jobs of a killed process are adopted" says adopted '^adopted 6$'
expect "and collected" says adopted '^job[0-5] failed 3 exit status 3: no word on why$' 6
expect "no folder of theirs is left" gone "$out/work/adopted/.slurm"

# -- more tasks than an array may have (MaxArraySize is 20 in the cluster), and than may run at once
options="-j 25" drive many many prepare submit wait close : "job*$many" 'exit 0'
expect "several arrays: all end" says many '^job[0-9]* done 0 $' "$many"

options="-j 3" drive cancel cancel prepare submit cancel close : "job*30" 'exec sleep 100'
expect "cancel: nothing is left in the queue" sh \
	-c '! squeue --noheader --format=%j | grep "$(cut -d" " -f1 "$1")"' - "$out/work/cancel/job7/slurm"
expect "no controller" \
	sh -c '! SLURM_CONF=$2 "$1" sweep --engine slurm -o "$2.db" tests/sweep/one.yaml >"$2" 2>&1 && cat "$2" &&
	grep -q "^error: engine slurm: " "$2"' \
	- "$lockstep" "$out/none"

# -- whole sweeps: killed at random moments, sweep and jobs, and resumed: the same as one that nobody
# disturbed
mkdir "$out/sweep"
cat >"$out/sweep/file.yaml" <<END
name: slurm
workloads: [sdk/vectoradd, polybench/gemm, polybench/bicg, rodinia/nw]
size: tiny
base: gtx480
factors:
  scheduler: {lrr: {sm.scheduler.policy: lrr}, gto: {sm.scheduler.policy: gto}}
  ways: {2: {sm.l1d.ways: 2}, 4: {sm.l1d.ways: 4}, 8: {sm.l1d.ways: 8}}
seeds: [$seeds]
limits: {time: 100, memory: 2000, retries: 20}
END
seed=${SEED:-$$}
# numbers from 0 to 99, in turn
moments=$(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 300; i++) printf "%d ", 100 * rand() }')
all_moments=$moments
random() { number=${moments%% *}; moments=${moments#* }; [ -n "$moments" ] || moments=$all_moments; }

# in the background: `exec`, so that $! is the sweep itself
sweep() { "$lockstep" sweep -q --csv '' "$@" "$out/sweep/file.yaml"; }
through_slurm() { exec "$lockstep" sweep -q -j 8 --csv '' --engine slurm \
	-o "$out/sweep/there.db" "$out/sweep/file.yaml"; }
query() { "$out/query" "$out/sweep/$1.db" "$2"; }
facts() { "$lockstep" sweep --facts "$out/sweep/$1.db"; }
same_facts() { facts here >"$out/here" && facts "$1" >"$out/there" && [ -s "$out/here" ] &&
	cmp "$out/here" "$out/there"; }

jobs_done() { query there "SELECT count(*) FROM jobs WHERE state = 'done'" 2>/dev/null || echo 0; }
sweep_runs() { kill -0 "$process" 2>/dev/null; }

# a moment after so many jobs are done
await() {
	while sweep_runs && [ "$(jobs_done)" -lt "$1" ]; do sleep 0.1; done
	random
	sleep 0.$((number / 10))$((number % 10))
}

# kills one task that runs just now, one way or the other; waits for one if there is none. A task may have ended
# before it is killed: then another is tried.
kill_task() {
	while sweep_runs; do
		set -- $(pgrep -f "^$lockstep job $out/sweep/there.work/")
		[ $# -gt 0 ] || { sleep 0.02; continue; }
		random # anew each time: one way may be too slow for tasks as short as these
		shift $((number % $#))
		case $((number % 3)) in
		0) kill -9 "$1" ;;
		1) pkill -9 -P "$1" ;;
		2) id=$(tr '\0' '\n' <"/proc/$1/environ" | sed -n 's/^SLURM_JOB_ID=//p')
			[ -n "$id" ] && scancel "$id" ;;
		esac 2>/dev/null || continue
		tasks=$((tasks + 1))
		return
	done
}

sweep -o "$out/sweep/here.db" >"$out/log" 2>&1
expect "a sweep here" grep -qx "sweep: $points done, $points run now, 0 failed" "$out/log"
if [ -n "${FULL:-}" ]; then
began=$(date +%s.%N)
sweep --engine slurm -o "$out/sweep/plain.db" >"$out/log" 2>&1
expect "the same through Slurm" grep -qx "sweep: $points done, $points run now, 0 failed" "$out/log"
echo "$began $(date +%s.%N)" | awk -v points=$points '{
	printf "note: through Slurm %.1f jobs a second\n", points / ($2 - $1) }'
expect "and the same facts" same_facts plain
fi

done="" round=0 tasks=0
while [ $round -lt $kills ]; do
	through_slurm >>"$out/sweep/log" 2>&1 &
	process=$!
	kill_task
	await $((points * round / (kills + 1)))
	kill_task
	[ -z "${FULL:-}" ] || [ $round != 5 ] ||
		{ sh tests/slurm/cluster.sh controller "$out/cluster" stop; sleep 1
			sh tests/slurm/cluster.sh \
			controller "$out/cluster" start; }
	kill -9 $process 2>/dev/null; wait $process 2>/dev/null
	done="$done $(jobs_done)" round=$((round + 1))
done
through_slurm >"$out/log" 2>&1 &
process=$!
for task in 1 2 3; do kill_task; sleep 0.3; done
wait $process
expect "a sweep killed and resumed" grep -qE "^sweep: $points done, [0-9]* run now, 0 failed" "$out/log"
echo "note: a sweep through Slurm was killed when$done of $points jobs were done, and $tasks tasks; $(query there \
	"SELECT count(*) || ' attempts: ' || group_concat(DISTINCT outcome) FROM attempts") (SEED=$seed)"
expect "has the facts of one that was not" same_facts there
expect "some tasks were killed" [ $tasks -gt 0 ]
# those whose end a sweep has seen before it was killed itself: of many, some
[ -z "${FULL:-}" ] || expect "and that is on record" [ "$(query there "SELECT count(*) FROM attempts WHERE \
	outcome IN ('killed', 'lost')")" -gt 0 ]

# two at once on one database look after the same jobs, and neither waits for what the other has taken
if [ -n "${FULL:-}" ]; then
	sweep --engine slurm -o "$out/sweep/two.db" >"$out/two" 2>&1 &
	process=$!
	sweep --engine slurm -o "$out/sweep/two.db" >"$out/log" 2>&1
	wait $process
	expect "two sweeps at once: one" grep -qE "^sweep: $points done, [0-9]* run now, 0 failed" "$out/log"
	expect "two sweeps at once: the other" \
		grep -qE "^sweep: $points done, [0-9]* run now, 0 failed" "$out/two"
	expect "two sweeps at once: the same facts" same_facts two
	sweep --engine slurm -o "$out/sweep/gone.db" >/dev/null 2>&1 & # without `exec` this is a shell
	within 600 pgrep -f "^$lockstep job $out/sweep/gone.work/"
	kill -INT "$(pgrep -f "^$lockstep sweep .*gone.db")"
	wait $!
	expect "Ctrl-C: status" [ $? = 130 ]
	expect "Ctrl-C: nothing of it is left in the queue" sh \
		-c '! squeue --noheader --format="%j %o" | grep -F "$1"' - "$out/sweep/gone.work"
	echo "note: two sweeps at once: $(query two "SELECT count(*) || ' attempts: ' ||
		group_concat(DISTINCT outcome) FROM attempts")"
fi

[ -z "$late" ] || wait $late
[ -z "$late" ] || expect "Slurm's time limit" says late \
	"^late timeout [0-9]* stopped by Slurm after the array's time limit"
expect "nothing is left in the queue" empty

finish
