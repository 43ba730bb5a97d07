#!/bin/sh
# tests/host/device/cuda_header.sh BUILD -- our library and header against the real cuda.h, where there is
# one: every symbol that the real header (any of its faces) declares must be exported, every value and size
# that both define must agree, and driver_api.c, built against it, must pass.
. tests/lib.sh
cuda=${CUDA_HEADER:-/usr/local/cuda/include/cuda.h}
cc=${CC:-gcc}
library=$build/lib/libcuda.so.1

[ -f "$cuda" ] || skip_all "there is no $cuda to compare with"

for face in -DFACE -D__CUDA_API_VERSION_INTERNAL -DCUDA_API_PER_THREAD_DEFAULT_STREAM; do
	echo "#include \"$cuda\"" | $cc -I"$(dirname "$cuda")" $face -E -P -x c - | tr '\n' ' ' |
		grep -oE 'CUresult +(__attribute__\(\([a-z_]+\)\) *)?cu[A-Z][A-Za-z0-9_]+ *\(' |
			grep -oE 'cu[A-Z][A-Za-z0-9_]+'
done | sort -u > "$out/declared"
nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//' | sort -u > "$out/exported"
comm -23 "$out/declared" "$out/exported" > "$out/absent"
is_empty() { [ ! -s "$1" ] || { cat "$1"; false; }; }
expect "the functions that $cuda declares are exported by $library" is_empty "$out/absent"
# lockstep_replay: the command `lockstep replay` calls it in place of a program's functions. nvJitLink*:
# programs that link PTX ask it in place of the library of that name.
grep -v -e "^cu" -e "^nvJitLink" "$out/exported" | grep -vx lockstep_replay >"$out/others"
expect "$library exports nothing but cu*, nvJitLink* and lockstep_replay" is_empty "$out/others"

# values and sizes: the same program printed from both headers
grep -oE '\b(CU_[A-Z0-9_]+|CUDA_(SUCCESS|ERROR_[A-Z0-9_]+)) = [0-9-]+' host/cuda.h | sed 's/ = .*//' |
	grep -vE 'CU_(FUNC|LIMIT|JIT).*_(MAX|NUM_OPTIONS)$' | sort -u > "$out/names"
{
	echo '#include <cuda.h>'
	echo '#include <stddef.h>'
	echo '#include <stdio.h>'
	echo '#define P(name, value) printf("%s %lld%c", #name, (long long)(value), 10);'
	echo 'int main(void) {'
	while read -r name; do echo "P($name, $name)"; done < "$out/names"
	for type in CUdeviceptr CUdevice CUuuid CUdevprop CUDA_MEMCPY2D CUDA_MEMCPY3D CUlaunchAttribute \
		CUlaunchConfig \
		CUexecAffinityParam CUctxCreateParams CUmemLocation CUresult CUDA_ARRAY_DESCRIPTOR \
			CUDA_ARRAY3D_DESCRIPTOR \
		CUDA_RESOURCE_DESC CUDA_TEXTURE_DESC CUDA_RESOURCE_VIEW_DESC \
		CUDA_KERNEL_NODE_PARAMS CUDA_HOST_NODE_PARAMS CUgraphEdgeData CUgraphExecUpdateResultInfo \
		CUDA_GRAPH_INSTANTIATE_PARAMS CUgraphNodeParams CUmemPoolProps CUmemAccessDesc; do
		echo "P($type, sizeof($type))"
	done
	for field in CUDA_MEMCPY2D,dstDevice CUDA_MEMCPY2D,Height CUDA_MEMCPY3D,dstLOD CUDA_MEMCPY3D,Depth \
		CUlaunchConfig,hStream CUlaunchConfig,numAttrs CUlaunchAttribute,value \
			CUdevprop,textureAlign \
		CUDA_ARRAY3D_DESCRIPTOR,Flags CUDA_RESOURCE_DESC,res.linear.sizeInBytes \
			CUDA_RESOURCE_DESC,res.pitch2D.pitchInBytes \
		CUDA_RESOURCE_DESC,flags CUDA_TEXTURE_DESC,borderColor CUDA_TEXTURE_DESC,maxMipmapLevelClamp
			do
		echo "P(${field%,*}.${field#*,}, offsetof(${field%,*}, ${field#*,}))"
	done
	echo 'return 0; }'
} > "$out/values.c"
$cc -Ihost -o "$out/ours" "$out/values.c"
if $cc -I"$(dirname "$cuda")" -o "$out/real" "$out/values.c" 2> "$out/log"; then
	"$out/ours" > "$out/ours.txt"
	"$out/real" > "$out/real.txt"
	expect "values and sizes are the same (< real, > ours)" diff "$out/real.txt" "$out/ours.txt"
	echo "note: cuda_header: $(wc -l < "$out/declared") functions, $(wc -l < "$out/ours.txt") values and sizes compared"
fi # an older header lacks names of ours

expect "driver_api.c, built against $cuda" $cc -I"$(dirname "$cuda")" ${SANITIZE:-} -o "$out/driver_api" \
	tests/host/device/driver_api.c -L"$build/lib" -lcuda -lpthread -Wl,-rpath-link,"$build/lib"
expect "its calls" env LD_LIBRARY_PATH="$build/lib" LOCKSTEP_QUIET=1 "$out/driver_api"
finish
