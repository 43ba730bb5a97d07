# tests/ptx/modules.awk -- modules of declarations in every order, with every linkage, and of statements with every
# kind of operand; some are valid, some are not. awk -v first=N -v count=N -v folder=DIR -f modules.awk writes
# DIR/N.ptx; a text depends on its number alone.

function draw(n) { # from 0 to n - 1
	seed = (seed * 16807) % 2147483647
	return int(seed / 8) % n
}
# One of a list; the first, which is mostly the valid one, in two of three cases.
function one(list,  parts, n) {
	n = split(list, parts, "`")
	return parts[draw(3) ? 1 : 1 + draw(n)]
}
function maybe(text, of) { return draw(of) ? "" : text }

function linkage() { return one("```.visible `.visible `.extern `.weak `.common ") }
function function_linkage() { return one("````.visible `.extern `.weak ") }
function variable(  space, type, text) {
	space = one(".global`.global`.global`.const`.shared")
	type = one(".u32`.u32`.u64`.b8`.f32`.pred`.b128`.texref")
	text = linkage() one("```.align 8 `.attribute(.managed) `.align 8 .attribute(.managed) `.attribute(.managed) .align 8 `.align 3 ")
	if (!draw(4)) text = ".align 8 " space " " type
	else text = text space " " maybe(".align 4 ", 3) type
	if (draw(3)) gsub(/\.pred`\.b128`\.texref/, ".u32", text)
	text = text " " one("x`y")
	text = text one("``[4]`[4]`[2][2]`[]`[-1]`[0]`[2+2]")
	return text one("``` = 3` = {1, 2}` = -1` = 1.5` = x` = y+4` = y[1]` = f` = {1, {2}}` = generic(y)` = 0f3F800000` = -0f3F800000` = 18446744073709551616` = 0xff(y)") ";"
}
function parameter(name) {
	return one(".param .b32 `.param .b32 `.param .b64 `.param .u8 `.reg .b32 `.reg .b16 `.reg .pred `.param .align 4 .b8 `.param .f32 `.reg .v2 .b32 ") \
		name one("````[4]`[]")
}
function parameters(  n) {
	n = one("0`1`1`2")
	return n == 0 ? "" : n == 1 ? parameter("a") : parameter("a") ", " parameter("b")
}
function function_of(name) {
	return function_linkage() ".func " one("```(.param .b32 r) `(.reg .b32 r) `(.reg .b32 r, .reg .b32 s) `(.param .b8 r[]) ") \
		name one("()`(.param .b32 a)`(.param .b32 a)`(.reg .b32 a)`(" parameters() ")") \
		one("``` .noreturn") one(";`;` { ret; }` { ret; }` { " statements(1) " ret; }")
}
function integer() { return one("5`-5`0x10`010`0b11`5U`18446744073709551615`18446744073709551616`0x1ffffffffffffffff`(1+2)`-(-1)`~0`!0`1.5`%r2`x") }
function float() { return one("1.5`-1.5`0f3F800000`-0f3F800000`(0f3F800000)`+1.5`1`0d3FF0000000000000`%f2`1e3`1.5+1.5`!1.5`-%f2`.5`5.") }
function address() { return one("[x]`[y]`[x+4]`x[1]`[x[1]]`[16]`[%rd1]`[%rd1+4]`[%rd1-4]`[x-4]`[4+%rd1]`[%r1]`%rd1`x`[f]`[%rd1+-4]") }
function predicates() { return one("%p1`%p1`%p1`%p1|%p2`_`_|%p1`%p1|_`_|_") }
function vector() { return one("{%r1, %r2}`{%r1, %r2}`{%r1, _}`{_, _}`{%r1}`{%r1, %r1}`{_, %r1}`{%r1, 5}") }
function statement(  n) {
	n = draw(20)
	if (n == 0) return "mov.u64 %rd1, " one("x`x[1]`x+4`f`y[0]+4`%rd2`" integer()) ";"
	if (n == 1) return "mov.u32 %r1, " integer() ";"
	if (n == 2) return "mov.f32 %f1, " float() ";"
	if (n == 3) return "ld" one(".global`.global`.const`.shared``.local`.param") ".u32 %r1, " address() ";"
	if (n == 4) return "st" one(".global`.global`.shared``.local") ".u32 " address() ", " one("%r1`5") ";"
	if (n == 5) return "setp.eq" one("`.and") ".u32 " predicates() ", %r1, " one("0`%r2`_") one("``, %p1`, !%p1") ";"
	if (n == 6) return "mov.b64 " one("%rd1, " vector() "`" vector() ", %rd1") ";"
	if (n == 7) return "ld.global.v2.u32 " vector() ", [%rd1];"
	if (n == 8) return "call " one("`(%r1), `(%r1, %r2), `(_), ") one("f`f`g`%rd1`k") one(", (%r1)``, ()`, (5)`, (%r1, %r2)`, (%p1)") one("```, p") ";"
	if (n == 9) return "{ .param .b32 m; .param .align 4 .b8 n[4]; call " one("`(m), `(n), `(n[0]), ") one("f`g") one(", (m)``, ()`, (n)`, (n[0])`, (m, n)") "; }"
	if (n == 10) return "p: .callprototype " one("_`(.param .b32 _) _") " (" one("`.param .b32 _`.reg .b32 _") ");"
	if (n == 11) return "t: .branchtargets A, A;"
	if (n == 12) return "brx.idx %r1, t;"
	if (n == 13) return one("@%p1 `@!%p1 `@!!%p1 `@%r1 `@_ ") "bra A;"
	if (n == 14) return one(".reg .b32 z; mov.b32 z, 1;`mov.b32 z, 1; .reg .b32 z;`.reg .b32 z<4>; mov.b32 z1, 1;`.reg .b32 %r<3>;`{ .reg .b32 z; } mov.b32 z, 1;")
	if (n == 15) return one("add.u32 %r1, %r2, " integer() ";`add.f32 %f1, %f2, " float() ";`add.u32 _, %r1, 1;`add.u32 %r1, %r2, -%r1;")
	if (n == 16) return one("atom.global.add.u32 " one("%r1`_") ", " address() ", 1;`red.global.add.u32 " address() ", 1;")
	if (n == 17) return "shfl.sync.bfly.b32 " one("%r1`%r1|%p1`%r1|_`_|%p1`_") ", %r2, 1, 31, -1;"
	if (n == 18) return one("mov.u64 %rd1, g; call %rd1, p;`cvta.global.u64 %rd1, " one("x`x[1]`[x]`%rd2") ";")
	return one("bar.sync 0;`ret;`exit;`;`A: ;`{ A: }`.pragma \"nounroll\";`trap;`bra A; A: ;")
}
function statements(n,  text) {
	while (n-- > 0) text = text statement() " "
	return text
}
function entry(  text) {
	text = one(".visible `.visible `.visible `.visible `.visible ```.weak `.extern ") ".entry k(" \
		one("`````.param .u64 o`.param .b8 o[4]`.reg .b32 o") ")" \
		one("```````` .maxntid 32` .maxntid 32 .reqntid 32")
	return text " {\n" registers "p: .callprototype _ (); t: .branchtargets A, A;\n" \
		statements(1 + !draw(4)) "\n" one("A: ret; }`A: ret; }`A: ret; }`A: ret; }`A: ret; }`ret; }`A: }")
}

# Four definitions and an entry in any order, of which some are drawn
function module(  part, n, i, k, text) {
	part[1] = draw(4) ? ".global .align 8 .u32 x[4] = {1, 2};" : variable()
	part[2] = draw(4) ? ".global .u32 y[2];" : variable()
	part[3] = draw(3) ? ".func f(.param .b32 a) { ret; }" : function_of("f")
	part[4] = draw(3) ? ".func g() { ret; }" : function_of("g")
	part[5] = entry()
	n = 5
	if (!draw(6)) part[++n] = variable()
	if (!draw(4)) part[++n] = function_of(one("f`g"))
	text = one(".version 7.0`.version 7.0`.version 8.0`.version 6.4") "\n.target sm_75\n.address_size 64\n"
	for (i = n; i > 0; i--) {
		k = draw(3) ? n + 1 - i : 1 + draw(n)
		while (!(k in part)) k = k % n + 1
		text = text part[k] "\n"
		delete part[k]
	}
	return text
}
BEGIN {
	registers = ".reg .pred %p<4>; .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .f32 %f<4>;\n"
	for (i = first; i < first + count; i++) {
		seed = (i * 69621 + 1) % 2147483647
		for (warm = 0; warm < 20; warm++) draw(2)
		printf "%s", module() >(folder "/" i ".ptx")
		close(folder "/" i ".ptx")
	}
}
