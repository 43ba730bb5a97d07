#!/bin/sh
# tests/cli/interrupt.sh BUILD -- Ctrl-C, SIGTERM and other signals that end programs: whatever a run does at
# that moment, it ends with what was gathered, marked as interrupted in every file and on the terminal, and with
# the status that shells expect. What is interrupted never ends by itself, so that no verdict depends on when the
# signal comes.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
ptx=tests/cli/ptx/endless.ptx


# begin COMMAND...: in the background, where a shell without job control would have it ignore SIGINT
begin() {
	rm -rf "$out/run"
	: >"$out/log" # now: what waits for a word in it must not find that of the run before
	env --default-signal=INT,TERM,HUP,QUIT,PIPE "$@" >"$out/log" 2>&1 &
	process=$!
}

# until_so COMMAND...: waits until it is true, but not for ever
until_so() {
	tries=0
	until "$@" 2>/dev/null || [ $tries = 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
}

# is_gone PROCESS: whether it is gone, or waits for someone to ask for its status
is_gone() {
	[ ! -e "/proc/$1/stat" ] || { read -r _ _ state _ <"/proc/$1/stat" && [ "$state" = Z ]; }
}
has_ended() { is_gone "$process"; }

# has_worked: whether it has had a quarter of a second of processor time, with which a kernel is under way
has_worked() { has_ended || [ "$(cut -d ' ' -f 14 "/proc/$process/stat")" -ge 25 ]; }

# ended STATUS LABEL: the run ends, with the status
ended() {
	until_so has_ended
	has_ended || kill -KILL "$process"
	wait "$process" 2>/dev/null
	status=$?
	check "$2: exit status $status, not $1" [ $status = "$1" ]
}

# marked LABEL: every file of out/run that has an end says that the run was interrupted
marked() {
	stats=$out/run/stats.txt
	check "$1: the terminal" \
		grep -q '^lockstep: interrupted: what is in .*/run is of the run up to then$' "$out/log"
	check "$1: stats.txt" grep -q 'Begin .*# total of [0-9]* kernels* interrupted$' "$stats"
	check "$1: the end of stats.txt" sh -c 'tail -n 1 "$1" | grep -q "^-.* End "' - "$stats"
	check "$1: stats.json" grep -q '^  "interrupted": true,$' "$out/run/stats.json"
	check "$1: the end of stats.json" [ "$(tail -n 1 "$out/run/stats.json")" = "}" ]
	for file in latency.txt profile.txt; do
		[ ! -e "$out/run/$file" ] ||
			check "$1: $file" sh -c 'head -n 3 "$1" | grep -q "^# interrupted: "' \
				- "$out/run/$file"
	done
	[ ! -e "$out/run/profile.json" ] ||
		check "$1: profile.json" grep -q '"interrupted": true' "$out/run/profile.json"
}

# check LABEL COMMAND...: a check that shows the end of the run's output if it fails
check() {
	what=$1
	shift
	if "$@"; then ok; else
		not_ok "$what"
		log_tail
	fi
}

# ---- while a kernel runs ----

# kernel LABEL SIGNAL STATUS OPTION...: in the middle of a kernel
kernel() {
	label=$1 signal=$2 want=$3; shift 3
	begin "$lockstep" launch $ptx endless --grid 4 --block 64 --arg 'u32[2]=zero' --save "0:$out/saved" \
		-o "$out/run" "$@"
	until_so [ -s "$out/run/stats.json.part" ]
	until_so has_worked
	kill -"$signal" $process
	ended "$want" "$label"
	marked "$label"
	check "$label: the kernel" grep -q '^1,endless,.*,interrupted,' "$out/run/launches.csv"
	check "$label: it is among the kernels" grep -q 'Begin .*# launches of endless$' "$out/run/stats.txt"
	check "$label: the kernel on the terminal" grep -q ' (interrupted): ' "$out/log"
}

kernel "a kernel" INT 130
kernel "a kernel, SIGTERM" TERM 143
kernel "a kernel, SIGHUP" HUP 129
kernel "a kernel, SIGQUIT" QUIT 131
kernel "a kernel, SIGPIPE" PIPE 141
kernel "values only" INT 130 --functional --profile
kernel "two threads" INT 130 --threads 2 -c ga100
kernel "warm-up" INT 130 --warmup 1
kernel "warm-up of CTAs" INT 130 --warmup-ctas 2
kernel "after a cut" INT 130 --max-cycles 100
kernel "looking for hangs" INT 130 --set gpu.hang_check=1000
kernel "profile and series" INT 130 --profile --series 500:sm.warp_instructions,sm.atomics
for name in sm.warp_instructions sm.atomics; do
	sum=$(awk -F, -v name=$name 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) c = i; next } {
		s += $c } END { printf "%.0f\n", s }' "$out/run/series.csv")
	want=$(total run $name)
	check "series.csv: $name is $sum in all, and $want in stats.txt" [ "$sum" -gt 0 -a "$sum" = "$want" ]
done
listed=$(awk -F'[:,]' '/"counts"|"executions"/ {
	for (i = 1; i < NF; i++) if ($i ~ /"executions"/) s += $(i + 1) } END {
	printf "%.0f\n", s }' "$out/run/profile.json")
want=$(total run sm.warp_instructions)
check "profile.json has $listed executions, stats.txt $want" [ "$listed" = "$want" ]

# twice at once is once
begin "$lockstep" launch $ptx endless --grid 4 --block 64 --arg 'u32[2]=zero' -o "$out/run"
until_so [ -s "$out/run/stats.json.part" ]
kill -INT $process $process
ended 130 "two signals at once"
marked "two signals at once"

# ---- between kernels, and in the program's own hands ----

compile program tests/cli/interrupt.c

# phase NAME KERNELS OPTION...: so many kernels are counted, or any number (-)
phase() {
	name=$1 kernels=$2; shift 2
	begin "$lockstep" run -o "$out/run" "$@" -- "$out/program" $ptx "$name"
	until_so grep -q ready "$out/log"
	kill -INT $process
	ended 130 "$name $*"
	marked "$name $*"
	got=$(total run gpu.kernels)
	[ "$kernels" = - ] || check "$name: $got kernels in all, not $kernels" [ "$got" = "$kernels" ]
}
phase host 1
phase host 1 --functional
phase queued 0
phase beside -
check "beside: the kernel in the middle" \
	grep -q '^[0-9]*,endless,.*,interrupted,' "$out/run/launches.csv"
phase many - --set gpu.sms=1
phase leave 1

# two kernels, and nothing is said to be interrupted
unmarked() { [ "$(total run gpu.kernels)" = 2 ] && ! grep -q interrupted "$out/log" "$out/run/stats.txt"; }
begin "$lockstep" run -o "$out/run" -- "$out/program" $ptx own
until_so grep -q ready "$out/log"
kill -INT $process
ended 7 "a program with a handler of its own"
check "a program with a handler of its own: marks" unmarked
begin "$lockstep" run -o "$out/run" -- "$out/program" $ptx child
ended 7 "a child of the program's"
check "a child of the program's: marks" unmarked

# ---- before the first kernel ----

# a configuration that nobody writes: nothing is to be kept yet
mkfifo "$out/fifo.yaml"
begin "$lockstep" launch $ptx endless --grid 1 --block 32 --arg 'u32[2]=zero' -o "$out/run" -c "$out/fifo.yaml"
sleep 0.5
kill -TERM $process
ended 143 "a configuration that is being read"
check "and there are no files" [ ! -e "$out/run" ]

# a kernel whose translation takes many minutes
awk 'BEGIN {
	print ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry endless(.param .u64 p)\n{"
	print ".reg .u32 %r<600001>;\n.reg .u64 %a;\nld.param.u64 %a, [p];\nmov.u32 %r1, %tid.x;"
	for (i = 2; i <= 600000; i++) printf "add.u32 %%r%d, %%r%d, %%r%d;\n", i, i - 1, int(i / 2)
	print "st.global.u32 [%a], %r600000;\nret;\n}"
}' >"$out/long.ptx"
# translating LABEL COMMAND...
translating() {
	label=$1; shift
	begin "$@"
	until_so [ -s "$out/run/stats.json.part" ]
	sleep 0.5
	kill -TERM $process
	ended 143 "$label"
	marked "$label"
}
translating "launch reads PTX" "$lockstep" launch "$out/long.ptx" endless --grid 1 --block 32 --arg 'u32[1]=zero' \
	-o "$out/run"
translating "a program's PTX is read" "$lockstep" run -o "$out/run" -- "$out/program" "$out/long.ptx" host

# lockstep record waits for the program: both end
rm -f "$out/silent"
begin "$lockstep" record -o "$out/recording" -- sh -c 'echo $$ >"$0"; exec sleep 100000' "$out/silent"
until_so [ -s "$out/silent" ]
kill -TERM $process
ended 143 record
check "record: the program has ended" is_gone "$(cat "$out/silent")"

# ---- several programs side by side ----

few "$out" sdk/vectoradd
mv "$out/few/bench/sdk/vectoradd" "$out/few/bench/sdk/a_good"
describe='case $* in *--describe*) printf "suite: sdk\nname: x\nhelp: x\nsource: x\ntags: x\n"; exit ;; esac'
printf '#!/bin/sh\n%s\nexec "%s" "%s" host\n' "$describe" "$out/program" "$(realpath $ptx)" \
	>"$out/few/bench/sdk/b_endless"
printf '#!/bin/sh\n%s\nexit 1\n' "$describe" >"$out/few/bench/sdk/c_never"
chmod +x "$out/few/bench/sdk"/*_*
begin "$out/few/bin/lockstep" bench run all --size tiny -j 1 -c configs/gtx480.yaml -o "$out/run"
until_so grep -q ready "$out/run/sdk/b_endless/log.txt"
kill -INT $process
ended 130 "bench"
check "bench: the last line" [ "$(tail -n 1 "$out/log")" = '1 verified, 0 failed, 1 interrupted, 1 not run' ]
check "bench: the table" grep -q '^sdk/b_endless  *interrupted ' "$out/log"
check "bench: the explanation" grep -q 'interrupted; the statistics are those up to then' "$out/log"
check "bench.csv" [ "$(awk -F, '{ printf "%s ", NR == 3 ? $5 : $2 " " $5 }' "$out/run/bench.csv")" = \
	'name verified vectoradd yes interrupted ' ]
check "bench: the statistics" grep -q 'total of 1 kernel interrupted' "$out/run/sdk/b_endless/stats.txt"

# programs that do not say what they are: the command ends, and they with it
printf '#!/bin/sh\necho $$ >"%s"\nexec sleep 100000\n' "$out/silent" >"$out/few/bench/sdk/b_silent"
chmod +x "$out/few/bench/sdk/b_silent"
cat >"$out/sweep.yaml" <<END
name: sweep
workloads: [sdk/b_silent]
base: gtx480
factors:
  scheduler:
    lrr: {sm.scheduler.policy: lrr}
END
for command in "bench list" "bench run all --size tiny -o $out/run" "sweep $out/sweep.yaml -o $out/sweep.db" \
	"interactions $out/sweep.yaml -o $out/sweep.db"; do
	rm -f "$out/silent"
	begin "$out/few/bin/lockstep" $command
	until_so [ -s "$out/silent" ]
	kill -TERM $process
	ended 143 "${command%% *} asks what the programs are"
	until_so is_gone "$(cat "$out/silent")"
	check "${command%% *}: the program that was asked has ended" is_gone "$(cat "$out/silent")"
done
check "no database was begun" [ ! -e "$out/sweep.db" ]
rm "$out/few/bench/sdk/b_silent"

# whoever does not listen is told twice; the third one ends the command
printf '#!/bin/sh\n%s\ntrap "" INT\necho ready\nwhile [ ! -e "%s" ] && [ -d "%s" ]; do sleep 0.1; done\n' \
	"$describe" "$out/enough" "$out" >"$out/few/bench/sdk/b_endless"
begin "$out/few/bin/lockstep" bench run sdk/b_endless --size tiny -c configs/gtx480.yaml -o "$out/run"
until_so grep -q ready "$out/run/sdk/b_endless/log.txt"
kill -INT $process; sleep 0.2
check "bench waits for what it told to end" sh -c '! grep -q verified "$1"' - "$out/log"
for again in 2 3 4 5 6 7 8; do kill -INT $process 2>/dev/null; sleep 0.1; done # two may come as one
ended 130 "bench, the third time"
: >"$out/enough"

finish
