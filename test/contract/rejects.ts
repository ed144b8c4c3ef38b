// How the operations that rerun rejected rows are brought to their answers.
import type { Paginated } from '../../src/contract/common.ts'
import type { Run, RunStep } from '../../src/contract/runs.ts'
import type { RunReject } from '../../src/contract/run-rejects.ts'
import type { Answer } from '../support/server.ts'
import type { Stage } from './successes.ts'
import { send } from './support/send.ts'
import { newName } from './support/worlds.ts'

const step = (index: number, key: string): RunStep => ({
  index,
  key,
  label: key,
  status: 'completed',
  rows_in: 2,
  rows_out: 1,
  rows_rejected: 1,
  bytes: null,
  started_at: null,
  duration_ms: 1,
  columns: [{ name: 'n', type: 'BIGINT' }],
})

/** A run that has rejected a row which can be rerun. */
async function rejecting({ scripted }: Stage): Promise<{ id: number; row: number }> {
  const task = await scripted.task(`etl: 1
kind: pipeline
name: ${newName('rejecting')}
connectors: {app: {type: sqlite, access: write}}
source: {inline: {rows: [{n: 1}, {n: -1}]}}
steps:
  - expect: [{name: positive, check: "n > 0", on_fail: quarantine}]
target: {connector: app, table: numbers}
`)
  const started = await send(scripted.editor, 'triggerRun', {
    params: { taskId: task.id },
    body: { connector_mapping: { app: scripted.database } },
  })
  const { id } = started.body as Run // as the contract has it; likewise below
  const { runs } = await scripted.executor.claim({ slots: 100 })
  const plan = runs.find(({ run_id }) => run_id === id)
  if (!plan) throw new Error('The run was not handed out')
  const reject = { step: 'expect', reason: 'n is -1', row: { n: -1 }, form: 'values' }
  await scripted.executor.rejects(plan, 1, [reject])
  const steps = ['source', 'expect', 'target'].map((key, index) => step(index, key))
  await scripted.executor.complete(plan, { status: 'completed', reject_count: 1, steps })
  const { body } = await send(scripted.editor, 'listRunRejects', { params: { id } })
  return { id, row: (body as Paginated<RunReject>).result[0]?.id ?? 0 }
}

const rerun = ({ scripted }: Stage, { id, row }: { id: number; row: number }) =>
  send(scripted.editor, 'rerunRejects', { params: { id }, body: { rows: [{ id: row, values: { n: 1 } }] } })

export const rejectsSuccesses = {
  getRejectsRerun: async (stage: Stage) =>
    send(stage.scripted.editor, 'getRejectsRerun', { params: { id: (await rejecting(stage)).id } }),
  rerunRejects: async (stage: Stage) => rerun(stage, await rejecting(stage)),
} satisfies Record<string, (stage: Stage) => Promise<Answer>>

export const rejectsRefusals = {
  rerunRejects: {
    // Its target is a file.
    INVALID_STATE: ({ live }: Stage) =>
      send(live.editor, 'rerunRejects', { params: { id: live.finished.id }, body: { rows: [{ id: 1 }] } }),
    CONFLICT: async (stage: Stage) => {
      const rejected = await rejecting(stage)
      await rerun(stage, rejected)
      return rerun(stage, rejected)
    },
  },
}
