import { createHash } from 'node:crypto'
import type { HttpSource, Pagination } from '../../language/task/sources/source.types.ts'
import type { BoundConnector } from '../../contract/executor-protocol.ts'
import { documentOf, isSuccess, preparedRequest, refusal, setParameter } from '../connectors/http-request.ts'
import type { WebClient, WebRequest, WebResponse } from '../connectors/web-client.ts'
import { fingerprint, valueAt } from '../connectors/web-json.ts'
import { EngineError, listNames } from '../engine/errors.ts'
import { TypedText } from './record-writer.ts'

export interface Page {
  number: number
  records: unknown[]
  /** `GET https://…` */
  what: string
}

/** What comes after a page. */
type Following =
  | { more: false }
  /** The next page is known to be there, or may be there: an empty one then ends. */
  | { more: 'certain' | 'maybe'; url: URL }

/**
 * The pages of an API, one after the other. Rows are never left out without a word: more pages than `max_pages` are an error, and so is
 * a page that comes again.
 */
export async function* readPages(
  source: HttpSource,
  client: WebClient,
  connector: BoundConnector,
): AsyncGenerator<Page> {
  const { paginate } = source
  const first = firstRequest(source, client)
  const most = paginate.kind === 'none' ? 1 : paginate.max_pages
  const seen = new Set<string>([digest(first.url.href)])
  // Their addresses never repeat, so their records are compared.
  const numbered = paginate.kind === 'page' || paginate.kind === 'offset'
  let url = first.url
  let rows = 0
  for (let number = 1; ; number++) {
    // A source only reads: asking again does no harm.
    const response = await client.request({ ...first, url, repeatable: true })
    if (!isSuccess(response)) throw refusal(response, connector, client)
    const document = documentOf(response, client)
    const records = recordsOf(document, source.records, response.what)
    rows += records.length
    if (numbered && records.length > 0) {
      once(seen, fingerprint(records), response.what, 'gave the records of an earlier page again')
    }
    const next = following(paginate, { document, response, records, rows, number, url }, client)
    const ended = !next.more || (next.more === 'maybe' && records.length === 0)
    if (number > most && !(ended && records.length === 0)) throw tooManyPages(most, response.what)
    yield { number, records, what: response.what }
    if (!next.more || ended) return
    if (!numbered) once(seen, next.url.href, response.what, 'leads to a page that was read before')
    url = next.url
  }
}

function firstRequest({ request, paginate }: HttpSource, client: WebClient): WebRequest {
  const prepared = preparedRequest(client, request)
  const { url } = prepared
  if (paginate.kind === 'page') setParameter(url, paginate.param, paginate.start)
  if (paginate.kind === 'offset') setParameter(url, paginate.param, 0)
  if ((paginate.kind === 'page' || paginate.kind === 'offset') && paginate.size_param !== null) {
    setParameter(url, paginate.size_param, paginate.size)
  }
  return prepared
}

interface PageRead {
  document: unknown
  response: WebResponse
  records: unknown[]
  /** Read so far, this page included. */
  rows: number
  number: number
  /** Where this page was asked for. */
  url: URL
}

function following(paginate: Pagination, page: PageRead, client: WebClient): Following {
  const withParameter = (param: string, value: string | number): URL => {
    const url = new URL(page.url)
    setParameter(url, param, value)
    return url
  }
  switch (paginate.kind) {
    case 'none':
      return { more: false }
    case 'page':
      return { more: 'maybe', url: withParameter(paginate.param, paginate.start + page.number) }
    case 'offset':
      return { more: page.records.length === 0 ? false : 'maybe', url: withParameter(paginate.param, page.rows) }
    case 'cursor':
      return afterCursor(paginate, page, withParameter)
    case 'link':
      return toUrl(nextLink(page.response.headers['link'] ?? ''), page, client)
    case 'next_url':
      return toUrl(valueAt(page.document, paginate.from), page, client)
  }
}

function afterCursor(
  { from, param, has_more: hasMore }: Extract<Pagination, { kind: 'cursor' }>,
  { document, response }: PageRead,
  withParameter: (param: string, value: string) => URL,
): Following {
  const said = hasMore === null ? undefined : truth(valueAt(document, hasMore))
  if (said === false) return { more: false }
  const cursor = valueAt(document, from)
  if (cursor === undefined || cursor === null || cursor === '' || cursor === false) {
    if (said !== true) return { more: false }
    throw new EngineError(
      'PAGES_INVALID',
      `The answer to ${response.what} says that there is more, but has no cursor at \`${from}\``,
      {
        hint: 'Check `paginate.from` against a response of the API.',
      },
    )
  }
  if (cursor instanceof TypedText) return { more: said ? 'certain' : 'maybe', url: withParameter(param, cursor.text) }
  if (
    typeof cursor === 'string' ||
    typeof cursor === 'number' ||
    typeof cursor === 'bigint' ||
    typeof cursor === 'boolean'
  )
    return { more: said ? 'certain' : 'maybe', url: withParameter(param, String(cursor)) }
  throw new EngineError('PAGES_INVALID', `The cursor at \`${from}\` of the answer to ${response.what} is no text`, {
    hint: 'Check `paginate.from` against a response of the API.',
  })
}

/** undefined: nothing is said. */
function truth(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return !['', 'false', '0', 'no'].includes(value.toLowerCase())
  return Boolean(value)
}

function toUrl(link: unknown, { url, response }: PageRead, client: WebClient): Following {
  if (link === undefined || link === null || link === '' || link === false) return { more: false }
  return { more: 'certain', url: nextPageUrl(link, response, url, client) }
}

/** A link to the next page: relative to the page that holds it, and never to another origin, which would get the credentials. */
export function nextPageUrl(link: unknown, response: WebResponse, asked: URL, client: WebClient): URL {
  const url = typeof link === 'string' ? URL.parse(link, response.url.href) : null
  if (!url) {
    throw new EngineError('PAGES_INVALID', `The next page of ${response.what} is given as something that is no URL`, {
      hint: 'Check the pagination against a response of the API.',
    })
  }
  url.hash = ''
  if (url.origin !== client.base.origin) {
    throw new EngineError(
      'PAGES_INVALID',
      `The next page of ${client.shown(asked)} lies on another server than the connector’s: ${url.origin} instead of ${client.base.origin}`,
      { hint: 'Credentials are not sent there. If both are the same service, write that origin into the base URL.' },
    )
  }
  return url
}

/** The target of `rel="next"` in a Link header. */
export function nextLink(header: string): string | null {
  for (const [, target, parameters = ''] of header.matchAll(
    /<([^>]*)>((?:\s*;\s*[^\s=;,]+\s*(?:=\s*(?:"[^"]*"|[^",;\s]*))?)*)/g,
  )) {
    const rel = /;\s*rel\s*=\s*(?:"([^"]*)"|([^",;\s]+))/i.exec(parameters)
    const words = (rel?.[1] ?? rel?.[2] ?? '').toLowerCase().split(/\s+/)
    if (target !== undefined && words.includes('next')) return target
  }
  return null
}

/** The records of a response: what stands at the path, or the response itself; one record counts as a list of it. */
function recordsOf(document: unknown, path: string | null, what: string): unknown[] {
  if (document === undefined) return []
  const found = path === null ? document : valueAt(document, path)
  if (found === null) return []
  if (found === undefined) {
    const keys =
      typeof document === 'object' && document !== null && !Array.isArray(document) ? Object.keys(document) : []
    throw new EngineError('RESPONSE_INVALID', `The answer to ${what} has nothing at \`${path}\``, {
      hint: keys.length === 0 ? 'It is no object: check `records`.' : `Check \`records\`. It has ${listNames(keys)}.`,
    })
  }
  return Array.isArray(found) ? found : [found]
}

function once(seen: Set<string>, mark: string, what: string, told: string): void {
  const short = digest(mark) // there may be a million of them
  if (!seen.has(short)) return void seen.add(short)
  throw new EngineError('PAGES_INVALID', `${what} ${told}`, {
    hint: 'The pages would never end. Check `paginate`: the API may not know the parameter.',
  })
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 24)
}

function tooManyPages(most: number, what: string): EngineError {
  return new EngineError(
    'PAGES_INVALID',
    `There are more than the ${most.toLocaleString('en')} pages that \`max_pages\` allows (${what})`,
    {
      hint: 'Raise `max_pages`, or ask for less. Nothing was written.',
    },
  )
}
