import { useTranslation } from 'react-i18next'
import { useTypeTitle } from '../connectors/use-type-title.ts'
import { Link } from 'react-router'
import { getConnector } from '../../../contract/connectors.ts'
import type { Run } from '../../../contract/runs.ts'
import { useOperation } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { durationText } from '../../ui/time.ts'
import classes from './RunPage.module.css'
import { jsonObject, laneOf, mappingOf } from './run-facts.ts'
import { orDash } from '../../ui/nothing.tsx'
import { Duration } from '../../ui/Duration.tsx'

function ConnectorRow({ slot, id }: { slot: string; id: number }) {
  const { t: tConnectors } = useTranslation('connectors')
  const typeTitle = useTypeTitle()
  const connector = useOperation(getConnector, { params: { id } })
  return (
    <tr>
      <td>{slot}</td>
      <td>
        <Link to={paths.connector(id)}>{connector.data?.name ?? `#${id}`}</Link>
      </td>
      <td>{orDash(connector.data && typeTitle(connector.data.type))}</td>
      <td>{orDash(connector.data && tConnectors(`environment.${connector.data.environment}`))}</td>
    </tr>
  )
}

/** From its creation to its first start; of a later attempt, to the start of that. */
const queuedFor = ({ created_at, started_at }: Run) =>
  started_at === null ? null : durationText(Math.max(0, Date.parse(started_at) - Date.parse(created_at)))

/** What the run was started with, and its own particulars. */
export function DetailsPane({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const given = jsonObject(run.arguments)
  const mapping = mappingOf(run)
  const lane = laneOf(run)
  return (
    <div className={classes.scroll}>
      <h2 className={classes.heading}>{t('details.connectors')}</h2>
      {mapping.length === 0 ? (
        <p className={classes.muted}>{t('details.noConnectors')}</p>
      ) : (
        <table className={classes.table}>
          <thead>
            <tr>
              <th>{t('details.slot')}</th>
              <th>{t('details.connector')}</th>
              <th>{t('details.type')}</th>
              <th>{t('details.environment')}</th>
            </tr>
          </thead>
          <tbody>
            {mapping.map(([slot, id]) => (
              <ConnectorRow key={slot} slot={slot} id={id} />
            ))}
          </tbody>
        </table>
      )}
      <h2 className={classes.heading}>{t('details.arguments')}</h2>
      {given && Object.keys(given).length > 0 ? (
        <JsonView value={given} />
      ) : (
        <p className={classes.muted}>{t('details.noArguments')}</p>
      )}
      <h2 className={classes.heading}>{t('details.run')}</h2>
      <dl className={classes.facts}>
        <dt>{t('page.created')}</dt>
        <dd>
          <AbsoluteTime at={run.created_at} exact />
        </dd>
        <dt>{t('page.started')}</dt>
        <dd>
          <AbsoluteTime at={run.started_at} exact />
        </dd>
        <dt>{t('page.ended')}</dt>
        <dd>
          <AbsoluteTime at={run.completed_at} exact />
        </dd>
        <dt>{t('page.queued')}</dt>
        <dd>{orDash(queuedFor(run))}</dd>
        <dt>{t('page.duration')}</dt>
        <dd>
          <Duration ms={run.duration_ms} />
        </dd>
        <dt>{t('page.executor')}</dt>
        <dd>{orDash(run.executor_name)}</dd>
        {lane === null ? null : (
          <>
            <dt>{t('page.lane')}</dt>
            <dd title={t(`lane.${lane}`)}>{t(`lanes.${lane}`)}</dd>
          </>
        )}
        <dt>{t('page.version')}</dt>
        <dd>
          <Link to={paths.taskVersions(run.task_id, { to: run.task_version })}>
            {t('page.versionLink', { version: run.task_version })}
          </Link>
        </dd>
        {run.error_code ? (
          <>
            <dt>{t('details.errorCode')}</dt>
            <dd>
              <code>{run.error_code}</code>
            </dd>
          </>
        ) : null}
        {run.retried_from ? (
          <>
            <dt>{t('page.retriedFrom')}</dt>
            <dd>
              <Link to={paths.run(run.retried_from)}>{t('page.retriedFromLink', { id: run.retried_from })}</Link>
            </dd>
          </>
        ) : null}
      </dl>
    </div>
  )
}
