import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type JsonItems, JsonTree } from '../../ui/json/JsonTree.tsx'
import { rowDocument, uniqueNames } from './row-documents.rules.ts'
import type { ShownResult } from './use-query.ts'
import { wholeRow } from './whole-row.ts'

/** Rows of a result as folded documents. */
export function RowsTree({
  connectorId,
  result,
  order,
}: {
  connectorId: number
  result: ShownResult
  /** Numbers of the rows, in their order; null: all. */
  order: readonly number[] | null
}) {
  const { t } = useTranslation('explorer')
  const { fields, rows } = result
  const names = useMemo(() => uniqueNames(fields), [fields])
  const numberOf = (item: number) => order?.[item] ?? item
  const documentOf = (row: readonly unknown[]) => rowDocument(names, fields, row)
  const items: JsonItems = {
    count: order?.length ?? rows.state.count,
    at: (item) => {
      const row = rows.at(numberOf(item))
      return row && documentOf(row)
    },
    // Rows in another order were all read.
    want: (first, last) => (order ? undefined : rows.want(first, last)),
    numberOf,
    whole: async (item) => documentOf(await wholeRow(connectorId, result, numberOf(item))),
  }
  return <JsonTree label={t('json.rows')} items={items} />
}
