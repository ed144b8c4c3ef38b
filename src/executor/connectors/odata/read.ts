import { runMessage } from '../../../contract/run-messages.ts'
import type { Column } from '../../../contract/common.ts'
import type { ODataSource } from '../../../language/task/sources/source.types.ts'
import { withWebClient } from '../http/request.ts'
import { writeFilter } from './filter.ts'
import { propertiesOf, typeAtPath, type StructuredType } from './model.ts'
import { entityUrl, openService, readEntities, type ODataService } from './service.ts'
import { convertRecord, storedType } from './values.ts'
import { createHalvedValues } from '../web/halved-values.ts'
import type { SourceRunner, StageContext } from '../../engine/lane.types.ts'
import { duckDbType, name, refuseDuplicates } from '../../engine/sql-text.ts'
import type { RowStream } from '../../engine/stream.ts'
import { createRecordWriter, type RecordWriter } from '../../sources/record-writer.ts'

/** Reads entities page by page; what the service says of itself gives the columns their types. */
export const odataSource: SourceRunner<'odata'> = {
  kind: 'odata',
  directories: async () => [],
  open(source, context, { limit }) {
    return withEntities(source, context, limit, async ({ service, type, url }) => {
      let writer: RecordWriter | null = null
      const filled = new Set<string>()
      const described = describedColumns(source, service, type)
      const halved = createHalvedValues()
      let rows = 0
      for await (const page of readEntities(service, url, type)) {
        const wanted = limit === null ? page.records : page.records.slice(0, limit - rows)
        for (const record of page.halved.slice(0, wanted.length)) halved.count(columnsOf(record, described, source))
        for (const record of wanted) {
          const fields = convertRecord(record, service.model, type)
          for (const [field, value] of Object.entries(fields)) if (value !== null) filled.add(field)
          writer ??= createRecordWriter(context, { columns: source.columns })
          await writer.add(fields)
          rows++
        }
        context.reached(rows)
        context.log('debug', `${page.records.length.toLocaleString('en')} entities from ${page.what}`)
        if (limit !== null && rows >= limit) break
      }
      context.log('info', `Read ${rows.toLocaleString('en')} entities from ${service.connector.name}`)
      halved.report(context)
      return writer === null ? emptyStream(described, source) : shaped(await writer.finish(), described, filled, source)
    })
  },
}

/** What becomes columns: not what the service says of the entity, or sends without being asked, such as keys. */
function columnsOf(
  record: Record<string, unknown>,
  described: readonly Described[],
  { select, columns }: ODataSource,
): Record<string, unknown> {
  const isColumn = (key: string): boolean =>
    select === null ? !key.includes('@') : described.some((one) => one.name === key) || Object.hasOwn(columns, key)
  return Object.fromEntries(Object.entries(record).filter(([key]) => isColumn(key)))
}

/** A service, what it says of the entities that are asked for, and where their first page is. */
export interface Entities {
  service: ODataService
  /** null: it describes nothing there. */
  type: StructuredType | null
  url: URL
}

/** `limit`: only so many are asked for. */
export function withEntities<T>(
  source: ODataSource,
  context: StageContext,
  limit: number | null,
  work: (entities: Entities) => Promise<T>,
): Promise<T> {
  const connector = context.connector(source.connector)
  return withWebClient(connector, { signal: context.signal, log: context.log }, async (client) => {
    const service = await openService(client, connector)
    // What `$apply` gives is described nowhere.
    const type = /[?&]\$apply=/.test(source.entity) ? null : typeAtPath(service.model, source.entity)
    if (type === null) context.note(runMessage('entity_not_described', { entity: source.entity }))
    const url = entityUrl(client, source.entity, {
      $select: source.select === null ? null : source.select.join(','),
      $expand: source.expand.length === 0 ? null : source.expand.join(','),
      $filter: source.filter === null ? null : writeFilter(source.filter, source.params, service.model, type),
      $orderby: source.order_by,
      // One entity has no first ones.
      $top: limit === null || source.entity.endsWith(')') ? null : String(limit),
    })
    return work({ service, type, url })
  })
}

interface Described extends Column {
  /** The service says it in full; else the values may say more. */
  exact: boolean
}

/** The columns that are asked for, in the order of the service's description. */
export function describedColumns(
  { select, expand }: ODataSource,
  { model }: ODataService,
  type: StructuredType | null,
): Described[] {
  const own = (type === null ? [] : propertiesOf(model, type))
    .filter((property) => property.collection || property.type !== 'Edm.Stream')
    .map((property) => ({ name: property.name, ...storedType(model, property) }))
  const chosen =
    select === null
      ? own
      : first(select).map((wanted) => own.find(({ name: found }) => found === wanted) ?? json(wanted))
  return [
    ...chosen,
    ...first(expand)
      .filter((wanted) => !chosen.some(({ name: found }) => found === wanted))
      .map(json),
  ]
}

/** `Address/city` and `Items($select=ID)` come under their first name. */
function first(paths: readonly string[]): string[] {
  return [...new Set(paths.map((path) => /^[^/(]+/.exec(path.trim())?.[0] ?? path))]
}

function json(column: string): Described {
  return { name: column, type: 'JSON', exact: true }
}

function emptyStream(described: readonly Described[], source: ODataSource): RowStream {
  const columns = described.map(({ name: column, type }) => ({ name: column, type: givenType(source, column) ?? type }))
  for (const column of Object.keys(source.columns)) {
    if (!columns.some((known) => known.name === column))
      columns.push({ name: column, type: givenType(source, column) ?? 'VARCHAR' })
  }
  refuseDuplicates(columns.map((column) => column.name))
  const fields = columns.map((column) => `CAST(NULL AS ${column.type}) AS ${name(column.name)}`)
  const sql = `SELECT ${fields.join(', ')} LIMIT 0`
  return { sql, columns, rows: 0, open: [], trail: [] }
}

function givenType(source: ODataSource, column: string): string | undefined {
  const given = Object.hasOwn(source.columns, column) ? source.columns[column] : undefined
  return given === undefined ? undefined : duckDbType(given)
}

/** The rows as the service describes them, also where a page had no value for a column. */
export function shaped(
  stream: RowStream,
  described: readonly Described[],
  filled: ReadonlySet<string>,
  source: ODataSource,
): RowStream {
  const found = new Map(stream.columns.map((column) => [column.name, column.type]))
  const fields = described.map((column) => {
    const type = found.get(column.name)
    if (type !== undefined && givenType(source, column.name) !== undefined)
      return { ...column, type, sql: name(column.name) }
    if (type === undefined || !filled.has(column.name)) return { ...column, sql: `CAST(NULL AS ${column.type})` }
    return exactly(column, type)
      ? { ...column, sql: `CAST(${name(column.name)} AS ${column.type})` }
      : { ...column, type, sql: name(column.name) }
  })
  // What the service did not describe: properties of an open type, and columns that the task itself names.
  const asked =
    source.select === null
      ? stream.columns
      : stream.columns.filter((column) => Object.hasOwn(source.columns, column.name))
  const rest = asked
    .filter((column) => !described.some((known) => known.name === column.name))
    .map((column) => ({ ...column, sql: name(column.name) }))
  const columns = [...fields, ...rest]
  refuseDuplicates(columns.map((column) => column.name))
  const list = columns.map((column) => `${column.sql} AS ${name(column.name)}`).join(', ')
  return {
    sql: `SELECT ${list} FROM (${stream.sql})`,
    columns: columns.map(({ name: column, type }) => ({ name: column, type })),
    rows: stream.rows,
    open: stream.open,
    trail: stream.trail,
  }
}

/** Whether values of a type become the described one without losing anything. */
function exactly({ type, exact }: Described, found: string): boolean {
  if (type === found) return true
  const wanted = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1]
  const places = /^DECIMAL\(38,(\d+)\)$/.exec(found)?.[1]
  return exact && wanted !== undefined && places !== undefined && Number(places) <= Number(wanted)
}
