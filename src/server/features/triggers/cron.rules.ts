/**
 * Classic cron: five fields of numbers, names, lists, ranges and steps. What other programs accept beyond (seconds, years,
 * `@hourly`, `L`, `W`, `#`, `?`) is refused with the words for it. A day fits when day of month and day of week both do; where
 * both are restricted (neither is `*`), when one of them does.
 */
import { type Message, msg } from '../../../contract/messages.ts'
import { Cron } from 'croner'
import { createRecent } from '../../platform/recent.ts'

/** The wall clock's own calendar, without any zone: local times as if they were UTC. */
export interface CronCalendar {
  /** The first time that fits after `local`; null: none up to the year 9999. */
  next(local: number): number | null
  /** It names every hour, and so goes on by the hour whatever the clock does. */
  readonly everyHour: boolean
  /** It fires in steps of minutes, and goes on with them when an hour comes twice. */
  readonly stepsMinutes: boolean
}
export type ParsedCron = { ok: true; calendar: CronCalendar } | { ok: false; problem: Message }

interface Field {
  name: string
  min: number
  max: number
  names?: readonly string[]
  /** What people write from habit of other programs. */
  foreign?: RegExp
}

const fields: readonly Field[] = [
  { name: 'minute', min: 0, max: 59 },
  { name: 'hour', min: 0, max: 23 },
  { name: 'day of month', min: 1, max: 31, foreign: /[LW]/i },
  {
    name: 'month',
    min: 1,
    max: 12,
    names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'],
  },
  { name: 'day of week', min: 0, max: 7, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'], foreign: /[L#]/i },
]
const nicknames: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}
/** Of the calendar: the Gregorian one repeats every 400 years, leap days come at the latest after 8. */
const lastLocal = Date.UTC(9999, 11, 31, 23, 59)

const parsed = createRecent<ParsedCron>(2_000)

/** Never throws. */
export const parseCron = (expression: string): ParsedCron => parsed.get(expression, () => parse(expression))

function parse(expression: string): ParsedCron {
  const text = expression.trim()
  if (text.startsWith('@')) {
    const same = nicknames[text.toLowerCase()]
    return refused(same ? msg('cron_nickname_same', { same }) : msg('cron_nickname'))
  }
  const parts = text.split(/\s+/)
  if (parts.length !== fields.length || text === '') {
    const count = text === '' ? 0 : parts.length
    return refused(msg(count > fields.length ? 'cron_many_fields' : 'cron_few_fields', { count }))
  }
  const values: Set<number>[] = []
  for (const [index, part] of parts.entries()) {
    const read = readField(fields[index]!, part)
    if ('problem' in read)
      return refused(msg('cron_field', { number: index + 1, field: fields[index]!.name, problem: read.problem }))
    values.push(read.values)
  }
  const [minute = '', , dayOfMonth, , dayOfWeek] = parts
  // Unless a weekday may do instead, one of the months must have such a day.
  const calendar = calendarOf(parts.join(' '), values[1]!.size === 24, minute.startsWith('*'))
  if (dayOfWeek === '*' && dayOfMonth !== '*' && calendar.next(Date.UTC(1999, 11, 31)) === null) {
    return refused(msg('cron_never'))
  }
  return { ok: true, calendar }
}

const refused = (problem: Message): ParsedCron => ({ ok: false, problem })

type ReadField = { values: Set<number> } | { problem: Message }

function readField(field: Field, text: string): ReadField {
  const values = new Set<number>()
  for (const item of text.split(',')) {
    const problem = item === '' ? msg('cron_empty_place') : readItem(field, item, values)
    if (problem !== null) return { problem }
  }
  return { values }
}

/** null: its values were added. */
function readItem(field: Field, item: string, values: Set<number>): Message | null {
  const shown = item.slice(0, 40)
  const [range = '', step, ...more] = item.split('/')
  if (more.length > 0) return msg('cron_steps', { item: shown })
  const bounds = range === '*' ? { from: field.min, to: field.max } : readRange(field, range)
  if ('message' in bounds) return bounds
  const { from, to } = bounds
  if (from > to) {
    return msg('cron_range', { item: shown, instead: `${from}-${field.max},${field.min}-${to}` })
  }
  if (step !== undefined && range !== '*' && !range.includes('-')) {
    return msg('cron_step_alone', { item: shown, instead: `${from}-${field.max}/${step}` })
  }
  const size = step === undefined ? 1 : /^\d{1,3}$/.test(step) ? Number(step) : 0
  if (size < 1) return msg('cron_step_whole', { item: shown })
  if (size > field.max) return msg('cron_step_large', { item: shown })
  // 7 is Sunday, too.
  for (let value = from; value <= to; value += size) values.add(field.max === 7 ? value % 7 : value)
  return null
}

function readRange(field: Field, text: string): { from: number; to: number } | Message {
  const ends = text.split('-')
  if (ends.length > 2 || ends.includes('')) return notUnderstood(field, text)
  const numbers = ends.map((end) => readValue(field, end))
  for (const number of numbers) if (typeof number !== 'number') return number
  const [from, to = from] = numbers as number[] // messages have just been ruled out
  return { from: from!, to: to! }
}

function readValue(field: Field, text: string): number | Message {
  const named = field.names?.indexOf(text.toLowerCase()) ?? -1
  if (named >= 0) return named + (field.min === 1 ? 1 : 0)
  if (!/^\d{1,4}$/.test(text)) return notUnderstood(field, text)
  const value = Number(text)
  if (value < field.min || value > field.max)
    return msg('cron_between', { value: text, min: field.min, max: field.max })
  return value
}

function notUnderstood(field: Field, text: string): Message {
  const item = text.slice(0, 40)
  if (text === '?') return msg('cron_question')
  if (field.foreign?.test(text) && !field.names?.includes(text.toLowerCase()) && /^[\dLW#]+$/i.test(text)) {
    return msg('cron_foreign', { item })
  }
  const { min, max, names } = field
  if (!names) return msg('cron_not_understood', { item, min, max })
  return msg('cron_not_understood_names', { item, min, max, first: names[0]!, last: names.at(-1)! })
}

function calendarOf(expression: string, everyHour: boolean, stepsMinutes: boolean): CronCalendar {
  // Local times are given to it as if they were UTC: what zones do to them is no business of a calendar.
  const cron = new Cron(expression, { mode: '5-part', utcOffset: 0, paused: true })
  return {
    everyHour,
    stepsMinutes,
    next(local) {
      const found = cron.nextRun(new Date(local))?.getTime() ?? null
      return found === null || found > lastLocal ? null : found
    },
  }
}
