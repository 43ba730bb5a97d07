// Another baseline for all tables and drawings of ratios, and another value or mean for a figure of bars or a
// heat map. What the report was made with stays one choice away.
(function () {

var make = lockstep.make, list = lockstep.list, all = lockstep.all, data = lockstep.data;
if (!data) return;
var MEANS = ["arithmetic", "geometric", "harmonic", "none"], by_id = {}, said;

// -- cells --
function set_number(cell, x) {
	var text = lockstep.number(x), exact = String(x);
	(cell.querySelector("a") || cell).textContent = text;
	if (isNaN(x) || exact === text) cell.removeAttribute("data-v");
	else cell.setAttribute("data-v", exact);
}
function set_first_text(e, text) { (e.querySelector("a") || e).firstChild.nodeValue = text; }
function title_of(value) {
	if (value.compared && !data.values[value.name].ratio) return value.name + " over the baseline's";
	return value.unit && value.name.indexOf(value.unit) < 0 ? value.name + " (" + value.unit + ")" :
		value.name;
}

// -- tables: rows keep their place in the sweep, however they are sorted --
function bind(f, table) {
	f.table = table;
	f.body = table ? list(table.tBodies[0].rows) : [];
	if (table && is_drawn(f) && !table.tFoot) { // for a mean that the report does not have
		var row = make("tr", {}, [make("th", { scope: "row", "class": "t" }, [""])].concat(
			f.columns.map(function () { return make("td", {}, [""]); })));
		table.appendChild(make("tfoot", {}, [row]));
	}
}
function is_drawn(f) { return f.kind === "bars" || f.kind === "heat"; }
function fill_by_configuration(f, value, kind) {
	var whole = lockstep.complete_rows(value, f.rows, f.columns), foot = f.table.tFoot.rows[0];
	f.rows.forEach(function (r, i) {
		f.columns.forEach(function (c, k) { set_number(f.body[i].cells[k + 1], value.cell(r, c)); });
	});
	foot.hidden = kind === "none";
	foot.cells[0].textContent = kind + " mean" + (whole.length < f.rows.length ? " of " +
		whole.length : "");
	f.columns.forEach(function (c, k) {
		set_number(foot.cells[k + 1], lockstep.column_mean(kind, value, whole, c));
	});
	return whole.length;
}
function fill_by_point(f, values) {
	f.rows.forEach(function (r, i) {
		f.columns.forEach(function (c, k) {
			values.forEach(function (value, v) {
				set_number(f.body[i * f.columns.length + k].cells[v + 2], value.cell(r, c));
			});
		});
	});
}
function fill_summary() {
	var table = document.querySelector("#summary table.sortable"), heads, every = data.columns.map(
		function (c, i) { return i; });
	by_id.summary = by_id.summary || { body: list(table.tBodies[0].rows) };
	heads = table.tHead.rows[0].cells;
	data.summary.forEach(function (name, v) {
		var value = lockstep.value(name, false), head = heads[v + 2].querySelector("button");
		var rows = data.rows.map(function (r, i) { return i; }).filter(function (r) {
			return (r >= data.programs) === data.values[name].kernels;
		});
		var whole = lockstep.complete_rows(value, rows, every);
		head.firstChild.nodeValue = head.firstChild.nodeValue.replace(/mean of [0-9]+/,
			"mean of " + whole.length);
		every.forEach(function (c) {
			set_number(by_id.summary.body[c].cells[v + 2], lockstep.column_mean(value.mean ===
				"none" ? "arithmetic" : value.mean, value, whole, c));
		});
	});
	every.forEach(function (c) {
		set_first_text(by_id.summary.body[c].cells[0], data.columns[c].label +
			(lockstep.baseline_of(c) === c ? " (baseline)" : ""));
	});
}

// -- figures --
function note(f, text) {
	if (f.note) f.note.parentElement.removeChild(f.note);
	f.note = text ? make("p", { "class": "notice" }, [text]) : null;
	if (text) f.element.insertBefore(f.note, f.element.querySelector("h3").nextSibling);
}
function ratios_text() {
	return "ratios are to " + lockstep.baseline_text() + ", seed by seed";
}
function chosen_differs(f, value) {
	return f.chosen.value !== f.values[0] || f.chosen.normalise !== f.normalise ||
		f.chosen.mean !== f.mean || (value.is_ratio && lockstep.baseline_differs());
}
function redraw(f, value, kind) {
	var before = f.element.querySelector("figcaption");
	var draw = f.kind === "bars" ? lockstep.draw_bars(value, kind, f.rows, f.columns) :
		lockstep.draw_heat(value, f.rows, f.columns);
	draw.forEach(function (svg) {
		f.element.insertBefore(make("div", { "class": "scroll drawing chosen" }, [svg]), before);
		lockstep.fields(svg.querySelector("g.fields"));
	});
}
function update_drawn(f) {
	var value = lockstep.value(f.chosen.value, f.chosen.normalise), whole, differs;
	var kind = f.chosen.mean || value.mean;
	f.current = [value];
	value.title = title_of(value);
	if (!f.table) return;
	whole = fill_by_configuration(f, value, kind);
	differs = chosen_differs(f, value);
	all(".drawing.chosen", f.element).forEach(function (e) { f.element.removeChild(e); });
	all(".drawing, figcaption", f.element).forEach(function (e) { e.hidden = differs; });
	note(f, differs ? "Chosen on the page: " + value.title + (value.compared || (value.is_ratio &&
		lockstep.has_baseline()) ? "; " + ratios_text() : "") + (kind === "none" ? "" :
		"; means are " + kind + ", over " + whole + " of " + f.rows.length + " rows") + "." : "");
	if (differs) redraw(f, value, kind);
}
function update(f) {
	if (is_drawn(f)) return update_drawn(f);
	if (f.kind === "printed")
		return note(f, lockstep.baseline_differs() ?
			"These numbers are compared as the report was made." : "");
	if (f.kind !== "table" && f.kind !== "scatter") return;
	f.current = f.values.map(function (name) { return lockstep.value(name, f.normalise); });
	if (f.table) fill_by_point(f, f.current);
	note(f, lockstep.baseline_differs() && f.current.some(function (v) { return v.is_ratio; }) ?
		"Chosen on the page: in the table, " + ratios_text() +
		(f.kind === "scatter" ? ". The drawing is the report's." : ".") : "");
}
function update_all() {
	fill_summary();
	data.figures.forEach(update);
}

// -- controls --
function select(name, options, chosen, change) {
	var e = make("select", {}, options.map(function (o) {
		return make("option", { value: o[0] }, [o[1]]);
	}));
	e.value = chosen;
	e.addEventListener("change", function () { change(e.value); });
	return { element: make("label", {}, [name + " ", e]), select: e };
}
function values_for(f) {
	return Object.keys(data.values).filter(function (name) {
		return data.values[name].kernels === f.kernels;
	});
}
function controls(f) {
	var box = make("input", { type: "checkbox" }), value, mean, reset;
	function show() {
		value.select.value = f.chosen.value;
		mean.select.value = f.chosen.mean || "";
		box.checked = f.chosen.normalise;
		box.disabled = data.values[f.chosen.value].ratio || !lockstep.has_baseline();
		reset.hidden = f.chosen.value === f.values[0] && f.chosen.normalise === f.normalise &&
			f.chosen.mean === f.mean;
	}
	function changed() {
		update(f);
		show();
	}
	f.show = show;
	value = select("Value", values_for(f).map(function (n) { return [n, n]; }), f.chosen.value,
		function (name) {
			f.chosen.value = name;
			f.chosen.normalise = !data.values[name].ratio && f.chosen.normalise;
			changed();
		});
	mean = select("Mean", [["", "as the value says"]].concat(MEANS.map(function (m) { return [m, m]; })),
		f.chosen.mean || "", function (m) {
			f.chosen.mean = m || null;
			changed();
		});
	box.addEventListener("change", function () {
		f.chosen.normalise = box.checked;
		changed();
	});
	reset = make("button", { type: "button" }, ["As in the report"]);
	reset.addEventListener("click", function () {
		f.chosen = { value: f.values[0], normalise: f.normalise, mean: f.mean };
		changed();
	});
	show();
	return make("div", { "class": "tools choice" }, [value.element, make("label", {}, [box,
		" over the baseline's"]), mean.element, reset]);
}
function baseline_bar() {
	var levels = lockstep.baseline(), selects = [], reset, bar, main = document.querySelector("main");
	said = make("span", { "class": "count", "aria-live": "polite" });
	function differs(level, f) { return level !== lockstep.own_baseline()[f]; }
	// Levels that no point has stay in the selects, on the way to others; the numbers stay as they were.
	function apply() {
		var fine = lockstep.set_baseline(levels), now = lockstep.baseline_text() || "no baseline";
		if (fine) update_all();
		said.textContent = !fine ? "No point has these levels; shown are ratios to " + now + "." :
			lockstep.baseline_differs() ? "Not the report's: " + now + "." : "";
		selects.forEach(function (s) {
			s.select.value = levels[s.factor] === null ? "" : "=" + levels[s.factor];
		});
		reset.hidden = !levels.some(differs);
		data.figures.forEach(function (f) { if (f.show) f.show(); });
	}
	data.factors.forEach(function (factor, f) {
		var s;
		if (factor.levels.length < 2) return;
		s = select(factor.name, [["", "each its own"]].concat(factor.levels.map(function (l) {
			return ["=" + l, l];
		})), levels[f] === null ? "" : "=" + levels[f], function (chosen) {
			levels[f] = chosen ? chosen.slice(1) : null;
			apply();
		});
		s.factor = f;
		selects.push(s);
	});
	reset = make("button", { type: "button", hidden: "" }, ["As in the report"]);
	reset.addEventListener("click", function () {
		levels = lockstep.own_baseline();
		apply();
	});
	bar = make("div", { id: "baseline", "class": "tools", role: "group", "aria-label": "Baseline" },
		[make("strong", {}, ["Baseline"])].concat(selects.map(function (s) { return s.element; }),
			[reset, said]));
	if (selects.length) main.insertBefore(bar, main.firstChild);
}

// -- what tooltips say of a point: its seed, its own value, the point that it is compared with --
var first = {};
data.points.forEach(function (p, i) { if (!(p[0] in first)) first[p[0]] = i; });
lockstep.point_ids = function (id) {
	var p = data.points[first[id.slice(1)]];
	return lockstep.points_at(p[1], p[2]).map(function (i) { return "p" + data.points[i][0]; });
};
lockstep.point_line = function (id, element) {
	var number = +id.slice(1), figure = element.closest("figure"), f = figure && by_id[figure.id];
	var value = null, at, seed = data.points[first[number]][3], text = "point " + number, other;
	if (seed !== null) text += ", seed " + seed;
	if (f && f.current) value = f.current[is_drawn(f) ? 0 : element.cellIndex - 2];
	at = value ? data.points.map(function (p, i) { return i; }).filter(function (i) {
		return data.points[i][0] === number && f.rows.indexOf(data.points[i][1]) >= 0;
	}) : [];
	if (at.length !== 1) return text; // of several kernels
	text += ": " + (isNaN(value.at[at[0]]) ? "no value" : value.at[at[0]]);
	other = value.compared ? lockstep.baseline_point(at[0]) : -1;
	return text + (other >= 0 ? ", over that of point " + data.points[other][0] : "");
};

// Columns of configurations are chosen by the levels of the factors.
lockstep.column_groups = function (table) {
	var figure = table.closest("figure"), f = figure && by_id[figure.id];
	if (!f || !is_drawn(f)) return null;
	return data.factors.map(function (factor, i) {
		return { name: factor.name, choices: factor.levels.map(function (level) {
			return { label: level, columns: f.columns.map(function (c, k) {
				return data.columns[c].levels[i] === level ? k + 1 : 0;
			}).filter(Boolean) };
		}).filter(function (choice) { return choice.columns.length; }) };
	}).filter(function (group) { return group.choices.length > 1; });
};

data.figures.forEach(function (f) {
	by_id[f.id] = f;
	f.element = document.getElementById(f.id);
	f.chosen = { value: f.values[0], normalise: f.normalise, mean: f.mean };
	bind(f, f.element.querySelector("table"));
	f.current = f.values.map(function (name) { return lockstep.value(name, f.normalise); });
	if (is_drawn(f) && f.table)
		f.element.insertBefore(controls(f), f.element.querySelector("h3").nextSibling);
});
baseline_bar();

})();
