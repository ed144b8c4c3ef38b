"""Kinds of values, their edges, and when two values are the same.

A kind is one of: bool, int (64 bits), decimal, double, text, bytes, date, time, timestamp, timestamptz, uuid, json.
Values: bool, int, Decimal, float, str, bytes, date, time, datetime (naive), datetime (UTC), UUID, and for json its text.
"""

import json
import struct
import uuid
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta, timezone
from decimal import Context, Decimal
from random import Random

KINDS = (
    "bool", "int", "decimal", "double", "text", "bytes", "date", "time", "timestamp", "timestamptz", "uuid", "json",
)  # fmt: skip

# Of typed values; see nested.py.
NESTED = ("list", "struct")

EXACT = Context(prec=400)
UTC = timezone.utc


@dataclass(frozen=True)
class Column:
    name: str
    kind: str
    # Of a decimal.
    digits: int = 0
    places: int = 0
    # Of a list its items, of a structure its fields.
    inner: tuple["Column", ...] = ()

    def called(self, name: str) -> "Column":
        return replace(self, name=name)

    def of(self, kind: str) -> "Column":
        return replace(self, kind=kind)


NAMES = (
    "id", "name", "Total", "select", "order by", "with \"quotes\"", "it's", "back`tick", "ünï", "a.b", "1st", "x:y",
    "50%", "rowid", "value", "column0", "日本", "semi;colon", "back\\slash", "$dollar", "a,b", "key", "group", "{brace}",
    "new\tTab", " lead", "a-b", "_", "stream", "null", "true", "?", "#hash", "e\u0301", "UPPER", "very_" * 10,
)  # fmt: skip

TEXTS = (
    "", " ", "a ", " a", "a\nb", "a\r\nb", "a\rb", "\n", "\r\n", "\r", "\ufeffx", "x\ufeff", "\"", "\"\"", "a\"b,c", "'", "''",
    "\\", "\\N", "\\n", "NULL", "null", "None", "NaN", "😀", "👩‍👩‍👧", "𝒳", "a\x00b", "\x00", "007", "1e5", "1.0", "-0", "+1", "1,5",
    "2024-01-01", "2024-01-01T00:00:00Z", "12:30", "true", "false", "{\"a\":1}", "[1]", "{", "é", "e\u0301", "\t", "a\tb", "\u2028",
    "\x7f", "\x01", "a;b|c", "=1+1", "x" * 5000, "😀" * 700, "9223372036854775808", "0x1F", "infinity", "#", "--", "a'; DROP",
    "a", "A", "b", "ß", "ss", "İ", "\u200b", "\u00a0", "\x1a", "\x1b[0m", "$1", "%s", ":name", "${{ x }}", "\\x41", "\\.",
)  # fmt: skip

INTS = (
    0, 1, -1, 7, 127, 128, 32767, -32768, 2147483647, -2147483648, 2147483648, 9007199254740991, 9007199254740992,
    9007199254740993, -9007199254740993, 9223372036854775807, -9223372036854775808, 10**18,
)  # fmt: skip

DOUBLES = (
    0.0, -0.0, 1.0, -1.0, 0.1, 1 / 3, 0.30000000000000004, 5e-324, -5e-324, 2.2250738585072014e-308, 2.225073858507201e-308,
    1.7976931348623157e308, -1.7976931348623157e308, float("nan"), float("inf"), float("-inf"), 1e15, 1e16, 1e17, 1e21, 1e22, 1e23,
    123456789012345680.0, 9007199254740992.0, 9007199254740994.0, 9223372036854775807.0, -9223372036854775808.0, 4.35, 1e-7,
    0.000001, 100.0, 2.5, 8.41e21, 5e-5, 9.5367431640625e-07, 2**-1074 * 3,
)  # fmt: skip

DATES = (
    date(1, 1, 1), date(1, 12, 31), date(100, 3, 1), date(999, 12, 31), date(1582, 10, 4), date(1582, 10, 15), date(1677, 9, 21),
    date(1900, 2, 28), date(1900, 3, 1), date(1969, 12, 31), date(1970, 1, 1), date(2000, 2, 29), date(2024, 2, 29), date(2038, 1, 19),
    date(2262, 4, 12), date(9999, 12, 31),
)  # fmt: skip

TIMES = (
    time(0), time(0, 0, 0, 1), time(12), time(23, 59, 59), time(23, 59, 59, 999999), time(1, 2, 3, 120000), time(9, 5),
)  # fmt: skip

MOMENTS = (
    datetime(1, 1, 1), datetime(1582, 10, 10, 12), datetime(1900, 1, 1, 0, 0, 0, 1), datetime(1969, 12, 31, 23, 59, 59, 999999),
    datetime(1970, 1, 1), datetime(1970, 1, 1, 0, 0, 1), datetime(2000, 2, 29, 12, 34, 56, 500000), datetime(2024, 3, 31, 0, 59, 59, 999999),
    datetime(2024, 3, 31, 1, 0), datetime(2024, 3, 31, 2, 30), datetime(2024, 10, 27, 0, 30), datetime(2024, 10, 27, 1, 0),
    datetime(2024, 10, 27, 2, 30), datetime(2024, 11, 3, 5, 59, 59), datetime(2024, 11, 3, 6, 30), datetime(2038, 1, 19, 3, 14, 7, 999999),
    datetime(2024, 2, 29, 12, 34, 56, 123456), datetime(2262, 4, 11, 23, 47, 16, 854775), datetime(9999, 12, 31, 23, 59, 59, 999999),
)  # fmt: skip

BYTES = (b"", b"\x00", b"abc", b"\xff\xfe", b"\x00\x01\x02", bytes(range(256)), b"\\x41", b"'", b"\"", b" ", b"a\r\n", b"\x80" * 3000, b"\xef\xbb\xbfx")

JSONS = (
    "{}", "[]", "[null]", "0", "-1", "1.5", "true", '"text"', '""', '"a\\u0000b"', '"\\ud83d\\ude00"', '"\\"quoted\\""', '{"a": 1}',
    '{"a": [1, 2.5, "x", null, true], "b": {"c": "é"}}', "12345678901234567890", '{"n": 9007199254740993}', '{"n": 0.1234567890123456789}',
    '{"n": 1e300}', '{"": 0}', '{"a b": {"\\"": []}}', '[[[[1]]]]', '{"n": -9223372036854775808}', '["a\\nb", "\\t"]', '{"t": "2024-01-01"}',
    '{"n": 1.10}', '{"n": 100000000000000000000000}', "null", '{"x": null}', '"null"', '{"b": 1, "a": 2}', '[1.0, 1e2, -0.0]', '{"😀": "😀"}',
)  # fmt: skip


def decimal_of(unscaled: int, places: int) -> Decimal:
    return Decimal(unscaled).scaleb(-places, EXACT)


def random_value(rng: Random, column: Column):
    """A value at an edge about as often as any other; never NULL."""
    edge = rng.random() < 0.6
    kind = column.kind
    if kind == "bool":
        return rng.random() < 0.5
    if kind == "int":
        return rng.choice(INTS) if edge else rng.choice((rng.randint(-100, 100), rng.randint(-(2**63), 2**63 - 1)))
    if kind == "decimal":
        most = 10**column.digits - 1
        edges = (0, 1, -1, most, -most, 10 ** (column.digits - 1), min(most, 10**column.places))
        return decimal_of(rng.choice(edges) if edge else rng.randint(-most, most), column.places)
    if kind == "double":
        if edge:
            return rng.choice(DOUBLES)
        return rng.choice((rng.uniform(-1000, 1000), struct.unpack("<d", rng.randbytes(8))[0], round(rng.uniform(-1e6, 1e6), 2)))
    if kind == "text":
        return rng.choice(TEXTS) if edge else "".join(rng.choice("abcXYZ 09,;\"'\\éß😀\n") for _ in range(rng.randint(0, 12)))
    if kind == "bytes":
        return rng.choice(BYTES) if edge else rng.randbytes(rng.randint(0, 20))
    if kind == "date":
        return rng.choice(DATES) if edge else date.fromordinal(rng.randint(1, 3652059))
    if kind == "time":
        return rng.choice(TIMES) if edge else (datetime(2000, 1, 1) + timedelta(microseconds=rng.randrange(86_400_000_000))).time()
    if kind in ("timestamp", "timestamptz"):
        moment = rng.choice(MOMENTS)
        if not edge:
            moment = datetime(1900, 1, 1) + timedelta(microseconds=rng.randrange(200 * 365 * 86_400_000_000))
        return moment.replace(tzinfo=UTC) if kind == "timestamptz" else moment
    if kind == "uuid":
        if rng.random() < 0.2:
            return uuid.UUID(int=rng.choice((0, 1, 2**127 - 1, 2**127, 2**128 - 1)))
        return uuid.UUID(int=rng.getrandbits(128), version=rng.choice((None, 1, 4)))
    if kind == "json":
        return rng.choice(JSONS) if edge else random_json(rng, 3)
    raise ValueError(kind)


def random_json(rng: Random, depth: int) -> str:
    what = rng.randrange(7 if depth > 0 else 5)
    if what == 0:
        return str(rng.choice(INTS))
    if what == 1:
        return f"{rng.randint(-999, 999)}.{rng.randint(0, 10 ** rng.randint(1, 20))}"
    if what == 2:
        return json.dumps(rng.choice([text for text in TEXTS if "\x00" not in text]), ensure_ascii=rng.random() < 0.5)
    if what in (3, 4):
        return rng.choice(("true", "false", "null"))
    inner = [random_json(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    if what == 5:
        return "[" + ",".join(inner) + "]"
    return "{" + ", ".join(f"{json.dumps(f'k{at}')}: {value}" for at, value in enumerate(inner)) + "}"


def parsed_json(text: str):
    return json.loads(text, parse_float=Decimal, parse_int=Decimal)


def canon(kind: str, value) -> str:
    """A text that two values of a kind share only when they are the same."""
    if value is None:
        return "NULL"
    if isinstance(value, Other):
        return f"?{value.shown}"
    if kind in NESTED:
        return value.shown
    if kind == "double":
        return "nan" if value != value else value.hex()
    if kind == "decimal":
        return f"{value.normalize(EXACT):f}" if value != 0 else "0"
    if kind == "json":
        return canon_json(parsed_json(value))
    if kind in ("timestamp", "timestamptz", "date", "time"):
        return value.isoformat()
    if kind == "bytes":
        return value.hex()
    return f"{type(value).__name__} {value}"


def canon_json(value) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{canon_json(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canon_json, value)) + "]"
    if isinstance(value, Decimal):
        return f"n{canon('decimal', value)}"
    return json.dumps(value)


class Number(int):
    """A whole number of a document, told from true and false."""


def parsed(text: str):
    """A document, every digit kept."""
    return json.loads(text, parse_float=Decimal, parse_int=Number)


@dataclass(frozen=True)
class Other:
    """What was found in place of a value of the kind."""

    shown: str
