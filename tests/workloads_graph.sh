#!/bin/sh
# tests/workloads_graph.sh BUILD -- graphs from files: what the benchmarks of the suite lonestar make of
# DIMACS and Matrix Market files, and what they say of broken ones: the file, the line, and what was expected.
. tests/lib.sh

# start PROGRAM FILE: status and $out/out, both streams
start() {
	"$build/bin/lockstep" run --functional -q -o "" -- "$build/bench/lonestar/$1" --graph "$2" \
		>"$out/out" 2>&1 </dev/null
}

judge() {
	if [ "$1" = yes ]; then ok; else
		not_ok "$2"
		cat "$out/out"
	fi
}

# reads PROGRAM FILE LINE...: the program passes and prints these lines
reads() {
	program=$1 file=$2 good=yes
	shift 2
	start "$program" "$file" || good=no
	for line; do grep -qxF -e "$line" "$out/out" || good=no; done
	judge $good "$program $file"
}

# rejects FILE MESSAGE TEXT: a file of this text (as printf knows it) is refused with this message, and
# nothing else is said
rejects() {
	good=no
	printf "$3" >"$out/$1"
	start bfs "$out/$1"
	status=$?
	grep -qxF -e "$out/$1:$2" "$out/out" && [ $status = 1 ] && [ "$(wc -l <"$out/out")" = 1 ] && good=yes
	judge $good "$1: exit status $status, expected 1 and: $2"
}

# -- what is right --

for file in tests/graphs/six.gr tests/graphs/six.mtx; do
	reads bfs $file "bfs: 7 nodes, 12 edges: PASS" "bfs: 6 of 7 nodes reached, the farthest at 2"
	reads sssp $file "sssp: 7 nodes, 12 edges: PASS" "sssp: 6 of 7 nodes reached, the farthest at 20"
	reads mst $file "mst: 7 nodes, 12 edges: PASS" "mst: weight 34"
done
reads sssp tests/graphs/chain.mtx "sssp: 5 nodes, 9 edges: PASS" \
	"sssp: 5 of 5 nodes reached, the farthest at 15"
reads mst tests/graphs/chain.mtx "mst: weight 15"
reads bfs tests/graphs/star.mtx "bfs: 4 nodes, 6 edges: PASS" "bfs: 4 of 4 nodes reached, the farthest at 1"
reads sssp tests/graphs/star.mtx "sssp: 4 of 4 nodes reached, the farthest at 1"
printf 'p sp 2 1\r\na 1 2 2147483646\r\n' >"$out/far.gr"
reads sssp "$out/far.gr" "sssp: 2 of 2 nodes reached, the farthest at 2147483646"
for kind in uniform rmat grid; do reads bfs $kind; done

# -- what is not --

graph='p sp 3 2\na 1 2 5\n'
rejects no-header.gr "1: an edge before the header \"p sp NODES EDGES\"" 'a 1 2 5\n'
rejects only-comments.gr "3: the file ends without a header \"p sp NODES EDGES\"" 'c one\nc two\n'
rejects empty.gr "1: the file ends without a header \"p sp NODES EDGES\"" ''
rejects two-headers.gr "2: a second header" 'p sp 3 2\np sp 3 2\n'
rejects other-problem.gr "1: the problem is \"max\": expected \"p sp NODES EDGES\"" 'p max 3 2\n'
rejects no-count.gr "1: the number of edges is missing" 'p sp 3\n'
rejects long-header.gr "1: \"9\" is too much on this line" 'p sp 3 2 9\n'
rejects no-nodes.gr "1: the number of nodes is 0: expected 1 to 2147483646" 'p sp 0 0\n'
rejects many-edges.gr "1: the number of edges is 2147483648: expected 0 to 2147483647" 'p sp 3 2147483648\n'
rejects most-edges.gr "1: the number of edges is 99999999999999999999: expected 0 to 2147483647" \
	'p sp 3 99999999999999999999\n'
rejects other-line.gr "3: \"e\": expected a line that begins with c, p or a" "${graph}e 1 2 5\n"
rejects index-zero.gr "3: the first node is 0: expected 1 to 3" "${graph}a 0 2 5\n"
rejects index-high.gr "3: the second node is 4: expected 1 to 3" "${graph}a 1 4 5\n"
rejects no-weight.gr "3: the weight is missing" "${graph}a 1 2\n"
rejects word.gr "3: the weight is \"five\": expected a whole number" "${graph}a 1 2 five\n"
rejects half.gr "3: the weight is \"1.5\": expected a whole number" "${graph}a 1 2 1.5\n"
rejects negative.gr "3: the weight is -5: expected 0 to 2147483647" "${graph}a 1 2 -5\n"
rejects heavy.gr "3: the weight is 2147483648: expected 0 to 2147483647" "${graph}a 1 2 2147483648\n"
rejects too-much.gr "3: \"6\" is too much on this line" "${graph}a 1 2 5 6\n"
rejects too-few.gr "3: the file ends after 1 of the 2 edges of the header" "$graph"
rejects too-many.gr "4: more edges than the 2 of the header" "${graph}a 1 3 5\na 2 3 5\n"
rejects zero-byte.gr "3: a zero byte: this is no text" "${graph}a 1\\000 2 5\n"
rejects long-word.gr "3: a word of 47 characters" \
	"${graph}a 00000000000000000000000000000000000000000000001 2 5\n"
rejects no-edges.gr " a graph without edges" 'p sp 3 0\n'
rejects graph.txt " a graph is uniform, rmat, grid or a file *.gr (DIMACS) or *.mtx (Matrix Market)" "$graph"

banner='%%%%MatrixMarket matrix coordinate real general\n'
lower='%%%%MatrixMarket matrix coordinate integer symmetric\n'
rejects empty.mtx "1: the file is empty" ''
rejects no-banner.mtx "1: the first word is \"3\": expected %%MatrixMarket" '3 3 1\n1 2 5\n'
rejects object.mtx "1: the object is \"vector\": expected matrix" \
	'%%%%MatrixMarket vector coordinate real general\n'
rejects array.mtx "1: the format is \"array\": expected coordinate" \
	'%%%%MatrixMarket matrix array real general\n'
rejects complex.mtx "1: the field is \"complex\": expected pattern, integer or real" \
	'%%%%MatrixMarket matrix coordinate complex general\n'
rejects skew.mtx "1: the symmetry is \"skew-symmetric\": expected general or symmetric" \
	'%%%%MatrixMarket matrix coordinate real skew-symmetric\n'
rejects short.mtx "1: the symmetry is \"\": expected general or symmetric" \
	'%%%%MatrixMarket matrix coordinate real\n'
rejects no-sizes.mtx "3: the file ends without a line \"ROWS COLUMNS ENTRIES\"" "$banner%%%% and no more\n"
rejects oblong.mtx "2: a graph is a square matrix" "${banner}3 4 1\n"
rejects many-entries.mtx "2: the number of entries is 2147483648: expected 0 to 2147483647" \
	"${banner}3 3 2147483648\n"
rejects row.mtx "3: the row is 4: expected 1 to 3" "${banner}3 3 1\n4 1 5\n"
rejects column.mtx "3: the column is 0: expected 1 to 3" "${banner}3 3 1\n1 0 5\n"
rejects negative.mtx "3: the weight is -0.5: expected 0 to 2147483647" "${banner}3 3 1\n1 2 -0.5\n"
rejects infinite.mtx "3: the weight is \"inf\": expected a number" "${banner}3 3 1\n1 2 inf\n"
rejects overflow.mtx "3: the weight is \"1e999\": expected a number" "${banner}3 3 1\n1 2 1e999\n"
rejects missing.mtx "3: the weight is missing" "${banner}3 3 1\n1 2\n"
rejects whole.mtx "3: the weight is \"2.5\": expected a whole number" "${lower}3 3 1\n2 1 2.5\n"
rejects above.mtx "3: column 3 of row 2 is above the diagonal of a symmetric matrix" "${lower}3 3 1\n2 3 5\n"
rejects few.mtx "4: the file ends after 1 of the 2 edges of the header" "${lower}3 3 2\n2 1 5\n"
rejects many.mtx "4: more edges than the 1 of the header" "${lower}3 3 1\n2 1 5\n3 1 5\n"

start bfs "$out/nowhere.gr" && good=no || good=yes
grep -qxF "$out/nowhere.gr: No such file or directory" "$out/out" || good=no
judge $good "a file that is not there"
printf 'p sp 3 2\na 1 2 2147483000\na 2 3 1000\n' >"$out/far.gr"
start sssp "$out/far.gr" && good=no || good=yes
grep -qxF "sssp: node 3 is 2147484000 away: more than 32 bits hold" "$out/out" || good=no
judge $good "ways that are too long"

finish
