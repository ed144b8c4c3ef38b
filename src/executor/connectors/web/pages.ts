import { createHash } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { HttpSource, Pagination } from '../../../language/task/sources/source.types.ts'
import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { answerOf, isSuccess, preparedRequest, refusal, setParameter, type JsonAnswer } from '../http/request.ts'
import type { WebClient, WebRequest, WebResponse } from './client.ts'
import { nextLink } from './link-header.ts'
import { parseJson, valueAt } from './json.ts'
import { EngineError, fewNames } from '../../engine/errors.ts'
import { itemsOf, placeAt, type Place } from '../../formats/json/places.ts'
import { openBrace, openBracket } from '../../formats/json/scan.ts'
import { TypedText } from '../../sources/record-values.ts'
import { runMessage } from '../../../contract/run-messages.ts'
import type { Message } from '../../../language/message.ts'

export interface Page {
  number: number
  bytes: Buffer
  /** Where they stand in the bytes. */
  records: readonly Place[]
  /** The records as they came, where halves of characters became U+FFFD in the answer. */
  halved: readonly unknown[]
  /** `GET https://…` */
  what: string
}

/** What comes after a page. */
type Following =
  /** `isExplicit`: the answer itself says that there is none, which is more than saying nothing of it. */
  | { more: false; isExplicit: boolean }
  /** The next page is known to be there, or may be there: an empty one then ends. */
  | { more: 'certain' | 'maybe'; url: URL }

/**
 * The pages of an API, one after the other. Rows are never left out or doubled without a word: more pages than `max_pages` are an error,
 * and so are a page that comes again and an answer without a list where more may follow.
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
  // Their addresses do not repeat of themselves, and say nothing of whether there is more.
  const numbered = paginate.kind === 'page' || paginate.kind === 'offset'
  let url = first.url
  let rows = 0
  let lists = false
  /** The page before, where it was numbered and no list. */
  let without: string | null = null
  for (let number = 1; ; number++) {
    // A source only reads: asking again does no harm.
    const response = await client.request({ ...first, url, repeatable: true })
    if (!isSuccess(response)) throw refusal(response, connector, client)
    const answer = answerOf(response, client)
    const found = recordsOf(answer, source.records, lists, response.what)
    const records = found?.records ?? []
    const document = answer && parseJson(withoutRecords(answer.bytes, found))
    lists ||= Array.isArray(document)
    rows += records.length
    if (answer && found && records.length > 0 && paginate.kind !== 'none' && !paginate.allow_repeats)
      once(seen, answer.bytes.subarray(found.place.at, found.place.end), response.what, repeatedRecords)
    const next = following(paginate, { document, response, rows, number, url }, client)
    if (found === null && !numbered && (next.more || (number > 1 && !next.isExplicit))) throw noList(response)
    if (without !== null && records.length > 0) throw gap(without, response.what)
    const ended = !next.more || (next.more === 'maybe' && records.length === 0)
    if (number > most && (records.length > 0 || !ended)) throw tooManyPages(most, response.what)
    const halved = recordsIn(answer?.halved ?? null, source.records)
    yield { number, bytes: answer?.bytes ?? noBytes, records, halved, what: response.what }
    // No list is a weaker sign than an empty one: the next page has to agree.
    if (!next.more || (ended && (found !== null || without !== null))) return
    without = found === null ? response.what : null
    if (!numbered) once(seen, next.url.href, response.what, repeatedAddress)
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
      return { more: false, isExplicit: true }
    case 'page':
      return { more: 'maybe', url: withParameter(paginate.param, paginate.start + page.number) }
    case 'offset':
      return { more: 'maybe', url: withParameter(paginate.param, page.rows) }
    case 'cursor':
      return afterCursor(paginate, page, withParameter)
    case 'link':
      return toUrl(nextLink(page.response.headers['link'] ?? '', page.response.what) ?? undefined, page, client)
    case 'next_url':
      return toUrl(valueAt(page.document, paginate.from), page, client)
  }
}

function afterCursor(
  { from, param, has_more: hasMore }: Extract<Pagination, { kind: 'cursor' }>,
  { document, response }: PageRead,
  withParameter: (param: string, value: string) => URL,
): Following {
  const moreFlag = hasMore === null ? undefined : truth(valueAt(document, hasMore))
  if (moreFlag === false) return { more: false, isExplicit: true }
  const cursor = valueAt(document, from)
  if (cursor === undefined || cursor === null || cursor === '' || cursor === false) {
    if (moreFlag !== true) return { more: false, isExplicit: cursor !== undefined }
    throw new EngineError('PAGES_INVALID', runMessage('cursor_missing_in_answer', { what: response.what, from }), {
      hint: runMessage('cursor_missing_in_answer_fix'),
    })
  }
  if (cursor instanceof TypedText)
    return { more: moreFlag ? 'certain' : 'maybe', url: withParameter(param, cursor.text) }
  if (
    typeof cursor === 'string' ||
    typeof cursor === 'number' ||
    typeof cursor === 'bigint' ||
    typeof cursor === 'boolean'
  )
    return { more: moreFlag ? 'certain' : 'maybe', url: withParameter(param, String(cursor)) }
  throw new EngineError('PAGES_INVALID', runMessage('cursor_not_text', { from, what: response.what }), {
    hint: runMessage('cursor_missing_in_answer_fix'),
  })
}

/** undefined: nothing is said. */
function truth(value: unknown): boolean | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return !['', 'false', '0', 'no'].includes(value.toLowerCase())
  return Boolean(value)
}

function toUrl(link: unknown, { url, response }: PageRead, client: WebClient): Following {
  if (link === undefined || link === null || link === '' || link === false)
    return { more: false, isExplicit: link !== undefined }
  return { more: 'certain', url: nextPageUrl(link, response, url, client) }
}

/** A link to the next page: relative to the page that holds it, and never to another origin, which would get the credentials. */
export function nextPageUrl(link: unknown, response: WebResponse, asked: URL, client: WebClient): URL {
  const url = typeof link === 'string' ? URL.parse(link, response.url.href) : null
  if (!url) {
    throw new EngineError('PAGES_INVALID', runMessage('next_page_no_url', { what: response.what }), {
      hint: runMessage('next_page_no_url_fix'),
    })
  }
  url.hash = ''
  if (url.origin !== client.base.origin) {
    throw new EngineError(
      'PAGES_INVALID',
      runMessage('next_page_elsewhere', { what: client.shown(asked), origin: url.origin, origin2: client.base.origin }),
      { hint: runMessage('next_page_elsewhere_fix') },
    )
  }
  return url
}

const noBytes = Buffer.alloc(0)

interface FoundRecords {
  /** Of the list, or of the one record. */
  place: Place
  records: Place[]
}

/**
 * The records of a response: what stands at the path, or the response itself; one record counts as a list of it. null: there is none,
 * not even an empty list. `lists`: earlier pages were lists, so that an object in place of one is no record but says something else.
 */
function recordsOf(
  answer: JsonAnswer | undefined,
  path: string | null,
  lists: boolean,
  what: string,
): FoundRecords | null {
  if (answer === undefined) return null
  const { bytes, place: whole } = answer
  const place = placeAt(bytes, whole, path === null ? [] : path.split('.'))
  const first = place === null ? undefined : bytes[place.at]
  if (first === 0x6e) return null
  if (place && first === openBracket) return { place, records: [...itemsOf(bytes, place.at, place.end)] }
  if (place && first === openBrace && !lists) return { place, records: [place] }
  const missing = place === null ? runMessage('nothing_at', { path: path ?? '' }) : runMessage('no_list_of_records')
  throw new EngineError('RESPONSE_INVALID', runMessage('answer_lacks_list', { what, missing }), {
    hint: placesIn(parseJson(bytes.toString()), path),
  })
}

/** The records of a text in which `recordsOf` has found them. */
function recordsIn(text: string | null, path: string | null): readonly unknown[] {
  if (text === null) return []
  const document: unknown = JSON.parse(text)
  const found = path === null ? document : valueAt(document, path)
  return Array.isArray(found) ? found : [found]
}

/** The text of an answer for what else is looked for in it. */
function withoutRecords(bytes: Buffer, found: FoundRecords | null): string {
  if (found === null || bytes[found.place.at] !== openBracket) return bytes.toString()
  return `${bytes.toString('utf8', 0, found.place.at)}[]${bytes.toString('utf8', found.place.end)}`
}

function placesIn(document: unknown, path: string | null): Message {
  const keys =
    typeof document === 'object' && document !== null && !Array.isArray(document) ? Object.keys(document) : []
  const asked = path === null ? runMessage('records_key') : runMessage('check_records')
  return keys.length === 0
    ? runMessage('answer_not_object')
    : runMessage('answer_has_keys', { advice: asked, keys: fewNames(keys) })
}

const repeatedRecords = {
  reason: runMessage('page_repeats_records'),
  hint: runMessage('page_repeats_records_fix'),
}
const repeatedAddress = {
  reason: runMessage('page_leads_back'),
  hint: runMessage('page_leads_back_fix'),
}

/** Throws where the mark was seen before. */
export function once(
  seen: Set<string>,
  mark: string | Buffer,
  what: string,
  { reason, hint }: { reason: Message; hint: Message } = repeatedRecords,
): void {
  const short = digest(mark) // there may be a million of them
  if (seen.has(short))
    throw new EngineError('PAGES_INVALID', runMessage('page_without_records', { what, text: reason }), { hint })
  seen.add(short)
}

/** A page that is neither a list nor, by its own words, the last one. */
export function noList({ what, status }: WebResponse): EngineError {
  const answered = `${status} ${STATUS_CODES[status] ?? ''}`.trimEnd()
  return new EngineError('PAGES_INVALID', runMessage('pages_may_follow', { what, answered }), {
    hint: runMessage('pages_may_follow_fix'),
  })
}

function gap(before: string, what: string): EngineError {
  return new EngineError('PAGES_INVALID', runMessage('page_skipped', { before, what }), {
    hint: runMessage('page_skipped_fix'),
  })
}

function digest(text: string | Buffer): string {
  return createHash('sha256').update(text).digest('base64').slice(0, 24)
}

function tooManyPages(most: number, what: string): EngineError {
  return new EngineError('PAGES_INVALID', runMessage('too_many_pages', { most, what }), {
    hint: runMessage('too_many_pages_fix'),
  })
}
