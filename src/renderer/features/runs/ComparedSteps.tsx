import { IconEqual } from '@tabler/icons-react'
import { type ReactNode, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunStep } from '../../../contract/runs.ts'
import { translateLabel } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { DataTable } from '../../ui/DataTable.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { Difference } from '../../ui/compare/Difference.tsx'
import { Durations } from '../../ui/compare/Durations.tsx'
import { FromTo } from '../../ui/compare/FromTo.tsx'
import { countText } from '../../ui/format.ts'
import type { TableColumn } from '../../ui/table.types.ts'
import type { StepComparison } from './compare-runs.ts'
import { dash } from '../../ui/nothing.tsx'

type Column = TableColumn<StepComparison>
type Part = StepComparison['differs'][number]

const count = (value: number | null | undefined) => countText(value ?? null) ?? dash

function useColumns(a: number, b: number, statuses: number, isUpserting: boolean): Column[] {
  const { t } = useTranslation('runs')
  const { t: word } = useTranslation()
  return useMemo(() => {
    const change = (
      id: string,
      header: string,
      width: number,
      part: Part,
      cell: (step: RunStep) => ReactNode,
      more: Partial<Column> = { align: 'right' },
    ): Column => ({
      id,
      header,
      width,
      cell: (row) => (
        <FromTo a={row.a} b={row.b} equal={!row.differs.includes(part)}>
          {cell}
        </FromTo>
      ),
      ...more,
    })
    const difference = (id: string, header: string, cell: (row: StepComparison) => ReactNode): Column => ({
      id: `${id}.difference`,
      header,
      width: 118,
      align: 'right',
      cell,
    })
    return [
      {
        id: 'step',
        header: t('steps.step'),
        // A change of rows that is read from both counts yields to names.
        minWidth: isUpserting ? 216 : 300,
        wraps: 2,
        cell: (row) => {
          const step = row.b ?? row.a
          if (!step) return row.key
          const label = translateLabel(step)
          return (
            <Link to={paths.run(row.b ? b : a, { step: String(step.index) })} title={label}>
              {label}
            </Link>
          )
        },
      },
      change(
        'status',
        t('list.columns.status'),
        statuses,
        'status',
        ({ status }) => <StatusBadge status={status} label={t(`steps.statuses.${status}`)} />,
        {},
      ),
      change('in', t('steps.rowsIn'), 132, 'in', (step) => count(step.rows_in)),
      change('out', t('steps.rowsOut'), 132, 'rows', (step) => count(step.rows_out)),
      {
        ...difference('out', word('compare.rowsChange'), (row) => <Difference value={row.rows} kind="count" />),
        yields: 4,
      },
      ...(isUpserting
        ? [
            change(
              'upserted',
              t('steps.upserted'),
              136,
              'upserted',
              ({ rows_inserted: inserted, rows_updated: updated }) =>
                inserted === undefined ? dash : `${count(inserted)} / ${count(updated)}`,
              { align: 'right', yields: 2 },
            ),
          ]
        : []),
      change('rejected', t('steps.rejected'), 96, 'rejected', (step) => count(step.rows_rejected), {
        align: 'right',
        yields: 1,
      }),
      {
        id: 'duration',
        header: t('steps.duration'),
        width: 144,
        align: 'right',
        cell: (row) => <Durations a={row.a?.duration_ms ?? null} b={row.b?.duration_ms ?? null} />,
      },
      {
        ...difference('duration', word('compare.durationChange'), (row) => (
          <Difference value={row.duration} kind="time" />
        )),
        yields: 3,
      },
    ]
  }, [a, b, statuses, isUpserting, t, word])
}

const keyOf = (row: StepComparison) => row.key

/** Pixels for a status, and for one that became another. */
const one = 124
const both = 248

/** One row a step: counts and durations of both runs beside each other. */
export function ComparedSteps({ a, b, steps }: { a: number; b: number; steps: readonly StepComparison[] }) {
  const { t } = useTranslation('runs')
  const statuses = steps.some(({ differs }) => differs.includes('status')) ? both : one
  // A column of dashes would cut the names of steps.
  const isUpserting = steps.some((row) => [row.a, row.b].some((step) => step?.rows_inserted !== undefined))
  return (
    <DataTable
      id="run-comparison"
      rows={steps}
      columns={useColumns(a, b, statuses, isUpserting)}
      rowKey={keyOf}
      label={t('steps.title')}
      // What is said of all of them stands below.
      fits={steps.length > 0}
      isMuted={(row) => row.differs.length === 0}
      empty={<EmptyState icon={IconEqual} title={t('compare.noSteps')} text={t('compare.noStepsText')} compact />}
    />
  )
}
