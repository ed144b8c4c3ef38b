import { Group, Input, NativeSelect, NumberInput, Select, TextInput, Textarea } from '@mantine/core'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { listConnectors } from '../../../contract/connectors.ts'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { getLineage } from '../../../contract/lineage.ts'
import { getTask, listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { RecordFilter } from '../../ui/RecordFilter.tsx'
import { QueryTest } from './QueryTest.tsx'
import {
  type FreshnessKind,
  type MetricDraft,
  type TimeUnit,
  freshnessKinds,
  timeUnits,
} from './custom-metric-draft.ts'
import classes from './metrics.module.css'

export interface MetricFieldsProps {
  draft: MetricDraft
  change(values: Partial<MetricDraft>): void
  errorOf(field: keyof MetricDraft): string | undefined
}

function Labelled({ label, error, children }: { label: string; error: string | undefined; children: ReactNode }) {
  return (
    <Input.Wrapper label={label} withAsterisk error={error} labelElement="div">
      {children}
    </Input.Wrapper>
  )
}

function TaskField({ draft, change, errorOf }: MetricFieldsProps) {
  const { t } = useTranslation('metrics')
  return (
    <Labelled label={t('task')} error={errorOf('task')}>
      <RecordFilter
        get={getTask}
        list={listTasks}
        label={t('task')}
        placeholder={t('form.chooseTask')}
        nothingFound={t('noTask')}
        value={draft.task ?? undefined}
        onChange={(task) => change({ task })}
        width="100%"
      />
    </Labelled>
  )
}

interface TimeProps {
  label: string
  hint: string
  value: number | string
  unit: TimeUnit
  error: string | undefined
  onChange(value: number | string, unit: TimeUnit): void
}

/** A number and what it counts. */
function Time({ label, hint, value, unit, error, onChange }: TimeProps) {
  const { t } = useTranslation('metrics')
  return (
    <Group gap={8} align="end" wrap="nowrap">
      <NumberInput
        size="xs"
        label={label}
        description={hint}
        withAsterisk
        min={1}
        allowDecimal={false}
        value={value}
        error={error}
        onChange={(next) => onChange(next, unit)}
        style={{ flex: 1 }}
      />
      <NativeSelect
        aria-label={t('form.timeUnit', { label })}
        value={unit}
        data={(Object.keys(timeUnits) as TimeUnit[]).map((name) => ({ value: name, label: t(`form.units.${name}`) }))} // its own names
        onChange={(event) => onChange(value, event.currentTarget.value as TimeUnit)} // one of the options
        w={110}
      />
    </Group>
  )
}

function RunFields(props: MetricFieldsProps) {
  const { draft, change, errorOf } = props
  const { t } = useTranslation('metrics')
  return (
    <>
      <TaskField {...props} />
      <TextInput
        label={t(draft.kind === 'summary' ? 'form.fields.summary' : 'form.fields.output')}
        description={t(draft.kind === 'summary' ? 'form.summaryHint' : 'form.outputHint')}
        withAsterisk
        value={draft.field}
        error={errorOf('field')}
        onChange={(event) => change({ field: event.currentTarget.value })}
      />
    </>
  )
}

function QueryFields({ draft, change, errorOf }: MetricFieldsProps) {
  const { t } = useTranslation('metrics')
  const connectors = useOperation(listConnectors, { query: { limit: 200, sort: 'name', order: 'asc' } })
  return (
    <>
      <Select
        label={t('form.connector')}
        withAsterisk
        searchable
        data={(connectors.data?.result ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        value={draft.connector}
        error={errorOf('connector')}
        onChange={(connector) => change({ connector })}
      />
      <Textarea
        label={t('form.query')}
        description={t('form.queryHint')}
        withAsterisk
        autosize
        minRows={3}
        maxRows={12}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={draft.query}
        error={errorOf('query')}
        onChange={(event) => change({ query: event.currentTarget.value })}
      />
      <QueryTest connector={draft.connector} query={draft.query} unit={draft.unit} />
      <Time
        label={t('form.every')}
        hint={t('form.everyHint')}
        value={draft.every}
        unit={draft.everyUnit}
        error={errorOf('every')}
        onChange={(every, everyUnit) => change({ every, everyUnit })}
      />
    </>
  )
}

function DatasetField({ draft, change, errorOf }: MetricFieldsProps) {
  const { t } = useTranslation('metrics')
  const lineage = useOperation(getLineage)
  const written = lineage.data?.datasets ?? []
  const known = written.map(({ id, label, namespace }) => ({ value: id, label: `${label} · ${namespace}` }))
  const own = draft.dataset !== null && !written.some(({ id }) => id === draft.dataset)
  return (
    <Select
      label={t('form.dataset')}
      withAsterisk
      searchable
      limit={100}
      data={own && draft.dataset !== null ? [{ value: draft.dataset, label: draft.dataset }, ...known] : known}
      nothingFoundMessage={t('form.noDataset')}
      value={draft.dataset}
      error={errorOf('dataset')}
      onChange={(dataset) => change({ dataset })}
    />
  )
}

function FreshnessFields(props: MetricFieldsProps) {
  const { draft, change, errorOf } = props
  const { t } = useTranslation('metrics')
  return (
    <>
      <NativeSelect
        label={t('form.of')}
        value={draft.of}
        data={freshnessKinds.map((value) => ({ value, label: t(`form.ofKinds.${value}`) }))}
        onChange={(event) => change({ of: event.currentTarget.value as FreshnessKind })} // one of the options
      />
      {draft.of === 'dataset' ? <DatasetField {...props} /> : null}
      {draft.of === 'task' ? <TaskField {...props} /> : null}
      {draft.of === 'job' ? (
        <Labelled label={t('job')} error={errorOf('job')}>
          <RecordFilter
            get={getJob}
            list={listJobs}
            label={t('job')}
            placeholder={t('form.chooseJob')}
            nothingFound={t('noJob')}
            value={draft.job ?? undefined}
            onChange={(job) => change({ job })}
            width="100%"
          />
        </Labelled>
      ) : null}
      <Time
        label={t('form.deadline')}
        hint={t('form.deadlineHint')}
        value={draft.deadline}
        unit={draft.deadlineUnit}
        error={errorOf('deadline')}
        onChange={(deadline, deadlineUnit) => change({ deadline, deadlineUnit })}
      />
    </>
  )
}

/** Where the values come from. */
export function SourceFields(props: MetricFieldsProps) {
  if (props.draft.kind === 'query') return <QueryFields {...props} />
  return props.draft.kind === 'freshness' ? <FreshnessFields {...props} /> : <RunFields {...props} />
}

/** What is too much or too little. */
export function ThresholdFields({ draft, change, errorOf }: MetricFieldsProps) {
  const { t } = useTranslation('metrics')
  const hint = useId()
  return (
    <div role="group" aria-describedby={hint} className={classes.limits}>
      {(['below', 'above'] as const).map((limit) => (
        <NumberInput
          key={limit}
          label={t(`form.${limit}`)}
          hideControls
          value={draft[limit]}
          error={errorOf(limit)}
          onChange={(value) => change({ [limit]: value })}
        />
      ))}
      <Input.Description id={hint}>{t('form.limitsHint')}</Input.Description>
    </div>
  )
}
