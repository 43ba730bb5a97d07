# tests/lib.sh -- what the test scripts share. A script reads it in with `. tests/lib.sh` and runs in the
# repository root; its first argument is the build folder (default: build). The script then makes its checks
# and ends with `finish`, which prints "N passed, M failed" and exits with 0 only if nothing failed and
# something passed.
#
# A script that ends in any other way (an unset variable, `exit`, a missing `finish`) exits with an error,
# even if its last command succeeded: only `finish` and `skip_all` make it succeed.
#
# $build and $lockstep are the build folder and its command; $out is a temporary folder, removed at the end;
# $out/log is the output of the last command; $passed and $failed count the checks.
set -u
build=${1:-build}
lockstep=$build/bin/lockstep
out=$(mktemp -d) || exit 1
passed=0 failed=0 finished=no

# A build folder with "address" in its name has the sanitizers: what the tests compile themselves must have
# them too.
case $build in
*address*)
	SANITIZE=${SANITIZE:--fsanitize=address,undefined} ASAN_OPTIONS=${ASAN_OPTIONS:-handle_sigill=1}
	export SANITIZE ASAN_OPTIONS
	;;
esac
sanitized() { [ -n "${SANITIZE:-}" ]; }
vector_levels="base v3 v4"
! sanitized || vector_levels=base # the only one there is
no_leaks=detect_leaks=0:malloc_context_size=1 # for runs that differ from others in their configuration only

# messages are on one line each, however long
COLUMNS=1000
export COLUMNS

# ---- checks and the end of a script ----

ok() { passed=$((passed + 1)); }
not_ok() {
	failed=$((failed + 1))
	echo "not ok: $*"
}

# log_tail [LINES]: the end of the last command's output, to explain a failure
log_tail() { [ ! -e "$out/log" ] || tail -n "${1:-5}" "$out/log"; }

# A script that has more to tidy up than $out defines its own `clean_up`.
clean_up() { :; }
leave() {
	status=$?
	trap - EXIT HUP INT TERM
	[ "$finished" = yes ] || {
		echo "not ok: $0 ended before its last line"
		cat "$out/.said" 2>/dev/null
		[ $status != 0 ] || status=1
	}
	clean_up
	rm -rf "$out"
	exit $status
}
trap leave EXIT
trap 'exit 130' HUP INT TERM

finish() {
	finished=yes
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
	exit
}

# skip_all REASON: nothing can be tested here, and that is no failure
skip_all() {
	finished=yes
	echo "skipped: $*"
	echo "0 passed, 0 failed"
	exit 0
}

# expect LABEL COMMAND...: the command must succeed. $out/log stays that of the command before.
expect() {
	label_=$1
	shift
	if "$@" >"$out/.said" 2>&1; then ok; else
		not_ok "$label_"
		if [ -s "$out/.said" ]; then head -n 20 "$out/.said"; else log_tail; fi
	fi
}

# answers STATUS PATTERN COMMAND...: the command must exit with this status and print a line that grep finds
answers() {
	status_=$1 pattern_=$2
	shift 2
	"$@" >"$out/log" 2>&1
	got_=$?
	if [ $got_ = "$status_" ] && grep -q -e "$pattern_" "$out/log"; then ok; else
		not_ok "$*: exit status $got_, expected $status_ and a line with \"$pattern_\""
		log_tail
	fi
}

# refuses TEXT COMMAND...: the command must fail and print this text, word for word
refuses() {
	text_=$1
	shift
	if "$@" >"$out/log" 2>&1; then
		not_ok "accepted: $*"
	elif grep -qF -e "$text_" "$out/log"; then
		ok
	else
		not_ok "$*: no message \"$text_\""
		log_tail
	fi
}

# word_for_word NAME COMMAND...: output and exit status are those of tests/cli/expected/NAME.txt; RECORD=1
# writes it anew
word_for_word() {
	file_=tests/cli/expected/$1.txt
	shift
	"$@" >"$out/raw" 2>&1
	{ echo "exit status $?" >>"$out/raw"; sed "s|$out|TMP|g" "$out/raw" >"$out/now"; }
	[ -z "${RECORD:-}" ] || cp "$out/now" "$file_"
	expect "$file_" diff -u "$file_" "$out/now"
}

# ---- runs of programs ----

# passes FOLDER ARGUMENT...: whether `lockstep run` into $out/FOLDER succeeds and the program says PASS
passes() {
	folder_=$1
	shift
	"$lockstep" run -q -o "$out/$folder_" "$@" >"$out/log" 2>&1 && grep -q PASS "$out/log"
}

# verify LABEL FOLDER ARGUMENT...: the same as a check; also the exit status of this function
verify() {
	label_=$1
	shift
	if passes "$@"; then
		ok
		return 0
	fi
	not_ok "$label_"
	log_tail
	return 1
}

# conserves FOLDER: whether the sums that must hold in every run hold in $out/FOLDER
# (tests/memory/conserve.awk)
conserves() { awk -f tests/memory/conserve.awk "$out/$1/config.yaml" "$out/$1/stats.txt"; }

# The six benchmarks that most scripts run, and their arguments for runs of a few thousand cycles and of some
# more.
six="sdk/vectoradd polybench/gemm polybench/atax sdk/reduction rodinia/bfs sdk/histogram"
size_of() {
	case $1 in
	*/vectoradd) echo 10007 ;;
	*/gemm) echo 40 ;;
	*/atax) echo 130 70 ;;
	*/reduction) echo 5003 ;;
	*/bfs) echo 700 ;;
	*/histogram) echo 6001 ;;
	esac
}
larger_size_of() {
	case $1 in
	*/vectoradd) echo 20011 ;;
	*/gemm) echo 72 ;;
	*/atax) echo 260 130 ;;
	*/reduction) echo 40009 ;;
	*/bfs) echo 2000 ;;
	*/histogram) echo 40009 ;;
	esac
}

# policies KEY: the policies that `lockstep list` names for a parameter
policies() {
	"$lockstep" list policies | awk -v key="($1" '/^[^ ]/ { here = index($0, key) } here && /^  [^ ]/ {
		print $1 }'
}

# Host threads simulate phases in parallel even if the host is too busy for it to pay.
always_parallel() {
	LOCKSTEP_THREAD_POOL=never-rests
	export LOCKSTEP_THREAD_POOL
}

# FULL=1 (make check-full): nothing is left out
full() { [ -n "${FULL:-}" ]; }

# whether a part that is long under the sanitizers is left out: there, in half of the slots
left_out() { sanitized && ! full && [ "$SLOT" -lt 5 ]; }

# with all others (tests/run.sh), for which the longest parts are left out; by hand, and with FULL=1, nothing
# is
among_all() { [ -n "${AMONG_ALL:-}" ] && ! full; }

# Which part of what is sampled is made: 0 to 9, the last digit of the number of commits, so that ten commits
# make all parts. SLOT=N repeats one.
: "${SLOT:=$(git rev-list --count HEAD 2>/dev/null || echo 0)}"
SLOT=$((SLOT % 10))
export SLOT

# sample N [M]: of runs that differ in their configuration only, every N-th turn is taken under the sanitizers
# and every M-th (default: each) without, N and M being at most 10; `turn` is true if it is
step=1 turns=0
sample() {
	full && return
	if sanitized; then step=$1; else step=${2:-1}; fi
	[ "$step" = 1 ] || echo "note: $0: one of $step runs was made (SLOT=$SLOT; FULL=1: all)"
}
turn() {
	turns=$((turns + 1))
	[ $(((turns + SLOT) % step)) = 0 ]
}

# campaign FEW MANY: how many random inputs are tried, and which: FEW, in each slot others, or, with FULL=1,
# MANY others in each run. Sets $count and $seed, the first one's number; SEED=N in the environment repeats a
# run.
campaign() {
	if full; then
		count=$2
		seed=${SEED:-$(($(date +%s) % 1000000))}
		echo "note: $0: $count random inputs from seed $seed on (SEED=$seed repeats them)"
	else
		count=$1
		seed=${SEED:-$((1 + SLOT * $1))}
	fi
}

# endures STATUS: whether a command that ended so, with its output in $out/log, gave a result or a message: no
# crash, no hang, no internal error, nothing that a sanitizer says
endures() {
	[ "$1" -lt 124 ] && ! grep -qE 'internal error|Sanitizer|runtime error' "$out/log" &&
		{ [ "$1" = 0 ] || [ -s "$out/log" ]; }
}

# compile NAME SOURCE...: a program that uses the driver API, to $out/NAME; without it there is nothing to
# test
compile() {
	program_=$out/$1
	shift
	${CC:-gcc} -std=gnu11 -Wall -Wextra -Wno-unused-parameter -Werror ${SANITIZE:-} -Ihost \
		-o "$program_" "$@" \
		-L"$build/lib" -Wl,-rpath-link,"$build/lib" -lcuda -lpthread -lm >"$out/log" 2>&1 || {
		not_ok "$* cannot be compiled"
		log_tail 20
		finish
	}
}

# few FOLDER suite/name...: a tree FOLDER/few with few of the benchmarks, as `lockstep bench` and `lockstep
# sweep` ask every program what it is. Its command is FOLDER/few/bin/lockstep.
few() {
	few_=$1
	shift
	mkdir -p "$few_/few/bin"
	cp "$build/bin/lockstep" "$few_/few/bin/"
	ln -s "$(realpath "$build/lib")" "$few_/few/lib"
	ln -s "$PWD/configs" "$few_/configs"
	for name_ in "$@"; do
		mkdir -p "$few_/few/bench/${name_%/*}"
		ln -s "$(realpath "$build/bench/$name_")" "$few_/few/bench/$name_"
	done
}

# ---- statistics ----

# totals FILE: the statistics of the whole run, without the line that names it
totals() { awk '/Begin Simulation Statistics/ { whole = /total of/; next } whole' "$1"; }

# total FOLDER NAME: the value of one statistic of the whole run in $out/FOLDER
total() {
	totals "$out/$1/stats.txt" | awk -v name="$2" '$1 == name { print $2; exit }'
}

# statistics FILE: its lines but for the comments at the top, which name the run
statistics() { grep -v '^#' "$1"; }

# same_statistics FILE FILE: the same, and not empty
same_statistics() {
	statistics "$1" >"$out/statistics"
	[ -s "$out/statistics" ] && statistics "$2" | cmp -s - "$out/statistics"
}
