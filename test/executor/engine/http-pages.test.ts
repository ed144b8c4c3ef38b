import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { nextLink } from '../../../src/executor/connectors/web/link-header.ts'
import {
  answer,
  json,
  startMisbehavingHttp,
  type Behaviour,
  type MisbehavingHttp,
} from '../../support/misbehaving-http.ts'
import { webConnector } from './http-connector.ts'
import { fileConnector, runTask, temporaryFolder } from './run-task.ts'

/** How the pages of an API end, and what is no end of them. */

let server: MisbehavingHttp
beforeEach(async () => {
  server = await startMisbehavingHttp()
})
afterEach(() => server.stop())

async function read(http: string) {
  const out = temporaryFolder()
  const run = await runTask(
    `etl: 1
kind: pipeline
name: read
connectors: {api: {type: http}, out: {type: file, access: write}}
source: {connector: api, http: {path: /rows, ${http}}}
target: {connector: out, file: {path: rows.jsonl}}
`,
    {
      api: webConnector(server.url, { auth: 'api_key', api_key_in: 'query' }, { api_key: 'top-secret' }),
      out: fileConnector(out),
    },
  )
  const file = join(out, 'rows.jsonl')
  const written = existsSync(file)
  const ids = (): number[] =>
    readFileSync(file, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
  return { ...run, written, ids }
}

interface Pages {
  count: number
  size: number
  /** In place of a page; it is called with what that page would have been. */
  odd?: (page: number, sound: object) => Behaviour | undefined
}

const idsOf = (page: number, size: number): { id: number }[] =>
  Array.from({ length: size }, (_, at) => ({ id: page * size + at }))

const kinds = ['page', 'offset', 'cursor', 'cursor with has_more', 'link', 'next_url'] as const
type Kind = (typeof kinds)[number]
const named: readonly Kind[] = ['cursor', 'cursor with has_more', 'link', 'next_url']
const paginate: Record<Kind, string> = {
  page: 'kind: page, param: page, start: 0',
  offset: 'kind: offset, param: offset',
  cursor: 'kind: cursor, from: next, param: cursor',
  'cursor with has_more': 'kind: cursor, from: next, param: cursor, has_more: more',
  link: 'kind: link',
  next_url: 'kind: next_url, from: next',
}
const task = (kind: Kind, more = ''): string => `records: data, paginate: {${paginate[kind]}, max_pages: 500${more}}`

/** Serves `count` pages of `size` records in the way of a kind. */
function serve(kind: Kind, { count, size, odd }: Pages): void {
  server.on('/rows', (response, request, times) => {
    const { query } = request
    const page =
      kind === 'offset' ? Number(query.get('offset')) / size : Number(query.get('page') ?? query.get('cursor') ?? '0')
    const isLast = page + 1 >= count
    const data = page < count ? idsOf(page, size) : []
    const next = kind === 'next_url' ? `/rows?page=${page + 1}` : String(page + 1)
    const body = {
      data,
      ...(kind === 'page' || kind === 'offset' || kind === 'link' ? {} : { next: isLast ? null : next }),
      ...(kind === 'cursor with has_more' ? { more: !isLast } : {}),
    }
    const headers: Record<string, string> =
      kind === 'link' && !isLast ? { link: `</rows?page=${page + 1}>; rel="next"` } : {}
    const behave = odd?.(page, body) ?? json(body, { headers })
    behave(response, request, times)
  })
}

describe('200,000 rows of 100 pages', () => {
  const many = { count: 100, size: 2000 }

  it.each(kinds)('by %s arrive once each', async (kind) => {
    serve(kind, many)
    const run = await read(task(kind))
    expect(run.error).toBeUndefined()
    const ids = run.ids()
    expect(ids).toHaveLength(200_000)
    expect(ids.every((id, at) => id === at)).toBe(true)
  })

  it.each(kinds)('by %s whose last page but one comes twice fail', async (kind) => {
    serve(kind, {
      ...many,
      odd: (page, sound) => (page === 99 ? json({ ...sound, data: idsOf(98, 2000) }) : undefined),
    })
    const run = await read(task(kind))
    expect(run.error).toMatchObject({
      code: 'PAGES_INVALID',
      step: 'source',
      message: expect.stringContaining('gave the records of an earlier page again') as string,
      hint: expect.stringContaining('`allow_repeats: true`') as string,
    })
    expect(run.written).toBe(false)
  })

  it.each([
    ['204', answer('', { status: 204 })],
    ['null', json({ data: null })],
  ])('by links whose last page is %s fail', async (_, last) => {
    serve('link', { ...many, odd: (page) => (page === 99 ? last : undefined) })
    const run = await read(task('link'))
    expect(run.error).toMatchObject({ code: 'PAGES_INVALID' })
    expect(run.written).toBe(false)
  })
})

describe('a page without a list', () => {
  const few = { count: 4, size: 3 }
  const odd = {
    '204': (_: object) => answer('', { status: 204 }),
    '205': (_: object) => answer('', { status: 205 }),
    'null and nothing else': (_: object) => json({ data: null }),
    'null and where to go on': (sound: object) =>
      json({ ...sound, data: null }, { headers: { link: '</rows?page=3>; rel="next"' } }),
  }

  it.each(named.flatMap((kind) => Object.keys(odd).map((what) => [kind, what as keyof typeof odd] as const)))(
    'by %s is no end: %s',
    async (kind, what) => {
      serve(kind, { ...few, odd: (page, sound) => (page === 2 ? odd[what](sound) : undefined) })
      const run = await read(task(kind))
      expect(run.error).toMatchObject({
        code: 'PAGES_INVALID',
        message: expect.stringMatching(
          /^GET http:\/\/127\.0\.0\.1:\d+\/rows\?(page|cursor)=2 answered 20[045] [\w ]+ without a list of records, and there may be more pages$/,
        ) as string,
      })
      expect(run.written).toBe(false)
    },
  )

  it.each(['page', 'offset'] as const)('by %s ends the pages only if the next one agrees', async (kind) => {
    for (const what of ['204', 'null and nothing else'] as const) {
      serve(kind, { ...few, odd: (page) => (page >= 4 ? odd[what]({}) : undefined) })
      const sound = await read(task(kind))
      expect(sound.error).toBeUndefined()
      expect(sound.ids()).toHaveLength(12)
      let left = true
      serve(kind, {
        ...few,
        odd(page) {
          if (page !== 2 || !left) return undefined
          left = false // an offset asks for the same page again
          return odd[what]({})
        },
      })
      const gap = await read(task(kind))
      expect(gap.error).toMatchObject({
        code: 'PAGES_INVALID',
        message: expect.stringMatching(/=(2|6) gave no list of records, but there are more at GET/) as string,
      })
    }
  })

  it.each([
    ['cursor', { data: null, next: null }],
    ['cursor', { data: null, next: '' }],
    ['cursor with has_more', { data: null, more: false }],
    ['next_url', { data: null, next: null }],
  ] as const)('by %s that says itself that it is the last ends the pages: %j', async (kind, last) => {
    serve(kind, { ...few, count: 5, odd: (page) => (page === 4 ? json(last) : undefined) })
    const run = await read(task(kind))
    expect(run.error).toBeUndefined()
    expect(run.ids()).toHaveLength(12)
  })

  it.each(kinds)('by %s that is not ready fails, and another attempt may find it', async (kind) => {
    serve(kind, { ...few, odd: (page) => (page === 2 ? json({ data: [] }, { status: 202 }) : undefined) })
    const run = await read(task(kind))
    expect(run.error).toMatchObject({
      code: 'REQUEST_FAILED',
      retryable: true,
      message: expect.stringMatching(/^GET \S+=(2|6) answered 202 Accepted: the records are not ready yet$/) as string,
    })
    expect(JSON.stringify([run.error, run.log])).not.toContain('top-secret')
  })

  it.each([
    ['an object where lists were', '{"message":"slow down"}'],
    ['text', '"nothing"'],
    ['false', 'false'],
  ])('but %s is no record', async (_, body) => {
    server.on('/rows', (response, request, count) =>
      answer(count === 3 ? body : JSON.stringify(idsOf(count, 2)))(response, request, count),
    )
    expect((await read('paginate: {kind: page, param: page, max_pages: 9}')).error).toMatchObject({
      code: 'RESPONSE_INVALID',
      message: expect.stringContaining('has no list of records') as string,
    })
  })
})

describe('pages with the same records', () => {
  it.each(kinds)('by %s are read where the task allows it', async (kind) => {
    serve(kind, {
      count: 4,
      size: 2,
      odd: (page, sound) => (page === 3 ? json({ ...sound, data: idsOf(1, 2) }) : undefined),
    })
    const run = await read(task(kind, ', allow_repeats: true'))
    expect(run.error).toBeUndefined()
    expect(run.ids()).toEqual([0, 1, 2, 3, 4, 5, 2, 3])
  })

  it('without end are stopped by `max_pages` even then', async () => {
    server.on('/rows', json({ data: idsOf(0, 2) }))
    const run = await read('records: data, paginate: {kind: page, param: p, max_pages: 20, allow_repeats: true}')
    expect(run.error?.message).toContain('There are more than the 20 pages')
  })
})

describe('the Link header', () => {
  it.each([
    ['</p>; title="a \\"b\\", c"; rel="next"'],
    ['</p>; title="ends with \\\\"; rel=next'],
    ['</p>; title="</x>; rel=\\"next\\""; rel="next"'],
    ['</p>; rel="prev next"'],
    ['</p>; REL = Next'],
    ['</style.css>; rel=preload; nopush, </p>; rel="next"'],
    ['</p>; crossorigin; rel="next"'],
    ["</p>; title*=UTF-8''%e2%82%ac; rel=next"],
    ['</x>; rel="first", , </p>; rel="next",'],
    ['</p>;; rel=next;'],
    ['</p>; rel=next; rel=prev'],
    ['</x,y;z>; rel=prev, </p>; rel="https://example.com/rel next"'],
  ])('%s leads on', (header) => {
    expect(nextLink(header, 'GET /')).toBe('/p')
  })

  it.each([
    '',
    '</p>',
    '</p>; rel=prev; rel=next',
    '</p>; title="</x>; rel=\\"next\\""; rel=prev',
    '</p>; rel=nextish',
  ])('%s leads nowhere', (header) => {
    expect(nextLink(header, 'GET /')).toBeNull()
  })

  it.each(['/p; rel=next', '</p; rel=next', '</p>; title="open; rel=next', '</p> rel=next', '</p>; rel=next </q>'])(
    '%s is an error',
    (header) => {
      expect(() => nextLink(header, 'GET /')).toThrow('The `Link` header of GET / cannot be read from')
    },
  )

  it('is read however often it stands in an answer, and however long it is', async () => {
    server.on('/rows', (response, request, count) =>
      json(idsOf(count, 2), {
        headers:
          count < 3
            ? { link: ['</rows?page=0>; rel="first"', `<rows?page=${count}>; title="a \\"b\\", c"; rel="next"`] }
            : {},
      })(response, request, count),
    )
    const run = await read('paginate: {kind: link, max_pages: 9}')
    expect(run.error).toBeUndefined()
    expect(run.ids()).toHaveLength(6)
    const long = `</p>; ${'; '.repeat(5000)}x=`
    expect(nextLink(long, 'GET /')).toBeNull()
    expect(() => nextLink(`${long}"`, 'GET /')).toThrow('cannot be read')
  })
})
