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

const textsOf = (ids: readonly number[] | undefined) => (ids ?? []).map(String)

/** What a request is about, beside its words. */
export interface ChoiceProps<Chosen> {
  chosen: Chosen
  onChange: (chosen: Chosen) => void
  /** Whether rows may be sent with it. */
  mayShowRows?: boolean
}

interface SeveralProps {
  list: typeof listAiReferences | typeof listConnectors | typeof listTasks
  label: string
  nothingFound: string
  most: number
  chosen: readonly number[] | undefined
  onChange: (ids: number[]) => void
}

/** Several records by name. The server searches, once a moment passed without typing: there can be thousands. */
function Several({ list, label, nothingFound, most, chosen, onChange }: SeveralProps) {
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const [text, setText] = useState('')
  const [q] = useDebouncedValue(text.trim(), 150)
  // References are found best first; the others have nothing but their name.
  const order = list.id === 'listAiReferences' ? {} : ({ sort: 'name', order: 'asc' } as const)
  const found = useOperation(
    list,
    { query: { limit: 50, ...order, ...(q === '' ? {} : { q }) } },
    { keepPrevious: true },
  )
  const records = found.data?.result ?? []
  const listed = new Map(records.map((one) => [String(one.id), 'title' in one ? one.title : one.name]))
  const value = textsOf(chosen)
  const own = value.filter((id) => !listed.has(id)).map((id): [string, string] => [id, names.get(id) ?? `#${id}`])
  return (
    <MultiSelect
      label={label}
      searchable
      maxValues={most}
      value={value}
      data={[...own, ...listed].map(([id, name]) => ({ value: id, label: name }))}
      filter={({ options }) => options}
      onSearchChange={setText}
      nothingFoundMessage={found.isFetching ? undefined : nothingFound}
      onChange={(ids) => {
        setNames(new Map(ids.map((id) => [id, listed.get(id) ?? names.get(id) ?? `#${id}`])))
        onChange(ids.map(Number))
      }}
    />
  )
}

export function ReferencesChoice({ chosen, onChange }: ChoiceProps<readonly number[]>) {
  const { t } = useTranslation('ai')
  return (
    <Several
      list={listAiReferences}
      label={t('panel.references')}
      nothingFound={t('panel.noReferences')}
      most={MAX_CHOSEN_REFERENCES}
      chosen={chosen}
      onChange={onChange}
    />
  )
}

export function ConnectorsChoice(props: ChoiceProps<{ connector_ids?: number[]; rows?: boolean }>) {
  const { chosen, onChange, mayShowRows = false } = props
  const { t } = useTranslation('ai')
  return (
    <Stack gap={6}>
      <Several
        list={listConnectors}
        label={t('panel.connectors')}
        nothingFound={t('panel.noConnectors')}
        most={20}
        chosen={chosen.connector_ids}
        onChange={(connector_ids) => onChange({ ...chosen, connector_ids })}
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

export function TasksChoice({ chosen, onChange }: ChoiceProps<{ task_ids?: number[] }>) {
  const { t } = useTranslation('ai')
  return (
    <Several
      list={listTasks}
      label={t('panel.tasks')}
      nothingFound={t('panel.noTasks')}
      most={mostChosenTasks}
      chosen={chosen.task_ids}
      onChange={(task_ids) => onChange({ task_ids })}
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
