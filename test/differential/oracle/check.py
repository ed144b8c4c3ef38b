"""Runs a case and compares what the target holds with what it must hold."""

from collections import Counter
from dataclasses import dataclass, field, replace
from decimal import Decimal
from itertools import count
from typing import Iterator

from cases import Case, flowing, refused, task_of, yaml_of
from databases import Database, MariaDb, Postgres, Sqlite, is_minus_zero
from documents import Mongo
from duckdb_files import DuckDb
from engine import Engine
from files import Csv, File, JsonLines
from keys import CLASH, Told, as_table, clash
from nested import document, leaves
from steps import place, untouched
from values import NESTED, Column, canon
from web import Api
from workbooks import Excel


@dataclass(frozen=True)
class Difference:
    # value, type, columns, rows, order, count, told, failed, accepted, changed, unreadable, crashed, hung
    what: str
    kind: str = ""
    expected: str = ""
    actual: str = ""
    code: str = ""

    def words(self) -> str:
        parts = [self.what, self.kind, self.code]
        parts += [f"expected {shorten(self.expected)}"] if self.expected else []
        # What has failed in the oracle itself stands at the end of its account.
        actual = shorten(self.actual, 3000 if self.what == "oracle" else 300)
        parts += [f"found {actual}"] if actual else []
        return ", ".join(part for part in parts if part)


@dataclass
class Verdict:
    case: Case
    yaml: str
    lane: str
    # Why the target must refuse; None: it must take all rows.
    refusal: str | None
    differences: list[Difference] = field(default_factory=list)


def shorten(text: str, most: int = 300) -> str:
    return text if len(text) <= most else f"{text[:most]}… ({len(text)} characters)"


class World:
    """`prefix`: of the names of its tables, where several worlds share a server."""

    def __init__(self, systems: dict, engine: Engine, prefix: str):
        self.systems = systems
        self.engine = engine
        self.prefix = prefix
        self.numbers = count(1)

    def check(self, case: Case) -> Verdict:
        number = next(self.numbers)
        source, target = f"{self.prefix}s{number}", f"{self.prefix}t{number}"
        reader = self.systems["sources"][case.source]
        # Where both are one connector, the table is beside the source's.
        writer = reader if case.same and case.target != "mysql" else self.systems["targets"][case.target]
        yaml = yaml_of(task_of(case, self.systems, (source, target)))
        verdict = Verdict(case, yaml, "?", None)
        try:
            put(reader, source, case.columns, case.rows, case.source_options)
            if isinstance(reader, (Postgres, DuckDb)):
                # The one need not keep rows in the order in which they came, the other which of the two zeros a value was.
                case = replace(case, rows=stored(reader, source, case.columns))
            columns, rows = taken(case, *flowing(case, reader))
            told = compared_keys(case, writer, columns, rows)
            verdict.refusal = "a value that does not fit" if refused(case, reader) else refusal_of(writer, columns, rows) or key_refusal(case, told, columns, rows)
            given = rows
            rows = kept(writer, columns, rows)
            if case.before is not None:
                put(writer, target, *case.before, {}, case.key, case.mode == "upsert")
                had, old = case.before
                case = replace(case, before=(had, kept(writer, had, old)))
            answer = self.run(case, yaml, reader, writer)
            verdict.lane = answer["lane"]
            types = reader.kept_types if isinstance(reader, Database) and case.source == case.target and not case.query else {}
            verdict.differences = self.differences(case, writer, target, (columns, rows), verdict.refusal, answer, types, told)
            if answer["status"] in ("success", "completed"):
                verdict.differences += untold(writer, columns, given, rows, answer["steps"][-1].get("changes", []))
        finally:
            drop(reader, source, case.source_options)
            drop(writer, target, case.target_options)
        return verdict

    def run(self, case: Case, yaml: str, reader, writer) -> dict:
        here = {"id": 1, "name": "here", **reader.connector()}
        there = {"id": 1 if case.same else 2, "name": "there", **writer.connector()}
        return self.engine.run({"yaml": yaml, "connectors": {"here": here, "there": there}, "state": None}, alone=case.seed % 20 == 7)

    def differences(self, case: Case, writer, table: str, stream, refusal: str | None, answer: dict, kept: dict[str, str], told: Told) -> list[Difference]:
        status, error = answer["status"], answer["error"] or {}
        if status in ("crashed", "hung"):
            return [Difference(status)]
        if status == "failed":
            code, message = error.get("code", ""), error.get("message", "")
            is_clash = code == "KEY_NOT_UNIQUE"
            # A run with several reasons to fail names one of them.
            is_wrong = is_clash and key_refusal(case, told, *stream) is None or refusal == CLASH and not is_clash
            if refusal is None or code in ("INTERNAL_ERROR", "ROWS_UNACCOUNTED") or is_wrong:
                return [Difference("failed", actual=message, code=code)]
            # What was sent stays sent (docs/run-errors.md).
            if isinstance(writer, (Api, Mongo)):
                return []
            expected = case.before
        elif refusal is not None:
            return [Difference("accepted", expected=f"a refusal: {refusal}")]
        else:
            expected = after(case, writer, *stream, case.mode, told)
        try:
            found = writer.read(table, case.target_options) if isinstance(writer, File) else writer.read(table)
        except Exception as problem:  # whatever the client of the target has to say
            return [Difference("unreadable", actual=f"{type(problem).__name__}: {problem}")]
        zeros = frozenset(one["column"] for step in answer["steps"][-1:] for one in step.get("changes", []) if one["change"] == EITHER_ZERO)
        zeros |= rewritten_zeros(case, writer)
        differences = compare(case, writer, expected, found, kept, zeros)
        if status == "failed" and differences and isinstance(writer, MariaDb):
            # Changes of its tables cannot be taken back: a new column stays, without values (docs/connectors.md).
            differences = compare(case, writer, after(case, writer, stream[0], [], "append", told), found, kept)
        if status == "failed":
            return [Difference("changed", actual=d.words()) for d in differences]
        changed = len(stream[1]) - unchanged(case, writer, *stream, told, found)
        if answer["item_count"] != changed:
            differences.append(Difference("count", expected=str(changed), actual=str(answer["item_count"])))
        return differences


def stored(system: Database, table: str, columns: list[Column]) -> list[tuple]:
    _, rows = system.read(table)
    return [tuple(system.of_native(c, value) for c, value in zip(columns, row)) for row in rows]


def put(system, table: str, columns, rows, options: dict, key: str | None = None, unique: bool = False):
    if isinstance(system, File):
        system.write(table, columns, rows, options)
    else:
        system.write(table, columns, rows, key, unique)


def drop(system, table: str, options: dict):
    if isinstance(system, File):
        system.drop(table, options)
    else:
        system.drop(table)


def refusal_of(writer, columns: list[Column], rows: list[tuple]) -> str | None:
    if isinstance(writer, Mongo) and any(writer.refuses_name(c.name) for c in columns):
        return "a name that is no field's"
    if isinstance(writer, (Database, Mongo, Excel, Csv)):
        for at, column in enumerate(columns):
            for row in rows:
                why = writer.cannot_keep(column, row[at])
                if why is not None:
                    return f"{why} in a column of kind {column.kind}"
    return None


def compared_keys(case: Case, writer, columns: list[Column], rows: list[tuple]) -> Told:
    """How the target tells the keys apart."""
    if case.key is None:
        return lambda value: value
    values = [row[place(columns, case.key)] for row in rows]
    if case.before is None:
        return as_table(writer, columns[place(columns, case.key)], values, False)
    had, old = case.before
    at = place(had, case.key)
    return as_table(writer, had[at], [*values, *(row[at] for row in old)], True)


def key_refusal(case: Case, told: Told, columns: list[Column], rows: list[tuple]) -> str | None:
    if case.key is None or case.before is None:
        return None
    had, old = case.before
    coming = [row[place(columns, case.key)] for row in rows]
    return CLASH if clash(case.mode, told, coming, [row[place(had, case.key)] for row in old]) else None


def kept(writer, columns: list[Column], rows: list[tuple]) -> list[tuple]:
    if not isinstance(writer, Database):
        return rows
    return [tuple(writer.kept(c, v) for c, v in zip(columns, row)) for row in rows]


EITHER_ZERO = "-0.0 may be read back as 0.0, and 0.0 as -0.0"
MINUS_ZERO, NO_NUMBER, DIGITS = "-0.0 stored as 0.0", "NaN or infinity, written as text", "more than 15 digits, written as text"


def untold(writer, columns: list[Column], given: list[tuple], rows: list[tuple], changes: list[dict]) -> list[Difference]:
    """What is kept differently, or in another form, is said, with its number."""
    wanted: Counter = Counter()
    for at, column in enumerate(columns):
        wanted[column.name, MINUS_ZERO] = sum(canon(column.kind, a[at]) != canon(column.kind, b[at]) for a, b in zip(given, rows))
        if isinstance(writer, JsonLines):
            for row in given:
                wanted.update((column.name, change) for change in forms(writer, column, row[at]))
    known = (MINUS_ZERO, *((NO_NUMBER, DIGITS) if isinstance(writer, JsonLines) else ()))
    said = Counter({(one["column"], one["change"]): one["count"] for one in changes if one["change"] in known})
    return [] if said == wanted else [Difference("told", expected=str(dict(+wanted)), actual=str(dict(said)))]


def forms(writer: JsonLines, column: Column, value) -> set[str]:
    """What is written as text, where a reader of JSON would not keep the number."""
    found = set()
    for of, leaf in leaves(column, getattr(value, "plain", value)):
        if of.kind == "double" and not abs(leaf) < float("inf"):
            found.add(NO_NUMBER)
        if of.kind == "decimal" and not isinstance(writer, Api) and of.digits > 15 and abs(leaf) >= Decimal(10) ** (15 - of.places):
            found.add(DIGITS)
    return found


def taken(case: Case, columns: list[Column], rows: list[tuple]) -> tuple[list[Column], list[tuple]]:
    """Rows without a key go to the rejects; of rows with the same key an upsert takes the last one, and says so."""
    if case.key is None:
        return columns, rows
    at = next(index for index, c in enumerate(columns) if c.name == case.key)
    rows = [row for row in rows if row[at] is not None]
    if case.mode != "upsert":
        return columns, rows
    last = {canon(columns[at].kind, row[at]): index for index, row in enumerate(rows)}
    return columns, [rows[index] for index in sorted(last.values())]


def after(case: Case, writer, columns: list[Column], rows: list[tuple], mode: str, told: Told) -> tuple[list[Column], list[tuple]]:
    """What the target holds once the rows have arrived."""
    if case.before is None or isinstance(writer, File):
        return columns, rows
    had, old = case.before
    added = [c for c in columns if all(c.name != h.name for h in had)]
    all_columns = [*had, *added]
    old = [(*row, *(None for _ in added)) for row in old]
    places = {c.name: at for at, c in enumerate(columns)}
    wanted = [places.get(c.name) for c in all_columns]

    def placed(row: tuple, below: tuple | None = None) -> tuple:
        return tuple(row[at] if at is not None else below[index] if below else None for index, at in enumerate(wanted))

    if mode == "append":
        return all_columns, [*old, *map(placed, rows)]
    if mode == "replace":
        return all_columns, [placed(row) for row in rows]
    key_at = place(all_columns, case.key)
    coming = {told(row[places[case.key]]) for row in rows}
    met = {told(row[key_at]): row for row in old}
    kept = [row for row in old if told(row[key_at]) not in coming]
    if mode == "delete_insert":
        return all_columns, [*kept, *map(placed, rows)]
    return all_columns, [*kept, *(placed(row, met.get(told(row[places[case.key]]))) for row in rows)]


def unchanged(case: Case, writer, columns: list[Column], rows: list[tuple], told: Told, found) -> int:
    """Rows that an upsert finds there already as they should be: they are not counted. `found`: what the target holds now."""
    if case.mode != "upsert" or case.before is None:
        return 0
    had, old = case.before
    key_at, from_at = place(had, case.key), place(columns, case.key)
    met = {told(row[key_at]): row for row in old}
    places = {c.name: at for at, c in enumerate(had)}
    # A field that a document lacks is not one that is null.
    if isinstance(writer, Mongo) and any(c.name not in places for c in columns):
        return 0

    def is_there(row: tuple) -> bool:
        there = met.get(told(row[from_at]))
        if there is None:
            return False
        below = [there[places[c.name]] if c.name in places else None for c in columns]
        return all(
            canon(c.kind, a) == canon(c.kind, b) and is_text_kept(c, told(row[from_at]), b)
            for c, a, b in zip(columns, row, below)
        )

    # SQLite keeps documents as text, of which another spelling is another value.
    texts = {}
    if isinstance(writer, Sqlite):
        names, now = [name for name, _ in found[0]], found[1]
        texts = {told(writer.of_native(had[key_at], row[names.index(case.key)])): dict(zip(names, row)) for row in now}

    def is_text_kept(column: Column, key, old) -> bool:
        return column.kind not in NESTED or old is None or key not in texts or texts[key][column.name] == document(column, old)

    return sum(map(is_there, rows))


def rewritten_zeros(case: Case, writer) -> frozenset[str]:
    """Columns of rows that were there before: DuckDB compresses them anew with any that come, and takes both zeros for equal."""
    if not isinstance(writer, DuckDb) or case.before is None:
        return frozenset()
    columns, rows = case.before
    return frozenset(c.name for at, c in enumerate(columns) if any(is_minus_zero(c, row[at]) for row in rows))


def compare(case: Case, writer, expected, found, kept: dict[str, str], zeros: frozenset[str] = frozenset()) -> list[Difference]:
    """`zeros`: columns of which the run has said that the sign of zero may change."""
    if expected is None or found is None:
        if isinstance(writer, File) and case.mode == "replace" and expected is None and found is None:
            return []
        return [] if expected is None and found is None else [Difference("columns", expected=named(expected), actual=named(found))]
    columns, rows = expected
    found_columns, found_rows = writer.aligned(columns, found) if isinstance(writer, Mongo) else found
    # Without a record there are no names in JSON Lines.
    if not (isinstance(writer, JsonLines) and not rows and not found_rows):
        names, found_names = [c.name for c in columns], [name for name, _ in found_columns]
        if names != found_names:
            return [Difference("columns", expected=str(names), actual=str(found_names))]
    differences = types_of(case, writer, columns, found_columns, kept)
    def plain(column: Column, text: str) -> str:
        return text.replace("-0x0.0p+0", "0x0.0p+0") if column.name in zeros and column.kind in ("double", "list", "struct") else text

    wanted = [tuple(plain(c, shown(writer, c, v)) for c, v in zip(columns, row)) for row in rows]
    read = [tuple(plain(c, canon(c.kind, writer.of_native(c, v))) for c, v in zip(columns, row)) for row in found_rows]
    return [*differences, *rows_compared(columns, wanted, read, isinstance(writer, File))]


def named(table) -> str:
    return "no table" if table is None else str([getattr(c, "name", c) for c in table[0]])


def shown(writer, column: Column, value) -> str:
    # The null of a document and NULL are the same word in JSON Lines.
    return "NULL" if isinstance(writer, (JsonLines, Mongo)) and column.kind == "json" and value == "null" else canon(column.kind, value)


def types_of(case: Case, writer, columns: list[Column], found, kept: dict[str, str]) -> list[Difference]:
    """Types of columns that the engine has made. `kept`: those of the source, of columns that no step has touched."""
    same = untouched(case.steps, case.columns)
    made = {c.name for c in columns if case.before is None or all(c.name != had.name for had in case.before[0])}
    differences = []
    for column, (name, kind) in zip(columns, found):
        if name not in made or kind == "" or name == case.key:
            continue
        wanted = writer.made_type(column) if isinstance(writer, Database) else str(writer.type_of(column))
        if name in same:
            wanted = kept.get(column.kind, wanted)
        if wanted != kind:
            differences.append(Difference("type", column.kind, wanted, kind))
    return differences


def rows_compared(columns: list[Column], wanted: list[tuple], read: list[tuple], ordered: bool) -> list[Difference]:
    if wanted == read:
        return []
    missing, extra = list((Counter(wanted) - Counter(read)).elements()), list((Counter(read) - Counter(wanted)).elements())
    if not missing and not extra:
        return [Difference("order")] if ordered else []
    if len(missing) != len(extra):
        first = (missing or extra)[0]
        return [Difference("rows", expected=str(len(wanted)), actual=f"{len(read)}; {'missing' if missing else 'extra'}: {first}")]
    moved = [(row, other) for row, other in zip(wanted, read) if row != other]
    pairs = moved if ordered and len(moved) <= 2 * len(missing) else likely_pairs(missing[:500], extra[:500])
    values = [
        Difference("value", column.kind, a, b)
        for row, other in pairs
        for column, a, b in zip(columns, row, other)
        if a != b
    ]
    return list(dict.fromkeys(values))[:20]


def likely_pairs(missing: list[tuple], extra: list[tuple]) -> Iterator[tuple[tuple, tuple]]:
    """Each row with the one that it has most likely become."""
    for row in missing:
        other = max(extra, key=lambda candidate: sum(a == b for a, b in zip(row, candidate)))
        yield row, other
        extra.remove(other)


