// Put at the end of a copy of the page by tests/report.sh, behind a line that says what is chosen
// (var wanted = {baseline: {factor: level}, figures: {id: {value, normalise, mean}}}): chooses it on the
// page, and writes the numbers of all tables into #numbers, a line each: table, row, column, number.
(function () {

var html = document.documentElement, found = [], lines = [], bars = 0;
function all(selector, under) { return Array.prototype.slice.call(under.querySelectorAll(selector)); }
function change(control, value) {
	if (control.type === "checkbox") control.checked = value;
	else control.value = value;
	if (control.type !== "checkbox" && control.value !== value) found.push("no choice " + value);
	control.dispatchEvent(new Event("change"));
}
function labelled(text, under) {
	return all("label", under).filter(function (l) {
		return l.textContent.trim().indexOf(text) === 0;
	}).map(function (l) { return l.querySelector("select, input"); })[0];
}
function number(cell) {
	var text = cell.getAttribute("data-v") || cell.textContent;
	return text.replace(/^–$/, "none");
}

Object.keys(wanted.baseline || {}).forEach(function (factor) {
	var level = wanted.baseline[factor];
	change(labelled(factor, document.getElementById("baseline")), level && "=" + level);
});
Object.keys(wanted.figures || {}).forEach(function (id) {
	var under = document.querySelector("#" + id + " .choice"), w = wanted.figures[id];
	if (w.value) change(labelled("Value", under), w.value);
	if ("normalise" in w) change(labelled("over the baseline's", under), w.normalise);
	if (w.mean) change(labelled("Mean", under), w.mean);
});

all("figure table.sortable, #summary table.sortable", document).forEach(function (table) {
	var of = table.closest("figure"), id = of ? of.id.slice(0, 3) : "summary";
	if (of && /printed/.test(of.id)) return; // compared as the report was made
	all("tbody tr, tfoot tr:not([hidden])", table).forEach(function (tr, row) {
		all("th, td", tr).forEach(function (cell, column) {
			lines.push([id, row, column, number(cell)].join("|"));
		});
	});
});
// What the browser drew: as many bars as there are values, and their fields say what the table says.
all("figure .chosen g.fields", document).forEach(function (group) {
	var values = {}, table = group.closest("figure").querySelector("table");
	all("tbody td", table).forEach(function (td) {
		var a = td.querySelector("a");
		if (a) values[a.getAttribute("href").slice(1)] = number(td);
	});
	all("rect[data-p]", group).forEach(function (r) {
		var value = values[r.getAttribute("data-p")], label = r.getAttribute("aria-label");
		var end = value === "none" ? "has no value" : " " + value;
		bars++;
		if (label.slice(-end.length) !== end) found.push("'" + label + "' is not " + value);
	});
});
all("figure", document).forEach(function (f) {
	var drawn = all(".chosen.drawing", f).length;
	if (drawn && all(".drawing:not(.chosen):not([hidden])", f).length)
		found.push(f.id + ": two drawings at once");
	if (drawn && !f.querySelector(".notice")) found.push(f.id + ": no word of what was chosen");
});
var pre = document.createElement("pre");
pre.id = "numbers";
pre.hidden = true;
pre.textContent = "\n" + lines.join("\n") + "\n";
document.body.appendChild(pre);
html.setAttribute("data-bars", bars);
html.setAttribute("data-errors", (window.lookErrors || []).join("; "));
html.setAttribute("data-found", found.slice(0, 20).join("\n"));

})();
