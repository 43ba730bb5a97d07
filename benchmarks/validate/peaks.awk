# peaks.awk -- the kernels of peaks.sh: each thread repeats one instruction, and stores the cycles that it took at
# index thread of p. -v target=sm_80 -v strides="1 2 3"
function head(name, registers) {
	print ".visible .entry " name "(.param .u64 p)\n{\n.reg .b32 %r<16>, %a<16>, %c<64>;\n.reg .f32 %f<64>;\n.reg .f64 %d<16>, %e<4>;"
	print ".reg .b64 %rd<8>, %t<4>;\n.reg .pred %q;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;"
	print "mov.u32 %r3, %ctaid.x;\nmad.lo.u32 %r3, %r3, " block ", %r1;"
	print "mul.wide.u32 %rd2, %r3, 8;\nadd.s64 %rd2, %rd2, %rd1;\nmov.u64 %rd3, %rd2;"
	for (i = 0; i < 16; i++) print "mov.b32 %a" i ", 0;"
	for (i = 0; i < 64; i++) print "mov.b32 %c" i ", %r1;\nmov.f32 %f" i ", 0f00000000;"
	for (i = 0; i < 16; i++) print "mov.f64 %d" i ", 0d0000000000000000;"
	for (i = 0; i < 4; i++) print "mov.f64 %e" i ", 0d0000000000000000;"
}
function begin(name) { print "bar.sync 0;\nmov.u64 %t0, %clock64;\n" name "_again:" }
# sums: what must not be removed, a list of registers with their type behind a colon
# waits: the last result has come before the time is taken
function end(name, rounds, first, last, type, waits,   i) {
	print "add.u32 %r2, %r2, 1;\nsetp.lt.u32 %q, %r2, " rounds ";\n@%q bra " name "_again;"
	if (waits) print (type == "f" ? "add.f32 %f0, %f0, %f1;" : "add.u32 %c0, %c0, 1;")
	print "bar.sync 0;\nmov.u64 %t1, %clock64;"
	print "sub.u64 %t2, %t1, %t0;\nst.global.u64 [%rd2], %t2;"
	for (i = first; i <= last; i++)
		print "st.global." (type == "c" ? "b32 [%rd2+65536], %c" : type == "f" ? "f32 [%rd2+65536], %f" : "f64 [%rd2+65536], %d") i ";"
	print "ret;\n}"
}
function list(register, from, count,   i, text) {
	for (i = 0; i < count; i++) text = text (i ? ", " : "") "%" register (from + i)
	return "{" text "}"
}
function product(name, instruction, type, a, b, c,   i) { # c: registers of an accumulator; four of them
	head(name)
	begin(name)
	for (i = 0; i < 4; i++)
		print instruction " " list(type, i * c, c) ", " list(type == "d" ? "e" : "a", 0, a) ", " list(type == "d" ? "e" : "a", type == "d" ? 1 : a, b) ", " list(type, i * c, c) ";"
	end(name, 64, 0, 4 * c - 1, type)
}
BEGIN {
	print ".version " (target == "sm_80" ? "8.0" : "6.4") "\n.target " target "\n.address_size 64"
	if (target == "sm_60") {
	} else if (target == "sm_70") {
		product("mma_f16", "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "f", 8, 8, 8)
	} else {
		product("mma_f16", "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f", 4, 2, 4)
		product("mma_bf16", "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", "f", 4, 2, 4)
		product("mma_tf32", "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "f", 4, 2, 4)
		product("mma_s8", "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", "c", 4, 2, 4)
		product("mma_f64", "mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "d", 1, 1, 2)
	}
	head("shuffle")
	begin("shuffle")
	for (i = 0; i < 8; i++) print "shfl.sync.bfly.b32 %c" i ", %c" i ", 1, 31, -1;"
	end("shuffle", 64, 0, 7, "c")
	head("half2")
	begin("half2")
	for (i = 0; i < 256; i++) print "fma.rn.f16x2 %c" i % 8 ", %c" i % 8 ", %c9, %c10;"
	end("half2", 128, 0, 7, "c")
	head("atomic")
	begin("atomic")
	print "atom.global.add.u32 %c0, [%rd1+131072], 10;"
	end("atomic", 16, 0, 0, "c", 1)
	head("atomic_float")
	begin("atomic_float")
	print "atom.global.add.f32 %f0, [%rd1+131072], 0f3F800000;"
	end("atomic_float", 16, 0, 0, "f", 1)
	print ".shared .align 16 .b8 words[1024];"
	head("shared_uniform")
	print "mov.u32 %r4, words;"
	begin("shared_uniform")
	for (i = 0; i < 8; i++) print "ld.shared.v4.f32 " list("f", 4 * i, 4) ", [%r4+" 16 * i "];"
	end("shared_uniform", 64, 0, 31, "f")
	n = split(strides, stride, " ")
	for (k = 1; k <= n; k++) {
		name = "stride_" stride[k]
		head(name)
		print "mul.lo.u32 %r5, %r1, " stride[k] ";\nmul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd4, %rd4, %rd1;"
		begin(name)
		for (i = 0; i < 16; i++) print "ld.global.ca.b32 %c" i ", [%rd4];"
		end(name, 64, 0, 15, "c")
	}
}
