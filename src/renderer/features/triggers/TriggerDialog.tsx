import { Input, NativeSelect, NumberInput, SegmentedControl, Stack, Switch, Textarea } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getJobSnapshot } from '../../../contract/jobs.ts'
import { misfirePolicies, overlapPolicies } from '../../../contract/triggers.ts'
import type { ArgumentSpec } from '../../../language/task/task.types.ts'
import { useOperation } from '../../api/queries.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { readFields } from '../tasks/argument-fields.ts'
import { EventFields, type FieldsProps } from './EventFields.tsx'
import { HookAddress } from './HookAddress.tsx'
import { NextFirings, useNextFirings } from './NextFirings.tsx'
import { WhenFields } from './WhenFields.tsx'
import {
  type AnyTrigger,
  type TriggerDraft,
  type TriggerKind,
  draftOf,
  expressionOf,
  isEventTrigger,
  isTimed,
  kindsFor,
  missing,
} from './trigger-draft.ts'
import classes from './triggers.module.css'
import { useSaveTrigger } from './use-save-trigger.ts'

/** The job, where it is not given, and which of its tasks. */
function WhatFields({ draft, change, errorOf, taskKeys, chooseJob }: FieldsProps & WhatProps) {
  const { t } = useTranslation('triggers')
  return (
    <div className={classes.pair}>
      {chooseJob ? (
        <Input.Wrapper label={t('form.job')} withAsterisk labelElement="div" error={errorOf('jobId', 'job_id')}>
          <JobFilter
            field={{ placeholder: t('form.chooseJob'), error: errorOf('jobId', 'job_id') !== undefined }}
            value={draft.jobId ?? undefined}
            onChange={(jobId) => change({ jobId, taskKey: '', fields: {} })}
          />
        </Input.Wrapper>
      ) : null}
      <NativeSelect
        label={t('form.task')}
        description={draft.taskKey ? t('form.taskHint') : undefined}
        value={draft.taskKey}
        data={[{ value: '', label: t('wholeJob') }, ...taskKeys]}
        onChange={(event) => change({ taskKey: event.currentTarget.value })}
      />
    </div>
  )
}
interface WhatProps {
  taskKeys: readonly string[]
  chooseJob: boolean
}

/** What becomes of a run that could not start at its time. */
function PolicyFields({ draft, change }: FieldsProps) {
  const { t } = useTranslation('triggers')
  return (
    <div className={classes.pair}>
      <NativeSelect
        label={t('form.misfire')}
        description={t('form.misfireHint')}
        value={draft.misfire}
        data={misfirePolicies.map((value) => ({ value, label: t(`form.misfires.${value}`) }))}
        // The options are the contract's own lists, here and below.
        onChange={(event) => change({ misfire: event.currentTarget.value as TriggerDraft['misfire'] })}
      />
      <NativeSelect
        label={t('form.overlap')}
        value={draft.overlap}
        data={(['template', ...overlapPolicies] as const).map((value) => ({
          value,
          label: t(`form.overlaps.${value}`),
        }))}
        onChange={(event) => change({ overlap: event.currentTarget.value as TriggerDraft['overlap'] })}
      />
      <NumberInput
        size="xs"
        label={t('form.jitter')}
        description={t('form.jitterHint')}
        min={0}
        max={86_400}
        allowDecimal={false}
        value={draft.jitter}
        onChange={(jitter) => change({ jitter })}
      />
    </div>
  )
}

/** Parameters of the job's snapshot. None is required here: the job's own stand for the others. */
function useJobShape(jobId: number | null) {
  const snapshot = useOperation(getJobSnapshot, { params: { id: jobId ?? 0 } }, { enabled: jobId !== null })
  return useMemo(() => {
    // The server gives the specs as the language wrote them.
    const specs = (snapshot.data?.parameters ?? {}) as Record<string, ArgumentSpec>
    const optional = Object.fromEntries(
      Object.entries(specs).map(([name, spec]) => [name, { ...spec, required: false, default: undefined }]),
    )
    const taskKeys = (snapshot.data?.nodes ?? []).filter((node) => node.kind === 'task').map((node) => node.key)
    return { specs: optional, taskKeys }
  }, [snapshot.data])
}

interface ParameterProps extends FieldsProps {
  specs: Record<string, ArgumentSpec>
  problems: ReturnType<typeof readFields>['problems']
}

const hintOf = { webhook: 'webhook', file_arrival: 'file', after_job: 'job' } as const

/** Values by the clock are typed in; those on an event are made of it. */
function ParameterFields({ draft, change, errorOf, specs, problems }: ParameterProps) {
  const { t } = useTranslation('triggers')
  if (!isTimed(draft.kind)) {
    return (
      <Textarea
        label={t('event.arguments')}
        description={t(`event.argumentsHint.${hintOf[draft.kind]}`, { open: '${{', close: '}}' })}
        autosize
        minRows={2}
        maxRows={10}
        placeholder={'{"day": "${{ event.body.day }}"}'}
        value={draft.args}
        error={errorOf('args', 'arguments')}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        onChange={(event) => change({ args: event.currentTarget.value })}
      />
    )
  }
  if (Object.keys(specs).length === 0) return null
  return (
    <Input.Wrapper label={t('form.arguments')} description={t('form.argumentsHint')} labelElement="div">
      <div className={`${classes.pair} ${classes.parameters}`}>
        <ArgumentFields
          specs={specs}
          fields={draft.fields}
          problems={problems}
          showRequired={false}
          onChange={(name, value) => change({ fields: { ...draft.fields, [name]: value } })}
        />
      </div>
    </Input.Wrapper>
  )
}

interface FormProps {
  trigger: AnyTrigger | null
  jobId: number | null
  kind: TriggerKind
  onSaved: (token: string | null) => void
  onCancel: () => void
}

function TriggerForm({ trigger, jobId, kind, onSaved, onCancel }: FormProps) {
  const { t } = useTranslation('triggers')
  const { t: tUi } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(trigger, jobId, kind))
  const [tried, setTried] = useState(false)
  const { save, busy, error, theirs, settle } = useSaveTrigger(trigger, onSaved)
  const { specs, taskKeys } = useJobShape(draft.jobId)
  const read = readFields(specs, draft.fields)
  const timed = isTimed(draft.kind) ? draft.kind : null
  const preview = useNextFirings({
    type: timed ?? 'cron',
    expression: timed ? expressionOf(draft) : '',
    timezone: draft.timezone,
  })
  const gaps = missing(draft)
  const parts: FieldsProps = {
    draft,
    change: (values) => setDraft((now) => ({ ...now, ...values })),
    errorOf: (field, path) => {
      if (!tried || !gaps.includes(field)) return error?.detailFor(path)?.message
      if (field === 'args') return t('event.badJson')
      return field === 'at' && draft.at.trim() ? t('form.badMoment') : tUi('form.required')
    },
  }
  const kinds = kindsFor(trigger)
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        const fits = gaps.length === 0 && (!timed || Object.keys(read.problems).length === 0)
        if (theirs === null && fits) save(draft, read.values)
      }}
    >
      <Stack gap={12}>
        {kinds.length > 1 ? (
          <SegmentedControl
            aria-label={t('form.type')}
            value={draft.kind}
            data={kinds.map((value) => ({ value, label: t(`form.types.${value}`) }))}
            onChange={(value) => parts.change({ kind: value })}
          />
        ) : null}
        <WhatFields {...parts} taskKeys={taskKeys} chooseJob={trigger === null && jobId === null} />
        {timed ? (
          <div className={`${classes.pair} ${classes.when}`}>
            <WhenFields {...parts} preview={preview} />
            <Input.Wrapper label={t('form.next')} labelElement="div" className={classes.next}>
              <NextFirings preview={preview} zone={draft.timezone} />
            </Input.Wrapper>
          </div>
        ) : (
          <EventFields {...parts} />
        )}
        {timed ? <PolicyFields {...parts} /> : null}
        <ParameterFields {...parts} specs={specs} problems={read.problems} />
        <Switch
          label={t('form.enabled')}
          description={draft.hasFired && draft.enabled ? t('form.enabledAgain') : undefined}
          checked={draft.enabled}
          onChange={(event) => parts.change({ enabled: event.currentTarget.checked })}
        />
        <DialogFoot
          error={error?.message}
          overtaken={
            theirs && {
              onKeep: settle,
              onTake: () => {
                setDraft(draftOf(theirs, jobId))
                settle()
              },
            }
          }
          submitLabel={trigger ? t('form.save') : t('form.create')}
          busy={busy}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  )
}

export interface TriggerDialogProps {
  opened: boolean
  /** null: a new one. */
  trigger: AnyTrigger | null
  /** Fixed on a job's own page. */
  jobId: number | null
  /** What a new one begins as. */
  kind?: TriggerKind
  onClose: () => void
}

/** Makes or changes a trigger of any kind; a webhook's address is shown once it is made. */
export function TriggerDialog({ opened, trigger, jobId, kind = 'cron', onClose }: TriggerDialogProps) {
  const { t } = useTranslation('triggers')
  const [token, setToken] = useState<string | null>(null)
  const close = () => {
    setToken(null)
    onClose()
  }
  const editTitle =
    trigger &&
    (isEventTrigger(trigger) ? t('event.titleEdit', trigger) : t('form.titleEdit', { job: trigger.job_name }))
  return (
    <FormDialog
      opened={opened}
      onClose={close}
      stays={token !== null}
      title={token ? t('event.made') : (editTitle ?? t('form.create'))}
      size={760}
    >
      {token ? (
        <HookAddress token={token} onDone={close} />
      ) : (
        <TriggerForm
          key={trigger?.id ?? 0}
          trigger={trigger}
          jobId={jobId}
          kind={kind}
          onSaved={(made) => (made ? setToken(made) : close())}
          onCancel={close}
        />
      )}
    </FormDialog>
  )
}
