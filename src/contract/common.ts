import Type, { type Static, type TProperties, type TSchema } from 'typebox'

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })

/** ISO 8601, UTC, milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-03-01T08:30:00.000Z'] })

/** `T | null`, in the form that keeps OpenAPI readable. */
export const Nullable = <T extends TSchema>(schema: T) =>
  typeof schema === 'object' && 'type' in schema && typeof schema.type === 'string' && !('enum' in schema)
    ? Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] })
    : Type.Unsafe<Static<T> | null>({ anyOf: [schema, { type: 'null' }] })

export const NullableString = Nullable(Type.String())
export const NullableInteger = Nullable(Type.Integer())
export const NullableNumber = Nullable(Type.Number())
/** Of rows or bytes. */
export const NullableCount = Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))
export const NullableTimestamp = Nullable(Timestamp)
/** A string that holds JSON, or null. */
export const JsonString = (what: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], description: `JSON-encoded: ${what}` })
/** 0 or 1, as the store keeps it. */
export const Flag = Type.Unsafe<0 | 1>({ type: 'integer', enum: [0, 1] })

/** A record's name: trimmed, 1–200 characters, none of them a control character. */
export const Name = Type.String({ minLength: 1, maxLength: 200 })

export const AnyObject = Type.Record(Type.String(), Type.Unknown())
export const Success = Type.Object({ success: Type.Boolean() }, { $id: 'Success' })

export const IdParams = Type.Object({ id: Id })

export const listLimit = { default: 50, maximum: 200 } as const

/** Query of every list: keyset paging both ways by opaque cursor. */
export const listQuery = <P extends TProperties>(filters: P) =>
  Type.Object(
    {
      cursor: Type.Optional(
        Type.String({ maxLength: 1000, description: 'nextCursor or prevCursor of an earlier response' }),
      ),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: listLimit.maximum, default: listLimit.default, description: 'Page size' }),
      ),
      ...filters,
    },
    { additionalProperties: false },
  )

/** Of a record that comes to an end. */
export const WaitQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.String({
        pattern: '^(([1-9]|[1-5][0-9]|60)s|1m)$',
        'x-wanted': 'a time from 1s to 60s, such as 30s',
        description: 'Respond when it has ended, or after this time: 1s to 60s, or 1m',
        examples: ['30s'],
      }),
    ),
  },
  { additionalProperties: false },
)

export const SearchQuery = Type.String({ maxLength: 200, description: 'Case-insensitive search' })
/** Beside `SearchQuery`, which finds anywhere: the record whose very name was typed is among the first. */
export const NamePrefix = Type.String({
  maxLength: 200,
  description: 'Only names that start with this, case-insensitive',
})
export const YamlSearch = Type.String({
  maxLength: 200,
  description: 'Only those whose current YAML contains this, case-insensitive',
})
export const SortOrder = Type.Enum(['asc', 'desc'])

/**
 * A list of these words, each at most once. Without `type`, ajv compares the elements in pairs: a long list would keep the server busy
 * for minutes.
 */
export const someOf = <const W extends string>(words: readonly W[], options: Type.TArrayOptions = {}) =>
  Type.Array(Type.Unsafe<W>({ type: 'string', enum: [...words] }), {
    maxItems: words.length,
    uniqueItems: true,
    ...options,
  })

/** A filter of a list that takes several values, as repetitions of its name: any of them matches. */
export const oneOrMore = <T extends TSchema>(one: T, maxItems = 20) =>
  Type.Array(one, { minItems: 1, maxItems, description: 'Repeat it to allow several' })

/** The page of a list. */
export const paginated = <T extends TSchema>(item: T) =>
  Type.Object({
    result: Type.Array(item),
    nextCursor: NullableString,
    prevCursor: NullableString,
    total: Type.Integer({ description: 'Records that match the filters' }),
  })
export interface Paginated<T> {
  result: T[]
  nextCursor: string | null
  prevCursor: string | null
  total: number
}

/** A column of rows shown to people: type is DuckDB's or the source system's own name. */
export const Column = Type.Object({ name: Type.String(), type: Type.String() }, { $id: 'Column' })
export type Column = Static<typeof Column>

/**
 * A row as an array in column order. Values that JSON numbers cannot hold (int64 beyond 2^53, decimals, timestamps, bytes
 * as base64) are strings; the column's type says which.
 */
export const Row = Type.Array(Type.Unknown())
