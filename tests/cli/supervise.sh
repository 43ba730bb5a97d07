#!/bin/sh
# tests/cli/supervise.sh BUILD -- lockstep run is the parent of the program: every end of it is told, signals and
# stops are passed on, and each process of a script has results of its own.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
ptx=$(realpath tests/cli/ptx/endless.ptx)
compile program tests/cli/supervise.c
${CC:-gcc} -Wall -Wextra -Wno-unused-parameter -Werror -o "$out/stops" tests/cli/stops.c || not_ok "stops.c cannot be compiled"
TMPDIR=$out
export TMPDIR

run() { "$lockstep" run -q -o "$out/run" -- "$out/program" "$ptx" "$@"; }
script() { "$lockstep" run -q -o "$out/run" -- sh -c "$1" sh "$out/program" "$ptx"; }
fresh() { rm -rf "$out/run"* "$out"/*.rec; }
kernels_are() { [ "$(total "$1" gpu.kernels)" = "$2" ]; }
no_parts() { [ -z "$(find "$out/$1" -name '*.part')" ]; }
silent() { ! grep -q '^lockstep: ' "$out/log"; }
until_so() {
	tries=0
	until "$@" 2>/dev/null || [ $tries = 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
}

# ---- ends ----

# whole STATUS WHAT...: the run ends with this status, and its results are complete
whole() {
	fresh
	want=$1
	shift
	answers "$want" '^ready$' run "$@"
	expect "$*: the results are complete" kernels_are run 1
	expect "$*: no parts" no_parts run
	expect "$*: nothing is said" silent
}
# missing STATUS WHAT...: the results are missing, which is said
missing() {
	fresh
	want=$1
	shift
	answers "$want" "^lockstep: the results in $out/run are missing: process [0-9]* ended before they were written; " \
		run "$@"
	expect "$*: the kernel is in the part" grep -q 'Begin .*# launches of brief$' "$out/run/stats.txt.part"
}
ends="return quick_exit"
sanitized || ends="return quick_exit _exit _Exit thread" # a sanitizer's library must be the first of a process
for end in $ends; do
	whole 0 $end 0
	whole 9 $end 9
done
whole 0 vfork
for end in raw handler; do
	missing 74 $end 0
	expect "$end: the status is explained" \
		grep -q '^lockstep: not all results are there: exit status 74$' "$out/log"
	missing 9 $end 9
done
missing 74 exec
missing 137 killed
sanitized || missing 134 abort
missing 74 again
expect "a program that becomes another: the second has results" kernels_are run.2 1
answers 127 'cannot run nowhere: not found in PATH' "$lockstep" run -- nowhere
answers 126 "cannot run $out: Permission denied" "$lockstep" run -- "$out"
answers 7 '^ready$' sh -c 'trap "" CHLD; exec "$@"' - "$lockstep" run -q -o "$out/run" -- "$out/program" "$ptx" return 7
answers 5 "^left\$" sh -c 'trap "" CHLD; exec "$@"' - "$lockstep" run -q -o "" -- sh -c 'echo left; exit 5'

# ---- several processes ----

# places FOLDERS: each has a run of its own, and they are named
places() {
	expect "$* are named" \
		grep -q "^lockstep: $# processes of this run, each on a GPU of its own, have results:$(printf " $out/%s," "$@" | sed 's/,$//')\$" "$out/log"
	for folder in "$@"; do
		expect "$folder: its results" kernels_are "$folder" 1
		expect "$folder: no parts" no_parts "$folder"
	done
}
fresh
answers 0 . script '"$1" "$2" return && "$1" "$2" return && exec "$1" "$2" return'
places run run.2 run.3
expect "the results are the same" same_statistics "$out/run/stats.txt" "$out/run.3/stats.txt"
answers 0 . script '"$1" "$2" return'
expect "a new command replaces what was there" silent
fresh
answers 0 . script '"$1" "$2" return & "$1" "$2" return & "$1" "$2" return & wait'
expect "at once: all are named" grep -q "^lockstep: 3 processes of this run, each on a GPU of its own, have results: $out/run" "$out/log"
for folder in run run.2 run.3; do expect "at once: $folder" kernels_are "$folder" 1; done
fresh
answers 74 "^lockstep: the results in $out/run.2 are missing" \
	script '"$1" "$2" return; "$1" "$2" raw; "$1" "$2" return; exit 0'
expect "the other results are complete" kernels_are run.3 1
fresh
record() { "$lockstep" record -q -o "$out/two.rec" -- sh -c "$1" sh "$out/program" "$ptx"; }
answers 0 "^lockstep: 2 processes of this run, each on a GPU of its own, have results: $out/two.rec, $out/two.2.rec\$" \
	record '"$1" "$2" return; "$1" "$2" return'
expect "both recordings are the same" cmp "$out/two.rec" "$out/two.2.rec"
answers 74 "^lockstep: $out/two.rec is missing: process [0-9]* ended before it was written\$" record '"$1" "$2" raw'
mkfifo "$out/in"
exec 3<>"$out/in"
fresh
answers 0 'process [0-9]* goes on; its results will be in ' \
	script '"$1" "$2" wait <&3 >'"$out/left"' 2>&1 & while ! grep -q ready '"$out/left"'; do sleep 0.1; done'
echo >&3
exec 3>&-
until_so no_parts run
expect "a process that is left behind writes its results" kernels_are run 1

# ---- signals ----

# begin COMMAND...: in the background, where a shell without job control would have it ignore SIGINT
begin() {
	fresh
	: >"$out/log"
	env --default-signal=INT,TERM,HUP,QUIT,PIPE "$@" >"$out/log" 2>&1 &
	process=$!
	until_so grep -q ready "$out/log"
}
# ended STATUS LABEL
ended() {
	wait "$process" 2>/dev/null
	status=$?
	expect "$2: exit status $status, not $1" [ $status = "$1" ]
}
begin "$lockstep" run -q -o "$out/run" -- "$out/program" "$ptx" signals
kill -USR1 $process
ended 1 "a signal comes once"
begin "$lockstep" run -q -o "" -- sh -c 'trap "echo got; exit 6" TERM; echo ready; while :; do sleep 0.1; done'
kill -TERM $process
ended 6 "a program without CUDA gets it"
begin "$lockstep" run -q -o "" -- sh -c 'echo ready; exec sleep 1000'
kill -HUP $process
ended 129 "and may die of it"
begin "$lockstep" run -q -o "" -- sh -c 'echo ready; kill -INT $PPID; sleep 0.2; exit 8'
ended 8 "its own signals to its parent do not come back"

begin "$lockstep" run -q -o "$out/run" -- sh -c 'echo ready; echo $$ >"$0"; exec sleep 1000' "$out/pid"
until_so [ -s "$out/pid" ]
kill -KILL $process
wait $process 2>/dev/null
until_so [ ! -e "/proc/$(cat "$out/pid")" ]
expect "the program does not outlive the command" [ ! -e "/proc/$(cat "$out/pid")" ]

cd "$out" || exit
cat >job <<'END'
touch ready
while [ ! -e go ]; do sleep 0.05; done
exit 4
END
answers 4 '^stopped, its program is in state T$' "$out/stops" "$lockstep" run -q -o "" -- sh job
expect "it goes on" grep -q '^continued$' "$out/log"
cd - >/dev/null || exit
expect "private folders are gone" [ "$(find "$out" -name 'lockstep-run-*' | wc -l)" = 1 ] # of what was killed
finish
