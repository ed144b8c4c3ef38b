"""Differences that are known and still open, each with one sentence and a case that shows it. Any other one fails, and so does one of these
that no longer comes: its line is then to be removed."""

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


KNOWN: tuple[Known, ...] = (
    Known(
        "a column called rowid", "To a table of SQLite no column called `rowid` can be added, which the run says in SQLite's words alone.", 61536,
        lambda case, difference: case.target == "sqlite" and difference.actual.endswith("cannot add rowid alias: rowid"),
    ),
    Known(
        "a column called true", "SQLite itself moves no table with a column called `true` or `false`: it has no such column on the way.", 30479,
        lambda case, difference: case.same and case.source == "sqlite" and 'no such column: "true"' in difference.actual,
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
