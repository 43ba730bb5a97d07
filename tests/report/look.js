// Put at the end of a copy of a report's page by tests/report.sh: what a reader would stumble over, into
// data-* attributes of <html>. Errors and failed loads are caught by a handler that the script puts into
// <head>.
(function () {
	var html = document.documentElement, found = [];
	function report(what) { if (found.length < 30) found.push(what); }

	if (html.scrollWidth > html.clientWidth)
		report("the page is " + html.scrollWidth + " wide, the window " + html.clientWidth);

	// A text's corners on the screen: its box before it is turned, through the matrix that turns it.
	function corners(text) {
		var box = text.getBBox(), m = text.getScreenCTM(), inset = 1;
		var left = box.x + inset, right = box.x + box.width - inset;
		var top = box.y + inset, bottom = box.y + box.height - inset;
		return [[left, top], [right, top], [right, bottom], [left, bottom]].map(function (p) {
			return [m.a * p[0] + m.c * p[1] + m.e, m.b * p[0] + m.d * p[1] + m.f];
		});
	}
	// Two convex shapes are apart if their projections on the normal of some edge are.
	function apart(a, b) {
		return [a, b].some(function (shape) {
			return shape.some(function (p, i) {
				var q = shape[(i + 1) % shape.length], nx = p[1] - q[1], ny = q[0] - p[0];
				function range(s) {
					var all = s.map(function (c) { return c[0] * nx + c[1] * ny; });
					return [Math.min.apply(null, all), Math.max.apply(null, all)];
				}
				var x = range(a), y = range(b);
				return x[1] <= y[0] || y[1] <= x[0];
			});
		});
	}
	var texts = 0;
	document.querySelectorAll("figure svg").forEach(function (svg) {
		var frame = svg.getBoundingClientRect(), all = [];
		if (svg.closest("[hidden]")) return;
		svg.querySelectorAll("text").forEach(function (text) {
			if (!text.textContent.trim()) return;
			var c = corners(text);
			var where = svg.closest("figure").id + ": '" + text.textContent + "'";
			texts++;
			c.forEach(function (p) {
				if (p[0] < frame.left - 1 || p[0] > frame.right + 1 ||
					p[1] < frame.top - 1 || p[1] > frame.bottom + 1)
					where += " beyond the drawing";
			});
			if (/beyond/.test(where)) report(where);
			var across = c.map(function (p) { return p[0]; });
			all.push({ corners: c, where: where, left: Math.min.apply(null, across),
				right: Math.max.apply(null, across), text: text.textContent });
		});
		all.forEach(function (a, i) {
			all.slice(i + 1).forEach(function (b) {
				if (a.left < b.right && b.left < a.right && !apart(a.corners, b.corners))
					report(a.where + " lies over '" + b.text + "'");
			});
		});
	});
	// Ids are there once, and links lead somewhere.
	var ids = {};
	document.querySelectorAll("[id]").forEach(function (e) {
		if (ids[e.id]) report("two elements have the id " + e.id);
		ids[e.id] = true;
	});
	document.querySelectorAll("a[href^='#']").forEach(function (a) {
		var to = a.getAttribute("href");
		if (!ids[to.slice(1)]) report("a link to nothing: " + to);
	});

	// A click sorts, and another the other way; what has no value is last.
	var sorted = 0;
	document.querySelectorAll("table.sortable").forEach(function (table) {
		var heads = table.tHead.rows[0].cells, last = heads.length - 1, th = heads[last];
		var button = th.querySelector("button"), rows = table.tBodies[0].rows;
		if (!button) return report("a table without buttons");
		["ascending", "descending"].forEach(function (way) {
			button.click();
			if (th.getAttribute("aria-sort") !== way) report("a heading does not say " + way);
			for (var i = 1, ended = false; i < rows.length; i++) {
				var a = rows[i - 1].cells[last].textContent;
				var b = rows[i].cells[last].textContent;
				var x = parseFloat(a), y = parseFloat(b);
				ended = ended || a === "–";
				if (ended && b !== "–") report("a value after what has none");
				if (/^[0-9.]/.test(a) && /^[0-9.]/.test(b) &&
					(way === "ascending" ? x > y : x < y))
					report("not " + way + ": " + a + ", " + b);
			}
		});
		sorted++;
	});
	html.setAttribute("data-texts", texts);
	html.setAttribute("data-sorted", sorted);
	html.setAttribute("data-errors", (window.lookErrors || []).join("; "));
	html.setAttribute("data-height", html.scrollHeight);
	html.setAttribute("data-found", found.join("\n"));
})();
