"""A case: a table in a source, a task, and what stands in the target before. All of it follows from the seed."""

import json
from dataclasses import dataclass, field, replace
from datetime import date
from random import Random

from databases import Database, is_minus_zero
from documents import Mongo
from files import File
from keys import as_table, one_of_each, respelled
from nested import random_nest, random_nested
from steps import apply, fresh_name, input_name, place, random_steps, refuses, written
from systems import SOURCES, TARGETS
from values import KINDS, NAMES, NESTED, Column, canon, random_value

FLAVOURS = ("none", "names", "values", "map")
PAIRS = [(source, *target) for source in SOURCES for target in TARGETS]
# What goes from a database to itself, or to another of its kind, may take lanes that never look at a value.
ONE = ("sqlite", "postgres", "duckdb")
ALIKE = [(database, database, mode) for database in ONE for mode in ("append", "replace", "upsert", "delete_insert")]

# Of texts most tables have an opinion.
KEY_KINDS = ("int", "text", "text", "text", "uuid", "date")


@dataclass(frozen=True)
class Case:
    seed: int
    source: str
    target: str
    mode: str
    flavour: str
    # Source and target are one and the same connector.
    same: bool
    query: bool
    source_options: dict
    target_options: dict
    columns: list[Column]
    rows: list[tuple]
    steps: list[dict]
    # As it is called in the target.
    key: str | None
    # Columns and rows that the table has before; None: there is no table.
    before: tuple[list[Column], list[tuple]] | None = field(default=None)


def row_count(rng: Random, seed: int) -> int:
    """Around the sizes of DuckDB's vectors and row groups; 300,000 in campaigns only, not among the fixed seeds."""
    chance = rng.random()
    if chance < 0.0003 and seed >= 10_000:
        return 300_000
    if chance < 0.001:
        return rng.choice((122_879, 122_880, 122_881))
    if chance < 0.025:
        return rng.choice((2047, 2048, 2049))
    return rng.choice((0, 1, 2, 17, 17, 17, 60))


def make_case(seed: int, systems: dict) -> Case:
    rng = Random(seed)
    # Any run of as many seeds as there are pairs reaches every pair; four times as many, every pair with every flavour.
    turn, at = divmod(seed, len(PAIRS) + len(ALIKE))
    source, target, mode = [*PAIRS, *ALIKE][at]
    flavour = FLAVOURS[(turn + at) % (len(FLAVOURS) if at < len(PAIRS) else 2)]
    count = row_count(rng, seed)
    reader = systems["sources"][source]
    keyed = mode in ("upsert", "delete_insert")
    writer = systems["targets"][target]
    columns = random_columns(rng, 3 if count > 10_000 else 8, keyed, flavour, reader, writer)
    key = columns[0].name if keyed else None
    null_share = rng.choice((0, 0.1, 0.5))
    rows = random_rows(rng, columns, count, Both(reader, writer), null_share, key, unique=mode == "upsert" and rng.random() < 0.7)
    stream = entering(reader, columns, rows)
    steps, key_after = random_steps(rng, flavour, stream, key)
    if not all(c.kind in writer.kinds and bears_name(reader, writer, c.name) for c in applied(steps, stream)[0]):
        steps = []
    else:
        key = key_after
    is_there = isinstance(writer, (Database, Mongo)) and rng.random() < 0.6
    if is_there and keyed and rng.random() < 0.6:
        rows = told_apart(writer, columns[0], key, rows)
    case = Case(
        seed, source, target, mode, flavour, source == target and source in ONE and rng.random() < 0.5,
        rng.random() < 0.3, reader.options(rng) if isinstance(reader, File) else {},
        writer.options(rng) if isinstance(writer, File) else {}, columns, rows, steps, key,
    )  # fmt: skip
    return replace(case, before=random_before(rng, case, reader, writer)) if is_there else case


def told_apart(writer, column: Column, name: str | None, rows: list[tuple]) -> list[tuple]:
    """Without rows that a key column of that name takes for the same as another one, though they differ."""
    key = column.called(name or "")
    told = as_table(writer, key, [row[0] for row in rows], True)
    last = {told(row[0]): row[0] for row in rows}
    return [row for row in rows if canon(key.kind, row[0]) == canon(key.kind, last[told(row[0])])]


@dataclass(frozen=True)
class Both:
    """Holds what the source holds and the target's own server bears."""

    reader: object
    writer: object

    def holds(self, column: Column, value) -> bool:
        return self.reader.holds(column, value) and bears(self.writer, self.reader.read_kind(column), value)


def bears(writer, column: Column, value) -> bool:
    return not isinstance(writer, Mongo) or writer.bears(column, value)


def bears_name(reader, writer, name: str) -> bool:
    if isinstance(reader, Mongo) and reader.refuses_name(name):
        return False
    return not any(isinstance(system, Mongo) and not system.bears_name(name) for system in (reader, writer))


def random_columns(rng: Random, most: int, keyed: bool, flavour: str, reader, writer) -> list[Column]:
    names: list[str] = []
    columns = []
    kinds = [kind for kind in KINDS if kind in reader.source_kinds and reader.read_kind(Column("", kind)).kind in writer.kinds]
    # JavaScript has no words for the types inside.
    nests = flavour != "map" and "list" in reader.source_kinds and "list" in writer.kinds
    key_kinds = [kind for kind in KEY_KINDS if kind in kinds]
    # Fields of documents may not be called as one likes: a few show it.
    plain = getattr(reader, "plain_names", False) or (isinstance(reader, Mongo) or isinstance(writer, Mongo)) and rng.random() < 0.8
    for at in range(rng.randint(1, most)):
        if plain or rng.random() < 0.6:
            name = f"c{at}"
        else:
            # Whether names may begin with blanks is each system's own affair.
            name = fresh_name(rng, names)
        if not bears_name(reader, writer, name):
            name = f"c{at}"
        names.append(name)
        if nests and not (keyed and at == 0) and rng.random() < 0.3:
            columns.append(random_nested(rng, name, [kind for kind in kinds if kind != "json"], isinstance(writer, Mongo)))
            continue
        kind = rng.choice(key_kinds if keyed and at == 0 else kinds)
        digits = rng.choice((1, 4, 5, 9, 10, 15, 16, 18, 19, 28, 37, 38)) if kind == "decimal" else 0
        places = rng.choice((0, min(2, digits), digits // 2, min(digits, 30))) if kind == "decimal" else 0
        columns.append(Column(name, kind, digits, places))
    return columns


def random_rows(rng: Random, columns, count: int, system, null_share: float, key: str | None, unique: bool) -> list[tuple]:
    rows: list[tuple] = []
    seen: set = set()
    while len(rows) < count:
        row = tuple(holdable(rng, c, system, (0 if unique else null_share / 5) if c.name == key else null_share, c.name == key) for c in columns)
        if unique:
            at = next(index for index, c in enumerate(columns) if c.name == key)
            found = canon(columns[at].kind, row[at])
            if found in seen:
                row = (*row[:at], distinct(rng, columns[at]), *row[at + 1 :])
                found = canon(columns[at].kind, row[at])
                if found in seen:
                    if columns[at].kind == "date" and len(seen) > 100_000:
                        return rows
                    continue
            seen.add(found)
        rows.append(row)
    return rows


def distinct(rng: Random, column: Column):
    """A key that is seldom there already."""
    if column.kind == "int":
        return rng.randint(-(2**63), 2**63 - 1)
    if column.kind == "text":
        return f"k{rng.getrandbits(64):x}"
    return random_value(rng, column)


def holdable(rng: Random, column: Column, system, null_share: float, key: bool):
    """A value that the system can hold, as its own client writes it."""
    if rng.random() < null_share:
        return None
    while True:
        value = random_nest(rng, column, system.holds) if column.kind in NESTED else random_value(rng, column)
        if system.holds(column, value) and not (key and column.kind == "text" and (len(value) > 50 or "\x00" in value)):
            return value


def entering(reader, columns: list[Column], rows: list[tuple]) -> tuple[list[Column], list[tuple]]:
    """What the source gives to the first step."""
    read = [reader.read_kind(c) for c in columns]
    rows = reader.arriving(rows) if isinstance(reader, File) else rows
    changed = [at for at, (c, r) in enumerate(zip(columns, read)) if c.kind != r.kind]
    if not changed:
        return read, rows
    return read, [tuple(as_read(c, r, v) if c.kind != r.kind else v for c, r, v in zip(columns, read, row)) for row in rows]


def as_read(column: Column, read: Column, value):
    if value is None:
        return None
    return value.replace(tzinfo=None) if read.kind == "timestamp" else str(value)


def flowing(case: Case, reader) -> tuple[list[Column], list[tuple]]:
    """What arrives at the target."""
    return applied(case.steps, entering(reader, case.columns, case.rows))


def refused(case: Case, reader) -> bool:
    """Whether a step stops the run."""
    return refuses(case.steps, entering(reader, case.columns, case.rows))


def applied(steps: list[dict], stream):
    for step in steps:
        stream = apply(step, stream)
    return stream


def random_before(rng: Random, case: Case, reader, writer) -> tuple[list[Column], list[tuple]] | None:
    columns, coming = flowing(case, reader)
    if isinstance(writer, Mongo) and any(map(writer.refuses_name, (c.name for c in columns))):
        return None
    had = [c for c in columns if c.name == case.key or rng.random() < 0.9] or columns[:1]
    if rng.random() < 0.3:
        name = "other" if isinstance(writer, Mongo) else fresh_name(rng, [c.name for c in columns])
        had.append(Column(name, rng.choice(KINDS[:2] + ("text",))))
    rng.shuffle(had)
    rows = random_rows(rng, had, rng.choice((0, 1, 5, 20)), writer, 0.1, case.key, unique=case.mode == "upsert")
    at = next((index for index, c in enumerate(columns) if c.name == case.key), None)
    coming = [row for row in coming if at is not None and row[at] is not None and writer.holds(columns[at], row[at])]
    places = {c.name: index for index, c in enumerate(columns)}

    def met(row: tuple) -> tuple:
        found = rng.choice(coming)
        near = case.mode == "upsert" and rng.random() < 0.5
        return tuple(
            near_value(rng, writer, c, found[places[c.name]], value) if c.name == case.key or (near and c.name in places) else value
            for c, value in zip(had, row)
        )

    # Some keys are met, in the same row or in another one.
    rows = [met(row) if coming and rng.random() < 0.5 else row for row in rows]
    if case.mode != "upsert":
        return had, rows
    at = place(had, case.key)
    return had, one_of_each(as_table(writer, had[at], [row[at] for row in rows], True), rows, at)


# What the oracle's own client and the engine write alike, byte by byte.
ALIKE_KINDS = ("bool", "int", "decimal", "double", "text", "bytes", "date", "uuid")


def near_value(rng: Random, writer, column: Column, coming, own):
    """What comes in, perhaps spelled in another way."""
    if column.kind not in ALIKE_KINDS or not writer.holds(column, coming) or is_minus_zero(column, coming):
        return own
    return respelled(rng, coming) if column.kind == "text" and coming is not None and rng.random() < 0.5 else coming


def task_of(case: Case, systems: dict, tables: tuple[str, str]) -> dict:
    reader, writer = systems["sources"][case.source], systems["targets"][case.target]
    if isinstance(reader, File):
        source: dict = {reader.section[0]: reader.source(tables[0], case.columns, case.source_options)}
    elif not isinstance(reader, Database):
        source = {reader.section: reader.source(tables[0], case.columns)}
    elif case.query:
        fields = ", ".join(reader.quote(c.name) for c in case.columns)
        source = {"sql": {"query": f"SELECT {fields} FROM {reader.quote(tables[0])}"}}
    else:
        source = {"sql": {"table": tables[0]}}
    if isinstance(writer, File):
        target: dict = {writer.section[1]: writer.target(tables[1], case.target_options)}
    else:
        place = "collection" if isinstance(writer, Mongo) else "table"
        target = {place: tables[1], "mode": case.mode} | ({"key": [case.key]} if case.key is not None else {})
    steps = []
    stream = entering(reader, case.columns, [])
    for step in case.steps:
        steps.append(written(step, stream[0]))
        stream = apply(step, stream)
    inputs = {input_name(step): inline(step) for step in case.steps if step["do"] == "lookup"}
    return {
        "etl": 1,
        "kind": "pipeline",
        "name": "differential",
        **({"inputs": inputs} if inputs else {}),
        "connectors": {"here": {"type": reader.slot, "access": "read"}, "there": {"type": writer.slot, "access": "write"}},
        "source": {"connector": "here", **source},
        "steps": steps,
        "target": {"connector": "there", **target},
    }


def inline(step: dict) -> dict:
    """The table that a lookup looks into."""
    rows = [{"k": str(value), "v": number} for value, number in step["rows"]]
    kind = {int: "integer", str: "string", date: "date"}[type(step["rows"][0][0])]
    return {"inline": {"rows": rows, "columns": {"k": kind, "v": "integer"}}}


def yaml_of(task: dict) -> str:
    return "\n".join(f"{key}: {json.dumps(value, ensure_ascii=False)}" for key, value in task.items()) + "\n"
