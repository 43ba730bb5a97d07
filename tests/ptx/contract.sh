#!/bin/sh
# tests/ptx/contract.sh BUILD -- frontend.contract: chip against ptxas: random blocks of mul, add and sub of f32 and
# f64, some with a rounding modifier, some results stored, must become as many multiply-adds as ptxas makes of them. Then, by hand, what the rule says of guards, blocks, modifiers and negations. With
# frontend.contract: never nothing is fused.
. tests/lib.sh
sanitized && skip_all "contract: under the sanitizers (the same counts)"
record=tests/ptx/ptxas/contract.txt
CUBIN=$out/cubin
export CUBIN
expect "cubin.c compiles" ${CC:-cc} -O1 -Wall -Wextra -Werror -o "$CUBIN" tests/ptx/cubin.c

# A file of 20 kernels each, of 3 to 12 instructions
awk -v out="$out/random" '
	function random(n) { state = (state * 1103515245 + 12345) % 2147483648; return int(state / 65536) % n }
	function kernel(name, type, bytes,   i, n, op, a, b, used, body, values, seen, i2) {
		split("", used); split("", seen)
		values = 8
		for (i = 0; i < 8; i++)
			body = body "ld.global." type " %f" i ", [%rd1+" bytes * i "];\n"
		n = 3 + random(10)
		for (i = 0; i < n; i++) {
			op = random(10)
			a = random(2) ? values - 1 - random(values < 6 ? values : 6) : random(values)
			do b = random(values); while (b == a || (op, a, b) in seen) # ptxas computes the same thing once
			for (i2 = 0; i2 < 10; i2++) seen[i2, a, b] = seen[i2, b, a] = 1
			body = body (op < 5 ? "mul" : op < 8 ? "add" : "sub") (random(12) ? "." : ".rn.") type " %f" values ", %f" a ", %f" b ";\n"
			used[a] = used[b] = 1
			values++
		}
		for (i = 8; i < values; i++)
			if (!(i in used) || !random(12))
				body = body "st.global." type " [%rd1+" 1000 + bytes * i "], %f" i ";\n"
		return ".visible .entry " name "(.param .u64 p)\n{\n.reg ." type " %f<40>;\n.reg .b64 %rd<2>;\n" \
			"ld.param.u64 %rd1, [p];\n" body "ret;\n}\n"
	}
	BEGIN {
		state = 7
		for (f = 0; f < 20; f++) {
			file = out f ".ptx"
			print ".version 8.0\n.target sm_80\n.address_size 64" >file
			for (k = 0; k < 20; k++)
				print kernel("k" k, f % 4 ? "f32" : "f64", f % 4 ? 4 : 8) >file
			close(file)
		}
	}'

ours() { # CONTRACT FILE: "KERNEL products sums multiply-adds" of all kernels in one line
	"$lockstep" ptx --uops --set frontend.contract="$1" "$2" 2>&1 | awk '
		function end() { if (kernel != "") printf "%s %d %d %d ", kernel, mul, add, fma; mul = add = fma = 0 }
		/error/ { print }
		/^kernel / { end(); kernel = $2; sub(/:$/, "", kernel) }
		{ w = $1 == ">" ? 3 : 2; name = $w ~ /^@/ ? $(w + 1) : $w }
		name ~ /^MUL_F/ { mul++ }
		name ~ /^(ADD|SUB)_F/ { add++ }
		name ~ /^(FMA|FMS|FNMA)_F/ { fma++ }
		END { end(); print "" }'
}
sorted() { tr ' ' '\n' | awk 'NF { line = line (n ? " " : "") $0 } ++n == 4 { print line; line = ""; n = 0 }' | sort; }

for f in "$out"/random*.ptx; do echo "$f"; done |
	sh tests/ptx/ptxas/ask.sh "$record" '"$PTXAS" -arch=sm_80 "$1" -o "$1.cubin" 2>/dev/null && "$CUBIN" "$1.cubin" -m' \
	>"$out/answers"
kernels=0 other=0
while read -r file answer; do
	case $answer in unknown*) continue ;; esac
	echo "$answer" | sorted | cut -d ' ' -f 1,4 >"$out/theirs"
	ours chip "$file" | sorted | cut -d ' ' -f 1,4 >"$out/ours"
	kernels=$((kernels + $(wc -l <"$out/theirs")))
	other=$((other + $(diff "$out/theirs" "$out/ours" | grep -c '^>')))
done <"$out/answers"
echo "contract: $kernels random kernels, $other with other numbers of multiply-adds than ptxas makes"
expect "400 kernels were asked about" [ "$kernels" -ge 400 ]
# one sum of two products, each of which others read, is not as predicted
expect "the rule predicts ptxas" [ "$other" -le 1 ]
ours never "$out/random1.ptx" | sorted | awk '$4 { bad = 1 } END { exit bad }' && ok || not_ok "never: nothing is fused"

# becomes NAME "products sums multiply-adds" BODY: with eight values in %f0 to %f7, a predicate in %p1
becomes() {
	{
		printf '.version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg .f32 %%f<40>;\n'
		printf '.reg .b64 %%rd<4>;\n.reg .pred %%p<4>;\nld.param.u64 %%rd1, [p];\n'
		for i in 0 1 2 3 4 5 6 7; do printf 'ld.global.f32 %%f%d, [%%rd1+%d];\n' $i $((4 * i)); done
		printf 'setp.gt.f32 %%p1, %%f7, 0f00000000;\n%s\nst.global.f32 [%%rd1], %%f20;\nret;\n}\n' "$3"
	} >"$out/one.ptx"
	got=$(ours chip "$out/one.ptx")
	expect "$1: $got, not $2" [ "${got% }" = "k $2" ]
}
becomes "one reader" "0 0 1" "mul.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f2;"
becomes "ftz of one alone" "1 1 0" "mul.ftz.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f2;"
becomes "a saturated sum" "0 0 1" "mul.f32 %f10, %f0, %f1; add.sat.f32 %f20, %f10, %f2;"
becomes "a saturated product" "1 1 0" "mul.sat.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f2;"
becomes "a guarded sum" "0 0 1" "mov.f32 %f20, %f3; mul.f32 %f10, %f0, %f1; @%p1 add.f32 %f20, %f10, %f2;"
becomes "a guarded product" "1 1 0" "mov.f32 %f10, %f3; @%p1 mul.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f2;"
becomes "another block" "1 1 0" "mul.f32 %f10, %f0, %f1; mov.f32 %f20, %f2; @%p1 bra L; add.f32 %f20, %f10, %f2; L:"
becomes "another reader" "1 1 0" "mul.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f2; max.f32 %f20, %f20, %f10;"
becomes "an operand that is overwritten" "0 1 1" "mul.f32 %f10, %f0, %f1; add.f32 %f0, %f0, %f2; add.f32 %f20, %f10, %f2;
	max.f32 %f20, %f20, %f0;"
becomes "twice the product" "1 1 0" "mul.f32 %f10, %f0, %f1; add.f32 %f20, %f10, %f10;"
finish
