import { describe, expect, test } from 'vitest'
import {
  fillArguments,
  loopOf,
  readConfig,
  templateProblems,
  visibleHeaders,
} from '../../../src/server/features/event-triggers/event-triggers.rules.ts'
import { type SeenFile, compareFiles, waitMs } from '../../../src/server/features/event-triggers/file-arrival.rules.ts'

const now = Date.parse('2026-03-01T08:00:00Z')
const file = (path: string, size = 1, version = '1') => ({ path, size, version, modified_at: null })
const seenFile = (path: string, more: Partial<SeenFile> = {}): SeenFile => ({
  path,
  size: 1,
  version: '1',
  since: '2026-03-01T07:00:00.000Z',
  taken: 1,
  ...more,
})
const list = (...files: ReturnType<typeof file>[]) => ({ files, truncated: false })
const at = { first: false, now, settleMs: 10_000 }

describe('a look at files', () => {
  test('the first one takes down what is there, and starts nothing', () => {
    const look = compareFiles([], list(file('a'), file('b')), { ...at, first: true })
    expect(look).toMatchObject({ arrived: [], gone: [], settling: false })
    expect(look.changed.map(({ path, taken }) => [path, taken])).toEqual([
      ['a', 1],
      ['b', 1],
    ])
  })
  test('what was taken and is as it was is no news', () => {
    expect(compareFiles([seenFile('a')], list(file('a')), at)).toEqual({
      arrived: [],
      changed: [],
      gone: [],
      settling: false,
    })
  })
  test('a new file has to settle first', () => {
    const look = compareFiles([], list(file('a')), at)
    expect(look).toMatchObject({ arrived: [], settling: true })
    expect(look.changed).toEqual([seenFile('a', { since: '2026-03-01T08:00:00.000Z', taken: 0 })])
  })
  test('it has settled when it has been the same for long enough', () => {
    const waiting = seenFile('a', { taken: 0, since: '2026-03-01T07:59:50.000Z' })
    expect(compareFiles([waiting], list(file('a')), at)).toMatchObject({
      arrived: [file('a')],
      settling: false,
      changed: [{ taken: 1 }],
    })
    expect(compareFiles([waiting], list(file('a')), { ...at, now: now - 1 })).toMatchObject({
      arrived: [],
      changed: [],
      settling: true,
    })
  })
  test('what grows meanwhile settles anew; a change of a file that was taken is news', () => {
    const waiting = seenFile('a', { taken: 0, since: '2026-03-01T07:59:50.000Z' })
    const since = '2026-03-01T08:00:00.000Z'
    expect(compareFiles([waiting], list(file('a', 2)), at)).toMatchObject({
      arrived: [],
      changed: [{ size: 2, since, taken: 0 }],
    })
    expect(compareFiles([seenFile('a')], list(file('a', 1, '2')), at)).toMatchObject({
      arrived: [],
      changed: [{ version: '2', since, taken: 0 }],
    })
  })
  test('without time to settle a file has arrived when it is seen', () => {
    expect(compareFiles([], list(file('a')), { ...at, settleMs: 0 })).toMatchObject({
      arrived: [file('a')],
      settling: false,
    })
  })
  test('a file that is gone is new when it comes again; a list that was cut says nothing of that', () => {
    expect(compareFiles([seenFile('a')], list(), at).gone).toEqual(['a'])
    expect(compareFiles([seenFile('a')], { files: [], truncated: true }, at).gone).toEqual([])
  })
  test('while more match than are listed, the files that are known stay few enough to read', () => {
    const known = (count: number) => Array.from({ length: count }, (_, index) => seenFile(`f${index}`))
    const news = list(file('new'))
    expect(compareFiles(known(20_000), { ...news, truncated: true }, at).changed).toHaveLength(1)
    expect(compareFiles(known(20_001), { ...news, truncated: true }, at).changed).toEqual([])
    const all = compareFiles(known(20_001), news, at)
    expect([all.changed.length, all.gone.length]).toEqual([1, 20_001])
  })
  test('the next one comes sooner while files settle, and later after failures', () => {
    const config = { poll_seconds: 60, settle_seconds: 10 }
    expect(waitMs(config, { failures: 0, settling: false })).toBe(60_000)
    expect(waitMs(config, { failures: 0, settling: true })).toBe(10_000)
    expect([1, 2, 3, 4, 50].map((failures) => waitMs(config, { failures, settling: false }) / 60_000)).toEqual([
      2, 4, 8, 15, 15,
    ])
    expect(waitMs({ ...config, poll_seconds: 86_400 }, { failures: 9, settling: false })).toBe(86_400_000)
  })
})

describe('arguments', () => {
  const event = { body: { day: '2026-02-01', n: 3, evil: '${{ event.body.secret }}', secret: 's' } }
  test('are filled in with their types; what came is never evaluated itself', () => {
    const given = {
      day: '${{ event.body.day }}',
      n: '${{ event.body.n + 1 }}',
      text: 'n=${{ event.body.n }}',
      all: ['${{ event.body.evil }}', 1],
      gone: '${{ event.body.nothing }}',
    }
    expect(fillArguments(given, event, '2026-03-01T08:00:00Z')).toEqual({
      ok: true,
      values: { day: '2026-02-01', n: 4, text: 'n=3', all: ['${{ event.body.secret }}', 1], gone: null },
    })
  })
  test('that cannot be filled in are told with their place', () => {
    expect(fillArguments({ n: '${{ event.body.day * 2 }}', text: 'x ${{ event.gone }}' }, event, '')).toMatchObject({
      ok: false,
      details: [{ path: 'body.arguments.n' }, { path: 'body.arguments.text' }],
    })
  })
  test('share the steps that one expression may take', () => {
    const half = '${{ $count([1..20000][$ > 1][$ > 1][$ > 1]) }}'
    expect(fillArguments({ one: half }, event, '')).toEqual({ ok: true, values: { one: 19_999 } })
    expect(fillArguments({ all: Array.from({ length: 100 }, () => half) }, event, '')).toMatchObject({ ok: false })
  })
  test('may look at the event alone', () => {
    expect(templateProblems({ a: '${{ event.body }}', b: ['plain', 1, null] })).toEqual([])
    expect(templateProblems({ a: { b: ['${{ run.id }}'] }, c: '${{ event.', d: '${{ 1 + }}' })).toMatchObject([
      { path: 'body.arguments.a.b[0]', message: expect.stringContaining('`run`') as unknown },
      { path: 'body.arguments.c' },
      { path: 'body.arguments.d' },
    ])
  })
  test('headers that prove who called are not told', () => {
    expect(
      visibleHeaders({
        'X-Event': 'push',
        Authorization: 'Bearer x',
        cookie: 'a=b',
        accept: ['a', 'b'],
        none: undefined,
      }),
    ).toEqual({ 'x-event': 'push', accept: 'a, b' })
  })
})

describe('settings', () => {
  test('are those of the type, with their defaults', () => {
    expect(readConfig('webhook', {})).toEqual({ ok: true, config: {} })
    expect(readConfig('file_arrival', { connector_id: 1, glob: 'in/*.csv' })).toEqual({
      ok: true,
      config: { connector_id: 1, glob: 'in/*.csv', poll_seconds: 60, settle_seconds: 10 },
    })
    expect(readConfig('after_job', { job_id: 1 })).toEqual({ ok: true, config: { job_id: 1, on: ['completed'] } })
  })
  test.each([
    ['webhook', { job_id: 1 }, 'body.config.job_id'],
    ['file_arrival', {}, 'body.config.connector_id'],
    ['file_arrival', { connector_id: 1, glob: '../x' }, 'body.config.glob'],
    ['after_job', { connector_id: 1, glob: 'x' }, 'body.config.job_id'],
  ] as const)('%s does not take %j', (type, config, path) => {
    const verdict = readConfig(type, config)
    expect(verdict).toMatchObject({
      ok: false,
      details: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    })
  })
})

describe('jobs that start each other', () => {
  const links = [
    { from: 1, to: 2 },
    { from: 2, to: 3 },
    { from: 2, to: 4 },
    { from: 4, to: 2 },
  ]
  test('in a circle are named in order', () => {
    expect(loopOf(links, 3, 1)).toEqual([3, 1, 2, 3])
    expect(loopOf([], 5, 5)).toEqual([5, 5])
    expect(loopOf([{ from: 2, to: 1 }], 1, 2)).toEqual([1, 2, 1])
  })
  test('in a row are fine', () => {
    expect(loopOf(links, 3, 5)).toBeNull()
    expect(loopOf(links, 1, 3)).toBeNull()
  })
})
