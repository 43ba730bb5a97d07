#!/bin/sh
# tests/cli/limits.sh BUILD -- limits of the process: the size of files, processor time, memory; files without an
# end as arguments.
. tests/lib.sh
ptx=tests/cli/ptx/endless.ptx

# limited OPTION VALUE COMMAND...
limited() { (
	ulimit "$1" "$2"
	shift 2
	"$@"
); }
compile program tests/cli/files.c
few_blocks() { limited -f 200 "$lockstep" run -q -o "$out/run" -- "$out/program" "$ptx" no; }
answers 74 "^lockstep: $out/run/stats.txt cannot be written: File too large\$" few_blocks
answers 74 '^lockstep: the processor time that this process may take is used up (ulimit -t)$' \
	prlimit --cpu=2:60 "$lockstep" launch "$ptx" endless --grid 1 --block 32 --arg 'u32[2]=zero' -q -o "$out/run"
expect "the results are of the run up to then" grep -q 'total of 1 kernel interrupted$' "$out/run/stats.txt"
if ! sanitized; then # which reserves more address space than there is
	little() { limited -v 1000000 "$lockstep" run -q -o "$out/run" -- "$out/program" "$ptx" no; }
	answers 3 'error: the host does not give [0-9]* bytes of address space for device memory' little
fi
for file in /dev/zero /dev/urandom tests; do
	for use in "run -c $file -- true" "ptx $file" "sweep -n $file" "replay $file" "trace --print $file"; do
		timeout 1200 "$lockstep" $use >"$out/log" 2>&1
		status=$?
		expect "$use: exit status $status" [ $status = 1 ]
		expect "$use: one sentence" sh -c 'grep -q "$1" "$2" && ! grep -q "internal error" "$2"' - "$file" "$out/log"
	done
done
finish
