# make/site/opcodes.awk -- the page of PTX's opcodes from the rows OPCODE FORMS EXECUTED REFUSED.
BEGIN {
	FS = "\t"
	print "# PTX instructions\n"
	print "Every valid form of every instruction, counted as `lockstep ptx --coverage` does: a form is the"
	print "opcode with one choice of modifiers, types and state space. A form that is not executed is refused"
	print "before the first cycle, with its name and line ([ptx](../docs/user/ptx.md)). The page of an opcode"
	print "lists its forms.\n"
	print "| opcode | forms | executed | refused |\n|---|---:|---:|---:|"
}
{
	print "| <a href=\"ptx/" $1 ".html\">" $1 "</a> | " $2 " | " $3 " | " $4 " |"
	forms += $2; executed += $3; refused += $4
}
END { print "| all | " forms " | " executed " | " refused " |" }
