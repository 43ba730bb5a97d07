// Drawings that the browser makes where another baseline, value or mean is chosen than the report was made
// with. They are laid out like those of figure/bars_panel.c.
(function () {

var WIDTH = 1180, LEFT = 64, RIGHT = 12, HEIGHT = 220, LEAST = 5, MOST = 16, GAP = 8;
var LINE = 18, SMALL = 11;
var pen = document.createElement("canvas").getContext("2d");

function text_width(text, size) {
	pen.font = (size || SMALL) + "px \"DejaVu Sans\", Verdana, Arial, Helvetica, sans-serif";
	return pen.measureText(text).width;
}
function svg(tag, attributes, text) {
	var e = document.createElementNS("http://www.w3.org/2000/svg", tag);
	Object.keys(attributes).forEach(function (name) {
		var x = attributes[name];
		e.setAttribute(name, typeof x === "number" ? Math.round(x * 100) / 100 : x);
	});
	if (text !== undefined) e.appendChild(document.createTextNode(text));
	return e;
}
// anchor: start, middle, end; turn: degrees against the clock around it; y: the middle of the letters.
function label(to, x, y, anchor, text, turn, size) {
	var a = { x: x, y: y + 0.36 * (size || SMALL), "text-anchor": anchor, "font-size": size || SMALL };
	if (turn) a.transform = "rotate(" + -turn + " " + x + " " + y + ")";
	to.appendChild(svg("text", a, text));
}
function box(to, left, top, right, bottom, fill, more) {
	var a = { x: left, y: Math.min(top, bottom), width: right - left, height: Math.abs(bottom - top),
		fill: fill };
	Object.keys(more || {}).forEach(function (name) { a[name] = more[name]; });
	to.appendChild(svg("rect", a));
}
function line(to, x1, y1, x2, y2, colour, more) {
	var a = { x1: x1, y1: y1, x2: x2, y2: y2, stroke: colour };
	Object.keys(more || {}).forEach(function (name) { a[name] = more[name]; });
	to.appendChild(svg("line", a));
}
function drawing(width, height, about) {
	return svg("svg", { width: Math.ceil(width), height: Math.ceil(height), role: "group",
		viewBox: "0 0 " + Math.ceil(width) + " " + Math.ceil(height), "aria-label": about });
}
function field(group, left, top, right, bottom, ids, text) {
	var rect = svg("rect", { x: left, y: top, width: right - left, height: bottom - top });
	if (ids.length) rect.setAttribute("data-p", "p" + lockstep.data.points[ids[0]][0]);
	rect.appendChild(svg("title", {}, text));
	group.appendChild(rect);
}
lockstep.pen = { svg: svg, label: label, box: box, line: line, drawing: drawing, field: field,
	text_width: text_width };

// -- the axis --
function nice_step(range, steps) {
	var least = range / steps, power = Math.pow(10, Math.floor(Math.log10(least)));
	return [1, 2, 2.5, 5, 10].filter(function (f) { return f * power >= least * 0.999999; })[0] * power;
}
function axis_of(clusters) {
	var values = [], n, top, low, usual, last, step;
	clusters.forEach(function (c) { values = values.concat(c.values.filter(isFinite)); });
	values.sort(function (a, b) { return a - b; });
	n = values.length;
	usual = n > 20 ? values[Math.floor(n * 97 / 100)] : 0;
	for (last = n; usual > 0 && values[last - 1] > 2 * usual;) last--;
	low = n && values[0] < 0 ? values[0] : 0;
	top = Math.max(n ? values[last - 1] : 1, 0);
	if (top <= low) top = low + 1;
	step = nice_step(top - low, 6);
	return { step: step, top: Math.ceil(top / step - 1e-9) * step,
		low: Math.floor(low / step + 1e-9) * step };
}

// -- groups of bars --
function cluster_of_row(value, columns, row) {
	var r = lockstep.data.rows[row];
	return { label: r.label, what: r.name, suite: r.suite, row: row,
		values: columns.map(function (c) { return value.cell(row, c); }) };
}
function cluster_of_mean(text, kind, value, columns, rows, suite) {
	return { label: text, what: kind + " mean of " + (suite === null ? "all" : suite), suite: suite,
		row: -1, values: columns.map(function (c) {
			return lockstep.column_mean(kind, value, rows, c);
		}) };
}
function clusters_of(value, kind, rows, columns) {
	var whole = lockstep.complete_rows(value, rows, columns), suites = [], clusters = [];
	rows.forEach(function (r) {
		var suite = lockstep.data.rows[r].suite;
		if (suites.indexOf(suite) < 0) suites.push(suite);
	});
	suites.forEach(function (suite) {
		function of_suite(r) { return lockstep.data.rows[r].suite === suite; }
		var inside = rows.filter(of_suite);
		clusters = clusters.concat(inside.map(function (r) {
			return cluster_of_row(value, columns, r);
		}));
		if (kind !== "none" && inside.length > 1 && suites.length > 1)
			clusters.push(cluster_of_mean("mean", kind, value, columns, whole.filter(of_suite),
				suite));
	});
	if (kind !== "none" && rows.length > 1)
		clusters.push(cluster_of_mean(suites.length > 1 ? "all" : "mean", kind, value, columns,
			whole, null));
	return clusters;
}
// Whole suites in a panel, as many as there is room for; a suite without room in any is cut.
function panels_of(clusters, room) {
	var panels = [], rest = clusters.slice();
	function suite_end(from) {
		while (from < rest.length && rest[from].suite === rest[from - 1].suite) from++;
		return from;
	}
	while (rest.length) {
		var end = suite_end(1), next;
		while (end < rest.length && (next = suite_end(end + 1)) <= room) end = next;
		panels.push(rest.splice(0, Math.min(end, room)));
	}
	return panels;
}

// -- a panel --
function legend(to, left, width, columns) {
	var x = left, y = 6 + LINE / 2;
	columns.forEach(function (c) {
		var column = lockstep.data.columns[c], wide = 17 + text_width(column.label);
		if (x > left && x + wide > left + width) {
			x = left;
			y += LINE;
		}
		if (to) {
			box(to, x, y - 5, x + 12, y + 5, column.colour);
			label(to, x + 17, y, "start", column.label);
		}
		x += wide + 16;
	});
	return y + LINE / 2;
}
function draw_axis(to, p, axis, value, right) {
	for (var y = axis.low; y <= axis.top + axis.step / 2; y += axis.step) {
		line(to, p.left, p.y(y), right, p.y(y), "#d0d0d0", { "stroke-width": 0.5 });
		label(to, p.left - 6, p.y(y), "end", String(+y.toPrecision(6)));
	}
	label(to, 12, (p.top + p.bottom) / 2, "middle", value.title, 90);
}
function draw_bars(to, p, cluster, i, columns, axis, group) {
	var x = p.left + (i + 0.5) * p.cluster, free_from = p.free_from || 0;
	cluster.values.forEach(function (v, c) {
		var left = x + (c - columns.length / 2) * p.bar, right = left + p.bar;
		var middle = left + p.bar / 2;
		var column = lockstep.data.columns[columns[c]];
		if (isNaN(v)) {
			label(to, middle, p.bottom - 6, "middle", "×", 0, 9);
		} else {
			box(to, left, p.y(Math.min(v, axis.top)), right, p.y(0), column.colour,
				{ stroke: "#333333", "stroke-width": 0.5 });
			if (v > axis.top * (1 + 1e-9)) {
				free_from = Math.max(middle, free_from);
				label(to, free_from, p.top - 20, "start", lockstep.number(v), 90, 10);
				free_from += 13;
			}
		}
		field(group, left, p.top, right, p.bottom, cluster.row < 0 ? [] :
			lockstep.points_at(cluster.row, columns[c]), cluster.what + ", " + column.label +
			": " + p.name + " " + (isNaN(v) ? "has no value" : v));
	});
	p.free_from = free_from;
}
function draw_labels(to, p, clusters) {
	clusters.forEach(function (cluster, i) {
		var x = p.left + (i + 0.5) * p.cluster, begin, end;
		label(to, x + (p.turned ? 3 : 0), p.bottom + 12, p.turned ? "end" : "middle", cluster.label,
			p.turned ? 45 : 0);
		if (i && clusters[i - 1].suite === cluster.suite) return;
		for (end = i + 1; end < clusters.length && clusters[end].suite === cluster.suite;) end++;
		begin = p.left + i * p.cluster;
		if (i) line(to, begin, p.top - 16, begin, p.bottom + 4, "#999999");
		if (cluster.suite && text_width(cluster.suite) < (end - i) * p.cluster - 4)
			label(to, begin + (end - i) * p.cluster / 2, p.top - 9, "middle", cluster.suite);
	});
}
function layout(clusters, columns, is_cut) {
	var widest = Math.max.apply(null, clusters.map(function (c) { return text_width(c.label); }));
	var p = { left: LEFT }, n = clusters.length;
	p.cluster = Math.min((WIDTH - LEFT - RIGHT) / n, columns.length * MOST + 3 * GAP);
	if (n < 4) p.cluster = Math.max(p.cluster, 90);
	p.turned = widest > p.cluster - 4;
	if (p.turned) clusters.forEach(function (c, i) {
		p.left = Math.max(p.left, text_width(c.label) * 0.71 + 10 - (i + 0.5) * p.cluster);
	});
	p.cluster = Math.min(p.cluster, (WIDTH - p.left - RIGHT) / n);
	p.width = Math.max(p.left + RIGHT + p.cluster * n, 560);
	p.bar = Math.min((p.cluster - Math.max(GAP, p.cluster * 0.18)) / columns.length, MOST * 2.5);
	p.top = 8 + legend(null, p.left, p.width - p.left - RIGHT, columns) + (is_cut ? 40 : 0) + 22;
	p.bottom = p.top + HEIGHT;
	p.height = p.bottom + (p.turned ? 18 + widest * 0.71 : 26);
	return p;
}
function panel(value, clusters, columns, axis) {
	var p = layout(clusters, columns, clusters.some(function (c) {
		return c.values.some(function (v) { return v > axis.top * (1 + 1e-9); });
	}));
	var right = p.left + p.cluster * clusters.length, to;
	var group = svg("g", { "class": "fields", "data-line": columns.length });
	p.name = value.name;
	p.y = function (v) { return p.bottom - (v - axis.low) / (axis.top - axis.low) * HEIGHT; };
	to = drawing(p.width, p.height, "Bars: " + value.title + "; the table below has the numbers");
	legend(to, p.left, p.width - p.left - RIGHT, columns);
	clusters.forEach(function (c, i) {
		if (c.row < 0)
			box(to, p.left + i * p.cluster, p.top, p.left + (i + 1) * p.cluster, p.bottom,
				"#ececec");
	});
	draw_axis(to, p, axis, value, right);
	clusters.forEach(function (c, i) { draw_bars(to, p, c, i, columns, axis, group); });
	line(to, p.left, p.y(0), right, p.y(0), "#444444");
	if (value.is_ratio && axis.top >= 1)
		line(to, p.left, p.y(1), right, p.y(1), "#000000", { "stroke-dasharray": "4 3" });
	box(to, p.left, p.top, right, p.bottom, "none", { stroke: "#444444" });
	draw_labels(to, p, clusters);
	to.appendChild(group);
	return to;
}
// value: of lockstep.value, with a title; the drawings.
lockstep.draw_bars = function (value, kind, rows, columns) {
	var clusters = clusters_of(value, kind, rows, columns), axis = axis_of(clusters);
	var room = Math.floor((WIDTH - LEFT - RIGHT) / Math.max(columns.length * LEAST + GAP, 17));
	return panels_of(clusters, room).map(function (some) { return panel(value, some, columns, axis); });
};

})();
