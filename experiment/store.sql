-- experiment/store.sql -- the database of `lockstep sweep`: schema version 1 (PRAGMA user_version),
-- application_id 0x4c4b5354 ("LKST").
--
-- Sweeps, points, jobs, configurations, builds and results depend on the inputs only: they are the same
-- whether or not a sweep was interrupted, and in whatever order its jobs ended. Everything that depends on
-- the host (when, where, how long) is in `attempts`. The view `facts` shows the former as rows that can be
-- compared between two databases.

-- One sweep file. Several sweeps may share a database, and the jobs that they have in common.
CREATE TABLE sweeps (
	id       INTEGER PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	text     TEXT NOT NULL,           -- the sweep file as it was run last
	path     TEXT NOT NULL            -- for messages
);

-- Factors and their levels, in the order of the file.
CREATE TABLE levels (
	sweep    INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
	factor   TEXT NOT NULL,
	position INTEGER NOT NULL,        -- of the factor
	level    TEXT NOT NULL,
	rank     INTEGER NOT NULL,        -- of the level in its factor
	changes  TEXT NOT NULL,           -- its configurations and settings, as on a command line
	PRIMARY KEY (sweep, factor, level)
);

-- The configurations and simulators of the jobs, each identified by the hash of its content (XXH3, 128 bits).
CREATE TABLE configs (
	hash     TEXT PRIMARY KEY,
	text     TEXT NOT NULL            -- every parameter in effect, one `path = value` a line
);
CREATE TABLE builds (
	hash     TEXT PRIMARY KEY,        -- of liblockstep.so and libcuda.so.1
	version  TEXT NOT NULL,
	build    TEXT NOT NULL            -- the build as `lockstep --version` and stats.txt print it
);

-- One run of a program on a machine.
CREATE TABLE jobs (
	id       INTEGER PRIMARY KEY,
	hash     TEXT NOT NULL UNIQUE,    -- of program, PTX, input files, arguments, configuration and build
	program  TEXT NOT NULL,           -- hash of the program, its PTX and its input files
	config   TEXT NOT NULL REFERENCES configs(hash),
	build    TEXT NOT NULL REFERENCES builds(hash),
	command  TEXT NOT NULL,           -- as a shell would read it; output goes to the default folder
	state    TEXT NOT NULL DEFAULT 'open' CHECK (state IN ('open', 'done', 'failed')),
	message  TEXT NOT NULL DEFAULT '' -- why it failed
);

-- The points of a sweep's factor space; several points may be the same job.
CREATE TABLE points (
	sweep    INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
	number   INTEGER NOT NULL,        -- from 1, in the order of the file
	job      INTEGER NOT NULL REFERENCES jobs(id),
	workload TEXT NOT NULL,           -- suite/name, or the name in the sweep file
	size     TEXT NOT NULL,           -- tiny, small, repro, paper, or the arguments
	seed     INTEGER,                 -- NULL: the program's own
	base     TEXT NOT NULL,           -- the base configuration's name
	PRIMARY KEY (sweep, number)
);
CREATE TABLE point_levels (
	sweep    INTEGER NOT NULL,
	number   INTEGER NOT NULL,
	factor   TEXT NOT NULL,
	level    TEXT NOT NULL,
	PRIMARY KEY (sweep, number, factor),
	FOREIGN KEY (sweep, number) REFERENCES points(sweep, number) ON DELETE CASCADE
);

-- Statistics by name, with unit and one line of description, as stats.txt has them.
CREATE TABLE statistics (
	id       INTEGER PRIMARY KEY,
	name     TEXT NOT NULL UNIQUE,
	unit     TEXT NOT NULL,
	help     TEXT NOT NULL
);
-- Values of statistics at the end of the run. A value that is not a number (nan) has no row.
CREATE TABLE results (
	job       INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
	statistic INTEGER NOT NULL REFERENCES statistics(id),
	value     NOT NULL,               -- INTEGER for a whole number, else REAL
	PRIMARY KEY (job, statistic)
) WITHOUT ROWID;
-- Curves over time (`series` of a sweep file): the value in the period that ended at that core cycle.
CREATE TABLE series (
	job       INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
	cycle     INTEGER NOT NULL,
	statistic INTEGER NOT NULL REFERENCES statistics(id),
	value     NOT NULL,
	PRIMARY KEY (job, statistic, cycle)
) WITHOUT ROWID;

-- Values that formulas of the sweep file derive from statistics, computed for each point when its job has
-- ended.
CREATE TABLE derived (
	sweep    INTEGER NOT NULL REFERENCES sweeps(id) ON DELETE CASCADE,
	name     TEXT NOT NULL,
	position INTEGER NOT NULL,
	formula  TEXT NOT NULL,
	unit     TEXT NOT NULL,
	mean     TEXT NOT NULL,           -- geometric, harmonic, arithmetic, none
	PRIMARY KEY (sweep, name)
);
CREATE TABLE derived_results (
	sweep    INTEGER NOT NULL,
	name     TEXT NOT NULL,
	number   INTEGER NOT NULL,        -- of the point
	value    REAL NOT NULL,
	PRIMARY KEY (sweep, name, number),
	FOREIGN KEY (sweep, name) REFERENCES derived(sweep, name) ON DELETE CASCADE
) WITHOUT ROWID;

-- The kernels of a program (store_kernels.sql has the tables, which databases of before get when they are
-- written): job_kernels, kernel_results, point_kernels, derived_of_kernels, derived_kernel_results.

-- Every attempt to run a job: the only table that depends on the host.
CREATE TABLE attempts (
	job      INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
	number   INTEGER NOT NULL,        -- from 1
	outcome  TEXT NOT NULL,           -- done failed timeout memory killed lost
	status   INTEGER NOT NULL,        -- exit status, or 128 + signal
	message  TEXT NOT NULL,
	engine   TEXT NOT NULL,
	host     TEXT NOT NULL,
	started  INTEGER NOT NULL,        -- seconds since 1970
	seconds  REAL NOT NULL,
	peak_kib INTEGER NOT NULL,        -- of resident memory
	PRIMARY KEY (job, number)
);

-- Everything that does not depend on the host, as rows that can be compared.
CREATE VIEW facts AS
	SELECT s.name AS sweep, p.number, p.workload, p.size, p.seed, p.base,
		j.hash, j.state, j.message, t.name AS statistic, t.unit, r.value
	FROM points p JOIN sweeps s ON s.id = p.sweep JOIN jobs j ON j.id = p.job
	LEFT JOIN results r ON r.job = j.id LEFT JOIN statistics t ON t.id = r.statistic;
-- Points with the levels of their factors in one text, for interactive queries.
CREATE VIEW overview AS
	SELECT s.name AS sweep, p.number, p.workload, p.size, p.seed, p.base,
		(SELECT group_concat(l.factor || '=' || l.level, ' ')
			FROM point_levels l WHERE l.sweep = p.sweep AND l.number = p.number) AS levels,
		j.state, j.message, j.hash, j.command
	FROM points p JOIN sweeps s ON s.id = p.sweep JOIN jobs j ON j.id = p.job;
