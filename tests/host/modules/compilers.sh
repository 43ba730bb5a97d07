#!/bin/sh
# tests/host/modules/compilers.sh BUILD -- compilers.c: a program that asks libnvrtc and libnvJitLink for
# machine code gets PTX; for a chip that they do not know a line names configurations. With a stand-in for
# them, and with NVIDIA's where they are.
. tests/lib.sh
! sanitized || skip_all "the sanitizer's library must be the first of a process"

mkdir -p "$out/stub"
cc -std=gnu11 -O1 -fPIC -shared -falign-functions=16 tests/host/modules/compilers_stub.c -o "$out/stub/libnvrtc.so" ||
	not_ok "compile the stand-in"
looks() { # LABEL LIBRARY...: with the libraries in a folder
	label=$1 folder=$2
	shift 2
	cc -std=gnu11 -O1 -Ihost tests/host/modules/compilers.c -o "$out/$label" -L"$folder" "$@" -L"$build/lib" -lcuda \
		-Wl,-rpath,"$folder" -Wl,-rpath-link,"$build/lib" || not_ok "link with $label"
	answers 0 PASS "$lockstep" run -q --functional --config configs/a100.yaml -o "" -- "$out/$label"
	answers 0 PASS "$lockstep" run -q --config configs/a100.yaml -o "" -- "$out/$label"
	answers 3 'makes code for sm_75 and newer chips, and will refuse .* configurations for it: a100' \
		"$lockstep" run -q --functional --config configs/gtx480.yaml -o "" -- "$out/$label"
}
looks stand-in "$out/stub" -lnvrtc
toolkit=$(dirname "$(dirname "$(command -v nvcc || echo /usr/local/cuda/bin/nvcc)")")/lib64
if [ -e "$toolkit/libnvrtc.so" ] && [ -e "$toolkit/libnvJitLink.so" ]; then
	looks vendor "$toolkit" -lnvrtc -lnvJitLink
else
	echo "note: tests/host/modules/compilers.sh: NVIDIA's libnvrtc and libnvJitLink are not here"
fi
finish
