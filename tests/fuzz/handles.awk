# tests/fuzz/handles.awk -- from the declarations of host/cuda.h: a line CALL(name, number of handles, arguments) for each
# function that takes a handle, where handles.c says what stands for an argument of each kind.
BEGIN {
	n = split("CUstream CUcontext CUmodule CUfunction CUevent CUarray CUmipmappedArray CUtexref CUsurfref " \
		"CUgraph CUgraphNode CUgraphExec CUmemoryPool CUlibrary CUkernel CUlinkState CUuserObject " \
		"CUmemGenericAllocationHandle CUtexObject CUsurfObject CUdeviceptr CUdevice", names, " ")
	for (i = 1; i <= n; i++)
		is_handle[names[i]] = 1
	n = split("int unsigned size_t cuuint32_t cuuint64_t uint64_t int64_t char short", names, " ")
	for (i = 1; i <= n; i++)
		is_number[names[i]] = 1
}
/^CUresult cu[A-Z]/ { text = "" ; inside = 1 }
inside { text = text " " $0 }
inside && /;/ { inside = 0; declare(text) }

function declare(text,    name, list, n, i, out) {
	name = text
	sub(/^ *CUresult */, "", name)
	sub(/\(.*/, "", name)
	list = text
	sub(/^[^(]*\(/, "", list)
	sub(/\)[^)]*$/, "", list)
	if (list ~ /\(/ || list ~ /\[/) # a function, or an array
		return
	n = split(list, part, ",")
	handles = 0
	for (i = 1; i <= n; i++)
		out = out (i > 1 ? ", " : "") argument(part[i])
	if (handles)
		print "CALL(" name ", " handles ", " out ")"
}
function argument(text,    type) {
	gsub(/^[ \t]+|[ \t]+$/, "", text)
	type = text
	sub(/[A-Za-z_0-9]*$/, "", type) # its name
	gsub(/ +$/, "", type)
	if (type ~ /\*/) return pointer(type)
	sub(/^const /, "", type)
	if (type in is_handle) {
		handles++
		return "HANDLE(" type ")"
	}
	sub(/ .*/, "", type)
	return type in is_number ? "NUMBER()" : "OTHER(" type ")"
}
function pointer(type,    pointed) {
	pointed = type
	gsub(/const|\*| /, "", pointed)
	return type ~ /^const/ && pointed in is_handle ? "(void *)LIST()" : "(void *)ZEROS()"
}
