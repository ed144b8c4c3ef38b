"""SQLite, PostgreSQL and MariaDB as Python's own clients write and read them, in the types that docs/types.md names."""

import re
import sqlite3
import uuid
from contextlib import closing
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from zlib import crc32

import psycopg
import pymysql

from nested import document, leaves, mapped, nest, of_document
from values import KINDS, NESTED, UTC, Column, Other, parsed, parsed_json

PLAIN_DECIMAL = re.compile(r"-?\d+(\.\d+)?")


def has_zero(kind: str, value) -> bool:
    """Whether U+0000 stands in a text, or in any text of a JSON document."""
    if value is None:
        return False
    return "\x00" in value if kind == "text" else kind == "json" and zero_within(parsed_json(value))


def zero_within(value) -> bool:
    if isinstance(value, str):
        return "\x00" in value
    if isinstance(value, dict):
        return any(zero_within(item) for pair in value.items() for item in pair)
    return isinstance(value, list) and any(map(zero_within, value))


def bad_number(column: Column, value) -> str | None:
    """What JSON does not know is refused inside of documents."""
    if column.kind not in NESTED or value is None:
        return None
    bad = any(of.kind == "double" and not abs(leaf) < float("inf") for of, leaf in leaves(column, value.plain))
    return "NaN or an infinity in a document" if bad else None


def zero_in(column: Column, value) -> bool:
    if column.kind in NESTED and value is not None:
        return any(of.kind == "text" and "\x00" in leaf for of, leaf in leaves(column, value.plain))
    return has_zero(column.kind, value)


def nested_text(column: Column, text: str):
    """A nested value that is kept as the text of a document."""
    try:
        return of_document(column, parsed(text), of_text)
    except ValueError:
        return Other(f"text {text!r}")


def is_minus_zero(column: Column, value) -> bool:
    """SQLite and MariaDB make zero of it by themselves."""
    return column.kind == "double" and value is not None and str(value) == "-0.0"


def iso(kind: str, text: str):
    return {"date": date, "time": time, "timestamp": datetime, "timestamptz": datetime}[kind].fromisoformat(text)


class Database:
    slot = ""
    # Of values that may go there; without those that the test's server itself cannot take.
    kinds = (*KINDS, *NESTED)
    source_kinds = KINDS
    types: dict[str, str] = {}
    # Kinds that cannot be told from another when they are read, by what they are read as.
    read_as: dict[str, str] = {}
    # Of text in tables that the oracle makes; some take for equal what differs. Which one a column has follows from its name.
    # Where there are any, `classes` says by the server's own word which texts the column takes for equal: each with the number that it shares with those.
    collations: tuple[str, ...] = ("",)
    # Of a source: types that a table of the same system keeps, where the engine would choose another one for their values.
    kept_types: dict[str, str] = {}

    def read_kind(self, column: Column) -> Column:
        return column.of(self.read_as.get(column.kind, column.kind))

    def quote(self, name: str) -> str:
        return '"' + name.replace('"', '""') + '"'

    def type_of(self, column: Column, key: bool = False) -> str:
        return self.made_type(column)

    def made_type(self, column: Column) -> str:
        """Of a column that the engine makes."""
        return self.types[column.kind if column.kind in self.types else "json"].replace("$", f"({column.digits},{column.places})")

    def cannot_keep(self, column: Column, value) -> str | None:
        """Why a value is refused, as docs/types.md says under “Refused”."""
        return bad_number(column, value)

    def holds(self, column: Column, value) -> bool:
        """Whether its own client can write the value there, for a source or for what a target has before."""
        return self.cannot_keep(column, value) is None

    def kept(self, column: Column, value):
        """What the system keeps of a value; where that differs, the run says so."""
        return value

    def collated(self, column: Column) -> str:
        collation = of_name(column, self.collations) if column.kind == "text" else ""
        return f" COLLATE {collation}" if collation else ""

    def create_sql(self, table: str, columns: list[Column], key: str | None, unique: bool) -> list[str]:
        fields = ", ".join(f"{self.quote(c.name)} {self.type_of(c, c.name == key)}{self.collated(c)}" for c in columns)
        made = [f"CREATE TABLE {self.quote(table)} ({fields})"]
        if key is not None and unique:
            made.append(f"CREATE UNIQUE INDEX {self.quote(table + '_key')} ON {self.quote(table)} ({self.quote(key)})")
        return made


class Sqlite(Database):
    slot = "sqlite"
    types = {
        "bool": "BOOLEAN", "int": "INTEGER", "decimal": "DECIMAL$", "double": "REAL", "text": "TEXT", "bytes": "BLOB", "date": "DATE",
        "time": "TIME", "timestamp": "TIMESTAMP", "timestamptz": "TIMESTAMPTZ", "uuid": "UUID_TEXT", "json": "JSON_TEXT",
    }  # fmt: skip
    collations = ("", "NOCASE", "RTRIM")

    def __init__(self, path: Path):
        self.path = path

    def classes(self, column, texts):
        with closing(sqlite3.connect(":memory:")) as db:
            db.execute(f"CREATE TABLE t (k TEXT{self.collated(column)})")
            db.executemany("INSERT INTO t VALUES (?)", [(text,) for text in texts])
            return dict(db.execute("SELECT k, dense_rank() OVER (ORDER BY k) FROM t").fetchall())

    def connector(self) -> dict:
        return {"type": "sqlite", "config": {"path": str(self.path)}, "secrets": {}}

    def cannot_keep(self, column, value):
        if value is None:
            return None
        if column.kind == "decimal" and not is_number_there(value):
            return "a decimal that floating point does not hold"
        return "NaN" if column.kind == "double" and value != value else bad_number(column, value)

    def holds(self, column, value):
        return super().holds(column, value) and not is_minus_zero(column, value)

    def kept(self, column, value):
        return 0.0 if is_minus_zero(column, value) else value

    def native(self, column: Column, value):
        if value is None or column.kind in ("int", "double", "text", "bytes", "json"):
            return value
        if column.kind in NESTED:
            return document(column, value)
        if column.kind == "bool":
            return int(value)
        if column.kind == "decimal":
            return int(value) if is_whole_there(value) else float(value)
        if column.kind == "timestamptz":
            return value.isoformat().replace("+00:00", "Z")
        return value.isoformat() if column.kind != "uuid" else str(value)

    def of_native(self, column: Column, raw):
        if raw is None:
            return None
        if column.kind == "decimal" and type(raw) in (int, float):
            return Decimal(repr(raw))
        wanted = {"bool": int, "int": int, "double": float, "bytes": bytes}.get(column.kind, str)
        if type(raw) is not wanted or (column.kind == "bool" and raw not in (0, 1)):
            return Other(f"{type(raw).__name__} {raw!r}")
        if column.kind == "bool":
            return bool(raw)
        if column.kind in NESTED:
            return nested_text(column, raw)
        return of_text(column, raw) if wanted is str else raw

    def write(self, table: str, columns: list[Column], rows: list[tuple], key: str | None = None, unique: bool = False):
        with closing(sqlite3.connect(self.path)) as db, db:
            for sql in self.create_sql(table, columns, key, unique):
                db.execute(sql)
            marks = ", ".join("?" for _ in columns)
            native = ([self.native(c, v) for c, v in zip(columns, row)] for row in rows)
            db.executemany(f"INSERT INTO {self.quote(table)} VALUES ({marks})", native)

    def read(self, table: str):
        """Columns with their types, and rows; None: there is no such table."""
        with closing(sqlite3.connect(self.path)) as db:
            columns = db.execute("SELECT name, type FROM pragma_table_info(?)", (table,)).fetchall()
            return (columns, db.execute(f"SELECT * FROM {self.quote(table)}").fetchall()) if columns else None

    def drop(self, table: str):
        with closing(sqlite3.connect(self.path)) as db, db:
            db.execute(f"DROP TABLE IF EXISTS {self.quote(table)}")


def is_whole_there(value: Decimal) -> bool:
    return value == value.to_integral_value() and -(2**63) <= value < 2**63


def is_number_there(value: Decimal) -> bool:
    """An integer of 64 bits, or what floating point gives back digit by digit."""
    return is_whole_there(value) or Decimal(repr(float(value))) == value


def of_text(column: Column, text: str):
    """A value that is kept as text."""
    try:
        if column.kind == "text":
            return text
        if column.kind == "decimal":
            return Decimal(text) if PLAIN_DECIMAL.fullmatch(text) else Other(f"text {text!r}")
        if column.kind == "uuid":
            found = uuid.UUID(text)
            return found if str(found) == text else Other(f"text {text!r}")
        if column.kind == "json":
            parsed_json(text)
            return text
        if column.kind == "bool":
            return {"true": True, "false": False}.get(text, Other(f"text {text!r}"))
        if column.kind == "int":
            return int(text) if re.fullmatch(r"-?\d+", text) else Other(f"text {text!r}")
        if column.kind == "double":
            return float(text)
        found = iso(column.kind, text)
    except ValueError:
        return Other(f"text {text!r}")
    if column.kind != "timestamptz":
        return found
    return found.astimezone(UTC) if found.tzinfo else Other(f"without a zone: {text!r}")


class Postgres(Database):
    slot = "postgres"
    types = {
        "bool": "boolean", "int": "bigint", "decimal": "numeric$", "double": "double precision", "text": "text", "bytes": "bytea",
        "date": "date", "time": "time without time zone", "timestamp": "timestamp without time zone",
        "timestamptz": "timestamp with time zone", "uuid": "uuid", "json": "jsonb",
    }  # fmt: skip
    # By letters and accents alone, and by letters alone.
    collations = ("", "headgate_ci", "headgate_base")

    def __init__(self, server: dict):
        self.server = server
        self.db = psycopg.connect(
            host=server["host"], port=server["port"], user=server["user"], password=server["password"], dbname=server["database"],
            autocommit=True, options="-c timezone=UTC -c lock_timeout=60s",
        )  # fmt: skip
        # One process after the other.
        self.db.execute("SELECT pg_advisory_lock(1)")
        for name, level in (("headgate_ci", 2), ("headgate_base", 1)):
            self.db.execute(f"CREATE COLLATION IF NOT EXISTS {name} (provider = icu, locale = 'und-u-ks-level{level}', deterministic = false)")
        self.db.execute("SELECT pg_advisory_unlock(1)")

    def classes(self, column, texts):
        ranked = f"SELECT k, dense_rank() OVER (ORDER BY k{self.collated(column)}) FROM unnest(%s::text[]) AS k"
        return dict(self.db.execute(ranked.encode(), (texts,)).fetchall())

    def connector(self) -> dict:
        server = self.server
        config = {name: server[name] for name in ("host", "port", "user", "database")}
        return {"type": "postgres", "config": config, "secrets": {"password": server["password"]}}

    def cannot_keep(self, column, value):
        return "U+0000" if zero_in(column, value) else bad_number(column, value)

    def kept(self, column, value):
        # Documents are parsed there, and numbers have no sign of zero.
        if column.kind not in NESTED or value is None:
            return value
        return nest(column, mapped(column, value.plain, lambda of, leaf: 0.0 if is_minus_zero(of, leaf) else leaf))

    def native(self, column: Column, value):
        if value is None:
            return None
        return f"{value:f}" if column.kind == "decimal" else document(column, value) if column.kind in NESTED else value

    def of_native(self, column: Column, raw):
        if raw is None:
            return None
        wanted = {
            "bool": bool, "int": int, "decimal": Decimal, "double": float, "bytes": bytes, "date": date, "time": time,
            "timestamp": datetime, "timestamptz": datetime, "uuid": uuid.UUID,
        }.get(column.kind, str)  # fmt: skip
        if type(raw) is not wanted:
            return Other(f"{type(raw).__name__} {raw!r}")
        if column.kind in ("timestamp", "timestamptz") and (raw.tzinfo is not None) != (column.kind == "timestamptz"):
            return Other(repr(raw))
        if column.kind in NESTED:
            return nested_text(column, raw)
        if column.kind == "json":
            return of_text(column, raw)
        return raw.astimezone(UTC) if column.kind == "timestamptz" else raw

    def write(self, table, columns, rows, key=None, unique=False):
        for sql in self.create_sql(table, columns, key, unique):
            self.db.execute(sql.encode())
        with self.db.cursor() as cursor, cursor.copy(f"COPY {self.quote(table)} FROM STDIN".encode()) as copy:
            for row in rows:
                copy.write_row([self.native(c, v) for c, v in zip(columns, row)])

    def read(self, table):
        columns = self.db.execute(
            """SELECT attname, format_type(atttypid, atttypmod) FROM pg_attribute
               WHERE attrelid = to_regclass(quote_ident(%s)) AND attnum > 0 AND NOT attisdropped ORDER BY attnum""",
            (table,),
        ).fetchall()
        if not columns:
            return None
        fields = ", ".join(self.quote(name) + ("::text" if kind.startswith("json") else "") for name, kind in columns)
        return columns, self.db.execute(f"SELECT {fields} FROM {self.quote(table)}".encode()).fetchall()

    def drop(self, table):
        self.db.execute(f"DROP TABLE IF EXISTS {self.quote(table)}".encode())


def of_name(column: Column, choices: tuple[str, ...]) -> str:
    """One that follows from the column's name."""
    return choices[crc32(column.name.encode()) % len(choices)]


class MariaDb(Database):
    slot = "mysql"
    types = {
        "bool": "tinyint(1)", "int": "bigint(20)", "decimal": "decimal$", "double": "double", "text": "longtext", "bytes": "longblob",
        "date": "date", "time": "time(6)", "timestamp": "datetime(6)", "timestamptz": "datetime(6)", "uuid": "char(36)", "json": "longtext",
    }  # fmt: skip

    collations = ("utf8mb4_bin", "utf8mb4_general_ci", "utf8mb4_unicode_ci", "utf8mb4_unicode_520_nopad_ci", "utf8mb4_nopad_bin", "utf8mb4_german2_ci")

    def __init__(self, server: dict):
        self.server = server
        self.db = pymysql.connect(
            host=server["host"], port=server["port"], user=server["user"],
            # A text it would write in Latin-1.
            password=server["password"].encode(), database=server["database"], charset="utf8mb4", autocommit=True, init_command="SET time_zone = '+00:00', sql_mode = 'TRADITIONAL', max_error_count = 0, lock_wait_timeout = 60",
        )  # fmt: skip

    def connector(self) -> dict:
        config = {name: self.server[name] for name in ("host", "port", "user", "database")}
        return {"type": "mysql", "config": config, "secrets": {"password": self.server["password"]}}

    def quote(self, name):
        return "`" + name.replace("`", "``") + "`"

    def type_of(self, column, key=False):
        if key and column.kind == "text":
            return "varchar(255)"
        if column.kind in ("json", *NESTED):
            return "json"
        return super().type_of(column)

    def classes(self, column, texts):
        with self.db.cursor() as cursor:
            cursor.execute(f"CREATE TEMPORARY TABLE headgate_classes (n int, k varchar(255){self.collated(column)})")
            try:
                cursor.executemany("INSERT INTO headgate_classes VALUES (%s, %s)", list(enumerate(texts)))
                cursor.execute("SELECT n, dense_rank() OVER (ORDER BY k) FROM headgate_classes")
                return {texts[number]: rank for number, rank in cursor.fetchall()}
            finally:
                cursor.execute("DROP TEMPORARY TABLE headgate_classes")

    def cannot_keep(self, column, value):
        if column.kind != "double" or value is None:
            return bad_number(column, value)
        return "NaN" if value != value else "infinity" if value in (float("inf"), float("-inf")) else None

    def holds(self, column, value):
        return super().holds(column, value) and not is_minus_zero(column, value)

    def kept(self, column, value):
        return 0.0 if is_minus_zero(column, value) else value

    def native(self, column: Column, value):
        if value is None:
            return None
        if column.kind == "timestamptz":
            return value.replace(tzinfo=None)
        return str(value) if column.kind == "uuid" else document(column, value) if column.kind in NESTED else value

    def of_native(self, column: Column, raw):
        if raw is None:
            return None
        wanted = {
            "bool": int, "int": int, "decimal": Decimal, "double": float, "bytes": bytes, "date": date, "time": timedelta,
            "timestamp": datetime, "timestamptz": datetime,
        }.get(column.kind, str)  # fmt: skip
        if type(raw) is not wanted or (column.kind == "bool" and raw not in (0, 1)):
            return Other(f"{type(raw).__name__} {raw!r}")
        if column.kind == "bool":
            return bool(raw)
        if column.kind == "time":
            return (datetime.min + raw).time()
        if column.kind == "timestamptz":
            return raw.replace(tzinfo=UTC)
        if column.kind in NESTED:
            return nested_text(column, raw)
        return of_text(column, raw) if wanted is str else raw

    def write(self, table, columns, rows, key=None, unique=False):
        with self.db.cursor() as cursor:
            for sql in self.create_sql(table, columns, key, unique):
                cursor.execute(sql)
            marks = ", ".join("%s" for _ in columns)
            native = [[self.native(c, v) for c, v in zip(columns, row)] for row in rows]
            cursor.executemany(f"INSERT INTO {self.quote(table)} VALUES ({marks})", native)

    def read(self, table):
        with self.db.cursor() as cursor:
            cursor.execute(
                "SELECT column_name, column_type FROM information_schema.columns WHERE table_schema = database() AND table_name = %s ORDER BY ordinal_position",
                (table,),
            )
            columns = list(cursor.fetchall())
            if not columns:
                return None
            cursor.execute(f"SELECT * FROM {self.quote(table)}")
            return columns, list(cursor.fetchall())

    def drop(self, table):
        with self.db.cursor() as cursor:
            cursor.execute(f"DROP TABLE IF EXISTS {self.quote(table)}")


class MariaDbSource(MariaDb):
    """As a source: types of its own for moments with a zone and UUIDs."""

    types = {**MariaDb.types, "timestamptz": "timestamp(6)", "uuid": "uuid"}
    # Not every server has a type for UUIDs.
    kept_types = {"timestamptz": "timestamp(6)"}

    def holds(self, column, value):
        if value is not None and column.kind == "timestamptz" and not 1 <= value.timestamp() < 2**31 - 1:
            return False
        # Its own type takes those of the standard only.
        if value is not None and column.kind == "uuid" and value.version not in (1, 4):
            return False
        return super().holds(column, value)
