"""A MongoDB collection, as pymongo writes and reads it. The server of the tests, FerretDB, takes fewer values than MongoDB: no decimals, no NaN."""

import json
import re
from datetime import datetime, time
from uuid import UUID

from bson import Binary, CodecOptions, Int64, UuidRepresentation
from pymongo import ASCENDING, MongoClient

from casts import as_text
from files import DECLARED, canon_text
from nested import leaves, mapped, nest
from values import NESTED, UTC, Column, Other, parsed_json


class Mongo:
    slot = "mongodb"
    section = "mongo"
    source_kinds = ("bool", "int", "double", "text", "bytes", "date", "time", "timestamp", "timestamptz", "uuid", "json")
    kinds = (*source_kinds, *NESTED)
    # A date is a moment there.
    read_as = {"uuid": "text", "timestamptz": "timestamp"}

    def __init__(self, uri: str):
        self.uri = uri
        options = CodecOptions(tz_aware=True, uuid_representation=UuidRepresentation.STANDARD)
        self.db = MongoClient(uri).get_database("app", codec_options=options)

    def connector(self) -> dict:
        return {"type": "mongodb", "config": {"uri": self.uri, "database": "app"}, "secrets": {}}

    def read_kind(self, column: Column) -> Column:
        return column.of(self.read_as.get(column.kind, column.kind))

    def bears(self, column: Column, value) -> bool:
        """Whether the server itself takes it."""
        if value is None:
            return True
        if column.kind in NESTED:
            return all(self.bears(of, leaf) for of, leaf in leaves(column, value.plain))
        if column.kind == "double":
            return abs(value) < float("inf") and str(value) != "-0.0"
        return column.kind != "json" or plain_document(json.loads(value))

    def cannot_keep(self, column, value):
        if column.kind in NESTED and value is not None:
            return next(filter(None, (self.cannot_keep(of, leaf) for of, leaf in leaves(column, value.plain))), None)
        if column.kind in ("timestamp", "timestamptz") and value is not None and value.microsecond % 1000 != 0:
            return "a part of a millisecond"
        return None

    def refuses_name(self, name: str) -> bool:
        return name.startswith("$") or "." in name

    def bears_name(self, name: str) -> bool:
        return not any(char in name for char in '"\\\t')

    def holds(self, column, value):
        return self.bears(column, value) and self.cannot_keep(column, value) is None

    def source(self, table: str, columns: list[Column]) -> dict:
        return {"collection": table, "projection": {"_id": 0}, "columns": {c.name: DECLARED[c.kind] for c in columns}}

    def native(self, column: Column, value):
        if value is None:
            return None
        if column.kind in NESTED:
            return mapped(column, value.plain, self.native)
        if column.kind == "int":
            return Int64(value)
        if column.kind == "date":
            return datetime.combine(value, time(), UTC)
        if column.kind == "time":
            return as_text(column, value)
        if column.kind == "timestamp":
            return value.replace(tzinfo=UTC)
        if column.kind == "json":
            return json.loads(value, parse_int=Int64)
        return Binary(value) if column.kind == "bytes" else value

    def of_native(self, column: Column, raw):
        if raw is None:
            return None
        kind = column.kind
        if kind in NESTED:
            return nest(column, mapped(column, raw, self.of_native))
        wanted = {"bool": bool, "int": Int64, "double": float, "bytes": bytes, "uuid": UUID, "text": str, "time": str}
        if kind in wanted and type(raw) is not wanted[kind]:
            return Other(f"{type(raw).__name__} {raw!r}")
        if kind == "int":
            return int(raw)
        if kind == "time":
            return time.fromisoformat(raw)
        if kind in ("date", "timestamp", "timestamptz"):
            if not isinstance(raw, datetime):
                return Other(f"{type(raw).__name__} {raw!r}")
            if kind == "date":
                return raw.date() if raw.time() == time() else Other(repr(raw))
            return raw if kind == "timestamptz" else raw.replace(tzinfo=None)
        return canon_text(parsed_json(json.dumps(raw))) if kind == "json" else raw

    def write(self, table, columns, rows, key=None, unique=False):
        collection = self.db.create_collection(table)
        if key is not None and unique:
            collection.create_index([(key, ASCENDING)], unique=True)
        if rows:
            collection.insert_many([{c.name: self.native(c, v) for c, v in zip(columns, row)} for row in rows])

    def read(self, table):
        if table not in self.db.list_collection_names():
            return None
        documents = [{name: value for name, value in one.items() if name != "_id"} for one in self.db[table].find()]
        names = list(dict.fromkeys(name for one in documents for name in one))
        return [(name, "") for name in names], [tuple(one.get(name) for name in names) for one in documents]

    def aligned(self, columns: list[Column], found):
        """What was read in the order of the columns; a field that is missing is NULL, as one that is null."""
        names = [name for name, _ in found[0]]
        wanted = [c.name for c in columns]
        others = [name for name in names if name not in wanted]
        places = [names.index(name) if name in names else None for name in [*wanted, *others]]
        return [(name, "") for name in [*wanted, *others]], [tuple(None if at is None else row[at] for at in places) for row in found[1]]

    def drop(self, table):
        self.db.drop_collection(table)


def plain_document(value, top: bool = True) -> bool:
    """Without what only a decimal holds, lists in lists, names that are operators, and null itself."""
    if isinstance(value, dict):
        return all(re.fullmatch("[a-z0-9]+", name) and plain_document(item, False) for name, item in value.items())
    if isinstance(value, list):
        return all(not isinstance(item, list) and plain_document(item, False) for item in value)
    if isinstance(value, float):
        return False
    if isinstance(value, int) and not isinstance(value, bool):
        return -(2**63) <= value < 2**63
    return not (top and value is None) and not (isinstance(value, str) and "\x00" in value)
