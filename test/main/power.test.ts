import { expect, test } from 'vitest'
import { keepAwake, watchPower, type PowerEvent } from '../../src/main/background/power.ts'

function world() {
  const told: string[] = []
  const listeners = new Map<PowerEvent, (event?: { preventDefault(): void }) => void>()
  let now = 1_000_000
  let tick = (): void => {}
  watchPower({
    on: (event, listener) => void listeners.set(event, listener),
    toServer: ({ type }) => void told.push(`server ${type}`),
    toExecutor: ({ type }) => void told.push(`executor ${type}`),
    onShutdown: () => void told.push('shutdown'),
    onLock: () => void told.push('lock'),
    log: () => {},
    now: () => now,
    every: (_ms, callback) => (tick = callback),
  })
  return {
    told,
    emit: (event: PowerEvent, given?: { preventDefault(): void }) => listeners.get(event)?.(given),
    /** A tick that comes after so many seconds. */
    after(seconds: number) {
      now += seconds * 1000
      tick()
    },
  }
}

test('the executor hears before a sleep, both hear after it', () => {
  const { told, emit, after } = world()
  emit('suspend')
  expect(told).toEqual(['executor sleeps'])
  emit('resume')
  expect(told).toEqual(['executor sleeps', 'executor woke', 'server woke'])
  after(5)
  expect(told).toHaveLength(3)
})

test('a sleep that no system told of shows by the gap', () => {
  const { told, after } = world()
  after(5)
  after(19)
  expect(told).toEqual([])
  after(3_600)
  expect(told).toEqual(['executor woke', 'server woke'])
})

test('a machine that was to sleep and did not is awake again soon', () => {
  const { told, emit, after } = world()
  emit('suspend')
  after(5)
  after(5)
  expect(told).toEqual(['executor sleeps'])
  after(5)
  expect(told).toEqual(['executor sleeps', 'executor woke', 'server woke'])
})

test('a shutdown of the system waits for the processes; its lock is passed on', () => {
  const { told, emit } = world()
  let waits = false
  emit('shutdown', { preventDefault: () => void (waits = true) })
  emit('shutdown')
  emit('lock-screen')
  expect(waits).toBe(true)
  expect(told).toEqual(['shutdown', 'shutdown', 'lock'])
})

test('the machine is kept awake while it is wanted, with one blocker', () => {
  const started = new Set<number>()
  let last = 0
  const blocker = {
    start: () => {
      started.add(++last)
      return last
    },
    stop: (id: number) => started.delete(id),
  }
  const awake = keepAwake(blocker)
  awake(true)
  awake(true)
  expect([...started]).toEqual([1])
  awake(false)
  awake(false)
  expect([...started]).toEqual([])
  awake(true)
  expect([...started]).toEqual([2])
})
