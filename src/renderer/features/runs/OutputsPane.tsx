import { useTranslation } from 'react-i18next'
import type { Run } from '../../../contract/runs.ts'
import { JsonView } from '../../ui/JsonView.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './RunPage.module.css'
import { isOver, jsonObject, laneOf } from './run-facts.ts'
import { numberText } from '../../ui/format.ts'

function Metric({ run, name, value }: { run: Run; name: string; value: unknown }) {
  const { t } = useTranslation('runs')
  const known: Record<string, string> = {
    rows_in: t('outputs.rows_in'),
    rows_out: t('outputs.rows_out'),
    rejected: t('outputs.rejected'),
    bytes: t('outputs.bytes'),
    lane: t('outputs.lane'),
  }
  const lane = name === 'lane' ? laneOf(run) : null
  const text =
    lane !== null
      ? t(`lanes.${lane}`)
      : typeof value === 'number'
        ? name === 'bytes'
          ? bytesText(value)
          : numberText(value)
        : typeof value === 'string'
          ? value
          : JSON.stringify(value)
  return (
    <>
      <dt title={name === 'lane' ? t('outputs.laneHint') : undefined}>{known[name] ?? name}</dt>
      <dd>{text}</dd>
    </>
  )
}

/** What the run put out for others, and what was measured on it. */
export function OutputsPane({ run }: { run: Run }) {
  const { t } = useTranslation('runs')
  const outputs = jsonObject(run.outputs)
  const metrics = Object.entries(jsonObject(run.metrics_summary) ?? {})
  const hasOutputs = outputs !== null && Object.keys(outputs).length > 0
  return (
    <div className={classes.scroll}>
      <h2 className={classes.heading}>{t('outputs.outputs')}</h2>
      {hasOutputs ? (
        <JsonView value={outputs} />
      ) : (
        <p className={classes.muted}>{isOver(run.status) ? t('outputs.noOutputs') : t('outputs.notYet')}</p>
      )}
      <h2 className={classes.heading}>{t('outputs.metrics')}</h2>
      {metrics.length === 0 ? <p className={classes.muted}>{t('outputs.noMetrics')}</p> : null}
      <dl className={classes.facts}>
        {metrics.map(([name, value]) => (
          <Metric key={name} run={run} name={name} value={value} />
        ))}
      </dl>
    </div>
  )
}
