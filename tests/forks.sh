#!/bin/sh
# tests/forks.sh BUILD -- `unit --forks` (tests/unit/forks.c): a test that fails, breaks off, dies, ends too
# soon or does not die as it should is told, and each of the others passes; with tests of its own.
. tests/lib.sh

cat >"$out/tests.c" <<'END'
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static int state, prepared, number[] = { 1, 2, 3 };
static void prepare(void) { prepared = 7; }
static void tidy(void) { fprintf(stderr, "tidied up\n"); }
TestSuite(suite, .init = prepare, .fini = tidy);
Test(suite, good) { cr_assert_eq(prepared, 7); cr_expect_eq(++state, 1); }
Test(alone, good) { cr_assert_eq(prepared, 0); cr_expect_eq(++state, 1, "another test's state"); }
Test(alone, dies_as_expected, .signal = SIGABRT) { abort(); }
Test(alone, left_out, .disabled = true) { cr_assert(0); }
ParameterizedTestParameters(each, number) { return cr_make_param_array(int, number, 3); }
ParameterizedTest(int *n, each, number)
{
	cr_assert(*n >= 1 && *n <= 3);
	cr_expect(*n != BAD, "number %d", *n);
}
#if BAD
Test(suite, fails) { cr_expect_eq(1, 2, "one is not %d", 2); fprintf(stderr, "goes on\n"); }
Test(suite, breaks_off) { cr_assert_eq(1, 2); fprintf(stderr, "went on\n"); }
Test(alone, dies) { abort(); }
Test(alone, lives, .signal = SIGABRT) { }
Test(alone, hangs, .timeout = 1) { for (;;) pause(); }
Test(alone, ends) { _exit(3); }
#endif
END
for bad in 0 2; do
	${CC:-gcc} -std=gnu11 -D_GNU_SOURCE -DBAD=$bad "$out/tests.c" tests/unit/forks.c \
		-o "$out/tests$bad" -lcriterion -ldl >"$out/log" 2>&1 || { not_ok "does not compile"; log_tail 20; finish; }
done

answers 0 "^unit: 6 tests, 0 failed" "$out/tests0" --forks 2
expect "fixtures" grep -q "tidied up" "$out/log"
answers 1 "^unit: 12 tests, 7 failed" "$out/tests2" --forks 3
for line in "not ok: suite/fails (.*exit status 1" "suite/fails: one is not 2" "goes on" \
	"not ok: suite/breaks_off (.*exit status 1" "not ok: alone/dies (.*signal 6" "not ok: alone/lives (.*status 0" \
	"not ok: alone/hangs (.*signal 14" "not ok: alone/ends (.*status 3" "not ok: each/number (.*status 1" \
	"each/number: number 2"; do
	expect "$line" grep -q "$line" "$out/log"
done
expect "a test that finds what another has left passes alone" grep -q "note: alone/good is repeated" "$out/log"
expect "a failed assertion ends its test" sh -c '! grep -q "went on" "$1"' - "$out/log"
expect "and its fixture tidies up" [ "$(grep -c "tidied up" "$out/log")" = 5 ] # the failed ones twice

# with any other argument Criterion runs them, with the same verdicts
answers 1 "Tested: 12 | Passing: 5 |" "$out/tests2"
answers 0 "Tested: 1 | Passing: 1 " "$out/tests2" --filter suite/good
finish
