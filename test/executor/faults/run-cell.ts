import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { runTask, type FinishedRun } from '../engine/run-task.ts'
import { rowsOf } from './cells.ts'
import type { Cell, RunChanges, Scene, Struck } from './faults.ts'
import { beyond, digestOf, linesAfter } from './rows.ts'
import type { OpenedSource } from './sources/source.types.ts'
import type { OpenedTarget, TargetState } from './targets/target.types.ts'
import type { World } from './world.ts'

/** The codes that the documentation of failed runs explains. */
const documented = new Set(
  [...readFileSync('docs/run-errors.md', 'utf8').matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code),
)

/** One cell: the run fails and says where, the target holds what it held, and a run without the fault ends with all rows. */
export async function runCell(world: World, cell: Cell): Promise<void> {
  const scene = sceneOf(world, cell)
  const struck = await cell.fault.strike(scene)
  try {
    expectFailure(struck)
    const kept = await keptBy(cell, scene.rows, struck)
    const again = await struck.again()
    if (again.status !== 'success') expect.fail(`the run without the fault ended with ${said(again)}`)
    expectLane(cell, again)
    const expected = { ...struck.before, lines: afterwards(cell, scene.rows, kept) }
    const found = await struck.target.look()
    const { lasting } = cell.target
    if (struck.mayLeave === 'until the process ends') found.places = withoutLeft(found.places)
    if (struck.mayLeave && lasting) found.places = found.places.filter((place) => !lasting.test(place))
    expectSame(found, expected, 'in the end')
  } finally {
    struck.done?.()
  }
}

function afterwards({ mode }: Cell, rows: number, kept: readonly string[]): readonly string[] {
  const lines = linesAfter(mode, rows)
  return kept.length === 0 ? lines : [...lines, ...kept]
}

/** A direct lane gives way where the tables do not suit it. */
function expectLane({ lane: { direct } }: Cell, { metrics: { lane } }: FinishedRun): void {
  if (direct !== undefined && lane !== '' && lane !== direct) expect.fail(`the rows went through the ${lane} lane`)
}

function expectFailure({ failed, stages, codes, says }: Struck): void {
  const { status, error } = failed
  const fail = (why: string): never => expect.fail(`${why}: ${said(failed)}`)
  if (status !== 'failed' || !error) return fail('the run with the fault did not fail')
  if (!documented.has(error.code)) fail(`the code is not documented`)
  if (error.code === 'INTERNAL_ERROR') fail('the failure was not understood')
  if (!codes && error.code === 'OUTCOME_UNKNOWN') fail('nothing was lost during a commit')
  if (codes && !codes.includes(error.code)) fail(`the code is not ${codes.join(' or ')}`)
  if (stages && !stages.includes(error.step ?? '')) fail(`the stage is not ${stages.join(' or ')}`)
  if (says && !says.test(error.message)) fail(`the message does not name ${says.source}`)
}

/** Rows that a target without transactions still has after the next run, too; the log has told of what stayed. */
async function keptBy(cell: Cell, rows: number, struck: Struck): Promise<string[]> {
  const { target, mode } = cell
  const { failed, before, mayLeave, isAnotherRun } = struck
  const after = await struck.target.look()
  // Left by a process that is gone: it is found and removed by the next run, and is gone in the end.
  if (mayLeave) after.places = withoutLeft(after.places)
  const all = linesAfter(mode, rows)
  const code = failed.error?.code
  const saysSo = code === 'OUTCOME_UNKNOWN' || failed.item_count !== null
  const hasCommitted = saysSo && digestOf(after.lines) === digestOf(all)
  const mayKeep = target.mayKeep?.(mode) === true && code !== 'WORKER_CRASHED'
  if (!mayKeep && !hasCommitted) {
    expectSame(after, before, 'after the failure')
    return []
  }
  if (hasCommitted && mode !== 'append') return []
  const stays = beyond(after.lines, before.lines)
  const lost = beyond(before.lines, after.lines)
  if (stays.length + lost.length === 0) return []
  const strange = beyond(stays, all)
  if (strange.length > 0) expect.fail(`rows of no run stay: ${strange.slice(0, 3).join('; ')}`)
  const wrong = lost.filter((line) => mode === 'append' || Number.parseInt(line, 10) > rows)
  if (wrong.length > 0) expect.fail(`rows that do not come in are gone: ${wrong.join('; ')}`)
  if (!hasCommitted && mayLeave !== 'until the next run') expectTold(failed, stays.length)
  const comeTwice = mode === 'append' && (isAnotherRun === true || target.knowsRepetitions !== true)
  return comeTwice ? stays : []
}

/** The rows that the far side has confirmed are told, and those of which nobody knows. */
function expectTold({ log, error }: FinishedRun, stays: number): void {
  const words = [...log.map(({ message }) => message), error?.hint ?? ''].join('\n')
  const told = /(?:before the failure|Still there): ([\d,]+) rows?(?:, and up to ([\d,]+) of the)?/.exec(words)
  const count = (text = '0'): number => Number(text.replaceAll(',', ''))
  const [sure, inDoubt] = [count(told?.[1]), count(told?.[2])]
  if (told && sure <= stays && stays <= sure + inDoubt) return
  expect.fail(`${stays} rows stay, which the log does not tell: ${words.split('\n').slice(2).join(' / ')}`)
}

/** What runs write beside the place they are to write to. */
const withoutLeft = (places: string[]): string[] =>
  places.filter((place) => !/\.part$|^headgate_|\.wal$|^upload of /.test(place))

function expectSame(found: TargetState, wanted: TargetState, when: string): void {
  const [places, asBefore] = [found.places.join(', '), wanted.places.join(', ')]
  if (places !== asBefore) expect.fail(`the target has ${places} ${when}, not ${asBefore}`)
  if (digestOf(found.lines) === digestOf(wanted.lines)) return
  const [more, missing] = [beyond(found.lines, wanted.lines), beyond(wanted.lines, found.lines)]
  const some = (lines: readonly string[]): string => `${lines.length} (${lines.slice(0, 3).join('; ')})`
  expect.fail(`the target holds ${found.lines.length} rows ${when}: too many ${some(more)}, missing ${some(missing)}`)
}

const said = ({ status, item_count, error }: FinishedRun): string =>
  error ? `${status}: ${error.code} at ${error.step}: ${error.message}` : `${status}, ${item_count} rows`

export function sceneOf(world: World, cell: Cell): Scene {
  const { source, lane, target, mode } = cell
  const rows = rowsOf(cell)
  return {
    cell,
    world,
    rows,
    source: (harm) => source.open(world, { rows, typed: lane.typed, harm }),
    target: (spec) =>
      target.open(world, { mode, rows, refuses: null, ends: null, holdsSource: lane.direct === 'pushdown', ...spec }),
    run(from, to, { connectors, ...changes } = {}) {
      const out = connectors?.out ?? to.connector
      const bound = { in: connectors?.in ?? from.connector, out }
      // The same database is known by the same connector.
      if (lane.direct === 'pushdown') bound.in = out
      return runTask(taskOf(cell, from, to, changes), { ...(bound.in ? { in: bound.in } : {}), out }, changes)
    },
  }
}

export function taskOf(
  { lane }: Cell,
  source: OpenedSource,
  target: OpenedTarget,
  { firstSteps }: RunChanges = {},
): string {
  const steps = firstSteps === undefined ? lane.steps : lane.steps.replace('[', `[${firstSteps}, `)
  const slot = source.connector ? `in: {types: [${source.connector.type}], access: read}, ` : ''
  return `etl: 1
kind: pipeline
name: cell
connectors: {${slot}out: {types: [${target.connector.type}], access: read_write}}
source: ${source.yaml}
steps: ${steps}
target: ${target.yaml}
dead_letter: {max_ratio: 0}
`
}
