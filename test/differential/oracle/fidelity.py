"""Rows of awkward values from each system into each other: of each column, whether it arrives exactly, is told, or is refused."""

import json
import multiprocessing
import re
import sys
import tempfile
import uuid
from pathlib import Path

from cases import Case, task_of, yaml_of
from check import World, drop, put
from databases import Database
from main import make_world
from values import BYTES, DATES, INTS, JSONS, MOMENTS, TIMES, UTC, Column, canon, decimal_of

SYSTEMS = {
    "SQLite": "sqlite", "PostgreSQL": "postgres", "MariaDB": "mysql", "DuckDB": "duckdb", "Parquet": "parquet", "CSV": "csv", "JSON Lines": "jsonl",
    "Excel": "xlsx",
}  # fmt: skip
# openpyxl makes some 10,000 cells a second.
MOST_ROWS = {"Excel": 20_000}

TEXTS = ("plain", "Ünïcödé", "a,b;c|d", "it's \"quoted\"", "x" * 300, "日本語", "C:\\dir\\n", "50% & <b>")
LINES = ("a\nb", "a\r\nb", "a\rb", "\ufeffx", "x\ufeff", "😀", "👩‍👩‍👧", "\u2028", " lead", "trail ", "\t")
LIKE = ("007", "1e5", "1.0", "-0", "+1", "1,5", "2024-01-01", "12:30", "true", "NULL", "null", "NaN", "0x1F", "infinity", "12345678901234567890")
MARIA_MOMENTS = [moment for moment in MOMENTS if 1970 < moment.year < 2038]

# What stands in a column, its type, and its values; NULL comes to each.
COLUMNS = (
    ("boolean", Column("a_bool", "bool"), (True, False)),
    ("integers up to 64 bits", Column("b_int", "int"), INTS),
    ("decimal(9,2)", Column("c_money", "decimal", 9, 2), [decimal_of(n, 2) for n in (0, 1, -1, 999999999, -999999999, 150, 100000)]),
    ("decimal(20,0)", Column("d_count", "decimal", 20, 0), [decimal_of(n, 0) for n in (0, 10**19, -(10**20) + 1, 12345678901234567891)]),
    ("decimal(38,10)", Column("e_long", "decimal", 38, 10), [decimal_of(n, 10) for n in (0, 10**38 - 1, 1 - 10**38, 123456789012345678911234567890)]),
    ("decimal(30,30)", Column("f_small", "decimal", 30, 30), [decimal_of(n, 30) for n in (0, 1, 10**30 - 1, -5 * 10**29)]),
    ("floating point", Column("g_float", "double"), (0.0, 1.5, 0.1, 1 / 3, 5e-324, 1.7976931348623157e308, 1e16, 9007199254740994.0, 1e23, -2.5e-7)),
    ("minus zero", Column("h_zero", "double"), (0.0, -0.0)),
    ("NaN and infinities", Column("i_nan", "double"), (float("nan"), float("inf"), float("-inf"), 1.0)),
    ("text", Column("j_text", "text"), TEXTS),
    ("empty text beside NULL", Column("k_empty", "text"), ("", " ", "x")),
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
    report = {"rows": request["rows"], "columns": [title for title, _, _ in COLUMNS], "pairs": pairs}
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
    given = [(title, column, values) for title, column, all_values in COLUMNS if (values := held(reader, column, all_values))]
    pairs = []
    for size in dict.fromkeys(min(here["rows"], MOST_ROWS.get(source, here["rows"]), MOST_ROWS.get(target, here["rows"])) for target in names):
        targets = [target for target in names if min(here["rows"], MOST_ROWS.get(source, here["rows"]), MOST_ROWS.get(target, here["rows"])) == size]
        few, many = Given(world, source, given, 40, "few"), Given(world, source, given, size, "many")
        try:
            for target in targets:
                fates = {title: ("absent", "") for title, _, _ in COLUMNS}
                for one in given:
                    fates |= few.into(target, [one])
                # Those that arrive go together, in all rows.
                fates |= many.into(target, [one for one in given if fates[one[0]][0] in ("exact", "told", "changed")])
                said = ", ".join(f"{title} {fate} {words}" for title, (fate, words) in fates.items() if fate in ("told", "changed"))
                print(f"{source} → {target}, {size} rows: {said or 'nothing told'}", flush=True)
                columns = [{"column": title, "fate": fate, "words": words} for title, (fate, words) in fates.items()]
                pairs.append({"source": source, "target": target, "columns": columns})
        finally:
            few.drop()
            many.drop()
    return sorted(pairs, key=lambda pair: names.index(pair["target"]))


def held(reader, column: Column, values) -> list:
    """The values that the source itself can hold."""
    values = values or UUIDS
    return [value for value in values if reader.holds(column, value)] if column.kind in reader.kinds else []


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
                return {title: ("refused", shorter((answer["error"] or {}).get("message", answer["status"]), self.table)) for title, _, _ in given}
            found = writer.read(there) if isinstance(writer, Database) else writer.read(there, OPTIONS)
            told = [shorter(line, self.table) for line in answer["told"]]
            return compared(self.reader, writer, given, self.count, found, told)
        finally:
            drop(writer, there, OPTIONS)

    def drop(self):
        drop(self.reader, self.table, OPTIONS)


def shorter(words: str, table: str) -> str:
    """Without what is of this run alone."""
    words = re.sub(rf"\S*{re.escape(table)}\S*", "the table", words)
    return words if len(words) <= 160 else f"{words[:160]}…"


def compared(reader, writer, given, count: int, found, told: list[str]) -> dict[str, tuple[str, str]]:
    names = [name for name, _ in found[0]]
    at = names.index(KEY.name)
    order = [int(row[at]) for row in found[1]]
    fates = {}
    for title, column, held_values in given:
        values = [*held_values, None]
        read = reader.read_kind(column)
        place = names.index(column.name)
        expected = [canon(read.kind, entered(read, value)) for value in values]
        seen: dict = {}

        def canonical(raw) -> str:
            key = (type(raw), repr(raw))
            if key not in seen:
                seen[key] = canon(read.kind, writer.of_native(read, raw))
            return seen[key]

        wrong = [(number, row[place]) for number, row in zip(order, found[1]) if canonical(row[place]) != expected[number % len(values)]]
        said = next((line for line in told if f"`{column.name}`" in line), None)
        if len(order) != count or sorted(order) != list(range(count)):
            fates[title] = ("changed", f"{len(order)} rows of {count} arrived")
        elif said is not None:
            fates[title] = ("told", said)
        elif wrong:
            number, raw = wrong[0]
            fates[title] = ("changed", f"{len(wrong)} values, such as {values[number % len(values)]!r} as {raw!r}")
        else:
            fates[title] = ("exact", "")
    return fates


def entered(read: Column, value):
    """As the source gives it to the first step."""
    if value is None:
        return None
    if read.kind == "timestamp":
        return value.replace(tzinfo=None)
    return str(value) if read.kind == "text" else value


if __name__ == "__main__":
    main()
