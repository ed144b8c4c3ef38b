import { object, optional, required, withDefault } from '../../shape/collections.ts'
import { choice, number, text } from '../../shape/scalars.ts'
import type { ReadContext } from '../../shape/shape.types.ts'
import { defineVariant } from '../../shape/variants.ts'
import { entryOf, type YamlMap } from '../../yaml/yaml-tree.ts'
import { slotReference } from '../connector-slots.ts'
import { defineTarget } from '../definitions.ts'
import { checkRequestPath, requestHeaders, resolveHeaders } from '../http-request.ts'
import { pathColumns, withoutPlaceholders } from '../path-placeholders.ts'
import type { HttpTarget } from './target.types.ts'
import { msg } from '../../messages.ts'
import type { Message } from '../../message.ts'

const checkPath = (value: string): ReturnType<typeof checkRequestPath> => checkRequestPath(withoutPlaceholders(value))

const batch = object(
  {
    rows: withDefault(
      number({ description: 'Maximum number of rows per request.', integer: true, min: 1, max: 10_000 }),
      100,
    ),
  },
  { noun: msg('named', { name: 'batch' }), description: 'Number of rows per request with `send: batch`.' },
)

const httpShape = object(
  {
    path: required(
      text({
        description:
          'Path after the connector’s base URL. With `send: row`, `{column}` is replaced by the row’s value, encoded for a URL.',
        examples: ['/v1/contacts', '/v1/contacts/{id}'],
        template: true,
        maxLength: 4_000,
        check: checkPath,
      }),
    ),
    method: withDefault(
      choice('HTTP method.', {
        POST: 'Creates something.',
        PUT: 'Replaces something with the row.',
        PATCH: 'Changes part of something.',
        DELETE: 'Deletes what the path identifies; the request has no body.',
      }),
      'POST',
    ),
    headers: withDefault(requestHeaders, {}, null),
    send: withDefault(
      choice('What a request contains.', {
        row: 'One row: an object.',
        batch: 'Up to `batch.rows` rows: a list of objects.',
      }),
      'row',
    ),
    wrap: optional(
      text({
        description: 'Key that contains the row or rows in the body; by default they are the body.',
        maxLength: 200,
        examples: ['contacts'],
      }),
    ),
    batch: withDefault(batch, { rows: 100 }),
    on_error: withDefault(
      choice('What happens if a request is refused (status 400 to 499).', {
        fail: 'The run fails.',
        quarantine: 'Its rows go to the run’s rejects, with the status and the response.',
      }),
      'fail',
    ),
  },
  {
    noun: msg('named', { name: 'http' }),
    description: [
      'Sends the rows to a JSON API, one request after another, in the order of the rows.',
      'Sent rows can’t be undone: if a run fails midway, earlier rows have arrived, and another attempt sends them again.',
      'Each request has an `Idempotency-Key` that is the same in every attempt, so that the API can detect duplicates.',
    ].join(' '),
  },
)

const variant = defineVariant({
  key: 'http',
  noun: msg('a_target_with', { kind: 'http' }),
  description: 'Sends the rows to a JSON API.',
  fields: {
    connector: required(slotReference(['http'], 'write', msg('target_named', { kind: 'http' }))),
    http: required(httpShape),
  },
  build({ connector, http }, node, path, context): HttpTarget | undefined {
    const map = entryOf(node, 'http')?.value
    if (map?.kind !== 'map' || !checkOptions(http, map, `${path}.http`, context)) return undefined
    return { kind: 'http', connector, ...http, wrap: http.wrap ?? null }
  },
})

function checkOptions(
  { path: target, method, send }: Pick<HttpTarget, 'path' | 'method' | 'send'>,
  map: YamlMap,
  path: string,
  context: ReadContext,
): boolean {
  const problem: { key: string; message: Message } | null =
    send === 'batch' && pathColumns(target).length > 0
      ? { key: 'path', message: msg('path_columns_in_batch') }
      : send === 'batch' && method === 'DELETE'
        ? { key: 'send', message: msg('delete_in_batch') }
        : send === 'row' && entryOf(map, 'batch')
          ? { key: 'batch', message: msg('batch_without_batches') }
          : method === 'DELETE' && entryOf(map, 'wrap')
            ? { key: 'wrap', message: msg('wrap_of_delete') }
            : null
  if (!problem) return true
  context.report({
    code: 'option_not_applicable',
    message: problem.message,
    hint:
      send === 'batch' ? msg('send_rows') : problem.key === 'batch' ? msg('remove_or_send_batch') : msg('remove_it'),
    path: `${path}.${problem.key}`,
    at: entryOf(map, problem.key)?.keySpan ?? map.mark,
  })
  return false
}

export const httpTarget = defineTarget<HttpTarget>({
  kind: 'http',
  variant,
  needs: (target) => pathColumns(target.path).map((column) => ({ column, segments: ['http', 'path'] })),
  resolve: (target, resolver, path) => ({
    ...target,
    path: resolver.text(target.path, `${path}.http.path`, checkPath),
    headers: resolveHeaders(target.headers, resolver, `${path}.http.headers`),
  }),
})
