import { runMessage } from '../../../contract/run-messages.ts'
import { findPathBinds } from '../../../language/path-binds.ts'
import { readHttpQuery } from '../../../language/query/read-web-query.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import type { HttpSource } from '../../../language/task/sources/source.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { typed } from '../../engine/stream.ts'
import { sendRows } from '../duckdb/rows.ts'
import { mustHaveValues, notAllowed } from '../read-only.ts'
import type { StreamResult } from '../results.types.ts'
import { withStage } from '../staged-results.ts'
import { httpSource } from './read.ts'

/** GET of an address below the base URL, whose records are found as the source of a task finds them. */
export const streamHttp: StreamResult = (request, sink, io) => {
  const source = readQuery(request.query, request.parameters)
  return withStage(request, [], io, async (session, context) => {
    const stream = typed(await httpSource.open(source, context, { limit: null }))
    await sendRows(session, stream.sql, `GET ${source.request.path}`, sink)
  })
}

export function readQuery(query: string, parameters: Binds): HttpSource {
  const asked = readHttpQuery(query)
  if (asked === null) {
    throw new EngineError('QUERY_INVALID', runMessage('query_not_http'), {
      hint: runMessage('query_not_http_fix'),
    })
  }
  if ('method' in asked) throw notAllowed(runMessage('query_only_get', { method: asked.method }))
  return {
    kind: 'http',
    connector: '',
    request: { path: withValues(asked.path, parameters), method: 'GET', query: {}, headers: {}, body: null },
    records: asked.records,
    paginate: { kind: 'none' },
    columns: {},
  }
}

/** Each value is one part of the path or of its query, whatever characters it has. */
function withValues(path: string, parameters: Binds): string {
  const binds = findPathBinds(path)
  mustHaveValues(
    binds.map(({ name }) => name),
    parameters,
  )
  return binds.reduceRight((written, { name, start, end }) => {
    const bound = parameters[name] ?? ''
    const value = typeof bound === 'object' ? JSON.stringify(bound) : String(bound)
    // Those would lead to another path.
    if (path[start - 1] === '/' && ['', '.', '..'].includes(value)) {
      throw new EngineError('QUERY_INVALID', runMessage('path_value_invalid', { name, value }), {
        hint: runMessage('path_value_invalid_fix'),
      })
    }
    return written.slice(0, start) + encodeURIComponent(value) + written.slice(end)
  }, path)
}
