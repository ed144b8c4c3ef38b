import type { BoundConnector } from '../../../contract/executor-protocol.ts'
import { EngineError } from '../../engine/errors.ts'
import { nextPageUrl, noList, once } from '../web/pages.ts'
import { answerOf, isSuccess, refusal } from '../http/request.ts'
import { keyOf, memberOf, parseModel, type ODataModel, type StructuredType } from './model.ts'
import type { WebClient, WebRequest, WebResponse } from '../web/client.ts'
import { urlBelow } from '../web/config.ts'
import { wholeRecord } from '../web/halved-values.ts'
import { fingerprint, parseJson } from '../web/json.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Reading from an OData service: its description, and entities page by page. */
export interface ODataService {
  readonly client: WebClient
  readonly connector: BoundConnector
  readonly model: ODataModel
  /** Whether an answer held halves of characters. */
  hasHalves: boolean
}

export type QueryOptions = Record<'$select' | '$expand' | '$filter' | '$orderby' | '$top', string | null>

const pageSize = 1000
const version = { 'odata-maxversion': '4.0', 'odata-version': '4.0' }

export function metadataRequest(client: WebClient): WebRequest {
  return {
    url: urlBelow(client.base, '/$metadata'),
    method: 'GET',
    headers: { accept: 'application/xml', 'odata-maxversion': '4.0' },
  }
}

export async function readModel(
  response: WebResponse,
  connector: BoundConnector,
  client: WebClient,
): Promise<ODataModel> {
  if (!isSuccess(response)) throw refusal(response, connector, client)
  return parseModel(response.text(), response.what)
}

export async function openService(client: WebClient, connector: BoundConnector): Promise<ODataService> {
  const response = await client.request(metadataRequest(client))
  return { client, connector, model: await readModel(response, connector, client), hasHalves: false }
}

/** Blanks are `%20`: few services take `+` for one. */
export function entityUrl(client: WebClient, entity: string, options: Partial<QueryOptions>): URL {
  const url = urlBelow(client.base, entity)
  const written = Object.entries(options).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  const own = url.search.replace(/^\?/, '')
  url.search = [...(own === '' ? [] : [own]), ...written].join('&')
  return url
}

export interface EntityPage {
  records: Record<string, unknown>[]
  /** The records as they came, where halves of characters became U+FFFD in them. */
  halved: readonly Record<string, unknown>[]
  what: string
}

/** All pages from a URL on; lists inside of entities that come in pages are completed, too. */
export async function* readEntities(
  service: ODataService,
  first: URL,
  type: StructuredType | null,
): AsyncGenerator<EntityPage> {
  for await (const { records, what } of pagesFrom(service, first, type, false)) {
    if (service.hasHalves) yield { records: records.map(wholeRecord), halved: records, what }
    else yield { records, halved: [], what }
  }
}

/** `list`: it cannot be the address of one entity. Halves of characters stay. */
async function* pagesFrom(
  service: ODataService,
  first: URL,
  type: StructuredType | null,
  list: boolean,
): AsyncGenerator<Omit<EntityPage, 'halved'>> {
  const seen = new Set([first.href])
  const pages = new Set<string>()
  const keys = type === null ? [] : keyOf(service.model, type)
  for (let url: URL | null = first; url;) {
    const { document, response } = await ask(service, url, list || url !== first)
    const next: URL | null = nextUrl(document, response, url, service)
    const records = recordsOf(document, response, list || url !== first || next !== null)
    // Without their keys, entities may well be equal.
    if (records.some((record) => keys.every((key) => Object.hasOwn(record, key))))
      once(pages, fingerprint(records), response.what, repeatedPage)
    for (const record of records) await complete(record, type, response, service, 0)
    yield { records, what: response.what }
    if (next && seen.has(next.href)) {
      throw new EngineError('PAGES_INVALID', runMessage('pages_loop', { what: response.what }), {
        hint: runMessage('pages_loop_fix'),
      })
    }
    if (next) seen.add(next.href)
    url = next
  }
}

const repeatedPage = {
  reason: runMessage('page_repeats_entities'),
  hint: runMessage('page_repeats_entities_fix'),
}

/** How many entities there are at an address of several. */
export async function countAt({ client, connector }: ODataService, entities: URL): Promise<string> {
  const url = new URL(entities)
  url.pathname = `${url.pathname.replace(/\/$/, '')}/$count`
  const response = await client.request({ url, method: 'GET', headers: { ...version, accept: 'text/plain' } })
  if (!isSuccess(response)) throw refusal(response, connector, client)
  const text = response.text().trim()
  if (/^\d{1,19}$/.test(text)) return text
  throw new EngineError('RESPONSE_INVALID', runMessage('not_odata_count', { what: response.what }), {
    hint: runMessage('not_odata_answer_fix'),
  })
}

async function ask(
  service: ODataService,
  url: URL,
  list: boolean,
): Promise<{ document: Record<string, unknown>; response: WebResponse }> {
  const { client, connector } = service
  const response = await client.request({
    url,
    method: 'GET',
    headers: {
      ...version,
      accept: 'application/json;odata.metadata=minimal;IEEE754Compatible=true',
      prefer: `odata.maxpagesize=${pageSize}`,
    },
  })
  if (!isSuccess(response)) throw refusal(response, connector, client)
  const answer = answerOf(response, client)
  const halved = answer?.halved ?? null
  service.hasHalves ||= halved !== null
  const document = answer && parseJson(halved ?? answer.bytes.toString(), 'kept')
  if (document === undefined && list) throw noList(response)
  if (document === undefined) return { document: { value: [] }, response } // an entity that is not there
  if (typeof document === 'object' && document !== null && !Array.isArray(document)) {
    return { document: document as Record<string, unknown>, response } // JSON objects have text keys
  }
  throw new EngineError('RESPONSE_INVALID', runMessage('not_odata_answer', { what: response.what }), {
    hint: runMessage('not_odata_answer_fix'),
  })
}

/** Entities stand under `value`; an address of one entity gives it alone. */
function recordsOf(document: Record<string, unknown>, { what }: WebResponse, list: boolean): Record<string, unknown>[] {
  const found = document['value']
  const isEntity = !list && Object.keys(document).some((key) => !key.startsWith('@'))
  if (found === undefined && isEntity) return [document]
  if (found === undefined) {
    throw new EngineError('RESPONSE_INVALID', runMessage('page_without_value', { what }), {
      hint: runMessage('page_without_value_fix'),
    })
  }
  if (Array.isArray(found) && found.every((item) => typeof item === 'object' && item !== null)) {
    return found as Record<string, unknown>[] // checked one by one
  }
  throw new EngineError('RESPONSE_INVALID', runMessage('answer_without_entities', { what }), {
    hint: runMessage('answer_without_entities_fix'),
  })
}

function nextUrl(
  document: Record<string, unknown>,
  response: WebResponse,
  asked: URL,
  { client }: ODataService,
  prefix = '',
): URL | null {
  const link = document[`${prefix}@odata.nextLink`] ?? document[`${prefix}@nextLink`]
  if (link === undefined || link === null) return null
  // Links are relative to the context, where there is one, which itself is relative to the answer.
  const context = document['@odata.context']
  const base = typeof context === 'string' ? URL.parse(context, response.url.href) : null
  const absolute = typeof link === 'string' ? URL.parse(link, (base ?? response.url).href)?.href : undefined
  return nextPageUrl(absolute, response, asked, client)
}

/** Deeper is more than what JSON of any service holds. */
const deepest = 200

/** A list inside of an entity may come in pages of its own: `items@odata.nextLink`. */
async function complete(
  record: Record<string, unknown>,
  type: StructuredType | null,
  response: WebResponse,
  service: ODataService,
  depth: number,
): Promise<void> {
  if (depth > deepest) {
    throw new EngineError('RESPONSE_INVALID', runMessage('answer_too_deep', { what: response.what, most: deepest }), {
      hint: runMessage('answer_too_deep_fix'),
    })
  }
  // Of a list that begins with the next page, nothing but its address stands here.
  for (const key of Object.keys(record)) {
    const name = /^(.+)@(?:odata\.)?nextLink$/.exec(key)?.[1]
    if (name !== undefined) record[name] ??= []
  }
  for (const [name, value] of Object.entries(record)) {
    if (name.includes('@') || typeof value !== 'object' || value === null) continue
    const member = type && memberOf(service.model, type, name)
    const inner = (member && service.model.types.get(member.type)) ?? null
    for (const item of Array.isArray(value) ? value : [value]) {
      if (typeof item === 'object' && item !== null)
        await complete(item as Record<string, unknown>, inner, response, service, depth + 1)
    }
    if (!Array.isArray(value)) continue
    const more = nextUrl(record, response, response.url, service, name)
    if (more === null) continue
    for await (const page of pagesFrom(service, more, inner, true)) value.push(...page.records)
  }
}
