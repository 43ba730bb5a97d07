/* tests/unit/experiment/sweep/test_sweep_results.c -- statistics and series of a run, whole ones and broken
 * ones. */
#include "experiment/sweep/results.h"
#include "tests/unit/experiment/rig.h"

TestSuite(sweep_results, .init = rig_start, .fini = rig_stop);

#define BEGIN "---------- Begin Simulation Statistics ----------"
#define END   "---------- End Simulation Statistics   ----------\n"
#define TOTAL BEGIN "  # total of 2 kernels\n"

static char rows[4096], message[256];

static void note(void *unused, const struct result_row *row)
{
	char value[64];
	size_t used = strlen(rows);

	if (row->is_whole)
		snprintf(value, sizeof(value), "%lld", row->whole);
	else
		snprintf(value, sizeof(value), "%.10gr", row->real);
	snprintf(rows + used, sizeof(rows) - used, "%lld %s%s%s=%s [%s] %s\n", row->cycle,
		row->kernel ? row->kernel : "", row->kernel ? ": " : "", row->name, value, row->unit,
		row->help);
}

static void read_all(void)
{
	rows[0] = 0;
	results_read(here, note, NULL, message, sizeof(message));
}

static void expect_rows(const char *stats, const char *expected)
{
	put("stats.txt", stats);
	read_all();
	cr_expect_str_eq(message, "");
	cr_expect_str_eq(rows, expected, "expected:\n%sgot:\n%s", expected, rows);
}

static void expect_wrong(const char *stats, const char *told)
{
	put("stats.txt", stats);
	read_all();
	cr_expect_not_null(strstr(message, told), "expected: %s, got: %s", told, message);
}

/* -- stats.txt -- */

Test(sweep_results, the_total_is_read_with_units_and_help)
{
	expect_rows("# lockstep\n" BEGIN
		    "  # kernel 1 k grid 1,1,1 block 1,1,1\ngpu.cycles    5 # of a kernel (cycles)\n" END
		    "\n" TOTAL "gpu.cycles                 12 # core cycles (cycles)\ngpu.ipc              "
		    "0.500000 # per cycle (instructions/cycle)\n" END,
		"-1 gpu.cycles=12 [cycles] core cycles\n-1 gpu.ipc=0.5r [instructions/cycle] per cycle\n");
}

Test(sweep_results, of_a_sampled_run_estimates_are_read_and_the_ends_of_their_intervals)
{
	expect_rows(BEGIN "  # estimates of all 2 kernels sampled\n"
			  "gpu.cycles 120 # core cycles (cycles) [95 %: 110 to 130]\n"
			  "gpu.kernels 2 # launches (kernels)\n"
			  "l2.hits 7 # found (requests) [uncertain]\n" END TOTAL
			  "gpu.cycles 12 # core cycles (cycles)\n" END,
		"-1 gpu.cycles=120 [cycles] core cycles\n"
		"-1 gpu.cycles::low95=110r [cycles] core cycles\n"
		"-1 gpu.cycles::high95=130r [cycles] core cycles\n"
		"-1 gpu.kernels=2 [kernels] launches\n"
		"-1 l2.hits=7 [requests] found\n");
}

Test(sweep_results, statistics_of_kernels_are_those_of_their_launches)
{
	expect_rows("# lockstep\n" BEGIN
		    "  # launches of k\nkernel.cycles 3 # x (cycles)\nl2.hits 5 # found (requests)\n"
		    "sm[0].cycles 2 # of one\nl2.rate nan # none\n" END "\n" BEGIN
		    "  # launches of _Z1lPf\nkernel.cycles 4 # x "
		    "(cycles)\n# Other kernels were under way.\n" END TOTAL
		    "gpu.cycles 12 # core cycles (cycles)\n" END,
		"-1 gpu.cycles=12 [cycles] core cycles\n-1 k: l2.hits=5 [requests] found\n");
	expect_wrong(BEGIN "  # launches of k\nl2.hits 5 # found (requests)\n" TOTAL
			   "gpu.cycles 12 # core cycles (cycles)\n" END,
		"stats.txt, line ");
	expect_wrong(BEGIN "  # launches of\n" END TOTAL "gpu.cycles 12 # core cycles (cycles)\n" END,
		"stats.txt, line 1: a section of what");
}

Test(sweep_results, parentheses_in_the_help_stay_there)
{
	expect_rows(TOTAL
		"a.b  1 # barriers (targets before sm_70) (instructions)\na.c  1 # number of its stream; 0: "
		"the default (one)\n"
		"a.d  1 # no unit (in this) one\na.e  1 # no unit\na.f 1 # a # in it (x)\na.g  1 # (x)\n" END,
		"-1 a.b=1 [instructions] barriers (targets before sm_70)\n-1 a.c=1 [one] number of its "
		"stream; 0: the default\n"
		"-1 a.d=1 [] no unit (in this) one\n-1 a.e=1 [] no unit\n-1 a.f=1 [x] a # in it\n-1 a.g=1 [] "
		"(x)\n");
}

Test(sweep_results, whole_numbers_are_whole_and_others_real)
{
	expect_rows(TOTAL "a 0 # x\nb -7 # x\nc 9223372036854775807 # x\nd 18446744073709551615 # x\ne "
			  "-0.250000 # x\nf 3.000000 # x\ng 1e+20 # x\n" END,
		"-1 a=0 [] x\n-1 b=-7r [] x\n-1 c=9223372036854775807 [] x\n-1 d=1.844674407e+19r [] x\n-1 "
		"e=-0.25r [] x\n-1 f=3r [] x\n-1 g=1e+20r [] x\n");
}

Test(sweep_results, what_is_no_number_has_no_row)
{
	expect_rows(TOTAL "a nan # x\nb -nan # x\nc inf # x\nd -inf # x\ne 1 # x\n" END, "-1 e=1 [] x\n");
}

Test(sweep_results, members_have_no_rows_and_elements_do)
{
	expect_rows(TOTAL "sm[3].x 1 # y\nsm.issue_slots::issued 2 # y\nd.r::64-127 3 # y\n" END,
		"-1 sm.issue_slots::issued=2 [] y\n-1 d.r::64-127=3 [] y\n");
}

Test(sweep_results, an_interrupted_run_counts_for_nothing)
{
	expect_wrong(BEGIN "  # total of 2 kernels interrupted\na 1 # x\n" END,
		"the run was interrupted: its statistics are partial");
}

Test(sweep_results, every_cut_of_stats_is_found)
{
	static const char whole[] =
		"# lockstep\n" BEGIN "  # kernel 1 k grid 1,1,1 block 1,1,1\na 1 # x (y)\n" END "\n" TOTAL
		"a.b 12 # x (y)\nc 3.5 # x (y)\n" END;
	size_t enough = strlen(whole) - strlen(" Simulation Statistics   ----------\n");

	for (size_t i = 0; i < enough; i++) {
		put_bytes("stats.txt", whole, i);
		read_all();
		cr_expect(*message, "cut at %zu of %zu: %.*s", i, enough, (int)i, whole);
	}
	expect_rows(whole, "-1 a.b=12 [y] x\n-1 c=3.5r [y] x\n");
}

Test(sweep_results, broken_lines_are_told)
{
	static const char *const bad[] = { "a", "a 1", "a 1 #", "a # x", "a  # x", "a 12x # x", "a x # x",
		"a 1 2 # x", "a 0x10 # x", "a 1e # x", "a - # x", "a 1.2.3 # x", " 1 # x" };

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		char text[256];

		snprintf(text, sizeof(text), TOTAL "ok 1 # x\n%s\n" END, bad[i]);
		expect_wrong(text, "stats.txt, line 3: no statistic: ");
	}
}

Test(sweep_results, no_total_is_told)
{
	expect_wrong("", "stats.txt, line 0: no statistics: not what Lockstep writes");
	expect_wrong(BEGIN "  # kernel 1 k grid 1,1,1 block 1,1,1\na 1 # x\n" END,
		"stats.txt has no total: the run was stopped");
	file_remove(here, "stats.txt");
	read_all();
	cr_expect_str_eq(message, "there are no statistics: the program did not use the simulated GPU");
}

/* -- series.csv -- */

static void expect_series(const char *series, const char *expected)
{
	put("series.csv", series);
	expect_rows(TOTAL END, expected);
}

static void expect_wrong_series(const char *series)
{
	put("series.csv", series);
	expect_wrong(TOTAL END, "series.csv is cut or broken: ");
}

Test(sweep_results, points_of_a_series_are_read)
{
	expect_series("cycle,time_ps,kernels,gpu.ipc,sm[0].x\n1000,5,1:k,0.5,7\n2000,9,1:k;2:l,nan,8\n",
		"1000 gpu.ipc=0.5r [] \n1000 sm[0].x=7 [] \n2000 sm[0].x=8 [] \n");
	expect_series("cycle,time_ps,kernels,a\n0,5,,1\n", "0 a=1 [] \n");
	expect_series("cycle,time_ps,kernels,a\n", "");
	expect_series("cycle,time_ps,kernels\n5,6,k\n", "");
}

Test(sweep_results, quoted_fields_are_read)
{
	expect_series("cycle,time_ps,kernels,a\n10,5,\"1:k,\"\"x\"\",y\",3\n", "10 a=3 [] \n");
	expect_series("cycle,time_ps,kernels,\"a,b\"\n10,5,\"\",\"3\"\n", "10 a,b=3 [] \n");
}

Test(sweep_results, many_columns_are_all_read)
{
	static char text[40000];

	strcpy(text, "cycle,time_ps,kernels");
	for (int i = 0; i < 1000; i++)
		sprintf(text + strlen(text), ",a%d", i);
	strcat(text, "\n1,2,3");
	for (int i = 0; i < 1000; i++)
		sprintf(text + strlen(text), ",%s", i < 999 ? "nan" : "5");
	strcat(text, "\n");
	expect_series(text, "1 a999=5 [] \n");
}

Test(sweep_results, every_cut_of_a_series_is_found)
{
	static const char whole[] = "cycle,time_ps,kernels,a\n10,5,\"1:k\",32\n20,6,2,nan\n";

	put("stats.txt", TOTAL END);
	for (size_t i = 0; i < strlen(whole); i++) {
		if (i && whole[i - 1] == '\n')
			continue; /* between lines nothing shows it */
		put_bytes("series.csv", whole, i);
		read_all();
		cr_expect(*message, "cut at %zu: %.*s", i, (int)i, whole);
	}
}

Test(sweep_results, broken_series_are_told)
{
	expect_wrong_series("cycle,time,kernels,a\n1,2,3,4\n");
	expect_wrong_series("cycle,time_ps\n1,2\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n1,2,3\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n1,2,3,4,5\n");
	expect_wrong_series("cycle,time_ps,kernels,a\nx,2,3,4\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n-1,2,3,4\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n1,2,3,x\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n1,2,3,\n");
	expect_wrong_series("cycle,time_ps,kernels,a\n\n");
	expect_wrong_series("cycle,time_ps,kernels,a,\n1,2,3,4,5\n");
}
