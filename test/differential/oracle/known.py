"""Differences that are known and still open, each with one sentence and a case that shows it. Any other one fails, and so does one of these
that no longer comes: its line is then to be removed."""

import json
import re
from dataclasses import dataclass
from typing import Callable

from cases import Case
from check import Difference
from values import canon


@dataclass(frozen=True)
class Known:
    name: str
    sentence: str
    # Of a case that shows it.
    seed: int
    matches: Callable[[Case, Difference], bool]


def through_map(case: Case, kind: str | None) -> bool:
    """`kind`: of a column that there must be; None: any."""
    return any(step["do"] == "map" for step in case.steps) and any(kind in (None, column.kind) for column in case.columns)


def json_through_map(case: Case, difference: Difference) -> bool:
    if not through_map(case, "json"):
        return False
    if difference.what == "failed":
        refused = "invalid input syntax for type json" in difference.actual
        return refused or (difference.code == "CONSTRAINT_VIOLATED" and difference.actual.startswith("Row "))
    return difference.kind == "json" or (difference.what in ("rows", "count") and any(step["do"] == "filter" for step in case.steps))


def empty_through_map(case: Case, difference: Difference) -> bool:
    if not through_map(case, None):
        return False
    if difference.what == "failed":
        return "string '{}' to" in difference.actual or '"{}", expected format' in difference.actual
    if difference.kind == "bool" and any(step.get("how") == "is null" for step in case.steps):
        return difference.actual == "bool False"
    return difference.expected == "NULL" and difference.actual in ("str {}", "{}")


def text_from_json_lines(case: Case, difference: Difference) -> bool:
    if case.source != "jsonl":
        return False
    if difference.what == "failed":
        return difference.code == "CAST_FAILED" and difference.actual.endswith("which is no json")
    try:
        within = json.loads(difference.expected) if difference.kind == "json" else None
        return isinstance(within, str) and canon("json", within) == difference.actual
    except ValueError:
        return False


def minus_zero(difference: Difference) -> bool:
    return (difference.expected, difference.actual) == ("-0x0.0p+0", "0x0.0p+0")


def without_leading_zero(case: Case, difference: Difference) -> bool:
    if difference.what in ("unreadable", "failed"):
        narrow = any(column.kind == "decimal" and column.digits == column.places for column in case.columns)
        words = "JSONDecodeError" if difference.what == "unreadable" else "Malformed JSON at byte 0 of input"
        return case.target == "jsonl" and narrow and words in difference.actual
    return re.fullmatch(r"(\?text '|str )-?\.\d+'?", difference.actual) is not None


KNOWN: tuple[Known, ...] = (
    Known(
        "nothing but NULL through map", "A `map` step makes the text `{}` of NULL where all values of all rows are NULL.", 46954, empty_through_map,
    ),
    Known("json through map", "A `map` step makes text, numbers or lists of the documents in a JSON column.", 30037, json_through_map),
    Known(
        "byte order mark through map", "A `map` step takes U+FEFF away from the beginning of a text.", 30118,
        lambda case, difference: through_map(case, "text") and f"str \ufeff{difference.actual.removeprefix('str ')}" == difference.expected,
    ),
    Known(
        "minus zero at rest", "SQLite and MariaDB keep 0.0 where -0.0 comes, and nothing says so.", 30050,
        lambda case, difference: case.target in ("sqlite", "mysql") and minus_zero(difference),
    ),
    Known(
        "zeros in parquet", "Of many 0.0 and -0.0 in a column of a Parquet file all get the sign of the first one.", 1002303,
        lambda case, difference: case.target == "parquet"
        and difference.kind == "double"
        and {difference.expected, difference.actual} == {"-0x0.0p+0", "0x0.0p+0"},
    ),
    Known(
        "minus zero through map", "A `map` step makes 0.0 of -0.0.", 30114,
        lambda case, difference: through_map(case, "double") and minus_zero(difference),
    ),
    Known("no zero before the point", "Decimals of places only are written as `-.5`, which is no number in JSON.", 30003, without_leading_zero),
    Known(
        "a column called rowid", "To a table of SQLite no column called `rowid` can be added, which the run says in SQLite's words alone.", 30524,
        lambda case, difference: case.target == "sqlite" and difference.actual.endswith("cannot add rowid alias: rowid"),
    ),
    Known(
        "a column called true", "SQLite itself moves no table with a column called `true` or `false`: it has no such column on the way.", 30479,
        lambda case, difference: case.same and case.source == "sqlite" and 'no such column: "true"' in difference.actual,
    ),
    Known(
        "texts in json lines", "A text in a column of JSON Lines that is declared as json is taken for a document itself, or refused.", 10946,
        text_from_json_lines,
    ),
    Known(
        "small decimals through map", "A `map` step gives small decimals an exponent that their own type then refuses.", 30005,
        lambda case, difference: through_map(case, "decimal") and difference.actual.startswith("Could not convert string"),
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
