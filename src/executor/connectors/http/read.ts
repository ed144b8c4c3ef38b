import { shortened } from '../../../language/shortened.ts'
import { sameColumn, type ColumnType } from '../../../language/task/column-types.ts'
import type { HttpSource } from '../../../language/task/sources/source.types.ts'
import { withWebClient } from './request.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SourceRunner, StageContext } from '../../engine/lane.types.ts'
import { createHalvedValues } from '../web/halved-values.ts'
import { readPages, type Page } from '../web/pages.ts'
import { JsonIntake } from '../../formats/json/intake.ts'
import { JsonFault } from '../../formats/json/scan.ts'
import { withoutRecords } from '../../sources/record-writer.ts'
import { runMessage } from '../../../contract/run-messages.ts'

/** Reads an API page by page into the session: one page is in memory at a time. */
export const httpSource: SourceRunner<'http'> = {
  kind: 'http',
  directories: async () => [],
  async open(source, context, { limit }) {
    const connector = context.connector(source.connector)
    return withWebClient(connector, { signal: context.signal, log: context.log }, async (client) => {
      const columns = typesOf(source, context)
      const intake = await JsonIntake.create(context, 'value')
      const halved = createHalvedValues()
      try {
        for await (const page of readPages(source, client, connector)) {
          const wanted = limit === null ? page.records : page.records.slice(0, limit - intake.rows)
          for (const { at, end } of wanted) {
            take(intake, page, at, end)
            await intake.flush()
          }
          for (const record of page.halved.slice(0, wanted.length)) halved.count(record)
          context.reached(intake.rows)
          context.log(
            'debug',
            `Page ${page.number}: ${page.records.length.toLocaleString('en')} records from ${page.what}`,
          )
          if (limit !== null && intake.rows >= limit) break
        }
      } catch (error) {
        await intake.close()
        throw error
      }
      context.log('info', `Read ${intake.rows.toLocaleString('en')} records from ${connector.name}`)
      halved.report(context)
      const { rows } = intake
      const tracked = context.tracked === null || columns === source.columns || intake.has(context.tracked.field)
      if (rows > 0 && !tracked) throw untracked(context.tracked?.field ?? '')
      if (rows === 0 && Object.keys(source.columns).length === 0) {
        await intake.close()
        return withoutRecords(context, limit)
      }
      return intake.finish(columns)
    })
  },
}

function take(intake: JsonIntake, { bytes, what }: Page, at: number, end: number): void {
  try {
    intake.add(bytes, at, end)
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error
    throw new EngineError(
      'RESPONSE_INVALID',
      runMessage('record_of_answer_unusable', {
        what,
        cause: error.reason,
        bytes: shortened(bytes.toString('utf8', at, end), 200),
      }),
      {
        hint: runMessage('record_of_answer_unusable_fix'),
        cause: error,
      },
    )
  }
}

/** JSON has no moments: the column that `state.cursor` names is of the type that stands there, unless the source says otherwise. */
function typesOf({ columns }: HttpSource, { tracked }: StageContext): Record<string, ColumnType> {
  const known = tracked === null || Object.keys(columns).some((column) => sameColumn(column, tracked.field))
  return known ? columns : { ...columns, [tracked.field]: tracked.type }
}

function untracked(field: string): EngineError {
  return new EngineError('COLUMN_NOT_FOUND', runMessage('cursor_field_missing', { key: field }), {
    hint: runMessage('cursor_field_missing_fix'),
  })
}
