"""Runs that take only new files, while files come, change and go between the runs, and in the midst of one."""

import threading
import time
import traceback
from collections import Counter
from random import Random

from cases import yaml_of
from check import World
from values import Column

COLUMNS = [Column("n", "int"), Column("t", "text")]
FILES = ("csv", "jsonl", "parquet", "s3 csv", "s3 parquet", "sftp jsonl", "sftp parquet")


def incremental(world: World, seed: int) -> tuple[str, str, str]:
    """The kind of files, the kind of target, and what is wrong; nothing where all is well."""
    rng = Random(seed)
    source, target = rng.choice(FILES), rng.choice(("sqlite", "postgres"))
    case = Incremental(world, seed, rng, source, target)
    try:
        said = case.run()
    except Exception:  # the oracle itself has failed: said like a finding
        said = traceback.format_exc()
    finally:
        case.drop()
    return source, target, f"── seed {seed}: new files of {source} → {target}: {said}\nagain: npm run differential -- 1 {seed}" if said else ""


class Incremental:
    def __init__(self, world: World, seed: int, rng: Random, source: str, target: str):
        self.world, self.rng = world, rng
        self.reader, self.writer = world.systems["sources"][source], world.systems["targets"][target]
        self.prefix = f"{world.prefix}n{seed}"
        self.options = {**self.reader.options(rng), "gz": False}
        # Rows of each file as it is now.
        self.files: dict[str, list[tuple]] = {}
        # Names of files whose present rows have not been read.
        self.fresh: set[str] = set()
        self.numbers = iter(range(1, 10**9))
        self.arrived: Counter = Counter()
        self.state = None

    def run(self) -> str:
        for _ in range(self.rng.randint(2, 5)):
            self.between()
            # A run needs a file to find.
            if not self.files:
                continue
            said = self.once(racing=self.rng.random() < 0.4)
            if said:
                return said
        return ""

    def between(self):
        for _ in range(self.rng.randint(0, 3)):
            names = list(self.files)
            what = self.rng.choice(("add", "add", "change", "remove"))
            if what == "add" or not names:
                self.write(f"{self.prefix}_{next(self.numbers)}")
            elif what == "change":
                self.write(self.rng.choice(names))
            else:
                name = self.rng.choice(names)
                self.reader.drop(name, self.options)
                self.fresh.discard(name)
                del self.files[name]

    def write(self, name: str):
        # Never as many rows as before: stores tell files apart by their size and time.
        count = len(self.files.get(name, ())) + self.rng.randint(1, 5)
        self.files[name] = [(next(self.numbers), f"{name} {number}") for number in range(count)]
        self.reader.write(name, COLUMNS, self.files[name], self.options)
        self.fresh.add(name)

    def once(self, racing: bool) -> str:
        raced: str | None = None
        before: list[tuple] = []
        thread = None
        if racing:
            raced = self.rng.choice(list(self.files))
            before = self.files[raced] if raced in self.fresh else []
            thread = threading.Thread(target=self.later, args=(raced, self.rng.random() * 0.08))
            thread.start()
        answer = self.ask()
        if thread:
            thread.join()
        found = self.found()
        if answer["status"] == "failed":
            if not racing:
                return f"a quiet run failed: {answer['error']}"
            return "" if found == self.arrived else "a run that failed has changed the target"
        if answer["status"] not in ("success", "completed"):
            return f"the run {answer['status']}"
        self.state = answer["state"] or self.state
        others = Counter(row for name in self.fresh if name != raced for row in self.files[name])
        # Of a file that changed meanwhile all rows of one of the two, or none: the next run takes those that are missing.
        now = self.files[raced] if raced else []
        ways = {"old": Counter(before), "new": Counter(now)} if raced else {"": Counter()}
        for way, rows in ways.items():
            if found == self.arrived + others + rows:
                self.arrived = found
                self.fresh = {raced} if raced and way == "old" else set()
                return ""
        expected = self.arrived + others + Counter(now)
        return f"missing {list((expected - found).elements())[:5]}, too many {list((found - expected).elements())[:5]}{' in a race' if racing else ''}"

    def later(self, name: str, seconds: float):
        time.sleep(seconds)
        self.write(name)

    def ask(self) -> dict:
        options = self.reader.source(self.prefix, COLUMNS, self.options)
        files = {**options, "glob": f"{self.prefix}*.{self.reader.extension}", "new_only": True}
        task = {
            "etl": 1, "kind": "pipeline", "name": "differential",
            "connectors": {"here": {"type": self.reader.slot, "access": "read"}, "there": {"type": self.writer.slot, "access": "write"}},
            "source": {"connector": "here", "files": files}, "target": {"connector": "there", "table": self.prefix, "mode": "append"},
        }  # fmt: skip
        connectors = {"here": {"id": 1, "name": "here", **self.reader.connector()}, "there": {"id": 2, "name": "there", **self.writer.connector()}}
        return self.world.engine.run({"yaml": yaml_of(task), "connectors": connectors, "state": self.state}, alone=False)

    def found(self) -> Counter:
        read = self.writer.read(self.prefix)
        return Counter(read[1]) if read else Counter()

    def drop(self):
        for name in self.files:
            self.reader.drop(name, self.options)
        self.writer.drop(self.prefix)
