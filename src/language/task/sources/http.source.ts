import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, text } from '../../shape/scalars.ts'
import { defineVariant } from '../../shape/variants.ts'
import { columnType, columnTypes } from '../column-types.ts'
import { slotReference } from '../connector-slots.ts'
import { defineSource } from '../definitions.ts'
import { requestFields, requestOf, requestPath, resolveRequest } from '../http-request.ts'
import type { HttpSource } from './source.types.ts'
import { checkDottedPath, pagination } from './http-pagination.ts'
import { msg } from '../../messages.ts'

const httpShape = object(
  {
    path: required(requestPath),
    ...requestFields,
    method: withDefault(
      choice('HTTP method. A source only reads, so requests can be repeated after a failure.', {
        GET: 'The usual method.',
        POST: 'For APIs that expect the query in the body.',
      }),
      'GET',
    ),
    records: optional(
      text({
        description:
          'Path to the records in a response: keys separated by dots. By default the response itself is the list of records, or one record.',
        maxLength: 500,
        examples: ['data', 'result.items'],
        check: checkDottedPath,
      }),
    ),
    paginate: withDefault(pagination, { kind: 'none' }),
    columns: withDefault(
      columnTypes(columnType, {
        description:
          'Column types. Types of unlisted columns are detected from the values: every digit is kept, nested values are JSON, and missing fields are NULL. With types, a response without records is an empty table. Without types, a run that finds no records does nothing, and fails if writing no rows would change something (`mode: replace`, a file, a `sql` step).',
        examples: [{ id: 'integer', updated_at: 'datetime' }],
      }),
      {},
      null,
    ),
  },
  {
    noun: msg('named', { name: 'http' }),
    description: 'Records of a JSON API, page by page. Each top-level field is a column.',
  },
)

const variant = defineVariant({
  key: 'http',
  noun: msg('a_source_with', { kind: 'http' }),
  description: 'Records of a JSON API.',
  fields: {
    connector: required(slotReference(['http'], 'read', msg('source_named', { kind: 'http' }))),
    http: required(httpShape),
  },
  build: ({ connector, http }): HttpSource => ({
    kind: 'http',
    connector,
    request: requestOf(http),
    records: http.records ?? null,
    paginate: http.paginate,
    columns: http.columns,
  }),
})

export const httpSource = defineSource<HttpSource>({
  kind: 'http',
  variant,
  columns: () => null,
  resolve: (source, resolver, path) => ({
    ...source,
    request: resolveRequest(source.request, resolver, `${path}.http`),
  }),
})
