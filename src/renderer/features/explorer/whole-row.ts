import { getQueryCell } from '../../../contract/queries.ts'
import { openStream } from '../../api/client.ts'
import type { ShownResult } from './use-query.ts'

/** A row with every value in full: pages hold long ones in part only. */
export async function wholeRow(
  connectorId: number,
  { fields, queryId, rows }: ShownResult,
  row: number,
): Promise<readonly unknown[]> {
  const [values = []] = await rows.load(row, row)
  const isCut = fields.map((_, field) => rows.cutAt(row, field) !== undefined)
  return Promise.all(
    values.map(async (value, field) => {
      if (!isCut[field]) return value
      const params = { id: connectorId, queryId }
      return (await openStream(getQueryCell, { params, query: { row, field } })).json() as Promise<unknown>
    }),
  )
}
