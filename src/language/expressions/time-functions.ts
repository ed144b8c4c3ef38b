import type { FunctionTable } from './function.types.ts'
import { ExpressionError } from './machine.ts'

/* The casts below hold because every argument was checked against `parameters` before the call. */
export const timeFunctions: FunctionTable = {
  now: {
    signature: '$now(picture?)',
    description:
      "The run's logical time (not the clock's), as ISO 8601 in UTC or by a picture such as `[Y0001]-[M01]-[D01]`.",
    parameters: ['text'],
    required: 0,
    contextual: false,
    takesNothing: true,
    call: ([picture], machine) => formatTime(logicalTime(machine.now), picture as string | undefined),
  },
  millis: {
    signature: '$millis()',
    description: "The run's logical time as milliseconds since 1970.",
    parameters: [],
    required: 0,
    contextual: false,
    takesNothing: true,
    call: (_given, machine) => logicalTime(machine.now),
  },
  toMillis: {
    signature: '$toMillis(text)',
    description: 'An ISO 8601 date or time as milliseconds since 1970.',
    parameters: ['text'],
    required: 1,
    contextual: true,
    call: ([text]) => {
      const time = Date.parse(text as string)
      if (!/^\d{4}-\d{2}-\d{2}/.test(text as string) || Number.isNaN(time)) {
        throw new ExpressionError(`\`$toMillis\` cannot read "${(text as string).slice(0, 60)}" as a time`)
      }
      return time
    },
  },
  fromMillis: {
    signature: '$fromMillis(milliseconds, picture?)',
    description: 'Milliseconds since 1970 as ISO 8601 in UTC, or by a picture such as `[Y0001]-[M01]-[D01]`.',
    parameters: ['number', 'text'],
    required: 1,
    contextual: true,
    call: ([time, picture]) => formatTime(time as number, picture as string | undefined),
  },
}

function logicalTime(now: string | null): number {
  const time = now === null ? NaN : Date.parse(now)
  if (Number.isNaN(time)) throw new ExpressionError('there is no logical time here')
  return time
}

const parts: Record<string, (date: Date) => string> = {
  Y0001: (date) => String(date.getUTCFullYear()).padStart(4, '0'),
  M01: (date) => String(date.getUTCMonth() + 1).padStart(2, '0'),
  D01: (date) => String(date.getUTCDate()).padStart(2, '0'),
  H01: (date) => String(date.getUTCHours()).padStart(2, '0'),
  m01: (date) => String(date.getUTCMinutes()).padStart(2, '0'),
  s01: (date) => String(date.getUTCSeconds()).padStart(2, '0'),
  f001: (date) => String(date.getUTCMilliseconds()).padStart(3, '0'),
}

/** The fixed-width part of XPath's pictures, always in UTC. */
function formatTime(time: number, picture: string | undefined): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) throw new ExpressionError('the time is out of range')
  if (picture === undefined) return date.toISOString()
  return picture.replaceAll(/\[([^\]]*)\]/g, (whole, name: string) => {
    const part = parts[name]
    if (!part) {
      throw new ExpressionError(
        `the picture part \`${whole}\` is not known; there are ${Object.keys(parts)
          .map((key) => `[${key}]`)
          .join(' ')}`,
      )
    }
    return part(date)
  })
}
