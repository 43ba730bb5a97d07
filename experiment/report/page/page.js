// A click on a heading sorts its table by that column: first ascending, then descending. Cells without a
// value come last. Without this script the rows are in the order of the sweep.
(function () {
	function number(text) { return /^[-+]?[0-9.]/.test(text) ? parseFloat(text) : NaN; }
	function compare(a, b) {
		var x = number(a), y = number(b);
		if (!isNaN(x) && !isNaN(y)) return x - y;
		return a > b ? 1 : b > a ? -1 : 0;
	}
	function sort(table, column, up) {
		var body = table.tBodies[0], rows = Array.prototype.slice.call(body.rows);
		rows.forEach(function (row, i) {
			row.key = row.cells[column].textContent;
			row.index = i;
		});
		rows.sort(function (a, b) {
			if ((a.key === "–") !== (b.key === "–")) return a.key === "–" ? 1 : -1;
			return (up ? 1 : -1) * compare(a.key, b.key) || a.index - b.index;
		});
		rows.forEach(function (row) { body.appendChild(row); });
	}
	document.querySelectorAll("table.sortable").forEach(function (table) {
		Array.prototype.forEach.call(table.tHead.rows[0].cells, function (th, column, all) {
			var button = document.createElement("button");
			button.type = "button";
			while (th.firstChild) button.appendChild(th.firstChild);
			th.appendChild(button);
			button.addEventListener("click", function () {
				var up = th.getAttribute("aria-sort") !== "ascending";
				Array.prototype.forEach.call(all, function (other) {
					other.removeAttribute("aria-sort");
				});
				th.setAttribute("aria-sort", up ? "ascending" : "descending");
				sort(table, column, up);
			});
		});
	});
	// A link to a row opens the folded sections that contain the row.
	function open() {
		var at = location.hash ? document.getElementById(location.hash.slice(1)) : null, folded = at;
		while ((folded = folded ? folded.parentElement : null))
			if (folded.tagName === "DETAILS") folded.open = true;
		if (at) at.scrollIntoView();
	}
	window.addEventListener("hashchange", open);
	open();
	document.documentElement.setAttribute("data-script", "ran");
})();
