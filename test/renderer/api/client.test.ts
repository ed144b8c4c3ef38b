import { afterEach, describe, expect, test, vi } from 'vitest'
import { getResource, listConnectors, updateConnector } from '../../../src/contract/connectors.ts'
import { login, logout } from '../../../src/contract/auth.ts'
import { urlOf } from '../../../src/contract/operation-url.ts'
import { catalog as german } from '../../../src/renderer/i18n/de/catalog/catalog.ts'
import { setCatalog } from '../../../src/renderer/i18n/translate.ts'
import { ApiFailure, call, etagOf, setUnauthenticatedListener } from '../../../src/renderer/api/client.ts'

function answer(status: number, body: unknown, headers: Record<string, string> = {}) {
  const fetched = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () =>
    Response.json(body, { status, headers }),
  )
  vi.stubGlobal('fetch', fetched)
  return fetched
}

const failureOf = async (promise: Promise<unknown>): Promise<ApiFailure> => {
  const error: unknown = await promise.catch((caught: unknown) => caught)
  if (error instanceof ApiFailure) return error
  throw new Error(`Expected an ApiFailure, got ${String(error)}`)
}

afterEach(() => {
  vi.unstubAllGlobals()
  setUnauthenticatedListener(undefined)
})

describe('urlOf', () => {
  test('encodes path parameters and leaves empty query values out', () => {
    expect(urlOf(getResource, { id: 3, name: 'sales/2026 & more.csv' })).toBe(
      '/api/connectors/3/resources/sales%2F2026%20%26%20more.csv',
    )
    expect(urlOf(listConnectors, {}, { q: '', archived: true, limit: 5, cursor: undefined })).toBe(
      '/api/connectors?archived=true&limit=5',
    )
  })

  test('a missing path parameter is a defect, not a request', () => {
    expect(() => urlOf(getResource, { id: 3 })).toThrow(/getResource needs the path parameter name/)
  })
})

describe('call', () => {
  test('sends JSON with the extra headers and remembers the ETag of the record', async () => {
    const fetched = answer(200, { id: 7 }, { etag: '"abc"' })
    const body = { name: 'A', type: 'file', config: {} } as const
    const saved = await call(updateConnector, { params: { id: 7 }, body, headers: { 'if-match': '"old"' } })
    const [url, init] = fetched.mock.calls[0] ?? []
    expect(url).toBe('/api/connectors/7')
    expect(init).toMatchObject({ method: 'PUT', body: JSON.stringify(body), credentials: 'same-origin' })
    expect(init?.headers).toMatchObject({ 'content-type': 'application/json', 'if-match': '"old"' })
    expect(etagOf(saved)).toBe('"abc"')
    expect(etagOf({ ...saved })).toBeUndefined()
  })

  test('a failure that is shown follows a change of language', async () => {
    const request = {
      path: 'request',
      code: 'at_place',
      params: { place: 'w', cause: 'no table' },
      message: 'w: no table',
    }
    const fix = { code: 'check_tables_and_columns', params: {}, message: 'Check the name.' }
    const details = [
      { ...request, params: { ...request.params, fix }, message: 'w: no table. Check the name.' },
      request,
    ]
    answer(400, { error: 'VALIDATION_ERROR', message: 'Invalid input', details })
    const failure = await failureOf(call(listConnectors))
    expect(failure.message).toBe('w: no table. Check the name.')
    setCatalog({ ...german, findings: { ...german.findings, at_place: '<cause> in <place>' } })
    expect(failure.message).toBe(`no table in w. ${german.findings.check_tables_and_columns}`)
    expect(failure.details.map(({ message }) => message)).toEqual(['no table in w'])
    setCatalog(null)
    expect(failure.details.map(({ message }) => message)).toEqual(['w: no table'])
  })

  test('an error answer becomes an ApiFailure with code, details and request id', async () => {
    const details = [{ path: 'body.config.port', message: 'must be <= 65535' }]
    answer(400, { error: 'VALIDATION_ERROR', message: 'Invalid input', details, request_id: 'r-1' })
    const failure = await failureOf(call(listConnectors))
    expect(failure).toMatchObject({ status: 400, code: 'VALIDATION_ERROR', request_id: 'r-1' })
    expect(failure.detailFor('config.port')?.message).toBe('must be <= 65535')
    expect(failure.detailFor('config.host')).toBeUndefined()
  })

  test('an answer that is no JSON, and no answer at all, are told apart', async () => {
    vi.stubGlobal('fetch', async () => new Response('<html>', { status: 502 }))
    expect(await failureOf(call(listConnectors))).toMatchObject({ status: 502, code: 'BAD_ANSWER' })
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await failureOf(call(listConnectors))).toMatchObject({ status: 0, code: 'NETWORK' })
  })

  test('an aborted call throws the abort, not a failure', async () => {
    const abort = new AbortController()
    abort.abort()
    vi.stubGlobal('fetch', () => Promise.reject(new DOMException('aborted', 'AbortError')))
    await expect(call(listConnectors, { signal: abort.signal })).rejects.toHaveProperty('name', 'AbortError')
  })

  test('a refused session is reported, a wrong password is not', async () => {
    const listener = vi.fn<() => void>()
    setUnauthenticatedListener(listener)
    answer(401, { error: 'AUTH_ERROR', message: 'Not authenticated' })
    await failureOf(call(login, { body: { username: 'a', password: 'b' } }))
    await failureOf(call(logout))
    expect(listener).not.toHaveBeenCalled()
    await failureOf(call(listConnectors))
    expect(listener).toHaveBeenCalledTimes(1)
  })

  test('Retry-After is kept in seconds', async () => {
    answer(429, { error: 'RATE_LIMITED', message: 'Too many requests' }, { 'retry-after': '17' })
    expect((await failureOf(call(listConnectors))).retryAfter).toBe(17)
  })
})
