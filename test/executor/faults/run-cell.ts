import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import { runTask, type FinishedRun } from '../engine/run-task.ts'
import type { Cell, RunChanges, Scene, Struck } from './faults.ts'
import { heldAfter } from './rows.ts'
import type { OpenedSource } from './sources/source.types.ts'
import type { OpenedTarget } from './targets/target.types.ts'
import type { World } from './world.ts'

/** The codes that the documentation of failed runs explains. */
const documented = new Set(
  [...readFileSync('docs/run-errors.md', 'utf8').matchAll(/^### ([A-Z_]+)$/gm)].map(([, code]) => code),
)

/** One cell: the run fails and says where, the target holds what it held, and a run without the fault ends with all rows. */
export async function runCell(world: World, cell: Cell): Promise<void> {
  const scene = sceneOf(world, cell)
  const struck = await cell.fault.strike(scene)
  expectFailure(struck)
  expect(await struck.target.look(), 'what the target holds after the failure').toEqual(struck.before)
  const again = await struck.again()
  if (again.status !== 'success') expect.fail(`the run without the fault ended with ${said(again)}`)
  expect(await struck.target.look(), 'what the target holds in the end').toEqual({
    places: struck.before.places,
    ...heldAfter(cell.mode, scene.rows),
  })
}

function expectFailure({ failed, stages, says }: Struck): void {
  if (failed.status !== 'failed') expect.fail(`the run with the fault ended with ${said(failed)}`)
  const { error } = failed
  expect(documented, `${error?.code}: ${error?.message}`).toContain(error?.code)
  expect(error?.code, said(failed)).not.toBe('INTERNAL_ERROR')
  expect(stages, `the stage that it failed at: ${error?.message}`).toContain(error?.step)
  if (says) expect(error?.message).toMatch(says)
}

const said = ({ status, item_count, error }: FinishedRun): string =>
  error ? `${status}: ${error.code} at ${error.step}: ${error.message}` : `${status}, ${item_count} rows`

export function sceneOf(world: World, cell: Cell): Scene {
  const { source, lane, target, mode } = cell
  const rows = Math.min(source.rows, lane.rows, target.rows)
  return {
    cell,
    world,
    rows,
    source: (harm) => source.open(world, { rows, typed: lane.typed, harm }),
    target: (spec) =>
      target.open(world, { mode, rows, refuses: null, holdsSource: lane.direct === 'pushdown', ...spec }),
    run: (from, to, changes = {}) => run(cell, from, to, changes),
  }
}

function run(
  { lane }: Cell,
  source: OpenedSource,
  target: OpenedTarget,
  { connectors = {}, firstStep, ...options }: RunChanges,
): Promise<FinishedRun> {
  const out = connectors.out ?? target.connector
  // The same database: by the same connector.
  const from = lane.direct === 'pushdown' ? out : (connectors.in ?? source.connector)
  const steps = firstStep === undefined ? lane.steps : lane.steps.replace('[', `[${firstStep}, `).replace(', ]', ']')
  const yaml = `etl: 1
kind: pipeline
name: cell
connectors: {${from ? `in: {types: [${from.type}], access: read}, ` : ''}out: {types: [${out.type}], access: read_write}}
source: ${source.yaml}
steps: ${steps}
target: ${target.yaml}
dead_letter: {max_ratio: 0}
`
  return runTask(yaml, { ...(from ? { in: from } : {}), out }, options)
}
