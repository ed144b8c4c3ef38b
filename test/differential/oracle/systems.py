"""The systems that rows come from and go to, by the names that cases have for them."""

from pathlib import Path

from databases import MariaDb, MariaDbSource, Postgres, Sqlite
from documents import Mongo
from duckdb_files import DuckDb
from files import Csv, Json, JsonLines, Parquet
from stores import Bucket, Folder, Sftp
from web import Api, OData, Server
from workbooks import Excel

TABLES = ("sqlite", "postgres", "mysql", "duckdb")
DOCUMENTS = ("mongodb",)
FILES = ("csv", "jsonl", "json", "parquet", "xlsx", "s3 csv", "s3 parquet", "sftp jsonl", "sftp parquet")
SOURCES = (*TABLES, *DOCUMENTS, *FILES, "http", "odata")
TARGETS = (
    *((table, mode) for table in (*TABLES, *DOCUMENTS) for mode in ("append", "replace", "upsert", "delete_insert")),
    *((file, "replace") for file in FILES),
    ("http", "append"),
)  # fmt: skip


def systems_of(request: dict, folder: Path) -> dict:
    """Connections to all of them; `folder` is there, with `in` and `out`."""
    postgres, mongo, server = Postgres(request["postgres"]), Mongo(request["mongodb"]), Server()

    def files(root: Path) -> dict:
        here, bucket, sftp = Folder(root), Bucket(request["s3"], f"{folder.name}{root.name}"), Sftp(root, request["sftp"])
        return {
            "csv": Csv(here), "jsonl": JsonLines(here), "json": Json(here), "parquet": Parquet(here), "xlsx": Excel(here), "s3 csv": Csv(bucket),
            "s3 parquet": Parquet(bucket), "sftp jsonl": JsonLines(sftp), "sftp parquet": Parquet(sftp),
        }  # fmt: skip

    ins, outs = folder / "in", folder / "out"
    common = {"postgres": postgres, "mongodb": mongo, "http": Api(server)}
    sources = {"sqlite": Sqlite(ins / "source.db"), "mysql": MariaDbSource(request["mariadb"]), "duckdb": DuckDb(ins / "source.duckdb"), "odata": OData(server)}
    targets = {"sqlite": Sqlite(outs / "target.db"), "mysql": MariaDb(request["mariadb"]), "duckdb": DuckDb(outs / "target.duckdb")}
    return {"sources": {**common, **sources, **files(ins)}, "targets": {**common, **targets, **files(outs)}}
