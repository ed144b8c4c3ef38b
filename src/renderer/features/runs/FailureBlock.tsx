import { IconAlertOctagon } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { Run, RunStep } from '../../../contract/runs.ts'
import { listRunRejects } from '../../../contract/run-rejects.ts'
import { translateLabel } from '../../i18n/translate.ts'
import { useList } from '../../api/queries.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { RunErrorLink } from '../../ui/HelpLink.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { Value } from '../../ui/Value.tsx'
import { isNumber } from './reject-fields.ts'
import classes from './FailureBlock.module.css'
import { comparedSaid, failureFacts } from './failure-facts.rules.ts'

interface FailureBlockProps {
  title: string
  failed: Pick<Run, 'error_message' | 'error_params' | 'error_code'>
  /** Whose rejected rows are an example, where they are why it failed. */
  runId: number | null
  /** The step that failed, and what shows it. */
  step: RunStep | null
  onStep(index: number): void
  /** The ways on. */
  children: ReactNode
}

function SampleRow({ row }: { row: Readonly<Record<string, unknown>> }) {
  return (
    <table className={classes.row}>
      <thead>
        <tr>
          {Object.entries(row).map(([name, value]) => (
            <th key={name} data-align={isNumber(value) ? 'right' : undefined}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        <tr>
          {Object.entries(row).map(([name, value]) => (
            <td key={name} data-align={isNumber(value) ? 'right' : undefined}>
              <Value value={value} />
            </td>
          ))}
        </tr>
      </tbody>
    </table>
  )
}

/** A row that the error has, or the first that was rejected where rejects are why it failed. */
function useSampleRow(runId: number | null, given: Readonly<Record<string, unknown>> | null, byRejects: boolean) {
  const rejects = useList(
    listRunRejects,
    { params: { id: runId ?? 0 }, query: { limit: 1 } },
    { enabled: byRejects && runId !== null },
  )
  return given ?? (byRejects ? (rejects.rows[0]?.row ?? null) : null)
}

/** A failure, said once: where, what was expected, what came, a row that shows it, what to do, and the ways on. */
export function FailureBlock({ title, failed, runId, step, onStep, children }: FailureBlockProps) {
  const { t } = useTranslation('runs')
  const { cause, fix, compared, row: given } = failureFacts(failed)
  const row = useSampleRow(runId, given, compared?.reason === 'tooManyRejects')
  return (
    <section className={classes.block} role="status" aria-label={title}>
      <div className={classes.head}>
        <IconAlertOctagon size={16} aria-hidden />
        <h2 className={classes.title}>{title}</h2>
        {step ? (
          <span className={classes.step}>
            {t('failure.step')}
            <button type="button" onClick={() => onStep(step.index)} title={t('failure.showStep')}>
              {translateLabel(step)}
            </button>
          </span>
        ) : null}
        <div className={classes.actions}>{children}</div>
      </div>
      <ScrollRegion className={classes.body} label={title}>
        {compared ? null : (
          <p className={classes.cause}>
            <CodeWords text={cause} />
          </p>
        )}
        {compared || row ? (
          <dl className={classes.facts}>
            {compared ? (
              <>
                <dt>{t('failure.expectedLabel')}</dt>
                <dd>
                  <CodeWords text={comparedSaid(t(`failure.expected.${compared.reason}`), compared.params)} />
                </dd>
                <dt>{t('failure.cameLabel')}</dt>
                <dd>
                  <CodeWords text={comparedSaid(t(`failure.came.${compared.reason}`), compared.params)} />
                </dd>
              </>
            ) : null}
            {row ? (
              <>
                <dt className={classes.sample}>{t('failure.sample')}</dt>
                <dd>
                  <SampleRow row={row} />
                </dd>
              </>
            ) : null}
          </dl>
        ) : null}
        {fix || failed.error_code ? (
          <p className={classes.fix}>
            {fix ? <CodeWords text={fix} /> : null}{' '}
            {failed.error_code ? (
              <>
                {t('failure.code')} <RunErrorLink code={failed.error_code} reason={failed.error_params?.['reason']} />
              </>
            ) : null}
          </p>
        ) : null}
      </ScrollRegion>
    </section>
  )
}
