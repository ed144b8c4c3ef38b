import { optional, withDefault } from '../shape/collections.ts'
import { jsonValue } from '../shape/json-value.ts'
import { record } from '../shape/record.ts'
import { choice, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { joinPath } from '../yaml/yaml-tree.ts'
import type { Resolver } from './resolver.ts'
import type { HttpRequest, Json } from './task.types.ts'
import { msg } from '../messages.ts'
import type { TextProblem } from '../shape/scalars.ts'

/** What one request is written with; sources, targets, tasks and hooks add keys of their own. */

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
/** Set by the connector, or by the client itself. */
const credentials = new Set(['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key', 'x-auth-token'])
const ownHeaders = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'upgrade', 'te', 'trailer'])

/** Relative to the connector's base URL: no other host can be reached through it. */
export function checkRequestPath(value: string): TextProblem | null {
  if (/^[A-Za-z][A-Za-z0-9+.-]*:/.test(value) || /^[/\\]{2}/.test(value)) {
    return {
      code: 'path_outside',
      message: msg('url_not_path'),
      hint: msg('write_request_path'),
    }
  }
  if (value.split(/[/?#]/).some((part) => /^(\.|%2e){2}$/i.test(part))) {
    return { code: 'path_outside', message: msg('request_path_outside'), hint: msg('write_without_dots') }
  }
  /* oxlint-disable-next-line no-control-regex -- control characters are what it looks for */
  if (/[\u0000-\u0020\u007f\\#]/.test(value)) {
    return {
      code: 'invalid_value',
      message: msg('request_path_characters'),
      hint: msg('encode_path'),
    }
  }
  return null
}

const path = text({
  description: 'Path after the connector’s base URL.',
  examples: ['/v1/contacts', '/v1/orders/${{ args.day }}'],
  template: true,
  maxLength: 4_000,
  check: checkRequestPath,
})

const method = choice('HTTP method.', {
  GET: 'Reads.',
  POST: 'Creates something.',
  PUT: 'Replaces something.',
  PATCH: 'Changes part of something.',
  DELETE: 'Deletes something.',
})

const query = record(
  jsonValue({
    description: 'A value. A list repeats the parameter, null omits it.',
    template: true,
    examples: [200, '${{ state.cursor }}'],
  }),
  {
    description: 'Query parameters of the URL. They are encoded automatically.',
    examples: [{ limit: 200, since: '${{ args.since }}' }],
    max: 100,
  },
)

function checkHeaderValue(value: string): TextProblem | null {
  /* oxlint-disable-next-line no-control-regex -- control characters are what it looks for */
  if (!/[\u0000-\u0008\u000a-\u001f\u007f]/.test(value)) return null
  return { code: 'invalid_value', message: msg('header_not_one_line'), hint: msg('remove_line_break') }
}

const headerValue = text({
  description: 'Value of the header.',
  template: true,
  minLength: 0,
  maxLength: 4_000,
  examples: ['application/json'],
  check: checkHeaderValue,
})
const headerRecord = record(headerValue, {
  description: 'Additional headers. Credentials and headers that every request needs are set in the connector.',
  examples: [{ 'Accept-Language': 'en' }],
  max: 50,
  key: { pattern: TOKEN, wanted: msg('letters_digits_hyphens') },
})

export const requestHeaders: Shape<Record<string, string>> = {
  schema: headerRecord.schema,
  read(node, at, context) {
    const values = headerRecord.read(node, at, context)
    if (!values || node.kind !== 'map') return undefined
    let right = true
    for (const entry of node.entries) {
      const name = entry.key.toLowerCase()
      const secret = credentials.has(name)
      if (!secret && !ownHeaders.has(name)) continue
      right = false
      context.report({
        code: 'header_not_allowed',
        message: secret
          ? msg('header_has_credentials', { key: entry.key })
          : msg('header_set_by_program', { key: entry.key }),
        hint: secret ? msg('use_connector_auth') : msg('remove_it'),
        path: joinPath(at, entry.key),
        at: entry.keySpan,
      })
    }
    return right ? values : undefined
  },
}

const body = jsonValue({
  description: 'Sent as JSON.',
  template: true,
  examples: [{ status: 'done', rows: '${{ args.rows }}' }],
})

/** Fields of a request without its path; `path` is `required(requestPath)` beside them. */
export const requestFields = {
  method: withDefault(method, 'GET'),
  query: withDefault(query, {}, null),
  headers: withDefault(requestHeaders, {}, null),
  body: optional(body),
}
export const requestPath = path

export interface RequestValues {
  path: string
  method: HttpRequest['method']
  query: Record<string, Json>
  headers: Record<string, string>
  body?: Json | undefined
}

export function requestOf({
  path: written,
  method: verb,
  query: parameters,
  headers,
  body: sent,
}: RequestValues): HttpRequest {
  return { path: written, method: verb, query: parameters, headers, body: sent ?? null }
}

/** `at`: where the request's keys stand. */
export function resolveRequest(request: HttpRequest, resolver: Resolver, at: string): HttpRequest {
  return {
    ...request,
    path: resolver.text(request.path, joinPath(at, 'path'), checkRequestPath),
    query: resolver.binds(request.query, joinPath(at, 'query')),
    headers: resolveHeaders(request.headers, resolver, joinPath(at, 'headers')),
    body: resolver.json(request.body, joinPath(at, 'body')),
  }
}

export function resolveHeaders(
  headers: Record<string, string>,
  resolver: Resolver,
  at: string,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      resolver.text(value, joinPath(at, name), checkHeaderValue, { empty: true }),
    ]),
  )
}
