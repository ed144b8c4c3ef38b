import { IconEqual } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunStep } from '../../../contract/runs.ts'
import { translateLabel } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { Cut } from '../../ui/Cut.tsx'
import { DataTable } from '../../ui/DataTable.tsx'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Difference } from '../../ui/compare/Difference.tsx'
import classes from '../../ui/compare/compare.module.css'
import { countText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import type { StepComparison } from './compare-runs.ts'

type Column = TableColumn<StepComparison>
type Part = StepComparison['differs'][number]

const count = (value: number | null | undefined) => countText(value ?? null) ?? '–'

/** What both runs agree in, else from which to which. */
function Change({ row, part, children }: { row: StepComparison; part: Part; children(step: RunStep): ReactNode }) {
  const { a, b } = row
  const one = b ?? a
  if (one === null) return null
  if (a === null || b === null || !row.differs.includes(part)) return children(one)
  return (
    <span className={classes.marked}>
      {children(a)} → {children(b)}
    </span>
  )
}

function useColumns(a: number, b: number): Column[] {
  const { t } = useTranslation('runs')
  return useMemo(() => {
    const runs = { a, b }
    const pair = (id: string, header: string, width: number, cell: (step: RunStep | null) => ReactNode): Column[] =>
      (['a', 'b'] as const).map((side) => ({
        id: `${id}.${side}`,
        header: side === 'a' ? `${header} #${a}` : `#${b}`,
        label: `${header} #${runs[side]}`,
        width: side === 'a' ? width : 80,
        align: 'right',
        cell: (row) => cell(row[side]),
      }))
    const difference = (id: string, cell: (row: StepComparison) => ReactNode): Column => ({
      id: `${id}.difference`,
      header: '±',
      width: 88,
      align: 'right',
      cell,
    })
    return [
      {
        id: 'step',
        header: t('steps.step'),
        minWidth: 240,
        cell: (row) => {
          const step = row.b ?? row.a
          if (!step) return row.key
          const label = translateLabel(step)
          return (
            <Link to={paths.run(row.b ? b : a, { step: String(step.index) })} title={label}>
              <Cut text={label} />
            </Link>
          )
        },
      },
      {
        id: 'status',
        header: t('list.columns.status'),
        width: 76,
        cell: (row) => (
          <span className={classes.change}>
            <Change row={row} part="status">
              {(step) => <StatusBadge status={step.status} size="icon" label={t(`steps.statuses.${step.status}`)} />}
            </Change>
          </span>
        ),
      },
      {
        id: 'in',
        header: t('steps.rowsIn'),
        width: 132,
        align: 'right',
        cell: (row) => (
          <Change row={row} part="in">
            {(step) => count(step.rows_in)}
          </Change>
        ),
      },
      ...pair('out', t('steps.rowsOut'), 128, (step) => count(step?.rows_out)),
      difference('out', (row) => <Difference value={row.rows} kind="count" />),
      {
        id: 'upserted',
        header: t('steps.upserted'),
        width: 136,
        yields: 2,
        align: 'right',
        cell: (row) => (
          <Change row={row} part="upserted">
            {({ rows_inserted: inserted, rows_updated: updated }) =>
              inserted === undefined ? '–' : `${count(inserted)} / ${count(updated)}`
            }
          </Change>
        ),
      },
      {
        id: 'rejected',
        yields: 1,
        header: t('steps.rejected'),
        width: 96,
        align: 'right',
        cell: (row) => (
          <Change row={row} part="rejected">
            {(step) => count(step.rows_rejected)}
          </Change>
        ),
      },
      ...pair('duration', t('steps.duration'), 104, (step) => <Duration ms={step?.duration_ms ?? null} />),
      difference('duration', (row) => <Difference value={row.duration} kind="time" />),
    ]
  }, [a, b, t])
}

const keyOf = (row: StepComparison) => row.key

/** One row a step: counts and durations of both runs beside each other. */
export function ComparedSteps({ a, b, steps }: { a: number; b: number; steps: readonly StepComparison[] }) {
  const { t } = useTranslation('runs')
  return (
    <DataTable
      id="run-comparison"
      rows={steps}
      columns={useColumns(a, b)}
      rowKey={keyOf}
      label={t('steps.title')}
      isMuted={(row) => row.differs.length === 0}
      empty={<EmptyState icon={IconEqual} title={t('compare.noSteps')} text={t('compare.noStepsText')} compact />}
    />
  )
}
