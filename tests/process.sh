#!/bin/sh
# tests/process.sh BUILD -- CUDA programs in processes of every kind: the work (process/work.c) is in an
# executable, in a library that is linked to it, in one that it loads, or in one that Python loads; it calls the
# vendor's runtime that is linked into it (skipped where that is not), the shared runtime, or the driver; and the
# process ends in each way of process/ends.c. Values, exit status and results are checked.
. tests/lib.sh
programs=0 bad=0 skipped=0
placements="executable linked plugin python"
apis="static shared driver"
ends="return exit _exit quick_exit pthread_exit last_thread dlclose fork exec signal cleared closed"
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
	_exit) ! sanitized && echo 0 1 1 || echo 74 1 - ;; # a sanitizer's library must be the first of a process
	pthread_exit | last_thread) echo 0 2 2 ;;
	dlclose) echo 0 3 3 ;;
	fork) echo 0 3 2 ;;
	exec) echo 74 2 - ;; # the results of the program that it was before are missing
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
	# what dlerror() keeps for a main thread that has ended counts as a leak
	case $program in *pthread_exit* | *last_thread*) export ASAN_OPTIONS="${ASAN_OPTIONS:-}:$no_leaks" ;; esac
	timeout 1200 "$command" run -q -o "$out/run" -- $program
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
if sanitized; then
	python=                                 # the sanitizer's library must be the first of a process
	ends=$(echo "$ends" | sed 's/ signal//') # it has handlers of its own
fi
sample 9 5
for end in $ends; do
	for api in $apis; do
		for placement in $placements; do try "$placement" "$api" "$end"; done
	done
done

# ---- single programs ----

# runs LABEL STATUS LINES LAUNCHES WORD...: a program, its exit status, its lines that say OK, its launches ("-": any)
runs() {
	label=$1 status=$2 lines=$3 launches=$4
	shift 4
	programs=$((programs + 1))
	rm -rf "$out"/run*
	program=$(printf '%s\n' "$@")
	launch >"$out/log" 2>&1
	got=$?
	if right "$status" "$lines" "$launches"; then ok; else
		bad=$((bad + 1))
		not_ok "$label: exit status $got"
		log_tail
	fi
}

build_work driver
build callback tests/process/callback.c "$out/work-driver.o" $(libraries driver)
runs "a function of a stream ends main" 0 2 2 "$out/callback" wait
expect "that is said" grep -q '^lockstep: a function that a stream ran has called pthread_exit' "$out/log"
runs "a function of a stream ends a thread of the driver" 0 2 1 "$out/callback" poll
# not under ASan: frames that a cancelled thread leaves stay poisoned, and what its destructors then do on the same
# stack looks wrong to it
sanitized || runs "a thread is cancelled in a call" 0 2 - "$out/callback" cancel

runs "an environment that is overwritten after the library is loaded" 0 1 1 "$out/executable-driver" overwritten
if ! sanitized; then # which is known by a library that is not preloaded then
	runs "before the library is loaded" 74 1 - "$out/plugin" overwritten "$out/work-driver.so"
	expect "what is lost is said" grep -q '^lockstep: the options of .lockstep run. are lost' "$out/log"
fi

build pair tests/process/pair.c -ldl
for api in shared ${static:+static}; do
	build_work $api -DFACTOR=5
	build "other-$api.so" -shared "$out/work-$api.o" $(libraries $api)
	runs "two libraries, $api" 0 6 6 "$out/pair" "$out/work-$api.so" "$out/other-$api.so"
done
if [ -n "$static" ]; then
	runs "two versions of a library in two runtimes" 0 6 6 "$out/pair" "$out/work-static.so" "$out/other-shared.so"
	runs "a library in a namespace of its own" 0 1 1 "$out/pair" "$out/work-static.so"
	strip -o "$out/stripped.so" "$out/work-static.so"
	runs "a library without symbols" 1 0 - "$out/plugin" return "$out/stripped.so"
	expect "it is named" grep -q "^lockstep: $out/stripped.so has the CUDA runtime linked into it and no symbol" \
		"$out/log"
	echo 'int cudaMalloc(void **, unsigned long), cudaFree(void *);
	int work(void) { void *p; return cudaMalloc(&p, 4) || cudaFree(p); }' >"$out/memory.c"
	build memory.so -shared -fPIC "$out/memory.c" $(libraries static)
	runs "a library without kernels" 0 1 0 "$out/plugin" return "$out/memory.so"
	build_work shared
	build vendors tests/process/main.c tests/process/ends.c "$out/work-shared.o" \
		-L"$(dirname "$static")" -l:libcudart.so.13 -Wl,--disable-new-dtags,-rpath,"$(dirname "$static")" -lpthread
	runs "the vendor's shared runtime, by a path in the program" 0 1 1 "$out/vendors"
fi

# ---- paths with everything in them that a list of the dynamic linker, a shell or a line cannot take ----

odd=$out/$(printf "a b:c;d'e\"f\$ORIGIN g\nh")
mkdir -p "$odd/build/bin" "$odd/build/lib"
cp "$build/bin/lockstep" "$odd/build/bin/"
cp -r configs "$odd/"
for library in "$build"/lib/*.so*; do cp -P "$library" "$odd/build/lib/"; done
# strange WORD...: the odd copy of Lockstep runs a program, with an odd output folder
strange() { timeout 1200 "$odd/build/bin/lockstep" run -q -c v100 -o "$odd/out put" -- "$@"; }
for api in ${static:+static} shared driver; do
	cp "$out/executable-$api" "$odd/pro gram"
	programs=$((programs + 1))
	rm -rf "$odd"/out*
	if strange "$odd/pro gram" return >"$out/log" 2>&1 && grep -q '^work: OK 0$' "$out/log" &&
		! grep -q ld.so "$out/log" && [ -s "$odd/out put/stats.txt" ]; then ok; else
		bad=$((bad + 1))
		not_ok "odd paths, $api"
		log_tail
	fi
done
mkdir -p "$odd/build/bench/sdk"
cp "$build/bench/sdk/vectoradd" "$odd/build/bench/sdk/"
answers 0 '^1 verified, 0 failed$' "$odd/build/bin/lockstep" bench run --size tiny sdk/vectoradd
# the project's folder in programs that are built there
mkdir -p "$odd/benchmarks" "$odd/host"
cp -r benchmarks/common "$odd/benchmarks/"
cp -r Makefile make VERSION "$odd/"
cp host/cuda.h "$odd/host/"
echo '#include "bench.h"
int main(void) { puts(bench_find_file("a file")); }' >"$odd/main.c"
# names_folder: whether a program that is built in the odd folder knows it
names_folder() {
	(cd "$odd" && make -s build/obj/benchmarks/common/find_file.o &&
		gcc -Ihost -Ibenchmarks/common main.c build/obj/benchmarks/common/find_file.o -o main) &&
		[ "$("$odd/main")" = "$odd/build/ptx/a file" ]
}
expect "a program built there finds its files" names_folder
# no_folder: without a folder for the link
no_folder() { TMPDIR=$out/none strange true; }
refuses 'the dynamic linker takes no path with a blank, a colon, a semicolon or a dollar sign, and a link' no_folder

finished=yes
echo "$passed passed, $failed failed"
echo "process: $programs programs, $((programs - bad - skipped)) pass, $bad fail, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
