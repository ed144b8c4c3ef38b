import { afterEach, expect, it, vi } from 'vitest'
import type { FromMap, ToMap } from '../../../src/executor/sandbox/sandbox.types.ts'
import { startMapper, type Mapper } from '../../../src/executor/sandbox/mapper.ts'
import type { ThreadOptions } from '../../../src/executor/sandbox/thread.ts'

/** A thread that does what a test says: the real one never answers less than it was given. */
let answer: (message: ToMap, options: ThreadOptions<FromMap>) => void
vi.mock('../../../src/executor/sandbox/thread.ts', () => ({
  startThread: (options: ThreadOptions<FromMap>) => ({
    send: (message: ToMap) => queueMicrotask(() => answer(message, options)),
    end: async () => undefined,
  }),
}))

let mapper: Mapper
afterEach(() => mapper.end())

function start(): Mapper {
  mapper = startMapper({
    expression: '{"id": id}',
    timeoutMs: 60_000,
    columns: ['id'],
    json: [],
    signal: new AbortController().signal,
    stage: 1,
    take: async () => undefined,
  })
  return mapper
}

const batch = [[1, 2, 3]]

it.each<[string, FromMap[]]>([
  ['fewer rows than it was given', [{ type: 'done', rows: 2, records: 0 }]],
  ['fewer records than it made', [{ type: 'done', rows: 3, records: 3 }]],
])('a thread that answers %s fails the step', async (_, messages) => {
  answer = (message, { hear }) => {
    if (message.type === 'batch') for (const one of messages) hear(one)
  }
  await start().add(batch, 3)
  await expect(mapper.finish()).rejects.toMatchObject({ code: 'ROWS_UNACCOUNTED', stage: 1 })
})

it('a thread that ends in the middle, with code 0, fails the step', async () => {
  answer = (message, { lost }) => {
    if (message.type === 'batch') lost('crash', new Error('the thread ended with code 0'))
  }
  await start().add(batch, 3)
  await expect(mapper.finish()).rejects.toMatchObject({ code: 'INTERNAL_ERROR', stage: 1 })
})

it('a batch without one of its values is not given to the thread', async () => {
  answer = () => undefined
  await expect(start().add([[1, 2]], 3)).rejects.toMatchObject({ code: 'ROWS_UNACCOUNTED' })
})

it('a thread that answers every row is believed', async () => {
  answer = (message, { hear }) => {
    if (message.type === 'batch') hear({ type: 'records', records: [{ id: 1 }], rows: [0] })
    else hear({ type: 'done', rows: 3, records: 1 })
  }
  await start().add(batch, 3)
  await expect(mapper.finish()).resolves.toBeUndefined()
})
