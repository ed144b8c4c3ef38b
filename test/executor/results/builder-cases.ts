// Rows with awkward values, random definitions over them, and what these should find. Shares nothing with the builder.

export type Kind = 'id' | 'whole' | 'exact' | 'float' | 'text' | 'day' | 'moment' | 'flag'
/** Values as text, null, or (Mongo) missing: undefined. */
export type CaseRow = Readonly<Record<string, string | null>>
export interface CaseColumn {
  name: string
  kind: Kind
}
export interface Definition {
  mode: 'visual'
  action: 'find' | 'count'
  filters: { field: string; operator: string; value: string; valueType?: 'string' }[]
  columns?: string[]
  sort?: string
  order?: 'asc' | 'desc'
  limit?: string
  parameters: { name: string; label: string; type: 'string' }[]
}
export interface Case {
  definition: Definition
  parameters: Record<string, string>
  expected: number[]
}

/** What is different about a system. */
export interface Habits {
  /** Days and moments are texts, compared as such. */
  textDates?: boolean
  /** Has NaN and infinities. */
  special?: boolean
  /** Milliseconds alone. */
  milliseconds?: boolean
  /** NaN equals NaN, and is more than everything else. */
  orderedNaN?: boolean
  /** Its fields' types aren't known, so that filters say them. */
  untyped?: Kind
  /** Texts of other columns can be searched in. */
  textOfAll?: boolean
}

export function randomFrom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!
  return { next, pick, chance: (share: number) => next() < share }
}
type Random = ReturnType<typeof randomFrom>

const texts = [
  '', ' ', 'a', 'A', 'ä', 'a%', '%', '_', 'a_b', "o'clock", "''", '"', '`', '\\', "\\'", '--', '/*', ';', "'; DROP TABLE t; --",
  '{{p1}}', '{{name}}', ':name', '$1', '?', '$ne', '{"$gt": ""}', 'null', 'NULL', 'true', '05', '5', '5.0', '1e3', 'NaN', '2024-02-29',
  'a,b', '[a]', '["a"]', 'ß', '日本語', '🙂', '🙂🙂', 'e\u0301', 'é', 'line\nbreak', 'tab\t', ' lead', 'trail ', 'a.b', '^a', 'a$', '(', '[', 'x'.repeat(300), '\u00a0', '#', '/', '=', '&', 'abc', 'abcabc', 'bc', 'c',
] // prettier-ignore
const wholes = ['0', '1', '-1', '5', '05', '2147483647', '2147483648', '-2147483649', '9007199254740991', '9007199254740992', '9007199254740993', '9223372036854775806', '9223372036854775807', '-9223372036854775808'] // prettier-ignore
const exacts = ['0', '0.1', '-0.1', '1.5', '1.50', '12345678901234567890.1234567891', '12345678901234567890.1234567890', '0.0000000001', '-99999999999999999999.9999999999', '3'] // prettier-ignore
const floats = [
  '0',
  '-0',
  '0.1',
  '0.30000000000000004',
  '1.5',
  '-1.5',
  '1e300',
  '-1e300',
  '5e-324',
  '123456789.125',
  '3',
]
const days = ['1970-01-01', '1969-12-31', '2024-02-29', '2024-03-01', '2000-01-01', '2038-01-19']
const moments = ['1970-01-01T00:00:00.000', '2024-02-29T12:34:56.123', '2024-02-29T12:34:56.124', '2024-02-29T00:00:00.000', '2024-03-01T23:59:59.999', '1999-12-31T23:59:59.001'] // prettier-ignore
const special = ['NaN', 'Infinity', '-Infinity']

function poolOf(kind: Kind, habits: Habits): readonly string[] {
  if (kind === 'text') return texts
  if (kind === 'whole' || kind === 'id') return wholes
  if (kind === 'exact') return exacts
  if (kind === 'float') return habits.special ? [...floats, ...special] : floats
  if (kind === 'day') return days
  if (kind === 'flag') return ['true', 'false']
  return habits.milliseconds || habits.textDates ? moments : moments.map((moment) => `${moment}456`)
}

export function makeRows(count: number, columns: readonly CaseColumn[], random: Random, habits: Habits): CaseRow[] {
  return Array.from({ length: count }, (_, at) =>
    Object.fromEntries(
      columns.map(({ name, kind }) => {
        if (kind === 'id') return [name, String(at)]
        return [name, random.chance(0.15) ? null : random.pick(poolOf(kind, habits))]
      }),
    ),
  )
}

const comparing = ['=', '!=', '<', '<=', '>', '>=', 'in', 'not in']
const searching = ['contains', 'not contains', 'starts with', 'ends with']

export function makeCase(
  rows: readonly CaseRow[],
  columns: readonly CaseColumn[],
  random: Random,
  habits: Habits,
): Case {
  const parameters: Record<string, string> = {}
  const declared: Definition['parameters'] = []
  const tests: ((row: CaseRow) => boolean)[] = []
  /** Sometimes by way of a parameter. */
  const written = (value: string): string => {
    if (value === '' || value.trim() !== value || random.chance(0.6)) return value
    const name = `p${declared.length + 1}`
    declared.push({ name, label: name, type: 'string' })
    parameters[name] = value
    return `{{${name}}}`
  }
  const filters = Array.from({ length: Math.floor(random.next() * 4) }, () => {
    const column = random.pick(columns)
    const { name: field, kind } = column
    if (random.chance(0.1)) {
      const isNull = random.chance(0.5)
      tests.push((row) => (row[field] === null) === isNull)
      return random.chance(0.5)
        ? { field, operator: isNull ? 'is null' : 'is not null', value: '' }
        : { field, operator: isNull ? '=' : '!=', value: 'x', valueType: 'null' as 'string' }
    }
    const searches = kind === 'text' ? random.chance(0.4) : (kind === 'whole' || kind === 'day') && habits.textOfAll && random.chance(0.2) // prettier-ignore
    if (searches) {
      const operator = random.pick(searching)
      const value = kind === 'text' ? part(random.pick(texts), random) : random.pick(['1', '9', '-', '00', '%'])
      tests.push((row) => row[field] !== null && search(plainText(row[field]!, kind), operator, value))
      return { field, operator, value: plainly(value, written) }
    }
    const operator = random.pick(kind === 'flag' ? ['=', '!='] : comparing)
    const values = Array.from({ length: operator.endsWith('in') ? 1 + Math.floor(random.next() * 3) : 1 }, () =>
      valueOf(random, column, rows, habits),
    )
    tests.push((row) => row[field] !== null && compare(row[field]!, operator, values, kind, habits))
    const value = operator.endsWith('in')
      ? JSON.stringify(values.map((one) => plainly(one, written)))
      : plainly(values[0]!, written)
    return {
      field,
      operator,
      value,
      ...(kind === 'text' || kind === habits.untyped || random.chance(0.3)
        ? { valueType: explicit(kind, habits) }
        : {}),
    }
  })
  const action = random.chance(0.25) ? 'count' : 'find'
  const order = random.chance(0.5) ? 'asc' : 'desc'
  let expected = rows.filter((row) => tests.every((holds) => holds(row))).map((row) => Number(row[columns[0]!.name]))
  if (order === 'desc') expected.reverse()
  const limit = random.chance(0.3) ? Math.floor(random.next() * 20) + 1 : null
  if (limit !== null && action === 'find') expected = expected.slice(0, limit)
  const definition: Definition = {
    mode: 'visual',
    action,
    filters,
    sort: columns[0]!.name,
    order,
    parameters: declared,
  }
  if (limit !== null) definition.limit = String(limit)
  if (random.chance(0.5)) definition.columns = [columns[0]!.name, ...columns.slice(1).filter(() => random.chance(0.4)).map(({ name }) => name)] // prettier-ignore
  return { definition, parameters, expected }
}

/** A value of the pool that looks like a placeholder is only ever one itself when it is a parameter's value. */
function plainly(value: string, written: (value: string) => string): string {
  if (!/\{\{\w+\}\}/.test(value)) return written(value)
  for (;;) {
    const replaced = written(value)
    if (replaced !== value) return replaced
  }
}

function explicit(kind: Kind, habits: Habits): 'string' {
  const type = kind === 'text' ? 'string' : kind === 'flag' ? 'boolean' : kind === 'day' || kind === 'moment' ? (habits.textDates ? 'string' : 'date') : 'number' // prettier-ignore
  return type as 'string' // the builder checks it
}

function part(text: string, random: Random): string {
  const characters = [...text]
  const from = Math.floor(random.next() * characters.length)
  const found = random.chance(0.3) ? text : characters.slice(from, from + 1 + Math.floor(random.next() * 4)).join('')
  return found
}

function valueOf(random: Random, { name, kind }: CaseColumn, rows: readonly CaseRow[], habits: Habits): string {
  const known = random.pick(rows)[name]
  const value = random.chance(0.6) && known !== null && known !== undefined ? known : random.pick(poolOf(kind, habits))
  if (kind === 'whole' || kind === 'id') return random.chance(0.1) ? '2.5' : value
  if (habits.textDates) return value
  if (kind === 'day') return random.chance(0.3) ? random.pick([`${value}T00:00:00`, `${value}T12:00`, `${value}T02:00:00+02:00`, `${value}T01:00:00-01:00`]) : value // prettier-ignore
  if (kind === 'moment') return random.chance(0.3) ? random.pick([value.slice(0, 10), `${value}Z`, `${value}+00:00`, value.replace('T', ' '), value.slice(0, 16), `${value}+05:30`]) : value // prettier-ignore
  return value
}

const plainText = (stored: string, kind: Kind): string => (kind === 'whole' ? String(BigInt(stored)) : stored)

function search(text: string, operator: string, value: string): boolean {
  const at = Buffer.from(text).indexOf(Buffer.from(value))
  if (operator === 'contains') return at >= 0
  if (operator === 'not contains') return at < 0
  return operator === 'starts with' ? text.startsWith(value) : text.endsWith(value)
}

function compare(stored: string, operator: string, values: readonly string[], kind: Kind, habits: Habits): boolean {
  const orders = values.map((value) => orderOf(stored, value, kind, habits))
  const [order = null] = orders
  if (operator === 'in') return orders.includes(0)
  if (operator === 'not in') return !orders.includes(0)
  if (operator === '=') return order === 0
  if (operator === '!=') return order !== 0
  if (order === null) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

/** null: they can't be compared. */
function orderOf(stored: string, value: string, kind: Kind, habits: Habits): number | null {
  if (kind === 'text' || kind === 'flag') return Buffer.compare(Buffer.from(stored), Buffer.from(value))
  if (kind === 'day' || kind === 'moment') {
    if (habits.textDates) return Buffer.compare(Buffer.from(stored), Buffer.from(value.trim()))
    return sign(microseconds(stored) - microseconds(value))
  }
  if (kind === 'float') {
    const [one, other] = [Number(stored), Number(value)]
    if (Number.isNaN(one) || Number.isNaN(other)) {
      if (Number.isNaN(one) && Number.isNaN(other)) return 0
      return habits.orderedNaN ? (Number.isNaN(one) ? 1 : -1) : null
    }
    return one < other ? -1 : one > other ? 1 : 0
  }
  return sign(scaled(stored) - scaled(value))
}

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0)

function scaled(text: string): bigint {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d*)\.?(\d*)$/.exec(text) ?? []
  return BigInt(`${minus}${whole || '0'}${fraction.padEnd(12, '0')}`)
}

function microseconds(text: string): bigint {
  const [, day = '', time = '00:00', seconds = '00', fraction = '', offset = 'Z'] =
    /^(\d+-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d))?(?:\.(\d+))?(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  return BigInt(Date.parse(`${day}T${time}:${seconds}${offset}`)) * 1000n + BigInt(fraction.padEnd(6, '0').slice(0, 6))
}
