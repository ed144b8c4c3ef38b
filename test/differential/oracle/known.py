"""Differences that are known and still open, each with one sentence and a case that shows it. Any other one fails, and so does one of these
that no longer comes: its line is then to be removed."""

import json
from dataclasses import dataclass
from typing import Callable

from cases import Case
from check import Difference


@dataclass(frozen=True)
class Known:
    name: str
    sentence: str
    # Of a case that shows it.
    seed: int
    matches: Callable[[Case, Difference], bool]


def minus_zero(difference: Difference) -> bool:
    return (difference.expected, difference.actual) == ("-0x0.0p+0", "0x0.0p+0")


def text_within(difference: Difference) -> bool:
    """What was found is the document that the expected text holds."""
    return difference.kind == "json" and difference.expected in (json.dumps(difference.actual), json.dumps(difference.actual.lower()))


KNOWN: tuple[Known, ...] = (
    Known(
        "minus zero at rest", "SQLite and MariaDB keep 0.0 where -0.0 comes, and nothing says so.", 20020,
        lambda case, difference: case.target in ("sqlite", "mysql", "xlsx") and minus_zero(difference),
    ),
    Known(
        "zeros in parquet", "Of many 0.0 and -0.0 in a column of a Parquet file all get the sign of the first one.", 20276,
        lambda case, difference: case.target.endswith(("parquet", "duckdb"))
        and difference.kind == "double"
        and {difference.expected, difference.actual} == {"-0x0.0p+0", "0x0.0p+0"},
    ),
    Known(
        "a column called rowid", "To a table of SQLite no column called `rowid` can be added, which the run says in SQLite's words alone.", 23454,
        lambda case, difference: case.target == "sqlite" and difference.actual.endswith("cannot add rowid alias: rowid"),
    ),
    Known(
        "texts in columns of json", "In a column that is declared as json and holds nothing but texts, these are read as documents themselves.", 20406,
        lambda case, difference: case.source.endswith(("jsonl", "json", "http", "mongodb"))
        and (difference.code == "CAST_FAILED" and difference.actual.endswith("which is no json") or text_within(difference)),
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
