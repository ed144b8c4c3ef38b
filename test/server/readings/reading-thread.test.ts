import { expect, test, vi } from 'vitest'
import { createReadingThread } from '../../../src/server/features/readings/reading-thread.ts'

const wanted = { name: 'task' as const, text: 'etl: 1', alone: true, answers: new Map() }
const never = new AbortController().signal

test('the thread ends when no text came for a while, and starts again with the next', { timeout: 20_000 }, async () => {
  const thread = createReadingThread({ idleMs: 1 })
  expect(thread.isRunning()).toBe(false)
  expect(await thread.read(wanted, never)).toHaveProperty('read')
  await vi.waitFor(() => expect(thread.isRunning()).toBe(false), 10_000)
  expect(await thread.read(wanted, never)).toHaveProperty('read')
})

test(
  'a thread that crashes fails the text that it reads; those that wait are read by another one',
  { timeout: 20_000 },
  async () => {
    const thread = createReadingThread()
    const crash = { ...wanted, text: null as unknown as string } // nothing that a caller can send: it throws in the thread
    const results = await Promise.allSettled([
      thread.read(wanted, never),
      thread.read(crash, never),
      thread.read(wanted, never),
      thread.read(crash, never),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
    expect(await thread.read(wanted, never)).toHaveProperty('read')
  },
)

test('a text whose caller has left is not read, and those behind it are', { timeout: 20_000 }, async () => {
  const thread = createReadingThread()
  const gone = new AbortController()
  const first = thread.read(wanted, never)
  const second = thread.read(wanted, gone.signal)
  const third = thread.read(wanted, never)
  gone.abort(new Error('left'))
  await expect(second).rejects.toThrow('left')
  expect(await first).toHaveProperty('read')
  expect(await third).toHaveProperty('read')
})
