import fc from 'fast-check'
import { request as httpRequest } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { LogEntry, RunPlan } from '../../../src/contract/executor-protocol.ts'
import type { LogPage } from '../../../src/contract/runs.ts'
import { chunkSieve, chunkText, decodeLines, encodeChunks } from '../../../src/server/features/runs/run-logs.codec.ts'
import { type ControlPlane, controlPlane } from './control-plane.ts'
import { type FakeExecutor, at, fakeExecutor, line } from './fake-executor.ts'

async function runningRun(): Promise<{ plane: ControlPlane; executor: FakeExecutor; plan: RunPlan; path: string }> {
  const plane = await controlPlane()
  const executor = await fakeExecutor(plane)
  const { id } = await plane.trigger()
  const plan = (await executor.claim()).runs[0]!
  return { plane, executor, plan, path: `/api/runs/${id}/logs` }
}

const numbers = (page: unknown) => (page as LogPage).lines.map((one) => one.line)

describe('the codec', () => {
  const entry: fc.Arbitrary<LogEntry> = fc.record({
    at: fc.constant(at),
    level: fc.constantFrom('debug', 'info', 'warn', 'error'),
    step: fc.option(fc.string({ unit: 'binary' }), { nil: null }),
    message: fc.oneof(fc.string({ unit: 'binary' }), fc.string({ minLength: 3000, maxLength: 5000 })),
  })
  test('gives back every line, character for character', () => {
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 60 }), (entries) => {
        let next = 1
        const lines = encodeChunks(entries).flatMap((chunk) => {
          const first_line = next
          next += chunk.line_count
          return decodeLines(chunkText(chunk), { first_line, attempt: 1 }, 1, Infinity)
        })
        expect(lines).toEqual(entries.map((one, i) => ({ line: i + 1, attempt: 1, ...one })))
      }),
      { numRuns: 200 },
    )
  })
  test('the sieve never drops a chunk in which a message holds the text, in any case', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: 'grapheme', minLength: 1 }),
        fc.string(),
        (a, q, b) => {
          const message = `${a}${q}${b}`
          fc.pre(message.toLowerCase().includes(q.toLowerCase()))
          const [chunk] = encodeChunks([line(message)])
          expect(
            chunkSieve(q.toUpperCase().toLowerCase() === q.toLowerCase() ? q.toUpperCase() : q)(chunkText(chunk!)),
          ).toBe(true)
        },
      ),
    )
  })
  test('cuts large batches, so that a page never decodes much more than it shows', () => {
    const chunks = encodeChunks(Array.from({ length: 10_000 }, (_, i) => line(`line ${i}`)))
    expect(chunks.reduce((sum, chunk) => sum + chunk.line_count, 0)).toBe(10_000)
    expect(Math.max(...chunks.map((chunk) => chunk.line_count))).toBeLessThanOrEqual(1000)
  })
})

describe('batches', () => {
  test('the same one twice is there once; one out of turn is refused with the number expected', async () => {
    const { plane, executor, plan, path } = await runningRun()
    for (const seq of [1, 1, 2, 1, 2]) {
      expect(await executor.logs(plan, seq, [line(`batch ${seq}`)])).toMatchObject({
        status: 200,
        body: { accepted: true },
      })
    }
    expect(await executor.logs(plan, 5, [line('too early')])).toMatchObject({
      status: 409,
      body: {
        error: 'CONFLICT',
        details: [{ path: 'body.seq', message: 'expected 3', code: 'batch_expected', params: { expected: 3 } }],
      },
    })
    const gap = await executor.complete(plan, { logs: { seq: 4, lines: [line('too early')] } })
    expect(gap).toMatchObject({ status: 409, body: { details: [{ path: 'body.logs.seq', code: 'batch_expected' }] } })
    expect(await plane.run(plan.run_id)).toMatchObject({ status: 'running' })
    await executor.complete(plan, { logs: { seq: 3, lines: [line('last')] } })
    expect((await executor.logs(plan, 2, [line('batch 2')])).status).toBe(200)
    expect((await executor.logs(plan, 4, [line('after the end')])).status).toBe(409)
    const { lines } = (await plane.editor.get(path)).body as LogPage
    expect(lines.map(({ line: number, message }) => [number, message])).toEqual([
      [1, 'batch 1'],
      [2, 'batch 2'],
      [3, 'last'],
    ])
  })

  test('of another lease are refused', async () => {
    const { executor, plan } = await runningRun()
    expect((await executor.logs({ ...plan, lease_token: 'guess' }, 1, [line('x')])).status).toBe(409)
    expect((await executor.logs({ ...plan, attempt: 2 }, 1, [line('x')])).status).toBe(409)
    expect((await executor.logs({ ...plan, run_id: 999 }, 1, [line('x')])).status).toBe(404)
  })
})

describe('reading', () => {
  async function filled() {
    const made = await runningRun()
    const levels = ['debug', 'info', 'warn', 'error'] as const
    for (let seq = 1; seq <= 5; seq++) {
      const lines = Array.from({ length: 500 }, (_, i) => {
        const n = (seq - 1) * 500 + i + 1
        return line(n % 1000 === 0 ? `Needle "${n}"` : `hay ${n}`, levels[n % 4])
      })
      await made.executor.logs(made.plan, seq, lines)
    }
    return made
  }

  test('pages forwards and backwards, by number, to the end', async () => {
    const { plane, path, executor, plan } = await filled()
    const get = async (query: Record<string, string | number>) =>
      (await plane.editor.get(path, { query })).body as LogPage
    const first = await get({})
    expect([first.lines.length, first.next_after, first.total_lines, first.finished]).toEqual([1000, 1000, 2500, false])
    const middle = await get({ after: 998, limit: 4 })
    expect([numbers(middle), middle.next_after]).toEqual([[999, 1000, 1001, 1002], 1002])
    const last = await get({ after: 2498, limit: 4 })
    expect([numbers(last), last.next_after]).toEqual([[2499, 2500], null])
    expect(numbers(await get({ before: 2501, limit: 3 }))).toEqual([2498, 2499, 2500])
    expect(numbers(await get({ before: 502, limit: 4 }))).toEqual([498, 499, 500, 501])
    expect(numbers(await get({ before: 3, limit: 10 }))).toEqual([1, 2])
    expect(numbers(await get({ after: 10, before: 13 }))).toEqual([11, 12])
    expect(numbers(await get({ after: 9999 }))).toEqual([])
    await executor.complete(plan)
    expect((await get({ limit: 1 })).finished).toBe(true)
  })

  test('searches the whole log in any case, by level and graver ones', async () => {
    const { plane, path } = await filled()
    const get = async (query: Record<string, string | number>) =>
      (await plane.editor.get(path, { query })).body as LogPage
    expect(numbers(await get({ q: 'nEEdle' }))).toEqual([1000, 2000])
    expect(numbers(await get({ q: 'needle', limit: 1 }))).toEqual([1000])
    expect(numbers(await get({ q: 'needle', after: 1000 }))).toEqual([2000])
    expect(numbers(await get({ q: 'needle', before: 2000 }))).toEqual([1000])
    expect(numbers(await get({ q: '"2000"' }))).toEqual([2000])
    expect(numbers(await get({ q: 'nothing like it' }))).toEqual([])
    expect(numbers(await get({ level: 'error', limit: 3 }))).toEqual([3, 7, 11])
    expect(numbers(await get({ level: 'warn', before: 9, limit: 3 }))).toEqual([3, 6, 7])
    expect(numbers(await get({ level: 'error', q: 'hay 27', limit: 2 }))).toEqual([27, 271])
  })

  test('the download is the whole log as text', async () => {
    const { plane, executor, plan, path } = await runningRun()
    await executor.logs(plan, 1, [line('one'), line('two\nlines', 'warn', 'cast')])
    const answer = await plane.editor.get(`${path}/download`)
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('content-disposition')).toContain(`run-${plan.run_id}.log`)
    expect(answer.body).toBe(`${at} INFO  one\n${at} WARN  [cast] two\nlines\n`)
    expect((await plane.editor.get('/api/runs/999/logs/download')).status).toBe(404)
    expect((await plane.editor.get('/api/runs/999/logs')).status).toBe(404)
  })
})

describe('a log of which lines are missing', () => {
  const lines = 200_000
  const perBatch = 10_000
  async function holed(where: string) {
    const made = await runningRun()
    for (let seq = 1; seq <= lines / perBatch; seq++) {
      const batch = Array.from({ length: perBatch }, (_, i) =>
        line(`${'x'.repeat(100)} ${(seq - 1) * perBatch + i + 1}`),
      )
      expect((await made.executor.logs(made.plan, seq, batch)).status).toBe(200)
    }
    await made.executor.complete(made.plan)
    const { changes } = made.plane.platform.store.sqlite
      .prepare(`DELETE FROM run_log_chunks WHERE run_id = ? AND ${where}`)
      .run(made.plan.run_id)
    expect(changes).toBeGreaterThan(0)
    const download = () => fetch(`${made.plane.url}${made.path}/download`, { headers: made.plane.editor.headers })
    return { ...made, download }
  }

  test('in its middle is a broken download, and a page that is refused with the place', async () => {
    const { plane, path, download } = await holed('first_line BETWEEN 150000 AND 152000')
    const answer = await download()
    expect(answer.status).toBe(200)
    await expect(answer.text()).rejects.toThrow('terminated')
    const page = await plane.editor.get(path, { query: { after: 149_000, limit: 5_000 } })
    expect(page).toMatchObject({
      status: 404,
      body: {
        message: 'Resource not found',
        details: [
          {
            path: 'request',
            message: expect.stringMatching(
              /^Lines 150\d{3} to 15[12]\d{3} of the log of run #\d+ are missing/,
            ) as unknown,
          },
        ],
      },
    })
    const back = await plane.editor.get(path, { query: { before: 153_000, limit: 5_000 } })
    expect(back.status).toBe(404)
    // What is there can be read.
    expect(numbers((await plane.editor.get(path, { query: { after: 199_990 } })).body)).toHaveLength(10)
    expect(numbers((await plane.editor.get(path, { query: { after: 140_000, q: ' 199999' } })).body)).toEqual([199_999])
  })

  test('at its end is a broken download, and at its beginning is refused', async () => {
    const { plane, path, download } = await holed('first_line > 190000')
    await expect(download().then((answer) => answer.text())).rejects.toThrow('terminated')
    expect((await plane.editor.get(path, { query: { after: 199_000 } })).status).toBe(404)
    plane.platform.store.sqlite.prepare('DELETE FROM run_log_chunks WHERE first_line < 5000').run()
    expect((await download()).status).toBe(404)
    expect((await plane.editor.get(path)).status).toBe(404)
  })
})

interface Event {
  id?: number
  event: string
}

/** Reads server-sent events until `done`. */
function events(plane: ControlPlane, path: string, headers: Record<string, string>, done: (seen: Event[]) => boolean) {
  return new Promise<Event[]>((resolve, reject) => {
    const seen: Event[] = []
    let text = ''
    const request = httpRequest(
      `${plane.url}${path}`,
      { headers: { accept: 'text/event-stream', ...headers } },
      (answer) => {
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => {
          text += chunk
          const blocks = text.split('\n\n')
          text = blocks.pop()!
          for (const block of blocks) {
            const fields = Object.fromEntries(block.split('\n').map((one) => one.split(/: ?/, 2) as [string, string]))
            if (fields.event) seen.push({ event: fields.event, ...(fields.id && { id: Number(fields.id) }) })
          }
          if (done(seen)) {
            resolve(seen)
            request.destroy()
          }
        })
        answer.on('end', () => resolve(seen))
      },
    )
    request.on('error', (error) => (done(seen) ? resolve(seen) : reject(error)))
    request.end()
    onTestFinished(() => void request.destroy())
  })
}

describe('following', () => {
  async function bearer(plane: ControlPlane): Promise<Record<string, string>> {
    const { body } = await plane.editor.post('/api/api-keys', { name: 'follow' })
    return { authorization: `Bearer ${(body as { key: string }).key}` }
  }

  test('gives every line once, from before and after it began, and ends with the run', async () => {
    const { plane, executor, plan, path } = await runningRun()
    const headers = await bearer(plane)
    await executor.logs(plan, 1, [line('1'), line('2')])
    const all = events(plane, path, headers, (seen) => seen.some((one) => one.event === 'end'))
    for (let seq = 2; seq <= 30; seq++) await executor.logs(plan, seq, [line('a'), line('b')])
    await executor.complete(plan, { logs: { seq: 31, lines: [line('last')] } })
    const seen = await all
    expect(seen.at(-1)).toEqual({ event: 'end' })
    expect(seen.slice(0, -1).map((one) => one.id)).toEqual(Array.from({ length: 61 }, (_, i) => i + 1))
  })

  test('resumes behind Last-Event-ID', async () => {
    const { plane, executor, plan, path } = await runningRun()
    await executor.complete(plan, { logs: { seq: 1, lines: [line('1'), line('2'), line('3')] } })
    const headers = { ...(await bearer(plane)), 'last-event-id': '2' }
    const seen = await events(plane, path, headers, () => false)
    expect(seen).toEqual([{ event: 'line', id: 3 }, { event: 'end' }])
  })

  test('of a run that vanishes fails, and does not end as if the run had ended', async () => {
    const { plane, executor, plan } = await runningRun()
    await executor.logs(plan, 1, [line('1')])
    const following = plane.services.runs.logs.follow(plan.run_id, 0, {}, new AbortController().signal)
    expect((await following.next()).value).toHaveLength(1)
    await executor.logs(plan, 2, [line('2')])
    const { sqlite } = plane.platform.store
    sqlite.pragma('foreign_keys = OFF')
    sqlite.prepare('DELETE FROM runs WHERE id = ?').run(plan.run_id)
    await expect(following.next()).rejects.toMatchObject({ code: 'NOT_FOUND' })
  })

  test('ends when the server drains, and leaves nobody waiting', async () => {
    const { plane, executor, plan, path } = await runningRun()
    await executor.logs(plan, 1, [line('1')])
    const headers = await bearer(plane)
    let began: () => void
    const beginning = new Promise<void>((resolve) => (began = resolve))
    const stream = events(plane, path, headers, (seen) => {
      if (seen.length > 0) began()
      return false
    })
    await beginning
    await plane.close()
    expect(await stream).toEqual([{ event: 'line', id: 1 }])
  })
})
