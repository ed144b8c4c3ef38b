import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import type { TextSink } from '../results.types.ts'
import type { PortalHandlers } from './portal.ts'

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const [letterT, zero, nine, plus, minus, point, blank, between, utc] = [
  0x74, 0x30, 0x39, 0x2b, 0x2d, 0x2e, 0x20, 0x54, 0x5a,
]
/** Types whose text is the server's; bytes are hexadecimal in our sessions. */
const same: ReadonlySet<ValueType> = new Set(['text', 'json', 'date'])
/** Those of them that never need a look. Days do: one is `-infinity`. */
const plain: ReadonlySet<ValueType> = new Set(['integer', 'bigint', 'decimal', 'time', 'uuid', 'bytes'])

type Give = (bytes: Buffer, from: number, to: number) => void

type Read = (text: string) => WireValue

/** Rows of the server's texts, as `textsOf` reads them, to a sink of texts. `readOf`: how a value is told otherwise. */
export function textRows(
  fields: readonly QueryField[],
  readOf: (field: QueryField) => Read,
  sink: TextSink,
): PortalHandlers['row'] {
  const gives = fields.map((field) => giverOf(field, readOf(field), sink))
  return (bytes, at) => {
    let from = at + 2
    for (const give of gives) {
      // As `readInt32BE`, which looks at its arguments each time.
      const length = (bytes[from]! << 24) | (bytes[from + 1]! << 16) | (bytes[from + 2]! << 8) | bytes[from + 3]!
      from += 4
      if (length < 0) sink.value(null)
      else {
        give(bytes, from, from + length)
        from += length
      }
    }
    return sink.end()
  }
}

function giverOf(field: QueryField, read: Read, sink: TextSink): Give {
  if (same.has(field.type)) return (bytes, from, to) => sink.text(bytes, from, to)
  if (plain.has(field.type)) return (bytes, from, to) => sink.plain(bytes, from, to)
  if (field.type === 'boolean')
    return (bytes, from) => (bytes[from] === letterT ? sink.plain(yes, 0, yes.length) : sink.plain(no, 0, no.length))
  const asValue: Give = (bytes, from, to) => sink.value(read(bytes.toString('utf8', from, to)))
  if (field.type !== 'datetime' && field.type !== 'datetime_tz') return asValue
  const iso = Buffer.alloc(mostMomentBytes)
  return (bytes, from, to) => {
    const length = writeIso(bytes, from, to, iso)
    if (length > 0) sink.plain(iso, 0, length)
    else asValue(bytes, from, to)
  }
}

/** `2024-02-29 12:34:56`, six places, and a zone. */
const mostMomentBytes = 32
/** A moment to the second, and what is before its month and its hour in a year of four digits. */
const [seconds, yearEnd, dayEnd] = [19, 4, 10]

/** The same as `wireMoment`, of moments in years of four digits. 0: it is none. */
function writeIso(bytes: Buffer, from: number, to: number, iso: Buffer): number {
  const length = to - from
  if (length < seconds || length > mostMomentBytes) return 0
  if (bytes[from + yearEnd] !== minus || bytes[from + dayEnd] !== blank) return 0
  for (let at = 0; at < seconds; at++) iso[at] = bytes[from + at]!
  iso[dayEnd] = between
  let at = seconds
  if (bytes[from + at] === point) {
    iso[at++] = point
    let code = bytes[from + at] ?? 0
    if (at === length || code < zero || code > nine) return 0
    for (; at < length && code >= zero && code <= nine; code = bytes[from + at] ?? 0) iso[at++] = code
  }
  if (at === length) return at
  const isUtc =
    length - at === 3 && bytes[from + at] === plus && bytes[from + at + 1] === zero && bytes[from + at + 2] === zero
  if (!isUtc) return 0
  iso[at] = utc
  return at + 1
}
