import { Checkbox, MultiSelect, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mostChosenTasks } from '../../../contract/ai.ts'
import { MAX_CHOSEN_REFERENCES, listAiReferences } from '../../../contract/ai-references.ts'
import { listConnectors } from '../../../contract/connectors.ts'
import { getJobTemplate, listJobTemplates } from '../../../contract/job-templates.ts'
import { getJob, listJobs } from '../../../contract/jobs.ts'
import { listTasks } from '../../../contract/tasks.ts'
import { useOperation } from '../../api/queries.ts'
import { RecordFilter } from '../../ui/RecordFilter.tsx'
import classes from './ai.module.css'

const idsOf = (chosen: readonly string[]) => chosen.map(Number)
const textsOf = (ids: readonly number[] | undefined) => (ids ?? []).map(String)

/** What a request is about, beside its words. */
export interface ChoiceProps<Chosen> {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  /** Whether rows may be sent with it. */
  mayShowRows?: boolean
}

export function ReferencesChoice({ chosen, onChange }: ChoiceProps<readonly number[]>) {
  const { t } = useTranslation('ai')
  const documents = useOperation(listAiReferences, { query: { limit: 200 } }).data?.result ?? []
  return (
    <MultiSelect
      label={t('panel.references')}
      searchable
      maxValues={MAX_CHOSEN_REFERENCES}
      value={textsOf(chosen)}
      data={documents.map(({ id, title }) => ({ value: String(id), label: title }))}
      onChange={(ids) => onChange(idsOf(ids))}
    />
  )
}

export function ConnectorsChoice(props: ChoiceProps<{ connector_ids?: number[]; rows?: boolean }>) {
  const { chosen, onChange, mayShowRows = false } = props
  const { t } = useTranslation('ai')
  const known = useOperation(listConnectors, { query: { limit: 200 } }).data?.result ?? []
  return (
    <Stack gap={6}>
      <MultiSelect
        label={t('panel.connectors')}
        searchable
        maxValues={20}
        value={textsOf(chosen.connector_ids)}
        data={known.map(({ id, name }) => ({ value: String(id), label: name }))}
        onChange={(ids) => onChange({ ...chosen, connector_ids: idsOf(ids) })}
      />
      {mayShowRows ? (
        <Checkbox
          label={t('panel.rows')}
          checked={chosen.rows === true}
          onChange={(event) => onChange({ ...chosen, rows: event.currentTarget.checked })}
        />
      ) : null}
    </Stack>
  )
}

/** The server searches: there can be thousands. */
export function TasksChoice({ chosen, onChange }: ChoiceProps<{ task_ids?: number[] }>) {
  const { t } = useTranslation('ai')
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 150)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const found = useOperation(
    listTasks,
    { query: { limit: 50, sort: 'name', order: 'asc', ...(q === '' ? {} : { q }) } },
    { keepPrevious: true },
  )
  const value = textsOf(chosen.task_ids)
  const listed = new Map((found.data?.result ?? []).map(({ id, name }) => [String(id), name]))
  const own = value.filter((id) => !listed.has(id)).map((id): [string, string] => [id, names.get(id) ?? `#${id}`])
  return (
    <MultiSelect
      label={t('panel.tasks')}
      searchable
      maxValues={mostChosenTasks}
      value={value}
      data={[...own, ...listed].map(([id, label]) => ({ value: id, label }))}
      filter={({ options }) => options}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? undefined : t('panel.noTasks')}
      onChange={(ids) => {
        setNames(new Map(ids.map((id) => [id, listed.get(id) ?? names.get(id) ?? `#${id}`])))
        onChange({ task_ids: idsOf(ids) })
      }}
    />
  )
}

/** Whom a dashboard is for, and whose databases it reads. */
export function DashboardChoice({
  chosen,
  onChange,
}: ChoiceProps<{ job_template_id?: number | undefined; job_id?: number | undefined }>) {
  const { t } = useTranslation('ai')
  return (
    <>
      <div className={classes.choice}>
        <span aria-hidden>{t('panel.jobTemplate')}</span>
        <RecordFilter
          get={getJobTemplate}
          list={listJobTemplates}
          label={t('panel.jobTemplate')}
          placeholder={t('panel.asInText')}
          nothingFound={t('panel.noTemplates')}
          value={chosen.job_template_id}
          onChange={(id) => onChange({ job_template_id: id ?? undefined })}
          width="100%"
        />
      </div>
      <div className={classes.choice}>
        <span aria-hidden>{t('panel.job')}</span>
        <RecordFilter
          get={getJob}
          list={listJobs}
          label={t('panel.job')}
          placeholder={t('panel.noJob')}
          nothingFound={t('panel.noJobs')}
          value={chosen.job_id}
          onChange={(id) => onChange({ ...chosen, job_id: id ?? undefined })}
          width="100%"
        />
      </div>
    </>
  )
}
