import { expect, test } from 'vitest'
import { createQuerySlots } from '../../../src/server/features/dashboards/query-slots.ts'

function slotsWith(limits: Parameters<typeof createQuerySlots>[0] = {}) {
  const slots = createQuerySlots(limits)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const run = (name: string, user: 'people' | 'links', connectorId = 1) =>
    slots.run(connectorId, user, () => {
      started.push(name)
      return new Promise<void>((resolve) => ends.set(name, resolve))
    })
  /** Ends one, and waits until whoever is next has started. */
  const end = async (name: string) => {
    ends.get(name)?.()
    await new Promise(setImmediate)
  }
  return { started, run, end }
}

test('a flood of links leaves places to people, who go first', async () => {
  const { started, run, end } = slotsWith()
  const flood = Array.from({ length: 40 }, (_, at) => run(`link ${at}`, 'links', at))
  await new Promise(setImmediate)
  expect(started).toEqual(['link 0'])
  const people = [run('ada', 'people', 100), run('bo', 'people', 101), run('cy', 'people', 102)]
  await new Promise(setImmediate)
  expect(started).toEqual(['link 0', 'ada', 'bo'])
  await end('link 0')
  // A place that a link leaves is given to a person who waits.
  expect(started).toEqual(['link 0', 'ada', 'bo', 'cy'])
  await end('ada')
  expect(started.at(-1)).toBe('link 1')
  expect([flood.length, people.length]).toEqual([40, 3])
})

test('links that are too many are refused, and people still wait for their turn', async () => {
  const { started, run, end } = slotsWith({ together: 1, mostWaiting: 2 })
  const first = run('ada', 'people')
  const waiting = [run('link 0', 'links'), run('link 1', 'links')]
  await expect(run('link 2', 'links')).rejects.toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 5 })
  const second = run('bo', 'people')
  await end('ada')
  await first
  expect(started).toEqual(['ada', 'bo'])
  await end('bo')
  await second
  await end('link 0')
  await end('link 1')
  await Promise.all(waiting)
  expect(started).toEqual(['ada', 'bo', 'link 0', 'link 1'])
})

test('a connector has two at a time, whoever asks', async () => {
  const { started, run, end } = slotsWith()
  void run('ada', 'people')
  void run('link', 'links')
  void run('bo', 'people')
  await new Promise(setImmediate)
  expect(started).toEqual(['ada', 'link'])
  await end('link')
  expect(started).toEqual(['ada', 'link', 'bo'])
})
