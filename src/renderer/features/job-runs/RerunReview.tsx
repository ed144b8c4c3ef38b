import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useEffect, useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { type JobRun } from '../../../contract/job-runs.ts'
import { type JobRunRerun, rerunJobRun } from '../../../contract/job-run-control.ts'
import type { ApiFailure } from '../../api/client.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import { DiffView } from '../../ui/code/DiffView.tsx'
import { useDialogKeys } from '../../ui/use-dialog-keys.ts'
import { ItemBadge } from './JobRunBadge.tsx'
import classes from './RerunDialog.module.css'

interface RerunReviewProps {
  run: JobRun
  from: string[] | null
  overrides: Record<string, string> | undefined
  /** A question stands above it: its keys rest. */
  resting?: boolean
  /** Back to the text; absent where nothing is edited. */
  onBack?(): void
  onClose(): void
}

function Problems({ failure }: { failure: ApiFailure }) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  return (
    <div className={classes.problems} role="alert">
      <b>{failure.code === 'VALIDATION_ERROR' ? t('rerun.problems') : null}</b> {failure.message}
      {failure.details.length > 0 ? (
        <ul>
          {failure.details.slice(0, 12).map((detail) => (
            <li key={`${detail.path} ${detail.line ?? ''} ${detail.message}`}>
              {detail.message}
              {detail.line ? ` (${word('error.where', { line: detail.line, column: detail.column ?? 1 })})` : null}
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}

function Plan({ plan, run }: { plan: JobRunRerun; run: JobRun }) {
  const { t } = useTranslation('jobRuns')
  return (
    <>
      {plan.overrides.map((change) => (
        <DiffView
          key={change.task_key}
          before={change.before}
          after={change.after}
          beforeLabel={t('rerun.before', { id: run.id })}
          afterLabel={t('rerun.after')}
          most="min(42vh, 480px)"
        />
      ))}
      <div className={classes.lists}>
        <div>
          <h3 className={classes.heading}>{t('rerun.runs', { count: plan.runs.length })}</h3>
          <ScrollRegion className={classes.list} label={t('rerun.runs', { count: plan.runs.length })}>
            {plan.runs.map((key) => (
              <div key={key}>{key}</div>
            ))}
          </ScrollRegion>
          {plan.repeated.map(({ task_key, items }) => (
            <p key={task_key} className={classes.skipped}>
              {t('rerun.repeated', { key: task_key, count: items })}
            </p>
          ))}
          {plan.skipped.length > 0 ? (
            <p className={classes.skipped}>{t('rerun.skipped', { keys: plan.skipped.join(', ') })}</p>
          ) : null}
        </div>
        <div>
          <h3 className={classes.heading}>
            {plan.reused.length > 0 ? t('rerun.reused', { count: plan.reused.length }) : t('rerun.nothingReused')}
          </h3>
          {plan.reused.length > 0 ? (
            <ScrollRegion className={classes.list} label={t('rerun.reused', { count: plan.reused.length })}>
              {plan.reused.map((task) => (
                <div key={task.task_key} className={classes.reused}>
                  <ItemBadge status={task.status} size="icon" />
                  <span>{task.task_key}</span>
                  {task.outputs === null || task.outputs === '{}' ? null : (
                    <code title={task.outputs}>{task.outputs}</code>
                  )}
                </div>
              ))}
            </ScrollRegion>
          ) : null}
        </div>
      </div>
    </>
  )
}

/** What the server says would happen; starting does exactly that. */
export function RerunReview({ run, from, overrides, resting = false, onBack, onClose }: RerunReviewProps) {
  const { t } = useTranslation('jobRuns')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  const look = useAction(rerunJobRun)
  const start = useAction(rerunJobRun, { invalidates: ['listAllJobRuns'] })
  const body = useMemo(
    () => ({ ...(from === null ? {} : { from }), ...(overrides === undefined ? {} : { overrides }) }),
    [from, overrides],
  )
  const { mutate } = look
  useEffect(() => {
    mutate({ params: { id: run.id }, body: { ...body, dry_run: true } })
    // Asked once for what the dialog was opened with; it is closed or gone back from before anything changes.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  const plan = look.data
  // Neither there nor possible when the dialog opened, or when the text made way for the review.
  const submit = useRef<HTMLButtonElement>(null)
  const back = useRef<HTMLButtonElement>(null)
  // A start that was refused gives the keyboard back.
  useEffect(() => (plan ? submit : back).current?.focus(), [plan, start.error])
  const begin = () => {
    if (!plan || start.isPending) return
    start.mutate(
      { params: { id: run.id }, body, headers: { 'idempotency-key': crypto.randomUUID() } },
      {
        onSuccess: ({ job_run }) => {
          if (!job_run) return
          notifications.show({ message: t('rerun.started', { id: job_run.id }) })
          onClose()
          void navigate(paths.jobRun(job_run.id))
        },
      },
    )
  }
  useDialogKeys(!resting, ['mod+Enter'], begin)
  const failure = start.error ?? look.error
  return (
    <>
      <p className={classes.intro}>
        {t('rerun.intro')} {run.status === 'failed' ? t('rerun.resumeInstead', { id: run.id }) : null}
      </p>
      {look.isPending ? <p className={classes.said}>{t('rerun.working')}</p> : null}
      {plan ? <Plan plan={plan} run={run} /> : null}
      {failure ? <Problems failure={failure} /> : null}
      <div className={classes.foot}>
        <span className={classes.said} />
        {onBack ? (
          <Button variant="default" onClick={onBack} ref={back}>
            {t('rerun.back')}
          </Button>
        ) : (
          <Button variant="default" onClick={onClose} ref={back} data-autofocus>
            {word('form.cancel')}
          </Button>
        )}
        <Button disabled={!plan} loading={start.isPending} onClick={begin} ref={submit}>
          {t('rerun.start')}
        </Button>
      </div>
    </>
  )
}
