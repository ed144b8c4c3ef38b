// Every operation succeeds at least once and gives every error that it is said to give; each answer is held against the
// document that the server itself serves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ServerEvent } from '../../src/contract/events.ts'
import { LogLine } from '../../src/contract/runs.ts'
import { errorCodes } from '../../src/contract/errors.ts'
import { type OperationId, operations } from '../../src/contract/operations.ts'
import { errorsOf } from '../../src/server/features/docs/openapi.ts'
import { Compile } from 'typebox/schema'
import { type RefusalStage, ownRefusals, sharedRefusals } from './refusals.ts'
import { streams, successes } from './successes.ts'
import { type Interface, checkError, fetchInterface } from './support/interface.ts'
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
  for (const id of ids)
    expect(document.documentedErrors(id).toSorted(), id).toEqual(errorsOf(operationOf(id)).toSorted())
})

describe('success', () => {
  test.each(ids)('%s', async (id) => {
    const answer = await successes[id](stage)
    expect(answer.status, `${id}: ${JSON.stringify(answer.body)}`).toBeLessThan(300)
    document.check(id, answer)
  })

  test.each(ids.filter((id) => operationOf(id).streams?.[200] === 'text/event-stream'))(
    '%s as a stream',
    async (id) => {
      const answer = await (streams[id] ?? successes[id])(stage)
      expect(answer.headers.get('content-type')).toMatch(/^text\/event-stream(;|$)/)
      document.check(id, answer)
      const isEvent = Compile(id === 'streamEvents' ? ServerEvent : LogLine)
      const sent = String(answer.body)
        .split('\n\n')
        .filter((block) => /^id: \d+$/m.test(block) && /^data: .+$/m.test(block))
        .map((block) => JSON.parse(/^data: (.+)$/m.exec(block)![1]!) as unknown)
      expect(sent.length).toBeGreaterThan(0)
      for (const event of sent) expect(isEvent.Errors(event)[1], JSON.stringify(event)).toEqual([])
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
    const provoke = ownRefusals[id]?.[code] ?? sharedRefusals[code]
    if (!provoke) expect.fail(`There is no row that provokes ${code} of ${id}`)
    const answer = await provoke(stage, id)
    expect(answer, `${id} ${JSON.stringify(answer.body)}`).toMatchObject({
      status: errorCodes[code].status,
      body: { error: code },
    })
    document.check(id, answer)
    checkError(id, answer)
  })

  test('no row is left over', () => {
    for (const [id, rows] of Object.entries(ownRefusals)) {
      expect(document.documentedErrors(id), id).toEqual(expect.arrayContaining(Object.keys(rows)))
    }
  })
})

describe('a fault inside is opaque, and its cause is in the log under the id of the request', () => {
  beforeAll(() => stage.faulty.break())

  test.each(ids)('%s', async (id) => {
    const answer = await sharedRefusals.INTERNAL_ERROR!(stage, id)
    document.check(id, answer)
    // Checked just now.
    const { request_id } = answer.body as { request_id: string }
    expect(answer.body).toEqual({ error: 'INTERNAL_ERROR', message: 'Internal error', request_id })
    const entry = stage.faulty.logged.find((line) => line['request_id'] === request_id)
    expect(entry).toMatchObject({ level: 'error', err: expect.stringContaining('The clock is broken') as unknown })
  })
})
