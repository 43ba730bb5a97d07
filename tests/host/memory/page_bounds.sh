#!/bin/sh
# tests/host/memory/page_bounds.sh BUILD -- accesses by kernels before and behind a buffer (page_bounds.c):
# faults, unless memory.bounds is page and the address lies in a page that some allocation touches.
. tests/lib.sh
compile bounds tests/host/memory/page_bounds.c
at() { "$lockstep" run -q -o "" -c h200 "$@"; }
option='GPUs do not notice it, nor does --set memory.bounds=page'

for mode in --functional ""; do
	for way in load store atomic generic vector copy; do
		answers 70 CUDA_ERROR_ILLEGAL_ADDRESS at $mode -- "$out/bounds" 1024 1000 $way
		expect "$way $mode: the message names the option" grep -q "$option" "$out/log"
		answers 0 CUDA_SUCCESS at $mode --set memory.bounds=page -- "$out/bounds" 1024 1000 $way
	done
done
# the edges: two buffers of 1000 bytes lie 1024 bytes apart, from the first page of 2 MB on
page=2097152
for offset in -1028 996 1000 $((page - 1028)); do
	[ $offset = -1028 ] && verdict="70 CUDA_ERROR_ILLEGAL_ADDRESS" || verdict="0 CUDA_SUCCESS"
	answers $verdict at -f --set memory.bounds=page -- "$out/bounds" $offset 1000
done
answers 70 CUDA_ERROR_ILLEGAL_ADDRESS at -f --set memory.bounds=page -- "$out/bounds" $((page - 1024)) 1000
expect "a GPU would notice that, too" sh -c "! grep -q 'do not notice' '$out/log'"
small="--set memory.bounds=page --set memory.page=4K"
answers 70 CUDA_ERROR_ILLEGAL_ADDRESS at -f $small -- "$out/bounds" 4096 1000
answers 0 CUDA_SUCCESS at -f $small -- "$out/bounds" 3068 1000
refuses 'memory: page is no power of two' at -f --set memory.page=5000 -- "$out/bounds" 0 1000
answers 70 CUDA_ERROR_ILLEGAL_ADDRESS at -f -- "$out/bounds" $((4 * page)) 1000
expect "far away no option helps" sh -c "! grep -q 'do not notice' '$out/log'"
finish
