import { type Message, msg } from './messages.ts'
import { Compile } from 'typebox/schema'
import { type ConnectorType, connectorTypeSpecs, connectorTypes } from './connector-types.ts'
import type { ErrorDetail } from './errors.ts'
import { nearest } from '../language/nearest.ts'

export type ShapePart = 'config' | 'secrets'

const checks = Object.fromEntries(
  connectorTypes.map((type) => {
    const { config, secrets } = connectorTypeSpecs[type]
    return [
      type,
      { config: { schema: config, is: Compile(config) }, secrets: { schema: secrets, is: Compile(secrets) } },
    ]
  }),
)

/** What keeps a value from being the config or the secrets of a connector of this type, each at its field. */
export function shapeMistakes(type: ConnectorType, part: ShapePart, value: Record<string, unknown>): ErrorDetail[] {
  const check = checks[type]?.[part]
  if (!check) return [{ path: 'body.type', ...msg('type_unknown', { type }) }]
  const [, errors] = check.is.Errors(value)
  const known: Record<string, unknown> = check.schema.properties
  const mistakes = errors.flatMap((error): ErrorDetail[] => {
    const { keyword, instancePath, params } = error
    if (keyword === 'additionalProperties' && 'additionalProperties' in params) {
      return listed(params.additionalProperties).map((name) => {
        if (instancePath === '/headers') return { path: `body.${part}.headers.${name}`, ...msg('header_characters') }
        const near = nearest(name, Object.keys(known))
        return { path: `body.${part}.${name}`, ...(near ? msg('field_unknown_near', { near }) : msg('field_unknown')) }
      })
    }
    if (keyword === 'required' && 'requiredProperties' in params) {
      return listed(params.requiredProperties).map((name) => ({
        path: `body.${part}.${name}`,
        ...msg('field_missing'),
      }))
    }
    // Of an unknown field the line above says more.
    if (keyword === 'boolean') return []
    if (keyword === 'pattern' && instancePath.startsWith('/headers/')) {
      const path = `body.${part}${instancePath.replaceAll('/', '.')}`
      return [{ path, ...msg('header_characters') }]
    }
    const wanted = keyword === 'pattern' ? notesOf(known[instancePath.slice(1)])['x-wanted'] : undefined
    const reason =
      wanted !== undefined
        ? msg('field_wanted', { wanted })
        : 'allowedValues' in params
          ? msg('field_not_one_of', { allowed: listed(params.allowedValues) })
          : { code: keyword, params: { ...params }, message: error.message }
    return [{ path: `body.${part}${instancePath.replaceAll('/', '.')}`, ...reason }]
  })
  if (mistakes.length > 0) return mistakes
  return [...relativePaths(known, part, value), ...missingNow(known, part, value), ...keptHeadersIn(known, part, value)]
}

/** What the contract's schemas say beyond JSON Schema. */
interface Notes {
  format?: string
  default?: unknown
  'x-wanted'?: string
  'x-required'?: true
  'x-when'?: Record<string, unknown[]>
}
const notesOf = (schema: unknown): Notes => schema ?? {}

/** Fields that others make necessary, such as the user of `auth: basic`. */
function missingNow(schemas: Record<string, unknown>, part: ShapePart, value: Record<string, unknown>): ErrorDetail[] {
  return Object.entries(schemas).flatMap(([name, schema]) => {
    const { 'x-when': when, 'x-required': required } = notesOf(schema)
    if (!when || !required || (value[name] ?? '') !== '') return []
    const [other, values] = Object.entries(when)[0] ?? ['', []]
    const chosen = value[other] ?? notesOf(schemas[other]).default
    if (!values.includes(chosen)) return []
    return [{ path: `body.${part}.${name}`, ...msg('missing_for', { other, chosen: String(chosen) }) }]
  })
}

/** Headers that a request has by itself, or that prove who sends it: everybody who may see the connector reads its configuration. */
const keptHeaders: Readonly<Record<string, Message>> = {
  ...Object.fromEntries(
    ['authorization', 'proxy-authorization', 'cookie'].map((name) => [name, msg('header_is_secret')]),
  ),
  ...Object.fromEntries(
    [
      'connection',
      'content-length',
      'expect',
      'host',
      'keep-alive',
      'te',
      'trailer',
      'transfer-encoding',
      'upgrade',
    ].map((name) => [name, msg('header_is_set')]),
  ),
}

/** Headers that cannot or must not be sent. */
function keptHeadersIn(
  schemas: Record<string, unknown>,
  part: ShapePart,
  value: Record<string, unknown>,
): ErrorDetail[] {
  const { headers } = value
  if (schemas['headers'] === undefined || typeof headers !== 'object' || headers === null) return []
  return Object.keys(headers).flatMap((name): ErrorDetail[] => {
    const reason = keptHeaders[name.toLowerCase()]
    return reason === undefined ? [] : [{ path: `body.${part}.headers.${name}`, ...reason }]
  })
}

function pathFields(schemas: Record<string, unknown>): string[] {
  return Object.entries(schemas).flatMap(([name, schema]) =>
    /^(folder|file)-path$/.test(notesOf(schema).format ?? '') ? [name] : [],
  )
}

/** Fields of a connector that name a file or folder of the executor's machine. */
export function localPathFields(type: ConnectorType): string[] {
  return pathFields(connectorTypeSpecs[type].config.properties)
}

const listed = (values: unknown): string[] => (Array.isArray(values) ? values.map(String) : [])

/** Executors run wherever their owner started them, perhaps on another system: only an absolute path means one place. */
function relativePaths(
  schemas: Record<string, unknown>,
  part: ShapePart,
  value: Record<string, unknown>,
): ErrorDetail[] {
  return pathFields(schemas).flatMap((name) => {
    const given = value[name]
    if (typeof given !== 'string') return []
    if (/^(?:\/|\\\\|[A-Za-z]:[\\/])/.test(given)) return []
    return [{ path: `body.${part}.${name}`, ...msg('path_not_absolute') }]
  })
}
