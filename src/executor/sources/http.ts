import { sameColumn, type ColumnType } from '../../language/task/column-types.ts'
import type { HttpSource } from '../../language/task/sources/source.types.ts'
import { withWebClient } from '../connectors/http-request.ts'
import { EngineError } from '../engine/errors.ts'
import type { SourceRunner, StageContext } from '../engine/lane.types.ts'
import { readPages } from './http-pages.ts'
import { createRecordWriter, finishSource, shownRecord, type FieldValue } from './record-writer.ts'

/** Reads an API page by page into the session: one page is in memory at a time. */
export const httpSource: SourceRunner<'http'> = {
  kind: 'http',
  directories: async () => [],
  async open(source, context, { limit }) {
    const connector = context.connector(source.connector)
    return withWebClient(connector, { signal: context.signal, log: context.log }, async (client) => {
      const columns = typesOf(source, context)
      const writer = createRecordWriter(context, { columns })
      let tracked = columns === source.columns
      for await (const page of readPages(source, client, connector)) {
        for (const record of limit === null ? page.records : page.records.slice(0, limit - writer.rows())) {
          const fields = asRecord(record)
          tracked ||= Object.hasOwn(fields, context.tracked?.field ?? '')
          await writer.add(fields)
        }
        context.reached(writer.rows())
        context.log(
          'debug',
          `Page ${page.number}: ${page.records.length.toLocaleString('en')} records from ${page.what}`,
        )
        if (limit !== null && writer.rows() >= limit) break
      }
      context.log('info', `Read ${writer.rows().toLocaleString('en')} records from ${connector.name}`)
      if (!tracked && writer.rows() > 0) throw untracked(context.tracked?.field ?? '')
      return finishSource(writer, source.columns, context, limit)
    })
  },
}

/** JSON has no moments: the column that `state.cursor` names is of the type that stands there, unless the source says otherwise. */
function typesOf({ columns }: HttpSource, { tracked }: StageContext): Record<string, ColumnType> {
  const known = tracked === null || Object.keys(columns).some((column) => sameColumn(column, tracked.field))
  return known ? columns : { ...columns, [tracked.field]: tracked.type }
}

function untracked(field: string): EngineError {
  return new EngineError('COLUMN_NOT_FOUND', `No record has a field \`${field}\`, which \`state.cursor\` names`, {
    hint: 'Write its name as the API does, capitals included.',
  })
}

/** What is no object becomes the one column `value`. */
function asRecord(record: unknown): Record<string, FieldValue> {
  if (typeof record === 'object' && record !== null && Object.hasOwn(record, '')) {
    throw new EngineError('RESPONSE_INVALID', `A record has a field without a name: ${shownRecord(record)}`, {
      hint: 'A column needs a name. Ask the API for other fields, if it can do that.',
    })
  }
  if (typeof record === 'object' && record !== null && !Array.isArray(record))
    return record as Record<string, FieldValue> // values of JSON
  return { value: record as FieldValue }
}
