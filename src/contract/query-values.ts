/** The exact form that values of a query's rows have in JSON: one form a type, described in docs/queries.md. */
import Type, { type Static } from 'typebox'

export const valueTypes = {
  boolean: 'true or false',
  integer: 'A number: whole numbers of up to 32 bits',
  bigint: 'Text: whole numbers of more than 32 bits',
  decimal: 'Text with every digit; "NaN", "Infinity" and "-Infinity" where the system has them',
  double: 'A number; text for "NaN", "Infinity", "-Infinity" and "-0"',
  text: 'Text',
  bytes: 'Text: base64',
  date: 'Text: 2024-02-29',
  time: 'Text: 12:34:56.123456',
  datetime: 'Text: 2024-02-29T12:34:56.123456',
  datetime_tz: 'Text: 2024-02-29T12:34:56.123456Z',
  uuid: 'Text',
  json: 'Text: the JSON as the system writes it',
  document: 'An object in canonical MongoDB Extended JSON (v2)',
  any: 'An object with one key, the type of this value',
} as const
export type ValueType = keyof typeof valueTypes

export const QueryField = Type.Object(
  {
    name: Type.String({ description: 'Names can occur more than once' }),
    type: Type.Enum(Object.keys(valueTypes) as ValueType[], {
      description:
        'The form of the values. A value of another type, which SQLite allows, is an object with one key, its type: `{"text": "n/a"}`.',
    }),
    native: Type.String({ description: 'The type as the system calls it; empty if it has none' }),
  },
  { $id: 'QueryField' },
)
export type QueryField = Static<typeof QueryField>

/** A value that is only given in part. */
export const CutValue = Type.Object(
  {
    row: Type.Integer({ minimum: 0, description: 'Number of the row in the complete result, from 0' }),
    field: Type.Integer({ minimum: 0 }),
    length: Type.Integer({ description: 'Characters of the complete value in its form' }),
  },
  { $id: 'CutValue' },
)
export type CutValue = Static<typeof CutValue>

export type WireValue = null | boolean | number | string | { readonly [key: string]: unknown }
