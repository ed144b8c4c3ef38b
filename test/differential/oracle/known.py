"""Differences that are known and still open, each with one sentence; anything else fails. Remove a line when its fix has come."""

from dataclasses import dataclass
from typing import Callable

from cases import Case
from check import Difference


@dataclass(frozen=True)
class Known:
    name: str
    sentence: str
    matches: Callable[[Case, Difference], bool]


KNOWN: tuple[Known, ...] = ()


def known_as(case: Case, difference: Difference) -> str | None:
    return next((known.name for known in KNOWN if known.matches(case, difference)), None)
