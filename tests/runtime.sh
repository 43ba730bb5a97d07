#!/bin/sh
# tests/runtime.sh BUILD -- unmodified programs of the CUDA runtime API: our libcudart under a program in C
# that registers a committed fat binary; and, where nvcc is, the programs of tests/runtime/programs as it
# compiles them by default (the vendor's runtime linked in), linked with the shared runtime, and without
# symbols; and the many small ones of tests/runtime/samples, in one executable.
. tests/lib.sh
programs=0 bad=0 skipped=0

# counts LABEL COMMAND...: a program that must say PASS
counts() {
	label=$1
	shift
	before=$failed
	answers 0 PASS "$@"
	programs=$((programs + 1))
	[ "$failed" = "$before" ] || { bad=$((bad + 1)); echo "  $label"; }
}

# without nvcc: by each name under which programs look for the library
for name in 10.0 10.1 10.2 11.0 12 13; do
	cc -std=gnu11 -O1 -g ${SANITIZE:-} tests/runtime/plain.c -o "$out/plain-$name" -L"$build/lib" \
		-l:libcudart.so.$name -Wl,-rpath-link,"$build/lib" || not_ok "compile plain-$name"
	counts "plain.c with libcudart.so.$name" "$lockstep" run -q --functional -o "$out/run" -- \
		"$out/plain-$name" tests/host/modules/fatbin/vecadd.fatbin
	expect "its version" grep -q "^version ${name%%.*}0" "$out/log"
	expect "a kernel that is not there" grep -q '^no such kernel: cudaErrorInvalidDeviceFunction$' "$out/log"
	# CUDA 13's runtime has one code for all arguments, as an H200 with driver 580 showed (runtime/codes)
	case $name in 13) code=cudaErrorInvalidValue ;; *) code=cudaErrorInvalidConfiguration ;; esac
	expect "a shape that no chip takes, CUDA $name" grep -q "^no such shape: $code\$" "$out/log"
	expect "a missing function says its name" \
		grep -q '^lockstep: cudaIpcGetMemHandle is not supported: each process has a GPU of its own' "$out/log"
done
cc -std=gnu11 -O1 -g ${SANITIZE:-} tests/runtime/references.c -o "$out/references" -L"$build/lib" \
	-l:libcudart.so.11.0 -Wl,-rpath-link,"$build/lib" || not_ok "compile references"
counts "references.c, functional" "$lockstep" run -q --functional -o "" -- "$out/references"
counts "references.c, timed" "$lockstep" run -q -o "" -- "$out/references"
counts "plain.c with time" "$lockstep" run -q -o "$out/run" -- "$out/plain-13" tests/host/modules/fatbin/vecadd.fatbin
expect "its launches are counted" [ "$(total run gpu.kernels)" = 8 ]
answers 1 'cudaErrorNoKernelImageForDevice' "$lockstep" run -q -o "" -- "$out/plain-13" \
	tests/host/modules/fatbin/vecadd-code.fatbin
expect "what to do is said" grep -q 'has machine code (sm_80), and no PTX' "$out/log"

# libraries of machine code alone: a sentence names them, and what serves in their place
cc -o "$out/closed" tests/runtime/closed.c -ldl || not_ok "compile closed.c"
for name in libcublas libcudnn libcufft libcurand libcusparse libcupti libother; do
	cc -shared -fPIC -DLIBRARY -o "$out/$name.so.99" tests/runtime/closed.c -L"$build/lib" -lcuda || not_ok "$name"
	case $name in
	libother) said="$name.so.99 has the CUDA runtime linked into it" ;;
	*) said="^lockstep: $name.so.99 is NVIDIA's own code for its chips, which is not executed; a program that" ;;
	esac
	answers 1 "$said" "$lockstep" run -q -f -o "" -- "$out/closed" "$out/$name.so.99"
done

nvcc_is_here() { command -v nvcc >/dev/null 2>&1 && nvcc --version | grep -qE 'release 1[1-9]'; }
if sanitized || ! nvcc_is_here; then
	skipped=$(ls tests/runtime/programs/*.cu | wc -l)
	echo "note: tests/runtime.sh: nvcc is not here, or not asked: its programs were skipped"
else
	for source in tests/runtime/programs/*.cu; do
		name=$(basename "$source" .cu)
		# nvcc takes seconds for each: these take turns
		! among_all || case $SLOT-$name in
		0-capture | 1-cooperative | 2-errors | 3-library | 4-memory | 5-pools | 6-registered | 7-stencil) ;;
		8-streams | 9-threads) ;;
		*-capture | *-cooperative | *-errors | *-library | *-memory | *-pools | *-registered) continue ;;
		*-stencil | *-streams | *-threads) continue ;;
		esac
		nvcc -std=c++17 -o "$out/$name" "$source" -L"$build/lib" -lcuda >"$out/log" 2>&1 || { not_ok "nvcc $source"; log_tail; continue; }
		counts "$name, functional" "$lockstep" run -q --functional -o "" -- "$out/$name"
		counts "$name, timed" "$lockstep" run -q -o "$out/run" -- "$out/$name"
	done
	expect "which calls returned errors is said at the end" sh -c \
		"'$lockstep' run -q --functional -o '' -- '$out/misuse' 2>&1 >/dev/null | tail -n 1 |
		grep -q '^lockstep: calls of the CUDA runtime returned errors: cudaSetDevice cudaErrorInvalidDevice (2 times)'"
	samples=$(ls tests/runtime/samples/*.cu)
	if among_all; then # nvcc takes half a minute for Thrust and CUB, and long for cooperative groups
		case $SLOT in 1) long=algorithms ;; 3) long=warps ;; 5) long=shared_work ;; 7) long=images ;;
		9) long=strangers ;; *) long= ;; esac
		samples=$(echo "$samples" | awk -F '[/.]' -v long="$long" '{ n = $(NF - 1) }
			n == long || n !~ /^(algorithms|warps|shared_work|images|strangers)$/')
		echo "note: tests/runtime.sh: 6 of 15 programs, samples without or with $long (SLOT=$SLOT; FULL=1: all)"
	fi
	nvcc -std=c++17 -arch=sm_80 -o "$out/samples" $samples >"$out/log" 2>&1 || { not_ok "nvcc samples"; log_tail; }
	for name in $("$out/samples" --list); do
		counts "sample $name, functional" "$lockstep" run -q --functional -o "" -- "$out/samples" "$name"
		counts "sample $name, timed" "$lockstep" run -q -o "" -- "$out/samples" "$name"
	done
	nvcc -rdc=true -o "$out/linked" tests/runtime/linked/main.cu tests/runtime/linked/other.cu
	counts "device code in two files" "$lockstep" run -q --functional -o "" -- "$out/linked"
	dynamic=skipped
	if ! among_all || [ "$SLOT" = 2 ]; then # nvcc takes ten seconds for them
		nvcc -std=c++17 -rdc=true -arch=sm_80 -o "$out/dynamic" tests/runtime/dynamic/*.cu \
			tests/runtime/samples/main.cu -lcudadevrt >"$out/log" 2>&1 || { not_ok "nvcc dynamic"; log_tail; }
		dynamic=$("$out/dynamic" --list)
	fi
	for name in ${dynamic#skipped}; do
		counts "children: $name, functional" "$lockstep" run -q --functional -o "" -- "$out/dynamic" "$name"
		counts "children: $name, timed" "$lockstep" run -q -o "" -- "$out/dynamic" "$name"
	done
	expect "a pointer to local memory that is passed on is told" sh -c "[ '$dynamic' = skipped ] ||
		'$lockstep' run -q --functional -o '' -- '$out/dynamic' pointer_to_local_memory 2>&1 |
		grep -q 'a pointer into its local memory (parameter 1)'"
	nvcc -std=c++17 -o "$out/shared" -cudart shared tests/runtime/programs/kernels.cu
	counts "kernels, with the shared runtime" "$lockstep" run -q --functional -o "" -- "$out/shared"
	nvcc -std=c++17 --default-stream per-thread -o "$out/own" tests/runtime/programs/threads.cu
	counts "threads, with default streams of their own" "$lockstep" run -q --functional -o "" -- "$out/own"
	strip -o "$out/stripped" "$out/kernels"
	answers 1 'stripped has the CUDA runtime linked into it and no symbol table' \
		"$lockstep" run -q -o "" -- "$out/stripped"
fi

finished=yes
echo "$passed passed, $failed failed"
echo "runtime: $((programs - bad)) programs pass, $bad fail, $skipped skipped"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
