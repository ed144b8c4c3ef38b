import { useTranslation } from 'react-i18next'
import type { RunStep } from '../../../contract/runs.ts'
import { translateLabel } from '../../i18n/translate.ts'
import { Duration } from '../../ui/Duration.tsx'
import { AbsoluteTime } from '../../ui/AbsoluteTime.tsx'
import { SchemaDrift } from '../../ui/SchemaDrift.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { ValueChanges } from '../../ui/ValueChanges.tsx'
import { bytesText } from '../../ui/time.ts'
import classes from './StepTree.module.css'
import { countText } from '../../ui/format.ts'

/** Counts, times and columns of one step. */
export function StepDetail({ step }: { step: RunStep }) {
  const { t } = useTranslation('runs')
  const count = (value: number | null) => countText(value) ?? t('steps.unknown')
  return (
    <ScrollRegion className={classes.detail} label={translateLabel(step)}>
      <dl className={classes.facts}>
        <dt>{t('steps.rowsIn')}</dt>
        <dd>{count(step.rows_in)}</dd>
        <dt>{t('steps.rowsOut')}</dt>
        <dd>{count(step.rows_out)}</dd>
        {step.rows_inserted === undefined ? null : (
          <>
            <dt>{t('steps.upserted')}</dt>
            <dd>
              {count(step.rows_inserted)} / {count(step.rows_updated ?? null)}
            </dd>
          </>
        )}
        <dt>{t('steps.rejected')}</dt>
        <dd>{count(step.rows_rejected)}</dd>
        {step.bytes === null ? null : (
          <>
            <dt>{t('steps.bytes')}</dt>
            <dd>{bytesText(step.bytes)}</dd>
          </>
        )}
        {step.started_at ? (
          <>
            <dt>{t('steps.began')}</dt>
            <dd>
              <AbsoluteTime at={step.started_at} exact />
            </dd>
          </>
        ) : null}
        <dt>{t('steps.duration')}</dt>
        <dd>
          <Duration ms={step.duration_ms} since={step.status === 'running' ? step.started_at : null} />
        </dd>
      </dl>
      <SchemaDrift title={t('steps.drift')} drift={step.drift} />
      <ValueChanges title={t('steps.changes')} changes={step.changes} />
      <h2 className={classes.heading}>{t('steps.columns')}</h2>
      {step.columns.length === 0 ? <div className={classes.faint}>{t('steps.noColumns')}</div> : null}
      <table className={classes.columns}>
        <tbody>
          {step.columns.map((column) => (
            <tr key={column.name}>
              <td>{column.name}</td>
              <td>{column.type.toLowerCase()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
