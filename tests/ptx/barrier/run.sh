#!/bin/sh
# tests/ptx/barrier/run.sh BUILD -- what clang makes of shared variables around barriers and fences, with the
# header of the benchmarks' kernels: the committed PTX is right in both modes of the simulator, and where
# clang is installed, so is what it compiles. With the clang of the committed PTX, version 14, every
# committed kernel.ptx of the benchmarks is what its kernel.cu gives.
. tests/lib.sh
CLANG=${CLANG:-clang}

compile() { # SOURCE PTX, with the options of `make ptx`
	"$CLANG" -x cuda --cuda-device-only --cuda-gpu-arch=sm_20 -nocudainc -nocudalib -O2 -S \
		-Ibenchmarks/common "$1" -o "$2" 2>"$out/log"
}
barrier() { # PTX [VARIABLE=VALUE]...
	ptx=$1
	shift
	env LD_LIBRARY_PATH="$build/lib" LOCKSTEP_QUIET=1 LOCKSTEP_OUT="" "$@" "$build/tests/barrier" "$ptx"
}
stages() { # PTX: stores to shared memory in the kernel `fence`
	sed -n '/^\.visible.*fence(/,/^}/p' "$1" | grep -c 'st\.shared'
}

committed=tests/ptx/barrier/barrier.ptx
expect "the committed PTX, with timing" barrier $committed
expect "the committed PTX, functional" barrier $committed LOCKSTEP_FUNCTIONAL=1
expect "both stores around the fence" [ "$(stages $committed)" = 2 ]

if command -v "$CLANG" >/dev/null 2>&1; then
	expect "clang compiles the kernels" compile tests/ptx/barrier/barrier.cu "$out/barrier.ptx"
	expect "clang's PTX" barrier "$out/barrier.ptx" LOCKSTEP_FUNCTIONAL=1
	expect "both stores around the fence, in clang's PTX" [ "$(stages "$out/barrier.ptx")" = 2 ]
else
	echo "skipped: there is no clang here"
fi
case $("$CLANG" --version 2>/dev/null) in
*version\ 14.0.*)
	for kernel in benchmarks/*/kernel.cu benchmarks/*/*/kernel.cu; do
		compile "$kernel" "$out/kernel.ptx"
		expect "${kernel%.cu}.ptx is what $kernel gives (make ptx)" \
			cmp "$out/kernel.ptx" "${kernel%.cu}.ptx"
	done
	;;
esac
finish
