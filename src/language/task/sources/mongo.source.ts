import { hasExpression } from '../../expressions/template.ts'
import { listOf, object, optional, required, withDefault } from '../../shape/collections.ts'
import { readJson } from '../../shape/json-value.ts'
import { reportType } from '../../shape/report-value.ts'
import { number, text } from '../../shape/scalars.ts'
import type { ReadContext, Shape } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import { columnType, columnTypes } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineSource } from '../definitions.ts'
import { checkCollectionName, checkOperators, findRefused, refusalOf } from '../mongo-documents.ts'
import type { MongoSource } from './source.types.ts'
import type { Json } from '../task.types.ts'
import { msg } from '../../messages.ts'

type Document = Record<string, Json>

/** A document in extended JSON, with templates. */
function document(description: string, examples: Document[]): Shape<Document> {
  return {
    schema: { type: 'object', description, examples, additionalProperties: true, 'x-template': true },
    read(node, path, context) {
      if (node.kind !== 'map') return reportType(node, path, context, msg('a_map'))
      const value = readJson(node, path, context, true)
      if (!checkOperators(node, path, context) || value === undefined) return undefined
      return value as Document // a map stays one
    },
  }
}

const filter = document(
  [
    'Documents to read: a filter in MongoDB’s query language; by default all.',
    'Values that JSON doesn’t support are written as extended JSON: `{$date: "2026-03-01T00:00:00Z"}`, `{$oid: …}`, `{$numberDecimal: "1.50"}`.',
    'Dates, including a cursor of type `datetime`, must be written this way; otherwise they are compared as text: `{updated_at: {$gte: {$date: "${{ state.cursor }}"}}}`.',
  ].join(' '),
  [{ country: 'NO' }, { updated_at: { $gte: { $date: '2026-03-01T00:00:00Z' } } }],
)

const stage: Shape<Document> = {
  schema: {
    type: 'object',
    description: 'One stage: a map with one key, e.g. `$match`.',
    additionalProperties: true,
    'x-template': true,
  },
  read(node, path, context) {
    if (node.kind !== 'map') return reportType(node, path, context, msg('a_map_stage'))
    const value = readJson(node, path, context, true)
    if (!checkOperators(node, path, context) || value === undefined) return undefined
    const [first, second] = node.entries
    if (first?.key.startsWith('$') && !second) return value as Document // a map stays one
    context.report({
      code: 'invalid_value',
      message: msg('stage_with_several_keys'),
      hint: second ? msg('write_stage_per_operator') : msg('write_stage'),
      path,
      at: second?.keySpan ?? first?.keySpan ?? node.mark,
    })
    return undefined
  },
}

const mongoShape = object(
  {
    collection: required(
      text({
        description: 'The collection or view.',
        examples: ['orders'],
        template: true,
        maxLength: 200,
        check: checkCollectionName,
      }),
    ),
    find: optional(filter),
    projection: optional(
      document('Fields to read: `1` includes a field, `0` excludes it; by default all.', [
        { _id: 0, name: 1, email: 1 },
      ]),
    ),
    sort: optional(document('Sort order: `1` ascending, `-1` descending.', [{ updated_at: 1 }])),
    limit: optional(number({ description: 'Maximum number of documents.', integer: true, min: 1, max: 2_147_483_647 })),
    aggregate: optional(
      listOf(stage, {
        description:
          'Stages of an aggregation pipeline, in extended JSON, instead of `find`. Stages can only read: no `$out`, `$merge`, or JavaScript.',
        min: 1,
        max: 200,
        examples: [[{ $match: { country: 'NO' } }, { $unwind: '$items' }]],
      }),
    ),
    columns: withDefault(
      columnTypes(columnType, {
        description:
          'Column types. Types of unlisted columns are detected from the values: long integers and decimals keep every digit, dates become `datetime`, ObjectIds become their 24 hex digits, and documents and lists become JSON. Missing fields and null are NULL.',
        examples: [{ _id: 'string', total: 'decimal(18,2)' }],
      }),
      {},
      null,
    ),
  },
  {
    noun: msg('named', { name: 'mongo' }),
    description: 'Documents of a MongoDB collection; by default all of them. Each top-level field is a column.',
  },
)

const variant = defineVariant({
  key: 'mongo',
  noun: msg('a_source_with', { kind: 'mongo' }),
  description: 'Documents of a MongoDB collection.',
  fields: {
    connector: required(slotReference(['mongodb'], 'read', msg('source_named', { kind: 'mongo' }))),
    mongo: required(mongoShape),
  },
  build({ connector, mongo }, node, path, context): MongoSource | undefined {
    const map = entryOf(node, 'mongo')?.value
    if (map?.kind !== 'map' || !checkChoice(map, `${path}.mongo`, context)) return undefined
    const { collection, find, projection, sort, limit, aggregate, columns } = mongo
    const read: MongoSource['read'] =
      aggregate === undefined
        ? {
            kind: 'find',
            filter: find ?? {},
            projection: projection ?? null,
            sort: sort ?? null,
            limit: limit ?? null,
          }
        : { kind: 'aggregate', pipeline: aggregate }
    return { kind: 'mongo', connector, collection, read, columns }
  },
})

/** What the stages of a pipeline say instead. */
const stageFor = { find: '$match', projection: '$project', sort: '$sort', limit: '$limit' } as const

/** Either `find` with what goes with it, or `aggregate`. */
function checkChoice(map: YamlMap, path: string, context: ReadContext): boolean {
  if (!entryOf(map, 'aggregate')) return true
  for (const [key, operator] of Object.entries(stageFor)) {
    const odd = entryOf(map, key)
    if (!odd) continue
    context.report({
      code: 'several_choices',
      message: key === 'find' ? msg('find_and_aggregate') : msg('not_with_aggregate', { key }),
      hint: msg('write_stage_instead', { operator }),
      path: `${path}.${key}`,
      at: odd.keySpan,
    })
    return false
  }
  return true
}

export const mongoSource = defineSource<MongoSource>({
  kind: 'mongo',
  variant,
  // Digits that JSON's numbers lack are kept as text, which no number in a collection is ever compared with.
  cursor: (type, value): Json => {
    if (typeof value === 'number' || (type !== 'integer' && type !== 'number')) return value
    return type === 'integer' ? { $numberLong: value } : { $numberDecimal: value }
  },
  columns: () => null,
  resolve(source, resolver, path) {
    // What a template brought along is refused as what is written.
    const json = (value: Json, place: string): Json => {
      const resolved = resolver.json(value, place)
      const refusal = refusalOf(findRefused(resolved))
      if (refusal) resolver.problems.push({ path: place, ...refusal.message })
      return resolved
    }
    const collection = hasExpression(source.collection)
      ? resolver.text(source.collection, `${path}.mongo.collection`, checkCollectionName)
      : source.collection
    const { read } = source
    if (read.kind === 'aggregate') {
      const pipeline = read.pipeline.map((item, index) => json(item, `${path}.mongo.aggregate[${index}]`))
      return { ...source, collection, read: { ...read, pipeline } }
    }
    return {
      ...source,
      collection,
      read: {
        ...read,
        filter: json(read.filter, `${path}.mongo.find`),
        projection: json(read.projection, `${path}.mongo.projection`),
        sort: json(read.sort, `${path}.mongo.sort`),
      },
    }
  },
})
