"""What a cast makes of a value, as docs/types.md has it under “Casts”: exact, rounded where the task asks, or refused."""

import re
from datetime import date, datetime, time
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

from values import EXACT, UTC, Column

# What a type of the language is called here.
KIND = {"integer": "int", "number": "double", "boolean": "bool", "date": "date", "time": "time", "datetime": "timestamp", "string": "text"}
ROUNDED, CUT = ("integer", "number"), ("date", "time", "datetime")
INT64 = range(-(2**63), 2**63)


class Unfit(Exception):
    """The value does not fit."""


class Unsure(Exception):
    """The documentation does not say: such a value is in no case."""


def cast_column(column: Column, to: str) -> Column:
    found = re.fullmatch(r"decimal\((\d+),(\d+)\)", to)
    return Column(column.name, "decimal", int(found[1]), int(found[2])) if found else Column(column.name, KIND[to])


def cast(column: Column, value, to: str, rounding: str | None):
    """The value in its new type; raises Unfit, or Unsure."""
    kind = column.kind
    if value is None:
        return None
    if to == "string":
        return as_text(column, value)
    if kind == KIND.get(to) and kind != "text":
        return value
    if kind == "text":
        return of_text(value, to, rounding)
    if to in ("date", "time", "datetime"):
        return moment_of(kind, value, to, rounding)
    if kind not in ("int", "decimal", "double", "bool"):
        raise Unfit
    if kind == "bool" and to == "number":
        return 1.0 if value else 0.0
    return number(exactly(kind, value), to, rounding)


def exactly(kind: str, value) -> Decimal:
    """Floating point is what its shortest text says."""
    if kind == "double" and not abs(value) < float("inf"):
        raise Unfit
    return Decimal(repr(value)) if kind == "double" else Decimal(int(value)) if kind == "bool" else Decimal(value)


def number(value: Decimal, to: str, rounding: str | None):
    if to == "boolean":
        if value not in (0, 1):
            raise Unfit
        return value == 1
    if to == "number":
        return floating(value, rounding)
    made = cast_column(Column("", "decimal"), to)
    places = made.places if made.kind == "decimal" else 0
    mode = {"round": ROUND_HALF_UP, "truncate": ROUND_DOWN, None: ROUND_DOWN}[rounding]
    kept = value.quantize(Decimal(1).scaleb(-places), mode, EXACT)
    if rounding is None and kept != value:
        raise Unfit
    if made.kind == "int":
        if int(kept) not in INT64:
            raise Unfit
        return int(kept)
    if abs(kept) >= 10 ** (made.digits - places):
        raise Unfit
    return kept


def floating(value: Decimal, rounding: str | None) -> float:
    found = float(value)
    if not abs(found) < float("inf"):
        raise Unfit
    digits = significant(f"{value:f}")
    if rounding == "truncate":
        raise Unsure
    if rounding == "round" or digits == "" or (len(digits) <= 15 and abs(found) >= 2.3e-308):
        return found
    if digits in [significant(text) for text in (repr(found), f"{found:.15e}", f"{found:.16e}")]:
        return found
    raise Unfit


def significant(text: str) -> str:
    return re.sub(r"[^0-9]", "", text.lower().partition("e")[0]).strip("0")


def moment_of(kind: str, value, to: str, rounding: str | None):
    if kind == "date" and to == "datetime":
        return datetime.combine(value, time())
    if kind not in ("timestamp", "timestamptz"):
        raise Unfit
    moment = value.astimezone(UTC).replace(tzinfo=None) if kind == "timestamptz" else value
    if to == "datetime":
        return moment
    if rounding == "truncate":
        return moment.date() if to == "date" else moment.time()
    if to == "time" or moment.time() != time():
        raise Unfit
    return moment.date()


def of_text(text: str, to: str, rounding: str | None):
    # Blanks around do not count.
    text = text.strip(" ")
    if re.search(r"[^\x20-\x7e]|[{}\"'\\#$%&=<>;|]", text) and text.strip() != "":
        raise Unfit
    if to in ("integer", "number") or to.startswith("decimal"):
        if re.fullmatch(r"-?\d+(\.\d+)?", text):
            return number(Decimal(text), to, rounding)
    elif to == "boolean" and text in ("true", "false"):
        return text == "true"
    elif to == "date" and re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return parsed(date, text)
    elif to == "datetime" and re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:\d\d)?", text):
        moment = parsed(datetime, text)
        return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment
    elif to == "time" and re.fullmatch(r"\d\d:\d\d:\d\d(\.\d{1,6})?", text):
        return parsed(time, text)
    raise Unsure


def parsed(kind, text: str):
    try:
        return kind.fromisoformat(text)
    except ValueError:
        raise Unfit from None


def as_text(column: Column, value) -> str | None:
    if column.kind == "bool":
        return "true" if value else "false"
    if column.kind == "decimal":
        return f"{value:f}"
    if column.kind in ("timestamp", "timestamptz", "time"):
        text = value.isoformat().replace("+00:00", "")
        return (text.rstrip("0") if "." in text else text) + ("Z" if column.kind == "timestamptz" else "")
    return str(value)
