import { shortened } from '../../../language/shortened.ts'
import type { Document } from 'mongodb'
import { TypedText, plain } from '../../sources/record-values.ts'
import type { MongoDriver } from './client.ts'
import { fieldValue } from './documents.ts'

export interface SampledField {
  name: string
  /** MongoDB's names of the types seen: `int`, or `int | string`. */
  type: string
  /** In every document, and never null. */
  always: boolean
}

/** The fields of a sample, in the order of their first appearance. */
export function fieldsOf(documents: readonly Document[]): SampledField[] {
  const fields = new Map<string, { types: Set<string>; seen: number }>()
  for (const document of documents) {
    for (const [name, value] of Object.entries(document)) {
      let field = fields.get(name)
      if (!field) fields.set(name, (field = { types: new Set(), seen: 0 }))
      if (value === null || value === undefined) continue
      field.types.add(typeOf(value))
      field.seen++
    }
  }
  return [...fields].map(([name, { types, seen }]) => ({
    name,
    type: types.size === 0 ? 'null' : [...types].toSorted().join(' | '),
    always: seen === documents.length,
  }))
}

const names: Record<string, string> = {
  Int32: 'int',
  Long: 'long',
  Double: 'double',
  Decimal128: 'decimal',
  ObjectId: 'objectId',
  Timestamp: 'timestamp',
  BSONRegExp: 'regex',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  Code: 'javascript',
  BSONSymbol: 'symbol',
  DBRef: 'object',
}

/** As `$type` calls it. */
function typeOf(value: unknown): string {
  if (typeof value === 'string') return 'string'
  if (typeof value === 'boolean') return 'bool'
  if (value instanceof Date) return 'date'
  if (value instanceof RegExp) return 'regex'
  if (Array.isArray(value)) return 'array'
  if (typeof value !== 'object' || value === null) return typeof value
  const tag = '_bsontype' in value ? String(value._bsontype) : ''
  if (tag === 'Binary') return 'sub_type' in value && value.sub_type === 4 ? 'uuid' : 'binData'
  return names[tag] ?? 'object'
}

const longestText = 10_000

/** A value of the sample as JSON has it. */
export function sampleValue(value: unknown, field: string, driver: MongoDriver): unknown {
  const found = fieldValue(value, field, driver)
  if (found instanceof TypedText && found.type === 'number') {
    const number = Number(found.text)
    return Number.isFinite(number) ? number : found.text
  }
  const shown = plain(found)
  return typeof shown === 'string' ? shortened(shown, longestText) : shown
}
