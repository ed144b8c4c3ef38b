import { runMessage } from '../../../contract/run-messages.ts'
import { readODataQuery } from '../../../language/query/read-web-query.ts'
import { findFilterBinds } from '../../../language/task/odata-filter.ts'
import type { ODataSource } from '../../../language/task/sources/source.types.ts'
import type { Binds } from '../../../language/task/task.types.ts'
import { EngineError } from '../../engine/errors.ts'
import type { StageContext } from '../../engine/lane.types.ts'
import { name } from '../../engine/sql-text.ts'
import { typed } from '../../engine/stream.ts'
import { createRecordWriter, type RecordWriter } from '../../sources/record-writer.ts'
import { fieldOf, sendMoreRows, sendRows } from '../duckdb/rows.ts'
import { mustHaveValues } from '../read-only.ts'
import type { RowSink, StreamResult } from '../results.types.ts'
import { withStage } from '../staged-results.ts'
import type { ODataModel, StructuredType } from './model.ts'
import { describedColumns, odataSource, shaped, withEntities, type Entities } from './read.ts'
import { countAt, readEntities } from './service.ts'
import { convertRecord } from './values.ts'

/** `Orders?$filter=total gt :least&$top=50` below the base URL, read as a source of a task reads it. */
export const streamOData: StreamResult = (request, sink, io) => {
  const source = readQuery(request.query, request.parameters)
  return withStage(request, [], io, async (session, context) => {
    const counted = /^(.+)\/\$count(?=\?|$)/.exec(source.entity)?.[1]
    if (counted !== undefined) {
      const count = await countEntities({ ...source, entity: source.entity.replace('/$count', '') }, context)
      sink.start([{ name: 'count', type: 'bigint', native: 'Edm.Int64' }], request.query)
      await sink.row([count])
      return
    }
    const sent = await withEntities(source, context, null, async (entities) => {
      if (entities.type === null || mayHaveMore(entities.service.model, entities.type)) return false
      await sendPages(entities, source, context, { sink, statement: request.query })
      return true
    })
    if (sent) return
    // Only all of the values tell the columns and their types.
    const stream = typed(await odataSource.open(source, context, { limit: null }))
    await sendRows(session, stream.sql, request.query, sink)
  })
}

const countEntities = (source: ODataSource, context: StageContext): Promise<string> =>
  withEntities({ ...source, select: null, expand: [], order_by: null }, context, null, ({ service, url }) =>
    countAt(service, url),
  )

/** Whether entities may have properties that this type does not describe: any, or those of types derived from it. */
function mayHaveMore(model: ODataModel, type: StructuredType): boolean {
  return isOpen(model, type) || [...model.types.values()].some(({ base }) => base === type.name)
}

function isOpen(model: ODataModel, type: StructuredType): boolean {
  const base = type.base === null ? undefined : model.types.get(type.base)
  return type.open || (base !== undefined && isOpen(model, base))
}

/** Rows go on together after a while: many services give a few entities a page. */
const flushMs = 250

/** Page by page, with the columns that the service describes. */
async function sendPages(
  { service, type, url }: Entities,
  source: ODataSource,
  context: StageContext,
  { sink, statement }: { sink: RowSink; statement: string },
): Promise<void> {
  const columns = describedColumns(source, service, type)
  const fields = columns.map(fieldOf)
  const known = new Set(columns.map((column) => column.name))
  sink.start(fields, statement)
  let writer: RecordWriter | null = null
  let filled = new Set<string>()
  let sentAt = -Infinity

  async function flush(): Promise<void> {
    if (writer === null) return
    const records = await writer.finish()
    const stream = shaped(records, columns, filled, source)
    const types = stream.columns.map((column) => fieldOf(column).type)
    const others = types.flatMap((found, at) => (found === fields[at]?.type ? [] : [[at, found] as const]))
    await sendMoreRows(context.session, stream.sql, sink, new Map(others))
    await context.session.run(`DROP TABLE ${name(records.table)}`)
    writer = null
    filled = new Set()
    sentAt = performance.now()
  }

  for await (const page of readEntities(service, url, type)) {
    for (const record of page.records) {
      const entity = convertRecord(record, service.model, type)
      for (const [field, value] of Object.entries(entity)) {
        if (value === null) continue
        // Fields that were not selected, such as keys, may come along.
        if (!known.has(field) && source.select === null) throw notDescribed(field, page.what)
        filled.add(field)
      }
      writer ??= createRecordWriter(context)
      await writer.add(entity)
    }
    if (performance.now() - sentAt >= flushMs) await flush()
  }
  await flush()
}

function notDescribed(field: string, what: string): EngineError {
  return new EngineError('RESPONSE_INVALID', runMessage('entity_field_not_described', { field, what }), {
    hint: runMessage('entity_field_not_described_fix'),
  })
}

/** The parts that the source knows; others stay in the address. Throws where the text is none. */
export function readQuery(query: string, params: Binds): ODataSource {
  const asked = readODataQuery(query)
  if (asked === null) {
    throw new EngineError('QUERY_INVALID', runMessage('query_not_odata'), {
      hint: runMessage('query_not_odata_fix'),
    })
  }
  if ('twice' in asked) throw new EngineError('QUERY_INVALID', runMessage('query_option_twice', { key: asked.twice }))
  const { path, others, ...known } = asked
  if (known.filter !== null)
    mustHaveValues(
      findFilterBinds(known.filter).map((bind) => bind.name),
      params,
    )
  return {
    kind: 'odata',
    connector: '',
    entity: others.length === 0 ? path : `${path}?${others.join('&')}`,
    ...known,
    params,
    columns: {},
  }
}
