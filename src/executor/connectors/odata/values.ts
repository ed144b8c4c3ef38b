import { TypedText, type FieldValue } from '../../sources/record-values.ts'
import { memberOf, primitiveOf, type ODataModel, type Property, type StructuredType } from './model.ts'

/** Values of a service's JSON as what its description says they are; large integers and decimals come as text, so that nothing is lost. */

type Member = Pick<Property, 'type' | 'collection'>

/** A record without the annotations; `@` stands in their names only. */
export function convertRecord(
  record: Record<string, unknown>,
  model: ODataModel,
  type: StructuredType | null,
): Record<string, FieldValue> {
  return Object.fromEntries(
    Object.entries(record)
      .filter(([key]) => !key.includes('@'))
      .map(([key, value]) => [key, convert(value, model, type === null ? null : memberOf(model, type, key))]),
  )
}

function convert(value: unknown, model: ODataModel, member: Member | null): FieldValue {
  if (value === null || value === undefined) return null
  const isNested = typeof value === 'object' && !(value instanceof TypedText)
  if (member === null || member.collection || isNested) return nested(value, model, member)
  return scalar(value, primitiveOf(model, member.type))
}

/** What becomes JSON: its numbers are numbers again as far as JSON can hold them. */
function nested(value: unknown, model: ODataModel, member: Member | null): FieldValue {
  if (Array.isArray(value)) return value.map((item) => nested(item, model, member))
  if (value instanceof TypedText || typeof value === 'bigint') return value
  if (typeof value === 'object' && value !== null) {
    return convertRecord(value as Record<string, unknown>, model, (member && model.types.get(member.type)) ?? null) // values of JSON
  }
  const primitive = member === null ? null : primitiveOf(model, member.type)
  // Inside JSON dates and bytes are the texts that they came as.
  return primitive === 'Edm.Int64' ? scalar(value, primitive) : (value as FieldValue) // a scalar of JSON
}

const integers: ReadonlySet<string | null> = new Set(['Edm.Int64', 'Edm.Int32', 'Edm.Int16', 'Edm.Byte', 'Edm.SByte'])

/** In either alphabet. The decoder of Node skips whatever else there is. */
const base64 = /^[\w+/-]*={0,2}$/

function scalar(value: unknown, primitive: string | null): FieldValue {
  if (value instanceof TypedText || typeof value === 'bigint') {
    // Numbers with more digits than JavaScript's keep their text.
    const written = value instanceof TypedText ? value.text : String(value)
    if (primitive === 'Edm.Decimal') return new TypedText('decimal', written)
    if (written === '-0' && integers.has(primitive)) return 0n
    return primitive === 'Edm.Double' || primitive === 'Edm.Single' ? new TypedText('number', written) : value
  }
  const text = String(value)
  // oxlint-disable-next-line typescript/switch-exhaustiveness-check -- every other type is taken as it comes
  switch (primitive) {
    case 'Edm.Int64':
    case 'Edm.Int32':
    case 'Edm.Int16':
    case 'Edm.Byte':
    case 'Edm.SByte':
      return /^[+-]?\d{1,19}$/.test(text) ? BigInt(text) : (value as FieldValue)
    case 'Edm.Decimal':
      return new TypedText('decimal', text)
    case 'Edm.Double':
    case 'Edm.Single':
      return new TypedText('number', text === 'INF' ? 'inf' : text === '-INF' ? '-inf' : text === 'NaN' ? 'nan' : text)
    case 'Edm.Date':
      return new TypedText('date', text)
    case 'Edm.DateTimeOffset':
      // Seconds may be left out in OData.
      return new TypedText('datetime', text.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, '$1:00'))
    case 'Edm.TimeOfDay':
      return new TypedText('time', text)
    case 'Edm.Guid':
      return new TypedText('uuid', text)
    case 'Edm.Binary':
      return base64.test(text) ? Buffer.from(text, 'base64url') : text
    default:
      return value as FieldValue // a scalar of JSON
  }
}

/** DuckDB's type of a property. `exact: false`: only where there are no values that say more. */
export function storedType(
  model: ODataModel,
  property: Pick<Property, 'type' | 'collection' | 'precision' | 'scale'>,
): { type: string; exact: boolean } {
  const primitive = property.collection ? null : primitiveOf(model, property.type)
  const exact = (type: string) => ({ type, exact: true })
  switch (primitive) {
    case null:
      return exact('JSON')
    case 'Edm.Boolean':
      return exact('BOOLEAN')
    case 'Edm.Int64':
    case 'Edm.Int32':
    case 'Edm.Int16':
    case 'Edm.Byte':
    case 'Edm.SByte':
      return exact('BIGINT')
    case 'Edm.Double':
    case 'Edm.Single':
      return exact('DOUBLE')
    case 'Edm.Decimal': {
      const { precision, scale } = property
      const known = precision !== null && scale !== null && precision >= 1 && precision <= 38 && scale <= precision
      return known ? exact(`DECIMAL(${precision},${scale})`) : { type: 'DECIMAL(38,10)', exact: false }
    }
    case 'Edm.Date':
      return exact('DATE')
    case 'Edm.DateTimeOffset':
      return exact('TIMESTAMP')
    case 'Edm.TimeOfDay':
      return exact('TIME')
    case 'Edm.Guid':
      return exact('UUID')
    case 'Edm.Binary':
      return exact('BLOB')
    default:
      return exact('VARCHAR')
  }
}
