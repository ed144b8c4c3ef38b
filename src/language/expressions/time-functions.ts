import type { FunctionTable } from './function.types.ts'
import { ExpressionError } from './machine.ts'
import { formatPicture, type Picture } from './time-picture.ts'
import { msg } from '../messages.ts'

/* The casts below hold because every argument was checked against `parameters` before the call. */
export const timeFunctions: FunctionTable = {
  now: {
    signature: '$now(picture?)',
    description:
      "The run's logical time (not the clock's), as ISO 8601 in UTC or formatted with a picture such as `[Y0001]-[M01]-[D01]`.",
    parameters: ['picture'],
    required: 0,
    contextual: false,
    call: ([picture], machine) => formatTime(logicalTime(machine.now), picture as Picture | undefined),
  },
  millis: {
    signature: '$millis()',
    description: "The run's logical time as milliseconds since 1970.",
    parameters: [],
    required: 0,
    contextual: false,
    call: (_given, machine) => logicalTime(machine.now),
  },
  toMillis: {
    signature: '$toMillis(text)',
    description: 'An ISO 8601 date or time as milliseconds since 1970; in UTC if it has no offset.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => readTime(text as string),
  },
  fromMillis: {
    signature: '$fromMillis(milliseconds, picture?)',
    description:
      'Milliseconds since 1970 as ISO 8601 in UTC, or formatted with a picture such as `[Y0001]-[M01]-[D01]`.',
    parameters: ['number', 'picture'],
    required: 1,
    contextual: true,
    call: ([time, picture]) => formatTime(time as number, picture as Picture | undefined),
  },
}

function logicalTime(now: string | null): number {
  const time = now === null ? NaN : Date.parse(now)
  if (Number.isNaN(time)) throw new ExpressionError(msg('no_logical_time'))
  return time
}

function formatTime(time: number, picture: Picture | undefined): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) throw new ExpressionError(msg('time_out_of_range'))
  return picture === undefined ? date.toISOString() : formatPicture(picture, date)
}

/** The ISO 8601 that JSONata takes. */
const ISO = /^\d{4}(-[01]\d(-[0-3]\d)?)?(T[0-2]\d:[0-5]\d:[0-5]\d(\.\d+)?(?<offset>[+-][0-2]\d:?[0-5]\d|Z)?)?$/

/** Without an offset a time is in UTC, wherever this is evaluated: a run means the same on every machine. */
function readTime(text: string): number {
  const match = ISO.exec(text)
  const utc = text.includes('T') && match?.groups?.['offset'] === undefined
  const time = match ? Date.parse(utc ? `${text}Z` : text) : NaN
  if (Number.isNaN(time)) {
    throw new ExpressionError(msg('not_readable_as_time', { text: text.slice(0, 60) }))
  }
  return time
}
