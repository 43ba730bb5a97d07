// Tables: a click on a heading sorts, a text filters the rows, boxes hide columns, arrow keys move between
// cells.
(function () {

var make = lockstep.make, list = lockstep.list;

// -- sorting: first ascending, then descending; cells without a value come last --
function number(text) { return /^[-+]?[0-9.]/.test(text) ? parseFloat(text) : NaN; }
function compare(a, b) {
	var x = number(a), y = number(b);
	if (!isNaN(x) && !isNaN(y)) return x - y;
	return a > b ? 1 : b > a ? -1 : 0;
}
function sort(table, column, up) {
	var body = table.tBodies[0], rows = list(body.rows);
	rows.forEach(function (row, i) {
		var cell = row.cells[column];
		row.key = cell.getAttribute("data-v") || cell.textContent;
		row.index = i;
	});
	rows.sort(function (a, b) {
		if ((a.key === "–") !== (b.key === "–")) return a.key === "–" ? 1 : -1;
		return (up ? 1 : -1) * compare(a.key, b.key) || a.index - b.index;
	});
	rows.forEach(function (row) { body.appendChild(row); });
	enter(table);
}
function sortable(table, th, column) {
	var button = make("button", { type: "button" });
	while (th.firstChild) button.appendChild(th.firstChild);
	th.appendChild(button);
	button.addEventListener("click", function () {
		var up = th.getAttribute("aria-sort") !== "ascending";
		list(table.tHead.rows[0].cells).forEach(function (other) {
			other.removeAttribute("aria-sort");
		});
		th.setAttribute("aria-sort", up ? "ascending" : "descending");
		sort(table, column, up);
	});
}

// -- rows that have every word of the text, and none of those behind a minus --
function fits(text, words) {
	return words.every(function (word) {
		return word.length > 1 && word.charAt(0) === "-" ? text.indexOf(word.slice(1)) < 0
			: text.indexOf(word) >= 0;
	});
}
function filter(table, words, count) {
	var rows = list(table.tBodies[0].rows), shown = 0;
	rows.forEach(function (row) {
		row.hidden = !fits(row.textContent.toLowerCase(), words);
		shown += !row.hidden;
	});
	count.textContent = shown < rows.length ? shown + " of " + rows.length + " rows" +
		(table.tFoot ? "; the means are over all" : "") : "";
	enter(table);
}
function row_filter(table) {
	var count = make("span", { "class": "count", "aria-live": "polite" });
	var input = make("input", { type: "search", placeholder: "Filter rows",
		"aria-label": "Show only the rows that contain these words; -word: that do not",
		title: "Words that a row must contain; -word: must not" });
	input.addEventListener("input", function () {
		filter(table, input.value.toLowerCase().split(/\s+/).filter(Boolean), count);
	});
	return [input, count];
}

// -- columns --
function hide(table, column, hidden) {
	[table.tHead, table.tBodies[0], table.tFoot].forEach(function (part) {
		if (part) list(part.rows).forEach(function (row) { row.cells[column].hidden = hidden; });
	});
	enter(table);
}
// groups: [{name, choices: [{label, columns}]}]; a column is shown if each group that has it shows it.
function column_boxes(table, groups) {
	var boxes = [], summary = make("summary", {}, ["Columns"]);
	function update() {
		list(table.tHead.rows[0].cells).forEach(function (th, column) {
			var hidden = boxes.some(function (b) {
				return !b.input.checked && b.columns.indexOf(column) >= 0;
			});
			if (th.hidden !== hidden) hide(table, column, hidden);
		});
	}
	return make("details", { "class": "columns" }, [summary].concat(groups.map(function (group) {
		return make("fieldset", {}, [make("legend", {}, [group.name])].concat(
			group.choices.map(function (choice) {
				var input = make("input", { type: "checkbox" });
				input.checked = true;
				input.addEventListener("change", update);
				boxes.push({ input: input, columns: choice.columns });
				return make("label", {}, [input, " " + choice.label]);
			})));
	})));
}
function each_column(table) {
	var choices = list(table.tHead.rows[0].cells).map(function (th, i) {
		return { label: th.textContent, columns: [i] };
	});
	return [{ name: "columns shown", choices: choices.slice(1) }];
}

// -- the keyboard: one stop of the Tab key, and arrows from there --
function target(cell) { return cell.querySelector("a") || cell; }
function visible(row) { return !row.hidden; }
// The first cell is where Tab leads to.
function enter(table) {
	var rows = list(table.tBodies[0].rows).filter(visible), cell = null;
	lockstep.all("[tabindex='0']", table).forEach(function (e) { e.tabIndex = -1; });
	if (rows.length) cell = list(rows[0].cells).filter(visible)[0];
	if (cell) target(cell).tabIndex = 0;
}
function step(table, cell, key) {
	var rows = list(table.tBodies[0].rows).concat(table.tFoot ? list(table.tFoot.rows) : []);
	var cells, x, y;
	rows = rows.filter(visible);
	y = rows.indexOf(cell.parentElement);
	cells = list(cell.parentElement.cells).filter(visible);
	x = cells.indexOf(cell);
	if (key === "ArrowDown" || key === "ArrowUp")
		y = Math.min(Math.max(y + (key === "ArrowDown" ? 1 : -1), 0), rows.length - 1);
	else if (key === "Home" || key === "End")
		x = key === "Home" ? 0 : cells.length - 1;
	else
		x = Math.min(Math.max(x + (key === "ArrowRight" ? 1 : -1), 0), cells.length - 1);
	return list(rows[y].cells).filter(visible)[x];
}
function keys(table) {
	lockstep.all("tbody a, tfoot a", table).forEach(function (a) { a.tabIndex = -1; });
	enter(table);
	table.addEventListener("keydown", function (event) {
		var cell = event.target.closest("tbody td, tbody th, tfoot td, tfoot th"), to;
		if (!cell || !/^(Arrow|Home$|End$)/.test(event.key) || event.ctrlKey || event.altKey)
			return;
		event.preventDefault();
		to = target(step(table, cell, event.key));
		target(cell).tabIndex = -1;
		to.tabIndex = 0;
		to.focus();
	});
}

lockstep.all("table.sortable").forEach(function (table) {
	var heads = list(table.tHead.rows[0].cells), tools = [];
	var groups = (lockstep.column_groups && lockstep.column_groups(table)) || each_column(table);
	heads.forEach(function (th, column) { sortable(table, th, column); });
	if (table.tBodies[0].rows.length > 5) tools = tools.concat(row_filter(table));
	if (heads.length > 3) tools.push(column_boxes(table, groups));
	if (tools.length)
		table.parentElement.parentElement.insertBefore(make("div", { "class": "tools" }, tools),
			table.parentElement);
	keys(table);
});

})();
