"""Excel's workbooks, written and read by openpyxl."""

import io
import re
from datetime import date, datetime, time, timedelta
from decimal import Decimal

from openpyxl import Workbook, load_workbook
from openpyxl.cell import WriteOnlyCell

from databases import bad_number, nested_text, of_text
from files import File, of_hexadecimal, plain
from values import NESTED, UTC, Column, Other

# Its days before have other numbers in other programs.
FIRST = datetime(1900, 3, 1)
# What XML 1.0 has no word for, and line ends, which its readers change.
UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]")
DIGITS = 15


class Excel(File):
    extension = "xlsx"

    def options(self, rng):
        return {"native": rng.random() < 0.7}

    def holds(self, column, value):
        # openpyxl takes no control characters, leaves line ends to XML, and writes no cell for an empty text.
        unsafe = column.kind in ("text", "json") and (value == "" or UNSAFE.search(value) or len(value) > 32_000)
        return not unsafe and not (column.kind == "bytes" and len(value) > 16_000) and str(value) != "-0.0"

    def arriving(self, rows):
        # A row without any value is as if it were not there.
        return [row for row in rows if any(value is not None for value in row)]

    def cannot_keep(self, column, value):
        if value is None or column.kind not in ("text", "json", "bytes"):
            return bad_number(column, value)
        return "a long text" if len(plain(column, value).encode("utf-16-le")) > 2 * 32_767 else None

    def write(self, table, columns, rows, options):
        book = Workbook(write_only=True)
        sheet = book.create_sheet("Rows")
        sheet.append([text_cell(sheet, c.name) for c in columns])
        for row in rows:
            sheet.append([None if v is None else cell(sheet, c, v, options["native"]) for c, v in zip(columns, row)])
        out = io.BytesIO()
        book.save(out)
        self.put(table, options, out.getvalue())

    def read(self, table, options):
        content = self.content(table, options)
        if content is None:
            return None
        book = load_workbook(io.BytesIO(content), read_only=True)
        rows = list(book.active.iter_rows(values_only=True))
        names = [unescaped(name) for name in rows[0]]
        return [(name, "") for name in names], [tuple(row) + (None,) * (len(names) - len(row)) for row in rows[1:]]

    def of_native(self, column: Column, raw):
        kind = column.kind
        if raw is None:
            return None
        if isinstance(raw, str):
            text = unescaped(raw)
            if kind in NESTED:
                return nested_text(column, text)
            return of_hexadecimal(text) if kind == "bytes" else of_text(column, text)
        if kind == "bool":
            return raw if type(raw) is bool else Other(repr(raw))
        if kind == "int" and type(raw) is int:
            return raw
        if kind == "decimal" and type(raw) in (int, float):
            return Decimal(repr(raw))
        if kind == "double" and type(raw) in (int, float):
            return float(raw)
        if kind == "date" and isinstance(raw, datetime) and raw.time() == time():
            return raw.date()
        if kind == "time":
            return (datetime.min + raw).time() if isinstance(raw, timedelta) else raw if isinstance(raw, time) else Other(repr(raw))
        if kind in ("timestamp", "timestamptz") and isinstance(raw, datetime):
            return raw.replace(tzinfo=UTC) if kind == "timestamptz" else raw
        return Other(f"{type(raw).__name__} {raw!r}")


def unescaped(text: str) -> str:
    return re.sub("_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


def text_cell(sheet, text: str):
    made = WriteOnlyCell(sheet, text)
    # Else it is a formula, or an error, by what it looks like.
    made.data_type = "s"
    return made


def cell(sheet, column: Column, value, native: bool):
    """As a cell of its own kind where that keeps it whole, else as text."""
    kind = column.kind
    if not native or kind in ("text", "json", "bytes", "uuid", "timestamptz"):
        return text_cell(sheet, plain(column, value))
    # openpyxl writes 16 digits.
    if kind == "bool" or (kind == "double" and abs(value) < float("inf") and float(f"{value:.16g}") == value):
        return value
    if kind in ("int", "decimal") and len(str(value).strip("-0").replace(".", "")) <= DIGITS:
        return value
    moment = {date: lambda: datetime.combine(value, time()), datetime: lambda: value, time: lambda: datetime.combine(date(2000, 1, 1), value)}.get(type(value))
    if moment is not None and moment() >= FIRST and moment().microsecond % 1000 == 0:
        return value
    return text_cell(sheet, plain(column, value))
