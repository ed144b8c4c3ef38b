"""Which keys a table takes for equal, and what becomes of them (docs/run-errors.md, KEY_NOT_UNIQUE)."""

import unicodedata
from random import Random
from typing import Callable, Hashable

from databases import Database
from values import Column, canon

# Tells two keys apart as the table does.
Told = Callable[[object], Hashable]

CLASH = "keys that the table takes for equal"


def as_table(writer, key: Column, values: list, is_there: bool) -> Told:
    """Keys of the values, as a table compares them that is there already; one that the run makes tells all apart."""
    loose = is_there and isinstance(writer, Database) and key.kind == "text" and writer.collated(key) != ""
    classes = writer.classes(key, list({value for value in values if value is not None})) if loose else {}
    return lambda value: classes[value] if loose and value is not None else canon(key.kind, value)


def clash(mode: str, told: Told, coming: list, old: list) -> bool:
    """Whether rows of one key would take the place of those of another one."""
    coming, old = list(dict.fromkeys(coming)), [value for value in dict.fromkeys(old) if value is not None]
    met: dict = {}
    for value in coming:
        if met.setdefault(told(value), value) != value:
            return True
    pairs = [(met[told(value)], value) for value in old if told(value) in met and met[told(value)] != value]
    # An upsert finds its row also in another case.
    return any(mode != "upsert" or lower(one) != lower(other) for one, other in pairs)


def lower(text: str) -> str:
    """One character for one, as databases do it: Python makes two of the capital I with a dot."""
    return unicodedata.normalize("NFC", text).replace("\u0130", "i").lower()


def one_of_each(told: Told, rows: list[tuple], at: int) -> list[tuple]:
    """The last row of each key."""
    return list({told(row[at]): row for row in rows}.values())


def respelled(rng: Random, text: str) -> str:
    return rng.choice((text, text.swapcase(), text.upper(), text.lower(), f"{text} "))
