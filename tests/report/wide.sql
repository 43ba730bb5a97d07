-- A factor of 240 levels, over experiment/store.sql: more than a figure has room for beside each other. Two workloads, so
-- many points each; every kind of figure.
PRAGMA application_id = 0x4c4b5354;
PRAGMA user_version = 1;
INSERT INTO sweeps VALUES (1, 'wide', 'name: wide
baseline: {latency: v1}
report:
  - {figure: bars, value: gpu.ipc}
  - {figure: bars, value: gpu.ipc, normalise: true}
  - {figure: heat, value: gpu.ipc}
  - {figure: scatter, x: gpu.cycles, y: gpu.ipc}
  - {figure: stacked, values: "sm.issue_slots::*"}
  - {figure: curves, value: gpu.ipc}
  - {figure: table, values: [gpu.cycles, gpu.ipc]}
', 'wide.yaml');
CREATE TEMP TABLE cells AS
	WITH RECURSIVE n(i) AS (VALUES (0) UNION ALL SELECT i + 1 FROM n WHERE i < 479)
	SELECT i + 1 AS number, i / 240 + 1 AS w, i % 240 + 1 AS v FROM n;
INSERT INTO levels SELECT 1, 'latency', 1, 'v' || v, v, '--set sm.latency.int_add=' || v FROM cells WHERE w = 1;
INSERT INTO builds VALUES ('b', '0.0', '0123456789abcdef');
INSERT INTO configs SELECT 'c' || v, 'sm.latency.int_add = ' || v || char(10) FROM cells WHERE w = 1;
INSERT INTO jobs SELECT number, 'job' || number, 'p', 'c' || v, 'b', 'lockstep run', 'done', '' FROM cells;
INSERT INTO points SELECT 1, number, number, iif(w = 1, 'suite/a', 'suite/b'), 'tiny', 1, 'gtx480' FROM cells;
INSERT INTO point_levels SELECT 1, number, 'latency', 'v' || v FROM cells;
INSERT INTO statistics VALUES
	(1, 'gpu.cycles', 'cycles', 'core cycles'), (2, 'gpu.ipc', 'instructions/cycle', 'instructions per cycle'),
	(3, 'sm.issue_slots::issued', 'slots', 'issue slots'), (4, 'sm.issue_slots::l1_miss', 'slots', 'issue slots'),
	(5, 'sm.issue_slots::total', 'slots', 'issue slots');
INSERT INTO results SELECT number, id, CASE id WHEN 1 THEN 1000 + v WHEN 2 THEN 1.0 + v / 100.0 WHEN 3 THEN 10
	WHEN 4 THEN v ELSE 10 + v END FROM cells, (SELECT id FROM statistics);
INSERT INTO series SELECT number, 1000 * t.i, 2, v + t.i FROM cells,
	(WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 20) SELECT i FROM n) AS t;
INSERT INTO attempts SELECT id, 1, 'done', 0, '', 'local', 'host', 1700000000 + id, 1, 1000 FROM jobs;
