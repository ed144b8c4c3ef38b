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
        return "string '{}' to" in difference.actual
    return difference.expected == "NULL" and difference.actual in ("str {}", "{}")


def rounded(difference: Difference) -> bool:
    """Only digits are lost that floating point has no room for."""
    if difference.kind != "json" or difference.what != "value":
        return False
    number = re.compile(r"n-?\d+(\.\d+)?")
    as_float = lambda text: number.sub(lambda found: repr(float(found[0][1:])), text)  # noqa: E731
    return as_float(difference.expected) == as_float(difference.actual)


def decimal_from_json_lines(case: Case, difference: Difference) -> bool:
    if case.source != "jsonl" or not any(column.kind == "decimal" and column.digits > 15 for column in case.columns):
        return False
    if difference.what == "failed":
        return difference.code == "CAST_FAILED" and "which is no decimal(" in difference.actual
    try:
        expected, actual = (float(text.removeprefix("str ")) for text in (difference.expected, difference.actual))
    except ValueError:
        return False
    return difference.kind in ("decimal", "text") and abs(expected - actual) <= abs(expected) * 1e-15


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
        "digits from json lines", "Numbers inside of documents in JSON Lines are rounded to floating point.", 30054,
        lambda case, difference: case.source == "jsonl" and rounded(difference),
    ),
    Known(
        "digits to json lines", "Numbers inside of documents are rounded to floating point on their way into JSON Lines.", 30341,
        lambda case, difference: case.target == "jsonl" and rounded(difference),
    ),
    Known(
        "decimals from json lines", "Numbers of many digits in JSON Lines are read as floating point, though the task declares a decimal.", 30155,
        decimal_from_json_lines,
    ),
    Known(
        "byte order mark through map", "A `map` step takes U+FEFF away from the beginning of a text.", 30118,
        lambda case, difference: through_map(case, "text") and f"str \ufeff{difference.actual.removeprefix('str ')}" == difference.expected,
    ),
    Known(
        "minus zero at rest", "SQLite and MariaDB keep 0.0 where -0.0 comes, and nothing says so.", 30050,
        lambda case, difference: case.target in ("sqlite", "mysql") and minus_zero(difference),
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
        "no lines", "A JSON Lines file without a line has no columns, though the task declares them.", 30060,
        lambda case, difference: case.source == "jsonl"
        and not case.rows
        and (difference.code in ("COLUMN_NOT_FOUND", "SQL_INVALID") or difference.what in ("columns", "type")),
    ),
    Known(
        "small decimals through map", "A `map` step gives small decimals an exponent that their own type then refuses.", 30005,
        lambda case, difference: through_map(case, "decimal") and difference.actual.startswith("Could not convert string"),
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
