#!/bin/sh
# generate.sh FOLDER -- writes mshrs.ptx into FOLDER, which exists: the kernels of Figure 9 of Nugteren et al.
# (HPCA 2014; its program is Figure 8). The build runs it.
#
# loads_N_apart_P: the first thread of each warp does N loads, each of a line of its own, P bytes apart,
# without waiting for any of them; the time is that from before the first load until all have come. With P =
# 4096 and W warps these are the lines of the paper's program, the first W * N at that distance; here a warp
# has neighbouring ones, so that the offset of a load is a constant and nothing has to be computed between
# two loads. Everything is done twice: first on one region of memory, so that the instructions are cached,
# and then on the next one, which is what counts.
#
#	data     where the first region begins
#	out      for each warp 16 bytes: clock before, clock after, sum of what was loaded, not used
#	region   bytes from one region to the next
set -eu
cd "$1"
exec >mshrs.ptx

echo "// loads in flight at the same time, by warp and by SM. Made by generate.sh."
echo ".version 2.3"
echo ".target sm_20"
echo ".address_size 64"
awk 'BEGIN {
	for (apart = 4096; apart >= 128; apart /= 32)
		for (loads = 1; loads <= 20; loads++)
			kernel(loads, apart)
}
function kernel(loads, apart,  i) {
	print "\n.visible .entry loads_" loads "_apart_" apart \
		"(.param .u64 data, .param .u64 out, .param .u64 region)"
	print "{"
	print "\t.reg .pred %first, %again;"
	print "\t.reg .b32 %v<20>, %thread, %warp, %lane, %passes, %start, %stop;"
	print "\t.reg .b64 %data, %out, %region, %offset;"
	print "\tld.param.u64 %data, [data];"
	print "\tld.param.u64 %out, [out];"
	print "\tld.param.u64 %region, [region];"
	print "\tmov.u32 %thread, %tid.x;"
	print "\tand.b32 %lane, %thread, 31;"
	print "\tsetp.eq.u32 %first, %lane, 0;"
	print "\tshr.u32 %warp, %thread, 5;"
	print "\tmul.wide.u32 %offset, %warp, " loads * apart ";"
	print "\tadd.u64 %data, %data, %offset;"
	print "\tmul.wide.u32 %offset, %warp, 16;"
	print "\tadd.u64 %out, %out, %offset;"
	print "\tmov.u32 %passes, 2;"
	for (i = 0; i < loads; i++)
		print "\tmov.u32 %v" i ", 0;"
	print "REPEAT:"
	print "\tbar.sync 0;"
	print "\tmov.u32 %start, %clock;"
	for (i = 0; i < loads; i++)
		print "\t@%first ld.global.u32 %v" i ", [%data+" i * apart "];"
	for (i = 1; i < loads; i++)
		print "\tadd.u32 %v0, %v0, %v" i ";"
	# waits for the sum, and with it for every load
	print "\t@%first st.volatile.global.u32 [%out+8], %v0;"
	print "\tmov.u32 %stop, %clock;"
	print "\tadd.u64 %data, %data, %region;"
	print "\tsub.u32 %passes, %passes, 1;"
	print "\tsetp.ne.u32 %again, %passes, 0;"
	print "\t@%again bra REPEAT;"
	print "\t@%first st.global.v2.u32 [%out], {%start, %stop};"
	print "\tret;"
	print "}"
}'
