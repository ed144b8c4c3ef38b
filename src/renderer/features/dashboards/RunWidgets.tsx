import { IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WidgetData } from '../../../contract/dashboard-views.ts'
import { getRunLogs } from '../../../contract/runs.ts'
import type { LogWidget, RunListWidget, RunStatusWidget } from '../../../language/dashboard/dashboard.types.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { Duration } from '../../ui/Duration.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { numberText } from '../../ui/format.ts'
import { type Status, statusLooks } from '../../ui/status.ts'
import { DataWidget, titleOf } from './WidgetFrame.tsx'
import classes from './dashboards.module.css'

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

/** Opens at the log of what failed. Without sign-in there is nowhere to go. */
const toRun = (data: WidgetData, id: number, linked: boolean) =>
  linked && data.run ? (data.run.kind === 'run' ? paths.run(id) : paths.jobRun(id)) : null

function NoRuns() {
  const { t } = useTranslation('dashboards')
  return <EmptyState compact icon={IconPlayerPlay} title={t('runs.none')} />
}

export function RunStatusView({ widget, linked }: { widget: RunStatusWidget; linked: boolean }) {
  return (
    <DataWidget widget={widget}>
      {(data) => {
        const [run] = runsIn(data)
        if (!run) return <NoRuns />
        const to = toRun(data, run.id, linked)
        return (
          <div className={classes.runStatus}>
            <StatusBadge status={run.status} size="md" />
            <div>
              {to ? <Link to={to}>#{run.id}</Link> : `#${run.id}`}{' '}
              {run.started_at ? <RelativeTime at={run.started_at} /> : null}
            </div>
            {run.duration_ms === null ? null : <Duration ms={run.duration_ms} />}
          </div>
        )
      }}
    </DataWidget>
  )
}

export function RunListView({ widget, linked }: { widget: RunListWidget; linked: boolean }) {
  const { t } = useTranslation('dashboards')
  return (
    <DataWidget widget={widget}>
      {(data) => {
        const runs = runsIn(data)
        if (runs.length === 0) return <NoRuns />
        return (
          <ScrollRegion label={titleOf(widget)} className={classes.scroll}>
            <table className={classes.runs}>
              <thead>
                <tr>
                  <th>{t('runs.run')}</th>
                  <th>{t('runs.status')}</th>
                  <th>{t('runs.started')}</th>
                  <th data-align="right">{t('runs.duration')}</th>
                  <th data-align="right">{t('runs.rows')}</th>
                </tr>
              </thead>
              <tbody>
                {runs.map((run) => {
                  const to = toRun(data, run.id, linked)
                  return (
                    <tr key={run.id}>
                      <td>{to ? <Link to={to}>#{run.id}</Link> : `#${run.id}`}</td>
                      <td>
                        <StatusBadge status={run.status} />
                      </td>
                      <td>{run.started_at ? <RelativeTime at={run.started_at} /> : '–'}</td>
                      <td data-align="right">{run.duration_ms === null ? '–' : <Duration ms={run.duration_ms} />}</td>
                      <td data-align="right">{run.item_count === null ? '–' : numberText(run.item_count)}</td>
                    </tr>
                  )
                })}
              </tbody>
            </table>
          </ScrollRegion>
        )
      }}
    </DataWidget>
  )
}

export function LogView({ widget }: { widget: LogWidget }) {
  return (
    <DataWidget widget={widget}>
      {(data) => (data.run ? <Lines widget={widget} run={data.run.id} /> : <NoRuns />)}
    </DataWidget>
  )
}

const beyondEveryLine = 2_147_483_647

/** The last lines of a run. */
function Lines({ widget, run }: { widget: LogWidget; run: number }) {
  const { t } = useTranslation('dashboards')
  const query = useOperation(getRunLogs, {
    params: { id: run },
    query: { limit: widget.lines, before: beyondEveryLine },
  })
  if (query.error) return <ErrorState error={query.error} onRetry={() => void query.refetch()} compact />
  return (
    <>
      <ScrollRegion label={titleOf(widget)} className={classes.log}>
        {query.data?.lines.map((line) => (
          <div key={line.line} data-level={line.level}>
            {line.message}
          </div>
        ))}
      </ScrollRegion>
      <Link className={classes.more} to={paths.run(run)}>
        {t('runs.fullLog', { id: run })}
      </Link>
    </>
  )
}
