import { IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import type { RunListWidget, RunStatusWidget } from '../../../language/dashboard/dashboard.types.ts'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { countText } from '../../ui/format.ts'
import { type Status, statusLooks } from '../../ui/status.ts'
import { DataWidget, titleOf } from './WidgetFrame.tsx'
import { useViewing } from './dashboard-source.ts'
import classes from './dashboards.module.css'
import own from './run-list.module.css'
import { orDash } from '../../ui/nothing.tsx'

interface RunRow {
  id: number
  status: Status
  started_at: string | null
  duration_ms: number | null
  item_count: number | null
}

/** Rows of runs as the server makes them (made-rows.rules.ts). */
function runsIn({ fields, rows }: WidgetData): RunRow[] {
  const at = (name: string) => fields.findIndex((field) => field.name === name)
  const [id, status, started, duration, count] = ['id', 'status', 'started_at', 'duration_ms', 'item_count'].map(at)
  return rows.map((row) => {
    const read = (index: number | undefined) => (index === undefined || index < 0 ? null : row[index])
    const known = String(read(status))
    return {
      id: Number(read(id)),
      status: known in statusLooks ? (known as Status) : 'pending',
      started_at: read(started) as string | null,
      duration_ms: read(duration) as number | null,
      item_count: read(count) as number | null,
    }
  })
}

export function NoRuns() {
  const { t } = useTranslation('dashboards')
  return <EmptyState compact icon={IconPlayerPlay} title={t('runs.none')} />
}

export function RunStatusView({ widget }: { widget: RunStatusWidget }) {
  const { RunNumber } = useViewing().parts
  return (
    <DataWidget widget={widget}>
      {(data) => {
        const [run] = runsIn(data)
        if (!run) return <NoRuns />
        return (
          <div className={classes.runStatus}>
            <StatusBadge status={run.status} size="md" />
            <div>
              {RunNumber && data.run ? <RunNumber kind={data.run.kind} id={run.id} /> : null}{' '}
              {run.started_at ? <RelativeTime at={run.started_at} /> : null}
            </div>
            {run.duration_ms === null ? null : <Duration ms={run.duration_ms} />}
          </div>
        )
      }}
    </DataWidget>
  )
}

export function RunListView({ widget }: { widget: RunListWidget }) {
  const { t } = useTranslation('dashboards')
  const { RunNumber } = useViewing().parts
  return (
    <DataWidget widget={widget}>
      {(data) => {
        const runs = runsIn(data)
        if (runs.length === 0) return <NoRuns />
        return (
          <ScrollRegion label={titleOf(widget)} className={`${classes.scroll} ${own.box}`}>
            <table className={own.runs}>
              <thead>
                <tr>
                  {RunNumber ? <th>{t('runs.run')}</th> : null}
                  <th>{t('runs.status')}</th>
                  <th data-yields="3">{t('runs.started')}</th>
                  <th data-align="right" data-yields="2">
                    {t('runs.duration')}
                  </th>
                  <th data-align="right" data-yields="1">
                    {t('runs.rows')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run, index) => (
                  // Without numbers, a row is what its place says.
                  // oxlint-disable-next-line react/no-array-index-key
                  <tr key={RunNumber ? run.id : index}>
                    {RunNumber ? (
                      <td>{data.run ? <RunNumber kind={data.run.kind} id={run.id} /> : `#${run.id}`}</td>
                    ) : null}
                    <td>
                      <StatusBadge status={run.status} />
                      {run.started_at ? (
                        <span className={own.below}>
                          <RelativeTime at={run.started_at} />
                        </span>
                      ) : null}
                    </td>
                    <td data-yields="3">
                      <RelativeTime at={run.started_at} />
                    </td>
                    <td data-align="right" data-yields="2">
                      <Duration ms={run.duration_ms} />
                    </td>
                    <td data-align="right" data-yields="1">
                      {orDash(countText(run.item_count))}
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </ScrollRegion>
        )
      }}
    </DataWidget>
  )
}
