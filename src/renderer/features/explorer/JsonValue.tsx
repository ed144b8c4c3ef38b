import { IconCodeDots, IconTableOff } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StaticGrid } from '../../ui/grid/StaticGrid.tsx'
import { type JsonItems, JsonTree } from '../../ui/json/JsonTree.tsx'
import { gridOf } from './json-grid.rules.ts'

const nothing = () => undefined

/** What an expression has given, as a tree or as a table. undefined: nothing. */
export function JsonValue({ value, asTable }: { value: unknown; asTable: boolean }) {
  const { t } = useTranslation('explorer')
  const list = useMemo<readonly unknown[]>(() => (Array.isArray(value) ? value : [value]), [value])
  const grid = useMemo(() => (asTable ? gridOf(list, t('jsonata.value')) : null), [asTable, list, t])
  const isList = Array.isArray(value)
  const items = useMemo<JsonItems>(
    () => ({
      count: list.length,
      at: (item) => list[item],
      want: nothing,
      numberOf: (item) => (isList ? item : null),
      whole: (item) => Promise.resolve(list[item]),
    }),
    [list, isList],
  )
  if (value === undefined || list.length === 0)
    return <EmptyState compact icon={IconCodeDots} title={t('jsonata.nothing')} text={t('jsonata.nothingText')} />
  if (!asTable) return <JsonTree label={t('jsonata.result')} items={items} />
  if (!grid) return <EmptyState compact icon={IconTableOff} title={t('jsonata.wide')} text={t('jsonata.wideText')} />
  return <StaticGrid label={t('jsonata.result')} {...grid} />
}
