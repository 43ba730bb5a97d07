#!/bin/sh
# tests/host/modules/fatbin.sh BUILD -- fat binaries that nvcc made (tests/host/modules/fatbin): their PTX is
# found, expanded and run; those without PTX and damaged ones are refused. Where nvcc is, it makes them again.
. tests/lib.sh
compile fatbin tests/host/modules/fatbin.c

# program CHIP WHAT FILE [NUMBER]
program() {
	chip=$1
	shift
	"$lockstep" run -q -c "$chip" --functional -o "$out/run" -- "$out/fatbin" "$@"
}

# suite FOLDER
suite() {
	for name in vecadd vecadd-plain vecadd-lz4 vecadd-three; do
		expect "$1/$name" program gtx480 vecadd "$1/$name.fatbin"
	done
	expect "$1/matmul, tiles of 16" program gtx480 matmul "$1/matmul.fatbin" 16
	expect "$1/matmul, tiles of 32" program ga100 matmul "$1/matmul.fatbin" 32
	expect "$1/texture" program gtx480 texture "$1/texture.fatbin"
	# the newest PTX that the chip can run; without one, the oldest
	answers 0 '^architecture 750$' program gtx480 architecture "$1/vecadd-three.fatbin"
	answers 0 '^architecture 800$' program ga100 architecture "$1/vecadd-three.fatbin"
	answers 0 '^architecture 750$' program ga100 architecture "$1/vecadd-plain.fatbin"
}

suite tests/host/modules/fatbin
if ! sanitized && command -v nvcc >/dev/null 2>&1 && nvcc --help | grep -q compress-mode; then
	expect "nvcc makes the fat binaries" sh tests/host/modules/fatbin/make.sh "$out"
	suite "$out"
else
	echo "note: tests/host/modules/fatbin.sh: nvcc 12.8 or later is not here, or not asked; the committed files were tried"
fi

# every call, and the wrapper
answers 0 PASS program gtx480 load tests/host/modules/fatbin/vecadd.fatbin
expect "all calls take it but the empty wrapper" [ "$(grep -c CUDA_SUCCESS "$out/log")" = 5 ]
expect "the empty wrapper" grep -q '^cuModuleLoadData of an empty wrapper: CUDA_ERROR_INVALID_IMAGE$' "$out/log"
answers 0 '^cuModuleLoad: CUDA_SUCCESS$' program gtx480 file tests/host/modules/fatbin/vecadd.fatbin

# machine code alone
answers 0 '^cuModuleLoad: CUDA_ERROR_NO_BINARY_FOR_GPU$' program gtx480 file tests/host/modules/fatbin/vecadd-code.fatbin
expect "what to type is said" grep -q \
	'^lockstep: cuModuleLoad: the fat binary has machine code (sm_80), and no PTX; .* -gencode arch=compute_80,code=compute_80$' \
	"$out/log"

# cut off, and damaged in every way
head -c 300 tests/host/modules/fatbin/vecadd.fatbin >"$out/cut.fatbin"
answers 0 '^cuModuleLoad: CUDA_ERROR_INVALID_IMAGE$' program gtx480 file "$out/cut.fatbin"
head -c 6 tests/host/modules/fatbin/vecadd.fatbin >"$out/cut.fatbin"
answers 0 '^cuModuleLoad: CUDA_ERROR_INVALID_IMAGE$' program gtx480 file "$out/cut.fatbin"
for name in vecadd vecadd-plain vecadd-lz4 vecadd-three vecadd-code; do
	answers 0 '^PASS$' program gtx480 lies "tests/host/modules/fatbin/$name.fatbin" 600
done
expect "some were refused as damaged" grep -q 'the fat binary is damaged' "$out/log"
finish
