import { TextInput, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { listConnectors } from '../../../contract/connectors.ts'
import { type JobDetail, updateJob } from '../../../contract/jobs.ts'
import { etagOf } from '../../api/client.ts'
import { useAction, useOperation } from '../../api/queries.ts'
import { useSession } from '../../api/session.ts'
import { FormSection, FormShell } from '../../ui/FormShell.tsx'
import { ArgumentFields } from '../tasks/ArgumentFields.tsx'
import { SlotPickers } from '../tasks/SlotPickers.tsx'
import { type Fields, fieldsOf, readFields } from '../tasks/argument-fields.ts'
import inputClasses from '../tasks/inputs.module.css'
import { Failure } from './Failure.tsx'
import type { JobShape } from './use-job-shape.ts'

interface Draft {
  name: string
  description: string
  mapping: Record<string, number>
  fields: Fields
}

const draftOf = (job: JobDetail, shape: JobShape): Draft => ({
  name: job.name,
  description: job.description ?? '',
  mapping: shape.mapping,
  fields: fieldsOf(shape.parameters),
})

function useDraft(job: JobDetail, shape: JobShape) {
  const [draft, setDraft] = useState(() => draftOf(job, shape))
  const dirty = JSON.stringify(draft) !== JSON.stringify(draftOf(job, shape))
  return { draft, dirty, change: (values: Partial<Draft>) => setDraft((now) => ({ ...now, ...values })) }
}

/** Name, connectors and parameters of a job. */
export function JobSettingsPane({ job, shape }: { job: JobDetail; shape: JobShape }) {
  const { t } = useTranslation('jobs')
  const { t: word } = useTranslation()
  const { can } = useSession()
  const readOnly = !can('updateJob')
  const connectors = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const save = useAction(updateJob, { invalidates: ['getJob', 'listJobs'] })
  const { draft, dirty, change } = useDraft(job, shape)
  const [tried, setTried] = useState(false)
  const read = readFields(shape.specs, draft.fields)
  const slots = Object.keys(shape.slots)
  const complete =
    draft.name.trim() !== '' &&
    slots.every((slot) => draft.mapping[slot] !== undefined) &&
    Object.keys(read.problems).length === 0
  const submit = () => {
    setTried(true)
    if (!complete) return
    const etag = etagOf(job)
    save.mutate(
      {
        params: { id: job.id },
        body: {
          name: draft.name.trim(),
          description: draft.description.trim() || null,
          connector_mapping: draft.mapping,
          parameters: read.values,
        },
        ...(etag ? { headers: { 'if-match': etag } } : {}),
      },
      { onSuccess: () => notifications.show({ message: t('settings.saved') }) },
    )
  }
  return (
    <FormShell
      onSubmit={submit}
      dirty={dirty}
      busy={save.isPending}
      submitLabel={t('settings.save')}
      readOnly={readOnly}
      error={save.error ? <Failure failure={save.error} /> : tried && !complete ? word('form.checkFields') : undefined}
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
