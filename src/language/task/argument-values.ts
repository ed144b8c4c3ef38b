import { shortened } from '../shortened.ts'
import { compilePattern } from '../pattern.ts'
import { parseDuration } from '../schedule/duration.ts'
import type { ArgumentSpec, ArgumentType, Json } from './task.types.ts'
import type { Message } from '../message.ts'
import { msg } from '../messages.ts'

export interface ValueProblem {
  /** '' for the value itself, `[2]` for an item of a list. */
  at: string
  message: Message
}
export type CheckedValue = { ok: true; value: Json } | { ok: false; problem: ValueProblem }

/** How a value of each type is called and written, for messages. */
const wanted: Record<ArgumentType, Message> = {
  string: msg('text'),
  integer: msg('a_whole_number'),
  number: msg('a_number'),
  boolean: msg('true_or_false'),
  date: msg('a_date'),
  datetime: msg('a_datetime'),
  duration: msg('a_duration'),
  list: msg('a_list'),
  json: msg('a_json_value'),
}

const MAX_TEXT = 100_000
const MAX_ITEMS = 10_000

/**
 * A value against its argument's type and constraints. Datetimes are returned in UTC with their full precision (without an
 * offset they are taken as UTC), everything else as given.
 */
export function checkArgumentValue(spec: ArgumentSpec, value: unknown): CheckedValue {
  const typed = readTyped(spec.type, value)
  if (typed === undefined) {
    return fail(
      (spec.type === 'json' ? null : tooLong(value)) ??
        msg('must_be_wanted', { wanted: wanted[spec.type], found: describe(value) }),
    )
  }
  if (spec.type === 'list' && Array.isArray(typed)) return checkList(spec, typed)
  const message = checkConstraints(spec, typed)
  return message === null ? { ok: true, value: typed } : fail(message)
}

function fail(message: Message, at = ''): CheckedValue {
  return { ok: false, problem: { at, message } }
}

function describe(value: unknown): string | Message {
  if (value === null || value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  const number = typeof value === 'number' || typeof value === 'bigint'
  const text = number ? String(value) : (JSON.stringify(value) ?? typeof value)
  return shortened(text, 60)
}

/** What exceeds the limits of every argument, whatever its own say; null: nothing. */
function tooLong(value: unknown): Message | null {
  if (typeof value === 'string' && value.length > MAX_TEXT)
    return msg('has_too_many_characters', { count: value.length, limit: MAX_TEXT })
  if (Array.isArray(value) && value.length > MAX_ITEMS)
    return msg('has_too_many_items', { count: value.length, limit: MAX_ITEMS })
  return null
}

/** The value if it is of the type, else undefined. */
function readTyped(type: ArgumentType, value: unknown): Json | undefined {
  switch (type) {
    case 'string':
      return typeof value === 'string' && value.length <= MAX_TEXT ? value : undefined
    case 'integer':
      return typeof value === 'number' && Number.isSafeInteger(value) ? value : undefined
    case 'number':
      return typeof value === 'number' && Number.isFinite(value) ? value : undefined
    case 'boolean':
      return typeof value === 'boolean' ? value : undefined
    case 'date':
      return typeof value === 'string' && isDate(value) ? value : undefined
    case 'datetime':
      return typeof value === 'string' ? (normalizeDatetime(value) ?? undefined) : undefined
    case 'duration':
      return typeof value === 'string' && parseDuration(value) !== null ? value : undefined
    case 'list':
      return Array.isArray(value) && value.length <= MAX_ITEMS ? (value as Json[]) : undefined // items are checked next
    case 'json':
      break
  }
  return isJson(value, 0) ? value : undefined
}

function isJson(value: unknown, depth: number): value is Json {
  if (depth > 64) return false
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object') return false
  return Object.entries(value).every(([key, part]) => key !== '__proto__' && isJson(part, depth + 1))
}

/** A day of the calendar as YYYY-MM-DD. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (!match) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const date = new Date(Date.UTC(2000, month - 1, day))
  date.setUTCFullYear(year, month - 1, day)
  return month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
}

/** ISO 8601 with date and time (or a date alone: midnight) → the same moment in UTC, fraction kept as written; null if none. */
export function normalizeDatetime(text: string): string | null {
  const match = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/.exec(text)
  const date = match?.[1]
  if (!match || date === undefined || !isDate(date)) return null
  const [hours, minutes, seconds] = [Number(match[2] ?? 0), Number(match[3] ?? 0), Number(match[4] ?? 0)]
  const offset = offsetMinutes(match[6])
  if (hours > 23 || minutes > 59 || seconds > 59 || offset === null) return null
  const moment = Date.parse(`${date}T00:00:00Z`) + ((hours * 60 + minutes - offset) * 60 + seconds) * 1000
  const utc = new Date(moment).toISOString()
  return /^\d{4}-/.test(utc) ? `${utc.slice(0, 19)}${match[5] ?? ''}Z` : null
}

function offsetMinutes(offset: string | undefined): number | null {
  if (offset === undefined || offset === 'Z') return 0
  const digits = offset.replaceAll(/\D/g, '')
  const hours = Number(digits.slice(0, 2))
  const minutes = Number(digits.slice(2))
  if (hours > 18 || minutes > 59) return null
  return (offset.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}

function checkList(spec: ArgumentSpec, items: Json[]): CheckedValue {
  if (typeof spec.min === 'number' && items.length < spec.min)
    return fail(msg('has_items_below', { count: items.length, min: spec.min }))
  if (typeof spec.max === 'number' && items.length > spec.max)
    return fail(msg('has_items_above', { count: items.length, max: spec.max }))
  const itemSpec: ArgumentSpec = {
    type: spec.items ?? 'json',
    required: true,
    ...(spec.enum === undefined ? {} : { enum: spec.enum }),
    ...(spec.pattern === undefined ? {} : { pattern: spec.pattern }),
  }
  const values: Json[] = []
  for (const [index, item] of items.entries()) {
    const checked = checkArgumentValue(itemSpec, item)
    if (!checked.ok) return fail(checked.problem.message, `[${index}]${checked.problem.at}`)
    values.push(checked.value)
  }
  return { ok: true, value: values }
}

/** null: all hold. */
function checkConstraints(spec: ArgumentSpec, value: Json): Message | null {
  if (spec.enum !== undefined && !spec.enum.some((allowed) => same(allowed, value, spec.type))) {
    return msg('must_be_one_of', { allowed: spec.enum.map((allowed) => JSON.stringify(allowed)) })
  }
  if (spec.pattern !== undefined && typeof value === 'string') {
    const pattern = compilePattern(spec.pattern)
    if (!pattern.ok || !pattern.matches(value)) return msg('must_match_pattern', { pattern: spec.pattern })
  }
  const size = sizeOf(spec.type, value)
  if (size === null) return null
  const min = spec.min === undefined ? null : boundOf(spec.type, spec.min)
  const max = spec.max === undefined ? null : boundOf(spec.type, spec.max)
  const isText = spec.type === 'string'
  const given = isText ? size : JSON.stringify(value)
  if (min !== null && size < min)
    return msg(isText ? 'text_shorter_than' : 'value_less_than', { given, min: String(spec.min) })
  if (max !== null && size > max)
    return msg(isText ? 'text_longer_than' : 'value_more_than', { given, max: String(spec.max) })
  return null
}

function same(a: Json, b: Json, type: ArgumentType): boolean {
  if (type === 'datetime' && typeof a === 'string') return normalizeDatetime(a) === b
  return JSON.stringify(a) === JSON.stringify(b)
}

/** What `min` and `max` compare; null where they say nothing. */
function sizeOf(type: ArgumentType, value: Json): number | null {
  if (type === 'string') return typeof value === 'string' ? Array.from(value).length : null
  return boundOf(type, value)
}

/** `min` or `max` itself as a number: milliseconds for times. null: it is not of the argument's type. */
export function boundOf(type: ArgumentType, bound: Json): number | null {
  if (type === 'date') return typeof bound === 'string' && isDate(bound) ? Date.parse(`${bound}T00:00:00Z`) : null
  if (type === 'datetime') {
    const normal = typeof bound === 'string' ? normalizeDatetime(bound) : null
    return normal === null ? null : Date.parse(normal)
  }
  if (type === 'duration') return typeof bound === 'string' ? parseDuration(bound) : null
  return typeof bound === 'number' ? bound : null
}
