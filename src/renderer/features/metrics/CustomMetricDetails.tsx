import { ActionIcon, CloseButton, SegmentedControl } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { CustomMetric, CustomMetricState } from '../../../contract/custom-metrics.ts'
import { getConnector } from '../../../contract/connectors.ts'
import { getJob } from '../../../contract/jobs.ts'
import { getTask } from '../../../contract/tasks.ts'
import type { Metric } from '../../../contract/metrics.ts'
import { useOperation } from '../../api/queries.ts'
import { translateKept } from '../../i18n/translate.ts'
import { paths } from '../../paths.ts'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { Hint } from '../../ui/Hint.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { TimeChart } from '../../ui/TimeChart.tsx'
import { dateText } from '../../ui/format.ts'
import { statusColor } from '../../ui/status.ts'
import { useNow } from '../../ui/ticker.ts'
import { durationText } from '../../ui/time.ts'
import { measureText } from '../../ui/quantity.ts'
import { stateLook } from './metric-values.ts'
import classes from './metrics.module.css'
import { type PeriodName, periods, timesOf } from './metrics.rules.ts'
import { ownZone } from '../../ui/time.ts'
import { useMetrics } from './use-metrics.ts'
import { orDash } from '../../ui/nothing.tsx'

export type CustomMetricRow = Metric & { custom: CustomMetricState }

function Field({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function RecordName({ get, id }: { get: typeof getConnector | typeof getTask | typeof getJob; id: number }) {
  const { data } = useOperation(get, { params: { id } })
  return <>{data?.name ?? `#${id}`}</>
}

/** Where the runs of a time are that gave the values. */
function runsOf({ source }: CustomMetric, time: { from: string; to: string }): string {
  const completed = { completed_from: time.from, completed_to: time.to }
  if (source.kind === 'query') return paths.connector(source.connector_id)
  if (source.kind !== 'freshness') return paths.runs({ task_id: source.task_id, ...completed })
  const of = source.freshness_of
  if ('dataset' in of) return paths.lineage({ dataset: of.dataset })
  return 'task_id' in of ? paths.runs({ task_id: of.task_id, ...completed }) : paths.jobRuns({ job_id: of.job_id })
}

/** What its newest value is compared with. */
function limitsOf({ source, threshold }: CustomMetric) {
  const { above = null, below = null } = threshold ?? {}
  const deadline = source.kind === 'freshness' ? source.deadline_minutes * 60_000 : null
  const limits = { above, below, deadline }
  return (['above', 'below', 'deadline'] as const).flatMap((key) => {
    const value = limits[key]
    return value === null ? [] : [{ key, value }]
  })
}

function Values({ metric, definition, time }: { metric: CustomMetricRow; definition: CustomMetric; time: PeriodName }) {
  const { t } = useTranslation('metrics')
  const { period } = timesOf(time, useNow())
  const { name, unit, custom } = metric
  const { data } = useMetrics({ values: { metric: name, ...period, timezone: ownZone() } })
  if (!data) return null
  const { buckets, series } = data.values
  const hours = period.bucket === 'hour'
  return (
    <TimeChart
      label={t('details.values', { name })}
      kind={custom.aggregate === 'sum' ? 'bars' : 'lines'}
      times={buckets.map(({ from }) => ({
        short: dateText(new Date(from), hours ? 'clock' : 'dayAndMonth'),
        full: dateText(new Date(from), hours ? 'shortMoment' : 'weekdayAndDay'),
      }))}
      series={[
        {
          name: t(`aggregates.${custom.aggregate}`),
          color: 'var(--hg-chart-1)',
          values: series[0]?.values ?? [],
        },
      ]}
      // A sum isn’t what is compared with them.
      limits={
        custom.aggregate === 'sum'
          ? []
          : limitsOf(definition).map(({ key, value }) => ({
              name: t(`form.${key}`),
              color: statusColor('failed'),
              value,
            }))
      }
      format={(value) => measureText(value, unit)}
      binary={unit === 'bytes'}
      to={(index) => runsOf(definition, buckets[index]!)}
    />
  )
}

function Source({ definition }: { definition: CustomMetric }) {
  const { t } = useTranslation('metrics')
  const { source } = definition
  if (source.kind === 'query') {
    return (
      <>
        <Field label={t('form.every')}>{durationText(source.every_minutes * 60_000)}</Field>
        <Field label={t('form.connector')}>
          <Link to={paths.connector(source.connector_id)}>
            <RecordName get={getConnector} id={source.connector_id} />
          </Link>
        </Field>
        <Field label={t('form.query')}>
          <pre className={classes.query}>{source.query}</pre>
        </Field>
      </>
    )
  }
  const of = source.kind === 'freshness' ? source.freshness_of : source
  return (
    <>
      {'dataset' in of ? (
        <Field label={t('form.dataset')}>
          <Link to={paths.lineage({ dataset: of.dataset })}>{of.dataset}</Link>
        </Field>
      ) : null}
      {'task_id' in of ? (
        <Field label={t('task')}>
          <Link to={paths.task(of.task_id)}>
            <RecordName get={getTask} id={of.task_id} />
          </Link>
        </Field>
      ) : null}
      {'job_id' in of ? (
        <Field label={t('job')}>
          <Link to={paths.job(of.job_id)}>
            <RecordName get={getJob} id={of.job_id} />
          </Link>
        </Field>
      ) : null}
      {source.kind === 'freshness' ? null : (
        <Field label={t(`form.fields.${source.kind}`)}>
          <span className={classes.mono}>{source.field}</span>
        </Field>
      )}
    </>
  )
}

interface CustomMetricDetailsProps {
  metric: CustomMetricRow
  definition: CustomMetric
  time: PeriodName
  onTime(time: PeriodName): void
  /** null: it may not be changed here. */
  onEdit: (() => void) | null
  onClose(): void
}

/** The values of a metric over time, its state, and where it comes from. */
export function CustomMetricDetails(props: CustomMetricDetailsProps) {
  const { metric, definition, time, onTime, onEdit, onClose } = props
  const { t } = useTranslation('metrics')
  const { name, unit, custom } = metric
  const { state, since, value, value_at, run_id, deadline_at, checked_at, error_message, error_params } = custom
  return (
    <div className={classes.details}>
      <header className={classes.detailsHead}>
        <h2 title={name}>{name}</h2>
        <StatusBadge status={stateLook[state]} label={t(`states.${state}`)} />
        {onEdit ? (
          <Hint label={t('menu.edit')}>
            <ActionIcon aria-label={t('menu.edit')} onClick={onEdit}>
              <IconPencil size={16} />
            </ActionIcon>
          </Hint>
        ) : null}
        <CloseButton size="sm" aria-label={t('details.close')} onClick={onClose} />
      </header>
      <ScrollRegion label={t('details.label', { name })} className={classes.detailsBody}>
        {custom.description ? <p>{custom.description}</p> : null}
        <p className={classes.newest}>
          <span>{t(custom.kind === 'freshness' ? 'details.age' : 'details.value')}</span>
          <b data-tone={state === 'violated' ? 'failed' : undefined}>
            {orDash(value === null ? null : measureText(value, unit))}
          </b>
          {/* Of freshness, the time that was due says it below. */}
          {state === 'violated' && deadline_at === null ? (
            <span className={classes.problem}>{translateKept(error_message, error_params)}</span>
          ) : null}
        </p>
        <SegmentedControl
          size="xs"
          aria-label={t('period')}
          data={(Object.keys(periods) as PeriodName[]).map((one) => ({ value: one, label: t(`periods.${one}`) }))} // its own names
          value={time}
          onChange={onTime}
        />
        <Values metric={metric} definition={definition} time={time} />
        <dl className={classes.fields}>
          {/* A violation is said above, or by the time below. */}
          {error_message === null || state === 'violated' ? null : (
            <Field label={t('details.problem')}>
              <span className={classes.problem}>{translateKept(error_message, error_params)}</span>
            </Field>
          )}
          {since === null ? null : (
            <Field label={t('details.since')}>
              <AbsoluteTime at={since} />
            </Field>
          )}
          <Field label={t(custom.kind === 'freshness' ? 'details.written' : 'details.valueAt')}>
            <RelativeTime at={value_at} />
            {run_id === null ? null : (
              <>
                {' · '}
                <Link to={paths.run(run_id)}>{t('details.run', { id: run_id })}</Link>
              </>
            )}
          </Field>
          {deadline_at === null ? null : (
            <Field label={t('details.due')}>
              <span className={state === 'violated' ? classes.problem : undefined}>
                <RelativeTime at={deadline_at} />
              </span>
            </Field>
          )}
          {/* Otherwise the chart names them. */}
          {custom.aggregate === 'sum'
            ? limitsOf(definition).map(({ key, value: limit }) => (
                <Field key={key} label={t(`form.${key}`)}>
                  {measureText(limit, unit)}
                </Field>
              ))
            : null}
          {checked_at === null ? null : (
            <Field label={t('details.checked')}>
              <RelativeTime at={checked_at} />
            </Field>
          )}
          <Source definition={definition} />
        </dl>
      </ScrollRegion>
    </div>
  )
}
