// The values of all points, and what becomes of them: ratios to a baseline, means over seeds and workloads,
// by the rules of the report itself (experiment/report/value.c, figure/mean.c). NaN is a value that is not
// there.
(function () {

var element = document.getElementById("values"), data = element && JSON.parse(element.textContent);
if (!data) return;
var columns = data.columns.length, at = {};

data.points.forEach(function (p, i) {
	var cell = p[1] * columns + p[2];
	(at[cell] = at[cell] || []).push(i);
});
lockstep.data = data;
lockstep.points_at = function (row, column) { return at[row * columns + column] || []; };
lockstep.find_figure = function (id) {
	return data.figures.filter(function (f) { return f.id === id; })[0];
};

// -- the baseline: a level for each factor; null: each configuration's own --
var own = data.factors.map(function (f) { return f.baseline; });
var levels = own.slice(), asked = data.asked, baselines = find_baselines(levels);
function find_baselines(wanted) {
	if (wanted.every(function (l) { return l === null; }))
		return data.columns.map(function () { return -1; });
	return data.columns.map(function (column) {
		for (var c = 0; c < columns; c++)
			if (data.columns[c].levels.every(function (level, f) {
				return level === (wanted[f] === null ? column.levels[f] : wanted[f]);
			})) return c;
		return -1;
	});
}
function has(found) { return found.some(function (c) { return c >= 0; }); }
// false: no point has these levels, or there are none, and the baseline stays as it was.
lockstep.set_baseline = function (wanted) {
	var found = find_baselines(wanted);
	if (!has(found) && wanted.some(function (l, f) { return l !== own[f]; })) return false;
	levels = wanted.slice();
	baselines = found;
	asked = data.asked || lockstep.baseline_differs();
	return true;
};
lockstep.baseline = function () { return levels.slice(); };
lockstep.own_baseline = function () { return own.slice(); };
lockstep.has_baseline = function () { return has(baselines); };
lockstep.baseline_of = function (column) { return baselines[column]; };
lockstep.baseline_differs = function () {
	return levels.some(function (l, f) { return l !== own[f]; });
};
lockstep.baseline_text = function () {
	return data.factors.map(function (f, i) {
		return levels[i] === null ? "" : f.name + " " + levels[i];
	}).filter(Boolean).join(", ");
};

// -- a value --
function numbers(list) { return list.map(function (x) { return x === null ? NaN : x; }); }
function over_baseline(values) {
	return values.map(function (value, i) {
		var p = data.points[i], other = lockstep.baseline_point(i);
		var by = other < 0 ? NaN : values[other];
		return by !== 0 ? value / by : NaN;
	});
}
// The baseline's point of the same row and seed; -1.
lockstep.baseline_point = function (i) {
	var p = data.points[i], column = baselines[p[2]];
	var same = column < 0 ? [] : lockstep.points_at(p[1], column).filter(function (j) {
		return data.points[j][3] === p[3];
	});
	return same.length ? same[0] : -1;
};
function mean_of_seeds(values, row, column) {
	var sum = 0, n = 0;
	lockstep.points_at(row, column).forEach(function (i) {
		if (isNaN(values[i])) return;
		sum += values[i];
		n++;
	});
	return n ? sum / n : NaN;
}
// {name, unit, mean, is_ratio, compared, at: by point, cell(row, column)}; compared: divided by the
// baseline's.
lockstep.value = function (name, normalise) {
	var v = data.values[name], again = v.ratio && asked, values = numbers(v.at);
	var compared = lockstep.has_baseline() && (again || (normalise && !v.ratio)), cells = {};
	if (compared) values = over_baseline(values);
	return { name: name, unit: compared && !v.ratio ? "over the baseline's" : v.unit,
		mean: compared && !v.ratio ? "geometric" : v.mean, is_ratio: v.ratio || compared,
		compared: compared, at: values,
		cell: function (row, column) {
			var key = row * columns + column;
			if (!(key in cells)) cells[key] = mean_of_seeds(values, row, column);
			return cells[key];
		} };
};

// -- means --
function arithmetic(values) {
	var mean = 0; // as the report takes it, step by step
	values.forEach(function (value, i) { mean += (value - mean) / (i + 1); });
	return mean;
}
lockstep.mean = function (kind, values) {
	var least = Math.min.apply(null, values);
	if (!values.length || kind === "none") return NaN;
	if (kind === "arithmetic") return arithmetic(values);
	if (!(least > 0)) return least === 0 ? 0 : NaN;
	return kind === "geometric" ? Math.exp(arithmetic(values.map(Math.log))) :
		1 / arithmetic(values.map(function (value) { return 1 / value; }));
};
// The rows that have a value in every column that has any at all: means over them compare.
lockstep.complete_rows = function (value, rows, shown) {
	var some = shown.filter(function (c) {
		return rows.some(function (r) { return !isNaN(value.cell(r, c)); });
	});
	return rows.filter(function (r) {
		return some.every(function (c) { return !isNaN(value.cell(r, c)); });
	});
};
// To 15 digits: the report computes means with more bits than a number of JavaScript has.
lockstep.column_mean = function (kind, value, rows, column) {
	var mean = lockstep.mean(kind, rows.map(function (r) { return value.cell(r, column); }));
	return +mean.toPrecision(15);
};

// -- numbers for reading, as the report writes them: four digits, halves to even --
// JavaScript rounds a value that lies half-way up, C to the even digit. exact: many more digits of it.
function half_to_even(text, exact) {
	var kept = exact.slice(0, text.length), rest = exact.slice(text.length);
	return /^\.?50*$/.test(rest) && /[02468]$/.test(kept) ? kept : text;
}
function fixed(x, places) { return half_to_even(x.toFixed(places), x.toFixed(30)); }
function exponential(x) {
	var parts = x.toExponential(3).split("e"), exact = x.toExponential(30).split("e");
	return half_to_even(parts[0], exact[0]) + "e" + parts[1].replace(/^([-+])([0-9])$/, "$10$2");
}
lockstep.number = function (x) {
	var size = Math.abs(x);
	if (isNaN(x)) return "–";
	if (!isFinite(x)) return x < 0 ? "-inf" : "inf";
	if (x === Math.floor(x) && size < 1e7) return String(x);
	if (size >= 1e3 && size < 1e7) return fixed(x, 0);
	if (size >= 1e-3 && size < 1e3)
		return fixed(x, size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : 4);
	return exponential(x);
};

})();
