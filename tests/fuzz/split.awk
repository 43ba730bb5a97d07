# tests/fuzz/split.awk -- a module of the conformance suite, cut into one file for each form:
# awk -v prefix=SEEDS/name- -f split.awk module.ptx. Its header stands before each "// name" block.
/^\/\/ / && !/^\/\/ *$/ {
	if (file != "")
		close(file)
	count++
	file = prefix count ".ptx"
	printf "%s", header > file
}
file == "" { header = header $0 "\n"; next }
{ print > file }
