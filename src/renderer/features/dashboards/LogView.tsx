import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { getRunLogs } from '../../../contract/runs.ts'
import type { LogWidget } from '../../../language/dashboard/dashboard.types.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { NoRuns } from './RunWidgets.tsx'
import { DataWidget, titleOf } from './WidgetFrame.tsx'
import classes from './dashboards.module.css'

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
  if (query.error) return <ErrorState what="log" error={query.error} onRetry={() => void query.refetch()} compact />
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
