import { runMessage } from '../../../contract/run-messages.ts'
import { findFilterBinds } from '../../../language/task/odata-filter.ts'
import type { ODataSource } from '../../../language/task/sources/source.types.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import { typed } from '../../engine/stream.ts'
import { sendRows } from '../duckdb/rows.ts'
import { mustHaveValues } from '../read-only.ts'
import type { StreamResult } from '../results.types.ts'
import { withStage } from '../staged-results.ts'
import { odataSource } from './read.ts'

/** `Orders?$filter=total gt :least&$top=50` below the base URL, read as a source of a task reads it. */
export const streamOData: StreamResult = (request, sink, io) => {
  const source = readQuery(request.query, request.parameters)
  return withStage(request, [], io, async (session, context) => {
    const stream = typed(await odataSource.open(source, context, { limit: null }))
    await sendRows(session, stream.sql, request.query, sink)
  })
}

/** The parts that the source knows; others stay in the address. Throws where the text is none. */
export function readQuery(query: string, params: Binds): ODataSource {
  const text = query.trim()
  const mark = text.indexOf('?')
  const path = mark < 0 ? text : text.slice(0, mark)
  if (path === '' || /[\r\n#]/.test(text)) {
    throw new EngineError('QUERY_INVALID', runMessage('query_not_odata'), {
      hint: runMessage('query_not_odata_fix'),
    })
  }
  const known = new Map<string, string>()
  const others: string[] = []
  for (const option of mark < 0 ? [] : split(text.slice(mark + 1), '&')) {
    const [, key = option, value = ''] = /^([^=]*)=(.*)$/s.exec(option) ?? []
    if (['$select', '$expand', '$filter', '$orderby'].includes(key)) {
      if (known.has(key)) throw new EngineError('QUERY_INVALID', runMessage('query_option_twice', { key }))
      known.set(key, plain(value))
    } else if (key !== '') others.push(`${key}=${encodeURIComponent(plain(value))}`)
  }
  const filter = known.get('$filter') ?? null
  if (filter !== null)
    mustHaveValues(
      findFilterBinds(filter).map(({ name }) => name),
      params,
    )
  const list = (key: string): string[] | null => {
    const value = known.get(key)
    return value === undefined ? null : split(value, ',').map((item) => item.trim())
  }
  const select = list('$select')
  return {
    kind: 'odata',
    connector: '',
    entity: others.length === 0 ? path : `${path}?${others.join('&')}`,
    select: select?.includes('*') ? null : select,
    filter,
    params,
    expand: list('$expand') ?? [],
    order_by: known.get('$orderby') ?? null,
    columns: {},
  }
}

/** As it is meant, also where an address was pasted. */
function plain(value: string): string {
  if (!/%[0-9A-F]{2}/i.test(value)) return value
  try {
    return decodeURIComponent(value)
  } catch {
    return value
  }
}

/** Not inside of texts and brackets. */
function split(text: string, separator: string): string[] {
  const parts: string[] = []
  let [depth, from, quoted] = [0, 0, false]
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === "'") quoted = !quoted
    else if (quoted) continue
    else if (character === '(') depth++
    else if (character === ')') depth--
    else if (character === separator && depth <= 0) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
  }
  return [...parts, text.slice(from)]
}
