import { Skeleton } from '@mantine/core'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CodeWords } from '../../ui/CodeWords.tsx'
import { ErrorState } from '../../ui/ErrorState.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import { lazyPart } from '../../ui/lazy-part.ts'
import { ActionBadge } from './ActionBadge.tsx'
import classes from './exchange.module.css'
import { translateMessage } from '../../i18n/translate.ts'
import { type ResultRow, diagnosticsOf } from './import-state.ts'
import { type Compared, useCompared } from './use-compared.ts'
import type { Bundle } from './use-bundle.ts'
import { numberText } from '../../ui/format.ts'

const DiffView = lazyPart(async () => (await import('../../ui/code/DiffView.tsx')).DiffView)

const pathOf = {
  task: paths.task,
  job_template: paths.jobTemplate,
  dashboard_template: paths.dashboardTemplate,
  ai_reference: (id: number) => paths.settings('ai-references', { reference: id }),
  // They are in a list there.
  explorer_preset: () => paths.explorer(),
}

interface ResultDetailProps {
  row: ResultRow
  bundle: Bundle
  /** Another for each run: what is here is read anew after an import. */
  runKey: string
  applied: boolean
}

function Findings({ row }: { row: ResultRow }) {
  const { t } = useTranslation('exchange')
  const diagnostics = diagnosticsOf(row.validation)
  const [only] = diagnostics
  // The message of the record says it already.
  if (!only || (diagnostics.length === 1 && row.message?.includes(only.message))) return null
  return (
    <ul className={classes.findings}>
      {diagnostics.map((one) => (
        <li key={`${one.line ?? ''}:${one.column ?? ''} ${one.message}`}>
          <StatusBadge
            status={one.severity === 'error' ? 'failed' : 'completed'}
            label={
              one.line === null ? t('detail.inText') : t('failure.where', { line: one.line, column: one.column ?? 1 })
            }
          />
          <span>
            <CodeWords text={translateMessage(one)} />
          </span>
        </li>
      ))}
    </ul>
  )
}

function Texts({ compared, applied }: { compared: Compared; applied: boolean }) {
  const { t } = useTranslation('exchange')
  const { here, theirs } = compared
  if (theirs === null) return <p className={classes.note}>{t('detail.noText')}</p>
  if (here && here.text === theirs) return <p className={classes.note}>{t('detail.same')}</p>
  return (
    <div className={classes.diff}>
      <Suspense fallback={<Skeleton height={28} radius={0} />}>
        <DiffView
          before={here?.text ?? ''}
          after={theirs}
          beforeLabel={
            here ? t(applied ? 'detail.hereNow' : 'detail.here', { version: here.version }) : t('detail.nothingHere')
          }
          afterLabel={t('detail.bundle')}
        />
      </Suspense>
    </div>
  )
}

/** One record of the bundle: what becomes of it, why, and its text beside the one here. */
export function ResultDetail({ row, bundle, runKey, applied }: ResultDetailProps) {
  const { t } = useTranslation('exchange')
  const compared = useCompared(row, bundle, runKey)
  const here = compared.data?.here
  const line = compared.data?.line
  return (
    <div className={classes.detail}>
      <div className={classes.detailHead}>
        <ActionBadge action={row.action} />
        <b>{here ? <Link to={pathOf[row.kind](here.id)}>{row.name}</Link> : row.name}</b>
        <span className={classes.faint}>{t(`kind.${row.kind}`)}</span>
        <span className={classes.faint}>{line ? t('failure.line', { line: numberText(line) }) : null}</span>
      </div>
      {row.message ? (
        <p className={classes.message}>
          <CodeWords text={translateMessage({ ...row, message: row.message })} />
        </p>
      ) : null}
      <Findings row={row} />
      {compared.error ? (
        <ErrorState what="version" error={compared.error} onRetry={() => void compared.refetch()} compact />
      ) : compared.data ? (
        <Texts compared={compared.data} applied={applied} />
      ) : (
        <Skeleton height={28} radius={0} />
      )}
    </div>
  )
}
