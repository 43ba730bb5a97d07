#!/bin/sh
# generate.sh FOLDER -- writes FOLDER/sweep.ptx: the walks over the caches with which gpumembench's cachebench
# (ekondis/gpumembench) measured the figures of published.csv. FOLDER exists; the build runs this script.
#
# Facts of cachebench's walk: CTAs of 256 threads, as many as the chip holds; a CTA's data begin at element
# 256 * step * CTA, or at that modulo a clamp; access i of a thread is at (i mod step) * 256 elements from
# there, so that a CTA goes round 256 * step elements; 64 accesses are unrolled. Reading, a load waits for the
# one before: there, its value (zero) is xored into the low word of the address; here, it guards the next
# load, which is as many instructions of the same rate, where PTX has no way to change half an address in one.
# Reading and writing, every load is followed by a store of what it brought, to the same place in a second
# area behind the first.
#
# Kernels read_WIDTH_STEP and copy_WIDTH_STEP (WIDTH in words); parameters: data, clamp (elements; 0: none),
# rounds of 64 accesses. Where a value was not zero, the thread loads nothing more, and element 0 becomes 1.
set -eu
cd "$1"
export LC_ALL=C

STEPS="1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 18 20 22 24 28 32 40 48 56 64"

exec >sweep.ptx
echo "// sweep -- walks over the caches. Made by generate.sh."
echo ".version 2.3"
echo ".target sm_20"
echo ".address_size 64"

kernel() { # read|copy WIDTH STEP
	awk -v kind="$1" -v width="$2" -v step="$3" '
	function list() { return width == 1 ? "%a" : width == 2 ? "{%a, %b}" : "{%a, %b, %c, %d}" }
	function vector() { return width == 1 ? ".u32 " : ".v" width ".u32 " }
	function load(offset) { print "\t@%zero ld.global.ca" vector() list() ", [%from+" offset "];" }
	function store(offset) { print "\tst.global.cs" vector() "[%to+" offset "], " list() ";" }
	function test() { # was what came all zero?
		if (width == 4) {
			print "\tor.b32 %c, %c, %d;"
			print "\tor.b32 %b, %b, %c;"
		}
		if (width > 1)
			print "\tor.b32 %a, %a, %b;"
		print "\tsetp.eq.u32 %zero, %a, 0;"
	}
	BEGIN {
		bytes = 4 * width
		print ""
		print ".visible .entry " kind "_" width "_" step \
			"(.param .u64 p0, .param .u32 p1, .param .u32 p2)"
		print "{"
		print "\t.reg .u32 %clamp, %rounds, %at, %cta, %ctas, %one, %a, %b, %c, %d;"
		print "\t.reg .u64 %data, %from, %to, %off;"
		print "\t.reg .pred %p, %zero;"
		print "\tld.param.u64 %data, [p0];"
		print "\tld.param.u32 %clamp, [p1];"
		print "\tld.param.u32 %rounds, [p2];"
		print "\tmov.u32 %cta, %ctaid.x;"
		print "\tmov.u32 %ctas, %nctaid.x;"
		print "\tmov.u32 %at, %tid.x;"
		print "\tmad.lo.u32 %at, %cta, " 256 * step ", %at;"
		print "\tsetp.eq.u32 %p, %clamp, 0;"
		print "\t@!%p rem.u32 %at, %at, %clamp;"
		print "\tmul.wide.u32 %off, %at, " bytes ";"
		print "\tadd.u64 %from, %data, %off;"
		print "\tsetp.eq.u32 %zero, %at, %at;"
		if (kind == "copy") {
			print "\tmul.wide.u32 %off, %ctas, " 256 * step * bytes ";"
			print "\tadd.u64 %to, %from, %off;"
		}
		print "ROUND:"
		for (i = 0; i < 64; i++) {
			offset = (kind == "copy" ? int(i / 2) : i) % step * 256 * bytes
			if (kind == "read") {
				load(offset)
				test()
			} else if (i % 2 == 0)
				load(offset)
			else
				store(offset)
		}
		if (kind == "copy")
			test()
		print "\tsub.u32 %rounds, %rounds, 1;"
		print "\tsetp.ne.u32 %p, %rounds, 0;"
		print "\t@%p bra ROUND;"
		print "\t@%zero ret;"
		print "\tmov.u32 %one, 1;"
		print "\tst.global.u32 [%data], %one;"
		print "\tret;"
		print "}"
	}'
}

for step in $STEPS; do kernel read 1 "$step"; done
for width in 2 4; do for step in 1 2; do kernel read $width $step; done; done
for width in 1 2 4; do for step in 1 2 3; do kernel copy $width $step; done; done
