// Every operation succeeds at least once and gives every error that it is said to give; each answer is held against the
// document that the server itself serves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AiEvent } from '../../src/contract/ai.ts'
import { ServerEvent } from '../../src/contract/events.ts'
import { LogLine } from '../../src/contract/runs.ts'
import { type ErrorCode, errorCodes } from '../../src/contract/errors.ts'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import { errorsOf } from '../../src/server/features/docs/openapi.ts'
import { Compile } from 'typebox/schema'
import { type RefusalStage, ownRefusals, provoke } from './refusals.ts'
import { streams, successes } from './successes.ts'
import { type Interface, fetchInterface } from './support/interface.ts'
import { operationOf } from './support/send.ts'
import {
  createEndingServer,
  createExhaustedServer,
  createFaultyServer,
  createLiveWorld,
  createScriptedWorld,
} from './support/worlds.ts'

let stage: RefusalStage
let document: Interface
const opened: { close(): Promise<void> }[] = []

beforeAll(async () => {
  const open = async <T extends { close(): Promise<void> }>(world: Promise<T>): Promise<T> => {
    opened.push(await world)
    return world
  }
  stage = {
    live: await open(createLiveWorld()),
    scripted: await open(createScriptedWorld()),
    exhausted: await open(createExhaustedServer()),
    faulty: await open(createFaultyServer()),
    ending: await open(createEndingServer()),
  }
  document = await fetchInterface(stage.live.server.client)
}, 120_000)
afterAll(async () => {
  for (const world of opened) await world.close()
})

// The rows of `successes` are the ids of the contract: its type says so, the first test below that the document agrees.
const ids = Object.keys(operations).map((id) => id as OperationId)

test('the document has the operations and the errors that are tried here', () => {
  expect(document.ids.toSorted()).toEqual(ids.toSorted())
  expect(Object.keys(successes).toSorted()).toEqual(ids.toSorted())
  const errors = (of: (id: OperationId) => ErrorCode[]) => Object.fromEntries(ids.map((id) => [id, of(id).toSorted()]))
  expect(errors(document.documentedErrors)).toEqual(errors((id) => errorsOf(operationOf(id))))
})

describe('success', () => {
  test.each(ids)('%s', async (id) => {
    const answer = await successes[id](stage)
    expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    expect(document.complaints(id, answer)).toEqual([])
  })

  test.each(ids.filter((id) => operationOf(id).streams?.[200] === 'text/event-stream'))(
    '%s as a stream',
    async (id) => {
      const answer = await (streams[id] ?? successes[id])(stage)
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream(;|$)/)
      expect(document.complaints(id, answer)).toEqual([])
      const isAi = id.startsWith('generate') || id === 'explainRun'
      const isEvent = Compile(isAi ? AiEvent : id === 'streamEvents' ? ServerEvent : LogLine)
      const sent = String(answer.body)
        .split('\n\n')
        // What follows the last empty line is an event that hasn't arrived whole.
        .slice(0, -1)
        .filter((block) => (isAi || /^id: \d+$/m.test(block)) && /^data: .+$/m.test(block))
        .map((block) => JSON.parse(/^data: (.+)$/m.exec(block)![1]!) as unknown)
      expect(sent.length).toBeGreaterThan(0)
      expect(sent.filter((event) => !isEvent.Check(event))).toEqual([])
    },
  )
})

describe('refusal', () => {
  const others = ids.flatMap((id) =>
    errorsOf(operationOf(id))
      .filter((code) => code !== 'INTERNAL_ERROR')
      .map((code) => [id, code] as const),
  )
  test.each(others)('%s: %s', async (id, code) => {
    const answer = await provoke(stage, id, code)
    expect(answer, `${id} ${JSON.stringify(answer.body)}`).toMatchObject({
      status: errorCodes[code].status,
      body: { error: code },
    })
    expect(document.complaints(id, answer)).toEqual([])
  })

  test('no row is left over', () => {
    const rows = Object.entries(ownRefusals).flatMap(([id, own]) => Object.keys(own).map((code) => ({ id, code })))
    const needless = rows.filter(({ id, code }) => !document.documentedErrors(id).some((known) => known === code))
    expect(needless).toEqual([])
  })
})

describe('a fault inside is opaque, and its cause is in the log under the id of the request', () => {
  beforeAll(() => stage.faulty.break())

  test.each(ids)('%s', async (id) => {
    const answer = await provoke(stage, id, 'INTERNAL_ERROR')
    expect(document.complaints(id, answer)).toEqual([])
    // Checked just now.
    const { request_id } = answer.body as { request_id: string }
    expect(answer.body).toEqual({ error: 'INTERNAL_ERROR', message: 'Internal error', request_id })
    const entry = stage.faulty.logged.find((line) => line['request_id'] === request_id)
    expect(entry).toMatchObject({ level: 'error', err: expect.stringContaining('The clock is broken') as unknown })
  })
})
