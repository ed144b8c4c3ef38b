"""DuckDB's own files. Nothing else reads and writes them but DuckDB, so here its client for Python does, in a process of its own; the values
go through Arrow."""

from pathlib import Path

import duckdb

from databases import Database, of_text
from files import arrow_table, of_arrow
from nested import mapped, nest
from values import NESTED, Column


class DuckDb(Database):
    slot = "duckdb"
    types = {
        "bool": "BOOLEAN", "int": "BIGINT", "decimal": "DECIMAL$", "double": "DOUBLE", "text": "VARCHAR", "bytes": "BLOB", "date": "DATE",
        "time": "TIME", "timestamp": "TIMESTAMP", "timestamptz": "TIMESTAMP WITH TIME ZONE", "uuid": "UUID", "json": "JSON",
    }  # fmt: skip

    # Its keys are told apart by their bytes whatever their collation.
    collations = ("", "NOCASE", "NOACCENT")

    def classes(self, column, texts):
        return {text: number for number, text in enumerate(texts)}

    source_kinds = Database.kinds

    def __init__(self, path: Path):
        self.path = path

    def connector(self) -> dict:
        return {"type": "duckdb", "config": {"path": str(self.path)}, "secrets": {}}

    def open(self):
        return duckdb.connect(str(self.path), config={"threads": 1, "memory_limit": "1GB"})

    def cannot_keep(self, column, value):
        return None

    def made_type(self, column):
        if column.kind not in NESTED:
            return super().made_type(column)
        # Its own way to quote names.
        with duckdb.connect() as db:
            (found,) = db.execute(f"SELECT typeof(CAST(NULL AS {self.written_type(column)}))").fetchone() or ("",)
            return found

    def written_type(self, column: Column) -> str:
        if column.kind == "list":
            return f"{self.written_type(column.inner[0])}[]"
        if column.kind == "struct":
            return f"STRUCT({', '.join(f'{self.quote(field.name)} {self.written_type(field)}' for field in column.inner)})"
        return super().made_type(column)

    def write(self, table, columns, rows, key=None, unique=False):
        with self.open() as db:
            for sql in self.create_sql(table, columns, key, unique):
                db.execute(sql)
            given = arrow_table(columns, rows)  # noqa: F841 - DuckDB finds it by its name
            db.execute(f"INSERT INTO {self.quote(table)} SELECT * FROM given")

    def read(self, table):
        with self.open() as db:
            columns = db.execute("SELECT column_name, data_type FROM duckdb_columns() WHERE table_name = ? ORDER BY column_index", [table]).fetchall()
            if not columns:
                return None
            found = db.execute(f"SELECT * FROM {self.quote(table)}").to_arrow_table()
            return columns, list(zip(*(column.to_pylist() for column in found.columns)))

    def of_native(self, column, raw):
        if column.kind in NESTED:
            return nest(column, mapped(column, raw, self.of_native))
        # Arrow has a UUID's text.
        return of_text(column, raw) if column.kind == "uuid" and isinstance(raw, str) else of_arrow(column, raw)

    def drop(self, table):
        with self.open() as db:
            db.execute(f"DROP TABLE IF EXISTS {self.quote(table)}")
