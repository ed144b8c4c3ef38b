import { ActionIcon, Loader, MultiSelect, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconChartBarOff, IconPhotoDown } from '@tabler/icons-react'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Chart, type ChartHandle } from '../../ui/chart/Chart.tsx'
import { chartTypes } from '../../ui/chart/plot.rules.ts'
import { savePng } from '../../ui/chart/save-png.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { isNumber } from '../../ui/grid/cell.rules.ts'
import { chartFields, chartOf, drawsOne, specOf } from './chart.rules.ts'
import { PartNote } from './PartNote.tsx'
import type { ChartChoice } from './result-look.rules.ts'
import { type Rows, partOf, useFirstRows } from './use-first-rows.ts'
import type { ShownResult } from './use-query.ts'
import classes from './views.module.css'

interface ChartViewProps {
  name: string
  result: ShownResult
  /** Numbers of the rows that are drawn, in their order; null: all. */
  order: readonly number[] | null
  chosen: ChartChoice | undefined
  onChoose: (choice: ChartChoice) => void
}

/** The first rows of a result as a chart. */
export function ChartView({ result, order, ...props }: ChartViewProps) {
  const { t } = useTranslation('explorer')
  const read = useFirstRows(result, true)
  const rows = useMemo(() => (order && read ? order.flatMap((row) => read.slice(row, row + 1)) : read), [order, read])
  if (!read || !rows) {
    // Why rows don't come is told below.
    if (result.rows.state.error) return <div className={classes.view} />
    return (
      <div className={classes.view}>
        <div role="status" className={classes.wait}>
          <Loader size={14} aria-hidden /> {t('find.reading')}
        </div>
      </div>
    )
  }
  return (
    <div className={classes.view}>
      <Drawn result={result} rows={rows} {...props} />
      <PartNote kind="chart" part={partOf(result, read)} result={result} />
    </div>
  )
}

const oneColumn = { size: 'xs', className: classes.column, allowDeselect: false, searchable: true } as const

function Drawn({
  name,
  result,
  rows,
  chosen,
  onChoose,
}: Omit<ChartViewProps, 'order'> & {
  rows: Rows
}) {
  const { t } = useTranslation('explorer')
  const chart = useRef<ChartHandle>(null)
  const fields = useMemo(() => chartFields(result.fields, rows), [result, rows])
  const choice = useMemo(() => chartOf(chosen, fields, rows), [chosen, fields, rows])
  const spec = useMemo(() => choice && specOf(choice), [choice])
  const data = useMemo(() => ({ fields, rows }), [fields, rows])
  if (!choice || !spec)
    return <EmptyState compact icon={IconChartBarOff} title={t('chart.noNumbers')} text={t('chart.noNumbersText')} />
  const change = (part: Partial<ChartChoice>) => onChoose({ ...choice, ...part })
  const names = fields.map((field) => field.name)
  const numeric = fields.filter(({ type }) => isNumber(type) || type === 'any').map((field) => field.name)
  const offered = [...new Set([...numeric, ...choice.y])]
  const title = t('chart.label', { name })
  const save = () =>
    savePng(chart.current, name).catch((error: unknown) => {
      notifications.show({ color: 'red', message: error instanceof Error ? error.message : String(error) })
    })
  return (
    <>
      <form className={classes.choices} aria-label={t('chart.choices')} onSubmit={(event) => event.preventDefault()}>
        <Select
          size="xs"
          className={classes.kind}
          label={t('chart.kind')}
          allowDeselect={false}
          data={chartTypes.map((value) => ({ value, label: t(`chart.kinds.${value}`) }))}
          value={choice.chart}
          onChange={(next) => next && change({ chart: next })}
        />
        <Select
          {...oneColumn}
          label={t(choice.chart === 'pie' ? 'chart.slices' : 'chart.x')}
          data={names}
          value={choice.x}
          onChange={(next) => next !== null && change({ x: next })}
        />
        {drawsOne(choice.chart) ? (
          <Select
            {...oneColumn}
            label={t(choice.chart === 'heatmap' ? 'chart.color' : 'chart.value')}
            data={offered}
            value={choice.y[0] ?? null}
            onChange={(next) => next !== null && change({ y: [next] })}
          />
        ) : (
          <MultiSelect
            size="xs"
            className={classes.columns}
            label={t('chart.y')}
            searchable
            data={offered}
            value={[...choice.y]}
            // One is always drawn.
            onChange={(next) => next.length > 0 && change({ y: next })}
          />
        )}
        {choice.chart === 'pie' ? null : (
          <Select
            size="xs"
            className={classes.column}
            label={t(choice.chart === 'heatmap' ? 'chart.rows' : 'chart.series')}
            placeholder={t('chart.noSeries')}
            clearable
            searchable
            data={names.filter((one) => one !== choice.x)}
            value={choice.series}
            onChange={(next) => change({ series: next })}
          />
        )}
        <span className={classes.space} />
        <Hint label={t('chart.png')}>
          <ActionIcon className={classes.png} aria-label={t('chart.png')} onClick={() => void save()}>
            <IconPhotoDown size={16} />
          </ActionIcon>
        </Hint>
      </form>
      <div className={classes.drawing}>
        <Chart ref={chart} label={title} spec={spec} data={data} />
      </div>
    </>
  )
}
