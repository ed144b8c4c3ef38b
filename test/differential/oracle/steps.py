"""Steps of a pipeline: made at random, written as the task language has them, and what they mean, in Python."""

from decimal import Decimal
from random import Random

from values import NAMES, Column, canon

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
        wanted.append(rng.choice(("filter", "derive", "dedupe", "sql", "cast")))
    steps: list[dict] = []
    for kind in wanted:
        step = MAKE[kind](rng, stream[0], stream[1], key)
        if step is None:
            continue
        stream = apply(step, stream)
        if kind == "rename" and key is not None:
            key = step["names"].get(key, key)
        steps.append(step)
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


def make_dedupe(rng, columns, rows, key):
    plain = [c.name for c in columns if c.kind in ("int", "text", "bool", "date", "uuid", "bytes", "timestamp")]
    return {"do": "dedupe", "key": rng.sample(plain, min(len(plain), rng.randint(1, 2)))} if plain else None


def make_cast(rng, columns, rows, key):
    fitting = [c.name for c in columns if c.kind in ("int", "bool", "date", "uuid", "decimal", "timestamp") and c.name != key]
    return {"do": "cast", "column": rng.choice(fitting)} if fitting else None


def make_map(rng, columns, rows, key):
    whole = rng.random() < 0.5 or any("`" in c.name for c in columns)
    return {"do": "map", "how": "$" if whole else "object"}


MAKE = {
    "rename": make_rename, "select": make_select, "drop": make_drop, "filter": make_filter, "derive": make_derive, "dedupe": make_dedupe,
    "cast": make_cast, "map": make_map, "sql": lambda rng, columns, rows, key: {"do": "sql"},
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
        return {"dedupe": step["key"]}
    if do == "cast":
        return {"cast": {step["column"]: "string"}}
    if do == "sql":
        return {"sql": "SELECT * FROM stream"}
    if step["how"] == "$":
        return {"map": "$"}
    fields = ", ".join(f"{json_text(c.name)}: `{c.name}`" for c in columns)
    return {"map": f"{{{fields}}}"}


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
        return columns, first_of_each(step["key"], columns, rows)
    if do == "cast":
        at = place(columns, step["column"])
        made = [*columns[:at], Column(columns[at].name, "text"), *columns[at + 1 :]]
        return made, [(*row[:at], as_text(columns[at], row[at]), *row[at + 1 :]) for row in rows]
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
        elif do in ("sql", "map"):
            names = set()
    return names


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


def as_text(column: Column, value) -> str | None:
    if value is None:
        return None
    if column.kind == "bool":
        return "true" if value else "false"
    if column.kind == "decimal":
        return f"{value:f}"
    if column.kind == "timestamp":
        text = value.isoformat()
        return text.rstrip("0") if "." in text else text
    return str(value)
