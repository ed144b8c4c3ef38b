"""Rows of awkward values from each system into each other: of each column, whether it arrives exactly, is told, or is refused."""

import json
import multiprocessing
import re
import sys
import tempfile
import uuid
from collections import Counter
from pathlib import Path

from openpyxl.cell import Cell

from cases import Case, task_of, yaml_of
from check import World, drop, put
from databases import Database, MariaDb, is_minus_zero
from documents import Mongo
from duckdb_files import DuckDb
from files import File, JsonLines, Parquet
from main import make_world
from values import BYTES, DATES, INTS, JSONS, MOMENTS, TIMES, UTC, Column, canon, decimal_of
from workbooks import Excel, cell

SYSTEMS = {
    "SQLite": "sqlite", "PostgreSQL": "postgres", "MariaDB": "mysql", "DuckDB": "duckdb", "Parquet": "parquet", "CSV": "csv", "JSON Lines": "jsonl",
    "Excel": "xlsx", "MongoDB": "mongodb",
}  # fmt: skip

TEXTS = ("plain", "Ünïcödé", "a,b;c|d", "it's \"quoted\"", "x" * 300, "日本語", "C:\\dir\\n", "50% & <b>")
LINES = ("a\nb", "a\r\nb", "a\rb", "\ufeffx", "x\ufeff", "😀", "👩‍👩‍👧", "\u2028", " lead", "trail ", "\t")
LIKE = ("007", "1e5", "1.0", "-0", "+1", "1,5", "2024-01-01", "12:30", "true", "NULL", "null", "NaN", "0x1F", "infinity", "12345678901234567890")
MARIA_MOMENTS = [moment for moment in MOMENTS if 1970 < moment.year < 2038]

# What stands in a column, its type, and its values; NULL comes to each. A system that cannot hold the first value has no such column.
COLUMNS = (
    ("boolean", Column("a_bool", "bool"), (True, False)),
    ("integers up to 64 bits", Column("b_int", "int"), INTS),
    ("decimal(9,2)", Column("c_money", "decimal", 9, 2), [decimal_of(n, 2) for n in (0, 1, -1, 999999999, -999999999, 150, 100000)]),
    ("decimal(20,0)", Column("d_count", "decimal", 20, 0), [decimal_of(n, 0) for n in (10**19, 0, -(10**20) + 1, 12345678901234567891)]),
    ("decimal(38,10)", Column("e_long", "decimal", 38, 10), [decimal_of(n, 10) for n in (10**38 - 1, 0, 1 - 10**38, 123456789012345678911234567890)]),
    ("decimal(30,30)", Column("f_small", "decimal", 30, 30), [decimal_of(n, 30) for n in (1, 0, 10**30 - 1, -5 * 10**29)]),
    ("floating point", Column("g_float", "double"), (0.0, 1.5, 0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e16, 9007199254740994.0, 1e23, -2.5e-7)),
    ("minus zero", Column("h_zero", "double"), (-0.0, 0.0)),
    ("NaN and infinities", Column("i_nan", "double"), (float("inf"), float("nan"), float("-inf"), 1.0)),
    ("text", Column("j_text", "text"), TEXTS),
    ("empty text and NULL", Column("k_empty", "text"), ("", " ", "x")),
    ("line ends, BOM, astral", Column("l_lines", "text"), LINES),
    ("text with U+0000", Column("m_zero", "text"), ("a\x00b", "x")),
    ("text that looks like something else", Column("n_like", "text"), LIKE),
    ("bytes", Column("o_bytes", "bytes"), BYTES),
    ("date", Column("p_date", "date"), DATES),
    ("time", Column("q_time", "time"), TIMES),
    ("moment", Column("r_moment", "timestamp"), MOMENTS),
    ("moment with zone", Column("s_zoned", "timestamptz"), [moment.replace(tzinfo=UTC) for moment in MARIA_MOMENTS]),
    ("uuid", Column("t_uuid", "uuid"), ()),
    ("JSON", Column("u_json", "json"), [text for text in JSONS if "\\u0000" not in text and text != "null"]),
)  # fmt: skip
KEY = Column("row", "int")


UUIDS = [uuid.UUID(int=number) for number in (0x550E8400E29B41D4A716446655440000, 0x6BA7B8109DAD11D180B400C04FD430C8)]
OPTIONS = {
    "gz": False, "delimiter": ",", "quoting": "minimal", "ends": "lf", "bom": False, "last": True, "ascii": False, "native": True, "compression": "zstd",
    "group": 100_000, "dictionary": True,
}  # fmt: skip


def main():
    request = json.loads(sys.argv[1])
    names = request["systems"] or list(SYSTEMS)
    with tempfile.TemporaryDirectory(prefix="headgate-fidelity-") as name:
        request["folder"] = name
        with multiprocessing.get_context("spawn").Pool(request["processes"], begin, (request,)) as pool:
            pairs = [pair for pairs in pool.imap(pairs_from, [(source, names) for source in names]) for pair in pairs]
    report = {"columns": [title for title, _, _ in COLUMNS], "rows": request["rows"], "pairs": pairs}
    Path(request["report"]).write_text(json.dumps(report, ensure_ascii=False))


# Of the processes that work.
here: dict = {}


def begin(request: dict):
    here["world"] = make_world(request)
    here["rows"] = request["rows"]


def pairs_from(work: tuple[str, list[str]]) -> list[dict]:
    source, names = work
    world: World = here["world"]
    reader = world.systems["sources"][SYSTEMS[source]]
    pairs = []
    # The server that stands in for MongoDB takes fewer values: it gets rows without the others.
    mongo = world.systems["targets"][SYSTEMS["MongoDB"]]
    for targets, writer in (([name for name in names if name != "MongoDB"], None), ([name for name in names if name == "MongoDB"], mongo)):
        if not targets:
            continue
        given = [(title, column, values) for title, column, all_values in COLUMNS if (values := held(reader, writer, column, all_values))]
        few, many = Given(world, source, given, 40, "few"), Given(world, source, given, here["rows"], "many")
        try:
            pairs += [{"source": source, "target": target, "columns": fates_in(target, given, few, many)} for target in targets]
        finally:
            few.drop()
            many.drop()
    return pairs


def fates_in(target: str, given: list, few: "Given", many: "Given") -> list[dict]:
    fates = {title: ("absent", "") for title, _, _ in COLUMNS}
    for one in given:
        fates |= few.into(target, [one])
    # Those that arrive go together, in all rows.
    fates |= many.into(target, [one for one in given if fates[one[0]][0] in ("exact", "told", "changed")])
    said = ", ".join(f"{title} {fate} {words}" for title, (fate, words) in fates.items() if fate in ("told", "changed"))
    print(f"{few.source} → {target}: {said or 'nothing told'}", flush=True)
    return [{"column": title, "fate": fate, "words": words} for title, (fate, words) in fates.items()]


def held(reader, writer: Mongo | None, column: Column, values) -> list:
    """The values that the source itself can hold, and the server of the target bear."""
    values = values or UUIDS
    if column.kind not in reader.kinds:
        return []
    read = reader.read_kind(column)

    def is_held(value) -> bool:
        # DuckDB compresses equal values into one, and takes both zeros for equal.
        if not reader.holds(column, value) or (isinstance(reader, DuckDb) and is_minus_zero(column, value)):
            return False
        return writer is None or (read.kind in writer.kinds and writer.bears(read, value))

    return [value for value in values if is_held(value)] if is_held(values[0]) else []


class Given:
    """The rows in the source."""

    def __init__(self, world: World, source: str, given: list[tuple[str, Column, list]], count: int, name: str):
        self.world, self.source, self.count = world, source, count
        self.reader = world.systems["sources"][SYSTEMS[source]]
        self.table = f"{world.prefix}{name}"
        # NULL is one of the values.
        lists = [[*values, None] for _, _, values in given]
        rows = [(number, *(values[number % len(values)] for values in lists)) for number in range(count)]
        put(self.reader, self.table, [KEY, *(column for _, column, _ in given)], rows, OPTIONS)

    def into(self, target: str, given: list[tuple[str, Column, list]]) -> dict[str, tuple[str, str]]:
        """By the title of a column, what has become of it, and in which words."""
        writer = self.world.systems["targets"][SYSTEMS[target]]
        columns = [KEY, *(column for _, column, _ in given)]
        # Of a table a query takes the columns, of a file a step.
        steps = [] if isinstance(self.reader, Database) else [{"do": "select", "columns": [c.name for c in columns]}]
        case = Case(0, SYSTEMS[self.source], SYSTEMS[target], "replace", "none", False, True, OPTIONS, OPTIONS, columns, [], steps, None)
        there = f"{self.table}_there"
        try:
            answer = self.world.run(case, yaml_of(task_of(case, self.world.systems, (self.table, there))), self.reader, writer)
            if answer["status"] not in ("success", "completed"):
                words = (answer["error"] or {}).get("message", answer["status"])
                # A run that gives no answer has refused nothing.
                fate = "refused" if answer["status"] == "failed" else "changed"
                return {title: (fate, shorter(words, self.table)) for title, _, _ in given}
            found = writer.read(there, OPTIONS) if isinstance(writer, File) else writer.read(there)
            return compared(self.reader, writer, given, self.count, found, answer["steps"])
        finally:
            drop(writer, there, OPTIONS)

    def drop(self):
        drop(self.reader, self.table, OPTIONS)


def shorter(words: str, table: str) -> str:
    """Without what is of this run alone."""
    words = re.sub(rf" \(table \S*{re.escape(table)}[^)]*\)", "", words)
    words = re.sub(rf"\S*{re.escape(table)}\S*", "the table", words)
    return words if len(words) <= 160 else f"{words[:160]}…"


def compared(reader, writer, given, count: int, found, steps: list[dict]) -> dict[str, tuple[str, str]]:
    names = [name for name, _ in found[0]]
    at = names.index(KEY.name)
    order = [int(row[at]) for row in found[1]]
    if len(order) != count or sorted(order) != list(range(count)):
        return {title: ("changed", f"{len(order)} rows of {count} arrived") for title, _, _ in given}
    fates = {}
    for title, column, held_values in given:
        values = [*held_values, None]
        read = reader.read_kind(column)
        place = names.index(column.name)
        expected = [canon(read.kind, entered(read, value)) for value in values]
        seen: dict = {}
        arrived: Counter = Counter()
        wrong = None
        for number, row in zip(order, found[1]):
            raw = row[place]
            # Equal values that differ, and lists, which no dictionary takes: by what they look like.
            key = (type(raw), raw if isinstance(raw, (int, str, bytes)) else repr(raw))
            if key not in seen:
                seen[key] = (canon(read.kind, writer.of_native(read, raw)), other_form(writer, read, raw))
            value, forms = seen[key]
            arrived.update(forms)
            if value != expected[number % len(values)]:
                arrived[VALUE] += 1
                wrong = wrong or f"such as {values[number % len(values)]!r} as {raw!r}"
        told = Counter()
        for change in (change for step in steps for change in step.get("changes", [])):
            if change["column"] == column.name:
                told[change["change"]] += change["count"]
        kinds = Counter({change: told.pop(change) for change in list(told) if change.startswith(KINDS)})
        if kinds.total() != of_several_kinds(reader, column, values, count):
            wrong = wrong or f"told of several kinds: {dict(kinds)}"
            arrived[VALUE] += 1
        fate, words = fate_of(arrived, told, wrong, found[0][place][1], type_there(writer, read))
        fates[title] = ("told", "; ".join(filter(None, (*sorted(kinds), words)))) if kinds and fate in ("exact", "told") else (fate, words)
    return fates


KINDS = "one of several kinds"


def of_several_kinds(reader, column: Column, values: list, count: int) -> int:
    """Cells of numbers, dates, and the like in a column of Excel that has texts, too: they are read as text, which the run tells."""
    if not isinstance(reader, Excel):
        return 0
    cells = [value if value is None else cell(None, column, value, OPTIONS["native"]) for value in values]
    others = {at for at, one in enumerate(cells) if one is not None and not isinstance(one, Cell)}
    mixed = any(isinstance(one, Cell) for one in cells)
    return sum(number % len(values) in others for number in range(count)) if mixed else 0


# What the report of a run says of values in another form, as the reader of the target sees them.
NO_ZONE, NO_NUMBER, DIGITS, NO_DATE = (
    "stored in UTC, without a time zone", "NaN or infinity, written as text", "more than 15 digits, written as text",
    "a date or time that Excel cannot hold, written as text",
)  # fmt: skip
# Of values that are others there, whatever the words are.
VALUE = ""


def other_form(writer, column: Column, raw) -> tuple[str, ...]:
    """In which ways a value that is equal has another form there."""
    if raw is None:
        return ()
    if isinstance(writer, MariaDb) or (isinstance(writer, Excel) and not isinstance(raw, str)):
        return (NO_ZONE,) if column.kind == "timestamptz" else ()
    if not isinstance(writer, (JsonLines, Excel)) or not isinstance(raw, str):
        return ()
    if column.kind in ("int", "decimal", "double"):
        return (NO_NUMBER if raw.lower() in ("nan", "inf", "-inf", "infinity", "-infinity") else DIGITS,)
    dated = isinstance(writer, Excel) and column.kind in ("date", "time", "timestamp", "timestamptz")
    return (NO_DATE,) if dated else ()


def type_there(writer, column: Column) -> str:
    """The type that the target's own catalog must name; nothing where it has none."""
    if isinstance(writer, Database):
        return writer.made_type(column)
    return str(writer.type_of(column)) if isinstance(writer, Parquet) else ""


def fate_of(arrived: Counter, told: Counter, wrong: str | None, kind: str, wanted: str) -> tuple[str, str]:
    """Each value that arrives differently is counted by the run, and no other one."""
    if kind != wanted:
        return "changed", f"type {kind}, not {wanted}"
    words = "; ".join(sorted(told))
    others = Counter({change: number for change, number in told.items() if change not in arrived})
    # DuckDB chooses which of the two zeros it keeps when it compresses: what is counted are those that it may change.
    possible = any("may be read back" in change for change in others)
    forms = {change: number for change, number in arrived.items() if change != VALUE}
    miscounted = any(told[change] != number for change, number in forms.items())
    if miscounted or (others.total() != arrived[VALUE] and not possible):
        return "changed", f"arrived differently: {dict(arrived)}; told: {dict(told)}{f', {wrong}' if wrong else ''}"
    return ("told", words) if told else ("exact", "")


def entered(read: Column, value):
    """As the source gives it to the first step."""
    if value is None:
        return None
    if read.kind == "timestamp":
        return value.replace(tzinfo=None)
    return str(value) if read.kind == "text" else value


if __name__ == "__main__":
    main()
