"""Writes the files of this folder, with pyarrow 26.0.1: python write.py"""

import pathlib

import pyarrow as pa
import pyarrow.parquet as pq

ROWS = 200_001
BASE = 1_700_000_000_000_000_000
ZONED = pa.timestamp("ns", "UTC")
FOLDER = pathlib.Path(__file__).parent


def write(name, table, **options):
    pq.write_table(table, FOLDER / f"{name}.parquet", store_schema=False, write_statistics=False, **options)


def column(value, type):
    """Every fifth value is NULL."""
    return pa.array([None if row % 5 == 0 else value(row) for row in range(ROWS)], pa.int64()).cast(type)


def few(row):
    return BASE + row % 3 * 1000


def few_late(row):
    return few(row) + (789 if row == ROWS - 2 else 0)


packed = {"compression": "zstd", "compression_level": 19, "row_group_size": 60_000}
write(
    "late",
    pa.table(
        {
            "words": pa.array(["x"] * ROWS),
            "moment": column(few_late, ZONED),
            "step": column(lambda row: BASE + row * 1000 + (1 if row >= ROWS - 3 else 0), ZONED),
            "time": column(lambda row: row % 4 * 1000 + (999 if row >= ROWS - 4 else 0), pa.time64("ns")),
            "exact": column(few, ZONED),
            "without_zone": column(few_late, pa.timestamp("ns")),
        }
    ),
    use_dictionary=["words", "moment", "exact"],
    column_encoding={"step": "DELTA_BINARY_PACKED", "time": "PLAIN", "without_zone": "DELTA_BINARY_PACKED"},
    **packed,
)
write(
    "int96",
    pa.table({"moment": column(few_late, ZONED), "exact": column(few, pa.timestamp("ns"))}),
    use_deprecated_int96_timestamps=True,
    **packed,
)

lists = [[None, BASE + 1], [], None, [BASE + 5, BASE + 1000]]
write(
    "nested",
    pa.table(
        {
            "list": pa.array(lists, pa.list_(ZONED)),
            "object": pa.array(
                [{"time": 7}, None, {"time": None}, {"time": 3000}], pa.struct([("time", pa.time64("ns"))])
            ),
            "deep": pa.array(
                [[{"at": lists[0]}], [{"at": lists[3]}, None], None, []],
                pa.list_(pa.struct([("at", pa.list_(ZONED))])),
            ),
            "map": pa.array([[("a", BASE + 3)], None, [], [("b", None)]], pa.map_(pa.string(), ZONED)),
        }
    ),
    compression="none",
)
write("third", pa.table({"moment": pa.array([BASE + (row % 3 == 0) for row in range(60)], ZONED)}))
# DuckDB reads no integers in this encoding.
write(
    "split",
    pa.table({"moment": pa.array([BASE + 1], ZONED)}),
    use_dictionary=False,
    column_encoding={"moment": "BYTE_STREAM_SPLIT"},
)
