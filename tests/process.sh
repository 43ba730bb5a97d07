#!/bin/sh
# tests/process.sh BUILD -- CUDA programs in processes of every kind: the work (process/work.c) is in an
# executable, in a library that is linked to it, in one that it loads, or in one that Python loads; it calls the
# vendor's runtime that is linked into it (skipped where that is not), the shared runtime, or the driver; and the
# process ends in each way of process/ends.c. Values, exit status and results are checked.
. tests/lib.sh
programs=0 bad=0 skipped=0
placements="executable linked plugin python"
apis="static shared driver"
ends="return exit _exit quick_exit dlclose fork exec signal"
folder=$(realpath "$build/lib")
static=$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")/../lib64/libcudart_static.a
[ -e "$static" ] && ! sanitized || static=

# build OUTPUT ARGUMENT...
build() {
	output_=$out/$1
	shift
	gcc -std=gnu11 -D_GNU_SOURCE -O1 -Wall -Wextra -Werror ${SANITIZE:-} -Ihost -Itests/process -o "$output_" "$@" \
		>"$out/log" 2>&1 || { not_ok "$output_ cannot be compiled"; log_tail 20; finish; }
}
libraries() {
	case $1 in
	static) echo "$static -lrt -ldl -lpthread" ;;
	shared) echo "-L$folder -l:libcudart.so.13 -Wl,-rpath-link,$folder -lpthread" ;;
	driver) echo "-L$folder -l:libcuda.so.1 -Wl,-rpath-link,$folder -lpthread" ;;
	esac
}
# build_work API [OPTION]...: work-API.o
build_work() {
	api_=$1
	shift
	[ "$api_" != driver ] || set -- "$@" -DDRIVER
	build "work-$api_.o" -fPIC -c "$@" tests/process/work.c
}
build ends.so -shared -fPIC tests/process/ends.c
build plugin -DPLUGIN tests/process/main.c tests/process/ends.c -ldl
for api in $apis; do
	[ "$api" != static ] || [ -n "$static" ] || continue
	build_work "$api"
	build "work-$api.so" -shared "$out/work-$api.o" $(libraries "$api")
	build "executable-$api" tests/process/main.c tests/process/ends.c "$out/work-$api.o" $(libraries "$api")
	build "linked-$api" tests/process/main.c tests/process/ends.c "$out/work-$api.so" \
		-Wl,-rpath,"$out" -Wl,-rpath-link,"$folder"
done
# these load and unload the library of the API themselves
build_work driver -DLIBRARY='"libcuda.so.1"'
build loading-driver tests/process/main.c tests/process/ends.c "$out/work-driver.o" -ldl
build_work shared -DLIBRARY='"libcudart.so.12"'
build loading-shared tests/process/main.c tests/process/ends.c "$out/work-shared.o" -ldl

# program_of PLACEMENT API END: the command, on a line of its own for each word; nothing if there is none
program_of() {
	case $1,$2,$3 in
	executable,static,dlclose | linked,*,dlclose) ;;
	executable,*,dlclose) printf '%s\n' "$out/loading-$2" "$3" ;;
	executable,* | linked,*) printf '%s\n' "$out/$1-$2" "$3" ;;
	plugin,*) printf '%s\n' "$out/plugin" "$3" "$out/work-$2.so" ;;
	python,*) printf '%s\n' "$python" "$PWD/tests/process/main.py" "$3" "$out/work-$2.so" "$out/ends.so" ;;
	esac
}
# What each end gives: its exit status, the lines that say OK, and the launches in the results ("-": see below).
expected_of() {
	case $1 in
	exit) echo 7 1 1 ;;
	_exit | quick_exit) echo 0 1 - ;;
	pthread_exit) echo 0 2 2 ;;
	dlclose) echo 0 3 3 ;;
	fork) echo 0 3 2 ;;
	exec) echo 0 2 - ;;
	signal) echo 134 1 - ;;
	closed) echo 0 3 2 ;;
	*) echo 0 1 1 ;;
	esac
}
# right STATUS LINES LAUNCHES: whether the run that ended with $got is as expected
right() {
	[ "$got" = "$1" ] && ! grep -q BAD "$out/log" && [ "$(grep -c ': OK 0$' "$out/log")" = "$2" ] &&
		{ [ "$3" = - ] || [ "$(total run gpu.kernels)" = "$3" ]; }
}
# in a shell of its own, which also says of which signal the program died
launch() (
	IFS='
'
	cd "$out" || exit
	timeout 60 "$command" run -q -o "$out/run" -- $program
	exit $?
)
# try PLACEMENT API END
try() {
	program=$(program_of "$@")
	[ -n "$program" ] || return
	turn || return
	programs=$((programs + 1))
	if { [ "$2" = static ] && [ -z "$static" ]; } || { [ "$1" = python ] && [ -z "$python" ]; }; then
		skipped=$((skipped + 1))
		return
	fi
	rm -rf "$out"/run*
	launch >"$out/log" 2>&1
	got=$?
	if right $(expected_of "$3"); then ok; else
		bad=$((bad + 1))
		not_ok "$*: exit status $got; expected status, lines, launches: $(expected_of "$3")"
		log_tail
	fi
}
command=$(realpath "$lockstep")
python=$(command -v python3)
! sanitized || python= # the sanitizer's library must be the first of a process
sample 9 5
for end in $ends; do
	for api in $apis; do
		for placement in $placements; do try "$placement" "$api" "$end"; done
	done
done

finished=yes
echo "$passed passed, $failed failed"
echo "process: $programs programs, $((programs - bad - skipped)) pass, $bad fail, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
