import { type Message, msg } from './messages.ts'

/** Whether a value can be given to a column, as rejected rows have it; a message says why not. */
export function valueFault(column: string, type: string, value: unknown): Message | null {
  if (value === null) return null
  const unfit = msg('value_not_of_type', { column, value: shown(value), type })
  const kind = kindOf(type)
  if (kind === null) return msg('column_not_editable', { column, type })
  if (typeof value === 'object') return unfit
  return fits[kind](typeof value === 'string' ? value : JSON.stringify(value), type, value) ? null : unfit
}

/** Whether values of a column can be edited. */
export const isEditable = (type: string): boolean => kindOf(type) !== null

type Kind = keyof typeof fits

function kindOf(type: string): Kind | null {
  if (Object.hasOwn(integers, type)) return 'integer'
  if (type.startsWith('DECIMAL(')) return 'decimal'
  return Object.hasOwn(kinds, type) ? (kinds[type] ?? null) : null
}

const kinds: Record<string, Kind> = {
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
  DOUBLE: 'float',
  FLOAT: 'float',
  DATE: 'date',
  TIME: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_S: 'timestamp',
  TIMESTAMP_MS: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'zoned',
  UUID: 'uuid',
  JSON: 'json',
  BLOB: 'base64',
}

const bits = { TINYINT: 8n, SMALLINT: 16n, INTEGER: 32n, BIGINT: 64n, HUGEINT: 128n }
const integers: Record<string, readonly [least: bigint, most: bigint]> = Object.fromEntries(
  Object.entries(bits).flatMap(([type, size]) => [
    [type, [-(2n ** (size - 1n)), 2n ** (size - 1n) - 1n]],
    [`U${type}`, [0n, 2n ** size - 1n]],
  ]),
)

const timeOfDay = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d(\\.\\d{1,6})?)?'
const time = new RegExp(`^${timeOfDay}$`)
const moment = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})([T ]${timeOfDay})?$`)
const zonedMoment = new RegExp(`^(\\d{4}-\\d{2}-\\d{2})[T ]${timeOfDay}(Z|[+-]\\d{2}(:?\\d{2})?)$`)

const fits = {
  text: (_: string, _type: string, value: unknown) => typeof value === 'string',
  boolean: (text: string) => text === 'true' || text === 'false',
  integer(text: string, type: string) {
    if (!/^[+-]?\d{1,40}$/.test(text)) return false
    const [least, most] = integers[type] ?? [0n, 0n]
    const number = BigInt(text.replace(/^\+/, ''))
    return number >= least && number <= most
  },
  decimal(text: string, type: string) {
    const [digits = 0, scale = 0] = (/(\d+),\s*(\d+)/.exec(type)?.slice(1) ?? []).map(Number)
    const [, whole = '', fraction = ''] = /^[+-]?(\d*)(?:\.(\d*))?$/.exec(text) ?? ['', '']
    if (!/\d/.test(text) || !/^[+-]?\d*\.?\d*$/.test(text)) return false
    return whole.replace(/^0+/, '').length <= digits - scale && fraction.replace(/0+$/, '').length <= scale
  },
  float: (text: string) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,3})?$/i.test(text) || /^(-?Infinity|NaN)$/.test(text),
  date: (text: string) => /^\d{4}-\d{2}-\d{2}$/.test(text) && isDay(text),
  time: (text: string) => time.test(text),
  timestamp: (text: string) => isDay(moment.exec(text)?.[1]),
  zoned: (text: string) => isDay(zonedMoment.exec(text)?.[1]),
  uuid: (text: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  json(text: string) {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  },
  base64: (text: string) => /^([\w+/]{4})*([\w+/]{2}==|[\w+/]{3}=)?$/.test(text) && !text.includes('_'),
} satisfies Record<string, (text: string, type: string, value: unknown) => boolean>

function isDay(text: string | undefined): boolean {
  if (text === undefined) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > 100 ? `${text.slice(0, 99).toWellFormed()}…` : text
}
