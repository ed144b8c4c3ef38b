"""Runs cases and tells where the engine and this oracle differ. Arguments: a JSON object, see `Request` in ../run-differential.ts."""

import json
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from cases import make_case
from check import Difference, Verdict, World, shorten
from databases import Database
from engine import Engine
from incremental import incremental
from known import KNOWN, known_as
from shrink import shrink, trait
from systems import systems_of


def main():
    request = json.loads(sys.argv[1])
    with tempfile.TemporaryDirectory(prefix="headgate-differential-") as name:
        request["folder"] = name
        report = campaign(request)
    Path(request["report"]).write_text(json.dumps(report, indent=1, ensure_ascii=False))


def make_world(request: dict) -> World:
    """One for each process: with connections, folders, tables and an engine of its own."""
    folder = Path(request["folder"]) / str(os.getpid())
    for name in ("in", "out", "temporary"):
        (folder / name).mkdir(parents=True)
    return World(systems_of(request, folder), Engine(request["worker"], request["command"], folder / "temporary"), f"p{os.getpid()}")


@dataclass(frozen=True)
class Outcome:
    """What a process has to say of a case."""

    seed: int
    areas: list[str]
    outcome: str
    # Names of known differences.
    known: list[str]
    # What is new, by source, target and trait.
    new: list[tuple]


# Of the processes that run cases.
here: dict = {}


def begin(request: dict):
    here["world"] = make_world(request)
    here["until"] = request["until"]


def outcome_of(seed: int) -> Outcome | None:
    """None: it is too late to begin."""
    if time.time() > here["until"]:
        return None
    if seed % 25 == 3:
        return incremental_outcome(seed)
    case, verdict = judged(here["world"], seed)
    new = unknown(verdict)
    outcome = "differed" if new else "known" if verdict.differences else "refused" if verdict.refusal else "agreed"
    areas = [f"source {case.source}", f"lane {verdict.lane}", f"steps {case.flavour}", f"target {case.target}", f"mode {case.mode}"]
    known = {known_as(case, difference) for difference in verdict.differences} - {None}
    return Outcome(seed, areas, outcome, sorted(known), [(case.source, case.target, *trait(difference)) for difference in new])


def incremental_outcome(seed: int) -> Outcome:
    """Of several runs that take new files alone."""
    store, target, said = incremental(here["world"], seed)
    areas = [f"source new files of {store}", "lane ?", "steps none", f"target {target}", "mode append"]
    return Outcome(seed, areas, "differed" if said else "agreed", [], [("new files", target, said)] if said else [])


def judged(world: World, seed: int):
    case = make_case(seed, world.systems)
    try:
        return case, world.check(case)
    except Exception:  # the oracle itself has failed: said like a finding, with where
        return case, Verdict(case, "", "?", None, [Difference("oracle", actual=traceback.format_exc())])


def campaign(request: dict) -> dict:
    areas: dict[str, Counter] = {}
    findings: dict[tuple, dict] = {}
    showed: dict[str, list[int]] = {one.name: [] for one in KNOWN}
    started = time.time()
    request["until"] = started + request["seconds"]
    done = 0
    seeds = range(request["seed"], request["seed"] + request["cases"])
    wanted = [*seeds, *(known.seed for known in KNOWN if request["known"] and known.seed not in seeds)]
    world = make_world(request)
    processes = min(request["processes"], len(wanted))
    with multiprocessing.get_context("spawn").Pool(processes, begin, (request,)) as pool:
        for found in pool.imap_unordered(outcome_of, wanted):
            if found is None:
                continue
            done += 1
            for name in found.known:
                showed[name].append(found.seed)
            for area in found.areas:
                areas.setdefault(area, Counter())[found.outcome] += 1
            for about in dict.fromkeys(found.new):
                if about in findings:
                    findings[about]["seeds"].append(found.seed)
                    continue
                said = about[2] if about[0] == "new files" else account(world, found.seed, about)
                findings[about] = {"seeds": [found.seed], "said": said}
                print(findings[about]["said"], flush=True)
            if done % 1000 == 0:
                print(f"{done} cases, {len(findings)} findings, {round(time.time() - started)} s", flush=True)
    world.engine.stop()
    return {
        "cases": done,
        "seconds": round(time.time() - started),
        "areas": {area: dict(counts) for area, counts in sorted(areas.items())},
        "findings": list(findings.values()),
        "known": {one.name: {"sentence": one.sentence, "seeds": sorted(showed[one.name])} for one in KNOWN},
    }


def account(world: World, seed: int, about: tuple) -> str:
    """The difference once more, as small as it gets."""
    case, verdict = judged(world, seed)
    only = lambda found: [d for d in unknown(found) if trait(d) == about[2:]]  # noqa: E731
    if not only(verdict):
        return f"── seed {seed}: {case.source} → {case.target} ({case.mode}): {about[2:]}, which did not come again"
    least = shrink(world, verdict, only) if about[2] not in ("oracle", "hung") else verdict
    return told(seed, least, only(least), world)


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
