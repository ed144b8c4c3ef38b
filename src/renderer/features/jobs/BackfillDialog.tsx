import { Button, Checkbox, NativeSelect, NumberInput, Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { backfillJob } from '../../../contract/job-run-control.ts'
import type { JobDetail } from '../../../contract/jobs.ts'
import { useAction } from '../../api/queries.ts'
import { paths } from '../../paths.ts'
import { DayInput } from '../../ui/DayInput.tsx'
import { DialogWays } from '../../ui/DialogFoot.tsx'
import { Failure } from '../../ui/Failure.tsx'
import { ScrollRegion } from '../../ui/ScrollRegion.tsx'
import inputClasses from '../tasks/inputs.module.css'
import classes from './jobs.module.css'
import { dateText } from '../../ui/format.ts'
import { ownZone } from '../../ui/time.ts'
import { FormDialog } from '../../ui/FormDialog.tsx'

const steps = ['day', 'week', 'month'] as const

interface Draft {
  from: string
  to: string
  every: (typeof steps)[number]
  timezone: string
  parallel: number | string
  fullRefresh: boolean
}

interface BackfillFieldsProps {
  draft: Draft
  change: (values: Partial<Draft>) => void
  /** It was sent: what is missing is said. */
  tried: boolean
}

function BackfillFields({ draft, change, tried }: BackfillFieldsProps) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const zones = useMemo(() => ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')], [])
  const day = (name: 'from' | 'to') => (
    <DayInput
      label={t(`backfill.${name}`)}
      withAsterisk
      value={draft[name]}
      error={tried && !draft[name] ? word('form.required') : undefined}
      data-autofocus={name === 'from' || undefined}
      onChange={(at) => change({ [name]: at })}
    />
  )
  return (
    <div className={inputClasses.grid}>
      {day('from')}
      {day('to')}
      <NativeSelect
        label={t('backfill.every')}
        value={draft.every}
        data={steps.map((value) => ({ value, label: t(`backfill.everyChoice.${value}`) }))}
        // The options are the list above.
        onChange={(event) => change({ every: event.currentTarget.value as Draft['every'] })}
      />
      <Select
        label={t('backfill.zone')}
        searchable
        allowDeselect={false}
        limit={100}
        data={zones}
        value={draft.timezone}
        onChange={(timezone) => change({ timezone: timezone ?? 'UTC' })}
      />
      <NumberInput
        size="xs"
        label={t('backfill.parallel')}
        min={1}
        max={16}
        allowDecimal={false}
        value={draft.parallel}
        onChange={(parallel) => change({ parallel })}
      />
      <Checkbox
        mt={24}
        label={t('backfill.fullRefresh')}
        checked={draft.fullRefresh}
        onChange={(event) => change({ fullRefresh: event.currentTarget.checked })}
      />
    </div>
  )
}

/** The day whose midnight it is, in the words of the reader. */
const dayIn = (at: string, timeZone: string) => dateText(new Date(at), 'weekdayAndDay', timeZone)

/** Job runs for days that have passed: first the dates, then the start. */
export function BackfillDialog({ job, onClose }: { job: JobDetail; onClose: () => void }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const navigate = useNavigate()
  const look = useAction(backfillJob)
  const start = useAction(backfillJob, { invalidates: ['listAllJobRuns', 'getJobHistory'] })
  const [draft, setDraft] = useState<Draft>({
    from: '',
    to: '',
    every: 'day',
    timezone: ownZone(),
    parallel: 1,
    fullRefresh: false,
  })
  const [tried, setTried] = useState(false)
  const change = (values: Partial<Draft>) => {
    setDraft((now) => ({ ...now, ...values }))
    look.reset()
  }
  const body = {
    from: draft.from,
    to: draft.to,
    every: draft.every,
    timezone: draft.timezone,
    max_parallel: Number(draft.parallel) || 1,
    full_refresh: draft.fullRefresh,
  }
  const dates = look.data?.logical_dates
  const begin = () =>
    start.mutate(
      { params: { id: job.id }, body, headers: { 'idempotency-key': crypto.randomUUID() } },
      {
        onSuccess: (made) => {
          notifications.show({ message: t('backfill.started', { count: made.job_run_ids.length }) })
          void navigate(paths.jobRuns({ backfill_id: made.backfill_id }))
        },
      },
    )
  const failure = start.error ?? look.error
  return (
    <FormDialog opened onClose={onClose} size={560} title={t('backfill.title', { name: job.name })}>
      <p style={{ marginTop: 0 }}>{t('backfill.text')}</p>
      <BackfillFields draft={draft} change={change} tried={tried} />
      {dates ? (
        <>
          <h2 className={classes.heading}>{t('backfill.dates', { count: dates.length })}</h2>
          <ScrollRegion className={classes.dates} label={t('backfill.dates', { count: dates.length })}>
            {dates.map((date) => (
              <div key={date} className={classes.date}>
                <span>{dayIn(date, draft.timezone)}</span>
                <span className={classes.muted}>{date}</span>
              </div>
            ))}
          </ScrollRegion>
        </>
      ) : null}
      {failure ? <Failure failure={failure} /> : null}
      <DialogWays>
        <Button variant="default" onClick={onClose}>
          {word('form.cancel')}
        </Button>
        {dates && dates.length > 0 ? (
          <Button loading={start.isPending} onClick={begin}>
            {t('backfill.submit', { count: dates.length })}
          </Button>
        ) : (
          <Button
            loading={look.isPending}
            onClick={() => {
              setTried(true)
              if (draft.from && draft.to) look.mutate({ params: { id: job.id }, body: { ...body, dry_run: true } })
            }}
          >
            {t('backfill.look')}
          </Button>
        )}
      </DialogWays>
    </FormDialog>
  )
}
