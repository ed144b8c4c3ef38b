import { object, optional, required } from '../shape/collections.ts'
import { choice, text } from '../shape/scalars.ts'
import type { Shape } from '../shape/shape.types.ts'
import { entryOf, joinPath, type YamlNode } from '../yaml/yaml-tree.ts'
import { columnType, type ColumnType } from './column-types.ts'
import { msg } from '../messages.ts'
import type { Message } from '../message.ts'
import type { TextProblem } from '../shape/scalars.ts'

/** How the texts of a column write what is no text: numbers, or days and times. */
export type ValueFormat = NumberFormat | { kind: 'moment'; pattern: string }

export interface NumberFormat {
  kind: 'number'
  decimal: DecimalMark
  /** Null: none. */
  thousands: ThousandsMark | null
}

const decimalMarks = {
  '.': 'A point: `1234.56`.',
  ',': 'A comma: `1234,56`.',
} as const
export type DecimalMark = keyof typeof decimalMarks

const thousandsMarks = {
  ',': 'A comma: `1,234`.',
  '.': 'A point: `1.234`.',
  ' ': 'A space, including non-breaking and narrow ones: `1 234`.',
  "'": 'An apostrophe, straight or curved: `1’234`.',
} as const
export type ThousandsMark = keyof typeof thousandsMarks

export const decimalMark = choice('Decimal separator.', decimalMarks)
export const thousandsMark = choice(
  'Thousands separator. Numbers can omit it; if present, three digits follow it (two in Indian numbers, except for the last group).',
  thousandsMarks,
)

/**
 * Parts of a pattern of days and times, as strftime has them, and what a text may have in their place. DuckDB reads fewer digits as well:
 * a year of two digits would be one of the first century.
 */
const momentParts: Readonly<Record<string, { digits: string; of: 'year' | 'month' | 'day' | 'hour' | null }>> = {
  Y: { digits: '[0-9]{4}', of: 'year' },
  y: { digits: '[0-9]{2}', of: 'year' },
  m: { digits: '[0-9]{1,2}', of: 'month' },
  b: { digits: '[A-Za-z]{3}', of: 'month' },
  B: { digits: '[A-Za-z]+', of: 'month' },
  d: { digits: '[0-9]{1,2}', of: 'day' },
  H: { digits: '[0-9]{1,2}', of: 'hour' },
  I: { digits: '[0-9]{1,2}', of: 'hour' },
  M: { digits: '[0-9]{2}', of: null },
  S: { digits: '[0-9]{2}', of: null },
  f: { digits: '[0-9]{1,6}', of: null },
  p: { digits: '[AaPp][Mm]', of: null },
  z: { digits: '[+-][0-9]{2}(:?[0-9]{2})?', of: null },
}
const partNames = Object.keys(momentParts).map((part) => `%${part}`)

/** What a pattern is made of; null: something in it is no part that is known. */
function partsOf(pattern: string): (string | { part: string })[] | null {
  const parts: (string | { part: string })[] = []
  for (const [, part, literal] of pattern.matchAll(/%(.?)|([^%]+)/gsu)) {
    if (literal !== undefined) parts.push(literal)
    else if (part === '%') parts.push('%')
    else if (part !== undefined && Object.hasOwn(momentParts, part)) parts.push({ part })
    else return null
  }
  return parts
}

/** The texts that a pattern takes, as a regular expression (RE2) of the whole text. */
export function momentExpression(pattern: string): string {
  const parts = partsOf(pattern) ?? []
  const isDigits = (at: number): boolean => {
    const one = parts[at]
    return typeof one === 'object' && /^[YymdHIMSf]$/.test(one.part)
  }
  return parts
    .map((one, at) => {
      if (typeof one === 'string') return one.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
      const { digits } = momentParts[one.part] ?? { digits: '' }
      // Without anything between them, only their width tells numbers apart.
      return isDigits(at - 1) || isDigits(at + 1) ? digits.replace('{1,2}', '{2}') : digits
    })
    .join('')
}

/** `dd.mm.yyyy`, as people write it elsewhere, as a pattern. */
function patternMeant(written: string): string | null {
  const meant = written
    .replaceAll(/yyyy/gi, '%Y')
    .replaceAll(/\byy\b/gi, '%y')
    .replaceAll('MM', '%m')
    .replaceAll(/\bdd?\b/gi, '%d')
    .replaceAll(/hh/gi, '%H')
    .replaceAll(/(?<=%H:)mm/g, '%M')
    .replaceAll('ss', '%S')
    .replaceAll(/\bmm?\b/gi, '%m')
  return meant === written ? null : meant
}

type MomentType = 'date' | 'time' | 'datetime'
const momentWords = { year: 'the_year', month: 'the_month', day: 'the_day', hour: 'the_hour' } as const
const needed: Readonly<Record<MomentType, readonly (keyof typeof momentWords)[]>> = {
  date: ['year', 'month', 'day'],
  datetime: ['year', 'month', 'day'],
  time: ['hour'],
}

const momentExamples: Readonly<Record<MomentType, string>> = {
  date: '%d.%m.%Y',
  datetime: '%d.%m.%Y %H:%M',
  time: '%I:%M %p',
}

/** A finding without place, or null. */
function checkMoment(pattern: string, type: MomentType): TextProblem | null {
  const shown = pattern.slice(0, 60)
  const example = momentExamples[type]
  const fault = (message: Message, hint: Message) => ({ code: 'invalid_value' as const, message, hint })
  const parts = partsOf(pattern)
  if (parts === null)
    return fault(
      msg('pattern_part_unknown', { pattern: shown }),
      msg('use_pattern_parts', { parts: partNames, example }),
    )
  const found = parts.flatMap((one) => (typeof one === 'string' ? [] : [one.part]))
  const twice = found.find((part, at) => found.indexOf(part) !== at)
  if (twice !== undefined)
    return fault(msg('pattern_part_twice', { pattern: shown, part: twice }), msg('write_pattern', { example }))
  const has = new Set(found.map((part) => momentParts[part]?.of))
  const missing = needed[type].filter((one) => !has.has(one))
  if (missing.length > 0) {
    const meant = found.length === 0 ? patternMeant(pattern) : null
    return fault(
      msg(missing.length === 1 ? 'pattern_lacks_part' : 'pattern_lacks_parts', {
        pattern: shown,
        missing: missing.map((part) => msg(momentWords[part])),
        type,
      }),
      msg('write_pattern', { example: meant !== null && checkMoment(meant, type) === null ? meant : example }),
    )
  }
  const dayPart =
    type === 'time' ? found.find((part) => ['year', 'month', 'day'].includes(momentParts[part]?.of ?? '')) : undefined
  if (dayPart !== undefined)
    return fault(msg('pattern_part_lost', { pattern: shown, part: dayPart }), msg('use_datetime'))
  if (found.includes('I') !== found.includes('p'))
    return fault(msg('pattern_half_day', { pattern: shown }), msg('use_both_or_24_hours'))
  if (type !== 'datetime' && found.includes('z'))
    return fault(msg('pattern_offset_lost', { pattern: shown, type }), msg('use_datetime_or_no_offset'))
  return null
}

/** A pattern for one type of columns. */
export const momentPattern = (type: MomentType, description: string): Shape<string> =>
  text({
    description: `${description} strftime codes: \`%d\` day, \`%m\` month, \`%b\` and \`%B\` English month names, \`%Y\` year, \`%y\` two-digit year (69 is 1969, 68 is 2068), \`%H\` hour, \`%I\` and \`%p\` hour with AM or PM, \`%M\` minute, \`%S\` second, \`%f\` fraction of a second, \`%z\` offset. Other characters are literal.`,
    examples: [momentExamples[type]],
    maxLength: 60,
    check: (value) => checkMoment(value, type),
  })

/** A column with its type and how its texts write it. */
export interface FormattedType {
  type: ColumnType
  format: ValueFormat | null
}

const formattedFields = {
  type: required(columnType),
  decimal: optional(decimalMark),
  thousands: optional(thousandsMark),
  format: optional(
    text({
      description:
        'Format of dates and times, in strftime codes. For `date`, `time`, and `datetime`. E.g. `%d.%m.%Y`, `%m/%d/%Y %H:%M`.',
      examples: Object.values(momentExamples),
      maxLength: 60,
    }),
  ),
}
const formatted = object(formattedFields, {
  noun: msg('a_column'),
  description: 'A type, and the format of its texts. Values in another format don’t fit.',
})

const isNumber = (type: ColumnType): boolean => type === 'integer' || type === 'number' || type.startsWith('decimal')
const isMoment = (type: ColumnType): type is MomentType => type === 'date' || type === 'time' || type === 'datetime'

/** A type by its name, or with how the column is written. */
export const formattedType: Shape<FormattedType> = {
  schema: {
    description: columnType.schema.description ?? '',
    anyOf: [...(columnType.schema.anyOf ?? []), formatted.schema],
  },
  read(node, path, context) {
    if (node.kind !== 'map') {
      const type = columnType.read(node, path, context)
      return type === undefined ? undefined : { type, format: null }
    }
    const read = formatted.read(node, path, context)
    if (!read) return undefined
    const { type, decimal, thousands, format } = read
    const place = (key: string) => ({ path: joinPath(path, key), at: entryOf(node, key)?.value.mark ?? node.mark })
    const wrong = [
      ...(isNumber(type) ? [] : (['decimal', 'thousands'] as const)),
      ...(isMoment(type) ? [] : (['format'] as const)),
    ].find((key) => read[key] !== undefined)
    if (wrong !== undefined) {
      context.report({
        code: 'option_not_applicable',
        message: msg('option_of_other_type', { option: wrong, type }),
        hint: wrong === 'format' ? msg('only_for_times') : msg('only_for_numbers'),
        ...place(wrong),
      })
      return undefined
    }
    if (format !== undefined && isMoment(type)) {
      const problem = checkMoment(format, type)
      if (!problem) return { type, format: { kind: 'moment', pattern: format } }
      context.report({ ...problem, ...place('format') })
      return undefined
    }
    if (decimal === undefined && thousands === undefined) return { type, format: null }
    const marks = readMarks(decimal, thousands, node, path, context)
    return marks && { type, format: marks }
  },
}

/** Both marks together; reports where they are the same. */
export function readMarks(
  decimal: DecimalMark | undefined,
  thousands: ThousandsMark | undefined,
  node: YamlNode,
  path: string,
  context: Parameters<Shape<unknown>['read']>[2],
): NumberFormat | undefined {
  const mark = decimal ?? (thousands === '.' ? ',' : '.')
  if (mark !== thousands) return { kind: 'number', decimal: mark, thousands: thousands ?? null }
  context.report({
    code: 'invalid_value',
    message: msg('same_marks', { mark }),
    hint: msg('choose_other_mark'),
    path: joinPath(path, 'thousands'),
    at: node.kind === 'map' ? (entryOf(node, 'thousands')?.value.mark ?? node.mark) : node.mark,
  })
  return undefined
}
