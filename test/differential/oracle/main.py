"""Runs cases and tells where the engine and this oracle differ. Arguments: a JSON object, see `Request` in ../run-differential.ts."""

import json
import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

from cases import make_case
from check import Difference, Verdict, World, shorten
from databases import Database, MariaDb, MariaDbSource, Postgres, Sqlite
from engine import Engine
from files import Csv, JsonLines, Parquet
from known import KNOWN, known_as
from shrink import shrink, trait


def main():
    request = json.loads(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="headgate-differential-") as name:
        folder = Path(name)
        (folder / "in").mkdir()
        (folder / "out").mkdir()
        engine = Engine(request["engine"])
        try:
            world = World(systems_of(request, folder), engine, folder)
            report = campaign(world, request)
        finally:
            engine.stop()
    Path(request["report"]).write_text(json.dumps(report, indent=1, ensure_ascii=False))


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


def campaign(world: World, request: dict) -> dict:
    areas: dict[str, Counter] = {}
    findings: dict[tuple, dict] = {}
    showed: dict[str, list[int]] = {one.name: [] for one in KNOWN}
    started = time.monotonic()
    done = 0
    seeds = range(request["seed"], request["seed"] + request["cases"])
    for seed in [*seeds, *(known.seed for known in KNOWN if request["known"] and known.seed not in seeds)]:
        if time.monotonic() - started > request["seconds"]:
            break
        done += 1
        case = make_case(seed, world.systems)
        try:
            verdict = world.check(case)
        except Exception:  # the oracle itself has failed: said like a finding, with where
            verdict = Verdict(case, "", "?", None, [Difference("oracle", actual=traceback.format_exc())])
        new = unknown(verdict)
        for name in {known_as(case, difference) for difference in verdict.differences} - {None}:
            showed[name].append(seed)
        outcome = "differed" if new else "known" if verdict.differences else "refused" if verdict.refusal else "agreed"
        for area in (f"source {case.source}", f"lane {verdict.lane}", f"steps {case.flavour}", f"target {case.target}", f"mode {case.mode}"):
            areas.setdefault(area, Counter())[outcome] += 1
        for difference in new:
            about = (case.source, case.target, *trait(difference))
            if about in findings:
                findings[about]["seeds"].append(seed)
                continue
            only = lambda found, wanted=trait(difference): [d for d in unknown(found) if trait(d) == wanted]  # noqa: E731
            least = shrink(world, verdict, only) if difference.what not in ("oracle", "hung") else verdict
            findings[about] = {"seeds": [seed], "said": told(seed, least, only(least), world)}
            print(findings[about]["said"], flush=True)
    return {
        "cases": done,
        "seconds": round(time.monotonic() - started),
        "areas": {area: dict(counts) for area, counts in sorted(areas.items())},
        "findings": list(findings.values()),
        "known": {one.name: {"sentence": one.sentence, "seeds": showed[one.name]} for one in KNOWN},
    }


def unknown(verdict: Verdict) -> list[Difference]:
    return [difference for difference in verdict.differences if known_as(verdict.case, difference) is None]


def told(seed: int, verdict: Verdict, differences: list[Difference], world: World) -> str:
    """All that is needed to see it again."""
    case = verdict.case
    lines = [f"── seed {seed}: {case.source} → {case.target} ({case.mode}), lane {verdict.lane}"]
    lines += [f"   {difference.words()}" for difference in differences[:5]]
    lines += ["task:", *(f"  {line}" for line in verdict.yaml.splitlines())]
    lines += [f"source {case.source} {case.source_options or ''}:", *data_of(case.columns, case.rows, world.systems["sources"][case.source])]
    if case.before is not None:
        lines += ["target before:", *data_of(*case.before, world.systems["targets"][case.target])]
    lines.append(f"again: npm run differential -- 1 {seed}")
    return "\n".join(lines)


def data_of(columns, rows, system) -> list[str]:
    fields = [f"{c.name} {system.type_of(c) if isinstance(system, Database) else c.kind}" for c in columns]
    return ["  (" + ", ".join(fields) + ")", *(f"  {shorten(repr(row))}" for row in rows[:20]), *(["  …"] if len(rows) > 20 else [])]


if __name__ == "__main__":
    main()
