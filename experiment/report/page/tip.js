// Tooltips: the exact value of a cell or of a part of a drawing, and where it comes from, under the pointer
// and under the keyboard's focus. Escape closes one.
(function () {

var make = lockstep.make, list = lockstep.list;
var tip = make("div", { id: "tip", role: "tooltip", hidden: "" }), of = null;

// -- where a value comes from: the line of its point --
function headings(table) {
	return list(table.tHead.rows[0].cells).map(function (th) { return th.textContent; });
}
function provenance(id) {
	var row = document.getElementById(id), names, lines = [];
	if (!row || !row.cells) return lines;
	names = headings(row.closest("table"));
	["configuration", "differs from the baseline's in", "state", "host", "build", "command"].forEach(
		function (name) {
			var i = names.indexOf(name), text = i < 0 ? "" : row.cells[i].textContent;
			if (text && text !== "–" && (name !== "state" || text !== "done"))
				lines.push([name.replace("the baseline's", "the report's baseline"), text]);
		});
	return lines;
}
function show(element, text, ids) {
	tip.textContent = "";
	tip.appendChild(make("strong", {}, [text]));
	ids.forEach(function (id) {
		tip.appendChild(make("div", {}, [lockstep.point_line(id, element)]));
	});
	if (ids.length)
		tip.appendChild(make("dl", {}, provenance(ids[0]).reduce(function (all, line) {
			return all.concat([make("dt", {}, [line[0]]), make("dd", {}, [line[1]])]);
		}, [])));
	of = element.querySelector("a") || element; // what has the focus
	of.setAttribute("aria-describedby", "tip");
	tip.hidden = false;
	place(element.getBoundingClientRect());
}
// Below the element, above it if there is no room, within the window.
function place(box) {
	var width = document.documentElement.clientWidth, height = window.innerHeight;
	var left, below = box.bottom + 6, above;
	tip.style.maxWidth = Math.min(width - 16, 600) + "px";
	left = Math.min(Math.max(box.left, 8), width - tip.offsetWidth - 8);
	above = box.top - 6 - tip.offsetHeight;
	tip.style.left = left + "px";
	tip.style.top = (below + tip.offsetHeight < height || above < 0 ? below : above) + "px";
}
function close() {
	if (of) of.removeAttribute("aria-describedby");
	of = null;
	tip.hidden = true;
}

// -- cells --
function cell_text(cell) {
	var table = cell.closest("table"), row = cell.parentElement, names = headings(table);
	var head = names[cell.cellIndex], value = cell.getAttribute("data-v") || cell.textContent;
	var first = row.cells[0].textContent;
	if (names[1] === "configuration") first += ", " + row.cells[1].textContent;
	return first + (cell.cellIndex ? ", " + head + ": " + value : "");
}
function cell_ids(cell) {
	var a = cell.querySelector("a") || cell.parentElement.cells[0].querySelector("a");
	var id = a ? a.getAttribute("href").slice(1) : "";
	return /^p[0-9]/.test(id) ? lockstep.point_ids(id) : [];
}
function show_cell(cell) {
	var ids = cell_ids(cell);
	if (ids.length || cell.hasAttribute("data-v")) show(cell, cell_text(cell), ids);
	else close();
}

// -- parts of drawings: one stop of the Tab key for each drawing, and arrows from there --
lockstep.fields = function (group) {
	var all = list(group.children), line = +group.getAttribute("data-line");
	all.forEach(function (field, i) {
		var title = field.firstElementChild;
		field.setAttribute("aria-label", title.textContent);
		field.setAttribute("role", "img");
		field.setAttribute("tabindex", i ? -1 : 0);
		field.removeChild(title); // the browser's own tooltip would lie over ours
	});
	group.addEventListener("keydown", function (event) {
		var steps = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: line, ArrowUp: -line };
		var i = all.indexOf(event.target), to = all[i + (steps[event.key] || 0)];
		var id = event.target.getAttribute("data-p");
		if (event.key === "Enter" && id) location.hash = "#" + id;
		if (!(event.key in steps)) return;
		event.preventDefault();
		if (!to) return;
		event.target.setAttribute("tabindex", -1);
		to.setAttribute("tabindex", 0);
		to.focus();
	});
	group.addEventListener("click", function (event) {
		var id = event.target.getAttribute("data-p");
		if (id) location.hash = "#" + id;
	});
};
function show_field(field) {
	var id = field.getAttribute("data-p");
	show(field, field.getAttribute("aria-label"), id ? lockstep.point_ids(id) : []);
}

function look(event) {
	var at = event.target.closest ? event.target : document.body, cell;
	if (at.closest("g.fields rect")) return show_field(at);
	cell = at.closest(".sortable:not(.points):not(.failures) :is(tbody, tfoot) :is(td, th)");
	if (cell) show_cell(cell);
	else if (!tip.contains(at)) close();
}
document.body.appendChild(tip);
lockstep.all("g.fields").forEach(lockstep.fields);
document.addEventListener("pointerover", look);
document.addEventListener("focusin", look);
document.addEventListener("focusout", close);
document.addEventListener("scroll", function () {
	if (of) place(of.getBoundingClientRect());
}, true);
document.addEventListener("keydown", function (event) { if (event.key === "Escape") close(); });

})();
