// A heat map that the browser draws, laid out and coloured like those of figure/figure_heat.c.
(function () {

var WIDTH = 1180, ROW = 18, MOST = 96;
var diverging = ["b2182b", "ef8a62", "fddbc7", "f7f7f7", "d1e5f0", "67a9cf", "2166ac"];
var sequential = ["440154", "443983", "31688e", "21918c", "35b779", "90d743", "fde725"];

function parts(colour) {
	return [0, 2, 4].map(function (i) { return parseInt(colour.slice(i, i + 2), 16); });
}
// share: 0 to 1 along the palette.
function colour_at(palette, share) {
	var x = Math.min(Math.max(share, 0), 1) * (palette.length - 1);
	var i = Math.min(Math.floor(x), palette.length - 2), a = parts(palette[i]), b = parts(palette[i + 1]);
	return a.map(function (part, k) { return Math.round(part + (b[k] - part) * (x - i)); });
}
function ink(rgb) {
	return 0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2] > 128 ? "#000000" : "#ffffff";
}
function ascending(a, b) { return a - b; }
// From the lowest to the highest; of ratios as far on both sides of 1, and not far beyond nine of ten.
function scale_of(value, numbers) {
	var finite = numbers.filter(isFinite).sort(ascending), n = finite.length;
	var logarithmic = value.is_ratio || (n && finite[0] > 0 && finite[n - 1] / finite[0] > 100);
	var v = logarithmic ? finite.filter(function (x) { return x > 0; }).map(Math.log2) : finite;
	var last = v.length - 1, low = v.length ? v[0] : 0, high = v.length ? v[last] : 1, away;
	var cut = Math.floor(v.length / 50);
	if (v.length > 20 && high - low > 1.6 * (v[last - cut] - v[cut]) && v[last - cut] > v[cut]) {
		low = v[cut];
		high = v[last - cut];
	}
	if (value.is_ratio) {
		away = v.map(Math.abs).sort(ascending);
		high = away.length ? Math.min(away[away.length - 1], Math.max(1.5 *
			away[Math.floor(away.length * 9 / 10)], Math.log2(1.1))) : 0;
		high = Math.max(high, Math.log2(1.02));
		low = -high;
	}
	if (!(high > low)) high = low + 1;
	return { is_cut: v.length && (v[0] < low - 1e-12 || v[last] > high + 1e-12), share: function (x) {
		return ((logarithmic ? Math.log2(x) : x) - low) / (high - low);
	}, at: function (share) {
		var x = low + (high - low) * share;
		return logarithmic ? Math.pow(2, x) : x;
	} };
}
// The key of the colours; ends beyond which there are values have a sign.
function key(to, pen, left, palette, scale, title) {
	var ends = scale.is_cut ? ["≤ ", "", "", "", "≥ "] : ["", "", "", "", ""];
	for (var i = 0; i < 52; i++)
		pen.box(to, left + 5 * i, 8, left + 5 * i + 5.5, 18, "rgb(" +
			colour_at(palette, (i + 0.5) / 52).join() + ")");
	for (i = 0; i <= 4; i++)
		pen.label(to, left + 65 * i, 28, "middle", ends[i] +
			String(+scale.at(i / 4).toPrecision(3)), 0, 10);
	pen.label(to, left + 290, 13, "start", title);
}
lockstep.draw_heat = function (value, rows, columns) {
	var data = lockstep.data, pen = lockstep.pen, numbers = [], palette, scale, to, group;
	var names = rows.map(function (r) { return pen.text_width(data.rows[r].name); });
	var heads = columns.map(function (c) { return pen.text_width(data.columns[c].label); });
	var left = Math.max.apply(null, names.concat(30)) + 14, widest = Math.max.apply(null, heads);
	var cell, turned, top;
	rows.forEach(function (r) {
		columns.forEach(function (c) { numbers.push(value.cell(r, c)); });
	});
	palette = value.is_ratio ? diverging : sequential;
	scale = scale_of(value, numbers);
	cell = Math.min((WIDTH - left - 12) / columns.length, Math.max(MOST, widest + 10));
	turned = widest > cell - 6;
	if (turned) cell = Math.min(cell, (WIDTH - left - 12 - widest * 0.71) / columns.length);
	top = 48 + (turned ? 12 + widest * 0.71 : 22);
	to = pen.drawing(Math.max(left + cell * columns.length + 12 + (turned ? widest * 0.71 : 0),
		left + 300 + pen.text_width(value.title)), top + ROW * rows.length + 8,
		"Heat map: " + value.title + "; the table below has the numbers");
	group = pen.svg("g", { "class": "fields", "data-line": columns.length });
	key(to, pen, left, palette, scale, value.title);
	columns.forEach(function (c, i) {
		pen.label(to, left + (i + 0.5) * cell - (turned ? 4 : 0), top - 10,
			turned ? "start" : "middle", data.columns[c].label, turned ? 45 : 0);
	});
	rows.forEach(function (r, i) {
		var y = top + i * ROW;
		pen.label(to, left - 6, y + ROW / 2, "end", data.rows[r].name);
		columns.forEach(function (c, k) {
			var v = value.cell(r, c), x = left + k * cell, rgb = isNaN(v) ? [228, 228, 228] :
				colour_at(palette, scale.share(v));
			var text = lockstep.number(v);
			pen.box(to, x + cell * 0.02, y + 1, x + cell * 0.98, y + ROW - 1, "rgb(" + rgb + ")");
			if (pen.text_width(text, 10) <= cell - 4)
				to.appendChild(pen.svg("text", { x: x + cell / 2, y: y + ROW / 2 + 3.6,
					"text-anchor": "middle", "font-size": 10, fill: ink(rgb) }, text));
			pen.field(group, x, y, x + cell, y + ROW, lockstep.points_at(r, c),
				data.rows[r].name + ", " + data.columns[c].label + ": " + value.name + " " +
				(isNaN(v) ? "has no value" : v));
		});
	});
	to.appendChild(group);
	return [to];
};

})();
