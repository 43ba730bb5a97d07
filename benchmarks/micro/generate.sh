#!/bin/sh
# generate.sh FOLDER -- writes the PTX of the micro-benchmarks into FOLDER, which exists: one file for each
# topic. The build runs it.
#
# Every kernel has the same parameters:
#
#	out      for each warp 16 bytes: clock before, clock after, %smid, %warpid; from 1 MB on
#	         a value of 8 bytes for each thread
#	data     memory that the kernel may read
#	repeats  how often the timed sequence runs
#	x, y     whatever the kernel needs: operands, a stride, a mask
#
# and one of two shapes. `last`: clocks are read in every repetition, the last one counts: latencies, with
# instructions and lines already cached. `all`: clocks are read before the first and after the last:
# throughput over many warps.
set -eu
cd "$1"
export LC_ALL=C

LINKS=135    # of a dependent chain: 8 ahead of the clock, then 127
AHEAD=8
LENGTH=512   # instructions of a throughput sequence
CHAINS=8     # independent chains that they form

file() { # TOPIC "what it measures" [VERSION TARGET]
	exec >"$1.ptx"
	echo "// $1 -- $2. Made by generate.sh."
	echo ".version ${3:-2.3}"
	echo ".target ${4:-sm_20}"
	echo ".address_size 64"
}

# kernel NAME SHAPE: the text on standard input is the set-up, the line "---", the timed sequence, "---", and
# what moves the result into %value. In shape `last` a line "clock" within the sequence says where time begins
# (default: at its start).
kernel() {
	awk -v name="$1" -v shape="$2" '
	BEGIN {
		print "\n.visible .entry " name "(.param .u64 out, .param .u64 data, .param .u32 repeats, " \
			".param .u32 x, .param .u32 y)"
		print "{"
		print "\t.reg .pred %p, %q;"
		print "\t.reg .b32 %r<32>, %thread, %x, %y, %repeat, %start, %stop, %warp;"
		print "\t.reg .b64 %d<32>, %out, %data, %value;"
		print "\t.reg .f32 %f<64>, %fx, %fy;"
		print "\t.reg .f64 %g<32>, %gx, %gy;"
		print "\tld.param.u64 %out, [out];"
		print "\tld.param.u64 %data, [data];"
		print "\tld.param.u32 %repeat, [repeats];"
		print "\tld.param.u32 %x, [x];"
		print "\tld.param.u32 %y, [y];"
		print "\tmov.b32 %fx, %x;"
		print "\tmov.b32 %fy, %y;"
		print "\tmov.u32 %thread, %tid.x;"
		part = 0
	}
	function begin_sequence() {
		if (shape == "timed")
			print "\tmov.u32 %start, %clock;"
		print "\tbar.sync 0;"
		if (shape == "all")
			print "\tmov.u32 %start, %clock;"
		print "REPEAT:"
		if (shape == "last" && !inside)
			print "\tmov.u32 %start, %clock;"
	}
	$0 == "---" {
		if (++part == 1) {
			begin_at = NR
			held = 0
		}
		next
	}
	part == 1 { body[++count] = $0; if ($0 == "clock") inside = 1; next }
	part == 2 && !ended { ended = 1; end_sequence() }
	{ print "\t" $0 }
	function end_sequence(  i) {
		begin_sequence()
		for (i = 1; i <= count; i++) {
			if (body[i] == "clock")
				print "\tmov.u32 %start, %clock;"
			else if (body[i] ~ /:$/)
				print body[i]
			else
				print "\t" body[i]
		}
		if (shape == "last")
			print "\tmov.u32 %stop, %clock;"
		if (shape == "timed") {
			print "\tmov.u32 %stop, %clock;"
			print "\tadd.u32 %r2, %r2, 1;"
			print "\tsub.u32 %r3, %stop, %start;"
			print "\tsetp.lt.u32 %p, %r3, %repeat;"
		} else {
			print "\tsub.u32 %repeat, %repeat, 1;"
			print "\tsetp.ne.u32 %p, %repeat, 0;"
		}
		print "\t@%p bra REPEAT;"
		if (shape == "all")
			print "\tmov.u32 %stop, %clock;"
	}
	END {
		if (!ended)
			end_sequence()
		print "\tmov.u32 %r29, %smid;"
		print "\tmov.u32 %warp, %warpid;"
		print "\tmov.u32 %r30, %ctaid.x;"
		print "\tmov.u32 %r31, %ntid.x;"
		print "\tmad.lo.u32 %r30, %r30, %r31, %thread;"
		print "\tmul.wide.u32 %d30, %r30, 8;"
		print "\tadd.u64 %d30, %out, %d30;"
		print "\tst.global.u64 [%d30+1048576], %value;"
		print "\tshr.u32 %r31, %r30, 5;"
		print "\tmul.wide.u32 %d31, %r31, 16;"
		print "\tadd.u64 %d31, %out, %d31;"
		print "\tand.b32 %r31, %r30, 31;"
		print "\tsetp.eq.u32 %p, %r31, 0;"
		print "\t@%p st.global.v4.u32 [%d31], {%start, %stop, %r29, %warp};"
		print "\tret;"
		print "}"
	}'
}

# repeat COUNT "line" ...: the lines in turn, COUNT of them altogether
repeat() {
	count=$1; shift
	awk -v count="$count" 'BEGIN {
		n = ARGC - 1
		for (i = 0; i < count; i++)
			print ARGV[i % n + 1]
		exit
	}' "$@"
}

# A dependent chain: the lines in turn, the clock read after the first few links.
chain() { repeat $LINKS "$@" | awk -v ahead=$AHEAD '{ print } NR == ahead { print "clock" }'; }

low_word() { echo "---"; echo "cvt.u64.u32 %value, $1;"; }
float_word() { echo "---"; echo "mov.b32 %r28, $1;"; echo "cvt.u64.u32 %value, %r28;"; }
double_word() { echo "---"; echo "mov.b64 %value, $1;"; }

integer_chain() { # NAME link...: on %r0 and %r1, which begin as x and y
	name=$1; shift
	{ echo "mov.u32 %r0, %x;"; echo "mov.u32 %r1, %y;"; echo "---"; chain "$@"
	  low_word %r0; } | kernel "latency_$name" last
}
float_chain() { # on %f0, which begins as x; %fx and %fy are x and y
	name=$1; shift
	{ echo "mov.f32 %f0, %fx;"; echo "---"; chain "$@"; float_word %f0; } | kernel "latency_$name" last
}
double_chain() {
	name=$1; shift
	{ echo "cvt.f64.f32 %gx, %fx;"; echo "cvt.f64.f32 %gy, %fy;"; echo "mov.f64 %g0, %gx;"; echo "---"
	  chain "$@"; double_word %g0; } | kernel "latency_$name" last
}

file latency "dependent chains in one warp: the time from one instruction to the next that needs its result"
echo; echo ".const .align 8 .u64 zero = 0;"
integer_chain int_add "add.u32 %r0, %r0, %r1;" "add.u32 %r1, %r1, %r0;"
integer_chain int_logic "xor.b32 %r0, %r0, %r1;" "xor.b32 %r1, %r1, %r0;"
integer_chain int_shift "shl.b32 %r0, %r0, %r1;"
integer_chain int_max "max.u32 %r0, %r0, %r1;" "max.u32 %r1, %r1, %r0;"
integer_chain int_mul "mul.lo.u32 %r0, %r0, %r1;"
integer_chain int_mad "mad.lo.u32 %r0, %r0, %r1, %r1;"
integer_chain int_div "div.u32 %r0, %r0, %r1;"
float_chain f32_add "add.rn.f32 %f0, %f0, %fy;"
float_chain f32_mul "mul.rn.f32 %f0, %f0, %fy;"
float_chain f32_mad "fma.rn.f32 %f0, %f0, %fy, %fy;"
float_chain f32_max "max.f32 %f0, %f0, %fy;"
float_chain f32_div "div.rn.f32 %f0, %f0, %fy;"
float_chain sfu_rcp "rcp.approx.ftz.f32 %f0, %f0;"
float_chain sfu_sin "sin.approx.ftz.f32 %f0, %f0;"
float_chain sfu_sqrt "sqrt.approx.ftz.f32 %f0, %f0;"
{ echo "mov.f32 %f0, %fx;"; echo "---"; chain "cvt.rzi.s32.f32 %r0, %f0;" "cvt.rn.f32.s32 %f0, %r0;"
  echo "---"
  echo "mov.b32 %r28, %f0;"
  echo "mov.b64 %value, {%r28, %r0};"; } | kernel latency_convert last # both are needed until the end
double_chain f64_add "add.rn.f64 %g0, %g0, %gy;"
double_chain f64_mul "mul.rn.f64 %g0, %g0, %gy;"
double_chain f64_mad "fma.rn.f64 %g0, %g0, %gy, %gy;"
double_chain f64_div "div.rn.f64 %g0, %g0, %gy;"
pointer_chain() { # NAME SPACE-AND-OPERATOR: %d0 -> the word at %d0 is the next address
	{ cat; echo "---"; chain "ld.$2.u64 %d0, [%d0];"; echo "---"
	  echo "mov.u64 %value, %d0;"; } | kernel "latency_$1" last
}
{ echo ".shared .align 8 .u64 words[32];"; echo "mov.u64 %d0, words;"; echo "mul.wide.u32 %d1, %thread, 8;"
  echo "add.u64 %d0, %d0, %d1;"
  echo "st.shared.u64 [%d0], %d0;"; } | pointer_chain shared shared
# a constant cannot hold its own address: an addition to each load, which the host takes off
{ echo "mov.u64 %d0, zero;"; echo "---"; chain "ld.const.u64 %d1, [%d0];" "add.u64 %d0, %d0, %d1;"
  echo "---"; echo "mov.u64 %value, %d1;"; } |
	kernel latency_constant last
echo "mov.u64 %d0, %data;" | pointer_chain l1 global.ca
echo "mov.u64 %d0, %data;" | pointer_chain l2 global.cg

# Chains c = 0 .. CHAINS - 1 on registers c of a type; LENGTH instructions. # stands for the chain's number.
stream() {
	awk -v length_="$LENGTH" -v chains=$CHAINS 'BEGIN {
		n = ARGC - 1
		for (i = 0; i < length_; i++) {
			line = ARGV[int(i / chains) % n + 1]
			gsub(/#/, i % chains, line)
			print line
		}
		exit
	}' "$@"
}
numbers() {
	awk -v n=$CHAINS -v line="$1" 'BEGIN {
		for (i = 0; i < n; i++) {
			s = line
			gsub(/#/, i, s)
			print s
		}
	}'
}
integer_stream() { # NAME instruction...: on %r#
	name=$1; shift
	{ numbers "add.u32 %r#, %x, #;"; echo "---"; stream "$@"; echo "---"
	  numbers "add.u32 %r28, %r28, %r#;" | sed '1s/.*/mov.u32 %r28, %r0;/'
	  echo "cvt.u64.u32 %value, %r28;"; } | kernel "throughput_$name" all
}
float_stream() { # on %f#
	name=$1; shift
	{ numbers "mov.f32 %f#, %fx;"; echo "---"; stream "$@"; echo "---"
	  numbers "add.f32 %f60, %f60, %f#;" | sed '1s/.*/mov.f32 %f60, %f0;/'
	  echo "mov.b32 %r28, %f60;"; echo "cvt.u64.u32 %value, %r28;"; } | kernel "throughput_$name" all
}
double_stream() { # on %g#
	name=$1; shift
	{ echo "cvt.f64.f32 %gx, %fx;"; echo "cvt.f64.f32 %gy, %fy;"; numbers "mov.f64 %g#, %gx;"; echo "---"
	  stream "$@"; echo "---"
	  numbers "add.f64 %g30, %g30, %g#;" | sed '1s/.*/mov.f64 %g30, %g0;/'
	  echo "mov.b64 %value, %g30;"; } | kernel "throughput_$name" all
}

file throughput "independent chains in many warps: results a clock and SM"
integer_stream int_add "add.u32 %r#, %r#, %y;" "sub.u32 %r#, %x, %r#;"
integer_stream int_logic "xor.b32 %r#, %r#, %y;" "and.b32 %r#, %r#, %x;"
integer_stream int_max "max.u32 %r#, %r#, %y;" "min.u32 %r#, %r#, %x;"
integer_stream int_shift "shl.b32 %r#, %r#, %y;" "shr.u32 %r#, %r#, %y;"
integer_stream int_field "bfe.u32 %r#, %r#, %y, 31;"
integer_stream int_popc "popc.b32 %r#, %r#;"
integer_stream int_mul "mul.lo.u32 %r#, %r#, %y;"
integer_stream int_mad "mad.lo.u32 %r#, %r#, %y, %y;"
integer_stream int_sad "sad.u32 %r#, %r#, %y, %x;"
float_stream f32_add "add.rn.f32 %f#, %f#, %fy;"
float_stream f32_mul "mul.rn.f32 %f#, %f#, %fy;"
float_stream f32_mad "fma.rn.f32 %f#, %f#, %fy, %fx;"
float_stream sfu_rcp "rcp.approx.ftz.f32 %f#, %f#;"
float_stream convert "cvt.rzi.s32.f32 %r#, %f#;" "cvt.rn.f32.s32 %f#, %r#;"
double_stream f64_add "add.rn.f64 %g#, %g#, %gy;"
double_stream f64_mul "mul.rn.f64 %g#, %g#, %gy;"
double_stream f64_mad "fma.rn.f64 %g#, %g#, %gy, %gx;"

# Warps whose %warpid & x is y take part.
some_warps() { # NAME instruction...
	name=$1; shift
	{ numbers "mov.f32 %f#, 0f3f800000;"; numbers "mov.u32 %r#, #;"
	  echo ".shared .align 4 .u32 words[32];"; echo "mov.u32 %r27, words;"
	  echo "st.shared.u32 [%r27], %r0;"
	  echo "mov.u32 %r26, %warpid;"; echo "and.b32 %r26, %r26, %x;"; echo "setp.ne.u32 %q, %r26, %y;"
	  echo "mov.u64 %value, 0;"; echo "@%q exit;"
	  echo "---"; stream "$@"; echo "---"
	  numbers "add.f32 %f60, %f60, %f#;" | sed '1s/.*/mov.f32 %f60, %f0;/'
	  numbers "add.u32 %r28, %r28, %r#;" | sed '1s/.*/mov.u32 %r28, %r0;/'
	  echo "cvt.rzi.u32.f32 %r25, %f60;"; echo "add.u32 %r28, %r28, %r25;"
	  echo "cvt.u64.u32 %value, %r28;"; } |
		kernel "issue_$name" all | sed '/bar.sync 0;/d'
}

schedulers="warps of one scheduler or of both, instructions of one unit or of several"
file issue "what the schedulers issue together: $schedulers"
some_warps sp "mul.rn.f32 %f#, %f#, %f#;"
some_warps sp_int "mul.rn.f32 %f#, %f#, %f#;" "xor.b32 %r#, %r#, 1;"
some_warps sp_sfu "mul.rn.f32 %f#, %f#, %f#;" "xor.b32 %r#, %r#, 1;" "mul.rn.f32 %f#, %f#, %f#;" \
	"rcp.approx.ftz.f32 %f#, %f#;"
some_warps sp_shared "mul.rn.f32 %f#, %f#, %f#;" "ld.shared.u32 %r#, [%r27];"

# 48 registers that are all alive from before the first to behind the last instruction; fma takes a of the
# first 16, and of the second and third 16 those that lie SECOND and THIRD further on.
banks() { # NAME SECOND THIRD
	{ for i in $(seq 0 47); do echo "ld.global.f32 %f$i, [%data+$((4 * i))];"; done; echo "---"
	  awk -v n="$LENGTH" -v second="$2" -v third="$3" 'BEGIN { for (i = 0; i < n; i++) { a = i % 16
		b = 16 + (a + second) % 16; c = 32 + (a + third) % 16
		print "fma.rn.f32 %f" a ", %f" a ", %f" b ", %f" c ";" } }'
	  echo "---"; echo "mov.f32 %f60, %f0;"
	  for i in $(seq 1 47); do echo "add.f32 %f60, %f60, %f$i;"; done
	  echo "mov.b32 %r28, %f60;"; echo "cvt.u64.u32 %value, %r28;"; } | kernel "banks_$1" all
}
file banks "register banks: operands in neighbouring registers, two 16 apart, all three 16 apart"
banks apart 1 2
banks two 0 1
banks three 0 0

# Thread t works at t * x bytes of shared memory; swaps are two loads and two stores, with the neighbour y
# bytes on.
shared_head() { echo ".shared .align 16 .b8 bytes[16384];"; echo "mov.u32 %r20, bytes;"
	echo "mul.lo.u32 %r21, %thread, %x;"
	echo "and.b32 %r21, %r21, 8191;"; echo "add.u32 %r20, %r20, %r21;"; echo "mov.u32 %r22, 1;"; }
# 256 loads of WIDTH words, in turn into different registers (%r0 to %r15), so that none waits for the one
# before. Loads from shared memory are volatile, lest a compiler merge them.
loads() { # SPACE-AND-OPERATOR ADDRESS WIDTH
	awk -v space="$1" -v address="$2" -v width="$3" 'BEGIN {
		for (i = 0; i < 256; i++) {
			first = i * width % 16
			list = "%r" first
			for (w = 1; w < width; w++)
				list = list ",%r" first + w
			if (width > 1)
				list = "{" list "}"
			print "ld." space (width > 1 ? ".v" width : "") ".u32 " list ", [" address "];"
		}
	}'
}
# The sum of what they loaded.
loaded() { echo "---"; for i in $(seq 1 15); do echo "add.u32 %r0, %r0, %r$i;"; done
	echo "cvt.u64.u32 %value, %r0;"; }
shared_loads() { # NAME WIDTH
	{ shared_head; for i in 0 4 8 12; do echo "st.shared.u32 [%r20+$i], %r22;"; done; echo "---"
	  loads volatile.shared %r20 "$2"; loaded; } |
		kernel "shared_$1" all
}
# Two swaps in turn, in different registers.
shared_swaps() { # NAME WIDTH
	{ shared_head; echo "add.u32 %r23, %r20, %y;"; echo "---"
	  awk -v width="$2" '
		function list(k,  w, text) {
			for (w = 0; w < width; w++)
				text = text (w ? "," : "") "%r" k * width + w
			return width > 1 ? "{" text "}" : text
		}
		BEGIN {
			type = (width > 1 ? ".v" width : "") ".u32 "
			for (i = 0; i < 64; i++) {
				k = i % 2 * 2
				print "ld.volatile.shared" type list(k) ", [%r20];"
				print "ld.volatile.shared" type list(k + 1) ", [%r23];"
				print "st.volatile.shared" type "[%r20], " list(k + 1) ";"
				print "st.volatile.shared" type "[%r23], " list(k) ";"
			}
		}'
	  echo "---"; echo "mov.u64 %value, 0;"; } | kernel "shared_$1" all
}
file shared "shared memory: accesses by stride, by width, loads and stores"
shared_loads load32 1
shared_loads load64 2
shared_loads load128 4
shared_swaps swap32 1
shared_swaps swap64 2
shared_swaps swap128 4
{ shared_head; echo "st.shared.u32 [%r20], %r20;"; echo "---"; chain "ld.shared.u32 %r20, [%r20];"
  low_word %r20; } | kernel shared_chain last

file barrier "bar.sync, one after the other"
{ echo "mov.u32 %r0, 0;"; echo "---"; repeat 64 "bar.sync 0;"; low_word %r0; } | kernel barrier all

# Lane l takes path l mod x of 32; each path is 16 dependent multiplications.
file divergence "a warp whose lanes go x ways"
{ echo "mov.f32 %f0, 0f3f800000;"; echo "rem.u32 %r0, %thread, %x;"; echo "---"
  for path in $(seq 0 31); do
	echo "setp.ne.u32 %q, %r0, $path;"; echo "@%q bra PAST$path;"
	repeat 16 "fma.rn.f32 %f0, %f0, %fy, %fy;"; echo "PAST$path:"
  done; float_word %f0; } | kernel divergence last

# Constants: as gpumembench reads them, an addition to each 32-bit word, 16 words between reads in a row.
constants() { # NAME TYPE WIDTH
	{ for i in $(seq 16 23); do echo "mov.u32 %r$i, 0;"; done
	  awk 'BEGIN { for (i = 0; i < 64; i++) print "ld.const.u32 %r" i % 16 ", [table+" 64 * i "];" }'
	  echo "---"
	  awk -v type="$2" -v width="$3" '
		function list(first,  w, text) {
			for (w = 0; w < width; w++)
				text = text (w ? "," : "") "%r" first + w
			return width > 1 ? "{" text "}" : text
		}
		BEGIN {
			for (i = 0; i < 256; i++) {
				k = i % 4 # four loads are under way
				print "ld.const." type " " list(4 * k) ", [table+" i * 16 "];"
				for (j = 0; k == 3 && j < 4; j++)
					for (w = 0; w < width; w++) {
						sum = 16 + (j * width + w) % 8
						print "add.u32 %r" sum ", %r" sum ", %r" 4 * j + w ";"
					}
			}
		}'
	  echo "---"; echo "mov.u32 %r28, 0;"
	  for i in $(seq 16 23); do echo "add.u32 %r28, %r28, %r$i;"; done
	  echo "cvt.u64.u32 %value, %r28;"; } | kernel "constant_$1" all
}
file constant "the constant cache: the same word for all threads, by width"
echo; echo ".const .align 16 .u32 table[1024] = {"
awk 'BEGIN {
	for (i = 0; i < 1024; i++)
		printf "%d%s", i + 1, i < 1023 ? (i % 32 == 31 ? ",\n" : ",") : "\n"
}'
echo "};"
constants load32 u32 1
constants load64 v2.u32 2
constants load128 v4.u32 4
# Lane l reads word l mod x of a line.
{ echo "rem.u32 %r20, %thread, %x;"; echo "mul.wide.u32 %d20, %r20, 4;"; echo "mov.u64 %d21, table;"
  echo "add.u64 %d20, %d20, %d21;"; echo "---"
  loads const %d20 1; loaded; } | kernel constant_distinct all

# Global loads that hit in the L1: the CTA reads its own x bytes again and again.
file l1 "the L1: coalesced loads that hit, by width, and loads with a stride"
l1_loads() { # NAME WIDTH
	{ echo "mul.wide.u32 %d20, %thread, %x;"; echo "add.u64 %d20, %data, %d20;"
	  echo "ld.global.u32 %r0, [%d20];"; echo "---"
	  loads global.ca %d20 "$2"; loaded; } | kernel "l1_$1" all
}
l1_loads load32 1
l1_loads load64 2
l1_loads load128 4

file control "special registers, branches, instructions whose guard is false"
{ echo "mov.u32 %r0, 0;"; echo "---"; repeat 128 "mov.u32 %r1, %clock;"
  low_word %r0; } | kernel control_clock last
{ echo "mov.u32 %r0, 0;"; echo "---"
  repeat 128 "mov.u32 %r1, %tid.x;" "mov.u32 %r2, %laneid;" "mov.u32 %r3, %ctaid.x;" "mov.u32 %r4, %ntid.x;"
  echo "---"; echo "add.u32 %r1, %r1, %r2;"; echo "add.u32 %r3, %r3, %r4;"; echo "add.u32 %r0, %r1, %r3;"
  echo "cvt.u64.u32 %value, %r0;"; } |
	kernel control_sreg last
{ echo "setp.eq.u32 %q, %x, 1;"; echo "mov.u32 %r0, 0;"; echo "---"
  for i in $(seq 0 127); do echo "@%q bra DONE;"; done; echo "DONE:"
  low_word %r0; } | kernel control_not_taken last
{ echo "setp.eq.u32 %q, %x, 1;"; echo "mov.u32 %r0, 0;"; echo "---"
  for i in $(seq 0 127); do echo "@%q bra TO$i;"; echo "add.u32 %r0, %r0, 1;"; echo "TO$i:"; done
  low_word %r0; } | kernel control_taken last
{ echo "setp.eq.u32 %q, %x, 1;"; echo "mov.u32 %r0, %y;"; numbers "mov.u32 %r#, %y;"; echo "---"
  repeat 128 "@%q add.u32 %r0, %r0, 1;"; low_word %r0; } |
	kernel control_guarded last

# `repeats` is a time in cycles here: warps go on until it is over and say how often they went round, so that
# a scheduler that prefers some of them leaves no tail behind. The clock is read ahead of the barrier: behind
# it, some are late already.
file occupancy "one dependent chain in each warp: how many warps hide the latency"
{ echo "mov.u32 %r0, %x;"; echo "mov.u32 %r1, %y;"; echo "mov.u32 %r2, 0;"; echo "---"
  repeat 128 "add.u32 %r0, %r0, %r1;" "add.u32 %r1, %r1, %r0;"; echo "---"; echo "add.u32 %r1, %r1, %r0;"
  echo "mov.b64 %value, {%r1, %r2};"; } |
	kernel occupancy timed

# Values that differ by lane, since what is the same for all lanes may be computed by a unit for uniform values
# (sm_75 and later). A link works on A and the operands X and Y, which are the same for all; B, F and G are
# other registers, of 32 bits, f32 and f64. lanes.c has the same links.
file lanes "instructions on values that differ by lane: dependent chains in one warp, and eight in all warps" 7.0 sm_80
lanes() { # NAME "link"
	link=$(echo "$2" | sed 's/\<A\>/%r0/g; s/\<X\>/%x/g; s/\<Y\>/%y/g; s/\<B\>/%r8/g; s/\<F\>/%f0/g; s/\<G\>/%g0/g')
	links=$(echo "$2" | sed 's/\<A\>/%r#/g; s/\<X\>/%x/g; s/\<Y\>/%y/g; s/\<B\>/%r1#/g; s/\<F\>/%f#/g; s/\<G\>/%g#/g')
	{ echo "add.u32 %r0, %x, %thread;"; echo "---"; chain "$link"; low_word %r0; } | kernel "lanes_latency_$1" last
	{ numbers "add.u32 %r#, %x, %thread;"; echo "---"; stream "$links"; echo "---"
	  numbers "add.u32 %r28, %r28, %r#;" | sed '1s/.*/mov.u32 %r28, %r0;/'
	  echo "cvt.u64.u32 %value, %r28;"; } | kernel "lanes_rate_$1" all
}
lanes min_max "min.u32 A, A, X; max.u32 A, A, Y;"
lanes shift "shl.b32 A, A, Y;"
lanes reverse "brev.b32 A, A;"
lanes count "popc.b32 A, A;"
lanes leading "bfind.u32 A, A;"
lanes multiply "mul.lo.u32 A, A, Y;"
lanes high "mul.hi.u32 A, A, X;"
lanes sad "sad.u32 A, A, X, Y;"
lanes guard "setp.gt.u32 %q, A, Y; @%q add.u32 A, A, X;"
lanes select "setp.gt.u32 %q, A, Y; selp.u32 A, X, Y, %q;"
lanes f32_s32 "cvt.rn.f32.s32 F, A; mov.b32 A, F;"
lanes s32_f32 "mov.b32 F, A; cvt.rzi.s32.f32 A, F;"
lanes f64_f32 "mov.b32 F, A; cvt.f64.f32 G, F; mov.b64 {B, A}, G;"
lanes f32_f64 "mov.b32 F, A; cvt.f64.f32 G, F; cvt.rn.f32.f64 F, G; mov.b32 A, F;"
lanes f64_s32 "cvt.rn.f64.s32 G, A; mov.b64 {B, A}, G;"
lanes s32_f64 "cvt.rn.f64.s32 G, A; cvt.rzi.s32.f64 A, G;"
lanes f16_f32 "mov.b32 F, A; cvt.rn.f16x2.f32 A, F, F;"
lanes shuffle "shfl.sync.bfly.b32 A, A, 1, 31, 0xffffffff;"
lanes vote "setp.gt.u32 %q, A, Y; vote.sync.ballot.b32 A, %q, 0xffffffff;"
lanes match "match.any.sync.b32 A, A, 0xffffffff;"
lanes reduce "redux.sync.add.u32 A, A, 0xffffffff;"
