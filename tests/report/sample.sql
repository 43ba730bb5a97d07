-- A sweep that has everything a report must cope with, over experiment/store.sql: two seeds, two sizes of a
-- workload, names with all kinds of characters, a failure whose message is markup, points that have not run,
-- values far apart, negative ones, classes, curves. Points: 23 workloads x 6 configurations x 2 seeds; seed s
-- of workload w in configuration c is number 12 (w - 1) + 2 (c - 1) + s.
PRAGMA application_id = 0x4c4b5354;
PRAGMA user_version = 1;
INSERT INTO sweeps VALUES (1, 'a <sample> & "more"', 'name: sample
# a <comment> & more ]]>
baseline: {policy: lrr, l1: 16K}
report:
  - {figure: bars, value: speedup, title: "Speed-up & <more>"}
  - {figure: bars, value: gpu.cycles, normalise: true, workloads: [alpha, "it''s <mine> & 100%_"],
     only: {l1: 16K}, mean: harmonic}
  - {figure: bars, value: delta, only: {policy: [lrr, gto]}}
  - {figure: heat, value: speedup}
  - {figure: heat, value: mpki}
  - {figure: scatter, x: mpki, y: speedup}
  - {figure: stacked, values: "sm.issue_slots::*"}
  - {figure: stacked, values: [sm.l1d.hits, sm.l1d.misses], workloads: alpha}
  - {figure: curves, value: gpu.ipc}
  - {figure: table, values: [gpu.cycles, mpki, speedup]}
  - {figure: printed, value: speedup, workloads: alpha, title: "Beside <the> paper", rows: [
    {what: "speed-up & <so> on", only: {policy: gto, l1: 16K}, printed: 1.5, source: "5 & 6"},
    {what: all of them, workloads: all, only: {policy: "a_*", l1: 48K}},
    {what: over gto, workloads: corr, only: {policy: lrr, l1: 16K}, over: {policy: gto},
     mean: least, printed: -2}]}
', 'sample.yaml');
INSERT INTO levels VALUES
	(1, 'policy', 1, 'lrr', 1, '--set sm.scheduler.policy=lrr'),
	(1, 'policy', 1, 'gto', 2, '--set sm.scheduler.policy=gto'),
	(1, 'policy', 1, 'a_long_policy''s <name>', 3, '--set x=<y>'),
	(1, 'l1', 2, '16K', 1, ''),
	(1, 'l1', 2, '48K', 2, '-c gtx480-l1-48k');
INSERT INTO builds VALUES ('b', '0.0', '0123456789abcdef');
CREATE TEMP TABLE cells AS
	WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 23 * 6 * 2 - 1)
	SELECT i + 1 AS number, i / 12 + 1 AS w, i % 12 / 2 + 1 AS c, i % 2 + 1 AS seed FROM n;
CREATE TEMP TABLE workloads AS SELECT w, CASE
	WHEN w <= 12 THEN 'alpha/' ||
		substr('atax bicg corr gemm mvt  bfs  nw   lud  sradakmeanhotsphisto', 5 * w - 4, 5)
	WHEN w = 13 THEN 'alpha/' || 'atax' WHEN w = 23 THEN 'it''s <mine> & 100%_'
	WHEN w = 14 THEN 'beta/a "quoted" # name'
	ELSE 'beta/a-rather-long-name-' || w END AS name,
	iif(w = 13, 'small', 'tiny') AS size FROM (SELECT DISTINCT w FROM cells);
UPDATE workloads SET name = trim(name);
INSERT INTO configs SELECT 'c' || c,
	'gpu.name = "x < y"' || char(10) || iif(c % 2, '', 'sm.l1d.ways = 6' || char(10)) ||
	'sm.scheduler.policy = ' || (CASE (c + 1) / 2 WHEN 1 THEN 'lrr' WHEN 2 THEN 'gto' ELSE 'other' END) ||
	char(10) || iif(c % 2, 'sm.l1d.ways = 4' || char(10), '') FROM (SELECT DISTINCT c FROM cells);
INSERT INTO jobs SELECT number, 'job' || number, 'p', 'c' || c, 'b', 'lockstep run -- "a b" <c> & ' || number,
	CASE WHEN number IN (40, 41) OR number > 274 THEN 'open'
		WHEN number IN (5, 30) THEN 'failed' ELSE 'done' END,
	iif(number IN (5, 30), 'exit status 1: </td><script>document.title = "broken"</script> & ' ||
		'a long message that goes on and on and on', '') FROM cells;
INSERT INTO points SELECT 1, number, number, name, size, seed, 'gtx480' FROM cells JOIN workloads USING (w);
INSERT INTO point_levels SELECT 1, number, 'policy',
	CASE (c + 1) / 2 WHEN 1 THEN 'lrr' WHEN 2 THEN 'gto' ELSE 'a_long_policy''s <name>' END FROM cells;
INSERT INTO point_levels SELECT 1, number, 'l1', iif(c % 2, '16K', '48K') FROM cells;
INSERT INTO statistics VALUES
	(1, 'gpu.cycles', 'cycles', 'core cycles <in> which a kernel ran'),
	(2, 'gpu.ipc', 'instructions/cycle', 'thread instructions per core cycle'),
	(3, 'sm.issue_slots::issued', 'slots', 'issue slots by where they went'),
	(4, 'sm.issue_slots::l1_miss', 'slots', 'issue slots by where they went'),
	(5, 'sm.issue_slots::never', 'slots', 'issue slots by where they went'),
	(6, 'sm.issue_slots::total', 'slots', 'issue slots by where they went'),
	(7, 'sm.l1d.hits', 'requests', 'hits'), (8, 'sm.l1d.misses', 'requests', 'misses');
-- workload 2 has a speed-up of 40 in configuration 4
INSERT INTO results SELECT number, 1,
	CASE WHEN w = 2 AND c = 4 THEN 25 * w ELSE 1000 * w - 20 * w * (c - 1) + seed END
	FROM cells JOIN jobs ON id = number WHERE state = 'done';
INSERT INTO results SELECT number, 2, w / 3.0 + c FROM cells JOIN jobs ON id = number WHERE state = 'done';
INSERT INTO results SELECT number, id, CASE id WHEN 3 THEN 10 + w WHEN 4 THEN 5 * c WHEN 5 THEN 0
	WHEN 6 THEN 10 + w + 5 * c WHEN 7 THEN w ELSE c END
	FROM cells JOIN (SELECT id AS job, state FROM jobs) ON job = number,
	(SELECT id FROM statistics WHERE id >= 3) WHERE state = 'done';
INSERT INTO derived VALUES
	(1, 'speedup', 1, 'base(gpu.cycles) / gpu.cycles', 'times', 'geometric'),
	(1, 'mpki', 2, '1000 * sm.l1d.misses / w', 'misses', 'arithmetic'),
	(1, 'delta', 3, 'w - 10', 'things', 'arithmetic');
INSERT INTO derived_results SELECT 1, 'speedup', x.number, 1.0 * b.value / r.value
	FROM cells x JOIN results r ON r.job = x.number AND r.statistic = 1
	JOIN results b ON b.job = 12 * (x.w - 1) + x.seed AND b.statistic = 1;
INSERT INTO derived_results SELECT 1, 'mpki', number, 1000.0 * c / (w * w)
	FROM cells JOIN jobs ON id = number WHERE state = 'done';
INSERT INTO derived_results SELECT 1, 'delta', number, w - 10 + c / 8.0
	FROM cells JOIN jobs ON id = number WHERE state = 'done';
INSERT INTO series SELECT x.number, 1000 * t.i, 2, abs(100 - t.i * x.c) FROM cells x,
	(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 300) SELECT i FROM n) AS t
	WHERE x.w <= 5 AND x.seed = 1 AND x.number != 5;
INSERT INTO attempts SELECT id, 1, CASE state WHEN 'done' THEN 'done' ELSE 'failed' END, 0, message,
	'local', 'host', 1700000000 + id, id / 7.0, 1000 FROM jobs WHERE state != 'open';
