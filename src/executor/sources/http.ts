import { withWebClient } from '../connectors/http-request.ts'
import { EngineError } from '../engine/errors.ts'
import type { SourceRunner } from '../engine/lane.types.ts'
import { readPages } from './http-pages.ts'
import { createRecordWriter, shownRecord, type FieldValue } from './record-writer.ts'

/** Reads an API page by page into the session: one page is in memory at a time. */
export const httpSource: SourceRunner<'http'> = {
  kind: 'http',
  directories: async () => [],
  async open(source, context, { limit }) {
    const connector = context.connector(source.connector)
    return withWebClient(connector, { signal: context.signal, log: context.log }, async (client) => {
      const writer = createRecordWriter(context, { columns: source.columns })
      for await (const page of readPages(source, client, connector)) {
        for (const record of limit === null ? page.records : page.records.slice(0, limit - writer.rows())) {
          await writer.add(asRecord(record))
        }
        context.reached(writer.rows())
        context.log(
          'debug',
          `Page ${page.number}: ${page.records.length.toLocaleString('en')} records from ${page.what}`,
        )
        if (limit !== null && writer.rows() >= limit) break
      }
      context.log('info', `Read ${writer.rows().toLocaleString('en')} records from ${connector.name}`)
      return writer.finish()
    })
  },
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
