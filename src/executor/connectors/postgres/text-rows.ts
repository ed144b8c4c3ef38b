import type { QueryField, ValueType, WireValue } from '../../../contract/query-values.ts'
import type { TextSink } from '../results.types.ts'
import type { PortalHandlers } from './portal.ts'

const [yes, no] = [Buffer.from('true'), Buffer.from('false')]
const [letterT, zero, nine, plus, point, between, utc] = [0x74, 0x30, 0x39, 0x2b, 0x2e, 0x54, 0x5a]
/** Types whose text is the server's. Bytes are hexadecimal in our sessions. */
const same: ReadonlySet<ValueType> = new Set([
  'integer',
  'bigint',
  'decimal',
  'text',
  'json',
  'date',
  'time',
  'uuid',
  'bytes',
])

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
      const length = bytes.readInt32BE(from)
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
  if (field.type === 'boolean')
    return (bytes, from) => (bytes[from] === letterT ? sink.text(yes, 0, yes.length) : sink.text(no, 0, no.length))
  const asValue: Give = (bytes, from, to) => sink.value(read(bytes.toString('utf8', from, to)))
  if (field.type !== 'datetime' && field.type !== 'datetime_tz') return asValue
  const iso = Buffer.alloc(mostMomentBytes)
  return (bytes, from, to) => {
    const length = writeIso(bytes, from, to, iso)
    if (length > 0) sink.text(iso, 0, length)
    else asValue(bytes, from, to)
  }
}

/** `2024-02-29 12:34:56`, six places, and a zone. */
const mostMomentBytes = 32
/** Of the characters of a moment to the second: a digit, or the one that stands there. */
const shape = Buffer.from('0000-00-00 00:00:00')
const seconds = shape.length
const dayEnd = 10

/** The same as `wireMoment`, of moments in years of four digits. 0: it is none. */
function writeIso(bytes: Buffer, from: number, to: number, iso: Buffer): number {
  const length = to - from
  if (length < seconds || length > mostMomentBytes) return 0
  for (let at = 0; at < seconds; at++) {
    const code = bytes[from + at] ?? 0
    const wanted = shape[at] ?? 0
    if (wanted === zero ? code < zero || code > nine : code !== wanted) return 0
    iso[at] = code
  }
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
