// How changes of data are brought to their answers.
import type { ChangesReport } from '../../src/contract/changes.ts'
import type { ColumnProfile } from '../../src/contract/column-profile.ts'
import type { QueryPlan } from '../../src/contract/explain.ts'
import type { Answer } from '../support/server.ts'
import type { RefusalStage } from './refusals.ts'
import type { Stage } from './successes.ts'
import { opened } from './queries.ts'
import { type Request, send } from './support/send.ts'

const body = { definition: { mode: 'raw', rawQuery: 'DELETE FROM orders WHERE id = 1' } }
export const reviewOf = (id: number): Request => ({ params: { id }, body })

/** Something that the editor has asked, whatever became of it. */
async function inHistory({ editor, files }: Stage['live']): Promise<number> {
  await send(editor, 'queryConnector', { params: { id: files }, body: explained })
  const { body } = await send(editor, 'listQueryHistory', { params: { id: files }, query: { limit: 1 } })
  // What the server answers is what the contract says.
  return (body as { result: { id: number }[] }).result[0]!.id
}

const report: ChangesReport = {
  outcome: 'reviewed',
  statements: [{ statement: body.definition.rawQuery, values: [], rows: 1, changed: null, edit: null }],
  rows: 1,
  changed: null,
  transaction: true,
  digest: '',
  conflicts: [],
  problem: null,
}

export const explained: Request['body'] = { definition: { mode: 'raw', rawQuery: 'SELECT 1' } }
const plan: QueryPlan = {
  statement: 'SELECT 1',
  analyzed: false,
  time_includes_children: true,
  nodes: [{ parent: null, node: 'Result', detail: [], rows: 1, cost: 0.01, actual_rows: null, time_ms: null }],
  raw: '[]',
}

/** Asks, and answers as the scripted executor; a refusal of the server is the answer. */
async function answered({ executor }: Stage['scripted'], asked: Promise<Answer>, result: object): Promise<Answer> {
  const claiming = executor.claim({ slots: 0, call_slots: 1, wait_ms: 20_000 })
  const claimed = await Promise.race([claiming, asked.then(() => null)])
  if (!claimed) {
    // A newer claim ends the one that still waits.
    await executor.claim({ slots: 0, call_slots: 0 })
    await claiming
    return asked
  }
  await send(executor.client, 'postCallResult', {
    params: { callId: claimed.calls[0]!.call_id },
    headers: { 'x-executor-credential': executor.credential },
    body: { result },
  })
  return asked
}

const one = { type: 'integer', value: 1, cut: false } as const
const profile: ColumnProfile = {
  rows: 2,
  nulls: 0,
  distinct: 1,
  ordered: true,
  min: one,
  max: one,
  top: [{ value: one, rows: 2 }],
  statements: ['SELECT 1'],
}

export const changesSuccesses = {
  explainQuery: ({ scripted }: Stage): Promise<Answer> =>
    answered(scripted, send(scripted.editor, 'explainQuery', { params: { id: scripted.files }, body: explained }), {
      kind: 'explain',
      value: plan,
    }),
  profileColumn: async ({ scripted }: Stage): Promise<Answer> => {
    const { query, done } = await opened(scripted)
    const asked = send(scripted.editor, 'profileColumn', { ...query, body: { field: 0 } })
    return done(await answered(scripted, asked, { kind: 'profile', value: profile }))
  },
  listQueryHistory: ({ live }: Stage) => send(live.editor, 'listQueryHistory', { params: { id: live.files } }),
  deleteQueryHistoryEntry: async ({ live }: Stage) =>
    send(live.editor, 'deleteQueryHistoryEntry', { params: { id: live.files, entryId: await inHistory(live) } }),
  clearQueryHistory: ({ live }: Stage) => send(live.editor, 'clearQueryHistory', { params: { id: live.files } }),
  changeConnectorData: ({ scripted }: Stage): Promise<Answer> =>
    answered(scripted, send(scripted.editor, 'changeConnectorData', reviewOf(scripted.files)), {
      kind: 'review_changes',
      value: report,
    }),
}

export const changesRefusals = {
  NOT_FOUND: ({ live }: RefusalStage) => send(live.admin, 'changeConnectorData', { body }),
  CONFLICT: ({ live }: RefusalStage) =>
    send(live.admin, 'changeConnectorData', {
      params: { id: live.files },
      body: { ...body, confirmation: 'unknown-to-the-server' },
    }),
}
