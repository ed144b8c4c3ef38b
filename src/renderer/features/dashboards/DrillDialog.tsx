import { Button, Modal } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StaticGrid } from '../../ui/grid/StaticGrid.tsx'
import { Truncated, titleOf } from './WidgetFrame.tsx'
import { useWidgetData } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import { type MarkValue, valuesOf } from './drill.rules.ts'

interface DrillDialogProps {
  widget: Widget
  /** Of the mark that was chosen; none: all rows. */
  values: readonly MarkValue[]
  onClose(): void
}

/** The rows behind a widget, with the filters as they are, or those behind one of its marks. */
export function DrillDialog({ widget, values, onClose }: DrillDialogProps) {
  const { t } = useTranslation('dashboards')
  const { t: word } = useTranslation()
  const [all, setAll] = useState(false)
  const drill_by = useMemo(
    () =>
      all || values.length === 0 ? undefined : Object.fromEntries(values.map(({ column, text }) => [column, text])),
    [all, values],
  )
  const { data, error, refetch } = useWidgetData(widget.id, true, { drill: true, drill_by })
  const by = data && !all ? valuesOf(data, values) : []
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside
      size="80%"
      title={<b>{t('widget.drillTitle', { title: titleOf(widget) })}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      {by.length > 0 ? (
        <div className={classes.drillBy}>
          <span>{by.map(({ column, text }) => `${column}: ${text ?? 'NULL'}`).join(' · ')}</span>
          <Button size="compact-xs" variant="default" onClick={() => setAll(true)}>
            {t('widget.drillAll')}
          </Button>
        </div>
      ) : null}
      <div className={classes.drill}>
        {error ? <ErrorState what="rows" error={error} onRetry={() => void refetch()} compact /> : null}
        {data?.rows.length === 0 ? <EmptyState compact icon={IconTableOff} title={t('widget.noRows')} /> : null}
        {data && data.rows.length > 0 ? (
          <StaticGrid label={titleOf(widget)} fields={data.fields} rows={data.rows} />
        ) : null}
      </div>
      {data?.truncated ? <Truncated truncated={data.truncated} /> : null}
    </Modal>
  )
}
