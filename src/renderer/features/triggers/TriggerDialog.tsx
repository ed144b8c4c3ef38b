import { Input, NativeSelect, NumberInput, Stack, Switch } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { getJobSnapshot } from '../../../contract/jobs.ts'
import {
  type Trigger,
  createTrigger,
  getTrigger,
  misfirePolicies,
  overlapPolicies,
  updateTrigger,
} from '../../../contract/triggers.ts'
import type { ArgumentSpec } from '../../../language/task/task.types.ts'
import { call } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSaveOver } from '../../api/save-over.ts'
import { DialogFoot } from '../../ui/DialogFoot.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { readFields } from '../tasks/argument-fields.ts'
import { type TriggerDraft, bodyOf, draftOf, expressionOf } from './trigger-draft.ts'
import { type PartProps, WhenFields } from './WhenFields.tsx'
import classes from './triggers.module.css'

function Behaviour({ draft, change, taskKeys }: PartProps & { taskKeys: readonly string[] }) {
  const { t } = useTranslation('triggers')
  return (
    <>
      <NativeSelect
        label={t('form.task')}
        description={draft.taskKey ? t('form.taskHint') : undefined}
        value={draft.taskKey}
        data={[{ value: '', label: t('wholeJob') }, ...taskKeys]}
        onChange={(event) => change({ taskKey: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <NativeSelect
          label={t('form.misfire')}
          description={t('form.misfireHint')}
          value={draft.misfire}
          data={misfirePolicies.map((value) => ({ value, label: t(`form.misfires.${value}`) }))}
          // The options are the contract's own lists, here and below.
          onChange={(event) => change({ misfire: event.currentTarget.value as TriggerDraft['misfire'] })}
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
      <NativeSelect
        label={t('form.overlap')}
        value={draft.overlap}
        data={(['template', ...overlapPolicies] as const).map((value) => ({
          value,
          label: t(`form.overlaps.${value}`),
        }))}
        onChange={(event) => change({ overlap: event.currentTarget.value as TriggerDraft['overlap'] })}
      />
    </>
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

function useSave(trigger: Trigger | null, onDone: () => void) {
  const { t } = useTranslation('triggers')
  const invalidates = ['listTriggers', 'getTriggerCalendar', 'listJobs', 'getJob'] as const
  const create = useAction(createTrigger, { invalidates })
  const update = useSaveOver<Trigger, ReturnType<typeof bodyOf>>({
    opened: trigger,
    read: ({ id }) => call(getTrigger, { params: { id } }),
    held: (one) => draftOf(one, null),
    put: ({ id }, body, headers) => call(updateTrigger, { params: { id }, body, headers }),
    invalidates,
  })
  const onSuccess = () => {
    notifications.show({ message: t('saved') })
    onDone()
  }
  return {
    error: create.error ?? update.error,
    theirs: update.theirs,
    settle: update.settle,
    busy: create.isPending || update.busy,
    save(draft: TriggerDraft, values: Record<string, unknown>) {
      const body = bodyOf(draft, values)
      if (trigger) update.save(body, onSuccess)
      else if (draft.jobId !== null) create.mutate({ body: { ...body, job_id: draft.jobId } }, { onSuccess })
    },
  }
}

interface FormProps {
  trigger: Trigger | null
  /** Fixed on a job's own page. */
  jobId: number | null
  onDone: () => void
}

function TriggerForm({ trigger, jobId, onDone }: FormProps) {
  const { t } = useTranslation('triggers')
  const { t: tUi } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(trigger, jobId))
  const [tried, setTried] = useState(false)
  const { save, busy, error, theirs, settle } = useSave(trigger, onDone)
  const { specs, taskKeys } = useJobShape(draft.jobId)
  const read = readFields(specs, draft.fields)
  const change = (values: Partial<TriggerDraft>) => setDraft((now) => ({ ...now, ...values }))
  const parts = { draft, change, failure: error }
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setTried(true)
        if (theirs === null && draft.jobId !== null && expressionOf(draft) && Object.keys(read.problems).length === 0)
          save(draft, read.values)
      }}
    >
      <Stack gap={12}>
        {trigger || jobId !== null ? null : (
          <Input.Wrapper
            label={t('form.job')}
            withAsterisk
            labelElement="div"
            error={tried && draft.jobId === null ? tUi('form.required') : undefined}
          >
            <JobFilter
              field={{ placeholder: t('form.chooseJob'), error: tried && draft.jobId === null }}
              value={draft.jobId ?? undefined}
              onChange={(id) => change({ jobId: id, taskKey: '', fields: {} })}
            />
          </Input.Wrapper>
        )}
        <WhenFields {...parts} />
        <Behaviour {...parts} taskKeys={taskKeys} />
        {Object.keys(specs).length > 0 ? (
          <Input.Wrapper label={t('form.arguments')} description={t('form.argumentsHint')} labelElement="div">
            <Stack gap={8} mt={6}>
              <ArgumentFields
                specs={specs}
                fields={draft.fields}
                problems={read.problems}
                showRequired={false}
                onChange={(name, value) => change({ fields: { ...draft.fields, [name]: value } })}
              />
            </Stack>
          </Input.Wrapper>
        ) : null}
        <Switch
          label={t('form.enabled')}
          description={draft.hasFired && draft.enabled ? t('form.enabledAgain') : undefined}
          checked={draft.enabled}
          onChange={(event) => change({ enabled: event.currentTarget.checked })}
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
          onCancel={onDone}
        />
      </Stack>
    </form>
  )
}

export interface TriggerDialogProps {
  opened: boolean
  /** null: a new one. */
  trigger: Trigger | null
  jobId: number | null
  onClose: () => void
}

export function TriggerDialog({ opened, trigger, jobId, onClose }: TriggerDialogProps) {
  const { t } = useTranslation('triggers')
  return (
    <FormDialog
      opened={opened}
      onClose={onClose}
      title={trigger ? t('form.titleEdit', { job: trigger.job_name }) : t('form.titleNew')}
      size={520}
    >
      <TriggerForm key={trigger?.id ?? 0} trigger={trigger} jobId={jobId} onDone={onClose} />
    </FormDialog>
  )
}
