"""Lists and structures: columns of typed values inside of values. Where a system has no such types, they are JSON documents."""

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from random import Random
from typing import Callable

from casts import as_text
from values import NESTED, Column, Number, Other, canon, random_value

FIELDS = ("a", "b", "a b", "Ünï", "x:y", 'with "quotes"', "it's", "a,b", "select", "(", "日本")
PLAIN_FIELDS = ("a", "b", "c1", "c2", "long", "z")


@dataclass(frozen=True)
class Nest:
    """A list, or a dictionary of a structure's fields."""

    plain: object
    # A text that two of them share only when they are the same.
    shown: str

    def __repr__(self):
        return repr(self.plain)


def nest(column: Column, plain) -> Nest | Other | None:
    """None and Other stay what they are."""
    return plain if plain is None or isinstance(plain, Other) else Nest(plain, shown(column, plain))


def shown(column: Column, plain) -> str:
    if plain is None or isinstance(plain, Other) or column.kind not in NESTED:
        return canon(column.kind, plain)
    if column.kind == "list":
        return f"[{', '.join(shown(column.inner[0], item) for item in plain)}]"
    return "{" + ", ".join(f"{json.dumps(field.name)}: {shown(field, plain[field.name])}" for field in column.inner) + "}"


def random_nested(rng: Random, name: str, kinds: list[str], plain: bool, depth: int = 2) -> Column:
    """`kinds`: of what may be inside; `plain`: no awkward names, and no lists of lists."""
    kind = rng.choice(NESTED)

    def part(called: str) -> Column:
        if depth > 1 and rng.random() < 0.3:
            made = random_nested(rng, called, kinds, plain, depth - 1)
            if not (plain and kind == made.kind == "list"):
                return made
        one = rng.choice(kinds)
        digits = rng.choice((1, 5, 9, 18, 38)) if one == "decimal" else 0
        return Column(called, one, digits, rng.choice((0, digits // 2, digits)))

    if kind == "list":
        return Column(name, kind, inner=(part("item"),))
    names = PLAIN_FIELDS if plain else FIELDS
    return Column(name, kind, inner=tuple(part(called) for called in rng.sample(names, rng.randint(1, 3))))


def random_nest(rng: Random, column: Column, holds: Callable[[Column, object], bool]) -> Nest:
    def plain(of: Column):
        if rng.random() < 0.2:
            return None
        while True:
            value = whole(of)
            # Long ones would make documents that Excel cannot keep.
            if of.kind in NESTED or (holds(of, value) and not (isinstance(value, (str, bytes)) and len(value) > 300)):
                return value

    def whole(of: Column):
        if of.kind == "list":
            return [plain(of.inner[0]) for _ in range(rng.choice((0, 0, 1, 2, 3)))]
        return {field.name: plain(field) for field in of.inner} if of.kind == "struct" else random_value(rng, of)

    return Nest(made := whole(column), shown(column, made))


def leaves(column: Column, plain):
    """The values within, each with its column."""
    if plain is None:
        return
    if column.kind not in NESTED:
        yield column, plain
        return
    parts = [(column.inner[0], item) for item in plain] if column.kind == "list" else [(field, plain[field.name]) for field in column.inner]
    for part, value in parts:
        yield from leaves(part, value)


def mapped(column: Column, plain, of_leaf: Callable[[Column, object], object]):
    """The same lists and structures of other values; Other where they are not lists and structures of those fields."""
    if plain is None:
        return None
    if column.kind == "list":
        return [mapped(column.inner[0], item, of_leaf) for item in plain] if isinstance(plain, list) else Other(repr(plain))
    if column.kind == "struct":
        if not isinstance(plain, dict) or sorted(plain) != sorted(field.name for field in column.inner):
            return Other(repr(plain))
        return {field.name: mapped(field, plain[field.name], of_leaf) for field in column.inner}
    return of_leaf(column, plain)


def document(column: Column, value: Nest) -> str:
    """As JSON, as a database has it."""

    def written(of: Column, plain) -> str:
        if plain is None:
            return "null"
        if of.kind == "list":
            return "[" + ", ".join(written(of.inner[0], item) for item in plain) + "]"
        if of.kind == "struct":
            return "{" + ", ".join(f"{json.dumps(field.name)}: {written(field, plain[field.name])}" for field in of.inner) + "}"
        if of.kind in ("bool", "int", "decimal", "double"):
            return {True: "true", False: "false"}[plain] if of.kind == "bool" else f"{plain:f}" if of.kind == "decimal" else repr(plain)
        return json.dumps(f"\\x{plain.hex()}" if of.kind == "bytes" else as_text(of, plain))

    return written(column, value.plain)


def of_document(column: Column, raw, of_text: Callable[[Column, str], object], numbers_as_text: bool = False):
    """From parsed JSON. `numbers_as_text`: where a reader of JSON would not keep them."""

    def leaf(of: Column, value):
        if of.kind == "bool":
            return value if type(value) is bool else Other(repr(value))
        if of.kind in ("int", "decimal", "double"):
            if type(value) is str and numbers_as_text and of.kind != "int":
                return of_text(of, value)
            if type(value) not in (Number, Decimal):
                return Other(repr(value))
            return float(value) if of.kind == "double" else Decimal(value) if of.kind == "decimal" else int(value)
        if type(value) is not str:
            return Other(repr(value))
        if of.kind == "bytes":
            return bytes.fromhex(value[2:]) if re.fullmatch(r"\\x(?:[0-9a-f]{2})*", value) else Other(f"text {value!r}")
        return of_text(of, value)

    return nest(column, mapped(column, raw, leaf))
