import { Modal } from '@mantine/core'
import { IconTableOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Widget } from '../../../language/dashboard/dashboard.types.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StaticGrid } from '../../ui/grid/StaticGrid.tsx'
import { Truncated, titleOf } from './WidgetFrame.tsx'
import { useWidgetData } from './dashboard-source.ts'
import classes from './dashboards.module.css'

/** The rows behind a widget, with the filters as they are. */
export function DrillDialog({ widget, onClose }: { widget: Widget; onClose: () => void }) {
  const { t } = useTranslation('dashboards')
  const { t: word } = useTranslation()
  const { data, error, refetch } = useWidgetData(widget.id, true, { drill: true })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside
      size="80%"
      title={<b>{t('widget.drillTitle', { title: titleOf(widget) })}</b>}
      closeButtonProps={{ 'aria-label': word('close') }}
    >
      <div className={classes.drill}>
        {error ? <ErrorState error={error} onRetry={() => void refetch()} compact /> : null}
        {data && data.rows.length === 0 ? <EmptyState compact icon={IconTableOff} title={t('widget.noRows')} /> : null}
        {data && data.rows.length > 0 ? (
          <StaticGrid label={titleOf(widget)} fields={data.fields} rows={data.rows} />
        ) : null}
      </div>
      {data?.truncated ? <Truncated truncated={data.truncated} /> : null}
    </Modal>
  )
}
