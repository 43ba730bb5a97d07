#!/bin/sh
# tests/host/driver_api.sh BUILD -- driver_api.c built against our own cuda.h and run on our own libcuda.so.1.
set -eu
build=${1:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-gcc} ${SANITIZE:-} -Ihost -o "$work/driver_api" tests/host/driver_api.c -L"$build/lib" -Wl,-rpath-link,"$build/lib" -lcuda -lpthread
LOCKSTEP_OUT="$work/out" LOCKSTEP_QUIET=1 LD_LIBRARY_PATH=$build/lib "$work/driver_api"
