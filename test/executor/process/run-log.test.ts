import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { LogEntry } from '../../../src/contract/executor-protocol.ts'
import { logLimits, RunLog, splitMessage } from '../../../src/executor/workers/run-log.ts'

let folder: string
let spools = 0
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'headgate-run-log-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function makeLog(redact: (text: string) => string = (text) => text) {
  const batches: { lines: LogEntry[]; bytes: number }[] = []
  const log = new RunLog({
    redact,
    send: (lines, bytes) => void batches.push({ lines, bytes }),
    spoolPath: join(folder, `spool-${++spools}`),
  })
  /** The control plane takes everything, batch by batch, as it comes. */
  let taken = 0
  const takeAll = (): void => {
    while (taken < batches.length) log.taken(batches[taken++]!.bytes)
  }
  const messages = (rest: LogEntry[]): string[] =>
    [...batches.flatMap(({ lines }) => lines), ...rest].map((line) => line.message)
  return { log, batches, takeAll, messages }
}

describe('RunLog', () => {
  test('gives the few lines of a short run with its end, in no batch', async () => {
    const { log, batches } = makeLog()
    log.add('info', 'one')
    log.add('warn', 'two', 'filter')
    const rest = await log.finish()
    expect(rest).toMatchObject([
      { level: 'info', step: null, message: 'one' },
      { level: 'warn', step: 'filter', message: 'two' },
    ])
    expect(batches).toEqual([])
  })

  test('sends what waits after a short while', async () => {
    const { log, batches } = makeLog()
    log.add('info', 'somebody watches')
    await expect.poll(() => batches).toMatchObject([{ lines: [{ message: 'somebody watches' }] }])
    expect(await log.finish()).toEqual([])
  })

  test('has no more under way than its window, and no more in memory than its limit', () => {
    const { log, batches } = makeLog()
    for (let n = 0; n < 20_000; n++) log.add('info', 'x'.repeat(1_000))
    const sent = batches.reduce((sum, { bytes }) => sum + bytes, 0)
    expect(sent).toBeLessThan(logLimits.windowBytes + 2 * logLimits.batchBytes)
    for (const { lines, bytes } of batches) {
      expect(lines.length).toBeLessThanOrEqual(logLimits.batchLines)
      expect(bytes).toBeLessThan(logLimits.batchBytes + 2_000)
    }
  })

  test('lets whoever waits for room go on only when the control plane has caught up', async () => {
    const { log, takeAll } = makeLog()
    await log.room()
    for (let n = 0; n < 5_000; n++) log.add('info', 'x'.repeat(1_000))
    let room = false
    const waiting = log.room().then(() => (room = true))
    await new Promise(setImmediate)
    expect(room).toBe(false)
    takeAll()
    await waiting
    expect(room).toBe(true)
  })

  test('keeps every line, whole and in order, whatever their sizes and whenever they are taken', async () => {
    const size = fc.oneof(fc.nat(200), fc.nat(20_000), fc.nat(200_000))
    const action = fc.oneof({ weight: 9, arbitrary: size }, { weight: 1, arbitrary: fc.constant('take' as const) })
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 120 }), async (actions) => {
        const { log, takeAll, messages } = makeLog()
        const written: string[] = []
        for (const [n, one] of actions.entries()) {
          if (one === 'take') {
            takeAll()
          } else {
            written.push(`${n} ${'ü'.repeat(one)}`)
            log.add('info', written.at(-1)!)
          }
        }
        const finished = log.finish()
        takeAll()
        expect(messages(await finished).join('')).toBe(written.join(''))
      }),
      { numRuns: 30 },
    )
  })
})

describe('splitMessage', () => {
  test('gives parts within the limit that make the whole again, with no character cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 9 }), (text, limit) => {
        const parts = splitMessage(text, limit)
        expect(parts.join('')).toBe(text)
        for (const part of parts) {
          expect(part.length).toBeLessThanOrEqual(limit)
          expect(part.isWellFormed()).toBe(true)
        }
      }),
    )
  })
})
