"""Steps of a pipeline: made at random, written as the task language has them, and what they mean, in Python."""

from decimal import Decimal
from random import Random
from zlib import crc32

from casts import Unfit, Unsure, cast, cast_column
from values import NAMES, NESTED, Column, canon, random_value

# Columns and rows that flow.
Stream = tuple[list[Column], list[tuple]]


def sql_name(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def sql_text(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def place(columns: list[Column], name: str) -> int:
    return next(at for at, column in enumerate(columns) if column.name == name)


def fresh_name(rng: Random, taken: list[str]) -> str:
    folded = {name.casefold() for name in taken}
    return rng.choice([name for name in NAMES if name.casefold() not in folded and name.strip() == name])


def random_steps(rng: Random, flavour: str, stream: Stream, key: str | None) -> tuple[list[dict], str | None]:
    """`flavour`: none, names, values or map. Also what `key` is called at the end."""
    kinds = {"none": [], "names": ["select", "rename", "drop"], "values": list(DO), "map": ["rename", "filter", "derive"]}[flavour]
    wanted = [rng.choice(kinds) for _ in range(rng.randint(1, 3))] if kinds else []
    if flavour == "map":
        wanted.insert(rng.randint(0, len(wanted)), "map")
    elif flavour == "values":
        wanted.append(rng.choice(("filter", "derive", "dedupe", "sql", "cast", "cast", "lookup", "group", "sort")))
    steps: list[dict] = []
    for kind in wanted:
        step = MAKE[kind](rng, stream[0], stream[1], key)
        if step is None:
            continue
        before, stream = stream, apply(step, stream)
        if kind == "rename" and key is not None:
            key = step["names"].get(key, key)
        steps.append(step)
        # What comes behind might make it needless to look at the value.
        if refuses([step], before):
            break
    return steps, key


def make_rename(rng, columns, rows, key):
    names = [c.name for c in columns]
    if len(names) > 1 and rng.random() < 0.2:
        first, second = rng.sample(names, 2)
        return {"do": "rename", "names": {first: second, second: first}}
    return {"do": "rename", "names": {rng.choice(names): fresh_name(rng, names)}}


def make_select(rng, columns, rows, key):
    names = [c.name for c in columns]
    some = rng.sample(names, rng.randint(1, len(names)))
    return {"do": "select", "columns": some if key is None or key in some else [key, *some]}


def make_drop(rng, columns, rows, key):
    loose = [c.name for c in columns if c.name != key]
    most = len(loose) if key is not None else len(loose) - 1
    return {"do": "drop", "columns": rng.sample(loose, rng.randint(1, most))} if most > 0 else None


def make_filter(rng, columns, rows, key):
    column = rng.choice(columns)
    simple = {"int": (">", "<=", "=", "<>"), "text": ("=", "<>"), "bool": ("=",), "date": (">", "=")}.get(column.kind)
    if simple is None or not rows or rng.random() < 0.2:
        return {"do": "filter", "column": column.name, "op": rng.choice(("null", "not null"))}
    value = rng.choice(rows)[place(columns, column.name)]
    if value is None or (column.kind == "text" and not (value.isprintable() and value.isascii() and len(value) < 50 and "${" not in value)):
        return None
    return {"do": "filter", "column": column.name, "op": rng.choice(simple), "value": value}


def make_derive(rng, columns, rows, key):
    name = fresh_name(rng, [c.name for c in columns])
    if rng.random() < 0.2:
        loose = [c.name for c in columns if c.name != key]
        name = rng.choice(loose) if loose else name
    source = rng.choice(columns)
    if source.kind == "int" and rng.random() < 0.7:
        return {"do": "derive", "column": name, "how": "modulo", "from": source.name}
    how = rng.choice(("int", "text", "decimal", "is null", "null"))
    return {"do": "derive", "column": name, "how": how, "from": source.name}


PLAIN = ("int", "text", "bool", "date", "uuid", "bytes", "timestamp")


def make_dedupe(rng, columns, rows, key):
    plain = [c.name for c in columns if c.kind in PLAIN]
    return {"do": "dedupe", "key": rng.sample(plain, min(len(plain), rng.randint(1, 2))), "keep": rng.choice(("first", "last"))} if plain else None


TYPES = ("string", "integer", "number", "boolean", "date", "time", "datetime")


def make_cast(rng, columns, rows, key):
    fitting = [c for c in columns if c.kind not in ("json", "bytes", "uuid", *NESTED) and c.name != key]
    if not fitting:
        return None
    column = rng.choice(fitting)
    to = rng.choice((*TYPES, "decimal"))
    if to == "decimal":
        digits = rng.choice((4, 9, 18, 38))
        to = f"decimal({digits},{rng.choice((0, 2, digits // 2))})"
    rounding = rng.choice((None, None, "round" if to in ("integer", "number") or to.startswith("decimal") else "truncate", "truncate"))
    if rounding is not None and (to in ("string", "boolean") or (to == "number" and rounding == "truncate")):
        rounding = None
    # Of floating point only its text's digits are sure.
    if column.kind == "double" and to == "string":
        return None
    step = {"do": "cast", "column": column.name, "to": to, "rounding": rounding, "on_error": rng.choice(("fail", "null", "quarantine"))}
    try:
        apply(step, (columns, rows))
    except Unsure:
        return None
    return step


def make_lookup(rng, columns, rows, key):
    fitting = [c for c in columns if c.kind in ("int", "text", "date")]
    if not fitting or not rows:
        return None
    column = rng.choice(fitting)
    at = place(columns, column.name)
    there = [row[at] for row in rng.sample(rows, min(len(rows), 5)) if row[at] is not None]
    # What YAML and the task language would read in their own way is for other tests.
    found = list(dict.fromkeys(value for value in there if not isinstance(value, str) or (value.isprintable() and len(value) < 50 and "${" not in value)))
    more = [random_value(rng, Column("", "int")) for _ in range(2)] if column.kind == "int" else []
    name = fresh_name(rng, [c.name for c in columns])
    inputs = [[value, rng.randint(-9, 9)] for value in [*found, *more, *found[:1]]]
    return {"do": "lookup", "column": column.name, "name": name, "rows": inputs, "missing": rng.choice(("null", "drop"))} if inputs else None


def make_sort(rng, columns, rows, key):
    """By a column whose values are all different."""
    fitting = [c.name for at, c in enumerate(columns) if c.kind in ("int", "date", "timestamp") and len({row[at] for row in rows}) == len(rows)]
    return {"do": "sort", "column": rng.choice(fitting), "falls": rng.random() < 0.5} if fitting else None


def make_group(rng, columns, rows, key):
    fitting = [c.name for c in columns if c.kind in ("int", "date", "bool") and key in (None, c.name)]
    values = [c.name for c in columns if c.kind in ("int", "date", "timestamp", "decimal")]
    if not fitting or not values:
        return None
    by, of = rng.choice(fitting), rng.choice(values)
    names: list[str] = [by]
    for _ in range(3):
        names.append(fresh_name(rng, names))
    return {"do": "group", "column": by, "of": of, "names": names[1:]}


def make_map(rng, columns, rows, key):
    whole = rng.random() < 0.5 or any("`" in c.name for c in columns)
    return {"do": "map", "how": "$" if whole else "object"}


MAKE = {
    "rename": make_rename, "select": make_select, "drop": make_drop, "filter": make_filter, "derive": make_derive, "dedupe": make_dedupe,
    "cast": make_cast, "map": make_map, "sql": lambda rng, columns, rows, key: {"do": "sql"}, "lookup": make_lookup, "sort": make_sort,
    "group": make_group,
}  # fmt: skip
DO = [kind for kind in MAKE if kind != "map"]

DERIVED = {
    "int": ("CAST(7 AS BIGINT)", "int", 7),
    "text": ("'it''s'", "text", "it's"),
    "decimal": ("CAST('1.50' AS DECIMAL(10,2))", "decimal", Decimal("1.50")),
    "null": ("CAST(NULL AS VARCHAR)", "text", None),
}


def written(step: dict, columns: list[Column]) -> dict:
    """The step in the task language; `columns`: those that enter it."""
    do = step["do"]
    if do == "rename":
        return {"rename": step["names"]}
    if do in ("select", "drop"):
        return {do: step["columns"]}
    if do == "filter":
        name = sql_name(step["column"])
        if step["op"] in ("null", "not null"):
            return {"filter": f"{name} IS {step['op'].upper()}"}
        value = step["value"]
        literal = sql_text(value) if isinstance(value, str) else str(value) if isinstance(value, (bool, int)) else f"DATE '{value}'"
        return {"filter": f"{name} {step['op']} {literal}"}
    if do == "derive":
        name = sql_name(step["from"])
        known = {"modulo": f"{name} % 1000 + 7", "is null": f"{name} IS NULL"}
        return {"derive": {step["column"]: known.get(step["how"]) or DERIVED[step["how"]][0]}}
    if do == "dedupe":
        return {"dedupe": {"key": step["key"], "keep": step["keep"]}}
    if do == "cast":
        to = {"type": step["to"], "rounding": step["rounding"]} if step["rounding"] else step["to"]
        return {"cast": {"columns": {step["column"]: to}, "on_error": step["on_error"]}}
    if do == "lookup":
        return {"lookup": {"input": input_name(step), "on": {step["column"]: "k"}, "columns": {step["name"]: "v"}, "on_missing": step["missing"]}}
    if do == "sort":
        return {"sql": f"SELECT * FROM stream ORDER BY {sql_name(step['column'])}{' DESC' if step['falls'] else ''} NULLS LAST"}
    if do == "group":
        by, of = sql_name(step["column"]), sql_name(step["of"])
        rows, least, most = map(sql_name, step["names"])
        return {"sql": f"SELECT {by}, count(*) AS {rows}, min({of}) AS {least}, max({of}) AS {most} FROM stream GROUP BY {by} ORDER BY {by} NULLS LAST"}
    if do == "sql":
        return {"sql": "SELECT * FROM stream"}
    if step["how"] == "$":
        return {"map": "$"}
    fields = ", ".join(f"{json_text(c.name)}: `{c.name}`" for c in columns)
    return {"map": f"{{{fields}}}"}


def input_name(step: dict) -> str:
    """Names of inputs are plain, and each has its own."""
    return f"i{crc32(repr((step['name'], step['rows'])).encode())}"


def json_text(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\t", "\\t") + '"'


def apply(step: dict, stream: Stream) -> Stream:
    """What the step makes of the rows. Raises KeyError or StopIteration where it names a column that is not there."""
    columns, rows = stream
    do = step["do"]
    if do == "rename":
        for name in step["names"]:
            place(columns, name)
        return [c.called(step["names"].get(c.name, c.name)) for c in columns], rows
    if do in ("select", "drop"):
        places = [place(columns, name) for name in step["columns"]]
        if do == "drop":
            places = [at for at in range(len(columns)) if at not in places]
        return [columns[at] for at in places], [tuple(row[at] for at in places) for row in rows]
    if do == "filter":
        at = place(columns, step["column"])
        return columns, [row for row in rows if passes(row[at], step)]
    if do == "derive":
        return derive(step, stream)
    if do == "dedupe":
        kept = first_of_each(step["key"], columns, rows if step["keep"] == "first" else rows[::-1])
        return columns, kept if step["keep"] == "first" else kept[::-1]
    if do == "cast":
        at = place(columns, step["column"])
        made = [*columns[:at], cast_column(columns[at], step["to"]), *columns[at + 1 :]]
        return made, [(*row[:at], value, *row[at + 1 :]) for row in rows for value in cast_of(step, columns[at], row[at])]
    if do == "lookup":
        at = place(columns, step["column"])
        known: dict = {}
        for value, number in step["rows"]:
            known.setdefault(value, number)
        kept = rows if step["missing"] == "null" else [row for row in rows if row[at] is not None and row[at] in known]
        return [*columns, Column(step["name"], "int")], [(*row, known.get(row[at]) if row[at] is not None else None) for row in kept]
    if do == "sort":
        at = place(columns, step["column"])
        there = sorted((row for row in rows if row[at] is not None), key=lambda row: row[at], reverse=step["falls"])
        return columns, [*there, *(row for row in rows if row[at] is None)]
    if do == "group":
        return grouped(step, stream)
    return columns, rows


def untouched(steps: list[dict], columns: list[Column]) -> set[str]:
    """Columns at the end that hold what the source gave, whatever they are called."""
    names = {c.name for c in columns}
    for step in steps:
        do = step["do"]
        if do == "rename":
            names = {step["names"].get(name, name) for name in names}
        elif do == "select":
            names &= set(step["columns"])
        elif do == "drop":
            names -= set(step["columns"])
        elif do in ("derive", "cast"):
            names -= {step["column"]}
        elif do in ("sql", "sort", "group"):
            names = set()
    return names


def cast_of(step: dict, column: Column, value) -> list:
    """What becomes of the value; nothing: its row goes to the rejects."""
    try:
        return [cast(column, value, step["to"], step["rounding"])]
    except Unfit:
        return [] if step["on_error"] == "quarantine" else [None]


def refuses(steps: list[dict], stream: Stream) -> bool:
    """Whether a value does not fit where the task says that this is a failure."""
    for step in steps:
        if step["do"] == "cast" and step["on_error"] == "fail":
            at = place(stream[0], step["column"])
            if any(cast_of({**step, "on_error": "quarantine"}, stream[0][at], row[at]) == [] for row in stream[1]):
                return True
        stream = apply(step, stream)
    return False


def grouped(step: dict, stream: Stream) -> Stream:
    columns, rows = stream
    by, of = place(columns, step["column"]), place(columns, step["of"])
    groups: dict = {}
    for row in rows:
        groups.setdefault(row[by], []).append(row[of])
    made = []
    for value in [*sorted(value for value in groups if value is not None), *([None] if None in groups else [])]:
        there = [item for item in groups[value] if item is not None]
        made.append((value, len(groups[value]), min(there, default=None), max(there, default=None)))
    rows_name, least, most = step["names"]
    return [columns[by], Column(rows_name, "int"), columns[of].called(least), columns[of].called(most)], made


def passes(value, step: dict) -> bool:
    op = step["op"]
    if op in ("null", "not null"):
        return (value is None) == (op == "null")
    if value is None:
        return False
    wanted = step["value"]
    return {"=": value == wanted, "<>": value != wanted, ">": op == ">" and value > wanted, "<=": op == "<=" and value <= wanted}[op]


def derive(step: dict, stream: Stream) -> Stream:
    columns, rows = stream
    at = place(columns, step["from"])
    if step["how"] == "modulo":
        # SQL's remainder has the sign of what is divided.
        sign = lambda value: -1 if value < 0 else 1  # noqa: E731
        made = Column(step["column"], "int")
        values = [None if row[at] is None else sign(row[at]) * (abs(row[at]) % 1000) + 7 for row in rows]
    elif step["how"] == "is null":
        made = Column(step["column"], "bool")
        values = [row[at] is None for row in rows]
    else:
        _, kind, constant = DERIVED[step["how"]]
        made = Column(step["column"], kind, 10 if kind == "decimal" else 0, 2 if kind == "decimal" else 0)
        values = [constant for _ in rows]
    found = [index for index, c in enumerate(columns) if c.name == step["column"]]
    if not found:
        return [*columns, made], [(*row, value) for row, value in zip(rows, values)]
    to = found[0]
    return [*columns[:to], made, *columns[to + 1 :]], [(*row[:to], value, *row[to + 1 :]) for row, value in zip(rows, values)]


def first_of_each(key: list[str], columns: list[Column], rows: list[tuple]) -> list[tuple]:
    places = [place(columns, name) for name in key]
    seen: set = set()
    kept = []
    for row in rows:
        found = tuple(canon(columns[at].kind, row[at]) for at in places)
        if found not in seen:
            seen.add(found)
            kept.append(row)
    return kept
