#!/bin/sh
# tests/host/cuda_header.sh BUILD -- our library and header against the real cuda.h, where there is one: every symbol that the
# real header (any of its faces) declares must be exported, every value and size that both define must agree, and
# driver_api.c, built against it, must pass.
set -eu
build=${1:-build}
cuda=${CUDA_HEADER:-/usr/local/cuda/include/cuda.h}
cc=${CC:-gcc}
here=$(dirname "$0")
root=$here/../..
library=$build/lib/libcuda.so.1

if [ ! -f "$cuda" ]; then
	echo "cuda_header: SKIPPED: there is no $cuda to compare with" >&2
	exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

for face in -DFACE -D__CUDA_API_VERSION_INTERNAL -DCUDA_API_PER_THREAD_DEFAULT_STREAM; do
	echo "#include \"$cuda\"" | $cc -I"$(dirname "$cuda")" $face -E -P -x c - | tr '\n' ' ' |
		grep -oE 'CUresult +(__attribute__\(\([a-z_]+\)\) *)?cu[A-Z][A-Za-z0-9_]+ *\(' | grep -oE 'cu[A-Z][A-Za-z0-9_]+'
done | sort -u > "$work/declared"
nm -D --defined-only "$library" | awk '{ print $3 }' | sed 's/@.*//' | sort -u > "$work/exported"
comm -23 "$work/declared" "$work/exported" > "$work/absent"
if [ -s "$work/absent" ]; then
	echo "cuda_header: declared in $cuda, not exported by $library:" >&2
	cat "$work/absent" >&2
	exit 1
fi
if grep -v '^cu' "$work/exported" >&2; then
	echo "cuda_header: $library exports more than cu*" >&2
	exit 1
fi

# values and sizes: the same program printed from both headers
grep -oE '\b(CU_[A-Z0-9_]+|CUDA_(SUCCESS|ERROR_[A-Z0-9_]+)) = [0-9-]+' "$root/host/cuda.h" | sed 's/ = .*//' |
	grep -vE 'CU_(FUNC|LIMIT|JIT).*_(MAX|NUM_OPTIONS)$' | sort -u > "$work/names"
{
	echo '#include <cuda.h>'
	echo '#include <stddef.h>'
	echo '#include <stdio.h>'
	echo '#define P(name, value) printf("%s %lld%c", #name, (long long)(value), 10);'
	echo 'int main(void) {'
	while read -r name; do echo "P($name, $name)"; done < "$work/names"
	for type in CUdeviceptr CUdevice CUuuid CUdevprop CUDA_MEMCPY2D CUDA_MEMCPY3D CUlaunchAttribute CUlaunchConfig \
		CUexecAffinityParam CUctxCreateParams CUmemLocation CUresult CUDA_ARRAY_DESCRIPTOR CUDA_ARRAY3D_DESCRIPTOR \
		CUDA_RESOURCE_DESC CUDA_TEXTURE_DESC CUDA_RESOURCE_VIEW_DESC; do
		echo "P($type, sizeof($type))"
	done
	for field in CUDA_MEMCPY2D,dstDevice CUDA_MEMCPY2D,Height CUDA_MEMCPY3D,dstLOD CUDA_MEMCPY3D,Depth \
		CUlaunchConfig,hStream CUlaunchConfig,numAttrs CUlaunchAttribute,value CUdevprop,textureAlign \
		CUDA_ARRAY3D_DESCRIPTOR,Flags CUDA_RESOURCE_DESC,res.linear.sizeInBytes CUDA_RESOURCE_DESC,res.pitch2D.pitchInBytes \
		CUDA_RESOURCE_DESC,flags CUDA_TEXTURE_DESC,borderColor CUDA_TEXTURE_DESC,maxMipmapLevelClamp; do
		echo "P(${field%,*}.${field#*,}, offsetof(${field%,*}, ${field#*,}))"
	done
	echo 'return 0; }'
} > "$work/values.c"
$cc -I"$root/host" -o "$work/ours" "$work/values.c"
if $cc -I"$(dirname "$cuda")" -o "$work/real" "$work/values.c" 2> "$work/log"; then
	"$work/ours" > "$work/ours.txt"
	"$work/real" > "$work/real.txt"
	diff "$work/real.txt" "$work/ours.txt" >&2 || { echo "cuda_header: values differ (< real, > ours)" >&2; exit 1; }
	values=$(wc -l < "$work/ours.txt")
else
	values=no    # an older header lacks names of ours
fi

$cc -I"$(dirname "$cuda")" ${SANITIZE:-} -o "$work/driver_api" "$here/driver_api.c" -L"$build/lib" -lcuda -lpthread \
	-Wl,-rpath-link,"$build/lib"
LD_LIBRARY_PATH=$build/lib LOCKSTEP_QUIET=1 "$work/driver_api" 2> "$work/stderr" || { cat "$work/stderr" >&2; exit 1; }
echo "cuda_header: $(wc -l < "$work/declared") symbols, $values values and sizes agree with $cuda"
