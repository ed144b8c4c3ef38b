import { IconEqual } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { translateChange, translateLabel } from '../../i18n/translate.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import classes from '../../ui/compare/compare.module.css'
import { numberText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import { type ChangeComparison, changesDiffer } from './compare-runs.ts'

type Reported = ChangeComparison['a']

function ChangeCell({ reported }: { reported: Reported }) {
  const { t } = useTranslation('ui')
  if (reported === null) return <span className={classes.faint}>–</span>
  if (reported.kind === 'values') return t('values', { count: reported.count, formatted: numberText(reported.count) })
  const { there, coming, outcome } = reported.drift
  const text = `${there ?? t('drift.missing')} → ${coming ?? t('drift.missing')} · ${t(`drift.outcome.${outcome}`)}`
  return <span title={text}>{text}</span>
}

const keyOf = ({ key, column, change }: ChangeComparison) => JSON.stringify([key, column, change?.change])

function useColumns(a: number, b: number) {
  const { t } = useTranslation('runs')
  const { t: word } = useTranslation()
  const headOf = (id: number, other: number) => `#${id} ${word(id < other ? 'compare.older' : 'compare.newer')}`
  const [headA, headB] = [headOf(a, b), headOf(b, a)]
  return useMemo(
    (): TableColumn<ChangeComparison>[] => [
      { id: 'step', header: t('steps.step'), minWidth: 120, cell: ({ step }) => translateLabel(step) },
      { id: 'column', header: t('compare.column'), minWidth: 100, mono: true, cell: ({ column }) => column },
      {
        id: 'change',
        header: word('compare.change'),
        minWidth: 140,
        cell: ({ change }) => (change === null ? t('compare.drift') : translateChange(change)),
      },
      { id: 'a', header: headA, minWidth: 140, cell: (row) => <ChangeCell reported={row.a} /> },
      { id: 'b', header: headB, minWidth: 140, cell: (row) => <ChangeCell reported={row.b} /> },
    ],
    [headA, headB, t, word],
  )
}

/** Changed values and columns that differ from the table, as both runs reported them. */
export function ComparedChanges({ a, b, rows }: { a: number; b: number; rows: readonly ChangeComparison[] }) {
  const { t } = useTranslation('runs')
  const columns = useColumns(a, b)
  // Headings of nothing would say that something is missing.
  if (rows.length === 0)
    return <EmptyState icon={IconEqual} title={t('compare.noChanges')} text={t('compare.noChangesText')} compact />
  return (
    <DataTable
      id="run-comparison-changes"
      rows={rows}
      columns={columns}
      rowKey={keyOf}
      label={t('steps.changes')}
      isMuted={(row) => !changesDiffer(row)}
    />
  )
}
