-- experiment/store_kernels.sql -- the kernels of programs in the database of `lockstep sweep`; the rest of it
-- is in store.sql. A database that was made without these tables gets them when a sweep writes to it.

-- The kernels of a job, by name.
CREATE TABLE IF NOT EXISTS job_kernels (
	job      INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
	position INTEGER NOT NULL,        -- from 1, in the order of first launch
	name     TEXT NOT NULL,
	PRIMARY KEY (job, position),
	UNIQUE (job, name)
) WITHOUT ROWID;
-- Values of statistics for a kernel, all its launches added up (observe.kernels); none of a kernel that
-- overlaps with others.
CREATE TABLE IF NOT EXISTS kernel_results (
	job       INTEGER NOT NULL REFERENCES jobs(id) ON DELETE CASCADE,
	kernel    INTEGER NOT NULL,       -- its position
	statistic INTEGER NOT NULL REFERENCES statistics(id),
	value     NOT NULL,
	PRIMARY KEY (job, kernel, statistic)
) WITHOUT ROWID;

-- The kernels of a point that reports show: those that the sweep file chooses, else all that were timed.
CREATE TABLE IF NOT EXISTS point_kernels (
	sweep    INTEGER NOT NULL,
	number   INTEGER NOT NULL,        -- of the point
	kernel   INTEGER NOT NULL,        -- its position in the point's job
	name     TEXT NOT NULL,
	PRIMARY KEY (sweep, number, kernel),
	FOREIGN KEY (sweep, number) REFERENCES points(sweep, number) ON DELETE CASCADE
) WITHOUT ROWID;
-- The derived values that are of each kernel (`kernels: each`), and what they are.
CREATE TABLE IF NOT EXISTS derived_of_kernels (
	sweep    INTEGER NOT NULL,
	name     TEXT NOT NULL,
	PRIMARY KEY (sweep, name),
	FOREIGN KEY (sweep, name) REFERENCES derived(sweep, name) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS derived_kernel_results (
	sweep    INTEGER NOT NULL,
	name     TEXT NOT NULL,
	number   INTEGER NOT NULL,        -- of the point
	kernel   INTEGER NOT NULL,        -- its position in the point's job
	value    REAL NOT NULL,
	PRIMARY KEY (sweep, name, number, kernel),
	FOREIGN KEY (sweep, name) REFERENCES derived(sweep, name) ON DELETE CASCADE
) WITHOUT ROWID;
