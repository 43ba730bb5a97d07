#!/bin/sh
# tests/host/modules/fatbin/make.sh FOLDER -- what nvcc makes of the kernels here, in each way of compressing:
# the files that are committed beside this one, made anew in FOLDER. nvcc 13 knows no older architecture than
# 75.
set -eu
here=$(dirname "$0") to=$1
fatbin() { # NAME SOURCE OPTION...
	name=$1 source=$2
	shift 2
	nvcc -fatbin "$@" -o "$to/$name.fatbin" "$here/$source.cu"
}
ptx() { printf -- '-gencode arch=compute_%s,code=compute_%s ' "$1" "$1"; }
fatbin vecadd vecadd $(ptx 75) # zstd is what nvcc 13 chooses
fatbin vecadd-plain vecadd $(ptx 75) --compress-mode=none
fatbin vecadd-lz4 vecadd $(ptx 75) --compress-mode=speed
fatbin vecadd-three vecadd $(ptx 75) $(ptx 80) $(ptx 90) -gencode arch=compute_80,code=sm_80 --compress-mode=size
fatbin vecadd-code vecadd -gencode arch=compute_80,code=sm_80 --compress-mode=size
fatbin matmul matmul $(ptx 75)
fatbin texture texture $(ptx 75)
