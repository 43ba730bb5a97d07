-- A sweep with values chosen by hand, over experiment/store.sql: workloads x and y on the machines none, fast
-- and lost; y has not run on lost. tests/report/printed.yaml has the figures.
PRAGMA application_id = 0x4c4b5354;
PRAGMA user_version = 1;
INSERT INTO sweeps VALUES (1, 'printed', 'name: printed
baseline: {machine: none}
report:
  - {figure: printed, value: speedup, rows: [{what: alone, only: {machine: fast}, printed: 2}]}
', 'first.yaml');
INSERT INTO levels VALUES (1, 'machine', 1, 'none', 1, ''), (1, 'machine', 1, 'fast', 2, ''),
	(1, 'machine', 1, 'lost', 3, '');
INSERT INTO configs VALUES ('c', 'a = 1');
INSERT INTO builds VALUES ('b', '0', 'x');
WITH RECURSIVE n(i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 6)
	INSERT INTO jobs SELECT i, 'h' || i, 'p', 'c', 'b', 'run', iif(i < 6, 'done', 'open'), '' FROM n;
INSERT INTO points SELECT 1, id, id, iif(id % 2, 'suite/x', 'suite/y'), 'tiny', NULL, 'gtx480' FROM jobs;
INSERT INTO point_levels SELECT 1, number, 'machine',
	CASE (number + 1) / 2 WHEN 1 THEN 'none' WHEN 2 THEN 'fast' ELSE 'lost' END FROM points;
INSERT INTO statistics VALUES (1, 'gpu.cycles', 'cycles', 'time'), (2, 'sm.warps', 'warps', 'a limit');
INSERT INTO results VALUES (1, 1, 800), (2, 1, 900), (3, 1, 400), (4, 1, 200), (5, 1, 800),
	(1, 2, 8), (2, 2, 8), (3, 2, 4), (4, 2, 2), (5, 2, 8);
INSERT INTO derived VALUES
	(1, 'speedup', 1, 'base(gpu.cycles) / gpu.cycles', 'times', 'geometric'),
	(1, 'misses', 2, '100 * (m / base(m) - 1)', '%', 'arithmetic'),
	(1, 'rate', 3, '100 * m', '%', 'arithmetic');
INSERT INTO derived_results VALUES
	(1, 'speedup', 1, 1), (1, 'speedup', 2, 1), (1, 'speedup', 3, 2), (1, 'speedup', 4, 4.5),
	(1, 'speedup', 5, 1),
	(1, 'misses', 1, 0), (1, 'misses', 2, 0), (1, 'misses', 3, -30), (1, 'misses', 4, -90),
	(1, 'misses', 5, 10),
	(1, 'rate', 1, 50), (1, 'rate', 2, 60), (1, 'rate', 3, 20), (1, 'rate', 4, 30), (1, 'rate', 5, 50);
