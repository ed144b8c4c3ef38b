"""CSV, JSON Lines and Parquet files, written and read without DuckDB."""

import csv
import gzip
import io
import json
import re
import uuid
from datetime import datetime, time
from decimal import Decimal

import pyarrow as pa
import pyarrow.parquet as pq

from databases import bad_number, nested_text, of_text
from stores import Bucket, Folder
from nested import mapped, nest, of_document
from values import KINDS, NESTED, UTC, Column, Number, Other, parsed

csv.field_size_limit(2**31 - 1)

NULL = "<null>"
ENDS = {"lf": "\n", "crlf": "\r\n"}
# What a column is declared as in a task that reads a file without types.
DECLARED = {
    "bool": "boolean", "int": "integer", "double": "number", "text": "string", "date": "date", "time": "time", "timestamp": "datetime",
    "timestamptz": "datetime", "uuid": "string", "json": "json",
    "bytes": "binary",
}  # fmt: skip


class File:
    extension = ""
    kinds = (*KINDS, *NESTED)
    source_kinds = KINDS
    # What a task calls it as a source, and as a target.
    section = ("files", "file")
    # A file has no zones and no UUIDs where the task has no word for them.
    read_as = {"timestamptz": "timestamp", "uuid": "text"}

    def __init__(self, store: Folder | Bucket):
        self.store = store
        self.slot = store.connector()["type"]

    def connector(self) -> dict:
        return self.store.connector()

    def cannot_keep(self, column, value) -> str | None:
        return None

    def holds(self, column, value) -> bool:
        return True

    def arriving(self, rows: list[tuple]) -> list[tuple]:
        """Rows that can be told from nothing."""
        return rows

    def read_kind(self, column: Column) -> Column:
        return column.of(self.read_as.get(column.kind, column.kind))

    def declared(self, columns: list[Column]) -> dict:
        types = {c.name: f"decimal({c.digits},{c.places})" if c.kind == "decimal" else DECLARED[c.kind] for c in columns}
        return {"columns": types}

    def options(self, rng) -> dict:
        return {"gz": rng.random() < 0.2}

    def name(self, table: str, options: dict) -> str:
        return f"{table}.{self.extension}{'.gz' if options.get('gz') else ''}"

    def source(self, table: str, columns: list[Column], options: dict) -> dict:
        return {"glob": self.name(table, options), **self.declared(columns)}

    def target(self, table: str, options: dict) -> dict:
        return {"path": self.name(table, options)}

    def put(self, table: str, options: dict, content: bytes):
        self.store.put(self.name(table, options), gzip.compress(content, 1) if options.get("gz") else content)

    def content(self, table: str, options: dict) -> bytes | None:
        content = self.store.get(self.name(table, options))
        return gzip.decompress(content) if content is not None and options.get("gz") else content

    def drop(self, table: str, options: dict):
        self.store.remove(self.name(table, options))


def plain(column: Column, value) -> str:
    """A value as text of a file, in the usual form."""
    kind = column.kind
    if kind == "bool":
        return "true" if value else "false"
    if kind == "decimal":
        return f"{value:f}"
    if kind == "double":
        return repr(value)
    if kind in ("timestamp", "timestamptz", "date", "time"):
        return value.isoformat()
    return f"\\x{value.hex()}" if kind == "bytes" else str(value)


def of_hexadecimal(raw: str):
    return bytes.fromhex(raw[2:]) if re.fullmatch(r"\\x(?:[0-9A-Fa-f]{2})*", raw) else Other(f"text {raw!r}")


class Csv(File):
    extension = "csv"

    def options(self, rng):
        return {
            **super().options(rng), "delimiter": rng.choice((",", ",", ";", "\t", "|")), "quoting": rng.choice(("minimal", "all")),
            "ends": rng.choice(("lf", "crlf")), "bom": rng.random() < 0.1, "last": rng.random() < 0.9,
        }  # fmt: skip

    def source(self, table, columns, options):
        return {**super().source(table, columns, options), "csv": {"delimiter": options["delimiter"], "null_values": [NULL]}}

    def target(self, table, options):
        return {**super().target(table, options), "csv": {"delimiter": options["delimiter"], "null_value": NULL}}

    def write(self, table, columns, rows, options):
        delimiter, end = options["delimiter"], ENDS[options["ends"]]

        def field(text: str, null: bool = False) -> str:
            awkward = text == "" or any(char in text for char in (delimiter, '"', "\n", "\r")) or text != text.strip()
            quoted = not null and (options["quoting"] == "all" or awkward)
            return '"' + text.replace('"', '""') + '"' if quoted else text

        lines = [delimiter.join(field(c.name) for c in columns)]
        for row in rows:
            lines.append(delimiter.join(field(NULL, True) if v is None else field(plain(c, v)) for c, v in zip(columns, row)))
        text = end.join(lines) + (end if options["last"] else "")
        self.put(table, options, (b"\xef\xbb\xbf" if options["bom"] else b"") + text.encode())

    def cannot_keep(self, column, value):
        return bad_number(column, value)

    def read(self, table, options):
        content = self.content(table, options)
        if content is None:
            return None
        rows = list(csv.reader(io.StringIO(content.decode(), newline=""), delimiter=options["delimiter"], strict=True))
        return [(name, "") for name in rows[0]], rows[1:]

    def of_native(self, column: Column, raw: str):
        if raw == NULL:
            return None
        if column.kind in NESTED:
            return nested_text(column, raw)
        return of_hexadecimal(raw) if column.kind == "bytes" else of_text(column, raw)


class JsonLines(File):
    extension = "jsonl"

    def options(self, rng):
        return {**super().options(rng), "ends": rng.choice(("lf", "lf", "crlf")), "ascii": rng.random() < 0.5, "last": rng.random() < 0.9}

    def holds(self, column, value):
        # The null of a document and NULL are the same word there.
        return column.kind != "json" or value != "null"

    def write(self, table, columns, rows, options):
        end = ENDS[options["ends"]]
        lines = records_of(columns, rows, options["ascii"])
        self.put(table, options, (end.join(lines) + (end if options["last"] and lines else "")).encode())

    def read(self, table, options):
        content = self.content(table, options)
        if content is None:
            return None
        return rows_of(parsed(line) for line in content.decode().split("\n") if line != "")

    def of_native(self, column: Column, raw):
        kind = column.kind
        if kind == "json":
            return None if raw is None else canon_text(raw)
        if raw is None:
            return None
        if kind in NESTED:
            return of_document(column, raw, of_text, numbers_as_text=True)
        if kind == "bool":
            return raw if type(raw) is bool else Other(repr(raw))
        if kind == "int":
            return int(raw) if type(raw) is Number else Other(repr(raw))
        if kind == "double":
            return float(raw) if not isinstance(raw, bool) else Other(repr(raw))
        if kind == "decimal" and type(raw) in (Number, Decimal):
            return Decimal(raw)
        if type(raw) is not str:
            return Other(repr(raw))
        return of_hexadecimal(raw) if kind == "bytes" else of_text(column, raw)


def token(column: Column, value, ascii: bool) -> str:
    if value is None:
        return "null"
    finite = column.kind != "double" or abs(value) < float("inf")
    if column.kind == "json" or (column.kind in ("bool", "int", "decimal", "double") and finite):
        return value if column.kind == "json" else plain(column, value)
    return json.dumps(plain(column, value), ensure_ascii=ascii)


def records_of(columns: list[Column], rows: list[tuple], ascii: bool) -> list[str]:
    """Rows as JSON objects."""
    names = [json.dumps(c.name, ensure_ascii=ascii) for c in columns]
    return ["{" + ", ".join(f"{name}: {token(c, v, ascii)}" for name, c, v in zip(names, columns, row)) + "}" for row in rows]


def rows_of(records):
    """Columns and rows of parsed records, all with the same keys."""
    records = list(records)
    names = list(records[0]) if records else []
    if any(list(record) != names for record in records):
        raise ValueError("records with other keys than the first one")
    return [(name, "") for name in names], [list(record.values()) for record in records]


class Json(JsonLines):
    """One document: a list of records."""

    extension = "json"

    def write(self, table, columns, rows, options):
        text = "[" + ",\n".join(records_of(columns, rows, options["ascii"])) + "]"
        self.put(table, options, text.encode())

    def read(self, table, options):
        content = self.content(table, options)
        return None if content is None else rows_of(parsed(content.decode()))


def canon_text(value) -> str:
    """A parsed document as text again, every digit kept."""
    if isinstance(value, (Number, Decimal)):
        return format(value, "f") if isinstance(value, Decimal) else str(int(value))
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(key)}:{canon_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(canon_text, value)) + "]"
    return json.dumps(value)


def arrow_type(column: Column, stored: bool = False) -> pa.DataType:
    """`stored`: without the types of extensions, of which Python's values are not taken."""
    if column.kind == "decimal":
        return pa.decimal128(column.digits, column.places)
    if column.kind == "list":
        return pa.list_(pa.field("element", arrow_type(column.inner[0], stored)))
    if column.kind == "struct":
        return pa.struct([(field.name, arrow_type(field, stored)) for field in column.inner])
    if stored and column.kind in ("uuid", "json"):
        return pa.binary(16) if column.kind == "uuid" else pa.string()
    return {
        "bool": pa.bool_(), "int": pa.int64(), "double": pa.float64(), "text": pa.string(), "bytes": pa.binary(), "date": pa.date32(),
        "time": pa.time64("us"), "timestamp": pa.timestamp("us"), "timestamptz": pa.timestamp("us", "UTC"), "uuid": pa.uuid(),
        "json": pa.json_(),
    }[column.kind]  # fmt: skip


def arrow_table(columns: list[Column], rows: list[tuple]) -> pa.Table:
    arrays = []
    for at, column in enumerate(columns):
        values = [row[at] for row in rows]
        if column.kind in (*NESTED, "uuid"):
            values = [mapped(column, getattr(value, "plain", value), lambda of, one: one.bytes if of.kind == "uuid" else one) for value in values]
        arrays.append(pa.array(values, arrow_type(column, stored=True)).cast(arrow_type(column)))
    return pa.Table.from_arrays(arrays, names=[c.name for c in columns])


class Parquet(File):
    extension = "parquet"
    source_kinds = File.kinds
    read_as: dict[str, str] = {}

    def declared(self, columns):
        return {}

    def options(self, rng):
        return {"compression": rng.choice(("snappy", "zstd", "gzip", "none")), "group": rng.choice((100_000, 2048, 1000)), "dictionary": rng.random() < 0.5}

    def type_of(self, column: Column) -> pa.DataType:
        return arrow_type(column)

    def write(self, table, columns, rows, options):
        written = arrow_table(columns, rows)
        out = pa.BufferOutputStream()
        pq.write_table(written, out, compression=options["compression"], row_group_size=options["group"], use_dictionary=options["dictionary"])
        self.put(table, options, out.getvalue().to_pybytes())

    def read(self, table, options):
        content = self.content(table, options)
        if content is None:
            return None
        found = pq.read_table(pa.BufferReader(content))
        columns = [(field.name, str(field.type)) for field in found.schema]
        return columns, list(zip(*(column.to_pylist() for column in found.columns)))

    def of_native(self, column: Column, raw):
        return of_arrow(column, raw)


def of_arrow(column: Column, raw):
    if raw is None:
        return None
    if column.kind in NESTED:
        return nest(column, mapped(column, raw, of_arrow))
    wanted = {"bool": bool, "int": int, "double": float, "bytes": bytes, "decimal": Decimal, "time": time, "uuid": uuid.UUID}
    wanted |= {"timestamp": datetime, "timestamptz": datetime, "text": str, "json": str}
    if column.kind in wanted and type(raw) is not wanted[column.kind]:
        return Other(f"{type(raw).__name__} {raw!r}")
    if column.kind == "timestamptz":
        return raw.astimezone(UTC) if raw.tzinfo else Other(repr(raw))
    return of_text(column, raw) if column.kind == "json" else raw


