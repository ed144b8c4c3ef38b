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


def minus_zero(difference: Difference) -> bool:
    return (difference.expected, difference.actual) == ("-0x0.0p+0", "0x0.0p+0")


KNOWN: tuple[Known, ...] = (
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
        "texts with line ends in json lines", "A text with a line end in a column of JSON Lines that is declared as json is refused.", 4000525,
        lambda case, difference: case.source == "jsonl" and difference.code == "CAST_FAILED" and difference.actual.endswith("which is no json"),
    ),
)  # fmt: skip


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
