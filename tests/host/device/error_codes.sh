#!/bin/sh
# tests/host/device/error_codes.sh BUILD -- the error codes of both APIs against a GPU's. codes/h200.txt and
# ../runtime/codes/h200.txt are what the programs printed on an NVIDIA H200 (driver 580.159.04, CUDA 13.0,
# measured on 2026-11-26); accepted.txt beside each has the lines in which the simulator differs on purpose.
# The runtime's needs nvcc. On a GPU the same programs run with the vendor's libraries.
. tests/lib.sh

# compare FOLDER: what differs from the GPU's lines is what is accepted
compare() {
	diff "$1/h200.txt" "$out/got" | sed -n 's/^> //p' >"$out/differs"
	grep -v '^#' "$1/accepted.txt" >"$out/accepted"
	expect "$1: as many cases as on the GPU" [ "$(wc -l <"$out/got")" = "$(wc -l <"$1/h200.txt")" ]
	cmp -s "$out/differs" "$out/accepted" && ok || {
		not_ok "$1: other codes than the GPU's, or than those that are accepted:"
		diff "$out/accepted" "$out/differs" | head -n 20
	}
}

compile codes tests/host/device/error_codes/*.c
"$lockstep" run -q --functional -c configs/a100.yaml -o "" -- "$out/codes" >"$out/got" 2>"$out/said"
compare tests/host/device/error_codes

PATH=$PATH:/usr/local/cuda/bin
if ! sanitized && command -v nvcc >/dev/null 2>&1 && nvcc --version | grep -q 'release 13'; then
	cc -std=gnu11 -O1 -c tests/host/device/error_codes/codes.c -o "$out/codes.o"
	expect "nvcc compiles the runtime's cases" nvcc -std=c++17 -rdc=true -Wno-deprecated-declarations \
		-o "$out/runtime-codes" tests/runtime/codes/*.cu "$out/codes.o"
	"$lockstep" run -q --functional -c configs/a100.yaml -o "" -- "$out/runtime-codes" >"$out/got" 2>"$out/said"
	compare tests/runtime/codes
else
	echo "note: tests/host/device/error_codes.sh: nvcc 13 is not here, or not asked; the runtime's codes were not compared"
fi
finish
