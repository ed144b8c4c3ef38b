"""Makes a failing case smaller as long as it fails in the same way."""

import time
from dataclasses import replace
from typing import Callable, Iterator

from cases import Case
from check import Difference, Verdict, World
from systems import DOCUMENTS, TABLES
from values import Column

MOST_RUNS = 250
# Cases of many rows take seconds each.
MOST_SECONDS = 60
PLAIN = {"gz": False, "bom": False, "delimiter": ",", "quoting": "minimal", "ends": "lf", "last": True, "ascii": False, "paginate": "none", "records": False, "send": "row"}


def shrink(world: World, verdict: Verdict, unknown: Callable[[Verdict], list[Difference]]) -> Verdict:
    wanted = trait(unknown(verdict)[0])
    runs = 0
    best = verdict
    again = True
    until = time.monotonic() + MOST_SECONDS
    while again:
        again = False
        for candidate in smaller(best.case):
            if runs >= MOST_RUNS or time.monotonic() > until:
                break
            runs += 1
            try:
                found = world.check(candidate)
            except Exception:  # a case that makes no sense any more, such as a step without its column
                continue
            if any(trait(difference) == wanted for difference in unknown(found)):
                best, again = found, True
                break
    return best


def trait(difference: Difference) -> tuple:
    words = "".join(char for char in difference.actual if char.isalpha())[:25] if difference.what == "failed" else ""
    return (difference.what, difference.kind, difference.code, words)


def smaller(case: Case) -> Iterator[Case]:
    if case.before is not None:
        yield replace(case, before=None)
    for at in range(len(case.steps)):
        yield replace(case, steps=[*case.steps[:at], *case.steps[at + 1 :]])
    yield from fewer_rows(case)
    names = {column.name for column in case.columns}
    for column in case.columns:
        if len(case.columns) > 1 and column.name != case.key:
            yield without(case, column.name)
    if case.mode != "append" and case.target in (*TABLES, *DOCUMENTS):
        yield replace(case, mode="append", key=None)
    if case.same:
        yield replace(case, same=False)
    if case.query:
        yield replace(case, query=False)
    for options in ("source_options", "target_options"):
        given = getattr(case, options)
        for name, value in given.items():
            if name in PLAIN and value != PLAIN[name]:
                yield replace(case, **{options: {**given, name: PLAIN[name]}})
    for at, column in enumerate(case.columns):
        if column.name != f"c{at}" and f"c{at}" not in names and not case.steps and case.before is None:
            made = [*case.columns[:at], column.called(f"c{at}"), *case.columns[at + 1 :]]
            yield replace(case, columns=made, key=f"c{at}" if case.key == column.name else case.key)
    if case.before is not None and case.before[1]:
        had, rows = case.before
        yield replace(case, before=(had, []))
        for at in range(min(len(rows), 10)):
            yield replace(case, before=(had, [*rows[:at], *rows[at + 1 :]]))
    if len(case.rows) <= 3:
        for at, row in enumerate(case.rows):
            for index, column in enumerate(case.columns):
                if row[index] is None or column.name == case.key:
                    continue
                for value in simpler(column, row[index]):
                    yield replace(case, rows=[*case.rows[:at], (*row[:index], value, *row[index + 1 :]), *case.rows[at + 1 :]])


def simpler(column: Column, value) -> list:
    """NULL, or about half of a text."""
    if column.kind == "text" and len(value) > 1:
        return [None, value[: len(value) // 2], value[len(value) // 2 :]]
    return [None]


def fewer_rows(case: Case) -> Iterator[Case]:
    count = len(case.rows)
    size = count // 2
    while size >= 1:
        for start in range(0, count, size):
            if count // size > 40 and start > 40 * size:
                break
            yield replace(case, rows=[*case.rows[:start], *case.rows[start + size :]])
        size //= 2


def without(case: Case, name: str) -> Case:
    """The case without a column of its source, nor anything that names it."""
    at = next(index for index, column in enumerate(case.columns) if column.name == name)
    steps = []
    called = name
    for step in case.steps:
        do = step["do"]
        if called in (step.get("column"), step.get("from")) and do in ("filter", "derive", "cast", "lookup", "sort"):
            continue
        now = dict(step)
        for part in ("columns", "key"):
            if part in now:
                now[part] = [one for one in now[part] if one != called]
        if do == "group":
            # Of its columns none is left out.
            return case
        if do == "rename":
            now["names"] = {old: new for old, new in step["names"].items() if old != called}
            called = step["names"].get(called, called)
        if any(now.get(part) in ([], {}) for part in ("columns", "key", "names")):
            continue
        steps.append(now)
    before = case.before
    if before is not None:
        had, rows = before
        places = [index for index, column in enumerate(had) if column.name != called]
        before = ([had[index] for index in places], [tuple(row[index] for index in places) for row in rows])
        if not places:
            before = None
    columns = [*case.columns[:at], *case.columns[at + 1 :]]
    rows = [(*row[:at], *row[at + 1 :]) for row in case.rows]
    return replace(case, columns=columns, rows=rows, steps=steps, before=before)
