#!/bin/sh
# tests/cli/triton.sh BUILD -- NumPy's files as arguments and results of `lockstep launch`, byte by byte, and
# files that cannot be taken; launches from a file; the example of docs/user/triton.md against a softmax in
# awk; with NumPy also lockstep.triton of the package in python.
. tests/lib.sh
lockstep=$(realpath "$lockstep")
here=$PWD
cd "$out" || exit 1

cat >nothing.ptx <<-'END'
	.version 7.0
	.target sm_80
	.address_size 64
	.visible .entry nothing(.param .u64 p) { ret; }
	.visible .entry two(.param .u64 p, .param .u64 q) { ret; }
	.visible .entry sum(.param .u64 p, .param .u64 q) {
	.reg .b32 %r<3>; .reg .b64 %p<3>;
	ld.param.u64 %p1, [p]; ld.param.u64 %p2, [q];
	st.global.u32 [%p1], 5; ld.global.u32 %r1, [%p2+4]; st.global.u32 [%p2+8], %r1;
	ld.global.u32 %r2, [%p2]; st.global.u32 [%p2+4], %r2; ret; }
END
launch() {
	kernel=$1
	shift
	"$lockstep" launch nothing.ptx "$kernel" -f -q -o "" -g 1 -b 1 "$@"
}

# works COMMAND...: without a word
works() {
	"$@" >log 2>&1
	expect "$*" [ $? = 0 -a ! -s log ]
}

# byte N...: bytes by number
byte() { for n; do printf "\\$(printf %03o "$n")"; done; }
# npy VERSION HEAD: the file on stdout; the elements from stdin
npy() {
	printf '\223NUMPY'
	case $1 in
	1) byte 1 0 $((${#2} % 256)) $((${#2} / 256)) ;;
	*) byte "$1" 0 $((${#2} % 256)) $((${#2} / 256)) 0 0 ;;
	esac
	printf '%s' "$2"
	cat
}
pattern() { byte 0 60 0 192 255 123 1 0 128 63 73 64 0 0 128 191 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16; }

# there_and_back CODE BYTES: type, shape and elements come back as they were
there_and_back() {
	count=$((32 / $2))
	pattern | npy 1 "{'descr': '$1', 'fortran_order': False, 'shape': ($((count / 2)), 2), }
" >in.npy
	works launch nothing -a npy:in.npy --save 0:back.npy
	head=$(tail -c +11 back.npy | head -n 1)
	expect "$1: the head: $head" [ "${head%%\}*}" = \
		"{'descr': '$1', 'fortran_order': False, 'shape': ($((count / 2)), 2), " ]
	pattern >want
	tail -c 32 back.npy >got
	expect "$1: the elements" cmp want got
	expect "$1: the elements begin at a multiple of 64" [ $((($(wc -c <back.npy) - 32) % 64)) = 0 ]
}
for code in '|u1' '|i1' '|b1' '|V1'; do there_and_back "$code" 1; done
for code in '<u2' '<i2' '<f2' '|V2'; do there_and_back "$code" 2; done
for code in '<u4' '<i4' '<f4' '|V4'; do there_and_back "$code" 4; done
for code in '<u8' '<i8' '<f8' '|V8'; do there_and_back "$code" 8; done

# what is read: heads in every notation that Python allows
# reads TEXT VERSION HEAD ARGUMENT
reads() {
	pattern | npy "$2" "$3" >in.npy
	answers 0 "$1" launch nothing -a "$4" --print 0:4
}
plain="{'descr': '<f2', 'fortran_order': False, 'shape': (16,), }"
reads "argument 0, f16.16.:
       0: 1 -2 65504 5.9605e-08" 1 "$plain" npy:in.npy
reads "f16.16." 2 "$plain" npy:in.npy
reads "f16.16." 3 "$plain   " npy:in.npy
reads "f16.16." 1 '{"shape":(4L,4L),"fortran_order":False,"descr":"<f2"}' npy:in.npy
reads "f16.16." 1 "{'descr': '=f2', 'fortran_order': True, 'shape': (1, 16, 1)}" npy:in.npy
reads "bf16.16.:
       0: 0.0078125 -2" 1 "{'descr': '<u2', 'fortran_order': False, 'shape': (16,), }" "bf16[]=npy:in.npy"
reads "s32.8." 1 "{'descr': '<u4', 'fortran_order': False, 'shape': (2, 2, 2), }" "s32[8]=npy:in.npy"
byte 7 0 0 0 | npy 1 "{'descr': '<i4', 'fortran_order': False, 'shape': (), }" >in.npy
answers 0 "s32.1.:
       0: 7" launch nothing -a npy:in.npy --print 0
works launch nothing -a npy:in.npy --save 0:back.npy
expect "a shape without dimensions" grep -q "'shape': (), }" back.npy

# what is refused, with its place
# refused TEXT VERSION HEAD [ARGUMENT]
refused() {
	pattern | npy "$2" "$3" >in.npy
	answers 2 "$1" launch nothing -a "${4:-npy:in.npy}"
}
refused "in.npy: byte 6: version 4 of the format; expected 1 to 3" 4 "$plain"
refused "byte 20: type '>f4' is big-endian; expected '<f4'" 1 "{'descr': '>f4', 'fortran_order': False, 'shape': (8,)}"
refused "byte 20: type '<c8'; expected one of f2 f4 f8" 1 "{'descr': '<c8', 'fortran_order': False, 'shape': (4,)}"
refused "byte 20: type '|O'; expected" 1 "{'descr': '|O', 'fortran_order': False, 'shape': (4,)}"
refused "byte 20: type '<U16'; expected" 1 "{'descr': '<U16', 'fortran_order': False, 'shape': (4,)}"
refused "byte 20: type '<'; expected" 1 "{'descr': '<', 'fortran_order': False, 'shape': (4,)}"
refused "byte 20: an array of structures" 1 "{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (8,)}"
refused "the array is in Fortran order" 1 "{'descr': '<f4', 'fortran_order': True, 'shape': (4, 2)}"
refused "expected True or False" 1 "{'descr': '<f4', 'fortran_order': Maybe, 'shape': (4, 2)}"
refused "the head has no descr" 1 "{'fortran_order': False, 'shape': (4, 2)}"
refused "the head has no shape" 1 "{'descr': '<f4', 'fortran_order': False}"
refused "unknown key 'type'" 1 "{'type': '<f4'}"
refused "32 bytes follow, but shape (9,) of f4 takes 36" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (9,)}"
refused "32 bytes follow, but shape (7,) of f4 takes 28" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}"
refused "shape (4, 0) has no elements" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (4, 0)}"
refused "expected a number or ')'" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (4, -2)}"
refused "the array is too large" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776, 1099511627776)}"
refused "a dimension above" 1 "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}"
refused "expected '}'" 1 "{'descr': '<f4' 'shape': (8,)}"
refused "expected a word" 1 "{'descr"
refused "expected '{'" 1 "(8,)"
refused "16 elements of 2 bytes, not 16 of 4" 1 "$plain" "f32[]=npy:in.npy"
refused "16 elements of 2 bytes, not 15 of 2" 1 "$plain" "f16[15]=npy:in.npy"
printf 'PK\003\004 a zip' >in.npy
answers 2 "byte 0: no .npy file" launch nothing -a npy:in.npy
printf '\223NUMPY' >in.npy
answers 2 "byte 0: no .npy file" launch nothing -a npy:in.npy
pattern | npy 1 "$plain" | head -c 40 >in.npy
answers 2 "byte 8: the file is cut off in its head" launch nothing -a npy:in.npy
printf '\223NUMPY\002\000\001' >in.npy
answers 2 "byte 8: the file is cut off in its head" launch nothing -a npy:in.npy
answers 2 "nosuch.npy" launch nothing -a npy:nosuch.npy

# short floating point: rounded to the nearest, ties to even
# rounds TYPE VALUE BITS: two bytes, the lower one first
rounds() {
	works launch nothing -a "$1[1]=const($2)" --save 0:got
	expect "$1 $2: $(od -An -tx2 got)" [ "$(od -An -tx2 got)" = " $3" ]
}
rounds f16 0.1 2e66
rounds f16 -0 8000
rounds f16 65519 7bff
rounds f16 2049 6800
rounds f16 2051 6802
rounds f16 1e-7 0002
rounds f16 2.9e-8 0000
rounds f16 6.1e-5 03ff
rounds f16 -inf fc00
rounds bf16 0.1 3dcd
rounds bf16 3e38 7f62
rounds bf16 1e-40 0001
answers 2 "expected a number that f16 can hold" launch nothing -a "f16[1]=const(65520)"

# shapes of what is made here, and one buffer for two arguments
works launch nothing -a "f16[2,3]=zero" --save 0:back.npy
expect "f16[2,3] is a shape" grep -q "'descr': '<f2', 'fortran_order': False, 'shape': (2, 3), }" back.npy
answers 2 "expected a number of elements" launch nothing -a "f16[2,]=zero"
answers 2 "expected a number of elements" launch nothing -a "f16[1G,1G]=zero"
answers 0 "       0: 5 5 1 3" launch sum -a "u32[4]=iota" -a same:0 --print 1
answers 2 "expected the number of an earlier argument" launch sum -a same:1 -a "u32[4]=iota"
answers 2 "expected the number of an earlier argument" launch sum -a u64=0 -a same:0

# clusters
cat >cluster.ptx <<-'END'
	.version 8.0
	.target sm_90
	.address_size 64
	.visible .entry k(.param .u64 p) { .reg .b32 %r<3>; .reg .b64 %p<3>;
	ld.param.u64 %p1, [p]; mov.u32 %r1, %cluster_nctaid.x; mov.u32 %r2, %ctaid.x;
	mad.wide.u32 %p2, %r2, 4, %p1; st.global.u32 [%p2], %r1; ret; }
END
answers 0 "       0: 2 2 2 2" "$lockstep" launch cluster.ptx k -c h200 -f -q -o "" -g 4 -b 32 --cluster 2 \
	-a "u32[4]=zero" --print 0
answers 1 "kernel k cannot be launched" "$lockstep" launch cluster.ptx k -c h200 -f -q -o "" -g 4 -b 32 \
	--cluster 3 -a "u32[4]=zero"

# launches from a file
mkdir -p folder
cp nothing.ptx folder
pattern >folder/p.bin
printf '# a comment\n\nptx nothing.ptx\n  kernel sum \r\ngrid 1\nblock 1\narg u32[4]=iota\narg u32[]=file:p.bin\nsave 0:s.npy\n' \
	>folder/d.launch
answers 0 "       0: 5 1 2 3" "$lockstep" launch folder/d.launch -f -q -o "" --print 0
expect "results lie in the folder of the file" [ -s folder/s.npy ]
answers 2 "--grid 0: expected" "$lockstep" launch folder/d.launch -f -q -o "" --grid 0
# wrong STATUS TEXT LINE...
wrong() {
	status_=$1 text=$2
	shift 2
	printf '%s\n' "$@" >d.launch
	answers "$status_" "$text" "$lockstep" launch d.launch -f -q -o ""
}
wrong 1 "d.launch:2: error: unknown option --gird; did you mean --grid?" "ptx nothing.ptx" "gird 1"
wrong 1 "d.launch:1: error: --grid 0: expected" "grid 0"
wrong 1 "d.launch:1: error: option --ptx needs a value" ptx
wrong 1 "there is no line 'ptx FILE.ptx'" "kernel sum"
wrong 1 "there is no line 'kernel NAME'" "ptx nothing.ptx"
wrong 2 "the --block is missing" "ptx nothing.ptx" "kernel sum" "grid 1"
answers 1 "nosuch.launch" "$lockstep" launch nosuch.launch
answers 2 "too few operands" "$lockstep" launch nothing.ptx

# the example of docs/user/triton.md, against rows that are computed here
# softmax_is_right FILE: the input and the output as they were printed
softmax_is_right() {
	awk '/^argument/ { array++; n = 0; next }
		{ for (i = 2; i <= NF; i++) v[array, n++] = $i }
		END {
			if (array != 2 || n != 2400) exit 1
			for (row = 0; row < 12; row++) {
				most = -1e30; sum = 0
				for (i = row * 200; i < row * 200 + 200; i++) if (v[1, i] > most) most = v[1, i]
				for (i = row * 200; i < row * 200 + 200; i++) sum += exp(v[1, i] - most)
				for (i = row * 200; i < row * 200 + 200; i++) {
					e = exp(v[1, i] - most) / sum - v[2, i]
					if (e < 0) e = -e
					if (e > 3e-6 * v[2, i]) exit 1
				}
			}
		}' "$1"
}
for mode in "-c a100" "-f"; do
	"$lockstep" launch "$here/docs/examples/triton/softmax.launch" $mode -q -o "" --print 1 --print 0 >log 2>&1
	expect "softmax.launch $mode" softmax_is_right log
done

# the helper
if ! python3 -c 'import numpy' 2>no_numpy; then
	echo "skipped: lockstep.triton (no NumPy)"
	finish
fi
PYTHONPATH=$here/python:${PYTHONPATH:-} python3 - "$lockstep" "$here/docs/examples/triton" >log 2>&1 <<-'END'
	import sys
	import numpy as np
	from types import SimpleNamespace
	from lockstep.triton import _float_bits, _parameters, write_launch
	lockstep, folder = sys.argv[1:]
	names = ["output_ptr", "input_ptr", "input_row_stride", "output_row_stride", "n_cols"]
	signature = dict(zip(names, ["*fp32", "*fp32", "i32", "i32", "i32"]), BLOCK_SIZE="constexpr")
	kernel = SimpleNamespace(asm={"ptx": open(folder + "/softmax_kernel.ptx").read()},
	    metadata={"name": "softmax_kernel", "num_warps": 4, "shared": 16, "global_scratch_size": 8},
	    src=SimpleNamespace(signature=signature))
	x = np.load(folder + "/x.npy")
	want = np.exp(x - x.max(1, keepdims=True)); want /= want.sum(1, keepdims=True)
	def run(y, x):
	    args = dict(zip(names, [y, x, x.strides[0] // 4, y.strides[0] // 4, 200]), BLOCK_SIZE=256)
	    launch = write_launch("written", kernel, (12,), args, ["output_ptr"])
	    launch.run(lockstep, ["-f", "-q", "-o", ""])
	    return launch.result("output_ptr")
	def fails(text, call):
	    try:
	        call()
	    except ValueError as error:
	        assert text in str(error), error
	    else:
	        raise AssertionError(text)
	assert np.allclose(run(np.zeros_like(x), x), want, rtol=1e-6)
	assert "arg u8[96]=zero\n" in open("written/kernel.launch").read()
	wide = np.zeros((12, 256), np.float32)
	view = run(wide[:, :200], x)
	assert view.shape == x.shape and view.strides == (1024, 4) and np.allclose(view, want, rtol=1e-6)
	both = x.copy()
	assert np.allclose(run(both, both), want, rtol=1e-6)
	assert "arg same:0" in open("written/kernel.launch").read()
	rows = np.zeros((13, 200), np.float32)
	fails("overlap in part", lambda: run(rows[:12], rows[1:]))
	fails("not given: n_cols", lambda: write_launch("w", kernel, (1,), dict(zip(names[:4], [x, x, 1, 1]))))
	fails("no tensors", lambda: write_launch("w", kernel, (1,), dict.fromkeys(names, 1), ["n_cols"]))
	kernel.src = None
	fails("2 parameters less", lambda: write_launch("w", kernel, (1,), dict.fromkeys("abcdefghi", 1)))
	assert _parameters(".entry k(.param .align 64 .b8 d[128], .param .f32 f)", "k") == ["b8[128]", "f32"]
	assert [_float_bits(0.1, 16, k) for k in ("bf16", "fp16")] == [0x3DCD, 0x2E66]
	print("all fine")
END
expect "lockstep.triton" grep -q "^all fine" log || log_tail 20
finish
