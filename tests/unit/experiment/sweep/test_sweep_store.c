/* tests/unit/experiment/sweep/test_sweep_store.c -- a sweep in the database: results stored once, values
 * derived by hand-worked numbers, CSV. */
#include "experiment/sweep/store.h"
#include "tests/unit/experiment/sweep/plan_rig.h"

static struct store *store;
static struct stored_job jobs[16];
static long long sweep;

static void start(void)
{
	plan_start();
	store = store_open(at("r.db"), STORE_WRITE, &diags);
	cr_assert_not_null(store);
}

static void stop(void)
{
	store_close(store);
	plan_stop();
}

TestSuite(sweep_store, .init = start, .fini = stop);

/* Four jobs, by arguments and scheduler: a lrr, a gto, b lrr, b gto. */
#define FOUR \
	"name: four\nworkloads: [{program: p, arguments: a}, {program: p, arguments: b}]\n" \
	"factors:\n  sched: {lrr: {sm.scheduler.policy: lrr}, gto: {sm.scheduler.policy: gto}}\nbaseline: " \
	"{sched: lrr}\n"

static void store_plan(const char *text)
{
	plan_or_fail(text);
	cr_assert(plan->job_count <= sizeof(jobs) / sizeof(*jobs));
	sweep = sweep_store_plan(store, plan, false, jobs, &diags);
	expect_told("");
	cr_assert(sweep);
}

/* Lines of the total. */
static void put_stats(const char *lines)
{
	char text[2048];

	snprintf(text, sizeof(text),
		"---------- Begin Simulation Statistics ----------  # total of 1 kernel\n%s---------- End "
		"Simulation Statistics   ----------\n",
		lines);
	put("stats.txt", text);
}

static struct job_result result;

static void end_as(size_t job, enum job_outcome outcome, enum stored_state state, const char *message)
{
	result = (struct job_result){ .outcome = outcome,
		.status = outcome != JOB_DONE,
		.seconds = 0.5,
		.peak_kib = 7,
		.started = 1000,
		.host = "h" };
	snprintf(result.message, sizeof(result.message), "%s", message);
	cr_expect(sweep_store_result(store, jobs[job].id, "local", &result, here, state, false, &diags));
	expect_told("");
}

static void finish(size_t job, const char *lines)
{
	put_stats(lines);
	end_as(job, JOB_DONE, STORED_DONE, "");
}

static void finish_cycles(size_t job, int count)
{
	char lines[128];

	snprintf(lines, sizeof(lines), "gpu.cycles %d # core cycles (cycles)\n", count);
	finish(job, lines);
}

static enum stored_state state_of(size_t job)
{
	return sweep_store_state(store, jobs[job].id, &diags);
}

/* The rows of a query, columns by |. */
static void expect_rows(const char *sql, const char *expected)
{
	sqlite3_stmt *q = store_prepare(store, &diags, sql, "");
	char text[4096] = "";

	cr_assert_not_null(q, "%s", sql);
	while (sqlite3_step(q) == SQLITE_ROW) {
		for (int i = 0; i < sqlite3_column_count(q); i++) {
			const char *column = (const char *)sqlite3_column_text(q, i);

			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? "|" : "",
				column ? column : "NULL");
		}
		strcat(text, "\n");
	}
	sqlite3_finalize(q);
	cr_expect_str_eq(text, expected, "%s: expected:\n%sgot:\n%s", sql, expected, text);
}

/* -- the plan -- */

Test(sweep_store, a_plan_is_stored_with_its_levels_and_points)
{
	store_plan(FOUR "seeds: [5]\nderived: {twice: {value: gpu.cycles * 2, unit: cycles, mean: none}}\n");
	expect_rows("SELECT name FROM sweeps", "four\n");
	expect_rows("SELECT factor, position, level, rank, changes FROM levels ORDER BY rank",
		"sched|1|lrr|1|--set sm.scheduler.policy=lrr\nsched|1|gto|2|--set sm.scheduler.policy=gto\n");
	expect_rows("SELECT number, workload, size, seed, typeof(seed), base, levels, state FROM overview",
		"1|p|a|5|integer|gtx480|sched=lrr|open\n2|p|a|5|integer|gtx480|sched=gto|open\n3|p|b|5|"
		"integer|gtx480|sched=lrr|open\n"
		"4|p|b|5|integer|gtx480|sched=gto|open\n");
	expect_rows("SELECT name, position, formula, unit, mean FROM derived",
		"twice|1|gpu.cycles * 2|cycles|none\n");
	expect_rows("SELECT count(*) FROM jobs", "4\n");
	expect_rows("SELECT count(*) FROM configs", "2\n");
	expect_rows("SELECT count(*) FROM builds", "1\n");
	expect_rows("PRAGMA foreign_key_check", "");
}

Test(sweep_store, without_seeds_there_is_none)
{
	store_plan("workloads: [{program: p}]\n");
	expect_rows("SELECT seed, size FROM points", "NULL|\n");
}

Test(sweep_store, storing_a_plan_again_changes_nothing)
{
	long long before;

	store_plan(FOUR);
	finish_cycles(1, 10);
	before = sweep;
	store_plan(FOUR);
	cr_expect_eq(sweep, before);
	cr_expect_eq(jobs[0].state, STORED_OPEN);
	cr_expect_eq(jobs[1].state, STORED_DONE);
	expect_rows("SELECT count(*) FROM points", "4\n");
	expect_rows("SELECT count(*) FROM jobs", "4\n");
	expect_rows("SELECT count(*) FROM results", "1\n");
}

Test(sweep_store, a_sweep_that_has_shrunk_keeps_its_results)
{
	store_plan(FOUR);
	finish_cycles(3, 10);
	store_plan("name: four\nworkloads: [{program: p, arguments: a}]\n");
	expect_rows("SELECT count(*) FROM points", "1\n");
	expect_rows("SELECT count(*) FROM point_levels", "0\n");
	expect_rows("SELECT count(*) FROM levels", "0\n");
	expect_rows("SELECT count(*) FROM results", "1\n");
	store_plan(FOUR);
	cr_expect_eq(jobs[3].state, STORED_DONE);
}

Test(sweep_store, sweeps_share_the_jobs_that_they_have_in_common)
{
	store_plan(FOUR);
	finish_cycles(0, 10);
	store_plan("name: other\nworkloads: [{program: p, label: x, arguments: a}]\nset: "
		   "{sm.scheduler.policy: lrr}\n");
	cr_expect_eq(jobs[0].state, STORED_DONE);
	expect_rows("SELECT sweep, number, workload, state FROM overview WHERE state = 'done' ORDER BY sweep",
		"four|1|p|done\nother|1|x|done\n");
}

/* -- results -- */

Test(sweep_store, results_are_stored_whole_and_real)
{
	store_plan(FOUR);
	put("series.csv", "cycle,time_ps,kernels,gpu.ipc,gpu.cycles\n1000,5,1:k,0.5,7\n2000,9,1:k,nan,8\n");
	finish(0,
		"gpu.cycles 12 # core cycles (cycles)\ngpu.ipc 0.250000 # per cycle (x/y)\ngpu.none nan # "
		"nothing (z)\nsm[0].x 1 # a member\n");
	expect_rows("SELECT t.name, t.unit, t.help, r.value, typeof(r.value) FROM results r JOIN statistics "
		    "t ON t.id = r.statistic ORDER BY 1",
		"gpu.cycles|cycles|core cycles|12|integer\ngpu.ipc|x/y|per cycle|0.25|real\n");
	expect_rows("SELECT s.cycle, t.name, s.value FROM series s JOIN statistics t ON t.id = s.statistic "
		    "ORDER BY 1, 2",
		"1000|gpu.cycles|7\n1000|gpu.ipc|0.5\n2000|gpu.cycles|8\n");
	cr_expect_eq(state_of(0), STORED_DONE);
	cr_expect_eq(state_of(1), STORED_OPEN);
	cr_expect_eq(sweep_store_state(store, 12345, &diags), STORED_UNKNOWN);
}

Test(sweep_store, a_result_is_stored_once)
{
	store_plan(FOUR);
	finish_cycles(0, 10);
	finish_cycles(0, 99);
	expect_rows("SELECT value FROM results", "10\n");
	end_as(0, JOB_FAILED, STORED_FAILED, "too late");
	cr_expect_eq(state_of(0), STORED_DONE);
	expect_rows("SELECT number, outcome FROM attempts", "1|done\n");
}

Test(sweep_store, attempts_are_numbered)
{
	store_plan(FOUR);
	end_as(0, JOB_KILLED, STORED_OPEN, "signal 9");
	cr_expect_eq(state_of(0), STORED_OPEN);
	end_as(0, JOB_TIMEOUT, STORED_FAILED, "too \"long\"");
	cr_expect_eq(state_of(0), STORED_FAILED);
	end_as(1, JOB_FAILED, STORED_FAILED, "status 1");
	expect_rows("SELECT j.id, a.number, outcome, status, a.message, engine, host, started, seconds, "
		    "peak_kib FROM attempts a JOIN jobs j ON j.id = a.job",
		"1|1|killed|1|signal 9|local|h|1000|0.5|7\n1|2|timeout|1|too "
		"\"long\"|local|h|1000|0.5|7\n2|1|failed|1|status 1|local|h|1000|0.5|7\n");
	expect_rows("SELECT state, message FROM jobs WHERE id < 4",
		"failed|too \"long\"\nfailed|status 1\nopen|\n");
	finish_cycles(0, 10);
	expect_rows("SELECT state, message FROM jobs WHERE id = 1", "done|\n");
}

Test(sweep_store, failed_jobs_are_open_again_where_that_is_asked_for)
{
	store_plan(FOUR);
	end_as(0, JOB_FAILED, STORED_FAILED, "status 1");
	finish_cycles(1, 10);
	store_plan(FOUR);
	cr_expect_eq(jobs[0].state, STORED_FAILED);
	cr_assert(sweep_store_plan(store, plan, true, jobs, &diags));
	cr_expect_eq(jobs[0].state, STORED_OPEN);
	cr_expect_eq(jobs[1].state, STORED_DONE);
	expect_rows("SELECT state, message FROM jobs WHERE id = 1", "open|\n");
}

Test(sweep_store, statistics_that_cannot_be_read_fail_the_job_and_leave_none)
{
	store_plan(FOUR);
	put("stats.txt",
		"---------- Begin Simulation Statistics ----------  # total of 1 kernel\ngpu.cycles "
		"5 # x (y)\n");
	end_as(0, JOB_DONE, STORED_DONE, "");
	cr_expect_eq(state_of(0), STORED_FAILED);
	cr_expect_eq(result.outcome, JOB_FAILED);
	expect_rows("SELECT count(*) FROM results", "0\n");
	expect_rows("SELECT count(*) FROM statistics", "0\n");
	expect_rows("SELECT outcome, message FROM attempts",
		"failed|stats.txt, line 2: the file ends in the middle of a section\n");
	finish_cycles(1, 1);
	put("series.csv", "cycle,time_ps,kernels,a\n1,2,3,4");
	end_as(2, JOB_DONE, STORED_DONE, "");
	cr_expect_eq(state_of(2), STORED_FAILED);
	expect_rows("SELECT count(*) FROM results", "1\n");
	expect_rows("SELECT count(*) FROM series", "0\n");
}

/* What a statistic is called by does not depend on which job ended first. */
Test(sweep_store, units_come_from_whoever_knows_them)
{
	store_plan(FOUR);
	put("series.csv", "cycle,time_ps,kernels,gpu.ipc\n1000,5,1:k,0.5\n");
	finish(0, "gpu.ipc nan # per cycle (x/y)\n");
	finish(1, "gpu.ipc 0.5 # per cycle (x/y)\n");
	expect_rows("SELECT name, unit, help FROM statistics", "gpu.ipc|x/y|per cycle\n");
}

/* -- derived values -- */

static void derive(void)
{
	cr_expect(sweep_derived_store(store, plan, sweep, &diags));
	expect_told("");
}

Test(sweep_store, derived_values_are_those_worked_out_by_hand)
{
	store_plan(FOUR "derived: {half: gpu.cycles / 2, speedup: base(gpu.cycles) / gpu.cycles, more: "
			"base(half) - half + 1}\n");
	finish_cycles(0, 100);
	finish_cycles(1, 80);
	finish_cycles(2, 30);
	finish_cycles(3, 60);
	derive();
	expect_rows("SELECT name, group_concat(value, ' ') FROM (SELECT * FROM derived_results ORDER BY "
		    "name, number) GROUP BY name",
		"half|50.0 40.0 15.0 30.0\nmore|1.0 11.0 1.0 -14.0\nspeedup|1.0 1.25 1.0 0.5\n");
	derive();
	expect_rows("SELECT count(*) FROM derived_results", "12\n");
}

Test(sweep_store, what_is_missing_has_no_row_and_spoils_nothing_else)
{
	store_plan(FOUR "derived: {speedup: base(gpu.cycles) / gpu.cycles, missing: gpu.ipc * 0, twice: "
			"speedup * 2}\n");
	finish_cycles(1, 80); /* a's baseline is missing */
	finish_cycles(2, 30);
	finish_cycles(3, 0); /* divided by */
	derive();
	expect_rows("SELECT name, number, value FROM derived_results ORDER BY 1, 2",
		"speedup|3|1.0\ntwice|3|2.0\n");
	finish_cycles(0, 40);
	derive();
	expect_rows("SELECT name, number, value FROM derived_results ORDER BY 1, 2",
		"speedup|1|1.0\nspeedup|2|0.5\nspeedup|3|1.0\ntwice|1|2.0\ntwice|2|1.0\ntwice|3|2.0\n");
}

/* base() within a level of the other factor and the same seed. */
Test(sweep_store, a_points_baseline_has_its_other_levels_and_its_seed)
{
	store_plan("workloads: [{program: p}]\nseeds: [1, 2]\nfactors:\n  sched: {gto: {sm.scheduler.policy: "
		   "gto}, lrr: {sm.scheduler.policy: lrr}}\n"
		   "  l1: {two: {sm.l1d.ways: 2}, eight: {sm.l1d.ways: 8}}\nbaseline: {sched: lrr}\nderived: "
		   "{b: base(gpu.cycles)}\n");
	cr_assert_eq(plan->job_count, 8);
	for (size_t i = 0; i < 8; i++)
		finish_cycles(i, (int)i + 1);
	derive();
	expect_rows("SELECT group_concat(value, ' ') FROM (SELECT * FROM derived_results ORDER BY number)",
		"5.0 6.0 7.0 8.0 5.0 6.0 7.0 8.0\n");
}

Test(sweep_store, a_baseline_may_be_another_base)
{
	store_plan("workloads: [{program: p}]\nbase: [gtx480, gtx470]\nbaseline: {base: gtx470}\nderived: "
		   "{b: base(gpu.cycles)}\n");
	finish_cycles(0, 5);
	finish_cycles(1, 9);
	derive();
	expect_rows("SELECT number, value FROM derived_results ORDER BY 1", "1|9.0\n2|9.0\n");
}

/* -- the best of others -- */

/* Points: a: two 1, four 2, best 3; b: two 4, four 5, best 6. Jobs: a two 0, four 1; b 2, 3. */
#define BEST \
	"name: best\nworkloads: [{program: p, arguments: a}, {program: p, arguments: b}]\nfactors:\n  l1: " \
	"{two: {sm.l1d.ways: 2}, four: {sm.l1d.ways: 4}}\n" \
	"baseline: {l1: two}\n"
#define LEAST "best: {top: {of: {l1: [two, four]}, by: gpu.cycles}}\n"

static const char bests[] =
	"SELECT number, state, message, job FROM overview JOIN points USING (number) WHERE levels = 'l1=top'";

Test(sweep_store, the_best_is_known_when_all_are_done)
{
	store_plan(BEST LEAST
		"derived: {speedup: base(gpu.cycles) / gpu.cycles, ways: parameter(sm.l1d.ways)}\n");
	cr_assert_eq(plan->job_count, 4);
	expect_rows(bests, "3|open|two has not run|5\n6|open|two has not run|6\n");
	expect_rows("SELECT DISTINCT changes FROM levels WHERE level = 'top'",
		"the best of two, four by the least gpu.cycles\n");
	finish_cycles(0, 100);
	finish_cycles(2, 100);
	finish_cycles(3, 101);
	derive();
	expect_rows(bests, "3|open|four has not run|5\n6|done||3\n");
	expect_rows("SELECT name, value FROM derived_results WHERE number IN (3, 6) ORDER BY 1",
		"speedup|1.0\nways|2.0\n");
	finish_cycles(1, 80);
	derive();
	expect_rows(bests, "3|done||2\n6|done||3\n");
	expect_rows("SELECT number, name, value FROM derived_results WHERE number IN (3, 6) ORDER BY 1, 2",
		"3|speedup|1.25\n3|ways|4.0\n6|speedup|1.0\n6|ways|2.0\n");
	expect_rows("PRAGMA foreign_key_check", "");
}

/* Also when another sweep has brought the last result: what was looked at is all there was. */
Test(sweep_store, half_of_them_is_never_the_best)
{
	store_plan(BEST LEAST);
	for (size_t i = 0; i < 4; i++)
		finish_cycles(i, 10 + (int)i);
	expect_rows("SELECT number FROM points p JOIN results r ON r.job = p.job WHERE number IN (3, 6)", "");
	store_plan(BEST LEAST); /* the same command again */
	expect_rows(bests, "3|done||1\n6|done||3\n");
}

Test(sweep_store, of_equals_the_first_is_best_and_the_greatest_if_asked_for)
{
	store_plan(BEST LEAST);
	for (size_t i = 0; i < 4; i++)
		finish_cycles(i, 7);
	derive();
	expect_rows(bests, "3|done||1\n6|done||3\n");
	store_plan(BEST "best: {top: {of: {l1: \"*\"}, by: gpu.cycles, least: false}}\n");
	expect_rows(bests, "3|done||1\n6|done||3\n");
	expect_rows("SELECT DISTINCT changes FROM levels WHERE level = 'top'",
		"the best of two, four by the greatest gpu.cycles\n");
}

Test(sweep_store, the_greatest)
{
	store_plan(BEST "best: {top: {of: {l1: \"*\"}, by: gpu.cycles, least: false}}\n");
	for (size_t i = 0; i < 4; i++)
		finish_cycles(i, 1 + (int)i);
	derive();
	expect_rows(bests, "3|done||2\n6|done||4\n");
}

Test(sweep_store, without_one_of_them_there_is_no_best)
{
	store_plan(BEST LEAST);
	finish_cycles(0, 10);
	end_as(1, JOB_FAILED, STORED_FAILED, "it broke");
	finish_cycles(2, 10);
	finish(3, "gpu.ipc 2.5 # instructions per cycle (instructions/cycle)\n");
	derive();
	expect_rows(bests, "3|failed|four has failed|5\n6|failed|four has no gpu.cycles|6\n");
	expect_rows("SELECT count(*) FROM jobs", "6\n");
}

/* -- CSV -- */

Test(sweep_store, csv_has_a_line_a_point_and_quotes_what_it_must)
{
	char hash[4][40];

	store_plan("name: four\nworkloads: [{program: p, label: \"a,\\\"b\\\"\", arguments: [x]}]\nfactors:\n"
		   "  \"s,1\": {lrr: {sm.scheduler.policy: lrr}, \"g\\\"to\": {sm.scheduler.policy: gto}, "
		   "two: {sm.scheduler.policy: two_level}}\n"
		   "  same: {one: }\nbaseline: {\"s,1\": lrr}\nderived: {rel: gpu.cycles / base(gpu.cycles), "
		   "ipc2: gpu.ipc * 2}\n");
	for (size_t i = 0; i < 3; i++)
		snprintf(hash[i], sizeof(hash[i]), "%s", plan->jobs[i].hash.text);
	finish(0, "gpu.cycles 10 # c (cycles)\ngpu.ipc 0.1 # i (x)\nb.z 3 # z\n");
	finish(1, "gpu.cycles 30 # c (cycles)\nb.z nan # z\na.a -1 # a\n");
	end_as(2, JOB_FAILED, STORED_FAILED, "it said: \"no\", and\nleft");
	derive();
	cr_expect(sweep_csv_write(store, sweep, at("o.csv"), &diags));
	expect_told("");
	{
		char expected[2048];

		snprintf(expected, sizeof(expected),
			"point,workload,size,seed,base,\"s,1\",same,state,message,rel,ipc2,a.a,b.z,gpu."
			"cycles,gpu.ipc,job\n"
			"1,\"a,\"\"b\"\"\",x,,gtx480,lrr,one,done,,1,0.2,,3,10,0.1,%s\n"
			"2,\"a,\"\"b\"\"\",x,,gtx480,\"g\"\"to\",one,done,,3,,-1,,30,,%s\n"
			"3,\"a,\"\"b\"\"\",x,,gtx480,two,one,failed,\"it said: \"\"no\"\", "
			"and\nleft\",,,,,,,%s\n",
			hash[0], hash[1], hash[2]);
		expect_content("o.csv", expected);
	}
}

Test(sweep_store, csv_of_nothing_is_a_head_and_open_points)
{
	store_plan("name: s\nworkloads: [{program: p}]\n");
	cr_expect(sweep_csv_write(store, sweep, at("o.csv"), &diags));
	cr_assert_eq(plan->point_count, 1);
	{
		char expected[256];

		snprintf(expected, sizeof(expected),
			"point,workload,size,seed,base,state,message,job\n1,p,,,gtx480,open,,%s\n",
			plan->jobs[0].hash.text);
		expect_content("o.csv", expected);
	}
}

Test(sweep_store, a_csv_that_cannot_be_written_is_told_and_leaves_nothing)
{
	store_plan(FOUR);
	cr_expect_not(sweep_csv_write(store, sweep, at("no/o.csv"), &diags));
	expect_told("0:0 ./no/o.csv cannot be written: No such file or directory\n");
	cr_assert(folder_make(at("o.csv/x"), &diags));
	cr_expect_not(sweep_csv_write(store, sweep, at("o.csv"), &diags));
	expect_told("0:0 ./o.csv cannot be written: Is a directory\n");
	store_plan(FOUR); /* the database is free again */
}
