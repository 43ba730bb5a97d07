/* tests/unit/sim/test_demangle.c -- names of C++. */
#include "sim/text/demangle.h"
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(demangle, names_of_cpp_are_written_out_and_others_are_not)
{
	char *text = demangle("_Z5scaleIfEvPT_i");

	cr_expect_str_eq(text, "void scale<float>(float*, int)");
	free(text);
	cr_expect_null(demangle("matrixMul"));
	cr_expect_null(demangle("_Zero"));
	cr_expect_null(demangle("_Z"));
	cr_expect_null(demangle(""));
}

Test(demangle, what_is_long_is_cut)
{
	char text[64];

	demangle_short("_Z5scaleIfEvPT_i", text, 63);
	cr_expect_str_eq(text, "void scale<float>(float*, int)");
	demangle_short("_Z5scaleIfEvPT_i", text, 20);
	cr_expect_str_eq(text, "void scal...t*, int)");
	demangle_short("matrixMultiplication", text, 11);
	cr_expect_str_eq(text, "matr...tion");
}
