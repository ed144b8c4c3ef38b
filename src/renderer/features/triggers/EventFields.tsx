import { Checkbox, Group, Input, NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { listConnectors } from '../../../contract/connectors.ts'
import { useOperation } from '../../api/queries.ts'
import { JobFilter } from '../job-runs/JobFilter.tsx'
import { type TriggerDraft, jobEnds } from './trigger-draft.ts'
import classes from './triggers.module.css'

export interface FieldsProps {
  draft: TriggerDraft
  change: (values: Partial<TriggerDraft>) => void
  /** What is wrong with a field, by its name here or by its place in the request. */
  errorOf: (field: keyof TriggerDraft, path: string) => string | undefined
}

const fileTypes = new Set(['file', 's3', 'sftp'])

function FileFields({ draft, change, errorOf }: FieldsProps) {
  const { t } = useTranslation('triggers')
  const connectors = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  const fitting = (connectors.data?.result ?? []).filter(({ type }) => fileTypes.has(type))
  return (
    <>
      <Select
        label={t('event.connector')}
        withAsterisk
        searchable
        data={fitting.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={draft.connectorId}
        error={errorOf('connectorId', 'config.connector_id')}
        onChange={(connectorId) => change({ connectorId })}
      />
      <TextInput
        label={t('event.glob')}
        description={t('event.globHint')}
        withAsterisk
        value={draft.glob}
        error={errorOf('glob', 'config.glob')}
        onChange={(event) => change({ glob: event.currentTarget.value })}
      />
      <div className={classes.pair}>
        <NumberInput
          size="xs"
          label={t('event.poll')}
          min={5}
          max={86_400}
          allowDecimal={false}
          value={draft.poll}
          error={errorOf('poll', 'config.poll_seconds')}
          onChange={(poll) => change({ poll })}
        />
        <NumberInput
          size="xs"
          label={t('event.settle')}
          description={t('event.settleHint')}
          min={0}
          max={86_400}
          allowDecimal={false}
          value={draft.settle}
          error={errorOf('settle', 'config.settle_seconds')}
          onChange={(settle) => change({ settle })}
        />
      </div>
    </>
  )
}

function AfterJobFields({ draft, change, errorOf }: FieldsProps) {
  const { t } = useTranslation('triggers')
  return (
    <>
      <Input.Wrapper
        label={t('event.afterJob')}
        withAsterisk
        labelElement="div"
        error={errorOf('afterJobId', 'config.job_id')}
      >
        <JobFilter
          field={{ placeholder: t('form.chooseJob') }}
          value={draft.afterJobId ?? undefined}
          onChange={(afterJobId) => change({ afterJobId })}
        />
      </Input.Wrapper>
      <Checkbox.Group
        label={t('event.on')}
        value={draft.on}
        error={errorOf('on', 'config.on')}
        onChange={(on) => change({ on })}
      >
        <Group gap={16} mt={6}>
          {jobEnds.map((end) => (
            <Checkbox key={end} value={end} label={t(`event.ons.${end}`)} />
          ))}
        </Group>
      </Checkbox.Group>
    </>
  )
}

/** What starts the job: its name, and what belongs to the kind of event alone. */
export function EventFields(props: FieldsProps) {
  const { t } = useTranslation('triggers')
  const { draft, change, errorOf } = props
  return (
    <>
      <TextInput
        label={t('event.name')}
        withAsterisk
        data-autofocus={draft.jobId !== null || undefined}
        value={draft.name}
        error={errorOf('name', 'name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {draft.kind === 'webhook' ? (
        <Input.Wrapper label={t('event.webhookUrl')} description={t('event.webhookHint')} labelElement="div" />
      ) : null}
      {draft.kind === 'file_arrival' ? <FileFields {...props} /> : null}
      {draft.kind === 'after_job' ? <AfterJobFields {...props} /> : null}
    </>
  )
}
