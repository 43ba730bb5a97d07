#!/bin/sh
# tests/cli/terminal.sh BUILD -- lines fit the terminal, whatever its width; the first launches of a kernel have
# a line each, all others one together; nothing of that changes what is counted. Runs in the repository root.
. tests/lib.sh
bfs=$build/bench/rodinia/bfs
gemm=$build/bench/polybench/gemm

# on WIDTH COMMAND...: the command on a terminal of that width; what it writes goes to log
on() {
	width=$1
	shift
	script -qec "stty cols $width; $*" /dev/null >"$out/raw" 2>&1 </dev/null
	status=$?
	tr '\r' '\n' <"$out/raw" | sed 's/\x1b\[K//g' >"$out/log"
	return $status
}
# fits WIDTH [PATTERN]: no line of the log (that has the pattern) is longer
fits() {
	grep -E -e "${2:-.}" "$out/log" | awk -v w="$1" 'length($0) > w { print length($0) ": " $0; bad = 1 }
		END { exit bad || !NR }'
}
lines() { [ "$(grep -c -e "$1" "$out/log")" = "$2" ] || { log_tail 30; false; }; }
shows() { grep -q -e "$1" "$out/log"; }
# the sum over all lines that have it: the thread instructions
instructions() { awk '{ for (i = 2; i <= NF; i++) if ($i == "thread-instructions") n += $(i - 1) }
	END { printf "%.0f", n }' "$out/log"; }

if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	for width in 80 $(sanitized || echo 60 132); do
		expect "a run on $width columns" on $width "$lockstep" run -o "$out/run" -- "$gemm" 130
		expect "its lines fit $width columns" fits $width '^lockstep: kernel|^    '
		expect "the line of the kernel is whole" shows 'M/s)'
	done
	# a line is not broken where there is room
	expect "a run on 250 columns" on 250 "$lockstep" run -o "$out/run" -- "$gemm" 30
	expect "its kernel has one line" lines '^lockstep: kernel 1 gemm.*M/s)$' 1

	expect "bench on 80 columns" on 80 "$lockstep" bench run --size tiny -o "$out/bench" gemm bfs
	expect "its table fits" fits 80
	expect "it says what is left out" shows '^(left out on this terminal: .*bench.csv has all)'
	expect "bench on 132 columns" on 132 "$lockstep" bench run --size tiny -o "$out/bench" gemm bfs
	expect "its table fits 132" fits 132
	expect "nothing is left out there" lines 'left out' 0
else
	echo "note: script(1) is not here: no test on a terminal"
fi

# of each kernel the first three; all; none
run() { "$lockstep" run -o "$out/run" "$@" >"$out/log" 2>&1; }
expect "bfs runs" run -- "$bfs" 700
expect "three launches of bfs_expand have a line" lines '^lockstep: kernel [0-9]* bfs_expand' 3
expect "the others are counted" lines '^lockstep: kernel bfs_expand: [0-9]* more launches' 1
expect "this is said once" lines 'counted and reported at the end' 1
few=$(instructions)
expect "bfs runs with all lines" run --kernels all -- "$bfs" 700
all=$(instructions)
expect "no launch is counted then" lines 'more launches' 0
expect "every launch has a line" lines '^lockstep: kernel [0-9]* bfs' "$(total run gpu.kernels)"
expect "the sums are the same" [ "$few" = "$all" ]
expect "they are those of the statistics" [ "$all" = "$(total run gpu.thread_instructions)" ]
expect "bfs runs without lines" run --kernels 0 -- "$bfs" 700
expect "every launch is counted then" lines '^lockstep: kernel [0-9]' 0
expect "in the sums, too" [ "$(instructions)" = "$all" ]
refuse() { ! "$lockstep" run --kernels "$1" -o "" -- "$bfs" 700 >"$out/log" 2>&1 && shows "--kernels $1: expected a number of launches, or all"; }
for wrong in x 3x -1 99999999999999999999; do
	expect "--kernels $wrong is refused" refuse "$wrong"
done

# ---- names of C++; code for a newer chip; text that is piped ----

mangled=tests/cli/ptx/mangled.ptx
scale() {
	"$lockstep" launch $mangled _Z5scaleIfEvPT_i --grid 2 --block 32 --arg 'f32[8]=zero' --arg s32=8 \
		-o "$out/run" "$@" >"$out/log" 2>&1
}
expect "a kernel with a name of C++" scale -c rtx2060s
expect "it is shown as people write it" shows '^lockstep: kernel 1 void scale<float>(float\*, int) <<<(2),(32)>>>: 2 CTAs, '
expect "of code for this chip nothing is said" lines 'code is for' 0
expect "stats.txt has both names" [ "$(grep -A 1 'Begin .*# launches of ' "$out/run/stats.txt" | sed 's/.*# //' | paste -sd ' ')" = \
	"launches of _Z5scaleIfEvPT_i void scale<float>(float*, int)" ]
expect "stats.json has both" grep -q '"_Z5scaleIfEvPT_i": {"demangled": "void scale<float>(float\*, int)", "launches": 1, ' \
	"$out/run/stats.json"
expect "launches.csv has both" grep -q '^1,_Z5scaleIfEvPT_i,0,2x1x1,32x1x1,.*,"void scale<float>(float\*, int)"$' \
	"$out/run/launches.csv"
expect "lockstep diff reads them" "$lockstep" diff "$out/run" "$out/run" --kernels

expect "on an older chip" scale
expect "it says so, and names configurations that fit" shows '^lockstep: the program.s code is for sm_75, newer than the chip (.*, sm_20): its results are right, .*: a100, .*ga100, .*h200.*rtx2060s'
expect "it names none that does not" sh -c '! grep "code is for" "$1" | grep -q -e gtx480 -e v100 -e p100' - "$out/log"
expect "it says it once" lines 'code is for' 1
expect "it can be silenced" scale -q
expect "then nothing is said" lines '^lockstep' 0

piped() {
	COLUMNS= "$lockstep" launch $mangled "$@" --stats-launches none -o "$out/run" >"$out/log" 2>&1
}
expect "a kernel with a long name" piped _Z10transformsIN3lib6vectorIfEENS1_IdEENS1_IcEEEvPKT_PT0_PT1_ --grid 1 --block 32 \
	--arg 'f32[8]=zero' --arg 'f32[8]=zero' --arg 'f32[8]=zero'
expect "it is cut" shows '^lockstep: kernel 1 void transforms<lib.*[.][.][.].*) <<<(1),(32)>>>'
expect "lines that are piped have at most 110 columns" fits 110 '^lockstep|^    '

# What is listed and explained, too, but for a path or a name that alone is longer: a line of one word.
everything() {
	COLUMNS= && "$lockstep" --help
	for command in $commands; do
		"$lockstep" "$command" --help || return 1
	done
	for words in list "list policies" "list configs" "list benchmarks" "list stats" "bench list" \
		"config doc" "cachemodel --parameters"; do
		"$lockstep" $words || return 1
	done
}
commands=$("$lockstep" --help | sed -n 's/^  \([a-z]*\)  .*/\1/p')
expect "there are commands" [ "$(echo "$commands" | wc -l)" -ge 15 ]
listing() { (everything) 2>&1 | grep -v '^ *[^ ]*$' >"$out/log" && [ "$(wc -l <"$out/log")" -gt 1000 ]; }
expect "all is listed" listing
expect "it has at most 110 columns, too" fits 110
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	script -qefc "stty cols 100; exec $lockstep launch tests/cli/ptx/endless.ptx endless --grid 4 --block 64 \
		--arg u32[2]=zero -o '' -f" /dev/null >"$out/raw" 2>&1 </dev/null &
	tries=0
	until grep -q 'endless: [0-9.]* M instructions, none of 4 CTAs has ended' "$out/raw" || [ $tries = 12000 ]; do
		sleep 0.05
		tries=$((tries + 1))
	done
	kill $! # its terminal is gone, and the run ends
	expect "a kernel of which no CTA has ended: its progress is told by instructions" [ $tries -lt 12000 ]
	wait
fi

# make demo's progress: of a command that compiles one file and ends when that has been said
cat >"$out/slow.sh" <<'S'
[ "${1:-}" != -n ] || { echo "cc -c a.c"; echo "cc -c b.c"; exit 0; }
sleep 0.1
touch "$BUILT/a.o"
tries=0
until grep -q '1 of 2 files' "$SAID" || [ $tries = 12000 ]; do sleep 0.05; tries=$((tries + 1)); done
exit 3
S
mkdir "$out/built"
BUILT=$out/built SAID=$out/log
export BUILT SAID
progress() { script -qec "sh tests/build.sh $out/built sh $out/slow.sh" /dev/null >"$out/log" 2>&1 </dev/null; }
if script -qec true /dev/null >/dev/null 2>&1 </dev/null; then
	progress
	expect "the build's status is returned" [ $? = 3 ]
	expect "its progress is shown" shows 'building: 1 of 2 files compiled'
fi
finish
