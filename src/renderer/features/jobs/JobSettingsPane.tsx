import { TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listConnectors } from '../../../contract/connectors.ts'
import { type JobDetail, getJob, updateJob } from '../../../contract/jobs.ts'
import { ifMatch } from '../../api/client.ts'
import { useFollowedDraft } from '../../api/followed-draft.ts'
import { queryKey, useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { Failure } from '../../ui/Failure.tsx'
import { FormSection, FormShell } from '../../ui/FormShell.tsx'
import { OvertakenNotice } from '../../ui/OvertakenNotice.tsx'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { SlotPickers } from '../tasks/SlotPickers.tsx'
import { readFields } from '../tasks/argument-fields.ts'
import inputClasses from '../tasks/inputs.module.css'
import { type JobDraft, jobForm } from './job-draft.ts'
import { leavesTab } from './leaves-tab.ts'
import type { JobShape } from './use-job-shape.ts'

/** Name, connectors and parameters of a job. */
export function JobSettingsPane({ job, shape }: { job: JobDetail; shape: JobShape }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const { can } = useSession()
  const readOnly = !can('updateJob')
  const connectors = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const client = useQueryClient()
  const save = useAction(updateJob, { invalidates: ['listJobs'] })
  const { base, draft, theirs, dirty, write, adopt, overtaken } = useFollowedDraft(job, jobForm)
  const change = (values: Partial<JobDraft>) => write((now) => ({ ...now, ...values }))
  const [tried, setTried] = useState(false)
  const read = readFields(shape.specs, draft.fields)
  const slots = Object.keys(shape.slots)
  const complete =
    draft.name.trim() !== '' &&
    slots.every((slot) => draft.mapping[slot] !== undefined) &&
    Object.keys(read.problems).length === 0
  const submit = () => {
    setTried(true)
    if (!complete || theirs) return
    save.mutate(
      {
        params: { id: job.id },
        body: {
          name: draft.name.trim(),
          description: draft.description.trim() || null,
          connector_mapping: draft.mapping,
          parameters: read.values,
        },
        headers: ifMatch(base),
      },
      {
        onSuccess: (saved) => {
          client.setQueryData(queryKey(getJob, { params: { id: job.id } }), saved)
          adopt(saved)
          notifications.show({ message: t('settings.saved') })
        },
        // Perhaps somebody else was faster: then the form says so as soon as the job has been read again.
        onError: (failure) => {
          if (failure.code === 'CONFLICT') void client.invalidateQueries({ queryKey: ['getJob'] })
        },
      },
    )
  }
  return (
    <FormShell
      onSubmit={submit}
      dirty={dirty}
      busy={save.isPending}
      submitLabel={t('settings.save')}
      readOnly={readOnly}
      leaves={leavesTab}
      notice={<OvertakenNotice overtaken={overtaken} text={t('conflict.job')} apart />}
      error={
        save.error && !theirs ? (
          <Failure failure={save.error} />
        ) : tried && !complete ? (
          word('form.checkFields')
        ) : undefined
      }
    >
      <FormSection title={t('settings.general')}>
        <TextInput
          label={t('settings.name')}
          withAsterisk
          maxLength={200}
          disabled={readOnly}
          value={draft.name}
          error={tried && draft.name.trim() === '' ? word('form.required') : save.error?.detailFor('name')?.message}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Textarea
          label={t('settings.description')}
          autosize
          minRows={1}
          maxRows={6}
          maxLength={2000}
          disabled={readOnly}
          value={draft.description}
          onChange={(event) => change({ description: event.currentTarget.value })}
        />
      </FormSection>
      <FormSection
        title={t('settings.connectors')}
        text={slots.length > 0 ? t('settings.connectorsText') : t('settings.noConnectors')}
      >
        <div className={inputClasses.grid}>
          <SlotPickers
            slots={shape.slots}
            connectors={connectors.data?.result ?? []}
            mapping={draft.mapping}
            required={slots}
            showMissing={tried}
            onChoose={(slot, id) => {
              const { [slot]: _, ...others } = draft.mapping
              change({ mapping: id === null ? others : { ...others, [slot]: id } })
            }}
          />
        </div>
      </FormSection>
      <FormSection
        title={t('settings.parameters')}
        text={Object.keys(shape.specs).length > 0 ? t('settings.parametersText') : t('settings.noParameters')}
      >
        <div className={inputClasses.grid}>
          <ArgumentFields
            specs={shape.specs}
            fields={draft.fields}
            problems={read.problems}
            showRequired={tried}
            onChange={(name, value) => change({ fields: { ...draft.fields, [name]: value } })}
          />
        </div>
      </FormSection>
    </FormShell>
  )
}
