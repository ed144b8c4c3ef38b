"""The systems that rows come from and go to, by the names that cases have for them."""

from pathlib import Path

from databases import MariaDb, MariaDbSource, Postgres, Sqlite
from files import Csv, JsonLines, Parquet


def systems_of(request: dict, folder: Path) -> dict:
    postgres = Postgres(request["postgres"])
    ins, outs = folder / "in", folder / "out"
    sources = {
        "sqlite": Sqlite(ins / "source.db"), "postgres": postgres, "mysql": MariaDbSource(request["mariadb"]),
        "csv": Csv(ins), "jsonl": JsonLines(ins), "parquet": Parquet(ins),
    }  # fmt: skip
    targets = {
        "sqlite": Sqlite(outs / "target.db"), "postgres": postgres, "mysql": MariaDb(request["mariadb"]),
        "csv": Csv(outs), "jsonl": JsonLines(outs), "parquet": Parquet(outs),
    }  # fmt: skip
    return {"sources": sources, "targets": targets}
