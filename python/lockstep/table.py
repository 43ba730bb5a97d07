"""Tables of results: rows of named values, which pandas can take over."""

import csv


class Table:
    """Rows with the same columns. len, iteration and [number] are of rows, which are dictionaries;
    [name] is a column, as a list."""

    def __init__(self, columns, rows):
        self.columns = list(columns)
        self._rows = [tuple(row) for row in rows]

    def __len__(self):
        return len(self._rows)

    def __iter__(self):
        for row in self._rows:
            yield dict(zip(self.columns, row))

    def __getitem__(self, which):
        if isinstance(which, str):
            if which not in self.columns:
                raise KeyError(f"no column {which}; there are {', '.join(self.columns)}")
            at = self.columns.index(which)
            return [row[at] for row in self._rows]
        if isinstance(which, slice):
            return Table(self.columns, self._rows[which])
        return dict(zip(self.columns, self._rows[which]))

    def where(self, **values):
        """The rows whose columns have these values: table.where(kernel="atax1")."""
        at = [(self.columns.index(name), value) for name, value in values.items()]
        return Table(self.columns, [row for row in self._rows if all(row[i] == v for i, v in at)])

    def to_pandas(self):
        """The same as a pandas.DataFrame. ImportError if pandas is not installed."""
        import pandas

        return pandas.DataFrame(self._rows, columns=self.columns)

    def __repr__(self):
        shown = [self.columns] + [[_cell(v) for v in row] for row in self._rows[:20]]
        width = [max(len(row[i]) for row in shown) for i in range(len(self.columns))]
        lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, width)).rstrip() for row in shown]
        if len(self) > 20:
            lines.append(f"... {len(self)} rows")
        return "\n".join(lines)

    def _repr_html_(self):
        def row(cells, tag):
            return "<tr>" + "".join(f"<{tag}>{_escape(c)}</{tag}>" for c in cells) + "</tr>"

        body = "".join(row(map(_cell, r), "td") for r in self._rows[:100])
        return f"<table>{row(self.columns, 'th')}{body}</table>"


def read_csv(path):
    """A CSV file with a head line. Whole and real numbers become int and float, empty fields None."""
    with open(path, newline="") as file:
        lines = csv.reader(file)
        columns = next(lines, [])
        return Table(columns, [[number(field) for field in line] for line in lines])


def number(text):
    """The int or float that the text says, None if it is empty, else the text."""
    if text == "":
        return None
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def _cell(value):
    if value is None:
        return ""
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _escape(text):
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
