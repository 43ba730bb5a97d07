// Put at the end of a copy of the page by tests/report.sh: what a reader does with the pointer and the
// keyboard, and what must follow. What does not goes into data-found of <html>, the number of checks into
// data-worked.
(function () {

var html = document.documentElement, found = [], checks = 0;
var tip = document.getElementById("tip");
function check(what, fine) {
	checks++;
	if (!fine) found.push(what);
}
function all(selector, under) {
	return Array.prototype.slice.call((under || document).querySelectorAll(selector));
}
function press(key) {
	var event = new KeyboardEvent("keydown", { key: key, bubbles: true, cancelable: true });
	document.activeElement.dispatchEvent(event);
}
function point(at) { at.dispatchEvent(new PointerEvent("pointerover", { bubbles: true })); }
function inside() {
	var box = tip.getBoundingClientRect();
	return !tip.hidden && box.left >= 0 && box.right <= html.clientWidth;
}
function type(input, text) {
	input.value = text;
	input.dispatchEvent(new Event("input"));
}

var figure = all("figure").filter(function (f) {
	return f.querySelector("svg") && f.querySelector("table");
})[0];
var table = figure.querySelector("table"), tools = figure.querySelector("details > .tools");
var rows = table.tBodies[0].rows, last = rows[0].cells.length - 1;
all("details", figure).forEach(function (d) { d.open = true; });
function shown() { return all("tbody tr", table).filter(function (r) { return !r.hidden; }); }

// -- rows by words --
var input = tools.querySelector("input[type=search]"), word = "alpha";
var with_word = all("tbody tr", table).filter(function (r) { return /alpha/.test(r.textContent); }).length;
type(input, "ALPHA");
check("the filter leaves the rows with the word", with_word > 0 && shown().length === with_word);
check("and says so", tools.textContent.indexOf(with_word + " of " + rows.length + " rows") >= 0);
type(input, "-" + word);
check("a minus leaves the others", shown().length === rows.length - with_word);
type(input, "");
check("no text, all rows", shown().length === rows.length);

// -- columns --
var box = tools.querySelector("input[type=checkbox]");
box.click();
check("a box hides columns", all("thead th", table).some(function (th) { return th.hidden; }));
check("in all rows", all("tr", table).every(function (r) {
	return all("th, td", r).every(function (cell, i) {
		return cell.hidden === table.tHead.rows[0].cells[i].hidden;
	});
}));
box.click();
check("and shows them again", !all("th, td", table).some(function (c) { return c.hidden; }));

// -- sorting is by all digits --
all("thead button", table)[last].click();
var keys = all("tbody tr", table).map(function (r) {
	var cell = r.cells[last];
	return +(cell.getAttribute("data-v") || cell.textContent.replace("–", "1e300"));
});
check("sorted by the exact values", keys.every(function (k, i) { return !i || keys[i - 1] <= k; }));

// -- tooltips of cells, by keys --
var stops = all("[tabindex='0'], thead button", table).length;
check("one stop of the Tab key for all cells", stops === rows[0].cells.length + 1);
all("[tabindex='0']", table)[0].focus();
press("End");
press("ArrowDown");
var cell = document.activeElement.closest("td");
check("keys move the focus", cell && cell === rows[1].cells[last]);
check("the tooltip shows", inside());
check("it has the exact value", cell && tip.textContent.indexOf(cell.getAttribute("data-v") ||
	cell.textContent) >= 0);
check("and the command", /lockstep run/.test(tip.textContent));
check("and is named by the cell", document.activeElement.getAttribute("aria-describedby") === "tip" ||
	(cell && cell.getAttribute("aria-describedby") === "tip"));
press("Escape");
check("Escape closes it", tip.hidden);
point(cell);
check("the pointer opens it", inside() && /lockstep run/.test(tip.textContent));

// -- another baseline: tooltips name the point that a value is compared with; and back --
var select = document.querySelector("#baseline select"), before = number_of(cell);
function number_of(cell) { return cell.getAttribute("data-v") || cell.textContent; }
function choose(value) {
	select.value = value;
	select.dispatchEvent(new Event("change"));
}
var report_has = select.value;
choose("=gto");
point(cell);
check("the number is another", number_of(cell) !== before);
check("the tooltip has it", tip.textContent.indexOf(number_of(cell)) >= 0);
check("and the baseline's point",
	/point [0-9]+, seed 1: [0-9.]+, over that of point [0-9]+/.test(tip.textContent));
check("the figure says what was chosen", /policy gto/.test(figure.querySelector(".notice").textContent));
all("#baseline button")[0].click();
check("a button leads back", select.value === report_has && number_of(cell) === before &&
	!figure.querySelector(".notice") && !figure.querySelector(".chosen"));
press("Escape");

// -- drawings --
var kinds = {};
all("g.fields").forEach(function (group) {
	var fields = group.children, line = +group.getAttribute("data-line"), drawn = group.closest("svg");
	var frame = drawn.getBoundingClientRect(), id = group.closest("figure").id;
	kinds[id.replace(/^f[0-9]*-([a-z]*)-.*/, "$1")] = true;
	check(id + ": one stop of the Tab key", all("[tabindex='0']", group).length === 1);
	all("rect", group).forEach(function (r) {
		var b = r.getBoundingClientRect(), p = r.getAttribute("data-p");
		if (b.left < frame.left - 1 || b.right > frame.right + 1 || b.top < frame.top - 1 ||
			b.bottom > frame.bottom + 1 || b.width < 1 || b.height < 1)
			found.push(id + ": a field beyond the drawing: " + r.getAttribute("aria-label"));
		if (p && !document.getElementById(p)) found.push(id + ": a field of no point: " + p);
		if (!r.getAttribute("aria-label")) found.push(id + ": a field that says nothing");
	});
	fields[0].focus();
	press("ArrowRight");
	check(id + ": an arrow goes on", document.activeElement === fields[Math.min(1, fields.length - 1)]);
	check(id + ": and says what it is", inside() &&
		tip.textContent.indexOf(document.activeElement.getAttribute("aria-label")) >= 0);
	press("ArrowDown");
	check(id + ": another goes a line down",
		document.activeElement === fields[fields.length > 1 + line ? 1 + line : 1]);
});
check("fields in each kind of drawing: " + Object.keys(kinds).join(" "),
	kinds.bars && kinds.heat && kinds.scatter && kinds.stacked);

// A field of bars has the value that the table has at its point.
var in_table = {};
all("tbody td", table).forEach(function (td) {
	var a = td.querySelector("a");
	if (a) in_table[a.getAttribute("href").slice(1)] = td.getAttribute("data-v") || td.textContent;
});
all("g.fields rect[data-p]", figure).forEach(function (r) {
	var value = in_table[r.getAttribute("data-p")], label = r.getAttribute("aria-label");
	var end = value === "–" ? "has no value" : " " + value;
	if (label.slice(-end.length) !== end) found.push("'" + label + "' is not " + value);
});
check("Enter leads to the point", (function () {
	var field = figure.querySelector("g.fields rect[data-p]");
	field.focus();
	press("Enter");
	return location.hash === "#" + field.getAttribute("data-p");
})());

html.setAttribute("data-worked", checks);
html.setAttribute("data-errors", (window.lookErrors || []).join("; "));
html.setAttribute("data-found", found.slice(0, 20).join("\n"));

})();
