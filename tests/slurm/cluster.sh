#!/bin/sh
# A Slurm cluster of one machine for tests, from Debian's packages, beside whatever else runs here: own ports,
# own key, all files in DIR, no service of the system.
#   cluster.sh start DIR [KEY=VALUE...]   starts it; prints the line for a shell's environment. Lines for
#                                         slurm.conf may be added.
#                                         Exit status 77, with one line that says why, where it cannot be started.
#   cluster.sh stop DIR                   ends everything that was started for DIR, jobs too
#   cluster.sh controller DIR start|stop  slurmctld alone, as when it is restarted in the middle
set -u
PATH=$PATH:/usr/sbin:/sbin
what=${1:?} dir=$(cd "${2:?}" && pwd) || exit 2
export LOCKSTEP_TEST_CLUSTER="$dir" # the mark by which stop finds what belongs to this cluster
export SLURM_CONF="$dir/slurm.conf"

skip() { echo "$*"; stop >/dev/null 2>&1; exit 77; }

# the first line of a log that says what is wrong, or its last line
complaint() {
	{ grep -m 1 -iE "fatal|error" "$1" || tail -n 1 "$1"; } 2>/dev/null | sed "s/^\[[^]]*\] //" | grep . ||
		echo "no word on why"
}

# two ports that nobody listens on
free_ports() {
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null | awk -v seed=$$ '
		{ n = split($2, part, ":"); used[part[n]] = 1 }
		END {
			for (port = 20000 + seed % 10000; found < 2; port++)
				if (!(sprintf("%04X", port) in used)) { printf "%d ", port; found++ }
		}'
}

configure() {
	host=$(hostname -s) && [ -n "$host" ] || skip "this machine has no name"
	me=$(id -un) || skip "user $(id -u) has no name"
	set -- "$@" -- $(free_ports)
	for last; do before=${port:-}; port=$last; done
	cat >"$SLURM_CONF" <<END
ClusterName=lockstep
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$before
SlurmdPort=$port
SlurmUser=$me
SlurmdUser=$me
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$dir/munge.socket
StateSaveLocation=$dir/state
SlurmdSpoolDir=$dir/spool
SlurmctldPidFile=$dir/slurmctld.pid
SlurmdPidFile=$dir/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=100
SchedulerType=sched/builtin
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0,default_queue_depth=1000,partition_job_depth=0
SlurmdParameters=config_overrides
ReturnToService=2
MaxArraySize=101
MaxJobCount=10000
MinJobAge=300
KillWait=1
CompleteWait=0
SlurmctldTimeout=30
SlurmdTimeout=300
NodeName=$host NodeHostname=$host NodeAddr=127.0.0.1 CPUs=${CPUS:-16} RealMemory=64000 State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
	for line; do [ "$line" = -- ] && break; echo "$line" >>"$SLURM_CONF"; done
}

controller() {
	setsid slurmctld -D -L "$dir/slurmctld.log" </dev/null >"$dir/slurmctld.out" 2>&1 &
	echo $! >"$dir/slurmctld.id"
}

# until COMMAND... succeeds, for some seconds
within() {
	tries=$(($1 * 10)); shift
	until "$@" >/dev/null 2>&1; do
		tries=$((tries - 1)); [ "$tries" -gt 0 ] || return 1
		sleep 0.1
	done
}
idle() { [ "$(sinfo -h -o %T)" = idle ]; }

start() {
	for program in munged slurmctld slurmd sbatch squeue scontrol pgrep; do
		command -v $program >/dev/null ||
			skip "no $program here (Debian packages munge, slurm-wlm, procps)"
	done
	mkdir -p "$dir/state" "$dir/spool" "$dir/munge" && chmod 700 "$dir/munge" ||
		skip "$dir cannot be written"
	configure "$@"
	head -c 128 /dev/urandom >"$dir/munge/key" && chmod 400 "$dir/munge/key"
	munged --force --key-file="$dir/munge/key" --socket="$dir/munge.socket" --pid-file="$dir/munge/pid" \
		--log-file="$dir/munge/log" \
		--seed-file="$dir/munge/seed" --num-threads=4 >"$dir/munged.out" 2>&1 ||
		skip "munged: $(complaint "$dir/munged.out")"
	controller
	within 60 scontrol ping || skip "slurmctld: $(complaint "$dir/slurmctld.log")"
	setsid slurmd -D -L "$dir/slurmd.log" </dev/null >"$dir/slurmd.out" 2>&1 &
	within 60 idle || skip "slurmd: $(complaint "$dir/slurmd.log")"
	echo "SLURM_CONF=$SLURM_CONF"
}

# Processes of this cluster: the daemons carry the mark; jobs have the cluster's configuration and a job's
# number; slurmstepd, which writes its title over its environment, the daemon's log.
members() {
	for file in $(grep -lzxF -e "LOCKSTEP_TEST_CLUSTER=$dir" -e "SLURM_CONF=$SLURM_CONF" \
		/proc/[0-9]*/environ 2>/dev/null); do
		id=${file#/proc/} id=${id%/environ}
		[ "$id" != $$ ] || continue
		grep -qzxF "LOCKSTEP_TEST_CLUSTER=$dir" "$file" 2>/dev/null ||
			grep -qz '^SLURM_JOB_ID=' "$file" 2>/dev/null && echo "$id"
	done
	for id in $(pgrep -x slurmstepd); do
		ls -l "/proc/$id/fd" 2>/dev/null | grep -qF "$dir/slurmd.log" && echo "$id"
	done
}

alive() { grep -qE '^State:.[^ZX]' "/proc/$1/status" 2>/dev/null; }
nothing_queued() { [ -z "$(timeout 5 squeue -h 2>&1)" ]; }

stop() {
	[ -f "$SLURM_CONF" ] || return 0
	if [ -s "$dir/slurmctld.id" ] && alive "$(cat "$dir/slurmctld.id")"; then
		timeout 5 scancel --user="$(id -un)"
		within 5 nothing_queued
	fi
	for signal in TERM KILL; do
		for try in 1 2 3 4 5 6 7 8 9 10; do
			rest=$(members)
			[ -n "$rest" ] || return 0
			# shellcheck disable=SC2086
			[ "$try" != 1 ] || kill -s $signal $rest 2>/dev/null
			sleep 0.2
		done
	done
	echo "processes that do not end: $rest" >&2
	return 1
}

shift 2
case $what in
start) start "$@" ;;
stop) stop ;;
controller)
	case ${1:?} in
	start) controller; within 60 scontrol ping ;;
	stop)
		id=$(cat "$dir/slurmctld.id")
		kill "$id"
		while alive "$id"; do sleep 0.1; done
		;;
	esac ;;
*) echo "cluster.sh: $what?" >&2; exit 2 ;;
esac
