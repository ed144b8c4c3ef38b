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


def rowid_through_map(case: Case, difference: Difference) -> bool:
    names = [column.name for column in case.columns] + [name for step in case.steps for name in called(step)]
    if "rowid" not in names or all(step["do"] != "map" for step in case.steps):
        return False
    return difference.code == "ROWS_UNACCOUNTED" or "when casting from source column row" in difference.actual


def called(step: dict) -> list[str]:
    """Names that the step gives."""
    return list(step["names"].values()) if step["do"] == "rename" else [step["column"]] if step["do"] == "derive" else []


def text_from_json_lines(case: Case, difference: Difference) -> bool:
    if case.source != "jsonl":
        return False
    if difference.what == "failed":
        refused = difference.code == "CAST_FAILED" and difference.actual.endswith("which is no json")
        return refused or difference.actual.startswith("Failed to cast value to numerical")
    try:
        within = json.loads(difference.expected) if difference.kind == "json" else None
        return isinstance(within, str) and canon("json", within) == difference.actual
    except ValueError:
        return False


def minus_zero(difference: Difference) -> bool:
    return (difference.expected, difference.actual) == ("-0x0.0p+0", "0x0.0p+0")


def without_leading_zero(case: Case, difference: Difference) -> bool:
    narrow = any(column.kind == "decimal" and column.digits == column.places for column in case.columns)
    if difference.what in ("rows", "count"):
        # A filter has looked at the text.
        return narrow and {"cast", "filter"} <= {step["do"] for step in case.steps}
    if difference.what in ("unreadable", "failed"):
        words = "JSONDecodeError" if difference.what == "unreadable" else "Malformed JSON at byte 0 of input"
        return case.target == "jsonl" and narrow and words in difference.actual
    return re.fullmatch(r"(\?text '|str )-?\.\d+'?", difference.actual) is not None


KNOWN: tuple[Known, ...] = (
    Known("rowid through map", "A `map` step loses rows, or takes other values, where a column is called `rowid`; the run fails.", 50793, rowid_through_map),
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
    Known("no zero before the point", "Decimals of places only are written as `-.5`, which is no number in JSON.", 30003, without_leading_zero),
    Known(
        "a column called rowid", "To a table of SQLite no column called `rowid` can be added, which the run says in SQLite's words alone.", 61536,
        lambda case, difference: case.target == "sqlite" and difference.actual.endswith("cannot add rowid alias: rowid"),
    ),
    Known(
        "a column called true", "SQLite itself moves no table with a column called `true` or `false`: it has no such column on the way.", 30479,
        lambda case, difference: case.same and case.source == "sqlite" and 'no such column: "true"' in difference.actual,
    ),
    Known(
        "texts in json lines", "A text in a column of JSON Lines that is declared as json is taken for a document itself, or refused.", 50146,
        text_from_json_lines,
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
