import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Connector, getResource } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import type { GridLinks } from '../../ui/grid/grid.types.ts'
import { type RowLink, linkedFields, linksOf } from './links.rules.ts'
import type { ShownResult } from './use-query.ts'
import { hasRowsOf } from './writes.rules.ts'

const withKeys: ReadonlySet<string> = new Set(['postgres', 'mysql', 'sqlite', 'duckdb'])
const freshMs = 60_000

/** Links along the foreign keys of the table whose rows these are; undefined where there are none. `at`: a row as it is shown. */
export function useLinks(
  connector: Connector,
  resource: string | null,
  { fields, statement }: ShownResult,
  at: (row: number) => readonly unknown[] | undefined,
  onFollow: (link: RowLink) => void,
): GridLinks | undefined {
  const { t } = useTranslation('explorer')
  const enabled = resource !== null && withKeys.has(connector.type) && hasRowsOf(connector, resource, statement)
  const params = { id: connector.id, name: resource ?? '' }
  const { data } = useOperation(getResource, { params }, { enabled, staleTime: freshMs })
  const linked = useMemo(() => (data ? linkedFields(data, fields) : new Set<number>()), [data, fields])
  if (!enabled || !data || (linked.size === 0 && !data.referenced_by?.length)) return undefined
  return {
    isLinked: (field) => linked.has(field),
    of: (row, field) =>
      linksOf(data, fields, at(row) ?? [], field).map((link) => ({
        label: link.back
          ? t('links.back', { table: link.table, columns: link.columns.join(', ') })
          : t('links.open', { table: link.table }),
        back: link.back,
        follow: () => onFollow(link),
      })),
  }
}
